"""Prints figures of speed and size as ratios in one run: `python -m tests.bench`.

Nothing is asserted here: a machine's noise is no defect. Every pair of figures is measured in turn, A B A B …, and
the median of the ratios is printed beside the two medians.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE)]

import campaign  # noqa: E402
import serving  # noqa: E402
from long_game import edits, long_archive, turn_file_bytes  # noqa: E402

from pbem.app.catalogue import for_proposal  # noqa: E402
from pbem.app.verify import verify  # noqa: E402
from pbem.errors import PbemError  # noqa: E402
from pbem.log import bundle, envelope  # noqa: E402
from pbem.log.keys import key_id  # noqa: E402

RUNS = 11


def seconds(work: Callable[[], Any]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def pair(one: Callable[[], Any], other: Callable[[], Any], runs: int = RUNS) -> tuple[float, float, float]:
    """Medians of both, and the median of the ratios one / other, after a warm-up."""
    one(), other()
    measured = [(seconds(one), seconds(other)) for _ in range(runs)]
    ratios = [first / second for first, second in measured]
    firsts, seconds_ = zip(*measured, strict=True)
    return statistics.median(firsts), statistics.median(seconds_), statistics.median(ratios)


def signature_checks(data: bytes) -> Callable[[], None]:
    """The bare Ed25519 verifications of an archive, with loaded keys and nothing else."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    read = bundle.read(data)
    keys = {key_id(key): Ed25519PublicKey.from_public_bytes(key) for key in read.keys}
    envelopes = [envelope.from_line(line) for line in read.lines]
    checks = [(keys[e.key_id], e.signature, envelope.pae(envelope.PAYLOAD_TYPE, e.payload)) for e in envelopes]

    def check() -> None:
        for key, signature, message in checks:
            key.verify(signature, message)

    return check


def verify_figures(data: bytes) -> None:
    events = len(bundle.read(data).lines)
    games = for_proposal()
    whole, bare, ratio = pair(lambda: verify(data, games), signature_checks(data))
    print(
        f"verify of an archive of {events} events: {whole * 1000:.0f} ms; bare signature checks: {bare * 1000:.0f} ms"
    )
    print(f"  ratio verify / bare signature checks: {ratio:.2f} (aim: under 1.5; {os.cpu_count()} processors)")


def diplomacy_figures(data: bytes) -> None:
    """The saved-game validator of the package `diplomacy` on as many orders, and what each notices."""
    try:
        from diplomacy.utils.export import is_valid_saved_game
        from long_game import saved_diplomacy_game
    except ImportError:
        print("the package diplomacy is not installed (extra `bench`): no comparison with its validator")
        return
    events = len(bundle.read(data).lines)
    saved, orders = saved_diplomacy_game(events)
    text = json.dumps(saved)
    games = for_proposal()
    ours, theirs, _ = pair(lambda: verify(data, games), lambda: is_valid_saved_game(json.loads(text)), runs=5)
    ratio = (ours / events) / (theirs / orders)
    here, there = ours / events * 1e6, theirs / orders * 1e6
    print(f"per event: {here:.0f} us here; per order: {there:.0f} us in diplomacy ({orders} orders)")
    print(f"  ratio verify per event / validator per order: {ratio:.2f} (aim: under 1)")
    caught = sum(not holds(edited, games) for edited in edits(data))
    print(f"  edits of one byte that verify notices: {caught} of {len(edits(data))}")


def holds(data: bytes, games: Any) -> bool:
    try:
        return verify(data, games).finished
    except PbemError:
        return False


def start_up_figures() -> None:
    """`pbem status` with a game in the home, as a whole process, against `import click` alone."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "PBEM_HOME": f"{folder}/home"}

        def run(*arguments: str) -> None:
            subprocess.run([sys.executable, *arguments], env=environment, check=True, capture_output=True)

        run("-m", "pbem", "init", "--name", "Anna", "--address", "anna@example.org", "--no-passphrase")
        run("-m", "pbem", "new", "westerplatte", "--as", "german", "--opponent", "bruno@example.org")
        status, click, ratio = pair(lambda: run("-m", "pbem", "status"), lambda: run("-c", "import click"))
    print(f"pbem status: {status * 1000:.0f} ms; python -c 'import click': {click * 1000:.0f} ms")
    print(f"  ratio status / import click: {ratio:.2f} (aim: under 3)")


def size_figures() -> None:
    events, payload, armoured, mail = turn_file_bytes()
    print(f"turn file of {events} events: {payload} bytes compressed, {armoured} in armour, {mail} as a mail")
    print(f"  bytes per event, signed, chained, compressed: {payload / events:.0f} (aim: under 300)")
    print(f"  bytes per event in armour: {armoured / events:.0f}, in the whole mail: {mail / events:.0f}")


def main() -> None:
    data = long_archive(1_000)
    verify_figures(data)
    diplomacy_figures(data)
    start_up_figures()
    size_figures()
    campaign.replay_figures(campaign.whole_campaign(), seconds, pair)
    campaign.status_figures(pair)
    serving.service_figures(seconds, pair)


if __name__ == "__main__":
    main()

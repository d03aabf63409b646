"""`pbem/log/PROTOCOL.md` says what the code does: its example, steps, tags, fields and limits."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import get_args

import pytest

import pbem
from pbem.log import bundle, canonical, dice, dispute, envelope, event, verify
from pbem.log.step import GENESIS, step_digest

from .builders import follow

ROOT = Path(pbem.__file__).parent
TEXT = (ROOT / "log" / "PROTOCOL.md").read_text("utf-8")
VECTORS = Path(__file__).parents[2] / "fixtures" / "vectors"
EXAMPLE = (VECTORS.parent / "log" / "good" / "one-roll.txt").read_bytes()
BLOCKS = re.findall(r"^```\n(.*?)^```", TEXT, re.M | re.S)
NUMBERED = re.compile(r"^ ?(\d+)\. (.+)$", re.M)


def test_the_steps_are_those_of_the_code() -> None:
    section = TEXT.split("## 16. ")[1].split("## 17. ")[0]
    assert NUMBERED.findall(section) == NUMBERED.findall(str(verify.__doc__))


def test_every_step_stands_beside_its_check() -> None:
    source = Path(verify.__file__).read_text()
    beside = {int(number) for comment in re.findall(r"# ([\d, ]+)$", source, re.M) for number in comment.split(", ")}
    assert beside == {int(number) for number, _ in NUMBERED.findall(str(verify.__doc__))} == set(range(1, 20))


def test_whoever_speaks_of_the_last_step_means_the_same_one() -> None:
    sources = [path.read_text("utf-8") for path in (Path(verify.__file__), ROOT / "app" / "verify.py")]
    spoken = re.findall(r"(?:\b9|teps 1) to (\d\d)\b", "\n".join([TEXT, *sources]))
    assert (len(spoken), set(spoken)) == (4, {NUMBERED.findall(str(verify.__doc__))[-1][0]})


def test_the_example_is_the_log_on_disk() -> None:
    shown = [line for block in BLOCKS for line in block.splitlines()]
    assert [line for line in EXAMPLE.decode().splitlines() if line not in shown] == []


def test_the_digests_of_the_example_are_those_of_its_log() -> None:
    game, digest, found = follow(EXAMPLE), GENESIS, []
    for step in game.steps:
        digest = step_digest(digest, (one.id for one in step))
        found.append(digest.hex())
    assert re.findall(r"^step \d  (\w{64})$", TEXT, re.M) == found
    assert re.findall(r"^game    (\w{64})$", TEXT, re.M) == [game.game]


def test_the_commands_of_the_example_print_what_it_says(tmp_path: Path) -> None:
    """Run as they stand; only `xxd`, which not every machine has, is done here."""
    block = next(block for block in BLOCKS if block.startswith("openssl"))
    derive, rest = block.split("key     ")
    key, printing, mac, said = rest.split("\n")[:4]
    message = printing.split()[1]
    (tmp_path / "message").write_bytes(bytes.fromhex(message))
    assert printed(derive, tmp_path).replace(":", "") == key.upper()
    assert printed(mac, tmp_path) == said.split()[-1].upper()
    first = bytes.fromhex(said.split()[-1])[0]
    assert f"First byte is 0x{first:02x} = {first}".lower() in TEXT.lower()
    assert f"`2:first-player` is {dice.faces(bytes.fromhex(key), 'first-player', 1, 6)[0]}." in TEXT


def printed(command: str, folder: Path) -> str:
    words = command.replace("\\\n", " ").split()
    return subprocess.run(words, cwd=folder, capture_output=True, check=True, timeout=20).stdout.decode().strip()


def test_every_tag_of_the_code_is_specified() -> None:
    sources = [*(ROOT / "log").glob("*.py"), ROOT / "engine" / "driver.py", ROOT / "rules" / "ruleset.py"]
    used = {tag for path in sources for tag in re.findall(r"pbem/[a-z-]+/v\d+", path.read_text())}
    assert used == set(re.findall(r"pbem/[a-z-]+/v\d+", TEXT))


@pytest.mark.parametrize("kind", event.BODIES)
def test_every_field_of_a_body_is_specified(kind: str) -> None:
    (row,) = (line for line in TEXT.splitlines() if line.startswith(f"| `{kind}` |"))
    named = re.findall(r"`([a-z_]+)`", row.split("|", 2)[2])
    assert set(event.BODIES[kind].model_fields) <= set(named)


def test_every_field_of_an_event_is_specified() -> None:
    assert all(f"`{field}`" in TEXT for field in event.Statement.model_fields)
    assert all(f"`{field}`" in TEXT for model in (event.Registration, event.Seat) for field in model.model_fields)


def test_the_limits_are_those_of_the_code() -> None:
    limits = TEXT.split("## 15. ")[1].split("## 16. ")[0]
    assert f"{canonical.MAX_BYTES:,} bytes; {canonical.MAX_DEPTH}; ±(2^53 - 1)" in limits
    assert f"{envelope.MAX_LINE:,} bytes; 4 MiB; 256 MiB and 2^20 lines" in limits
    assert (bundle.MAX_TURN_BYTES, bundle.MAX_ARCHIVE_BYTES, bundle.MAX_LINES) == (4 << 20, 256 << 20, 1 << 20)
    assert f"| {bundle.MAX_KEYS}; 8 |" in limits
    assert f"| {bundle.MAX_CLAIM_LINE:,} bytes; {dispute.MAX_SLICE} |" in limits
    assert f"| sides of a die | {dice.MAX_SIDES} |" in limits


@pytest.mark.parametrize("model", [dispute.RollClaim, dispute.OpeningClaim, dispute.RefusalClaim])
def test_every_field_of_a_claim_is_specified(model: type[event.Body]) -> None:
    (name,) = get_args(model.model_fields["claim"].annotation)
    (row,) = (line for line in TEXT.splitlines() if line.startswith(f'| `"{name}"` |'))
    assert set(model.model_fields) - {"claim"} <= set(re.findall(r"`([a-z_]+)`", row))


def test_vectors_name_sections_that_exist() -> None:
    sources = {json.loads(path.read_text("ascii"))["source"] for path in VECTORS.glob("*.json")}
    numbers = {re.fullmatch(r"pbem/log/PROTOCOL\.md, section (\d+)", source) for source in sources}
    assert None not in numbers
    assert all(f"\n## {found[1]}. " in TEXT for found in numbers if found)


def test_the_payload_type_is_the_one_that_is_signed() -> None:
    assert f"type = {envelope.PAYLOAD_TYPE}\n" in TEXT

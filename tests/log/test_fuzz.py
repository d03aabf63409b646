"""Whatever bytes come: a value of the protocol or a `PbemError`, in bounded time and space (C16).

The long runs try many times more (`soak.py`); the ordinary run tries a few hundred of each.
"""

from __future__ import annotations

import json
import random
import tracemalloc
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from soak import soak

from pbem.errors import BadEvidence
from pbem.log import bundle, canonical, dispute, envelope, event, fork
from pbem.log.verify import Verified, verify_event, verify_place

from .builders import END, GERMAN, Game, follow, played, player

pytestmark = pytest.mark.plan("C16")
FOLDER = Path(__file__).parents[2] / "fixtures" / "log"
GAME = played(END)
SEEDS = [path.read_bytes() for path in sorted(FOLDER.glob("*/*.txt")) if path.stat().st_size < 20_000]
LINES = [line for seed in SEEDS for line in seed.split(b"\n")]
PAYLOADS = [line[104:] for line in LINES if len(line) > 104]
fuzzed = settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def unpacked(data: bytes) -> object:
    return bundle.read(bundle.unpack(data))


def of_an_event(line: bytes) -> Verified:
    """Verified against the roster of the show game, then put into its place at every step."""
    verified = verify_event(line, GAME.roster, GAME.keys)
    verify_place(verified, played(min(verified.event.step, END)).place())
    return verified


def as_evidence(data: bytes) -> object:
    return fork.read_evidence(bundle.read(data))


def as_dispute(data: bytes) -> object:
    return dispute.read_slice(bundle.read(data))


READERS: dict[str, tuple[Callable[[bytes], object], list[bytes]]] = {
    "canonical": (canonical.decode, PAYLOADS),
    "envelope": (envelope.from_line, LINES),
    "event": (event.read, PAYLOADS),
    "bundle": (bundle.read, SEEDS),
    "packed bundle": (unpacked, [bundle.pack(seed) for seed in SEEDS]),
    "event in its place": (of_an_event, LINES),
    "game": (follow, SEEDS),
    "evidence": (as_evidence, SEEDS),
    "dispute": (as_dispute, [seed for seed in SEEDS if seed.startswith(b"pbem-log 1 dispute")]),
}
SLOW = {"game", "event in its place", "evidence", "dispute"}


def refusal_of(reader: Callable[[bytes], object], data: bytes) -> BadEvidence | None:
    """How a reader refuses bytes, None when it reads them; any other exception is a defect and comes through."""
    try:
        reader(data)
    except BadEvidence as refusal:
        return refusal
    return None


def survives(reader: Callable[[bytes], object], data: bytes) -> None:
    """A reader gives a value, or a refusal that can be shown."""
    refusal = refusal_of(reader, data)
    assert refusal is None or (refusal.text.isprintable() and len(refusal.text) < 500)


def mutated(source: random.Random, seeds: list[bytes]) -> bytes:
    """One good input after a few accidents."""
    data = bytearray(source.choice(seeds))
    for _ in range(source.randint(1, 4)):
        at = source.randint(0, len(data))
        match source.randint(0, 5):
            case 0:
                data[at : at + 1] = bytes([source.randrange(256)])
            case 1:
                del data[at : at + source.randint(1, 40)]
            case 2:
                data[at:at] = source.choice(TOKENS)
            case 3:
                data[at:at] = data[: source.randint(0, 200)]
            case 4:
                data = data[: at + 1]
            case 5:
                data += source.choice(seeds)[: source.randint(0, 400)]
    return bytes(data)


TOKENS = [
    b"\n",
    b" ",
    b'"',
    b"\\",
    b"{",
    b"[" * 20,
    b"-0",
    b"1e9",
    b"null",
    b"true",
    b"\xff",
    b"\x00",
    b"key ",
    b'"v":2',
]


@pytest.mark.parametrize("name", READERS)
@fuzzed
@given(data=st.binary(max_size=400))
def test_random_bytes(name: str, data: bytes) -> None:
    survives(READERS[name][0], data)


@pytest.mark.parametrize("name", READERS)
def test_accidents_to_good_input(name: str) -> None:
    reader, seeds = READERS[name]
    source = random.Random(f"accidents to {name}")
    for _ in range(80 if name in SLOW else 600):
        survives(reader, mutated(source, seeds))


@pytest.mark.soak
@pytest.mark.timeout(0)
@pytest.mark.parametrize("name", READERS)
def test_many_accidents_to_good_input(name: str) -> None:
    reader, seeds = READERS[name]
    source = random.Random()
    for _ in range(soak(10_000)):
        survives(reader, mutated(source, seeds))


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53) + 1, 2**53 - 1)
    | st.text(st.characters(codec="utf-8"), max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("abestv", max_size=5), inner, max_size=3),
    max_leaves=6,
)


@fuzzed
@given(st.sampled_from(sorted(event.BODIES)), st.sampled_from(PAYLOADS), st.data())
def test_signed_nonsense(kind: str, payload: bytes, data: st.DataObject) -> None:
    """Rightly signed, canonical, and wrong: fields of a good event exchanged for any JSON."""
    try:
        said = json.loads(payload)
    except ValueError:
        return
    if not isinstance(said, dict) or not isinstance(said.get("body"), dict):
        return
    fields = data.draw(st.lists(st.sampled_from(sorted(said)), max_size=2))
    inner = data.draw(st.lists(st.sampled_from([*sorted(said["body"]), "x"]), max_size=2))
    said |= {field: data.draw(json_values) for field in fields}
    if isinstance(said["body"], dict):
        said["body"] |= {field: data.draw(json_values) for field in inner}
    said["kind"] = data.draw(st.sampled_from([kind, said["kind"]]))
    try:
        line = player(GERMAN).signed(canonical.encode(said))
    except ValueError:
        return
    survives(of_an_event, line)


@pytest.mark.plan("A16")
def test_a_bomb_unpacks_to_its_bound_and_no_further() -> None:
    """256 MiB of zeros in a few kilobytes; the peak stays near the 4 MiB that a turn file may hold."""
    packer = zlib.compressobj(9)
    bomb = b"".join(packer.compress(bytes(2**20)) for _ in range(256)) + packer.flush()
    tracemalloc.start()
    with pytest.raises(BadEvidence) as caught:
        bundle.unpack(bomb)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert str(caught.value) == (
        "bundle.packing: expected one compressed log of at most 4194304 bytes, got more, or one cut off"
    )
    assert peak < 16 * 2**20


def test_what_is_not_packed_is_told() -> None:
    with pytest.raises(BadEvidence) as caught:
        bundle.unpack(b"pbem-log 1 turn\n")
    assert str(caught.value) == "bundle.packing: expected a compressed log, got something else"


@pytest.mark.plan("A16")
def test_a_file_of_empty_lines_is_refused_before_it_is_split() -> None:
    data = b"pbem-log 1 archive\n" + b"\n" * (bundle.MAX_LINES + 1)
    tracemalloc.start()
    with pytest.raises(BadEvidence, match="at most 1048576 lines"):
        bundle.read(data)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 2**20


@pytest.mark.plan("A16")
def test_an_archive_beyond_its_bound_is_refused() -> None:
    with pytest.raises(BadEvidence) as caught:
        bundle.read(bytes(bundle.MAX_ARCHIVE_BYTES + 1))
    assert str(caught.value) == "bundle.too_long: expected at most 268435456 bytes, got 268435457"


@fuzzed
@given(
    st.sampled_from(bundle.KINDS),
    st.sets(st.binary(min_size=32, max_size=32), max_size=5),
    st.lists(st.binary(max_size=30).map(lambda line: line.replace(b"\n", b"")), max_size=5),
)
def test_what_a_bundle_writes_it_reads(kind: bundle.Contents, keys: set[bytes], lines: list[bytes]) -> None:
    """Lines that look like keys would be taken for some: event lines never do, their third blank comes later."""
    lines = [line for line in lines if not line.startswith(b"key ")]
    claim = b"said" if kind == "dispute" else b""
    data = bundle.write(kind, keys, lines, claim)
    found = bundle.read(data)
    assert found == bundle.Bundle(kind, tuple(sorted(keys)), tuple(lines), claim)
    assert found.first_line == 2 + len(keys) + bool(claim)
    assert bundle.read(bundle.unpack(bundle.pack(data))) == found


def test_accidents_do_happen() -> None:
    """The fuzzing would mean little if hardly any input were damaged, or none were still good."""
    source = random.Random("accidents")
    refusals = [refusal_of(canonical.decode, mutated(source, PAYLOADS)) for _ in range(1_000)]
    codes = {refusal.code if refusal else "" for refusal in refusals}
    assert codes >= {"", "canonical.not_json", "canonical.form"}


def test_the_show_game_is_a_game() -> None:
    assert isinstance(follow(GAME.archive()), Game)

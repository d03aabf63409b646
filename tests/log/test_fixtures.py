"""Good logs read back to the same bytes; every bad log of `fixtures/log/bad/` is refused with its own code."""

from __future__ import annotations

import ast
import json
from pathlib import Path

import pytest

from pbem.errors import BadEvidence
from pbem.log import bundle, dispute, envelope, event, fork
from pbem.log.dispute import ProvenOpening, ProvenRoll
from pbem.log.fork import Fork

from . import make_logs
from .builders import Game, follow, played

FOLDER = Path(__file__).parents[2] / "fixtures" / "log"
GOOD = sorted(FOLDER.glob("good/*.txt"))
EXPECTED: dict[str, str] = json.loads((FOLDER / "bad" / "expected.json").read_text(encoding="ascii"))


def read(data: bytes) -> Game | Fork | ProvenRoll | ProvenOpening:
    """A log of the show game, evidence or a dispute."""
    contents = data.split(b"\n", 1)[0].rsplit(b" ", 1)[-1]
    if contents == b"dispute":
        return dispute.read_slice(bundle.read(data))
    return fork.read_evidence(bundle.read(data)) if contents == b"evidence" else follow(data)


@pytest.mark.parametrize("path", GOOD, ids=lambda path: path.stem)
def test_good_logs_read(path: Path) -> None:
    read(path.read_bytes())


@pytest.mark.parametrize("path", GOOD, ids=lambda path: path.stem)
def test_good_logs_write_back_to_the_same_bytes(path: Path) -> None:
    data = path.read_bytes()
    found = bundle.read(data)
    envelopes = [envelope.from_line(line) for line in found.lines]
    payloads = [event.write(event.read(one.payload)) for one in envelopes]
    lines = [
        envelope.to_line(envelope.Envelope(one.key_id, one.signature, payload))
        for one, payload in zip(envelopes, payloads, strict=True)
    ]
    assert bundle.write(found.contents, found.keys, lines, found.claim) == data


def test_the_logs_on_disk_are_what_this_program_would_write() -> None:
    assert {path.stem: path.read_bytes() for path in GOOD} == make_logs.good_logs()


def test_the_whole_game_ends_at_the_same_head() -> None:
    assert follow((FOLDER / "good" / "whole-game.txt").read_bytes()).head == played(10).head


def test_a_log_is_no_dispute() -> None:
    with pytest.raises(BadEvidence) as caught:
        dispute.read_slice(bundle.read((FOLDER / "good" / "whole-game.txt").read_bytes()))
    assert str(caught.value) == "dispute.form: expected a dispute, got a bundle of archive"


def test_every_bad_log_is_expected_and_every_expected_one_is_there() -> None:
    assert {path.stem for path in FOLDER.glob("bad/*.txt")} == set(EXPECTED)


@pytest.mark.parametrize("name", EXPECTED)
def test_bad_logs_are_refused(name: str) -> None:
    with pytest.raises(BadEvidence) as caught:
        read((FOLDER / "bad" / f"{name}.txt").read_bytes())
    assert caught.value.code == EXPECTED[name]


def told(name: str) -> list[str]:
    """What is said about a bad log: the text, and the hint where there is one."""
    with pytest.raises(BadEvidence) as caught:
        read((FOLDER / "bad" / f"{name}.txt").read_bytes())
    return [one for one in (caught.value.text, caught.value.hint) if one]


@pytest.mark.parametrize("name", EXPECTED)
def test_what_is_said_about_a_bad_log_is_this_and_no_more(name: str) -> None:
    texts = json.loads((FOLDER / "bad" / "texts.json").read_text(encoding="ascii"))
    assert told(name) == texts[name]
    assert all(one.isprintable() and len(one) < 400 for one in told(name))


def test_every_refusal_of_the_log_has_a_bad_log_or_a_test_of_its_own() -> None:
    """Codes that the sources name, without those that only a wrong call order or a huge file can bring about."""
    raised = {code for path in Path(envelope.__file__).parent.glob("*.py") for code in _codes(path)}
    elsewhere = {"bundle.too_long", "bundle.packing", "escrow.form", "chain.exhausted", "event.too_long", "key.length"}
    elsewhere |= {"key.escrow", "place.requests"}  # in tests/app/test_verify_floods.py
    assert raised - set(EXPECTED.values()) == elsewhere | {"roster.seated"}


def _codes(path: Path) -> set[str]:
    calls = [node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Call)]
    raised = [call for call in calls if getattr(call.func, "id", "") in {"BadEvidence", "BadRequest"}]
    return {str(call.args[0].value) for call in raised if isinstance(call.args[0], ast.Constant)}

"""What a closing opens at the end: exactly what its author owes, each once, and nobody else's."""

from __future__ import annotations

import pytest

from pbem.errors import BadEvidence
from pbem.log import canonical, event, seal
from pbem.log.disclosure import ENOUGH, Secret, check_openings
from pbem.log.event import Close, Disclosure, Role

GAME = "ab" * 32
NORTH, SOUTH = Role("north"), Role("south")
RESULT = {"winner": "north", "rule": "9", "text": "north has it"}


def opening(step: int, value: object = "hill", salt: str = "5a") -> Disclosure:
    return Disclosure(step=step, ask="plan", salt=salt * 32, value={"to": value})


def lost(step: int) -> Disclosure:
    return Disclosure(step=step, ask="plan", salt="", value=None)


def secret(step: int, value: object = "hill", role: Role = NORTH, *, owed: bool = True) -> Secret:
    payload = canonical.encode({"to": value})
    made = seal.commitment(bytes.fromhex(GAME), step, role, "plan", b"Z" * 32, payload)
    return Secret(step, "plan", made.hex(), owed)


TWO = (secret(4), secret(7))
LONG = "x" * ENOUGH
A_LOSS = "expected an opening or nothing of what a former holder of north's seat sealed at step 4, got a loss"
ALL = "expected north's closing to open everything that it sealed and nothing has opened, got one without step"
EACH_ONCE = (
    "expected openings of what north sealed and nothing has opened (steps: 4, 7), each once and in their order, got"
)


@pytest.mark.parametrize(
    ("given", "secrets"),
    [
        ([], ()),
        ([opening(4), opening(7)], TWO),
        ([lost(4), opening(7)], TWO),
        ([opening(7)], (secret(4, owed=False), secret(7))),
        ([opening(4), opening(7)], (secret(4, owed=False), secret(7))),
        ([opening(4, LONG)], (secret(4, LONG), secret(7))),
    ],
    ids=["none", "all", "one lost", "without a former holder's", "with a former holder's", "enough for one step"],
)
def test_what_is_owed_is_opened_or_lost(given: list[Disclosure], secrets: tuple[Secret, ...]) -> None:
    check_openings(GAME, NORTH, given, secrets)


@pytest.mark.plan("A32", "A33")
@pytest.mark.parametrize(
    ("given", "secrets", "text"),
    [
        ([opening(4, "ford"), opening(7)], TWO, "expected the answer that north sealed at step 4, got another one"),
        ([opening(4, salt="5b"), opening(7)], TWO, "expected the answer that north sealed at step 4, got another one"),
        ([opening(4)], (secret(4, role=SOUTH),), "expected the answer that north sealed at step 4, got another one"),
        ([opening(4), opening(5)], TWO, f"{EACH_ONCE} steps 4, 5"),
        ([opening(7), opening(4)], TWO, f"{EACH_ONCE} steps 7, 4"),
        ([opening(4), opening(4), opening(7)], TWO, f"{EACH_ONCE} steps 4, 4, 7"),
        ([opening(4)], TWO, f"{ALL} 7"),
        ([opening(7, LONG)], (secret(4), secret(7, LONG)),
         f"{ALL} 4"),
        ([], TWO, f"{ALL} 4"),
        ([lost(4)], (secret(4, owed=False),), A_LOSS),
    ],
    ids=["value", "salt", "another role's", "another step's", "out of order", "twice", "one missing",
         "the first missing", "all missing", "a former holder's lost"],
)  # fmt: skip
def test_anything_else_is_refused(given: list[Disclosure], secrets: tuple[Secret, ...], text: str) -> None:
    with pytest.raises(BadEvidence) as caught:
        check_openings(GAME, NORTH, given, secrets)
    assert (caught.value.code, caught.value.text) == ("place.disclosure", text)


def body(**more: object) -> bytes:
    """A closing as it travels, with these fields beside result and head."""
    said = {"result": RESULT, "head": "00" * 32, **more}
    statement = {"v": 1, "game": GAME, "step": 9, "prev": "00" * 32, "state": "00" * 32, "role": "north", "at": 1}
    return canonical.encode({**statement, "kind": "close", "body": said})


def test_a_closing_without_openings_has_no_such_field() -> None:
    for payload in (body(), body(openings=[opening(4).model_dump(), lost(7).model_dump()])):
        assert event.write(event.read(payload)) == payload
    assert Close(result=RESULT, head="00" * 32).openings == []


BOTH = "'openings.0' (what was sealed is opened with salt and value, or lost without both)"


@pytest.mark.parametrize(("openings", "wrong"), [
    ([], "'openings' (it has fewer entries than 1)"),
    (None, "'openings' (it is no list)"),
    ([{"step": 4, "ask": "plan", "salt": "5a" * 32, "value": None}], BOTH),
    ([{"step": 4, "ask": "plan", "salt": "", "value": {}}], BOTH),
    ([{"step": 4, "ask": "plan", "salt": ""}], "'openings.0.value' (it is missing)"),
])  # fmt: skip
def test_there_is_one_way_to_say_it(openings: object, wrong: str) -> None:
    with pytest.raises(BadEvidence) as told:
        event.read(body(openings=openings))
    assert str(told.value) == f"event.form: expected an event of version 1, got a wrong {wrong}"

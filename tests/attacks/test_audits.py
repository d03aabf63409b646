"""Secrets that are left when a game is over: opened by their authors, by nobody else, and not before it is over."""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar

import orjson
import pytest

from attacks.sides import LATER, Pair, Side, claimed_when_sent, packed, payload_of, pbem, refused
from attacks.test_motions import deciding, exchange, moved
from attacks.test_seals import lose_the_opening, original, planning, seals, toy  # noqa: F401 - fixtures
from pbem.app.opened import open_game
from pbem.app.signing import give_answer
from pbem.errors import BadRequest
from pbem.rules.play import Answer


@pytest.fixture
def given_up(planning: Pair) -> Pair:  # noqa: F811 - a fixture
    """North has conceded while both reserves were sealed; South does not know it yet."""
    planning.play(6)
    decider, _ = deciding(planning)
    assert decider is planning.german
    moved(decider, what="concede")
    return planning


@pytest.fixture
def closed(given_up: Pair) -> Pair:
    """Both have closed the game; North has not got what South opens then."""
    north, south = given_up.sides()
    exchange(given_up, north)
    here = north.opened().campaign.place.step
    north.take(packed([line for line in south.lines() if payload_of(line)["step"] == here]))
    assert [side.opened().campaign.closed for side in given_up.sides()] == [True, True]
    return given_up


def both_told(pair: Pair) -> list[str]:
    """What the log tells at the end, the same at both homes."""
    for side in (*pair.sides(), *pair.sides()):
        exchange(pair, side)
    told = [[line[7:] for line in side("log").out.splitlines() if "seal" in line] for side in pair.sides()]
    assert told[0] == told[1]
    return told[0]


def stranger(pair: Pair, *words: str) -> str:
    """What somebody without a home is told of the archive."""
    north = pair.german
    archive = north.folder.parent / "toy.pbem"
    assert north("archive", "-o", archive).code == 0
    done = pbem(north.folder.parent / "nobody", words[0], archive, *words[1:])
    assert (done.code, done.err) == (0, ""), done
    return done.out


def test_reserves_are_opened_when_the_game_was_given_up(given_up: Pair) -> None:
    assert both_told(given_up) == [
        "north had sealed at step 2, reserve: reserve 1 (audit)",
        "south had sealed at step 2, reserve: reserve 1 (audit)",
    ]
    assert "Complete: closed by every party.\n" in stranger(given_up, "verify")
    sections = orjson.loads(stranger(given_up, "certificate", "--json"))["sections"]
    facts = {name: value for section in sections for name, value in section["facts"].items()}
    assert facts["State"] == "complete: closed by every party"
    assert facts["Answers that were left sealed, opened at the end and legal"] == "2"


def test_status_says_who_has_not_opened_what_it_left_sealed(closed: Pair) -> None:
    north, south = closed.sides()
    owed = "  waiting for south: to open what it left sealed, now that the game is over"
    assert any(line.startswith(owed) for line in north("status").out.splitlines())
    archive = north.folder.parent / "early.pbem"
    assert north("archive", "-o", archive).code == 0
    done = pbem(north.folder.parent / "nobody", "verify", archive)
    assert done.code == 1
    assert "which waits for south's closing of the game: it is decided, and not closed yet" in done.err
    assert south.opened().campaign.closed


# ------------------------------------------------------------------------------------------ false openings


def forged(side: Side, openings: list[dict[str, Any]]) -> bytes:
    """A closing that opens something else than its author's program would."""
    place = side.opened().campaign.place
    body = {"result": side.opened().campaign.outcome.as_result(), "head": place.prev}  # type: ignore[union-attr]
    said = {"game": place.game, "step": place.step, "prev": place.prev, "state": place.state, "role": side.role}
    more = {"openings": openings} if openings else {}
    return side.sign({"v": 1, **said, "kind": "close", "body": {**body, **more}, "at": side.now})


def own(side: Side) -> dict[str, Any]:
    """What this home's program opens at the end."""
    lines = [payload_of(line) for line in [*side.lines(), *side.pending()]]
    (said,) = (one for one in lines if one["role"] == side.role and one["body"].get("openings"))
    (opening,) = said["body"]["openings"]
    return dict(opening)


NOT_IT = "place.disclosure: expected the answer that south sealed at step 2, got another one"
WHAT_IS_OWED = (
    "place.disclosure: expected openings of what south sealed and nothing has opened (steps: 2), each once and"
)


@pytest.mark.plan("A32", "A33")
def test_a_reserve_is_opened_as_it_was_sealed(closed: Pair) -> None:
    north, south = closed.sides()
    norths, souths = own(north), own(south)
    left = "expected south's closing to open everything that it sealed and nothing has opened, got one without step 2"
    for openings, said in (
        ([{**souths, "value": {"strength": 2}}], NOT_IT),
        ([{**souths, "salt": "ab" * 32}], NOT_IT),
        ([norths], NOT_IT),
        ([{**souths, "ask": "plan"}], f"{WHAT_IS_OWED} in their order, got steps 2"),
        ([souths, {**souths, "step": 4, "ask": "plan"}], f"{WHAT_IS_OWED} in their order, got steps 2, 4"),
        ([], f"place.disclosure: {left}"),
    ):
        line = forged_at(north, south, openings)
        assert refused(north, packed([line]), "refused", "tallies") == said


def forged_at(home: Side, author: Side, openings: list[dict[str, Any]]) -> bytes:
    """What `author` would sign at the place of another home's log."""
    here = Side(author.role, home.folder, home.game, author.now)
    line = forged(here, openings)
    return author.sign(payload_of(line))


@pytest.mark.plan("A34")
def test_an_opening_before_all_have_closed_is_refused(given_up: Pair) -> None:
    decider = next(side for side in given_up.sides() if side.opened().campaign.outcome)
    other = next(side for side in given_up.sides() if side is not decider)
    early = {"step": 2, "ask": "reserve", "salt": "ab" * 32, "value": {"strength": 0}}
    line = forged_at(decider, other, [early])
    assert refused(decider, packed([line]), "refused", "tallies") == (
        f"place.disclosure: expected openings of what {other.role} sealed and nothing has opened (steps: none), each "
        "once and in their order, got steps 2"
    )


@pytest.mark.plan("A34")
def test_who_has_lost_the_vault_closes_and_it_is_on_the_record(given_up: Pair) -> None:
    south = given_up.polish
    lose_the_opening(south)
    told = both_told(given_up)
    assert told == [
        "north had sealed at step 2, reserve: reserve 1 (audit)",
        "south did not open at the end the reserve that it sealed at step 2 (breach)",
    ]
    step = given_up.german.opened().campaign.steps[-1].number
    breach = "south did not open at the end the reserve that it sealed at step 2"
    assert f"  breach: {breach} (step {step})\n" in stranger(given_up, "verify")
    page = " ".join(stranger(given_up, "certificate").split())
    assert f"Breach (step {step}): {breach}." in page


@pytest.mark.plan("A38")
def test_an_illegal_answer_is_found_when_it_is_opened_at_the_end(toy: Pair) -> None:  # noqa: F811 - a fixture
    """Nobody ever looked into the reserve; it would have been more than there is."""
    north, south = toy.sides()
    seals(south, {"strength": 9}, ask="reserve")
    north.decide()
    exchange(toy, north)
    exchange(toy, south)
    toy.play(6)
    decider, _ = deciding(toy)
    moved(decider, what="concede")
    told = both_told(toy)
    assert told[-1].startswith("south had sealed an illegal reserve at step 2 (")
    assert told[-1].endswith(") (breach)")
    assert "  breach: south had sealed an illegal reserve at step 2 (" in stranger(toy, "verify")


# ------------------------------------------------------------------------------------------ nothing early


@pytest.mark.plan("A34", "A43")
def test_who_claims_a_game_opens_nothing_that_a_late_answer_could_use(planning: Pair) -> None:  # noqa: F811 - a fixture
    """South waits for North's claim, reads whatever North signs then, and sends its plan after all."""
    north, south = planning.sides()
    north.decide()
    north.now = LATER + 86_400
    with north.desk() as desk:
        claimed_when_sent(desk, north.game)
    assert north.opened().campaign.outcome is not None
    assert not any(b'"openings"' in line for line in [*north.lines(), *north.pending()])
    south.now = LATER + 2 * 86_400
    south.decide()
    north.now = south.now
    north.take(packed([line for line in south.pending() if payload_of(line)["kind"] == "seal"]))
    assert (north.opened().campaign.outcome, north.opened().campaign.place.step) == (None, 5)


@pytest.mark.plan("A34", "A43")
def test_a_late_answer_behind_the_closing_of_all_changes_nothing(planning: Pair, tmp_path: Path) -> None:  # noqa: F811 - a fixture
    """South closes a game that North has claimed, reads North's plan, and sends one that beats it."""
    north, south = planning.sides()
    twin = south.copy(tmp_path / "twin")
    twin.game = south.game
    north.decide()
    north.now = LATER + 86_400
    with north.desk() as desk:
        claimed_when_sent(desk, north.game)
    south.now = north.now + 8 * 86_400
    north.now = south.now
    for _ in range(3):
        south.take(north.export(everything=True))
        north.take(south.export(everything=True))
    assert any(b'"openings"' in line for line in north.lines())
    before = north.heads()
    twin.decide()
    north.take(packed(twin.pending()))
    assert (north.heads(), north.opened().fork, north.opened().campaign.finished) == (before, None, True)


def test_a_client_seals_nothing_that_no_closing_could_open(planning: Pair) -> None:  # noqa: F811 - a fixture
    side = planning.german
    before = side.tables()
    with side.desk() as desk, desk.home.writing() as writer, pytest.raises(BadRequest) as told:
        give_answer(desk, writer, open_game(writer, side.game, desk.games), Long(text="x" * 40_000))
    assert (str(told.value), told.value.hint) == (
        "seal.too_long: expected sealed orders of at most 40000 bytes, which can be opened at the end, got 40011",
        "write fewer or shorter orders",
    )
    assert side.tables() == before


class Long(Answer):
    """An answer of any length."""

    kind: ClassVar[str] = "plan"
    text: str

"""The audit at the end of a game: what was left sealed is opened, judged where it stood, and told."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import pytest
from play import Match, identity_of
from toy.state import Plan

from engine.restless import Moving
from engine.scripted import END, NORTH, SOUTH, TOY, Say, Scripted, playing, say, waits
from pbem.engine import snapshot
from pbem.errors import BadDisk, BadEvidence
from pbem.log import canonical, seal
from pbem.log.event import Close, Disclosure, Lapse, Role, Seal
from pbem.log.keys import successor_digest
from pbem.log.roster import seat_message
from pbem.log.verify import DAY, Demand
from pbem.rules.play import Answer, Disclosed, Outcome, Question, Report, Rules
from pbem.rules.play import seal as sealed

BOTH_CLOSE = "north close and south close"


def conceded(**options: Any) -> Moving:
    """A toy game that was given up while both reserves were sealed, and that both have closed."""
    match = Moving(TOY, 1, deadline_days=7, **options).till_one_decides()
    match.move("concede")
    match.step()
    return match


def secrets(match: Match) -> dict[Role, list[tuple[int, str, bool]]]:
    demands = match.campaign.place.demands
    return {role: [(one.step, one.ask, one.owed) for one in demand.secrets] for role, demand in demands.items()}


def ending(match: Match) -> list[str]:
    """What is told when the game has come to its end."""
    told = len(match.campaign.lines)
    match.play()
    return [f"{line.text} ({line.rule})" for line in match.campaign.lines[told:]]


def test_what_was_left_sealed_is_opened_behind_the_closing() -> None:
    match = conceded()
    assert (waits(match), match.campaign.finished) == (BOTH_CLOSE, False)
    assert secrets(match) == {NORTH: [(2, "reserve", True)], SOUTH: [(2, "reserve", True)]}
    assert ending(match) == [
        "north had sealed at step 2, reserve: reserve 0 (audit)",
        "south had sealed at step 2, reserve: reserve 2 (audit)",
    ]
    assert (waits(match), len(match.campaign.audit.opened)) == ("", 2)


def test_nothing_more_is_demanded_where_everything_was_opened() -> None:
    match = playing("close")
    match.step()
    assert (match.campaign.finished, match.campaign.audit.left) == (True, ())


def test_what_was_taken_back_between_seal_and_opening_is_opened_at_the_end() -> None:
    """The plans of the first turn were opened before they were taken back, the reserves were not."""
    match = Moving(TOY, 1, deadline_days=7).till_one_decides(7)
    match.carry("take_back", step=2)
    audits = [text for text in ending(match) if "(audit)" in text]
    assert [text.split(":")[0] for text in audits] == [f"{side} had sealed at step 2, reserve" for side in TOY.roles]


@pytest.mark.parametrize("resume", [False, True])
def test_a_snapshot_carries_what_is_left_to_be_opened(resume: bool) -> None:
    """A resumed campaign demands the same, and leaves the judging to a whole replay."""
    match = conceded(resume=resume)
    assert secrets(match) == secrets(conceded())
    told = ending(match)
    assert (len(told), match.campaign.audit.partial) == ((0, True) if resume else (2, False))
    assert match.traces[:-1] == conceded().play().traces[:-1]


def test_a_snapshot_keeps_whose_secrets_are_not_owed() -> None:
    match = handed_over()
    kept = match.campaign.snapshot
    assert kept is not None
    again = snapshot.read(snapshot.write(kept))
    assert again == kept
    assert sorted(one[0] for one in kept.secrets if not one[4]) == ["north"] * (kept.step > 6)


@pytest.mark.parametrize("data", [b"", b"{}", b'{"v":0}', b"[1]", b"null"])
def test_what_is_no_snapshot_is_told(data: bytes) -> None:
    with pytest.raises(BadDisk) as told:
        snapshot.read(data)
    assert (str(told.value), told.value.hint) == (
        "snapshot.form: expected a snapshot of this program, got something else",
        "the home is damaged: restore a backup with `pbem restore`",
    )


# ------------------------------------------------------------------------------------------ breaches


class Sealing(Scripted):
    """A game that ends behind one sealed answer of each side."""

    def __init__(self) -> None:
        super().__init__(seal_and_end)

    def write_orders(self, answer: Answer) -> str:
        assert isinstance(answer, Say)
        return f"number {answer.number}"


def seal_and_end(state: Any) -> Rules[Outcome]:
    yield from sealed(state, say(NORTH), say(SOUTH))
    return END


def seals(match: Match, role: Role, value: dict[str, Any], *, known: bool = True) -> None:
    """Seal an answer, legal or not; its author may have lost it at once."""
    step, payload = match.campaign.place.step, canonical.encode(value)
    made = seal.commitment(bytes.fromhex(match.campaign.game), step, role, "say", b"s" * 32, payload)
    if known:
        match.players[role].vault[made] = (b"s" * 32, value)
    match.offer(match.signed(role, Seal(ask="say", commitment=made.hex(), escrow="")))


def two_seals(north: dict[str, Any], south: dict[str, Any], *, known: bool = True) -> Match:
    match = Match(Sealing(), 1, deadline_days=7)
    seals(match, NORTH, north)
    seals(match, SOUTH, south, known=known)
    match.step()
    return match


@pytest.mark.plan("A38")
@pytest.mark.parametrize(
    ("value", "why"),
    [
        ({"number": 3}, "say.odd: expected an even number, got 3 (7)"),
        (
            {"number": "4"},
            "answer.form: expected an answer to 'say', got a wrong 'number' (it is no whole number)",
        ),
        ({"spy": 1}, "answer.form: expected an answer to 'say', got a wrong 'spy' (there is no such field)"),
    ],
)
def test_what_was_illegal_when_it_was_sealed_is_a_breach(value: dict[str, Any], why: str) -> None:
    assert ending(two_seals({"number": 4}, value)) == [
        "north had sealed at step 2, say: number 4 (audit)",
        f"south had sealed an illegal say at step 2 ({why}) (breach)",
    ]


@pytest.mark.plan("A34")
def test_who_has_lost_the_vault_closes_and_that_is_a_breach() -> None:
    match = two_seals({"number": 4}, {"number": 2}, known=False)
    body = match.body(SOUTH)
    assert isinstance(body, Close)
    assert body.openings == [Disclosure(step=2, ask="say", salt="", value=None)]
    assert ending(match)[1] == "south did not open at the end the say that it sealed at step 2 (breach)"
    assert match.campaign.finished


def test_a_vault_that_holds_something_else_has_lost_it() -> None:
    match = two_seals({"number": 4}, {"number": 2}, known=False)
    (commitment,) = (bytes.fromhex(one.commitment) for one in match.campaign.place.demands[SOUTH].secrets)
    match.players[SOUTH].vault[commitment] = (b"s" * 32, {"number": 8})
    assert ending(match)[1] == "south did not open at the end the say that it sealed at step 2 (breach)"


@pytest.mark.plan("A34")
def test_a_lapse_of_the_last_closing_loses_everything() -> None:
    match = two_seals({"number": 4}, {"number": 2})
    match.offer(match.signed(NORTH, match.body(NORTH)))
    match.offer(match.signed(NORTH, Lapse(role=SOUTH, demand="close", dice=[]), at=match.clock + 8 * DAY))
    assert [line.text for line in match.campaign.lines] == [
        "north had sealed at step 2, say: number 4",
        "south did not open at the end the say that it sealed at step 2",
    ]
    assert match.campaign.finished


@pytest.mark.plan("A34")
def test_nothing_is_opened_where_the_first_closing_was_claimed() -> None:
    """Whose closing is missing could still come back to the game."""
    match = Match(Sealing(), 1, deadline_days=7)
    seals(match, NORTH, {"number": 4})
    seals(match, SOUTH, {"number": 2})
    match.offer(match.signed(NORTH, match.body(NORTH)))
    match.offer(match.signed(NORTH, Lapse(role=SOUTH, demand="close", dice=[]), at=match.clock + 8 * DAY))
    assert (match.campaign.finished, match.campaign.closed, match.campaign.lines) == (True, False, [])


@pytest.mark.plan("A34")
def test_the_first_closing_opens_nothing() -> None:
    match = Match(Sealing(), 1, deadline_days=7)
    seals(match, NORTH, {"number": 4})
    seals(match, SOUTH, {"number": 2})
    assert match.campaign.place.demands[NORTH] == Demand("close", result=END.as_result())
    early = Disclosure(step=2, ask="say", salt=(b"s" * 32).hex(), value={"number": 4})
    with pytest.raises(BadEvidence) as caught:
        match.offer(
            match.signed(NORTH, Close(result=END.as_result(), head=match.campaign.head.hex(), openings=[early]))
        )
    assert str(caught.value) == (
        "place.disclosure: expected openings of what north sealed and nothing has opened (steps: none), each once and "
        "in their order, got steps 2"
    )


# ------------------------------------------------------------------------------------------ seats


def handed_over(*, successor: bool = False) -> Moving:
    """Who decides first has given its seat to another key, or rotated its own."""
    match = Moving(TOY, 1, deadline_days=7).till_one_decides()
    role = match.decider
    new = identity_of(role).rotated() if successor else identity_of("somebody else")
    seat = match.campaign.roster.parties[role].registration
    assert seat is not None
    changed = {"key": new.public_key.hex(), "successor": successor_digest(new.successor_public_key)}
    seat = seat.model_copy(update=changed)
    proof = new.sign(seat_message(match.campaign.game, role, seat)).hex()
    match.move("seat", seat=seat, proof=proof, address="new@example.org")
    if match.campaign.moved:
        match.agree()
    return match


@pytest.mark.parametrize("successor", [False, True])
def test_a_new_holder_does_not_owe_what_another_one_sealed_and_a_successor_does(successor: bool) -> None:
    match = handed_over(successor=successor)
    role = match.decider
    assert [one.secret.owed for one in match.campaign.audit.left if one.role == role] == [successor]
    assert [*match.campaign.audit.demands({})] == ([NORTH, SOUTH] if successor else [match.other(role)])


def test_what_a_former_key_left_sealed_is_told_at_the_end() -> None:
    match = handed_over()
    campaign, role = match.campaign, match.decider
    (left,) = [one.secret for one in campaign.audit.left if one.role == role]
    told = [line.text for line in campaign.audit.at_the_end(TOY, campaign.state, 9)]
    assert told[0] == (
        f"what {role} sealed at step {left.step} ({left.ask}) was never opened: its seat has gone to another key"
    )


# ------------------------------------------------------------------------------------------ sizes, games


class Tale(Answer):
    """A long answer."""

    kind: ClassVar[str] = "tale"
    text: str = ""


class Tales(Scripted):
    """A game that ends behind three long sealed answers of one side."""

    def __init__(self) -> None:
        super().__init__(three_tales)

    def bots(self) -> Any:
        return {"random": lambda question, _, __: Tale(text=question.about * 9_000)}

    def write_orders(self, answer: Answer) -> str:
        assert isinstance(answer, Tale)
        return f"{answer.text[:1]}, {len(answer.text)} times"

    def audit(self, state: Any, openings: Sequence[Disclosed]) -> Sequence[Report]:
        return [Report("5.3", "{number} tales in {state}", {"number": len(openings), "state": str(state)})]


def three_tales(state: Any) -> Rules[Outcome]:
    for name in "abc":
        yield from sealed(state, Question(NORTH, Tale, Tale(), about=name))
    return END


def test_many_openings_take_more_than_one_step_and_the_game_hears_of_all() -> None:
    match = Match(Tales(), 1)
    assert ending(match) == [
        "north had sealed at step 2, tale: a, 9000 times (audit)",
        "north had sealed at step 3, tale: b, 9000 times (audit)",
        "north had sealed at step 4, tale: c, 9000 times (audit)",
        "3 tales in begin (5.3)",
    ]
    kinds = [[(one.event.role, one.event.kind) for one in step.events] for step in match.campaign.steps[-3:]]
    assert kinds == [[(NORTH, "close"), (SOUTH, "close")], [(NORTH, "close")], [(NORTH, "close")]]
    assert match.campaign.audit.opened[-1] == Disclosed(NORTH, "tale", 4, Tale(text="c" * 9_000))


def test_a_game_has_nothing_to_say_by_default() -> None:
    assert TOY.audit(None, [Disclosed(NORTH, "plan", 4, Plan())]) == ()


def test_what_is_too_long_for_any_closing_is_lost() -> None:
    """No client seals it; who has, can still close the game."""
    match = two_seals({"number": 4}, {"text": "x" * 60_000})
    assert ending(match)[1] == "south did not open at the end the say that it sealed at step 2 (breach)"

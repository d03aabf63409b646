"""The referee: deposits, silence, rulings on motions, annulments, with three homes that exchange turn files."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar

import pytest

from attacks.sides import (
    BEGIN,
    DAY,
    DEADLINE_DAYS,
    LATER,
    Side,
    claimed_when_sent,
    id_of,
    new_side,
    packed,
    refused,
    sign,
)
from pbem.app import catalogue
from pbem.app.deciding import submit_orders
from pbem.app.moving import NOTHING, move
from pbem.app.opened import open_game
from pbem.app.propose import Terms, accept, propose, single_proposal
from pbem.app.routing import incoming
from pbem.app.ruling import annul, rule
from pbem.app.seats import rotate
from pbem.app.signing import give_answer
from pbem.errors import BadRequest, PbemError
from pbem.log.event import Deposit, Event, Motion, Request, Role, Seal, Vouch
from pbem.rules.play import Answer


@dataclass(slots=True)
class Court:
    """Two players and a referee."""

    german: Side
    polish: Side
    referee: Side

    def sides(self) -> tuple[Side, Side, Side]:
        return self.german, self.polish, self.referee

    def exchange(self, rounds: int = 3) -> None:
        """Everybody sends everything to everybody, and every program answers what needs nobody."""
        for _ in range(rounds):
            for side in self.sides():
                now = max(one.now for one in self.sides()) + 60
                for one in self.sides():
                    one.now = now
                sent = side.export(everything=True)
                for other in self.sides():
                    if other is not side:
                        other.take(sent)

    def heads(self) -> list[list[str]]:
        return [side.heads() for side in self.sides()]

    def deciding(self) -> tuple[Side, Side]:
        """Which player has to decide something, and the other one."""
        for side, other in ((self.german, self.polish), (self.polish, self.german)):
            if side.opened().campaign.place.deciding == (side.role,):
                return side, other
        raise AssertionError("nobody has to decide anything")

    def late(self) -> None:
        for side in self.sides():
            side.now = max(side.now, LATER) + DEADLINE_DAYS * DAY + 1


def invited(folder: Path, game: str, scenario: str) -> Court:
    """A proposal that the Pole and the referee have accepted, each without knowing of the other."""
    court = Court(
        *(
            replace(new_side(folder / role, role, name), game=game)
            for role, name in (("german", "Anna"), ("polish", "Bruno"), ("referee", "Rita"))
        )
    )
    judge, opponents = ("Rita", "rita@example.org"), {Role("polish"): ("Bruno", "bruno@example.org")}
    terms = Terms(catalogue.ruleset(game), scenario, Role("german"), opponents, DEADLINE_DAYS, referee=judge)
    with court.german.desk() as desk:
        propose(desk, terms)
    for side in (court.polish, court.referee):
        with side.desk() as desk:
            accept(desk, single_proposal(incoming(court.german.export(), "invitation")))
    return court


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Court:
    """A game whose Polish set-up is asked for; the referee has vouched for both deposits."""
    court = invited(tmp_path_factory.mktemp("court"), "westerplatte", "standard")
    court.exchange()
    return court


@pytest.fixture
def court(begun: Court, tmp_path: Path) -> Court:
    return Court(*(side.copy(tmp_path / side.role) for side in begun.sides()))


@pytest.fixture(scope="module")
def sealing(tmp_path_factory: pytest.TempPathFactory) -> Court:
    """A campaign in which the Pole is to seal its intercepts."""
    court = invited(tmp_path_factory.mktemp("sealing"), "polska1939", "short")
    for _ in range(60):
        court.exchange(1)
        for side in (court.german, court.polish):
            demand = side.opened().campaign.awaited().get(side.role)
            if demand and demand.kind == "seal" and side is court.polish:
                return court
            if demand and demand.kind in ("answer", "seal"):
                decide_once(side)
    raise AssertionError("the Pole is never asked to seal")


def decide_once(side: Side) -> None:
    """Answer the present question with its default, which is quick and legal."""
    with side.desk() as desk:
        opened = open_game(desk.home, side.game, desk.games)
        question = opened.campaign.question(side.role)
        assert question is not None
        submit_orders(desk, side.game, opened.campaign.ruleset.write_orders(question.default))


def ruled(court: Court, why: str = "", *, agree: bool | None = None) -> list[str]:
    with court.referee.desk() as desk:
        return rule(desk, court.referee.game, why, agree=agree).told


@pytest.mark.plan("A45")
def test_play_begins_when_the_referee_has_vouched_for_both_deposits(court: Court) -> None:
    steps = court.german.opened(whole=True).campaign.steps
    assert [[one.event.kind for one in step.events] for step in steps] == [
        ["propose"],
        ["accept", "accept"],
        ["deposit", "deposit"],
        ["vouch"],
    ]
    assert [side.opened().campaign.place.deciding for side in court.sides()] == [("polish",)] * 3


@pytest.mark.plan("A35")
def test_garbage_in_a_deposit_is_not_vouched_for(tmp_path: Path) -> None:
    court = invited(tmp_path, "westerplatte", "standard")
    court.german.take(court.polish.export())
    forger = court.german.copy(tmp_path / "forger")
    for side in (court.polish, court.german):
        side.take(court.referee.export(everything=True))
    place = court.polish.opened().campaign.place
    before = court.german.opened(whole=True).campaign.steps
    body = Deposit(chain="5a" * 80)
    garbage = Event(place.game, 2, before[1].digest.hex(), _deposited(court), Role("german"), "deposit", body, BEGIN)
    registrations = [one.line for step in before[:2] for one in step.events]
    keys = [one.key for step in before[:2] for one in step.events]
    court.referee.take(packed([*registrations, sign(forger.identity(), garbage)], keys))
    court.referee.take(court.polish.export(everything=True))
    campaign = court.referee.opened().campaign
    assert (campaign.place.step, {role: demand.kind for role, demand in campaign.awaited().items()}) == (
        3,
        {"referee": "vouch"},
    )
    assert "waiting for referee: the referee's word that the deposits are good" in court.referee("status").out


def test_who_vouched_for_garbage_cannot_rule_on_the_dice(tmp_path: Path) -> None:
    """The referee's word was given by another program: ours never gives it, and says so when a share is owed."""
    court = invited(tmp_path, "westerplatte", "standard")
    court.german.take(court.polish.export())
    court.german.take(court.referee.export(everything=True))
    place = court.german.opened().campaign.place
    steps = court.german.opened(whole=True).campaign.steps
    body = Deposit(chain="5a" * 80)
    garbage = Event(place.game, 2, steps[1].digest.hex(), _deposited(court), Role("polish"), "deposit", body, BEGIN)
    joined = [one for step in steps[:2] for one in step.events]
    lines = [*(one.line for one in joined), court.polish.sign(garbage)]
    for side in court.sides():
        side.take(packed(lines, [one.key for one in joined]))
    court.referee.take(court.german.export(everything=True))
    court.referee.give(Vouch(roles=[Role("german"), Role("polish")]))
    court.exchange()
    court.polish.decide()
    for other in (court.german, court.referee):
        other.take(court.polish.export(everything=True))
    court.german.decide()
    court.referee.take(court.german.export(everything=True))
    court.late()
    with pytest.raises(BadRequest) as told:
        ruled(court)
    assert (str(told.value), told.value.hint) == (
        "rule.no_link: expected a deposit that opens polish's share of the dice, got none, though this home has "
        "vouched for it",
        "`pbem motion annul westerplatte --why REASON` ends the game without a result",
    )


def _deposited(court: Court) -> str:
    """The state that every author of a deposit has computed."""
    steps = court.german.opened(whole=True).campaign.steps
    pending = court.german.opened().campaign.pending()
    return next(one.event.state for one in [*pending, *steps[-1].events] if one.event.kind == "deposit")


@pytest.mark.plan("A43", "A34")
def test_a_silent_rollers_link_is_opened_by_the_referee_and_gains_nothing(court: Court) -> None:
    """The Pole sees the roll, since the German has opened its link, and goes silent."""
    court.polish.decide()
    for other in (court.german, court.referee):
        other.take(court.polish.export(everything=True))
    court.german.decide()
    court.referee.take(court.german.export(everything=True))
    silent = court.polish.copy(court.polish.folder.parent / "honest")
    silent.take(court.german.export(everything=True))
    seen = {roll.id: roll.faces for roll in silent.opened(whole=True).campaign.rolls}
    assert seen
    court.late()
    told = ruled(court, "no answer for a week")
    assert told[0] == "the referee rules on polish's share of the dice: no answer for a week"
    rolls = {roll.id: roll.faces for roll in court.referee.opened(whole=True).campaign.rolls}
    assert {roll: rolls[roll] for roll in seen} == seen
    court.german.take(court.referee.export(everything=True))
    assert court.german.heads() == court.referee.heads()
    assert court.german.verified().code == 0


def test_a_ruling_before_the_deadline_is_refused(court: Court) -> None:
    with pytest.raises(BadRequest) as told:
        ruled(court)
    assert (str(told.value), told.value.hint) == (
        "rule.too_early: expected the deadline to be over, got 168 hours left",
        "`pbem status westerplatte` says until when; a motion can be ruled on at any time",
    )


def test_an_answer_that_the_other_player_has_gone_on_from_counts_instead(court: Court) -> None:
    """A ruling and an answer cross: what the German has signed behind the answer shows the referee which one stands."""
    court.late()
    ruled(court)
    court.polish.decide()
    court.german.take(court.polish.export(everything=True))
    court.referee.take(court.polish.export(everything=True))
    assert court.german.heads() == court.polish.heads() != court.referee.heads()
    court.german.decide()
    court.exchange()
    assert court.heads()[0] == court.heads()[1] == court.heads()[2]
    assert "ruling" not in {
        one.event.kind for step in court.german.opened(whole=True).campaign.steps for one in step.events
    }
    assert court.german.verified().code == 0


def test_nobody_claims_a_game_that_has_a_referee(court: Court) -> None:
    court.late()
    with court.german.desk() as desk, pytest.raises(PbemError) as told:
        claimed_when_sent(desk, court.german.game)
    assert (str(told.value), told.value.hint) == (
        "lapse.referee: expected a game without a referee, got one whose referee rules",
        "ask the referee to rule: what is owed is opened from what was deposited, or becomes its default",
    )


def test_the_referee_agrees_to_a_motion_that_a_player_does_not_answer(court: Court) -> None:
    decider, silent = court.deciding()
    with decider.desk() as desk:
        move(desk, decider.game, {"what": "extend", "days": 5})
    court.exchange()
    assert ruled(court, agree=True) == [
        f"the deadline is extended by 5 days, as the referee rules in {silent.role}'s place",
    ]
    court.exchange()
    assert court.heads()[0] == court.heads()[1] == court.heads()[2]
    assert court.german.opened().campaign.place.deadline_days == DEADLINE_DAYS + 5


def test_the_referee_grants_what_was_asked_for(court: Court) -> None:
    decider, waiter = court.deciding()
    with waiter.desk() as desk:
        move(desk, waiter.game, {"what": "pause"})
    court.exchange()
    granted = f"the game is paused: no deadline runs, as the referee rules in {decider.role}'s place"
    assert ruled(court, agree=True) == [granted]
    court.exchange()
    assert court.heads()[0] == court.heads()[1] == court.heads()[2]


def test_the_referee_annuls_a_game(court: Court) -> None:
    with court.referee.desk() as desk:
        annul(desk, court.referee.game, "a wrong map")
    court.exchange()
    assert [side.opened().campaign.finished for side in court.sides()] == [True] * 3
    done = court.german.verified(running=False)
    assert (done.code, "the referee annulled the game at step 4: a wrong map" in done.out) == (0, True)


def test_a_player_cannot_rule(court: Court) -> None:
    with court.german.desk() as desk, pytest.raises(BadRequest) as told:
        rule(desk, court.german.game)
    assert (str(told.value), told.value.hint) == (
        "rule.referee: expected the referee's home, got that of german",
        "ask Rita <rita@example.org>, who is the referee; `pbem status westerplatte` says what to do now",
    )


@pytest.mark.plan("A34", "A39")
def test_a_silent_planners_answer_is_opened_by_the_referee(sealing: Court, tmp_path: Path) -> None:
    court = Court(*(side.copy(tmp_path / side.role) for side in sealing.sides()))
    court.polish.decide()
    sealed = court.polish.opened(whole=True).campaign
    commitment = next(one.event.body for step in sealed.steps for one in step.events if one.event.kind == "seal")
    assert isinstance(commitment, Seal)
    assert commitment.escrow
    _opening_owed(court)
    court.late()
    told = ruled(court)
    assert told[0] == "the referee rules on polish's opening of sealed orders"
    assert "polish did not open its intercepts: the default stands" not in told
    court.german.take(court.referee.export(everything=True))
    assert court.german.heads() == court.referee.heads()
    assert court.german.verified().code == 0


class Long(Answer):
    """An answer of any length."""

    kind: ClassVar[str] = "intercepts"
    text: str


def test_nothing_is_sealed_whose_deposit_no_mail_could_hold(sealing: Court, tmp_path: Path) -> None:
    polish = sealing.polish.copy(tmp_path / "polish")
    before = polish.tables()
    with pytest.raises(BadRequest) as told, polish.desk() as desk, desk.home.writing() as writer:
        give_answer(desk, writer, open_game(writer, polish.game, desk.games), Long(text="x" * 20_000))
    assert (str(told.value), told.value.hint) == (
        "seal.too_long: expected sealed orders with a deposit of at most 16384 bytes, got one whose deposit has 32848",
        "write fewer or shorter orders",
    )
    assert polish.tables() == before


@pytest.mark.plan("A35")
def test_a_plan_whose_deposit_is_garbage_becomes_its_default(sealing: Court, tmp_path: Path) -> None:
    court = Court(*(side.copy(tmp_path / side.role) for side in sealing.sides()))
    court.polish.give(Seal(ask="intercepts", commitment="ab" * 32, escrow="5a" * 300))
    _opening_owed(court)
    court.late()
    told = ruled(court)
    assert told[:2] == [
        "the referee rules on polish's opening of sealed orders",
        "polish did not open its intercepts: the default stands",
    ]
    court.german.take(court.referee.export(everything=True))
    assert court.german.heads() == court.referee.heads()


def _opening_owed(court: Court) -> None:
    """Until the Pole owes its opening; it is heard of no more from its sealing on."""
    for other in (court.german, court.referee):
        other.take(court.polish.export(everything=True))
    for _ in range(4):
        court.german.decide()
        court.referee.take(court.german.export(everything=True))
        awaited = court.referee.opened().campaign.awaited()
        if Role("polish") in awaited:
            assert awaited[Role("polish")].kind == "open"
            return
    raise AssertionError("no opening is owed")


# ---------------------------------------------------------------------- what a ruling cannot do


def test_the_default_of_a_decision_is_what_the_log_goes_on_from(court: Court) -> None:
    court.late()
    question = court.polish.opened().campaign.question(Role("polish"))
    assert question is not None
    default = court.polish.copy(court.polish.folder.parent / "obedient")
    decide_once(default)
    ruled(court)
    assert court.referee.opened().campaign.state == default.opened().campaign.state
    court.german.take(court.referee.export(everything=True))
    assert court.german.heads() == court.referee.heads()
    assert court.german.verified().code == 0


def annulled_before_play(folder: Path) -> Court:
    """Nothing that the players deposit has come to the referee, who annuls the game."""
    court = invited(folder, "westerplatte", "standard")
    court.german.take(court.polish.export())
    court.referee.take(court.polish.export(everything=True))
    court.polish.take(court.referee.export(everything=True))
    with court.referee.desk() as desk:
        annul(desk, court.referee.game, "a bad deposit")
    return court


def test_an_annulment_before_play_ends_the_game(tmp_path: Path) -> None:
    court = annulled_before_play(tmp_path)
    for side in (court.german, court.polish):
        side.take(court.referee.export(everything=True))
    for side in court.sides():
        outcome = side.opened().campaign.outcome
        assert outcome is not None
        assert (outcome.rule, outcome.text) == ("annul", "the referee annulled the game at step 2: a bad deposit")
    assert court.heads()[0] == court.heads()[1] == court.heads()[2]


def test_what_all_owed_counts_in_the_place_of_an_annulment(tmp_path: Path) -> None:
    """Both had deposited before they heard of it, and each home gets that before anybody has closed the game."""
    court = annulled_before_play(tmp_path)
    court.exchange()
    assert [side.opened().campaign.outcome for side in court.sides()] == [None, None, None]
    assert court.referee.opened().campaign.place.deciding == ("polish",)
    assert court.heads()[0] == court.heads()[1] == court.heads()[2]


@pytest.mark.plan("A34")
def test_a_late_answer_alone_voids_no_ruling(court: Court) -> None:
    """Else its author could choose it when others have opened links, or decided, behind the ruling."""
    court.late()
    ruled(court)
    heads = court.referee.heads()
    court.polish.decide()
    court.referee.take(court.polish.export(everything=True))
    assert court.referee.heads() == heads


def test_an_annulment_that_crosses_a_decision_gives_way_to_what_was_played_on(court: Court) -> None:
    court.polish.decide()
    with court.referee.desk() as desk:
        annul(desk, court.referee.game, "too late")
    court.german.take(court.polish.export(everything=True))
    court.german.decide()
    court.exchange()
    assert court.heads()[0] == court.heads()[1] == court.heads()[2]
    assert [side.opened().campaign.outcome for side in court.sides()] == [None] * 3
    assert [side.verified().code for side in court.sides()] == [0] * 3


def test_the_referee_moves_nothing(court: Court) -> None:
    for words in ("concede", "draw", "resume", "pause", "rotate"):
        assert court.referee("motion", words).err.splitlines() == [
            "motion.no_player: expected a player, who alone can move or ask for something, got the referee",
            "hint: you rule: `pbem motion rule westerplatte` when a deadline is over, or on what a player has moved, "
            "and `pbem motion annul westerplatte --why REASON` ends it without a winner; another referee, or the same "
            "one with a new key, is appointed by the players",
        ]
    for kind, model in (("request", Request), ("motion", Motion)):
        line = court.referee.sign(court.referee.here(model(**(NOTHING | {"what": "draw"}))))
        assert refused(court.german, packed([line]), "refused", "tallies") == (
            f"place.motion: expected a motion of a party, got referee's {kind} of step 4 (event {id_of(line)[:12]})"
        )


def test_a_game_with_a_referee_needs_a_deadline(tmp_path: Path) -> None:
    german = new_side(tmp_path / "german", "german", "Anna")
    done = german(
        *("new", "westerplatte", "--as", "german", "--opponent", "bruno@example.org"),
        *("--referee", "rita@example.org", "-o", tmp_path / "invitation.eml", "--eml"),
    )
    assert (done.code, done.err) == (
        1,
        "new.referee_deadline: expected a deadline in a game with a referee, who rules when it is over, got none\n"
        "hint: say how many days each answer may take: --deadline-days 7\n",
    )


def test_a_pause_holds_a_ruling_back(court: Court) -> None:
    _, waiter = court.deciding()
    with waiter.desk() as desk:
        move(desk, waiter.game, {"what": "pause"})
    court.exchange()
    ruled(court, agree=True)
    court.exchange()
    court.late()
    with pytest.raises(BadRequest) as told:
        ruled(court)
    assert str(told.value) == "rule.too_early: expected the deadline to be over, got a game that is paused"


def test_behind_a_new_key_there_is_a_new_deposit(court: Court) -> None:
    decider, _ = court.deciding()
    with decider.desk() as desk:
        rotate(desk, decider.game)
    court.exchange(4)
    kinds = [[one.event.kind for one in step.events] for step in court.german.opened(whole=True).campaign.steps]
    assert kinds[4:6] == [["motion"], ["deposit"]]
    assert court.heads()[0] == court.heads()[1] == court.heads()[2]
    court.polish.decide()
    for other in (court.german, court.referee):
        other.take(court.polish.export(everything=True))
    court.german.decide()
    court.referee.take(court.german.export(everything=True))
    court.late()
    assert ruled(court)[0] == "the referee rules on polish's share of the dice"

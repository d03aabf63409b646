"""Hosted games without mail: random play and motions with receipts, replayed and resumed to the same places."""

from __future__ import annotations

from typing import Any

import pytest
from play import Match, Player, archive_of, identity_of, read_archive, registration_for

from engine.restless import Restless
from engine.scripted import TOY
from pbem.app import catalogue
from pbem.app.demo import Seeded
from pbem.app.signing import signed
from pbem.app.verify import verify
from pbem.engine import snapshot
from pbem.engine.assembly import assemble
from pbem.engine.campaign import Campaign
from pbem.errors import BadEvidence
from pbem.log.event import (
    ADJUDICATOR,
    Accept,
    Annul,
    Body,
    Deposit,
    Event,
    Motion,
    Propose,
    Receipt,
    Role,
    Ruling,
    Seat,
    Vouch,
)
from pbem.log.verify import DAY, GRACE, Verified, verify_event
from pbem.rules.ruleset import Ruleset

NOTHING: dict[str, Any] = {"link": "", "salt": "", "value": None, "agree": False, "motion": "", "why": ""}
SETTINGS = ("adjudicator", "all", "players")


class Hosted(Restless):
    """A restless match with an adjudicator, who gives a receipt for each step and now and then rules."""

    rulings = 3

    def __init__(self, ruleset: Ruleset[Any], seed: int, rollers: str, *, resume: bool = False) -> None:
        super().__init__(ruleset, seed, deadline_days=7)
        plain = self.events[0].event.body
        assert isinstance(plain, Propose)
        sides = sorted(ruleset.roles)
        seats = [*plain.seats, Seat(role=ADJUDICATOR, name="Hugo", address="hugo@example.org")]
        who = {"players": sides, "adjudicator": [ADJUDICATOR], "all": sorted([ADJUDICATOR, *sides])}[rollers]
        body = plain.model_copy(update={"seats": sorted(seats, key=lambda one: one.role), "rollers": who})
        said, identity = self.events[0].event, identity_of(self.events[0].event.role)
        line = signed(identity, Event(said.game, 0, said.prev, said.state, said.role, "propose", body, said.at))
        proposed = verify_event(line, None, (identity.public_key,))
        self.campaign, self.resume = Campaign(ruleset, proposed, catalogue.for_proposal()), False
        self.events, self.traces, self.snapshots, self.asked = [proposed], [], [], []
        self.players[ADJUDICATOR] = Player(ADJUDICATOR, Seeded(seed, "host"), lambda *_: pytest.fail("asked"))
        for role in self.campaign.roster.absent():
            self.offer(self.signed(role, Accept(registration=registration_for(role))))
        self.resume = resume

    def other(self, role: Role) -> Role:
        return next(one for one in self.campaign.roster.players if one != role)

    def step(self) -> None:
        can_rule = self.campaign.place.deciding and self.rulings and not self.campaign.place.paused
        if not can_rule or self.random.choose(6):
            super().step()
            return
        self.rulings -= 1
        self.rule()

    def silent(self) -> Verified:
        """The adjudicator refuses the motion that nobody answers."""
        moved = self.campaign.moved
        assert moved is not None
        body = Ruling(role=self.other(moved.event.role), demand="consent", **NOTHING)
        return self._given(ADJUDICATOR, body)

    def _matter(self) -> dict[str, Any]:
        matter, first = super()._matter(), self.campaign.place.first
        if matter["what"] != "take_back":
            return matter
        late = self.campaign.place.step == first
        return {"what": "extend", "days": 1} if late else {**matter, "step": max(first, matter["step"])}

    def rule(self) -> None:
        """The adjudicator rules on the first who has to decide; the others do what they owe."""
        silent, *others = self.campaign.place.deciding
        for role in others:
            self.offer(self.signed(role, self.body(role)))
        self.clock = self.campaign.place.due
        kind = self.campaign.place.demands[silent].kind
        self.offer(self.signed(ADJUDICATOR, Ruling(role=silent, demand=kind, **NOTHING)))

    def body(self, role: Role) -> Body:
        kind = self.campaign.awaited()[role].kind
        if kind == "deposit":
            return Deposit(chain="ab" * 80)
        if kind == "vouch":
            return Vouch(roles=list(self.campaign.awaited()[role].roles))
        return super().body(role)

    def offer(self, verified: Verified) -> bool:
        """With the receipt, as soon as nothing else is missing."""
        closed = super().offer(verified)
        named = self.campaign.unreceipted()
        if not named:
            return closed
        self.clock += 60
        body = Receipt(arrived=dict.fromkeys(named, max(self.clock, self.campaign.place.since)))
        return super().offer(self.signed(ADJUDICATOR, body, at=max(self.clock, self.campaign.place.since) + 1))


@pytest.mark.parametrize("rollers", SETTINGS)
@pytest.mark.parametrize("seed", range(1, 5))
def test_random_play_with_motions_and_rulings_is_verified(rollers: str, seed: int) -> None:
    match = Hosted(TOY, seed, rollers)
    match.play()
    verdict = verify(match.archive(), catalogue.for_proposal())
    assert (verdict.finished, verdict.head) == (True, match.campaign.head.hex())
    again = match.campaign.anew()
    events = match.events[1:]
    assemble(again, reversed(events))
    assert (again.head, again.state, again.place) == (match.campaign.head, match.campaign.state, match.campaign.place)


@pytest.mark.parametrize("rollers", SETTINGS)
def test_a_hosted_game_goes_on_from_every_snapshot_with_the_same_dice(rollers: str) -> None:
    match = Hosted(TOY, 2, rollers)
    match.motions = match.rulings = 0
    match.play()
    assert match.snapshots
    for kept in match.snapshots:
        again = Campaign.resume(TOY, match.registrations, snapshot.read(snapshot.write(kept)), match.campaign.games)
        assemble(again, [one for one in match.events if one.event.step > kept.step])
        assert (again.head, again.state) == (match.campaign.head, match.campaign.state)


def test_an_adjudicator_of_a_referees_game_rules_on_nothing() -> None:
    match = Hosted(TOY, 1, "adjudicator")
    match.motions = match.rulings = 0
    match.play(lambda campaign: campaign.started)
    assert (match.campaign.roster.judge, match.campaign.place.due) == (
        ADJUDICATOR,
        match.campaign.place.since + 7 * DAY + GRACE,
    )
    assert match.campaign.roster.players == ("north", "south")


def test_an_adjudicator_moves_nothing() -> None:
    match = Hosted(TOY, 1, "adjudicator")
    match.motions = match.rulings = 0
    match.play(lambda campaign: len(campaign.place.deciding) == 1)
    from log.show_motions import changing

    motion = match.signed(ADJUDICATOR, changing(Motion, "concede"))
    with pytest.raises(BadEvidence) as told:
        match.offer(motion)
    assert str(told.value) == (
        f"place.motion: expected a motion of a party, got adjudicator's motion of step 6 (event {motion.id[:12]})"
    )
    match.offer(match.signed(ADJUDICATOR, Annul(why="over")))
    assert match.campaign.outcome is not None
    assert match.campaign.outcome.rule == "annul"


def test_the_archive_of_a_hosted_game_reads_back() -> None:
    match: Match = Hosted(TOY, 3, "all")
    match.play()
    assert archive_of(read_archive(match.archive())) == match.archive()

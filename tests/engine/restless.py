"""Games whose sides move and ask for changes: said step by step, or by a player who does so at random.

`Moving(ruleset, seed)` is a `Match` with the words `move`, `ask`, `agree`, `refuse` and `silent`; `Restless` plays such
a game to its end and makes some motions on the way, and `Faltering` one in which a side goes silent now and then.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from log.show_motions import changing
from play import Match

from pbem.app import catalogue
from pbem.engine.campaign import Campaign
from pbem.engine.driver import LiveDice, asked_dice
from pbem.engine.new_rules import named
from pbem.engine.run import TooEarly
from pbem.log.event import Body, Consent, Dictated, Lapse, Motion, Request, Role
from pbem.log.verify import DAY, FIRST_DECISION, Verified
from pbem.rules.play import Drawing, Rolling
from pbem.rules.refusal import Refused

LATE = 400 * DAY
"""Beyond every deadline and every extension of one."""


@dataclass(slots=True)
class Chosen(LiveDice):
    """Dice whose faces somebody chooses: `choose` gives a number below the sides; `rolls` are those that were made."""

    choose: Callable[[int], int] = lambda sides: sides - 1
    rolls: list[Dictated] = field(default_factory=list)

    def faces(self, request: Rolling | Drawing) -> tuple[int, ...]:
        self.use(request.label)
        count, sides = asked_dice(request)
        found = tuple(self.choose(sides) + 1 for _ in range(count))
        self.rolls.append(Dictated(label=request.label, faces=list(found)))
        return found


def dictated(campaign: Campaign[Any], choose: Callable[[int], int]) -> list[Dictated]:
    """Every roll of the present step, with faces of somebody's choice."""
    dice, trial = Chosen(b"", campaign.place.step, choose=choose), campaign.trial()
    trial.roll(dice)
    return dice.rolls


class Moving(Match):
    """A match in which anything can be moved or asked for at the present step."""

    @property
    def decider(self) -> Role:
        """Who alone has to decide."""
        (role,) = self.campaign.place.deciding
        return role

    @property
    def waiter(self) -> Role:
        """The other one."""
        return self.other(self.decider)

    def other(self, role: Role) -> Role:
        return next(one for one in self.campaign.roster.parties if one != role)

    def till_one_decides(self, step: int = 0) -> Moving:
        """Play on until one role alone has to decide, at this step or later."""
        self.play(lambda campaign: campaign.place.step >= step and len(campaign.place.deciding) == 1)
        return self

    def move(self, what: str, **fields: Any) -> Verified:
        """Who has to decide moves a change."""
        return self._given(self.decider, changing(Motion, what, **fields))

    def ask(self, what: str, **fields: Any) -> Verified:
        """Who waits asks for a change."""
        return self._given(self.waiter, changing(Request, what, **fields))

    def agree(self, motion: Verified | None = None, *, agree: bool = True) -> Verified:
        """The other one agrees to what was moved, or to this request."""
        found = motion or self.campaign.moved
        assert found is not None
        return self._given(self.other(found.event.role), Consent(motion=found.id, agree=agree))

    def refuse(self) -> Verified:
        """The other one does not agree to what was moved."""
        return self.agree(agree=False)

    def silent(self) -> Verified:
        """Who has moved claims that no consent came."""
        moved = self.campaign.moved
        assert moved is not None
        self.clock += LATE
        return self._given(moved.event.role, Lapse(role=self.other(moved.event.role), demand="consent", dice=[]))

    def claim(self, owing: Role, choose: Callable[[int], int] | None = None) -> Verified:
        """The other side claims the worst for what a role owes; `choose` says the dice, chance if nobody does."""
        kind = self.campaign.place.demands[owing].kind
        dice = dictated(self.campaign, choose or self.random.choose) if kind == "entropy" else []
        self.clock += LATE
        return self._given(self.other(owing), Lapse(role=owing, demand=kind, dice=dice))

    def carry(self, what: str, **fields: Any) -> Moving:
        """A change that is moved and agreed to."""
        self.move(what, **fields)
        if self.campaign.moved:
            self.agree()
        return self

    def _given(self, role: Role, body: Body) -> Verified:
        verified = self.signed(role, body)
        self.offer(verified)
        return verified

    def offer(self, verified: Verified) -> bool:
        """As a home does: a campaign that begins behind the step that play goes back to is replayed as a whole."""
        try:
            return super().offer(verified)
        except TooEarly:
            self.campaign = self.whole()
            return super().offer(verified)

    def whole(self) -> Campaign[Any]:
        """The campaign of all events so far, from the first one on."""
        campaign: Campaign[Any] = Campaign(self.ruleset, self.events[0], self.campaign.games)
        for event in self.events[1:]:
            campaign.offer(event)
        return campaign

    def position(self, change: Callable[[str], str] = str) -> str:
        """The present position as text, with every line changed."""
        return "\n".join(change(line) for line in self.ruleset.position_lines(self.campaign.state))


class Restless(Moving):
    """A match whose sides make up to `motions` motions and requests before they let it come to its end."""

    motions = 6

    def step(self) -> None:
        deciding = self.campaign.place.deciding
        if not deciding or not self.motions or self.random.choose(2):
            super().step()
            return
        self.motions -= 1
        if len(deciding) == 1 and not self.campaign.place.refused and self.random.choose(2):
            self._moves()
        elif len(deciding) == 1:
            self._asks()
        else:
            super().step()

    def _moves(self) -> None:
        self.move(**self._matter())
        if self.campaign.moved:
            replies = [self.agree, self.agree, self.refuse, *([] if self.campaign.place.paused else [self.silent])]
            replies[self.random.choose(len(replies))]()

    def _asks(self) -> None:
        request = self.ask(**self._matter())
        if self.random.choose(2):
            self.agree(request)

    def _matter(self) -> dict[str, Any]:
        """Any matter but those that end the game; those only at the end."""
        step = self.campaign.place.step
        matters: list[dict[str, Any]] = [
            *self._other_rules(),
            {"what": "adjust", "position": self.position()},
            {"what": "extend", "days": 1 + self.random.choose(9)},
            {"what": "resume" if self.campaign.place.paused else "pause"},
        ]
        if step > FIRST_DECISION:
            matters.append({"what": "take_back", "step": FIRST_DECISION + self.random.choose(step - FIRST_DECISION)})
        if not self.motions:
            matters += [{"what": "draw"}, {"what": "concede"}]
        return matters[self.random.choose(len(matters))]

    def _other_rules(self) -> list[dict[str, Any]]:
        """Every other version of the game, where it can take play up."""
        found = []
        for one in map(named, catalogue.versions(self.ruleset.name)):
            with suppress(Refused):
                if one != named(self.campaign.ruleset):
                    self.campaign.under(one)
                    found.append({"what": "ruleset", "ruleset": one})
        return found


class Faltering(Restless):
    """A restless match in which one side, or both, do not answer in time, and the other claims the worst."""

    motions = 4
    lapses = 8

    def step(self) -> None:
        kinds = {demand.kind for demand in self.campaign.awaited().values()}
        can_lapse = not self.campaign.place.paused and kinds and not kinds & {"accept", "close"}
        if not can_lapse or not self.lapses or self.random.choose(3):
            super().step()
            return
        self.lapses -= 1
        owing = sorted(self.campaign.awaited())
        both = len(owing) == 2 and kinds != {"entropy"} and not self.random.choose(3)
        silent = owing if both else [owing[self.random.choose(len(owing))]]
        for role in owing:
            if role not in silent:
                self._given(role, self.body(role))
        for role in silent:
            self.claim(role)


def places(match: Match) -> list[str]:
    """Traces without what was told: a campaign that was resumed has no older lines."""
    return [trace.rpartition(" ")[0] for trace in match.traces]

"""Preparation: what has to come before play begins, or goes on behind a new key, where a referee holds deposits."""

from __future__ import annotations

from dataclasses import dataclass

from pbem.log.event import REFEREE, Kind, Role
from pbem.log.roster import Roster
from pbem.log.verify import Demand

STAGES: tuple[Kind, ...] = ("deposit", "vouch")


@dataclass(frozen=True, slots=True)
class Preparation:
    """The `stages` that are left, one step each: deposits of `roles`, then the referee's word that they are good."""

    stages: tuple[Kind, ...] = ()
    roles: tuple[Role, ...] = ()

    def demands(self) -> dict[Role, Demand]:
        """What the present stage waits for."""
        if self.stages[0] == "deposit":
            return dict.fromkeys(self.roles, Demand("deposit"))
        return {REFEREE: Demand("vouch", roles=self.roles)}

    def behind(self) -> Preparation:
        """What is left when the present stage is done."""
        return Preparation(self.stages[1:], self.roles)


DONE = Preparation()


def preparation(roster: Roster, roles: tuple[Role, ...], *, begun: bool = False) -> Preparation:
    """What is left to prepare when the chains of `roles` are new; nothing in a game without a referee.

    In a game that has begun nobody waits for the referee's word: a deposit that is no good loses the game when it is
    needed (protocol, section 14).
    """
    return Preparation(STAGES[:1] if begun else STAGES, roles) if roster.has_referee else DONE

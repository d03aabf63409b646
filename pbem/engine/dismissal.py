"""Going on without the adjudicator: whose chains roll from then on, and what the narrative tells of it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

from pbem.log.chain import Tip
from pbem.log.dismissal import is_without
from pbem.log.event import Dismiss, Role
from pbem.log.roster import Roster, anchored
from pbem.log.verify import Verified
from pbem.rules.refusal import shown


def tips_without(roster: Roster, tips: Mapping[Role, Tip], *, left: bool) -> dict[Role, Tip]:
    """The chains of all who play, as far as they are open; those that have not rolled yet begin at their anchors.

    Where a step was `left` that rolled, its links are used up, whoever has opened one: who knows the link of the other
    could else choose between a roll without the adjudicator's link and one with it.
    """
    found, nonce = {}, bytes.fromhex(roster.proposal.nonce)
    for role in roster.players:
        tip, registration = tips.get(role), roster.parties[role].registration
        assert registration is not None
        if tip is not None:
            found[role] = replace(tip, withheld=tip.withheld + 1) if left else tip
        else:
            found[role] = anchored(role, nonce, registration)
    return found


def dismissed_text(said: Collection[Verified], step: int) -> str:
    """What the narrative tells: who has dismissed the adjudicator, what falls away, and why."""
    who = " and ".join(one.event.role for one in said)
    left = "; its share of the dice falls away, and the roll is made anew" if is_without(said) else ""
    reasons = [shown(one.event.body.why) for one in said if isinstance(one.event.body, Dismiss) and one.event.body.why]
    why = f": {'; '.join(dict.fromkeys(reasons))}" if reasons else ""
    return f"{who} go on without the adjudicator from step {step + 1} on{left}{why}"

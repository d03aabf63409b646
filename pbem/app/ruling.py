"""The seat of the judge, the referee or else the adjudicator.

It rules where a player owes something beyond the deadline, on a motion, or on the whole game.
A silent roller's link and a silent planner's answer are opened from what was deposited; where nothing was deposited
that opens, and for every decision in the open, the question's default applies. Nothing is ever rolled again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pbem.app.clock import NO_DEADLINE
from pbem.app.delivery import time_left
from pbem.app.desk import Desk
from pbem.app.moving import one_of
from pbem.app.opened import OpenGame, open_game
from pbem.app.secrets import deposited_answer, deposited_chain
from pbem.app.signing import answer_by_itself, check_not_stopped, finish, give
from pbem.app.summary import owed
from pbem.errors import BadRequest
from pbem.log.event import NEUTRAL, Annul, Deposit, Role, Ruling, Seal
from pbem.log.nouns import NOUNS
from pbem.log.verify import DECISIONS, Demand, Verified
from pbem.mail.plain import printable
from pbem.store.writing import Writer

NO_OPENING: tuple[str, Mapping[str, Any] | None] = ("", None)


@dataclass(frozen=True, slots=True)
class Ruled:
    """What was ruled on, in words, and what is known to have happened."""

    words: list[str]
    told: list[str]
    opened: OpenGame


def no_note(_: Writer) -> None:
    """For a ruling of which nothing else is noted."""


def rule(
    desk: Desk,
    name: str,
    why: str = "",
    *,
    agree: bool | None = None,
    event: str = "",
    noting: Callable[[Writer], None] = no_note,
) -> Ruled:
    """Rule on everything that is owed now: on a motion as `agree` says, on anything else after the deadline.

    `noting` is called before the ruling in the transaction that keeps it; what it raises undoes both.
    """
    desk.vault()
    with desk.home.writing(name) as writer:
        noting(writer)
        opened = _refereed(open_game(writer, name, desk.games, whole=True))
        before, words = len(opened.campaign.lines), []
        for body in list(_rulings(desk, opened, why, agree, event)):
            give(desk, writer, opened, body)
            words.append(f"{body.role}'s {NOUNS[body.demand]}")
        answer_by_itself(desk, writer, opened)
        finish(writer, opened)
    return Ruled(words, [line.text for line in opened.campaign.lines[before:]], opened)


def annul(desk: Desk, name: str, why: str) -> Ruled:
    """End the game without a result."""
    desk.vault()
    with desk.home.writing(name) as writer:
        opened = _refereed(open_game(writer, name, desk.games))
        if opened.campaign.roster.absent():
            text = f"expected a game that all have joined, got one that waits for {owed(opened.campaign)}"
            raise BadRequest("annul.not_joined", text, _put_aside(name))
        before = len(opened.campaign.lines)
        give(desk, writer, opened, Annul(why=why))
        finish(writer, opened)
    return Ruled(["the game"], [line.text for line in opened.campaign.lines[before:]], opened)


def _refereed(opened: OpenGame) -> OpenGame:
    check_not_stopped(opened)
    judge = opened.campaign.roster.judge
    if opened.role != judge:
        text = f"expected the {judge or 'referee'}'s home, got that of {opened.role}"
        raise BadRequest("rule.referee", text, _who_rules(opened))
    return opened


def _who_rules(opened: OpenGame) -> str:
    name, roster = opened.row.name, opened.campaign.roster
    referee = roster.parties[roster.judge] if roster.judge else None
    if referee is None:
        return (
            f"this game has no referee: `pbem motion claim {name}` claims what is owed beyond a deadline, "
            f"`pbem motion appoint {name} --offer FILE` makes somebody the referee"
        )
    who = printable(referee.name or "whoever that is")
    return (
        f"ask {who} <{printable(referee.address)}>, who is the {roster.judge}; `pbem status {name}` says what to do now"
    )


def _rulings(desk: Desk, opened: OpenGame, why: str, agree: bool | None, event: str) -> Iterator[Ruling]:
    campaign = opened.campaign
    demands = {role: demand for role, demand in sorted(campaign.awaited().items()) if role != opened.role}
    demands = {role: demand for role, demand in demands.items() if demand.kind != "receipt"}
    asked = [one for one in campaign.requests if one.event.role not in NEUTRAL]
    if campaign.place.step < campaign.place.first and not campaign.outcome:
        raise _before_play(opened)
    if not demands or (campaign.outcome and not campaign.closed):
        hint = f"`pbem status {opened.row.name}` says what to do now"
        raise BadRequest("rule.nothing", "expected something that a player owes, got nothing", hint)
    if agree is not None:
        yield _on_motion(opened, demands, asked, why, agree=agree, event=event)
        return
    _check_late(desk, opened)
    for role, demand in demands.items():
        yield _stand_in(desk, opened, role, demand, why)


def _before_play(opened: OpenGame) -> BadRequest:
    """What a judge is told who would rule on what has to come before play: nobody loses by that."""
    name, joined, waits = opened.row.name, not opened.campaign.roster.absent(), owed(opened.campaign)
    text = f"expected a game in which play has begun, got one that waits for {waits}: nobody loses before play"
    annulling = (
        f"`pbem motion annul {name} --why REASON` ends the game without a result" if joined else _put_aside(name)
    )
    return BadRequest("rule.before_play", text, f"{annulling}; `pbem new` proposes another one")


def _put_aside(name: str) -> str:
    return f"`pbem forget {name}` puts aside what not all have joined"


def _on_motion(
    opened: OpenGame, demands: Mapping[Role, Demand], asked: list[Verified], why: str, *, agree: bool, event: str
) -> Ruling:
    for role, demand in demands.items():
        if demand.kind == "consent":
            return _ruling(role, demand, why, agree=agree)
        wanted = [one for one in asked if one.event.role != role]
        if wanted and agree and demand.kind in DECISIONS:
            granted = one_of(opened, wanted, event)
            return _ruling(role, demand, why, agree=True, motion=granted.id)
    raise BadRequest(
        "rule.no_motion",
        "expected a motion that waits, got none; what is only asked for is refused by the other side's decision",
        f"`pbem status {opened.row.name}` says what the game waits for",
    )


def begun_at(opened: OpenGame) -> int:
    """When the present step began for this home: when what closed the one before came here, and not before its date."""
    place = opened.campaign.place
    came = [row.arrived for row in opened.rows if row.step == place.step - 1 and row.kind_class == "log"]
    return max([place.since, *came])


def _check_late(desk: Desk, opened: OpenGame) -> None:
    place = opened.campaign.place
    if not place.deadline_days:
        hint = "a motion can be ruled on without one: --agree or --refuse"
        raise BadRequest("rule.no_deadline", NO_DEADLINE, hint)
    due = max(place.due, begun_at(opened) + place.due - place.since)
    if place.runs_since is None or desk.clock() < due:
        left = (
            "a game that is paused" if place.runs_since is None else time_left(due - desk.clock(), place.deadline_days)
        )
        hint = f"`pbem status {opened.row.name}` says until when; a motion can be ruled on at any time"
        raise BadRequest("rule.too_early", f"expected the deadline to be over, got {left}", hint)


def _stand_in(desk: Desk, opened: OpenGame, role: Role, demand: Demand, why: str) -> Ruling:
    if demand.kind == "entropy":
        return _ruling(role, demand, why, link=_link(desk, opened, role))
    if demand.kind == "open":
        salt, value = _opening(desk, opened, role, demand)
        return _ruling(role, demand, why, salt=salt, value=value)
    return _ruling(role, demand, why)


def _link(desk: Desk, opened: OpenGame, role: Role) -> str:
    """The next link of a chain that was deposited, empty where the deposit of a later one is no good."""
    campaign, tip = opened.campaign, opened.campaign.tips[role]
    for body in _signed(opened, role, Deposit):
        found = deposited_chain(desk, campaign.roster, role, bytes.fromhex(body.chain))
        if found is not None and found[tip.index] == tip.link:
            return found[tip.next].hex()
    if role in campaign.place.unvouched:
        return ""
    raise BadRequest(
        "rule.no_link",
        f"expected a deposit that opens {role}'s share of the dice, got none, though this home has vouched for it",
        f"`pbem motion annul {opened.row.name} --why REASON` ends the game without a result",
    )


def _opening(desk: Desk, opened: OpenGame, role: Role, demand: Demand) -> tuple[str, Mapping[str, Any] | None]:
    assert demand.opens is not None
    commitment, step = demand.opens
    for body in _signed(opened, role, Seal):
        if body.commitment == commitment.hex() and body.escrow:
            place = (opened.campaign.game, step, str(role), demand.ask)
            found = deposited_answer(desk, place, bytes.fromhex(body.escrow))
            if found is not None:
                return found[0].hex(), found[1]
    return NO_OPENING


def _signed(opened: OpenGame, role: Role, kind: type[Any]) -> list[Any]:
    steps = opened.campaign.steps
    return [one.event.body for step in steps for one in step.events if _is_by(one, role, kind)]


def _is_by(one: Verified, role: Role, kind: type[Any]) -> bool:
    return one.event.role == role and isinstance(one.event.body, kind)


def _ruling(
    role: Role,
    demand: Demand,
    why: str,
    *,
    link: str = "",
    salt: str = "",
    value: Mapping[str, Any] | None = None,
    agree: bool = False,
    motion: str = "",
) -> Ruling:
    opened = None if value is None else dict(value)
    return Ruling(
        role=role, demand=demand.kind, link=link, salt=salt, value=opened, agree=agree, motion=motion, why=why
    )

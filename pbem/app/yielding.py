"""Giving way: a claim or a ruling stands in the place of what this home has signed, because its player says so.

The other side has played on from it and does not have, or does not take, what was signed here. No log shows whose fault
that is, so nobody gives way by itself; who does says so with a `resolve` of its own event.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pbem.app.beside import in_effect, is_own
from pbem.app.claiming import (
    Claimed,
    claims_against,
    gives_way_to,
    is_claim_on,
    is_given_way,
    kept_apart,
    link_behind,
)
from pbem.app.current import check_is_current
from pbem.app.desk import Desk
from pbem.app.forks import named
from pbem.app.opened import OpenGame, open_game, signed_events
from pbem.app.reading import replayed_to
from pbem.app.rivals import MOST_CONTRARY
from pbem.app.signing import answer_by_itself, check_not_stopped, finish, identity_at, signed, store
from pbem.engine.assembly import assemble
from pbem.errors import BadRequest, PbemError
from pbem.log.event import NEUTRAL, Event, Resolve
from pbem.log.verify import Verified, verify_event
from pbem.store.reading import Reader
from pbem.store.writing import Writer


@dataclass(frozen=True, slots=True)
class GivenWay:
    """The game behind it, and what stands now: a `claim` or a `ruling`."""

    opened: OpenGame
    stands: str


def give_way(desk: Desk, name: str, *, anyway: bool = False) -> GivenWay:
    """Let the earliest claim or ruling stand that this home keeps apart because it had answered in time.

    BadRequest where there is none, and, unless `anyway`, where the answer can still count, or a link of this home's is
    open behind it that rolls once more. Where a link of another role is open behind it, no claim stands against it.
    """
    desk.vault()
    with desk.home.writing() as writer:
        opened = open_game(writer, name, desk.games, whole=True)
        check_not_stopped(opened)
        check_is_current(writer, opened)
        against = _against(writer, opened)
        claim, own = against.claim, against.own
        if not anyway:
            _check_in_vain(opened, against)
            _check_links(opened, own)
        here, body = own.event, Resolve(role=opened.role, keep=claim.id, drop=own.id)
        statement = Event(here.game, here.step, here.prev, here.state, opened.role, "resolve", body, desk.clock())
        resolution = verify_event(signed(identity_at(desk, writer, opened), statement), opened.campaign.roster)
        store(writer, opened, claim, desk.clock())
        store(writer, opened, resolution, desk.clock(), "aside")
        writer.drop_snapshots(opened.row.game_id)
        opened = open_game(writer, name, desk.games, whole=True)
        take_what_follows(desk, writer, opened, claim.event.step)
        opened.news = [f"  > {line.text}" for line in opened.campaign.lines if line.step >= claim.event.step]
        answer_by_itself(desk, writer, opened)
        finish(writer, opened)
    return GivenWay(opened, against.noun)


def _check_in_vain(opened: OpenGame, against: Claimed) -> None:
    """Raise BadRequest where what was signed here may count at the other side: a claim is void then."""
    if against.played_on or against.noun == "ruling":
        return
    name = opened.row.name
    raise BadRequest(
        "yield.not_played_on",
        f"expected something that was signed behind {named(against.claim)}, got nothing: "
        "what you have signed there counts, if it comes before that",
        f"send all you have, `pbem export {name} --all`, and import what comes back; to give way at once: "
        f"`pbem motion yield {name} --anyway`",
    )


def _check_links(opened: OpenGame, own: Verified) -> None:
    """Raise BadRequest where the other side may know a link that rolls again when this home gives way."""
    behind = link_behind(opened, own)
    if behind:
        raise BadRequest(
            "yield.link_known",
            f"expected no link of yours behind step {own.event.step}, got one of step {behind}, which the next "
            "dice would be made of: whoever has it could choose decisions for them",
            f"if you have not sent it, or trust the other side: `pbem motion yield {opened.row.name} --anyway`; then "
            f"sign with a new chain as soon as you have to decide: `pbem motion rotate {opened.row.name}`",
        )


def _against(reader: Reader, opened: OpenGame) -> Claimed:
    """The claim or ruling that was refused here, and the own event that it was refused for."""
    for found in claims_against(reader, opened):
        if _would_stand(opened, found.claim, opened.campaign.steps[found.step].events):
            return found
    raise BadRequest(
        "yield.none",
        "expected a claim or a ruling in the place of what you have signed, got none",
        f"`pbem status {opened.row.name}` says what to do now",
    )


def _would_stand(opened: OpenGame, claim: Verified, events: tuple[Verified, ...]) -> bool:
    """Whether a claim closes its step with what others have given there."""
    then = replayed_to(opened.campaign, claim.event.step - 1)
    try:
        for other in (one for one in events if one.event.role != opened.role):
            then.offer(other)
        return then.offer(claim)
    except PbemError:
        return False


def take_what_follows(desk: Desk, writer: Writer, opened: OpenGame, step: int) -> None:
    """Offer what the others have signed behind step `step`, and this home has kept apart until now."""
    later = [one for one in kept_apart(writer, opened, step + 1) if not is_claim_on(one.event.body, opened.role)]
    result = assemble(opened.campaign, later, opened.resolutions)
    opened.fork = opened.fork or result.fork
    for verified in result.accepted:
        store(writer, opened, verified, desk.clock())
        opened.fresh.append(verified)


# ---------------------------------------------------------------------- ways that are taken back


def came_back(desk: Desk, writer: Writer, opened: OpenGame, moves: Sequence[Verified]) -> list[Verified]:
    """Store what shows that dice are known behind an event that gave way here; it counts again then (`in_effect`).

    What is returned is stored; the game is to be opened again.
    """
    for resolution in opened.resolutions:
        if is_own(resolution) and (found := _behind_it(desk, writer, opened, resolution, moves)):
            for verified in found:
                store(writer, opened, verified, desk.clock())
            return found
    return []


def _behind_it(
    desk: Desk, reader: Reader, opened: OpenGame, resolution: Verified, moves: Sequence[Verified]
) -> list[Verified]:
    """What stands behind an event that gave way and is new, if it has a link of another role; else nothing."""
    step, author = resolution.event.step, resolution.event.role
    if not any(one.event.kind == "entropy" and one.event.step > step and one.event.role != author for one in moves):
        return []
    if _has_been_played_on(opened, resolution):
        return []
    whole = open_game(reader, opened.row.game_id, desk.games, whole=True)
    stored = [one for one in signed_events(reader, opened.row.game_id) if one.event.step >= step]
    then = replayed_to(whole.campaign, step - 1)
    others = [one for one in opened.resolutions if one.id != resolution.id]
    came = [*kept_apart(reader, opened, step), *moves]
    result = assemble(then, [*stored, *(one for one in came if not is_claim_on(one.event.body, opened.role))], others)
    new = [one for one in result.accepted if one.id not in opened.ids()]
    known = [*stored, *new]
    return [] if in_effect([resolution], known) else new


def _has_been_played_on(opened: OpenGame, resolution: Verified) -> bool:
    """Whether another player has gone on from what stands, as the log shows from the last snapshot on: then the way is
    given for good, and nothing that comes has to be tried."""
    log = [*(one for step in opened.campaign.steps for one in step.events), *opened.campaign.pending()]
    step, silent = resolution.event.step, (resolution.event.role, *NEUTRAL)
    return any(one.event.step > step and one.event.role not in silent for one in log)


def without_given_way(
    moves: list[Verified], asides: list[Verified], opened: OpenGame
) -> tuple[list[Verified], list[Verified]]:
    """What came, moves and settlements, but the moves whose author says that they give way to a claim that stands in
    the log here, and with their settlements those that give way to one that comes with them, at a step to come.

    A home that is behind would else go on from what nobody stands by, and open links there.
    """
    given = {getattr(one.event.body, "drop", "") for one in asides if is_given_way(one, opened)}
    to_come = _given_way_to_come(moves, asides, opened)
    given |= {getattr(one.event.body, "drop", "") for one in to_come}
    kept = [one for one in asides if one not in to_come]
    return [one for one in moves if one.id not in given], kept


def _given_way_to_come(moves: list[Verified], asides: list[Verified], opened: OpenGame) -> tuple[Verified, ...]:
    ahead = [one for one in asides if is_own(one) and one.event.step > opened.campaign.place.step]
    known = {one.id: one for one in moves if one.event.step > opened.campaign.place.step} if ahead else {}
    found = [one for one in ahead if _names(one, known)]
    return in_effect(found[:MOST_CONTRARY], list(known.values()))


def _names(resolution: Verified, known: Mapping[str, Verified]) -> bool:
    """Whether what a settlement names is known, and gives way."""
    body = resolution.event.body
    assert isinstance(body, Resolve)
    claim, own = known.get(body.keep), known.get(body.drop)
    return claim is not None and own is not None and gives_way_to(resolution, claim, own)


def counts_again(resolution: Verified, opened: OpenGame) -> str:
    """What it means that somebody gives way no more."""
    role, step = resolution.event.role, resolution.event.step
    who = "you have" if role == opened.role else f"{role} has"
    return f"dice are known behind what {who} signed at step {step}: it counts again, and gives way to nothing"

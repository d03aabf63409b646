"""Giving way: a claim or a ruling stands in the place of what this home has signed, because its player says so.

The other side has played on from it and does not have, or does not take, what was signed here. No log shows whose fault
that is, so nobody gives way by itself; who does says so with a `resolve` of its own event.
"""

from __future__ import annotations

from pbem.app.beside import opened_behind
from pbem.app.claiming import is_claim_on, is_given_way, kept_apart
from pbem.app.current import check_is_current
from pbem.app.desk import Desk
from pbem.app.opened import OpenGame, open_game, signed_events
from pbem.app.reading import replayed_to
from pbem.app.signing import answer_by_itself, check_not_stopped, finish, identity_at, signed, store
from pbem.engine.assembly import assemble
from pbem.errors import BadRequest, PbemError
from pbem.log.event import Event, Resolve
from pbem.log.verify import Verified, slot, verify_event
from pbem.store.reading import Reader
from pbem.store.writing import Writer


def give_way(desk: Desk, name: str, *, anyway: bool = False) -> OpenGame:
    """Let the earliest claim or ruling stand that this home keeps apart because it had answered in time.

    BadRequest where there is none, where dice behind the own event are known, which would be rolled again, and, unless
    `anyway`, where a link of this home's is open behind it that rolls once more from the claim on.
    """
    desk.vault()
    with desk.home.writing() as writer:
        opened = open_game(writer, name, desk.games, whole=True)
        check_not_stopped(opened)
        check_is_current(writer, opened)
        claim, own = _claimed(writer, opened)
        if opened_behind(own, signed_events(writer, opened.row.game_id)):
            text = f"expected no dice behind {own.title}, got a link of another role: it stands"
            raise BadRequest("yield.dice_known", text, "the other side has gone on from it")
        if not anyway:
            _check_links(opened, own)
        here, body = own.event, Resolve(role=opened.role, keep=claim.id, drop=own.id)
        statement = Event(here.game, here.step, here.prev, here.state, opened.role, "resolve", body, desk.clock())
        resolution = verify_event(signed(identity_at(desk, writer, opened), statement), opened.campaign.roster)
        store(writer, opened, claim, desk.clock())
        store(writer, opened, resolution, desk.clock(), "aside")
        writer.drop_snapshots(opened.row.game_id)
        opened = open_game(writer, name, desk.games, whole=True)
        _take_what_follows(desk, writer, opened, claim.event.step)
        opened.news = [f"  > {line.text}" for line in opened.campaign.lines if line.step >= claim.event.step]
        answer_by_itself(desk, writer, opened)
        finish(writer, opened)
    return opened


def _check_links(opened: OpenGame, own: Verified) -> None:
    """Raise BadRequest where the other side may know a link that rolls again when this home gives way."""
    mine = [row.step for row in opened.rows if row.role == opened.role and row.kind == "entropy"]
    behind = [step for step in mine if step > own.event.step]
    if behind:
        raise BadRequest(
            "yield.link_known",
            f"expected no link of yours behind step {own.event.step}, got one of step {min(behind)}, which the next "
            f"dice "
            "would be made of: whoever has it could choose decisions for them",
            f"if you have not sent it, or trust the other side: `pbem motion yield {opened.row.name} --anyway`; then "
            f"sign "
            f"with a new chain as soon as you have to decide: `pbem motion rotate {opened.row.name}`",
        )


def _claimed(reader: Reader, opened: OpenGame) -> tuple[Verified, Verified]:
    """The claim or ruling that was refused here, and the own event that it was refused for."""
    for claim in sorted(kept_apart(reader, opened), key=lambda one: (one.event.step, one.id)):
        step = claim.event.step
        if is_claim_on(claim.event.body, opened.role) and 1 < step < opened.campaign.place.step:
            events = opened.campaign.steps[step].events
            own = [one for one in events if one.event.role == opened.role and slot(one.event.kind) == "move"]
            if own and own[0].event.prev == claim.event.prev and _would_stand(opened, claim, events):
                return claim, own[0]
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


def _take_what_follows(desk: Desk, writer: Writer, opened: OpenGame, step: int) -> None:
    """Offer what the other side has signed behind its claim, and this home has kept apart until now."""
    stored = opened.ids()
    later = [one for one in kept_apart(writer, opened) if one.event.step > step and one.id not in stored]
    result = assemble(opened.campaign, later, opened.resolutions)
    opened.fork = opened.fork or result.fork
    for verified in result.accepted:
        store(writer, opened, verified, desk.clock())
        opened.fresh.append(verified)


def without_given_way(moves: list[Verified], asides: list[Verified], opened: OpenGame) -> list[Verified]:
    """The moves that came, but those whose author says that they give way to a claim that stands in the log here."""
    given = {getattr(one.event.body, "drop", "") for one in asides if is_given_way(one, opened)}
    return [one for one in moves if one.id not in given]

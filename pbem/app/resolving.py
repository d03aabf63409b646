"""Settling a fork here: which of two events of another role stands, as this home signs it.

Settlements that came by mail are `pbem.app.settling`'s.
"""

from __future__ import annotations

from pbem.app.beside import opened_behind
from pbem.app.current import check_is_current
from pbem.app.desk import Desk
from pbem.app.forks import NAMING_DIGITS, fork_data, fork_sentence, rival_lines, settled_sentence, settlements
from pbem.app.opened import OpenGame, open_game, signed_events
from pbem.app.signing import answer_by_itself, finish, identity_at, signed, statement_at, store
from pbem.errors import BadRequest
from pbem.log.event import Resolve
from pbem.log.fork import Fork
from pbem.log.verify import Verified, verify_event
from pbem.store.reading import Reader


def resolve_fork(desk: Desk, name: str, keep: str = "") -> OpenGame:
    """Name the event of another role that survives a fork; `keep` is its id or the beginning of it.

    Without `keep` it is the only one that can stand, if dice behind one are known; else BadRequest names both.
    """
    desk.vault()
    with desk.home.writing(name) as writer:
        opened = open_game(writer, name, desk.games)
        if opened.fork is None:
            text = f"expected a game that is stopped by a fork, got {opened.row.name}, which is not"
            raise BadRequest("resolve.none", text, f"`pbem status {opened.row.name}` says what to do now")
        _check_is_theirs(opened, opened.fork)
        check_is_current(writer, opened)
        rivals = (opened.fork.first, opened.fork.second)
        keep = keep or (fork_data(opened) or {})["binding"]
        chosen = [rival for rival in rivals if len(keep) >= 8 and rival.id.startswith(keep)]
        if len(chosen) != 1:
            raise _no_rival(opened, keep)
        (dropped,) = (rival for rival in rivals if rival is not chosen[0])
        if opened_behind(dropped, signed_events(writer, opened.row.game_id)):
            raise BadRequest(
                "resolve.dice_known",
                f"expected the event to stand behind which dice are known, {dropped.id[:16]}, got the other one",
                "with the other one the same links would roll again, and its author could have chosen the result: "
                f"`pbem motion resolve {opened.row.name} --keep {dropped.id[:16]}`",
            )
        body = Resolve(role=chosen[0].event.role, keep=chosen[0].id, drop=dropped.id)
        statement = statement_at(opened.campaign.place, opened.role, body, desk.clock())
        verified = verify_event(signed(identity_at(desk, writer, opened), statement), opened.campaign.roster)
        store(writer, opened, verified, desk.clock(), "aside")
        writer.drop_snapshots(opened.row.game_id)
        opened = open_game(writer, name, desk.games)
        answer_by_itself(desk, writer, opened)
        finish(writer, opened)
        opened.news = _news(desk, writer, opened, verified)
    return opened


def _check_is_theirs(opened: OpenGame, fork: Fork) -> None:
    """Raise BadRequest for a fork of this home's own role, whichever event it would keep."""
    if fork.first.event.role == opened.role:
        raise BadRequest(
            "resolve.own",
            f"expected a fork of another role, got one of {opened.role}'s own",
            f"the other side settles it: send both events with `pbem export {opened.row.name} -o turn.eml --eml`",
        )


def _news(desk: Desk, reader: Reader, opened: OpenGame, resolution: Verified) -> list[str]:
    """What a settlement of this home's means, and what is known to have happened from an event that did not count."""
    whole = open_game(reader, opened.row.game_id, desk.games, whole=True)
    news = []
    for settled in (one for one in settlements(whole) if one.resolution == resolution.id):
        lines = [line.text for line in whole.campaign.lines if line.step >= settled.step] if settled.stood else []
        news += [settled_sentence(settled, opened.role), *(f"  > {line}" for line in lines)]
    return news


def _no_rival(opened: OpenGame, keep: str) -> BadRequest:
    """What to say instead of a name that is none of the two: both events in words, and how each is named."""
    found = fork_data(opened)
    assert found is not None
    who, first, second = fork_sentence(found, opened.role), *rival_lines(found)
    stands = found["binding"] or found["rivals"][0]["event"]
    got = f"'{keep}'" if keep else "none"
    return BadRequest(
        "resolve.event",
        f"expected the first digits (8 or more) of one of two events, got {got}: {who}; {first}; {second}",
        f"for example `pbem motion resolve {opened.row.name} --keep {stands[:NAMING_DIGITS]}`",
    )

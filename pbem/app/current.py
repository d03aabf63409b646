"""Whether a restored game is known to be current: nothing is signed where an answer may be missing that was given.

A home that was restored lacks what was signed after its backup was made, and would sign that again: two different
events at one place accuse their author. So every game is marked when it is restored, and nothing is signed in a
marked one until its place rests on an event of another role that is dated after the restoring: what was signed before
the old home was lost cannot have followed that. An acknowledgement of the newest own event that is known here would
not do: a mail that had been answered already, imported again from a mailbox, acknowledges that too. Where no such
event is to be had, since the game waits for this very home, the person says that nothing is missing.

A date is what its author's clock says: as far as that was ever seen to be ahead of the clock of the home, it is
believed that much later. Left out: two copies of one home that are both in use; an own event dated after the
restoring shows that, and from then on only the person can say how things stand.
"""

from __future__ import annotations

from collections.abc import Container, Iterable
from dataclasses import asdict, dataclass, replace

import orjson

from pbem.app.opened import OpenGame
from pbem.errors import BadRequest
from pbem.log import envelope
from pbem.log.enumeration import enumerated
from pbem.log.event import Event, read
from pbem.log.verify import DAY, Verified
from pbem.store.reading import Reader
from pbem.store.writing import Writer


@dataclass(frozen=True, slots=True)
class Mark:
    """That a game was restored at `at` from a backup that was `made` before; both in Unix seconds.

    `ahead` is by how many seconds the clocks of others were ahead of the home's, as far as it could tell;
    `elsewhere` the step of an own event that was signed after the restoring, but not here; 0 for none. `settled` is
    how it became known that nothing is missing: by an `answer` of another role, or by the `person`. `whole` is when a
    file was imported that holds all that this home has, as the other side writes it with `--all`; 0 for never.
    """

    at: int
    made: int
    ahead: int = 0
    elsewhere: int = 0
    settled: str = ""
    whole: int = 0


def mark_restored(writer: Writer, game: str, role: str, at: int, made: int) -> None:
    """Mark the game of that id, in which this home plays `role`; BadEvidence when a stored event cannot be read."""
    said = ((row.arrived, read(envelope.from_line(row.line).payload)) for row in writer.events(game))
    ahead = max((statement.at - arrived for arrived, statement in said if statement.role != role), default=0)
    _put(writer, game, Mark(at, made, min(max(ahead, 0), DAY)))


def doubt(reader: Reader, opened: OpenGame) -> Mark | None:
    """The mark of a game in which something may be missing that its role has signed, None when nothing can be.

    What is found out is noted where that can be: later openings of the game may begin behind it.
    """
    mark = _mark(reader, opened.row.game_id)
    if mark is None or mark.settled:
        return None
    known = _looked_at(mark, opened)
    if known != mark and isinstance(reader, Writer):
        _put(reader, opened.row.game_id, known)
    return None if known.settled else known


def is_current(reader: Reader, opened: OpenGame) -> bool:
    """Whether something can be signed in a game without the danger of answering twice."""
    return doubt(reader, opened) is None


def check_is_current(reader: Reader, opened: OpenGame) -> None:
    """Raise BadRequest while it is not known that nothing is missing that this home's role has signed."""
    mark = doubt(reader, opened)
    if mark is None:
        return
    name, others = opened.row.name, others_of(opened)
    has, waits = ("have", "wait") if " and " in others else ("has", "waits")
    if mark.whole and not mark.elsewhere:
        raise BadRequest(
            "game.restored",
            f"expected to know that nothing of {opened.role}'s is missing in this home, which was restored, got a "
            "whole log of the other side, which does not say when it was written",
            "was that after you restored, and have you signed nothing more in any copy of this home? "
            f"`pbem current {name} --confirm` says so",
        )
    got = f"got an event of {opened.role} at step {mark.elsewhere} that another copy of it has signed since"
    raise BadRequest(
        "game.restored",
        f"expected to know that nothing of {opened.role}'s is missing in this home, which was restored, "
        f"{got if mark.elsewhere else f'got nothing yet that {others} signed since then'}",
        f"two answers at one place would accuse you: import what {others} {has} (`pbem export --all` there); "
        f"`pbem current {name}` says what is known here, and what to do when {others} {waits} for you",
    )


def note_whole_log(writer: Writer, opened: OpenGame, files: Iterable[Container[bytes]], now: int) -> None:
    """Note that the whole log of somebody has come, by the lines of the `files` that were imported.

    When it was written it does not say: only the person knows whether that was after the restoring.
    """
    mark = doubt(writer, opened)
    if mark is None:
        return
    closed = [opened.rows[0].line, *(one.line for step in opened.campaign.steps for one in step.events)]
    if any(all(line in file for line in closed) for file in files):
        _put(writer, opened.row.game_id, replace(mark, whole=now))


def settle_by_person(writer: Writer, opened: OpenGame) -> None:
    """Note that the person has said that nothing is missing."""
    mark = doubt(writer, opened)
    if mark is not None:
        _put(writer, opened.row.game_id, replace(mark, settled="person"))


def others_of(opened: OpenGame) -> str:
    """The other roles of a game, in words."""
    return enumerated(sorted(role for role in opened.campaign.roster.parties if role != opened.role))


@dataclass(frozen=True, slots=True)
class Newest:
    """The newest event of each side that a home has, None when it has none."""

    own: Event | None
    theirs: Event | None


def newest(opened: OpenGame) -> Newest:
    """What a person compares with what is remembered, or with what the other side has."""
    rows = [row for row in opened.rows if row.kind_class == "log"]
    own = [row for row in rows if row.role == opened.role]
    theirs = [row for row in rows if row.role != opened.role]
    found = [read(envelope.from_line(side[-1].line).payload) if side else None for side in (own, theirs)]
    return Newest(*found)


def _looked_at(mark: Mark, opened: OpenGame) -> Mark:
    campaign, role = opened.campaign, opened.role
    closed = [one for step in campaign.steps for one in step.events]
    elsewhere = _latest(one for one in (*closed, *campaign.pending()) if _is_after(one, mark.at, {role}))
    if elsewhere or mark.elsewhere:
        return replace(mark, elsewhere=max(elsewhere, mark.elsewhere))
    others = {one for one in campaign.roster.parties if one != role}
    answered = _latest(one for one in closed if _is_after(one, mark.at + mark.ahead, others))
    return replace(mark, settled="answer") if answered else mark


def _is_after(verified: Verified, at: int, roles: Container[str]) -> bool:
    return verified.event.role in roles and verified.event.at > at


def _latest(events: Iterable[Verified]) -> int:
    return max((one.event.step for one in events), default=0)


def _mark(reader: Reader, game: str) -> Mark | None:
    stored = reader.meta(_key(game))
    return Mark(**orjson.loads(stored)) if stored else None


def _put(writer: Writer, game: str, mark: Mark) -> None:
    writer.put_meta(_key(game), orjson.dumps(asdict(mark)))


def _key(game: str) -> str:
    return f"restored/{game}"

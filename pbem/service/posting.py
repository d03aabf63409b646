"""Posting: what a game has to send is put into the outbox, in the transaction that notes that it was.

What there is to send follows from the game alone, and not from the letter that led to it: a service that died
anywhere finds it again. A turn file that the other side has not acknowledged goes once more after some hours, and then
more and more seldom.
"""

from __future__ import annotations

from dataclasses import dataclass

import orjson

from pbem.app.aside import is_aside
from pbem.app.delivery import written_key
from pbem.app.desk import Desk
from pbem.app.exporting import Posting, turn_file
from pbem.app.kept import broken, kept_summary
from pbem.app.opened import OpenGame, open_game
from pbem.app.signing import finish
from pbem.app.summary import exported_key, has_news, holds_seat, sent_mark, unsent
from pbem.errors import PbemError
from pbem.service.bench import look_anew, to_look_at
from pbem.service.lacking import ask, next_at
from pbem.service.record import Tell
from pbem.service.shift import patiently
from pbem.service.threads import answered
from pbem.store.faults import is_away
from pbem.store.reading import Reader
from pbem.store.rows import NEVER, Agenda
from pbem.store.writing import Writer

AGAIN = 6 * 3600
"""Seconds until what was not acknowledged is sent once more, the first time."""
MOST_TRIES = 8
"""How often one turn file is sent again at most: each time after twice as long, so that the last goes after months."""
_AGAIN = "agent/again"


@dataclass(frozen=True, slots=True)
class Posted:
    """The last turn file of a game that was put into the outbox: what was in it, when, and how often before."""

    mark: str
    at: int
    tries: int


def post_all(desk: Desk, tell: Tell, again: int = AGAIN, worker: str = "") -> int:
    """Put what every listed game has to send into the outbox; how many mails that were.

    Only games that have changed, or whose mail was not acknowledged for long enough, are looked at; and one is opened
    only where its summary does not say that there is nothing to send.
    """
    look_anew(desk, "post", _AGAIN, again)
    return sum(_posted(desk, seen.game_id, tell, again) for seen in to_look_at(desk, "post", worker))


def _posted(desk: Desk, game_id: str, tell: Tell, again: int) -> bool:
    """One game that cannot be opened does not keep the others from going on, and is tried again."""
    try:
        return patiently(lambda: post_game(desk, game_id, tell, again))
    except PbemError as error:
        if is_away(error):
            raise
        found = error
    except Exception as error:  # the rules of one game must not keep the others from going on
        found = broken(desk.home.game(game_id).name, error)
    tell("broken", game=desk.home.game(game_id).name, code=found.code, text=found.text)
    return False


def post_game(desk: Desk, game_id: str, tell: Tell, again: int = AGAIN) -> bool:
    """Put what one game has to send, or to ask for, into the outbox; False when that is nothing."""
    with desk.home.writing(game_id) as writer:
        seen = writer.agenda(game_id)
        if seen is not None and seen.post_at > desk.clock():  # another worker was here
            return False
        if not _may_post(desk, writer, game_id, again):
            tries = 0
        else:
            opened = open_game(writer, game_id, desk.games)
            tries = _tries(desk, opened, again, writer) if holds_seat(writer, opened) else 0
        if tries:
            _post(desk, writer, opened, tries, tell)
            seen = _posted_beside(writer, seen, game_id)
        asked = ask(desk, writer, game_id, tell, again)
        if seen is not None:
            due = min(_look_again(writer, game_id, again), next_at(writer, game_id, again))
            writer.looked_at(seen, "post", due if due > desk.clock() else NEVER)
    return bool(tries) or asked


def _posted_beside(writer: Writer, seen: Agenda | None, game_id: str) -> Agenda | None:
    """The agenda of a game after a mail of it was posted, which changes nothing in what is due: who had looked at that
    has not to do so again."""
    found = writer.agenda(game_id)
    if found is not None and seen is not None and seen.watch_at:
        writer.looked_at(found, "watch", seen.watch_at)
        return writer.agenda(game_id)
    return found


def _may_post(desk: Desk, reader: Reader, game_id: str, again: int) -> bool:
    """Whether a game may have something to send, by its summary and by when it was sent last."""
    if is_aside(reader, game_id):
        return False
    summary, last = kept_summary(reader, game_id), _last(reader, game_id)
    if summary is None or last is None:
        return True
    return bool(summary["unsent"] or (summary["delivery"]["open"] and desk.clock() >= _due_again(last, again)))


def _look_again(reader: Reader, game_id: str, again: int) -> int:
    """When the last turn file of a game is to go once more, unless something changes."""
    summary, last = kept_summary(reader, game_id), _last(reader, game_id)
    if summary is None or last is None or last.tries > MOST_TRIES or is_aside(reader, game_id):
        return NEVER
    return _due_again(last, again) if summary["delivery"]["open"] else NEVER


def _tries(desk: Desk, opened: OpenGame, again: int, reader: Reader | None = None) -> int:
    """The how manieth time it is that this must be sent now; 0 when nothing must."""
    reader = reader or desk.home
    last, mark = _last(reader, opened.row.game_id), sent_mark(opened).hex()
    if has_news(reader, opened) or (unsent(opened) and last is None):
        return 1
    if last is None or last.mark != mark or not unsent(opened) or last.tries > MOST_TRIES:
        return 0
    return last.tries + 1 if desk.clock() >= _due_again(last, again) else 0


def _due_again(last: Posted, again: int) -> int:
    return last.at + (again << (last.tries - 1))


def _post(desk: Desk, writer: Writer, opened: OpenGame, tries: int, tell: Tell) -> None:
    game_id, now = opened.row.game_id, desk.clock()
    mark = sent_mark(opened)
    message_id = f"<turn-{opened.campaign.place.step}.{mark.hex()[:24]}.{tries}.{game_id[:16]}@pbem.invalid>"
    in_reply_to, references = answered(writer, game_id)
    file = turn_file(desk, opened, post=Posting(message_id, in_reply_to, references, automatic=True))
    receivers = [receiver.address for receiver in file.receivers]
    own = desk.profile().address
    writer.post(message_id=message_id, game_id=game_id, receivers=receivers, sender=own, mail=file.mail, created=now)
    posted = orjson.dumps({"mark": mark.hex(), "at": now, "tries": tries})
    writer.put_metas(
        {exported_key(opened): file.mark, written_key(opened): str(now).encode("ascii"), _key(game_id): posted}
    )
    finish(writer, opened)
    tell("posted", game=opened.row.name, to=" ".join(receivers), events=file.events, tries=tries)


def _last(reader: Reader, game_id: str) -> Posted | None:
    kept = reader.meta(_key(game_id))
    return None if kept is None else Posted(**orjson.loads(kept))


def _key(game_id: str) -> str:
    return f"posted/{game_id}"

"""Sending: mails leave the outbox, each under a lease, so that two workers do not send one at once.

A mail that a killed worker had goes again when its lease has ended: once too often rather than never, and under the
same Message-ID, by which mail programs know it.
"""

from __future__ import annotations

from collections.abc import Callable

from pbem.app.desk import Desk
from pbem.log.enumeration import counted
from pbem.mail.post.port import PUT_OFF, Outgoing, PostFault, Undeliverable
from pbem.service.record import Tell
from pbem.store.queue import Queue
from pbem.store.reading import Reader
from pbem.store.rows import StoredMail

LEASE = 60
"""Seconds that a worker has for one mail, and longer while it lives."""
FIRST_WAIT, LONGEST_WAIT = 60, 6 * 3600
"""Seconds until a mail is tried again after a fault: doubled each time, and never more than the second."""
MOST_TRIES = 60


def send_all(
    desk: Desk,
    outgoing: Outgoing,
    worker: str,
    tell: Tell,
    stop: Callable[[], bool] = bool,
    gone: list[StoredMail] | None = None,
) -> int:
    """Send what is due; how many mails have gone. A fault of the way out ends it: the rest waits.

    A mail that has gone is noted with the taking of the next one. Until then it is in `gone`, and what is there when
    this begins is noted first: so no mail goes twice because the database went away behind it.
    """
    gone, count, is_open = [] if gone is None else gone, 0, True
    while is_open and not stop():
        mail = _next(desk, worker, gone, tell)
        if mail is None:
            break
        fault = _send(desk, outgoing, worker, mail, tell)
        if fault is None:
            gone.append(mail)
            count += 1
        is_open = fault is None or fault.code == PUT_OFF or mail.tries == 1
    if gone:
        note_gone(desk, gone, tell)
    return count


def note_gone(desk: Desk, gone: list[StoredMail], tell: Tell) -> None:
    """Note the mails that have gone, which are none that have to be noted afterwards."""
    with desk.home.queueing() as queue:
        _note(desk, queue, gone)
    _noted(gone, tell)


def _next(desk: Desk, worker: str, gone: list[StoredMail], tell: Tell) -> StoredMail | None:
    """Note what has gone, and take the next mail that is due."""
    with desk.home.queueing() as queue:
        _note(desk, queue, gone)
        mail = queue.lease_mail(worker, desk.clock(), LEASE)
    _noted(gone, tell)
    return mail


def _note(desk: Desk, queue: Queue, gone: list[StoredMail]) -> None:
    for mail in gone:
        queue.mail_sent(mail.message_id, desk.clock())


def _noted(gone: list[StoredMail], tell: Tell) -> None:
    for mail in gone:
        tell("sent", **_facts(mail))
    gone.clear()


def wait_after(tries: int, first: int = FIRST_WAIT, longest: int = LONGEST_WAIT) -> int:
    """Seconds until something is tried again that has failed so often: doubled each time."""
    return min(first << min(tries - 1, 20), longest)


def why_held(reader: Reader) -> tuple[str, ...]:
    """That mails wait which could not be sent; nothing where none does."""
    held = reader.held_mails()
    count = sum(held.values())
    return (f"{counted(count, 'mail does', 'mails do')} not go out: {', '.join(held)}",) if held else ()


def _send(
    desk: Desk, outgoing: Outgoing, worker: str, mail: StoredMail, tell: Tell
) -> PostFault | Undeliverable | None:
    """What went wrong with a mail, None if it has gone."""
    try:
        outgoing.send(mail.mail, mail.sender, mail.addresses)
    except Undeliverable as error:
        with desk.home.queueing() as queue:
            queue.mail_failed(mail.message_id, worker, error.code)
        tell("undeliverable", **_facts(mail), code=error.code, text=error.text)
        return error
    except PostFault as error:
        _postpone(desk, worker, mail, error, tell)
        return error
    return None


def _facts(mail: StoredMail) -> dict[str, str]:
    return {"mail": mail.message_id, "to": " ".join(mail.addresses)}


def _postpone(desk: Desk, worker: str, mail: StoredMail, error: PostFault, tell: Tell) -> None:
    wait = wait_after(mail.tries)
    again = desk.clock() + wait
    with desk.home.queueing() as queue:
        if mail.tries >= MOST_TRIES:
            queue.mail_failed(mail.message_id, worker, error.code)
        elif error.code == PUT_OFF:
            rest = [one for one in mail.addresses if one not in error.delivered]
            queue.mail_put_off(mail.message_id, worker, again, error.code, rest)
        else:
            queue.mail_deferred(mail.message_id, worker, again, error.code)
    tell("postponed", mail=mail.message_id, seconds=wait, code=error.code, text=error.text)

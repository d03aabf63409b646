"""Notices: mails in words that a program of a home sends by itself, on their way into its outbox."""

from __future__ import annotations

from pbem.mail.message import Notice, compose_notice
from pbem.store.queue import Queue


def post_notice(queue: Queue, notice: Notice, game_id: str = "") -> None:
    """Put a notice into the outbox, behind what waits there of the same game.

    It has no envelope sender, so that nothing comes back when it cannot be delivered (RFC 3834 3.3).
    """
    queue.post(
        message_id=notice.message_id,
        game_id=game_id,
        receivers=[notice.receiver.address],
        sender="",
        mail=compose_notice(notice),
        created=notice.date,
    )

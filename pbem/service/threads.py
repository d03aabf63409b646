"""Threads: the mail of the other side that the next turn file of a game answers, so that both are filed together."""

from __future__ import annotations

import orjson

from pbem.mail.post.manners import Thread
from pbem.store.queue import Queue
from pbem.store.reading import Reader


def remember(queue: Queue, game_id: str, thread: Thread) -> None:
    """The last mail by which something new came in a game."""
    kept = {"id": thread.message_id, "references": thread.references}
    queue.put_meta(_key(game_id), orjson.dumps(kept))


def answered(reader: Reader, game_id: str) -> tuple[str, tuple[str, ...]]:
    """Message-ID and References of an answer to that mail; empty before the first one."""
    kept = reader.meta(_key(game_id))
    if kept is None:
        return "", ()
    found = orjson.loads(kept)
    return found["id"], tuple(found["references"])


def _key(game_id: str) -> str:
    return f"thread/{game_id}"

"""The condition of a service: its last round, the outbox, the games, what is due next, the alarms of late."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import orjson

from pbem.app.aside import ASIDE
from pbem.app.desk import Desk
from pbem.log.enumeration import counted
from pbem.service.agent import Round
from pbem.service.alarms import DAY, alarms
from pbem.service.bench import count_games
from pbem.service.joining import allowed
from pbem.service.left import left_letters
from pbem.service.shift import workers
from pbem.store.reading import Reader

MOST_DUE = 10
_ROUND, _SHUT = "serve/round", "serve/shut"


def note_round(desk: Desk, done: Round) -> None:
    """Keep what the last round did, and since when the mailbox is out of reach."""
    now, last = desk.clock(), last_round(desk.home)
    since = (last.get("closed") or now) if done.closed else 0
    kept = {**asdict(done), "at": now, "closed": since}
    with desk.home.queueing() as queue:
        queue.put_meta(_ROUND, orjson.dumps(kept))
        queue.put_meta(_SHUT, b"")


def note_shut(desk: Desk, why: str) -> None:
    """Keep why no round could begin, until there is one."""
    with desk.home.queueing() as queue:
        queue.put_meta(_SHUT, why.encode())


def last_round(reader: Reader) -> dict[str, Any]:
    """The last round: `at` and the counts of `Round`; `closed` since when no box is open, 0 when it is."""
    found: dict[str, Any] = orjson.loads(reader.meta(_ROUND) or b"{}")
    return found


def condition(desk: Desk) -> dict[str, Any]:
    """Everything that `pbem serve --status` shows; times in seconds since 1970."""
    now, (presided, running) = desk.clock(), count_games(desk.home)
    waiting = [
        {
            "game": desk.home.game(one.game_id).name,
            "step": one.step,
            "what": one.what.partition("/")[0],
            "due": one.due,
        }
        for one in desk.home.next_deadlines(MOST_DUE, ASIDE)
    ]
    return {
        "at": now,
        "workers": [{"name": name, "holds": held} for name, held in workers(desk.home, now).items()],
        "round": last_round(desk.home),
        "outbox": desk.home.mail_count(),
        "games": {"all": presided, "running": running},
        "allowed": sorted(allowed(desk.home)),
        "left": [{**asdict(one), "text": one.sentence()} for one in left_letters(desk.home)],
        "deadlines": sorted(waiting, key=lambda one: (one["due"], one["game"])),
        "alarms": [asdict(one) for one in alarms(desk.home) if now - one.at < DAY],
    }


def why_unwell(desk: Desk, within: int) -> list[str]:
    """What is wrong with a service that should have had a round within so many seconds; empty when it is well.

    What kept mails from coming in or going out in the last round is wrong however short it has lasted.
    """
    now, last = desk.clock(), last_round(desk.home)
    found = [f"{one.code}: {one.text}" for one in alarms(desk.home) if now - one.at < DAY]
    if shut := desk.home.meta(_SHUT):
        found.insert(0, shut.decode())
    if not last:
        return ["no round was ever made", *found]
    if not 0 <= now - last["at"] <= within:
        found.insert(0, f"the last round was {counted(now - last['at'], 'second')} ago")
    found[:0] = last.get("faults", ())
    if last["closed"]:
        found.insert(0, f"the mailbox is out of reach since {counted(now - last['closed'], 'second')}")
    return found

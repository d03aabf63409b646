"""Homes of a service with many games, made quickly.

Games under way are real: proposed, accepted and begun between three homes, up to the first question, whose answer lies
in a mail. A game's id is a digest over its proposal and every event is signed, so that such a game can be made in no
quicker way. Sleeping games are copies of one of them, row by row under other ids: whoever opens one finds that its
events are no events of it, and a service that opens no game without a reason never does.
"""

from __future__ import annotations

import hashlib
import sqlite3
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from attacks.sides import Side, new_side

from pbem.app import catalogue
from pbem.app.deciding import submit_orders
from pbem.app.desk import Desk
from pbem.app.exporting import export
from pbem.app.importing import import_arrived
from pbem.app.opened import open_game
from pbem.app.propose import Terms, accept, propose, single_proposal
from pbem.app.routing import incoming
from pbem.log.event import Role
from pbem.service.deadlines import keep_deadlines
from pbem.service.posting import post_all, post_game
from pbem.service.record import silent
from pbem.store.database import Home
from pbem.store.reading import EMPTY_TALLY, next_tally
from pbem.store.rows import Agenda, Deadline, Row, SeatAt, Status, StoredEvent, StoredGame

GAME = "westerplatte"
GRACE = 86_400
NAMES = {"german": "Anna", "polish": "Bruno", "adjudicator": "Hugo"}
COPIED: tuple[type[Row], ...] = (StoredGame, StoredEvent, Status, Deadline, Agenda, SeatAt)
"""Rows of one game that are copied for a sleeping one."""


@dataclass(frozen=True, slots=True)
class Hosted:
    """The home of an adjudicator; `mails` holds a turn mail of each game, which closes a step there."""

    folder: Path
    now: int
    mails: tuple[bytes, ...]


def hosted(folder: Path, games: int) -> Hosted:
    """A home that hosts so many real games."""
    sides = {role: new_side(folder / role, role, name) for role, name in NAMES.items()}
    with ExitStack() as stack:
        desks = {role: stack.enter_context(side.desk()) for role, side in sides.items()}
        mails = tuple(_begun(sides, desks, number) for number in range(games))
        host, now = desks["adjudicator"], sides["adjudicator"].now
        post_all(host, silent)
        _sent(host)
        keep_deadlines(host, GRACE)
    return Hosted(sides["adjudicator"].folder, now, mails)


def _begun(sides: dict[str, Side], desks: dict[str, Desk], number: int) -> bytes:
    """A game up to its first question, at all three homes; the mail with the answer."""
    for side in sides.values():
        side.now += 60
    rules = catalogue.ruleset(GAME)
    opponents = {Role("polish"): ("Bruno", "bruno@example.org")}
    hugo = ("Hugo", "hugo@example.org")
    terms = Terms(rules, rules.scenarios[0], Role("german"), opponents, 7, name=f"duel-{number}", adjudicator=hugo)
    game = propose(desks["german"], terms).row.game_id
    invitation = single_proposal(incoming(_file(desks["german"], game), "a mail"))
    for role in ("polish", "adjudicator"):
        accept(desks[role], invitation, role, f"duel-{number}")
    for _ in range(2):
        for role, desk in desks.items():
            for other, there in desks.items():
                if other != role:
                    import_arrived(there, incoming(_file(desk, game), "a mail"))
    return _decided(sides, desks, game)


def _file(desk: Desk, game: str) -> bytes:
    return export(desk, game, everything=True).armour.encode("ascii")


def _decided(sides: dict[str, Side], desks: dict[str, Desk], game: str) -> bytes:
    for role in ("german", "polish"):
        desk, side = desks[role], sides[role]
        campaign = open_game(desk.home, game, desk.games).campaign
        question = campaign.question(side.role)
        if question is not None:
            answer = campaign.ruleset.bots()["random"](question, campaign.state, side.chooser.choose)
            submit_orders(desk, game, campaign.ruleset.write_orders(answer))
            post_game(desk, game, silent)
            return _sent(desk)[-1]
    raise AssertionError("nobody is asked anything")


def _sent(desk: Desk) -> list[bytes]:
    """Empty the outbox; what was in it."""
    found = []
    with desk.home.queueing() as queue:
        while (mail := queue.lease_mail("nobody", desk.clock(), 60)) is not None:
            queue.mail_sent(mail.message_id, desk.clock())
            found.append(mail.mail)
    return found


def put_to_sleep(folder: Path, count: int) -> None:
    """Add so many sleeping games to a home in SQLite, copies of its first game."""
    with closing(sqlite3.connect(folder / "home.sqlite", isolation_level=None)) as raw:
        (game,) = raw.execute("SELECT game_id FROM games ORDER BY rowid").fetchone()
        others = [hashlib.sha256(b"asleep %d" % number).hexdigest() for number in range(count)]
        raw.execute("BEGIN IMMEDIATE")
        for kind in COPIED:
            _copy(raw, kind, game, others)
        for key, value in raw.execute("SELECT key, value FROM meta WHERE key LIKE ?", (f"%/{game}",)).fetchall():
            raw.executemany("INSERT INTO meta VALUES (?, ?)", ((key.replace(game, other), value) for other in others))
        _count(raw, "games", "SELECT digest FROM games ORDER BY rowid")
        for other in others:
            _count(raw, f"events {other}", "SELECT digest FROM events WHERE game_id = ? ORDER BY rowid", other)
        raw.execute("COMMIT")


def _copy(raw: sqlite3.Connection, kind: type[Row], game: str, others: list[str]) -> None:
    columns = kind.columns()
    rows = raw.execute(f"SELECT {', '.join(columns)} FROM {kind.TABLE} WHERE game_id = ?", (game,)).fetchall()
    marks = ", ".join("?" * (len(columns) + 1))
    raw.executemany(
        f"INSERT INTO {kind.TABLE} ({', '.join(columns)}, digest) VALUES ({marks})",
        (_copied(kind, row, game, other) for other in others for row in rows),
    )


def _copied(kind: type[Row], row: tuple[Any, ...], game: str, other: str) -> tuple[object, ...]:
    """The values of a row as another game has them, with their digest."""
    values = dict(zip(kind.columns(), row, strict=True)) | {"game_id": other}
    if kind is StoredGame:
        values["name"] = f"asleep-{other[:12]}"
    if kind is Status:
        values["json"] = values["json"].replace(game.encode(), other.encode())
    made = kind(**values)
    return (*made.values(), made.digest())


def _count(raw: sqlite3.Connection, scope: str, digests: str, *values: str) -> None:
    tally = EMPTY_TALLY
    for (digest,) in raw.execute(digests, values):
        tally = next_tally(tally, digest)
    raw.execute("INSERT OR REPLACE INTO tallies (scope, rows, digest) VALUES (?, ?, ?)", (scope, *tally))


def with_deadlines(home: Home, count: int) -> None:
    """Add so many deadlines, far from due, to the first game of a home, in SQLite or in PostgreSQL."""
    game = home.games()[0].game_id
    mark = "%s" if home.shared else "?"
    columns = (*Deadline.columns(), "digest")
    add = f"INSERT INTO deadlines ({', '.join(columns)}) VALUES ({', '.join([mark] * len(columns))})"
    rows = (
        Deadline(game, 1000 + number // 4, f"bench-{number % 4}", (1 << 40) + number * 7919 % count)
        for number in range(count)
    )
    with home.writing():
        raw: Any = home._connection
        raw.raw.cursor().executemany(add, [(*row.values(), row.digest()) for row in rows])

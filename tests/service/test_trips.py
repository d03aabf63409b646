"""How often a service asks its PostgreSQL for one turn mail: over a network each question is a wait."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from postgres_server import Server

from pbem.app.demo import Seeded
from pbem.app.desk import Desk
from pbem.service.agent import Agent
from pbem.service.overdue import Policy
from pbem.service.referee import Docket, reception
from pbem.store.database import Home
from service.court import JUDGE, Court, in_play
from service.pair import named, run

MOST_TRIPS, MOST_STATEMENTS = 80, 125
"""Of a round with one mail; a third of them are those of any round."""


class Counting:
    """A connection of psycopg that counts its statements, and how often an answer is waited for."""

    def __init__(self, inner: Any) -> None:
        self.inner, self.trips, self.statements, self.together = inner, 0, 0, False

    def execute(self, statement: str, *values: object) -> Any:
        self.statements += 1
        self.trips += not self.together
        return self.inner.execute(statement, *values)

    @contextmanager
    def pipeline(self) -> Iterator[None]:
        self.trips += 1
        self.together = True
        with self.inner.pipeline():
            yield
        self.together = False

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)


def round_of(court: Court, agent: Agent, counting: Counting) -> tuple[int, int, int]:
    """Letters, trips and statements of one round."""
    before = counting.trips, counting.statements
    court.later(60)
    done = agent.round()
    return done.letters, counting.trips - before[0], counting.statements - before[1]


def test_a_turn_mail_takes_few_questions(tmp_path: Path, server: Server) -> None:
    """One that is answered with a receipt, after which deadlines are set and a turn file is sent."""
    run(server, "CREATE DATABASE trips")
    named(server, tmp_path / "referee", "trips")
    court = in_play(tmp_path, hosted=True)
    found = []
    with Home.open(tmp_path / "referee") as home:
        connection: Any = home._connection
        counting = connection.raw = Counting(connection.raw)
        desk = Desk(home, lambda: court.office.now, Seeded(3, "first"))
        docket, visitors = Docket(desk, Policy(), "first", court.judge.tell), reception(desk, court.judge.tell)
        agent = Agent(desk, court.office.box(JUDGE), court.office, "first", court.judge.tell, 3600, visitors, docket)
        agent.begin()
        for _ in range(4):
            for post in (court.german, court.polish):
                court.later(60)
                post.side.decide()
                post.round()
            found.append(round_of(court, agent, counting))
        agent.end()
    one = [(trips, statements) for letters, trips, statements in found if letters == 1]
    assert one
    assert all(trips <= MOST_TRIPS and statements <= MOST_STATEMENTS for trips, statements in one), found

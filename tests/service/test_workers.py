"""Several workers of one home in PostgreSQL: each letter, mail and deadline is handled once, whoever dies."""

from __future__ import annotations

import time
from collections import Counter
from pathlib import Path

import pytest
from postgres_server import Server
from soak import soak

from pbem.app.archive import archive
from pbem.app.desk import Desk
from pbem.app.verify import verify
from pbem.log.event import Role
from pbem.mail.post.maildir import prepare
from pbem.service.bench import summary_of
from service.court import Court, in_play
from service.crew import PEOPLE, Crew, Mails, Player, Table, seated, until
from service.pair import named, run


def hosted(folder: Path, server: Server, database: str) -> Court:
    """A court in play whose judge keeps its home in a database of that name."""
    run(server, f"CREATE DATABASE {database}")
    named(server, folder / "referee", database)
    return in_play(folder, hosted=True)


# ---------------------------------------------------------------------- many games, real processes


@pytest.mark.soak
@pytest.mark.plan("C13")
@pytest.mark.timeout(7200)
def test_workers_that_are_killed_finish_all_games(tmp_path: Path, server: Server) -> None:
    """`kill -9` of a random one of three workers every few seconds, until every game is closed in all homes."""
    number = soak(40)
    run(server, "CREATE DATABASE crew")
    named(server, tmp_path / "adjudicator", "crew")
    mails = Mails(tmp_path)
    for role in PEOPLE:
        prepare(mails.box(role))
    with seated(tmp_path) as table:
        mute = table.games(number, silent_ones=number // 10, by_mail=min(number // 4, 50))
        north, south = Player(Role("north"), table.north, mails), Player(Role("south"), table.south, mails, set(mute))
        out = tmp_path / "out"
        begun = time.monotonic()
        with Crew(tmp_path / "adjudicator", mails.box("adjudicator"), out) as crew:

            def done() -> bool:
                mails.collect(out)
                over = [player.turn() for player in (north, south)]
                return all(over) and is_idle(table.adjudicator, mails.box("adjudicator"), number)

            until(done, crew, table.adjudicator, every=3.0, longest=60 + 30 * number)
        seconds = time.monotonic() - begun
        again = sum(mails.count.values()) - len(mails.count)
        print(f"{number} games, {crew.kills} kills, {seconds:.0f} s, {len(mails.count)} mails, {again} sent again")
        assert again <= crew.kills
        check_games(table, mute, number)


def is_idle(desk: Desk, box: Path, number: int) -> bool:
    """Whether an adjudicator has closed all its games, and nothing is left in its box or to send."""
    summaries = [summary_of(desk, row) for row in desk.home.games()]
    closed = len(summaries) == number and all(one["finished"] for one in summaries)
    return closed and desk.home.mail_count().keys() == {"sent"} and not list((box / "new").iterdir())


def check_games(table: Table, mute: set[str], number: int) -> None:
    """Each game has the same log in the three homes and verifies; no receipt is there twice, and one ruling in each
    game with a player who was silent."""
    desks = (table.north, table.south, table.adjudicator)
    games = [row.game_id for row in table.north.home.games()]
    assert len(games) == number
    assert [desk.home.damages() for desk in desks] == [(), (), ()]
    for game in games:
        logs = [archive(desk, game) for desk in desks]
        assert logs[0] == logs[1] == logs[2]
        verdict = verify(logs[2], table.adjudicator.games)
        assert (verdict.finished, verdict.forks) == (True, [])
        rows = table.adjudicator.home.events(game)
        receipts = Counter(row.step for row in rows if row.kind == "receipt")
        assert set(receipts.values()) == {1}
        assert sum(row.kind == "ruling" for row in rows) == (game in mute)
        assert not table.adjudicator.home.refusals(game)

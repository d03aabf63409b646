"""Several workers of one home in PostgreSQL: each letter, mail and deadline is handled once, whoever dies."""

from __future__ import annotations

import itertools
import threading
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from attacks.sides import pbem
from postgres_server import Server
from soak import FACTOR, soak

from pbem.app.archive import archive
from pbem.app.desk import Desk
from pbem.app.verify import verify
from pbem.errors import BadRequest
from pbem.log.event import Role
from pbem.mail.post.maildir import prepare
from pbem.service.bench import summary_of
from pbem.service.shift import Pulse, Shift
from pbem.service.visitors import digest_of
from pbem.store.database import Home
from service.court import DAY, JUDGE, Court, in_play
from service.crew import PEOPLE, Crew, Mails, Player, Table, seated, until
from service.pair import Scene, named, run


def due(court: Court) -> None:
    """A second game in play, whose player is silent for a week, as that of the first one was."""
    court.propose(60)
    court.bruno_joins()
    court.rounds()
    court.later(7 * DAY)


def letters(court: Court) -> None:
    """A late answer in the first game, a proposal, a command, and a turn file that is cut off."""
    court.polish.side.decide()
    court.polish.round()
    court.propose(60)
    court.judge.write("Subject: status westerplatte\n\n")
    court.judge.write(b"Subject: turn\n\n" + court.polish.side.export(everything=True)[:-300])


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory, server: Server) -> Scene:
    """A full box, and a game in which the last reminder was sent two days ago; the judge hosts the games."""
    folder = tmp_path_factory.mktemp("scene")
    run(server, "CREATE DATABASE scene")
    named(server, folder / "referee", "scene")
    court = in_play(folder, hosted=True)
    due(court)
    court.judge.round()
    court.later(2 * DAY)
    letters(court)
    return Scene(server, folder, "scene", court.office)


@pytest.fixture(scope="module")
def alone(scene: Scene) -> dict[str, Any]:
    """What it comes to with one worker that nobody disturbs."""
    stage = scene.copied()
    stage.round("first")
    assert {"taken", "asked", "joined", "unreadable", "ruled", "posted", "sent"} <= set(stage.told)
    return stage.settled()


FEW = range(2, 200, 19)
MANY = pytest.param(range(1, 200, 1 if FACTOR > 1 else 3), marks=(pytest.mark.soak, pytest.mark.timeout(1200)))


@pytest.mark.plan("C13")
@pytest.mark.parametrize("stops", [FEW, MANY])
def test_a_second_worker_anywhere_within_the_round_of_the_first(
    scene: Scene, alone: dict[str, Any], stops: range
) -> None:
    """Each letter, mail and deadline is handled once, wherever the first one stands when the second one works."""
    for number in stops:
        stage = scene.copied()
        reached = stage.beside(number)
        assert (stage.settled(), stage.sent_again()) == (alone, 0), number
        if not reached:
            break
    assert number > 60


@pytest.mark.plan("C13")
@pytest.mark.parametrize("stops", [FEW, MANY])
def test_what_a_killed_worker_had_is_done_by_the_others(scene: Scene, alone: dict[str, Any], stops: range) -> None:
    """Wherever it dies: all comes to the same, and one mail at most goes twice."""
    for number in stops:
        stage = scene.copied()
        reached = stage.killed(number)
        assert (stage.settled(), stage.sent_again() <= 1) == (alone, True), number
        if not reached:
            break
    assert number > 60


@pytest.mark.plan("C13")
def test_letters_in_other_hands_are_left_there_and_nothing_that_is_due_overtakes_them(
    scene: Scene, alone: dict[str, Any]
) -> None:
    """Until the lease of the other worker ends, which has died with them."""
    stage = scene.copied()
    waiting = stage.office.box(JUDGE).waiting
    with Home.open(stage.folder) as home, home.queueing() as queue:
        for letter in waiting:
            assert queue.take_lease(f"letter/{digest_of(letter)}", "another", stage.office.now, 60)
    stage.round("second")
    assert waiting
    assert {"taken", "asked", "joined", "unreadable", "ruled"}.isdisjoint(stage.told)
    assert stage.settled() == alone


def test_the_status_shows_who_is_at_work_on_what(scene: Scene) -> None:
    folder, later = scene.copied().folder, 2**40
    with Home.open(folder) as home, home.queueing() as queue:
        for worker in ("one", "two"):
            queue.take_lease(f"worker/serve/{worker}", worker, later, 60)
        queue.take_lease(f"letter/{'ab' * 32}", "two", later, 60)
        queue.take_lease(f"letter/{'cd' * 32}", "a dead one", later, 60)
        queue.post(message_id="<1@a>", game_id="", receivers=["a@b"], sender="", mail=b"x", created=1)
        assert queue.lease_mail("two", later, 60) is not None
    shown = pbem(folder, "serve", "--status").out.splitlines()
    assert shown[:2] == ["worker one: nothing in hand", "worker two: letter abababababababab, mail <1@a>"]
    assert pbem(folder, "doctor").out.splitlines()[-2] == (
        "well  workers: 2 at work; a home in PostgreSQL may have several"
    )


def test_a_worker_that_lives_keeps_what_it_has(scene: Scene) -> None:
    """However long it takes: from a thread of its own, until it is told to end."""
    folder, times, beaten = scene.copied().folder, itertools.count(1000, 50), threading.Event()

    def clock() -> int:
        now = next(times)
        if now > 1200:
            beaten.set()
        return now

    with Home.open(folder) as home:
        shift = Shift(Desk(home, lambda: 1000), "one")
        shift.begin()
        assert shift.takes("letter/x")
        with Pulse(folder, clock, "one", every=0.001):
            assert beaten.wait(30)
        assert [(one.name, one.until > 1200) for one in home.leases(1200)] == [
            ("letter/x", True),
            ("worker/agent/one", True),
        ]
        shift.gives("letter/x")
        shift.end()
        assert home.leases(0) == ()


def test_an_agent_does_not_begin_beside_a_service(scene: Scene) -> None:
    with Home.open(scene.copied().folder) as home:
        Shift(Desk(home), "one", "serve").begin()
        Shift(Desk(home), "two", "serve").begin()
        with pytest.raises(BadRequest) as caught:
            Shift(Desk(home), "three").begin()
    assert (caught.value.code, caught.value.text, caught.value.hint) == (
        "agent.other_trade",
        "expected a home where nothing but `pbem agent` works, got one with `pbem serve`",
        "stop that one, or start more of its kind; one that was killed counts as gone after a minute",
    )


def test_what_has_ended_is_not_kept_and_goes(scene: Scene) -> None:
    with Home.open(scene.copied().folder) as home:
        for now, worker in ((1000, "one"), (1061, "two")):
            Shift(Desk(home, lambda now=now: now), worker).begin()  # type: ignore[misc]
        assert [one.name for one in home.leases(0)] == ["worker/agent/two"]


# ---------------------------------------------------------------------- many games, real processes


@pytest.mark.soak
@pytest.mark.plan("C13")
@pytest.mark.timeout(7200)
def test_workers_that_are_killed_finish_all_games(tmp_path: Path, server: Server) -> None:
    """`kill -9` of a random one of three workers every few seconds, until every game is closed in all homes."""
    number = soak(20)
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

            until(done, crew, longest=60 + 30 * number)
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

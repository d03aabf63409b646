"""A database that goes away under a worker: nothing is lost or sent twice, and the worker goes on when it is back."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email import message_from_bytes
from pathlib import Path
from typing import Any

import pytest
from attacks.sides import pbem
from postgres_server import Server, running

from pbem.app.archive import archive
from pbem.app.demo import Seeded
from pbem.app.desk import Desk
from pbem.app.verify import verify
from pbem.errors import BadDisk, BadRequest
from pbem.mail.post.maildir import prepare
from pbem.service.agent import Agent, Duties, Round
from pbem.service.overdue import Policy
from pbem.service.record import sparing
from pbem.service.referee import Docket, reception
from pbem.store.database import Home, opened
from pbem.store.postgres.faults import lost
from service.court import DAY, JUDGE, in_play
from service.office import Office
from service.pair import Scene, Stage, Stopping, named, run
from service.test_workers import FEW, MANY, due, letters


@dataclass
class Counted:
    """Duties that count the rounds that came to their end."""

    inner: Duties
    rounds: int = 0

    def fulfil(self, read: bool) -> int:
        return self.inner.fulfil(read)

    def note(self, done: Round) -> None:
        self.inner.note(done)
        self.rounds += 1


@dataclass
class Worker:
    """A service that works on, round by round, at one home that is open all the time; `slept` are its seconds."""

    home: Home
    office: Office
    told: list[str] = field(default_factory=list)
    slept: list[float] = field(default_factory=list)
    on_sleep: Callable[[int], None] = lambda _: None

    def __post_init__(self) -> None:
        desk = Desk(self.home, lambda: self.office.now, Seeded(3, "first"))
        self.duties = Counted(Docket(desk, Policy(), "first", self.tell))
        visitors, box = reception(desk, self.tell), self.office.box(JUDGE)
        more: dict[str, Any] = {"duties": self.duties, "sleep": self._sleep}
        self.agent = Agent(desk, box, self.office, "first", self.tell, 3600, visitors, **more)
        self.agent.begin()

    def tell(self, what: str, /, **_: object) -> None:
        self.told.append(what)

    def work(self, rounds: int = 1) -> None:
        """Work until so many more rounds came to their end."""
        end = self.duties.rounds + rounds
        self.agent.run(lambda: self.duties.rounds >= end, 0)

    def _sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.on_sleep(len(self.slept))


def cut(url: str, connection: Any) -> None:
    """End a connection as a server does that is shut down, and wait until it has."""
    import psycopg

    with psycopg.connect(url, autocommit=True) as other:
        pid = connection.raw.info.backend_pid
        assert other.execute("SELECT pg_terminate_backend(%s, 10000)", (pid,)).fetchone() == (True,)


@dataclass
class Unanswered(Stopping):
    """The same, but what was stored behind a stop is not answered any more."""

    @contextmanager
    def writing(self, **how: Any) -> Iterator[None]:
        with super().writing(**how):
            yield
        if self.inner.raw.closed or cut_off(self.inner):
            raise lost("write to", self.inner.place)


def cut_off(connection: Any) -> bool:
    """Whether a connection has ended, heard of or not."""
    try:
        connection.rows("SELECT 1")
    except BadDisk:
        return True
    return False


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory, server: Server) -> Scene:
    """A full box, and a game in which the last reminder was sent two days ago; the judge hosts the games."""
    folder = tmp_path_factory.mktemp("away")
    run(server, "CREATE DATABASE away")
    named(server, folder / "referee", "away")
    court = in_play(folder, hosted=True)
    due(court)
    court.judge.round()
    court.later(2 * DAY)
    letters(court)
    return Scene(server, folder, "away", court.office)


@pytest.fixture(scope="module")
def alone(scene: Scene) -> dict[str, Any]:
    """What it comes to where nothing is cut off."""
    stage = scene.copied()
    stage.round("first")
    return stage.settled()


@pytest.mark.plan("C13")
@pytest.mark.parametrize("kind", [Stopping, Unanswered])
@pytest.mark.parametrize("stops", [FEW, MANY])
def test_a_connection_that_is_cut_anywhere_in_a_round(
    scene: Scene, alone: dict[str, Any], stops: range, kind: type[Stopping]
) -> None:
    """Before something is stored, behind that, and where nobody hears that it was: the same worker goes on.

    It is cut in the first of two rounds.
    """
    for number in stops:
        stage = scene.copied()
        reached, told = with_a_cut(scene, stage, number, kind)
        assert (told["away"], told["back"]) == (reached, reached), number
        assert {"failed", "broken", "poison", "alarm"}.isdisjoint(told), number
        assert (stage.settled(), stage.sent_again()) == (alone, 0), number
        if not reached:
            break
    assert number > 60


def with_a_cut(scene: Scene, stage: Stage, number: int, kind: type[Stopping]) -> tuple[bool, Counter[str]]:
    """Two rounds of a worker, cut at the stop of that number in the first; whether it came there, and what it told."""
    count, inner = 0, opened(stage.folder)

    def at() -> None:
        nonlocal count
        count += not worker.duties.rounds
        if count == number and not worker.duties.rounds:
            cut(scene.server.url, inner)

    with Home(stage.folder, inner) as home:
        worker = Worker(home, stage.office)
        home._connection = kind(inner, at)
        worker.work(2)
    return count >= number, Counter(worker.told)


@pytest.fixture(scope="module")
def own() -> Iterator[Server]:
    """A server of these tests alone, which they stop."""
    with running() as server:
        yield server


@pytest.mark.plan("C3", "C13")
def test_a_game_of_three_homes_through_restarts_of_the_server(tmp_path: Path, own: Server) -> None:
    """It goes on to the same archive in all of them; every mail has gone once."""
    named(own, tmp_path / "referee", "postgres")
    court, cuts, up = in_play(tmp_path, hosted=True), 0, True
    begun = court.judge.side.opened().campaign.place.step

    def start_again(_: int) -> None:
        nonlocal up
        if not up and len(worker.slept) >= before + 4:
            own.start()
            up = True

    with court.judge.desk() as desk:
        worker = Worker(desk.home, court.office, on_sleep=start_again)
        for number in range(14):
            for post in (court.german, court.polish):
                court.later(60)
                if number < 11:
                    post.side.decide()
                post.round()
            before = len(worker.slept)
            if number % 3 == 0 and number < 11:
                own.stop("immediate" if cuts % 2 else "fast")
                up, cuts = False, cuts + 1
            worker.work()
        told = Counter(worker.told)
        assert (cuts, told["away"], told["back"]) == (4, 4, 4)
        assert (desk.home.damages(), desk.home.mail_count().keys()) == ((), {"sent"})
        logs = [archive(desk, desk.home.games()[0].game_id)]
    for post in (court.german, court.polish):
        with post.side.desk() as there:
            logs.append(archive(there, there.home.games()[0].game_id))
    assert logs[0] == logs[1] == logs[2]
    verdict = verify(logs[0], court.german.side.opened().campaign.games)
    assert (verdict.steps > begun + 5, verdict.forks) == (True, [])
    ids = Counter(str(message_from_bytes(mail)["Message-ID"]) for _, _, mail in court.office.sent)
    assert set(ids.values()) == {1}
    assert worker.slept[:6] == [1] * 6


@pytest.fixture
def quiet_home(tmp_path: Path, own: Server) -> Iterator[Worker]:
    """A worker at a home without games."""
    run(own, "CREATE DATABASE quiet")
    folder = named(own, tmp_path / "home", "quiet")
    assert pbem(folder, "init", "--name", "Rita", "--address", JUDGE, "--no-passphrase").code == 0
    with Home.open(folder) as home:
        yield Worker(home, Office())
    run(own, "DROP DATABASE quiet WITH (FORCE)")


def test_it_is_looked_for_more_and_more_seldom_and_told_of_once(quiet_home: Worker, own: Server) -> None:
    own.stop()

    def start(count: int) -> None:
        if count == 1 + 2 + 4 + 8 + 16 + 32 + 60 + 60:
            own.start()

    quiet_home.on_sleep = start
    quiet_home.work()
    assert len(quiet_home.slept) == 1 + 2 + 4 + 8 + 16 + 32 + 60 + 60
    assert quiet_home.told == ["begun", "away", "back", "ended"]


def test_who_is_told_to_stop_meanwhile_stops(quiet_home: Worker, own: Server) -> None:
    own.stop()
    try:
        quiet_home.agent.run(lambda: len(quiet_home.slept) >= 2, 0)
    finally:
        own.start()
    assert quiet_home.told == ["begun", "away", "ended"]


def test_a_home_that_was_moved_meanwhile_ends_the_work(quiet_home: Worker, own: Server, tmp_path: Path) -> None:
    own.stop()

    def start(_: int) -> None:
        own.start()
        shutil.copytree(quiet_home.home.folder, tmp_path / "elsewhere")
        assert pbem(tmp_path / "elsewhere", "migrate", "--to-sqlite").code == 0

    quiet_home.on_sleep = start
    with pytest.raises(BadRequest) as caught:
        quiet_home.work()
    assert caught.value.code == "home.moved"


def test_one_round_and_the_health_say_so_in_a_line_with_a_hint(quiet_home: Worker, own: Server) -> None:
    folder = quiet_home.home.folder
    ways = [f"maildir:{folder.parent / name}" for name in ("in", "out")]
    for way in ways:
        prepare(Path(way.partition(":")[2]))
    once = ("serve", "--in", ways[0], "--out", ways[1], "--once")
    own.stop()
    try:
        away = [pbem(folder, *command) for command in (once, ("serve", "--health"))]
        with pytest.raises(BadDisk) as caught:
            quiet_home.agent.once()
    finally:
        own.start()
    for one in away:
        line, hint = one.err.splitlines()
        assert (one.code, one.out, hint) == (1, "", "hint: check the URL and whether it runs")
        assert line.startswith("database.unreachable: expected to open 'postgresql://")
    assert (caught.value.code, caught.value.hint) == (
        "database.lost",
        "a change that was under way is stored whole or not at all; give the command again when the server is there",
    )
    assert pbem(folder, *once).code == 0
    assert pbem(folder, "serve", "--health").out == "well\n"


def test_what_went_wrong_is_among_the_faults_that_cron_mails(capsys: pytest.CaptureFixture[str]) -> None:
    sparing(lambda: 0)("away", code="database.lost", text="expected it")
    assert capsys.readouterr().err == '1970-01-01T00:00:00Z away code=database.lost text="expected it"\n'

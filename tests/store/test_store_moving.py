"""A home that moves between SQLite and PostgreSQL, and is never in use in both (`pbem.store.moving`)."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from conftest import fill, name_database
from postgres_server import Server
from samples import GAME, event

from pbem.errors import BadDisk, BadRequest
from pbem.store import Draft, Home, Snapshot, Status, StoredLetter, StoredRefusal
from pbem.store.copying import check_same, copy_rows
from pbem.store.database import opened
from pbem.store.folder import MOVED, mark
from pbem.store.moving import Target, move, move_to
from pbem.store.port import Connection
from pbem.store.postgres.moving import ToPostgres
from pbem.store.sqlite.moving import ToSqlite


def filled(folder: Path) -> Path:
    """A home with something in every table."""
    with Home.open(folder) as home:
        with home.writing() as writer:
            for step in (3, 1, 2):
                writer.append(**event(step))
                writer.append(**event(step, "polish"))
            writer.append(**event(1, note="changed my mind"))
            writer.refuse(StoredRefusal(GAME, "e", "combat.out_of_range", "too far", 5, b"line"))
            writer.put_draft(Draft(GAME, "orders", "Mława"))
            writer.put_snapshot(Snapshot(GAME, 9, "head", b"state"))
            writer.put_status(Status(GAME, "head", b"{}"))
            writer.put_secret("identity", bytes(range(256)))
            writer.put_meta("vault", b"header")
        with home.queueing() as queue:
            queue.note_letter(StoredLetter("0f" * 32, 90, 100, "taken", "anna@example.org", GAME))
            for number in range(3):
                queue.post(
                    message_id=str(number), game_id=GAME, receivers=["a@b"], sender="c@d", mail=b"m", created=9 - number
                )
            queue.lease_mail("a", 10, 60)
            queue.set_deadline(GAME, 3, "due", 100)
            queue.take_lease("service", "a", 10, 60)
    return folder


def told(home: Home) -> tuple[Any, ...]:
    """All that a home has."""
    game = (home.games(), home.events(GAME), home.refusals(GAME), home.drafts(GAME), home.snapshots(GAME))
    service = (home.mails("pending"), home.mails("sending"), home.deadlines(GAME), home.lease("service"))
    return *game, home.status(GAME), home.secret("identity"), home.meta("vault"), *service, home.letter("0f" * 32)


def schema_of(folder: Path, server: Server) -> tuple[str, str]:
    """The URL and a fresh schema for a home."""
    name = f"moved_{abs(hash(folder)) % 10**12}"
    return server.url, name


@pytest.fixture
def full(folder: Path) -> Path:
    return filled(folder)


def test_a_home_goes_to_postgres_and_back_with_every_row(full: Path, server: Server) -> None:
    with Home.open(full) as home:
        before, rows = told(home), 9 + 7
    url, schema = schema_of(full, server)
    there = move(full, url, schema)
    assert (there.games, there.old, there.new) == (1, str(full / "home.sqlite"), f"{url}#{schema}")
    assert there.rows > rows
    with Home.open(full) as home:
        assert (told(home), home.damages(), home._connection.place) == (before, (), f"{url}#{schema}")
        with home.writing(GAME) as writer:
            writer.append(**event(4))
        after = told(home)
    back = move(full)
    assert (back.rows, back.old, back.new) == (there.rows + 1, there.new, there.old)
    with Home.open(full) as home:
        assert (told(home), home.damages()) == (after, ())
    assert sorted(path.name for path in full.iterdir()) == [
        "database.toml.moved",
        "home.sqlite",
        "home.sqlite.moved",
    ]


def test_the_old_home_is_left_as_it_was_and_is_not_played_on(full: Path, server: Server) -> None:
    url, schema = schema_of(full, server)
    with Home.open(full) as still_open:
        before = told(still_open)
        move(full, url, schema)
        with pytest.raises(BadRequest) as writing, still_open.writing(GAME):
            pass
        with pytest.raises(BadRequest) as queueing, still_open.queueing():
            pass
        assert told(still_open) == before
    (full / "database.toml").unlink()
    with pytest.raises(BadRequest) as opening:
        Home.open(full)
    assert writing.value.text == queueing.value.text == opening.value.text
    assert (opening.value.code, opening.value.text, opening.value.hint) == (
        "home.moved",
        f"expected a home that is in use, got '{full / 'home.sqlite'}', which was moved to '{url}#{schema}'",
        "the home goes on there and must not be used in two places; `pbem migrate` ends a move that was cut off",
    )


@dataclass(frozen=True)
class Dying:
    """A target at which the process dies: before the first call of that name, or behind it."""

    target: Target
    call: str
    after: bool
    left: list[int]

    @property
    def place(self) -> str:
        return self.target.place

    def _through(self, name: str, call: Callable[[], Any]) -> Any:
        if name == self.call:
            self.left[0] -= 1
            if self.left[0] == 0:
                if self.after:
                    call()
                raise KeyboardInterrupt
        return call()

    def clear(self, source: str) -> None:
        self._through("clear", lambda: self.target.clear(source))

    def make(self, fill: Callable[[Connection], None]) -> None:
        self._through("make", lambda: self.target.make(fill))

    def open(self) -> Connection:
        connection: Connection = self._through("open", self.target.open)
        return connection

    def name(self) -> None:
        self._through("name", self.target.name)


def in_use(connect: Callable[[], Connection]) -> bool:
    """Whether a database is there and has no mark."""
    with suppress(BadRequest), closing(connect()) as connection:
        return not mark(connection, MOVED) and not mark(connection, "arriving")
    return False


@pytest.mark.plan("C2")
@pytest.mark.parametrize("direction", ["to postgres", "to sqlite"])
@pytest.mark.parametrize(
    ("call", "number", "after"),
    [
        ("clear", 1, False),
        ("make", 1, False),
        ("make", 1, True),
        ("open", 1, False),
        ("open", 2, False),
        ("name", 1, False),
        ("name", 1, True),
    ],
)
def test_a_move_that_is_cut_off_leaves_at_most_one_home_in_use_and_can_be_ended(
    tmp_path: Path, server: Server, direction: str, call: str, number: int, after: bool
) -> None:
    url, schema = schema_of(tmp_path, server)
    if direction == "to postgres":
        folder = filled(fill(tmp_path / "home"))
        target: Target = ToPostgres.at(folder, url, schema)
        again: tuple[str, ...] = (url, schema)
    else:
        folder = filled(fill(name_database(tmp_path / "home", server)))
        target, again = ToSqlite(folder), ()
    with Home.open(folder) as home:
        before = told(home)
    source = opened(folder)
    with pytest.raises(KeyboardInterrupt):
        move_to(folder, Dying(target, call, after, [number]))
    used = [in_use(target.open), not mark(source, MOVED)]
    assert used in ([False, True], [False, False], [True, False])
    assert used[1] == (call in ("clear", "make") or (call, number) == ("open", 1))
    source.close()
    if not (call == "name" and after):
        move(folder, *again)
    with Home.open(folder) as home:
        assert (told(home), home._connection.place) == (before, target.place)


def test_a_home_is_not_moved_over_another_one(full: Path, tmp_path: Path, server: Server) -> None:
    url, schema = schema_of(full, server)
    fill(name_database(tmp_path / "other", server, schema))
    with pytest.raises(BadRequest) as caught:
        move(full, url, schema)
    assert (caught.value.code, caught.value.text, caught.value.hint) == (
        "home.exists",
        f"expected a schema without tables, got one with them in '{url}#{schema}'",
        "use it as it is, or name another schema in database.toml",
    )
    with Home.open(full) as home, home.writing(GAME) as writer:
        writer.append(**event(9))


def test_a_file_in_use_is_not_put_aside(there: Path, tmp_path: Path) -> None:
    fill(tmp_path / "other")
    (tmp_path / "other" / "home.sqlite").rename(there / "home.sqlite")
    with pytest.raises(BadRequest) as caught:
        move(there)
    with Home.open(there) as home:
        assert (caught.value.code, len(home.games())) == ("home.exists", 1)


@pytest.mark.parametrize("kept", ["SQLite", "PostgreSQL"])
def test_a_home_that_is_there_already_stays(folder: Path, there: Path, server: Server, kept: str) -> None:
    place, arguments = (folder, ()) if kept == "SQLite" else (there, (server.url, "x"))
    with pytest.raises(BadRequest) as caught:
        move(place, *arguments)
    assert (caught.value.code, caught.value.text, caught.value.hint) == (
        "migrate.there",
        f"expected a home that is not kept in {kept}, got one that is, in {str(place)!r}",
        "it is there already: `pbem status` says what to do now",
    )


def test_a_damaged_home_is_not_moved(full: Path, server: Server) -> None:
    with Home.open(full) as home:
        home._connection.run("UPDATE drafts SET text = 'x'")  # type: ignore[attr-defined]
    with pytest.raises(BadDisk) as caught:
        move(full, *schema_of(full, server))
    with Home.open(full) as home:
        (damage,) = home.damages()
    assert damage == f"a row of 'drafts' is not what was written: name 'orders', game '{GAME}'"
    assert caught.value.text == f"expected an undamaged database '{full / 'home.sqlite'}', but {damage}"


@pytest.mark.parametrize(
    ("loss", "copied"),
    [
        ("DELETE FROM secrets", "1 row of 'secrets' was copied and 0 are there, or others"),
        ("DELETE FROM letters", "1 row of 'letters' was copied and 0 are there, or others"),
        (
            "UPDATE outbox SET sent = 7 WHERE message_id = '1'",
            "3 rows of 'outbox' were copied and 3 are there, or others",
        ),
        ("UPDATE snapshots SET state = 'x'", "1 row of 'snapshots' was copied and 1 is there, or others"),
        ("DELETE FROM meta WHERE key = 'vault'", "1 row of 'meta' was copied and 0 are there, or others"),
    ],
)
def test_a_row_that_is_lost_on_the_way_is_noticed(full: Path, server: Server, loss: str, copied: str) -> None:
    target = ToPostgres.at(full, *schema_of(full, server))
    with closing(opened(full)) as source:
        target.make(lambda connection: copy_rows(source, connection))
        with closing(target.open()) as there:
            assert check_same(source, there) > 16
            with there.writing():
                there.change(loss)
            with pytest.raises(BadDisk) as caught:
                check_same(source, there)
    assert caught.value.text == (f"expected an undamaged database '{target.place}', but {copied}")

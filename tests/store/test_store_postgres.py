"""A home in PostgreSQL: its address, its settings, its locks, and a server that goes away (`pbem.store.postgres`)."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from conftest import fill, integrity_errors, name_database
from postgres_server import Server, running
from samples import GAME, SECOND, event

from pbem.errors import BadDisk, BadRequest, PbemError
from pbem.store import Agenda, Appended, Home, Status, StoredGame, StoredLetter, StoredRefusal
from pbem.store.copying import check_same
from pbem.store.folder import holds_home
from pbem.store.postgres.address import Address, read_address
from pbem.store.postgres.connection import Connection, check_version
from pbem.store.postgres.schema import schema_digest, seal_schema

CHILDREN = str(Path(__file__).parent / "children.py")


@pytest.fixture
def address(there: Path) -> Address:
    return read_address(there / "database.toml")


@contextmanager
def raw(address: Address) -> Iterator[Any]:
    """The database as any other program opens it."""
    import psycopg

    with psycopg.connect(address.url, autocommit=True) as connection:
        connection.execute(f"SET search_path = {address.schema}")
        yield connection


@contextmanager
def two(folder: Path) -> Iterator[tuple[Home, Home]]:
    """A home with two games, open twice; the second one does not wait for long."""
    with Home.open(folder) as first, Home.open(folder, patience_ms=50) as second:
        with first.writing() as writer:
            writer.add_game(StoredGame(SECOND, "Spring", "westerplatte/1", "polish", 50))
        yield first, second


def append(home: Home, game_id: str, step: int) -> Appended:
    with home.writing(game_id) as writer:
        return writer.append(**event(step, game_id=game_id, note=game_id))


def said(error: PbemError) -> tuple[str, str, str]:
    return error.code, error.text, error.hint


def test_a_folder_with_the_name_of_a_database_is_a_home(there: Path) -> None:
    assert (holds_home(there), sorted(path.name for path in there.iterdir())) == (True, ["database.toml"])


def test_a_home_that_is_named_but_not_made_says_what_to_do(tmp_path: Path, server: Server) -> None:
    folder = name_database(tmp_path / "home", server, "nothing_here")
    with pytest.raises(BadRequest) as caught:
        Home.open(folder)
    assert said(caught.value) == (
        "home.missing",
        f"expected a home in '{server.url}#nothing_here', got none",
        "make one with `pbem init`, or set PBEM_HOME",
    )


def test_two_homes_in_one_database_do_not_know_each_other(there: Path, tmp_path: Path, server: Server) -> None:
    other = fill(name_database(tmp_path / "other", server))
    with Home.open(there) as first, Home.open(other, patience_ms=50) as second:
        append(first, GAME, 0)
        with first.writing():
            append(second, GAME, 7)
        assert [[one.step for one in home.events(GAME)] for home in (first, second)] == [[0], [7]]


def test_a_server_that_is_not_there_is_named(tmp_path: Path) -> None:
    (tmp_path / "database.toml").write_text(f'url = "postgresql://pbem@/postgres?host={tmp_path}"')
    with pytest.raises(BadDisk) as caught:
        Home.open(tmp_path)
    assert (caught.value.code, caught.value.hint) == ("database.unreachable", "check the URL and whether it runs")
    assert caught.value.text.startswith(
        f"expected to open 'postgresql://pbem@/postgres?host={tmp_path}#pbem', but no server answered there: "
    )
    assert "\n" not in caught.value.text


def test_a_user_who_is_not_let_in_is_told(tmp_path: Path, server: Server) -> None:
    (tmp_path / "database.toml").write_text(f'url = "postgresql://nobody_here@/postgres?host={server.folder}"')
    with pytest.raises(BadDisk) as caught:
        Home.open(tmp_path)
    assert caught.value.code == "database.refused"


def test_without_the_driver_it_is_said_what_to_install(there: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(BadRequest) as caught:
        Home.open(there)
    assert said(caught.value) == (
        "database.no_driver",
        "expected the package psycopg for a home in PostgreSQL, got none",
        "install it: `pip install 'pbem[postgres]'`",
    )


@pytest.mark.plan("C6")
def test_what_was_stored_is_on_the_disk_or_the_start_stops(address: Address) -> None:
    with closing(Connection(address)) as connection:
        held = [connection.rows(f"SHOW {name}")[0][0] for name in ("synchronous_commit", "fsync", "lock_timeout")]
    assert held == ["on", "on", "5s"]
    with pytest.raises(BadDisk) as caught:
        Connection(address, wanted=(("synchronous_commit", "on"), ("fsync", "off")))
    assert said(caught.value) == (
        "database.setting_refused",
        f"expected PostgreSQL to have fsync = off in {address.place!r}, got on",
        "without it, what was stored may be lost: have it set on the server",
    )


@pytest.mark.plan("C6")
def test_a_server_that_does_not_sync_is_refused(tmp_path: Path, server: Server) -> None:
    folder = fill(name_database(tmp_path / "home", server))
    server.stop()
    server.start("fsync=off")
    try:
        with pytest.raises(BadDisk) as caught:
            Home.open(folder)
    finally:
        server.stop()
        server.start()
    place = read_address(folder / "database.toml").place
    assert caught.value.text == f"expected PostgreSQL to have fsync = on in {place!r}, got off"


def test_a_server_that_says_nothing_any_more_is_given_up(address: Address) -> None:
    """After a minute, unless the URL has it otherwise; by default a machine waits for hours."""
    with closing(Connection(Address(f"{address.url}&keepalives_idle=99", address.schema))) as connection:
        found = connection.raw.info.get_parameters()
    assert [found[name] for name in ("keepalives_idle", "keepalives_interval", "keepalives_count")] == ["99", "10", "3"]
    assert found["tcp_user_timeout"] == "60000"


def test_an_old_server_is_refused() -> None:
    with pytest.raises(BadDisk) as caught:
        check_version(120011, "postgresql:///pbem#pbem")
    assert said(caught.value) == (
        "database.too_old",
        "expected PostgreSQL 13 or later in 'postgresql:///pbem#pbem', got 12",
        "use a newer server",
    )
    check_version(130000, "")


@pytest.mark.plan("A20")
@pytest.mark.parametrize("table", ["games", "events", "refused"])
@pytest.mark.parametrize(
    "attack",
    [
        "UPDATE {0} SET game_id = 'x'",
        "DELETE FROM {0}",
        "TRUNCATE {0} CASCADE",
        "INSERT INTO {0} SELECT * FROM {0} ON CONFLICT ({1}) DO UPDATE SET digest = '\\x00'",
    ],
)
def test_an_append_only_table_forbids_change_to_every_program(
    there: Path, address: Address, table: str, attack: str
) -> None:
    with Home.open(there) as home, home.writing() as writer:
        writer.append(**event(0))
        writer.refuse(StoredRefusal(GAME, "e", "combat.out_of_range", "too far", 5, b"line"))
    key = "game_id" if table == "games" else "game_id, event_id"
    with raw(address) as connection, pytest.raises(integrity_errors(), match="is append-only"):
        connection.execute(attack.format(table, key))
    with Home.open(there) as home:
        assert (len(home.games()), len(home.events(GAME)), len(home.refusals(GAME)), home.damages()) == (1, 1, 1, ())


@pytest.mark.parametrize(
    "change",
    [
        "DROP TRIGGER events_no_change ON events",
        "ALTER TABLE events DISABLE TRIGGER events_no_change",
        "CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN OLD; END'",
        "ALTER TABLE events ALTER COLUMN line DROP NOT NULL",
        "DROP INDEX deadlines_state_due",
    ],
)
def test_a_schema_that_was_changed_is_noticed(there: Path, address: Address, change: str) -> None:
    with raw(address) as connection:
        connection.execute(change)
    with pytest.raises(BadDisk) as caught:
        Home.open(there)
    assert caught.value.text == (
        f"expected an undamaged database {address.place!r}, but its tables or triggers are not those that were made"
    )


def test_a_newer_home_names_both_schemas(there: Path, address: Address) -> None:
    with raw(address) as connection:
        connection.execute("UPDATE meta SET value = '7' WHERE key = 'version'")
    with pytest.raises(BadRequest) as caught:
        Home.open(there)
    assert caught.value.text == f"expected a home of schema 3 or older, got schema 7 in {address.place!r}"


def test_a_home_of_the_second_version_is_brought_up_to_date(there: Path, address: Address) -> None:
    with Home.open(there) as home, home.writing() as writer:
        writer.put_status(Status(GAME, "head", b'{"role":"german","judge":null,"given":false,"opponents":[]}'))
    with closing(Connection(address)) as connection:
        made = schema_digest(connection)
        with connection.writing():
            for table in ("seats", "agenda"):
                connection.change(f"DROP TABLE {table}")
            seal_schema(connection, 2)
    with Home.open(there) as home:
        assert (home.to_look_at("post", 0), home.damages()) == ((Agenda(GAME),), ())
    with closing(Connection(address)) as connection:
        assert schema_digest(connection) == made


@pytest.mark.parametrize("change", ["DELETE FROM meta WHERE key = 'version'", "UPDATE meta SET value = 'x'"])
def test_tables_without_a_version_are_no_home(there: Path, address: Address, change: str) -> None:
    with raw(address) as connection:
        connection.execute(change)
    with pytest.raises(BadDisk) as caught:
        Home.open(there)
    assert said(caught.value) == (
        "database.damaged",
        f"expected an undamaged database {address.place!r}, but it is not marked as a home of pbem",
        "keep a copy of it as it is, and restore the home from a backup or an archive",
    )


@pytest.mark.plan("C11")
@pytest.mark.parametrize(
    ("loss", "text"),
    [
        (
            "DELETE FROM events WHERE step = 9",
            f"10 rows were written for 'events {GAME}' and 9 are there, or in another order",
        ),
        ("DELETE FROM tallies", "0 rows were written for 'games' and 1 is there, or in another order"),
        (
            "UPDATE events SET rowid = 1000 WHERE step = 3",
            f"10 rows were written for 'events {GAME}' and 10 are there, or in another order",
        ),
        (
            "UPDATE events SET line = 'x' WHERE step = 3",
            f"a row of 'events' is not what was written: event '{event(3, note=GAME)['event_id']}', game '{GAME}'",
        ),
    ],
)
def test_a_row_that_is_missing_moved_or_changed_is_noticed(there: Path, address: Address, loss: str, text: str) -> None:
    with Home.open(there) as home:
        for step in range(10):
            append(home, GAME, step)
        with raw(address) as connection:
            connection.execute("SET session_replication_role = replica")  # no trigger runs
            connection.execute(loss)
        assert home.damages() == (text,)


@pytest.mark.plan("C5")
def test_workers_at_two_games_do_not_wait_for_each_other_and_at_one_they_do(there: Path) -> None:
    with two(there) as (first, second), first.writing(GAME) as writer:
        writer.append(**event(0))
        assert append(second, SECOND, 0) is Appended.NEW
        with second.queueing() as queue:
            assert queue.take_lease("x", "second", 1, 1)
        with pytest.raises(BadDisk) as game:
            append(second, GAME, 1)
        with pytest.raises(BadDisk) as whole, second.writing():
            pass
    assert said(game.value) == said(whole.value)
    place = read_address(there / "database.toml").place
    assert said(game.value)[:2] == (
        "database.locked",
        f"expected to read {place!r}, but another program has held it for too long",
    )


@pytest.mark.plan("C5")
def test_whoever_has_the_whole_home_has_it_alone(there: Path) -> None:
    with two(there) as (first, second):
        with first.writing():
            with pytest.raises(BadDisk) as caught:
                append(second, GAME, 0)
            with pytest.raises(BadDisk), second.queueing():
                pass
        assert (caught.value.code, append(second, GAME, 0)) == ("database.locked", Appended.NEW)


def test_workers_take_different_mails_at_the_same_moment(there: Path) -> None:
    with two(there) as (first, second):
        with first.queueing() as queue:
            for number, game_id in enumerate((GAME, GAME, SECOND)):
                address = {"receivers": ["a@b"], "sender": "c@d", "mail": b"mail"}
                queue.post(message_id=str(number), game_id=game_id, created=number, **address)  # type: ignore[arg-type]
            queue.set_deadline(GAME, 1, "due", 1)
            queue.set_deadline(SECOND, 1, "due", 2)
        with first.queueing() as one, second.queueing() as other:
            mails = [queue.lease_mail("w", 10, 60) for queue in (one, other, other)]
            dues = [len(queue.lease_due("w", 10, 60, at_most)) for queue, at_most in ((one, 1), (other, 9))]
        assert ([mail.message_id if mail else "" for mail in mails], dues) == (["0", "2", ""], [1, 1])


@pytest.mark.plan("C10")
@pytest.mark.parametrize("stored", [True, False])
def test_of_two_workers_with_one_mail_the_second_waits_for_what_becomes_of_the_first(there: Path, stored: bool) -> None:
    """It is told that the mail is handled when the first one has stored that, and handles it when that one failed."""
    letter = StoredLetter("0f" * 32, 90, 100, "taken", "anna@example.org", "")
    told: list[bool] = []

    def second() -> None:
        with Home.open(there) as home, home.queueing() as queue:
            told.append(queue.note_letter(letter))

    other = Thread(target=second)
    with suppress(KeyError), Home.open(there) as first, first.queueing() as queue:
        assert queue.note_letter(letter)
        other.start()
        while not first._connection.rows("SELECT 1 FROM pg_locks WHERE NOT granted"):
            assert other.is_alive()
        if not stored:
            raise KeyError
    other.join()
    assert told == [not stored]


@pytest.mark.plan("C15")
@pytest.mark.timeout(60)
def test_no_event_is_skipped_by_who_reads_while_others_write(there: Path) -> None:
    """What a reader has seen of a game is the beginning of what it sees later: no event comes before one seen."""
    children = [
        subprocess.Popen([sys.executable, CHILDREN, "append_chain", str(there), str(number)], stdout=subprocess.PIPE)
        for number in range(4)
    ]
    for child in children:
        assert child.stdout is not None
        assert child.stdout.readline() == b"ready\n"
    (there / "whistle").touch()
    seen: list[tuple[int, str]] = []
    looks = 0
    with Home.open(there) as home:
        while len(seen) < 4 * 50:
            running_still = any(child.poll() is None for child in children)
            numbered = home._connection.rows(
                "SELECT rowid, event_id FROM events WHERE game_id = ? ORDER BY rowid", GAME
            )
            assert numbered[: len(seen)] == seen
            assert [number for number, _ in numbered] == list(range(1, len(numbered) + 1))
            assert running_still or len(numbered) == 4 * 50
            looks += len(numbered) > len(seen)
            seen = numbered
            assert len(home.events(GAME)) >= len(seen)
        assert ([child.wait() for child in children], home.damages()) == ([0] * 4, ())
    assert looks > 5


def test_a_statement_that_failed_takes_its_transaction_with_it(there: Path) -> None:
    """Even where the error is swallowed: PostgreSQL answers to COMMIT with ROLLBACK, and says nothing else."""
    with Home.open(there) as home:
        with pytest.raises(RuntimeError), home.writing() as writer:
            swallow(writer)
        assert (home.events(GAME), append(home, GAME, 0)) == ((), Appended.NEW)


def swallow(writer: Any) -> None:
    writer.append(**event(0))
    with pytest.raises(integrity_errors()):
        writer.append(**event(0, game_id="ef" * 32))


def test_text_that_the_database_cannot_hold_is_refused(there: Path) -> None:
    with Home.open(there) as home:
        with pytest.raises(BadRequest) as caught, home.writing() as writer:
            writer.refuse(StoredRefusal(GAME, "e", "code", "a\0b", 5, b"line"))
        assert said(caught.value) == (
            "database.nul",
            "expected text without NUL characters, got one in it",
            "take it out",
        )


def test_a_connection_that_is_lost_is_one_line(there: Path, address: Address) -> None:
    with Home.open(there) as home:
        with raw(address) as connection:
            connection.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'pbem'")
        errors = []
        for _ in range(2):
            with pytest.raises(BadDisk) as caught:
                append(home, GAME, 0)
            errors.append(said(caught.value))
        with pytest.raises(BadDisk) as reading:
            home.games()
    assert errors[0] == errors[1]
    assert said(reading.value)[:2] == (
        "database.lost",
        f"expected to read {address.place!r}, but the connection to the server was lost",
    )
    with Home.open(there) as home:
        assert append(home, GAME, 0) is Appended.NEW


@pytest.mark.plan("C1", "C3")
def test_nothing_acknowledged_is_lost_when_the_server_dies(tmp_path: Path) -> None:
    """Killed as by a power cut, as far as it can tell; each worker hears of it in one line."""
    with running() as server:
        folder = fill(name_database(tmp_path / "home", server))
        child = subprocess.Popen(
            [sys.executable, CHILDREN, "append_on", str(folder)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,  # a line that is read ahead would be lost to `communicate`
        )
        assert child.stdout is not None
        acknowledged = [child.stdout.readline().decode().strip() for _ in range(30)]
        server.stop("immediate")
        out, err = child.communicate()
        acknowledged += out.decode().split()
        server.start()
        with Home.open(folder) as home:
            stored = [one.event_id for one in home.events(GAME)]
            assert (stored[: len(acknowledged)], home.damages()) == (acknowledged, ())
    assert len(stored) - len(acknowledged) <= 1
    assert b"StoreFault: database.lost: expected to " in err


def test_an_image_of_a_home_is_a_home_in_sqlite(there: Path, tmp_path: Path) -> None:
    with Home.open(there) as home:
        for step in (2, 0, 1):
            append(home, GAME, step)
        image = home.image()
        with Home.restore(tmp_path / "restored", [image], lambda _: None, "backup") as restored:
            assert (restored.events(GAME), restored.damages()) == (home.events(GAME), ())
            assert check_same(home._connection, restored._connection) > 4

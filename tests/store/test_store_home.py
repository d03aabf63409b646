"""A home in SQLite: its file, its settings, its triggers and its migrations (`pbem.store.sqlite`)."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from samples import GAME, event

from pbem.errors import BadDisk, BadRequest
from pbem.store import Agenda, Appended, Home, StoredEvent, StoredRefusal, Writer
from pbem.store.sqlite import schema
from pbem.store.sqlite.connection import SETTINGS, Connection

OLD_HOMES = Path(__file__).parents[2] / "fixtures" / "store"


def raw(folder: Path) -> closing[sqlite3.Connection]:
    """The database as any other program opens it."""
    return closing(sqlite3.connect(folder / "home.sqlite", isolation_level=None))


def append(home: Home, one: dict[str, object]) -> Appended:
    with home.writing() as writer:
        return writer.append(**one)  # type: ignore[arg-type]


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


def test_a_home_is_private(folder: Path) -> None:
    with Home.open(folder) as home:
        append(home, event(0))
        files = {path.name: mode(path) for path in folder.iterdir()}
    assert (mode(folder), files) == (
        0o700,
        {"home.sqlite": 0o600, "home.sqlite-shm": 0o600, "home.sqlite-wal": 0o600},
    )


def test_a_database_that_others_may_read_is_narrowed(folder: Path) -> None:
    (folder / "home.sqlite").chmod(0o644)
    Home.open(folder).close()
    assert mode(folder / "home.sqlite") == 0o600


def test_a_closed_home_is_one_file(folder: Path) -> None:
    assert [path.name for path in folder.iterdir()] == ["home.sqlite"]


def test_a_second_home_in_one_folder_is_refused(folder: Path) -> None:
    before = (folder / "home.sqlite").read_bytes()
    with pytest.raises(BadRequest) as caught:
        Home.create(folder)
    assert (caught.value.code, caught.value.text, caught.value.hint) == (
        "home.exists",
        f"expected a folder without a home, got one in {str(folder)!r}",
        "use it as it is, or set PBEM_HOME to another folder",
    )
    assert ((folder / "home.sqlite").read_bytes(), len(list(folder.iterdir()))) == (before, 1)


def test_a_folder_without_a_home_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(BadRequest) as caught:
        Home.open(tmp_path / "none")
    assert (caught.value.text, caught.value.hint) == (
        f"expected a home in {str(tmp_path / 'none')!r}, got none",
        "make one with `pbem init`, or set PBEM_HOME",
    )


def test_a_newer_database_names_both_schemas(folder: Path) -> None:
    with raw(folder) as connection:
        connection.execute("PRAGMA user_version = 7")
    with pytest.raises(BadRequest) as caught:
        Home.open(folder)
    assert (caught.value.code, caught.value.text, caught.value.hint) == (
        "home.newer",
        f"expected a home of schema 3 or older, got schema 7 in {str(folder / 'home.sqlite')!r}",
        "this home was used with a newer pbem: install that (`pip install --upgrade pbem`)",
    )


def test_a_migration_goes_version_by_version(folder: Path) -> None:
    steps = {3: lambda c: c.execute("CREATE TABLE two (x)"), 4: lambda c: c.execute("ALTER TABLE two ADD COLUMN y")}
    with raw(folder) as connection:
        schema.migrate(connection, 5, steps)  # type: ignore[arg-type]
        assert connection.execute("SELECT name FROM pragma_table_info('two')").fetchall() == [("x",), ("y",)]
        assert connection.execute("PRAGMA user_version").fetchone() == (5,)


def old_home(folder: Path, version: int) -> Path:
    """A home as a version of the schema made it, with something in every table."""
    folder.mkdir(0o700)
    with raw(folder) as connection:
        connection.executescript((OLD_HOMES / f"home-version-{version}.sql").read_text())
    return folder


@pytest.fixture
def version_1(tmp_path: Path) -> Path:
    return old_home(tmp_path / "old", 1)


@pytest.fixture
def version_2(tmp_path: Path) -> Path:
    return old_home(tmp_path / "old", 2)


def test_a_home_of_the_first_version_is_brought_up_to_date_and_loses_nothing(version_1: Path) -> None:
    with Home.open(version_1) as home:
        assert ([one.step for one in home.events(GAME)], home.damages()) == ([0, 0, 1, 1, 1, 2, 2, 2], ())
        assert home.events(GAME)[0] == StoredEvent(kind_class="log", place=0, **event(0))
        assert (home.draft(GAME, "orders"), home.refusals(GAME)[0].code) == ("move Mława", "combat.out_of_range")
        assert (home.secret("identity"), home.meta("vault")) == (b"ciphertext", b"header")
        with home.writing() as writer:
            assert writer.set_deadline(GAME, 3, "due", 100)
    with Home.open(version_1) as home:
        assert [one.due for one in home.deadlines(GAME)] == [100]


def test_every_game_of_a_home_of_the_second_version_is_looked_at_and_its_seats_are_known(version_2: Path) -> None:
    with Home.open(version_2) as home:
        assert (len(home.events(GAME)), home.damages(), home.mail_count()) == (7, (), {"pending": 2, "sending": 1})
        assert home.to_look_at("post", 0) == home.to_look_at("watch", 0) == (Agenda(GAME, standing="running"),)
        assert [game.name for game in home.games_with("anna@example.org")] == ["Fall"]
        image = home.image()
    with Home.restore(version_2.parent / "restored", [image], lambda _: None, "backup") as home:
        assert home.standings() == {"running": 1}


def test_a_migrated_home_has_the_tables_of_a_new_one(version_1: Path, tmp_path: Path) -> None:
    with Home.open(version_1) as home:
        image = home.image()
    with Home.restore(tmp_path / "restored", [image], lambda _: None, "backup") as home:
        assert len(home.events(GAME)) == 8


def test_an_image_of_the_first_version_can_be_restored(version_1: Path, tmp_path: Path) -> None:
    image = (version_1 / "home.sqlite").read_bytes()
    with Home.restore(tmp_path / "restored", [image], lambda _: None, "backup") as home:
        assert (len(home.events(GAME)), home.mail_count()) == (8, {})


def test_a_dropped_trigger_is_noticed(folder: Path) -> None:
    with raw(folder) as connection:
        connection.execute("DROP TRIGGER events_no_delete")
    with pytest.raises(BadDisk) as caught:
        Home.open(folder)
    assert caught.value.text == (
        f"expected an undamaged database {str(folder / 'home.sqlite')!r}, "
        "but its tables or triggers are not those that were made"
    )


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (b"", "expected an undamaged database {!r}, but it is not marked as a home of pbem"),
        (b"no database at all" * 400, "expected to read {!r}, but it is damaged or is no pbem database"),
    ],
)
def test_a_file_that_is_no_home_is_named(folder: Path, content: bytes, text: str) -> None:
    (folder / "home.sqlite").write_bytes(content)
    with pytest.raises(BadDisk) as caught:
        Home.open(folder)
    assert (caught.value.code, caught.value.text) == (
        "database.damaged",
        text.format(str(folder / "home.sqlite")),
    )


def test_an_image_with_a_trigger_of_somebodys_own_is_not_restored(folder: Path, tmp_path: Path) -> None:
    """It would run with every later change; the image says itself that this is the schema that was made."""
    with raw(folder) as connection:
        connection.execute("CREATE TRIGGER spy AFTER INSERT ON events BEGIN DELETE FROM drafts; END")
        digest = schema.schema_digest(connection)
        connection.execute("UPDATE meta SET value = ? WHERE key = 'schema'", (digest,))
    with pytest.raises(BadDisk) as caught:
        Home.restore(tmp_path / "restored", [(folder / "home.sqlite").read_bytes()], lambda _: None, "backup")
    assert caught.value.text == (
        f"expected an undamaged database '{tmp_path / 'restored' / 'home.sqlite'}', but its tables or triggers are "
        "not those of a home: spy"
    )


@pytest.mark.plan("A20")
@pytest.mark.parametrize("table", ["games", "events", "refused"])
@pytest.mark.parametrize(
    "attack",
    [
        "UPDATE {} SET game_id = 'x'",
        "DELETE FROM {}",
        "INSERT OR REPLACE INTO {} SELECT * FROM {}",
        "REPLACE INTO {0} SELECT * FROM {0}",
        "INSERT INTO {0} SELECT * FROM {0} WHERE 1 ON CONFLICT DO UPDATE SET digest = x'00'",
    ],
)
def test_an_append_only_table_forbids_change_to_every_program(folder: Path, table: str, attack: str) -> None:
    with Home.open(folder) as home:
        append(home, event(0))
        with home.writing() as writer:
            writer.refuse(StoredRefusal(GAME, "e", "combat.out_of_range", "too far", 5, b"line"))
    with raw(folder) as connection:
        before = connection.execute(f"SELECT rowid, * FROM {table}").fetchall()
        with pytest.raises(sqlite3.IntegrityError, match=f"{table} is append-only"):
            connection.execute(attack.format(table, table))
        assert (len(before), connection.execute(f"SELECT rowid, * FROM {table}").fetchall()) == (1, before)


@pytest.mark.plan("A20")
def test_a_row_number_cannot_be_taken_over(folder: Path) -> None:
    with Home.open(folder) as home:
        append(home, event(0))
    with raw(folder) as connection, pytest.raises(sqlite3.IntegrityError, match="events is append-only"):
        connection.execute(
            "INSERT OR REPLACE INTO events (rowid, game_id, step, role, kind, kind_class, place, event_id, arrived,"
            " digest, line) SELECT rowid, game_id, 9, role, kind, kind_class, place, 'e', arrived, digest, line"
            " FROM events"
        )


def test_a_file_in_the_place_of_the_folder_is_named(tmp_path: Path) -> None:
    (tmp_path / "home").touch()
    with pytest.raises(BadDisk) as caught:
        Home.create(tmp_path / "home")
    assert caught.value.text == (
        f"expected to make a home in {str(tmp_path / 'home')!r}, but a file of that name is in the way"
    )


@pytest.mark.plan("C6")
def test_the_settings_hold_on_an_open_home(folder: Path) -> None:
    wanted = {**dict(SETTINGS), "journal_mode": "wal", "busy_timeout": 5000}
    with Home.open(folder) as home:
        assert {name: home._connection.rows(f"PRAGMA {name}")[0][0] for name in wanted} == wanted


@pytest.mark.plan("C6")
def test_a_file_system_that_refuses_the_write_ahead_log_stops_the_start(folder: Path) -> None:
    with raw(folder) as other:
        other.execute("PRAGMA journal_mode = DELETE")
    with (
        closing(Connection(folder / "home.sqlite", vfs="unix-dotfile")) as connection,
        pytest.raises(BadDisk) as caught,
    ):
        connection.use_write_ahead_log()
    assert (caught.value.code, caught.value.text, caught.value.hint) == (
        "database.no_wal",
        f"expected {str(folder / 'home.sqlite')!r} to be kept with a write-ahead log, but the file system left it in "
        "mode 'delete'",
        "put the home on a local disk (PBEM_HOME); network folders do not keep a database safe",
    )


@pytest.mark.plan("C6")
def test_the_write_ahead_log_cannot_be_switched_on_inside_a_transaction(folder: Path) -> None:
    with raw(folder) as other:
        other.execute("PRAGMA journal_mode = DELETE")
    with closing(Connection(folder / "home.sqlite")) as connection:
        connection.run("BEGIN")
        with pytest.raises(BadDisk) as caught:
            connection.use_write_ahead_log()
    assert caught.value.code in ("database.no_wal", "database.failed")


@pytest.mark.plan("C6")
def test_a_database_that_left_the_write_ahead_log_is_brought_back(folder: Path) -> None:
    with raw(folder) as other:
        other.execute("PRAGMA journal_mode = DELETE")
    with Home.open(folder) as home:
        assert home._connection.rows("PRAGMA journal_mode") == [("wal",)]


@pytest.mark.plan("C6")
def test_a_refused_setting_stops_the_start(folder: Path) -> None:
    with pytest.raises(BadDisk) as caught:
        Connection(folder / "home.sqlite", settings=(("page_size", 8192),))
    assert (caught.value.text, caught.value.hint) == (
        f"expected SQLite to take `PRAGMA page_size = 8192`, got [(4096,)] from SQLite {sqlite3.sqlite_version}",
        "use a Python with SQLite 3.37 or later",
    )


@pytest.mark.plan("C5")
def test_a_lock_that_another_program_keeps_is_named(folder: Path) -> None:
    with raw(folder) as other, Home.open(folder, patience_ms=50) as home:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(BadDisk) as caught:
            append(home, event(0))
        assert (caught.value.code, caught.value.text, caught.value.hint) == (
            "database.locked",
            f"expected to write to {str(folder / 'home.sqlite')!r}, but another program has held it for too long",
            "wait until the other pbem command has finished, then repeat this one",
        )
        other.execute("ROLLBACK")
        assert append(home, event(0)) is Appended.NEW


def test_two_creations_at_once_make_one_home(tmp_path: Path) -> None:
    folder = tmp_path / "home"
    with pytest.raises(BadRequest) as caught:
        Home.create(folder, lambda _: Home.create(folder, lambda other: other.put_meta("first", b"1")).close())
    with Home.open(folder) as home:
        assert (caught.value.code, home.meta("first"), len(list(folder.glob(".*")))) == ("home.exists", b"1", 0)


def test_a_home_that_could_not_be_filled_leaves_nothing(tmp_path: Path) -> None:
    def fill(writer: Writer) -> None:
        writer.put_meta("vault", b"header")
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Home.create(tmp_path / "home", fill)
    assert list((tmp_path / "home").iterdir()) == []

"""One home: what it keeps, in which order, and what it refuses (`pbem.store.database`)."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from conftest import GAME, event

from pbem.errors import BadDisk, BadRequest
from pbem.store import Appended, Draft, Home, Snapshot, Status, StoredGame, StoredRefusal, Writer, schema
from pbem.store.connection import SETTINGS, Connection

OTHER = "abcd" + "0" * 60


def raw(folder: Path) -> closing[sqlite3.Connection]:
    """The database as any other program opens it."""
    return closing(sqlite3.connect(folder / "home.sqlite", isolation_level=None))


def append(home: Home, *events: dict[str, object]) -> list[Appended]:
    with home.writing() as writer:
        return [writer.append(**one) for one in events]  # type: ignore[arg-type]


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


def test_a_home_is_private(home: Home) -> None:
    append(home, event(0))
    files = {path.name: mode(path) for path in home.folder.iterdir()}
    assert (mode(home.folder), files) == (
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


def test_a_home_that_could_not_be_filled_does_not_come_into_being(tmp_path: Path) -> None:
    def fill(writer: Writer) -> None:
        writer.put_meta("vault", b"header")
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Home.create(tmp_path / "home", fill)
    assert list((tmp_path / "home").iterdir()) == []


def test_a_newer_database_names_both_schemas(folder: Path) -> None:
    with raw(folder) as connection:
        connection.execute("PRAGMA user_version = 7")
    with pytest.raises(BadRequest) as caught:
        Home.open(folder)
    assert (caught.value.code, caught.value.text, caught.value.hint) == (
        "home.newer",
        f"expected a home of schema 1 or older, got schema 7 in {str(folder / 'home.sqlite')!r}",
        "this home was used with a newer pbem: install that (`pip install --upgrade pbem`)",
    )


def test_a_migration_goes_version_by_version(folder: Path) -> None:
    steps = {1: lambda c: c.execute("CREATE TABLE two (x)"), 2: lambda c: c.execute("ALTER TABLE two ADD COLUMN y")}
    with raw(folder) as connection:
        schema.migrate(connection, 3, steps)  # type: ignore[arg-type]
        assert connection.execute("SELECT name FROM pragma_table_info('two')").fetchall() == [("x",), ("y",)]
        assert connection.execute("PRAGMA user_version").fetchone() == (3,)


def test_a_dropped_trigger_is_noticed(folder: Path) -> None:
    with raw(folder) as connection:
        connection.execute("DROP TRIGGER events_no_delete")
    with pytest.raises(BadDisk) as caught:
        Home.open(folder)
    assert caught.value.text == (
        f"expected an undamaged database {str(folder / 'home.sqlite')!r}, "
        "but its tables or triggers are not those that were made"
    )


@pytest.mark.parametrize("content", [b"", b"no database at all" * 400])
def test_a_file_that_is_no_home_is_named(folder: Path, content: bytes) -> None:
    (folder / "home.sqlite").write_bytes(content)
    with pytest.raises(BadDisk) as caught:
        Home.open(folder)
    assert caught.value.code == "database.damaged"


@pytest.mark.plan("A20")
def test_a_second_event_in_one_place_is_kept_beside_the_first(home: Home) -> None:
    first, second, third = event(3), event(3, note="changed my mind"), event(3, note="again")
    assert append(home, first, second, second, third) == [
        Appended.NEW,
        Appended.CONFLICT,
        Appended.DUPLICATE,
        Appended.CONFLICT,
    ]
    assert [(e.place, e.event_id, e.line) for e in home.events(GAME)] == [
        (place, e["event_id"], e["line"]) for place, e in enumerate((first, second, third))
    ]


@pytest.mark.plan("A8", "A20")
def test_another_signature_on_the_same_event_changes_nothing(home: Home) -> None:
    resigned = event(3) | {"line": b"the same payload under another signature"}
    assert append(home, event(3), resigned) == [Appended.NEW, Appended.DUPLICATE]
    assert [e.line for e in home.events(GAME)] == [event(3)["line"]]


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


def test_events_are_ordered_by_step_role_and_place_and_not_by_arrival(home: Home) -> None:
    aside = event(1, note="resolution", kind_class="aside")
    append(home, event(2), event(1, "polish"), aside, event(1), event(1, note="second"), event(0))
    assert [(e.step, e.role, e.kind_class, e.place) for e in home.events(GAME)] == [
        (0, "german", "log", 0),
        (1, "german", "log", 0),
        (1, "german", "log", 1),
        (1, "german", "aside", 0),
        (1, "polish", "log", 0),
        (2, "german", "log", 0),
    ]


def test_statements_beside_the_chain_do_not_conflict(home: Home) -> None:
    asides = [event(1, note=note, kind_class="aside") for note in ("one", "two")]
    assert append(home, *asides) == [Appended.NEW, Appended.NEW]
    assert [e.place for e in home.events(GAME)] == [0, 1]


def test_an_event_of_an_unknown_game_is_a_bug_of_the_caller(home: Home) -> None:
    with pytest.raises(sqlite3.IntegrityError):
        append(home, event(0, game_id=OTHER))
    assert home.damages() == ()


def test_what_the_rules_refused_is_kept_apart(home: Home) -> None:
    refusal = StoredRefusal(GAME, "e", "combat.out_of_range", "too far", 5, b"line")
    with home.writing() as writer:
        assert [writer.refuse(refusal), writer.refuse(refusal)] == [Appended.NEW, Appended.DUPLICATE]
    assert (home.refusals(GAME), home.events(GAME)) == ((refusal,), ())


def write_and_leave(home: Home, stop: type[BaseException]) -> None:
    with home.writing() as writer:
        writer.append(**event(0))
        writer.put_draft(Draft(GAME, "orders", "move"))
        raise stop


@pytest.mark.parametrize("stop", [ValueError, KeyboardInterrupt, SystemExit])
def test_a_transaction_that_is_left_by_an_exception_changes_nothing(home: Home, stop: type[BaseException]) -> None:
    with pytest.raises(stop):
        write_and_leave(home, stop)
    assert (home.events(GAME), home.drafts(GAME), append(home, event(0))) == ((), (), [Appended.NEW])


def test_readers_inside_a_transaction_see_what_was_written_and_others_do_not(home: Home) -> None:
    with home.writing() as writer, Home.open(home.folder) as other:
        writer.append(**event(0))
        assert (len(writer.events(GAME)), len(other.events(GAME))) == (1, 0)


def test_a_transaction_inside_a_transaction_is_a_bug_of_the_caller(home: Home) -> None:
    with pytest.raises(RuntimeError), home.writing(), home.writing():
        pass
    assert append(home, event(0)) == [Appended.NEW]


def test_a_writer_is_of_no_use_after_its_transaction(home: Home) -> None:
    with home.writing() as writer:
        pass
    with pytest.raises(RuntimeError):
        writer.append(**event(0))
    assert home.events(GAME) == ()


def test_a_file_in_the_place_of_the_folder_is_named(tmp_path: Path) -> None:
    (tmp_path / "home").touch()
    with pytest.raises(BadDisk) as caught:
        Home.create(tmp_path / "home")
    assert caught.value.text == (
        f"expected to make a home in {str(tmp_path / 'home')!r}, but a file of that name is in the way"
    )


def test_two_creations_at_once_make_one_home(tmp_path: Path) -> None:
    folder = tmp_path / "home"
    with pytest.raises(BadRequest) as caught:
        Home.create(folder, lambda _: Home.create(folder, lambda other: other.put_meta("first", b"1")).close())
    with Home.open(folder) as home:
        assert (caught.value.code, home.meta("first"), len(list(folder.glob(".*")))) == ("home.exists", b"1", 0)


def test_a_game_is_found_by_name_and_by_the_beginning_of_its_id(home: Home) -> None:
    fall = home.games()[0]
    assert [home.game(wanted) for wanted in ("Fall", "fall", GAME, "abab", "ABABA")] == [fall] * 5


@pytest.mark.parametrize(
    ("wanted", "hint"), [("Fell", "did you mean 'Fall'?"), ("x", "there are: Fall"), ("aba", "there are: Fall")]
)
def test_an_unknown_game_says_which_there_are(home: Home, wanted: str, hint: str) -> None:
    with pytest.raises(BadRequest) as caught:
        home.game(wanted)
    assert (caught.value.text, caught.value.hint) == (
        f"expected the name or the id of a game of this home, got {wanted!r}",
        hint,
    )


def test_an_id_that_begins_two_games_lists_them(home: Home) -> None:
    twin = "abab" + "0" * 60
    with home.writing() as writer:
        writer.add_game(StoredGame(twin, "Spring", "westerplatte/1", "polish", 50))
    with pytest.raises(BadRequest) as caught:
        home.game("abab")
    assert (caught.value.text, caught.value.hint) == (
        "expected the id of one game, got 'abab', with which 2 begin",
        "give its name or more digits: Spring (abab00000000), Fall (abababababab)",
    )


def test_a_name_or_an_id_that_is_taken_is_refused(home: Home) -> None:
    with home.writing() as writer:
        with pytest.raises(BadRequest) as name:
            writer.add_game(StoredGame(OTHER, "FALL", "r", "german", 1))
        with pytest.raises(BadRequest) as game_id:
            writer.add_game(StoredGame(GAME, "Spring", "r", "german", 1))
    assert [caught.value.text for caught in (name, game_id)] == [
        "expected a new name for the game, got 'FALL', which is game abababababab",
        "expected a new game, got abababababab, which this home has as 'Fall'",
    ]


def test_only_the_latest_snapshots_are_kept(home: Home) -> None:
    with home.writing() as writer:
        for step in (1, 4, 2, 3):
            writer.put_snapshot(Snapshot(GAME, step, "head", b"%d" % step))
        writer.put_snapshot(Snapshot(GAME, 4, "head", b"again"))
    assert [(s.step, s.state) for s in home.snapshots(GAME)] == [(4, b"again"), (3, b"3"), (2, b"2")]
    with home.writing() as writer:
        writer.drop_snapshots(GAME)
    assert home.snapshots(GAME) == ()


def test_status_drafts_secrets_and_meta_are_replaced(home: Home) -> None:
    with home.writing() as writer:
        for word in ("old", "new"):
            writer.put_status(Status(GAME, word, word.encode()))
            writer.put_draft(Draft(GAME, "orders", word))
            writer.put_secret("identity", word.encode())
            writer.put_meta("vault", word.encode())
    assert (home.status(GAME), home.draft(GAME, "orders"), home.secret("identity"), home.meta("vault")) == (
        Status(GAME, "new", b"new"),
        "new",
        b"new",
        b"new",
    )
    with home.writing() as writer:
        writer.drop_draft(GAME, "orders")
    assert (home.drafts(GAME), home.secret_names()) == ((), ("identity",))


def test_what_is_not_there_is_none(home: Home) -> None:
    found = (home.event(GAME, "e"), home.status(GAME), home.draft(GAME, "x"), home.secret("x"), home.meta("x"))
    assert found == (None,) * 5


def test_the_digest_of_the_schema_is_not_to_be_overwritten(home: Home) -> None:
    with pytest.raises(ValueError, match="schema"), home.writing() as writer:
        writer.put_meta("schema", b"")


@pytest.mark.plan("C6")
def test_the_settings_hold_on_an_open_home(home: Home) -> None:
    wanted = {**dict(SETTINGS), "journal_mode": "wal", "busy_timeout": 5000}
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
    assert caught.value.text == (
        f"expected SQLite to take `PRAGMA page_size = 8192`, got [(4096,)] from SQLite {sqlite3.sqlite_version}"
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
        assert append(home, event(0)) == [Appended.NEW]

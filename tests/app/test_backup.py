"""`pbem backup` and `pbem restore`: everything comes back, nothing is shown, nothing bad is taken in."""

from __future__ import annotations

import random
import re
import shutil
import sqlite3
import stat
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from cli.children import at_most, run_apart
from cli.client import Client, environment, tables

from pbem.app import catalogue
from pbem.app.backup import PART, TAG, read_head, sealed
from pbem.app.desk import Desk, make_home
from pbem.app.propose import Terms, propose
from pbem.app.restoring import restore
from pbem.log.event import Role
from pbem.store.database import Home
from pbem.store.rows import Draft

PHRASE = "correct horse"
LOWEST_COST = 14
KILLS = 8


@dataclass(frozen=True, slots=True)
class Kept:
    """A home with one game, its client, and a backup of it."""

    client: Client
    backup: Path

    @property
    def folder(self) -> Path:
        return self.client.folder

    def desk(self, home: Home) -> Desk:
        return Desk(home, passphrase=lambda: PHRASE)


def new_home(folder: Path, name: str, passphrase: str | None = PHRASE) -> Client:
    """A home that has proposed a game and has standing orders; its passphrase costs little."""
    make_home(folder / name, name.title(), f"{name}@example.org", passphrase, cost=LOWEST_COST)
    rules = catalogue.ruleset("westerplatte")
    opponent = {Role("polish"): ("Bruno", "bruno@example.org")}
    with Home.open(folder / name) as home:
        desk = Desk(home, passphrase=lambda: PHRASE)
        opened = propose(desk, Terms(rules, "standard", Role("german"), opponent, 0))
        with home.writing() as writer:
            writer.put_draft(Draft(opened.row.game_id, "standing", "pass at most 1\n"))
    return Client(folder / name, folder, passphrase)


@pytest.fixture(scope="session")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("kept") / "table"
    folder.mkdir()
    new_home(folder, "anna").does("backup", "-o", "home.backup")
    return folder


@pytest.fixture
def kept(original: Path, tmp_path: Path) -> Kept:
    shutil.copytree(original, tmp_path / "table")
    folder = tmp_path / "table"
    return Kept(Client(folder / "anna", folder, PHRASE), folder / "home.backup")


@pytest.fixture
def altered(kept: Kept) -> Callable[..., Path]:
    """Makes a backup of the home after statements of a forger's, sealed as a true one is."""

    def make(*statements: str) -> Path:
        path = kept.folder / "forged.backup"
        with Home.open(kept.client.home) as home:
            path.write_bytes(sealed(kept.desk(home), forged(home.image(), statements)))
        return path

    return make


def forged(image: bytes, statements: tuple[str, ...]) -> bytes:
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        connection.deserialize(image)
        for statement in statements:
            connection.execute(statement)
        return bytes(connection.serialize())


def refusal(client: Client, file: Path | str, folder: str = "new") -> str:
    """What a restore says that is refused; it has left no folder behind."""
    there = sorted(client.folder.iterdir())
    done = client("restore", str(file), "--home", folder)
    assert (done.code, done.out) == (1, "")
    assert sorted(client.folder.iterdir()) == there
    assert len(done.err.splitlines()) == 2
    return done.err


ANOTHER = "hint: get the file again from where it is kept, or use another backup; nothing was restored\n"


# ---------------------------------------------------------------------- there and back


def test_a_home_comes_back_with_everything_in_it(kept: Kept) -> None:
    done = kept.client.does("restore", "home.backup", "--home", "new")
    said = done.out.splitlines()
    told = re.sub(r"on \d{4}-\d\d-\d\d \d\d:\d\d \S+\.$", "on ….", said[0])
    assert told == "Restored the home of Anna <anna@example.org> in new, as it was on …."
    assert said[1:] == [
        "Games: westerplatte.",
        "What you joined or sealed later is not in it: do not accept such an invitation again, agree on a new game.",
        "Use this home alone from now on: nothing may be signed any more in any other copy of it.",
        "In a game nothing is signed here until it is known that nothing of yours is missing.",
        "Do now: `pbem import` what has come since then, also what you had imported before; then `pbem status`.",
    ]
    before, after = tables(kept.client.home), tables(kept.folder / "new")
    assert {name for name in before if before[name] != after[name]} <= {"agenda", "meta", "snapshots", "status"}
    marks = [row for row in after["meta"] if row not in before["meta"]]
    assert [key for key, _ in marks] == [f"restored/{before['games'][0][0]}"]
    assert [row for row in before["meta"] if row not in after["meta"]] == []
    client = Client(kept.folder / "new", kept.folder, PHRASE)
    assert client.does("export", "-o", "inv.eml").code == 0
    assert client.does("orders", "--standing").out.splitlines()[1] == "  pass at most 1"


def test_what_a_backup_says(kept: Kept) -> None:
    done = kept.client.does("backup", "-o", "second.backup")
    size = (kept.folder / "second.backup").stat().st_size
    assert done.out.splitlines() == [
        f"Wrote second.backup: 1 game, {size} bytes.",
        "It opens with the passphrase that this home has now, and with no other: keep both, in different places.",
        "A game that you join later, and a plan that you seal later, is not in it: make a new one then.",
        "Do now: keep it on another disk; `pbem restore second.backup --home FOLDER` makes a home of it.",
    ]


def test_only_its_owner_may_read_a_backup_and_a_restored_home(kept: Kept) -> None:
    kept.client.does("restore", "home.backup", "--home", "new")
    modes = [stat.S_IMODE(path.stat().st_mode) for path in (kept.backup, kept.folder / "new")]
    inside = [(one.name, stat.S_IMODE(one.stat().st_mode)) for one in (kept.folder / "new").iterdir()]
    assert (modes, inside) == ([0o600, 0o700], [("home.sqlite", 0o600)])


def test_a_home_that_is_named_is_backed_up(kept: Kept) -> None:
    elsewhere = Client(kept.folder / "nowhere", kept.folder, PHRASE)
    elsewhere.does("backup", "--home", "anna", "-o", "other.backup")
    elsewhere.does("restore", "other.backup")
    assert tables(elsewhere.home)["secrets"] == tables(kept.client.home)["secrets"]


def test_an_empty_home_comes_back(tmp_path: Path) -> None:
    client = Client(tmp_path / "home", tmp_path)
    make_home(client.home, "Anna", "anna@example.org", None)
    client.does("backup", "--plain", "-o", "home.backup")
    assert client.does("restore", "home.backup", "--home", "new").out.splitlines()[1:] == [
        "WITHOUT a passphrase: whoever reads this disk can sign in your name and read your secrets.",
        "It has no game.",
        "What you joined or sealed later is not in it: do not accept such an invitation again, agree on a new game.",
        "Use this home alone from now on: nothing may be signed any more in any other copy of it.",
        "Do now: `pbem new GAME …` to propose a game, or `pbem accept FILE` to join one.",
    ]


def test_a_backup_is_of_one_moment_while_others_write(kept: Kept) -> None:
    writing = sqlite3.connect(kept.client.home / "home.sqlite", isolation_level=None)
    with closing(writing):
        writing.execute("BEGIN IMMEDIATE")
        writing.execute("INSERT INTO meta VALUES ('half', x'00')")
        kept.client.does("backup", "-o", "home.backup")
        writing.execute("ROLLBACK")
    kept.client.does("restore", "home.backup", "--home", "new")
    assert "half" not in dict(tables(kept.folder / "new")["meta"])


# ---------------------------------------------------------------------- secrets and passphrases


def test_a_backup_shows_nothing(kept: Kept) -> None:
    """Neither a secret nor an event; the same words stand in one that is not encrypted."""
    with Home.open(kept.client.home) as home:
        line = home.events(home.games()[0].game_id)[0].line
        seeds = kept.desk(home).secret(home, "identity") or b""
    assert [one in kept.backup.read_bytes() for one in (line, seeds, b"anna@example.org", b"SQLite")] == [False] * 4
    kept.client.does("passphrase", "--no-passphrase")
    image = kept.client.home / "home.sqlite"
    assert b"anna@example.org" in image.read_bytes()


def test_a_home_without_a_passphrase_is_backed_up_only_if_that_is_said(tmp_path: Path) -> None:
    client = new_home(tmp_path, "anna", None)
    assert client.refused("backup", "-o", "home.backup") == (
        "backup.no_passphrase: expected a home with a passphrase, got one without: whoever reads the backup could sign "
        "in your name\n"
        "hint: give the home one with `pbem passphrase`; --plain writes a backup that is not encrypted\n"
    )
    said = client.does("backup", "-o", "home.backup", "--plain").out.splitlines()
    assert said[1] == "It is NOT encrypted: whoever reads it can sign in your name and read your secrets."
    client.does("restore", "home.backup", "--home", "new")


@pytest.mark.parametrize(
    ("phrase", "code", "got"), [("wrong", "wrong_passphrase", "another one"), (None, "passphrase_needed", "none")]
)
def test_a_backup_opens_with_its_passphrase_alone(kept: Kept, phrase: str | None, code: str, got: str) -> None:
    assert refusal(replace(kept.client, passphrase=phrase), "home.backup") == (
        f"vault.{code}: expected the passphrase that the home had when the backup was made, got {got}\n"
        "hint: give the command again with the right one (asked for, or PBEM_PASSPHRASE); mind capitals and the "
        "keyboard layout\n"
    )


def test_a_backup_keeps_the_passphrase_that_it_was_made_with(kept: Kept) -> None:
    kept.client.does("passphrase", "--no-passphrase")
    refusal(replace(kept.client, passphrase="none"), "home.backup")
    kept.client.does("restore", "home.backup", "--home", "new")


# ---------------------------------------------------------------------- damaged, cut, foreign


def test_a_backup_that_was_cut_is_told_as_that(kept: Kept) -> None:
    whole = kept.backup.read_bytes()
    for length in (len(TAG), 40, 120, len(whole) // 2, len(whole) - 1):
        kept.backup.write_bytes(whole[:length])
        said = f"backup.cut: expected a whole backup, got one that was cut at byte {length}\n"
        assert refusal(kept.client, "home.backup") == said + ANOTHER


def test_a_backup_that_grew_is_told_as_that(kept: Kept) -> None:
    kept.backup.write_bytes(kept.backup.read_bytes() + b"\n")
    assert refusal(kept.client, "home.backup") == (
        "backup.damaged: expected a backup as it was written, but 1 byte stands behind its end\n" + ANOTHER
    )


def test_no_byte_of_a_backup_can_be_changed(kept: Kept) -> None:
    whole = kept.backup.read_bytes()
    with kept.backup.open("rb") as file:
        begins = len(read_head(file, len(whole)).written())
    step = max((len(whole) - begins) // 12, 1)
    taken = []
    for place in (*range(0, begins, 3), begins - 1, *range(begins, len(whole), step), len(whole) - 1):
        kept.backup.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        if not refusal(kept.client, "home.backup").startswith("backup."):
            taken.append(place)
    assert taken == []


def test_parts_cannot_be_swapped_left_out_or_taken_from_another_backup(kept: Kept) -> None:
    with Home.open(kept.client.home) as home, home.writing() as writer:
        writer.put_draft(Draft(home.games()[0].game_id, "long", "x" * (3 * PART)))
    for name in ("one", "two"):
        kept.client.does("backup", "-o", f"{name}.backup")
    one, two = ((kept.folder / f"{name}.backup").read_bytes() for name in ("one", "two"))
    with (kept.folder / "one.backup").open("rb") as file:
        begins = len(read_head(file, len(one)).written())
    size = PART + 28
    parts = [one[place : place + size] for place in range(begins, len(one), size)]
    others = [two[place : place + size] for place in range(begins, len(two), size)]
    assert len(parts) >= 4
    for mixed, bad in (
        ([parts[1], parts[0], *parts[2:]], 1),
        ([parts[0], parts[0], *parts[2:]], 2),
        ([*parts[:2], others[2], *parts[3:]], 3),
    ):
        kept.backup.write_bytes(one[:begins] + b"".join(mixed))
        assert refusal(kept.client, "home.backup") == (
            f"backup.damaged: expected a backup as it was written, but part {bad} of {len(parts)} does not open\n"
            + ANOTHER
        )
    kept.client.does("restore", "one.backup", "--home", "whole")


def test_lengths_out_of_bounds_are_refused_before_anything_is_read(kept: Kept) -> None:
    whole = kept.backup.read_bytes()
    for length in (0, (1 << 29) + 1, (1 << 64) - 1):
        kept.backup.write_bytes(whole[:22] + length.to_bytes(8, "big") + whole[30:])
        assert refusal(kept.client, "home.backup") == (
            "backup.damaged: expected a backup as it was written, but the lengths that it begins with are out of "
            "bounds\n" + ANOTHER
        )


def test_a_damaged_vault_is_told_before_a_passphrase_is_asked_for(kept: Kept) -> None:
    data = bytearray(kept.backup.read_bytes())
    data[data.index(b"pbem/vault/v1") + 20] ^= 1
    kept.backup.write_bytes(data)
    assert refusal(replace(kept.client, passphrase=None), "home.backup") == (
        "backup.damaged: expected a backup as it was written, but the header of its vault does not hold\n" + ANOTHER
    )


@pytest.mark.parametrize(
    ("content", "got"),
    [
        (b"", "an empty file"),
        (b"pbem-log 1 archive\n", "something else"),
        (b"SQLite format 3\0" * 200, "something else"),
    ],
)
def test_a_foreign_file_is_told_as_that(kept: Kept, content: bytes, got: str) -> None:
    kept.client.write("foreign", content)
    assert refusal(kept.client, "foreign") == (
        f"backup.form: expected a backup, which begins with 'pbem-backup', got {got}\n"
        "hint: `pbem backup -o FILE` writes one; a turn file or an archive is taken in with `pbem import`\n"
    )


def test_a_backup_of_a_later_version_is_told_as_that(kept: Kept) -> None:
    kept.backup.write_bytes(kept.backup.read_bytes().replace(b"backup 1", b"backup 2", 1))
    assert refusal(kept.client, "home.backup") == (
        "backup.version: expected a backup of version 1, got one of another version\n"
        "hint: it was made by a newer pbem: install that (`pip install --upgrade pbem`)\n"
    )


def test_a_file_that_is_not_there_is_told_as_that(kept: Kept) -> None:
    assert (
        refusal(kept.client, "nothing")
        == "file.missing: expected a file, got nothing at 'nothing'\nhint: check the path\n"
    )
    assert (
        refusal(kept.client, "anna") == "file.missing: expected a file, got a folder at 'anna'\nhint: check the path\n"
    )


# ---------------------------------------------------------------------- made by somebody else, on purpose

NO_HOME = "backup.damaged: expected a backup as it was written, but what is in it is no home that holds\n" + ANOTHER
NO_KEYS = "backup.damaged: expected a backup as it was written, but its keys do not belong to it\n" + ANOTHER


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("CREATE TRIGGER more AFTER INSERT ON meta BEGIN DELETE FROM secrets; END", NO_HOME),
        ("CREATE VIEW more AS SELECT * FROM meta", NO_HOME),
        ("CREATE TABLE more (x)", NO_HOME),
        ("DROP TRIGGER events_no_delete", NO_HOME),
        ("PRAGMA application_id = 1", NO_HOME),
        ("DELETE FROM tallies", NO_HOME),
        ("UPDATE drafts SET text = 'pass at most 9'", NO_HOME),
        ("UPDATE meta SET value = x'00' WHERE key = 'schema'", NO_HOME),
        ("DELETE FROM secrets WHERE name = 'identity'", NO_KEYS),
        ("DELETE FROM meta WHERE key = 'profile'", NO_KEYS),
        ("UPDATE meta SET value = x'7b7d' WHERE key = 'profile'", NO_KEYS),
        ("UPDATE meta SET value = x'5b' WHERE key = 'profile'", NO_KEYS),
        ("UPDATE meta SET value = x'00' WHERE key = 'vault'", NO_KEYS),
    ],
)
def test_a_home_that_somebody_has_altered_is_not_restored(
    kept: Kept, altered: Callable[..., Path], statement: str, said: str
) -> None:
    assert refusal(kept.client, altered(statement)) == said


def test_an_altered_schema_with_its_own_digest_is_not_restored(kept: Kept, altered: Callable[..., Path]) -> None:
    """The digest in the database is that of the altered schema, as a forger would write it."""
    from pbem.store.sqlite.schema import schema_digest

    trigger = "CREATE TRIGGER more AFTER INSERT ON meta BEGIN DELETE FROM secrets; END"
    with closing(sqlite3.connect(":memory:")) as connection, Home.open(kept.client.home) as home:
        connection.deserialize(home.image())
        connection.execute(trigger)
        digest = schema_digest(connection).hex()
    file = altered(f"UPDATE meta SET value = x'{digest}' WHERE key = 'schema'", trigger)
    assert refusal(kept.client, file) == NO_HOME


def test_a_home_of_a_newer_program_is_told_as_that(kept: Kept, altered: Callable[..., Path]) -> None:
    file = altered("PRAGMA user_version = 99")
    assert refusal(kept.client, file) == (
        f"home.newer: expected a home of schema 3 or older, got schema 99 in '{file}'\n"
        "hint: this home was used with a newer pbem: install that (`pip install --upgrade pbem`)\n"
    )


def test_what_is_no_database_is_not_restored(kept: Kept) -> None:
    with Home.open(kept.client.home) as home:
        kept.backup.write_bytes(sealed(kept.desk(home), b"no database " * 1000))
    assert refusal(kept.client, "home.backup") == NO_HOME


# ---------------------------------------------------------------------- where it goes


def test_a_home_is_restored_only_where_nothing_is(kept: Kept) -> None:
    hint = "hint: name another one with --home; a home that is there is never written over\n"
    (kept.folder / "full").mkdir()
    (kept.folder / "full" / "letter.txt").write_text("dear")
    for folder, found in (("anna", "a home"), ("full", "one with 'letter.txt' in it"), ("home.backup", "a file")):
        assert refusal(kept.client, "home.backup", folder) == (
            f"restore.folder: expected an empty or missing folder to restore into, got {found} at '{folder}'\n" + hint
        )
    (kept.folder / "empty").mkdir(0o755)
    kept.client.does("restore", "home.backup", "--home", "empty")
    kept.client.does("restore", "home.backup", "--home", "deep/down/here")


def test_folders_that_were_made_are_taken_away_again(kept: Kept) -> None:
    *data, last = kept.backup.read_bytes()
    kept.backup.write_bytes(bytes([*data, last ^ 1]))
    refusal(kept.client, "home.backup", "deep/down/here")
    (kept.folder / "empty").mkdir()
    refusal(kept.client, "home.backup", "empty")
    assert list((kept.folder / "empty").iterdir()) == []


@pytest.mark.plan("C1")
def test_a_restore_that_is_killed_leaves_a_folder_to_restore_into(kept: Kept) -> None:
    (kept.folder / "new").mkdir()
    (kept.folder / "new" / ".home.sqlite.0123456789abcdef.part").write_bytes(b"half")
    kept.client.does("restore", "home.backup", "--home", "new")
    assert [one.name for one in (kept.folder / "new").iterdir()] == ["home.sqlite"]


@pytest.mark.plan("C1", "C7")
def test_a_restore_that_is_killed_at_any_moment_makes_a_whole_home_or_none(kept: Kept) -> None:
    chance, made = random.Random(1), 0
    with environment({"PBEM_PASSPHRASE": PHRASE}):
        seconds = run_apart(kept.client, "restore", "home.backup", "--home", "rehearsal").seconds
        for number in range(KILLS):
            command = ("restore", "home.backup", "--home", f"new-{number}")
            run_apart(kept.client, *command, after=chance.uniform(0, seconds) if number else 0)
            home = kept.folder / f"new-{number}"
            if (home / "home.sqlite").exists():
                made += 1
            else:
                kept.client.does(*command)
            assert tables(home)["secrets"] == tables(kept.client.home)["secrets"]
    assert made < KILLS


@pytest.mark.plan("C4", "C7")
def test_a_full_disk_leaves_the_old_backup_and_no_new_home(kept: Kept) -> None:
    with Home.open(kept.client.home) as home, home.writing() as writer:
        writer.put_draft(Draft(home.games()[0].game_id, "long", "x" * 300_000))
    kept.client.does("backup", "-o", "long.backup")
    before, there = kept.backup.read_bytes(), sorted(kept.folder.iterdir())
    with environment({"PBEM_PASSPHRASE": PHRASE}):
        for command in (("backup", "-o", "home.backup"), ("restore", "long.backup", "--home", "new")):
            done = run_apart(kept.client, *command, prepare=at_most(200_000))
            assert (done.code, done.out, done.err[:10]) == (1, "", "disk.full:"), done
            assert (kept.backup.read_bytes(), sorted(kept.folder.iterdir())) == (before, there)


@pytest.mark.plan("C1")
def test_an_interrupted_restore_leaves_nothing(kept: Kept) -> None:
    def interrupted() -> int:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        restore(kept.backup, kept.folder / "new", lambda: PHRASE, interrupted)
    assert not (kept.folder / "new").exists()


def test_a_machine_whose_clock_was_never_set_takes_no_old_mail_for_a_new_one(kept: Kept) -> None:
    restore(kept.backup, kept.folder / "new", lambda: PHRASE, lambda: 0)
    client = Client(kept.folder / "new", kept.folder, PHRASE)
    found = client.does("current", "--json").data
    assert found["restored"] == found["backup"] > 1_700_000_000


def test_an_older_backup_is_written_over_and_a_newer_one_is_not(kept: Kept) -> None:
    old = kept.backup.read_bytes()
    kept.client.does(
        "new", "westerplatte", "--as", "polish", "--opponent", "carl@example.org", "--name", "second", "-o", "i"
    )
    kept.client.does("backup", "-o", "home.backup")
    assert kept.backup.read_bytes() != old
    kept.client.write("old.backup", old)
    kept.client.does("restore", "old.backup", "--home", "behind")
    behind = Client(kept.folder / "behind", kept.folder, PHRASE)
    hint = "hint: name another file with -o; --force writes over this one\n"
    expected = "file.exists: expected a new file, or one that nothing is lost with, got "
    assert behind.refused("backup", "-o", "home.backup") == (
        f"{expected}a backup with something that this home does not have in 'home.backup'\n{hint}"
    )
    kept.client.write("letter.txt", "dear")
    assert behind.refused("backup", "-o", "letter.txt") == f"{expected}something else in 'letter.txt'\n{hint}"
    other = new_home(kept.folder, "carl")
    assert other.refused("backup", "-o", "home.backup") == (
        f"{expected}a backup of another home, or a damaged one in 'home.backup'\n{hint}"
    )
    behind.does("backup", "-o", "letter.txt", "--force")
    assert (kept.folder / "letter.txt").read_bytes().startswith(TAG)


def test_a_backup_is_not_written_into_a_home(kept: Kept) -> None:
    assert kept.client.refused("backup", "-o", "anna/home.backup").startswith("file.in_home: ")


def test_a_damaged_home_is_not_backed_up(kept: Kept) -> None:
    before = kept.backup.read_bytes()
    with closing(sqlite3.connect(kept.client.home / "home.sqlite")) as connection, connection:
        connection.execute("UPDATE drafts SET text = 'pass at most 9'")
    assert kept.client.refused("backup", "-o", "home.backup").startswith("database.damaged: ")
    assert kept.backup.read_bytes() == before

"""What a transaction on PostgreSQL remembers of its own questions, and when it has to ask again."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from samples import GAME, event

from pbem.errors import BadRequest
from pbem.store import Home, Status, StoredRefusal
from pbem.store.postgres.seen import Habit, Seen

META = "SELECT value FROM meta WHERE key = ?"
MANY = "SELECT key, value FROM meta WHERE key >= ? AND key < ? ORDER BY key"
EVENTS = "SELECT step, digest FROM events WHERE game_id = ? ORDER BY rowid"
BOTH = "SELECT due FROM deadlines WHERE EXISTS (SELECT 1 FROM agenda WHERE standing <> ?)"
PUT = "INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value"
PUT_TWO = PUT.replace("(?, ?)", "(?, ?), (?, ?)")
ASKED = ((META, ("a",)), (META, ("b",)), (MANY, ("a", "c")), (EVENTS, ("g",)), (BOTH, ("",)))


@pytest.mark.parametrize(
    ("change", "values", "kept"),
    [
        (PUT, ("a", b"1"), [1, 3, 4]),
        (PUT_TWO, ("a", b"1", "b", b"2"), [3, 4]),
        (PUT_TWO, ("b", b"1", "c", b"a"), [0, 3, 4]),
        ("INSERT INTO meta (value, key) VALUES (?, ?)", (b"1", "a"), [3, 4]),
        ("DELETE FROM meta WHERE key = ?", ("a",), [3, 4]),
        ("INSERT INTO events (game_id, step) VALUES (?, ?)", ("g", 1), [0, 1, 2, 4]),
        ("UPDATE agenda SET standing = ? WHERE game_id = ?", ("", "g"), [0, 1, 2, 3]),
        ("SELECT due FROM deadlines WHERE game_id = ? FOR UPDATE", ("g",), [0, 1, 2, 3]),
        ("SELECT pg_advisory_xact_lock(?)", (5,), []),
        ("SELECT 1 FROM pg_locks WHERE NOT granted", (), []),
        ("DROP TABLE something", (), []),
    ],
)
def test_what_may_have_changed_is_asked_for_again(change: str, values: tuple[object, ...], kept: list[int]) -> None:
    """And so is everything after a statement of which nobody knows what it changes, or waits for."""
    seen = Seen()
    for number, question in enumerate(ASKED):
        seen.note(*question, [(number,)])
    seen.note(change, values, []) if change.startswith("SELECT") else seen.changed(change, values)
    assert [number for number, question in enumerate(ASKED) if seen.answer(*question) is not None] == kept


def test_what_games_are_asked_about_is_expected_of_the_next_one() -> None:
    habit = Habit()
    for key in ("profile", "sent/a1", "count/anna@example.org/a1", "it's/a1", "sent/a1"):
        habit.note("a1", META, (key,))
    habit.note("", META, ("elsewhere",))
    habit.note("a1", EVENTS, ("a1",))
    assert (habit.keys("a2"), habit.keys("a'2")) == (["profile", "sent/a2"], [])


@contextmanager
def counted(home: Home) -> Iterator[list[str]]:
    """The statements that go to the server meanwhile."""
    connection: Any = home._connection
    real, asked = connection.raw, []

    class Raw:
        def execute(self, statement: str, *values: object) -> Any:
            asked.append(statement)
            return real.execute(statement, *values)

        def __getattr__(self, name: str) -> Any:
            return getattr(real, name)

    connection.raw = Raw()
    try:
        yield asked
    finally:
        connection.raw = real


def test_a_transaction_asks_once_and_sees_what_it_writes(there: Path) -> None:
    with Home.open(there) as home, counted(home) as asked, home.writing(GAME) as writer:
        writer.put_meta("a", b"1")
        assert (writer.meta("a"), home.meta("a"), writer.meta("b")) == (b"1", b"1", None)
        writer.put_meta("a", b"2")
        writer.append(**event(0))
        assert (home.meta("a"), [one.step for one in writer.events(GAME)]) == (b"2", [0])
        before = len(asked)
        assert (home.meta("a"), writer.meta("b"), len(home.events(GAME))) == (b"2", None, 1)
        assert home.game(GAME).name == "Fall"
        assert len(asked) == before


def test_the_next_transaction_sees_what_others_have_stored_since(there: Path) -> None:
    with Home.open(there) as first, Home.open(there) as second:
        for number in (b"1", b"2", b"3"):
            with second.writing(GAME) as writer:
                writer.put_meta(f"a/{GAME}", number)
                writer.put_status(Status(GAME, "head", number))
            with first.writing(GAME) as writer:
                status = writer.status(GAME)
                assert (writer.meta(f"a/{GAME}"), status and status.json) == (number, number)
            assert first.meta(f"a/{GAME}") == number


def test_behind_a_lock_that_was_waited_for_everything_is_asked_for_anew(there: Path) -> None:
    with Home.open(there) as first, Home.open(there) as second, first.queueing() as queue:
        assert queue.meta("count") is None
        with second.queueing() as other:
            other.alone("count")
            other.put_meta("count", b"1")
        queue.alone("count")
        assert queue.meta("count") == b"1"


def test_what_was_put_and_fails_fails_with_the_next_statement_and_stores_nothing(there: Path) -> None:
    with Home.open(there) as home:
        with pytest.raises(BadRequest) as caught, home.writing(GAME) as writer:  # noqa: PT012 - where is what is shown
            writer.put_meta("a", b"1")
            writer.refuse(StoredRefusal(GAME, "e", "code", "a\0b", 5, b"line"))
        assert (caught.value.code, home.meta("a"), home.refusals(GAME)) == ("database.nul", None, ())


def test_what_is_put_is_stored_without_pipelines_too(there: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As with a libpq before version 14."""
    import psycopg

    monkeypatch.setattr(psycopg.Pipeline, "is_supported", lambda: False)
    with Home.open(there) as home:
        with home.writing(GAME) as writer:
            writer.put_meta("a", b"1")
            writer.append(**event(0))
        assert (home.meta("a"), len(home.events(GAME)), home.damages()) == (b"1", 1, ())

"""One connection to PostgreSQL: settings that are read back, transactions and locks, and errors in words.

Transactions read what is committed, statement by statement, and are kept apart by advisory locks that last until
their end: one of the home, shared or not, and under a shared one those of games. A transaction that sees one state
from its beginning on would take that state before it waits for its lock, and miss what was written meanwhile.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from pbem.errors import BadDisk, BadRequest, PbemError
from pbem.store.folder import IN_USE, MARKS
from pbem.store.port import PATIENCE_MS, game_lock
from pbem.store.postgres.faults import fault_of, lost, not_opened
from pbem.store.postgres.seen import Habit, Question, Rows, Seen, may_change
from pbem.store.reading import META_VALUE

if TYPE_CHECKING:
    from types import ModuleType

    import psycopg

    from pbem.store.postgres.address import Address

OLDEST = 130000
"""The oldest server, as it gives its number: 13."""
CONNECT_SECONDS = 10
ALIVE: dict[str, int] = {
    "keepalives_idle": 30,
    "keepalives_interval": 10,
    "keepalives_count": 3,
    "tcp_user_timeout": 60_000,
}
"""When a server that says nothing any more is given up, in seconds and milliseconds; a URL may have it otherwise."""

WANTED: tuple[tuple[str, str], ...] = (
    ("synchronous_commit", "on"),
    ("fsync", "on"),
    ("full_page_writes", "on"),
    ("server_encoding", "UTF8"),
)
"""What must hold, so that what was stored is stored. The first can be set here, the others are the server's."""


class Connection:
    """A connection in autocommit mode; transactions are opened by name."""

    shared = True
    held = " FOR UPDATE"
    claimed = " FOR UPDATE SKIP LOCKED"

    def __init__(
        self, address: Address, patience_ms: int = PATIENCE_MS, wanted: tuple[tuple[str, str], ...] = WANTED
    ) -> None:
        """Connect; BadDisk when there is no server, when it is too old, or when a setting does not hold."""
        psycopg = driver()
        self.address = address
        self.place = address.place
        self._seen: Seen | None = None
        self._habit, self._game = Habit(), ""
        self._locks: set[str] = set()
        self._waiting: list[tuple[str, tuple[object, ...], bool]] = []
        try:
            said = psycopg.conninfo.conninfo_to_dict(address.url)
            chosen = {name: value for name, value in ALIVE.items() if name not in said}
            self.raw = psycopg.connect(
                address.url, autocommit=True, connect_timeout=CONNECT_SECONDS, application_name="pbem", **chosen
            )
        except psycopg.Error as error:
            raise not_opened(error, self.place) from error
        try:
            self._settle(patience_ms, wanted)
        except BaseException:
            self.raw.close()
            raise

    def rows(self, statement: str, *values: object) -> Rows:
        """Run a query and return all its rows; within `writing()` the same one is run once."""
        if self._seen is None:
            return self._rows(statement, values)
        known = self._seen.answer(statement, values)
        if known is None:
            self._drop_ahead(lambda question: question == (statement, values))
            known = self._rows(statement, values)
            self._seen.note(statement, values, known)
            self._habit.note(self._game, statement, values)
        return known

    def run(self, statement: str, *values: object) -> int:
        """Run a statement without rows; how many rows it changed."""
        with self.spoken("write to"):
            return int(self._executed(statement, values).rowcount)

    def change(self, statement: str, *values: object) -> int:
        """Run a statement that changes content; RuntimeError outside `writing()`."""
        self._will_change(statement, values)
        return self.run(statement, *values)

    def put(self, statement: str, *values: object) -> None:
        """The same together with the next statement, or with the commit: it is not waited for, and fails there."""
        self._will_change(statement, values)
        self._waiting.append((statement, values, False))

    def ahead(self, statement: str, *values: object) -> None:
        """Ask that together with the next statement, within `writing()`: the answer will be wanted."""
        asked = (statement, values, True)
        if self._seen is not None and self._seen.answer(statement, values) is None and asked not in self._waiting:
            self._waiting.append(asked)

    @property
    def in_transaction(self) -> bool:
        """Whether a transaction is open, failed or not."""
        return bool(self.raw.info.transaction_status != driver().pq.TransactionStatus.IDLE) and not self.raw.closed

    @contextmanager
    def reading(self) -> Iterator[None]:
        """See one state throughout the block, whatever others write meanwhile."""
        if self.in_transaction:
            yield
            return
        with self.spoken("read"):
            self.raw.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        try:
            yield
        finally:
            self.roll_back()

    @contextmanager
    def writing(self, *, shared: bool = False, game: str = "") -> Iterator[None]:
        """Hold the home's lock, shared or alone; commit at the end, roll back on any exception."""
        if self.in_transaction:
            raise RuntimeError("a transaction is open already")
        try:
            self._begin(shared, game)
            yield
            self._commit()
        except BaseException:
            self.roll_back()
            raise
        finally:
            self._seen = None

    def lock(self, name: str) -> None:
        """Hold the lock of that name until the transaction ends; what was read before it was had counts no more."""
        if self._seen is None or name not in self._locks:
            self._locks.add(name)
            self.rows("SELECT pg_advisory_xact_lock(?)", self._lock_number(name))

    def roll_back(self) -> None:
        """End the open transaction; one whose connection was lost has ended."""
        self._waiting.clear()
        with suppress(BadDisk):
            if self.in_transaction:
                self.run("ROLLBACK")

    def faults(self) -> list[str]:
        """Nothing: PostgreSQL checks its pages when it reads them, and keeps foreign keys itself."""
        return []

    def image(self) -> bytes:
        """A SQLite database with the same rows, as they are at one moment."""
        from pbem.store.copying import image_of

        size = self.rows(
            "SELECT coalesce(sum(pg_total_relation_size(oid)), 0) FROM pg_class"
            " WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r'"
        )
        return image_of(self, int(size[0][0]))

    def close(self) -> None:
        """Close the connection."""
        self.raw.close()

    def _begin(self, shared: bool, game: str) -> None:
        """Begin, take the locks, and read whether the home is in use and what is usually wanted, in one question.

        In it each statement sees what was stored when its turn has come: the last one, what was before the locks
        were had.
        """
        ending = "_shared" if shared else ""
        keys = self._habit.keys(game) if game else []
        parts = [
            "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE",
            f"SELECT pg_advisory_xact_lock{ending}({self._lock_number('home')})",
            *([f"SELECT pg_advisory_xact_lock({self._lock_number(game_lock(game))})"] if game else []),
        ]
        if shared:
            parts.append(f"SELECT key, value FROM meta WHERE key IN ({', '.join(map(_quoted, (*IN_USE, *keys)))})")
        with self.spoken("read"):
            cursor = self.raw.execute("; ".join(parts))
            while cursor.nextset():
                pass
            found = cursor.fetchall()
        self._game, self._locks, self._seen = game, {game_lock(game)}, Seen()
        if shared:
            self._seen.note(MARKS, (), [row for row in found if row[0] in IN_USE])
            for key in keys:
                self._seen.note(META_VALUE, (key,), [(value,) for name, value in found if name == key])

    def noted(self, rows: Rows, statement: str, *values: object) -> None:
        """Say what a question will be answered with, after what was put just now."""
        if self._seen is not None:
            self._seen.note(statement, values, rows)

    def _will_change(self, statement: str, values: tuple[object, ...]) -> None:
        if self.raw.closed:
            raise lost("write to", self.place)
        if self._seen is None:
            raise RuntimeError("a writer is used after its transaction")
        self._seen.changed(statement, values)
        self._drop_ahead(lambda question: may_change(statement, values, question))

    def _drop_ahead(self, stale: Callable[[Question], bool]) -> None:
        """Of what is to be asked with the next statement leave out what would be asked twice or too early."""
        self._waiting = [one for one in self._waiting if not (one[2] and stale(one[:2]))]

    def _rows(self, statement: str, values: tuple[object, ...]) -> Rows:
        with self.spoken("read" if all(asked for _, _, asked in self._waiting) else "write to"):
            return list(self._executed(statement, values).fetchall())

    def _executed(self, statement: str, values: tuple[object, ...]) -> psycopg.Cursor[Any]:
        """Run a statement behind those that wait for it, in one question to the server where libpq can do that."""
        waiting, self._waiting = self._waiting, []
        asked: list[tuple[Question, psycopg.Cursor[Any]]] = []
        with self.raw.pipeline() if waiting and driver().Pipeline.is_supported() else nullcontext():
            for earlier, given, is_asked in waiting:
                done = self.raw.execute(_translated(earlier), given or None)
                if is_asked:
                    asked.append(((earlier, given), done))
            cursor: psycopg.Cursor[Any] = self.raw.execute(_translated(statement), values or None)
        if self._seen is not None:
            for question, done in asked:
                self._seen.note(*question, done.fetchall())
        return cursor

    def _commit(self) -> None:
        """Commit; PostgreSQL answers to a COMMIT of a transaction in which a statement has failed with ROLLBACK."""
        with self.spoken("write to"):
            answer = self._executed("COMMIT", ()).statusmessage
        if answer != "COMMIT":
            raise RuntimeError("a transaction goes on after a statement in it has failed")

    def _lock_number(self, name: str) -> int:
        """Advisory locks have numbers and belong to the whole database, so the schema is in the name."""
        digest = hashlib.sha256(f"pbem/{self.address.schema}/{name}".encode()).digest()
        return int.from_bytes(digest[:8], "big", signed=True)

    def _settle(self, patience_ms: int, wanted: tuple[tuple[str, str], ...]) -> None:
        check_version(self.raw.info.server_version, self.place)
        self.run(f'SET search_path = "{self.address.schema}"')
        self.run(f"SET lock_timeout = {max(1, patience_ms)}")
        self.run(f"SET {wanted[0][0]} = {wanted[0][1]}")
        for setting in ("tcp_keepalives_idle = 30", "tcp_keepalives_interval = 10", "tcp_keepalives_count = 3"):
            self.run(f"SET {setting}")  # a worker whose machine is gone holds no lock for hours
        for name, value in wanted:
            found = self.rows(f"SHOW {name}")[0][0]
            if found != value:
                raise BadDisk(
                    "database.setting_refused",
                    f"expected PostgreSQL to have {name} = {value} in {self.place!r}, got {found}",
                    "without it, what was stored may be lost: have it set on the server",
                )

    @contextmanager
    def spoken(self, deed: str) -> Iterator[None]:
        """Put errors of PostgreSQL into words; a broken constraint or a wrong call is a bug and passes."""
        psycopg = driver()
        try:
            yield
        except (psycopg.IntegrityError, psycopg.InterfaceError):
            raise
        except psycopg.Error as error:
            if isinstance(error, psycopg.ProgrammingError) and error.sqlstate is None:
                raise
            raise self._fault(error, deed) from error

    def _fault(self, error: psycopg.Error, deed: str) -> PbemError:
        return lost(deed, self.place) if self.raw.closed else fault_of(error, deed, self.place)


def check_version(version: int, place: str) -> None:
    """Raise BadDisk for a server that is too old; its version is written as 130004 for 13.4."""
    if version < OLDEST:
        raise BadDisk(
            "database.too_old",
            f"expected PostgreSQL {OLDEST // 10000} or later in {place!r}, got {version // 10000}",
            "use a newer server",
        )


def driver() -> ModuleType:
    """The package `psycopg`; BadRequest where it is not installed."""
    try:
        import psycopg
    except ImportError:
        raise BadRequest(
            "database.no_driver",
            "expected the package psycopg for a home in PostgreSQL, got none",
            "install it: `pip install 'pbem[postgres]'`",
        ) from None
    return psycopg


@lru_cache(maxsize=256)
def _translated(statement: str) -> str:
    """The mark of a value is `%s` here; no statement of the store has either sign in another sense."""
    return statement.replace("?", "%s")


def _quoted(key: str) -> str:
    """A key as SQL writes a text: what the habit learns has neither quotes nor backslashes."""
    return f"'{key}'"

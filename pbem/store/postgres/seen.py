"""What a transaction has read already: the same question is not put to the server twice.

The answers last until their table is changed, a lock is waited for, or the transaction ends; what others store
meanwhile is seen by the next one. Left out: what is read to be held (`FOR UPDATE`), which is always asked for.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any, TypeAlias

from pbem.store.reading import META_VALUE
from pbem.store.tables import TABLES

Rows: TypeAlias = list[tuple[Any, ...]]
Question: TypeAlias = tuple[str, tuple[object, ...]]
_READ = re.compile(r"\b(?:FROM|JOIN) ([a-z]+)")
_CHANGED = re.compile(r"(?:INSERT INTO|UPDATE|DELETE FROM) ([a-z]+)\b")
_PUT = re.compile(r"INSERT INTO ([a-z]+) \(([a-z_]+)(, [^()]*)\) VALUES (\([?, ]*\)(?:, \([?, ]*\))*)")
_FORM = re.compile(r"[a-z_/-]+\*?")
_ID = re.compile(r"[0-9a-f]+")
MOST_FORMS = 32
_ONE_KEY = {name: table.key[0] for name, table in TABLES.items() if len(table.key) == 1}


class Habit:
    """Which values of the table `meta` transactions at a game have read so far: the next one reads all at once.

    It says what to ask for and never what is answered.
    """

    def __init__(self) -> None:
        self._forms: dict[str, None] = {}

    def keys(self, game: str) -> list[str]:
        """What a transaction at that game will probably read, in hexadecimal and other lower-case letters alone."""
        return [form.replace("*", game) for form in self._forms] if _ID.fullmatch(game) else []

    def note(self, game: str, statement: str, values: tuple[object, ...]) -> None:
        """Learn from a question; keys of another kind than a word, perhaps with the game behind it, are passed over."""
        form = str(values[0]).replace(game, "*") if game and statement == META_VALUE else ""
        if _FORM.fullmatch(form) and len(self._forms) < MOST_FORMS:
            self._forms[form] = None


class Seen:
    """The answers of one transaction; they are shared and must not be changed."""

    def __init__(self) -> None:
        self._answers: dict[Question, Rows] = {}

    def answer(self, statement: str, values: tuple[object, ...]) -> Rows | None:
        """What was answered to the same question, None where it has to be asked."""
        return self._answers.get((statement, values))

    def note(self, statement: str, values: tuple[object, ...], rows: Rows) -> None:
        """Keep an answer; one that holds rows is a reason to ask for everything of their table again."""
        if statement.startswith("SELECT") and " FOR UPDATE" not in statement and _tables(statement):
            self._answers[statement, values] = rows
        else:
            self.changed(statement, values)

    def changed(self, statement: str, values: tuple[object, ...]) -> None:
        """Forget what a statement may have changed: of a row that is put under its key, no other row of its table."""
        for question in [one for one in self._answers if may_change(statement, values, one)]:
            del self._answers[question]


def may_change(statement: str, values: tuple[object, ...], question: Question) -> bool:
    """Whether a statement may change the answer to a question."""
    tables = _tables(statement)
    if not tables:
        return True
    columns, rows = _puts(statement)
    keys = values[: columns * rows : columns or 1]
    return bool(tables & _tables(question[0])) and not (
        keys and _asks_for_one(question[0]) and question[1][0] not in keys
    )


@lru_cache(maxsize=256)
def _tables(statement: str) -> frozenset[str]:
    """The tables that a statement reads or changes; none where that is not to be seen."""
    found = {*_READ.findall(statement), *_CHANGED.findall(statement)}
    return frozenset(found if found <= TABLES.keys() else ())


@lru_cache(maxsize=256)
def _asks_for_one(statement: str) -> bool:
    """Whether it reads the row of a key, and nothing else."""
    tables = _tables(statement)
    return len(tables) == 1 and statement.endswith(tuple(f"WHERE {_ONE_KEY.get(name)} = ?" for name in tables))


@lru_cache(maxsize=256)
def _puts(statement: str) -> tuple[int, int]:
    """How many columns and rows it puts under keys that are the first value of each row; none where it does not."""
    found = _PUT.match(statement)
    if found is None or found[2] != _ONE_KEY.get(found[1]):
        return 0, 0
    return found[3].count(",") + 1, found[4].count("(")

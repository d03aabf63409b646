"""The numbers of a rulebook that stand in no table: groups by subject, read from the lines `key,value,rule,…`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import fields
from typing import Any, TypeVar, get_type_hints

from pbem.errors import BadRequest
from pbem.rules.csv_file import Row

Figures = TypeVar("Figures")
LARGEST = 9999


def read_figures(model: type[Figures], rows: Iterable[Row], file: str, hint: str) -> Figures:
    """A dataclass whose fields are dataclasses of whole numbers; the key of one is `group.figure`.

    Raises BadRequest for a key that the rules do not use or that comes twice, and for one that is missing.
    """
    groups = get_type_hints(model)
    known = [f"{name}.{one.name}" for name, group in groups.items() for one in fields(group)]
    values = _values(rows, known)
    for key in known:
        if key not in values:
            raise BadRequest("data.constant", f"expected a line with the key {key!r} in {file}, got none", hint)
    return model(**{name: _group(name, group, values) for name, group in groups.items()})


def _values(rows: Iterable[Row], known: list[str]) -> dict[str, int]:
    values: dict[str, int] = {}
    for row in rows:
        key = row.unused("key", row.name("key"), values, "a key")
        if key not in known:
            row.refuse("key", "a figure that the rules use")
        row.name("rule")
        values[key] = row.number("value", -LARGEST, LARGEST)
    return values


def _group(name: str, group: type[Any], values: dict[str, int]) -> Any:
    return group(**{one.name: values[f"{name}.{one.name}"] for one in fields(group)})


def other_signs(figures: Any, built_in: Any, file: str) -> Iterator[str]:
    """What is wrong with the figures of a transcription, as sentences.

    A figure keeps its sign: what is counted with is at least 1, or at most -1; 0 stays 0 or becomes more.
    """
    for group in fields(built_in):
        printed, own = getattr(built_in, group.name), getattr(figures, group.name)
        for one in fields(printed):
            value = getattr(own, one.name)
            if wanted := _other_sign(getattr(printed, one.name), value):
                yield f"expected {wanted} for the key '{group.name}.{one.name}' in {file}, got {value}"


def _other_sign(printed: int, value: int) -> str:
    """What a figure should be, empty where it is so."""
    if printed > 0:
        return "" if value > 0 else "a number above 0"
    if printed < 0:
        return "" if value < 0 else "a number below 0"
    return "" if value >= 0 else "0 or more"

"""Order lines as phrases: a verb, the names behind it, and clauses, each kind of which stands once in a line.

A game gives its grammar; what the names mean, and what may be ordered, is the game's.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, TypeVar

from lark import Token, Transformer
from pydantic import BaseModel, ValidationError

from pbem.log.forms import first_problem
from pbem.rules.names import fold
from pbem.rules.refusal import Refusal, Refused
from pbem.rules.sheet import SHARED_GRAMMAR, SheetLine, parse_line

M = TypeVar("M", bound=BaseModel)
_ORDERS = re.compile(r"^order:((?:.|\n\s+\|)*)", re.MULTILINE)
_KEYWORDS = re.compile(r"^[A-Z]+\.5: /(.+)/i$", re.MULTILINE)
_TOKEN = re.compile(r'"[^"]+"|[^\s,"#>→]+')


@dataclass(frozen=True, slots=True)
class Name:
    """A name as written, word by word, each with its column (from 1)."""

    words: tuple[tuple[str, int], ...]

    @property
    def text(self) -> str:
        return " ".join(word for word, _ in self.words)

    @property
    def column(self) -> int:
        return self.words[0][1]

    def split(self, at: int) -> tuple[Name, Name]:
        """The first `at` words, and the rest."""
        return Name(self.words[:at]), Name(self.words[at:])


@dataclass(frozen=True, slots=True)
class Clause:
    """A part of an order: `start` (`with`) and the names behind it, or a `word` in their place (`all`, `none`)."""

    kind: str
    names: tuple[Name, ...] = ()
    word: str = ""
    column: int = 1
    start: str = ""


@dataclass(frozen=True, slots=True)
class Phrase:
    """A line: its verb, the names behind the verb, and its clauses by kind."""

    line: SheetLine
    verb: str
    names: tuple[Name, ...] = ()
    word: str = ""
    clauses: Mapping[str, Clause] = field(default_factory=dict)

    def named(self, kind: str) -> tuple[Name, ...]:
        """The names of a clause, none where it is left out."""
        return self.clauses[kind].names if kind in self.clauses else ()

    def says(self, kind: str, word: str) -> bool:
        """Whether a clause stands there with a word in the place of names."""
        return kind in self.clauses and self.clauses[kind].word == word


@dataclass(frozen=True)
class Language:
    """The words of a game's order lines, as a grammar whose rule `order` lists the verbs.

    `single` are its rules for one name, `several` those for lists of names; every other rule is a verb or a clause,
    `condition` one with IF or UNLESS that may have NOT in it. Keywords are terminals of priority 5; those in `free`
    may be a part of a name.
    """

    grammar: str
    single: tuple[str, ...]
    several: tuple[str, ...]
    free: tuple[str, ...] = ()

    @cached_property
    def verbs(self) -> tuple[str, ...]:
        """The rules of the grammar that are orders, not parts of one."""
        found = _ORDERS.search(self.grammar)
        return tuple(re.findall(r"[a-z]+", found[1])) if found else ()

    @cached_property
    def _keyword(self) -> re.Pattern[str]:
        return re.compile("|".join(_KEYWORDS.findall(self.grammar + SHARED_GRAMMAR)), re.IGNORECASE)

    def is_keyword(self, word: str) -> bool:
        """Whether a word of a name would be taken for a word of the language."""
        return word.casefold() not in self.free and self._keyword.match(word) is not None

    def is_plain(self, name: str) -> bool:
        """Whether a name can stand in an order as it is: quoted parts and words, none of them a keyword."""
        tokens = _TOKEN.findall(name)
        whole = bool(fold(name)) and " ".join(tokens) == name and "->" not in name
        return whole and not any(map(self.is_keyword, tokens))

    def read(self, line: SheetLine, forms: Sequence[str]) -> Phrase:
        """What one line says; Refused with line and column when it says nothing that the grammar knows."""
        return parse_line(self.grammar, line, _Reading(self, line), forms)


class _Reading(Transformer[Token, Phrase]):
    """From the tree of one line to its phrase."""

    def __init__(self, language: Language, line: SheetLine) -> None:
        super().__init__()
        self._language, self._line = language, line

    def order(self, items: Sequence[Any]) -> Phrase:
        verb, clauses = items[0]
        return _phrase(self._line, verb, clauses)

    def __default__(self, data: Any, children: Sequence[Any], meta: Any) -> Any:
        """A name, a list of names, or a verb or clause with its names and words and the clauses in it."""
        kind = str(data)
        if kind in self._language.single:
            return Name(tuple((str(token), token.column or 1) for token in children))
        if kind in self._language.several:
            return tuple(item for item in children if isinstance(item, Name))
        tokens = [item for item in children if isinstance(item, Token)]
        names = tuple(name for item in children for name in _names(item))
        word = next((str(token).lower() for token in tokens[1:]), "")
        own = Clause(kind, names, word, tokens[0].column or 1, str(tokens[0]).lower())
        if kind == "condition":
            own = _condition(own, [token.type for token in tokens])
        clauses = [item for item in children if isinstance(item, Clause)]
        return (own, clauses) if kind in self._language.verbs else own


def _names(item: Any) -> tuple[Name, ...]:
    if isinstance(item, Name):
        return (item,)
    return item if isinstance(item, tuple) and all(isinstance(one, Name) for one in item) else ()


def _condition(clause: Clause, types: Sequence[str]) -> Clause:
    """`unless X taken` and `if X not taken` are the same."""
    negative = (types[0] == "UNLESS") != ("NOT" in types)
    return replace(clause, kind="unless" if negative else "if", word="")


def _phrase(line: SheetLine, verb: Clause, clauses: Sequence[Clause]) -> Phrase:
    """A verb with its clauses, each kind once; Refused for a second one."""
    kinds: dict[str, Clause] = {}
    for clause in clauses:
        if clause.kind in kinds:
            text = f"expected one '{kinds[clause.kind].start}' in an order, got two"
            raise Refused((Refusal("orders.twice", text, "", "", line.number, line.indent + clause.column),))
        kinds[clause.kind] = clause
    return Phrase(line, verb.kind, verb.names, verb.word, kinds)


def made(model: type[M], line: SheetLine | None, /, **fields: Any) -> M:
    """A part of an answer; Refused when a list in it is too long."""
    try:
        return model(**fields)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where, most = first["loc"][0], first.get("ctx", {}).get("max_length")
        text = (
            f"expected at most {most} {where}, got more"
            if most
            else f"expected other {where}, got: {first_problem(error)[1]}"
        )
        place = (line.number, line.indent + 1) if line else (0, 0)
        raise Refused((Refusal("orders.too_many" if most else "orders.form", text, "", "", *place),)) from None

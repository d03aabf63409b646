"""The grammar of order lines: which words stand where. What names mean is said in `orders.py`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from lark import Token, Transformer

from pbem.rules.refusal import Refusal, Refused
from pbem.rules.sheet import SHARED_GRAMMAR, SheetLine, parse_line

GRAMMAR = r"""
order: attack | move | bomb | intercept | raid | load | travel | join | defend | losses | place
     | pass | no | when | then
attack: ATTACK area (origin | fighters | backing | flown | first | entering | condition)*
move: MOVE units [origin] goal [way]
bomb: BOMB area fighters
intercept: INTERCEPT areas
raid: RAID area fighters
load: LOAD units
travel: (TRAIN | DESTINATION) units [goal]
join: JOIN [units] [goal]
defend: DEFEND area (stay | back | backing | first)*
losses: LOSSES units [goal]
place: PLACE units goal
pass: PASS
no: NO WORD
when: ATTACKS (NOW | LATER)
then: THEN ASK
origin: FROM areas
fighters: WITH (ALL | units)
backing: (SUPPORT | HQ) units
flown: AIR units
first: LOSSES units
entering: ADVANCE (ALL | NONE | NOBODY | units)
condition: (IF | UNLESS) area IS? NOT? TAKEN
goal: TO area
way: VIA areas
stay: STAY OR?
back: RETREAT TO? areas?
units: unit (("," | AND) unit)*
areas: area (("," | AND | OR) area)*
unit: (WORD | QUOTED | HQ)+
area: (WORD | QUOTED)+
ATTACK.5: /attack(?![\w-])/i
MOVE.5: /(move|march)(?![\w-])/i
BOMB.5: /(bomb|bombard)(?![\w-])/i
INTERCEPT.5: /intercept(?![\w-])/i
RAID.5: /raid(?![\w-])/i
LOAD.5: /load(?![\w-])/i
TRAIN.5: /(train|travel)(?![\w-])/i
DESTINATION.5: /destination(?![\w-])/i
JOIN.5: /join(?![\w-])/i
DEFEND.5: /defend(?![\w-])/i
PLACE.5: /place(?![\w-])/i
PASS.5: /pass(?![\w-])/i
NO.5: /no(?![\w-])/i
ATTACKS.5: /attacks(?![\w-])/i
NOW.5: /now(?![\w-])/i
LATER.5: /later(?![\w-])/i
THEN.5: /then(?![\w-])/i
ASK.5: /ask(?![\w-])/i
FROM.5: /from(?![\w-])/i
WITH.5: /with(?![\w-])/i
ALL.5: /all(?![\w-])/i
NONE.5: /none(?![\w-])/i
NOBODY.5: /nobody(?![\w-])/i
SUPPORT.5: /support(?![\w-])/i
HQ.5: /hq(?![\w-])/i
AIR.5: /air(?![\w-])/i
LOSSES.5: /loss(es)?(?![\w-])/i
ADVANCE.5: /advance(?![\w-])/i
IF.5: /if(?![\w-])/i
UNLESS.5: /unless(?![\w-])/i
IS.5: /is(?![\w-])/i
NOT.5: /not(?![\w-])/i
TAKEN.5: /taken(?![\w-])/i
VIA.5: /via(?![\w-])/i
STAY.5: /(stay|stand)(?![\w-])/i
RETREAT.5: /retreat(?![\w-])/i
AND.5: /and(?![\w-])/i
"""


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


class _Reading(Transformer[Token, Phrase]):
    """From the tree of one line to its phrase."""

    def __init__(self, line: SheetLine) -> None:
        super().__init__()
        self._line = line

    def order(self, items: Sequence[Any]) -> Phrase:
        verb, clauses = items[0]
        return phrase(self._line, verb, clauses)

    def unit(self, tokens: Sequence[Token]) -> Name:
        return Name(tuple((str(token), token.column or 1) for token in tokens))

    area = unit

    def units(self, items: Sequence[Any]) -> tuple[Name, ...]:
        return tuple(item for item in items if isinstance(item, Name))

    areas = units

    def __default__(self, data: Any, children: Sequence[Any], meta: Any) -> Any:
        """A verb or a clause: its names and words, and the clauses in it."""
        kind = str(data)
        tokens = [item for item in children if isinstance(item, Token)]
        names = tuple(name for item in children for name in _names(item))
        word = next((str(token).lower() for token in tokens[1:]), "")
        own = Clause(kind, names, word, tokens[0].column or 1, str(tokens[0]).lower())
        if kind == "condition":
            own = _condition(own, [token.type for token in tokens])
        clauses = [item for item in children if isinstance(item, Clause)]
        return (own, clauses) if kind in VERBS else own


VERBS = tuple(re.findall(r"[a-z]+", GRAMMAR[: GRAMMAR.index("attack:")]))[1:]
"""The rules of the grammar that are orders, not parts of one."""
_KEYWORD = re.compile(
    "|".join(re.findall(r"^[A-Z]+\.5: /(.+)/i$", GRAMMAR + SHARED_GRAMMAR, re.MULTILINE)), re.IGNORECASE
)


def is_keyword(word: str) -> bool:
    """Whether a word of a name would be taken for a word of the language; `hq` may be part of a unit's name."""
    return word.casefold() != "hq" and _KEYWORD.match(word) is not None


def _names(item: Any) -> tuple[Name, ...]:
    if isinstance(item, Name):
        return (item,)
    return item if isinstance(item, tuple) and all(isinstance(one, Name) for one in item) else ()


def _condition(clause: Clause, types: Sequence[str]) -> Clause:
    """`unless X taken` and `if X not taken` are the same."""
    negative = (types[0] == "UNLESS") != ("NOT" in types)
    return replace(clause, kind="unless" if negative else "if", word="")


def phrase(line: SheetLine, verb: Clause, clauses: Sequence[Clause]) -> Phrase:
    """A verb with its clauses, each kind once; Refused for a second one."""
    kinds: dict[str, Clause] = {}
    for clause in clauses:
        if clause.kind in kinds:
            text = f"expected one '{kinds[clause.kind].start}' in an order, got two"
            raise Refused((Refusal("orders.twice", text, "", "", line.number, line.indent + clause.column),))
        kinds[clause.kind] = clause
    return Phrase(line, verb.kind, verb.names, verb.word, kinds)


def read_phrase(line: SheetLine, forms: Sequence[str]) -> Phrase:
    """What one line says; Refused with line and column when it says nothing that the grammar knows."""
    return parse_line(GRAMMAR, line, _Reading(line), forms)

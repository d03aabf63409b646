"""What a line of the order language means: the names in it found, the parts of an order put together.

Left out: which orders a question takes, and whether they are legal (`orders.py` and the sections of the rules).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NoReturn, TypeAlias, TypeVar

from pydantic import BaseModel

from pbem.games.polska1939.answers import (
    AttackOrder,
    Bomb,
    Join,
    Load,
    LossOrder,
    Move,
    Placed,
    Raid,
    Stand,
    Travel,
)
from pbem.games.polska1939.data_files import GameData
from pbem.games.polska1939.names import Namer, namer
from pbem.games.polska1939.near_areas import some_areas
from pbem.games.polska1939.s5_attacks import attackable
from pbem.games.polska1939.state import AreaId, Occupation, Side, State, Unit, UnitId
from pbem.rules.phrases import Name, Phrase, made
from pbem.rules.refusal import Refusal, Refused, shown
from pbem.rules.sheet import SheetLine, each_once
from pbem.rules.spelling import Match, resolved

_AIR_UNIT = re.compile(r"(bom|off) *-?([1-9])", re.IGNORECASE)
_SUPPORT = re.compile(r"(?:off *-?)?([1-9])", re.IGNORECASE)
_COUNT = re.compile(r"[1-9]")
M = TypeVar("M", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class Intercepted:
    """An area that a bomber defends."""

    area: str


@dataclass(frozen=True, slots=True)
class Setting:
    """A line that orders nothing: `pass`, `no bombs`, and what is to become of the attacks behind air missions."""

    name: Literal["pass", "nothing", "attacks"]
    value: str = ""


Order: TypeAlias = AttackOrder | Bomb | Raid | Stand | LossOrder | Move | Load | Travel | Join | Placed | Intercepted
Item: TypeAlias = Order | Setting


class Meaning:
    """What the lines of one sheet say, in turn: `with all` leaves out who attacks in an earlier line."""

    def __init__(self, data: GameData, state: State, side: Side) -> None:
        self._data, self._state, self._side = data, state, side
        self._names: Namer = namer(data, state, side)
        self._fighting: list[str] = []
        self._attackable: Mapping[AreaId, tuple[Unit, ...]] | None = None
        self._line = SheetLine(1, 0, "")

    def items(self, phrase: Phrase) -> tuple[Item, ...]:
        """The orders or the setting of a line; Refused with line and column."""
        self._line = phrase.line
        found: tuple[Item, ...] = _VERBS[phrase.verb](self, phrase)
        return found

    def attack(self, phrase: Phrase) -> tuple[Item, ...]:
        target = self._area(phrase.names[0])
        origins = [self._area(name) for name in phrase.named("origin")]
        units = self._fighters(phrase, target, origins)
        order = self._made(
            AttackOrder,
            target=target,
            units=units,
            headquarters=tuple(map(self._headquarters, phrase.named("backing"))),
            air=self._support(phrase),
            losses=self._units_once(phrase.named("first"), "5.4.2"),
            advance=self._advance(phrase),
            when_taken=self._condition(phrase, "if"),
            unless_taken=self._condition(phrase, "unless"),
        )
        self._fighting += units
        return (order,)

    def move(self, phrase: Phrase) -> tuple[Item, ...]:
        origin = [self._area(name) for name in phrase.named("origin")]
        units = [self._placed_unit(name, origin) for name in phrase.names]
        to, via = self._goal(phrase), tuple(map(self._area, phrase.named("way")))
        return tuple(self._made(Move, unit=unit, to=to, via=via) for unit in units)

    def bomb(self, phrase: Phrase) -> tuple[Item, ...]:
        area = self._area(phrase.names[0])
        found = []
        for name in self._listed(phrase, "an air unit such as BOM 1 or OFF 2"):
            match = _AIR_UNIT.fullmatch(name.text) or self._refuse(name, "an air unit such as BOM 1 or OFF 2")
            found.append(self._made(Bomb, air=match[1].lower(), number=int(match[2]), area=area))
        return tuple(found)

    def intercept(self, phrase: Phrase) -> tuple[Item, ...]:
        return tuple(Intercepted(self._area(name)) for name in phrase.names)

    def raid(self, phrase: Phrase) -> tuple[Item, ...]:
        wanted = "a number of bombers from 1 to 9"
        name, *more = self._listed(phrase, wanted)
        if more or not _COUNT.fullmatch(name.text):
            self._refuse(more[0] if more else name, wanted)
        return (self._made(Raid, region=self._region(phrase.names[0]), bombers=int(name.text)),)

    def load(self, phrase: Phrase) -> tuple[Item, ...]:
        return tuple(self._made(Load, unit=self._unit(name)) for name in phrase.names)

    def travel(self, phrase: Phrase) -> tuple[Item, ...]:
        if "goal" in phrase.clauses:
            to = self._goal(phrase)
            return tuple(self._made(Travel, unit=self._unit(name), to=to) for name in phrase.names)
        *others, last = phrase.names
        unit, area = self._behind(last)
        units = (*map(self._unit, others), unit)
        return tuple(self._made(Travel, unit=name, to=area) for name in units)

    def join(self, phrase: Phrase) -> tuple[Item, ...]:
        if "goal" in phrase.clauses:
            return (self._made(Join, area=self._goal(phrase)),)
        if len(phrase.names) != 1:
            raise Refused((self._refusal("orders.unreadable", "expected an area behind 'join', got none", 1),))
        return (self._made(Join, area=self._area(phrase.names[0])),)

    def defend(self, phrase: Phrase) -> tuple[Item, ...]:
        leaders = tuple(map(self._headquarters, phrase.named("backing")))
        if len(leaders) > 1:
            self._refuse(phrase.named("backing")[1], "one HQ")
        stand = self._made(
            Stand,
            area=self._area(phrase.names[0]),
            headquarters=leaders[0] if leaders else None,
            stay="stay" in phrase.clauses,
            to=self._areas_once(phrase.named("back"), "5.3.1"),
            losses=self._units_once(phrase.named("first"), "5.4.2"),
        )
        return (stand,)

    def losses(self, phrase: Phrase) -> tuple[Item, ...]:
        if "goal" in phrase.clauses:
            area, units = self._goal(phrase), self._units_once(phrase.names, "6.1.4")
            return (self._made(LossOrder, area=area, first=units),)
        head, *others = phrase.names
        area, first = self._before(head)
        units = self._units_once((*first, *others), "6.1.4")
        return (self._made(LossOrder, area=area, first=units),)

    def place(self, phrase: Phrase) -> tuple[Item, ...]:
        area = self._goal(phrase)
        return tuple(self._made(Placed, unit=self._unit(name), area=area) for name in phrase.names)

    def nothing(self, phrase: Phrase) -> tuple[Item, ...]:
        """`no attacks`, `no bombs`."""
        if phrase.word == "attacks":
            return (Setting("attacks", "none"),)
        return (Setting("nothing", phrase.word),)

    def when(self, phrase: Phrase) -> tuple[Item, ...]:
        """`attacks later` and `then ask` mean the same."""
        return (Setting("attacks", "now" if phrase.word == "now" else "later"),)

    def passed(self, _: Phrase) -> tuple[Item, ...]:
        return (Setting("pass"),)

    # ------------------------------------------------------------------ parts of orders

    def _fighters(self, phrase: Phrase, target: str, origins: Sequence[str]) -> tuple[str, ...]:
        if phrase.named("fighters"):
            return tuple(self._placed_unit(name, origins) for name in phrase.named("fighters"))
        if not phrase.says("fighters", "all") and not origins:
            text = "expected the units that attack, got none"
            hint = "write 'with' and their names, 'with all', or 'from' and an area for all that stand there"
            raise Refused((self._refusal("orders.no_units", text, 1, hint),))
        free = [unit for unit in self._able(target) if unit.id not in self._fighting]
        units = [unit.id for unit in free if not origins or unit.area in origins]
        if not units:
            text = f"expected units that can attack {self._data.area_name(target)}, got none"
            hint = self._targets_hint(target)
            raise Refused((self._refusal("orders.no_units", text, phrase.names[0].column, hint),))
        return tuple(units)

    def _able(self, target: str) -> Sequence[Unit]:
        """The units of the side that can attack an area; looked for once in a sheet."""
        if self._attackable is None:
            occupation = Occupation.of(self._state)
            self._attackable = attackable(self._data, self._state, occupation, self._side)
        return self._attackable.get(AreaId(target), ())

    def _targets_hint(self, target: str) -> str:
        targets = some_areas(self._data, self._attackable or {}, target)
        return f"in reach of an attack: {targets}" if targets else ""

    def _support(self, phrase: Phrase) -> int:
        names = phrase.named("flown")
        if not names:
            return 0
        wanted = "the number of one offensive air support unit, from 1 to 9"
        match = _SUPPORT.fullmatch(names[0].text) or self._refuse(names[0], wanted)
        if len(names) > 1:
            self._refuse(names[1], wanted)
        return int(match[1])

    def _advance(self, phrase: Phrase) -> str | tuple[str, ...]:
        clause = phrase.clauses.get("entering")
        if clause is None:
            return "all"
        if clause.word in ("all", "none"):
            return clause.word
        return self._units_once(clause.names, "5.3.10")

    def _condition(self, phrase: Phrase, kind: str) -> str | None:
        names = phrase.named(kind)
        return self._area(names[0]) if names else None

    def _placed_unit(self, name: Name, origins: Sequence[str]) -> str:
        """A unit, which may be followed by its area (`27 INF G42`), standing where the order says that it stands."""
        unit, behind = self._unit_and_area(name)
        places = [behind] if behind else origins
        here = self._state.units.get(UnitId(unit))
        if here is not None and places and here.area not in places:
            wanted = " or ".join(self._data.area_name(place) for place in places)
            text = f"expected {self._data.name(unit)} in {wanted}, got it in {self._data.area_name(here.area)}"
            raise Refused((self._refusal("orders.from", text, name.column),))
        return unit

    def _unit_and_area(self, name: Name) -> tuple[str, str]:
        if not self._names.unit(name.text).found:
            for at in range(len(name.words) - 1, 0, -1):
                front, back = name.split(at)
                unit, area = self._names.unit(front.text), self._names.whole_area(back.text)
                if unit.found and area:
                    return self._unit(front), area
        return self._unit(name), ""

    def _behind(self, name: Name) -> tuple[str, str]:
        """A unit and the area behind it: `24 INF Tarnów`."""
        for at in range(1, len(name.words)):
            front, back = name.split(at)
            unit, area = self._names.unit(front.text), self._names.whole_area(back.text)
            if unit.id and area:
                return unit.id, area
        self._unit(name.split(len(name.words) - 1)[0] if len(name.words) > 1 else name)
        return self._refuse(name, "a unit and a city, such as 24 INF to Tarnów")

    def _before(self, name: Name) -> tuple[str, tuple[Name, ...]]:
        """An area and the unit behind it: `Mława 20 INF`; or the area alone."""
        if area := self._names.whole_area(name.text):
            return area, ()
        for at in range(len(name.words) - 1, 0, -1):
            front, back = name.split(at)
            if (area := self._names.whole_area(front.text)) and self._names.unit(back.text).found:
                return area, (back,)
        return self._refuse(name, "an area and a unit, such as Mława 20 INF")

    def _listed(self, phrase: Phrase, wanted: str) -> tuple[Name, ...]:
        names = phrase.named("fighters")
        if not names:
            text = f"expected {wanted}, got 'all'"
            raise Refused((self._refusal("orders.unreadable", text, phrase.clauses["fighters"].column),))
        return names

    def _goal(self, phrase: Phrase) -> str:
        return self._area(phrase.named("goal")[0])

    def _units_once(self, names: Sequence[Name], rule: str) -> tuple[str, ...]:
        found = [(self._unit(name), name.column) for name in names]
        return each_once(self._line, "unit", found, lambda unit: self._data.name(UnitId(unit)), rule)

    def _areas_once(self, names: Sequence[Name], rule: str) -> tuple[str, ...]:
        found = [(self._area(name), name.column) for name in names]
        return each_once(self._line, "area", found, lambda area: self._data.area_name(AreaId(area)), rule)

    def _unit(self, name: Name) -> str:
        return self._found("a unit", self._names.unit, name)

    def _headquarters(self, name: Name) -> str:
        return self._found("an HQ", self._names.headquarters, name)

    def _area(self, name: Name) -> str:
        return self._found("an area", self._names.area, name)

    def _region(self, name: Name) -> str:
        """A region, which may be named by one of its areas."""
        area = self._names.whole_area(name.text)
        if area and not self._names.region(name.text).id:
            return self._data.board.areas[area].region
        return self._found("a region", self._names.region, name)

    def _found(self, what: str, look: Callable[[str], Match], name: Name) -> str:
        return resolved(self._line, what, look, name.text, name.column)

    def _made(self, model: type[M], **fields: Any) -> M:
        return made(model, self._line, **fields)

    def _refuse(self, name: Name, wanted: str) -> NoReturn:
        text = f"expected {wanted}, got '{shown(name.text)}'"
        raise Refused((self._refusal("orders.unreadable", text, name.column),))

    def _refusal(self, code: str, text: str, column: int, hint: str = "") -> Refusal:
        return Refusal(code, text, "", hint, self._line.number, self._line.indent + column)


_VERBS: Mapping[str, Callable[[Meaning, Phrase], tuple[Item, ...]]] = {
    "attack": Meaning.attack,
    "move": Meaning.move,
    "bomb": Meaning.bomb,
    "intercept": Meaning.intercept,
    "raid": Meaning.raid,
    "load": Meaning.load,
    "travel": Meaning.travel,
    "join": Meaning.join,
    "defend": Meaning.defend,
    "losses": Meaning.losses,
    "place": Meaning.place,
    "pass": Meaning.passed,
    "no": Meaning.nothing,
    "when": Meaning.when,
    "then": Meaning.when,
}

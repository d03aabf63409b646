"""What a line of the order language means: the names in it found, the parts of an order put together.

Left out: which orders a question takes, and whether they are legal (`orders.py` and the sections of the rules).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from pbem.games.white_eagle import names
from pbem.games.white_eagle.answers import Battle, Fight, March
from pbem.games.white_eagle.board import BoxId
from pbem.games.white_eagle.data_files import GameData
from pbem.games.white_eagle.forces import UnitId
from pbem.games.white_eagle.kinds import GERMAN_COMMANDS, Command, Event, Side
from pbem.games.white_eagle.s7_movement import may_march
from pbem.games.white_eagle.state import State, Unit
from pbem.games.white_eagle.ways import whole_way
from pbem.rules.phrases import Name, Phrase, made
from pbem.rules.refusal import Refusal, Refused, shown
from pbem.rules.sheet import SheetLine, each_once
from pbem.rules.spelling import Match, resolved


@dataclass(frozen=True, slots=True)
class Recovery:
    """The unit that recovers."""

    unit: str


@dataclass(frozen=True, slots=True)
class Attempted:
    """Commands that try to activate late."""

    commands: tuple[Command, ...]


@dataclass(frozen=True, slots=True)
class Used:
    """Whether an event is used before movement."""

    use: bool
    event: Event | None


@dataclass(frozen=True, slots=True)
class Setting:
    """A line that orders nothing: `pass`, and being asked again."""

    name: Literal["pass", "ask"]


@dataclass(frozen=True, slots=True)
class Assault:
    """A combat with the units that a line names for it, and the event used against it: what `pbem odds` is asked."""

    battle: Battle
    units: tuple[UnitId, ...] = ()
    support: tuple[UnitId, ...] = ()
    against: Event | None = None


Item: TypeAlias = Recovery | March | Assault | Fight | Attempted | Used | Setting


class Meaning:
    """What the lines of one sheet say, in turn: `move all` leaves out who has an order in an earlier line."""

    def __init__(self, data: GameData, state: State, side: Side) -> None:
        self._data, self._state, self._side = data, state, side
        self._names = names.namer(data, state, side)
        self._busy: list[str] = []
        self._line = SheetLine(1, 0, "")

    def items(self, phrase: Phrase) -> tuple[Item, ...]:
        """The orders or the setting of a line; Refused with line and column."""
        self._line = phrase.line
        found: tuple[Item, ...] = _VERBS[phrase.verb](self, phrase)
        return found

    def recover(self, phrase: Phrase) -> tuple[Item, ...]:
        unit = self._unit(phrase.names[0])
        self._busy.append(unit)
        return (Recovery(unit),)

    def move(self, phrase: Phrase) -> tuple[Item, ...]:
        """One march for the units that go the same way."""
        goal, via = self._box(phrase.named("goal")[0]), tuple(map(self._box, phrase.named("way")))
        units, marches = self._movers(phrase), dict[tuple[BoxId, ...], list[str]]()
        for name in units:
            unit = self._state.units.get(UnitId(name))
            path = whole_way(self._data, self._state, unit, via, goal) if unit else (*via, goal)
            marches.setdefault(path or (goal,), []).append(name)
        self._busy += units
        support = "aiding" in phrase.clauses
        return tuple(
            made(March, self._line, units=tuple(group), path=path, support=support) for path, group in marches.items()
        )

    def attack(self, phrase: Phrase) -> tuple[Item, ...]:
        units, events = self._force(phrase)
        battle = made(Battle, self._line, **self._fight(phrase, events), **self._plans(phrase))
        support = tuple(UnitId(self._unit(name)) for name in phrase.named("backing"))
        against = [self._event(name) for name in phrase.named("versus")]
        return (Assault(battle, units, support, against[0] if against else None),)

    def sortie(self, phrase: Phrase) -> tuple[Item, ...]:
        """All units in a fort and the fort itself, or with the verb `fire` the fort alone."""
        units, events = self._force(phrase)
        what = "fort" if phrase.verb == "fire" else "all"
        if units:
            self._refuse_units(phrase)
        return (Assault(made(Battle, self._line, sortie=what, **self._fight(phrase, events), **self._plans(phrase))),)

    def defend(self, phrase: Phrase) -> tuple[Item, ...]:
        """A combat of the defender; units named in it say nothing, since all that stand there fight."""
        units, events = self._force(phrase)
        if units:
            self._refuse_units(phrase)
        leave = phrase.verb == "leave" or "leaving" in phrase.clauses
        return (made(Fight, self._line, **{**self._fight(phrase, events), "leave": leave}),)

    def use(self, phrase: Phrase) -> tuple[Item, ...]:
        """`use sabotage`, or `use it` where only one event can be meant."""
        name = phrase.names[0] if phrase.names else None
        event = None if name is None or name.text.casefold() in ("it", "event") else self._event(name)
        return (Used(phrase.verb == "use", event),)

    def attempt(self, phrase: Phrase) -> tuple[Item, ...]:
        commands = tuple(Command(self._found("a command", self._late, name)) for name in phrase.names)
        return (Attempted(commands),)

    def ask(self, _: Phrase) -> tuple[Item, ...]:
        return (Setting("ask"),)

    def passed(self, _: Phrase) -> tuple[Item, ...]:
        return (Setting("pass"),)

    # ------------------------------------------------------------------ parts of orders

    def _fight(self, phrase: Phrase, events: Sequence[Event]) -> dict[str, Any]:
        """What an attacker and a defender order alike."""
        if len(events) > self._data.figures.events.per_combat:
            column = phrase.named("fighters")[-1].column
            raise Refused(
                (self._refusal("orders.events", "expected one event in a combat, got more", column, "5.1.p1"),)
            )
        if {"leaving", "staying"} <= {*phrase.clauses}:
            text = "expected to leave or to stay, got both"
            raise Refused((self._refusal("orders.contradiction", text, phrase.clauses["staying"].column),))
        return {
            "box": self._box(phrase.names[0]),
            "event": events[0] if events else None,
            "losses": tuple(map(self._unit, phrase.named("first"))),
            "retreat": self._boxes_once(phrase.named("back"), "8.5.b2"),
            "leave": "leaving" in phrase.clauses,
        }

    def _plans(self, phrase: Phrase) -> dict[str, Any]:
        """What only the activated side orders: where to advance, and on what the combat depends."""
        if_won, unless_won = phrase.named("if"), phrase.named("unless")
        return {
            "advance": self._boxes_once(phrase.named("entering"), "8.5.p5"),
            "when_won": self._box(if_won[0]) if if_won else None,
            "unless_won": self._box(unless_won[0]) if unless_won else None,
        }

    def _force(self, phrase: Phrase) -> tuple[tuple[UnitId, ...], tuple[Event, ...]]:
        """The units and the events behind `with`."""
        units: list[UnitId] = []
        events: list[Event] = []
        for name in phrase.named("fighters"):
            if self._means_event(name.text):
                events.append(self._event(name))
            else:
                units.append(UnitId(self._unit(name)))
        return tuple(units), tuple(events)

    def _means_event(self, text: str) -> bool:
        if names.is_event(text) or self._names.is_unit(text):
            return names.is_event(text)
        return bool(names.event(text).id) and not self._names.unit(text).found

    def _movers(self, phrase: Phrase) -> list[str]:
        """The units of a march: those that are named, or all that may move and have no order yet."""
        origins = [self._box(name) for name in phrase.named("origin")]
        if phrase.names:
            return [self._placed_unit(name, origins) for name in phrase.names]
        if not origins:
            raise Refused((self._refusal("orders.no_units", "expected 'from' and a box behind 'all', got none", 1),))
        units = [unit.id for unit in self._state.units.values() if unit.box in origins and self._is_free(unit)]
        if not units:
            where = " or ".join(map(self._data.box_name, origins))
            text = f"expected units that may move in {where}, got none"
            raise Refused((self._refusal("orders.no_units", text, phrase.named("origin")[0].column),))
        return list(units)

    def _is_free(self, unit: Unit) -> bool:
        mine = self._data.unit(unit.id).side is self._side
        return mine and unit.id not in self._busy and may_march(self._data, self._state, unit) is None

    def _placed_unit(self, name: Name, origins: Sequence[BoxId]) -> str:
        """A unit, which may be followed by its box (`I Corps Allenstein`), standing where the order says it stands."""
        unit, behind = self._unit_and_box(name)
        places = [BoxId(behind)] if behind else origins
        here = self._state.units.get(UnitId(unit))
        if here is not None and places and here.box not in places:
            wanted = " or ".join(map(self._data.box_name, places))
            text = f"expected {self._data.name(here.id)} in {wanted}, got it in {self._data.box_name(here.box)}"
            raise Refused((self._refusal("orders.from", text, name.column),))
        return unit

    def _unit_and_box(self, name: Name) -> tuple[str, str]:
        if not self._names.unit(name.text).found:
            for at in range(len(name.words) - 1, 0, -1):
                front, back = name.split(at)
                box = self._names.whole_box(back.text)
                if box and self._names.unit(front.text).found:
                    return self._unit(front), box
        return self._unit(name), ""

    def _late(self, text: str) -> Match:
        return names.command(text, GERMAN_COMMANDS)

    def _unit(self, name: Name) -> str:
        return self._found("a unit", self._names.unit, name)

    def _box(self, name: Name) -> BoxId:
        return BoxId(self._found("a box", self._names.box, name))

    def _boxes_once(self, names: Sequence[Name], rule: str) -> tuple[str, ...]:
        found = [(self._box(name), name.column) for name in names]
        return each_once(self._line, "box", found, lambda box: self._data.box_name(BoxId(box)), rule)

    def _event(self, name: Name) -> Event:
        return Event(self._found("an event", names.event, name))

    def _found(self, what: str, look: Callable[[str], Match], name: Name) -> str:
        return resolved(self._line, what, look, name.text.strip('"'), name.column)

    def _refuse_units(self, phrase: Phrase) -> None:
        name = next(one for one in phrase.named("fighters") if not self._means_event(one.text))
        text = f"expected an event behind 'with', got '{shown(name.text)}'"
        hint = "all units that stand in the box fight; leave them out"
        raise Refused((self._refusal("orders.units", text, name.column, hint=hint),))

    def _refusal(self, code: str, text: str, column: int, rule: str = "", hint: str = "") -> Refusal:
        return Refusal(code, text, rule, hint, self._line.number, self._line.indent + column)


_VERBS: Mapping[str, Callable[[Meaning, Phrase], tuple[Item, ...]]] = {
    "recover": Meaning.recover,
    "move": Meaning.move,
    "attack": Meaning.attack,
    "sortie": Meaning.sortie,
    "fire": Meaning.sortie,
    "defend": Meaning.defend,
    "leave": Meaning.defend,
    "stay": Meaning.defend,
    "then": Meaning.ask,
    "ask": Meaning.ask,
    "use": Meaning.use,
    "keep": Meaning.use,
    "attempt": Meaning.attempt,
    "pass": Meaning.passed,
}

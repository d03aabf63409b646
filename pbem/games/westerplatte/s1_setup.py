"""Set-up: the Poles first, then the battleship. Rulings 13 and 14."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace

from pbem.games.westerplatte.answers import GermanSetup, Placed, PolishSetup
from pbem.games.westerplatte.cards import DECK
from pbem.games.westerplatte.data_files import AreaId, AreaKind, GameData, Side, UnitId
from pbem.games.westerplatte.state import EAST, UNPLACED, Piece, Stage, State, is_ship
from pbem.log.enumeration import counted
from pbem.log.event import Role
from pbem.rules.play import Question, Rules, ask, report
from pbem.rules.refusal import Refusal


def opening_state(data: GameData) -> State:
    """Every German ground unit off the east edge (setup.2), everything else still to be placed."""
    pieces = []
    for unit in data.units.values():
        waits_east = unit.side is Side.GERMAN and not is_ship(data, unit.id)
        pieces.append(Piece(unit.id, EAST if waits_east else UNPLACED))
    return State(Stage.POLISH_SETUP, 1, tuple(pieces), DECK)


def units_to_place(data: GameData, side: Side) -> tuple[UnitId, ...]:
    """The Polish units (setup.1), or the ship (setup.4)."""
    units = [unit for unit in data.units.values() if unit.side is side]
    return tuple(unit.id for unit in units if side is Side.POLISH or is_ship(data, unit.id))


def areas_to_place(data: GameData, side: Side) -> tuple[AreaId, ...]:
    """Land areas but A and B for the Poles (setup.1), Wa to Wd for the ship (setup.4)."""
    if side is Side.GERMAN:
        return tuple(AreaId(area) for area in data.words("ship.start"))
    return tuple(area.id for area in data.areas.values() if area.kind is AreaKind.LAND)


def polish_setup(data: GameData, state: State) -> Rules[State]:
    """The Poles place every unit strong side up (setup.1)."""
    question = Question(
        role=Role("polish"),
        model=PolishSetup,
        default=PolishSetup(placed=default_setup(data)),
        check=_checker(data, Side.POLISH),
    )
    answer = yield from ask(state, question)
    state = _placed(state, answer.placed)
    yield from report("setup.1", "the Poles set up: {where}", where=_where(answer.placed))
    return replace(state, stage=Stage.GERMAN_SETUP)


def german_setup(data: GameData, state: State) -> Rules[State]:
    """The Germans place the ship (setup.4); their ground units wait off the east edge (setup.2)."""
    ship = units_to_place(data, Side.GERMAN)[0]
    options = tuple(GermanSetup(placed=(Placed(unit=ship, area=area),)) for area in areas_to_place(data, Side.GERMAN))
    question = Question(
        role=Role("german"),
        model=GermanSetup,
        default=options[0],
        check=_checker(data, Side.GERMAN),
        options=lambda: options,
    )
    answer = yield from ask(state, question)
    state = _placed(state, answer.placed)
    yield from report("setup.4", "the Germans place the ship: {where}", where=_where(answer.placed))
    return replace(state, stage=Stage.CARDS)


def _checker(data: GameData, side: Side) -> Callable[[PolishSetup | GermanSetup], Sequence[Refusal]]:
    return lambda answer: placement_refusals(data, side, answer.placed)


def placement_refusals(data: GameData, side: Side, placed: Sequence[Placed]) -> list[Refusal]:
    """Every reason against a set-up: missing units, closed areas, stacks over the limit (setup.1, 4, 5)."""
    rule = "setup.1" if side is Side.POLISH else "setup.4"
    wanted, areas = units_to_place(data, side), areas_to_place(data, side)
    counted = Counter(item.unit for item in placed)
    free = _free_area(data, areas, placed)
    found = [
        Refusal("setup.missing", f"expected a place for {unit}, got none", rule, f"such as 'place {unit} in {free}'")
        for unit in wanted
        if not counted[unit]
    ]
    found += [
        Refusal("setup.twice", f"expected one place for {unit}, got {times}", rule)
        for unit, times in counted.items()
        if times > 1
    ]
    for line, item in enumerate(placed, start=1):
        if item.unit not in wanted:
            text = f"expected one of {', '.join(wanted)}, got '{item.unit}'"
            found.append(Refusal("setup.unit", text, rule, line=line))
        if item.area not in areas:
            text = f"expected {item.unit} in one of {', '.join(areas)}, got '{item.area}'"
            found.append(Refusal("setup.area", text, rule, line=line))
    return found + _stack_refusals(data, placed)


def _free_area(data: GameData, areas: Sequence[AreaId], placed: Sequence[Placed]) -> str:
    """An area where one more unit may be placed (setup.5)."""
    taken, limit = Counter(item.area for item in placed), data.number("stack.limit")
    return next((area for area in areas if taken[area] < limit), areas[0])


def _stack_refusals(data: GameData, placed: Sequence[Placed]) -> list[Refusal]:
    limit = data.number("stack.limit")
    taken = Counter(item.area for item in placed)
    return [
        Refusal("setup.stack", f"expected at most {counted(limit, 'unit')} in {area}, got {number}", "setup.5")
        for area, number in taken.items()
        if number > limit
    ]


def default_setup(data: GameData) -> tuple[Placed, ...]:
    """A set-up that is always legal: one unit an area from the first area on, then a second one each."""
    units, areas = units_to_place(data, Side.POLISH), areas_to_place(data, Side.POLISH)
    strong = sorted(areas, key=lambda area: (-data.areas[area].bonus, area))
    return tuple(Placed(unit=unit, area=strong[i % len(strong)]) for i, unit in enumerate(units))


def _placed(state: State, placed: Sequence[Placed]) -> State:
    for item in placed:
        state = state.moved(UnitId(item.unit), AreaId(item.area))
    return state


def _where(placed: Sequence[Placed]) -> str:
    return ", ".join(f"{item.unit} in {item.area}" for item in placed)

"""Stacking (7.1): which units of a side may stand together in a box. Rulings 7-1, 7-2 and 7-6.

Left out: groups that attack with support (`s7_march`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.games.white_eagle.board import BoxId
from pbem.games.white_eagle.data_files import GameData
from pbem.games.white_eagle.kinds import Kind
from pbem.games.white_eagle.state import State, Unit, nation_of, side_of
from pbem.log.enumeration import counted
from pbem.rules.refusal import Refusal

KIND_NAMES = {Kind.INF: "infantry", Kind.CAV: "cavalry", Kind.LARM: "light armor", Kind.ARM: "armor"}


def fits(data: GameData, state: State, box: BoxId, units: Sequence[Unit], *, fort_limit: bool = True) -> bool:
    """Whether these units of one side, all that the side has in a box, keep every limit there (7.1).

    The limit of a standing fort of their own counts unless `fort_limit` is off; where they stand now is not looked at.
    """
    return next(broken_limits(data, state, box, units, fort_limit=fort_limit), None) is None


def broken_limits(
    data: GameData, state: State, box: BoxId, units: Sequence[Unit], *, fort_limit: bool = True, called: str = "unit"
) -> Iterator[Refusal]:
    """Each limit of 7.1 that units of one side would break together in a box; `called` is what a message calls them."""
    figures, where, names = data.figures.stacking, data.box_name(box), data.names(tuple(unit.id for unit in units))
    if len(units) > figures.units:
        text = f"expected at most {counted(figures.units, called)} in {where}, got {len(units)}"
        yield Refusal("stack.units", text, "7.1.p1", _surplus(names, len(units) - figures.units))
    elif fort_limit and len(units) > figures.fort and _is_own_fort(data, state, box, units):
        text = f"expected at most {counted(figures.fort, called)} in the fort of {where}, got {len(units)}"
        yield Refusal("stack.fort", text, "7.1.b1", _surplus(names, len(units) - figures.fort))
    for kind in Kind:
        alike = [unit.id for unit in units if data.unit(unit.id).type is kind]
        if len(alike) > figures.of(kind):
            rule = "7.1.b2" if kind is Kind.INF else "7.1.b3"
            text = f"expected at most {figures.of(kind)} {KIND_NAMES[kind]} in {where}, got {len(alike)}"
            yield Refusal("stack.type", text, rule, _surplus(data.names(tuple(alike)), len(alike) - figures.of(kind)))
    nations = sorted({nation_of(unit.id).adjective for unit in units})
    if len(nations) > 1:
        text = f"expected {called}s of one nationality in {where}, got {' and '.join(nations)} ones"
        yield Refusal("stack.nation", text, "7.1.b4", f"there would be {names}")


def _is_own_fort(data: GameData, state: State, box: BoxId, units: Sequence[Unit]) -> bool:
    return bool(units and state.forts.get(box)) and data.fort_side(box) is side_of(units[0].id)


def _surplus(names: str, many: int) -> str:
    return f"{many} of {names} must go elsewhere"

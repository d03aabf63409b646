"""German air and off-board artillery markers, each once a turn, instead of activating. Rulings 6, 7, 21 and 27."""

from __future__ import annotations

from dataclasses import replace

from pbem.games.westerplatte import cards
from pbem.games.westerplatte.answers import Bombard, Suppress
from pbem.games.westerplatte.data_files import AreaId, AreaKind, GameData, Side, UnitId
from pbem.games.westerplatte.s3_combat import Attack, resolve
from pbem.games.westerplatte.state import OFF_MAP, State, acting_side, side_of
from pbem.rules.play import Rules, report
from pbem.rules.refusal import Refusal

NAMES = {"air": "the air marker", "oba": "the artillery marker"}


def available_marker(data: GameData, state: State) -> str:
    """The marker that the present card offers: `air`, `oba`, or empty (support.1 to support.3)."""
    if acting_side(state) is not Side.GERMAN or state.acted:
        return ""
    marker = str(data.constants[f"support.{cards.rank(state.card)}"].value)
    used = state.air_used if marker == "air" else state.oba_used
    return "" if used else marker


def support_refusals(data: GameData, state: State, order: Bombard | Suppress) -> list[Refusal]:
    """Reasons against the use of a marker (support.1 to support.4)."""
    wanted = order.marker if isinstance(order, Bombard) else "air"
    found = _marker_refusals(data, state, wanted)
    if isinstance(order, Bombard):
        return found + bombard_refusals(data, state, UnitId(order.target))
    if order.area not in data.areas or data.areas[AreaId(order.area)].kind is not AreaKind.LAND:
        text = f"expected a land area to suppress, got '{order.area}'"
        found.append(Refusal("support.area", text, "support.6"))
    return found


def _marker_refusals(data: GameData, state: State, wanted: str) -> list[Refusal]:
    offered = available_marker(data, state)
    if offered == wanted:
        return []
    allowed = NAMES[offered] if offered else "no marker"
    text = f"expected {allowed} on {cards.title(state.card)}, got {NAMES[wanted]}"
    return [Refusal("support.card", text, "support.2" if wanted == "air" else "support.3", _hint(state, wanted))]


def _hint(state: State, wanted: str) -> str:
    used = state.air_used if wanted == "air" else state.oba_used
    if used:
        return "each marker serves once a turn"
    return "air serves on a black odd number or jack, artillery on any other black card"


def bombard_refusals(data: GameData, state: State, target: UnitId) -> list[Refusal]:
    """Reasons against a target of a marker: one Polish unit on the map (support.4)."""
    if target not in data.units or side_of(data, target) is not Side.POLISH:
        return [Refusal("support.target", f"expected a Polish unit as target, got '{target}'", "support.4")]
    if state.piece(target).area in OFF_MAP:
        return [Refusal("support.target", f"expected a Polish unit on the map, got {target}", "support.4")]
    return []


def use_marker(data: GameData, state: State, order: Bombard | Suppress) -> Rules[State]:
    """Attack one Polish unit (support.5, support.6a) or hinder an area for the turn (support.6b)."""
    air = isinstance(order, Suppress) or order.marker == "air"
    state = replace(state, air_used=state.air_used or air, oba_used=state.oba_used or not air)
    if isinstance(order, Suppress):
        yield from report("support.6", "the air marker hinders all fire from {area} this turn", area=order.area)
        return replace(state, suppressed=AreaId(order.area))
    return (yield from resolve(state, bombardment(data, state, order)))


def bombardment(data: GameData, state: State, order: Bombard) -> Attack:
    """The marker's attack: no range, but the terrain bonus counts (combat.11, ruling 6)."""
    target = UnitId(order.target)
    return Attack(
        side=Side.GERMAN,
        firing=NAMES[order.marker],
        target=target,
        strength=data.number(f"{order.marker}.strength"),
        modifier=data.areas[state.piece(target).area].bonus,
        face=order.face,
    )

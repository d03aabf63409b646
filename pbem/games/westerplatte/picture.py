"""The map and the board of The Battle of the Westerplatte as pictures for any viewer.

Left out: which counters stand where (the rules tell, see `board_picture`) and how a picture is drawn.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pbem.errors import BadRequest
from pbem.games.westerplatte.data_files import (
    Area,
    AreaKind,
    GameData,
    Side,
    UnitKind,
    UnitType,
)
from pbem.games.westerplatte.shapes_file import AreaShape, Feature, MapShapes
from pbem.rules.names import fold
from pbem.rules.picture import Counter, Label, Legend, LegendLine, Picture, Place, Point, Scale, Shape, Stack

OFF_MAP = "off-map"
ELIMINATED = "eliminated"
TRAYS: Mapping[str, Place] = {
    OFF_MAP: Place(OFF_MAP, "Off map, east", "tray", "tray", (2600, 262), (2600, 425), columns=4, counter_size=118),
    ELIMINATED: Place(ELIMINATED, "Eliminated", "tray", "tray", (1990, 262), (1990, 457), columns=5, counter_size=100),
}
TRAY_SHAPES: Mapping[str, tuple[tuple[int, int], ...]] = {
    OFF_MAP: ((2330, 215), (2870, 215), (2870, 570), (2330, 570)),
    ELIMINATED: ((1710, 215), (2270, 215), (2270, 630), (1710, 630)),
}
TITLE = "The Battle of the Westerplatte"
SUBTITLE = "house map: areas, joins and terrain bonuses are house values, not those of the printed map"
CLOSED_FEATURES = frozenset(("far_shore", "mole", "building", "shed"))
GROUND_FEATURES = frozenset(("far_shore",))
BELOW_LABEL, ASIDE = 98, 24
NOWHERE = AreaShape(polygon=(), label=(0, 0), counters=(0, 0))
NO_SHAPES = MapShapes(0, 0, 0, "", "house", {}, (), ())
SCALE_AT = (1400, 480)
CAPTIONS_AT = (2330, 630)
LEGEND_AT = (80, 1690)
KEY = (
    LegendLine((100, 1775), "land area", shape="land"),
    LegendLine((100, 1840), "German entry", shape="entry"),
    LegendLine((100, 1905), "water area", shape="canal"),
    LegendLine((100, 1970), "terrain bonus", badge="+2"),
    LegendLine((455, 1775), "woods", shape="tree"),
    LegendLine((455, 1840), "wall", shape="wall"),
    LegendLine((455, 1905), "railway", shape="railway"),
    LegendLine((455, 1970), "building", shape="building"),
)
COUNTER_LEGEND_AT = (1712, 1924)
COUNTER_KEY = (
    LegendLine((1978, 1942), "infantry", symbol="infantry"),
    LegendLine((1978, 1988), "engineers", symbol="engineer"),
    LegendLine((2196, 1942), "mortar", symbol="mortar"),
    LegendLine((2196, 1988), "ship", symbol="battleship"),
    LegendLine((2376, 1942), "field gun", symbol="field_gun"),
    LegendLine((2376, 1988), "anti-tank gun", symbol="anti_tank_gun"),
    LegendLine((2654, 1942), "company", symbol="company"),
    LegendLine((2654, 1988), "platoon", symbol="platoon"),
)
MEANINGS: Mapping[str, str] = {
    "Cypel": "headland",
    "GH3": "guardhouse 3",
    "GH4": "guardhouse 4",
    "Przystan": "landing stage",
    "Koszary": "new barracks",
    "Elektr": "power station",
    "Las": "wood",
    "GH5": "guardhouse 5",
    "GH2": "guardhouse 2",
    "Fort": "old battery",
    "GH1": "guardhouse 1",
    "Nabrzeze": "quay",
    "Lazienki": "baths",
    "Tor": "railway",
    "Prom": "ferry",
    "Wal": "bank",
    "A": "neck",
    "B": "Gull Redoubt",
    "Wa": "ammunition basin",
    "Wb": "Bend of the Five Whistles",
    "Wc": "harbour canal",
    "Wd": "canal mouth",
    "We": "Bay of Danzig",
}
"""What the names of areas mean, for those who read no Polish."""
UNIT_MEANINGS: Mapping[str, str] = {"DSS-HW": "Danzig home guard"}
SAMPLES_AT = ((750, 1762), (750, 1893))


def map_picture(data: GameData) -> Picture:
    """The empty map; without `shapes.toml` it has places and no shapes, which serves the text map."""
    return board_picture(data, {}, ())


def board_picture(data: GameData, placements: Mapping[str, Sequence[Counter]], captions: Sequence[str]) -> Picture:
    """A position: counters by area id, `OFF_MAP` or `ELIMINATED`; captions are lines such as turn and points.

    Trays appear only when something stands in them. Raises `BadRequest` for an unknown place.
    """
    _refuse_unknown(data, placements)
    shapes = data.shapes or NO_SHAPES
    trays = tuple(tray for name, tray in TRAYS.items() if placements.get(name))
    return Picture(
        title=TITLE,
        subtitle=SUBTITLE if data.shapes else "",
        width=shapes.width,
        height=shapes.height,
        shapes=_ground(data, shapes, trays) if data.shapes else (),
        places=(*(_place(data, shapes, area) for area in data.areas.values()), *trays),
        labels=tuple(Label(name.text, name.at, "small") for name in shapes.names),
        counters=tuple(
            Stack(place, tuple(placements[place])) for place in (*data.areas, *TRAYS) if placements.get(place)
        ),
        captions=tuple(captions),
        captions_at=CAPTIONS_AT,
        legend=_legend(data),
        counter_legend=Legend("Counters", COUNTER_LEGEND_AT, 1156, 108, COUNTER_KEY),
        scale=Scale(SCALE_AT, shapes.scale_length, shapes.scale_text),
    )


def unit_counter(unit: UnitType, *, weak: bool) -> Counter:
    """The face of a unit that lies up."""
    kind = unit.kind.value.replace("_", " ")
    what = kind if kind.endswith(unit.size.value) or unit.size.value == "ship" else f"{kind} {unit.size.value}"
    name = "" if fold(unit.name) == fold(unit.id) else unit.name
    return Counter(
        id=unit.id,
        label=unit.id,
        side=unit.side.value,
        type=unit.kind.value,
        strength=str(unit.weak if weak else unit.strong),
        weak=weak,
        size=unit.size.value,
        note=", ".join(filter(None, (name, UNIT_MEANINGS.get(unit.id, ""), what))),
    )


def _refuse_unknown(data: GameData, placements: Mapping[str, Sequence[Counter]]) -> None:
    unknown = sorted(set(placements) - set(data.areas) - set(TRAYS))
    if unknown:
        raise BadRequest("map.place", f"expected an area of the map, got {unknown[0]!r}", "see `pbem map westerplatte`")


def _ground(data: GameData, shapes: MapShapes, trays: tuple[Place, ...]) -> tuple[Shape, ...]:
    """Far shores first, then the areas, then roads, trees and houses upon them, then the trays."""
    below = [_feature(feature) for feature in shapes.features if feature.kind in GROUND_FEATURES]
    areas = [Shape(_face(area), shapes.areas[area.id].polygon, place=area.id) for area in data.areas.values()]
    above = [_feature(feature) for feature in shapes.features if feature.kind not in GROUND_FEATURES]
    return (*below, *areas, *above, *(Shape("tray", TRAY_SHAPES[tray.id], place=tray.id) for tray in trays))


def _feature(feature: Feature) -> Shape:
    return Shape(feature.kind, feature.points, closed=feature.kind in CLOSED_FEATURES)


def _face(area: Area) -> str:
    """Water and entries look like what they are, land like its terrain."""
    if area.kind is AreaKind.ENTRY:
        return "entry"
    return area.terrain if area.terrain in ("canal", "basin", "bay", "woods", "beach", "quay") else "land"


def _place(data: GameData, shapes: MapShapes, area: Area) -> Place:
    shape = shapes.areas.get(area.id, NOWHERE)
    return Place(
        id=area.id,
        name=area.name,
        kind=area.kind.value,
        terrain=area.terrain,
        label=shape.label,
        stack=_below_both_lines(shape),
        value=f"+{area.bonus}" if area.kind is AreaKind.LAND else "",
        value_name="terrain bonus",
        neighbours=data.adjacent[area.id],
        meaning=MEANINGS.get(area.id, ""),
    )


def _below_both_lines(shape: AreaShape) -> Point:
    """Where counters stand: not over the second line of the label, which every area has."""
    (middle, top), (x, y) = shape.label, shape.counters
    fits = not shape.polygon or abs(x - middle) > BELOW_LABEL or y >= top + BELOW_LABEL
    return (x, y) if fits else (x + ASIDE, top + BELOW_LABEL)


def _legend(data: GameData) -> Legend:
    """The key to the ground, and a counter of each side: German strong, Polish weak."""
    units = [unit for unit in data.units.values() if unit.kind is UnitKind.INFANTRY]
    german = [unit_counter(unit, weak=False) for unit in units if unit.side is Side.GERMAN][:1]
    polish = [unit_counter(unit, weak=True) for unit in units if unit.side is Side.POLISH][:1]
    samples = zip(SAMPLES_AT, ("German, strong", "Polish, weak"), (*german, *polish), strict=False)
    lines = tuple(LegendLine(at, text, counter=counter) for at, text, counter in samples)
    return Legend("House map", LEGEND_AT, 1060, 335, (*KEY, *lines))

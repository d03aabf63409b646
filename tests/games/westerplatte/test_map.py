"""The house map: a sound graph, a drawing that agrees with it, and pictures of positions."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import pytest

from pbem.errors import BadRequest
from pbem.games.westerplatte import data_files
from pbem.games.westerplatte.data_files import AreaId, AreaKind, GameData, UnitId, parse
from pbem.games.westerplatte.picture import ELIMINATED, OFF_MAP, board_picture, map_picture, unit_counter
from pbem.games.westerplatte.shapes_file import MapShapes, Point
from pbem.rules.picture import Place, Stack
from pbem.viewer.plain import is_same_word
from pbem.viewer.svg import BADGE_RADIUS, CODE_SIZE, NAME_SIZE, width_of

FOLDER = Path(data_files.__file__).parent / "data"
DATA = parse({path.name: path.read_bytes() for path in sorted(FOLDER.iterdir())})
LEAST_BORDER = 60  # tenths of a millimetre: what two adjacent areas share at least
WATER = [area.id for area in DATA.areas.values() if area.kind is AreaKind.WATER]
LAND = [area.id for area in DATA.areas.values() if area.kind is AreaKind.LAND]
Segment = tuple[Point, Point]
Box = tuple[int, int, int, int]


def shapes_of(data: GameData) -> MapShapes:
    assert data.shapes is not None
    return data.shapes


SHAPES = shapes_of(DATA)


def edges(area: AreaId) -> list[Segment]:
    ring = SHAPES.areas[area].polygon
    return list(zip(ring, (*ring[1:], ring[0]), strict=True))


def test_adjacency_is_symmetric_sorted_and_between_one_and_eight() -> None:
    for area, near in DATA.adjacent.items():
        assert (list(near), 1 <= len(near) <= 8, area in near) == (sorted(set(near)), True, False)
        assert all(area in DATA.adjacent[other] for other in near)


def test_the_map_hangs_together() -> None:
    far = {DATA.distance(a, b) for a in DATA.areas for b in DATA.areas}
    assert far == {0, 1, 2, 3, 4, 5}


@pytest.mark.rule("westerplatte:combat.2")
def test_combat_2_distance_agrees_with_walking_the_joins() -> None:
    for a in DATA.areas:
        ring, seen = {a}, {a}
        for steps in range(6):
            assert {b for b in DATA.areas if DATA.distance(a, b) == steps} == ring
            ring = {c for b in ring for c in DATA.adjacent[b]} - seen
            seen |= ring


def test_within_two_areas_of_the_bend() -> None:
    assert DATA.within(AreaId("Wb"), 1) == ("B", "GH2", "Nabrzeze", "Wa", "Wb", "Wc")
    assert DATA.within(AreaId("Wb"), 0) == ("Wb",)


@pytest.mark.rule("westerplatte:turn.8", "westerplatte:turn.9", "westerplatte:turn.10")
def test_turn_8_to_10_ground_keeps_off_water_and_the_ship_off_land() -> None:
    assert {area: DATA.ship_steps(AreaId(area)) for area in WATER} == {
        "Wa": ("Wb",),
        "Wb": ("Wa", "Wc"),
        "Wc": ("Wb", "Wd"),
        "Wd": ("Wc", "We"),
        "We": ("Wd",),
    }
    assert [area for area in DATA.areas for step in DATA.ground_steps(area) if step in WATER] == []


def test_every_polish_area_is_reached_on_foot_from_each_entry() -> None:
    for entry in (AreaId("A"), AreaId("B")):
        reached = {entry}
        while grown := {step for area in reached for step in DATA.ground_steps(area)} - reached:
            reached |= grown
        assert set(LAND) <= reached


def test_the_ship_reaches_most_of_the_land_but_not_the_lee_of_the_north_east() -> None:
    starts = DATA.words("ship.start")
    in_reach = {area for area in LAND for ship in (*starts, "We") if DATA.distance(AreaId(ship), area) <= 2}
    assert set(LAND) - in_reach == {"Fort", "Lazienki"}


def test_ids_are_short_ascii_and_names_are_polish() -> None:
    ids = [*DATA.areas, *DATA.units]
    assert [each for each in ids if not each.isascii() or len(each) > 8] == []
    assert {DATA.areas[AreaId(each)].name for each in ("Przystan", "Wal", "Lazienki", "Wb")} == {
        "Przystań",
        "Wał",
        "Łazienki",
        "Zakręt Pięciu Gwizdków",
    }


def test_terrain_bonuses_run_from_none_to_three_and_only_land_has_one() -> None:
    assert {area.bonus for area in DATA.areas.values() if area.kind is AreaKind.LAND} == {0, 1, 2, 3}
    assert {area.bonus for area in DATA.areas.values() if area.kind is not AreaKind.LAND} == {0}


def test_adjacent_areas_share_a_border_and_others_share_none() -> None:
    border = {frozenset(pair): shared_length(*pair) for pair in combinations(DATA.areas, 2)}
    joined = {frozenset((join.a, join.b)) for join in DATA.joins}
    assert {pair for pair, length in border.items() if length >= LEAST_BORDER} == joined
    assert {pair for pair, length in border.items() if 0 < length < LEAST_BORDER} == set()


def test_no_two_edges_of_the_map_cross() -> None:
    all_edges = sorted({(min(edge), max(edge)) for area in DATA.areas for edge in edges(area)})
    assert [pair for pair in combinations(all_edges, 2) if cross(*pair)] == []


def test_labels_and_full_stacks_stay_in_their_area_and_off_each_other() -> None:
    boxes = {f"{place.id} {what}": box for place in map_picture(DATA).places for what, box in boxes_of(place)}
    assert [pair for pair in combinations(boxes, 2) if overlap(boxes[pair[0]], boxes[pair[1]])] == []
    outside = [name for name, box in boxes.items() if not all(within(AreaId(name.split()[0]), c) for c in corners(box))]
    assert outside == []


def test_every_point_of_the_drawing_is_on_the_paper() -> None:
    points = [point for shape in map_picture(DATA).shapes for point in shape.points]
    assert all(0 <= x <= SHAPES.width and 0 <= y <= SHAPES.height for x, y in points)


def test_the_empty_map_has_each_area_and_no_tray() -> None:
    picture = map_picture(DATA)
    assert [place.id for place in picture.places] == list(DATA.areas)
    assert ([shape.place for shape in picture.shapes if shape.place], picture.counters) == (list(DATA.areas), ())


def test_a_board_keeps_its_counters_in_map_order_and_adds_the_trays_that_it_needs() -> None:
    ship, first, second = (unit_counter(DATA.units[UnitId(unit)], weak=False) for unit in ("BB", "PL-1", "MAS-1"))
    picture = board_picture(DATA, {OFF_MAP: [second], "Wb": [ship], "GH1": [first], ELIMINATED: []}, ["Turn 1"])
    assert picture.counters == (Stack("GH1", (first,)), Stack("Wb", (ship,)), Stack(OFF_MAP, (second,)))
    assert [place.id for place in picture.places][len(DATA.areas) :] == [OFF_MAP]
    assert picture.captions == ("Turn 1",)


def test_a_counter_shows_the_face_that_lies_up() -> None:
    gun = DATA.units[UnitId("FG")]
    faces = [(each.strength, each.weak, each.note) for each in (unit_counter(gun, weak=weak) for weak in (False, True))]
    assert faces == [("3", False, "75 mm, field gun"), ("1", True, "75 mm, field gun")]


def test_a_counter_is_labelled_with_the_id_that_one_types_and_notes_the_name_behind_it() -> None:
    counters = [unit_counter(unit, weak=False) for unit in DATA.units.values()]
    assert [counter.label for counter in counters] == list(DATA.units)
    assert {counter.id: counter.note for counter in counters if counter.id not in ("MAS-2", "MAS-3", "PL-1")} == {
        "MAS-1": "infantry company",
        "MAS-4": "infantry company",
        "MAS-5": "infantry company",
        "MAS-6": "infantry company",
        "DSS-HW": "Danzig home guard, infantry company",
        "ENG": "Pioniere, engineer company",
        "BB": "Schleswig-Holstein, battleship",
        "PL-2": "infantry platoon",
        "PL-3": "infantry platoon",
        "MTR": "81 mm, mortar platoon",
        "FG": "75 mm, field gun",
        "ATG": "37 mm, anti tank gun",
    }


def test_each_area_says_what_its_name_means() -> None:
    assert {place.id: place.meaning for place in map_picture(DATA).places} == {
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


def test_the_legend_shows_each_symbol_and_size_of_the_counters() -> None:
    legend = map_picture(DATA).counter_legend
    assert legend is not None
    shown = {line.symbol for line in legend.lines}
    units = DATA.units.values()
    assert shown == {unit.kind.value for unit in units} | {"company", "platoon"}
    assert [line.text for line in legend.lines] == [
        "infantry",
        "engineers",
        "mortar",
        "ship",
        "field gun",
        "anti-tank gun",
        "company",
        "platoon",
    ]


def test_a_counter_at_an_unknown_place_is_refused() -> None:
    with pytest.raises(BadRequest) as refused:
        board_picture(DATA, {"Hel": []}, ())
    assert str(refused.value) == "map.place: expected an area of the map, got 'Hel'"
    assert refused.value.hint == "see `pbem map westerplatte`"


def shared_length(a: AreaId, b: AreaId) -> int:
    """Border that two areas share, in whole units, rounded down edge by edge."""
    mine = {frozenset(edge) for edge in edges(a)}
    both = [edge for edge in edges(b) if frozenset(edge) in mine]
    return sum(int(((p[0] - q[0]) ** 2 + (p[1] - q[1]) ** 2) ** 0.5) for p, q in both)


def side(p: Point, q: Point, r: Point) -> int:
    return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])


def cross(one: Segment, other: Segment) -> bool:
    """Whether two segments cross at a point inside both."""
    (a, b), (c, d) = one, other
    return side(a, b, c) * side(a, b, d) < 0 and side(c, d, a) * side(c, d, b) < 0


def within(area: AreaId, point: Point) -> bool:
    """Whether a point is inside an area, by counting the edges east of it."""
    x, y = point
    hits = 0
    for (x0, y0), (x1, y1) in edges(area):
        if (y0 > y) != (y1 > y):
            hits += (side((x0, y0), (x1, y1), (x, y)) < 0) == (y1 < y0)
    return hits % 2 == 1


def boxes_of(place: Place) -> list[tuple[str, Box]]:
    """The label of a place, as wide as the drawing reckons, and its counters when it is full."""
    first = place.name if is_same_word(place.name, place.id) else place.id
    second = place.meaning or place.name
    badge = BADGE_RADIUS + 4 if place.value else 0
    half = max(
        width_of(first, CODE_SIZE) // 2 + badge * 2,
        0 if first == second else len(second) * NAME_SIZE * 27 // 100,
    )
    (x, y), (sx, sy), size = place.label, place.stack, place.counter_size
    wide = size // 2 if place.kind == "water" else size + 4
    label = (x - half, y - 27, x + half, y + (2 if first == second else 34))
    return [("label", label), ("counters", (sx - wide, sy - size // 2, sx + wide, sy + size // 2))]


def overlap(a: Box, b: Box) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def corners(box: Box) -> list[Point]:
    return [(x, y) for x in box[::2] for y in box[1::2]]

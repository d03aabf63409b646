"""The house map: a plane and connected one, with what the rulebook says stands where; bad transcriptions refused."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations
from pathlib import Path

import pytest
import shapely

from pbem.errors import BadRequest
from pbem.games.polska1939 import board as board_module
from pbem.games.polska1939.board import (
    AREAS,
    BORDERS,
    COLUMNS,
    FARTHEST,
    NODES,
    REGIONS,
    Board,
    Feature,
    NodeLink,
    Terrain,
    parse_board,
)
from pbem.games.polska1939.kinds import MOTORIZED, Nation
from pbem.games.polska1939.order_of_battle import OrderOfBattle, parse_order_of_battle
from pbem.games.polska1939.shapes_file import Kind, MapShapes, parse_shapes

FOLDER = Path(board_module.__file__).parent / "data"
FILES: Mapping[str, bytes] = {path.name: path.read_bytes() for path in sorted(FOLDER.iterdir())}
BOARD = parse_board(FILES)
FORCES: OrderOfBattle = parse_order_of_battle(FILES)
FEW_NEIGHBOURS = {"P01": 1}
"""Hel, at the end of its peninsula."""
MOST_NEIGHBOURS, LONGEST_BORDER = 10, 120
TOUCH = 3
"""Tenths of a millimetre along which two areas may touch at a node, where lines of whole numbers lie."""


def shapes() -> MapShapes:
    found = parse_shapes(FILES, BOARD.areas)
    assert found is not None
    return found


SHAPES = shapes()
FACES = {area: shapely.Polygon(SHAPES.areas[area][Kind.AREA].points) for area in BOARD.areas}
CODES = {area.name: code for code, area in BOARD.areas.items() if code not in ("S04", "S24")}
"""Codes by name; of the two areas Zasław and the two Wołczyska the southern and the Polish one."""


def names(board: Board, codes: tuple[str, ...]) -> list[str]:
    return [board.areas[code].name for code in codes]


def near_faces() -> Iterator[tuple[str, str]]:
    """Pairs of areas whose outlines come near each other, each pair once."""
    codes = list(FACES)
    tree = shapely.STRtree(list(FACES.values()))
    for index, code in enumerate(codes):
        yield from ((code, codes[other]) for other in tree.query(FACES[code]) if other > index)


# ---------------------------------------------------------------------- the plane


@pytest.mark.rule("polska1939:1.1")
def test_1_1_areas_cover_their_ground_once() -> None:
    assert [code for code, face in FACES.items() if not face.is_valid] == []
    assert [pair for pair in near_faces() if FACES[pair[0]].intersection(FACES[pair[1]]).area > TOUCH] == []


@pytest.mark.rule("polska1939:1.1", "polska1939:4.1.1")
def test_1_1_two_areas_share_a_border_exactly_where_their_outlines_run_together() -> None:
    together = {
        pair
        for a, b in near_faces()
        if FACES[a].boundary.intersection(FACES[b].boundary).length > TOUCH
        for pair in ((a, b), (b, a))
    }
    assert together == {*BOARD.borders}


@pytest.mark.rule("polska1939:4.1.1")
def test_4_1_1_nodes_lie_where_their_areas_meet() -> None:
    points = {row.name: shapely.Point(row.points[0]) for row in SHAPES.of(Kind.NODE)}
    assert points.keys() == BOARD.nodes.keys()
    assert len(points) >= 12
    far = [
        (node.id, area)
        for node in BOARD.nodes.values()
        for area in node.areas
        if FACES[area].distance(points[node.id]) > TOUCH
    ]
    assert far == []


def test_neighbours_are_sorted_mutual_and_neither_too_few_nor_too_many() -> None:
    for area, near in BOARD.neighbours.items():
        least = FEW_NEIGHBOURS.get(area, 2)
        assert (list(near), area in near, least <= len(near) <= MOST_NEIGHBOURS) == (sorted({*near}), False, True)
        assert [b for b in near if area not in BOARD.neighbours[b]] == []


def test_the_map_hangs_together_on_foot_and_not_by_nodes_alone() -> None:
    assert [area for area in BOARD.areas if BOARD.distance("P24", area) == FARTHEST] == []


def test_no_border_is_longer_than_a_long_march() -> None:
    assert [border for border in BOARD.borders.values() if not 1 <= border.length <= LONGEST_BORDER] == []


def test_a_border_is_a_state_border_exactly_between_two_states() -> None:
    country = {code: area.country for code, area in BOARD.areas.items()}
    wrong = [
        (a, b)
        for (a, b), border in BOARD.borders.items()
        if (Feature.STATE in border.features) != (country[a] != country[b])
    ]
    assert wrong == []


@pytest.mark.rule("polska1939:4.1.1", "polska1939:4.1.6")
def test_4_1_6_across_a_node_lie_the_areas_without_a_border() -> None:
    modlin = next(node for node in BOARD.nodes.values() if {"P23", "P24"} <= {*node.areas})
    assert (modlin.areas, modlin.river) == (("P23", CODES["Kampinos"], "P24", CODES["Radzymin"]), True)
    assert NodeLink("P24", modlin.id, True, modlin.areas) in BOARD.across_node["P23"]
    for area, links in BOARD.across_node.items():
        assert [link for link in links if (area, link.to) in BOARD.borders] == []
        back = [NodeLink(area, link.node, link.river, link.around) in BOARD.across_node[link.to] for link in links]
        assert all(back)


# ---------------------------------------------------------------------- rivers


def lower_vistula() -> shapely.LineString:
    """From the mouth of the San to the sea."""
    return shapely.LineString(SHAPES.of(Kind.VISTULA)[0].points)


@pytest.mark.rule("polska1939:4.2.1")
def test_4_2_1_only_borders_marked_vistula_join_its_banks() -> None:
    river = lower_vistula()
    on_it = {area for area, face in FACES.items() if face.boundary.intersection(river.buffer(4)).length > 60}
    across = {
        tuple(sorted(pair))
        for pair in BOARD.borders
        if on_it.issuperset(pair) and BOARD.areas[pair[0]].west_of_vistula != BOARD.areas[pair[1]].west_of_vistula
    }
    assert {
        pair for pair, border in BOARD.borders.items() if pair[0] < pair[1] and Feature.VISTULA in border.features
    } == across
    assert len(across) > 20


@pytest.mark.rule("polska1939:4.2.1")
def test_4_2_1_no_area_lies_on_both_banks_of_the_vistula() -> None:
    river = lower_vistula()
    assert [area for area, face in FACES.items() if river.intersection(face.buffer(-12)).length > 40] == []


@pytest.mark.rule("polska1939:4.2.1")
def test_4_2_1_the_vistula_is_important_from_zaklikow_down() -> None:
    assert Feature.VISTULA in BOARD.border("H02", CODES["Sandomierz"]).features
    assert Feature.RIVER in BOARD.border(CODES["Mielec"], CODES["Staszów"]).features
    assert [b for b in BOARD.borders.values() if {Feature.RIVER, Feature.VISTULA} <= b.features] == []


# ---------------------------------------------------------------------- what stands where


@pytest.mark.rule("polska1939:5.1.1")
def test_5_1_1_mlava_is_a_forest_behind_a_fortified_line_and_nothing_else() -> None:
    border = BOARD.border("G13", "P20")
    assert (BOARD.areas["P20"].terrain, border.line, border.features) == (Terrain.FOREST, "P20", {Feature.STATE})


@pytest.mark.rule("polska1939:13.0")
def test_13_0_a_czestochowa_is_a_city_with_the_third_of_september() -> None:
    area = BOARD.areas["P47"]
    assert (area.name, area.city, area.capture_day, area.country) == ("Częstochowa", True, 3, Nation.POLAND)


def shortest_rides(start: str, goal: str) -> list[list[str]]:
    """Every way through as few Polish regions as possible."""
    ways = [[start]]
    while not any(way[-1] == goal for way in ways):
        ways = [
            [*way, onward]
            for way in ways
            for onward in BOARD.region_neighbours[way[-1]]
            if onward not in way and BOARD.areas[BOARD.regions[onward][0]].country is Nation.POLAND
        ]
    return [way for way in ways if way[-1] == goal]


@pytest.mark.rule("polska1939:13.0", "polska1939:8.1.2")
def test_13_0_b_the_train_from_przemysl_to_tarnow_passes_five_regions() -> None:
    assert shortest_rides("Przemyśl", "Tarnów") == [["Przemyśl", "Jarosław", "Rzeszów", "Dębica", "Tarnów"]]
    assert (BOARD.areas["P61"].region, BOARD.areas["P62"].region, BOARD.areas["P58"].region) == (
        "Przemyśl",
        "Jarosław",
        "Tarnów",
    )


@pytest.mark.rule("polska1939:13.0", "polska1939:9.1.1")
def test_13_0_c_a_supply_line_leads_from_opole_to_olkusz() -> None:
    assert Nation.GERMANY in BOARD.areas["G34"].supply
    assert 3 <= BOARD.distance("G34", "H01") <= 6


@pytest.mark.rule("polska1939:4.1.9", "polska1939:7.1.6")
def test_7_1_6_a_fortress_or_fortified_area_is_a_region_by_itself() -> None:
    alone = {area for area in BOARD.areas.values() if area.fortress or area.fortified}
    assert {area.code for area in alone if BOARD.regions[area.region] != (area.code,)} == set()
    assert {area.name for area in alone if area.fortress} == {
        "Hel",
        "Oksywie",
        "Modlin",
        "Warszawa",
        "Osowiec",
        "Brześć",
        "Królewiec",
    }


@pytest.mark.rule("polska1939:1.1")
def test_1_1_every_other_region_has_two_to_six_connected_areas_of_one_state() -> None:
    for region, codes in BOARD.regions.items():
        areas = [BOARD.areas[code] for code in codes]
        reached, ring = {codes[0]}, [codes[0]]
        while ring:
            ring = [b for a in ring for b in BOARD.neighbours[a] if b in codes and b not in reached]
            reached.update(ring)
        assert (region, reached, len({area.country for area in areas})) == (region, {*codes}, 1)
        assert 2 <= len(codes) <= 6 or areas[0].fortress or areas[0].fortified


@pytest.mark.rule("polska1939:7.1.1")
def test_7_1_1_fortified_areas_and_no_others_have_a_fortified_line() -> None:
    assert {border.line for border in BOARD.borders.values()} - {""} == {
        code for code, area in BOARD.areas.items() if area.fortified
    }


@pytest.mark.rule("polska1939:8.1.2")
def test_8_1_2_trains_arrive_and_load_in_cities_and_reach_every_polish_city() -> None:
    loaded = {row.area for row in (*FORCES.placements, *FORCES.reinforcements) if row.loaded}
    loaded |= {train.area for train in FORCES.trains}
    assert {area for area in loaded if not BOARD.areas[area].city} == set()
    cities = {area.region for area in BOARD.areas.values() if area.city and area.country is Nation.POLAND}
    polish = {region for region, codes in BOARD.regions.items() if BOARD.areas[codes[0]].country is Nation.POLAND}
    reached, ring = {"Warszawa"}, ["Warszawa"]
    while ring:
        ring = [b for a in ring for b in BOARD.region_neighbours[a] if b in polish and b not in reached]
        reached.update(ring)
    assert cities - reached == set()


def test_every_area_of_the_order_of_battle_is_on_the_map() -> None:
    used = {row.area for row in (*FORCES.placements, *FORCES.reinforcements, *FORCES.trains)} - {""}
    assert used - {*BOARD.areas} == set()
    printed = (
        [f"P{n:02}" for n in range(1, 103)] + [f"G{n:02}" for n in range(1, 51)] + [f"S{n:02}" for n in range(1, 35)]
    )
    assert [code for code in printed if code not in BOARD.areas] == []
    uncoded = {"Olkusz", "Zaklików", "Elbląg", "Królewiec", "Olsztyn", "Orzysz"}
    assert {
        area.name for code, area in BOARD.areas.items() if code in ("H01", "H02", "H03", "H04", "H05", "H06")
    } == uncoded


def supplied(nation: Nation) -> set[str]:
    """Areas with a supply line on the first day, all units standing where they start (9.1.1, 9.1.2)."""
    side = {Nation.POLAND: {Nation.POLAND}}.get(nation, {*Nation} - {Nation.POLAND})
    held = {row.area: FORCES.units[row.unit].nation for row in FORCES.placements if row.day == 1}
    enemy = {area for area, holder in held.items() if holder not in side}
    barred = enemy | {near for area in enemy for near in BOARD.neighbours[area] if near not in held}
    reached = {code for code, area in BOARD.areas.items() if nation in area.supply and code not in barred}
    ring = list(reached)
    while ring:
        ring = [b for a in ring for b in BOARD.neighbours[a] if b not in reached and b not in enemy]
        reached.update(ring)
        ring = [area for area in ring if area not in barred]
    return reached


@pytest.mark.rule("polska1939:9.1.1", "polska1939:9.1.4")
def test_9_1_4_every_unit_starts_in_supply() -> None:
    lost = [
        (row.unit, row.area)
        for row in FORCES.placements
        if row.day == 1
        and row.area not in supplied(FORCES.units[row.unit].nation)
        and not BOARD.areas[row.area].fortress
    ]
    assert lost == []
    assert {nation for area in BOARD.areas.values() for nation in area.supply} == {*Nation}


@pytest.mark.rule("polska1939:4.2.4", "polska1939:4.2.5")
def test_4_2_5_every_motorized_unit_starts_where_a_way_leads_out() -> None:
    def open_to_motors(a: str, b: str) -> bool:
        features = BOARD.border(a, b).features
        mountains = Feature.MOUNTAIN in features or BOARD.areas[b].terrain is Terrain.MOUNTAINS
        return Feature.SWAMP not in features and (not mountains or Feature.PASS in features)

    starts = {row.area for row in FORCES.placements if FORCES.units[row.unit].type in MOTORIZED} - {""}
    assert {a for a in starts if not any(open_to_motors(a, b) for b in BOARD.neighbours[a])} == set()
    assert open_to_motors("G47", "P55")


def test_distances_are_those_of_a_march() -> None:
    pairs = [
        ("P44", "P24"),
        ("P20", "P24"),
        ("P08", "P14"),
        ("P47", "P65"),
        ("P39", "P24"),
        ("P97", "P81"),
        ("P73", "P24"),
    ]
    assert [BOARD.distance(a, b) for a, b in pairs] == [7, 4, 3, 3, 8, 6, 11]


@pytest.mark.rule("polska1939:3.1.2", "polska1939:6.1.9")
def test_6_1_9_a_radius_counts_borders() -> None:
    assert BOARD.within("P01", 1) == ("H07", "P01")
    assert BOARD.within("P01", 0) == ("P01",)
    for area, radius in (("P24", 2), ("S05", 4)):
        assert BOARD.within(area, radius) == tuple(sorted(b for b in BOARD.areas if BOARD.distance(area, b) <= radius))


def test_the_lines_of_the_rivers_part_the_towns_beside_them() -> None:
    west = {name for name, code in CODES.items() if BOARD.areas[code].west_of_line}
    assert {"Ostrów Mazowiecka", "Siedlce", "Lublin", "Chełm", "Jarosław", "Suwałki"} <= west
    assert {"Łomża", "Białystok", "Brześć", "Włodzimierz", "Lwów", "Przemyśl", "Mińsk"}.isdisjoint(west)
    left = {name for name, code in CODES.items() if BOARD.areas[code].west_of_vistula}
    assert {"Warszawa", "Sandomierz", "Tarnów", "Rzeszów", "Bydgoszcz"} <= left
    assert {"Modlin", "Toruń", "Lublin", "Płock", "Siedlce", "Królewiec"}.isdisjoint(left)


# ---------------------------------------------------------------------- how it is made


@pytest.mark.soak
def test_the_data_files_are_what_the_script_makes(tmp_path: Path) -> None:
    from tests.cartography.make_map import main

    main(tmp_path)
    made = {path.name: path.read_bytes() for path in sorted(tmp_path.iterdir())}
    assert sorted(made) == ["areas.csv", "borders.csv", "nodes.csv", "regions.csv", "shapes.csv"]
    assert [name for name, content in made.items() if content != FILES[name]] == []


# ---------------------------------------------------------------------- transcriptions

SMALL: Mapping[str, str] = {
    AREAS: f"{','.join(COLUMNS[AREAS])}\n"
    "A,Aa,PL,Aa,clear,1,3,0,0,PL,1,1,1,2,house,\n"
    "B,Bb,PL,Aa,forest,0,,0,0,,1,1,3,4,house,\n"
    "C,Cc,DE,Cc,clear,0,,0,1,DE,1,1,5,6,house,\n"
    "D,Dd,DE,Dd,clear,0,,1,0,,1,1,5,6,house,\n",
    BORDERS: "a,b,features,line,length,source,note\n"
    "A,B,river,,9,house,\nB,C,state,C,8,house,\nC,D,,,7,house,\nA,D,lake state,,7,house,\n",
    NODES: "id,areas,river,source,note\nN1,A B C D,1,house,\n",
    REGIONS: "region,country,areas,source,note\nAa,PL,A B,house,\nCc,DE,C,house,\nDd,DE,D,house,\n",
}


def parse_small(name: str = "", old: str = "", new: str = "") -> Board:
    """The small board, with one text of one file replaced."""
    assert not name or SMALL[name].count(old) == 1
    return parse_board(
        {each: (text.replace(old, new) if each == name else text).encode() for each, text in SMALL.items()}
    )


def test_a_small_board_is_read_as_it_is_written() -> None:
    board = parse_small()
    assert board.neighbours == {"A": ("B",), "B": ("A", "C"), "C": ("B", "D"), "D": ("C",)}
    assert board.across_node["A"] == (NodeLink("C", "N1", True, ("A", "B", "C", "D")),)
    assert board.region_neighbours == {"Aa": ("Cc",), "Cc": ("Aa", "Dd"), "Dd": ("Cc",)}
    assert (board.distance("A", "D"), board.within("A", 1), board.border("D", "A").is_crossed) == (3, ("A", "B"), False)


HINT = "correct the file and try again; `pbem tables polska1939` shows the built-in one"


UNIQUE, AN_AREA = "an area that no other line has", "an area of areas.csv"
OTHERS = "two different areas that no other line joins"
GUARDED = "empty, or whichever of the two areas is fortified in areas.csv"
FEATURES = "different words out of river, vistula, swamp, mountain, pass, lake, state"
IN_ORDER = "areas in order around the point, each with a border to the next in borders.csv"
NODE, A_REGION = "N1,A B C D,1,house,", "a region that no other line has"
MEMBERS = "the areas that have this region in areas.csv"


@pytest.mark.parametrize(
    ("name", "old", "new", "expected", "where", "got"),
    [
        (AREAS, "B,Bb", "A,Bb", UNIQUE, "line 3, column 'code'", "A"),
        (AREAS, "Aa,clear,1,3", "Aa,lava,1,3", f"one of {', '.join(Terrain)}", "line 2, column 'terrain'", "lava"),
        (AREAS, "clear,1,3", "clear,0,3", "no day, for the area has no city", "line 2, column 'capture_day'", "3"),
        (AREAS, "0,1,DE", "0,1,XX", "different words out of PL, DE, SU, SK", "line 4, column 'supply'", "XX"),
        (BORDERS, "A,B,river", "A,Z,river", AN_AREA, "line 2, column 'b'", "Z"),
        (BORDERS, "B,C,state", "B,A,state", OTHERS, "line 3, column 'b'", "A"),
        (BORDERS, "state,C,8", "state,B,8", GUARDED, "line 3, column 'line'", "B"),
        (BORDERS, "river,,9", "canal,,9", FEATURES, "line 2, column 'features'", "canal"),
        (NODES, "A B C D", "A B C", "four or more different areas of areas.csv", "line 2, column 'areas'", "A B C"),
        (NODES, "A B C D", "A C B D", IN_ORDER, "line 2, column 'areas'", "A C B D"),
        (NODES, "\nN1", f"\n{NODE}\nN1", "a node that no other line has", "line 3, column 'id'", "N1"),
        (REGIONS, "\nCc", "\nAa,PL,A B,house,\nCc", A_REGION, "line 3, column 'region'", "Aa"),
        (REGIONS, "A B,house", "A,house", MEMBERS, "line 2, column 'areas'", "A"),
        (REGIONS, "Aa,PL", "Aa,DE", "the country of its areas", "line 2, column 'country'", "DE"),
    ],
)
def test_a_bad_transcription_is_refused_by_file_line_and_column(
    name: str, old: str, new: str, expected: str, where: str, got: str
) -> None:
    with pytest.raises(BadRequest) as refused:
        parse_small(name, old, new)
    assert (refused.value.text, refused.value.hint) == (f"expected {expected} in {name}, {where}, got '{got}'", HINT)


def test_a_region_without_a_line_is_named() -> None:
    with pytest.raises(BadRequest) as refused:
        parse_small(REGIONS, "Dd,DE,D,house,\n", "")
    assert (str(refused.value), refused.value.hint) == (
        "data.region: expected a line for the region 'Dd' of D in regions.csv, got none",
        HINT,
    )


def test_a_fortified_area_is_not_in_a_region_with_others() -> None:
    areas = SMALL[AREAS].replace("D,Dd,DE,Dd", "D,Dd,DE,Cc")
    regions = SMALL[REGIONS].replace("DE,C,", "DE,C D,").replace("Dd,DE,D,house,\n", "")
    with pytest.raises(BadRequest) as refused:
        parse_board({name: text.encode() for name, text in {**SMALL, AREAS: areas, REGIONS: regions}.items()})
    text = "expected a fortress or a fortified area alone (4.1.9) in regions.csv, line 3, column 'areas', got 'C D'"
    assert refused.value.text == text


@pytest.mark.parametrize("name", [AREAS, BORDERS, NODES, REGIONS])
def test_a_missing_table_is_named(name: str) -> None:
    with pytest.raises(BadRequest) as refused:
        parse_board({each: text.encode() for each, text in SMALL.items() if each != name})
    assert refused.value.text == f"expected {name} among the data files, got none"


def test_pairs_of_the_same_name_are_only_those_printed_twice() -> None:
    doubles = {a.name for a, b in combinations(BOARD.areas.values(), 2) if a.name == b.name}
    assert doubles == {"Wołczyska", "Zasław"}

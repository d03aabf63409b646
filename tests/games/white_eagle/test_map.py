"""The house map: plane, connected, with what the rulebook says stands where, and far enough from Warszawa."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from itertools import combinations, pairwise
from math import dist
from pathlib import Path

import pytest
import shapely

from pbem.games.white_eagle import board as board_module
from pbem.games.white_eagle.board import BoxId, Country, parse_board
from pbem.games.white_eagle.picture import HALF_HIGH, HALF_SIEGE, HALF_WIDE
from pbem.games.white_eagle.shapes_file import Kind, MapShapes, parse_shapes
from pbem.rules.tables import Source

FOLDER = Path(board_module.__file__).parent / "data"
FILES = {path.name: path.read_bytes() for path in sorted(FOLDER.iterdir())}
BOARD = parse_board(FILES)
BOXES = BOARD.boxes
LONGEST_KM, LONGEST_EASY_KM = 190, 138
NEAREST_UNITS = 40
"""How far a line stays from the frame of a box that it does not lead to."""
WARSZAWA = BoxId("Warszawa")
ARMIES = {
    "Allenstein": Country.EAST_PRUSSIA,
    "Neustettin": Country.GERMANY,
    "Breslau": Country.GERMANY,
    "Neisse": Country.GERMANY,
    "Neutitschein": Country.GERMANY,
    "Minsk": Country.SOVIET_UNION,
    "Proskurov": Country.SOVIET_UNION,
    "Presov": Country.SLOVAKIA,
    "Grudziadz": Country.POLAND,
    "Mlawa": Country.POLAND,
    "Lomza": Country.POLAND,
    "Wilno": Country.POLAND,
    "Poznan": Country.POLAND,
    "Lodz": Country.POLAND,
    "Radom": Country.POLAND,
    "Pinsk": Country.POLAND,
    "Warszawa": Country.POLAND,
    "Krakow": Country.POLAND,
    "Przemysl": Country.POLAND,
}
"""Where armies are set up (3.1)."""


def drawing() -> MapShapes:
    found = parse_shapes(FILES, BOARD.forts)
    assert found is not None
    return found


SHAPES = drawing()


def course(a: BoxId, b: BoxId) -> shapely.LineString:
    return shapely.LineString([(BOXES[box].x, BOXES[box].y) for box in (a, b)])


COURSES = {(line.a, line.b): course(line.a, line.b) for line in BOARD.lines}
FRAMES = {
    box.id: shapely.box(box.x - HALF_WIDE, box.y - HALF_HIGH, box.x + HALF_WIDE, box.y + HALF_HIGH)
    for box in BOXES.values()
}


def kilometres(a: BoxId, b: BoxId) -> float:
    (scale,) = SHAPES.numbers(Kind.SCALE)
    return dist((BOXES[a].x, BOXES[a].y), (BOXES[b].x, BOXES[b].y)) * 100 / scale


def reached(start: str, points: int) -> dict[str, int]:
    """Boxes that a unit can reach through empty ones, with what they cost (7.0)."""
    found, ring = {BoxId(start): 0}, [BoxId(start)]
    while ring:
        here = ring.pop()
        for box in BOARD.neighbours[here]:
            cost = found[here] + BOARD.cost(here, box)
            if cost <= min(points, found.get(box, 99) - 1):
                found[box] = cost
                ring.append(box)
    return {**found}


def between(countries: tuple[Country, ...], box: str) -> list[str]:
    return [near for near in BOARD.neighbours[BoxId(box)] if BOXES[near].country in countries]


# ---------------------------------------------------------------------- the net


def test_no_two_lines_cross() -> None:
    crossed = [
        (first, second)
        for (first, a), (second, b) in combinations(COURSES.items(), 2)
        if not {*first} & {*second} and a.intersects(b)
    ]
    assert crossed == []


def test_no_line_runs_past_a_box_so_near_that_it_seems_to_lead_there() -> None:
    near = [
        (line, box)
        for line, along in COURSES.items()
        for box, frame in FRAMES.items()
        if box not in line and along.distance(frame) < NEAREST_UNITS
    ]
    assert near == []


def test_boxes_and_siege_spaces_do_not_cover_each_other() -> None:
    sieges = {
        name: shapely.box(x - HALF_SIEGE, y - HALF_SIEGE, x + HALF_SIEGE, y + HALF_SIEGE)
        for name, (x, y) in SHAPES.sieges.items()
    }
    covered = [(a, b) for (a, one), (b, other) in combinations(FRAMES.items(), 2) if one.intersects(other)]
    covered += [(a, b) for a, one in sieges.items() for b, other in FRAMES.items() if one.intersection(other).area > 0]
    assert covered == []


def test_every_box_has_two_to_six_lines() -> None:
    counts = {box: len(near) for box, near in BOARD.neighbours.items()}
    assert {box: count for box, count in counts.items() if not 2 <= count <= 6} == {}
    assert (len(BOXES), len(BOARD.lines)) == (68, 145)


def test_neighbours_are_mutual_and_sorted() -> None:
    for box, near in BOARD.neighbours.items():
        assert list(near) == sorted({*near} - {box})
        assert all(box in BOARD.neighbours[other] for other in near)


def test_no_line_is_longer_than_a_march_of_four_days() -> None:
    lengths = {(line.a, line.b): (kilometres(line.a, line.b), line.difficult) for line in BOARD.lines}
    assert {line for line, (far, _) in lengths.items() if far > LONGEST_KM} == set()
    assert {line for line, (far, difficult) in lengths.items() if far > LONGEST_EASY_KM and not difficult} == set()


def test_every_difficult_line_says_why_and_no_easy_one() -> None:
    assert [line for line in BOARD.lines if line.difficult != bool(line.note)] == []


def test_boxes_of_the_rulebook_are_printed_and_all_else_is_house() -> None:
    named = {*ARMIES, "Danzig", "Gdynia", "Konigsberg", "Lotzen"}
    assert {box.id for box in BOXES.values() if box.source is Source.PRINTED} == named
    assert {line.source for line in BOARD.lines} == {Source.HOUSE}


# ---------------------------------------------------------------------- what the rulebook says


def test_3_1_every_army_is_set_up_in_a_box_of_its_country() -> None:
    assert {box: BOXES[BoxId(box)].country for box in ARMIES} == ARMIES
    with (FOLDER / "setup.csv").open(encoding="utf-8", newline="") as file:
        assert {row["box"] for row in csv.DictReader(file)} == {*ARMIES}


@pytest.mark.rule("white_eagle:2.1.b1")
def test_2_1_ten_victory_cities_take_the_twelve_markers() -> None:
    markers = {box: BOXES[box].victory for box in BOARD.victory_cities}
    assert markers == {
        "Danzig": 1,
        "Gdynia": 1,
        "Torun": 1,
        "Modlin": 1,
        "Lomza": 1,
        "Poznan": 1,
        "Lodz": 1,
        "Warszawa": 3,
        "Katowice": 1,
        "Krakow": 1,
    }


@pytest.mark.rule("white_eagle:2.1.b2", "white_eagle:2.1.p4")
def test_2_1_forts_with_siege_spaces_and_the_command_of_each() -> None:
    assert {box: BOXES[box].fort for box in BOARD.forts} == {
        "Konigsberg": "GER-North",
        "Lotzen": "GER-North",
        "Gdynia": "POL-North",
        "Torun": "POL-North",
        "Modlin": "POL-North",
        "Lomza": "POL-North",
        "Katowice": "POL-South",
        "Przemysl": "POL-South",
        "Brzesc-Litewski": "POL-Central",
    }
    assert {*SHAPES.sieges} == {*BOARD.forts}
    assert "Hel" not in BOXES


def test_6_1_the_german_forts_stand_in_east_prussia() -> None:
    forts = [fort for fort in BOARD.forts if BOXES[fort].fort.startswith("GER")]
    assert {BOXES[fort].country for fort in forts} == {Country.EAST_PRUSSIA}


@pytest.mark.rule("white_eagle:2.1.p1")
def test_2_1_the_map_shows_poland_germany_slovakia_and_the_soviet_union() -> None:
    counts = [sum(box.country is country for box in BOXES.values()) for country in Country]
    assert dict(zip(Country, counts, strict=True)) == {"PL": 53, "DE": 6, "EP": 4, "DZ": 1, "SK": 2, "SU": 2}


# ---------------------------------------------------------------------- the German/Soviet Line


def parting() -> shapely.LineString:
    """The drawn line, led on to the upper and lower edge of the page."""
    points = [point for row in SHAPES.of(Kind.LINE) for point in row.points]
    return shapely.LineString([(points[0][0], -9000), *points, (points[-1][0], 9000)])


PARTING = parting()


def is_drawn_east(x: int, y: int) -> bool:
    """Whether a ray to the west meets the line an odd number of times."""
    met = shapely.LineString([(x, y), (-9000, y)]).intersection(PARTING)
    return shapely.get_num_geometries(met) % 2 == 1 and not met.is_empty


@pytest.mark.rule("white_eagle:2.1.b3")
def test_2_1_the_line_is_one_and_runs_from_east_prussia_to_hungary() -> None:
    (row,) = SHAPES.of(Kind.LINE)
    poland = shapely.union_all([shapely.Polygon(land.points) for land in SHAPES.of(Kind.LAND) if land.name == "PL"])
    first, last = (shapely.Point(row.points[end]) for end in (0, -1))
    assert [poland.exterior.distance(end) < 60 for end in (first, last)] == [True, True]
    assert shapely.LineString(row.points).is_simple


@pytest.mark.rule("white_eagle:2.1.b3")
def test_2_1_every_polish_box_lies_where_the_line_says() -> None:
    told = {box.id: box.east for box in BOXES.values() if box.country is Country.POLAND}
    assert {box: is_drawn_east(BOXES[box].x, BOXES[box].y) for box in told} == told


@pytest.mark.rule("white_eagle:2.1.b3")
def test_2_1_only_lines_between_the_sides_cross_it() -> None:
    mixed = [
        line
        for line in BOARD.lines
        if BOARD.in_poland(line.a) and BOARD.in_poland(line.b) and BOXES[line.a].east is not BOXES[line.b].east
    ]
    assert all(COURSES[line.a, line.b].crosses(PARTING) for line in mixed)
    assert {(line.a, line.b) for line in mixed} == {
        ("Mlawa", "Wyszkow"),
        ("Modlin", "Wyszkow"),
        ("Warszawa", "Siedlce"),
        ("Warszawa", "Wyszkow"),
        ("Radom", "Lublin"),
        ("Sandomierz", "Lublin"),
        ("Rzeszow", "Przemysl"),
        ("Rzeszow", "Zamosc"),
        ("Krosno", "Przemysl"),
    }


def test_2_1_warszawa_and_modlin_are_west_and_lomza_bialystok_and_brzesc_east() -> None:
    names = ("Warszawa", "Modlin", "Lomza", "Siedlce", "Lublin", "Brzesc-Litewski", "Bialystok", "Minsk", "Danzig")
    assert [BOXES[BoxId(name)].east for name in names] == [False, False, *[True] * 6, False]


# ---------------------------------------------------------------------- the campaign


def test_armies_are_as_far_from_warszawa_as_the_campaign_asks() -> None:
    starts = ("Allenstein", "Breslau", "Neisse", "Neutitschein", "Neustettin", "Minsk", "Proskurov")
    assert [BOARD.distance(BoxId(start), WARSZAWA) for start in starts] == [3, 4, 5, 5, 5, 5, 5]


def test_german_infantry_is_not_in_lodz_krakow_or_warszawa_after_one_activation() -> None:
    starts = [box for box in ARMIES if BOXES[BoxId(box)].country in (Country.GERMANY, Country.EAST_PRUSSIA)]
    fallen = {box for start in starts for box in reached(start, 2)}
    assert not fallen & {"Lodz", "Krakow", "Warszawa"}
    assert {"Grudziadz", "Modlin", "Katowice", "Czestochowa", "Mlawa", "Gdynia"} <= fallen


def test_katowice_can_be_attacked_from_two_german_boxes_on_difficult_ways() -> None:
    near = between((Country.GERMANY,), "Katowice")
    assert near == ["Neisse", "Neutitschein"]
    assert [BOARD.cost(BoxId(box), BoxId("Katowice")) for box in near] == [2, 2]


def test_the_ways_to_krakow_from_the_west_and_the_mountains_are_difficult() -> None:
    costs = {box: BOARD.cost(box, BoxId("Krakow")) for box in BOARD.neighbours[BoxId("Krakow")]}
    assert costs == {"Bielsko": 2, "Katowice": 2, "Kielce": 1, "Nowy-Sacz": 2, "Tarnow": 1}


def test_the_army_of_narew_can_reach_lotzen_in_one_activation() -> None:
    assert reached("Lomza", 2)["Lotzen"] == 2


def test_the_third_army_meets_modlin_on_its_way_south() -> None:
    assert BOARD.neighbours[BoxId("Modlin")] == ("Mlawa", "Plock", "Warszawa", "Wyszkow")
    assert reached("Allenstein", 2)["Modlin"] == 2


def test_the_corridor_parts_germany_from_east_prussia() -> None:
    germany, prussia = [
        [box.id for box in BOXES.values() if box.country is country]
        for country in (Country.GERMANY, Country.EAST_PRUSSIA)
    ]
    assert min(BOARD.distance(a, b) for a in germany for b in prussia) == 3
    assert reached("Neustettin", 4)["Grudziadz"] == 3


def test_7_3_the_slovak_unit_has_room_within_two_boxes_of_presov() -> None:
    room = [box for box in BOXES if BOARD.distance(BoxId("Presov"), box) <= 2]
    assert sorted(room) == [
        *("Bielsko", "Krakow", "Krosno", "Neutitschein", "Nowy-Sacz"),
        *("Presov", "Przemysl", "Rzeszow", "Tarnow", "Zilina"),
    ]


def test_soviet_armies_enter_poland_in_one_line() -> None:
    assert BOARD.neighbours[BoxId("Minsk")] == ("Baranowicze", "Lida", "Wilno")
    assert BOARD.neighbours[BoxId("Proskurov")] == ("Rowne", "Stanislawow", "Tarnopol")


@pytest.mark.parametrize(
    "axis",
    [
        ("Breslau", "Wielun", "Sieradz", "Lodz", "Lowicz", "Warszawa"),
        ("Neisse", "Oppeln", "Czestochowa", "Piotrkow", "Rawa", "Warszawa"),
        ("Czestochowa", "Kielce", "Radom", "Warszawa"),
        ("Neustettin", "Chojnice", "Grudziadz", "Elbing"),
        ("Presov", "Nowy-Sacz", "Tarnow"),
        ("Presov", "Krosno", "Przemysl", "Lwow"),
        ("Proskurov", "Tarnopol", "Lwow"),
        ("Minsk", "Baranowicze", "Bereza", "Brzesc-Litewski"),
        ("Minsk", "Wilno", "Grodno"),
        ("Lotzen", "Lomza", "Bialystok", "Brzesc-Litewski"),
        ("Poznan", "Konin", "Kutno", "Lowicz", "Warszawa"),
    ],
)
def test_the_axes_of_the_campaign_are_lines_of_the_map(axis: tuple[str, ...]) -> None:
    assert [b in BOARD.neighbours[BoxId(a)] for a, b in pairwise(axis)] == [True] * (len(axis) - 1)


# ---------------------------------------------------------------------- the drawing


def written() -> Iterator[str]:
    yield from ("boxes.csv", "lines.csv", "shapes.csv")


def test_the_data_files_are_what_the_script_makes(tmp_path: Path) -> None:
    from tests.cartography.white_eagle_map import main

    for name in written():
        (tmp_path / name).write_bytes(FILES[name])
    main(tmp_path)
    assert {name: (tmp_path / name).read_bytes() for name in written()} == {name: FILES[name] for name in written()}


def test_the_drawing_is_small() -> None:
    assert len(FILES["shapes.csv"]) < 60_000


def test_every_box_is_drawn_on_land_of_its_country() -> None:
    lands = {
        country: shapely.union_all([shapely.Polygon(row.points) for row in SHAPES.of(Kind.LAND) if row.name == country])
        for country in Country
    }
    off = [box.id for box in BOXES.values() if lands[box.country].distance(shapely.Point(box.x, box.y)) > 60]
    assert off == []

"""The drawing of Polska 1939: every name legible, every counter in sight, nothing but shapes and text."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from itertools import combinations
from pathlib import Path
from xml.etree import ElementTree

import pytest

from pbem.errors import BadRequest
from pbem.games.polska1939 import board as board_module
from pbem.games.polska1939.data_files import GameData, parse
from pbem.games.polska1939.kinds import Kind as UnitKind
from pbem.games.polska1939.picture import board_picture, label_box, map_picture, unit_counter
from pbem.games.polska1939.picture_names import name_lines, name_width
from pbem.games.polska1939.picture_stacks import placed_stacks
from pbem.games.polska1939.picture_state import position_picture
from pbem.games.polska1939.s12_scenario import opening_state
from pbem.games.polska1939.shapes_file import SHAPES as SHAPES_FILE
from pbem.games.polska1939.shapes_file import MapShapes, parse_shapes
from pbem.rules.picture import Counter, Picture, Stack
from pbem.viewer import svg, text

FOLDER = Path(board_module.__file__).parent / "data"
FILES: Mapping[str, bytes] = {path.name: path.read_bytes() for path in sorted(FOLDER.iterdir())}
DATA: GameData = parse(FILES)
BOARD = DATA.board
NAMESPACE = "{http://www.w3.org/2000/svg}"
ELEMENTS = {"svg", "title", "desc", "g", "rect", "circle", "path", "polygon", "polyline", "text"}
CROWDED = {("P70", "H120"), ("H117", "H118"), ("S30", "S31")}
"""Pairs of names that overlap a little: their areas have no more room."""
Box = tuple[int, int, int, int]


def drawn() -> MapShapes:
    found = parse_shapes(FILES, BOARD.areas)
    assert found is not None
    return found


SHAPES = drawn()
MAP = map_picture(BOARD, SHAPES)


def first_day() -> Picture:
    return position_picture(DATA, SHAPES, opening_state(DATA, "september"))


def common(a: Box, b: Box) -> int:
    wide, high = min(a[2], b[2]) - max(a[0], b[0]), min(a[3], b[3]) - max(a[1], b[1])
    return wide * high if wide > 0 and high > 0 else 0


def stack_box(picture: Picture, stack: Stack) -> Box:
    """What the counters of a stack cover."""
    home = next(place.stack for place in picture.places if place.id == stack.place)
    x, y = stack.at or home
    count, step = len(stack.counters), stack.counter_size + 8
    wide, high = min(count, stack.columns) * step, -(-count // stack.columns) * step
    return x - wide // 2, y - high // 2, x + wide // 2, y + high // 2


def read(picture: Picture) -> ElementTree.Element:
    return ElementTree.fromstring(svg.draw(picture))


def texts(root: ElementTree.Element) -> list[str]:
    return [element.text or "" for element in root.iter(f"{NAMESPACE}text")]


# ---------------------------------------------------------------------- the map


def test_every_area_is_named_with_its_code_and_every_river_by_name() -> None:
    seen = texts(read(MAP))
    for area in BOARD.areas.values():
        assert area.code in seen
        assert all(line in seen for line in name_lines(area.name))
    assert {"Wisła", "Narew", "Bug", "San", "Warta", "Pilica", "Dunajec", "Bzura", "Niemen", "Dniestr"} <= {*seen}


def test_no_name_covers_another_but_where_there_is_no_room() -> None:
    boxes = {place.id: label_box(place) for place in MAP.places}
    covered = {(a, b) for a, b in combinations(boxes, 2) if common(boxes[a], boxes[b])}
    assert covered <= CROWDED


def test_the_map_says_what_it_is_and_how_large() -> None:
    root = read(MAP)
    assert (root.attrib["viewBox"], root.attrib["width"], root.attrib["height"]) == ("0 0 8410 5940", "841mm", "594mm")
    assert [child.text for child in root[:2]] == [
        "Polska 1939",
        "house map: codes and names of areas are printed, all else are house values. 362 places.",
    ]
    seen = texts(root)
    assert {"Key to the map", "Counters", "Terrain effects", "Days", "N", "100 km", "5 X"} <= {*seen}


def test_a_place_tells_in_words_what_is_drawn() -> None:
    titles = [element.text for element in read(MAP).iter(f"{NAMESPACE}title")]
    assert "P20: Mława, Poland, forest, city, historically taken on 4 IX, fortified line" in titles
    assert "P01: Hel, Poland, clear, city, historically taken on 2 X, fortress" in titles
    (namestow,) = (title for title in titles if title and title.startswith("G46"))
    assert namestow == "G46: Namestów, Slovakia, mountains, region Namestów, supply base of Germany and Slovakia"


def test_the_text_map_has_each_area_with_its_borders_in_eighty_columns() -> None:
    page = text.draw(MAP)
    assert max(map(len, page.splitlines())) <= 80
    mlava = next(place for place in MAP.places if place.id == "P20")
    lines = list(text.place_lines(MAP, mlava))
    assert lines[0] == "P20, Mława, Poland, forest, city, historically taken on 4 IX, fortified line"
    assert lines[1:] == [
        "  borders G13 (state, fortified line of P20), H21, H22, H23, P19 (river), P21,",
        "    P22 (node, river)",
    ]


def test_without_the_drawing_there_is_a_text_map_and_no_svg() -> None:
    files = {name: content for name, content in FILES.items() if name != SHAPES_FILE}
    assert parse_shapes(files, BOARD.areas) is None
    bare = map_picture(BOARD, None)
    assert text.draw(bare).startswith("Polska 1939\n\nP01, Hel, Poland, clear, city")
    with pytest.raises(BadRequest) as refused:
        svg.draw(bare)
    assert (str(refused.value), refused.value.hint) == (
        "picture.no_shapes: expected a map with shapes to draw, got none",
        "ask for the text map instead",
    )


# ---------------------------------------------------------------------- positions


@pytest.mark.rule("polska1939:2.0")
def test_the_first_day_shows_each_counter_with_type_size_and_strength() -> None:
    picture = first_day()
    shown = {counter.id: counter for stack in picture.counters for counter in stack.counters}
    placed = {row.unit for row in DATA.forces.placements if row.day == 1}
    assert {unit for unit in placed - {*shown} if DATA.unit(unit).nation != "SK"} == set()
    assert {*shown} <= placed
    assert shown["PL-INF-20"] == Counter(
        id="PL-INF-20",
        label="20",
        side="polish",
        type="infantry",
        strength="18",
        size="division",
        note="20 INF, infantry division",
        colour=shown["PL-INF-20"].colour,
    )
    assert (shown["DE-ARM-Kempf"].label, shown["DE-ARM-Kempf"].flags) == ("Kempf", ("fuel 4",))
    assert (shown["PL-HQ-National"].type, shown["PL-HQ-National"].note) == ("staff", "National HQ, headquarters")
    titles = {element.text for element in read(picture).iter(f"{NAMESPACE}title")}
    assert 'Kempf ("Kempf" ARM, armour division), german, strength 13, fuel 4' in titles


def test_counters_cover_no_other_counters_and_hardly_a_name() -> None:
    picture = first_day()
    boxes = {stack.place: stack_box(picture, stack) for stack in picture.counters if stack.counters}
    assert [(a, b) for a, b in combinations(boxes, 2) if common(boxes[a], boxes[b]) > 900] == []
    names = {place.id: label_box(place) for place in picture.places}
    hidden = [
        (stack, name)
        for stack, box in boxes.items()
        for name, label in names.items()
        if 2 * common(box, label) > (label[2] - label[0]) * (label[3] - label[1])
    ]
    assert hidden == []


def test_counters_stay_on_the_map() -> None:
    picture = first_day()
    assert picture.window is not None
    (left, top), (right, bottom) = picture.window
    for stack in picture.counters:
        box = stack_box(picture, stack)
        assert common(box, (left, top, right, bottom)) == (box[2] - box[0]) * (box[3] - box[1])


def test_a_crowd_finds_room_around_its_area_and_the_largest_first() -> None:
    counter = Counter("X", "X", "german", "infantry", "3")
    stacks = (Stack("A", (counter,)), Stack("B", (counter,) * 5))
    placed = placed_stacks(stacks, {"A": (500, 500), "B": (500, 500)}, {}, (0, 0, 1000, 1000))
    assert [(stack.place, stack.at == (500, 500), stack.is_apart, stack.columns) for stack in placed] == [
        ("A", False, True, 1),
        ("B", True, False, 3),
    ]


def test_a_position_marks_the_day_and_says_what_lies_in_an_area() -> None:
    counter = unit_counter(DATA.unit("PL-INF-20"), "7", "blue", ("R", "train"))
    picture = board_picture(BOARD, SHAPES, {"P20": [counter]}, lines={"P20": "FF 2"}, day=3, captions=("Day 3",))
    days = next(box for box in picture.boxes if box.title == "Days")
    assert [shape.kind for shape in days.shapes[:4]] == ["past", "past", "today", "day"]
    assert len(days.shapes) == len(days.labels) == 35
    mlava = next(place for place in picture.places if place.id == "P20")
    assert list(text.place_lines(picture, mlava))[-2:] == [
        "  * polish 20: strength 7, R, train, 20 INF, infantry division",
        "  FF 2",
    ]
    assert "FF 2" in texts(read(picture))


def test_an_area_that_is_not_on_the_map_is_refused() -> None:
    with pytest.raises(BadRequest) as refused:
        board_picture(BOARD, SHAPES, {"P999": []})
    assert (refused.value.text, refused.value.hint) == (
        "expected an area of the map, got 'P999'",
        "see `pbem map polska1939`",
    )


def test_each_type_of_unit_has_its_own_symbol() -> None:
    kinds: Mapping[UnitKind, str] = {unit.type: unit.id for unit in DATA.forces.units.values()}
    symbols = {kind: unit_counter(DATA.unit(name), "1").type for kind, name in kinds.items()}
    assert (len(symbols), len({*symbols.values()})) == (9, 9)


@pytest.mark.parametrize("which", ["map", "first day"])
def test_the_drawing_holds_nothing_but_shapes_and_text(which: str) -> None:
    page = svg.draw(MAP if which == "map" else first_day())
    root = ElementTree.fromstring(page)
    assert {element.tag.removeprefix(NAMESPACE) for element in root.iter()} <= ELEMENTS
    names = {name for element in root.iter() for name in element.attrib}
    assert [name for name in names if name.startswith("on") or "href" in name or name in ("style", "class", "id")] == []
    assert (page.count("http"), "url(" in page, "<!" in page) == (1, False, False)
    assert len(page) < 2_000_000


def test_the_same_position_gives_the_same_bytes_under_every_hash_seed() -> None:
    program = (
        "import hashlib, runpy; module = runpy.run_path('tests/games/polska1939/test_picture.py');"
        "page = module['svg'].draw(module['first_day']()); print(hashlib.sha256(page.encode()).hexdigest())"
    )
    root = Path(__file__).parents[3]
    digests = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(root)},
            cwd=root,
            check=True,
            capture_output=True,
        ).stdout
        for seed in ("0", "77")
    }
    assert len(digests) == 1


# ---------------------------------------------------------------------- names and the shapes file


def test_long_names_of_two_words_stand_in_two_lines() -> None:
    assert [name_lines(name) for name in ("Mława", "Ostrów Wlkp.", "Nowy Targ")] == [
        ("Mława",),
        ("Ostrów", "Wlkp."),
        ("Nowy Targ",),
    ]
    assert name_width("Wisła", 100) < name_width("Wisła", 100, bold=True)


SMALL = (
    "kind,name,numbers",
    "page,,900 900",
    "map,,10 10 800 800",
    "scale,100 km,90",
    "area,A,0 0 9 0 9 9",
    "label,A,5 5 30",
    "stack,A,5 8",
)


def small(*lines: str) -> MapShapes | None:
    return parse_shapes({SHAPES_FILE: "\n".join(lines).encode()}, ["A"])


def test_a_small_drawing_is_read_as_it_is_written() -> None:
    found = small(*SMALL)
    assert found is not None
    assert [row.points for row in found.rows[3:]] == [((0, 0), (9, 0), (9, 9)), ((5, 5),), ((5, 8),)]


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (
            [*SMALL, "forrest,,1 2"],
            "expected one of page, map, scale, shallows, abroad, lagoon, area, lake, tree, hill, peak, marsh, river, "
            "vistula, border, border_on_river, region, region_on_river, state, lake_border, line, shore, edge, "
            "demarcation, node, pass, label, stack, river_name, caption in shapes.csv, line 8, column 'kind', "
            "got 'forrest'",
        ),
        ([*SMALL, "tree,,1"], "expected points of two numbers each in shapes.csv, line 8, column 'numbers', got '1'"),
        ([*SMALL, "tree,,1 x"], "expected whole numbers up to 9999 in shapes.csv, line 8, column 'numbers', got '1 x'"),
        ([*SMALL, "node,N1,1 2 3"], "expected 2 numbers in shapes.csv, line 8, column 'numbers', got '1 2 3'"),
        ([*SMALL, "area,B,1 2 3 4"], "expected an area of areas.csv in shapes.csv, line 8, column 'name', got 'B'"),
        ([*SMALL, "stack,A,1 2"], "expected one row 'stack' for each area in shapes.csv, differs in doubles"),
        (
            [line for line in SMALL if "stack" not in line],
            "expected one row 'stack' for each area in shapes.csv, differs in A",
        ),
        ([line for line in SMALL if "scale" not in line], "expected one row 'scale' in shapes.csv, got none"),
        ([*SMALL, "scale,,1"], "expected one row 'scale' in shapes.csv, got 2"),
    ],
)
def test_a_bad_drawing_is_refused(lines: Sequence[str], expected: str) -> None:
    with pytest.raises(BadRequest) as refused:
        small(*lines)
    assert (refused.value.text, refused.value.hint) == (
        expected,
        "correct the file, or leave it out and use the text map",
    )

"""The drawing of White Eagle Defiant: every box legible, every counter in sight, nothing told by colour alone."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from itertools import combinations
from pathlib import Path
from xml.etree import ElementTree

import pytest

from pbem.errors import BadRequest
from pbem.games.white_eagle import board as board_module
from pbem.games.white_eagle.board import BoxId, parse_board
from pbem.games.white_eagle.forces import UnitId, parse_forces
from pbem.games.white_eagle.picture import BAND, HALF_HIGH, HALF_WIDE, board_picture, map_picture, unit_counter
from pbem.games.white_eagle.picture_legend import Tracks, track_words, turn_dates
from pbem.games.white_eagle.shapes_file import MapShapes, parse_shapes
from pbem.rules.picture import Counter, Picture, Stack
from pbem.viewer import svg, text
from pbem.viewer.text import place_lines

FOLDER = Path(board_module.__file__).parent / "data"
FILES: Mapping[str, bytes] = {path.name: path.read_bytes() for path in sorted(FOLDER.iterdir())}
BOARD = parse_board(FILES)
FORCES = parse_forces(FILES)
NAMESPACE = "{http://www.w3.org/2000/svg}"
ELEMENTS = {"svg", "title", "desc", "g", "rect", "circle", "path", "polygon", "polyline", "text"}
Square = tuple[int, int, int, int]


def drawn() -> MapShapes:
    found = parse_shapes(FILES, BOARD.forts)
    assert found is not None
    return found


DRAWN = drawn()


def setup() -> dict[BoxId, list[Counter]]:
    found: dict[BoxId, list[Counter]] = {}
    for placed in FORCES.placements:
        found.setdefault(placed.box, []).append(unit_counter(FORCES.units[placed.unit], reduced=placed.reduced))
    return found


def counters(nation: str, count: int) -> list[Counter]:
    ids = [unit for unit in FORCES.units if unit.startswith(nation)]
    return [unit_counter(FORCES.units[unit], reduced=False) for unit in ids[:count]]


def position() -> Picture:
    """A position with a fight, sieges, and something on every track."""
    placed = {
        BoxId("Lodz"): [*counters("GER", 5), *counters("POL", 5)],
        BoxId("Modlin"): [*counters("GER", 8), *counters("POL", 2)],
        BoxId("Lotzen"): [*counters("POL", 2), *counters("GER", 1)],
    }
    pulled = ("German North", "Luftwaffe (used)", "Polish South")
    return board_picture(
        BOARD,
        DRAWN,
        placed,
        forts={BoxId("Modlin"): 1, BoxId("Gdynia"): 0},
        held=(BoxId("Danzig"), BoxId("Gdynia")),
        tracks=Tracks(4, 2, 3, pulled, 2, ("German: ready", "Polish: Lodz CAV")),
        captions=("German South is activated",),
    )


def squares(stack: Stack) -> Iterator[Square]:
    """What each counter of a stack covers, as the viewer lays them out: rows around the middle."""
    assert stack.at is not None
    step, rows = stack.counter_size + 8, -(-len(stack.counters) // stack.columns)
    for number in range(len(stack.counters)):
        row, place = divmod(number, stack.columns)
        in_row = min(stack.columns, len(stack.counters) - row * stack.columns)
        x = stack.at[0] - (in_row * step - 8) // 2 + place * step
        y = stack.at[1] - (rows * step - 8) // 2 + row * step
        yield x, y, x + stack.counter_size, y + stack.counter_size


def covered(squares: list[Square]) -> list[tuple[Square, Square]]:
    return [
        (a, b)
        for a, b in combinations(squares, 2)
        if min(a[2], b[2]) > max(a[0], b[0]) and min(a[3], b[3]) > max(a[1], b[1])
    ]


def read(picture: Picture) -> ElementTree.Element:
    return ElementTree.fromstring(svg.draw(picture))


def texts(picture: Picture) -> list[str]:
    return [element.text or "" for element in read(picture).iter(f"{NAMESPACE}text")]


def said(picture: Picture, box: str) -> list[str]:
    place = next(place for place in picture.places if place.id == box)
    return list(place_lines(picture, place))


MAP = map_picture(BOARD, DRAWN)


# ---------------------------------------------------------------------- the map


def test_every_box_is_named_in_the_language_of_its_people() -> None:
    seen = " ".join(texts(MAP))
    assert [box.name for box in BOARD.boxes.values() if not all(part in seen for part in box.name.split())] == []
    assert {"Łódź", "Königsberg", "Žilina", "Brześć", "Litewski"} <= {*texts(MAP)}


def test_names_fit_into_their_boxes() -> None:
    wide = {place.id: max(svg.width_of(line, place.size) for line in place.lines) for place in MAP.places}
    assert {box: width for box, width in wide.items() if width > 2 * HALF_WIDE - 8} == {}
    assert {place.id for place in MAP.places if len(place.lines) * (place.size + 3) > BAND + 8} == set()


@pytest.mark.rule("white_eagle:2.1.b1", "white_eagle:2.1.b2")
def test_2_1_victory_cities_are_white_and_red_and_forts_have_a_siege_space() -> None:
    shapes = [shape.kind for shape in MAP.shapes]
    counts = [shapes.count(kind) for kind in ("box", "victory_box", "siege_space")]
    assert counts == [len(BOARD.boxes) - 10, 10, len(BOARD.forts)]
    drawing = svg.draw(MAP)
    assert drawing.count('fill="#ffffff" stroke="#c8102e" stroke-width="13"') == 10 + 1
    assert drawing.count('stroke-dasharray="16 8"') == len(BOARD.forts) + 1


@pytest.mark.rule("white_eagle:7.0.b1", "white_eagle:7.0.b2")
def test_7_0_easy_lines_are_solid_and_difficult_ones_dotted() -> None:
    kinds = [shape.kind for shape in MAP.shapes]
    difficult = sum(line.difficult for line in BOARD.lines)
    assert (kinds.count("easy"), kinds.count("difficult")) == (len(BOARD.lines) - difficult, difficult)
    assert svg.draw(MAP).count('stroke-dasharray="1 24" stroke-linecap="round"') == difficult + 1


@pytest.mark.rule("white_eagle:2.1.b3")
def test_2_1_the_german_soviet_line_is_white_with_a_dark_edge() -> None:
    (line,) = [shape for shape in MAP.shapes if shape.kind == "german_soviet"]
    points = " ".join(f"{x},{y}" for x, y in line.points)
    looks = [
        (each.get("stroke"), each.get("stroke-width")) for each in read(MAP).iter() if each.get("points") == points
    ]
    assert looks == [("#23211c", "25"), ("#ffffff", "17")]


@pytest.mark.rule("white_eagle:2.1.p2", "white_eagle:2.1.p4")
def test_2_1_tracks_holding_areas_and_key_stand_beside_the_map() -> None:
    assert [legend.title for legend in MAP.boxes] == [
        "Turns",
        "German victory points",
        "Blitzkrieg breakdown",
        "Chits of this turn",
        "Recovery",
        "Key to the map",
        "Counters",
    ]
    assert any(line.text.startswith("Gdynia stands for the fort of Hel.") for line in MAP.boxes[5].lines)


def test_legends_do_not_cover_each_other_or_leave_the_page() -> None:
    areas = [(box.at[0], box.at[1], box.at[0] + box.width, box.at[1] + box.height) for box in MAP.boxes]
    assert covered(areas) == []
    assert MAP.window is not None
    assert all(left > MAP.window[1][0] and right < MAP.width and low < MAP.height for left, _, right, low in areas)


def test_the_drawing_holds_shapes_and_text_and_nothing_else() -> None:
    root = read(position())
    assert {element.tag.removeprefix(NAMESPACE) for element in root.iter()} <= ELEMENTS
    assert not [key for element in root.iter() for key in element.attrib if "href" in key or key.startswith("on")]


def test_the_same_position_gives_the_same_bytes_in_any_process() -> None:
    code = (
        "import hashlib, runpy, sys; from pbem.viewer import svg;"
        "found = runpy.run_path(sys.argv[1]);"
        "print(hashlib.sha256(svg.draw(found['position']()).encode()).hexdigest())"
    )
    digests = {
        subprocess.run(
            [sys.executable, "-c", code, __file__],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(digests) == 1


# ---------------------------------------------------------------------- counters


def test_2_2_a_counter_tells_army_kind_command_and_the_number_that_hits() -> None:
    panzer = FORCES.units[UnitId("GER-4th-3")]
    assert unit_counter(panzer, reduced=False) == Counter(
        id="GER-4th-3",
        label="XIX Panzer",
        side="german",
        type="armour",
        strength=f"{panzer.factor_full}+",
        note="XIX Panzer, armour, German North",
        colour="green",
        flags=("dice",),
    )
    weak = unit_counter(panzer, reduced=True)
    assert (weak.weak, weak.flags, weak.strength) == (True, (), f"{panzer.factor_reduced}+")


def test_3_1_the_set_up_shows_every_counter_once_in_sight_and_uncovered() -> None:
    picture = board_picture(BOARD, DRAWN, setup())
    shown = [counter.id for stack in picture.counters for counter in stack.counters]
    assert sorted(shown) == sorted(FORCES.units)
    found = [square for stack in picture.counters for square in squares(stack)]
    assert covered(found) == []
    assert picture.window is not None
    (left, top), (right, bottom) = picture.window
    assert all(x > left and y > top and east < right and low < bottom for x, y, east, low in found)


def test_a_large_stack_leaves_the_name_of_its_box_in_sight() -> None:
    picture = board_picture(BOARD, DRAWN, setup())
    minsk = next(stack for stack in picture.counters if stack.place == "Minsk")
    assert len(minsk.counters) == 10
    assert min(top for _, top, _, _ in squares(minsk)) >= BOARD.boxes[BoxId("Minsk")].y - HALF_HIGH + BAND


@pytest.mark.parametrize("box", sorted(BOARD.boxes))
def test_a_fight_of_five_against_five_shows_all_ten(box: BoxId) -> None:
    picture = board_picture(BOARD, DRAWN, {box: [*counters("GER", 5), *counters("POL", 5)]})
    found = [square for stack in picture.counters for square in squares(stack)]
    assert (len(picture.counters), len(found), covered(found)) == (2, 10, [])
    assert picture.window is not None
    (left, top), (right, bottom) = picture.window
    assert all((x + east) // 2 > left and east < right and y > top and low < bottom for x, y, east, low in found)


def test_8_0_enemies_in_the_open_stand_left_and_right_with_a_burst_above() -> None:
    picture = position()
    german, polish = [stack for stack in picture.counters if stack.place == "Lodz"]
    middle = BOARD.boxes[BoxId("Lodz")].x
    assert max(east for _, _, east, _ in squares(german)) < middle < min(x for x, *_ in squares(polish))
    assert [{counter.side for counter in stack.counters} for stack in (german, polish)] == [{"german"}, {"polish"}]
    assert [mark.kind for mark in picture.marks] == ["combat"]


@pytest.mark.rule("white_eagle:2.1.b2")
@pytest.mark.parametrize(("box", "home", "away"), [("Modlin", "polish", "german"), ("Lotzen", "german", "polish")])
def test_9_0_besiegers_stand_in_the_siege_space_and_the_garrison_in_the_box(box: BoxId, home: str, away: str) -> None:
    garrison, besiegers = [stack for stack in position().counters if stack.place == box]
    assert [{counter.side for counter in stack.counters} for stack in (garrison, besiegers)] == [{home}, {away}]
    at, siege = BOARD.boxes[box], DRAWN.sieges[box]
    frame = (at.x - HALF_WIDE, at.y - HALF_HIGH, at.x + HALF_WIDE, at.y + HALF_HIGH)
    assert [square for square in squares(besiegers) if covered([frame, square])] == []
    assert besiegers.at is not None
    assert (besiegers.at[0] - at.x) * (siege[0] - at.x) + (besiegers.at[1] - at.y) * (siege[1] - at.y) > 0


# ---------------------------------------------------------------------- what is told


@pytest.mark.rule("white_eagle:2.1.p2")
def test_the_text_map_tells_each_box_with_its_lines_and_what_they_cost() -> None:
    assert said(MAP, "Modlin") == [
        "Modlin, Poland, victory city (1 control marker), fort of Polish North (full",
        "  strength), west of the German/Soviet Line",
        "  borders Mlawa 1, Plock 1, Warszawa 1, Wyszkow 2 (difficult)",
    ]
    assert said(MAP, "Minsk") == [
        "Minsk, Mińsk, Soviet Union",
        "  borders Baranowicze 1, Lida 2 (difficult), Wilno 2 (difficult)",
    ]


def test_the_text_map_says_what_is_printed_and_in_which_country_a_box_is() -> None:
    assert text.draw(MAP, sketch=False).splitlines()[:6] == [
        "White Eagle Defiant",
        "house map: boxes of the set-up are printed, all else are house values",
        "",
        "Danzig, Free City of Danzig, victory city (1 control marker)",
        "  borders Chojnice 2 (difficult), Elbing 2 (difficult), Gdynia 1, Grudziadz 2",
        "    (difficult)",
    ]


def test_the_text_map_needs_no_drawing() -> None:
    plain = map_picture(BOARD, None)
    assert [said(plain, box) for box in BOARD.boxes] == [said(MAP, box) for box in BOARD.boxes]
    with pytest.raises(BadRequest, match="expected a map with shapes to draw"):
        svg.draw(plain)


def test_the_text_map_tells_forts_markers_and_counters() -> None:
    lines = said(position(), "Modlin")
    assert lines[0] == "Modlin, Poland, victory city (1 control marker), fort of Polish North (reduced),"
    polish, german = (FORCES.units[UnitId(unit)].factor_full for unit in ("POL-Krakow-1", "GER-10th-1"))
    assert lines[4:6] == [
        f"  * polish Krakow: strength {polish}+, Krakow INF, infantry, Polish South",
        f"  * german IV: strength {german}+, IV Corps, infantry, German South",
    ]
    assert len(lines) == 3 + 10
    assert said(position(), "Gdynia") == [
        "Gdynia, Poland, victory city (1 control marker, German), fort of Polish North",
        "  (destroyed), west of the German/Soviet Line",
        "  borders Danzig 1, Neustettin 2 (difficult)",
    ]


def test_the_position_tells_its_tracks_in_words_and_shows_them() -> None:
    assert text.draw(position(), sketch=False).splitlines()[-5:] == [
        "Turn 4 of 10, Sept 13-16: German victory points 2, Blitzkrieg breakdowns 3",
        "Pulled chits: German North, Luftwaffe (used), Polish South; Turn End chits: 2 of",
        "  4",
        "Recovery: German: ready; Polish: Lodz CAV",
        "German South is activated",
    ]
    turns, points, breakdowns, chits, recovery = position().boxes[:5]
    now = [[shape.kind for shape in box.shapes].index("today") for box in (turns, points, breakdowns)]
    assert now == [3, 2, 3]
    assert [shape.kind for shape in chits.shapes] == ["today", "today", "day", "day"]
    assert [label.text for label in chits.labels][:3] == ["German North", "Luftwaffe (used)", "Polish South"]
    assert [label.text for label in recovery.labels] == ["German: ready", "Polish: Lodz CAV"]
    assert [label.text for label in points.labels].count("●") == 10


def test_6_0_at_the_start_the_eleven_markers_cover_two_to_twelve() -> None:
    picture = board_picture(BOARD, DRAWN, {}, tracks=Tracks(1, 1, 0))
    assert [label.text for label in picture.boxes[1].labels].count("●") == 11


def test_tracks_without_chits_say_so() -> None:
    assert track_words(Tracks(1, 1, 0)) == (
        "Turn 1 of 10, Sept 1-4: German victory points 1, Blitzkrieg breakdowns 0",
        "Pulled chits: none; Turn End chits: 0 of 4",
    )


@pytest.mark.rule("white_eagle:1.0.p2")
def test_1_0_ten_turns_of_four_days() -> None:
    assert [turn_dates(turn) for turn in range(1, 11)] == [
        *("Sept 1-4", "Sept 5-8", "Sept 9-12", "Sept 13-16", "Sept 17-20", "Sept 21-24", "Sept 25-28"),
        *("Sept 29-Oct 2", "Oct 3-6", "Oct 7-10"),
    ]


def test_a_box_that_is_not_on_the_map_is_refused() -> None:
    with pytest.raises(BadRequest) as caught:
        board_picture(BOARD, DRAWN, {BoxId("Hel"): counters("POL", 1)})
    assert str(caught.value) == "map.place: expected a box of the map, got 'Hel'"
    assert caught.value.hint == "see `pbem map white_eagle`"

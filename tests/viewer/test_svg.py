"""The drawing: well-formed, complete, harmless whatever the names are, and the same bytes every time."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

from pbem.errors import BadRequest
from pbem.games.westerplatte import data_files
from pbem.games.westerplatte.data_files import UnitId, parse
from pbem.games.westerplatte.picture import ELIMINATED, MEANINGS, OFF_MAP, board_picture, map_picture, unit_counter
from pbem.rules.picture import Counter, Label, Legend, LegendLine, Picture, Place, Scale, Shape, Stack
from pbem.viewer import svg
from pbem.viewer.svg_counters import draw_counter, draw_stack
from pbem.viewer.svg_ground import draw_shape

FOLDER = Path(data_files.__file__).parent / "data"
DATA = parse({path.name: path.read_bytes() for path in sorted(FOLDER.iterdir())})
NAMESPACE = "{http://www.w3.org/2000/svg}"
HOSTILE = "<script>alert(\"x\")</script> & 'y' ]]> \x1b[31m\x00\u202e\ud800"
HARMLESS = "<script>alert(\"x\")</script> & 'y' ]]> \ufffd[31m\ufffd\ufffd\ufffd"
ELEMENTS = {"svg", "title", "desc", "g", "rect", "circle", "path", "polygon", "polyline", "text"}


def full_board() -> Picture:
    """Each unit somewhere: strong and weak, in areas, at sea, in both trays."""
    areas = [
        "A",
        "A",
        "B",
        "B",
        "Wal",
        "Tor",
        OFF_MAP,
        OFF_MAP,
        "Wc",
        "GH1",
        "GH1",
        "Koszary",
        "Fort",
        "Prom",
        ELIMINATED,
    ]
    placements: dict[str, list[Counter]] = {}
    for number, (area, unit) in enumerate(zip(areas, DATA.units.values(), strict=True)):
        placements.setdefault(area, []).append(unit_counter(unit, weak=number % 3 == 0))
    return board_picture(DATA, placements, ["Turn 2 of 6", "German victory points: 8"])


def hostile_picture() -> Picture:
    """A picture in which every text is an attack."""
    counter = Counter(HOSTILE, HOSTILE, HOSTILE, HOSTILE, HOSTILE, weak=True, size=HOSTILE, note=HOSTILE)
    return Picture(
        title=HOSTILE,
        subtitle=HOSTILE,
        width=1000,
        height=800,
        shapes=(Shape(HOSTILE, ((1, 2), (3, 4), (5, 0))), Shape(HOSTILE, ((1, 2), (3, 4)), closed=False)),
        places=(Place(HOSTILE, HOSTILE, HOSTILE, HOSTILE, (1, 2), (3, 4), HOSTILE, HOSTILE, (HOSTILE,)),),
        labels=(Label(HOSTILE, (1, 2), HOSTILE),),
        counters=(Stack(HOSTILE, (counter,)),),
        captions=(HOSTILE,),
        legend=Legend(HOSTILE, (1, 2), 30, 40, (LegendLine((1, 2), HOSTILE, shape=HOSTILE),)),
        scale=Scale((1, 2), 30, HOSTILE),
    )


def read(picture: Picture) -> ElementTree.Element:
    return ElementTree.fromstring(svg.draw(picture))


def texts(root: ElementTree.Element) -> list[str]:
    return [element.text or "" for element in root.iter(f"{NAMESPACE}text")]


def test_the_map_names_each_area_with_its_code_and_bonus() -> None:
    root = read(map_picture(DATA))
    seen, titles = texts(root), [each.text or "" for each in root.iter(f"{NAMESPACE}title")]
    for area in DATA.areas.values():
        assert MEANINGS[area.id] in seen
        assert [title for title in titles if title.startswith(f"{area.id}: {area.name}, {MEANINGS[area.id]}, ")]
        assert area.id in seen or area.name.translate(str.maketrans("łŁńż", "lLnz")) == area.id
    assert [text for text in seen if text.startswith("+")] == [
        f"+{area.bonus}" for area in DATA.areas.values() if area.kind.value == "land"
    ] + ["+2"]


def test_the_map_says_what_it_is_before_anything_else() -> None:
    root = read(map_picture(DATA))
    assert (root.attrib["role"], root.attrib["viewBox"]) == ("img", "0 0 2970 2100")
    assert (root.attrib["width"], root.attrib["height"]) == ("297mm", "210mm")
    assert [(child.tag.removeprefix(NAMESPACE), child.text) for child in root[:2]] == [
        ("title", "The Battle of the Westerplatte"),
        (
            "desc",
            "house map: areas, joins and terrain bonuses are house values, not those of the printed map. 23 places.",
        ),
    ]
    assert {"House map", "N", "100 m"} <= set(texts(root))


def test_the_board_shows_each_counter_with_name_strength_and_side() -> None:
    titles = [element.text for element in read(full_board()).iter(f"{NAMESPACE}title")]
    for number, unit in enumerate(DATA.units.values()):
        counter = unit_counter(unit, weak=number % 3 == 0)
        state = ", weak" if counter.weak else ""
        spoken = f"{counter.label} ({counter.note}), {unit.side}, strength {counter.strength}{state}"
        assert titles.count(spoken) >= 1


def test_the_description_tells_the_position_in_full() -> None:
    placements = {"Wb": [unit_counter(DATA.units[UnitId("BB")], weak=True)]}
    assert svg.description(board_picture(DATA, placements, ["Turn 2 of 6"])) == (
        "house map: areas, joins and terrain bonuses are house values, not those of the printed map. 23 places. "
        "Zakręt Pięciu Gwizdków: BB (Schleswig-Holstein, battleship), german, strength 2, weak. Turn 2 of 6"
    )


@pytest.mark.parametrize(
    "picture", [map_picture(DATA), full_board(), hostile_picture()], ids=["map", "board", "hostile"]
)
def test_a_drawing_holds_nothing_but_shapes_and_text(picture: Picture) -> None:
    page = svg.draw(picture)
    root = ElementTree.fromstring(page)
    assert {element.tag.removeprefix(NAMESPACE) for element in root.iter()} <= ELEMENTS
    names = {name for element in root.iter() for name in element.attrib}
    assert [name for name in names if name.startswith("on") or "href" in name or name in ("style", "class", "id")] == []
    assert (page.count("http"), "url(" in page, "<!" in page) == (1, False, False)


def test_a_hostile_text_stays_text() -> None:
    root = read(hostile_picture())
    assert texts(root).count(HARMLESS) >= 7
    assert root[0].text == HARMLESS
    assert [element for element in root.iter() if "script" in element.tag] == []


def test_the_same_board_gives_the_same_bytes_under_every_hash_seed() -> None:
    program = (
        "import hashlib, sys; from tests.viewer.test_svg import full_board; from pbem.viewer import svg, text;"
        "page = svg.draw(full_board()) + text.draw(full_board());"
        "print(hashlib.sha256(page.encode()).hexdigest())"
    )
    root = Path(__file__).parents[2]
    digests = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(root)},
            cwd=root,
            check=True,
            capture_output=True,
        ).stdout
        for seed in ("0", "1", "77")
    }
    assert len(digests) == 1


@pytest.mark.rule("westerplatte:units.2", "westerplatte:units.3", "westerplatte:units.4")
@pytest.mark.rule("westerplatte:units.5", "westerplatte:units.6")
def test_units_2_to_6_each_type_has_its_own_symbol() -> None:
    plain = Counter("X", "X", "german", "", "3")
    types = ("infantry", "engineer", "mortar", "anti_tank_gun", "field_gun", "battleship")
    drawings = [draw_counter(replace(plain, type=each), (0, 0), 120) for each in ("unheard of", *types)]
    assert len(set(drawings)) == 7
    assert draw_counter(replace(plain, size="company"), (0, 0), 120) != draw_counter(plain, (0, 0), 120)


def test_a_weak_counter_differs_by_word_outline_and_hatching_not_only_by_colour() -> None:
    strong, weak = (
        draw_counter(unit_counter(DATA.units[UnitId("PL-1")], weak=weak), (0, 0), 120) for weak in (False, True)
    )
    for mark in ("WEAK", "stroke-dasharray", "M4 44L44 4"):
        assert (mark in strong, mark in weak) == (False, True)


def test_the_sides_differ_by_letter_and_edge_not_only_by_colour() -> None:
    german, polish = (
        draw_counter(Counter("X", "X", side, "infantry", "3"), (0, 0), 120) for side in ("german", "polish")
    )
    assert (">G</text>" in german, ">P</text>" in polish) == (True, True)
    assert (german.count("<rect"), polish.count("<rect")) == (3, 4)


def test_a_stack_stands_in_rows_around_its_middle() -> None:
    counter = Counter("X", "X", "german", "infantry", "3")
    drawing = draw_stack([counter] * 3, (500, 500), columns=2, width=120)
    corners = [part.split(")")[0] for part in drawing.split("translate(")[1:]]
    assert corners == ["376 376", "504 376", "440 504"]


def test_a_small_counter_is_scaled_without_fractions_in_the_way() -> None:
    drawing = draw_counter(Counter("X", "X", "german", "infantry", "3"), (5, 6), 90)
    assert 'transform="translate(5 6) scale(750e-3)"' in drawing


def test_a_point_to_point_map_and_a_hex_draw_without_new_code() -> None:
    link = draw_shape(Shape("link", ((0, 0), (90, 0)), closed=False))
    hexagon = draw_shape(Shape("hex", ((0, 0), (9, 5), (9, 15), (0, 20), (-9, 15), (-9, 5)), place="P20"))
    assert link == '<polyline points="0,0 90,0" fill="none" stroke-linejoin="round" stroke="#6b5f4d" stroke-width="8"/>'
    assert hexagon.startswith('<polygon points="0,0 9,5 9,15 0,20 -9,15 -9,5"')


def test_a_map_without_shapes_is_refused_with_the_way_out() -> None:
    with pytest.raises(BadRequest) as refused:
        svg.draw(map_picture(replace(DATA, shapes=None)))
    assert str(refused.value) == "picture.no_shapes: expected a map with shapes to draw, got none"
    assert refused.value.hint == "ask for the text map instead"


def test_the_legend_of_the_counters_shows_signs_and_not_whole_counters() -> None:
    signs = (LegendLine((10, 20), "guns", symbol="field_gun"), LegendLine((10, 70), "company", symbol="company"))
    ghost = LegendLine((10, 120), HOSTILE, symbol=HOSTILE)
    picture = replace(
        map_picture(DATA), legend=None, counter_legend=Legend("Counters", (0, 0), 90, 90, (*signs, ghost))
    )
    page = svg.draw(picture)
    assert ">guns</text>" in page
    assert 'transform="translate(-10 -8) scale(700e-3)"' in page
    assert ">I</text>" in page
    assert HARMLESS in texts(ElementTree.fromstring(page))

"""The text map: complete without eyes, at most 80 columns, and no control character for the terminal."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from pbem.games.westerplatte import data_files
from pbem.games.westerplatte.data_files import UnitId, parse
from pbem.games.westerplatte.picture import OFF_MAP, board_picture, map_picture, unit_counter
from pbem.rules.picture import Counter, Picture, Place, Shape, Stack
from pbem.viewer import text

FOLDER = Path(data_files.__file__).parent / "data"
DATA = parse({path.name: path.read_bytes() for path in sorted(FOLDER.iterdir())})
LONG = "Ząb" * 40

SMALL = Picture(
    title="Two Fords",
    subtitle="a map of nothing",
    width=800,
    height=440,
    shapes=(Shape("link", ((100, 60), (700, 380)), closed=False),),
    places=(
        Place("P1", "North Ford", "point", "ford", (100, 60), (100, 90), "+1", "defence", ("P2",)),
        Place("P2", "P2", "point", "point", (700, 380), (700, 400), neighbours=("P1",)),
        Place("off", "Reserve", "tray", "tray", (0, 0), (0, 0)),
    ),
    counters=(
        Stack("P1", (Counter("a", "1st Foot", "red", "infantry", "4", note="infantry battalion"),)),
        Stack("off", (Counter("b", "Guns", "blue", "gun", "6", weak=True),)),
    ),
    captions=("Turn 1 of 2",),
)

SMALL_IN_WORDS = """\
Two Fords
a map of nothing

P1, North Ford, point, ford, defence +1
  borders P2
  * red 1st Foot: strength 4, infantry battalion
P2, point
  borders P1
Reserve:
  * blue Guns: weak, strength 6

Turn 1 of 2

Sketch, north is up; a figure after a colon counts the units there:
        P1:1















                                                                     P2
"""


def test_a_small_board_in_full() -> None:
    assert text.draw(SMALL) == SMALL_IN_WORDS


def test_the_sketch_can_be_left_out() -> None:
    assert text.draw(SMALL, sketch=False) == SMALL_IN_WORDS.split("\nSketch")[0]


def test_an_area_of_the_house_map_in_full() -> None:
    placements = {"Prom": [unit_counter(DATA.units[UnitId(unit)], weak=unit == "PL-1") for unit in ("PL-1", "ATG")]}
    picture = board_picture(DATA, placements, ())
    place = next(each for each in picture.places if each.id == "Prom")
    assert list(text.place_lines(picture, place)) == [
        "Prom, 'ferry', land, post, terrain bonus +1",
        "  borders B, Nabrzeze, Tor, Wa, Wal",
        "  * polish PL-1: weak, strength 1, infantry platoon",
        "  * polish ATG: strength 2, 37 mm, anti tank gun",
    ]


def test_the_text_map_has_each_area_with_all_that_the_rules_need() -> None:
    lines = text.draw(map_picture(DATA)).splitlines()
    for area in DATA.areas.values():
        line = next(number for number, each in enumerate(lines) if each.split(",")[0] == area.id)
        bonus = f", terrain bonus +{area.bonus}" if area.kind.value == "land" else ""
        assert (area.name in lines[line], lines[line].endswith(bonus)) == (True, True)
        assert lines[line + 1] == f"  borders {', '.join(DATA.adjacent[area.id])}"


def test_the_sketch_shows_each_area_once() -> None:
    sketch = text.draw(map_picture(DATA)).split("units there:\n")[1].split()
    assert sorted(sketch) == sorted(DATA.areas)


def test_no_line_is_longer_than_80_columns() -> None:
    everywhere = {str(area): [Counter("x", LONG, LONG, "t", LONG, weak=True, note=LONG)] * 2 for area in DATA.areas}
    for picture in (map_picture(DATA), board_picture(DATA, {**everywhere, OFF_MAP: everywhere["A"]}, [LONG])):
        assert max(map(len, text.draw(picture).splitlines())) <= 80


def test_a_name_as_long_as_the_page_does_not_break_the_sketch() -> None:
    place = Place(LONG, LONG, "point", "ford", (100, 60), (100, 90))
    assert max(map(len, text.draw(replace(SMALL, places=(place, *SMALL.places))).splitlines())) <= 80


@pytest.mark.parametrize("attack", ["\x1b[2J", "\x07", "\u202e", "\x9b31m", "\ud800"])
def test_no_control_character_reaches_the_terminal(attack: str) -> None:
    place = Place(attack, attack, "point", "ford", (100, 60), (100, 90), attack, attack, (attack,))
    stack = Stack(attack, (Counter(attack, attack, attack, attack, attack, note=attack),))
    page = text.draw(replace(SMALL, title=attack, places=(place,), counters=(stack,), captions=(attack,)))
    assert [each for each in page if not each.isprintable() and each != "\n"] == []


def test_a_transcription_without_shapes_is_told_without_a_sketch() -> None:
    page = text.draw(map_picture(replace(DATA, shapes=None)))
    assert ("Sketch" in page, page.startswith("The Battle of the Westerplatte\n\nCypel, 'headland', land, beach")) == (
        False,
        True,
    )

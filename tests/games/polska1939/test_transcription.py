"""A player's own transcription: what could stop a game is refused before one is proposed."""

from __future__ import annotations

import re

import pytest
from asked import RULES

from pbem.errors import BadRequest
from pbem.games.polska1939.kinds import HINT
from pbem.games.polska1939.ruleset import Polska1939
from pbem.games.polska1939.shapes_file import SHAPES


def changed(name: str, pattern: str, other: str) -> dict[str, bytes]:
    """The game's files with the first match of a pattern in one of them replaced."""
    text, count = re.subn(pattern, other, RULES.files[name].decode(), count=1, flags=re.MULTILINE)
    assert count == 1
    return {**RULES.files, name: text.encode()}


def test_the_games_own_data_and_those_without_a_drawing_are_right() -> None:
    for files in (RULES.files, {name: data for name, data in RULES.files.items() if name != SHAPES}):
        assert Polska1939(files).check_data(RULES) is None
    bare = Polska1939({name: data for name, data in RULES.files.items() if name != SHAPES})
    assert (bare.shapes, bare.picture(None).shapes) == (None, ())


def test_other_strengths_make_another_game_that_can_be_played() -> None:
    other = Polska1939(changed("units.csv", r"^(PL-INF-8,.*?division),12", r"\1,13"))
    assert other.check_data(RULES) is None
    assert other.digest != RULES.digest


@pytest.mark.parametrize(
    ("name", "pattern", "other", "text"),
    [
        (
            "units.csv",
            r"^(PL-INF-8,PL,8 INF,,)INF",
            r"\1CAV",
            "expected PL-INF-8 of type INF in units.csv, got CAV",
        ),
        (
            "units.csv",
            r"\Z",
            "PL-INF-999,PL,999 INF,,INF,division,9,,,Reserve,house,\n",
            "expected no more units than the game has in units.csv, got 'PL-INF-999'",
        ),
        ("setup.csv", r"^(PL-INF-8),P22", r"\1,P999", "expected an area of areas.csv in setup.csv, got 'P999'"),
        (
            "setup.csv",
            r"^(PL-INF-8),P22",
            r"\1,G13",
            "expected units of one side in G13 in setup.csv, got PL-INF-8 and DE-HQ-I",
        ),
        (
            "setup.csv",
            r"^(SK-INF-1),G[0-9]+",
            r"\1,G13",
            "expected at most 8 Slovak units in setup.csv, all in areas of Slovakia, got others",
        ),
        (
            "reinforcements.csv",
            r"(PL-INF-24),P62",
            r"\1,P999",
            "expected an area of areas.csv in reinforcements.csv, got 'P999'",
        ),
        ("air.csv", r"^(DE,BOM,4,6),1", r"\1,9", "expected at most 9 German BOM on day 4 in air.csv, got 13"),
        (
            "constants.csv",
            r"^air.die_sides,6",
            "air.die_sides,0",
            "expected a number above 0 for the key 'air.die_sides' in constants.csv, got 0",
        ),
        (
            "constants.csv",
            r"^fortification.line,-3",
            "fortification.line,3",
            "expected a number below 0 for the key 'fortification.line' in constants.csv, got 3",
        ),
        (
            "constants.csv",
            r"^days.last,35",
            "days.last,36",
            "expected the last days in order, at most 35, in constants.csv, got another order",
        ),
    ],
)
def test_what_would_stop_a_game(name: str, pattern: str, other: str, text: str) -> None:
    with pytest.raises(BadRequest) as caught:
        Polska1939(changed(name, pattern, other)).check_data(RULES)
    assert (str(caught.value), caught.value.hint) == (f"data.unplayable: {text}", HINT)


def test_a_unit_that_the_rules_know_is_there() -> None:
    files = {name: re.sub(rb"\bPL-INF-8,", b"PL-INF-999,", data) for name, data in RULES.files.items()}
    with pytest.raises(BadRequest) as caught:
        Polska1939(files).check_data(RULES)
    assert caught.value.text == "expected PL-INF-8 of type INF in units.csv, got no such unit"


def test_a_region_that_no_order_could_name() -> None:
    files = {
        **RULES.files,
        "areas.csv": RULES.files["areas.csv"].replace(b",Hel,", b",Hel 1,").replace(b"P01,Hel 1,", b"P01,Hel,"),
        "regions.csv": RULES.files["regions.csv"].replace(b"Hel,PL", b"Hel 1,PL"),
    }
    with pytest.raises(BadRequest) as caught:
        Polska1939(files).check_data(RULES)
    wanted = "expected regions of letters, blanks, points and hyphens in regions.csv, got 'Hel 1'"
    assert caught.value.text == wanted


def test_an_area_that_no_order_could_name() -> None:
    """In every file, since the files agree with each other."""
    files = {name: re.sub(rb"\bH07\b", b"H7", data) for name, data in RULES.files.items()}
    with pytest.raises(BadRequest) as caught:
        Polska1939(files).check_data(RULES)
    assert caught.value.text == "expected codes such as P20 in areas.csv, got 'H7'"


def test_a_drawing_that_cannot_be_read_is_refused_too() -> None:
    with pytest.raises(BadRequest) as caught:
        Polska1939({**RULES.files, SHAPES: b"nonsense\n"}).check_data(RULES)
    assert (str(caught.value), caught.value.hint) == (
        "data.columns: expected the columns kind,name,numbers in shapes.csv, line 1, got 'nonsense'",
        "correct the file, or leave it out and use the text map",
    )

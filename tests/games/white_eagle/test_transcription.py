"""A player's own transcription: what could stop a game is refused before one is proposed."""

from __future__ import annotations

from functools import partial

import pytest
from transcribed import with_match

from pbem.errors import BadRequest
from pbem.games.white_eagle.ruleset import WhiteEagle
from pbem.games.white_eagle.shapes_file import SHAPES, parse_shapes
from white_eagle.asked import RULES

HINT = "correct the file and try again; `pbem tables white_eagle` shows the built-in one"
LEAVE_OUT = "correct the file, or leave it out and use the text map"
MAP_HEAD = "kind,name,numbers\npage,,800 600\nmap,,10 10 500 500\nscale,,80\n"


changed = partial(with_match, RULES.files)


def test_the_games_own_data_and_those_without_a_drawing_are_right() -> None:
    bare = {name: data for name, data in RULES.files.items() if name != SHAPES}
    for files in (RULES.files, bare):
        assert WhiteEagle(files).check_data(RULES) is None
    assert (WhiteEagle(bare).shapes, WhiteEagle(bare).picture(None).shapes) == (None, ())


@pytest.mark.parametrize(
    ("name", "pattern", "other"),
    [
        ("units.csv", r"^(POL-Lodz-2,POL,POL-Central,Lodz,)Lodz CAV,CAV,2,5,6", r"\1Lodz LARM,LARM,2,4,5"),
        ("chits.csv", r"^(Stuka,event,Stuka),1", r"\1,2"),
        ("lines.csv", r"^(Danzig,Elbing),1", r"\1,0"),
    ],
)
def test_other_units_chits_and_lines_make_another_game_that_can_be_played(name: str, pattern: str, other: str) -> None:
    own = WhiteEagle(changed(name, pattern, other))
    assert own.check_data(RULES) is None
    assert own.digest != RULES.digest


@pytest.mark.parametrize(
    ("name", "pattern", "other", "text"),
    [
        (
            "units.csv",
            r"^GER-3rd-1,GER",
            "GER-3rd-1,SOV",
            "expected an id such as SOV-3rd-1 in units.csv, got 'GER-3rd-1'",
        ),
        (
            "units.csv",
            r"^(GER-3rd-1,GER),GER-North",
            r"\1,POL-North",
            "expected a command of the German side for GER-3rd-1 in units.csv, got POL-North",
        ),
        (
            "units.csv",
            r"^(GER-3rd-1,GER),GER-North",
            r"\1,SOV-Ukrainian",
            "expected a command of the German side for GER-3rd-1 in units.csv, got SOV-Ukrainian",
        ),
        (
            "setup.csv",
            r"^GER-3rd-1,Allenstein",
            "GER-3rd-1,Atlantis",
            "expected a box of boxes.csv in setup.csv, got 'Atlantis'",
        ),
        (
            "setup.csv",
            r"^POL-Modlin-1,Mlawa",
            "POL-Modlin-1,Allenstein",
            "expected units of one side in Allenstein in setup.csv, got GER-3rd-1 and POL-Modlin-1",
        ),
        (
            "units.csv",
            r"^(POL-Polesie-1,.*),3,house",
            r"\1,0,house",
            "expected a turn in column 'flips_on' of units.csv for POL-Polesie-1, which begins reduced, got 0",
        ),
        (
            "chits.csv",
            r"^(POL-South,activation),POL-South",
            r"\1,POL-North",
            "expected one chit of POL-North in chits.csv, got 2",
        ),
        ("chits.csv", r"^End,end,,4", "End,end,,3", "expected 4 Turn End chits in the cup in chits.csv, got others"),
        (
            "chits.csv",
            r"^End,end,,4,cup",
            "End,end,,4,aside",
            "expected 4 Turn End chits in the cup in chits.csv, got others",
        ),
        ("turns.csv", r"^7,.*\n", "", "expected a line for turn 7 in turns.csv, got none"),
        (
            "constants.csv",
            r"^stacking.units,4",
            "stacking.units,0",
            "expected a number above 0 for the key 'stacking.units' in constants.csv, got 0",
        ),
        (
            "constants.csv",
            r"^events.movement,-1",
            "events.movement,1",
            "expected a number below 0 for the key 'events.movement' in constants.csv, got 1",
        ),
        (
            "constants.csv",
            r"^turns.last,10",
            "turns.last,11",
            "expected the last turns in order, at most 10, in constants.csv, got another order",
        ),
        (
            "constants.csv",
            r"^movement.others,4",
            "movement.others,11",
            "expected at most 10 movement points in constants.csv, got more",
        ),
    ],
)
def test_what_would_stop_a_game(name: str, pattern: str, other: str, text: str) -> None:
    with pytest.raises(BadRequest) as caught:
        WhiteEagle(changed(name, pattern, other)).check_data(RULES)
    assert (str(caught.value), caught.value.hint) == (f"data.unplayable: {text}", HINT)


@pytest.mark.parametrize("name", [name for name in RULES.files if name != SHAPES])
def test_a_missing_table_is_named(name: str) -> None:
    with pytest.raises(BadRequest) as caught:
        WhiteEagle({other: content for other, content in RULES.files.items() if other != name})
    assert (str(caught.value), caught.value.hint) == (
        f"data.missing: expected {name} among the data files, got none",
        "add the file",
    )


def test_nations_need_a_home_to_retreat_to() -> None:
    boxes = RULES.files["boxes.csv"].replace(b",SK,", b",DE,")
    with pytest.raises(BadRequest) as caught:
        WhiteEagle({**RULES.files, "boxes.csv": boxes}).check_data(RULES)
    assert str(caught.value) == "data.unplayable: expected a box of SK in boxes.csv, got none"


def test_there_are_at_most_as_many_units_as_a_sheet_could_name() -> None:
    known = len(RULES.files["units.csv"].splitlines()) - 1
    more = "".join(f"GER-9th-{i},GER,GER-North,9th,{i} Corps,INF,2,4,5,1,0,house,\n" for i in range(known, 61))
    with pytest.raises(BadRequest) as caught:
        WhiteEagle({**RULES.files, "units.csv": RULES.files["units.csv"] + more.encode()}).check_data(RULES)
    assert str(caught.value) == "data.unplayable: expected at most 60 units in units.csv, got 61"


def test_a_map_has_at_most_as_many_boxes_as_a_sheet_could_name() -> None:
    more = {
        "boxes.csv": "".join(f"Box{number},Box {number},PL,0,,0,9,9,house,\n" for number in range(100)),
        "lines.csv": "".join(f"Danzig,Box{number},1,house,\n" for number in range(100)),
    }
    with pytest.raises(BadRequest) as caught:
        WhiteEagle({name: data + more.get(name, "").encode() for name, data in RULES.files.items()}).check_data(RULES)
    assert str(caught.value) == "data.unplayable: expected at most 100 boxes in boxes.csv, got 168"


def test_boxes_have_ids_that_orders_can_name() -> None:
    files = {name: data.replace(b"Zilina", b"1ilina") for name, data in RULES.files.items()}
    with pytest.raises(BadRequest) as caught:
        WhiteEagle(files).check_data(RULES)
    assert str(caught.value) == "data.unplayable: expected ids such as Lodz in boxes.csv, got '1ilina'"


def test_a_drawing_that_cannot_be_read_is_refused_too() -> None:
    with pytest.raises(BadRequest) as caught:
        WhiteEagle({**RULES.files, SHAPES: b"nonsense\n"}).check_data(RULES)
    assert (str(caught.value), caught.value.hint) == (
        "data.columns: expected the columns kind,name,numbers in shapes.csv, line 1, got 'nonsense'",
        LEAVE_OUT,
    )


# ---------------------------------------------------------------------- bad drawings


def test_no_file_no_drawing() -> None:
    assert parse_shapes({}, RULES.data.board.forts) is None


@pytest.mark.parametrize(
    ("row", "refusal"),
    [
        ("siege,Torun,10 20", ""),
        (
            "blob,,1 2",
            "data.value: expected one of page, map, scale, shallows, land, lagoon, shore, lake, tree, marsh, hill, "
            "peak, river, vistula, state, german_soviet, siege, river_name, caption in shapes.csv, line 5, "
            "column 'kind', got 'blob'",
        ),
        (
            "river,Wisła,1 2 x",
            "data.value: expected whole numbers up to 9999 in shapes.csv, line 5, column 'numbers', got '1 2 x'",
        ),
        (
            "river,Wisła,1 2 3",
            "data.value: expected points of two numbers each in shapes.csv, line 5, column 'numbers', got '1 2 3'",
        ),
        ("siege,Torun,1", "data.value: expected 2 numbers in shapes.csv, line 5, column 'numbers', got '1'"),
        ("siege,Hel,1 2", "data.value: expected a fort of boxes.csv in shapes.csv, line 5, column 'name', got 'Hel'"),
        (
            "land,Poland,1 2 3 4",
            "data.value: expected one of PL, DE, EP, DZ, SK, SU, abroad in shapes.csv, line 5, column 'name', "
            "got 'Poland'",
        ),
        ("river,Wisła,1 2", "data.shapes: expected one row 'siege' for each fort in shapes.csv, differs in Torun"),
        (
            "siege,Torun,1 2\nsiege,Torun,3 4",
            "data.shapes: expected one row 'siege' for each fort in shapes.csv, differs in doubles",
        ),
        ("siege,Torun,1 2\npage,,5 5", "data.shapes: expected one row 'page' in shapes.csv, got 2"),
    ],
)
def test_a_wrong_row_of_the_drawing_is_named(row: str, refusal: str) -> None:
    given = {SHAPES: (MAP_HEAD + row).encode()}
    if not refusal:
        assert parse_shapes(given, ("Torun",)) is not None
        return
    with pytest.raises(BadRequest) as caught:
        parse_shapes(given, ("Torun",))
    assert str(caught.value) == refusal
    assert caught.value.hint == LEAVE_OUT

"""A player's own transcription: what a bad one is told, and what could stop a game is refused before it begins."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
from transcribed import with_text

from pbem.errors import BadRequest
from pbem.games.westerplatte import data_files
from pbem.games.westerplatte.data_files import AreaId, parse
from pbem.games.westerplatte.transcription import refuse_incomplete

FOLDER = Path(data_files.__file__).parent / "data"
FILES = {path.name: path.read_bytes() for path in sorted(FOLDER.iterdir())}
changed = partial(with_text, FILES)
DATA = parse(FILES)

CORRECT = "correct the file and try again; `pbem tables westerplatte` shows the built-in one"
BAD_CELLS = [
    (
        "areas.csv",
        "Cypel,Cypel,land,beach,0",
        "Cypel,Cypel,land,beach,4",
        "a whole number from 0 to 3",
        "line 2, column 'bonus', got '4'",
    ),
    (
        "areas.csv",
        "Cypel,Cypel,land,beach,0",
        "Cypel,Cypel,land,beach,²",
        "a whole number from 0 to 3",
        "line 2, column 'bonus', got '²'",
    ),
    (
        "areas.csv",
        "Cypel,Cypel,land",
        "Cypel,Cypel,hill",
        "one of land, entry, water",
        "line 2, column 'kind', got 'hill'",
    ),
    ("areas.csv", "Cypel,Cypel,land", "Cypel,,land", "a name", "line 2, column 'name', got ''"),
    (
        "areas.csv",
        "Cypel,Cypel,land",
        "Cypel,Cy\x1bpel,land",
        "printable text",
        "line 2, column 'name', got 'Cy\\x1bpel'",
    ),
    (
        "areas.csv",
        "Las,Las,",
        "Łas,Las,",
        "1 to 16 letters, digits and hyphens without accents",
        "line 8, column 'id', got 'Łas'",
    ),
    ("areas.csv", "GH4,Wart", "gh3,Wart", "an area that no other line has", "line 4, column 'id', got 'gh3'"),
    (
        "areas.csv",
        ",bay,0,printed",
        ",bay,0,guess",
        "one of printed, inferred, house",
        "line 24, column 'source', got 'guess'",
    ),
    ("adjacency.csv", "Cypel,GH3,", "Cypel,GH9,", "an area of areas.csv", "line 2, column 'b', got 'GH9'"),
    (
        "adjacency.csv",
        "Cypel,GH3,",
        "Cypel,Cypel,",
        "two different areas that no other line joins",
        "line 2, column 'b', got 'Cypel'",
    ),
    (
        "adjacency.csv",
        "Cypel,Przystan,",
        "GH3,Cypel,",
        "two different areas that no other line joins",
        "line 3, column 'b', got 'Cypel'",
    ),
    ("units.csv", "company,4,2", "company,10,2", "a whole number from 1 to 9", "line 2, column 'strong', got '10'"),
    ("units.csv", "company,4,2", "company,4,-1", "a whole number from 1 to 9", "line 2, column 'weak', got '-1'"),
    ("units.csv", "MAS-2,", "mas-1,", "a unit that no other line has", "line 3, column 'id', got 'mas-1'"),
    ("units.csv", "MAS 1,german", "MAS 1,danish", "one of german, polish", "line 2, column 'side', got 'danish'"),
    (
        "constants.csv",
        "deck.cards,52",
        "stack.limit,52",
        "a key that no other line has",
        "line 9, column 'key', got 'stack.limit'",
    ),
    (
        "constants.csv",
        "deck.cards,52",
        "deck.cards,99999",
        "a whole number from 0 to 9999",
        "line 9, column 'value', got '99999'",
    ),
    ("constants.csv", "A B,setup.1", "A Q,setup.1", "areas of areas.csv", "line 3, column 'value', got 'A Q'"),
]


@pytest.mark.parametrize(("file", "old", "new", "what", "where"), BAD_CELLS)
def test_a_bad_cell_is_named_by_file_line_and_column(file: str, old: str, new: str, what: str, where: str) -> None:
    with pytest.raises(BadRequest) as refused:
        parse(changed(file, old, new))
    assert (str(refused.value), refused.value.hint) == (f"data.value: expected {what} in {file}, {where}", CORRECT)


def test_a_refusal_reads_in_full() -> None:
    with pytest.raises(BadRequest) as refused:
        parse(changed("areas.csv", "Koszary,land,barracks,3", "Koszary,land,barracks,7"))
    assert refused.value.text == ("expected a whole number from 0 to 3 in areas.csv, line 6, column 'bonus', got '7'")
    assert refused.value.hint == CORRECT


UNITS_HEAD = "id,name,side,type,size,strong,weak,source_strong,source_weak,note"
LEAVE_OUT = "correct the file, or leave it out and use the text map"
BAD_FILES = [
    ("units.csv", b"", f"data.columns: expected the columns {UNITS_HEAD} in units.csv, line 1, got ''"),
    ("units.csv", b"id,name\n", f"data.columns: expected the columns {UNITS_HEAD} in units.csv, line 1, got 'id,name'"),
    (
        "adjacency.csv",
        b"a,b,source,note\nGH1,GH2\n",
        "data.cells: expected 4 values in adjacency.csv, line 2, got 2",
    ),
    (
        "adjacency.csv",
        b'a,b,source,note\n"GH1"x,GH2,house,\n',
        "data.csv: expected comma-separated values in adjacency.csv, line 2: ',' expected after '\"'",
    ),
    (
        "areas.csv",
        "Wał".encode("cp1250"),
        "data.encoding: expected UTF-8 text in areas.csv, got another encoding at byte 2",
    ),
    ("shapes.toml", b"areas = 3", "data.shape: expected a table in shapes.toml, key 'areas', got 3"),
    (
        "shapes.toml",
        b"[areas.Atlantis]",
        "data.shapes: expected one shape in shapes.toml for each area, differs in A, Atlantis, B, Cypel, Elektr, Fort, "
        "GH1, GH2 and 16 more",
    ),
]


@pytest.mark.parametrize(("file", "content", "says"), BAD_FILES)
def test_a_damaged_file_is_refused_by_name(file: str, content: bytes, says: str) -> None:
    with pytest.raises(BadRequest) as refused:
        parse({**FILES, file: content})
    assert (str(refused.value), refused.value.hint) == (says, LEAVE_OUT if file == "shapes.toml" else CORRECT)


@pytest.mark.parametrize("content", [b"width = ", b"x = " + b"[" * 9000])
def test_a_drawing_that_is_no_toml_is_refused_with_what_its_reader_says(content: bytes) -> None:
    with pytest.raises(BadRequest) as refused:
        parse({**FILES, "shapes.toml": content})
    cause = refused.value.__cause__
    assert str(refused.value) == f"data.toml: expected TOML in shapes.toml: {cause}"
    assert refused.value.hint == LEAVE_OUT


BAD_SHAPES = [
    ("width = 2970", "width = 2970.5", "a whole number up to 9999 in shapes.toml, key 'width', got 2970.5"),
    ("width = 2970", "width = true", "a whole number up to 9999 in shapes.toml, key 'width', got True"),
    ("height = 2100", "height = 99999", "a whole number up to 9999 in shapes.toml, key 'height', got 99999"),
    ('scale_text = "100 m"', "scale_text = 100", "text in shapes.toml, key 'scale_text', got 100"),
    (
        'source = "house"',
        'source = "mine"',
        "printed, inferred or house in shapes.toml, key 'source', got 'mine'",
    ),
    (
        "[areas.Cypel]\nlabel = [",
        "[areas.Cypel]\nlabel = [-",
        "two whole numbers in shapes.toml, key 'label', got [-362, 666]",
    ),
    (
        "polygon = [\n",
        "polygon = [[1, 2], [3, 4]]\nold = [\n",
        "at least three points for Cypel in shapes.toml, key 'polygon', got ((1, 2), (3, 4))",
    ),
    ("polygon = [\n", "polygon = [[1], \n", "two whole numbers in shapes.toml, key 'polygon', got [1]"),
    ("[[features]]\nkind", "[[features]]\nsort", "text in shapes.toml, key 'kind', got None"),
]


@pytest.mark.parametrize(("old", "new", "says"), BAD_SHAPES)
def test_a_bad_shape_is_named_by_its_key(old: str, new: str, says: str) -> None:
    with pytest.raises(BadRequest) as refused:
        parse(changed("shapes.toml", old, new))
    assert (str(refused.value), refused.value.hint) == (f"data.shape: expected {says}", LEAVE_OUT)


@pytest.mark.parametrize("file", data_files.NEEDED)
def test_a_missing_table_is_named(file: str) -> None:
    with pytest.raises(BadRequest) as refused:
        parse({name: content for name, content in FILES.items() if name != file})
    assert refused.value.text == f"expected {file} among the data files, got none"


def test_a_transcription_without_shapes_plays_and_has_no_drawing() -> None:
    data = parse({name: content for name, content in FILES.items() if name != "shapes.toml"})
    assert (data.shapes, data.adjacent) == (None, DATA.adjacent)


def test_a_transcription_from_a_spreadsheet_with_a_mark_and_other_line_ends_is_read() -> None:
    as_saved = {name: b"\xef\xbb\xbf" + content.replace(b"\n", b"\r\n") for name, content in FILES.items()}
    assert parse(as_saved) == DATA


UNUSABLE = [
    ("vp.start,9", "vp.begin,9", "expected a line with the key 'vp.start' in constants.csv, got none"),
    (
        "vp.start,9",
        "vp.start,nine",
        "expected a number from 1 to 99 for the key 'vp.start' in constants.csv, got 'nine'",
    ),
    (
        "stack.limit,2",
        "stack.limit,0",
        "expected a number from 1 to 99 for the key 'stack.limit' in constants.csv, got 0",
    ),
    ("support.J,air", "support.J,gas", "expected air or oba for the key 'support.J' in constants.csv, got 'gas'"),
    (
        "combat.firing_units,2",
        "combat.firing_units,3",
        "expected 2, which the rules are written for, for the key 'combat.firing_units' in constants.csv, got 3",
    ),
    (
        "activation.J,area_or_recovery",
        "activation.J,5",
        "expected area_or_recovery for the key 'activation.J' in constants.csv, got 5",
    ),
    (
        "ship.start,Wa Wb Wc Wd",
        "ship.start,Wa Wx",
        "expected areas of areas.csv in constants.csv, line 6, column 'value', got 'Wa Wx'",
    ),
    (
        "combat.polish_guns,anti_tank_gun field_gun",
        "combat.polish_guns,howitzer",
        "expected types of unit for the key 'combat.polish_guns' in constants.csv, got 'howitzer'",
    ),
]


@pytest.mark.parametrize(("cell", "other", "text"), UNUSABLE)
def test_a_transcription_that_would_stop_a_game_is_refused_before_it(cell: str, other: str, text: str) -> None:
    with pytest.raises(BadRequest) as refused:
        refuse_incomplete(parse(changed("constants.csv", cell, other)), DATA)
    assert refused.value.text == text


def test_units_that_no_game_can_begin_with_are_refused_before_it() -> None:
    lines = FILES["units.csv"].decode().splitlines()
    shipless = [line for line in lines if ",battleship," not in line]
    crowded = [
        *lines,
        *(f"PL-{number},PL {number},polish,infantry,platoon,1,1,house,house," for number in range(50, 90)),
    ]
    told = []
    for units in (shipless, crowded):
        with pytest.raises(BadRequest) as refused:
            refuse_incomplete(parse({**FILES, "units.csv": "\n".join(units).encode()}), DATA)
        told.append((str(refused.value), refused.value.hint))
    assert told == [
        ("data.units: expected one ship, German ground units and Polish units in units.csv, got others", CORRECT),
        (
            "data.units: expected room for every Polish unit, but expected at most 2 units in Koszary, got 3",
            CORRECT,
        ),
    ]


def test_an_area_may_have_a_number_for_a_name() -> None:
    sea = FILES["areas.csv"] + b"3,Sea,water,bay,0,house,\n"
    start = changed("constants.csv", "ship.start,Wa Wb Wc Wd", "ship.start,3")["constants.csv"]
    tables = {name: content for name, content in FILES.items() if name != "shapes.toml"}
    data = parse({**tables, "areas.csv": sea, "constants.csv": start})
    refuse_incomplete(data, DATA)
    assert data.words("ship.start") == ("3",)


def test_the_data_of_the_package_are_complete() -> None:
    refuse_incomplete(DATA, DATA)


def test_an_area_without_a_way_is_far_off() -> None:
    lines = FILES["adjacency.csv"].decode().splitlines()
    alone = "\n".join(line for line in lines if not line.startswith(("Cypel,", "Wd,We")))
    data = parse({**FILES, "adjacency.csv": alone.encode()})
    assert (data.adjacent[AreaId("Cypel")], data.distance(AreaId("Cypel"), AreaId("A"))) == ((), data_files.FARTHEST)

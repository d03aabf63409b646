"""The data files: every number of the rules card, sound tables, and what a bad transcription is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.errors import BadRequest
from pbem.games.westerplatte import data_files
from pbem.games.westerplatte.data_files import AreaId, AreaKind, Side, UnitKind, parse
from pbem.games.westerplatte.tables import all_tables
from pbem.games.westerplatte.transcription import refuse_incomplete
from pbem.rules.tables import count_sources

FOLDER = Path(data_files.__file__).parent / "data"
FILES = {path.name: path.read_bytes() for path in sorted(FOLDER.iterdir())}
DATA = parse(FILES)

CARD: dict[str, dict[str, int | str]] = {
    "setup.1": {"areas.closed_to_poles": "A B"},
    "setup.3": {"areas.german_entry": "A B", "entry.first_turn": 1},
    "setup.4": {"ship.start": "Wa Wb Wc Wd", "ship.start_strength": 4},
    "setup.5": {"stack.limit": 2},
    "turn.1": {"deck.cards": 52, "deck.jokers": 1},
    "turn.3": {"deck.german_colour": "black", "activation.divisor": 2},
    "turn.4": {"activation.A": 1, "card.ace": 1, "activation.recovered_units": 1},
    "turn.5": {"deck.polish_colour": "red"},
    "turn.6": {"move.areas": 1},
    "turn.10": {"ship.join": "Wd We"},
    "turn.12": {"joker.ends_turn": 1},
    "combat.2": {"combat.range": 2},
    "combat.6": {"combat.firing_units": 2, "combat.targets": 1},
    "combat.8": {"combat.modifier_not_adjacent": 1},
    "combat.9": {"combat.modifier_polish_gun_at_ship": 1, "combat.polish_guns": "anti_tank_gun field_gun"},
    "combat.10": {"combat.polish_types_barred_from_ship": "infantry mortar"},
    "combat.14": {"combat.hits_to_eliminate": 2},
    "support.1": {"support.uses_per_turn": 1},
    "support.4": {"oba.targets": 1, "air.targets": 1},
    "support.5": {"oba.strength": 3},
    "support.6": {"air.strength": 4, "air.suppression": 1},
    "end.1": {"game.turns": 6},
    "end.2": {"vp.start": 9},
    "end.3": {"vp.deducted_per_reshuffle": 1, "vp.deducted_per_german_loss": 1},
    "end.4": {"vp.german_minimum": 1},
}
RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")


@pytest.mark.parametrize(("rule", "facts"), CARD.items())
def test_every_number_of_the_card_stands_under_its_rule(rule: str, facts: dict[str, int | str]) -> None:
    assert {key: (DATA.constants[key].value, DATA.constants[key].rule) for key in facts} == {
        key: (value, rule) for key, value in facts.items()
    }


def test_no_constant_is_there_that_the_card_does_not_have() -> None:
    by_rank = {f"{kind}.{rank}" for kind in ("activation", "support") for rank in RANKS}
    assert set(DATA.constants) == by_rank | {key for facts in CARD.values() for key in facts}


@pytest.mark.rule("westerplatte:turn.3", "westerplatte:turn.4")
def test_turn_3_units_for_each_rank() -> None:
    whole = (1, 1, 2, 2, 3, 3, 4, 4, 5, 5)
    faces = ("area_or_recovery",) * 3
    assert tuple(DATA.constants[f"activation.{rank}"].value for rank in RANKS) == (*whole, *faces)


@pytest.mark.rule("westerplatte:support.2", "westerplatte:support.3")
def test_support_2_and_3_air_and_artillery_for_each_black_rank() -> None:
    seen = " ".join(str(DATA.constants[f"support.{rank}"].value) for rank in RANKS)
    assert seen == "air oba air oba air oba air oba air oba air oba oba"


@pytest.mark.rule("westerplatte:units.7")
def test_units_as_the_card_lists_them_and_the_house_completes_them() -> None:
    assert [(unit.id, unit.side.value, unit.kind.value, unit.strong, unit.weak) for unit in DATA.units.values()] == [
        *((f"MAS-{number}", "german", "infantry", 4, 2) for number in range(1, 7)),
        ("DSS-HW", "german", "infantry", 2, 1),
        ("ENG", "german", "engineer", 4, 2),
        ("BB", "german", "battleship", 4, 2),
        *((f"PL-{number}", "polish", "infantry", 2, 1) for number in range(1, 4)),
        ("MTR", "polish", "mortar", 2, 1),
        ("FG", "polish", "field_gun", 3, 1),
        ("ATG", "polish", "anti_tank_gun", 2, 1),
    ]


def test_the_printed_strengths_are_marked_printed_and_the_others_are_not() -> None:
    printed = {unit.id for unit in DATA.units.values() if unit.source_strong.value == "printed"}
    house_weak = {unit.id for unit in DATA.units.values() if unit.source_weak.value == "house"}
    assert (printed, house_weak) == ({"BB"}, {"ENG", "FG", "ATG"})


def test_a_weak_face_is_weaker_and_only_the_ship_sails() -> None:
    assert [unit.id for unit in DATA.units.values() if unit.weak >= unit.strong] == []
    assert [unit.id for unit in DATA.units.values() if unit.kind is UnitKind.BATTLESHIP] == ["BB"]


def test_the_polish_units_find_room_at_set_up() -> None:
    polish = [unit for unit in DATA.units.values() if unit.side is Side.POLISH]
    room = sum(DATA.number("stack.limit") for area in DATA.areas.values() if area.kind is AreaKind.LAND)
    assert 0 < len(polish) <= room


def test_every_entry_is_counted_with_its_source() -> None:
    entries = len(DATA.areas) + len(DATA.joins) + len(DATA.constants) + 2 * len(DATA.units)
    counts = count_sources(all_tables(DATA))
    assert set(counts) == {"printed", "inferred", "house"}
    assert sum(counts.values()) == entries


def test_constants_are_read_as_numbers_or_as_words() -> None:
    assert (DATA.number("vp.start"), DATA.words("ship.start")) == (9, ("Wa", "Wb", "Wc", "Wd"))
    with pytest.raises(TypeError):
        DATA.number("ship.start")


BAD_CELLS = [
    ("areas.csv", "Cypel,Cypel,land,beach,0", "Cypel,Cypel,land,beach,4", "line 2, column 'bonus', got '4'"),
    ("areas.csv", "Cypel,Cypel,land,beach,0", "Cypel,Cypel,land,beach,²", "line 2, column 'bonus', got '²'"),
    ("areas.csv", "Cypel,Cypel,land", "Cypel,Cypel,hill", "line 2, column 'kind', got 'hill'"),
    ("areas.csv", "Cypel,Cypel,land", "Cypel,,land", "line 2, column 'name', got ''"),
    ("areas.csv", "Cypel,Cypel,land", "Cypel,Cy\x1bpel,land", "line 2, column 'name', got 'Cy\\x1bpel'"),
    ("areas.csv", "Las,Las,", "Łas,Las,", "line 8, column 'id', got 'Łas'"),
    ("areas.csv", "GH4,Wart", "gh3,Wart", "line 4, column 'id', got 'gh3'"),
    ("areas.csv", ",bay,0,printed", ",bay,0,guess", "line 24, column 'source', got 'guess'"),
    ("adjacency.csv", "Cypel,GH3,", "Cypel,GH9,", "line 2, column 'b', got 'GH9'"),
    ("adjacency.csv", "Cypel,GH3,", "Cypel,Cypel,", "line 2, column 'b', got 'Cypel'"),
    ("adjacency.csv", "Cypel,Przystan,", "GH3,Cypel,", "line 3, column 'b', got 'Cypel'"),
    ("units.csv", "company,4,2", "company,10,2", "line 2, column 'strong', got '10'"),
    ("units.csv", "company,4,2", "company,4,-1", "line 2, column 'weak', got '-1'"),
    ("units.csv", "MAS-2,", "mas-1,", "line 3, column 'id', got 'mas-1'"),
    ("units.csv", "MAS 1,german", "MAS 1,danish", "line 2, column 'side', got 'danish'"),
    ("constants.csv", "deck.cards,52", "stack.limit,52", "line 9, column 'key', got 'stack.limit'"),
    ("constants.csv", "deck.cards,52", "deck.cards,99999", "line 9, column 'value', got '99999'"),
    ("constants.csv", "A B,setup.1", "A Q,setup.1", "line 3, column 'value', got 'A Q'"),
]


@pytest.mark.parametrize(("file", "old", "new", "where"), BAD_CELLS)
def test_a_bad_cell_is_named_by_file_line_and_column(file: str, old: str, new: str, where: str) -> None:
    with pytest.raises(BadRequest) as refused:
        parse(changed(file, old, new))
    assert (refused.value.code, refused.value.text.split(f" in {file}, ")[1]) == ("data.value", where)


def test_a_refusal_reads_in_full() -> None:
    with pytest.raises(BadRequest) as refused:
        parse(changed("areas.csv", "Koszary,land,barracks,3", "Koszary,land,barracks,7"))
    assert refused.value.text == ("expected a whole number from 0 to 3 in areas.csv, line 6, column 'bonus', got '7'")
    assert refused.value.hint == "correct the file and try again; `pbem tables westerplatte` shows the built-in one"


BAD_FILES = [
    ("units.csv", b"", "data.columns", "units.csv, line 1, got ''"),
    ("units.csv", b"id,name\n", "data.columns", "units.csv, line 1, got 'id,name'"),
    ("adjacency.csv", b"a,b,source,note\nGH1,GH2\n", "data.cells", "expected 4 values in adjacency.csv, line 2, got 2"),
    ("shapes.toml", b"width = ", "data.toml", "TOML in shapes.toml"),
    ("shapes.toml", b"x = " + b"[" * 9000, "data.toml", "TOML in shapes.toml"),
    ("shapes.toml", b"areas = 3", "data.shape", "a table in shapes.toml, key 'areas', got 3"),
    ("shapes.toml", b"[areas.Atlantis]", "data.shapes", "one shape in shapes.toml for each area"),
]


@pytest.mark.parametrize(("file", "content", "code", "says"), BAD_FILES)
def test_a_damaged_file_is_refused_by_name(file: str, content: bytes, code: str, says: str) -> None:
    with pytest.raises(BadRequest) as refused:
        parse({**FILES, file: content})
    assert (refused.value.code, says in refused.value.text) == (code, True)


@pytest.mark.parametrize(
    ("file", "content", "said"),
    [
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
    ],
)
def test_a_file_that_is_no_table_is_refused_in_full(file: str, content: bytes, said: str) -> None:
    with pytest.raises(BadRequest) as refused:
        parse({**FILES, file: content})
    assert str(refused.value) == said


BAD_SHAPES = [
    ("width = 2970", "width = 2970.5", "width"),
    ("width = 2970", "width = true", "width"),
    ("height = 2100", "height = 99999", "height"),
    ('scale_text = "100 m"', "scale_text = 100", "scale_text"),
    ('source = "house"', 'source = "mine"', "source"),
    ("[areas.Cypel]\nlabel = [", "[areas.Cypel]\nlabel = [-", "label"),
    ("polygon = [\n", "polygon = [[1, 2], [3, 4]]\nold = [\n", "polygon"),
    ("polygon = [\n", "polygon = [[1], \n", "polygon"),
    ("[[features]]\nkind", "[[features]]\nsort", "kind"),
]


@pytest.mark.parametrize(("old", "new", "key"), BAD_SHAPES)
def test_a_bad_shape_is_named_by_its_key(old: str, new: str, key: str) -> None:
    with pytest.raises(BadRequest) as refused:
        parse(changed("shapes.toml", old, new))
    assert (refused.value.code, f"key {key!r}" in refused.value.text) == ("data.shape", True)


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


CORRECT = "correct the file and try again; `pbem tables westerplatte` shows the built-in one"


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


def test_the_data_of_the_package_are_complete() -> None:
    refuse_incomplete(DATA, DATA)


def test_an_area_without_a_way_is_far_off() -> None:
    lines = FILES["adjacency.csv"].decode().splitlines()
    alone = "\n".join(line for line in lines if not line.startswith(("Cypel,", "Wd,We")))
    data = parse({**FILES, "adjacency.csv": alone.encode()})
    assert (data.adjacent[AreaId("Cypel")], data.distance(AreaId("Cypel"), AreaId("A"))) == ((), data_files.FARTHEST)


def changed(file: str, old: str, new: str) -> dict[str, bytes]:
    """The files with the first `old` of one of them replaced."""
    text = FILES[file].decode()
    assert old in text
    return {**FILES, file: text.replace(old, new, 1).encode()}

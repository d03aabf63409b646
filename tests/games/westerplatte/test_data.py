"""The data files: every number of the rules card, and sound tables."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.games.westerplatte import data_files
from pbem.games.westerplatte.data_files import AreaKind, Side, UnitKind, parse
from pbem.games.westerplatte.tables import all_tables
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


def test_each_table_has_a_title() -> None:
    assert {table.name: table.title for table in all_tables(DATA)} == {
        "areas": "Areas of the house map",
        "adjacency": "Adjacent areas",
        "units": "Fire strengths",
        "stack": "Stacking",
        "entries": "Closed areas and entries",
        "entry": "Entry",
        "ship": "The ship",
        "deck": "The deck",
        "activation": "Units that a card activates",
        "card": "Cards",
        "move": "Movement",
        "joker": "The joker",
        "combat": "Combat",
        "support": "The marker that a black card offers",
        "oba": "Off-board artillery",
        "air": "Air",
        "game": "Length of the game",
        "vp": "Victory points",
    }


def test_constants_are_read_as_numbers_or_as_words() -> None:
    assert (DATA.number("vp.start"), DATA.words("ship.start")) == (9, ("Wa", "Wb", "Wc", "Wd"))
    with pytest.raises(TypeError):
        DATA.number("ship.start")

"""`--json`: valid, and of a shape that programs can rely on; fields may be added, none goes or changes its type."""

from __future__ import annotations

from typing import Any

import pytest

from .conftest import Players


def shape(value: Any) -> Any:
    """Keys and types of a value, of a list those of its first item."""
    if isinstance(value, dict):
        return {key: shape(one) for key, one in value.items()}
    if isinstance(value, list):
        return [shape(value[0])] if value else []
    return type(value).__name__


def has(found: Any, expected: Any) -> bool:
    """Whether a shape has everything that is expected of it, and perhaps more."""
    if isinstance(expected, dict):
        return isinstance(found, dict) and all(key in found and has(found[key], one) for key, one in expected.items())
    if isinstance(expected, list) and expected:
        return isinstance(found, list) and len(found) == 1 and has(found[0], expected[0])
    return bool(found == expected)


STATUS = {
    "game": "str",
    "id": "str",
    "ruleset": "str",
    "title": "str",
    "role": "str",
    "opponents": [{"role": "str", "name": "str", "address": "str"}],
    "turn": "int",
    "step": "int",
    "head": "str",
    "since": "int",
    "due": "int",
    "waiting": [{"role": "str", "kind": "str", "ask": "str", "text": "str"}],
    "fork": "NoneType",
    "result": "NoneType",
    "finished": "bool",
    "unsent": "bool",
    "show_only": "bool",
}
ROLL = {"roll": "str", "sides": "int", "faces": ["int"], "result": "str", "rollers": ["str"]}
VERDICT = {
    "game": "str",
    "title": "str",
    "events": "int",
    "steps": "int",
    "rolls": "int",
    "finished": "bool",
    "waiting": "str",
    "next_step": "int",
    "head": "str",
    "show_only": "bool",
    "result": {},
    "forks": [],
    "parties": [{"role": "str", "name": "str", "key": "str"}],
    "evidence": [],
}
SHAPES = {
    "status": [STATUS],
    "status westerplatte": [STATUS],
    "games westerplatte": [
        {
            "name": "str",
            "title": "str",
            "version": "int",
            "roles": ["str"],
            "scenarios": ["str"],
            "turns": "int",
            "bots": ["str"],
            "data": {"printed": "int", "inferred": "int", "house": "int"},
            "digest": "str",
        }
    ],
    "map westerplatte --area GH1": [
        {"id": "str", "name": "str", "kind": "str", "terrain": "str", "value": "str", "borders": ["str"]}
    ],
    "rules westerplatte": [{"rule": "str", "heading": "str", "text": "str"}],
    "orders --standing": {"game": "str", "standing": [], "forms": ["str"]},
    "show": {"game": "str", "step": "int", "position": ["str"]},
    "show --at 2": {"game": "str", "step": "int", "position": ["str"]},
    "log": [{"step": "int", "rule": "str", "text": "str"}],
    "roll westerplatte": [ROLL],
    "roll westerplatte 4": ROLL,
    "verify westerplatte --running": VERDICT,
    "accept inv.txt --show": {
        "ruleset": {"name": "str", "version": "int", "digest": "str"},
        "scenario": "str",
        "seats": [{"role": "str", "name": "str", "address": "str"}],
        "rollers": ["str"],
        "deadline_days": "int",
        "registration": {"key": "str", "anchor": "str", "links": "int"},
    },
}


@pytest.mark.parametrize("line", list(SHAPES))
def test_json_of_a_reading_command_keeps_its_shape(dealt: Players, line: str) -> None:
    done = dealt.anna.does(*line.split(), "--json")
    assert has(shape(done.data), SHAPES[line])


def test_every_table_is_data(dealt: Players) -> None:
    listed = dealt.anna.does("tables", "westerplatte", "--json").data
    for table in listed:
        assert table in dealt.anna.does("tables", "westerplatte", table["name"], "--json").data
        assert all(list(row) == list(table["rows"][0]) for row in table["rows"])


def test_json_of_a_home_without_games_is_an_empty_list(new_table: Players) -> None:
    assert new_table.anna.does("status", "--json").data == []


def test_json_of_what_was_imported(dealt_table: Players) -> None:
    game = {
        "game": "westerplatte",
        "taken": 0,
        "known": 3,
        "early": 0,
        "refused": [],
        "answered": [],
        "told": [],
        "missing": "",
        "fork": "",
    }
    found = dealt_table.anna.does("import", "polish.eml", "--json").data
    assert found | {"games": []} == {"games": [], "notes": [], "failed": [], "proposals": 0}
    assert [{name: one[name] for name in game} for one in found["games"]] == [game]


def test_json_of_a_sheet_and_of_what_is_understood(dealt_table: Players) -> None:
    player, _ = dealt_table.asked()
    sheet = player.does("orders", "--json").data
    assert sheet["game"] == "westerplatte"
    assert sheet["sheet"] == player.does("orders").out.splitlines()
    understood = player.does("orders", "--json", "--check", "-", stdin=b"pass\n").data
    assert understood == {"orders": ["pass"], "remarks": []}


def test_json_of_the_lab_and_the_odds(dealt_table: Players) -> None:
    player, _ = dealt_table.asked()
    player.write("position.txt", player.does("show", "--position").out)
    player.write("pass.txt", "pass\n")
    found = player.does("lab", "westerplatte", "--position", "position.txt", "--orders", "pass.txt", "--json").data
    assert list(found) == ["narrative", "position", "asked", "unused dice"]


def test_an_error_leaves_no_half_json(dealt: Players) -> None:
    done = dealt.anna("show", "--at", "99", "--json")
    assert (done.code, done.out) == (1, "")

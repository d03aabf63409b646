"""Rule fixtures: one file a clause, worked example or refusal, each adjudicated by the rules that play uses.

A fixture holds a position (`begin`: the one before the set-up), the order sheets and the dice or cards that fall.
A legal one then holds the whole narrative, the position lines that are new (`after`: every unit that is not named
there must stand as before), those that are `gone`, who is `asked` what, and the `outcome`; an illegal one the whole
sentences of all `refusals` and the `hints` behind them. `rule` names what it shows, `ruling` the ruling of the game
that it shows.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from pbem.engine.lab import Lab, LabResult
from pbem.rules.refusal import Refusal, Refused
from pbem.rules.ruleset import Ruleset

LEGAL = {"narrative", "after", "gone", "asked", "outcome"}
ILLEGAL = {"refusals", "hints"}
ALWAYS = {"rule", "rules", "ruling", "position", "orders", "dice"}


def read(path: Path) -> dict[str, Any]:
    """One fixture."""
    return tomllib.loads(path.read_text(encoding="utf-8"))


def check(ruleset: Ruleset[Any], path: Path) -> None:
    """Compare what a fixture says with what the rules make of it."""
    fixture = read(path)
    before = position(ruleset, fixture["position"])
    if "refusals" in fixture:
        assert set(fixture) <= ALWAYS | ILLEGAL
        found = refusals(ruleset, before, fixture)
        assert [refusal.sentence() for refusal in found] == fixture["refusals"]
        assert [refusal.hint for refusal in found if refusal.hint] == fixture.get("hints", [])
    else:
        assert set(fixture) <= ALWAYS | LEGAL
        assert told(ruleset, before, fixture) == expected(ruleset, before, fixture)


def position(ruleset: Ruleset[Any], text: str) -> Any:
    """The state of a position text."""
    return ruleset.begin(ruleset.scenarios[0], {}) if text == "begin" else ruleset.read_position(text)


def adjudicated(ruleset: Ruleset[Any], before: Any, fixture: dict[str, Any]) -> LabResult[Any]:
    """How far the sheets and dice of a fixture carry its position."""
    return Lab(ruleset, before, fixture["orders"], fixture["dice"]).run()


def refusals(ruleset: Ruleset[Any], before: Any, fixture: dict[str, Any]) -> tuple[Refusal, ...]:
    """Every reason against the orders of a fixture."""
    with pytest.raises(Refused) as caught:
        adjudicated(ruleset, before, fixture)
    return caught.value.refusals


def told(ruleset: Ruleset[Any], before: Any, fixture: dict[str, Any]) -> dict[str, Any]:
    """What came of a fixture, in the shape of `expected`."""
    result = adjudicated(ruleset, before, fixture)
    lines, gone = list(ruleset.position_lines(result.state)), fixture.get("gone", ())
    question, outcome = result.question, result.outcome
    asked = f"{question.role}: {ruleset.question_text(question, result.state)}" if question else ""
    return {
        "narrative": [f"{report.rule}: {report.sentence()}" for report in result.reports],
        "units": sorted(line for line in lines if line.startswith("unit ")),
        "after": [line for line in fixture["after"] if line in lines],
        "gone": [line for line in ruleset.position_lines(before) if line in gone and line not in lines],
        "asked": asked,
        "outcome": f"{outcome.winner}: {outcome.text}" if outcome else "",
        "left over": (result.unused_dice, result.unused_sheets),
    }


def expected(ruleset: Ruleset[Any], before: Any, fixture: dict[str, Any]) -> dict[str, Any]:
    """What a fixture says."""
    gone = fixture.get("gone", [])
    old = [line for line in ruleset.position_lines(before) if line.startswith("unit ") and line not in gone]
    units = {line.split()[1]: line for line in old}
    units |= {line.split()[1]: line for line in fixture["after"] if line.startswith("unit ")}
    return {
        "narrative": fixture["narrative"],
        "units": sorted(units.values()),
        "after": fixture["after"],
        "gone": fixture.get("gone", []),
        "asked": fixture.get("asked", ""),
        "outcome": fixture.get("outcome", ""),
        "left over": ((), 0),
    }

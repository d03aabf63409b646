"""Questions for tests of the order language and of sheets: what the rules ask in a position that is written down."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from positions import FOLDER

from pbem.engine.lab import Lab
from pbem.games.polska1939.ruleset import Polska1939
from pbem.games.polska1939.state import State
from pbem.rules.play import Question
from pbem.rules.refusal import Refused

RULES = Polska1939({path.name: path.read_bytes() for path in sorted(FOLDER.iterdir())})
DATA = RULES.data
OPENING = RULES.begin("campaign", {})
MLAWA = """\
unit DE-INF-11 G13 16
unit DE-INF-61 G13 15
unit DE-ARM-Kempf G13 13 fuel 4
unit DE-HQ-I G13 0
unit DE-INF-1 G14 16
unit DE-HQ-Wodrig G14 0
unit PL-INF-20 P20 18
unit PL-INF-8 P22 12
unit PL-HQ-Modlin P23 0
fort P20 2
"""
"""11 and 61 INF, Kempf and two HQs before Mława; 20 INF in it, 8 INF and an HQ behind."""
MLAWA_WITHOUT_1 = MLAWA.replace("unit DE-INF-1 G14 16\n", "")
"""The same, where 1 INF stands somewhere else."""
SHUT_IN = """\
unit DE-INF-11 G13 16
unit DE-INF-1 H21 12
unit DE-INF-12 H22 12
unit DE-INF-21 H23 12
unit DE-INF-217 P21 9
unit DE-INF-61 P19 12
unit DE-INF-4 P22 12
unit PL-INF-20 P20 18
"""
"""20 INF in Mława with enemies all around."""
WITHOUT_FUEL = "unit DE-ARM-1 P22 19\nunit DE-ARM-3 P22 19\nunit PL-INF-20 H23 18\n"
"""1 and 3 ARM in Płońsk, which cannot leave it."""


def asked(position: str, sheets: Sequence[str] = (), dice: Sequence[str] = ()) -> tuple[Question[Any], State]:
    """The question at the end of what sheets and dice make of a position."""
    result = Lab(RULES, RULES.read_position(position), sheets, dice).run()
    assert result.question is not None
    return result.question, result.state


def refused(question: Question[Any], state: State, text: str) -> list[str]:
    """The whole sentence of every reason against a sheet, each hint behind it."""
    with pytest.raises(Refused) as caught:
        RULES.read_orders(question, state, text)
    return [part for one in caught.value.refusals for part in (one.sentence(), one.hint) if part]

"""Questions for tests of the order language: what the rules ask in a position that is written down."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import strategies as st

from pbem.engine.lab import Lab
from pbem.games.westerplatte import data_files
from pbem.games.westerplatte.ruleset import Westerplatte
from pbem.games.westerplatte.state import State
from pbem.rules.play import Question
from pbem.rules.refusal import Refused

FOLDER = Path(data_files.__file__).parent / "data"
RULES = Westerplatte({path.name: path.read_bytes() for path in sorted(FOLDER.iterdir())})
UNITS = "unit PL-1 Wal\nunit PL-2 Przystan\nunit MAS-1 A\nunit MAS-2 B\nunit MAS-3 east\nunit BB Wa\n"


def asked(position: str, sheets: tuple[str, ...] = (), dice: tuple[str, ...] = ()) -> tuple[Question[Any], State]:
    """The question at the end of what sheets and dice make of a position."""
    result = Lab(RULES, RULES.read_position(position), sheets, dice).run()
    assert result.question is not None
    return result.question, result.state


SEVEN, STATE = asked(f"card S7\n{UNITS}")


def refused(text: str, question: Question[Any] = SEVEN) -> list[str]:
    """The whole sentence of every reason, each hint behind it."""
    with pytest.raises(Refused) as caught:
        RULES.read_orders(question, STATE, text)
    return [part for one in caught.value.refusals for part in (one.sentence(), one.hint) if part]


LANGUAGE = (
    'move fire at to in or -> → , > | # " MAS-1 PL-1 A Wal air oba suppress recover place pass then ask if blocked '
    "face miss end orders westerplatte step 3 \x00 \x1b[0m \u202e \x0b \x85 \u2028 \n"
)
WORDS = st.sampled_from(LANGUAGE.split(" "))

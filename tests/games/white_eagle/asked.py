"""Questions for tests of the order language and of sheets: what the rules ask in a position that is written down."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from pbem.engine.lab import Lab
from pbem.games.white_eagle.answers import Attempts, Battles, Defence, Interference, Orders
from pbem.games.white_eagle.kinds import Command
from pbem.games.white_eagle.ruleset import WhiteEagle
from pbem.games.white_eagle.state import Activation, State
from pbem.log.event import Role
from pbem.rules.play import Answer, Question
from pbem.rules.refusal import Refused
from white_eagle.positions import FILES

RULES = WhiteEagle(FILES)
DATA = RULES.data
OPENING = RULES.begin("campaign", {})
SOUTH = replace(OPENING, activation=Activation(Command.GERMAN_SOUTH))
"""The set-up with German South activated."""
DEFAULTS: dict[type[Answer], Answer] = {
    Orders: Orders(),
    Battles: Battles(),
    Defence: Defence(),
    Interference: Interference(use=False),
    Attempts: Attempts(),
}


def any_question(model: type[Answer], role: str = "german") -> Question[Any]:
    """A question that everything well written answers."""
    return Question(Role(role), model, DEFAULTS[model])


def asked(position: str, sheets: Sequence[str] = (), dice: Sequence[str] = ()) -> tuple[Question[Any], State]:
    """The question at the end of what sheets and dice make of a position."""
    result = Lab(RULES, RULES.read_position(position), sheets, dice).run()
    assert result.question is not None
    return result.question, result.state


def read(model: type[Answer], text: str, role: str = "german", state: State = OPENING) -> Answer:
    """What a sheet orders, whether or not it is legal."""
    return RULES.read_orders(any_question(model, role), state, text)


def order(text: str) -> Answer:
    """What a sheet orders that is read with German South activated."""
    return read(Orders, text, state=SOUTH)


def refused(question: Question[Any], state: State, text: str) -> list[str]:
    """The whole sentence of every reason against a sheet, each hint behind it."""
    with pytest.raises(Refused) as caught:
        RULES.read_orders(question, state, text)
    return [part for one in caught.value.refusals for part in (one.sentence(), one.hint) if part]

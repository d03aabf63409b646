"""Toy games in which something is moved: until one side decides alone, and with what a motion is refused."""

from __future__ import annotations

from typing import Any

import pytest
from play import Match

from engine.restless import Moving
from engine.scripted import TOY
from pbem.errors import BadEvidence
from pbem.rules.refusal import Refused

RICHER = "north supply 9 points 0"


def at(step: int, seed: int = 1, **options: Any) -> Moving:
    """A toy game in which one side alone decides at this step or later."""
    return Moving(TOY, seed, deadline_days=7, **options).till_one_decides(step)


def code_of(match: Match, *words: Any, **fields: Any) -> str:
    """With which code a word of a match is refused; nothing has changed then."""
    word, *rest = words
    before, place = len(match.events), match.campaign.place
    with pytest.raises((BadEvidence, Refused)) as caught:
        word(*rest, **fields)
    assert (len(match.events), match.campaign.place) == (before, place)
    return caught.value.refusals[0].code if isinstance(caught.value, Refused) else caught.value.code


def richer(match: Moving) -> str:
    return match.position(lambda line: RICHER if line.startswith("north supply") else line)

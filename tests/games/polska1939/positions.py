"""Small positions of Polska 1939 for tests: a few units on the house map, everything else as at the beginning."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from pbem.games.polska1939 import data_files
from pbem.games.polska1939.data_files import GameData
from pbem.games.polska1939.s12_scenario import opening_state
from pbem.games.polska1939.state import AreaId, State, Unit, UnitId
from pbem.rules.play import Asking, Opening, Report, Rolling, Rules

FOLDER = Path(data_files.__file__).parent / "data"
DATA: GameData = data_files.parse({path.name: path.read_bytes() for path in sorted(FOLDER.iterdir())})


def unit(name: str, area: str, strength: int | None = None, **facts: Any) -> Unit:
    """A counter: at full strength and with all its fuel unless said otherwise."""
    kind = DATA.unit(name)
    facts.setdefault("fuel", kind.fuel)
    return Unit(UnitId(name), AreaId(area), kind.maximum if strength is None else strength, **facts)


def position(*units: Unit, day: int = 1, phase: int = 1, **facts: Any) -> State:
    """A position with these units alone; no forts, cities as at the beginning."""
    begun = opening_state(DATA, str(facts.pop("scenario", "campaign")))
    placed = {one.id: one for one in sorted(units, key=lambda one: one.id)}
    return replace(begun, day=day, phase=phase, units=placed, **{"forts": {}, **facts})


def run(rule: Rules[Any], answers: Sequence[Any] | None = (), dice: Sequence[int] = ()) -> tuple[Any, list[str]]:
    """What a rule comes to with these answers (a sealed question takes one too) and dice, and what it reports.

    Without answers every question is left to its default.
    """
    given, faces, told, sealed = list(answers or ()), list(dice), [], []
    response: Any = None
    try:
        while True:
            request = rule.send(response)
            response = None
            match request:
                case Report():
                    told.append(f"{request.rule}: {request.sentence()}")
                case Rolling():
                    response = request.read(tuple(faces.pop(0) for _ in range(request.count)))
                case Asking():
                    response = tuple(one.default if answers is None else given.pop(0) for one in request.questions)
                    sealed += response if request.sealed else ()
                case Opening():
                    response = (sealed.pop(0),)
    except StopIteration as end:
        assert (given, faces) == ([], [])
        return end.value, told

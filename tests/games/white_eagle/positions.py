"""Small positions of White Eagle Defiant for tests, on the house map or on boards of a few boxes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from pbem.games.white_eagle import data_files
from pbem.games.white_eagle.board import Board, Box, BoxId, Country, Line, distances_from
from pbem.games.white_eagle.data_files import GameData
from pbem.games.white_eagle.forces import UnitId
from pbem.games.white_eagle.kinds import Command
from pbem.games.white_eagle.s3_setup import opening_state
from pbem.games.white_eagle.state import Activation, State, Unit
from pbem.rules.play import Asking, Checkpoint, Drawing, Question, Report, Rolling, Rules
from pbem.rules.tables import Source

FOLDER = Path(data_files.__file__).parent / "data"
FILES = {path.name: path.read_bytes() for path in sorted(FOLDER.glob("*.csv"))}
DATA: GameData = data_files.parse(FILES)
OPENING = opening_state(DATA)


def unit(name: str, box: str, *, reduced: bool = False) -> Unit:
    """A counter in a box, at full strength unless said otherwise."""
    assert name in DATA.forces.units
    return Unit(UnitId(name), BoxId(box), reduced)


def position(*units: Unit, command: str = "", turn: int = 2, **facts: Any) -> State:
    """A position with these units alone, the command activated; no fort stands unless `forts` has its steps.

    What else an activation has is given by its name (`slowed`, `came`); all other facts are those of a state.
    """
    own = {name: facts.pop(name) for name in list(facts) if name in Activation.__dataclass_fields__}
    activation = Activation(Command(command), **own) if command else None
    placed = {one.id: one for one in sorted(units, key=lambda one: one.id)}
    given = {"forts": {}, "held": (), "pulled": (), **facts}
    return replace(OPENING, turn=turn, units=placed, activation=activation, **given)


# ---------------------------------------------------------------------- boards


def small_board(boxes: str, lines: str) -> GameData:
    """The counters on another board: `Ada PL fort=POL-North victory=1 east`, `Ada Bob difficult`, one a line."""
    found = {box.id: box for box in map(_box, boxes.strip().splitlines())}
    joined = tuple(_line(text) for text in lines.strip().splitlines())
    near = {box: tuple(sorted(other for line in joined for other in _across(line, box))) for box in found}
    costs = {pair: line.cost for line in joined for pair in ((line.a, line.b), (line.b, line.a))}
    board = Board(found, joined, near, costs, {box: distances_from(box, near) for box in found})
    return replace(DATA, board=board)


def _box(text: str) -> Box:
    name, country, *others = text.split()
    facts = dict(part.split("=") for part in others if "=" in part)
    return Box(
        id=BoxId(name),
        name=name,
        country=Country(country),
        victory=int(facts.get("victory", 0)),
        fort=facts.get("fort", ""),
        east="east" in others,
        x=0,
        y=0,
        source=Source.HOUSE,
        note="",
    )


def _line(text: str) -> Line:
    a, b, *difficult = text.split()
    return Line(BoxId(a), BoxId(b), bool(difficult), Source.HOUSE, "")


def _across(line: Line, box: BoxId) -> list[BoxId]:
    return [b for a, b in ((line.a, line.b), (line.b, line.a)) if a == box]


# ---------------------------------------------------------------------- play


@dataclass
class Played:
    """What came of a rule: its result, reports as `rule: sentence`, questions, labels of dice and draws, positions."""

    result: Any = None
    told: list[str] = field(default_factory=list)
    asked: list[Question[Any]] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)
    draws: list[Drawing] = field(default_factory=list)
    checkpoints: list[State] = field(default_factory=list)

    @property
    def rules(self) -> list[str]:
        """The rules of the reports, in turn."""
        return [line.split(":")[0] for line in self.told]


def play(
    rule: Rules[Any], answers: Sequence[Any] = (), dice: Sequence[int] = (), chits: Sequence[str] = (), stop: int = 0
) -> Played:
    """The rule to its end, or to the `stop`th checkpoint; answers must be legal, and all just enough."""
    given, faces, drawn, found = list(answers), list(dice), list(chits), Played()
    response: Any = None
    try:
        while not stop or len(found.checkpoints) < stop:
            request = rule.send(response)
            response = _response(found, request, given, faces, drawn)
    except StopIteration as end:
        found.result = end.value
    assert (given, faces, drawn) == ([], [], [])
    return found


def _response(found: Played, request: Any, given: list[Any], faces: list[int], drawn: list[str]) -> Any:
    match request:
        case Report():
            found.told.append(f"{request.rule}: {request.sentence()}")
        case Rolling():
            found.labels.append(request.label)
            return request.read(tuple(faces.pop(0) for _ in range(request.count)))
        case Drawing():
            found.labels.append(request.label)
            found.draws.append(request)
            chit = drawn.pop(0)
            assert chit in request.items
            return chit
        case Checkpoint():
            found.checkpoints.append(request.state)
        case Asking():
            return tuple(_answered(found, question, given) for question in request.questions)
    return None


def _answered(found: Played, question: Question[Any], given: list[Any]) -> Any:
    found.asked.append(question)
    answer = given.pop(0)
    assert isinstance(answer, question.model)
    assert [refusal.sentence() for refusal in question.check(answer)] == []
    if question.options is not None:
        assert answer in tuple(question.options())
    return answer

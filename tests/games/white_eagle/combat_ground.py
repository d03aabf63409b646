"""Ground for tests of combat: small boards, and short ways to fight on them with given dice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pbem.games.white_eagle.answers import Battle, Battles, Fight
from pbem.games.white_eagle.board import BoxId
from pbem.games.white_eagle.data_files import GameData
from pbem.games.white_eagle.s8_battles import fight_battles
from pbem.games.white_eagle.s8_combat import Engagement
from pbem.games.white_eagle.s8_outcome import Resolved, resolve
from pbem.games.white_eagle.s8_plans import combat_of
from pbem.games.white_eagle.state import State, Unit
from pbem.rules.play import Answer, Asking, Question, Report, Rolling, Rules
from white_eagle.positions import Played, position, small_board, unit

GROUND = small_board(
    """
    Alfa DE
    Bern DE
    Cham DE
    Mitte PL
    Dom PL
    Ende PL victory=1
    Warta PL victory=3
    Fort PL fort=POL-North victory=1
    Tor PL
    Burg EP fort=GER-North
    Dorf EP
    """.replace("    ", ""),
    """
    Alfa Mitte
    Bern Mitte
    Cham Mitte
    Alfa Bern
    Mitte Dom
    Mitte Ende
    Dom Ende
    Ende Warta
    Dom Warta
    Alfa Fort
    Bern Fort
    Fort Tor
    Tor Warta
    Burg Dorf
    Burg Tor
    Burg Dom
    """.replace("    ", ""),
)
"""Three German boxes beside Mitte, from where ways lead to Warta by Dom and Ende; a Polish and a German fort."""


def attack(
    *places: str,
    against: Sequence[str],
    box: str = "Mitte",
    support: Sequence[str] = (),
    entered: Mapping[str, str] | None = None,
    **facts: Any,
) -> State:
    """A position in which units `GER-4th-1 Alfa` have entered a box from where they stood, which `against` defend.

    Places of `against` without a box are in that box; those of them that have `entered` theirs say from where. A name
    with a star is reduced.
    """
    units = [_unit(text) for text in (*places, *support)]
    came = {one.id: one.box for one in units if one.box != box} | dict(entered or {})
    placed = [Unit(one.id, BoxId(box), one.reduced) for one in units]
    aids = tuple(_unit(text).id for text in support)
    others = [_unit(text if " " in text else f"{text} {box}") for text in against]
    given = {"command": "GER-North", "marched": True, "came": came, "support": aids, **facts}
    return position(*placed, *others, **given)


def _unit(text: str) -> Unit:
    name, box = text.split()
    return unit(name.rstrip("*"), box, reduced=name.endswith("*"))


def fought(
    state: State,
    *dice: int,
    box: str = "Mitte",
    data: GameData = GROUND,
    defence: dict[str, Any] | None = None,
    again: bool = False,
    **order: Any,
) -> Played:
    """One combat with its dice in the order in which they are rolled; the result is a `Resolved`."""
    battle = Battle(box=box, **order)
    combat = combat_of(data, state, battle)
    assert combat is not None
    engagement = Engagement(combat, battle, Fight(box=box, **(defence or {})))
    return drive(resolve(data, state, engagement, again=again), dice=dice)


def resolved(found: Played) -> Resolved:
    assert isinstance(found.result, Resolved)
    return found.result


def places(state: State) -> dict[str, str]:
    """Where every unit is, with a star for a reduced one."""
    return {one.id: f"{one.box}{'*' if one.reduced else ''}" for one in state.units.values()}


def battles(state: State, *dice: int, answers: Sequence[Answer] = (), data: GameData = GROUND, **plan: Any) -> Played:
    """The combat step with a plan; the result is a position."""
    return drive(fight_battles(data, state, Battles(**plan)), answers, dice)


def drive(rule: Rules[Any], answers: Sequence[Answer] = (), dice: Sequence[int] = ()) -> Played:
    """A rule to its end; answers must be legal, and they and the dice just enough."""
    given, faces, found = list(answers), list(dice), Played()
    response: Any = None
    try:
        while True:
            request = rule.send(response)
            response = None
            match request:
                case Report():
                    found.told.append(f"{request.rule}: {request.sentence()}")
                case Rolling():
                    found.labels.append(request.label)
                    response = request.read(tuple(faces.pop(0) for _ in range(request.count)))
                case Asking():
                    response = tuple(_answered(found, question, given) for question in request.questions)
    except StopIteration as end:
        found.result = end.value
    assert (given, faces) == ([], [])
    return found


def _answered(found: Played, question: Question[Any], given: list[Answer]) -> Answer:
    found.asked.append(question)
    answer = given.pop(0)
    assert isinstance(answer, question.model)
    for legal in (answer, *question.legal()):
        assert [refusal.sentence() for refusal in question.check(legal)] == []
    assert len(question.legal()) > 1
    return answer

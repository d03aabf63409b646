"""Campaigns of random orders: what holds behind every activation, whatever was marched and fought (7.1, 8.0, 8.5)."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import pytest

from pbem.app.demo import Seeded
from pbem.games.white_eagle.answers import Battle, Battles, Defence, March, Orders
from pbem.games.white_eagle.board import BoxId
from pbem.games.white_eagle.kinds import Side
from pbem.games.white_eagle.s4_sequence import play_turns
from pbem.games.white_eagle.s7_movement import barred, marchers, reachable
from pbem.games.white_eagle.s7_stacking import fits
from pbem.games.white_eagle.state import State, Unit, nation_of, side_of
from pbem.rules.play import Answer, Asking, Checkpoint, Drawing, Question, Rolling
from white_eagle.positions import DATA, OPENING

SEEDS = range(int(os.environ.get("PBEM_SOAK", "6")))


class RandomPlay:
    """A campaign with random marches, combats, defences, dice and chits; it yields the position behind every step."""

    def __init__(self, seed: int) -> None:
        self.source = Seeded(seed, "any combat")
        self.labels: list[str] = []
        self.fought = 0

    def chance(self, number: int) -> bool:
        return self.source.choose(number) == 0

    def states(self) -> Iterator[State]:
        rules = play_turns(DATA, OPENING)
        response: Any = None
        while True:
            try:
                request = rules.send(response)
            except StopIteration:
                return
            response = None
            match request:
                case Rolling():
                    self.labels.append(request.label)
                    response = request.read(tuple(1 + self.source.choose(6) for _ in range(request.count)))
                case Drawing():
                    response = request.items[self.source.choose(len(request.items))]
                case Asking():
                    response = tuple(self.answer(question, request.state) for question in request.questions)
                case Checkpoint():
                    self.labels.clear()
                    yield request.state

    def answer(self, question: Question[Any], state: State) -> Answer:
        if question.model is Orders:
            return self.orders(question, state)
        legal = question.legal()
        found = legal[self.source.choose(len(legal))]
        if question.model is Defence:
            found = found.model_copy(update={"ask_again": self.chance(3)})
        if question.model is Battles and found.battles:
            found = found.model_copy(update={"ask_again": self.chance(2)})
        assert list(question.check(found)) == []
        self.fought += 1
        return found

    def orders(self, question: Question[Orders], state: State) -> Orders:
        """Marches one by one as long as they are legal, most of them at the enemy; then combats where they may be."""
        found = Orders()
        for unit in list(marchers(DATA, state)):
            routes = reachable(DATA, state, unit)
            at_enemies = [box for box in routes if DATA.is_opposed(state, box, side_of(unit.id))]
            boxes = at_enemies if at_enemies and not self.chance(4) else list(routes)
            if boxes and not self.chance(5):
                route = routes[boxes[self.source.choose(len(boxes))]]
                march = March(units=(unit.id,), path=route.path, support=self.chance(4))
                found = self.with_if_legal(question, found, marches=(*found.marches, march))
        advance = tuple(DATA.board.boxes)[:: 1 + self.source.choose(3)]
        for box in {march.path[-1] for march in found.marches} | set(DATA.board.forts):
            near = tuple(one for one in advance if one in DATA.board.neighbours[BoxId(box)])
            sortie = ("", "all", "fort")[self.source.choose(3)]
            battle = Battle(box=box, sortie=sortie, advance=() if sortie == "fort" else near, leave=self.chance(9))
            battles = (*found.battles.battles, battle)
            found = self.with_if_legal(question, found, battles=Battles(battles=battles, ask_again=self.chance(4)))
        return found

    @staticmethod
    def with_if_legal(question: Question[Orders], found: Orders, **changes: Any) -> Orders:
        wanted = found.model_copy(update=changes)
        return found if question.check(wanted) else wanted


@pytest.mark.rule("white_eagle:8.0.p1", "white_eagle:8.6.b6", "white_eagle:7.1.p2")
@pytest.mark.parametrize("seed", SEEDS)
def test_any_campaign_keeps_the_rules(seed: int) -> None:
    play = RandomPlay(seed)
    before = OPENING
    for state in play.states():
        check_boxes(before, state)
        check_units(state)
        before = state
    assert play.fought > 5


def check_boxes(before: State, state: State) -> None:
    """No open box holds both sides; who came to a box keeps its limits; cities are of who is there alone."""
    for box in DATA.board.boxes:
        sides = {side_of(unit.id) for unit in state.at(box)}
        assert len(sides) < 2 or state.forts.get(box), box
        for side in sides:
            there = state.of_side(box, side)
            if {unit.id for unit in there} - {unit.id for unit in before.of_side(box, side)}:
                assert fits(DATA, state, box, there), (box, there)
        if DATA.board.boxes[box].victory and len(sides) == 1 and not DATA.is_opposed(state, box, *sides):
            assert (box in state.held) is (sides == {Side.GERMAN}), box


def check_units(state: State) -> None:
    """Nobody is where he may not be, or lost and on the map; the order of the units is that of their ids."""
    assert list(state.units) == sorted(state.units)
    assert not {*state.lost} & {*state.units}
    assert {*state.lost, *state.units} == {*DATA.forces.units}
    for unit in state.units.values():
        assert not is_out_of_place(state, unit), unit
    assert all(0 <= steps <= DATA.figures.fort.steps for steps in state.forts.values())


def is_out_of_place(state: State, unit: Unit) -> bool:
    if nation_of(unit.id).side is Side.POLISH and state.turn == 2:
        return False
    return barred(DATA, state, unit, unit.box) is not None


def test_labels_are_unique_in_a_turn() -> None:
    """A label names turn, command, box and use, so no two rolls of an activation share one."""
    for seed in (100, 101):
        play = RandomPlay(seed)
        for _ in play.states():
            assert len(play.labels) == len({*play.labels})

"""The search for ways (4.0) against one that tries every way, as the rules are printed and without any haste."""

from __future__ import annotations

import os
import random
from dataclasses import dataclass

import pytest
from positions import position, unit
from small_board import small_board

from pbem.games.polska1939.data_files import GameData
from pbem.games.polska1939.kinds import Kind, Passage
from pbem.games.polska1939.s4_movement import allowance, entry_cost, reachable
from pbem.games.polska1939.state import Aboard, Occupation, Side, State, Unit, side_of

WHOLE = 99
MOVERS = ("DE-INF-1", "DE-CAV-1", "DE-ARM-1", "DE-HQ-I", "PL-INF-20", "PL-CAV-Pomorska", "PL-ARM-10")
GERMAN_ENEMIES, POLISH_ENEMIES = ("DE-INF-3", "DE-HQ-II", "DE-INF-4"), ("PL-INF-8", "PL-HQ-Modlin", "PL-INF-2")
GROUNDS = ("clear", "clear", "clear", "forest", "hills", "swamp", "mountains")
FEATURES = ("", "", "", "", "river", "vistula", "swamp", "mountain", "mountain pass", "lake")


@dataclass
class EveryWay:
    """One unit in a position, and whether it moves through free regions alone."""

    data: GameData
    state: State
    one: Unit
    free: bool

    def __post_init__(self) -> None:
        self.kind, self.side = self.data.unit(self.one.id).type, side_of(self.one.id)
        enemies = [other for other in self.state.units.values() if side_of(other.id) is not self.side]
        self.held = {enemy.area for enemy in enemies}
        self.firm = {enemy.area for enemy in enemies if self.kind is Kind.HQ or not (enemy.is_hq or enemy.loaded)}
        self.contested = {self.data.board.areas[area].region for area in self.held}
        self.most = allowance(self.data, self.kind, self.free)
        self.found: dict[str, int] = {}

    def costs(self) -> dict[str, int]:
        if not self.free or self.is_free(self.one.area):
            self.go_on((self.one.area,), 0)
        return self.found

    def go_on(self, way: tuple[str, ...], spent: int) -> None:
        for area, cost in self.steps(way[-1]):
            if area not in way and (len(way) == 1 or spent + cost <= self.most):
                total = self.most if cost == WHOLE else spent + cost
                self.found[area] = min(self.found.get(area, WHOLE), total)
                if total < self.most:
                    self.go_on((*way, area), total)

    def steps(self, area: str) -> list[tuple[str, int]]:
        links = [link for link in self.data.board.across_node[area] if not link.river]
        clear = [link.to for link in links if not any(self.closes(beside) for beside in link.around)]
        ways = self.priced(area, [*self.data.board.neighbours[area], *clear])
        if not ways and area == self.one.area and not self.free:
            ways = self.priced(area, [link.to for link in links])
        return ways

    def closes(self, area: str) -> bool:
        return area in self.held and not self.is_fortified(area)

    def priced(self, area: str, goals: list[str]) -> list[tuple[str, int]]:
        prices = ((goal, self.price(area, goal)) for goal in goals)
        return [(goal, cost) for goal, cost in prices if cost is not None]

    def price(self, area: str, goal: str) -> int | None:
        cost = entry_cost(self.data, self.kind, area, goal)
        if cost is Passage.NO or goal in self.firm or (self.free and not self.is_free(goal)):
            return None
        if cost is Passage.ALL:
            return WHOLE
        return 2 if self.free else int(cost) + (2 if self.is_dear(area, goal) else 0)

    def is_dear(self, area: str, goal: str) -> bool:
        here, there = self.data.board.areas[area].country, self.data.board.areas[goal].country
        enemy = "PL" if self.side is Side.GERMAN else "DE"
        return here != there and there == enemy and not self.is_free(goal) and not self.is_fortified(goal)

    def is_free(self, area: str) -> bool:
        return self.data.board.areas[area].region not in self.contested

    def is_fortified(self, area: str) -> bool:
        return self.data.board.areas[area].fortress or self.data.board.areas[area].fortified


@pytest.mark.rule("polska1939:4.1.2", "polska1939:4.1.3", "polska1939:4.1.5", "polska1939:4.1.8")
@pytest.mark.parametrize("seed", range(40))
def test_the_search_finds_what_trying_every_way_finds(seed: int) -> None:
    compare(random.Random(seed))


@pytest.mark.soak
def test_so_it_does_on_many_boards() -> None:
    for seed in range(1000, 1000 + int(os.environ.get("PBEM_SOAK", "200"))):
        compare(random.Random(seed))


def compare(chance: random.Random) -> None:
    data, areas = random_board(chance)
    name = chance.choice(MOVERS)
    start, *places = chance.sample(areas, 4)
    fighter, leader, loaded = POLISH_ENEMIES if name.startswith("DE") else GERMAN_ENEMIES
    enemies = [unit(fighter, places[0]), unit(leader, places[1]), unit(loaded, places[2], train=Aboard.ARRIVED)]
    state = position(unit(name, start), *chance.sample(enemies, chance.randint(1, 3)), phase=3)
    one = next(unit for unit in state.units.values() if unit.id == name)
    wanted = EveryWay(data, state, one, free=False).costs()
    if not one.is_hq:
        wanted |= EveryWay(data, state, one, free=True).costs()
    found = reachable(data, state, Occupation.of(state), one.id)
    assert {area: route.cost for area, route in found.items()} == wanted


def random_board(chance: random.Random) -> tuple[GameData, list[str]]:
    """A field of four by four areas with random ground; nodes in some of the corners where four of them meet."""
    codes = [[f"P{row}{column}" for column in range(1, 5)] for row in range(1, 5)]
    areas, borders = [], []
    for row, line in enumerate(codes):
        for column, code in enumerate(line):
            fortified = chance.random() < 0.25
            country = "DE" if column < 2 else "PL"
            region = code if fortified else f"{country}{row // 2}"
            areas.append(f"{code} {country} {region} {chance.choice(GROUNDS)} {'fortified' * fortified}")
            beside = [*line[column + 1 : column + 2], *(other[column] for other in codes[row + 1 : row + 2])]
            borders += [f"{code} {other} {chance.choice(FEATURES)}" for other in beside]
    nodes = []
    for row, column in ((0, 0), (0, 2), (1, 1), (2, 0), (2, 2)):
        around = (*codes[row][column : column + 2], *codes[row + 1][column : column + 2][::-1])
        nodes.append(f"N{row}{column} {' '.join(around)} {chance.choice(('', '', 'river'))}")
    return small_board("\n".join(areas), "\n".join(borders), "\n".join(nodes)), [one for line in codes for one in line]

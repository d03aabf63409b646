"""Games that the attacks begin from; each is played once, and every test gets its own copy of both homes."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from attacks.hosting import ROLLERS, Rollers, Table, hosted
from attacks.ruled import DATA, FIRST, until
from attacks.sides import BEGIN, DEADLINE_DAYS, Pair, new_side
from pbem.app import catalogue
from pbem.app.propose import Terms, accept, propose, single_proposal
from pbem.app.routing import incoming
from pbem.log.event import Role

Copied = Callable[[str], Pair]


def joined_at(folder: Path, now: int = BEGIN) -> Pair:
    """A game whose id depends on when it was proposed, and whose nonce does not."""
    german, polish = new_side(folder / "german", "german", "Anna"), new_side(folder / "polish", "polish", "Bruno")
    german.now = polish.now = now
    rules = catalogue.ruleset("westerplatte")
    opponents = {Role("polish"): ("Bruno", "bruno@example.org")}
    with german.desk() as desk:
        propose(desk, Terms(rules, "standard", german.role, opponents, DEADLINE_DAYS))
    with polish.desk() as desk:
        accept(desk, single_proposal(incoming(german.export(), "invitation")))
    german.take(polish.export())
    return Pair(german, polish)


@pytest.fixture(scope="session")
def originals(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Pair]:
    """`joined`: the Polish set-up is asked for. `rolling`: the first card is. `played`: some cards are."""
    found = {}
    for name, step in (("joined", 2), ("played", 16)):
        pair = joined_at(tmp_path_factory.mktemp(name))
        pair.play(step)
        found[name] = pair
    return found


@pytest.fixture
def copied(originals: dict[str, Pair], tmp_path: Path) -> Copied:
    """Makes a test's own copy of a game."""

    def copy(name: str) -> Pair:
        sides = [side.copy(tmp_path / f"{name}-{side.role}") for side in originals[name].sides()]
        return Pair(*sides)

    return copy


@pytest.fixture
def joined(copied: Copied) -> Pair:
    return copied("joined")


@pytest.fixture
def played(copied: Copied) -> Pair:
    return copied("played")


@pytest.fixture
def answered(joined: Pair) -> tuple[Pair, bytes]:
    """The Pole's first answer, which the German has not got yet."""
    joined.polish.decide()
    return joined, joined.polish.lines()[-1]


@pytest.fixture(scope="session")
def hosted_games(tmp_path_factory: pytest.TempPathFactory) -> dict[Rollers, Table]:
    """Hosted games whose Polish set-up is asked for, by who rolls in them."""
    return {rollers: hosted(tmp_path_factory.mktemp(rollers), rollers) for rollers in ROLLERS}


@pytest.fixture
def table(hosted_games: dict[Rollers, Table], tmp_path: Path) -> Table:
    """The game in which the adjudicator rolls alone."""
    return hosted_games["adjudicator"].copied(tmp_path)


@pytest.fixture(params=ROLLERS)
def any_table(hosted_games: dict[Rollers, Table], request: pytest.FixtureRequest, tmp_path: Path) -> Table:
    return hosted_games[request.param].copied(tmp_path)


@pytest.fixture
def toy(tmp_path: Path) -> Pair:
    """A toy game in which north bets first; here `german` is north and `polish` south."""
    north, south = new_side(tmp_path / "north", "north", "Anna"), new_side(tmp_path / "south", "south", "Bruno")
    north.game = south.game = "toy"
    with north.desk() as desk:
        propose(desk, Terms(FIRST, "standard", north.role, {Role("south"): ("Bruno", "bruno@example.org")}, 7))
    with south.desk() as desk:
        accept(desk, single_proposal(incoming(north.export(), "invitation")))
    north.take(south.export())
    pair = Pair(north, south)
    until(pair, 6, {})
    return pair


@pytest.fixture
def other_data(tmp_path: Path) -> Path:
    """Version 1 as somebody has it who finds that 9 is needed to cross."""
    folder = tmp_path / "mine"
    shutil.copytree(DATA, folder)
    text = (folder / "figures.csv").read_text("utf-8")
    (folder / "figures.csv").write_text(text.replace("needed,8,", "needed,9,"), "utf-8")
    return folder

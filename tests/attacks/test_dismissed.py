"""A silent adjudicator: both players go on without it, one alone cannot, and nobody gains by what comes late."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from attacks.hosting import Rollers, Table, hosted, kinds
from attacks.sides import Done, Side, new_side, packed, payload_of
from pbem.log.event import Dismiss

ROLLERS: tuple[Rollers, ...] = ("players", "adjudicator", "all")
DISMISSED = "Dismissed: the game goes on without the adjudicator."


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> dict[Rollers, Table]:
    """Games whose first decision is asked for, at this machine's time."""
    found = {}
    for rollers in ROLLERS:
        table = hosted(tmp_path_factory.mktemp(rollers), rollers, "toy", "short")
        for side in table.sides():
            side.now = int(time.time()) - 3600
        found[rollers] = table
    return found


@pytest.fixture(params=ROLLERS)
def any_table(begun: dict[Rollers, Table], request: pytest.FixtureRequest, tmp_path: Path) -> Table:
    return begun[request.param].copied(tmp_path)


@pytest.fixture
def table(begun: dict[Rollers, Table], tmp_path: Path) -> Table:
    """The game in which the players roll, and the adjudicator gives receipts."""
    return begun["players"].copied(tmp_path)


@pytest.fixture
def rolled(begun: dict[Rollers, Table], tmp_path: Path) -> Table:
    """The game in which all three roll."""
    return begun["all"].copied(tmp_path)


def mails(table: Table, rounds: int = 2) -> None:
    """The players write to each other alone."""
    for _ in range(rounds):
        for side, other in (table.players(), table.players()[::-1]):
            other.mail(side.export())


def silent(table: Table, until: str = "receipt") -> int:
    """Play on until the log waits for the adjudicator's receipt, or its share of the dice, which does not come; the
    players have all else. The step is given."""
    for _ in range(40):
        for player in table.players():
            player.decide()
        mails(table)
        place, owed = table.first.opened().campaign.place, table.first.opened().campaign.awaited()
        if "adjudicator" in owed and owed["adjudicator"].kind == until:
            return place.step
        hosts(table, linkless=until == "entropy")
    raise AssertionError(f"no {until} is owed")


def hosts(table: Table, *, linkless: bool) -> None:
    """The adjudicator takes in what is new and answers, perhaps without its share of the dice."""
    step = table.first.opened().campaign.place.step
    for player in table.players():
        table.host.take(player.export())
    said = [*table.host.lines(), *table.host.pending()]
    kept = [one for one in said if not (linkless and b'"kind":"entropy"' in one and payload_of(one)["step"] >= step)]
    for player in table.players():
        player.take(packed([one for one in kept if payload_of(one)["step"] >= step]))


def dismiss(side: Side) -> Done:
    done = side("motion", "dismiss")
    assert done.code == 0, done
    return done


def dismissed(table: Table) -> None:
    """Both say it by mail, the first one first."""
    one, other = table.players()
    dismiss(one)
    other.mail(one.export())
    assert dismiss(other).out.splitlines()[0] == DISMISSED
    one.mail(other.export())
    mails(table)
    assert one.heads() == other.heads()


def to_the_end(table: Table, most: int = 100) -> None:
    first, second = table.players()
    for _ in range(most):
        for side, other in ((first, second), (second, first)):
            first.now = second.now = max(first.now, second.now, int(time.time())) + 1
            side.decide()
            other.take(side.export())
        if all(side.opened().campaign.finished for side in table.players()):
            return
    raise AssertionError("the game has no end")


def refusal(done: Done) -> str:
    assert done.code == 1, done
    return done.err.splitlines()[0].removeprefix("pbem: ")


# ---------------------------------------------------------------------- both


@pytest.mark.parametrize(
    ("rollers", "until"),
    [("players", "receipt"), ("adjudicator", "receipt"), ("all", "receipt"), ("adjudicator", "entropy"), ("all", "entropy")],
)
def test_both_go_on_without_it_to_the_verified_end(
    begun: dict[Rollers, Table], rollers: Rollers, until: str, tmp_path: Path
) -> None:
    table = begun[rollers].copied(tmp_path)
    step = silent(table, until)
    dismissed(table)
    assert "north dismiss" in kinds(table.first)[step]
    to_the_end(table)
    one, other = table.players()
    assert one.heads() == other.heads()
    assert [side.verified(running=False).code for side in table.players()] == [0, 0]
    archives = {(side.folder.parent / f"{side.role}.pbem").read_bytes() for side in table.players()}
    assert len(archives) == 1
    assert {name for step in kinds(one)[step + 1 :] for name in step if "adjudicator" in name} == set()

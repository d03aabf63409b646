"""Toy games that are played on by other rules: a change that is carried, and what a stranger says of it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from attacks.sides import Done, Pair, Side, pbem
from attacks.test_motions import both_see, deciding, exchange, heads
from pbem.app import catalogue
from pbem.app.deciding import submit_orders
from pbem.engine.new_rules import named

FIRST, SECOND = catalogue.versions("toy")
DATA_OF_TWO = SECOND.digest[:12]
DATA = Path(__file__).parents[1] / "toy" / "toy" / "data"


def played_by(side: Side) -> list[tuple[int, int]]:
    """From which step on the game is played by which version."""
    return [(step, name.version) for step, name in side.opened(whole=True).campaign.ruled]


def carried(pair: Pair, wanted: Any = SECOND, *, agree: bool = True) -> int:
    """A change that is moved and answered; the step of the answer."""
    mover, other = deciding(pair)
    both_see(pair, mover, other, agree=agree, what="ruleset", ruleset=named(wanted))
    return mover.opened(whole=True).campaign.place.step - 1


def finished(pair: Pair) -> Side:
    pair.play(99)
    heads(pair)
    assert pair.german.opened().campaign.finished
    return pair.german


def stranger(tmp_path: Path, side: Side, *arguments: str | Path) -> Done:
    """What somebody says without a home, who has the archive alone."""
    path = tmp_path / "stranger.pbem"
    assert side("archive", "-o", path, "--force").code == 0
    return pbem(tmp_path / "nobody", "verify", path, *arguments)


def until(pair: Pair, step: int, orders: Mapping[str, str]) -> None:
    """Play on to a step by these orders, each as far as it is legal."""
    for _ in range(40):
        for side in pair.sides():
            if side.opened().campaign.place.step >= step:
                return
            _decide(side, orders)
            exchange(pair, side)


def _decide(side: Side, orders: Mapping[str, str]) -> None:
    campaign = side.opened().campaign
    question = campaign.question(side.role)
    if question is None:
        return
    wanted = orders.get(f"{question.kind} {side.role}", "")
    legal = [campaign.ruleset.write_orders(one) for one in question.legal()]
    with side.desk() as desk:
        submit_orders(desk, "toy", wanted if wanted in legal else legal[0])

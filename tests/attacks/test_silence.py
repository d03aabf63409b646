"""What two players read of silence: who is late, what may be claimed then, and what a claim has led to."""

from __future__ import annotations

import pytest

from attacks.hosting import Table
from attacks.sides import Pair, Side
from attacks.test_referee import Court, begun, court  # noqa: F401 - fixtures

OVER = "2023-11-21 22:13 UTC"
DECIDE = (
    "decide and send at once: `pbem orders westerplatte -o orders.txt`, edit it, then `pbem orders westerplatte "
    "--submit orders.txt`"
)


def to_do(side: Side) -> str:
    """The last line of the status."""
    done = side("status", side.game)
    assert done.code == 0, done
    return done.out.splitlines()[-1].removeprefix("  do now: ")


# ------------------------------------------------------------------------------------------ who is late himself


@pytest.mark.plan("A43")
def test_who_is_late_is_told_so_and_what_may_follow(joined: Pair) -> None:
    assert to_do(joined.polish) == f"your deadline is over since {OVER}, and german may claim the game now; {DECIDE}"


def until(side: Side) -> str:
    """Until when the status says that something may come."""
    return side("status", side.game).out.split(", until ")[1].splitlines()[0]


def test_who_is_late_in_a_game_with_a_referee_is_told_so(court: Court) -> None:  # noqa: F811
    told = f"your deadline is over since {until(court.polish)}, and the referee may rule in your place now; {DECIDE}"
    assert to_do(court.polish) == told


def test_who_is_late_in_a_hosted_game_is_told_so(table: Table) -> None:
    late = table.deciding()[0]
    told = f"your deadline is over since {until(late)}, and the adjudicator may rule in your place now; {DECIDE}"
    assert to_do(late) == told

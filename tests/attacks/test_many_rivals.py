"""More rivals of one event than a home keeps: the game stays stopped, and no link is opened a second time.

Whoever has seen the other side's link can work out the dice behind every answer that it could have given.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from attacks.sides import Pair, Side, packed, payload_of
from pbem.app.demo import Seeded
from pbem.app.rivals import MOST_CONTRARY

STEP = 3


@pytest.fixture
def before(joined: Pair) -> Pair:
    """The German is asked, and a card is drawn behind its answer."""
    joined.play(STEP)
    return joined


def answers(side: Side, folder: Path, number: int) -> list[bytes]:
    """The lines of different answers that one player could give now."""
    found = []
    for twin in range(number):
        again = side.copy(folder / f"twin-{twin}")
        again.now, again.chooser = side.now + twin, Seeded(twin, "chooser")
        again.decide()
        found.append(again.opened(whole=True).campaign.steps[STEP].events[0].line)
    assert len(set(found)) == number
    return found


def links(side: Side) -> list[tuple[str, str]]:
    """What the side has opened, and behind which head."""
    opened = [payload_of(row.line) for row in side.opened().rows if row.role == side.role and row.kind == "entropy"]
    return [(one["prev"], one["body"]["link"]) for one in opened]


@pytest.mark.plan("A18")
@pytest.mark.parametrize("at_once", [True, False])
def test_no_number_of_rivals_lets_a_stopped_game_go_on(before: Pair, tmp_path: Path, *, at_once: bool) -> None:
    author, victim = before.german, before.polish
    first, *rivals = answers(author, tmp_path, MOST_CONTRARY + 4)
    victim.take(packed([first]))
    shown = links(victim)
    assert len(shown) == 1
    told = []
    for lines in [rivals] if at_once else [[one] for one in rivals]:
        victim.now += 5
        told += victim.take(packed(lines)).games[0].refused
        assert victim.take(packed([first])).games[0].answered == []
    (one, *_), number = told, len(rivals) - (MOST_CONTRARY - 1)
    assert len(told) == number
    assert str(one).partition(" (event ")[0] == (
        f"import.forked: expected the fork of step {STEP} to be settled first, got german's orders of step {STEP}"
    )
    assert one.hint == "it adds nothing to the two that are kept"
    assert (victim.opened().fork is not None, links(victim)) == (True, shown)
    settled = 0
    while victim.opened().fork:  # no choice is to be made: what dice are known behind stays
        assert victim("motion", "resolve").code == 0
        settled += 1
    assert (links(victim), settled) == (shown, MOST_CONTRARY - 1)
    assert victim.opened().campaign.place.step == STEP + 1
    assert first in victim.lines()

"""As many rotations as a log lets through: what comes behind them can be shown to somebody with nothing else."""

from __future__ import annotations

import pytest
from log.show_motions import changing

from engine.seated import Seated
from pbem.app import catalogue
from pbem.errors import BadEvidence
from pbem.log import bundle, fork
from pbem.log.event import Motion
from pbem.log.roster import registration_of
from pbem.rules.play import Outcome

MANY = 66
"""More keys of one role than a file of 64 events could tell of."""


@pytest.mark.plan("A18")
def test_a_fork_behind_every_rotation_that_a_long_game_lets_through_is_proven() -> None:
    game = Seated(catalogue.ruleset("westerplatte"), 1)
    deciders = []
    while deciders.count("german") < MANY:
        role = game.till_one_decides().decider
        deciders.append(role)
        game.rotate()
        with pytest.raises(BadEvidence, match=rf"expected a decision behind the rotation of {role}'s key"):
            game.rotate()
        game.step()
    while (role := game.till_one_decides().decider) != "german":
        game.step()
    moved = [one for one in game.events if one.event.kind == "motion" and one.event.role == role]
    found = fork.fork(*(game.signed(role, changing(Motion, "draw", why=why)) for why in ("one", "another")))
    assert found is not None
    registered = [one for one in game.events if registration_of(one.event)]
    proof = fork.evidence([*registered, *moved], found)
    assert len(bundle.read(proof).lines) > MANY
    assert fork.read_evidence(bundle.read(proof)) == found


def test_two_whose_deposits_are_no_good_have_both_lost() -> None:
    """The referee finds no link in what either has deposited."""
    game = Seated(catalogue.ruleset("westerplatte"), 1, deadline_days=7)
    while len(game.campaign.place.deciding) != 1:
        game.step()
    game.appoint("Rita")
    while [one.kind for one in game.campaign.place.demands.values()] != ["entropy"] * 2:
        game.step()
    for role in list(game.campaign.place.demands):
        game.rule(role)
    text = "german and polish withheld a share of the dice at step 7, and their deposits do not give it"
    assert game.campaign.outcome == Outcome("", "ruling", text)

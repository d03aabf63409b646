"""Going on without the adjudicator, without mail: random play with motions, replayed and resumed to the same places."""

from __future__ import annotations

import os
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from play import read_archive, replayed
from test_archived_campaigns import outcome, steps

from engine.scripted import TOY
from engine.test_hosting import SETTINGS, Hosted
from pbem.app import catalogue
from pbem.app.verify import verify
from pbem.engine import snapshot
from pbem.engine.assembly import assemble
from pbem.engine.campaign import Campaign
from pbem.log.event import ADJUDICATOR, Dismiss
from pbem.log.verify import Verified
from pbem.rules.ruleset import Ruleset

FOLDER = Path(__file__).parents[2] / "fixtures" / "hosted"
RECORDED = {"toy-dismissed-before-a-receipt": ("players", 6, False), "toy-dismissed-before-a-link": ("all", 6, True)}
"""Who rolls, from which step on the adjudicator is silent, and whether it owes a link then."""


class Left(Hosted):
    """A hosted match whose adjudicator is silent from a step on, where it owes its receipt, or its link."""

    def __init__(self, ruleset: Ruleset[Any], seed: int, rollers: str, silent: int, *, link: bool = False) -> None:
        self.silent_from, self.link = silent, link
        super().__init__(ruleset, seed, rollers)

    def dismiss(self, *, without: bool) -> None:
        for role in self.campaign.roster.players:
            body = Dismiss(agree=True, step=self.campaign.place.step, without=without, why="gone")
            super(Hosted, self).offer(self.signed(role, body))

    def step(self) -> None:
        place = self.campaign.place
        owed = place.demands.get(ADJUDICATOR)
        if self.link and place.hosted and place.step >= self.silent_from and owed and owed.kind == "entropy":
            self.dismiss(without=True)
            return
        super().step()

    def offer(self, verified: Verified) -> bool:
        if self.link or self.campaign.place.step < self.silent_from or not self.campaign.place.hosted:
            return super().offer(verified)
        closed = super(Hosted, self).offer(verified)
        if self.campaign.unreceipted():
            self.dismiss(without=False)
            return True
        return closed

    def rule(self) -> None:
        if self.campaign.place.step < self.silent_from:
            super().rule()

    def silent(self) -> Verified:
        if self.campaign.place.judge == ADJUDICATOR:
            return super().silent()
        return super(Hosted, self).silent()


LAST = {
    ("adjudicator", False): 18,
    ("adjudicator", True): 15,
    ("all", False): 20,
    ("all", True): 17,
    ("players", False): 20,
}
"""The last step at which the adjudicator owes its receipt, or its link where it rolls, by who rolls."""


@pytest.mark.parametrize(("rollers", "link"), LAST)
@pytest.mark.parametrize("silent", [4, 7, 9, 14, 17, 19, 20, 21])
def test_a_match_that_goes_on_without_it_is_verified_and_resumed(rollers: str, silent: int, link: bool) -> None:
    match = Left(TOY, 2, rollers, silent, link=link)
    match.motions = match.rulings = 0
    match.play()
    assert bool(match.campaign.dismissed) is (silent <= LAST[rollers, link])
    verdict = verify(match.archive(), catalogue.for_proposal())
    assert (verdict.finished, verdict.head) == (True, match.campaign.head.hex())
    again = match.campaign.anew()
    assemble(again, reversed(match.events[1:]))
    assert (again.head, again.state, again.place) == (match.campaign.head, match.campaign.state, match.campaign.place)
    for kept in match.snapshots:
        resumed = Campaign.resume(TOY, match.registrations, snapshot.read(snapshot.write(kept)), match.campaign.games)
        assemble(resumed, [one for one in match.events if one.event.step > kept.step])
        assert (resumed.head, resumed.state) == (match.campaign.head, match.campaign.state)


@pytest.mark.parametrize("seed", range(1, 4))
@pytest.mark.parametrize("rollers", SETTINGS)
def test_motions_go_on_behind_it(rollers: str, seed: int) -> None:
    match = Left(TOY, seed, rollers, 7)
    match.play()
    verdict = verify(match.archive(), catalogue.for_proposal())
    assert (verdict.finished, verdict.head) == (True, match.campaign.head.hex())


def test_the_order_of_what_comes_plays_no_part() -> None:
    """Dismissals, what is answered and a receipt that comes late, in every order: the same step."""
    match = Hosted(TOY, 2, "players")
    match.motions = match.rulings = 0
    match.play(lambda campaign: campaign.place.hosted)
    before = list(match.events)
    match.step()
    while match.campaign.place.step == before[-1].event.step + 1:
        match.step()
    step = before[-1].event.step + 1
    said = [one for one in match.events if one.event.step == step]
    there = match.campaign.anew()
    assemble(there, before[1:])
    place = there.place
    dismissals = []
    for role in there.roster.players:
        body = Dismiss(agree=True, step=step, without=False, why="")
        dismissals.append(match.signed(role, body, step=step, prev=place.prev, state=place.state))
    heads = set()
    for order in permutations([*said, *dismissals]):
        again = match.campaign.anew()
        assemble(again, [*before[1:], *order])
        heads.add(again.steps[step].digest)
    assert len(heads) == 1
    assert again.dismissed == step


# ------------------------------------------------------------------------------------------ recorded


@pytest.fixture(scope="module", autouse=True)
def _regenerated() -> None:
    if os.environ.get("PBEM_REGENERATE_CAMPAIGN"):
        FOLDER.mkdir(exist_ok=True)
        for name, (rollers, silent, link) in RECORDED.items():
            match = Left(TOY, 2, rollers, silent, link=link)
            match.motions = match.rulings = 0
            match.play()
            (FOLDER / f"{name}.pbem").write_bytes(match.archive())
            verdict = verify(match.archive(), catalogue.for_proposal())
            lines = [*steps(replayed(read_archive(match.archive()))), outcome(verdict)]
            (FOLDER / f"{name}.digests.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")


@pytest.mark.plan("C14")
@pytest.mark.parametrize("name", RECORDED)
def test_a_recorded_game_replays_to_the_same_digests(name: str) -> None:
    data = (FOLDER / f"{name}.pbem").read_bytes()
    told = (FOLDER / f"{name}.digests.txt").read_text(encoding="utf-8").splitlines()
    verdict = verify(data, catalogue.for_proposal())
    assert (verdict.finished, verdict.cut_off, outcome(verdict)) == (True, 0, told[-1])
    assert verdict.campaign is not None
    assert verdict.campaign.dismissed > 0
    assert steps(replayed(read_archive(data))) == told[:-1]


def test_every_recorded_game_is_named() -> None:
    assert {path.stem for path in FOLDER.glob("*.pbem")} == set(RECORDED)

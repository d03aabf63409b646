"""The last to open a link sees the roll first: whatever the remedy, who goes silent then gains nothing by it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from engine.restless import Chosen

from attacks.sides import DAY, LATER, Side, claimed_when_sent, new_side
from attacks.test_referee import invited, ruled
from attacks.worst import joined
from pbem.engine.driver import RollRecord
from pbem.log.event import Role

GAME, GERMAN, POLISH = "westerplatte", Role("german"), Role("polish")
SILENT = LATER + 2 * DAY


@dataclass(slots=True)
class Silence:
    """The Pole has seen the rolls of a step, whose link it does not open; `remedied` is what the German has then."""

    german: Side
    polish: Side
    step: int
    seen: dict[str, RollRecord]
    remedied: Callable[[], None]


def silence(folder: Path, remedy: str) -> Silence:
    """Up to the German's link for the first cards, of which a copy of the Pole's home shows what they are."""
    if remedy == "ruling":
        court = invited(folder, GAME, "standard")
        court.exchange()
        sides, ruling = (court.german, court.polish), court
    else:
        duel = joined(folder, remedy, GAME, (GERMAN, POLISH))
        sides, ruling = duel.sides(), None
    german, polish = sides
    polish.decide()
    for other in [german, *([ruling.referee] if ruling else [])]:
        other.take(polish.export(everything=True))
    german.decide()
    looking = polish.copy(folder / "looking")
    looking.take(german.export(everything=True))
    step = german.opened().campaign.place.step
    seen = {roll.id: roll for roll in looking.opened(whole=True).campaign.rolls if roll.step == step}
    assert seen

    def remedied() -> None:
        if ruling:
            ruling.referee.take(german.export(everything=True))
            ruling.late()
            ruled(ruling)
            german.take(ruling.referee.export(everything=True))
            return
        german.now = SILENT
        with german.desk() as desk:
            claimed_when_sent(desk, GAME, spelled(german) if remedy == "worst" else ())

    return Silence(german, polish, step, seen, remedied)


def spelled(german: Side) -> list[str]:
    """The last of what is left, each time something is drawn: not what the Pole has seen."""
    campaign = german.opened().campaign
    dice, trial = Chosen(b"", campaign.place.step), campaign.trial()
    trial.roll(dice)
    return [one.items[one.faces[0] - 1] for one in trial.rolls]


@pytest.mark.plan("A43")
@pytest.mark.parametrize("remedy", ["claim", "worst", "ruling"])
def test_who_goes_silent_after_a_look_at_the_roll_gains_nothing(remedy: str, tmp_path: Path) -> None:
    """The game is lost, or the enemy chooses the roll, or the roll is what it was; and no link rolls twice."""
    case = silence(tmp_path, remedy)
    case.remedied()
    campaign = case.german.opened(whole=True).campaign
    rolls = {roll.id: roll for roll in campaign.rolls if roll.step == case.step}
    if remedy == "claim":
        assert (campaign.outcome.winner if campaign.outcome else "", rolls) == (GERMAN, {})
    elif remedy == "worst":
        assert {roll.dictated for roll in rolls.values()} == {GERMAN}
        assert rolls != case.seen
        assert all(roll.faces[0] == len(roll.items) for roll in rolls.values())
    else:
        assert rolls == case.seen
    used = {one.link for one in campaign.opened.get(case.step, ())}
    assert len(used) == {"claim": 0, "worst": 1, "ruling": 2}[remedy]
    case.german.decide()
    again = case.german.opened(whole=True).campaign
    links = [one.link for links in again.opened.values() for one in links]
    assert len(links) == len(set(links))
    assert case.german.verified().code == 0
    stranger = new_side(tmp_path / "reader", "reader", "Carla")
    assert stranger("verify", tmp_path / "german.pbem", "--running").code == 0


@pytest.mark.plan("A43")
def test_the_roll_that_was_seen_can_be_dictated_too(tmp_path: Path) -> None:
    """So the worst is never better for the silent side than what it has withheld."""
    case = silence(tmp_path, "worst")
    words = [roll.items[roll.faces[0] - 1] for roll in case.seen.values()]
    case.german.now = SILENT
    with case.german.desk() as desk:
        claimed_when_sent(desk, GAME, words)
    rolls = [roll for roll in case.german.opened(whole=True).campaign.rolls if roll.step == case.step]
    assert rolls == [
        replace(roll, faces=rolls[at].faces, dictated=GERMAN) for at, roll in enumerate(case.seen.values())
    ]
    assert [roll.items[roll.faces[0] - 1] for roll in rolls] == words

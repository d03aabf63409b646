"""Archived campaigns in which every motion occurs: they verify, and replay to the same digests for ever.

`fixtures/campaigns/NAME.pbem` is a whole game, signed with keys for show; beside it, `NAME.digests.txt` holds its
ruleset, each step with the digests of the log and of the state and what is waited for there, and its outcome.
`RECORDED` says how each is played: its acts are done one after the other, each where one side alone has to decide. A
new motion is one act more. As for `test_archived_campaigns`, the files follow the data and the rules only before
version 1 is released:

    PBEM_REGENERATE_CAMPAIGN=1 pytest tests/test_archived_motions.py
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal, get_args

import pytest
from engine.restless import Moving
from engine.seated import Seated
from play import read_archive, replayed, replayed_elsewhere
from test_archived_campaigns import outcome, steps
from test_random_games import others

from pbem.app import catalogue
from pbem.app.verify import Verdict, verify
from pbem.engine.new_rules import named
from pbem.log.event import Change, Consent, Lapse, Matter, Propose, Ruling
from pbem.log.verify import Verified
from pbem.rules.ruleset import Ruleset

FOLDER = Path(__file__).parents[1] / "fixtures" / "campaigns"
DEADLINE_DAYS = 7
pytestmark = pytest.mark.plan("C14")

Act = Callable[[Any], object]


@dataclass(frozen=True, slots=True)
class Recorded:
    """How a campaign is played: by whom, with which acts, how many decisions lie between two of them, and what silence
    leads to."""

    game: str
    seed: int
    acts: Sequence[Act]
    apart: int = 2
    remedy: Literal["claim", "worst"] = "claim"


# ------------------------------------------------------------------------------------------ acts


def overruled_request(match: Moving) -> None:
    match.ask("draw", why="it is even")
    match.step()


def granted_pause(match: Moving) -> None:
    match.agree(match.ask("pause", why="holidays"))


def resumption(match: Moving) -> None:
    match.move("resume", why="back again")


def extension(match: Moving) -> None:
    match.carry("extend", days=10, why="a business trip")


def refusal(match: Moving) -> None:
    match.move("draw")
    match.refuse()


def decision(match: Moving) -> None:
    match.step()


def silence(match: Moving) -> None:
    match.move("extend", days=3)
    match.silent()


def own_decision_taken_back(match: Moving) -> None:
    """The last decision is asked again."""
    decided = [one.number for one in match.campaign.steps if any(e.event.kind == "answer" for e in one.events)]
    match.carry("take_back", step=decided[-1], why="the wrong unit")


def dice_taken_back(match: Moving) -> None:
    """Play goes back before a roll, which is asked to be taken back by who waits."""
    rolled = [one.number for one in match.campaign.steps if any(e.event.kind == "entropy" for e in one.events)]
    match.agree(match.ask("take_back", step=rolled[-1], why="an order was read wrongly"))


def back_to_the_undone_branch(match: Moving) -> None:
    """The last thing that was taken back is wanted after all."""
    (undone,) = [one for one in match.events if _what(one) == "take_back" and one.event.kind == "motion"][-1:]
    match.carry("take_back", step=undone.event.step - 1)


def adjustment(match: Moving) -> None:
    """Both have forgotten a loss."""
    weak = match.position(lambda line: f"{line} weak" if line.startswith("unit PL") and " weak" not in line else line)
    match.carry("adjust", position=weak, why="a forgotten loss")


def same_position(match: Moving) -> None:
    match.agree(match.ask("adjust", position=match.position(), why="to be sure"))


def asked_resumption(match: Moving) -> None:
    """Who decides has agreed to a pause, who waits ends it, and the other program agrees by itself."""
    match.carry("pause")
    match.ask("resume")
    match.step()


def dictated_roll(match: Moving) -> None:
    """A link does not come in time: who waits for it dictates what is drawn."""
    match.play(lambda campaign: any(one.kind == "entropy" for one in campaign.place.demands.values()))
    first, other = sorted(match.campaign.awaited())
    match.offer(match.signed(first, match.body(first)))
    match.claim(other, lambda sides: sides - 1)


def default_decision(match: Moving) -> None:
    match.claim(match.decider)


def draw(match: Moving) -> None:
    match.carry("draw", why="neither can win this any more")


def concession(match: Moving) -> None:
    """Who waits gives up, and the other program agrees by itself."""
    match.ask("concede")
    match.step()


def new_rules(match: Moving) -> None:
    """The newest version of the game goes on."""
    match.carry("ruleset", ruleset=named(_newest(match)), why="rule 2.4 was mended")


def taken_back_over_them(match: Moving) -> None:
    """Play goes back to where the former version asked."""
    (first, _), (changed, _) = match.campaign.ruled
    assert first == 0
    match.agree(match.ask("take_back", step=changed - 2))


def new_rules_refused(match: Moving) -> None:
    match.move("ruleset", ruleset=named(_newest(match)), why="once more")
    match.refuse()
    match.step()


def _newest(match: Moving) -> Ruleset[Any]:
    return catalogue.versions(match.ruleset.name)[-1]


def referee_appointed(match: Seated) -> None:
    match.appoint("Rita", days=7)


def default_ruled(match: Seated) -> None:
    """The default stands in the place of orders that did not come."""
    match.rule(match.decider, why="no answer in time")


def link_ruled(match: Seated) -> None:
    """A link is opened by the referee when the silent roller has seen the other one."""
    match.play(lambda campaign: any(one.kind == "entropy" for one in campaign.place.demands.values()))
    silent, other = sorted(match.campaign.place.demands)
    match._given(other, match.body(other))
    match.rule_link(silent)


def motion_granted_by_ruling(match: Seated) -> None:
    match.move("extend", days=3, why="the other side does not answer")
    match.rule(match.other(match.campaign.moved.event.role), agree=True)


def own_key_rotated(match: Seated) -> None:
    match.rotate()


def side_handed_over(match: Seated) -> None:
    match.hand_over("Carla")


def referee_replaced(match: Seated) -> None:
    match.appoint("Otto")


RECORDED = {
    "westerplatte-seats": Recorded(
        "westerplatte",
        9,
        (
            own_key_rotated,
            referee_appointed,
            default_ruled,
            link_ruled,
            side_handed_over,
            motion_granted_by_ruling,
            referee_replaced,
            link_ruled,
            own_key_rotated,
            draw,
        ),
    ),
    "westerplatte-motions": Recorded(
        "westerplatte",
        75,
        (
            overruled_request,
            granted_pause,
            resumption,
            extension,
            refusal,
            own_decision_taken_back,
            back_to_the_undone_branch,
            silence,
            adjustment,
            dice_taken_back,
            asked_resumption,
            draw,
        ),
    ),
    "polska1939-motions": Recorded(
        "polska1939", 3, (granted_pause, resumption, same_position, dice_taken_back, concession), apart=5
    ),
    "westerplatte-worst": Recorded(
        "westerplatte", 4, (default_decision, dictated_roll, dice_taken_back, draw), remedy="worst"
    ),
    "toy-every-motion": Recorded(
        "toy",
        1,
        (
            new_rules,
            granted_pause,
            resumption,
            extension,
            refusal,
            decision,
            own_decision_taken_back,
            same_position,
            own_key_rotated,
            referee_appointed,
            default_ruled,
            motion_granted_by_ruling,
            side_handed_over,
            concession,
        ),
        apart=0,
    ),
    "toy-rules": Recorded("toy", 4, (new_rules, taken_back_over_them, new_rules_refused, new_rules, draw), apart=0),
}


def recorded(name: str) -> Seated:
    """Play a campaign: its acts, and what both sides decide between them."""
    how = RECORDED[name]
    match = Seated(
        catalogue.ruleset(how.game), how.seed, bots=("good", "good"), deadline_days=DEADLINE_DAYS, remedy=how.remedy
    )
    for act in how.acts:
        for _ in range(how.apart):
            match.till_one_decides()
            match.step()
        act(match.till_one_decides())
    match.play()
    return match


# ------------------------------------------------------------------------------------------ the files

every_campaign = pytest.mark.parametrize("name", RECORDED)


@pytest.fixture(scope="module", autouse=True)
def _regenerated() -> None:
    if os.environ.get("PBEM_REGENERATE_CAMPAIGN"):
        FOLDER.mkdir(exist_ok=True)
        for name in RECORDED:
            match = recorded(name)
            path(name).write_bytes(match.archive())
            lines = [ruleset(name), *steps(match.traces), outcome(verdict(name))]
            digests(name).write_text("\n".join(lines) + "\n", encoding="utf-8")


def path(name: str) -> Path:
    return FOLDER / f"{name}.pbem"


def digests(name: str) -> Path:
    return FOLDER / f"{name}.digests.txt"


@cache
def events(name: str) -> list[Verified]:
    return read_archive(path(name).read_bytes())


@cache
def verdict(name: str) -> Verdict:
    return verify(path(name).read_bytes(), catalogue.for_proposal())


def told(name: str) -> list[str]:
    return digests(name).read_text(encoding="utf-8").splitlines()


def ruleset(name: str) -> str:
    proposal = events(name)[0].event.body
    assert isinstance(proposal, Propose)
    return f"{proposal.ruleset.name} version {proposal.ruleset.version} {proposal.ruleset.digest}"


def _what(verified: Verified) -> str:
    return verified.event.body.what if isinstance(verified.event.body, Change) else ""


def test_every_campaign_on_disk_is_named_and_every_named_one_is_there() -> None:
    assert {one.stem for one in FOLDER.glob("*.pbem")} == set(RECORDED)


def test_every_matter_occurs_in_one_campaign() -> None:
    assert {_what(one) for one in events("toy-every-motion")} - {""} == set(get_args(Matter))


def test_a_referee_has_ruled_on_orders_links_and_motions() -> None:
    ruled = [one.event.body for one in events("westerplatte-seats") if isinstance(one.event.body, Ruling)]
    assert {(body.demand, body.agree, bool(body.link)) for body in ruled} == {
        ("answer", False, False),
        ("entropy", False, True),
        ("consent", True, False),
    }


def test_motions_are_agreed_to_refused_unanswered_and_overruled() -> None:
    found = [one.event.body for one in events("westerplatte-motions")]
    assert {body.agree for body in found if isinstance(body, Consent)} == {True, False}
    assert "consent" in {body.demand for body in found if isinstance(body, Lapse)}
    granted = {body.motion for body in found if isinstance(body, Consent)}
    asked = [one for one in events("westerplatte-motions") if one.event.kind == "request"]
    assert {one.id in granted for one in asked} == {True, False}


def test_dice_are_dictated_where_a_link_did_not_come() -> None:
    """Three cards of one step."""
    assert {name: verdict(name).dictated for name in RECORDED} == dict.fromkeys(RECORDED, 0) | {"westerplatte-worst": 3}


@every_campaign
def test_the_campaign_verifies_as_finished(name: str) -> None:
    found = verdict(name)
    assert (found.finished, found.show_only, found.forks, found.cut_off) == (True, True, [], 0)
    assert (ruleset(name), found.steps, outcome(found)) == (told(name)[0], len(told(name)) - 2, told(name)[-1])
    assert found.result["rule"] == "motion"


@every_campaign
def test_the_campaign_replays_to_the_same_digests(name: str) -> None:
    assert steps(replayed(events(name))) == told(name)[1:-1]


@every_campaign
def test_what_was_taken_back_stays_readable(name: str) -> None:
    """Lines and rolls of every step are there, and no link was opened twice."""
    campaign = verdict(name).campaign
    assert campaign is not None
    entropy = [one for one in events(name) if one.event.kind == "entropy"]
    assert {one.step for one in campaign.rolls} <= {one.event.step for one in entropy}
    assert len({one.event.body.link for one in entropy}) == len(entropy)  # type: ignore[attr-defined]
    taken = [line for line in campaign.lines if line.text.startswith("play is taken back to step ")]
    assert all(any(line.step >= int(one.text.split()[-1]) for line in campaign.lines) for one in taken)
    assert [line.step for line in campaign.lines] == sorted(line.step for line in campaign.lines)


@every_campaign
@pytest.mark.parametrize("hash_seed", ["0", "4711"])
def test_the_campaign_replays_to_the_same_digests_elsewhere(name: str, hash_seed: str, tmp_path: Path) -> None:
    shutil.copy(path(name), tmp_path)
    assert steps(replayed_elsewhere(tmp_path, hash_seed)[path(name).name]) == told(name)[1:-1]


@pytest.mark.parametrize("python", others())
def test_the_campaigns_replay_to_the_same_digests_under_another_python(python: str) -> None:
    found = replayed_elsewhere(FOLDER, "0", python)
    assert {name: steps(found[f"{name}.pbem"]) for name in RECORDED} == {name: told(name)[1:-1] for name in RECORDED}

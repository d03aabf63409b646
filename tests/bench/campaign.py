"""Figures of a long campaign, Polska 1939: replay, the digest of its state, and a command in the middle of it."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from play import Match

from pbem.app import catalogue
from pbem.app.demo import Demo
from pbem.engine.campaign import Campaign
from pbem.log.hashing import digest
from pbem.log.verify import Verified

GAME = "polska1939"
MIDDLE = 18
"""The day of the campaign, of 35, that counts as its middle."""

Pair = Callable[..., tuple[float, float, float]]
Seconds = Callable[[Callable[[], Any]], float]


def whole_campaign() -> Match:
    """A campaign of 35 days that random bots have played with signed events."""
    return Match(catalogue.ruleset(GAME), 1).play()


def replay_figures(match: Match, seconds: Seconds, pair: Pair) -> None:
    """The rules alone, with every event verified before, and what the state digests are of it."""
    from pbem.app.catalogue import for_proposal
    from pbem.app.verify import verify

    events = len(match.events)
    data, games = match.archive(), for_proposal()
    whole, rules, _ = pair(lambda: verify(data, games), lambda: replay(match.events), runs=5)
    days = catalogue.ruleset(GAME).turns
    print(f"a campaign of {days} days, {events} events, {len(data)} bytes: rules replayed in {rules:.2f} s")
    print(f"  {events / rules:.0f} events a second; verified whole in {whole:.2f} s")
    states, ruleset = states_of(match.events), match.ruleset
    cost = min(seconds(lambda: [state_digest(ruleset, state) for state in states]) for _ in range(5))
    print(f"  state digest: {cost / len(states) * 1e6:.0f} us a step, {cost / rules:.3f} of the replay")


def replay(events: list[Verified]) -> Campaign[Any]:
    """The campaign of verified events."""
    campaign: Campaign[Any] = Campaign(catalogue.ruleset(GAME), events[0])
    for event in events[1:]:
        campaign.offer(event)
    return campaign


def states_of(events: list[Verified]) -> list[Any]:
    """The state at every step."""
    campaign: Campaign[Any] = Campaign(catalogue.ruleset(GAME), events[0])
    found = []
    for event in events[1:]:
        if campaign.offer(event):
            found.append(campaign.state)
    return found


def state_digest(ruleset: Any, state: Any) -> bytes:
    """What every event of a step has to hold of the state."""
    return digest("pbem/state/v1", ruleset.encode(state))


def status_figures(pair: Pair) -> None:
    """A cold `pbem status`, as a whole process, in the middle of a campaign and at its start."""
    with tempfile.TemporaryDirectory() as folder:
        early, late = (_home_on(Path(folder) / f"day-{day}", day) for day in (1, MIDDLE))
        middle, start, ratio = pair(lambda: _status(late), lambda: _status(early))
    print(f"pbem status on day {MIDDLE}: {middle * 1000:.0f} ms; on day 1: {start * 1000:.0f} ms")
    print(f"  ratio middle / start: {ratio:.2f} (aim: under 1.5)")


def _home_on(folder: Path, day: int) -> Path:
    show = Demo(catalogue.ruleset(GAME), folder, 1, ("random", "random"))
    show.play(lambda _: None, day)
    return next(path for path in sorted(folder.iterdir()) if path.is_dir())


def _status(home: Path) -> None:
    environment = {**os.environ, "PBEM_HOME": str(home)}
    subprocess.run([sys.executable, "-m", "pbem", "status"], env=environment, check=True, capture_output=True)

"""Delays in words: for `pbem log --delays` and the certificate."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from itertools import zip_longest
from typing import Any

from pbem.app.opened import OpenGame
from pbem.engine.campaign import Campaign
from pbem.engine.punctuality import Deadline, Met, Record, demands_met, record
from pbem.log.enumeration import counted
from pbem.log.event import Role
from pbem.log.nouns import NOUNS
from pbem.log.verify import DAY, Verified, verify_event

STOOD_IN = {"ruling": "it was ruled on", "lapse": "it was claimed"}


@dataclass(frozen=True, slots=True)
class Delays:
    """What was late or stood in for, with the record of every role in its decisions, and in everything else; and the
    deadlines that held, of which the first may be none."""

    found: tuple[Met, ...]
    decisions: dict[Role, Record]
    others: dict[Role, Record]
    deadlines: tuple[Deadline, ...]

    @property
    def possible(self) -> bool:
        """Whether anybody could be late at any step."""
        return any(one.days for one in self.deadlines)

    def data(self) -> dict[str, Any]:
        """The same for programs; seconds, not words."""
        roles = {
            role: {"decisions": asdict(one), "others": asdict(self.others[role])}
            for role, one in self.decisions.items()
        }
        deadlines = [asdict(one) for one in self.deadlines]
        return {
            "deadline_days": self.deadlines[-1].days,
            "deadlines": deadlines,
            "roles": roles,
            "delays": [asdict(one) for one in self.found],
        }


def delays_of(campaign: Campaign[Any], void: Iterable[Verified] = ()) -> Delays:
    """The delays of a campaign that was replayed from its beginning; `void` are the claims that stand in no step."""
    met, deadlines = demands_met(campaign, void)
    roles = sorted(campaign.roster.parties)
    return Delays(
        tuple(one for one in met if one.late or one.stood_in),
        {role: record(met, role, decides=True) for role in roles},
        {role: record(met, role, decides=False) for role in roles},
        tuple(deadlines),
    )


def void_claims(whole: OpenGame) -> list[Verified]:
    """The claims of a game that was replayed from its beginning which what they say was owed made void."""
    closed = {one.id for step in whole.campaign.steps for one in step.events}
    rows = [row for row in whole.rows if row.kind == "lapse" and row.event_id not in closed]
    return [verify_event(row.line, whole.known) for row in rows]


def deadlines_in_words(deadlines: Sequence[Deadline]) -> str:
    """The deadlines that held one after another: `none until step 8, then 7 days for each step`."""
    ends = [one.first - 1 for one in deadlines[1:]]
    return ", then ".join(_deadline(one, end) for one, end in zip_longest(deadlines, ends))


def _deadline(one: Deadline, end: int | None) -> str:
    days = counted(one.days, "day") if one.days else "none"
    if one.first == end:
        return f"{days} for step {end}"
    return f"{days}{' for each step' if one.days else ''}{'' if end is None else f' until step {end}'}"


def lines_of(found: Sequence[Met]) -> list[str]:
    """One line for each delay: the step, and what was how late, or what stood in its place."""
    return [f"{one.step:5}  {_line(one)}" for one in found]


def _line(met: Met) -> str:
    noun = NOUNS[met.kind] if met.kind != "seal" else "sealed orders"
    what = f"{met.role}'s {noun}" + ("" if met.decides else " (no decision)")
    return f"{what}: {STOOD_IN[met.stood_in]}" if met.stood_in else f"{what}: late by {span(met.late)}"


def whose_dates(campaign: Campaign[Any]) -> str:
    """What the times of all this are, in one sentence: nobody is to be blamed by more than that."""
    if campaign.roster.is_hosted:
        return "These times are by the adjudicator's clock, from its receipts: they say when something arrived there."
    return (
        f"These times are {by_whose_dates(campaign)}: what was signed in time may have been sent too late, and who "
        "waited for it can be on record as late."
    )


def by_whose_dates(campaign: Campaign[Any]) -> str:
    """The same in a few words."""
    if campaign.roster.is_hosted:
        return "by the adjudicator's receipts"
    return "by the dates that each has signed, which nobody vouches for"


def sentence(decided: Record, other: Record) -> str:
    """A role's record in one line: its decisions, and behind a semicolon what was no decision of anybody."""
    return f"{_counted('decision', decided)}; without a choice: {_counted('answer', other)}"


def _counted(noun: str, one: Record) -> str:
    latest = f" (at most by {span(one.longest)})" if one.late else ""
    return f"{counted(one.number, noun)}, {one.late} late{latest}, {one.stood_in} stood in for"


def span(seconds: int) -> str:
    """A time in days and hours, to the nearest hour and at least one: `2 days 5 hours`."""
    days, hours = divmod(max(1, (seconds + 1800) // 3600), DAY // 3600)
    parts = [(days, "day"), (hours, "hour")]
    return " ".join(counted(number, unit) for number, unit in parts if number)

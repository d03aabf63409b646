"""What `pbem status` says of silence: whose deadline is over, what may be claimed then, and what was claimed of whom.

It reads the summary of a game, as `pbem.cli.status` does, and loads nothing else.
"""

from __future__ import annotations

from typing import Any

from pbem.cli.printing import ADJUDICATOR, GRACE_HOURS, REFEREE, judge_among

HARMLESS = ("accept", "deposit", "close", "vouch", "receipt")
"""Kinds of what may be owed that nobody claims the game for."""
HOUR = 3600


def dated(seconds: int) -> str:
    """A time as this machine has it."""
    import time

    return time.strftime("%Y-%m-%d %H:%M %Z", time.localtime(seconds))


def judge_of(summary: dict[str, Any]) -> str:
    """Who has the referee's powers, or an empty string."""
    return judge_among([summary["role"], *(one["role"] for one in summary["opponents"])])


def is_over(summary: dict[str, Any], grace: int = 0) -> bool:
    """Whether the deadline of the present step went by more than `grace` seconds ago, by this machine's clock."""
    import time

    return bool(summary["due"]) and time.time() > summary["due"] + grace


# ------------------------------------------------------------------------------------------ who is late


def own_deadline(summary: dict[str, Any], mine: list[str]) -> str:
    """How the player of a home is told that its own deadline is over, before what to do; else an empty string.

    `mine` are the kinds of what it owes.
    """
    owed = [kind for kind in mine if kind not in HARMLESS]
    if not owed or not is_over(summary):
        return ""
    return f"your deadline is over since {dated(summary['due'])}, and {_may_follow(summary, owed[0])}; "


def _may_follow(summary: dict[str, Any], kind: str) -> str:
    """What somebody else may do now about what the player owes."""
    judge = judge_of(summary)
    if judge:
        ruling = summary["due"] + (GRACE_HOURS * HOUR if judge == ADJUDICATOR else 0)
        since = "now" if is_over(summary, ruling - summary["due"]) else f"from {dated(ruling)} on"
        return f"the {judge} may rule in your place {since}"
    other = " and ".join(one["role"] for one in summary["opponents"] if one["role"] not in (REFEREE, ADJUDICATOR))
    if kind == "open":
        return f"{other} may claim now that the default stands in the place of what you sealed"
    if kind == "consent":
        return f"{other} may claim now that the motion is refused"
    if summary.get("remedy") != "worst":
        return f"{other} may claim the game now"
    if kind == "entropy":
        return f"{other} may dictate every roll of this step now"
    return f"{other} may claim now that the default stands in the place of your decision"


def claimable(summary: dict[str, Any], kind: str) -> str:
    """What can be claimed in the place of what is owed, and how."""
    claim, roll = f"`pbem motion claim {summary['game']}`", summary.get("dictation")
    if kind == "open":
        return f"claim that the default stands in the place of what was sealed: {claim}"
    if kind == "consent":
        return f"claim that the motion is refused: {claim}"
    if summary.get("remedy") != "worst":
        return f"claim the game: {claim}"
    if kind != "entropy" or not roll:
        return f"claim that the default stands in the place of a decision: {claim}"
    dictating = f"`pbem motion claim {summary['game']} --dice {roll['example']}`"
    return (
        f"dictate every roll of this step, the first being {roll['text']}: begin for example with {dictating}, which "
        "names any further roll that needs a result"
    )


def without_adjudicator() -> str:
    """What is left to two players whose adjudicator is gone."""
    return (
        "is the adjudicator silent? write to it: no step is closed without its receipt; is it gone for good? both of "
        "you can go on in a new game from here (`pbem motion adjust --help`)"
    )


# ------------------------------------------------------------------------------------------ claims against the player


def claimed_of_you(summary: dict[str, Any]) -> str:
    """What is said against the player, and what to do about it."""
    from pbem.app.claiming import advice

    claimed = summary["claimed"]
    said = "is said not" if claimed["noun"] == "claim" else "was ruled not"
    told = advice(claimed["noun"], summary["game"], played_on=claimed["played_on"])
    return f"what you signed at step {claimed['step']} {said} to have come in time: {told}"


def answer_claim(summary: dict[str, Any]) -> str:
    """What to do where a claim or a ruling stands in the place of what the player has signed."""
    name, claimed = summary["game"], summary["claimed"]
    give_way = f"give way to the {claimed['noun']}: `pbem motion yield {name}`"
    if claimed["played_on"]:
        return give_way
    return f"send all you have: `pbem export {name} --all -o turn.eml --eml`; where it comes too late, {give_way}"

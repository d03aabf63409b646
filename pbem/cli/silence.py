"""What `pbem status` says of silence: whose deadline is over, what may be claimed then, and what was claimed of whom.

It reads the summary of a game, as `pbem.cli.status` does, and loads nothing else.
"""

from __future__ import annotations

from typing import Any

from pbem.cli.printing import ADJUDICATOR, GRACE_HOURS, REFEREE, judge_among
from pbem.log.enumeration import enumerated

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
    if not owed or summary.get("holding") or not is_over(summary):
        return ""
    return f"your deadline is over since {dated(summary['due'])}, and {_may_follow(summary, owed[0])}; "


def _may_follow(summary: dict[str, Any], kind: str) -> str:
    """What somebody else may do now about what the player owes."""
    judge = judge_of(summary)
    if judge:
        ruling = summary["due"] + (GRACE_HOURS * HOUR if judge == ADJUDICATOR else 0)
        since = "now" if is_over(summary, ruling - summary["due"]) else f"from {dated(ruling)} on"
        return f"the {judge} may rule in your place {since}"
    other = enumerated([one["role"] for one in summary["opponents"] if one["role"] not in (REFEREE, ADJUDICATOR)])
    if kind == "open":
        return f"{other} may claim now that the default stands in the place of what you sealed"
    if kind == "consent":
        return f"{other} may claim now that the motion is refused"
    if summary.get("remedy") != "worst":
        return f"{other} may claim the game now"
    if kind == "entropy":
        return f"{other} may dictate every roll of this step now"
    return f"{other} may claim now that the default stands in the place of your decision"


def before_play(summary: dict[str, Any]) -> bool:
    """Whether play has not begun, since somebody has not accepted, deposited or vouched."""
    owed = {one["kind"] for one in summary["waiting"]}
    return bool(owed) and not summary["turn"] and owed <= {"accept", "deposit", "vouch"}


def never_begun(summary: dict[str, Any]) -> str:
    """What can be done where the deadline is over before play has begun."""
    name, waited = summary["game"], enumerated([one["role"] for one in summary["waiting"]])
    anew = f"`pbem new` proposes a new game without {waited}, and " if summary["role"] != judge_of(summary) else ""
    return (
        f"the deadline of {waited} is over, and before play has begun nothing can be claimed and nothing is lost: wait "
        f"on, or {anew}`pbem forget {name}` puts this one aside"
    )


def unclosed(summary: dict[str, Any]) -> str:
    """Who has not closed a game that is decided, to be told behind its result; else an empty string."""
    if summary["finished"] or not summary["result"]:
        return ""
    silent = [one["role"] for one in summary["waiting"] if one["kind"] == "close" and one["role"] != summary["role"]]
    has = "have" if len(silent) > 1 else "has"
    return f"; {enumerated(silent)} {has} not closed it" if silent else ""


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


def giving(summary: dict[str, Any]) -> str:
    """What the player has asked for that gives the other side the game or time, beside which nothing can be claimed."""
    asked = (one for one in summary["proposed"] if one["role"] == summary["role"] and not one["moved"])
    return next((str(one["words"]) for one in asked if one.get("gives")), "")


def paused(summary: dict[str, Any]) -> str:
    """That the game is paused, and from when on something can be claimed or ruled on all the same.

    Who asks that it go on is waited for no longer than the deadline.
    """
    asked = summary.get("resuming")
    if not asked:
        return f"paused: no deadline runs; `pbem motion resume {summary['game']}` lets it run again"
    role, at = min(asked.items(), key=lambda one: (one[1], one[0]))
    who = "you have" if role == summary["role"] else f"{role} has"
    told = f"paused; {who} asked on {dated(at)} that the deadline run again"
    if not summary["due"]:
        return told
    owing = [one["role"] for one in summary["waiting"] if one["role"] not in asked]
    late = enumerated(["you" if one == summary["role"] else one for one in owing])
    judge = judge_of(summary)
    can = f"the {judge} can rule in the place of {late}" if judge else f"{late} can be claimed against"
    return f"{told}: from {dated(summary['due'])} on {can}"


def without_adjudicator() -> str:
    """What is left to two players whose adjudicator is gone."""
    return (
        "is the adjudicator silent? write to it: no step is closed without its receipt; is it gone for good? both of "
        "you can go on in a new game from here (`pbem motion adjust --help`)"
    )


# ------------------------------------------------------------------------------------------ claims against the player


def claimed_of_you(summary: dict[str, Any]) -> str:
    """What is said against the player, and what to do about it."""
    from pbem.app.claiming import Against, advice

    claimed = summary["claimed"]
    said = "is said not" if claimed["noun"] == "claim" else "was ruled not"
    ends, link, name = claimed.get("ends", False), claimed.get("link", 0), summary["game"]
    told = advice(Against(claimed["noun"], name, claimed["played_on"], ends, link))
    if claimed.get("sent") and not claimed["played_on"]:
        yielding = f"; `pbem motion yield {name} --anyway` lets the claim stand" if ends else ""
        told = (
            f"a turn file was written here since then, and `pbem export {name} --all` sends all of it again{yielding}"
        )
    return f"what you signed at step {claimed['step']} {said} to have come in time: {told}"


def answer_claim(summary: dict[str, Any]) -> str:
    """What to do where a claim or a ruling stands in the place of what the player has signed."""
    name, claimed = summary["game"], summary["claimed"]
    if claimed["played_on"]:
        return _give_way(summary)
    if claimed.get("sent"):
        return f"wait for the next turn file, then `pbem import FILE`{where_it_was_too_late(summary)}"
    send = f"send all you have: `pbem export {name} --all -o turn.eml --eml`"
    if claimed.get("ends"):
        return f"{send}: it is not too late; or let the claim stand: `pbem motion yield {name} --anyway`"
    return f"{send}; where it comes too late, {_give_way(summary)}"


def comes_first(summary: dict[str, Any]) -> bool:
    """Whether something is to be done about a claim or a ruling before anything else."""
    claimed = summary.get("claimed")
    return claimed is not None and (claimed["played_on"] or not claimed.get("sent"))


def where_it_was_too_late(summary: dict[str, Any]) -> str:
    """What is to be done where the others go on from a claim or a ruling although all was sent, or nothing."""
    claimed = summary.get("claimed")
    if not claimed or claimed.get("ends"):
        return ""
    return f"; where the others go on from the {claimed['noun']} all the same, {_give_way(summary)}"


def _give_way(summary: dict[str, Any]) -> str:
    name, claimed = summary["game"], summary["claimed"]
    give_way = f"give way to the {claimed['noun']}: `pbem motion yield {name}"
    if not claimed.get("link"):
        return f"{give_way}`"
    return (
        f"{give_way} --anyway`, and `pbem motion rotate {name}` before your next decision, since your link of step "
        f"{claimed['link']} may be known"
    )

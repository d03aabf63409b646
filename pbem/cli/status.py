"""`pbem status`: reads the summary that the last change of a game left, without replaying anything."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from pbem.cli.frame import as_json, complain, data_option, home_folder, json_option, say
from pbem.cli.printing import ADJUDICATOR, GRACE_HOURS, REFEREE, judge_among
from pbem.errors import PbemError
from pbem.log.enumeration import enumerated

NAMED = 16
"""Digits of an event's id, by which one of several requests is named."""

if TYPE_CHECKING:
    from pathlib import Path

    from pbem.store.database import Home
    from pbem.store.rows import StoredGame


@click.command()
@click.argument("game", required=False)
@click.option("--all", "everything", is_flag=True, help="Those that `pbem forget` has put aside, too.")
@json_option
@data_option
def status(game: str | None, everything: bool, in_json: bool, data: Path | None) -> int:
    """Say what is awaited, from whom, until when; the last line says what to do now.

    A game of which that cannot be told here hides no other one. With --data, what is told of a game with data of your
    own is found again where it is missing, as after a restore, and kept.

    \b
    pbem status                 all games of this home
    pbem status westerplatte    one game
    pbem status --all           those too that were put aside
    """
    from pbem.app.aside import listed
    from pbem.store.database import Home

    with Home.open(home_folder()) as home:
        rows = [home.game(game)] if game else list(home.games() if everything else listed(home))
        told = [_told(home, row, data) for row in rows]
        hidden = 0 if told else len(home.games())
    found = [one for one in told if isinstance(one, dict)]
    failed = [(row, one) for row, one in zip(rows, told, strict=True) if isinstance(one, PbemError)]
    if game and failed:
        raise failed[0][1]
    if in_json:
        as_json([*found, *(_failure(row, error) for row, error in failed)])
    else:
        _print_all(found, hidden if not told else None)
    for row, error in failed:
        complain(f"{row.name}: {error}", error.hint)
    return 1 if failed else 0


def _print_all(found: list[dict[str, Any]], hidden: int | None) -> None:
    """Every game, or how many are put aside where none is listed."""
    if hidden is not None:
        aside = f" ({hidden} put aside: `pbem status --all`)" if hidden else ""
        say(f"No game yet{aside}. Do now: `pbem new GAME …` to propose one, or `pbem accept FILE` to join one.")
    for index, summary in enumerate(found):
        if index:
            say()
        _print(summary)


def _told(home: Home, row: StoredGame, data: Path | None) -> dict[str, Any] | PbemError:
    """The summary of a game, or why there is none."""
    try:
        return _summary(home, row, data)
    except PbemError as error:
        return error


def _failure(row: StoredGame, error: PbemError) -> dict[str, Any]:
    """A game that cannot be summarised, for programs."""
    fault = {"code": error.code, "text": error.text, "hint": error.hint}
    return {"game": row.name, "id": row.game_id, "role": row.role, "ruleset": row.ruleset, "error": fault}


def _summary(home: Home, row: StoredGame, data: Path | None) -> dict[str, Any]:
    """The summary that was kept, or a fresh one where there is none; and whether the game is put aside."""
    from pbem.app.aside import is_aside
    from pbem.app.kept import keep_missing, summary_of

    if data:
        keep_missing(home, row, data)
    found = summary_of(home, row)
    return {**found, "aside": is_aside(home, row.game_id), "bad_deposits": bad_deposits_noted(home, row.game_id)}


def bad_deposits_noted(home: Home, game: str) -> str:
    """Whose deposits the referee of this home cannot vouch for, as the last import of the game has noted it."""
    return (home.meta(f"bad_deposits/{game}") or b"").decode("ascii")


def _print(summary: dict[str, Any]) -> None:
    say(f"{summary['game']}: {summary['title']}, you are {_parties(summary)}")
    turn = f"turn {summary['turn']}, " if summary["turn"] else ""
    say(f"  {turn}step {summary['step']}, game {summary['id'][:12]}")
    if summary["show_only"]:
        say("  for show only: the keys of this game come from a seed that anybody may know")
    if summary["aside"]:
        say(f"  put aside: `pbem forget {summary['game']} --undo` lists it again")
    for line in _stopped(summary):
        say(f"  {line}")
    for waiting in () if summary["fork"] else summary["waiting"]:
        say(f"  waiting for {waiting['role']}: {waiting['text']}{_until(summary, waiting)}")
    for line in (*_moved(summary), *_unsure(summary)):
        say(f"  {line}")
    if summary["result"]:
        say(f"  result: {summary['result']['text']} ({summary['result']['rule']})")
    say(f"  do now: {to_do(summary)}")


def _parties(summary: dict[str, Any]) -> str:
    """`german against Bruno (polish)`, and who the referee or the adjudicator is where there is one."""
    named = {one["role"]: one["name"] or one["address"] for one in summary["opponents"]}
    neutral = {role: named.pop(role) for role in (REFEREE, ADJUDICATOR) if role in named}
    others = ", ".join(f"{name} ({role})" for role, name in named.items())
    also = "".join(f"; the {role} is {name}" for role, name in neutral.items())
    if summary["role"] in (REFEREE, ADJUDICATOR):
        return f"the {summary['role']} of {others}{also}"
    return f"{summary['role']} against {others}{also}"


def asked_of(summary: dict[str, Any]) -> list[str]:
    """What the other side has moved or asked for and has not been answered."""
    return [one["text"] for one in summary["proposed"] if one["role"] != summary["role"]]


def _moved(summary: dict[str, Any]) -> list[str]:
    """What is asked for beside the rules, and whether the game is paused."""
    paused = f"paused: no deadline runs; `pbem motion resume {summary['game']}` lets it run again"
    asked = [line for one in summary["proposed"] for line in (one["text"], *_differing(one))]
    return [*asked, *([paused] if summary["paused"] else [])]


def _differing(proposed: dict[str, Any]) -> list[str]:
    """What other rules would change, where somebody would play on by them."""
    return [f"  {line}" for line in proposed.get("difference", ())]


def _unsure(summary: dict[str, Any]) -> list[str]:
    """What the other side has not acknowledged, and whether something may be missing here since a restore."""
    if summary["fork"]:
        return []
    from pbem.app.delivery import open_words

    lines = []
    unacknowledged, written = open_words(summary["delivery"]), summary["delivery"]["written"]
    mine = any(one["role"] == summary["role"] for one in summary["waiting"])
    if unacknowledged and written and not (mine or summary["unsent"] or summary["finished"]):
        lines.append(f"not acknowledged yet{_by(summary)}: {unacknowledged}, in your turn file of {_time(written)}")
    if summary.get("claimed"):
        lines.append(_claimed_of_you(summary))
    if summary["restored"]:
        lines.append(
            f"restored on {_time(summary['restored']['at'])} from a backup of {_time(summary['restored']['backup'])}: "
            "nothing is signed here until it is known that nothing of yours is missing"
        )
    return lines


def _by(summary: dict[str, Any]) -> str:
    """Who has to acknowledge a turn file, where that is more than one: a referee does not have to."""
    others = [one["role"] for one in summary["opponents"] if one["role"] != REFEREE]
    return f" by each of {enumerated(others)}" if len(others) > 1 else ""


def _claimed_of_you(summary: dict[str, Any]) -> str:
    """What is said against the player, and what to do about it."""
    from pbem.app.claiming import advice

    claimed = summary["claimed"]
    said = "is said not" if claimed["noun"] == "claim" else "was ruled not"
    told = advice(claimed["noun"], summary["game"], played_on=claimed["played_on"])
    return f"what you signed at step {claimed['step']} {said} to have come in time: {told}"


def _until(summary: dict[str, Any], waiting: dict[str, Any]) -> str:
    """Since when something is owed, and until when; no deadline runs for a receipt."""
    if "since" in waiting:
        return f", since {_time(waiting['since'])}"
    until = f", until {_time(summary['due'])}" if summary["due"] else ""
    return f", since {_time(summary['since'])}{until}"


def _time(seconds: int) -> str:
    import time

    return time.strftime("%Y-%m-%d %H:%M %Z", time.localtime(seconds))


def to_do(summary: dict[str, Any]) -> str:
    """What the player of a home should do now, in one sentence."""
    name, role = summary["game"], summary["role"]
    if summary["fork"]:
        return _settle(summary)
    if not summary["appointed"]:
        return "wait until both players have agreed that you are the referee: one moves your offer, the other agrees"
    if summary["given"] and summary.get("offered") and not summary["result"]:
        return (
            f"send your offer to whoever is {role} now, and wait until that side has moved it and the other agreed; "
            f"`pbem substitute FILE --as {role} -o offer.json` writes it again"
        )
    if summary["given"]:
        return f"nothing: another key holds the seat of {role}; `pbem log {name}` goes on telling what happens"
    mine = [waiting["kind"] for waiting in summary["waiting"] if waiting["role"] == role]
    if summary["behind"] or summary["lost"] or (mine and summary["restored"]):
        return _get_missing(summary)
    if summary.get("claimed") and summary["claimed"]["played_on"]:
        return _answer_claim(summary)
    return _decide(summary, mine) or _send(summary, mine)


def _decide(summary: dict[str, Any], mine: list[str]) -> str:
    """What the player has to decide, empty when it is nothing."""
    name, role = summary["game"], summary["role"]
    if "consent" in mine:
        shown = f"`pbem orders {name}` shows what it would change, then " if _changing(summary) else ""
        return f"{shown}answer the motion: `pbem motion agree {name}` or `pbem motion refuse {name}`"
    asked = [one for one in summary["proposed"] if one["role"] != role]
    if "answer" not in mine and "seal" not in mine:
        return ""
    shown = f" (`pbem orders {name}` shows what that would change)" if _changing(summary) else ""
    agree = f"agree with {_agreeing(name, asked)}{shown}, or " if asked else ""
    return f"{agree}decide: `pbem orders {name} -o orders.txt`, edit it, then `pbem orders {name} --submit orders.txt`"


def _agreeing(name: str, asked: list[dict[str, Any]]) -> str:
    """How somebody agrees to what is asked for, and to which of several requests."""
    if len(asked) == 1:
        return f"`pbem motion agree {name}`"
    ways = [f"`pbem motion agree {name} --event {one.get('event', 'ID')[:NAMED]}` ({one['text']})" for one in asked]
    return enumerated(ways, "or")


def _changing(summary: dict[str, Any]) -> bool:
    """Whether the other side would change the position or the rules, which an order sheet shows as a difference."""
    return any(one["role"] != summary["role"] and one.get("changing") for one in summary["proposed"])


def _send(summary: dict[str, Any], mine: list[str]) -> str:
    """What else there is to do: a turn file to send, or one to wait for."""
    name = summary["game"]
    if summary["role"] == _judge(summary) and "vouch" in mine and summary["bad_deposits"]:
        who = summary["bad_deposits"]
        return (
            f"tell both sides that the deposit of {who} does not open what was registered, so that play cannot go on; "
            f"`pbem motion annul {name} --why REASON` ends the game"
        )
    if summary.get("claimed"):
        return _answer_claim(summary)
    if summary["unsent"]:
        return f"send your turn file: `pbem export {name} -o turn.eml --eml`"
    if summary["finished"]:
        return f"nothing, the game is closed; keep it with `pbem archive {name} -o {name}.pbem`"
    return _by_itself(summary) if mine else _wait(summary)


def _by_itself(summary: dict[str, Any]) -> str:
    """What to do where the program answers what is owed, at once or later."""
    name = summary["game"]
    if summary.get("holding"):
        return (
            "wait until the other side has gone on from what you gave way to, then `pbem import FILE`: your share of "
            f"the dice is opened then; was yours lost? `pbem export {name}` writes it again"
        )
    return f"let the program answer: `pbem import` what came last, or `pbem export {name}`"


def _wait(summary: dict[str, Any]) -> str:
    """Whose turn file comes next, and what can be done where it does not come."""
    name = summary["game"]
    if _is_late(summary):
        return _late(summary)
    if [waiting["role"] for waiting in summary["waiting"]] == [ADJUDICATOR] and summary["hosted"]:
        again = f"was yours lost? `pbem export {name}` writes it again"
        return f"wait for the adjudicator's turn file, then `pbem import FILE`; {again}; {_without_adjudicator()}"
    waited = enumerated([waiting["role"] for waiting in summary["waiting"]])
    return (
        f"wait for {waited}'s turn file, then `pbem import FILE`; was yours lost? `pbem export {name}` writes it again"
    )


def _answer_claim(summary: dict[str, Any]) -> str:
    """What to do where a claim or a ruling stands in the place of what the player has signed."""
    name, claimed = summary["game"], summary["claimed"]
    give_way = f"give way to the {claimed['noun']}: `pbem motion yield {name}`"
    if claimed["played_on"]:
        return give_way
    return f"send all you have: `pbem export {name} --all -o turn.eml --eml`; where it comes too late, {give_way}"


def _is_late(summary: dict[str, Any]) -> bool:
    """Whether the deadline is over by this machine's clock, for something that can be claimed or ruled on."""
    import time

    never = ("accept", "deposit", "close", "vouch", "receipt")
    owed = [waiting["kind"] for waiting in summary["waiting"]]
    grace = GRACE_HOURS * 3600 if _judge(summary) == ADJUDICATOR else 0
    return bool(summary["due"]) and time.time() > summary["due"] + grace and not set(owed) <= set(never)


def _judge(summary: dict[str, Any]) -> str:
    """Who has the referee's powers, or an empty string."""
    return judge_among([summary["role"], *(one["role"] for one in summary["opponents"])])


def _late(summary: dict[str, Any]) -> str:
    """What can be done about somebody who is late."""
    name, waited = summary["game"], enumerated([waiting["role"] for waiting in summary["waiting"]])
    over = f"the deadline of {waited} is over: wait on, or"
    judge = _judge(summary)
    if judge and summary["role"] == judge:
        return f"{over} rule in the place of what is owed: `pbem motion rule {name}`"
    if judge:
        gone = f"; {_without_adjudicator()}" if summary["hosted"] else ""
        return f"{over} ask the {judge} to rule; was yours lost? `pbem export {name}` writes it again{gone}"
    owed = [waiting["kind"] for waiting in summary["waiting"] if waiting["role"] != summary["role"]]
    return f"{over} {_claimed(summary, owed[0])}"


def _without_adjudicator() -> str:
    """What is left to two players whose adjudicator is gone."""
    return (
        "is the adjudicator silent? write to it: no step is closed without its receipt; is it gone for good? both of "
        "you can go on in a new game from here (`pbem motion adjust --help`)"
    )


def _claimed(summary: dict[str, Any], kind: str) -> str:
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


def _get_missing(summary: dict[str, Any]) -> str:
    """What to do at a home that lacks events or a secret of its own, or may lack some since it was restored."""
    if summary["behind"]:
        return (
            f"get what is missing: this home is behind step {summary['behind']}, where you have signed already, and "
            "signs nothing before; ask the other side for `pbem export --all` and import that"
        )
    if summary["lost"]:
        return (
            f"tell the other side that what you sealed at step {summary['lost']} cannot be opened here: it is in no "
            "backup that was made before; only another copy of this home could, and after a deadline its default counts"
        )
    return (
        "import what has come since the backup was made, what you had imported before too; then "
        f"`pbem current {summary['game']}` says what is known, and what to do when the other side waits for you"
    )


def _stopped(summary: dict[str, Any]) -> list[str]:
    """The alarm of a game that a fork has stopped, with both events in words."""
    if not summary["fork"]:
        return []
    from pbem.app.forks import fork_sentence, rival_lines

    alarm = f"THE GAME IS STOPPED: {fork_sentence(summary['fork'], summary['role'])}"
    return [alarm, *(f"  {line}" for line in rival_lines(summary["fork"]))]


def _settle(summary: dict[str, Any]) -> str:
    fork, name = summary["fork"], summary["game"]
    if fork["role"] == summary["role"]:
        return f"send both with `pbem export {name} -o turn.eml --eml`; the other side settles which one stands"
    first, second = (rival["event"][:16] for rival in fork["rivals"])
    settle = f"settle which one stands: `pbem motion resolve {name} --keep {fork['binding'][:16] or first}`"
    choice = "" if fork["binding"] else f" for the first, `--keep {second}` for the second"
    return f"{settle}{choice}; the proof for a referee: `pbem export {name} --evidence -o proof.pbem`"


COMMANDS = {"status": status}

"""`pbem status`: reads the summary that the last change of a game left, without replaying anything."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from pbem.cli.frame import as_json, complain, data_option, home_folder, json_option, say
from pbem.cli.printing import ADJUDICATOR, GRACE_HOURS, REFEREE
from pbem.cli.silence import (
    HARMLESS,
    HOUR,
    answer_claim,
    before_play,
    claimable,
    claimed_of_you,
    comes_first,
    dated,
    giving,
    is_over,
    judge_of,
    never_begun,
    own_deadline,
    paused,
    unclosed,
    where_it_was_too_late,
    without_adjudicator,
)
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
    say(f"{summary['game']}: {summary['title']}, {_parties(summary)}")
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
        say(f"  result: {summary['result']['text']} ({summary['result']['rule']}){unclosed(summary)}")
    say(f"  do now: {to_do(summary)}")


def _parties(summary: dict[str, Any]) -> str:
    """`you are german against Bruno (polish)`, and who the referee or the adjudicator is where there is one."""
    named = {one["role"]: one["name"] or one["address"] for one in summary["opponents"]}
    neutral = {role: named.pop(role) for role in (REFEREE, ADJUDICATOR) if role in named}
    others = ", ".join(f"{name} ({role})" for role, name in named.items())
    also = "".join(f"; the {role} is {name}" for role, name in neutral.items())
    if summary["role"] in (REFEREE, ADJUDICATOR):
        return f"you are the {summary['role']} of {others}{also}"
    until = summary.get("until")
    you = f"you were {summary['role']} until step {until}" if until else f"you are {summary['role']}"
    return f"{you} against {others}{also}"


def asked_of(summary: dict[str, Any]) -> list[str]:
    """What the other side has moved or asked for and has not been answered."""
    return [one["text"] for one in summary["proposed"] if one["role"] != summary["role"]]


def _moved(summary: dict[str, Any]) -> list[str]:
    """What is asked for beside the rules, and whether the game is paused."""
    told = [one for one in summary["proposed"] if not (summary["paused"] and one.get("what") == "resume")]
    asked = [line for one in told for line in (one["text"], *_still_waiting(summary, one), *_differing(one))]
    return [*asked, *([paused(summary)] if summary["paused"] else [])]


def _still_waiting(summary: dict[str, Any], proposed: dict[str, Any]) -> list[str]:
    """Why a motion of one's own is there that was withdrawn."""
    if not proposed.get("withdrawn") or proposed["role"] != summary["role"]:
        return []
    mail = "mail it: " if summary["unsent"] else ""
    return [f"  {mail}it needs an answer all the same, which the other side's program gives by itself: it refuses"]


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
        lines.append(f"not acknowledged yet{_by(summary)}: {unacknowledged}, in your turn file of {dated(written)}")
    if summary.get("claimed"):
        lines.append(claimed_of_you(summary))
    if summary["restored"]:
        lines.append(
            f"restored on {dated(summary['restored']['at'])} from a backup of {dated(summary['restored']['backup'])}: "
            "nothing is signed here until it is known that nothing of yours is missing"
        )
    return lines


def _by(summary: dict[str, Any]) -> str:
    """Who has to acknowledge a turn file, where that is more than one: a referee does not have to."""
    others = [one["role"] for one in summary["opponents"] if one["role"] != REFEREE]
    return f" by each of {enumerated(others)}" if len(others) > 1 else ""


def _until(summary: dict[str, Any], waiting: dict[str, Any]) -> str:
    """Since when something is owed, and until when; no deadline runs for a receipt."""
    if "since" in waiting:
        return f", since {dated(waiting['since'])}"
    until = f", until {dated(summary['due'])}" if summary["due"] and not summary["paused"] else ""
    return f", since {dated(summary['since'])}{until}"


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
    if comes_first(summary):
        return answer_claim(summary)
    late = own_deadline(summary, mine)
    decide = _decide(summary, mine, " and send at once" if late else "")
    return late + (f"{decide}{where_it_was_too_late(summary)}" if decide else _send(summary, mine))


def _decide(summary: dict[str, Any], mine: list[str], at_once: str = "") -> str:
    """What the player has to decide, empty when it is nothing; `at_once` says that it is late for that."""
    name, role = summary["game"], summary["role"]
    if "consent" in mine:
        shown = f"`pbem orders {name}` shows what it would change, then " if _changing(summary) else ""
        return f"{shown}answer the motion{at_once}: `pbem motion agree {name}` or `pbem motion refuse {name}`"
    asked = [one for one in summary["proposed"] if one["role"] != role]
    if "answer" not in mine and "seal" not in mine:
        return ""
    shown = f" (`pbem orders {name}` shows what that would change)" if _changing(summary) else ""
    agree = f"agree with {_agreeing(name, asked)}{shown}, or " if asked else ""
    sheet = f"`pbem orders {name} -o orders.txt`, edit it, then `pbem orders {name} --submit orders.txt`"
    return f"{agree}decide{at_once}: {sheet}{_besides(summary)}"


def _besides(summary: dict[str, Any]) -> str:
    """How what is signed already is sent, which the other side may wait for."""
    if not summary["unsent"] or not summary.get("signed"):
        return ""
    sent = f"`pbem export {summary['game']} -o turn.eml --eml`"
    return f"; one file then sends {summary['signed']} with it, or {sent} sends that at once"


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
    if summary["role"] == judge_of(summary) and "vouch" in mine and summary["bad_deposits"]:
        who = summary["bad_deposits"]
        return (
            f"tell both sides that the deposit of {who} does not open what was registered, so that play cannot go on; "
            f"`pbem motion annul {name} --why REASON` ends the game"
        )
    if summary.get("claimed"):
        return answer_claim(summary)
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
    if before_play(summary) and is_over(summary):
        return never_begun(summary)
    if summary["role"] == judge_of(summary) and summary["due"] and _withholds(summary):
        waited = enumerated([waiting["role"] for waiting in summary["waiting"]])
        return f"wait for {waited}'s turn file, then `pbem import FILE`; behind the deadline you may {_ruling(summary)}"
    if [waiting["role"] for waiting in summary["waiting"]] == [ADJUDICATOR] and summary["hosted"]:
        again = f"was yours lost? `pbem export {name}` writes it again"
        return f"wait for the adjudicator's turn file, then `pbem import FILE`; {again}; {without_adjudicator()}"
    waited = enumerated([waiting["role"] for waiting in summary["waiting"]])
    if unclosed(summary):
        kept = f"`pbem archive {name} -o {name}.pbem` keeps it; was yours lost? `pbem export {name}` writes it again"
        return (
            f"wait for {waited}'s turn file, which closes the game, then `pbem import FILE`; the result stands without "
            f"it, and {kept}"
        )
    return (
        f"wait for {waited}'s turn file, then `pbem import FILE`; was yours lost? `pbem export {name}` writes it again"
    )


def _is_late(summary: dict[str, Any]) -> bool:
    """Whether the deadline is over by this machine's clock, for something that can be claimed or ruled on."""
    owed = [waiting["kind"] for waiting in summary["waiting"]]
    grace = GRACE_HOURS * HOUR if judge_of(summary) == ADJUDICATOR else 0
    never = set(HARMLESS) - ({"deposit"} if summary.get("begun") else set())
    return is_over(summary, grace) and not set(owed) <= never


def _late(summary: dict[str, Any]) -> str:
    """What can be done about somebody who is late."""
    name, waited = summary["game"], enumerated([waiting["role"] for waiting in summary["waiting"]])
    over = f"the deadline of {waited} is over: wait on, or"
    judge = judge_of(summary)
    if not judge and (given := giving(summary)):
        return (
            f"the deadline of {waited} is over, but you have asked to {given}: wait on, or withdraw that before you "
            f"claim anything: `pbem motion withdraw {name}`"
        )
    if judge and summary["role"] == judge:
        return f"{over} {_ruling(summary)}"
    if judge:
        gone = f"; {without_adjudicator()}" if summary["hosted"] else ""
        return f"{over} ask the {judge} to rule; was yours lost? `pbem export {name}` writes it again{gone}"
    owed = [waiting["kind"] for waiting in summary["waiting"] if waiting["role"] != summary["role"]]
    return f"{over} {claimable(summary, owed[0])}"


def _withholds(summary: dict[str, Any]) -> bool:
    """Whether a deposit is owed behind a key that came while the game went on: who withholds that loses."""
    return bool(summary.get("begun")) and any(one["kind"] == "deposit" for one in summary["waiting"])


def _ruling(summary: dict[str, Any]) -> str:
    """What a judge may do behind the deadline."""
    ends = ", which ends the game: whoever withholds a deposit has lost" if _withholds(summary) else ""
    return f"rule in the place of what is owed: `pbem motion rule {summary['game']}`{ends}"


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
    restored = summary["restored"]
    if restored.get("whole") and not restored["elsewhere"]:
        return (
            f"was the whole log that you imported on {dated(restored['whole'])} written after you restored, and have "
            "you signed nothing more in any copy of this home? Then "
            f"`pbem current {summary['game']} --confirm`; else import what the other side writes now with `pbem export "
            "--all`"
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

"""What several commands print: the terms of a proposal, what an import did, what to do next."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pbem.cli.frame import say
from pbem.log.enumeration import counted, enumerated

if TYPE_CHECKING:
    from pbem.app.desk import Desk
    from pbem.app.imported import Imported
    from pbem.app.opened import OpenGame
    from pbem.log.verify import Verified


REFEREE = "referee"
"""The name of that seat, as `pbem.log.event` has it: a command that prints loads no protocol."""
ADJUDICATOR = "adjudicator"
GRACE_HOURS = 12
"""As `pbem.log.verify` has it: from the deadline until the adjudicator may rule."""


def judge_among(roles: Sequence[str]) -> str:
    """Who has the referee's powers: the referee, else the adjudicator, else nobody (an empty string)."""
    return next((role for role in (REFEREE, ADJUDICATOR) if role in roles), "")


MAY_CLAIM = {
    "claim": "the other side may claim the game",
    "worst": "the other side may claim the worst for the silent one, and play goes on: in the place of orders their "
    "default stands, and where a share of the dice is owed the other side dictates every roll of that step",
}
"""What may follow a deadline in a game without a referee, by the remedy of its proposal."""


def own_words(key: bytes) -> str:
    """A key as words for the telephone."""
    from pbem.keys.words import fingerprint_words

    return " ".join(fingerprint_words(key))


def print_terms(desk: Desk, proposal: Verified) -> None:
    """What a proposal binds its parties to, and who is trusted with what."""
    from pbem.log.event import Propose as Proposal

    body = proposal.event.body
    assert isinstance(body, Proposal)
    say(
        f"Proposal of {body.ruleset.name} version {body.ruleset.version}, scenario {body.scenario}, "
        f"data {body.ruleset.digest[:12]}, game {proposal.id[:12]}."
    )
    for seat in body.seats:
        mark = ", who proposes" if seat.role == proposal.event.role else ""
        say(f"  {seat.role}: {seat.name or '(no name given)'} <{seat.address}>{mark}")
    roles = [seat.role for seat in body.seats]
    say_all(*(f"  {line}." for line in trust_in_dice(body.rollers, roles)))
    days, late = body.deadline_days, _when_late(judge_among(roles)) or MAY_CLAIM[body.remedy]
    say(f"  deadline: {counted(days, 'day')} an answer, then {late}." if days else "  no deadline.")
    if body.show_only:
        say("  FOR SHOW ONLY: its keys come from a seed; anybody may know them.")
    say(f"  the proposer's key in words: {own_words(proposal.key)}")
    say("  Compare these words with the proposer by telephone: a mail provider could have put in a key of its own.")
    mine = desk.profile().address
    if mine.casefold() not in {seat.address.casefold() for seat in body.seats}:
        say(f"  note: your address {mine} is not among the seats.")


def _when_late(judge: str) -> str:
    """What follows a deadline in a game with a judge, empty without one."""
    if judge == ADJUDICATOR:
        return f"behind {GRACE_HOURS} hours of grace the adjudicator rules; its receipts say what arrived when"
    return "the referee rules" if judge else ""


def trust_in_dice(rollers: Sequence[str], roles: Sequence[str]) -> list[str]:
    """Who rolls, and what that asks the others to believe, one sentence a line without its full stop.

    Whoever rolls alone chooses a chain alone; a referee or an adjudicator, who plays no side, holds the seeds of the
    players' chains.
    """
    if list(rollers) == [ADJUDICATOR]:
        return [
            "dice by the adjudicator alone, at once: it could foresee rolls, and is trusted not to tell",
            *_host(roles),
        ]
    others = [role for role in sorted(roles) if role not in (*rollers, REFEREE, ADJUDICATOR)]
    together = enumerated(sorted(rollers))
    if others:
        believed = "could choose and foresee every roll, which no archive can show"
        lines = [f"dice by {together} alone: {enumerated(others)} must trust {together}, who {believed}"]
    else:
        lines = [f"dice by {together} together: no player could choose or foresee them"]
    if judge := judge_among(roles):
        lines.append(f"the {judge} holds what opens both chains: it could foresee rolls, and is trusted not to tell")
    return [*lines, *_host(roles)]


def _host(roles: Sequence[str]) -> list[str]:
    """What players must believe of an adjudicator whoever rolls."""
    if ADJUDICATOR not in roles:
        return []
    return ["the adjudicator says what arrived when, and no step is closed without it: it could hold mails back"]


def print_imported(game: Imported) -> None:
    """What became of one game's events; the alarm of a game that is stopped comes first."""
    if game.fork:
        say_all(f"THE GAME IS STOPPED: {game.fork}", *(f"  {line}" for line in game.rivals))
    early = f", {game.early} kept until their turn comes" if game.early else ""
    say(f"{game.game}: {counted(game.taken, 'new event')}, {game.known} known already{early}.")
    if not (game.taken or game.early or game.refused or game.cut_off or game.beside):
        say("  Nothing in it is new: it came before, or it is your own file.")
    say_all(*(f"  {line}" for line in game.settled))
    if game.cut_off:
        say(f"  {counted(game.cut_off, 'event')} behind what was overruled: kept apart, no part of the game any more.")
    for role, key in sorted(game.joined.items()):
        say(f"  {role} has accepted; its key in words: {own_words(bytes.fromhex(key))}")
        say("  Compare these words by telephone: somebody else could have taken the seat.")
    say_all(*(f"  {line}" for line in (*game.beside, *game.told)))
    say_all(*(f"  answered by itself, {answered}" for answered in game.answered))
    if game.missing:
        say(f"  {game.missing}")


def say_all(*lines: str) -> None:
    """Print every line."""
    for line in lines:
        say(line)


def next_step(opened: OpenGame, desk: Desk) -> None:
    """The last line of a command that changed a game."""
    import json

    from pbem.app.summary import summarise
    from pbem.cli.status import asked_of, bad_deposits_noted, to_do

    say_all(*opened.news)
    summary = json.loads(summarise(desk.home, opened).json)
    summary["bad_deposits"] = bad_deposits_noted(desk.home, opened.row.game_id)
    say_all(*(f"  {text}" for text in asked_of(summary)))
    say(f"Do now: {to_do(summary)}")

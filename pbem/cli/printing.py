"""What several commands print: the terms of a proposal, what an import did, what to do next."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.cli.frame import say

if TYPE_CHECKING:
    from pbem.app.desk import Desk
    from pbem.app.importing import Imported
    from pbem.app.opened import OpenGame
    from pbem.log.event import Propose
    from pbem.log.verify import Verified


def counted(number: int, noun: str) -> str:
    """`1 event`, `2 events`."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


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
    say(f"  rollers: {' and '.join(body.rollers)}, {_trusted_with_dice(body)}.")
    days = body.deadline_days
    say(f"  deadline: {days} days an answer, then the other side may claim the game." if days else "  no deadline.")
    if body.show_only:
        say("  FOR SHOW ONLY: its keys come from a seed; anybody may know them.")
    say(f"  the proposer's key in words: {own_words(proposal.key)}")
    say("  Compare these words with the proposer by telephone: a mail provider could have put in a key of its own.")
    mine = desk.profile().address
    if mine.casefold() not in {seat.address.casefold() for seat in body.seats}:
        say(f"  note: your address {mine} is not among the seats.")


def _trusted_with_dice(body: Propose) -> str:
    """Who could foresee rolls: whoever opens the last link alone."""
    others = [seat.role for seat in body.seats if seat.role not in body.rollers]
    if not others:
        return "so nobody needs to be trusted with the dice"
    alone = body.rollers[0] if len(body.rollers) == 1 else "they together"
    return f"so {alone} could foresee every roll, and {' and '.join(others)} would have to trust that"


def print_imported(game: Imported) -> None:
    """What became of one game's events; the alarm of a game that is stopped comes first."""
    if game.fork:
        _say_all(f"THE GAME IS STOPPED: {game.fork}", *(f"  {line}" for line in game.rivals))
    early = f", {game.early} kept until their turn comes" if game.early else ""
    say(f"{game.game}: {counted(game.taken, 'new event')}, {game.known} known already{early}.")
    if not (game.taken or game.early or game.refused or game.cut_off):
        say("  Nothing in it is new: it came before, or it is your own file.")
    _say_all(*(f"  {line}" for line in game.settled))
    if game.cut_off:
        say(f"  {counted(game.cut_off, 'event')} behind what was overruled: kept apart, no part of the game any more.")
    for role, key in sorted(game.joined.items()):
        say(f"  {role} has accepted; its key in words: {own_words(bytes.fromhex(key))}")
        say("  Compare these words by telephone: somebody else could have taken the seat.")
    _say_all(*(f"  {line}" for line in game.told))
    _say_all(*(f"  answered by itself, {answered}" for answered in game.answered))
    if game.missing:
        say(f"  {game.missing}")


def _say_all(*lines: str) -> None:
    for line in lines:
        say(line)


def next_step(opened: OpenGame, desk: Desk) -> None:
    """The last line of a command that changed a game."""
    import json

    from pbem.app.summary import summarise
    from pbem.cli.status import asked_of, to_do

    _say_all(*opened.news)
    summary = json.loads(summarise(desk.home, opened).json)
    _say_all(*(f"  {text}" for text in asked_of(summary)))
    say(f"Do now: {to_do(summary)}")

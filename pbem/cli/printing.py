"""What several commands print: a turn file and where it went, the terms of a proposal, what an import did."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli.frame import plain, say

if TYPE_CHECKING:
    from pbem.app.desk import Desk
    from pbem.app.exporting import TurnFile
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


def write_turn_file(file: TurnFile, output: Path | None, *, eml: bool) -> None:
    """Write a turn file or its mail, or print it, and say whom to send it to."""
    from pbem.store.files import write_atomically

    data = file.mail if eml else file.armour.encode("ascii")
    to = ", ".join(plain(f"{one.name} <{one.address}>".lstrip()) for one in file.receivers)
    notes = _notes(file)
    if output is None:
        click.echo(data.decode("utf-8"), nl=False)
        for note in notes:
            say(note)
        say(f"Do now: mail the text above to {to}, with the subject: {file.subject}")
        return
    write_atomically(output, data, 0o644)
    say(f"Wrote {output}: {counted(file.events, 'event')}, {file.size} bytes compressed.")
    for note in notes:
        say(note)
    what = f"send {output} as a mail" if eml else f"mail {output}"
    say(f"Do now: {what} to {to}, with the subject: {file.subject}")


def _notes(file: TurnFile) -> list[str]:
    """What the sender of a turn file may not expect: that his move is not in it, or that nothing in it is new."""
    notes = []
    if file.owes:
        held = "does not hold it" if file.moves else "holds no move of yours"
        decide = f"`pbem orders {file.game} -o orders.txt`, edit it, then `pbem orders {file.game} --submit orders.txt`"
        notes.append(f"Note: you still owe a decision ({file.owes}); this file {held}. To decide: {decide}.")
    if not file.news:
        notes.append("Note: nothing in it is new: your last turn file held the same, or the other side has it all.")
    return notes


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
    if desk.profile().address not in {seat.address for seat in body.seats}:
        say(f"  note: your address {desk.profile().address} is not among the seats.")


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
    from pbem.cli.status import to_do

    _say_all(*opened.news)
    say(f"Do now: {to_do(json.loads(summarise(desk.home, opened).json))}")

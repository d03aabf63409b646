"""`pbem demo`: a whole game between two homes, as it goes."""

from __future__ import annotations

import tempfile
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING

import click

from pbem.cli.frame import say
from pbem.log.enumeration import counted, enumerated

if TYPE_CHECKING:
    from pbem.app.demo import Sent, Show


class _Watcher:
    """Prints mails as they go, and the board whenever a turn is over."""

    def __init__(self, verbose: bool) -> None:
        self._verbose = verbose
        self._turn = 1

    def __call__(self, sent: Sent) -> None:
        if self._verbose and sent.turn > self._turn:
            from pbem.app.board import board_text

            say()
            click.echo(board_text(sent.campaign))
        self._turn = sent.turn
        kind = "a decision" if sent.human else "by itself"
        say(f"mail {sent.number:4}  {sent.sender} to {sent.receiver}, {kind}, {counted(sent.events, 'event')}")
        for line in sent.told:
            say(f"  {line}")


@click.command()
@click.option("--game", default="westerplatte", help="The game to play.")
@click.option("--turns", type=click.IntRange(1), help="Stop after so many game turns.")
@click.option("--seed", type=int, help="Make keys, chains and bots reproducible: for show only.")
@click.option("--out", type=click.Path(path_type=Path), help="An empty folder for homes, mails and archive.")
@click.option("--bots", default="good,good", help="Which bots play, in role order: good or random.")
@click.option("--verbose", is_flag=True, help="Show the board after each turn.")
@click.option("--quiet", is_flag=True, help="Show the figures alone.")
def demo(
    game: str, turns: int | None, seed: int | None, out: Path | None, bots: str, verbose: bool, quiet: bool
) -> None:
    """Two homes play a whole game by real turn files, then a third one verifies the archive.

    \b
    pbem demo --turns 1         the short way: the first turn alone
    pbem demo
    pbem demo --seed 1 --verbose
    """
    from pbem.app.catalogue import ruleset
    from pbem.app.demo import Demo

    folder = out or Path(tempfile.mkdtemp(prefix="pbem-demo-"))
    rules = ruleset(game)
    names = _bots(bots, sorted(rules.bots()), len(rules.roles))
    say(f"In {folder}: {rules.title}, {' against '.join(rules.roles)}, bots {enumerated(names)}")
    if seed is not None:
        say("FOR SHOW ONLY: keys, chains and bots come from the seed, so anybody can foresee this game.")
    else:
        say("Fresh keys. The two homes are made without a passphrase, since they are thrown away.")
    show_ = Demo(rules, folder, seed, names)
    try:
        show = show_.play((lambda _: None) if quiet else _Watcher(verbose), turns)
    finally:
        show_.close()
    _print_figures(show)
    if not (show.verdict.finished or turns):
        from pbem.errors import BadEvidence

        raise BadEvidence("demo.unfinished", "expected a finished game, got one that stopped before its end")


def _bots(text: str, known: list[str], wanted: int) -> list[str]:
    from pbem.errors import BadRequest

    names = [name.strip() for name in text.split(",")]
    if len(names) != wanted or not set(names) <= set(known):
        raise BadRequest("demo.bots", f"expected {wanted} of {', '.join(known)} with commas, got '{text}'")
    return names


def _print_figures(show: Show) -> None:
    figures, verdict = show.counted, show.verdict
    turns = max(1, figures.turns)
    human, automatic = figures.human_mails, figures.automatic_mails
    end = "complete and closed by both" if verdict.finished else f"valid, unfinished before step {verdict.next_step}"
    say()
    if verdict.result:
        say(f"Result: {verdict.result['text']}.")
    say(f"Events: {verdict.events} in {counted(verdict.steps, 'step')}; rolls: {verdict.rolls}.")
    say(f"Mails with a decision: {human}, {human / turns:.1f} a game turn.")
    say(f"Mails that the program answered by itself: {automatic}, {automatic / turns:.1f} a game turn.")
    say(f"Files: two homes, {counted(human + automatic, 'mail')} and {show.archive_path.name} in {show.folder}")
    say(f"Verified by a home that knows nothing but the archive, in {show.verify_seconds:.2f} s: {end}.")
    say(f"Nothing else was written anywhere; `rm -r {quote(str(show.folder))}` deletes it.")
    say(f"Do now: `pbem verify {show.archive_path}`, or propose a game of your own with `pbem init` and `pbem new`.")


COMMANDS = {"demo": demo}

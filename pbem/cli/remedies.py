"""The part of `pbem motion` that answers silence and contradiction: rulings, claims, and which of two events stands."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pbem.cli.frame import data_option, only_game, say, with_desk
from pbem.cli.printing import next_step
from pbem.log.enumeration import enumerated

if TYPE_CHECKING:
    from pbem.app.desk import Desk
    from pbem.app.ruling import Ruled

game_argument = click.argument("game", required=False)
why_option = click.option("--why", default="", help="The reason, which the log keeps.")
event_option = click.option("--event", default="", help="Which of several requests: its id, or how that begins.")


@click.command()
@game_argument
@click.option("--agree", "agrees", is_flag=True, help="Agree to a motion, in the other side's place.")
@click.option("--refuse", "refuses", is_flag=True, help="Refuse a motion, in the other side's place.")
@event_option
@why_option
@data_option
@with_desk
def rule(desk: Desk, game: str | None, agrees: bool, refuses: bool, event: str, why: str) -> None:
    """As the referee, rule on what a player owes beyond the deadline, or on a motion.

    \b
    What is owed                what a ruling leads to
    a share of the dice         it is opened from what was deposited with you
    the opening of sealed       they are opened from what was deposited; what
    orders                      does not open becomes its default
    a decision, sealed or not   its default stands in its place
    an answer to a motion       --agree carries the motion out; else it is
                                refused
    a deposit with you          before play nobody loses: `pbem motion annul`
                                ends the game without a result; during the
                                game it is over: whoever withheld it has lost

    With --agree or --refuse only a motion is ruled on, which needs no deadline. A player's own answer that comes
    before the next dice counts instead of a ruling.

    \b
    pbem motion rule westerplatte --why "no answer since 1 May"
    pbem motion rule westerplatte --agree
    """
    from pbem.app.ruling import rule as ruled

    if agrees and refuses:
        raise click.UsageError("expected --agree or --refuse, got both", click.get_current_context())
    agree = agrees if agrees or refuses else None
    _say_ruled(ruled(desk, only_game(desk, game), why, agree=agree, event=event), desk)


@click.command()
@game_argument
@click.option("--why", required=True, help="The reason, which the log keeps.")
@data_option
@with_desk
def annul(desk: Desk, game: str | None, why: str) -> None:
    """As the referee, end a game that all have joined without a result, before play or during the game.

    \b
    pbem motion annul westerplatte --why "both played from a wrong map"
    """
    from pbem.app.ruling import annul as annulled

    _say_ruled(annulled(desk, only_game(desk, game), why), desk)


def _say_ruled(ruled: Ruled, desk: Desk) -> None:
    say(f"Ruled on {enumerated(ruled.words)}.")
    for line in ruled.told:
        say(f"  > {line}")
    outcome = ruled.opened.campaign.outcome
    if outcome:
        say(f"Result: {outcome.text}{f'; {outcome.winner} has won' if outcome.winner else ''}.")
    next_step(ruled.opened, desk)


@click.command()
@game_argument
@click.option(
    "--keep",
    default="",
    help="The id of the event that stands, or its first 8 digits or more, as `pbem status` names them; needed "
    "unless dice behind one of the two are known, so that it alone can stand.",
)
@data_option
@with_desk
def resolve(desk: Desk, game: str | None, keep: str) -> None:
    """Name which of two events that the other side signed at one step stands.

    \b
    pbem motion resolve westerplatte --keep 1f2e3d4c5b6a7988
    """
    from pbem.app.resolving import resolve_fork

    opened = resolve_fork(desk, only_game(desk, game), keep)
    stands = f"event {keep}" if keep else "the event behind which dice are known"
    say(f"Settled: {stands} stands, the other one stays readable in the archive.")
    next_step(opened, desk)


@click.command()
@game_argument
@click.option(
    "--dice", default="", help="Every roll of the step that you dictate, with commas, as `pbem lab` has them."
)
@data_option
@with_desk
def claim(desk: Desk, game: str | None, dice: str) -> None:
    """Claim what the proposal promises when the other side owes an answer beyond the deadline.

    A sealed answer that is not opened becomes its default; anything else lets you claim the game. What is owed
    and comes after all, before the game is closed by both, makes the claim void.

    Where the proposal says `--remedy worst`, play goes on instead: the default stands in the place of a decision, and
    where a share of the dice is owed you dictate every roll of the step: faces as numbers, cards and chits by their
    code, in the order in which they are asked for. What comes after all makes that void only until something else of
    yours stands behind it.

    Send first what you have signed: nothing is claimed before that, nor beside a request of yours to concede, to pause
    or to extend the deadline. That somebody does not close a game which is decided needs no claim: its result stands.

    \b
    pbem motion claim westerplatte
    pbem motion claim westerplatte --dice S3,joker
    """
    from pbem.app.lapsing import claim_lapse
    from pbem.engine.spelled import results

    opened = claim_lapse(desk, only_game(desk, game), results(dice))
    say("Claimed; the log says whose silence it was.")
    next_step(opened, desk)


@click.command("yield")
@game_argument
@click.option(
    "--anyway", is_flag=True, help="Even if yours may count yet, or a link of yours that rolls once more may be known."
)
@data_option
@with_desk
def yield_(desk: Desk, game: str | None, anyway: bool) -> None:
    """Let a claim or a ruling stand in the place of what you have signed, when the other side has played on from it.

    Nobody gives way by itself: what you signed in time counts here until you say otherwise. What stands behind it here
    is no part of the game any more, and stays readable in the archive. Where yours had come in time after all, the
    other side's program follows you; where dice are known behind it there, yours comes back with its next mail.

    \b
    pbem motion yield westerplatte
    """
    from pbem.app.yielding import give_way

    done = give_way(desk, only_game(desk, game), anyway=anyway)
    say(f"Given way: the {done.stands} stands, what you had signed there stays readable in the archive.")
    next_step(done.opened, desk)


COMMANDS = (rule, annul, resolve, claim, yield_)

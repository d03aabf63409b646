"""`pbem motion`: what the rules of a game do not know, and what its log needs people for."""

from __future__ import annotations

import sys
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any

import click

from pbem.cli.frame import data_option, only_game, say, text_of, with_desk
from pbem.cli.printing import next_step
from pbem.cli.remedies import COMMANDS as REMEDIES
from pbem.cli.remedies import event_option, game_argument, why_option

if TYPE_CHECKING:
    from pbem.app.desk import Desk
    from pbem.app.moving import Moved

MOST_DAYS = 3650
_FOLDER = click.Path(exists=True, file_okay=False, path_type=Path)
OLD_BACKUP = "A backup of this home that you made before is still good: it gives the new key and its dice, too."


@click.group()
def motion() -> None:
    """Change what the rules of the game do not, with the other side's consent; settle a fork, claim after a deadline.

    A motion is moved instead of a decision when the decision is yours, and stops the game until the other side has
    answered it. When the decision is the other side's, a motion asks for its consent; it may decide instead. Conceding,
    resuming and rotating a key need no consent.

    Nothing is moved or asked for while the game waits for nobody's decision: while dice or the opening of sealed orders
    are awaited. When they do not come in time, a referee rules on them (`pbem motion rule`), and where there is none
    the other side claims (`pbem motion claim`).
    """


@motion.command("take-back")
@game_argument
@click.option("--to", "step", type=click.IntRange(2), required=True, help="The step that is played anew.")
@click.option("--show", is_flag=True, help="Show what would be undone, and move nothing.")
@why_option
@data_option
@with_desk
def take_back(desk: Desk, game: str | None, step: int, show: bool, why: str) -> None:
    """Go back to a step: what it waited for is asked again, with new dice; what is undone stays readable.

    What was agreed about seats, a referee, the deadline or a pause is not undone.

    \b
    pbem motion take-back westerplatte --to 24 --show
    pbem motion take-back westerplatte --to 24 --why "I moved the wrong unit"
    """
    if show:
        from pbem.app.moving import preview

        name = only_game(desk, game)
        for line in preview(desk, name, {"what": "take_back", "step": step, "why": why}):
            say(line)
        say(f"Nothing was moved. Do now: `pbem motion take-back {name} --to {step}` moves it.")
        return
    _move(desk, game, what="take_back", step=step, why=why)


@motion.command()
@game_argument
@click.option("--position", type=click.Path(allow_dash=True, path_type=Path), required=True, help="The new position.")
@click.option("--show", is_flag=True, help="Show what would differ, and move nothing.")
@click.option("--anyway", is_flag=True, help="Move also a position in which units are lost that stand now.")
@why_option
@data_option
@with_desk
def adjust(desk: Desk, game: str | None, position: Path, show: bool, anyway: bool, why: str) -> None:
    """Put a position in place of the present one; its difference is shown, and the game must be playable from it.

    The text is all of what `pbem show GAME --position` prints, with your changes: a unit that it does not name is
    lost, and where one stands now, only --anyway moves that. A game that nothing can move any more, for
    example since its adjudicator is gone, goes on so in a new one, or a game that you began at a table; what was
    sealed is not in a position.

    \b
    pbem show westerplatte --position > position.txt
    pbem motion adjust westerplatte --position position.txt --show
    pbem motion adjust westerplatte --position position.txt --why "both forgot a reinforcement"
    pbem motion adjust anew --position position.txt --why "our adjudicator is gone"
    """
    from pbem.app.moving import move, preview

    name, matter = only_game(desk, game), {"what": "adjust", "position": text_of(position), "why": why}
    if show:
        for line in preview(desk, name, matter):
            say(line)
        say(f"Nothing was moved. Do now: `pbem motion adjust {name} --position {quote(str(position))}` moves it.")
        return
    _say_moving(move(desk, name, matter, anyway=anyway), desk)


@motion.command()
@game_argument
@click.option("--days", type=click.IntRange(1, MOST_DAYS), required=True, help="Days more for the next answer.")
@why_option
@data_option
@with_desk
def extend(desk: Desk, game: str | None, days: int, why: str) -> None:
    """Give more time for what is owed next; the deadline begins anew and is so many days longer.

    Not while dice, or the opening of sealed orders, are awaited: `pbem motion --help` says what then.

    \b
    pbem motion extend westerplatte --days 10 --why "a business trip"
    """
    _move(desk, game, what="extend", days=days, why=why)


@motion.command()
@game_argument
@why_option
@data_option
@with_desk
def pause(desk: Desk, game: str | None, why: str) -> None:
    """Stop the clock: nothing can be claimed until the game is resumed.

    Not while dice, or the opening of sealed orders, are awaited: `pbem motion --help` says what then.

    \b
    pbem motion pause westerplatte --why "holidays until the 20th"
    """
    _move(desk, game, what="pause", why=why)


@motion.command()
@game_argument
@why_option
@data_option
@with_desk
def resume(desk: Desk, game: str | None, why: str) -> None:
    """Let the clock run again, from now on; this needs nobody's consent.

    \b
    pbem motion resume westerplatte
    """
    _move(desk, game, what="resume", why=why)


@motion.command()
@game_argument
@why_option
@data_option
@with_desk
def draw(desk: Desk, game: str | None, why: str) -> None:
    """Offer a draw.

    Not while dice, or the opening of sealed orders, are awaited: `pbem motion --help` says what then.

    \b
    pbem motion draw westerplatte --why "neither of us can win this any more"
    """
    _move(desk, game, what="draw", why=why)


@motion.command()
@game_argument
@why_option
@data_option
@with_desk
def concede(desk: Desk, game: str | None, why: str) -> None:
    """Give the game up: the other side has won; this needs nobody's consent.

    Not while dice, or the opening of sealed orders, are awaited: `pbem motion --help` says what then.

    \b
    pbem motion concede westerplatte
    """
    _move(desk, game, what="concede", why=why)


@motion.command()
@game_argument
@why_option
@data_option
@with_desk
def rotate(desk: Desk, game: str | None, why: str) -> None:
    """Sign with the key from now on that this home committed to when it joined; this needs nobody's consent.

    \b
    pbem motion rotate westerplatte --why "my laptop was stolen"
    """
    from pbem.app.seats import rotate as rotated

    _say_moving(rotated(desk, only_game(desk, game), why), desk, OLD_BACKUP)


@motion.command("hand-over")
@game_argument
@click.option(
    "--offer", type=click.Path(allow_dash=True, path_type=Path), required=True, help="What `pbem substitute` wrote."
)
@why_option
@data_option
@with_desk
def hand_over(desk: Desk, game: str | None, offer: Path, why: str) -> None:
    """Give your seat to somebody who has offered to take it; the other side must agree.

    Whoever takes it brings keys of its own and knows what the log says. What you have sealed and nothing has opened
    stays in your home, which has no part in the game any more, and is named: nobody can open it before play asks for
    it, and then its default counts, unless a referee or an adjudicator opens it from what was deposited. To keep it,
    hand over when it has been opened.

    \b
    pbem motion hand-over westerplatte --offer offer.json --why "no time until spring"
    """
    from pbem.app.seats import hand_over as handed

    _say_moving(handed(desk, only_game(desk, game), text_of(offer), why), desk)


@motion.command("ruleset")
@game_argument
@click.option("--to", "version", type=click.IntRange(0), help="The version to play on by; without it, the newest here.")
@click.option("--data", "folder", type=_FOLDER, help="Your own data for that version, instead of the game's.")
@click.option("--present", type=_FOLDER, help="Your own data that the game is played with now, where it is.")
@click.option("--show", is_flag=True, help="Only show what would differ; nothing is signed.")
@why_option
def ruleset(
    game: str | None, version: int | None, folder: Path | None, present: Path | None, show: bool, why: str
) -> None:
    """Play on by another version of the rules, or with other data, from the present position.

    What has been played is replayed by those rules with the same answers and dice, and what would have been different
    is shown. `pbem games` lists the versions that are here. From the change on, every command needs --data where data
    of your own are played with: a folder of them, or one in which every folder that the game has used lies.

    \b
    pbem motion ruleset westerplatte --to 2 --show
    pbem motion ruleset westerplatte --to 2 --why "the mended rule 7.3"
    """
    _by_other_rules(game, version, folder, data=present, show=show, why=why)


@with_desk
def _by_other_rules(
    desk: Desk, game: str | None, version: int | None, folder: Path | None, *, show: bool, why: str
) -> None:
    from dataclasses import replace

    from pbem.app.succession import move_rules, show_rules

    name = only_game(desk, game)
    for line in show_rules(desk, name, version, folder):
        say(line)
    if show:
        say(f"Nothing is signed. Do now: `pbem status {name}`; `pbem motion ruleset {name}` without --show moves it.")
        return
    if sys.stdin.isatty():
        click.confirm("Sign this motion?", abort=True)
    _say_moving(replace(move_rules(desk, name, version, folder, why), difference=[]), desk)


@motion.command()
@game_argument
@click.option(
    "--offer",
    type=click.Path(allow_dash=True, path_type=Path),
    required=True,
    help="What `pbem substitute FILE --as referee -o OFFER` wrote.",
)
@click.option("--deadline-days", "days", type=click.IntRange(0, MOST_DAYS), default=0, help="A deadline from then on.")
@why_option
@data_option
@with_desk
def appoint(desk: Desk, game: str | None, offer: Path, days: int, why: str) -> None:
    """Give the game a referee, or another one; the other side must agree, a referee's ruling does not do.

    Both sides then deposit with the new referee what opens their dice, and nobody claims the game any more.

    \b
    pbem motion appoint westerplatte --offer offer.json --deadline-days 7
    """
    from pbem.app.seats import appoint as appointed

    _say_moving(appointed(desk, only_game(desk, game), text_of(offer), days, why), desk)


@motion.command()
@game_argument
@event_option
@data_option
@with_desk
def agree(desk: Desk, game: str | None, event: str) -> None:
    """Agree to what the other side has moved or asked for.

    `pbem orders` shows what that is; a sheet that says `agree` and nothing else does the same.

    \b
    pbem motion agree westerplatte
    """
    from pbem.app.moving import reply

    say_moved(reply(desk, only_game(desk, game), agree=True, event=event), desk)


@motion.command()
@game_argument
@click.option("--event", default="", help="Which of several of yours: its id, or how that begins.")
@data_option
@with_desk
def withdraw(desk: Desk, game: str | None, event: str) -> None:
    """Withdraw what you have moved or asked for, while the other side has not answered.

    Its program then refuses a motion by itself, and does not agree to a request any more. An answer that was signed
    before this comes counts all the same.

    \b
    pbem motion withdraw westerplatte
    """
    from pbem.app.withdrawing import withdraw as withdrawn

    moved = withdrawn(desk, only_game(desk, game), event)
    say(f"Withdrawn: to {moved.words}. What the other side has answered already counts all the same.")
    say_moved(moved, desk)


@motion.command()
@game_argument
@data_option
@with_desk
def refuse(desk: Desk, game: str | None) -> None:
    """Refuse what the other side has moved; what it only asked for is refused by your decision.

    A sheet that says `refuse` and nothing else does the same.

    \b
    pbem motion refuse westerplatte
    """
    from pbem.app.moving import reply

    say_moved(reply(desk, only_game(desk, game), agree=False), desk)


def _move(desk: Desk, game: str | None, **matter: Any) -> None:
    from pbem.app.moving import move

    _say_moving(move(desk, only_game(desk, game), matter), desk)


def _say_moving(moved: Moved, desk: Desk, more: str = "") -> None:
    say(f"{'Asked' if moved.asked else 'Moved'}: to {moved.words}.")
    if moved.by_itself:
        say("The other side's program agrees by itself when it imports this.")
    if more:
        say(more)
    for line in moved.warnings:
        say(line)
    say_moved(moved, desk)


def say_moved(moved: Moved, desk: Desk) -> None:
    """What a motion or the answer to one led to."""
    for line in moved.difference:
        say(f"  {line}")
    for line in moved.told:
        say(f"  > {line}")
    for line in moved.answered:
        say(f"  answered by itself, {line}")
    next_step(moved.opened, desk)


for _remedy in REMEDIES:
    motion.add_command(_remedy)

COMMANDS = {"motion": motion}

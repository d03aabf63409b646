"""`pbem forget`, `pbem passphrase`: a home kept in order."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pbem.cli.frame import say, with_desk
from pbem.cli.joining import LOST_PASSPHRASE, new_passphrase

if TYPE_CHECKING:
    from pbem.app.desk import Desk


@click.command()
@click.argument("game")
@click.option("--anyway", is_flag=True, help="Put aside a game that is in play, too.")
@click.option("--undo", is_flag=True, help="List a game again that was put aside.")
@with_desk
def forget(desk: Desk, game: str, anyway: bool, undo: bool) -> None:
    """Put a game aside: it is no longer listed, and nothing of it is deleted.

    That is for a proposal that nobody accepted, a game that is over, and one that a fork has stopped. A turn file
    that comes for it lists it again.

    \b
    pbem forget westerplatte
    pbem forget westerplatte --undo
    pbem status --all            the games that are put aside, too
    """
    from pbem.app.aside import put_aside, recall

    if undo:
        say(f"{recall(desk, game).name} is listed again. Do now: `pbem status`.")
        return
    name = put_aside(desk, game, anyway=anyway).row.name
    say(f"Put aside: {name} is no longer listed. Everything of it stays in this home.")
    say(f"Do now: nothing; `pbem status --all` shows it, `pbem forget {name} --undo` lists it again.")


@click.command()
@click.option("--no-passphrase", is_flag=True, help="Leave the keys unencrypted on this disk from now on.")
@with_desk
def passphrase(desk: Desk, no_passphrase: bool) -> None:
    """Change the passphrase of your home: the old one is asked for, then the new one, twice.

    PBEM_PASSPHRASE answers for the old one, PBEM_NEW_PASSPHRASE for the new one.

    \b
    pbem passphrase
    pbem passphrase --no-passphrase
    """
    desk.vault()
    new = None if no_passphrase else new_passphrase("PBEM_NEW_PASSPHRASE", "new passphrase for this home")
    desk.change_passphrase(new)
    if no_passphrase:
        say("Changed: this home has NO passphrase now: whoever reads this disk can sign in your name.")
    else:
        say("Changed: this home opens with the new passphrase alone.")
        say(LOST_PASSPHRASE)
    say("Do now: nothing; a copy of this home that was made before still opens as it did then.")


COMMANDS = {"forget": forget, "passphrase": passphrase}

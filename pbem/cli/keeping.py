"""`pbem forget`, `pbem passphrase`, `pbem backup`, `pbem restore`, `pbem current`: a home kept in order, and safe."""

from __future__ import annotations

from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any

import click

from pbem.cli.frame import (
    as_json,
    ask_passphrase,
    data_option,
    force_option,
    home_folder,
    json_option,
    only_game,
    say,
    with_desk,
)
from pbem.cli.joining import LOST_PASSPHRASE, NO_PASSPHRASE, new_passphrase
from pbem.cli.printing import next_step
from pbem.log.enumeration import counted

if TYPE_CHECKING:
    from pbem.app.desk import Desk
    from pbem.log.event import Event

_home_option = click.option(
    "--home",
    type=click.Path(path_type=Path),
    help="The folder of the home; else PBEM_HOME, or this machine's usual place.",
)
DANGER = (
    "Danger: what you signed after the backup was made counts, even if it lies unread in the other side's mailbox. If "
    "you sign at the same place again, two answers of yours contradict each other: the game stops, and anybody can "
    "prove that it was you."
)


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


@click.command()
@click.option("-o", "--output", type=click.Path(path_type=Path), required=True, help="The file to write.")
@click.option("--plain", is_flag=True, help="Write a home without a passphrase all the same, NOT encrypted.")
@_home_option
@force_option
def backup(output: Path, plain: bool, home: Path | None, force: bool) -> None:
    """Write your whole home into one file: keys, secrets, games, standing orders and drafts.

    It is encrypted under the passphrase that the home has now. An older backup of the same home is written over,
    unless it knows something that the home does not.

    \b
    pbem backup -o home.backup
    """
    from pbem.app.backup import back_up
    from pbem.app.desk import Desk
    from pbem.store.database import Home

    with Home.open(home or home_folder()) as opened:
        done = back_up(Desk(opened, passphrase=ask_passphrase), output, plain=plain, force=force)
    say(f"Wrote {output}: {counted(done.games, 'game')}, {done.size} bytes.")
    if done.protected:
        say("It opens with the passphrase that this home has now, and with no other: keep both, in different places.")
    else:
        say("It is NOT encrypted: whoever reads it can sign in your name and read your secrets.")
    say("A game that you join later, and a plan that you seal later, is not in it: make a new one then.")
    say(f"Do now: keep it on another disk; `pbem restore {quote(str(output))} --home FOLDER` makes a home of it.")


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@_home_option
def restore(file: Path, home: Path | None) -> None:
    """Make a home out of a backup, in a folder that is empty or missing.

    Nothing is signed in a restored game before it is known that nothing of yours is missing: see `pbem current`.

    \b
    pbem restore home.backup --home recovered
    """
    from pbem.app.restoring import restore as restore_home

    folder = home or home_folder()
    done = restore_home(file, folder, ask_passphrase)
    say(f"Restored the home of {done.profile.name} <{done.profile.address}> in {folder}, as it was {_on(done.made)}.")
    if not done.protected:
        say(NO_PASSPHRASE)
    say(f"Games: {', '.join(done.games)}." if done.games else "It has no game.")
    say("What you joined or sealed later is not in it: do not accept such an invitation again, agree on a new game.")
    say("Use this home alone from now on: nothing may be signed any more in any other copy of it.")
    if done.games:
        say("In a game nothing is signed here until it is known that nothing of yours is missing.")
        say("Do now: `pbem import` what has come since then, also what you had imported before; then `pbem status`.")
    else:
        say("Do now: `pbem new GAME …` to propose a game, or `pbem accept FILE` to join one.")


@click.command()
@click.argument("game", required=False)
@click.option("--confirm", is_flag=True, help="Say that you have signed nothing in the game that is missing here.")
@json_option
@data_option
@with_desk
def current(desk: Desk, game: str | None, confirm: bool, in_json: bool) -> None:
    """Say what is known about a restored game, and whether something of yours may be missing in it.

    The first event that the other side signs after you restored your home shows that nothing is missing. When the other
    side waits for you, no such event comes: then only you can say so, with --confirm.

    \b
    pbem current westerplatte
    pbem current westerplatte --confirm
    """
    name = only_game(desk, game)
    if not confirm:
        _show_current(desk, name, in_json=in_json)
        return
    if in_json:
        raise click.UsageError("--json goes without --confirm")
    from pbem.app.restoring import confirm_current

    opened, answered = confirm_current(desk, name)
    say(f"Noted: you say that nothing of yours is missing in {opened.row.name}.")
    for line in answered:
        say(f"  answered by itself, {line}")
    next_step(opened, desk)


def _show_current(desk: Desk, name: str, *, in_json: bool) -> None:
    from pbem.app.current import doubt, newest, others_of
    from pbem.app.opened import open_game

    opened = open_game(desk.home, name, desk.games)
    mark, known, others = doubt(desk.home, opened), newest(opened), others_of(opened)
    if in_json:
        as_json(
            {
                "game": opened.row.name,
                "current": mark is None,
                "restored": mark.at if mark else 0,
                "backup": mark.made if mark else 0,
                "elsewhere": mark.elsewhere if mark else 0,
                "newest": {"own": _data(known.own), "theirs": _data(known.theirs)},
            }
        )
        return
    if mark is None:
        say(f"{opened.row.name} is current: it was not restored, or it is known that nothing of yours is missing.")
        say("Do now: `pbem status`.")
        return
    say(f"{opened.row.name}: restored {_on(mark.at)} from a backup that was made {_on(mark.made)}.")
    say(f"  your newest event here: {_told(known.own)}")
    say(f"  the newest event of {others} here: {_told(known.theirs)}")
    if mark.elsewhere:
        say(f"  another copy of this home is in use: it signed at step {mark.elsewhere} after this one was restored.")
    say(DANGER)
    if mark.whole and not mark.elsewhere:
        say(
            f"Do now: a whole log of {others} was imported {_on(mark.whole)}. Was it written after you restored, and "
            "are you sure that you signed nothing more in any copy of this home? Then "
            f"`pbem current {opened.row.name} --confirm`; else import what is written there now with `pbem export "
            "--all`."
        )
        return
    say(
        f"Do now: ask {others} for `pbem export --all`, written now, and import that. If {others} waits for you and "
        f"you are sure that you signed nothing more in any copy of this home: `pbem current {opened.row.name} "
        "--confirm`."
    )


def _told(found: Event | None) -> str:
    from pbem.log.nouns import NOUNS

    return f"step {found.step}, {NOUNS[found.kind]}, dated {_time(found.at)}" if found else "none"


def _data(found: Event | None) -> dict[str, Any] | None:
    return {"step": found.step, "kind": found.kind, "at": found.at} if found else None


def _on(seconds: int) -> str:
    return f"on {_time(seconds)}"


def _time(seconds: int) -> str:
    import time

    return time.strftime("%Y-%m-%d %H:%M %Z", time.localtime(seconds))


COMMANDS = {"forget": forget, "passphrase": passphrase, "backup": backup, "restore": restore, "current": current}

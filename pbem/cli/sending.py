"""How a turn file leaves: into a file, as a mail that is ready to send, or to the standard output.

Only what was written counts as sent; `pbem.app.outputs` says what may be written over.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING

import click

from pbem.cli.frame import F, force_option, plain, say, with_options
from pbem.errors import PbemError
from pbem.log.enumeration import counted

if TYPE_CHECKING:
    from pbem.app.desk import Desk
    from pbem.app.exporting import TurnFile
    from pbem.app.outputs import Loss


@dataclass(frozen=True, slots=True)
class Target:
    """Where a turn file goes: `output` is None for the standard output."""

    output: Path | None
    eml: bool
    force: bool

    @property
    def as_mail(self) -> bool:
        """Whether it is written as a mail: when that was asked for, or the file is named like one."""
        return self.eml or (self.output is not None and self.output.suffix.lower() == ".eml")


def target_options(command: F) -> F:
    """The options of every command that writes a turn file."""
    output = click.option(
        "-o", "--output", type=click.Path(path_type=Path), help="The file to write; else the turn file is printed."
    )
    eml = click.option("--eml", is_flag=True, help="Write a mail that is ready to send, as for a file named .eml.")
    return with_options(command, output, eml, force_option)


def send(desk: Desk, name: str, target: Target, *, robust: bool = False, everything: bool = False) -> None:
    """Write the turn file of a game, and say whom to send it to; the rest is as for `pbem.app.exporting.export`."""
    from pbem.app.exporting import export
    from pbem.app.outputs import turn_file_loss

    loss = turn_file_loss(desk.home, desk.home.game(name).game_id)
    deliver = partial(_write, target=target, loss=loss)
    _tell(export(desk, name, deliver, robust=robust, everything=everything), target)


def check_first(target: Target) -> None:
    """Raise what speaks against the target before a game is made whose file would have to go there."""
    from pbem.app.outputs import anything, check_output

    if target.output is not None:
        check_output(target.output, anything, force=target.force)


def send_first(desk: Desk, name: str, target: Target, done: str) -> None:
    """Write the first turn file of a game that was just made; a failure says that it was, and how to get the file."""
    from pbem.app.exporting import export
    from pbem.app.outputs import anything

    with _said_to_be_done(name, target, done):
        file = export(desk, name, lambda file: _write(file, target, anything))
    _tell(file, target)


@contextmanager
def _said_to_be_done(name: str, target: Target, done: str) -> Iterator[None]:
    try:
        yield
    except PbemError as error:
        into = f" -o {quote(target.output.name)}" if target.output else ""
        eml = " --eml" if target.eml else ""
        error.hint = f"{done} all the same: do not repeat this, `pbem export {name}{into}{eml}` writes its file"
        raise


def _write(file: TurnFile, target: Target, loss: Loss) -> None:
    from pbem.app.outputs import write_output
    from pbem.store.faults import disk_spoken

    data = file.mail if target.as_mail else file.armour.encode("ascii")
    if target.output is not None:
        write_output(target.output, data, loss, force=target.force)
        return
    with disk_spoken("write to", Path("the standard output")):
        _print(data.decode("utf-8"))


def _print(text: str) -> None:
    """Bring a text to where it goes; where that fails, the end of the process does not try again."""
    try:
        click.echo(text, nl=False)
    except OSError:
        sys.stdout = Path(os.devnull).open("w")  # noqa: SIM115 - it is there until the process ends
        raise


def _tell(file: TurnFile, target: Target) -> None:
    """What was written, what its sender may not expect, and whom to send it to."""
    to = ", ".join(plain(f"{one.name} <{one.address}>".lstrip()) for one in file.receivers)
    if target.output is not None:
        say(f"Wrote {target.output}: {counted(file.events, 'event')}, {file.size} bytes compressed.")
    for note in _notes(file):
        say(note)
    say(f"Do now: {_how(target)} to {to}, with the subject: {file.subject}")


def _how(target: Target) -> str:
    if target.output is None:
        return "mail the text above"
    return f"send {target.output} as a mail" if target.as_mail else f"mail {target.output}"


def _notes(file: TurnFile) -> list[str]:
    """What the sender of a turn file may not expect: that his move is not in it, or that nothing in it is new."""
    notes = []
    if file.owes:
        only = f", only {file.holds}" if file.holds else ""
        held = "does not hold it" if file.moves else f"holds no move of yours{only}"
        decide = f"`pbem orders {file.game} -o orders.txt`, edit it, then `pbem orders {file.game} --submit orders.txt`"
        notes.append(f"Note: you still owe a decision ({file.owes}); this file {held}. To decide: {decide}.")
    if not file.news:
        notes.append("Note: nothing in it is new: your last turn file held the same, or the other side has it all.")
        if file.unacknowledged:
            notes.append(
                f"Note: not acknowledged yet: {file.unacknowledged}; the next turn file of the other side shows that "
                f"it came. Has it lost more than that? `pbem export {file.game} --all` sends the whole log."
            )
    return notes

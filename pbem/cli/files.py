"""`pbem export`, `pbem import`, `pbem archive`, `pbem verify`: what goes out, what comes in, what is kept."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pbem.cli.frame import as_json, complain, data_option, json_option, only_game, say, with_desk
from pbem.cli.printing import next_step, print_imported, write_turn_file
from pbem.cli.verdict import print_verdict, verdict_data
from pbem.errors import BadEvidence, BadRequest, PbemError

if TYPE_CHECKING:
    from pbem.app.desk import Desk
    from pbem.app.routing import Arrived

MOST_TOLD = 20
"""Refused events and files that are told one by one."""


def read_source(source: Path) -> Arrived:
    """What is in a file or folder, or on the standard input for `-`."""
    from pbem.app.routing import incoming, incoming_from
    from pbem.log.bundle import MAX_ARCHIVE_BYTES

    if str(source) == "-":
        return incoming(sys.stdin.buffer.read(MAX_ARCHIVE_BYTES), "the standard input")
    return incoming_from(source)


@click.command()
@click.argument("game", required=False)
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), help="The file to write; else the turn file is printed."
)
@click.option("--eml", is_flag=True, help="Write a mail that is ready to send.")
@click.option("--robust", is_flag=True, help="An armour that survives lower-casing, a fifth longer.")
@click.option(
    "--all", "everything", is_flag=True, help="Send the whole log, for an opponent who lost a mail or a disk."
)
@click.option("--evidence", is_flag=True, help="Write the proof of a fork instead, which `pbem verify` accepts.")
@data_option
@with_desk
def export(
    desk: Desk, game: str | None, output: Path | None, eml: bool, robust: bool, everything: bool, evidence: bool
) -> None:
    """Write the turn file to mail to the other side: every event that it is not known to have.

    \b
    pbem export westerplatte -o turn.eml --eml
    pbem export westerplatte | mail -s "my turn" bruno@example.org
    """
    from pbem.app.exporting import evidence_file
    from pbem.app.exporting import export as export_game
    from pbem.store.files import write_atomically

    name = only_game(desk, game)
    if not evidence:
        write_turn_file(export_game(desk, name, robust=robust, everything=everything), output, eml=eml)
        return
    if output is None:
        raise BadRequest("evidence.output", "expected a file to write the evidence to, got none", "name one with -o")
    write_atomically(output, evidence_file(desk, name), 0o644)
    say(f"Wrote {output}. Do now: send it to a referee, or to anybody, who checks it with `pbem verify {output}`.")


@click.command(name="import")
@click.argument("source", type=click.Path(allow_dash=True, path_type=Path))
@json_option
@data_option
@with_desk
def import_(desk: Desk, source: Path, in_json: bool) -> None:
    """Take in what came: a turn file, pasted text, .eml, mbox, Maildir or a folder; - is the standard input.

    \b
    pbem import turn.eml
    pbem import ~/Downloads
    xclip -o | pbem import -
    """
    from pbem.app.importing import import_arrived, require_something

    arrived = read_source(source)
    result = import_arrived(desk, arrived)
    if in_json:
        as_json(_import_data(result, arrived))
    else:
        for note in arrived.notes:
            say(f"note: {note}")
        for game in result.games:
            print_imported(game)
    require_something(result)
    _tell_refused([*result.failed, *(reason for game in result.games for reason in game.refused)])
    if not in_json:
        _say_what_next(desk, result, source)


def _tell_refused(reasons: Sequence[PbemError]) -> None:
    for error in reasons[:MOST_TOLD]:
        complain(f"refused: {error}", error.hint)
    if len(reasons) > MOST_TOLD:
        complain(f"refused: {len(reasons) - MOST_TOLD} more")


def _import_data(result: Any, arrived: Arrived) -> dict[str, Any]:
    from dataclasses import fields

    games = [{one.name: getattr(game, one.name) for one in fields(game)} for game in result.games]
    for game in games:
        game["refused"] = [str(reason) for reason in game["refused"]]
    notes = [str(note) for note in arrived.notes]
    return {
        "games": games,
        "notes": notes,
        "failed": [str(e) for e in result.failed],
        "proposals": len(result.proposals),
    }


def _say_what_next(desk: Desk, result: Any, source: Path) -> None:
    from pbem.app.opened import open_game

    for proposal in result.proposals:
        say(f"A proposal by {proposal.event.role} (game {proposal.id[:12]}). Do now: `pbem accept {source} --show`")
    for game in result.games:
        next_step(open_game(desk.home, game.game, desk.games), desk)


@click.command()
@click.argument("game", required=False)
@click.option("-o", "--output", type=click.Path(path_type=Path), required=True, help="The file to write.")
@data_option
@with_desk
def archive(desk: Desk, game: str | None, output: Path) -> None:
    """Write a whole campaign into one text file; the same log gives the same bytes.

    \b
    pbem archive westerplatte -o westerplatte.pbem
    """
    from pbem.app.archive import archive as archive_game
    from pbem.store.files import write_atomically

    contents = archive_game(desk, only_game(desk, game))
    write_atomically(output, contents, 0o644)
    say(
        f"Wrote {output}: {len(contents)} bytes. Do now: give it to anybody, who checks it with `pbem verify {output}`."
    )


@click.command()
@click.argument("target")
@click.option("--running", is_flag=True, help="Be content with a game that is not finished.")
@json_option
@data_option
def verify(target: str, running: bool, in_json: bool, data: Path | None) -> None:
    """Verify an archive file, evidence, or a game of this home: every signature, step, roll and decision.

    Exit status 0 only when everything holds and the game is closed by every party.

    \b
    pbem verify westerplatte.pbem
    pbem verify westerplatte --running
    """
    from pbem.app.catalogue import for_proposal
    from pbem.app.verify import verify as verify_archive

    contents = _contents(target, data)
    _check_is_archive(contents, target)
    verdict = verify_archive(contents, for_proposal(data), _progress())
    if in_json:
        as_json(verdict_data(verdict))
    else:
        print_verdict(verdict, running=running)
    if not (verdict.finished or verdict.fork or running):
        raise BadRequest(
            "verify.unfinished",
            f"expected a game closed by every party, got one that ends before step {verdict.next_step}, "
            f"which waits for {verdict.waiting}",
            "a running game? say --running; a finished one? its end has been cut off",
        )


def _contents(target: str, data: Path | None) -> bytes:
    from pbem.log.bundle import MAX_ARCHIVE_BYTES
    from pbem.store.files import read_limited

    path = Path(target)
    if path.is_file():
        return read_limited(path, MAX_ARCHIVE_BYTES)
    if path.suffix or len(path.parts) > 1 or path.is_dir():
        what = "a folder" if path.is_dir() else "no file"
        text = f"expected an archive file or a game of this home, got '{target}', which is {what}"
        raise BadRequest("verify.file", text, "`pbem archive GAME -o FILE` writes an archive")
    found: bytes = _archived(target, data=data)
    return found


def _check_is_archive(contents: bytes, target: str) -> None:
    """Raise BadEvidence for what is plainly no archive, in words for somebody who took the wrong file."""
    if contents.startswith(b"pbem-log "):
        return
    if b"BEGIN PBEM TURN FILE" in contents:
        hint = "`pbem import` takes it in, which verifies it; `pbem archive GAME -o FILE` writes an archive"
        raise BadEvidence("verify.turn_file", f"expected an archive, got a turn file in '{target}'", hint)
    got = "something else" if contents else "an empty file"
    text = f"expected an archive, which begins with 'pbem-log', got {got} in '{target}'"
    raise BadEvidence("verify.form", text, "check that it is the file you mean, and that it was sent as it is")


@with_desk
def _archived(desk: Desk, name: str) -> bytes:
    """The archive of a game of this home, after all of the home has been looked at."""
    from pbem.app.archive import archive as archive_game
    from pbem.store.faults import damaged

    for damage in desk.home.damages():
        raise damaged(damage, desk.home.folder)
    return archive_game(desk, name)


def _progress() -> Any:
    """A line on stderr for long work on a terminal, nothing elsewhere."""
    if not sys.stderr.isatty():
        return None

    def show(done: int, whole: int) -> None:
        if whole >= 2000 and (done % 500 == 0 or done == whole):
            click.echo(f"\rverified {done} of {whole} events" + ("\n" if done == whole else ""), nl=False, err=True)

    return show


COMMANDS = {"export": export, "import": import_, "archive": archive, "verify": verify}

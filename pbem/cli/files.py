"""`pbem export`, `pbem import`, `pbem archive`, `pbem verify`: what goes out, what comes in, what is kept."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any

import click

from pbem.cli.frame import as_json, complain, data_option, force_option, json_option, only_game, say, with_desk
from pbem.cli.printing import next_step, print_imported, say_all
from pbem.cli.sending import Target, send, target_options
from pbem.cli.verdict import print_verdict, verdict_data
from pbem.errors import BadEvidence, BadRequest, PbemError
from pbem.log.enumeration import counted, enumerated

if TYPE_CHECKING:
    from pbem.app.desk import Desk
    from pbem.app.routing import Arrived
    from pbem.app.verify import Verdict
    from pbem.log.verify import Verified

CHANGED = "its lines were broken or changed by the way it came: have it sent as an attachment, or in a zip file"
DISTRUST = "do not trust this file: get it again from where it came, as an attachment, or in a zip file"
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
@target_options
@click.option("--robust", is_flag=True, help="An armour that survives lower-casing, a fifth longer.")
@click.option(
    "--all", "everything", is_flag=True, help="Send the whole log, for an opponent who lost a mail or a disk."
)
@click.option("--evidence", is_flag=True, help="Write the proof of a fork instead, which `pbem verify` accepts.")
@data_option
@with_desk
def export(
    desk: Desk,
    game: str | None,
    output: Path | None,
    eml: bool,
    force: bool,
    robust: bool,
    everything: bool,
    evidence: bool,
) -> None:
    """Write the turn file to mail to the other side: every event that it is not known to have.

    A file that is there already is written over when it is an older turn file of the same game.

    \b
    pbem export westerplatte -o turn.eml --eml
    pbem export westerplatte | mail -s "my turn" bruno@example.org
    """
    name = only_game(desk, game)
    if evidence:
        _write_evidence(desk, name, output, force=force)
    else:
        send(desk, name, Target(output, eml, force), robust=robust, everything=everything)


def _write_evidence(desk: Desk, name: str, output: Path | None, *, force: bool) -> None:
    from pbem.app.exporting import evidence_file
    from pbem.app.outputs import archive_loss, write_output

    if output is None:
        raise BadRequest("evidence.output", "expected a file to write the evidence to, got none", "name one with -o")
    loss = archive_loss(desk.home, desk.home.game(name).game_id, "evidence")
    write_output(output, evidence_file(desk, name), loss, force=force)
    say(f"Wrote {output}. Do now: send it to a referee, or to anybody, who checks it with `pbem verify {output}`.")


@click.command(name="import")
@click.argument("source", type=click.Path(allow_dash=True, path_type=Path))
@json_option
@data_option
@with_desk
def import_(desk: Desk, source: Path, in_json: bool) -> int:
    """Take in what came: a turn file, pasted text, .eml, mbox, Maildir or a folder; - is the standard input.

    Exit status 1 when something was refused and nothing new was taken in; a bad file among good ones is only told.

    \b
    pbem import turn.eml
    pbem import ~/Downloads
    xclip -o | pbem import -
    """
    from pbem.app.imported import require_something, took_something
    from pbem.app.importing import import_arrived

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
    refused = [*result.failed, *(reason for game in result.games for reason in game.refused)]
    _tell_refused(refused)
    if not in_json:
        _say_what_next(desk, result, arrived, source)
    return int(bool(refused) and not took_something(result))


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


def _say_what_next(desk: Desk, result: Any, arrived: Arrived, source: Path) -> None:
    from pbem.app.opened import open_game
    from pbem.app.proposed import key_told

    for proposal in result.proposals:
        say(_about_proposal(proposal, arrived, source))
    for game in result.games:
        if not any(reason.code == "import.own_seat_taken" for reason in game.refused):
            opened = open_game(desk.home, game.game, desk.games)
            words = filter(None, (key_told(opened.seats, text) for text in game.told))
            say_all(*(f"  That new key in words: {said}; compare them by telephone." for said in words))
            next_step(opened, desk)


def _about_proposal(proposal: Verified, arrived: Arrived, source: Path) -> str:
    """What to do with a game that this home has no part in: join it, or, where its seats are taken, look at it."""
    from pbem.app.propose import seats_taken
    from pbem.log.roster import from_proposal

    known, file = proposal.id[:12], quote(str(source))
    contents = {one.contents for one in arrived.bundles if one.game == proposal.id}
    if contents & {"evidence", "dispute"}:
        return (
            f"A file that shows one thing of game {known}, in which this home has no part. Do now: `pbem verify "
            f"{file}` says what it shows"
        )
    if set(from_proposal(proposal.id, proposal.event).absent()) - set(seats_taken(arrived, proposal)):
        return f"A proposal by {proposal.event.role} (game {known}). Do now: `pbem accept {file} --show`"
    taken = f"A game whose seats are all taken (game {known}): this home has no part in it. Do now:"
    if contents != {"archive"} or not source.is_file():
        return f"{taken} nothing; an archive of it (`pbem archive GAME -o FILE`) is what `pbem verify` checks"
    return (
        f"{taken} `pbem verify {file} --running` checks it; `pbem substitute {file} --as ROLE -o offer.json` offers to "
        "go on with it in a role"
    )


@click.command()
@click.argument("game", required=False)
@click.option("-o", "--output", type=click.Path(path_type=Path), required=True, help="The file to write.")
@force_option
@data_option
@with_desk
def archive(desk: Desk, game: str | None, output: Path, force: bool) -> None:
    """Write a whole campaign into one text file; the same log gives the same bytes.

    Send it as an attachment or in a zip file: in the text of a mail its lines would be broken.

    \b
    pbem archive westerplatte -o westerplatte.pbem
    """
    from pbem.app.archive import archive as archive_game
    from pbem.app.outputs import archive_loss, write_output

    name = only_game(desk, game)
    contents = archive_game(desk, name)
    loss = archive_loss(desk.home, desk.home.game(name).game_id, "archive")
    write_output(output, contents, loss, force=force)
    size = counted(len(contents), "byte")
    say(f"Wrote {output}: {size}. Do now: give it to anybody, who checks it with `pbem verify {output}`.")


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
    verdict = verdict_on(target, data)
    if in_json:
        as_json(verdict_data(verdict))
    else:
        print_verdict(verdict, running=running, own=not Path(target).is_file())
    if not (verdict.finished or verdict.fork or verdict.dispute or running):
        raise _unfinished(verdict)


def verdict_on(target: str, data: Path | None) -> Verdict:
    """The verdict on a file, or on the archive of a game of this home."""
    from pbem.app.catalogue import for_proposal
    from pbem.app.verify import verify as verify_archive

    contents = _contents(target, data)
    _check_is_archive(contents, target)
    with _distrusted(contents, Path(target)):
        return verify_archive(contents, for_proposal(data), _progress())


@contextmanager
def _distrusted(contents: bytes, path: Path) -> Iterator[None]:
    """What to do about a file that does not hold; a game of this home has no place where it could be got again."""
    try:
        yield
    except BadEvidence as error:
        if path.is_file() and not error.hint:
            error.hint = CHANGED if _is_broken(contents) else DISTRUST
        raise


def _is_broken(contents: bytes) -> bool:
    """Whether a line of an archive is none of an event: somebody who altered one would not have made that."""
    from pbem.log import bundle, envelope

    try:
        for line in bundle.read(contents).lines:
            envelope.from_line(line)
    except BadEvidence:
        return True
    return False


def _unfinished(verdict: Verdict) -> BadRequest:
    text = (
        f"expected a game closed by every party, got one that ends before step {verdict.next_step}, "
        f"which waits for {verdict.waiting}"
    )
    if not verdict.unclosed:
        hint = "a running game? say --running; a finished one? its end has been cut off"
        return BadRequest("verify.unfinished", text, hint)
    silent = enumerated(verdict.unclosed)
    return BadRequest(
        "verify.unfinished",
        f"{text}: it is decided, and not closed yet",
        f"whoever wrote it lacks the last turn file of {silent}: import that there, and write the archive again; "
        "--running is content with it as it is",
    )


def _contents(target: str, data: Path | None) -> bytes:
    from pbem.log.bundle import MAX_ARCHIVE_BYTES
    from pbem.store.files import is_file, read_limited

    path = Path(target)
    if is_file(path):
        return read_limited(path, MAX_ARCHIVE_BYTES)
    if path.suffix or len(path.parts) > 1 or path.is_dir():
        is_folder = path.is_dir()
        what = "is a folder" if is_folder else "does not exist"
        text = f"expected an archive file or a game of this home, got '{target}', which {what}"
        raise BadRequest("verify.file", text, _ARCHIVES if is_folder else _MISTYPED)
    found: bytes = _archived(target, data=data)
    return found


_ARCHIVES = "`pbem archive GAME -o FILE` writes an archive"
_MISTYPED = "look at the name of the file and at the folder that you are in; `pbem status` names the games of this home"


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
            click.echo(
                f"\rverified {done} of {counted(whole, 'event')}" + ("\n" if done == whole else ""), nl=False, err=True
            )

    return show


COMMANDS = {"export": export, "import": import_, "archive": archive, "verify": verify}

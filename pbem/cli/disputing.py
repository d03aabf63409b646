"""`pbem dispute`, `pbem luck`, `pbem certificate`: what can be shown to somebody who was not there."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli.files import verdict_on
from pbem.cli.frame import F, as_json, data_option, force_option, json_option, say, with_desk, with_options
from pbem.errors import BadRequest

if TYPE_CHECKING:
    from pbem.app.desk import Desk
    from pbem.app.opened import OpenGame
    from pbem.app.verify import Verdict
    from pbem.viewer.document import Document

HTML = (".html", ".htm")
MAY_NEED = {"roll": "ROLL", "opening": "STEP", "refusal": "", "fork": ""}
"""What must stand behind each kind of dispute."""
MOST_LISTED = 20
"""Refused events that are listed: each is tried against the log, which is replayed for it."""
MOST = {"roll": 1, "opening": 2, "refusal": 1, "fork": 1}


@click.command()
@click.argument("game")
@click.argument("what", type=click.Choice(sorted(MOST)))
@click.argument("which", nargs=-1)
@click.option("-o", "--output", type=click.Path(path_type=Path), help="The file to write.")
@click.option("--text", is_flag=True, help="A report in words instead, also by -o with a name that ends with .txt.")
@click.option("--html", is_flag=True, help="The report as one page, also by -o with a name that ends with .html.")
@force_option
@data_option
@with_desk
def dispute(
    desk: Desk,
    game: str,
    what: str,
    which: tuple[str, ...],
    output: Path | None,
    text: bool,
    html: bool,
    force: bool,
) -> None:
    """Write a small file that lets a stranger check one thing of a game with `pbem verify`, or a report about it.

    WHICH is, for a roll, its id or step as `pbem roll` lists it; for an opening of sealed orders the step where they
    were sealed or opened, and the role where there are two (a closing can open many: name each by the step where it was
    sealed); for a refusal the id of an event that was refused (without it, they are listed); for a fork its step, or
    nothing for the one that stops the game.

    A refusal can be shown where the log or the rules forbid what stands there: orders that are not legal, say, signed
    at a step of this very log with the key that has the seat. It cannot for what follows another log, came before its
    time or too late, or was signed with a key that has no seat; nor for a damaged file, which nobody signed.

    \b
    pbem dispute westerplatte roll 4:turn.2/turn-1/card-1 -o card.pbem
    pbem dispute westerplatte roll 4:turn.2/turn-1/card-1 --text
    pbem dispute westerplatte opening 12 german -o opening.html
    pbem dispute westerplatte refusal
    pbem dispute westerplatte fork -o fork.pbem
    """
    from pbem.app.reading import whole_game

    if not bool(MAY_NEED[what]) <= len(which) <= MOST[what]:
        context = click.get_current_context()
        raise click.UsageError(f"expected `pbem dispute {game} {what} {MAY_NEED[what] or '[WHICH]'}`", context)
    whole = whole_game(desk, game)
    if what == "refusal" and not which:
        _list_refused(desk, whole)
        return
    data = _file(desk, whole, what, which)
    as_page = text or html or (output is not None and output.suffix.lower() in (".txt", *HTML))
    if as_page:
        _write_page(_report(desk, data), output, html=html, force=force)
    elif output is None:
        raise BadRequest("dispute.output", "expected a file to write to, got none", "name one with -o, or say --text")
    else:
        _write_file(desk, whole, data, output, force=force)


def _file(desk: Desk, whole: OpenGame, what: str, which: tuple[str, ...]) -> bytes:
    from pbem.app import dispute as disputes

    if what == "roll":
        return disputes.roll_file(whole, which[0])
    if what == "opening":
        return disputes.opening_file(whole, _step(which[0]), *which[1:])
    if what == "fork":
        return disputes.fork_file(whole, _step(which[0]) if which else None)
    return disputes.refusal_file(desk.home, whole, which[0])


def _step(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise BadRequest("dispute.step", f"expected the number of a step, got '{text[:80]}'")
    return int(text)


def _report(desk: Desk, data: bytes) -> Document:
    """The report about what a file proves: it says nothing that is not in the file."""
    from pbem.app.dispute_report import report
    from pbem.app.verify import verify

    verdict = verify(data, desk.games)
    shown = verdict.fork or verdict.dispute
    assert shown is not None
    return report(shown, verdict.rules)


def _write_file(desk: Desk, whole: OpenGame, data: bytes, output: Path, *, force: bool) -> None:
    from pbem.app.outputs import archive_loss, write_output
    from pbem.log import bundle

    loss = archive_loss(desk.home, whole.row.game_id, bundle.read(data).contents)
    write_output(output, data, loss, force=force)
    say(f"Wrote {output}. Do now: attach it to a mail to anybody, who checks it with `pbem verify {output}`.")


def _write_page(page: Document, output: Path | None, *, html: bool, force: bool) -> None:
    """A page as HTML or text, into a file or on the standard output."""
    from pbem.app.outputs import write_output
    from pbem.viewer.document import as_html, as_text, is_same_page

    in_html = html or (output is not None and output.suffix.lower() in HTML)
    written = as_html(page) if in_html else as_text(page)
    if output is None:
        click.echo(written, nl=False)
        return
    data = written.encode("utf-8")
    write_output(output, data, lambda old: "" if is_same_page(old, data) else "something else", force=force)
    say(f"Wrote {output}. Do now: read it; it opens with no other file, and can be mailed as it is.")


def _list_refused(desk: Desk, whole: OpenGame) -> None:
    from pbem.app.dispute import kept_apart, why_not_shown
    from pbem.log.nouns import NOUNS

    kept = kept_apart(desk.home, whole)
    tried = [(row, said, why_not_shown(whole, row)) for row, said in kept[:MOST_LISTED]]
    showable = [row.event_id[:16] for row, _, why in tried if not why]
    for row, said, why in sorted(tried, key=lambda one: bool(one[2])):
        say(f"{row.event_id[:16]}  {said.role}'s {NOUNS[said.kind]} of step {said.step}: {row.code}: {row.text}")
        if why:
            say(f"  cannot be shown: {why}")
    if len(kept) > MOST_LISTED:
        say(f"and {len(kept) - MOST_LISTED} more")
    _say_what_to_show(whole.row.name, showable, refused=bool(kept))


def _say_what_to_show(name: str, showable: Sequence[str], *, refused: bool) -> None:
    if not refused:
        say("No event of this game was refused here.")
    elif showable:
        say(f"Do now: `pbem dispute {name} refusal {showable[0]} -o refusal.pbem` shows one to a stranger.")
    else:
        say(f"Do now: nothing, none of them can be shown to a stranger; `pbem status {name}` says what the game needs.")


def page_options(command: F) -> F:
    """The argument and the options of every command that writes a page about a game or an archive."""
    return with_options(
        command,
        click.argument("target", metavar="GAME|FILE"),
        click.option("-o", "--output", type=click.Path(path_type=Path), help="The file to write; else it is printed."),
        click.option("--html", is_flag=True, help="One page of HTML, also by -o with a name that ends with .html."),
        force_option,
        json_option,
        data_option,
    )


@click.command()
@page_options
def luck(target: str, output: Path | None, html: bool, force: bool, in_json: bool, data: Path | None) -> None:
    """How the dice of each side fell, beside the exact chances of as many fair dice.

    \b
    pbem luck westerplatte
    pbem luck westerplatte --json
    pbem luck westerplatte -o luck.html
    """
    from pbem.app.luck import luck_data, luck_of, page

    campaign = _archive_verdict(target, data).campaign
    assert campaign is not None
    found = luck_of(campaign)
    if in_json:
        as_json(luck_data(found))
    else:
        _write_page(page(found), output, html=html, force=force)


@click.command()
@page_options
def certificate(target: str, output: Path | None, html: bool, force: bool, in_json: bool, data: Path | None) -> None:
    """One page about a game or an archive: result, head, parties, disputes, checks passed, rules and data.

    The same log gives the same bytes. A log that does not hold has no certificate.

    \b
    pbem certificate westerplatte
    pbem certificate westerplatte -o certificate.html
    """
    from pbem.app.certificate import certificate as certified
    from pbem.viewer.document import as_data

    page = certified(_archive_verdict(target, data))
    if in_json:
        as_json(as_data(page))
    else:
        _write_page(page, output, html=html, force=force)


def _archive_verdict(target: str, data: Path | None) -> Verdict:
    """The verdict on an archive or a game, whose campaign is known; BadRequest for a file about one thing alone."""
    verdict = verdict_on(target, data)
    if verdict.campaign is None:
        text = f"expected an archive or a game of this home, got a file about one dispute in '{target}'"
        raise BadRequest("certificate.file", text, f"`pbem verify {target}` says what that file shows")
    return verdict


COMMANDS = {"dispute": dispute, "luck": luck, "certificate": certificate}

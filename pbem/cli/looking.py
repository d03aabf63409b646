"""`pbem show`, `pbem log`, `pbem roll`: reading a game."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pbem.cli.frame import as_json, complain, data_option, force_option, json_option, only_game, say, with_desk
from pbem.errors import BadEvidence, PbemError
from pbem.log.enumeration import enumerated

if TYPE_CHECKING:
    from pbem.app.desk import Desk
    from pbem.rules.picture import Picture

NO_SCRIPT = "echo 'pbem wrote no script: nothing was checked' >&2; exit 1"
"""What is piped into a shell instead of the script of a roll, so that a pipe ends as the command does."""


@click.command()
@click.argument("game", required=False)
@click.option("--at", "step", type=int, help="The board when this step was closed; else as it is now.")
@click.option("--map", "whole", is_flag=True, help="Add the empty areas, what each borders on, and a sketch.")
@click.option("--svg", type=click.Path(path_type=Path), help="Draw the board into an SVG file.")
@force_option
@click.option("--position", is_flag=True, help="Print the position as `pbem lab` reads it.")
@json_option
@data_option
@with_desk
def show(
    desk: Desk,
    game: str | None,
    step: int | None,
    whole: bool,
    svg: Path | None,
    force: bool,
    position: bool,
    in_json: bool,
) -> None:
    """Show the board, now or at an earlier step: where the units are, with --map the whole map; or as an SVG file.

    \b
    pbem show westerplatte
    pbem show westerplatte --map
    pbem show westerplatte --at 40 --svg board.svg
    pbem show westerplatte --position > position.txt
    """
    from pbem.app.board import board_text
    from pbem.app.reading import campaign_at

    name = only_game(desk, game)
    campaign = campaign_at(desk, name, step)
    if svg:
        draw_svg(campaign.ruleset.picture(campaign.state), svg, force=force)
    elif position or in_json:
        lines = campaign.ruleset.position_lines(campaign.state)
        if in_json:
            as_json({"game": name, "step": campaign.place.step, "position": list(lines)})
        else:
            click.echo("\n".join(lines))
    else:
        click.echo(board_text(campaign, whole=whole))
        more = "" if whole else f"`pbem show {name} --map` adds the map. "
        say(f"Before step {campaign.place.step}. {more}Do now: `pbem status {name}`.")


def draw_svg(picture: Picture, path: Path, *, force: bool) -> None:
    """Draw a picture into an SVG file."""
    from pbem.app.outputs import drawing_loss, write_output
    from pbem.viewer import svg

    drawing = svg.draw(picture).encode("utf-8")
    write_output(path, drawing, drawing_loss(drawing), force=force)
    say(f"Wrote {path}.")


@click.command()
@click.argument("game", required=False)
@click.option("--from", "first", type=click.IntRange(0), default=0, help="The first step to tell of.")
@click.option("--to", "last", type=click.IntRange(0), help="The last step to tell of.")
@click.option("--dsse", is_flag=True, help="Print every event as a DSSE envelope in JSON instead, one a line.")
@click.option("--delays", is_flag=True, help="Say instead who was late, and where a ruling or a claim stood in.")
@json_option
@data_option
@with_desk
def log(desk: Desk, game: str | None, first: int, last: int | None, dsse: bool, delays: bool, in_json: bool) -> None:
    """Tell what happened in a game, line by line, each with its step and rule.

    \b
    pbem log westerplatte --from 40
    pbem log westerplatte --delays
    """
    from pbem.app.reading import narrative

    name = only_game(desk, game)
    if dsse:
        _print_envelopes(desk, name)
        return
    if delays:
        _print_delays(desk, name, in_json=in_json)
        return
    try:
        lines = narrative(desk, name, first, last)
    except BadEvidence as error:
        _print_events(desk, name, error)
        return
    if in_json:
        as_json([{"step": line.step, "rule": line.rule, "text": line.text} for line in lines])
        return
    for line in lines:
        say(f"{line.step:5}  {line.text} ({line.rule})")
    if not lines:
        say("Nothing has happened on the board in these steps.")
    for text in _proposed(desk, name):
        say(f"  now  {text}")
    say(f"Do now: `pbem status {name}`.")


def _proposed(desk: Desk, name: str) -> list[str]:
    """What has been moved or asked for and waits for an answer."""
    import json

    stored = desk.home.status(desk.home.game(name).game_id)
    return [one["text"] for one in json.loads(stored.json).get("proposed", ())] if stored else []


def _print_events(desk: Desk, name: str, error: BadEvidence) -> None:
    """What a log says by itself, where the rules that would tell it are not here."""
    from pbem.app.reading import events_of
    from pbem.log.nouns import NOUNS

    complain(str(error), error.hint)
    for one in events_of(desk, name):
        say(f"{one.event.step:5}  {one.event.role}: {NOUNS[one.event.kind]} {one.event.body.model_dump_json()}")
    say(f"Do now: `pbem status {name}`.")


def _print_delays(desk: Desk, name: str, *, in_json: bool) -> None:
    from pbem.app.delays import deadlines_in_words, delays_of, lines_of, sentence, void_claims, whose_dates
    from pbem.app.reading import whole_game

    whole = whole_game(desk, name)
    campaign = whole.campaign
    found = delays_of(campaign, void_claims(whole))
    if in_json:
        as_json({"game": name, **found.data()})
        return
    for line in lines_of(found.found):
        say(line)
    for role, decided in found.decisions.items():
        say(f"{role}: {sentence(decided, found.others[role])}.")
    if len(found.deadlines) > 1:
        say(f"Deadline: {deadlines_in_words(found.deadlines)}.")
    if found.possible:
        say(whose_dates(campaign))
    else:
        say("Nobody can be late: this game was agreed without a deadline.")
    say(f"Do now: `pbem status {name}`.")


def _print_envelopes(desk: Desk, name: str) -> None:
    from pbem.app.reading import events_of
    from pbem.log import envelope

    for event in events_of(desk, name):
        click.echo(envelope.to_dsse(envelope.from_line(event.line)).decode("ascii"))


def _failing_in_a_pipe(use: Callable[..., Any]) -> Callable[..., Any]:
    """A command that prints a script; when it fails it prints one that fails, unless a person would read that."""

    @wraps(use)
    def command(**options: Any) -> Any:
        try:
            return use(**options)
        except PbemError:
            if options["roll"] and not options["in_json"] and not sys.stdout.isatty():
                click.echo(NO_SCRIPT)
            raise

    return command


@click.command()
@click.argument("game")
@click.argument("roll", required=False)
@json_option
@data_option
@_failing_in_a_pipe
@with_desk
def roll(desk: Desk, game: str, roll: str | None, in_json: bool) -> None:
    """Show how a roll came about, as a script that checks itself; without ROLL, list all rolls.

    The script needs nothing but `sh`, `openssl` and `sha256sum`; its exit status is 1 when something is not as it was
    logged. The list is made of comments, so that a shell does nothing with it. ROLL is `<step>:<label>`, as the list
    names it, or a step that has one roll.

    \b
    pbem roll westerplatte
    pbem roll westerplatte 4:turn.2/turn-1/card-1
    pbem roll westerplatte 4:turn.2/turn-1/card-1 | sh
    """
    from pbem.app.derivation import script
    from pbem.app.reading import roll_named, roll_source, whole_game

    campaign = whole_game(desk, game).campaign
    if roll is None:
        _list_rolls(game, campaign, in_json)
        return
    record = roll_named(campaign, roll)
    if in_json:
        as_json(_roll_data(record, campaign))
    elif record.dictated:
        _tell_dictated(game, record, _roll_data(record, campaign))
    else:
        click.echo(script(roll_source(campaign, roll)), nl=False)


def _tell_dictated(game: str, record: Any, row: dict[str, Any]) -> None:
    """Who has dictated a roll, and why no chain stands behind it, as comments for a shell."""
    from pbem.app.derivation import kind
    from pbem.app.reading import why_dictated

    say(f"# roll {record.id}: {_result(row)} ({kind(record)})")
    say(f"# No chain stands behind it and no script can check it: {why_dictated(record)}.")
    say(f"# The link that did not come stays closed. `pbem log {game}` tells of the claim; `pbem verify` checks it.")


def _result(row: dict[str, Any]) -> str:
    return row["result"] if isinstance(row["result"], str) else " ".join(map(str, row["result"]))


def _roll_data(record: Any, campaign: Any) -> dict[str, Any]:
    return {
        "roll": record.id,
        "sides": record.sides,
        "faces": list(record.faces),
        "result": record.items[record.faces[0] - 1] if record.items else list(record.faces),
        "rollers": list(campaign.roster.proposal.rollers),
        "dictated": record.dictated,
    }


def _list_rolls(game: str, campaign: Any, in_json: bool) -> None:
    from pbem.app.derivation import kind

    rows = [_roll_data(record, campaign) for record in campaign.rolls]
    if in_json:
        as_json(rows)
        return
    for record, row in zip(campaign.rolls, rows, strict=True):
        source = f"dictated by {row['dictated']}" if row["dictated"] else f"rolled by {enumerated(row['rollers'])}"
        say(f"# {row['roll']}: {_result(row)} ({kind(record)}; {source})")
    if not rows:
        say("# This game has no roll yet.")
        return
    checkable = [row["roll"] for row in rows if not row["dictated"]]
    if checkable:
        say(f"# Do now: `pbem roll {game} {checkable[-1]} | sh` checks one of them with openssl and sha256sum alone.")


COMMANDS = {"show": show, "log": log, "roll": roll}

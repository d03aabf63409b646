"""`pbem games`, `tables`, `map`, `odds`, `lab`: what a game is, without anybody's home but for odds in a game."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pbem.cli.frame import as_json, data_option, home_folder, json_option, say, text_of
from pbem.errors import BadRequest

if TYPE_CHECKING:
    from pbem.rules.picture import Picture, Place
    from pbem.rules.ruleset import Ruleset
    from pbem.rules.tables import Table


def _ruleset(name: str, data: Path | None) -> Ruleset[Any]:
    from pbem.app.catalogue import ruleset

    return ruleset(name, data)


@click.command()
@click.argument("game", required=False)
@json_option
@data_option
def games(game: str | None, in_json: bool, data: Path | None) -> None:
    """List the games: version, scenarios, digest of the data, and how much of them is printed, inferred or house.

    \b
    pbem games
    pbem games westerplatte --json
    """
    from pbem.app.catalogue import names

    found = [_described(_ruleset(name, data)) for name in ([game] if game else names())]
    if in_json:
        as_json(found)
        return
    for one in found:
        counts = ", ".join(f"{number} {source}" for source, number in one["data"].items())
        say(f"{one['name']}: {one['title']}, version {one['version']}, {one['turns']} turns")
        say("  " + "; ".join(f"{what}: {', '.join(one[what])}" for what in ("roles", "scenarios", "bots")))
        say(f"  data: {counts}; digest {one['digest']}")


def _described(ruleset: Ruleset[Any]) -> dict[str, Any]:
    from pbem.rules.tables import count_sources

    return {
        "name": ruleset.name,
        "title": ruleset.title,
        "version": ruleset.version,
        "roles": list(ruleset.roles),
        "scenarios": list(ruleset.scenarios),
        "turns": ruleset.turns,
        "bots": sorted(ruleset.bots()),
        "data": dict(count_sources(ruleset.tables())),
        "digest": ruleset.digest,
    }


@click.command()
@click.argument("game")
@click.argument("table", required=False)
@json_option
@data_option
def tables(game: str, table: str | None, in_json: bool, data: Path | None) -> None:
    """Every table and printed figure of a game, each with its source.

    \b
    pbem tables westerplatte
    pbem tables westerplatte units --json
    """
    found = _ruleset(game, data).tables()
    chosen = [one for one in found if table in (None, one.name)]
    if not chosen:
        raise BadRequest("tables.unknown", f"expected one of {', '.join(one.name for one in found)}, got '{table}'")
    if in_json:
        as_json([one.as_data() for one in chosen])
        return
    for one in chosen:
        _print_table(one)


def _print_table(table: Table) -> None:
    """With rich on a terminal; as plain lines for pipes and screen readers."""
    if not sys.stdout.isatty():
        say(f"{table.title} ({table.name})")
        for row, source in zip(table.rows, table.sources, strict=True):
            cells = [f"{name} {cell}" for name, cell in zip(table.columns, row, strict=True) if cell != ""]
            say(f"  {'; '.join(cells)}; {source}")
        return
    from rich.console import Console
    from rich.table import Table as RichTable

    drawn = RichTable(title=f"{table.title} ({table.name})")
    for column in (*table.columns, "source"):
        drawn.add_column(column)
    for row, source in zip(table.rows, table.sources, strict=True):
        drawn.add_row(*map(str, row), source)
    Console().print(drawn)


@click.command(name="map")
@click.argument("game")
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Draw into an SVG file; else the map is text.")
@click.option("--area", help="Tell of one area only.")
@json_option
@data_option
def map_(game: str, output: Path | None, area: str | None, in_json: bool, data: Path | None) -> None:
    """Draw the map of a game: as text, or as an SVG to print.

    \b
    pbem map westerplatte
    pbem map westerplatte --area GH1
    pbem map westerplatte -o westerplatte.svg
    """
    from pbem.store.files import write_atomically
    from pbem.viewer import svg, text

    picture = _ruleset(game, data).picture(None)
    if output:
        write_atomically(output, svg.draw(picture).encode("utf-8"), 0o644)
        say(f"Wrote {output}.")
        return
    places = [_place(picture, area)] if area else picture.places
    if in_json:
        as_json([_place_data(place) for place in places])
    elif area:
        click.echo("\n".join(text.place_lines(picture, places[0])))
    else:
        click.echo(text.draw(picture))


def _place_data(place: Place) -> dict[str, Any]:
    return {
        "id": place.id,
        "name": place.name,
        "kind": place.kind,
        "terrain": place.terrain,
        "value": place.value,
        "borders": list(place.neighbours),
    }


def _place(picture: Picture, wanted: str) -> Place:
    from pbem.rules.names import Names

    found = Names({place.id: (place.name,) for place in picture.places}).find(wanted)
    if not found.id:
        near = found.candidates or found.nearest
        raise BadRequest(
            "map.area", f"expected an area, got '{wanted}'", f"did you mean {' or '.join(near)}?" if near else ""
        )
    return next(place for place in picture.places if place.id == found.id)


@click.command()
@click.argument("game")
@click.argument("orders", nargs=-1)
@click.option("--position", type=click.Path(path_type=Path), help="A position file instead of a game of yours.")
@click.option("--orders", "file", type=click.Path(path_type=Path), help="A file with the attacks.")
@json_option
@data_option
def odds(
    game: str, orders: tuple[str, ...], position: Path | None, file: Path | None, in_json: bool, data: Path | None
) -> None:
    """Exact chances of an attack before it is ordered; GAME is a game of this home, or with --position its rules.

    \b
    pbem odds westerplatte "fire MAS-1, MAS-2 at PL-1"
    """
    from pbem.app.reading import odds as exact_odds

    text = text_of(file) if file else " ".join(orders)
    ruleset, state = _position_of(game, position, data)
    found = exact_odds(ruleset, state, text)
    if in_json:
        as_json([{"order": one.title, "chances": {name: str(chance) for name, chance in one.results}} for one in found])
        return
    for one in found:
        say(one.title)
        for name, chance in one.results:
            say(f"  {float(chance) * 100:6.2f} %  {name} ({chance})")


def _position_of(game: str, position: Path | None, data: Path | None) -> tuple[Ruleset[Any], Any]:
    if position:
        ruleset = _ruleset(game, data)
        return ruleset, ruleset.read_position(text_of(position))
    from pbem.app.desk import Desk
    from pbem.app.opened import open_game
    from pbem.store.database import Home

    with Home.open(home_folder()) as home:
        desk = Desk(home, data=data)
        campaign = open_game(home, game, desk.games).campaign
        return campaign.ruleset, campaign.state


@click.command()
@click.argument("game")
@click.option("--position", type=click.Path(path_type=Path), required=True, help="The position, as text.")
@click.option("--orders", "sheets", type=click.Path(path_type=Path), multiple=True, help="Sheets, in turn.")
@click.option("--dice", default="", help="Results in turn, with commas: faces as numbers, cards by their code.")
@json_option
@data_option
def lab(game: str, position: Path, sheets: tuple[Path, ...], dice: str, in_json: bool, data: Path | None) -> None:
    """Adjudicate a position with given orders and dice; `pbem show GAME --position` writes one to start from.

    \b
    pbem lab westerplatte --position position.txt --orders orders.txt --dice S3,joker
    """
    from pbem.engine.lab import Lab

    ruleset = _ruleset(game, data)
    state = ruleset.read_position(text_of(position))
    given = [one.strip() for one in dice.split(",") if one.strip()]
    result = Lab(ruleset, state, [text_of(sheet) for sheet in sheets], given).run()
    lines = ruleset.position_lines(result.state)
    asked = f"{result.question.role}: {ruleset.question_text(result.question, result.state)}" if result.question else ""
    told = [f"{report.sentence()} ({report.rule})" for report in result.reports]
    if in_json:
        as_json({"narrative": told, "position": list(lines), "asked": asked, "unused dice": list(result.unused_dice)})
        return
    for line in told:
        say(line)
    say()
    for line in lines:
        say(line)
    say(
        f"Asked next: {asked}"
        if asked
        else "The game is over."
        if result.outcome
        else "A roll is next: give more --dice."
    )
    if result.unused_dice:
        say(f"note: dice left over: {', '.join(result.unused_dice)}")


COMMANDS = {"games": games, "tables": tables, "map": map_, "odds": odds, "lab": lab}

"""`pbem games`, `tables`, `map`, `odds`, `lab`: what a game is.

GAME is the name of a game's rules, for which no home is needed, or a game of this home, which stands for its rules.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pbem.cli.frame import as_json, data_option, force_option, home_folder, json_option, say, text_of
from pbem.errors import BadRequest
from pbem.log.enumeration import counted

if TYPE_CHECKING:
    from pbem.app.reading import Chances
    from pbem.rules.picture import Picture, Place
    from pbem.rules.play import Question
    from pbem.rules.ruleset import Measure, Ruleset
    from pbem.rules.tables import Table
    from pbem.store.database import Home
    from pbem.store.rows import StoredGame


LEAST_LISTED = Fraction(1, 10_000)
"""Results below this chance are summed up, unless all are wanted."""


def ruleset_of(game: str, data: Path | None) -> Ruleset[Any]:
    """The rules of that name, or those of that game of this home; BadRequest when it is neither."""
    from pbem.app.catalogue import names, ruleset

    if game in names():
        return ruleset(game, data)
    played = _games_here()
    for row in played:
        if game == row.game_id or game.casefold() == row.name.casefold():
            return ruleset(row.ruleset, data)
    here = f" or a game of this home ({', '.join(row.name for row in played)})" if played else ""
    raise BadRequest(
        "game.ruleset",
        f"expected one of {', '.join(names())}{here}, got '{game}'",
        "see `pbem games` and `pbem status`",
    )


def _games_here() -> Sequence[StoredGame]:
    """The games of this home, none where there is no home."""
    from pbem.store.database import Home
    from pbem.store.folder import holds_home

    if not holds_home(home_folder()):
        return ()
    with Home.open(home_folder()) as home:
        return home.games()


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

    found = [_described(ruleset_of(name, data)) for name in ([game] if game else names())]
    if in_json:
        as_json(found)
        return
    for one in found:
        counts = ", ".join(f"{number} {source}" for source, number in one["data"].items())
        say(f"{one['name']}: {one['title']}, version {one['version']}, {counted(one['turns'], 'turn')}")
        say("  " + "; ".join(f"{what}: {', '.join(one[what])}" for what in ("roles", "scenarios", "bots")))
        if len(one["versions"]) > 1:
            say("  versions that can be played: " + ", ".join(f"{each['version']}" for each in one["versions"]))
        say(f"  data: {counts}; digest {one['digest']}")


def _described(ruleset: Ruleset[Any]) -> dict[str, Any]:
    from pbem.app.catalogue import versions
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
        "versions": [{"version": one.version, "digest": one.digest} for one in versions(ruleset.name)],
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
    found = ruleset_of(game, data).tables()
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
@force_option
@click.option("--area", help="Tell of one area only.")
@json_option
@data_option
def map_(game: str, output: Path | None, force: bool, area: str | None, in_json: bool, data: Path | None) -> None:
    """Draw the map of a game: as text, or as an SVG to print.

    \b
    pbem map westerplatte
    pbem map westerplatte --area GH1
    pbem map westerplatte -o westerplatte.svg
    """
    from pbem.cli.looking import draw_svg
    from pbem.viewer import text

    picture = ruleset_of(game, data).picture(None)
    if output:
        draw_svg(picture, output, force=force)
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
        known = {place.id: f"{place.name} ({place.id})" for place in picture.places}
        near = " or ".join(known[area] for area in found.candidates or found.nearest)
        hint = f"did you mean {near}?" if near else "without --area the whole map is listed"
        raise BadRequest("map.area", f"expected an area, got '{wanted}'", hint)
    return next(place for place in picture.places if place.id == found.id)


@click.command()
@click.argument("game")
@click.argument("orders", nargs=-1)
@click.option("--position", type=click.Path(path_type=Path), help="A position file instead of a game's position.")
@click.option("--orders", "file", type=click.Path(path_type=Path), help="A file with the attacks, one a line.")
@click.option("--all", "whole", is_flag=True, help="List results below 0.01 % one by one too.")
@json_option
@data_option
def odds(
    game: str,
    orders: tuple[str, ...],
    position: Path | None,
    file: Path | None,
    whole: bool,
    in_json: bool,
    data: Path | None,
) -> None:
    """Exact chances of attacks before they are ordered, each attack in quotation marks.

    They start from the position of a game of this home, or from --position, which needs no home. A card or marker need
    not be there; of a game of this home it is said when what is asked now would not allow the attack.

    \b
    pbem odds westerplatte "oba at PL-1"
    pbem odds westerplatte "fire MAS-1, MAS-2 at PL-1" "air at PL-1" --position position.txt
    """
    from pbem.app.reading import not_now
    from pbem.app.reading import odds as exact_odds

    text = text_of(file) if file else _attacks(orders)
    ruleset, state, question = _position_of(game, position, data)
    found = [(one, not_now(ruleset, state, question, one.title)) for one in exact_odds(ruleset, state, text)]
    if in_json:
        as_json([_chances_data(one) | {"not now": why} for one, why in found])
        return
    for one, why in found:
        say(one.title)
        _say_chances(one, whole=whole)
        if why:
            say(f"  note: it could not be ordered now: {why}")


def _chances_data(one: Chances) -> dict[str, Any]:
    means = {"means": {measure.name: str(mean) for measure, mean in one.means}} if one.means else {}
    return {"order": one.title, "chances": {name: str(chance) for name, chance in one.results}} | means


def _say_chances(one: Chances, *, whole: bool) -> None:
    """The means, the results from the likeliest down, and how many are too unlikely to be listed."""
    if one.means:
        say(f"  on average: {', '.join(_told_mean(measure, mean) for measure, mean in one.means)}")
    listed = [(name, chance) for name, chance in one.results if whole or chance >= LEAST_LISTED]
    for name, chance in listed:
        say(f"  {float(chance) * 100:6.2f} %  {name} ({chance})")
    left = one.results[len(listed) :]
    if left:
        together = sum(chance for _, chance in left)
        results = counted(len(left), "more result")
        say(f"  {float(together) * 100:6.2f} %  {results} below 0.01 % each ({together}); --all lists them")


def _told_mean(measure: Measure, mean: Fraction) -> str:
    """`area taken 63.89 %`, `attacker loses 1.25 SP`."""
    if measure.is_chance:
        return f"{measure.name} {float(mean) * 100:.2f} %"
    return f"{measure.name} {float(mean):.2f} {measure.unit}".rstrip()


def _attacks(words: Sequence[str]) -> str:
    """One attack a line; words without quotation marks around them are one attack together."""
    return ("\n" if any(" " in word for word in words) else " ").join(words)


def _position_of(game: str, position: Path | None, data: Path | None) -> tuple[Ruleset[Any], Any, Question[Any] | None]:
    """The rules and the state: those of a position file, or of a game of this home with what is asked there now."""
    if position:
        ruleset = ruleset_of(game, data)
        return ruleset, ruleset.read_position(text_of(position)), None
    from pbem.app.desk import Desk
    from pbem.app.opened import open_game
    from pbem.store.database import Home
    from pbem.store.folder import holds_home

    if not holds_home(home_folder()):
        raise BadRequest(
            "odds.position",
            "expected a position or a game of this home, got neither: there is no home",
            "give a position with --position FILE; `pbem init` makes a home",
        )
    with Home.open(home_folder()) as home:
        desk = Desk(home, data=data)
        campaign = open_game(home, _game_played(home, game), desk.games).campaign
        asked = [question for role in sorted(campaign.awaited()) if (question := campaign.question(role))]
        return campaign.ruleset, campaign.state, asked[0] if len(asked) == 1 else None


def _game_played(home: Home, wanted: str) -> str:
    """The game of that name; for the name of rules the only game that is played by them."""
    from pbem.app.aside import listed
    from pbem.app.catalogue import names

    played = [row.name for row in listed(home) if row.ruleset == wanted]
    if wanted not in names() or any(name.casefold() == wanted.casefold() for name in played):
        return wanted
    if len(played) == 1:
        return played[0]
    got = (
        f"{counted(len(played), 'game')} of {wanted}"
        if played
        else f"the rules of {wanted}, which no game of this home is played by"
    )
    hint = f"say which: {', '.join(played)}" if played else "give a position with --position FILE"
    raise BadRequest("odds.which", f"expected a game of this home, got {got}", hint)


@click.command()
@click.argument("game")
@click.option("--position", type=click.Path(path_type=Path), required=True, help="The position, as text.")
@click.option(
    "--orders",
    "sheets",
    type=click.Path(path_type=Path),
    multiple=True,
    help="A file with the orders of one sheet; may be given several times, one for each question in turn.",
)
@click.option("--dice", default="", help="Results in turn, with commas: faces as numbers, cards by their code.")
@json_option
@data_option
def lab(game: str, position: Path, sheets: tuple[Path, ...], dice: str, in_json: bool, data: Path | None) -> None:
    """Adjudicate a position with given orders and dice.

    \b
    pbem show westerplatte --position > position.txt
    pbem lab westerplatte --position position.txt --orders orders.txt --dice S3,joker
    """
    from pbem.engine.lab import Lab
    from pbem.engine.spelled import results

    ruleset = ruleset_of(game, data)
    state = ruleset.read_position(text_of(position))
    result = Lab(ruleset, state, [text_of(sheet) for sheet in sheets], results(dice)).run()
    lines = ruleset.position_lines(result.state)
    asked = f"{result.question.role}: {ruleset.question_text(result.question, result.state)}" if result.question else ""
    told = [f"{report.sentence()} ({report.rule})" for report in result.reports]
    if in_json:
        as_json({"narrative": told, "position": list(lines), "asked": asked, "unused dice": list(result.unused_dice)})
        return
    for line in (*told, "", *lines):
        say(line)
    if result.unused_dice:
        say(f"note: dice left over: {', '.join(result.unused_dice)}")
    if result.unused_sheets:
        say(f"note: order sheets left over: {result.unused_sheets}")
    say(_where_the_lab_stopped(asked, over=result.outcome is not None))


def _where_the_lab_stopped(asked: str, *, over: bool) -> str:
    if over:
        return "The game is over."
    if asked:
        return f"Asked next: {asked}. Give an answer with one more --orders to go on."
    return "The next card or roll would come here: give more --dice to go on."


COMMANDS = {"games": games, "tables": tables, "map": map_, "odds": odds, "lab": lab}

"""`pbem init`, `pbem new`, `pbem accept`: a home, a proposal, an acceptance."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli.frame import as_json, data_option, home_folder, json_option, say, with_desk
from pbem.cli.printing import own_words, print_terms, write_turn_file
from pbem.errors import BadRequest

if TYPE_CHECKING:
    from pbem.app.desk import Desk


@click.command()
@click.option("--name", prompt="Your name, as other players see it", help="Your name, as other players see it.")
@click.option("--address", prompt="Your e-mail address", help="Your e-mail address.")
@click.option("--no-passphrase", is_flag=True, help="Leave the keys unencrypted on this disk.")
def init(name: str, address: str, no_passphrase: bool) -> None:
    """Make a home with your keys, encrypted under a passphrase.

    \b
    pbem init --name Anna --address anna@example.org
    """
    from pbem.app.desk import make_home
    from pbem.mail.message import check_address

    check_address(address, "your")
    folder = home_folder()
    phrase = None if no_passphrase else _new_passphrase()
    profile = make_home(folder, name, address, phrase)
    say(f"Made a home for {name} <{address}> in {folder}.")
    if no_passphrase:
        say("WITHOUT a passphrase: whoever reads this disk can sign in your name and read your secrets.")
    say(f"Your key in words: {own_words(profile.key)}")
    say("Do now: `pbem new GAME --as ROLE --opponent ADDRESS` to propose a game, or `pbem accept FILE` to join one.")


def _new_passphrase() -> str:
    given = os.environ.get("PBEM_PASSPHRASE")
    if given is not None:
        return given
    if not sys.stdin.isatty():
        raise BadRequest(
            "init.passphrase",
            "expected a passphrase for the new home, got nobody to ask",
            "set PBEM_PASSPHRASE, or say --no-passphrase",
        )
    answer: str = click.prompt("Choose a passphrase", hide_input=True, confirmation_prompt=True, err=True)
    return answer


@click.command()
@click.argument("ruleset")
@click.option("--as", "role", required=True, help="The role that you play.")
@click.option("--opponent", required=True, help="The other player's e-mail address.")
@click.option("--opponent-name", default="", help="The other player's name.")
@click.option("--scenario", default="", help="The scenario; the first one if none is named.")
@click.option("--deadline-days", default=0, type=click.IntRange(0, 3650), help="Days for each answer; 0 for none.")
@click.option("--name", "game", default="", help="What this home calls the game.")
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), help="The file to write; else the turn file is printed."
)
@click.option("--eml", is_flag=True, help="Write a mail that is ready to send.")
@data_option
@with_desk
def new(
    desk: Desk,
    ruleset: str,
    role: str,
    opponent: str,
    opponent_name: str,
    scenario: str,
    deadline_days: int,
    game: str,
    output: Path | None,
    eml: bool,
) -> None:
    """Propose a game to somebody whose e-mail address you know.

    RULESET is the name of a game's rules, as `pbem games` lists them.

    \b
    pbem new westerplatte --as german --opponent bruno@example.org -o invitation.eml --eml
    """
    from pbem.app.catalogue import ruleset as find_ruleset
    from pbem.app.exporting import export
    from pbem.app.propose import Terms, propose, role_named
    from pbem.mail.message import check_address

    rules = find_ruleset(ruleset, desk.data)
    mine = role_named(rules.roles, role)
    others = [one for one in rules.roles if one != mine]
    if mine is None or len(others) != 1:
        raise BadRequest("new.role", f"expected one of {', '.join(rules.roles)}, got '{role}'")
    check_address(opponent, "the opponent's")
    people = {others[0]: (opponent_name, opponent)}
    terms = Terms(rules, scenario or rules.scenarios[0], mine, people, deadline_days, name=game)
    opened = propose(desk, terms)
    say(f"Proposed {rules.title} as game {opened.row.name} ({opened.row.game_id[:12]}); you are {mine}.")
    say(f"Your key in words: {own_words(desk.profile().key)}")
    write_turn_file(export(desk, opened.row.name), output, eml=eml)


@click.command()
@click.argument("source", type=click.Path(allow_dash=True, path_type=Path))
@click.option("--as", "role", default="", help="The role to take, if more than one is free.")
@click.option("--name", "game", default="", help="What this home calls the game.")
@click.option("--show", "only_show", is_flag=True, help="Show the terms of the proposal and change nothing.")
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), help="The file to write; else the turn file is printed."
)
@click.option("--eml", is_flag=True, help="Write a mail that is ready to send.")
@json_option
@data_option
@with_desk
def accept(
    desk: Desk,
    source: Path,
    role: str,
    game: str,
    only_show: bool,
    output: Path | None,
    eml: bool,
    in_json: bool,
) -> None:
    """Join a game that somebody proposed to you: SOURCE is the mail or file that came, - is the standard input.

    \b
    pbem accept invitation.eml --show
    pbem accept invitation.eml -o acceptance.eml --eml
    """
    from pbem.app.exporting import export
    from pbem.app.propose import accept as accept_proposal
    from pbem.app.propose import check_new, single_proposal
    from pbem.cli.files import read_source

    if in_json and not only_show:
        raise click.UsageError("--json goes with --show")
    proposal = single_proposal(read_source(source))
    if not only_show:
        check_new(desk, proposal)
    if in_json:
        as_json(proposal.event.body.model_dump())
    else:
        print_terms(desk, proposal)
    if only_show:
        if not in_json:
            say(f"Do now: to join, `pbem accept {source} -o acceptance.eml --eml`; else nothing.")
        return
    opened = accept_proposal(desk, proposal, role, game)
    say(f"Accepted as game {opened.row.name}; you are {opened.role}.")
    say(f"Your key in words: {own_words(desk.profile().key)}")
    write_turn_file(export(desk, opened.row.name), output, eml=eml)


COMMANDS = {"init": init, "new": new, "accept": accept}

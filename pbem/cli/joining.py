"""`pbem init`, `pbem new`, `pbem accept`: a home, a proposal, an acceptance."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from dataclasses import replace
from itertools import chain, count
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Literal

import click

from pbem.cli.frame import as_json, data_option, force_option, home_folder, json_option, say, with_desk
from pbem.cli.printing import REFEREE, own_words, print_terms
from pbem.cli.sending import Target, check_first, send_first, target_options
from pbem.errors import BadRequest
from pbem.log.enumeration import counted

if TYPE_CHECKING:
    from pbem.app.desk import Desk
    from pbem.app.propose import Joining
    from pbem.log.event import Seat
    from pbem.log.verify import Verified

LOST_PASSPHRASE = "A lost passphrase cannot be recovered: keep a note of it in a safe place."
NO_PASSPHRASE = "WITHOUT a passphrase: whoever reads this disk can sign in your name and read your secrets."
MOST_LETTERS = 200


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

    _check_player(name)
    check_address(address, "your")
    folder = home_folder()
    phrase = None if no_passphrase else new_passphrase("PBEM_PASSPHRASE", "passphrase for the new home")
    profile = make_home(folder, name, address, phrase)
    say(f"Made a home for {name} <{address}> in {folder}.")
    if no_passphrase:
        say(NO_PASSPHRASE)
    else:
        say(LOST_PASSPHRASE)
    say(f"Your key in words: {own_words(profile.key)}")
    say("Do now: `pbem new GAME --as ROLE --opponent ADDRESS` to propose a game, or `pbem accept FILE` to join one.")


def _check_player(name: str) -> None:
    """Raise BadRequest for a name that nobody could see, or that is longer than a proposal can hold."""
    if not any(character.isalnum() for character in name) or len(name) > MOST_LETTERS:
        got = f"one of {counted(len(name), 'character')}" if len(name) > MOST_LETTERS else f"'{name}'"
        raise BadRequest(
            "init.name",
            f"expected a name that other players see, got {got}",
            f"with a letter or a digit, and at most {MOST_LETTERS} characters",
        )


def new_passphrase(variable: str, what: str) -> str:
    """The environment's answer in `variable`, or one that is typed twice; BadRequest when nobody is there to type."""
    given = os.environ.get(variable)
    if given is not None:
        return given
    if not sys.stdin.isatty():
        raise BadRequest(
            "init.passphrase",
            f"expected a {what}, got nobody to ask",
            f"set {variable}, or say --no-passphrase",
        )
    answer: str = click.prompt("Choose a passphrase", hide_input=True, confirmation_prompt=True, err=True)
    return answer


@click.command()
@click.argument("ruleset")
@click.option("--as", "role", required=True, help="The role that you play.")
@click.option("--opponent", required=True, help="The other player's e-mail address.")
@click.option("--opponent-name", default="", help="The other player's name.")
@click.option("--referee", default="", help="The e-mail address of somebody who rules where you two cannot.")
@click.option("--referee-name", default="", help="The referee's name.")
@click.option("--adjudicator", default="", help="The e-mail address of a service that hosts the game.")
@click.option("--adjudicator-name", default="", help="The adjudicator's name.")
@click.option(
    "--rollers",
    type=click.Choice(["players", "adjudicator", "all"]),
    help="Who rolls: the adjudicator where there is one (if none is named), both players, or all three.",
)
@click.option("--scenario", default="", help="The scenario; the first one if none is named.")
@click.option("--deadline-days", default=0, type=click.IntRange(0, 3650), help="Days for each answer; 0 for none.")
@click.option(
    "--remedy",
    type=click.Choice(["claim", "worst"]),
    help="What may be claimed beyond the deadline, without a referee: the game (as if none is named), or the worst.",
)
@click.option("--name", "game", help="What this home calls the game: one word.")
@target_options
@data_option
@with_desk
def new(
    desk: Desk,
    ruleset: str,
    role: str,
    opponent: str,
    opponent_name: str,
    referee: str,
    referee_name: str,
    adjudicator: str,
    adjudicator_name: str,
    rollers: Literal["players", "adjudicator", "all"] | None,
    scenario: str,
    deadline_days: int,
    remedy: Literal["claim", "worst"] | None,
    game: str | None,
    output: Path | None,
    eml: bool,
    force: bool,
) -> None:
    """Propose a game to somebody whose e-mail address you know.

    RULESET is the name of a game's rules, as `pbem games` lists them.

    \b
    pbem new westerplatte --as german --opponent bruno@example.org -o invitation.eml --eml
    pbem new polska1939 --as polish --opponent bruno@example.org --referee rita@example.org --deadline-days 7

    A referee holds what opens your dice and sealed orders when you go silent: choose one whom both of you trust.
    Without one, who waits beyond the deadline may claim the game; with `--remedy worst` play goes on instead, and the
    silent side has the worst: its default in the place of orders, and dice that the other side dictates.

    \b
    pbem new westerplatte --as german --opponent bruno@example.org --deadline-days 7 --remedy worst

    An adjudicator hosts the game: its receipts say what arrived when, it rules like a referee where there is none, and
    it rolls alone, at once, unless `--rollers` says who else does.

    \b
    pbem new westerplatte --as german --opponent bruno@example.org --adjudicator host@example.org --rollers all
    """
    from pbem.app.catalogue import ruleset as find_ruleset
    from pbem.app.propose import Terms, check_name, propose, role_named
    from pbem.mail.message import check_address

    rules = find_ruleset(ruleset, desk.data)
    mine = role_named(rules.roles, role)
    others = [one for one in rules.roles if one != mine]
    if mine is None or len(others) != 1:
        raise BadRequest("new.role", f"expected one of {', '.join(rules.roles)}, got '{role}'")
    check_address(opponent, "the opponent's")
    for name in filter(None, (opponent_name, referee_name, adjudicator_name)):
        _check_player(name)
    if adjudicator:
        check_address(adjudicator, "the adjudicator's")
    if referee:
        check_address(referee, "the referee's")
    if game is not None:
        check_name(game)
    target = Target(output, eml, force)
    check_first(target)
    people = {others[0]: (opponent_name, opponent)}
    judge = (referee_name, referee) if referee else None
    terms = Terms(rules, scenario or rules.scenarios[0], mine, people, deadline_days, name=game or "", referee=judge)
    host = (adjudicator_name, adjudicator) if adjudicator else None
    opened = propose(desk, replace(terms, remedy=remedy or "", adjudicator=host, rollers=rollers or ""))
    name = opened.row.name
    say(f"Proposed {rules.title} as game {name} ({opened.row.game_id[:12]}); you are {mine}.")
    say(f"Your key in words: {own_words(desk.profile().key)}")
    send_first(desk, name, target, f"the game is proposed as {name}")


@click.command()
@click.argument("source", type=click.Path(allow_dash=True, path_type=Path))
@click.option("--as", "role", default="", help="The role to take, if more than one is free.")
@click.option(
    "--as-address", "address", default="", help="Your address in the proposal, if it is another one of yours."
)
@click.option("--name", "game", help="What this home calls the game: one word.")
@click.option("--show", "only_show", is_flag=True, help="Show the terms of the proposal and change nothing.")
@target_options
@json_option
@data_option
@with_desk
def accept(
    desk: Desk,
    source: Path,
    role: str,
    address: str,
    game: str | None,
    only_show: bool,
    output: Path | None,
    eml: bool,
    force: bool,
    in_json: bool,
) -> None:
    """Join a game that somebody proposed to you: SOURCE is the mail or file that came, - is the standard input.

    \b
    pbem accept invitation.eml --show
    pbem accept invitation.eml -o acceptance.eml --eml
    """
    from pbem.app.propose import Joining, check_name, check_new, seats_taken, single_proposal
    from pbem.app.propose import accept as accept_proposal
    from pbem.cli.files import read_source

    if in_json and not only_show:
        raise click.UsageError("--json goes with --show")
    if game is not None:
        check_name(game)
    arrived = read_source(source)
    proposal = single_proposal(arrived)
    joining = Joining(seats_taken(arrived, proposal), address)
    if only_show:
        _show_terms(desk, proposal, joining, source, in_json=in_json)
        return
    check_new(desk.home, proposal, role)
    target = Target(output, eml, force)
    _check_other_file(source, output)
    check_first(target)
    print_terms(desk, proposal)
    opened = accept_proposal(desk, proposal, role, game or "", joining)
    name = opened.row.name
    say(f"Accepted as game {name}; you are {opened.role}.")
    say(f"Your key in words: {own_words(desk.profile().key)}")
    send_first(desk, name, target, f"the game is joined as {name}")


def _show_terms(desk: Desk, proposal: Verified, joining: Joining, source: Path, *, in_json: bool) -> None:
    """The terms of a proposal, who has joined it already, and the command that joins it."""
    if in_json:
        as_json(proposal.event.body.model_dump())
        return
    print_terms(desk, proposal)
    for role, taken in sorted(joining.taken.items()):
        say(f"  {role} has accepted in this file: {taken.name or '(no name)'}")
    free = _free_seats(proposal, joining)
    if not free:
        say("Do now: nothing, the seat is taken; `pbem import` takes in what belongs to a game of this home.")
        return
    other = _other_address(free, joining.address or desk.profile().address)
    given = f" --as-address {quote(other or joining.address)}" if other or joining.address else ""
    join = f"`pbem accept {quote(str(source))}{given} -o {_free_name()} --eml`"
    if other:
        say(f"Do now: nothing, it is meant for somebody else; if {other} is yours too, " + join + " joins.")
    else:
        say(f"Do now: to join, {join}; else nothing.")


def _free_seats(proposal: Verified, joining: Joining) -> list[Seat]:
    """The seats that nobody has joined, as far as the file says."""
    from pbem.log.event import Propose

    body = proposal.event.body
    assert isinstance(body, Propose)
    return [seat for seat in body.seats if seat.role not in (proposal.event.role, *joining.taken)]


def _other_address(free: Sequence[Seat], mine: str) -> str:
    """The address that a seat is meant for, empty when one is for this one."""
    meant = [seat.address for seat in free]
    return "" if mine.casefold() in map(str.casefold, meant) else meant[0]


def _free_name() -> str:
    """A name for the answer's file that no file has here."""
    names = chain(["acceptance.eml"], (f"acceptance-{number}.eml" for number in count(2)))
    return next(name for name in names if not Path(name).exists())


def _check_other_file(source: Path, output: Path | None) -> None:
    """Raise BadRequest when the answer would be written over the proposal."""
    if output is not None and output.exists() and source.exists() and output.samefile(source):
        raise BadRequest(
            "accept.same_file",
            f"expected another file for the answer than the proposal is in, got '{output}' for both",
            f"name another one, such as -o {_free_name()}",
        )


@click.command()
@click.argument("source", type=click.Path(allow_dash=True, path_type=Path))
@click.option("--as", "role", required=True, help="The role whose seat you would take.")
@click.option("--name", "game", default="", help="What this home calls the game: one word.")
@click.option("-o", "--output", type=click.Path(path_type=Path), required=True, help="The file for your offer.")
@force_option
@data_option
@with_desk
def substitute(desk: Desk, source: Path, role: str, game: str, output: Path, force: bool) -> None:
    """Take a running game into this home, and offer to go on with it in a role: SOURCE is an archive of it.

    Mail the offer to whoever holds the seat now, who moves that you take it; the other side must agree. With
    `--as referee`, to a player: both must agree, whether or not there is a referee already. A second time, the same
    offer is written again.

    \b
    pbem substitute westerplatte.pbem --as polish -o offer.json
    """
    from pbem.app.outputs import anything, check_output, write_output
    from pbem.app.seats import substitute as taken_in
    from pbem.cli.files import read_source

    check_output(output, anything, force=force)
    joined = taken_in(desk, read_source(source), role, game)
    write_output(output, joined.offer.text().encode(), anything, force=True)
    name, seat = joined.opened.row.name, joined.opened.role
    taken = f"You have offered this before, in game {name}" if joined.again else f"Taken in as game {name}"
    say(f"{taken}; you would be {seat}. Wrote {output}.")
    say(f"Your key in words: {own_words(desk.profile().key)}")
    if not joined.again:
        say("A backup that you made before does not have this game: make a new one, with `pbem backup -o FILE`.")
    whom = f"whoever is {seat} now, for `pbem motion hand-over GAME --offer FILE`"
    if seat == REFEREE:
        whom = "one of the players, for `pbem motion appoint GAME --offer FILE`"
    say(f"Do now: send {output} to {whom}; nothing is signed here before the seat is yours.")


COMMANDS = {"init": init, "new": new, "accept": accept, "substitute": substitute}

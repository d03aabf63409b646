"""`pbem serve`: the home of a referee that lives on a mailbox."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any

import click

from pbem.cli.condition import show_condition, tell_health
from pbem.cli.frame import data_option, json_option, with_desk
from pbem.cli.mailbox import IN, OUT, agent_of, mailbox_options, remember, teller, work, worker_name, working_options
from pbem.errors import BadRequest

if TYPE_CHECKING:
    from pbem.app.desk import Desk


@click.command()
@mailbox_options
@click.option(
    "--status", "only_show", is_flag=True, help="Workers, the last round, the outbox, games, deadlines, alarms."
)
@click.option("--health", is_flag=True, help="Say what is wrong; exit code 1 when something is.")
@click.option("--within", type=click.IntRange(1, 10_080), default=15, help="Minutes in which --health expects a round.")
@click.option(
    "--for", "proposers", multiple=True, help="Whose proposals are accepted: ADDRESS (several times), any, or nobody."
)
@click.option("--most-games", type=click.IntRange(1), default=5, help="Games a day that one address may open.")
@click.option("--grace", type=click.FloatRange(0, 8760), default=24.0, help="Hours beyond a deadline until a ruling.")
@click.option(
    "--rule", "ruling", type=click.Choice(["by-itself", "by-hand"]), default="by-itself", help="Who rules on silence."
)
@click.option(
    "--most-rulings",
    type=click.IntRange(0),
    help="Games that are ruled on within a day at most; else fewer than three, and not over half of those that run.",
)
@click.option(
    "--keep-days",
    type=click.IntRange(7, 36_500),
    default=90,
    help="Days after which mails that were sent, letters that were handled and deadlines that are over are forgotten.",
)
@click.option("--zone", "zones", multiple=True, help="A party's time zone: anna@example.org=Europe/Warsaw.")
@click.option("--clock-is-right", is_flag=True, help="Believe the clock although it once stood later.")
@working_options
@json_option
@data_option
@with_desk
def serve(desk: Desk, **options: Any) -> int:
    """Let the home of a referee live on a mailbox: join games, keep deadlines, remind, rule, and answer commands.

    It is the agent's loop with a referee's duties. Proposals that name this home's address as referee are accepted from
    the addresses that --for names, which are remembered, as --in, --out and --zone are. Who is silent is reminded at
    half of the time, a day before its end and at its end; when the grace is over as well, the referee's powers stand
    in. Parties of a game can ask by mail: write `help` to it. For a home in PostgreSQL start it as often as you like:
    the workers share the mailbox and the games, and what a killed one had is another's after a minute.

    \b
    pbem serve --in maildir:/srv/mail/in --out maildir:/srv/mail/out --for anna@example.org --once --make
    pbem serve --in imaps://rita@mail.example.org/INBOX --out smtps://rita@mail.example.org --for any
    pbem serve --zone anna@example.org=Europe/Warsaw --grace 48 --rule by-hand
    pbem serve --status
    pbem serve --health
    """
    if options["only_show"]:
        show_condition(desk, in_json=options["in_json"])
        return 0
    if options["health"]:
        return tell_health(desk, options["within"] * 60)
    return _serve(desk, **options)


def _serve(desk: Desk, *, once: bool, pause: int, verbose: bool, **options: Any) -> int:
    from pbem.service.overdue import Policy
    from pbem.service.referee import Docket, always, reception

    desk.ours_too = True
    log_json = options["log_json"]
    worker, tell = worker_name(), teller(desk, log_json=log_json, sparing=once and not verbose)
    policy = Policy(int(options["grace"] * 3600), options["ruling"] == "by-hand", options["most_rulings"])
    with nullcontext(always) if once else _ticking(pause) as tick:
        docket = Docket(desk, policy, worker, tell, tick)
        visitors = reception(desk, tell, options["most_games"])
        ways, keep = (options["inbox"], options["outgoing"]), options["keep_days"]
        boxes = {"make": options["make"], "keep_days": keep}
        working = agent_of(desk, *ways, worker, tell, options["again"], visitors, docket, **boxes)
        _settle(desk, options["proposers"], options["zones"], clock_is_right=options["clock_is_right"])
        working.begin()
        remember(desk, {IN: options["inbox"], OUT: options["outgoing"]})
        return work(working, once, pause, verbose=verbose or log_json)


def _ticking(pause: int) -> AbstractContextManager[Callable[[], bool]]:
    from pbem.service.ticking import Ticks

    return Ticks(pause)


def _settle(desk: Desk, proposers: tuple[str, ...], zones: tuple[str, ...], *, clock_is_right: bool) -> None:
    """Remember what was said with a command that goes on to work."""
    from pbem.service.joining import allow
    from pbem.service.times import keep_zones
    from pbem.service.watch import put_right

    if proposers or zones:
        with desk.home.queueing() as queue:
            if proposers:
                allow(queue, proposers)
            keep_zones(queue, dict(_zone(given) for given in zones))
    if clock_is_right:
        put_right(desk, desk.clock())


def _zone(given: str) -> tuple[str, str]:
    address, equals, zone = given.partition("=")
    if not equals:
        raise BadRequest("serve.zone", f"expected ADDRESS=ZONE, got '{given}'", "anna@example.org=Europe/Warsaw")
    return address, zone


COMMANDS = {"serve": serve}

"""`pbem agent`, `pbem serve` and `pbem doctor`: a home that lives on a mailbox."""

from __future__ import annotations

import os
import signal
import socket
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import click

from pbem.cli.frame import as_json, complain, data_option, json_option, say, with_desk
from pbem.errors import BadRequest, PbemError
from pbem.log.enumeration import counted

if TYPE_CHECKING:
    from pbem.app.desk import Desk
    from pbem.service.agent import Agent, Duties
    from pbem.service.record import Tell
    from pbem.service.visitors import Visitors
    from pbem.store.rows import StoredMail

IN, OUT, TELL = "agent/in", "agent/out", "agent/tell"
NOBODY = "nobody"
MOST_NAMED = 10
"""Letters left to a person that are named, the last ones."""
_inbox = click.option("--in", "inbox", default="", help="Where mails come in: maildir:FOLDER, imaps://USER@HOST/INBOX.")
_outgoing = click.option("--out", "outgoing", default="", help="How mails go out: maildir:FOLDER, smtps://USER@HOST.")
_once = click.option(
    "--once", is_flag=True, help="One round, for cron: exit code 1 if mails were kept from coming or going."
)
_pause = click.option(
    "--pause", type=click.IntRange(1, 86_400), default=60, help="Seconds between two looks at the mailbox."
)
_again = click.option(
    "--again", type=click.FloatRange(0.01, 8760), default=6.0, help="Hours until a turn file goes again."
)
_make = click.option("--make", is_flag=True, help="Make a Maildir of --in or --out that is not there yet.")
_verbose = click.option("--verbose", is_flag=True, help="With --once: tell everything, not only what you have to know.")
_log_json = click.option("--log-json", is_flag=True, help="One JSON object a line instead of words.")


@click.command()
@_inbox
@_outgoing
@_once
@click.option("--show", "only_show", is_flag=True, help="What lies in the outbox and where mails go; nothing is done.")
@click.option("--bot", metavar="NAME", default="", help="Decide for you with the bot of that name: good, random.")
@click.option("--tell", "told", default="", help="Whom to mail what is yours to decide: your ADDRESS, or nobody.")
@click.option("--zone", default="", help="Your time zone, for what you are told: Europe/Warsaw.")
@_pause
@_again
@_make
@_verbose
@_log_json
@json_option
@data_option
@with_desk
def agent(
    desk: Desk,
    inbox: str,
    outgoing: str,
    once: bool,
    only_show: bool,
    bot: str,
    told: str,
    zone: str,
    pause: int,
    again: float,
    make: bool,
    verbose: bool,
    log_json: bool,
    in_json: bool,
) -> int:
    """Let this home live on a mailbox: take in what comes, answer what needs nobody, send what there is to send.

    It decides nothing: it says what is yours to decide, once for each question, and mails you the same, with what has
    happened and the order sheet, to the address of --tell. Your orders go out with the next round, whenever you submit
    them. The passwords of the mailbox come from PBEM_IMAP_PASSWORD, PBEM_SMTP_PASSWORD or PBEM_MAIL_PASSWORD, or from
    the keyring. The addresses are remembered.

    With --bot a bot decides whatever you are asked, in every game of this home, and signs it for you: to try things
    out, or while you are away. It is not remembered. What the other side moves or asks for is left to you.

    \b
    pbem agent --in imaps://anna@mail.example.org/INBOX --out smtps://anna@mail.example.org
    pbem agent --in maildir:/home/anna/Mail/pbem --out maildir:/home/anna/Mail/outgoing --once --make
    pbem agent --tell anna@example.org --zone Europe/Warsaw
    pbem agent
    pbem agent --bot good
    """
    if only_show:
        _show(desk, in_json=in_json)
        return 0
    desk.ours_too = True
    tell = _told(desk, log_json=log_json, sparing=once and not verbose)
    first = _bot(desk, bot, tell) if bot else None
    duties = _herald(desk, tell, told, zone, first)
    working = _agent(desk, inbox, outgoing, _worker(), tell, again, duties=duties, make=make)
    working.begin()
    _remember(desk, {IN: inbox, OUT: outgoing, TELL: told})
    return _work(working, once, pause, ("decision", "made"), verbose=verbose or log_json)


def _bot(desk: Desk, name: str, tell: Tell) -> Duties:
    from pbem.service.bots import Stand, check_bot

    check_bot(name)
    return Stand(desk, name, tell)


def _herald(desk: Desk, tell: Tell, told: str, zone: str, first: Duties | None) -> Duties:
    """Who tells the player, at the address that is given now or was earlier."""
    from pbem.cli.status import to_do
    from pbem.mail.message import check_address
    from pbem.service.agent import NoDuties
    from pbem.service.telling import Herald
    from pbem.service.times import keep_zones

    address = told or (desk.home.meta(TELL) or b"").decode()
    if address in ("", NOBODY):
        address = ""
    else:
        check_address(address, "your")
    if zone:
        with desk.home.writing() as writer:
            keep_zones(writer, {desk.profile().address: zone})
    return Herald(desk, tell, to_do, address, first or NoDuties())


def _worker() -> str:
    """A name that no other process has."""
    return f"{socket.gethostname()}-{os.getpid()}-{os.urandom(4).hex()}"


def _told(desk: Desk, *, log_json: bool, sparing: bool) -> Tell:
    from pbem.service import record

    if log_json:
        return record.in_json(desk.clock)
    return record.sparing(desk.clock) if sparing else record.in_words(desk.clock)


def _work(
    working: Agent,
    once: bool,
    pause: int,
    was_due: tuple[str, str] = ("deadline", "attended to"),
    *,
    verbose: bool,
) -> int:
    """The exit code: 1 for one round in which mails were kept from coming in or going out."""
    if not once:
        working.run(_until_stopped(), pause)
        return 0
    found = working.once()
    if verbose:
        done = [
            counted(found.letters, "letter came in", "letters came in"),
            counted(found.posted, "turn file was made", "turn files were made"),
            counted(found.sent, "mail went out", "mails went out"),
        ]
        if found.due:
            noun, what = was_due
            done.append(f"{counted(found.due, f'{noun} was', f'{noun}s were')} {what}")
        say(f"{', '.join(done)}.")
    for fault in found.faults:
        complain(fault)
    return 1 if found.faults else 0


def _agent(
    desk: Desk,
    inbox: str,
    outgoing: str,
    worker: str,
    tell: Tell,
    again: float,
    visitors: Visitors | None = None,
    duties: Duties | None = None,
    make: bool = False,
    **more: Any,
) -> Agent:
    from pbem.mail.post.opening import open_inbox, open_outgoing
    from pbem.mail.post.secrets import Secrets
    from pbem.service.agent import Agent
    from pbem.service.condition import note_shut
    from pbem.service.shift import Pulse

    secrets = Secrets(os.environ)
    inbox, outgoing = _address(desk, IN, inbox, "--in"), _address(desk, OUT, outgoing, "--out")
    try:
        box, way = open_inbox(inbox, secrets, make=make), open_outgoing(outgoing, secrets, make=make)
    except PbemError as error:
        note_shut(desk, error.text)
        raise
    pulse = Pulse(desk.home.folder, desk.clock, worker)
    return Agent(desk, box, way, worker, tell, int(again * 3600), visitors, duties, pulse, **more)


def _address(desk: Desk, key: str, given: str, option: str) -> str:
    found = given or (desk.home.meta(key) or b"").decode()
    if not found:
        text = f"expected to know the mailbox of this home, got no {option} now or earlier"
        raise BadRequest(
            "agent.address",
            text,
            "for example --in maildir:/home/anna/Mail/pbem --out maildir:/home/anna/Mail/outgoing",
        )
    return found


def _remember(desk: Desk, given: dict[str, str]) -> None:
    changed = {key: value for key, value in given.items() if value}
    if changed:
        with desk.home.queueing() as queue:
            for key, value in changed.items():
                queue.put_meta(key, value.encode())


def _until_stopped() -> Any:
    """A function that is true once this process was told to end; a round is never cut off in the middle."""
    stopped: list[bool] = []

    def stop(*_: object) -> None:
        if stopped:
            sys.exit(1)
        stopped.append(True)

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, stop)
    return lambda: bool(stopped)


def _show(desk: Desk, *, in_json: bool) -> None:
    waiting = [*desk.home.mails("pending"), *desk.home.mails("sending")]
    failed = desk.home.mails("failed")
    facts = {
        "in": (desk.home.meta(IN) or b"").decode(),
        "out": (desk.home.meta(OUT) or b"").decode(),
        "tell": (desk.home.meta(TELL) or NOBODY.encode()).decode(),
        "mails": desk.home.mail_count(),
        "waiting": [_facts(one) for one in waiting],
        "failed": [_facts(one) for one in failed],
    }
    if in_json:
        as_json(facts)
        return
    say(f"mails come in at {facts['in'] or '(not said yet)'} and go out at {facts['out'] or '(not said yet)'}")
    say(f"what is yours to decide is mailed to {facts['tell']}")
    told = ", ".join(f"{count} {state}" for state, count in desk.home.mail_count().items())
    say(f"outbox: {told or 'empty'}")
    for one in (*waiting, *failed):
        why = f", {one.reason}" if one.reason else ""
        say(f"  {one.state}: to {', '.join(one.addresses)}, tried {counted(one.tries, 'time')}{why}")


def _facts(mail: StoredMail) -> dict[str, Any]:
    return {"mail": mail.message_id, "to": mail.addresses, "tries": mail.tries, "why": mail.reason}


@click.command()
@_inbox
@_outgoing
@_once
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
@_pause
@_again
@_make
@_verbose
@_log_json
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
        _show_condition(desk, in_json=options["in_json"])
        return 0
    if options["health"]:
        return _health(desk, options["within"] * 60)
    return _serve(desk, **options)


def _serve(desk: Desk, *, once: bool, pause: int, verbose: bool, **options: Any) -> int:
    from pbem.service.overdue import Policy
    from pbem.service.referee import Docket, always, reception

    desk.ours_too = True
    log_json = options["log_json"]
    worker, tell = _worker(), _told(desk, log_json=log_json, sparing=once and not verbose)
    policy = Policy(int(options["grace"] * 3600), options["ruling"] == "by-hand", options["most_rulings"])
    with nullcontext(always) if once else _ticking(pause) as tick:
        docket = Docket(desk, policy, worker, tell, tick)
        visitors = reception(desk, tell, options["most_games"])
        ways, keep = (options["inbox"], options["outgoing"]), options["keep_days"]
        boxes = {"make": options["make"], "keep_days": keep}
        working = _agent(desk, *ways, worker, tell, options["again"], visitors, docket, **boxes)
        _settle(desk, options["proposers"], options["zones"], clock_is_right=options["clock_is_right"])
        working.begin()
        _remember(desk, {IN: options["inbox"], OUT: options["outgoing"]})
        return _work(working, once, pause, verbose=verbose or log_json)


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


def _health(desk: Desk, within: int) -> int:
    from pbem.service.condition import why_unwell

    found = why_unwell(desk, within)
    for line in found:
        complain(line)
    if not found:
        say("well")
    return 1 if found else 0


def _show_condition(desk: Desk, *, in_json: bool) -> None:
    from pbem.service.condition import condition

    found = condition(desk)
    if in_json:
        as_json(found)
        return
    last, games = found["round"], found["games"]
    _say_workers(found["workers"])
    if last:
        say(
            f"last round: {_time(last['at'])}, {counted(last['letters'], 'letter')}, "
            f"{counted(last['posted'], 'turn file')}, {counted(last['sent'], 'mail')}, "
            f"{counted(last['due'], 'deadline')}"
        )
        if last["closed"]:
            say(f"the mailbox is out of reach since {_time(last['closed'])}")
    say(f"outbox: {', '.join(f'{count} {state}' for state, count in found['outbox'].items()) or 'empty'}")
    say(f"games: {games['all']}, of which {games['running']} run; proposals of {_allowed(found)} are accepted")
    _say_left(found["left"])
    for one in found["deadlines"]:
        say(f"  due {_time(one['due'])}: {one['what']} in {one['game']}, step {one['step']}")
    for one in found["alarms"]:
        say(f"  ALARM {_time(one['at'])} {one['code']}: {one['text']}")


def _say_workers(found: list[dict[str, Any]]) -> None:
    if not found:
        say("service: does not work now")
    for one in found:
        say(f"worker {one['name']}: {', '.join(one['holds']) or 'nothing in hand'}")


def _say_left(found: list[dict[str, Any]]) -> None:
    if found:
        say(f"letters left to a person: {len(found)}")
    for one in found[-MOST_NAMED:]:
        say(f"  {_time(one['at'])}: {one['text']}")


def _allowed(found: dict[str, Any]) -> str:
    return ", ".join(found["allowed"]) or "nobody"


def _time(seconds: int) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M UTC")


@click.command()
@json_option
@with_desk
def doctor(desk: Desk, in_json: bool) -> int:
    """Look at what an agent or a service rests on: mailbox, clock, database, permissions, keys, outbox, workers.

    One line for each; exit code 1 when one is not well. Nothing is changed.

    \b
    pbem doctor
    """
    from pbem.mail.post.opening import open_inbox, open_outgoing
    from pbem.mail.post.secrets import Secrets
    from pbem.service.doctor import examine

    secrets = Secrets(os.environ)
    inbox, outgoing = ((desk.home.meta(key) or b"").decode() for key in (IN, OUT))
    checks = list(
        examine(
            desk,
            lambda: open_inbox(inbox, secrets) if inbox else None,
            lambda: open_outgoing(outgoing, secrets) if outgoing else None,
        )
    )
    if in_json:
        as_json([{"check": one.name, "well": one.well, "text": one.text} for one in checks])
    else:
        for one in checks:
            say(f"{'well' if one.well else 'NOT WELL'}  {one.name}: {one.text}")
    return 0 if all(one.well for one in checks) else 1


COMMANDS = {"agent": agent, "doctor": doctor, "serve": serve}

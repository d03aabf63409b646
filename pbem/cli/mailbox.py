"""What `pbem agent` and `pbem serve` share: the options of a home that lives on a mailbox, and its work."""

from __future__ import annotations

import os
import signal
import socket
import sys
from typing import TYPE_CHECKING, Any

import click

from pbem.cli.frame import F, complain, say, with_options
from pbem.errors import BadRequest, PbemError
from pbem.log.enumeration import counted

if TYPE_CHECKING:
    from pbem.app.desk import Desk
    from pbem.service.agent import Agent, Duties
    from pbem.service.record import Tell
    from pbem.service.visitors import Visitors


IN, OUT, TELL = "agent/in", "agent/out", "agent/tell"


def mailbox_options(command: F) -> F:
    """Where mails come from and go to, and whether once or again and again."""
    return with_options(
        command,
        click.option("--in", "inbox", default="", help="Where mails come in: maildir:FOLDER, imaps://USER@HOST/INBOX."),
        click.option("--out", "outgoing", default="", help="How mails go out: maildir:FOLDER, smtps://USER@HOST."),
        click.option(
            "--once", is_flag=True, help="One round, for cron: exit code 1 if mails were kept from coming or going."
        ),
    )


def working_options(command: F) -> F:
    """How a home works on a mailbox, and how it tells of that."""
    return with_options(
        command,
        click.option(
            "--pause", type=click.IntRange(1, 86_400), default=60, help="Seconds between two looks at the mailbox."
        ),
        click.option(
            "--again", type=click.FloatRange(0.01, 8760), default=6.0, help="Hours until a turn file goes again."
        ),
        click.option("--make", is_flag=True, help="Make a Maildir of --in or --out that is not there yet."),
        click.option("--verbose", is_flag=True, help="With --once: tell everything, not only what you have to know."),
        click.option("--log-json", is_flag=True, help="One JSON object a line instead of words."),
    )


def worker_name() -> str:
    """A name that no other process has."""
    return f"{socket.gethostname()}-{os.getpid()}-{os.urandom(4).hex()}"


def teller(desk: Desk, *, log_json: bool, sparing: bool) -> Tell:
    """Who tells what happens: one JSON object a line, or words, `sparing` ones where only a fault matters."""
    from pbem.service import record

    if log_json:
        return record.in_json(desk.clock)
    return record.sparing(desk.clock) if sparing else record.in_words(desk.clock)


def work(
    working: Agent,
    once: bool,
    pause: int,
    was_due: tuple[str, str] = ("deadline", "attended to"),
    *,
    verbose: bool,
) -> int:
    """Work once or until the process is told to end; exit code 1 for a round in which mails were kept back."""
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


def agent_of(
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
    """The agent of a home on a mailbox: the one that is given, or else the one that is remembered.

    `again` is in hours, `more` goes to the agent as it is. BadRequest `agent.address` where no mailbox is known; one
    that cannot be opened is noted for `pbem serve --health`.
    """
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


def remember(desk: Desk, given: dict[str, str]) -> None:
    """Keep the addresses that were given, by their keys; an empty one changes nothing."""
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

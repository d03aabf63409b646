"""`pbem agent`: a home that lives on a mailbox."""

from __future__ import annotations

import os
import signal
import socket
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pbem.cli.frame import as_json, data_option, json_option, say, with_desk
from pbem.errors import BadRequest

if TYPE_CHECKING:
    from pbem.app.desk import Desk
    from pbem.service.agent import Agent
    from pbem.store.rows import StoredMail

IN, OUT = "agent/in", "agent/out"


@click.command()
@click.option("--in", "inbox", default="", help="Where mails come in: maildir:FOLDER, imaps://USER@HOST/INBOX.")
@click.option("--out", "outgoing", default="", help="How mails go out: maildir:FOLDER, smtps://USER@HOST.")
@click.option("--once", is_flag=True, help="One round, for cron, which hears of troubles alone; else until stopped.")
@click.option("--show", "only_show", is_flag=True, help="What lies in the outbox and where mails go; nothing is done.")
@click.option("--pause", type=click.IntRange(1, 86_400), default=60, help="Seconds between two looks at the mailbox.")
@click.option("--again", type=click.FloatRange(0.01, 8760), default=6.0, help="Hours until a turn file goes again.")
@click.option("--log-json", is_flag=True, help="One JSON object a line instead of words.")
@json_option
@data_option
@with_desk
def agent(
    desk: Desk,
    inbox: str,
    outgoing: str,
    once: bool,
    only_show: bool,
    pause: int,
    again: float,
    log_json: bool,
    in_json: bool,
) -> None:
    """Let this home live on a mailbox: take in what comes, answer what needs nobody, send what there is to send.

    It decides nothing: your orders go out with the next round, whenever you submit them. The passwords of the mailbox
    come from PBEM_IMAP_PASSWORD, PBEM_SMTP_PASSWORD or PBEM_MAIL_PASSWORD, or from the keyring. The addresses are
    remembered.

    \b
    pbem agent --in imaps://anna@mail.example.org/INBOX --out smtps://anna@mail.example.org
    pbem agent --in maildir:Mail/pbem --out maildir:Mail/outgoing --once
    pbem agent
    """
    from pbem.service import record

    if only_show:
        _show(desk, in_json=in_json)
        return
    inbox, outgoing = _whole(inbox), _whole(outgoing)
    words = record.in_words(desk.clock)
    tell = record.in_json(desk.clock) if log_json else record.troubles_of(words) if once else words
    working = _agent(desk, _address(desk, IN, inbox, "--in"), _address(desk, OUT, outgoing, "--out"), tell, again)
    working.begin()
    _remember(desk, {IN: inbox, OUT: outgoing})
    if once:
        found = working.round()
        working.end()
        say(f"{found.letters} letters came in, {found.posted} turn files were made, {found.sent} mails went out.")
    else:
        working.run(_until_stopped(), pause)


def _agent(desk: Desk, inbox: str, outgoing: str, tell: Any, again: float) -> Agent:
    from pbem.mail.post.opening import open_inbox, open_outgoing
    from pbem.mail.post.secrets import Secrets
    from pbem.service.agent import Agent

    secrets = Secrets(os.environ)
    worker = f"{socket.gethostname()}-{os.getpid()}-{os.urandom(4).hex()}"
    box, way = open_inbox(inbox, secrets), open_outgoing(outgoing, secrets)
    return Agent(desk, box, way, worker, tell, int(again * 3600))


def _address(desk: Desk, key: str, given: str, option: str) -> str:
    found = given or (desk.home.meta(key) or b"").decode()
    if not found:
        text = f"expected to know the mailbox of this home, got no {option} now or earlier"
        raise BadRequest("agent.address", text, "for example --in maildir:Mail/pbem --out maildir:Mail/outgoing")
    return found


def _whole(address: str) -> str:
    """A Maildir that was named from the present folder or the home folder, by its whole path."""
    kind, _, path = address.partition(":")
    return f"maildir:{Path(path).expanduser().absolute()}" if kind == "maildir" and path else address


def _remember(desk: Desk, given: dict[str, str]) -> None:
    changed = {key: value for key, value in given.items() if value}
    if changed:
        with desk.home.writing() as writer:
            for key, value in changed.items():
                writer.put_meta(key, value.encode())


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
        "mails": desk.home.mail_count(),
        "waiting": [_facts(one) for one in waiting],
        "failed": [_facts(one) for one in failed],
    }
    if in_json:
        as_json(facts)
        return
    say(f"mails come in at {facts['in'] or '(not said yet)'} and go out at {facts['out'] or '(not said yet)'}")
    told = ", ".join(f"{count} {state}" for state, count in desk.home.mail_count().items())
    say(f"outbox: {told or 'empty'}")
    for one in (*waiting, *failed):
        why = f", {one.reason}" if one.reason else ""
        say(f"  {one.state}: to {', '.join(one.addresses)}, tried {one.tries} times{why}")


def _facts(mail: StoredMail) -> dict[str, Any]:
    return {"mail": mail.message_id, "to": mail.addresses, "tries": mail.tries, "why": mail.reason}


COMMANDS = {"agent": agent}

"""`pbem agent`: a home that takes in, answers and sends by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from pbem.cli.frame import as_json, data_option, json_option, say, with_desk
from pbem.cli.mailbox import (
    IN,
    OUT,
    TELL,
    agent_of,
    mailbox_options,
    remember,
    teller,
    work,
    worker_name,
    working_options,
)
from pbem.log.enumeration import counted

if TYPE_CHECKING:
    from pbem.app.desk import Desk
    from pbem.service.agent import Duties
    from pbem.service.record import Tell
    from pbem.store.rows import StoredMail

NOBODY = "nobody"


@click.command()
@mailbox_options
@click.option("--show", "only_show", is_flag=True, help="What lies in the outbox and where mails go; nothing is done.")
@click.option("--bot", metavar="NAME", default="", help="Decide for you with the bot of that name: good, random.")
@click.option("--tell", "told", default="", help="Whom to mail what is yours to decide: your ADDRESS, or nobody.")
@click.option("--zone", default="", help="Your time zone, for what you are told: Europe/Warsaw.")
@working_options
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
    tell = teller(desk, log_json=log_json, sparing=once and not verbose)
    first = _bot(desk, bot, tell) if bot else None
    duties = _herald(desk, tell, told, zone, first)
    working = agent_of(desk, inbox, outgoing, worker_name(), tell, again, duties=duties, make=make)
    working.begin()
    remember(desk, {IN: inbox, OUT: outgoing, TELL: told})
    return work(working, once, pause, ("decision", "made"), verbose=verbose or log_json)


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


COMMANDS = {"agent": agent}

"""`pbem doctor`: what an agent or a service rests on, looked at piece by piece."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from pbem.cli.frame import as_json, json_option, say, with_desk
from pbem.cli.mailbox import IN, OUT

if TYPE_CHECKING:
    from pbem.app.desk import Desk


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


COMMANDS = {"doctor": doctor}

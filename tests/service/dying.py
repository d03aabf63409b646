"""An agent of one round that kills itself, as a process of its own: `dying.py HOME IN OUT WHERE`.

WHERE is `taken` (a letter is taken in and not yet marked), `sent` (a mail is handed over and not yet noted) or `posted`
(a turn file is in the outbox and has not left).
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NoReturn

from pbem.app.desk import Desk
from pbem.mail.post.maildir import MaildirInbox, MaildirOutgoing
from pbem.mail.post.port import Letter
from pbem.mail.post.remarks import quiet
from pbem.service.agent import Agent
from pbem.service.record import silent
from pbem.store.database import Home


def die() -> NoReturn:
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError("killed")


class DyingInbox(MaildirInbox):
    """Dies where a letter would be marked."""

    def done(self, letter: Letter) -> None:  # noqa: ARG002 - the port has it
        die()


class DyingOutgoing(MaildirOutgoing):
    """Dies behind a mail that it has handed over."""

    def send(self, mail: bytes, sender: str, receivers: Sequence[str]) -> None:
        super().send(mail, sender, receivers)
        die()


class DyingBefore(MaildirOutgoing):
    """Dies before it hands a mail over."""

    def send(self, mail: bytes, sender: str, receivers: Sequence[str]) -> None:  # noqa: ARG002
        die()


def main(home: Path, inbox: Path, outgoing: Path, where: str) -> None:
    box: Any = (DyingInbox if where == "taken" else MaildirInbox)(inbox, quiet)
    way: Any = {"taken": MaildirOutgoing, "sent": DyingOutgoing, "posted": DyingBefore}[where](outgoing)
    with Home.open(home) as opened:
        agent = Agent(Desk(opened), box, way, f"dying-{os.getpid()}", silent)
        agent.begin()
        agent.round()


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), Path(sys.argv[3]), sys.argv[4])

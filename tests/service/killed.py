"""A service in a process of its own that is killed with SIGKILL at a given moment: `python killed.py FOLDER NOW WHERE`.

FOLDER is the home of the referee, with the Maildirs `in` and `out` beside it. WHERE is the moment: `marking` (all is
committed, the letter is not marked), `noting` (the mail has gone, that is not noted), `ruling` (the ruling is made in a
transaction that never ends), `posting` (the ruling is stored and in no mail yet), or `never`.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from pbem.app.desk import Desk
from pbem.mail.post.maildir import MaildirInbox, MaildirOutgoing, prepare
from pbem.mail.post.port import Letter
from pbem.service import agent, overdue
from pbem.service.overdue import Policy
from pbem.service.record import silent
from pbem.service.referee import Docket, reception
from pbem.store.database import Home


def die(*_: object, **__: object) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


class DyingInbox:
    """Hands out letters and dies when one is to be marked."""

    def __init__(self, inner: MaildirInbox) -> None:
        self.inner = inner

    def letters(self, at_most: int) -> Iterator[Letter]:
        return self.inner.letters(at_most)

    done = set_aside = leave = die

    def wait(self, seconds: float) -> None:
        self.inner.wait(seconds)

    def close(self) -> None:
        self.inner.close()


class DyingOutgoing:
    """Sends a mail and dies."""

    def __init__(self, inner: MaildirOutgoing) -> None:
        self.inner = inner

    def send(self, mail: bytes, sender: str, receivers: Sequence[str]) -> None:
        self.inner.send(mail, sender, receivers)
        die()

    def reach(self) -> None:
        self.inner.reach()

    def close(self) -> None:
        self.inner.close()


def main(folder: Path, now: int, where: str) -> None:
    box, way = folder.parent / "in", folder.parent / "out"
    prepare(box)
    prepare(way)
    inbox, outgoing = MaildirInbox(box), MaildirOutgoing(way)
    if where == "ruling":
        ruled = overdue.rule
        overdue.rule = lambda desk, name, why, noting: ruled(desk, name, why, noting=lambda one: (noting(one), die()))
    if where == "posting":
        agent.post_all = die
    with Home.open(folder) as home:
        desk = Desk(home, lambda: now)
        worker = f"worker-{os.getpid()}"
        docket = Docket(desk, Policy(), worker, silent)
        working = agent.Agent(
            desk,
            DyingInbox(inbox) if where == "marking" else inbox,
            DyingOutgoing(outgoing) if where == "noting" else outgoing,
            worker,
            silent,
            10**9,
            reception(desk, silent),
            docket,
        )
        working.begin()
        working.round()
        working.end()


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3])

"""The doctor: what a service rests on, each looked at alone, so that one that fails hides no other one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from pbem.app.desk import Desk
from pbem.errors import PbemError
from pbem.log.enumeration import counted
from pbem.mail.post.port import Inbox, Outgoing
from pbem.service.left import left_letters
from pbem.service.sending import why_held
from pbem.service.shift import workers
from pbem.service.times import in_words
from pbem.service.watch import TOLERANCE, latest
from pbem.store.files import is_open_to_others
from pbem.store.tables import VERSION

PLAUSIBLE = 1_735_689_600
"""The beginning of 2025 in UTC: no machine's clock stands before this program."""


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was looked at: whether it is well, and what was found."""

    name: str
    well: bool
    text: str


def examine(desk: Desk, inbox: Callable[[], Inbox | None], outgoing: Callable[[], Outgoing | None]) -> Iterator[Check]:
    """Every check in turn; `inbox` and `outgoing` open the ways, or give None where no address is known."""
    parts: tuple[tuple[str, Callable[[], tuple[bool, str]]], ...] = (
        ("mailbox", lambda: _inbox(inbox())),
        ("way out", lambda: _outgoing(outgoing())),
        ("clock", lambda: _clock(desk)),
        ("database", lambda: _database(desk)),
        ("permissions", lambda: _permissions(desk.home.folder)),
        ("keys", lambda: _keys(desk)),
        ("outbox", lambda: _outbox(desk)),
        ("workers", lambda: _workers(desk)),
        ("letters", lambda: _letters(desk)),
    )
    for name, look in parts:
        try:
            yield Check(name, *look())
        except (PbemError, OSError) as error:
            yield Check(name, False, error.text if isinstance(error, PbemError) else str(error))


def _inbox(inbox: Inbox | None) -> tuple[bool, str]:
    if inbox is None:
        return False, "no address is known: `pbem serve --in ADDRESS` or `pbem agent --in ADDRESS` says it"
    try:
        waiting = next(iter(inbox.letters(1)), None) is not None
    finally:
        inbox.close()
    return True, "letters wait in it" if waiting else "it is open and empty"


def _outgoing(outgoing: Outgoing | None) -> tuple[bool, str]:
    if outgoing is None:
        return False, "no address is known: `pbem serve --out ADDRESS` or `pbem agent --out ADDRESS` says it"
    try:
        outgoing.reach()
    finally:
        outgoing.close()
    return True, "it is open"


def _clock(desk: Desk) -> tuple[bool, str]:
    now, seen = desk.clock(), latest(desk.home)
    if now < PLAUSIBLE:
        return False, f"it shows {counted(now, 'second')} since 1970, which is long ago"
    if now < seen - TOLERANCE:
        return (
            False,
            f"it stands {counted(seen - now, 'second')} before what it has shown: `pbem serve --clock-is-right`",
        )
    return True, in_words(now, now).rpartition(",")[0]


def _database(desk: Desk) -> tuple[bool, str]:
    """Opening a home compares its settings and its version with what this program needs; here every row is read."""
    found = desk.home.damages()
    return not found, found[0] if found else f"its settings are right, all rows hold, schema {VERSION}"


def _permissions(folder: Path) -> tuple[bool, str]:
    wide = [path.name for path in (folder, *sorted(folder.iterdir())) if is_open_to_others(path)]
    if wide:
        return False, f"others on this machine may use {', '.join(wide)}: `chmod -R go= {folder}`"
    return True, "the home is its owner's alone"


def _keys(desk: Desk) -> tuple[bool, str]:
    if desk.identity().public_key != desk.profile().key:
        return False, "the key in the vault is not that of the profile: restore a backup"
    return True, "the vault opens, and holds the key of this home"


def _outbox(desk: Desk) -> tuple[bool, str]:
    count = desk.home.mail_count()
    waiting = count.get("pending", 0) + count.get("sending", 0)
    failed = count.get("failed", 0)
    if held := why_held(desk.home):
        return False, f"{held[0]}: `pbem agent --show` names them"
    if failed:
        reasons = ", ".join(sorted({mail.reason for mail in desk.home.mails("failed")}))
        return False, f"{counted(failed, 'mail')} could not be sent ({reasons}): `pbem agent --show` names them"
    return True, f"{counted(waiting, 'mail waits', 'mails wait')}, none has failed"


def _letters(desk: Desk) -> tuple[bool, str]:
    """That a letter waits for a person is no fault of what a service rests on."""
    count = len(left_letters(desk.home))
    who = f"{counted(count, 'was', 'were')} left to a person"
    return True, f"{who}: `pbem serve --status` names the last ones" if count else "none was left to a person"


def _workers(desk: Desk) -> tuple[bool, str]:
    most = "a home in PostgreSQL may have several" if desk.home.shared else "a home in SQLite has one at most"
    return True, f"{len(workers(desk.home, desk.clock()))} at work; {most}"

"""What the crash tests run in a process of its own: `python children.py DEED FOLDER [ARGUMENT]`."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from samples import GAME, event

from pbem.errors import PbemError
from pbem.store import Home
from pbem.store.files import write_atomically


def say(line: str) -> None:
    os.write(1, f"{line}\n".encode())


def append_on(folder: Path) -> None:
    """Append event after event and say each id when it is stored."""
    with Home.open(folder) as home:
        step = len(home.events(event(0)["game_id"]))
        while True:
            with home.writing() as writer:
                writer.append(**event(step))
            say(event(step)["event_id"])
            step += 1


def append_two(folder: Path, argument: str) -> None:
    """Append two events in one transaction; on an error of the machine say its code and try once more."""
    with Home.open(folder) as home:
        for _ in range(2):
            try:
                with home.writing() as writer:
                    writer.append(**event(50, note=argument))
                    writer.append(**event(51, note=argument))
                say("stored")
                break
            except PbemError as error:
                say(error.code)


def append_carelessly(folder: Path, argument: str) -> None:
    """Append one event under the given setting of `synchronous`, say so, and die."""
    home = Home.open(folder)
    home._connection.run(f"PRAGMA synchronous = {argument}")
    with home.writing() as writer:
        writer.append(**event(0))
    say("stored")
    os.kill(os.getpid(), signal.SIGKILL)


def compete(folder: Path, argument: str) -> None:
    """Wait for the whistle, then append to the same place as everybody and to places of one's own."""
    with Home.open(folder) as home:
        say("ready")
        while not (folder / "whistle").exists():
            time.sleep(0.001)
        with home.writing() as writer:
            say(writer.append(**event(7, note=argument)).value)
        for step in range(20):
            with home.writing() as writer:
                writer.append(**event(step, role=f"role-{argument}"))


def append_chain(folder: Path, argument: str) -> None:
    """Wait for the whistle, then append fifty events of one's own, each under the lock of its game."""
    with Home.open(folder) as home:
        say("ready")
        while not (folder / "whistle").exists():
            time.sleep(0.001)
        for step in range(50):
            with home.writing(GAME) as writer:
                writer.append(**event(step, role=f"role-{argument}"))


def send_mails(folder: Path, argument: str) -> None:
    """Send what is in the outbox, as lines of a file, until nothing is left; leases are for four seconds."""
    log = os.open(folder / "gone", os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    with Home.open(folder) as home:
        say("ready")
        while home.mail_count().keys() - {"sent"}:
            with home.queueing() as queue:
                mail = queue.lease_mail(argument, int(time.time()), 4)
            if mail is None:
                time.sleep(0.02)
                continue
            os.write(log, f"{argument} {mail.message_id}\n".encode())
            say(mail.message_id)
            with home.queueing() as queue:
                queue.mail_sent(mail.message_id, int(time.time()))


def create(folder: Path) -> None:
    """Make a home that is never without its vault."""
    Home.create(folder, lambda writer: writer.put_meta("vault", b"header")).close()
    say("stored")


def write_file(folder: Path) -> None:
    """Replace a file; on an error of the machine say its code and sentence."""
    try:
        write_atomically(folder / "turn.txt", b"new" * 5000)
        say("stored")
    except PbemError as error:
        say(error.code)
        say(error.text)


DEEDS: dict[str, Callable[..., None]] = {
    deed.__name__: deed
    for deed in (append_on, append_two, append_carelessly, append_chain, compete, create, send_mails, write_file)
}

if __name__ == "__main__":
    DEEDS[sys.argv[1]](Path(sys.argv[2]), *sys.argv[3:])

"""A Maildir to read from and one to write to: folders that are a complete set-up without any server.

Letters lie in `new`, or in `cur` when a mail program has listed them but nobody has read them (no flag S). `done` gives
a letter the flag S; `leave` gives it the flag P (passed) and no S; `set_aside` moves it into the sub-folder
`.unreadable`, which mail programs show as a folder: the flag T would let the next one that empties the bin delete it.
A rename is one step, so a letter is marked or not, and marked once however often it is tried.

Delivery is that of Bernstein's `maildir(5)`: written and synced under `tmp`, renamed into `new`, the folder synced.
The standard library's `mailbox.Maildir` clears what crashes left in `tmp`; it does not sync folders, bound what it
reads, or tell when a letter came, so letters are read and delivered here.
"""

from __future__ import annotations

import itertools
import mailbox
import os
import re
import socket
import stat
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from pbem.errors import BadRequest
from pbem.mail import mime
from pbem.mail.plain import printable
from pbem.mail.post.port import Letter, PostFault, Undeliverable
from pbem.mail.post.remarks import Tell, quiet, too_large
from pbem.mail.post.wire import envelope, unsendable
from pbem.mail.reading import Note

ASIDE = ".unreadable"
PARTS = ("tmp", "new", "cur")
PAUSE = 0.5
_INFO = re.compile(r":2,([A-Za-z]*)$")
_HANDLED = frozenset("SPT")
_number = itertools.count()


def prepare(folder: Path, *, make: bool = True) -> None:
    """Complete a Maildir, and `make` one of a path that is free or an empty folder. BadRequest `post.no_maildir` where
    there is none that may be made, `post.not_a_maildir` for any other folder, PostFault `post.disk` where the machine
    does not allow it."""
    with _disk(folder):
        held = {path.name for path in folder.iterdir()} if folder.is_dir() else set()
        if not (held or make or folder.is_file()):
            raise _missing(folder)
        if not held or set(PARTS) & held:
            for part in PARTS:
                (folder / part).mkdir(mode=0o700, parents=True, exist_ok=True)
            mailbox.Maildir(folder).clean()
            return
    raise BadRequest(
        "post.not_a_maildir",
        f"expected a Maildir or an empty folder, got one with other files at {printable(str(folder))!r}",
        "a Maildir has the folders tmp, new and cur",
    )


def _missing(folder: Path) -> BadRequest:
    found = "an empty folder" if folder.is_dir() else "none"
    return BadRequest(
        "post.no_maildir",
        f"expected a Maildir at {printable(str(folder))!r}, got {found}",
        "look for a slip in the name; --make makes a Maildir there",
    )


@dataclass(slots=True)
class MaildirInbox:
    """Letters of a Maildir, of at most `limit` bytes. `pause` sleeps between two looks at the folder."""

    folder: Path
    tell: Tell = quiet
    limit: int = mime.MAX_MESSAGE
    pause: Callable[[float], None] = time.sleep
    _offered: dict[str, int] = field(default_factory=dict)

    def letters(self, at_most: int) -> Iterator[Letter]:
        given = 0
        for path, status in self._unhandled():
            if given == at_most:
                return
            key = _key(path)
            self._offered[key] = self._offered.get(key, 0) + 1
            letter = self._letter(path, status)
            if letter is not None:
                given += 1
                yield letter

    def done(self, letter: Letter) -> None:
        self._flag(letter.handle, "S")

    def leave(self, letter: Letter) -> None:
        self._flag(letter.handle, "P")

    def offer(self, handle: str) -> None:
        with _disk(self.folder):
            for path in self._found(handle):
                flags = _flags(path).replace("P", "")
                _move(path, self.folder / "cur" / f"{handle}:2,{flags}")

    def set_aside(self, letter: Letter) -> None:
        self._set_aside(letter.handle)

    def wait(self, seconds: float) -> None:
        until = time.monotonic() + seconds
        news = self._has_news(PARTS[1:])
        while not news and (left := until - time.monotonic()) > 0:
            self.pause(min(left, PAUSE))
            news = self._has_news(("new",))

    def close(self) -> None:
        """Nothing is held open."""

    def _has_news(self, parts: tuple[str, ...]) -> bool:
        """Whether there is a letter that was not offered; False while the folder cannot be read."""
        with suppress(OSError):
            return any(_key(path) not in self._offered and _status(path) for path in self._files(parts))
        return False

    def _unhandled(self) -> list[tuple[Path, os.stat_result]]:
        """The files nobody has handled: those offered least first, then by when they came."""
        with _disk(self.folder):
            found = [(path, status) for path in self._files(PARTS[1:]) if (status := _status(path)) is not None]
        keys = [_key(path) for path, _ in found]
        self._offered = {key: self._offered[key] for key in keys if key in self._offered}
        return sorted(found, key=lambda one: (self._offered.get(_key(one[0]), 0), one[1].st_mtime_ns, one[0].name))

    def _files(self, parts: tuple[str, ...]) -> Iterator[Path]:
        for part in parts:
            for path in (self.folder / part).iterdir():
                if not path.name.startswith(".") and not (part == "cur" and _HANDLED & set(_flags(path))):
                    yield path

    def _letter(self, path: Path, status: os.stat_result) -> Letter | None:
        """The letter in a file; None, with a remark, if it is too large or cannot be read, and if it is gone."""
        origin = printable(path.name)
        try:
            data = _read(path, self.limit)
        except FileNotFoundError:
            return None
        except OSError as error:
            self.tell(Note("post.cannot_read", origin, f"not read: {error.strerror}"))
            return None
        if len(data) > self.limit:
            self.tell(too_large(origin, status.st_size, self.limit))
            self._set_aside(_key(path))
            return None
        return Letter(_key(path), data, int(status.st_mtime))

    def _flag(self, key: str, flag: str) -> None:
        """Into `cur` with one flag more (maildir(5): flags in the order of the alphabet)."""
        with _disk(self.folder):
            for path in self._found(key):
                flags = "".join(sorted({*_flags(path), flag}))
                _move(path, self.folder / "cur" / f"{key}:2,{flags}")

    def _set_aside(self, key: str) -> None:
        aside = self.folder / ASIDE
        with _disk(self.folder):
            for part in PARTS:
                (aside / part).mkdir(mode=0o700, parents=True, exist_ok=True)
            (aside / "maildirfolder").touch()
            for path in self._found(key):
                _move(path, aside / "cur" / f"{key}:2,")

    def _found(self, key: str) -> list[Path]:
        """Where the file of a letter lies now, whatever flags a mail program has given it meanwhile."""
        fresh = self.folder / "new" / key
        if fresh.exists():
            return [fresh]
        return [path for part in PARTS[1:] for path in (self.folder / part).iterdir() if _key(path) == key]


@dataclass(frozen=True, slots=True)
class MaildirOutgoing:
    """Delivers into a Maildir. As at any final delivery, the sender stands first, as Return-Path (RFC 5321 4.4)."""

    folder: Path

    def send(self, mail: bytes, sender: str, receivers: Sequence[str]) -> None:
        problem = unsendable(sender, receivers)
        if problem:
            raise Undeliverable("post.address", problem, refused=tuple(receivers))
        deliver(self.folder, envelope(mail, sender), tuple(receivers))

    def reach(self) -> None:
        """BadRequest where there is no Maildir, PostFault where nothing can be written into it."""
        prepare(self.folder, make=False)
        with _disk(self.folder):
            probe = self.folder / "tmp" / _unique_name()
            _write(probe, b"")
            probe.unlink()

    def close(self) -> None:
        """Nothing is held open."""


def deliver(folder: Path, data: bytes, receivers: tuple[str, ...] = ()) -> None:
    """Put a mail into a Maildir, whole or not at all, whenever the machine stops."""
    with _disk(folder, receivers):
        name = _unique_name()
        part = folder / "tmp" / name
        try:
            _write(part, data)
            part.rename(folder / "new" / name)
        except BaseException:
            with suppress(OSError):
                part.unlink()
            raise
        _sync(folder / "new")


@contextmanager
def _disk(folder: Path, receivers: tuple[str, ...] = ()) -> Iterator[None]:
    """Says what the machine cannot do as PostFault."""
    try:
        yield
    except OSError as error:
        raise PostFault(
            "post.disk",
            f"expected a Maildir to use at {printable(str(folder))!r}, got {error.strerror!r}",
            "look at the free space, and at the rights of the folder and of new, cur and tmp in it",
            postponed=receivers,
        ) from None


def _key(path: Path) -> str:
    return path.name.partition(":")[0]


def _flags(path: Path) -> str:
    found = _INFO.search(path.name)
    return found[1] if found else ""


def _status(path: Path) -> os.stat_result | None:
    """What is known of a plain file; None for anything else, and for one that is gone."""
    with suppress(FileNotFoundError):
        status = path.lstat()
        return status if stat.S_ISREG(status.st_mode) else None
    return None


def _read(path: Path, limit: int) -> bytes:
    """A file up to a limit and one byte more, never through a symbolic link."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW)
    with os.fdopen(descriptor, "rb") as file:
        return file.read(limit + 1)


def _move(path: Path, target: Path) -> None:
    with suppress(FileNotFoundError):
        path.rename(target)
        _sync(target.parent)
        _sync(path.parent)


def _unique_name() -> str:
    """maildir(5): the time, what no other delivery on this machine has, and the machine."""
    host = socket.gethostname().replace("/", r"\057").replace(":", r"\072")
    now = time.time_ns()
    unique = f"M{now // 1000 % 10**6:06}P{os.getpid()}Q{next(_number)}R{os.urandom(4).hex()}"
    return f"{now // 10**9}.{unique}.{host}"


def _write(path: Path, data: bytes) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(descriptor)


def _sync(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)

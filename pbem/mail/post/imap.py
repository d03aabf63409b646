"""A folder on an IMAP server (RFC 9051, RFC 3501) as a box of letters.

What is handled carries \\Seen and the keyword `pbem-done`, and is moved if the address says where; what is unreadable
carries `pbem-aside`, what is left to others `pbem-left`, and both stay unread. So it does no harm when a person or
another program reads the folder too. A server without keywords of one's own (no \\* in PERMANENTFLAGS, RFC 9051 7.1)
has only \\Seen: there, what somebody reads elsewhere first is not offered, and what is left is remembered until the
end of the program.

A letter is known by UIDVALIDITY and UID. Whatever is done to one is done only while its UIDVALIDITY holds: after a
change the number may be another mail's, and the letter is offered anew. A lost connection is opened once more and the
command said again, which is harmless: searching, fetching and setting a flag are the same twice.

Bodies are fetched one at a time and never above the limit of a mail, whatever size the server told before. Left out:
OAuth, server-side search by header, and more than one folder.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, TypeVar

from imapclient.exceptions import IMAPClientError

from pbem.mail import mime
from pbem.mail.post.address import ServerAddress
from pbem.mail.post.imap_session import Session, Sessions
from pbem.mail.post.port import Letter, PostFault
from pbem.mail.post.remarks import Tell, quiet, too_large
from pbem.mail.reading import Note

SEEN, FLAGGED = b"\\Seen", b"\\Flagged"
DONE, ASIDE, LEFT = b"pbem-done", b"pbem-aside", b"pbem-left"
IDLE_SECONDS = 5 * 60
"""RFC 2177 asks for a new IDLE at least every 29 minutes; address translators forget a silent connection sooner."""
POLL_SECONDS = 30
BATCH = 50
T = TypeVar("T")


@dataclass(slots=True)
class ImapInbox:
    """Letters of a folder, of at most `limit` bytes. `pause` sleeps between two looks where the server has no IDLE."""

    address: ServerAddress
    sessions: Sessions
    tell: Tell = quiet
    limit: int = mime.MAX_MESSAGE
    pause: Callable[[float], None] = time.sleep
    _session: Session | None = None
    _validity: int = 0
    _offered: dict[int, int] = field(default_factory=dict)
    _left: set[int] = field(default_factory=set)

    def letters(self, at_most: int) -> Iterator[Letter]:
        uids, given = self._unhandled(), 0
        validity = self._validity
        while uids and given < at_most:
            batch, uids = uids[:BATCH], uids[BATCH:]
            heads = self._sizes(validity, batch)
            for uid in batch:
                if given == at_most:
                    return
                letter = self._letter(validity, uid, heads.get(uid))
                if letter is not None:
                    given += 1
                    yield letter

    def done(self, letter: Letter) -> None:
        self._mark(letter.handle, (SEEN, DONE), (SEEN,), self.address.done)

    def set_aside(self, letter: Letter) -> None:
        self._mark(letter.handle, (ASIDE,), (SEEN, FLAGGED), self.address.aside)

    def leave(self, letter: Letter) -> None:
        validity, uid = _numbers(letter.handle)
        if validity == self._validity:
            self._left.add(uid)
        self._mark(letter.handle, (LEFT,), (), "")

    def offer(self, handle: str) -> None:
        validity, uid = _numbers(handle)

        def offer(session: Session) -> None:
            if session.validity == validity and session.keywords:
                session.client.remove_flags([uid], (LEFT,), silent=True)

        self._asked(offer)
        if validity == self._validity:
            self._left.discard(uid)

    def wait(self, seconds: float) -> None:
        until = time.monotonic() + seconds
        while not self._may_have_news() and (left := until - time.monotonic()) > 0:
            if self._session is not None and self._session.idle:
                self._idle(min(left, IDLE_SECONDS))
            else:
                self.pause(min(left, POLL_SECONDS))

    def close(self) -> None:
        session, self._session = self._session, None
        if session is not None:
            session.close()

    def _may_have_news(self) -> bool:
        """Whether there is a letter that was not offered; False without a session while the server is out of reach."""
        try:
            return any(uid not in self._offered for uid in self._unhandled())
        except PostFault:
            return False

    def _unhandled(self) -> list[int]:
        def search(session: Session) -> list[int]:
            marks: list[str | bytes] = [part for keyword in (DONE, ASIDE, LEFT) for part in ("UNKEYWORD", keyword)]
            if not session.keywords:
                marks = ["UNSEEN"]
            return session.search(["UNDELETED", *marks])

        found = [uid for uid in self._asked(search) if uid not in self._left]
        self._offered = {uid: self._offered[uid] for uid in found if uid in self._offered}
        return sorted(found, key=lambda uid: (self._offered.get(uid, 0), uid))

    def _sizes(self, validity: int, uids: list[int]) -> dict[int, tuple[int, int]]:
        """The size in bytes and the time of arrival of each letter that is still there."""
        found = self._fetched(validity, uids, "RFC822.SIZE", "INTERNALDATE")
        return {
            uid: (int(entry[b"RFC822.SIZE"]), int(entry[b"INTERNALDATE"].timestamp()))
            for uid, entry in found.items()
            if b"RFC822.SIZE" in entry and b"INTERNALDATE" in entry
        }

    def _letter(self, validity: int, uid: int, head: tuple[int, int] | None) -> Letter | None:
        """A letter with its body; None, with a remark, if it is too large or cannot be had, and if it is gone."""
        if head is None or validity != self._validity:
            return None
        self._offered[uid] = self._offered.get(uid, 0) + 1
        size, arrived = head
        data = self._body(validity, uid) if size <= self.limit else b""
        if data is None:
            return None
        letter = Letter(f"{validity}/{uid}", data, arrived)
        if (size := max(size, len(data))) > self.limit:
            self.tell(too_large(self._origin(uid), size, self.limit))
            self.set_aside(letter)
            return None
        return letter

    def _body(self, validity: int, uid: int) -> bytes | None:
        try:
            entry = self._fetched(validity, [uid], f"BODY.PEEK[]<0.{self.limit + 1}>").get(uid, {})
        except PostFault as fault:
            if fault.code != "post.answer":
                raise
            self.tell(Note("post.cannot_read", self._origin(uid), fault.text))
            return None
        return next((value for name, value in entry.items() if name.startswith(b"BODY[]")), None)

    def _fetched(self, validity: int, uids: list[int], *items: str) -> dict[int, dict[bytes, Any]]:
        """Some servers add what nobody asked for, under other numbers: only what was asked for is kept."""

        def fetch(session: Session) -> dict[int, dict[bytes, Any]]:
            return session.client.fetch(uids, items) if session.validity == validity else {}

        return {uid: entry for uid, entry in self._asked(fetch).items() if uid in uids}

    def _mark(self, handle: str, keywords: tuple[bytes, ...], plain: tuple[bytes, ...], folder: str) -> None:
        """Flags a letter, with keywords where the server has them, then moves it if there is a folder for it."""
        validity, uid = _numbers(handle)

        def mark(session: Session) -> None:
            if session.validity != validity:
                return
            flags = keywords if session.keywords else plain
            if flags:
                session.client.add_flags([uid], flags, silent=True)
            if folder:
                session.move(uid, folder)

        self._asked(mark)

    def _idle(self, seconds: float) -> None:
        """One round of IDLE. Whatever goes wrong costs the connection, and the next look opens another."""
        session = self._current()
        try:
            session.idle_round(seconds)
        except (IMAPClientError, OSError, ValueError):
            self._drop()

    def _asked(self, question: Callable[[Session], T]) -> T:
        """What the server answers; asked a second time if the connection was lost meanwhile.

        The fault is raised after the library's error is forgotten, so that it carries nothing that a server said.
        """
        for _ in range(2):
            session = self._current()
            try:
                return question(session)
            except (IMAPClientError, OSError, ValueError) as error:
                fault = self.sessions.fault(error)
            self._drop()
            if fault.code != "post.lost":
                break
        raise fault

    def _current(self) -> Session:
        """The session there is, or a new one; after a change of UIDVALIDITY nothing that was known holds."""
        if self._session is None:
            self._session = self.sessions.open()
            if self._session.validity != self._validity:
                self._forget(self._session.validity)
        return self._session

    def _forget(self, validity: int) -> None:
        if self._validity:
            self.tell(Note("post.renumbered", str(self.address), "its letters have new numbers and are offered anew"))
        self._validity = validity
        self._offered.clear()
        self._left.clear()

    def _drop(self) -> None:
        session, self._session = self._session, None
        if session is not None:
            session.drop()

    def _origin(self, uid: int) -> str:
        return f"{self.address}, letter {uid}"


def _numbers(handle: str) -> tuple[int, int]:
    validity, _, uid = handle.partition("/")
    return int(validity), int(uid)

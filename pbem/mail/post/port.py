"""What a box and a way out promise to who uses them.

The order that loses nothing: take a letter, commit what it brings, then say `done`. Whoever dies in between is offered
the letter again, so what a letter does must be harmless to do twice. Sending is the same the other way round: who dies
between `send` and noting it sends again, under the same Message-ID.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from pbem.errors import BadDisk, BadRequest

PUT_OFF = "post.postponed"
"""The code of a PostFault that says that the way is open, and a receiver's server takes this mail later."""


@dataclass(frozen=True, slots=True)
class Letter:
    """One mail as it lies in the box: how the box finds it again, its raw bytes (RFC 5322), and when the box got it in
    seconds since 1970."""

    handle: str
    data: bytes = field(repr=False)
    arrived: int


class PostFault(BadDisk):
    """The way is closed now and may be open later: no connection, a refused login, a full disk, an answer 4xx.

    Of a mail that was being sent: who has it all the same, who never will, and who is to be tried again.
    """

    def __init__(
        self,
        code: str,
        text: str,
        hint: str = "",
        *,
        delivered: tuple[str, ...] = (),
        refused: tuple[str, ...] = (),
        postponed: tuple[str, ...] = (),
    ) -> None:
        super().__init__(code, text, hint)
        self.delivered = delivered
        self.refused = refused
        self.postponed = postponed


class Undeliverable(BadRequest):
    """A mail that some receiver will never get, however often it is sent: who has it all the same, and who not."""

    def __init__(
        self, code: str, text: str, hint: str = "", *, delivered: tuple[str, ...] = (), refused: tuple[str, ...] = ()
    ) -> None:
        super().__init__(code, text, hint)
        self.delivered = delivered
        self.refused = refused


class Inbox(Protocol):
    """Where letters come from. One user at a time; every method but `wait` raises PostFault while the box is out of
    reach, and finds the way again by itself at the next call."""

    def letters(self, at_most: int) -> Iterator[Letter]:
        """Letters that are not handled, the oldest first; those that were offered before and not handled come last, so
        that one that cannot be handled never hides the next ones. The letter in hand may be marked meanwhile.

        The box remembers this as long as it lives: who may die of a letter counts his attempts by `handle`."""
        ...

    def done(self, letter: Letter) -> None:
        """It is handled and read. Nothing happens if the letter is gone."""
        ...

    def set_aside(self, letter: Letter) -> None:
        """It cannot be read: it is kept where a person finds it, and never offered again."""
        ...

    def leave(self, letter: Letter) -> None:
        """It is no business of ours: it stays as unread as it was, and is not offered again."""
        ...

    def offer(self, handle: str) -> None:
        """A letter that was left is offered again. Nothing happens if it is gone."""
        ...

    def wait(self, seconds: float) -> None:
        """Return when there is a letter that was not offered yet, or after so many seconds, which pass too while the
        box is out of reach: it is looked for from time to time, so that who waits in a loop does not hammer at it."""
        ...

    def close(self) -> None:
        """Let go of the box. The next call opens it again."""
        ...


class Outgoing(Protocol):
    """A way to send mails."""

    def send(self, mail: bytes, sender: str, receivers: Sequence[str]) -> None:
        """Hand over a mail; on return it is somebody else's to deliver.

        An empty `sender` is the null return path of automatic replies (RFC 3834 3.3), so that no bounce comes back.
        Undeliverable for what will never arrive, PostFault for what is to be tried again.
        """
        ...

    def reach(self) -> None:
        """Go the way without a mail; PostFault while it is closed."""
        ...

    def close(self) -> None:
        """Let go of the connection. The next mail opens it again."""
        ...

"""What a box tells of letters that it does not offer, in lines that are safe to print."""

from __future__ import annotations

from collections.abc import Callable

from pbem.mail.reading import Note

Tell = Callable[[Note], None]


def quiet(_: Note) -> None:
    """Tells nobody."""


def too_large(origin: str, size: int, limit: int) -> Note:
    """A letter above the limit was set aside unread."""
    return Note("post.too_large", origin, f"set aside: {size:,} bytes are more than {limit:,}")

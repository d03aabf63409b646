"""Where a command writes: a file that is there already is written over only when nothing is lost by it.

What it holds decides: a turn file or an archive of which this home has every event, a sheet of a step gone by, a
drawing that this program made. Nothing is written into a home. Left out: what a shell redirects.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from pbem.errors import BadEvidence, BadRequest
from pbem.log import bundle
from pbem.rules.refusal import Refused
from pbem.store.faults import disk_spoken
from pbem.store.files import check_place, write_atomically
from pbem.store.folder import holds_home
from pbem.store.reading import Reader

MAX_OLD = bundle.MAX_ARCHIVE_BYTES
"""A longer file is none that this program wrote."""
OTHER = "something else"

Loss = Callable[[bytes], str]
"""What would be lost with the content of a file, in a few words; empty when nothing would."""


def anything(_: bytes) -> str:
    """Whatever is there would be lost."""
    return "a file that is there already"


def check_output(path: Path, loss: Loss, *, force: bool = False) -> None:
    """Raise BadRequest when writing to `path` would destroy something, BadDisk when nothing could be written there.

    With `force` only a home is spared. What is no file (a device, a pipe) holds nothing.
    """
    target = Path(os.path.realpath(path))
    if holds_home(target.parent):
        raise BadRequest(
            "file.in_home",
            f"expected a file outside of a home, got '{path}', which lies in the home '{target.parent}'",
            "a home holds keys and the only copy of games: name a file in another folder",
        )
    check_place(path)
    if force or not target.is_file():
        return
    with disk_spoken("read", path), target.open("rb") as file:
        old = file.read(MAX_OLD + 1)
    lost = (OTHER if len(old) > MAX_OLD else loss(old)) if old else ""
    if lost:
        raise BadRequest(
            "file.exists",
            f"expected a new file, or one that nothing is lost with, got {lost} in '{path}'",
            "name another file with -o; --force writes over this one",
        )


def write_output(path: Path, data: bytes, loss: Loss, *, force: bool = False) -> None:
    """Write a file for people whole or not at all, after `check_output`."""
    check_output(path, loss, force=force)
    write_atomically(path, data, 0o644)


def turn_file_loss(reader: Reader, game: str) -> Loss:
    """For a turn file of the game of that id: an older one of it may go."""

    def loss(old: bytes) -> str:
        from pbem.app.routing import incoming
        from pbem.mail.message import is_as_written
        from pbem.mail.reading import read_text

        found = read_text(old, "a file")
        if old.startswith(b"pbem-log ") or [one for one in found.payloads if not is_as_written(old, one.payload)]:
            return OTHER
        arrived = incoming(old, "a file")
        if not arrived.bundles or arrived.damaged:
            return OTHER
        if any(one.game != game for one in arrived.bundles):
            return "a turn file of another game"
        lines = {line for one in arrived.bundles for line in one.lines}
        return "" if lines <= _known(reader, game) else "a turn file with events that this home does not have"

    return loss


def archive_loss(reader: Reader, game: str, contents: bundle.Contents) -> Loss:
    """For an archive or evidence of the game of that id: an older one of the same kind may go."""

    def loss(old: bytes) -> str:
        try:
            found = bundle.read(old)
        except BadEvidence:
            return OTHER
        if found.contents != contents:
            return OTHER
        known = set(found.lines) <= _known(reader, game)
        return "" if known else "one of another game, or with events that this home does not have"

    return loss


def sheet_loss(name: str, step: int, sheet: str) -> Loss:
    """For an order sheet: the same one may go, and one for an earlier step of the game."""

    def loss(old: bytes) -> str:
        from pbem.rules.sheet import read_sheet

        if old == sheet.encode():
            return ""
        try:
            text = old.decode("utf-8-sig").strip()
            found = read_sheet(text)
        except (UnicodeDecodeError, Refused):
            return OTHER
        if not (text.lower().startswith("orders ") and text.lower().endswith("end")):
            return OTHER
        if found.game.casefold() != name.casefold():
            return "a sheet of another game" if found.game else OTHER
        return "" if found.step < step else "a sheet for this step that was edited"

    return loss


def drawing_loss(drawing: bytes) -> Loss:
    """For a drawing as SVG: another one of the same map may go."""

    def loss(old: bytes) -> str:
        return "" if old.startswith(drawing.partition(b"<desc>")[0]) else OTHER

    return loss


def _known(reader: Reader, game: str) -> set[bytes]:
    """Every event line of a game that this home has, those kept apart included."""
    return {row.line for row in reader.events(game)} | {row.line for row in reader.refusals(game)}

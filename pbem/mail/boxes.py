"""Reads turn files out of what lies on a disk: a text, a mail, an mbox, a Maildir, or a folder of such files.

Files are only read, never moved or marked. Left out: IMAP and POP, compressed mailboxes, and the sub-folders of a
Maildir; a folder is entered FOLDER_DEPTH levels deep, and symbolic links to folders are not followed.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from pbem.errors import BadDisk, BadRequest
from pbem.mail import charsets, mime
from pbem.mail.plain import printable
from pbem.mail.reading import MAX_TEXT, Gathering, Reading

FOLDER_DEPTH = 2
MAX_FILES = 50_000
_PEEK = 8_192


def read_path(path: Path) -> Reading:
    """Every turn file in a file or folder.

    BadRequest if there is no such file, BadDisk if it cannot be read at all; a file in a folder that cannot be
    read is a note. What the files hold never raises.
    """
    gathered = Gathering()
    name = printable(path.name or str(path))
    try:
        if path.is_dir():
            _read_folder(gathered, path, name)
        else:
            _read_file(gathered, path, name)
    except (FileNotFoundError, NotADirectoryError):
        raise BadRequest(
            "mail.no_such_file",
            f"expected a file or a folder, got {printable(str(path))!r}, which does not exist",
            "give a turn file, a saved mail (.eml), an mbox, a Maildir, a folder of these, or - for standard input",
        ) from None
    except OSError as error:
        raise BadDisk(
            "mail.cannot_read",
            f"expected to read {printable(str(path))!r}, got {printable(error.strerror or type(error).__name__)!r}",
            "look at the rights of the file and its folder",
        ) from None
    return gathered.reading(name)


def _read_folder(gathered: Gathering, folder: Path, name: str) -> None:
    binary = 0
    for number, path in enumerate(_files(folder, FOLDER_DEPTH)):
        if number >= MAX_FILES:
            gathered.note("mail.too_many_files", name, f"files after the first {MAX_FILES:,} were not read")
            break
        origin = f"{name}/{printable(path.relative_to(folder).as_posix())}"
        try:
            binary += _read_file(gathered, path, origin)
        except OSError as error:
            gathered.note("mail.cannot_read", origin, f"not read: {error.strerror}")
    if binary:
        gathered.note("mail.not_text", name, f"ignored, because not text and without a turn file: {binary:,}")


def _read_file(gathered: Gathering, path: Path, origin: str) -> bool:
    """Adds what a file holds; true if it is not text and held nothing."""
    with path.open("rb") as stream:
        if mime.is_mailbox(stream.peek(_PEEK)):
            gathered.read_mailbox(stream, origin)
            return False
        data = stream.read(MAX_TEXT + 1)
    before = len(gathered.found), len(gathered.damaged)
    gathered.read_message(data, origin)
    return charsets.is_binary(data) and before == (len(gathered.found), len(gathered.damaged))


def _files(folder: Path, depth: int) -> Iterator[Path]:
    """The files of a Maildir in order of delivery (never `tmp`, where mails are still being written), or of a folder
    by name, without hidden ones."""
    if (folder / "cur").is_dir() and (folder / "new").is_dir():
        mails = [path for kind in ("new", "cur") for path in (folder / kind).iterdir() if path.is_file()]
        yield from sorted(mails, key=lambda path: path.name)
        return
    for path in sorted(folder.iterdir()):
        if path.name.startswith("."):
            continue
        if path.is_file():
            yield path
        elif depth and path.is_dir() and not path.is_symlink():
            yield from _files(path, depth - 1)

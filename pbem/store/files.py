"""Files that are written whole or not at all, and read up to a limit.

Left out: locks (the database has them) and names from outside (nobody but the user names a path).
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pbem.errors import BadEvidence, BadRequest
from pbem.store.faults import disk_spoken

PRIVATE = 0o600
_PRIVATE_FOLDER = 0o700


def write_atomically(path: Path, data: bytes, mode: int = PRIVATE) -> None:
    """Write `data` to `path` so that, whatever happens, the old or the new file is there, never a part.

    `mode` is narrowed by the umask. A symbolic link stays, and what it points to is replaced. A device or a
    pipe is written as it is. BadDisk when the machine refuses; the old file is then untouched. A process that is
    killed meanwhile may leave a `.pbem-….part` beside it.
    """
    with disk_spoken("write", path):
        target = Path(os.path.realpath(path))
        if target.exists() and not (target.is_file() or target.is_dir()):
            target.write_bytes(data)
            return
        with _temporary(target) as temporary:
            _write_synced(temporary, data, mode)
            temporary.replace(target)
        sync_folder(target.parent)


def check_place(path: Path) -> None:
    """Raise BadDisk where `write_atomically` could not make a file: its folder is missing or closed, or it is one."""
    with disk_spoken("write", path):
        target = Path(os.path.realpath(path))
        if target.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        if not target.parent.is_dir():
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
        if not target.exists() and not os.access(target.parent, os.W_OK | os.X_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))


def is_file(path: Path) -> bool:
    """Whether there is a file to read; BadDisk for a name that no disk takes."""
    with disk_spoken("read", path):
        return path.is_file()


def read_head(path: Path, size: int) -> bytes:
    """Return the first `size` bytes of `path`, fewer when there are no more.

    BadRequest when there is no such file or it is none that can be read, BadDisk when the machine refuses.
    """
    with disk_spoken("read", path):
        try:
            with path.open("rb") as file:
                return file.read(size)
        except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
            raise _no_file(path) from None
        except OSError:
            if _is_device(path):
                raise _device(path) from None
            raise


def read_limited(path: Path, limit: int) -> bytes:
    """Return the content of `path`, at most `limit` bytes; errors as `read_head`, and BadEvidence when it is longer."""
    data = read_head(path, limit + 1)
    if len(data) > limit:
        raise BadEvidence(
            "file.too_large",
            f"expected a file of at most {limit} bytes, got a longer one in {str(path)!r}",
            "check that it is the file you mean",
        )
    return data


def make_private(folder: Path) -> None:
    """Make the folder, or narrow it if it is empty; a folder in use keeps its rights."""
    folder.mkdir(_PRIVATE_FOLDER, parents=True, exist_ok=True)
    if not any(folder.iterdir()):
        folder.chmod(_PRIVATE_FOLDER)


def sync_folder(folder: Path) -> None:
    """Make the names in a folder durable; a system that cannot open folders does so by itself."""
    if os.name == "nt":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def is_open_to_others(path: Path) -> bool:
    """Say whether anybody but the owner may read, write or enter `path`."""
    return bool(stat.S_IMODE(path.stat().st_mode) & 0o077)


@contextmanager
def _temporary(target: Path) -> Iterator[Path]:
    """Name a file beside `target` that is gone afterwards, if nobody renamed it."""
    temporary = target.with_name(f".pbem-{os.urandom(8).hex()}.part")
    try:
        yield temporary
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def _write_synced(path: Path, data: bytes, mode: int) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    with os.fdopen(descriptor, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(descriptor)


def _is_device(path: Path) -> bool:
    """Whether this is no file on a disk; what the system shows as a file has no size."""
    try:
        found = path.stat()
    except OSError:
        return False
    return not stat.S_ISREG(found.st_mode) or found.st_size == 0


def _device(path: Path) -> BadRequest:
    text = f"expected a file, got a device or a file of the system, which cannot be read as one, at {str(path)!r}"
    return BadRequest("file.device", text, "check the path")


def _no_file(path: Path) -> BadRequest:
    found = "a folder" if path.is_dir() else "nothing"
    return BadRequest("file.missing", f"expected a file, got {found} at {str(path)!r}", "check the path")

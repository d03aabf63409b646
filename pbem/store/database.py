"""A home: one folder, one SQLite file, one owner.

A home comes into being whole, new or from an image of another one: it is built under another name and gets its own
when everything is on the disk. Left out: which folder is the home (`PBEM_HOME`, XDG), which the command line decides.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from types import TracebackType

from pbem.errors import BadRequest
from pbem.store import schema
from pbem.store.connection import PATIENCE_MS, Connection
from pbem.store.faults import damaged, disk_spoken
from pbem.store.files import PRIVATE, is_open_to_others, sync_folder
from pbem.store.image import check_made_here, image_of
from pbem.store.reading import Reader
from pbem.store.write_ahead_log import check_write_ahead_log
from pbem.store.writing import Writer

DATABASE = "home.sqlite"
_LEFTOVERS = f".{DATABASE}.*.part*"
_PRIVATE_FOLDER = 0o700


class Home(Reader):
    """An open home: reads at any time, writes inside `writing()`."""

    def __init__(self, folder: Path, connection: Connection) -> None:
        super().__init__(connection)
        self.folder = folder

    @classmethod
    def create(cls, folder: Path, fill: Callable[[Writer], None] | None = None) -> Home:
        """Make a new home in `folder` and open it; `fill` writes what it must never be without.

        BadRequest when there is a home already, BadDisk when the machine refuses; then there is no home.
        """
        path = folder / DATABASE
        with disk_spoken("make a home in", folder):
            _make_private(folder)
            if path.exists():
                raise _exists(folder)
        _build(path, partial(_fill, fill=fill))
        return cls.open(folder)

    @classmethod
    def restore(cls, folder: Path, image: Iterable[bytes], fill: Callable[[Writer], None]) -> Home:
        """Make a home of an image in `folder`, which is empty or missing, and open it; `fill` writes before it counts.

        The image may come from anybody: its tables and triggers must be those of this program, and all its rows hold.
        BadRequest when something is there already or the image is of a newer schema, BadDisk when it does not hold or
        the machine refuses; then everything is as it was before. An `image` that raises passes that on.
        """
        path = folder / DATABASE
        check_vacant(folder)
        missing = [one for one in (folder, *folder.parents) if not one.exists()]
        try:
            with disk_spoken("make a home in", folder):
                _make_private(folder)
            _build(path, partial(_pour, image=image, fill=fill))
        except BaseException:
            for one in missing:
                with suppress(OSError):
                    one.rmdir()
            raise
        return cls.open(folder)

    @classmethod
    def open(cls, folder: Path, patience_ms: int = PATIENCE_MS) -> Home:
        """Open the home in `folder`; `patience_ms` is how long to wait for other processes.

        BadRequest when there is none or when it is of a newer schema, BadDisk when the machine refuses.
        """
        path = folder / DATABASE
        with disk_spoken("open", path):
            if not path.exists():
                raise _no_home(folder)
            _tidy(path)
        check_write_ahead_log(path, pause_ms=patience_ms // 100)
        connection = Connection(path, patience_ms)
        try:
            _check(connection)
        except BaseException:
            connection.close()
            raise
        return cls(folder, connection)

    @contextmanager
    def writing(self) -> Iterator[Writer]:
        """Give a writer that holds the write lock; all is stored at the end of the block, or nothing."""
        with self._connection.writing():
            yield Writer(self._connection)

    def image(self) -> bytes:
        """Return the whole database as the bytes of one file, as it is at one moment; BadRequest for a huge one."""
        return image_of(self._connection)

    def close(self) -> None:
        """Close the database."""
        self._connection.close()

    def __enter__(self) -> Home:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _tidy(path: Path) -> None:
    """Narrow a database that others may read, and take away what a creation that was killed has left."""
    if os.name != "nt" and is_open_to_others(path):
        path.chmod(PRIVATE)
    for leftover in path.parent.glob(_LEFTOVERS):
        leftover.unlink(missing_ok=True)


def check_vacant(folder: Path) -> None:
    """Raise BadRequest unless a home can be restored into `folder`: it is missing, or nothing lies in it."""
    with disk_spoken("look into", folder):
        if not folder.exists():
            return
        there = sorted(one.name for one in folder.iterdir() if not one.match(_LEFTOVERS)) if folder.is_dir() else []
    if folder.is_dir() and not there:
        return
    found = "a file" if not there else "a home" if DATABASE in there else f"one with {there[0]!r} in it"
    raise BadRequest(
        "restore.folder",
        f"expected an empty or missing folder to restore into, got {found} at {str(folder)!r}",
        "name another one with --home; a home that is there is never written over",
    )


def _make_private(folder: Path) -> None:
    """Make the folder, or narrow it if it is empty; a folder in use keeps its rights."""
    folder.mkdir(_PRIVATE_FOLDER, parents=True, exist_ok=True)
    if not any(folder.iterdir()):
        folder.chmod(_PRIVATE_FOLDER)


def _build(path: Path, make: Callable[[Path], None]) -> None:
    """Build the database beside its place, then give it its name unless another process did so first."""
    building = path.with_name(f".{path.name}.{os.urandom(8).hex()}.part")
    try:
        with disk_spoken("make", building):
            os.close(os.open(building, os.O_RDWR | os.O_CREAT | os.O_EXCL, PRIVATE))
        make(building)
        with disk_spoken("make", path):
            _name(building, path)
            sync_folder(path.parent)
    finally:
        for leftover in (building, *_sidecars(building)):
            leftover.unlink(missing_ok=True)


def _fill(building: Path, fill: Callable[[Writer], None] | None) -> None:
    connection = Connection(building)
    try:
        connection.use_write_ahead_log()
        with connection.writing():
            with connection.spoken("make tables in"):
                schema.create_schema(connection.raw)
            if fill is not None:
                fill(Writer(connection))
    finally:
        connection.close()


def _pour(building: Path, image: Iterable[bytes], fill: Callable[[Writer], None]) -> None:
    with disk_spoken("write", building), building.open("r+b") as file:
        for part in image:
            file.write(part)
        file.flush()
        os.fsync(file.fileno())
    connection = Connection(building)
    try:
        _check(connection)
        check_made_here(connection)
        for damage in Reader(connection).damages():
            raise damaged(damage, building)
        with connection.writing():
            fill(Writer(connection))
    finally:
        connection.close()


def _name(building: Path, path: Path) -> None:
    try:
        path.hardlink_to(building)
    except FileExistsError:
        raise _exists(path.parent) from None
    except OSError:
        if path.exists():
            raise _exists(path.parent) from None
        building.rename(path)


def _sidecars(path: Path) -> tuple[Path, ...]:
    return tuple(path.with_name(path.name + ending) for ending in ("-wal", "-shm", "-journal"))


def _check(connection: Connection) -> None:
    """Say what is wrong with a database before anything is read from it."""
    connection.use_write_ahead_log()
    if connection.rows("PRAGMA application_id") != [(schema.APPLICATION_ID,)]:
        raise damaged("it is not marked as a home of pbem", connection.path)
    _bring_up_to_date(connection)
    made = connection.rows("SELECT value FROM meta WHERE key = 'schema'")
    with connection.spoken("read"):
        found = schema.schema_digest(connection.raw)
    if made != [(found,)]:
        raise damaged("its tables or triggers are not those that were made", connection.path)


def _bring_up_to_date(connection: Connection) -> None:
    """Migrate an older database, under the write lock since two processes may try; refuse a newer one."""
    version = connection.rows("PRAGMA user_version")[0][0]
    if version > schema.VERSION:
        raise _newer(connection.path, version)
    if version < schema.VERSION:
        with connection.writing(), connection.spoken("migrate"):
            schema.migrate(connection.raw)


def _exists(folder: Path) -> BadRequest:
    return BadRequest(
        "home.exists",
        f"expected a folder without a home, got one in {str(folder)!r}",
        "use it as it is, or set PBEM_HOME to another folder",
    )


def _newer(path: Path, version: int) -> BadRequest:
    return BadRequest(
        "home.newer",
        f"expected a home of schema {schema.VERSION} or older, got schema {version} in {str(path)!r}",
        "this home was used with a newer pbem: install that (`pip install --upgrade pbem`)",
    )


def _no_home(folder: Path) -> BadRequest:
    return BadRequest(
        "home.missing", f"expected a home in {str(folder)!r}, got none", "make one with `pbem init`, or set PBEM_HOME"
    )

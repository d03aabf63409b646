"""How a home in a SQLite file comes into being, new or from an image of another one, and is opened.

It is built under another name and gets its own when everything is on the disk. An older schema is brought up to date
when it is opened.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from pathlib import Path

from pbem.errors import BadDisk
from pbem.store.faults import OTHER_TABLES, damaged, disk_spoken, home_exists, home_missing, home_newer
from pbem.store.files import PRIVATE, is_open_to_others, make_private, sync_folder
from pbem.store.folder import DATABASE
from pbem.store.port import PATIENCE_MS
from pbem.store.reading import Reader
from pbem.store.sqlite import schema
from pbem.store.sqlite.connection import Connection
from pbem.store.sqlite.image import check_made_here
from pbem.store.sqlite.write_ahead_log import check_write_ahead_log
from pbem.store.tables import VERSION

_LEFTOVERS = f".{DATABASE}.*.part*"

Fill = Callable[[Connection], None]
"""Writes what the home must never be without, inside the transaction that makes it."""


def make(folder: Path, fill: Fill) -> None:
    """Make a new database in a folder that is there; BadRequest when one is there already."""
    path = folder / DATABASE
    with disk_spoken("make a home in", folder):
        if path.exists():
            raise home_exists(folder)
    _build(path, partial(_fill, fill=fill))


def restore(folder: Path, image: Iterable[bytes], fill: Fill, origin: str) -> None:
    """Make a database of an image in `folder`, which is empty or missing; `fill` writes before it counts.

    `origin` is where the image was kept.

    BadRequest when something is there already or the image is of a newer schema, BadDisk when it does not hold or the
    machine refuses; then everything is as it was before.
    """
    missing = [one for one in (folder, *folder.parents) if not one.exists()]
    try:
        with disk_spoken("make a home in", folder):
            make_private(folder)
        _build(folder / DATABASE, partial(_pour, image=image, fill=fill, origin=origin))
    except BaseException:
        for one in missing:
            with suppress(OSError):
                one.rmdir()
        raise


def opened(folder: Path, patience_ms: int = PATIENCE_MS) -> Connection:
    """Open the database in `folder`; BadRequest when there is none or when it is newer, BadDisk for a damaged one."""
    path = folder / DATABASE
    with disk_spoken("open", path):
        if not path.exists():
            raise home_missing(folder)
        _tidy(path)
    check_write_ahead_log(path, pause_ms=patience_ms // 100)
    connection = Connection(path, patience_ms)
    try:
        _check(connection)
    except BaseException:
        connection.close()
        raise
    return connection


def is_leftover(path: Path) -> bool:
    """Say whether a file is what a creation that was killed has left."""
    return path.match(_LEFTOVERS)


def _tidy(path: Path) -> None:
    """Narrow a database that others may read, and take away what a creation that was killed has left."""
    if os.name != "nt" and is_open_to_others(path):
        path.chmod(PRIVATE)
    for leftover in path.parent.glob(_LEFTOVERS):
        leftover.unlink(missing_ok=True)


def _build(path: Path, make: Callable[[Path], None]) -> None:
    """Build the database beside its place, then give it its name unless another process did so first.

    What goes wrong is said of its place: the other name is gone by then.
    """
    building = path.with_name(f".{path.name}.{os.urandom(8).hex()}.part")
    try:
        with disk_spoken("make", building):
            os.close(os.open(building, os.O_RDWR | os.O_CREAT | os.O_EXCL, PRIVATE))
        make(building)
        with disk_spoken("make", path):
            _name(building, path)
            sync_folder(path.parent)
    except BadDisk as error:
        raise BadDisk(error.code, error.text.replace(building.name, path.name), error.hint) from error
    finally:
        for leftover in (building, *_sidecars(building)):
            leftover.unlink(missing_ok=True)


def _fill(building: Path, fill: Fill) -> None:
    connection = Connection(building)
    try:
        connection.use_write_ahead_log()
        with connection.writing():
            with connection.spoken("write to"):
                schema.create_schema(connection.raw)
            fill(connection)
    finally:
        connection.close()


def _pour(building: Path, image: Iterable[bytes], fill: Fill, origin: str) -> None:
    with disk_spoken("write", building), building.open("r+b") as file:
        for part in image:
            file.write(part)
        file.flush()
        os.fsync(file.fileno())
    connection = Connection(building)
    try:
        _check(connection, origin)
        check_made_here(connection)
        for damage in Reader(connection).damages():
            raise damaged(damage, building)
        with connection.writing():
            fill(connection)
    finally:
        connection.close()


def _name(building: Path, path: Path) -> None:
    try:
        path.hardlink_to(building)
    except FileExistsError:
        raise home_exists(path.parent) from None
    except OSError:
        if path.exists():
            raise home_exists(path.parent) from None
        building.rename(path)


def _sidecars(path: Path) -> tuple[Path, ...]:
    return tuple(path.with_name(path.name + ending) for ending in ("-wal", "-shm", "-journal"))


def _check(connection: Connection, origin: str = "") -> None:
    """Say what is wrong with a database before anything is read from it; `origin` is where it came from, if not its
    own file."""
    connection.use_write_ahead_log()
    if connection.rows("PRAGMA application_id") != [(schema.APPLICATION_ID,)]:
        raise damaged("it is not marked as a home of pbem", connection.path)
    _bring_up_to_date(connection, origin or connection.place)
    made = connection.rows("SELECT value FROM meta WHERE key = 'schema'")
    with connection.spoken("read"):
        found = schema.schema_digest(connection.raw)
    if made != [(found,)]:
        raise damaged(OTHER_TABLES, connection.path)


def _bring_up_to_date(connection: Connection, place: str) -> None:
    """Migrate an older database, under the write lock since two processes may try; refuse a newer one."""
    version = connection.rows("PRAGMA user_version")[0][0]
    if version > VERSION:
        raise home_newer(place, VERSION, version)
    if version < VERSION:
        with connection.writing(), connection.spoken("migrate"):
            schema.migrate(connection.raw)

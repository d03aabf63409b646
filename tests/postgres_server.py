"""A PostgreSQL of the tests' own: a cluster in a temporary folder, reached by a socket in it and by nothing else."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

NOBODY = "nobody"
"""PostgreSQL does not run as root."""


def binaries() -> Path | None:
    """The folder with `initdb` and `pg_ctl`: that in PATH, or the newest one where Debian puts them."""
    found = shutil.which("initdb")
    if found and shutil.which("pg_ctl"):
        return Path(found).parent
    numbered = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    return numbered[-1].parent if numbered else None


def missing() -> str:
    """Why there can be no server here; empty when there can."""
    if binaries() is None:
        return "PostgreSQL is missing: initdb and pg_ctl are in no place where they usually are"
    try:
        import psycopg  # noqa: F401 - it is looked for
    except ImportError:
        return "psycopg is missing"
    return ""


class Server:
    """A cluster in `folder`; `url` reaches it. It keeps its promises: what is stored is on the disk."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.url = f"postgresql://pbem@/postgres?host={folder}"
        bin_folder = binaries()
        assert bin_folder is not None
        self._bin = bin_folder
        self._as: dict[str, Any] = {}
        if os.geteuid() == 0:
            nobody = pwd.getpwnam(NOBODY)
            os.chown(folder, nobody.pw_uid, nobody.pw_gid)
            self._as = {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}
        self._run("initdb", "-U", "pbem", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync")

    def start(self, *settings: str) -> None:
        """Start it and wait until it answers."""
        chosen = " ".join(f"-c {one}" for one in ("max_connections=40", "shared_buffers=32MB", *settings))
        self._run("pg_ctl", "-w", "-l", str(self.folder / "log"), "-o", f"-k {self.folder} -h '' {chosen}", "start")

    def stop(self, how: str = "fast") -> None:
        """Stop it; `immediate` is as good as a power cut to it."""
        self._run("pg_ctl", "-w", "-m", how, "stop")

    def _run(self, program: str, *arguments: str) -> None:
        command = [str(self._bin / program), "-D", str(self.folder / "data"), *arguments]
        done = subprocess.run(command, cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, **self._as)
        assert done.returncode == 0, done.stderr


@contextmanager
def running() -> Iterator[Server]:
    """A server for some tests; they are skipped where there can be none."""
    if missing():
        pytest.skip(missing())
    folder = Path(tempfile.mkdtemp(prefix="pbem-pg-"))
    try:
        server = Server(folder)
        server.start()
        try:
            yield server
        finally:
            server.stop("immediate")
    finally:
        shutil.rmtree(folder, ignore_errors=True)

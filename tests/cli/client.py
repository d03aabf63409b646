"""The client as a player has it: a home, a folder to work in, and one command after the other.

`Client` runs commands in this process, which saves the start of an interpreter; `outside` starts a real one.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from pbem.cli.frame import TRACEBACK, run


@dataclass(frozen=True, slots=True)
class Done:
    """What a command answered."""

    code: int
    out: str
    err: str

    @property
    def last(self) -> str:
        """The last line of the output."""
        return self.out.splitlines()[-1]

    @property
    def data(self) -> Any:
        """The output as JSON."""
        return json.loads(self.out)


@dataclass(frozen=True, slots=True)
class Client:
    """One player: the home, and the folder where files that come and go lie."""

    home: Path
    folder: Path
    passphrase: str | None = None

    def __call__(self, *arguments: str, stdin: bytes = b"") -> Done:
        out, err = _stream(), _stream()
        with (
            contextlib.chdir(self.folder),
            environment(self.settings()),
            contextlib.redirect_stdout(out),
            contextlib.redirect_stderr(err),
            _standard_input(stdin),
        ):
            code = run(arguments)
        return Done(code, _text(out), _text(err))

    def does(self, *arguments: str, stdin: bytes = b"") -> Done:
        """A command that is expected to succeed."""
        done = self(*arguments, stdin=stdin)
        assert (done.code, done.err) == (0, ""), (arguments, done)
        return done

    def refused(self, *arguments: str, stdin: bytes = b"", code: int = 1) -> str:
        """What a command that is expected to fail says; it has changed nothing in the home and no file beside it."""
        before = tables(self.home), files(self.folder)
        done = self(*arguments, stdin=stdin)
        assert done.code == code, (arguments, done)
        assert (tables(self.home), files(self.folder)) == before, arguments
        return done.err

    def status(self) -> dict[str, Any]:
        """The summary of the only game."""
        (found,) = self.does("status", "--json").data
        return dict(found)

    def asked(self) -> bool:
        """Whether the player is to decide something."""
        status = self.status()
        return any(one["role"] == status["role"] and one["kind"] == "answer" for one in status["waiting"])

    def write(self, name: str, content: str | bytes) -> str:
        """A file in the folder, by its name."""
        (self.folder / name).write_bytes(content.encode() if isinstance(content, str) else content)
        return name

    def read(self, name: str) -> str:
        return (self.folder / name).read_text()

    def settings(self) -> dict[str, str | None]:
        return {"PBEM_HOME": str(self.home), "PBEM_PASSPHRASE": self.passphrase}

    def outside(self, *arguments: str, stdin: bytes = b"", **settings: str) -> subprocess.CompletedProcess[bytes]:
        """A command in a process of its own."""
        return subprocess.run(
            command(*arguments),
            cwd=self.folder,
            env=self.variables(**settings),
            input=stdin,
            capture_output=True,
            timeout=60,
        )

    def piped(self, *arguments: str, stdout: IO[str]) -> subprocess.CompletedProcess[bytes]:
        """A command in a process of its own whose output goes into a file."""
        return subprocess.run(
            command(*arguments),
            cwd=self.folder,
            env=self.variables(),
            stdout=stdout,
            stderr=subprocess.PIPE,
            timeout=60,
        )

    def variables(self, **settings: str) -> dict[str, str]:
        """The environment of a process of its own."""
        own = {name: value for name, value in self.settings().items() if value is not None}
        inherited = {name: value for name, value in os.environ.items() if not name.startswith("PBEM_")}
        return inherited | {TRACEBACK: "1"} | own | settings


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "pbem", *arguments]


@contextlib.contextmanager
def environment(settings: Mapping[str, str | None]) -> Iterator[None]:
    """The settings as environment variables for a while; None takes one out."""
    before = {name: os.environ.get(name) for name in settings}
    _set(settings)
    try:
        yield
    finally:
        _set(before)


def _set(settings: Mapping[str, str | None]) -> None:
    for name, value in settings.items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value


def tables(home: Path) -> dict[str, list[Any]]:
    """Every row of every table of a home, {} where there is none."""
    path = home / "home.sqlite"
    if not path.exists():
        return {}
    with contextlib.closing(sqlite3.connect(path)) as connection:
        names = [name for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
        return {name: sorted(connection.execute(f"SELECT * FROM {name}"), key=repr) for name in sorted(names)}


def files(folder: Path) -> dict[str, bytes]:
    """What lies in a folder, without homes below it."""
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir()) if path.is_file()}


def _stream() -> io.TextIOWrapper:
    return io.TextIOWrapper(io.BytesIO(), encoding="utf-8", newline="\n")


def _text(stream: io.TextIOWrapper) -> str:
    stream.flush()
    buffer = stream.buffer
    assert isinstance(buffer, io.BytesIO)
    return buffer.getvalue().decode()


@contextlib.contextmanager
def _standard_input(data: bytes) -> Iterator[None]:
    before = sys.stdin
    sys.stdin = io.TextIOWrapper(io.BytesIO(data), encoding="utf-8")
    try:
        yield
    finally:
        sys.stdin = before

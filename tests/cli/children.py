"""Commands that are stopped: each runs in a fork of this process, which is loaded already, so that the moment of the
stop falls into the work and not into the start of an interpreter."""

from __future__ import annotations

import os
import resource
import signal
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass

from pbem.cli import main

from .client import Client


@dataclass(frozen=True, slots=True)
class Ended:
    """How a command ended: its exit code, or minus the signal that ended it; and what it had said by then."""

    code: int
    out: str
    err: str
    seconds: float


def nothing() -> None:
    """No preparation."""


def at_most(size: int) -> Callable[[], None]:
    """No file may grow beyond `size` bytes, as on a full disk."""
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


def run_apart(
    client: Client,
    *arguments: str,
    after: float = 60.0,
    stop: int = signal.SIGKILL,
    prepare: Callable[[], None] = nothing,
) -> Ended:
    """Run a command in a fork and send it `stop` after so many seconds, if it has not ended by then."""
    out, err, ready = os.pipe(), os.pipe(), os.pipe()
    child = os.fork()
    if child == 0:
        _be_command(client, arguments, (out[1], err[1], ready[1]), prepare)
    for pipe in (out, err, ready):
        os.close(pipe[1])
    os.read(ready[0], 1)
    began = time.monotonic()
    code = _awaited(child, began + after)
    if code is None:
        os.kill(child, stop)
        code = _awaited(child, time.monotonic() + 60)
        assert code is not None
    os.close(ready[0])
    return Ended(code, _all_of(out[0]), _all_of(err[0]), time.monotonic() - began)


def _be_command(
    client: Client, arguments: tuple[str, ...], pipes: tuple[int, int, int], prepare: Callable[[], None]
) -> None:
    """Never returns: the command, as the installed program runs it, from the moment when it says that it is ready."""
    code = 99
    try:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        os.dup2(pipes[0], 1)
        os.dup2(pipes[1], 2)
        sys.stdout, sys.stderr = open(1, "w", closefd=False), open(2, "w", closefd=False)  # noqa: SIM115
        os.chdir(client.folder)
        os.environ["PBEM_HOME"] = str(client.home)
        prepare()
        sys.argv = ["pbem", *arguments]
        os.write(pipes[2], b"!")
        main()
    except SystemExit as end:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        code = int(end.code or 0)
    except BaseException as error:
        os.write(2, f"UNTOLD {type(error).__name__}: {error}\n".encode())
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def _awaited(child: int, until: float) -> int | None:
    while time.monotonic() < until:
        pid, status = os.waitpid(child, os.WNOHANG)
        if pid:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.001)
    return None


def _all_of(pipe: int) -> str:
    with open(pipe, "rb") as stream:
        return stream.read().decode()

"""A command on a terminal of its own, and somebody who types answers there."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import subprocess
import termios
import time
from collections.abc import Sequence

from .client import Client, command


def at_a_terminal() -> None:
    """What a shell gives a command: its terminal, and an interrupt that nobody has turned off (`&` does)."""
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def typed(client: Client, arguments: Sequence[str], answers: Sequence[str]) -> tuple[int, str]:
    """Run a command on a terminal of its own and type an answer whenever it waits for one; code and what was seen."""
    controller, terminal = pty.openpty()
    process = subprocess.Popen(
        command(*arguments),
        cwd=client.folder,
        env=client.variables(),
        stdin=terminal,
        stdout=terminal,
        stderr=terminal,
        start_new_session=True,
        preexec_fn=at_a_terminal,
    )
    os.close(terminal)
    seen, answered, left, deadline = b"", 0, list(answers), time.monotonic() + 60
    while time.monotonic() < deadline:
        if select.select([controller], [], [], 0.2)[0]:
            try:
                seen += os.read(controller, 4096)
            except OSError:
                break
        elif left and seen[answered:].rstrip().endswith(b":"):
            os.write(controller, left.pop(0).encode() + b"\n")
            seen += b"\n"
            answered = len(seen)
    code = process.wait(timeout=60)
    os.close(controller)
    return code, seen.decode()

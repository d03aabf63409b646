"""The command line: parse, call one use case, print. Every heavy import happens inside the command that needs it."""

from __future__ import annotations

import io
import sys


def main() -> None:
    """Entry point of the `pbem` command."""
    try:
        from pbem.cli.frame import run

        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(errors="backslashreplace")
        code = run(sys.argv[1:])
    except KeyboardInterrupt:
        code = 1
    sys.exit(code)

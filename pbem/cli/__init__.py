"""The command line: parse, call one use case, print. Every heavy import happens inside the command that needs it."""

from __future__ import annotations

import sys


def main() -> None:
    """Entry point of the `pbem` command."""
    from pbem.cli.frame import run

    sys.exit(run(sys.argv[1:]))

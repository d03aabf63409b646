"""A golden text: a whole output that lies in a file beside its tests.

When an output is meant to differ, write the texts anew and read what has changed:

    PBEM_REGENERATE=1 pytest tests/app tests/cli tests/games tests/test_golden_games.py
"""

from __future__ import annotations

import os
import re
from pathlib import Path


def golden(path: Path, found: str) -> str:
    """What the file says, for `assert found == golden(path, found)`."""
    if os.environ.get("PBEM_REGENERATE"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(found, encoding="utf-8", newline="\n")
    return path.read_text(encoding="utf-8")


def unstyled(page: str) -> str:
    """A page without its style sheet, which may change when no text does."""
    return re.sub(r"<style>.*?</style>", "", page, count=1, flags=re.DOTALL)

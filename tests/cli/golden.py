"""Whole outputs of commands, kept as `texts/NAME.txt`.

When an output is meant to differ, write the texts anew and read what has changed:

    PBEM_REGENERATE=1 pytest tests/cli
"""

from __future__ import annotations

import os
from pathlib import Path

FOLDER = Path(__file__).parent / "texts"


def golden(name: str, said: str) -> str:
    """The text of that name; it becomes what was said where texts are written anew."""
    path = FOLDER / f"{name}.txt"
    if os.environ.get("PBEM_REGENERATE"):
        path.write_text(said, encoding="utf-8")
    return path.read_text(encoding="utf-8")

"""The data files of a game with one place in them changed, as a player's own transcription has it."""

from __future__ import annotations

import re
from collections.abc import Mapping


def with_text(files: Mapping[str, bytes], name: str, old: str, new: str) -> dict[str, bytes]:
    """The first `old` of a file replaced."""
    text = files[name].decode()
    assert old in text
    return {**files, name: text.replace(old, new, 1).encode()}


def with_match(files: Mapping[str, bytes], name: str, pattern: str, other: str) -> dict[str, bytes]:
    """The first match of a pattern in a file replaced."""
    text, count = re.subn(pattern, other, files[name].decode(), count=1, flags=re.MULTILINE)
    assert count == 1
    return {**files, name: text.encode()}

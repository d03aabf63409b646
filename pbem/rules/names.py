"""Names as people write them: case, diacritics, blanks and hyphens do not matter, a unique beginning is enough."""

from __future__ import annotations

import difflib
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

_LETTERS = str.maketrans({"ł": "l", "Ł": "l", "đ": "d", "ø": "o", "ß": "ss"})


def fold(text: str) -> str:
    """`Łódź` and `lodz` fold to the same; so do `MAS 1`, `mas-1` and `MAS1`."""
    decomposed = unicodedata.normalize("NFKD", text.translate(_LETTERS))
    return "".join(char for char in decomposed.casefold() if char.isalnum())


@dataclass(frozen=True, slots=True)
class Found:
    """What a name stands for: one id, or why it stands for none."""

    id: str = ""
    candidates: tuple[str, ...] = ()
    nearest: tuple[str, ...] = ()


class Names:
    """The names of one kind of thing (units, areas), each with its id."""

    def __init__(self, names: Mapping[str, Iterable[str]]) -> None:
        """`names` maps an id to its other names."""
        self._exact: dict[str, list[str]] = {}
        self._words: list[tuple[str, str]] = []
        for identity, others in names.items():
            for name in (identity, *others):
                self._exact.setdefault(fold(name), []).append(identity)
                self._words.extend((fold(word), identity) for word in name.split())
                self._words.append((fold(name), identity))

    def find(self, text: str) -> Found:
        """The id of a name: the whole of it, or the beginning of one of its words if that is unique."""
        wanted = fold(text)
        exact = tuple(dict.fromkeys(self._exact.get(wanted, ())))
        beginning = tuple(
            dict.fromkeys(identity for word, identity in self._words if wanted and word.startswith(wanted))
        )
        for candidates in (exact, beginning):
            if len(candidates) == 1:
                return Found(candidates[0])
            if candidates:
                return Found(candidates=candidates)
        return Found(nearest=self._nearest(wanted))

    def _nearest(self, wanted: str) -> tuple[str, ...]:
        close = difflib.get_close_matches(wanted, [word for word, _ in self._words], n=3, cutoff=0.6)
        known = dict(self._words)
        return tuple(dict.fromkeys(known[word] for word in close))

"""Names that a game spells in its own way: how each thing is written, by which words it is found, what is nearest.

`names.py` does the same for names that need no more than their words.
"""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from pbem.log.enumeration import cut
from pbem.rules.names import fold
from pbem.rules.refusal import Refusal, Refused, shown
from pbem.rules.sheet import SheetLine

MOST_CANDIDATES = 6


@dataclass(frozen=True, slots=True)
class Spelling:
    """How one thing is called: as the program writes it, in whole (folded), and by words of which a part is enough."""

    id: str
    written: str
    whole: tuple[str, ...]
    words: tuple[str, ...]


Pool = Sequence[Spelling]
"""Things among which a name is looked for."""


@dataclass(frozen=True, slots=True)
class Match:
    """What a name stands for: one thing, several, or none and the nearest."""

    found: tuple[Spelling, ...] = ()
    nearest: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        """The id of the only thing that it can mean, empty otherwise."""
        return self.found[0].id if len(self.found) == 1 else ""


def find(text: str, pools: Sequence[Pool]) -> Match:
    """What a name means: the whole name in the first pool that has it, else the beginning of a word."""
    wanted = fold(text)
    if wanted:
        for fits in (_is_whole, _is_beginning):
            for pool in pools:
                if found := tuple(one for one in pool if fits(one, wanted)):
                    return Match(found)
    return Match(nearest=_nearest(wanted, pools))


def _is_whole(one: Spelling, wanted: str) -> bool:
    return wanted in one.whole


def _is_beginning(one: Spelling, wanted: str) -> bool:
    return any(word.startswith(wanted) for word in one.words)


def _nearest(wanted: str, pools: Sequence[Pool]) -> tuple[str, ...]:
    for pool in pools:
        known = {word: one.written for one in reversed(pool) for word in (*one.words, *one.whole)}
        if close := difflib.get_close_matches(wanted, list(known), n=3):
            return tuple(dict.fromkeys(known[word] for word in close))
    return ()


def resolved(line: SheetLine, what: str, look: Callable[[str], Match], text: str, column: int) -> str:
    """The id that a name in a line stands for; Refused with the candidates, or with the nearest names."""
    match = look(text)
    if match.id:
        return match.id
    reason = hint = ""
    if match.found:
        code, reason = "orders.ambiguous", f", which may be {candidates(match.found)}"
    else:
        code = "orders.unknown"
        hint = f"did you mean {' or '.join(match.nearest)}?" if match.nearest else ""
    sentence = f"expected the name of {what}, got '{shown(text)}'{reason}"
    raise Refused((Refusal(code, sentence, "", hint, line.number, line.indent + column),))


def candidates(found: Pool) -> str:
    """Names in a row, cut after a few."""
    return cut([one.written for one in found], MOST_CANDIDATES)


def single(pool: Pool) -> Mapping[str, str]:
    """Whole names that mean one thing, each with its id; an id always does."""
    counted = Counter(name for one in pool for name in one.whole)
    found = {name: one.id for one in pool for name in one.whole if counted[name] == 1}
    return found | {fold(one.id): one.id for one in pool}

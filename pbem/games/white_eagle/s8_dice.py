"""Dice of combat (8.3): what hits, what a panzer's double brings, and a roll as it is told.

Left out: who rolls with which modifier (`s8_combat`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from pbem.games.white_eagle.figures import Combat as CombatFigures
from pbem.games.white_eagle.kinds import Side
from pbem.log.enumeration import counted
from pbem.log.event import Role
from pbem.rules.play import Rules, report, roll

SIDES = 6


@dataclass(frozen=True, slots=True)
class Modifier:
    """Something that is added to each of some dice (8.2)."""

    reason: str
    shift: int


@dataclass(frozen=True, slots=True)
class Throw:
    """One roll of `side`: `count` dice that hit on `factor` or more with the modifiers added.

    `use` ends its label, `who` rolls for people (`Soviet 11th INF`). A `panzer` throws its dice for one hit, or two
    with a double (8.3).
    """

    side: Side
    use: str
    who: str
    rule: str
    count: int
    factor: int
    modifiers: tuple[Modifier, ...]
    panzer: bool = False

    @property
    def shift(self) -> int:
        """All that is added to each die."""
        return sum(modifier.shift for modifier in self.modifiers)


@dataclass(frozen=True, slots=True)
class Scored:
    """What dice came to; throws with as many hits are equal, whatever their faces."""

    hits: int
    faces: tuple[int, ...] = field(compare=False)


def scores_hit(figures: CombatFigures, factor: int, shift: int, face: int) -> bool:
    """Whether a die hits: a natural 6 always does, a natural 1 never (2.2, 8.3)."""
    return face >= figures.always or (face > figures.never and face + shift >= factor)


def hits_of(figures: CombatFigures, throw: Throw, faces: tuple[int, ...]) -> int:
    """Hits of dice: each that hits counts, but a panzer's two count once, or twice as a double (8.3)."""
    hitting = [face for face in faces if scores_hit(figures, throw.factor, throw.shift, face)]
    if not throw.panzer:
        return len(hitting)
    is_double = len(hitting) > 1 and len(set(faces)) == 1
    return figures.double_hits if is_double else min(1, len(hitting))


def make_throw(figures: CombatFigures, throw: Throw, label: str) -> Rules[int]:
    """Roll, tell every die, and give the hits; `label` names the combat."""
    read, owner = _reader(figures, throw), Role(throw.side)
    scored = yield from roll(f"8.3/{label}/{throw.use}", throw.count, SIDES, read, by=owner)
    yield from report(
        throw.rule,
        "{who} on {factor}+{modifiers}: dice {dice}: {hits}",
        who=throw.who,
        factor=throw.factor,
        modifiers=told_modifiers(throw.modifiers),
        dice=", ".join(map(str, scored.faces)),
        hits=told_hits(scored.hits),
    )
    return scored.hits


def _reader(figures: CombatFigures, throw: Throw) -> Callable[[tuple[int, ...]], Scored]:
    return lambda faces: Scored(hits_of(figures, throw, faces), faces)


def told_modifiers(modifiers: tuple[Modifier, ...]) -> str:
    """` (Ju 87 Stuka +1, breakdown -1)`, or nothing."""
    told = ", ".join(f"{modifier.reason} {modifier.shift:+d}" for modifier in modifiers)
    return f" ({told})" if told else ""


def told_hits(hits: int) -> str:
    """`no hit`, `1 hit`, `3 hits`."""
    return counted(hits, "hit") if hits else "no hit"

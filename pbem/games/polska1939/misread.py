"""What to say of a line that is no order, or none for what is asked: the words of orders, and their phases."""

from __future__ import annotations

import re
from collections.abc import Mapping

from pbem.games.polska1939.state import Side
from pbem.rules.misread import Verbs

_GOAL = re.compile(r"\b(?:to|in|at)\b|->|→", re.IGNORECASE)
_WITH = re.compile(r"\bwith\b", re.IGNORECASE)
VERBS = Verbs(
    words=(
        *("attack", "move", "march", "bomb", "bombard", "intercept", "raid", "load", "train", "travel"),
        *("destination", "join", "defend", "losses", "place", "pass"),
    ),
    needed={
        "bomb": (_WITH, "'with' and an air unit are missing"),
        "move": (_GOAL, "'to' is missing in front of the area"),
        "raid": (_WITH, "'with' and a number of bombers are missing"),
        "place": (_GOAL, "'in' is missing in front of the area"),
    },
    synonyms={"bombard": "bomb", "march": "move"},
)
_PHASES: Mapping[Side, tuple[str, str, str]] = {Side.GERMAN: ("I", "II", "III"), Side.POLISH: ("IV", "V", "VI")}
_WHEN: Mapping[str, str] = {
    "slovak_setup": "units are placed before the first day",
    "intercepts": "intercepts are noted at the beginning of the enemy's phase {air_of_enemy}",
    "air_missions": "air units are sent out in your phase {air}",
    "rail_raids": "raids on trains are noted in your phase {air}, behind the air missions",
    "bomb_losses": "who loses under bombs is said in the enemy's phase {air_of_enemy}",
    "attacks": "attacks are ordered in your phase {attack}, or behind the air missions of your phase {air}",
    "defence": "attacked areas are defended in the enemy's phase {attack_of_enemy}",
    "moves": "units move, load and travel in your phase {move}",
}


def when_asked(kind: str, side: Side) -> str:
    """In which phase orders of a kind are asked for, for a hint."""
    own, enemy = _PHASES[side], _PHASES[side.enemy]
    phases = {"air": own[0], "attack": own[1], "move": own[2], "air_of_enemy": enemy[0], "attack_of_enemy": enemy[1]}
    return _WHEN[kind].format(**phases)

"""What to say of a line that is no order, or none for what is asked: which word is wrong or missing, in which phase.

Nothing here decides what is read (`orders`); only the words of a refusal are chosen.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from pbem.games.polska1939.state import Side
from pbem.rules.refusal import Refusal, shown
from pbem.rules.sheet import SheetLine

VERBS = (
    *("attack", "move", "march", "bomb", "bombard", "intercept", "raid", "load", "train", "travel"),
    *("destination", "join", "defend", "losses", "place", "pass"),
)
"""The first words of orders, as a player may misspell them."""
SHORTEST_MISSPELT = 4
"""A shorter word is like too many others."""
NEEDED: Mapping[str, tuple[re.Pattern[str], str]] = {
    "bomb": (re.compile(r"\bwith\b", re.IGNORECASE), "'with' and an air unit are missing"),
    "move": (re.compile(r"\b(?:to|in|at)\b|->|→", re.IGNORECASE), "'to' is missing in front of the area"),
    "raid": (re.compile(r"\bwith\b", re.IGNORECASE), "'with' and a number of bombers are missing"),
    "place": (re.compile(r"\b(?:to|in|at)\b|->|→", re.IGNORECASE), "'in' is missing in front of the area"),
}
"""What an order must have behind its verb, and what to say where it has not."""
_SYNONYMS = {"bombard": "bomb", "march": "move"}
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


def misread(line: SheetLine, was: Refusal, forms: Sequence[str]) -> Refusal:
    """The refusal of a line that the grammar did not take, with a hint where a word is misspelt or missing."""
    if was.code != "orders.unreadable" or was.hint:
        return was
    return replace(was, hint=_hint(line, forms))


def _hint(line: SheetLine, forms: Sequence[str]) -> str:
    first, *others = line.text.split()
    verb = _SYNONYMS.get(first.lower(), first.lower())
    if verb not in VERBS:
        near = difflib.get_close_matches(verb, VERBS, n=1) if len(verb) >= SHORTEST_MISSPELT else []
        return f"did you mean '{near[0]}'?" if near else ""
    if not others and verb != "pass":
        return f"'{shown(first)}' alone says nothing{_example(verb, forms)}"
    wanted, missing = NEEDED.get(verb, (None, ""))
    return f"{missing}{_example(verb, forms)}" if wanted and not wanted.search(line.text) else ""


def _example(verb: str, forms: Sequence[str]) -> str:
    form = next((form for form in forms if form.split()[0] == verb), "")
    return f": write, for instance, '{form}'" if form else ""


def begins_with_verb(text: str) -> bool:
    """Whether the first word of a line is that of an order, or a misspelt `attack`."""
    first = text.split()[0].lower()
    return first in VERBS or bool(difflib.get_close_matches(first, ["attack"]))


def when_asked(kind: str, side: Side) -> str:
    """In which phase orders of a kind are asked for, for a hint."""
    own, enemy = _PHASES[side], _PHASES[side.enemy]
    phases = {"air": own[0], "attack": own[1], "move": own[2], "air_of_enemy": enemy[0], "attack_of_enemy": enemy[1]}
    return _WHEN[kind].format(**phases)

"""What to say of a line that is no order, or none for what is asked: the words of orders, and when they are asked."""

from __future__ import annotations

import re
from collections.abc import Mapping

from pbem.rules.misread import Verbs

VERBS = Verbs(
    words=(
        *("recover", "move", "march", "attack", "sortie", "fire", "defend", "leave", "stay", "then", "ask", "use"),
        *("keep", "attempt", "pass"),
    ),
    needed={"move": (re.compile(r"\b(?:to|in|at)\b|->|→", re.IGNORECASE), "'to' is missing in front of the box")},
    synonyms={"march": "move"},
    alone=("pass", "use", "keep"),
)
WHEN: Mapping[str, str] = {
    "recovery": "a unit recovers when its command is activated",
    "march": "units move when their command is activated",
    "assault": "attacks and sorties are ordered when a command is activated",
    "fight": "boxes are defended when the enemy's command is activated",
    "attempted": "commands try to activate behind the last Turn End chit",
    "used": "Luftwaffe and Sabotage slow the enemy when his command is activated",
    "ask": "to be asked again makes sense where combats are ordered",
}
"""When each kind of order is asked for, for a hint."""

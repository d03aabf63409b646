"""Orders that tests of the order language read, and the questions that they answer."""

from __future__ import annotations

from typing import Any

from asked import MLAWA, RULES, asked

from pbem.games.polska1939.answers import AttackOrder, Attacks, Bomb, SlovakSetup
from pbem.log.event import Role
from pbem.rules.play import Answer, Question

POLES = "unit PL-INF-27 P47 14\nunit PL-CAV-Wielkopolska P39 4\nunit PL-HQ-Modlin P23 0\nunit PL-ND-Modlin P23 4\n"
TO_MOVE, MOVING = asked(f"phase VI\n{POLES}")
TO_ATTACK, ATTACKING = asked(f"phase II\n{MLAWA}")
WHOLE = AttackOrder(
    target="P20",
    units=("DE-INF-11", "DE-INF-61", "DE-ARM-Kempf"),
    headquarters=("DE-HQ-I",),
    losses=("DE-INF-61",),
    advance=("DE-ARM-Kempf",),
)
BOMB = Bomb(air="bom", number=1, area="P20")
WITH_11 = AttackOrder(target="P20", units=("DE-INF-11",))


def question(model: type[Answer], role: str = "german") -> Question[Any]:
    """A question that everything well written answers."""
    default = model(placed=()) if model is SlovakSetup else model()
    return Question(Role(role), model, default)


def move(text: str) -> Any:
    return RULES.read_orders(TO_MOVE, MOVING, text)


def attack(text: str) -> AttackOrder:
    answer = RULES.read_orders(TO_ATTACK, ATTACKING, text)
    assert isinstance(answer, Attacks)
    (order,) = answer.attacks
    return order

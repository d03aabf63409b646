"""Orders to attack: their parts in any order, conditions, who advances, air support."""

from __future__ import annotations

import pytest
from asked import DATA, MLAWA, RULES, asked
from ordered import ATTACKING, WHOLE, attack

from pbem.games.polska1939.answers import AttackOrder
from pbem.games.polska1939.orders import read_attack
from pbem.games.polska1939.state import Side
from pbem.rules.refusal import Refused


@pytest.mark.parametrize(
    "text",
    [
        'attack Mława from Nidzica with 11 INF, 61 INF, "Kempf" ARM support HQ I losses 61 INF advance "Kempf" ARM',
        "attack mlawa advance kempf losses 61 support I with 11 inf and 61 inf and kempf from G13",
        "attack P20 hq I with 11 INF G13, 61, Kempf losses 61 INF advance Kempf",
    ],
)
def test_an_attack_in_any_order_of_its_parts(text: str) -> None:
    assert attack(text) == WHOLE


@pytest.mark.parametrize(
    ("text", "units"),
    [
        ("attack Mława with all from Nidzica", ("DE-ARM-Kempf", "DE-INF-11", "DE-INF-61")),
        ("attack Mława from Nidzica with all", ("DE-ARM-Kempf", "DE-INF-11", "DE-INF-61")),
        ("attack Mława from Nidzica", ("DE-ARM-Kempf", "DE-INF-11", "DE-INF-61")),
        ("attack Mława with all", ("DE-ARM-Kempf", "DE-INF-11", "DE-INF-61")),
    ],
)
def test_all_that_can_attack(text: str, units: tuple[str, ...]) -> None:
    assert attack(text) == AttackOrder(target="P20", units=units)


def test_all_leaves_out_who_attacks_in_an_earlier_line() -> None:
    here, state = asked(f"phase II\n{MLAWA}unit PL-CAV-Mazowiecka P21 5\n")
    answer = RULES.read_orders(here, state, "attack Krzynowłoga with 11 INF, 1 INF\nattack Mława with all")
    assert [order.units for order in answer.attacks] == [("DE-INF-11", "DE-INF-1"), ("DE-ARM-Kempf", "DE-INF-61")]


@pytest.mark.parametrize(
    ("text", "taken", "held"),
    [
        ("if Mława taken", "P20", None),
        ("if P20 is taken", "P20", None),
        ("unless Mława taken", None, "P20"),
        ("if Mława is not taken", None, "P20"),
        ("unless Mława not taken", "P20", None),
    ],
)
def test_conditions(text: str, taken: str | None, held: str | None) -> None:
    order = read_attack(DATA, ATTACKING, Side.GERMAN, f"attack Mława with 11 INF {text}")
    assert (order.when_taken, order.unless_taken) == (taken, held)


@pytest.mark.parametrize(
    ("text", "advance"),
    [
        ("", "all"),
        ("advance all", "all"),
        ("advance none", "none"),
        ("advance nobody", ()),
        ("advance I", ("DE-HQ-I",)),
    ],
)
def test_who_advances(text: str, advance: str | tuple[str, ...]) -> None:
    order = read_attack(DATA, ATTACKING, Side.GERMAN, f"attack Mława with 11 INF support I {text}")
    assert order.advance == advance


@pytest.mark.parametrize(("text", "number"), [("air 2", 2), ("air OFF 2", 2), ("air off-2", 2)])
def test_air_support(text: str, number: int) -> None:
    assert read_attack(DATA, ATTACKING, Side.GERMAN, f"attack Mława with 11 INF {text}").air == number


def test_one_attack_is_read_for_the_odds_and_nothing_else() -> None:
    for text, got in (("", "none"), ("pass", "'pass'"), ("move 11 INF to P24", "'move 11 INF to P24'")):
        with pytest.raises(Refused) as caught:
            read_attack(DATA, ATTACKING, Side.GERMAN, text)
        wanted = 'attack Mława with 11 INF, "Kempf" ARM support HQ I air 1'
        assert caught.value.refusals[0].text == f"expected one order such as {wanted}, got {got}"

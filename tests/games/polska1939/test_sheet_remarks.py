"""What is remarked about orders before they are signed: strengths, retreats, supply and growth."""

from __future__ import annotations

import pytest
from asked import MLAWA, MLAWA_WITHOUT_1, RULES, SHUT_IN, WITHOUT_FUEL, asked

from pbem.games.polska1939.answers import AirMissions, Attacks, Moves
from pbem.rules.ruleset import Remark

TWO = "unit DE-INF-1 H23 12\nunit PL-INF-18 P20 14\n"
ATTACKS = "attack Mława with 11 INF, 61 INF\nattack Płońsk with 1 INF"
BRIDGE = """\
day 5
phase VI
unit PL-INF-20 P20 18
unit PL-INF-8 H23 12
unit PL-INF-18 P22 14
unit DE-INF-11 G13 16
unit DE-INF-61 P21 12
unit DE-INF-12 H22 12
unit DE-INF-21 P19 9
"""
"""20 INF in Mława is supplied by way of 8 INF in Ciechanów alone."""


def remarked(position: str, orders: str, sheets: tuple[str, ...] = ()) -> list[Remark]:
    question, state = asked(position, sheets)
    return list(RULES.remarks(RULES.read_orders(question, state, orders), state))


def test_the_check_of_orders_tells_the_row_of_every_attack() -> None:
    question, state = asked(f"phase II\n{MLAWA}")
    orders = "attack Mława with 11 INF, 61 INF support HQ I"
    row = "34 against 18 SP, -4 (forest -1, fortified line -3): row 4-6"
    answer = RULES.read_orders(question, state, orders)
    assert RULES.remarks(answer, state) == [Remark("attack Mława with 11 INF, 61 INF support I HQ", row)]
    missions = AirMissions(attacks=answer)
    assert [remark.text for remark in RULES.remarks(missions, state)] == [row]
    assert [list(RULES.remarks(one, state)) for one in (AirMissions(), Moves(), Attacks())] == [[], [], []]


# ---------------------------------------------------------------------- defence


@pytest.mark.rule("polska1939:5.3.3")
def test_every_attacked_area_is_told_of_with_what_will_happen() -> None:
    """Staying, and an area that is left out, which retreats by default."""
    assert remarked(f"phase II\n{MLAWA_WITHOUT_1}{TWO}", "defend Mława stay", (ATTACKS,)) == [
        Remark("defend Mława stay", "if a retreat is due, 18 INF, 20 INF stay"),
        Remark("", "Płońsk (P22), left out: if a retreat is due, 8 INF to Płock (H26)"),
    ]


@pytest.mark.rule("polska1939:5.3.1")
def test_a_retreat_to_the_enemy_is_remarked() -> None:
    """In vain where no other area is named, and so it is signed only if that is said."""
    closed = "Nidzica holds the enemy: not possible as things stand"
    by_default = "if a retreat is due, 20 INF to Przasnysz (H22)"
    before = ("attack Mława with 11 INF",)
    line = "defend Mława retreat Nidzica"
    assert remarked(f"phase II\n{MLAWA}", line, before) == [
        Remark(line, by_default),
        Remark(line, closed, vain=True, warns=True),
    ]
    line = "defend Mława retreat Nidzica or Przasnysz"
    assert remarked(f"phase II\n{MLAWA}", line, before)[1:] == [Remark(line, closed, warns=True)]
    line = "defend Mława stay retreat Nidzica"
    assert remarked(f"phase II\n{MLAWA}", line, before)[1:] == [Remark(line, closed, warns=True)]


@pytest.mark.rule("polska1939:5.3.5")
def test_units_without_a_way_back_are_remarked() -> None:
    """Those that a fortification lets stay do that."""
    line = "defend Płońsk losses 1 ARM"
    assert remarked(f"phase V\n{WITHOUT_FUEL}", line, ("attack Płońsk with 20 INF",)) == [
        Remark(line, "if a retreat is due, no way back for 1 ARM, 3 ARM, losses are doubled")
    ]
    assert remarked(f"phase II\n{SHUT_IN}", "pass", ("attack Mława with 11 INF",)) == [
        Remark("", "Mława (P20), left out: if a retreat is due, 20 INF stay"),
    ]


@pytest.mark.rule("polska1939:4.1.5.exception")
def test_a_retreat_through_a_node_beside_another_way_is_remarked() -> None:
    line = "defend Mława retreat Płońsk"
    position = "phase II\nunit DE-INF-11 G13 16\nunit PL-INF-20 P20 18\n"
    assert remarked(position, line, ("attack Mława with 11 INF",)) == [
        Remark(line, "if a retreat is due, 20 INF to Przasnysz (H22)"),
        Remark(line, "no way back leads to Płońsk: not possible as things stand", vain=True, warns=True),
    ]


# ---------------------------------------------------------------------- movement


@pytest.mark.rule("polska1939:11.1.6")
def test_a_move_that_ends_growth_is_remarked() -> None:
    line = "move 27 INF to Tarnowskie Góry"
    assert remarked("day 5\nphase VI\nunit PL-INF-27 P47 10 grows 14\n", line) == [
        Remark(line, "moving ends its growth (11.1.6): 10 of 14 SP", warns=True)
    ]
    assert remarked("day 5\nphase VI\nunit PL-INF-27 P47 10\n", line) == []


@pytest.mark.rule("polska1939:9.1.5")
def test_units_that_would_starve_are_remarked() -> None:
    hungry = "{} would have no supply line: loses 2 SP (9.1.5)"
    left = Remark("", hungry.format("20 INF (Mława)"), warns=True)
    assert remarked(BRIDGE, "move 8 INF to Płońsk") == [left]
    assert remarked(BRIDGE, "move 8 INF to Płońsk\nmove 18 INF to Ciechanów") == []
    line = "move 20 INF to Działdowo"
    assert remarked(BRIDGE, line) == [Remark(line, hungry.format("20 INF (Działdowo)"), warns=True)]
    line = "move 8 INF to Mława"
    assert remarked(BRIDGE, line) == [left, Remark(line, hungry.format("8 INF (Mława)"), warns=True)]


def test_units_that_starve_anyway_are_not_remarked() -> None:
    """The sheet says `no supply` of them; nothing that is ordered changes it."""
    alone = BRIDGE.replace("unit PL-INF-8 H23 12\n", "")
    assert remarked(alone, "move 18 INF to Modlin") == []
    assert any("20 INF 18 (no supply)" in line for line in RULES.order_sheet(*asked(alone)))

"""Order sheets: what a player reads before deciding, and that nothing on them misleads."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.engine.lab import Lab
from pbem.errors import BadRequest
from pbem.games.westerplatte import data_files
from pbem.games.westerplatte.ruleset import Westerplatte

FOLDER = Path(data_files.__file__).parent / "data"
RULES = Westerplatte({path.name: path.read_bytes() for path in sorted(FOLDER.iterdir())})
UNITS = "unit PL-1 Wal\nunit FG Koszary\nunit MAS-1 A\nunit MAS-2 B\nunit MAS-3 A weak\nunit BB Wd\n"

SHEET = """\
# You are asked: the 4 of spades: order up to 2 units; the artillery marker may be used instead.
#
# Turn 1 of 6, 52 cards left; if the game ended now, the Germans would have 3 victory points.
#
# One order a line, carried out in turn; what stands behind a # is ignored.
# Take the # away from what you choose, or write 'pass'.
# 'fire A at X or Y': at the first of these targets that is still there.
# 'face miss' or 'face ask' behind an attack: what to do with a face card, which is no number (else redraw).
# 'if blocked ask': stop and ask when an order fails (else it is skipped).
# 'then ask' as the last order: see the results, then order what is left of the card.
# Beforehand, for every card: 'pass always', 'pass at most 2', 'recover A, B'; see `pbem orders GAME --standing`."""


def sheet(position: str) -> list[str]:
    result = Lab(RULES, RULES.read_position(position), (), ()).run()
    assert result.question is not None
    return list(RULES.order_sheet(result.question, result.state))


def test_a_sheet_in_full() -> None:
    lines = sheet(f"card S4\n{UNITS}")
    assert lines[:11] == SHEET.splitlines()
    assert lines[11:] == [
        "# pass",
        "# move MAS-1 to B   # or Lazienki",
        "# move MAS-2 to Prom",
        "# move MAS-3 to B   # or Lazienki",
        "# move BB to Wc   # or We",
        "# fire MAS-1 at PL-1   # a card of 3 or less hits",
        "# fire MAS-2 at PL-1   # a card of 3 or less hits",
        "# fire MAS-3 at PL-1   # a card of 1 or less hits",
        "# oba at PL-1   # a card of 2 or less hits",
        "# Two units together, 'fire A, B at C', for instance:",
        "# fire MAS-1, MAS-2 at PL-1   # a card of 7 or less hits",
        "# Left out: 2 attacks by one unit that no card could make hit.",
    ]


def remarks(position: str, orders: str) -> list[tuple[str, str, bool]]:
    result = Lab(RULES, RULES.read_position(position), (), ()).run()
    assert result.question is not None
    answer = RULES.read_orders(result.question, result.state, orders)
    return [(one.order, one.text, one.vain) for one in RULES.remarks(answer, result.state)]


def test_every_attack_is_remarked_on_with_the_card_that_hits() -> None:
    """In vain is what cannot hit the target that it is carried out at now; in Prom 2 is added to a card of MAS-3's."""
    position = f"card S5\n{UNITS}unit MTR Prom\n"
    both = "PL-1: a card of 1 or less hits; MTR: no card hits"
    assert remarks(position, "fire MAS-3 at PL-1 or MTR\nmove MAS-1 to B") == [
        ("fire MAS-3 at PL-1 or MTR", both, False)
    ]
    other = "MTR: no card hits; PL-1: a card of 1 or less hits"
    assert remarks(position, "fire MAS-3 at MTR or PL-1") == [("fire MAS-3 at MTR or PL-1", other, True)]
    assert remarks(f"card S4\n{UNITS}", "oba at FG") == [("oba at FG", "no card hits", True)]
    assert remarks(f"card S5\n{UNITS}", "pass") == []


def test_an_attack_that_no_card_can_make_hit_stays_legal() -> None:
    result = Lab(RULES, RULES.read_position(f"card S4\n{UNITS}"), ["oba at FG"], ["C2"]).run()
    assert [line.sentence() for line in result.reports][:1] == ["the artillery marker at FG in Koszary: no card hits"]


def test_the_sheet_of_a_face_card_drawn_in_combat() -> None:
    position = RULES.read_position(f"card S4\n{UNITS}")
    result = Lab(RULES, position, ["fire MAS-1, MAS-2 at PL-1 face ask"], ["HK"]).run()
    assert result.question is not None
    assert list(RULES.order_sheet(result.question, result.state)) == [
        "# You are asked: the king of hearts is drawn for MAS-1 and MAS-2 at PL-1 in Wal, "
        "a card of 7 or less hits (27 of the 51 cards left): redraw, or take it as a miss.",
        "#",
        "# Turn 1 of 6, 51 cards left; if the game ended now, the Germans would have 3 victory points.",
        "#",
        "# One order a line; what stands behind a # is ignored.",
        "# face redraw",
        "# face miss",
    ]


def test_the_set_up_sheet_names_units_as_one_types_them() -> None:
    result = Lab(RULES, RULES.begin("standard", {}), (), ()).run()
    assert result.question is not None
    lines = RULES.order_sheet(result.question, result.state)
    assert lines[5] == (
        "# areas, with what the ground adds to the card of a German attack: Cypel (+0), GH3 (+1), GH4 (+1), "
        "Przystan (+1), Koszary (+3), Elektr (+1), Las (+1), GH5 (+1), GH2 (+1), Fort (+2), GH1 (+1), Nabrzeze (+0), "
        "Lazienki (+0), Tor (+0), Prom (+1), Wal (+1)"
    )
    assert lines[6] == (
        "# units, with their fire strength strong/weak: PL-1 2/1, PL-2 2/1, PL-3 2/1, MTR (81 mm) 2/1, "
        "FG (75 mm) 3/1, ATG (37 mm) 2/1"
    )


def test_a_face_card_activates_all_and_says_so_in_the_position() -> None:
    whole = RULES.read_position(f"card SQ\n{UNITS}")
    assert "left all" in RULES.position_lines(whole)
    begun = RULES.read_position(f"card SQ\nleft all\narea A\nacted MAS-1\n{UNITS}")
    assert (begun.left, "left all" in RULES.position_lines(begun)) == (98, True)
    assert RULES.read_position("\n".join(RULES.position_lines(begun))) == begun


def test_a_die_that_names_a_drawn_card_says_so() -> None:
    position = RULES.read_position(f"card S4\ndrawn H2 H3\ndeck H4 joker\n{UNITS}")
    with pytest.raises(BadRequest) as caught:
        Lab(RULES, position, ["fire MAS-1 at PL-1"], ["h2"]).run()
    assert (caught.value.text, caught.value.hint) == (
        "expected one of what is left for 'combat.7/turn-1/card-52', got 'h2', which is drawn already",
        "left are H4, joker",
    )
    with pytest.raises(BadRequest) as unknown:
        Lab(RULES, position, ["fire MAS-1 at PL-1"], ["H1"]).run()
    assert unknown.value.text == "expected one of H4, joker for 'combat.7/turn-1/card-52', got 'H1'"


def test_a_picture_says_what_is_in_force() -> None:
    state = RULES.read_position(f"card S4\n{UNITS}suppressed GH1\nair used\noba used")
    assert RULES.picture(state).captions == (
        "Turn 1 of 6, 52 cards left",
        "German victory points: 3",
        "Air hinders fire from GH1",
        "Used this turn: air and artillery",
    )

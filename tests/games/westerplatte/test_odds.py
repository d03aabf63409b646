"""Exact chances of an attack: small decks by hand, any small deck by every order of its cards, the whole deck."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.engine.chances import distribution
from pbem.games.westerplatte import data_files
from pbem.games.westerplatte.cards import DECK
from pbem.games.westerplatte.ruleset import Westerplatte
from pbem.rules.refusal import Refused

FOLDER = Path(data_files.__file__).parent / "data"
RULES = Westerplatte({path.name: path.read_bytes() for path in sorted(FOLDER.iterdir())})
UNITS = """
unit MAS-1 Prom
unit MAS-2 Wal weak
unit MAS-3 east
unit BB Wa
unit PL-1 Tor
unit PL-2 GH1 weak
unit FG GH1
"""
BOTH = "german could act\npolish could act\n"


def chances(orders: str, position: str = "") -> dict[str, Fraction]:
    (experiment,) = RULES.experiments(RULES.read_position(position + UNITS), orders)
    return distribution(experiment.rule, experiment.result)


def parts(whole: int, **counts: int) -> dict[str, Fraction]:
    names = {"ends": "miss, the turn ends", "weak": "becomes weak"}
    return {names.get(name, name): Fraction(count, whole) for name, count in counts.items()}


# ---------------------------------------------------------------------- by hand


def test_four_cards_of_which_a_king_is_redrawn() -> None:
    """A 4 or less hits: the king goes, and of the other three one hits, one misses, one ends the turn."""
    assert chances("fire MAS-1 at PL-1", BOTH + "deck S2 H9 SK joker\n") == parts(3, weak=1, miss=1, ends=1)


def test_four_cards_of_which_a_king_is_a_miss() -> None:
    found = chances("fire MAS-1 at PL-1 face miss", BOTH + "deck S2 H9 SK joker\n")
    assert found == parts(4, weak=1, miss=2, ends=1)


def test_a_joker_that_is_set_aside_leaves_the_other_cards() -> None:
    assert chances("fire MAS-1 at PL-1", "deck S2 H9 C9 joker\n") == parts(3, weak=1, miss=2)


def test_the_last_card_ends_the_turn_when_it_misses() -> None:
    assert chances("fire MAS-1 at PL-1", BOTH + "deck C9\n") == parts(1, ends=1)


def test_faces_alone_decide_nothing() -> None:
    assert chances("fire MAS-1 at PL-1", BOTH + "deck CJ HQ\n") == parts(1, ends=1)


def test_a_weak_target_is_eliminated() -> None:
    """MAS-1 and MAS-2 have 4 + 2; at two areas 1 is added, in the guardhouse 1: a 4 or less hits."""
    found = chances("fire MAS-1, MAS-2 at PL-2", BOTH + "deck SA S2 S3 S4 S5\n")
    assert found == parts(5, eliminated=4, miss=1)


@pytest.mark.rule("westerplatte:combat.2", "westerplatte:combat.8", "westerplatte:combat.12")
def test_the_ship_at_range_2_with_the_whole_deck() -> None:
    """A 3 or less hits: 12 of 40 number cards, and the joker beside them once it counts."""
    assert chances("fire BB at PL-1") == parts(40, weak=12, miss=28)
    assert chances("fire BB at PL-1", BOTH) == parts(41, weak=12, miss=28, ends=1)
    assert chances("fire BB at PL-1 face miss", BOTH) == parts(53, weak=12, miss=40, ends=1)


@pytest.mark.rule("westerplatte:support.5", "westerplatte:support.6", "westerplatte:combat.11")
def test_the_markers_with_the_whole_deck() -> None:
    """Air has 4 and artillery 3, in the open and in a guardhouse (+1)."""
    assert chances("air at PL-1") == parts(40, weak=16, miss=24)
    assert chances("oba at PL-1") == parts(40, weak=12, miss=28)
    assert chances("air at PL-2") == parts(40, eliminated=12, miss=28)
    assert chances("oba at PL-2") == parts(40, eliminated=8, miss=32)


@pytest.mark.rule("westerplatte:combat.9")
def test_a_distant_gun_at_the_ship() -> None:
    """The field gun has 3; 1 is added for the range of 2 areas and 1 for the gun: an ace hits."""
    assert chances("fire FG at BB", "deck HA H2\n") == parts(2, weak=1, miss=1)


# ---------------------------------------------------------------------- against every order of the cards

ATTACKS = {"fire MAS-1 at PL-1": 4, "fire BB, MAS-1 at PL-1": 7, "fire MAS-2 at FG": 0, "air at PL-2": 3}
"""An attack, and the highest card that hits."""


def every_order(deck: Sequence[str], most: int, faces: str, joker_counts: bool) -> dict[str, Fraction]:
    """The chances, counted over all orders in which the cards can lie."""
    counted: dict[str, int] = {}
    orders = list(permutations(deck))
    for order in orders:
        result = first_decision(order, most, faces, joker_counts)
        counted[result] = counted.get(result, 0) + 1
    return {result: Fraction(count, len(orders)) for result, count in counted.items()}


def first_decision(order: Sequence[str], most: int, faces: str, joker_counts: bool) -> str:
    for drawn, card in enumerate(order, start=1):
        miss = "miss" if drawn < len(order) else "miss, the turn ends"
        if card == "joker":
            if joker_counts:
                return "miss, the turn ends"
        elif card[1:] in ("J", "Q", "K"):
            if faces == "miss":
                return miss
        elif (1 if card[1:] == "A" else int(card[1:])) <= most:
            return "hit"
        else:
            return miss
    return "miss, the turn ends"


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(sorted(ATTACKS)),
    st.lists(st.sampled_from(DECK), min_size=1, max_size=6, unique=True),
    st.sampled_from(("redraw", "miss")),
    st.booleans(),
)
def test_any_small_deck_agrees_with_every_order_of_its_cards(
    attack: str, deck: list[str], faces: str, joker_counts: bool
) -> None:
    position = f"{BOTH if joker_counts else ''}deck {' '.join(deck)}\n"
    found = chances(f"{attack} face {faces}", position)
    hits = {"becomes weak", "eliminated"}
    named = {("hit" if name in hits else name): chance for name, chance in found.items()}
    assert named == every_order(deck, ATTACKS[attack], faces, joker_counts)
    assert sum(found.values()) == 1


# ---------------------------------------------------------------------- what is asked and what is refused


def test_each_attack_is_an_experiment_of_its_own() -> None:
    state = RULES.read_position(UNITS)
    found = RULES.experiments(state, "# two\nfire mas1 at pl1\nair at PL-2 face miss\n")
    assert [one.title for one in found] == ["fire MAS-1 at PL-1", "air at PL-2 face miss"]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            "move MAS-1 to Tor",
            "odds.kind: expected an attack such as fire MAS-1, MAS-2 at PL-1 / oba at PL-1 / air at PL-1 face miss, "
            "got another order in line 1, column 1",
        ),
        (
            "",
            "odds.empty: expected an attack such as fire MAS-1, MAS-2 at PL-1 / oba at PL-1 / air at PL-1 face miss, "
            "got none",
        ),
        (
            "\n  fire MAS-1 at PL-1 face ask",
            "odds.ask: expected a plan for face cards, got 'face ask' in line 2, column 3 (combat.15)",
        ),
        (
            "fire MAS-1, FG at PL-1",
            "combat.sides: expected firing units of one side, got MAS-1 and FG in line 1, column 1 (combat.6)",
        ),
        (
            "fire MAS-3 at PL-1",
            "combat.off_map: expected a firing unit on the map, got MAS-3 off the map in line 1, column 1 (combat.3)",
        ),
        ("air at BB", "support.target: expected a Polish unit as target, got 'BB' in line 1, column 1 (support.4)"),
    ],
)
def test_what_has_no_odds(text: str, sentence: str) -> None:
    with pytest.raises(Refused) as caught:
        RULES.experiments(RULES.read_position(UNITS), text)
    assert [refusal.sentence() for refusal in caught.value.refusals] == [sentence]

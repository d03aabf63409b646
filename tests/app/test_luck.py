"""The luck report: totals against the exact distribution, worked out by hand for few dice and by counting for all."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest
from cli.client import Client
from engine.scripted import END, NORTH, Scripted
from golden import golden, unstyled
from play import Match

from pbem.app import catalogue
from pbem.app.luck import Dice, Luck, luck_of, page, percent, rule_of, ways_to_total
from pbem.app.verify import verify
from pbem.engine.driver import Driver, LiveDice
from pbem.log.event import Role
from pbem.rules.play import Outcome, Rules, as_they_fall, draw, roll
from pbem.viewer.document import Words, as_text

CAMPAIGNS = Path(__file__).parents[2] / "fixtures" / "games"
TEXTS = Path(__file__).parent / "texts"
KEY = bytes(range(32))


@pytest.mark.parametrize(("count", "sides"), [(0, 6), (1, 1), (1, 6), (2, 6), (4, 6), (3, 10), (2, 20), (5, 2)])
def test_the_ways_to_each_total_are_those_that_can_be_counted(count: int, sides: int) -> None:
    counted = Counter(map(sum, product(range(1, sides + 1), repeat=count)))
    assert ways_to_total(count, sides) == tuple(counted[total] for total in range(count, count * sides + 1))


@pytest.mark.parametrize("faces", [(1, 1), (6, 6), (3, 4), (2, 1), (6, 4)])
def test_the_chances_of_two_dice_are_those_that_can_be_counted(faces: tuple[int, int]) -> None:
    dice = Dice("north", "", 6, tuple(faces.count(face) for face in range(1, 7)), ways_to_total(2, 6))
    totals = [sum(pair) for pair in product(range(1, 7), repeat=2)]
    less, more = ([one for one in totals if sign * one <= sign * sum(faces)] for sign in (1, -1))
    assert (dice.count, dice.total, dice.mean) == (2, sum(faces), 7)
    assert (dice.this_or_less, dice.this_or_more) == (Fraction(len(less), 36), Fraction(len(more), 36))


@pytest.mark.parametrize(("count", "sides"), [(1, 6), (2, 6), (10, 6), (100, 6), (30, 10)])
def test_the_range_is_the_narrowest_that_gives_up_no_more_than_it_says(count: int, sides: int) -> None:
    ways = ways_to_total(count, sides)
    lowest, highest = Dice("", "", sides, (count, *[0] * (sides - 1)), ways).middle()
    below = sum(ways[: lowest - count])
    assert lowest + highest == count * (sides + 1)
    assert Fraction(below, sides**count) <= Fraction(1, 20)
    assert Fraction(below + ways[lowest - count], sides**count) > Fraction(1, 20)


@pytest.mark.parametrize(("chance", "told"), [
    (Fraction(1, 3), "33.33 %"),
    (Fraction(2, 3), "66.67 %"),
    (Fraction(1, 800), "0.13 %"),
    (Fraction(1, 10**9), "below 0.01 %"),
    (1 - Fraction(1, 10**9), "above 99.99 %"),
    (Fraction(1), "100.00 %"),
    (Fraction(0), "0.00 %"),
])  # fmt: skip
def test_a_chance_is_rounded_and_never_told_as_certain(chance: Fraction, told: str) -> None:
    assert percent(chance) == told


def rolling(by: Role | None) -> Driver[object]:
    def script(_: object) -> Rules[Outcome]:
        yield from roll("a", 3, 6, as_they_fall, by)
        yield from draw("b", ("sun", "rain"), by=by)
        return END

    driver: Driver[object] = Driver(Scripted(script), "begin")
    driver.start(1)
    driver.roll(LiveDice(KEY, 2))
    return driver


def test_whose_a_roll_is_changes_no_digest_and_no_face() -> None:
    named, plain = rolling(NORTH), rolling(None)
    assert named.state_digest() == plain.state_digest()
    assert [roll.faces for roll in named.rolls] == [roll.faces for roll in plain.rolls]
    assert [[roll.by for roll in one.rolls] for one in (named, plain)] == [["north", "north"], ["", ""]]


def luck_of_archive(game: str) -> tuple[Luck, list[tuple[str, str, tuple[int, ...], bool]]]:
    data = (CAMPAIGNS / game / "campaign-1.pbem").read_bytes()
    campaign = verify(data, catalogue.for_proposal()).campaign
    assert campaign is not None
    return luck_of(campaign), [(one.by, rule_of(one), one.faces, bool(one.items)) for one in campaign.rolls]


@pytest.fixture(scope="module")
def poland() -> tuple[Luck, list[tuple[str, str, tuple[int, ...], bool]]]:
    return luck_of_archive("polska1939")


def test_every_roll_of_a_campaign_is_counted_once(
    poland: tuple[Luck, list[tuple[str, str, tuple[int, ...], bool]]],
) -> None:
    luck, rolls = poland
    for dice in luck.dice:
        faces = [face for by, rule, faces, _ in rolls for face in faces if by == dice.by and dice.rule in ("", rule)]
        assert dice.shown == tuple(faces.count(face) for face in range(1, 7))
        assert sum(dice.ways) == 6**dice.count
    whole = [dice for dice in luck.dice if not dice.rule]
    assert sum(dice.count for dice in whole) == sum(len(faces) for _, _, faces, drawn in rolls if not drawn)


def test_each_die_of_polska_1939_belongs_to_a_side(
    poland: tuple[Luck, list[tuple[str, str, tuple[int, ...], bool]]],
) -> None:
    _, rolls = poland
    assert {(by, rule) for by, rule, _, _ in rolls} == {
        *(("german", rule) for rule in ("5.1.1", "5.4.2", "6.1.4", "6.2.3")),
        *(("polish", rule) for rule in ("5.1.1", "5.4.2", "6.1.4")),
    }


def test_the_cards_of_the_westerplatte_are_draws_and_those_of_a_turn_nobodys() -> None:
    luck, rolls = luck_of_archive("westerplatte")
    assert luck.dice == ()
    assert [(one.by, one.rule, one.noun) for one in luck.draws] == [
        ("", "turn.2", "card"),
        ("german", "combat.7", "card"),
        ("polish", "combat.7", "card"),
    ]
    assert sum(one.count for one in luck.draws) == len(rolls)


TOLD = """\
Dice of The Toy Ford, game 187b5019bc17

What is told:
  Game: {game}
  Before step: 19
  For the dice of each side: their total, the mean total of as many fair dice,
    the range in which their total lies in at least nine games of ten, and the
    chances that they show this total or less, and this total or more.

Rolled by north:
  all of 6 sides: number 6; total 16; mean 21; nine in ten 14 to 28; this or
    less 14.46 %; this or more 90.35 %; faces 1:1 2:3 3:0 4:1 5:1 6:0

Rolled by south:
  No dice so far.

Rolled for both sides, or for none that the rules name:
  all of 6 sides: number 3; total 10; mean 10.5; nine in ten 6 to 15; this or
    less 50.00 %; this or more 62.50 %; faces 1:0 2:1 3:0 4:2 5:0 6:0
  Drawn, each time one of what was left:
  rule 2.1: 3 items

What these numbers mean, and what they do not:
  Each chance is worked out from all the ways in which as many fair dice can
    fall, and then rounded; --json has it as a fraction. Both chances count the
    total itself, so that they add up to more than 1.
  A high total is no good result by itself: some rules want low dice. Every die
    counts the same here, whatever hung on it. Rolls of steps that were taken
    back were rolled, and count.
  This report has 2 lines of dice. In fair games at most one line in twenty, on
    average, has a chance of 5 % or less at its lower end, and as few at its
    upper end: some such lines are to be expected in a long report.
  These numbers do not show whether the dice were fair. `pbem verify` shows
    that, from the links that the rollers had committed to, and it shows it of a
    likely result and an unlikely one alike.
"""


@pytest.fixture(scope="module")
def toy() -> Match:
    return Match(catalogue.ruleset("toy"), 3).play()


def test_the_report_in_words(toy: Match) -> None:
    assert as_text(page(luck_of(toy.campaign))) == TOLD.format(game=toy.campaign.game)


def test_the_client_reports_on_an_archive_without_a_home(toy: Match, tmp_path: Path) -> None:
    client = Client(tmp_path / "none", tmp_path)
    client.write("toy.pbem", toy.archive())
    assert client.does("luck", "toy.pbem").out == TOLD.format(game=toy.campaign.game)
    north, nobody = sorted(client.does("luck", "toy.pbem", "--json").data["dice"], key=lambda one: one["by"] == "")
    assert (north["by"], north["total"], north["mean"], north["shown"]) == ("north", 16, "21", [1, 3, 0, 1, 1, 0])
    less = Fraction(sum(map(int, north["ways"][: 16 - 6 + 1])), 6**6)
    assert (Fraction(north["this_or_less"]), nobody["by"]) == (less, "")


@pytest.mark.parametrize("game", ["polska1939", "westerplatte"])
def test_the_page_for_a_browser(game: str, tmp_path: Path) -> None:
    """A game whose dice fall under several rules, and one of cards alone."""
    client = Client(tmp_path / "none", tmp_path)
    client.does("luck", str(CAMPAIGNS / game / "campaign-1.pbem"), "-o", "luck.html")
    page = unstyled(client.read("luck.html"))
    assert page == golden(TEXTS / f"luck-{game}.html", page)


def test_no_word_of_the_report_judges(toy: Match) -> None:
    words = as_text(page(luck_of(toy.campaign))).lower()
    assert not [
        word for word in ("lucky", "unlucky", "bad", "suspicious", "cheat", "normal", "red") if f" {word}" in words
    ]


CARDS_ALONE = """\
What is told:
  Game: {game}
  Before step: {step}
  No dice were rolled so far: all that chance has decided was drawn, {cards} cards;
    each comes from what is left, so that draws have no total, and no chance of
    it is told here.
"""
CARDS_MEAN = """\
What these numbers mean, and what they do not:
  These counts do not show whether the draws were fair. `pbem verify` shows
    that, from the links that the rollers had committed to. Draws of steps that
    were taken back were drawn, and count.
"""


def test_a_game_of_cards_alone_is_told_as_one() -> None:
    luck, rolls = luck_of_archive("westerplatte")
    told = as_text(page(luck)).split("\n\n")
    assert told[1] + "\n" == CARDS_ALONE.format(game=luck.game, step=luck.step, cards=len(rolls))
    assert told[-1] == CARDS_MEAN
    nothing = as_text(page(replace(luck, draws=()))).split("\n\n")[1].splitlines()[3:]
    assert nothing == ["  Nothing was rolled and nothing drawn so far."]


@pytest.mark.parametrize(("dictated", "rolls"), [(1, "One roll or draw was"), (2, "2 rolls and draws were")])
def test_what_was_dictated_is_left_out(toy: Match, dictated: int, rolls: str) -> None:
    told, *_ = page(replace(luck_of(toy.campaign), dictated=dictated)).sections
    assert told.blocks[2:] == (
        Words(
            f"{rolls} dictated by the side that waited for a share of the dice: luck had no part in it, it is left out."
        ),
    )

"""The order language: what it says about what it does not take."""

from __future__ import annotations

import pytest

from pbem.games.white_eagle.answers import Attempts, Battles, Defence, Interference, Orders
from pbem.rules.play import Answer
from white_eagle.asked import OPENING, SOUTH, any_question, asked, refused


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        (
            "mvoe XVI Panzer to Łódź",
            [
                "orders.unreadable: expected an order such as recover XI Corps / move XVI Panzer to Łódź / "
                "attack Łódź with stuka / then ask / pass, got 'mvoe' in line 1, column 1",
                "did you mean 'move'?",
            ],
        ),
        (
            "move XVI Panzer Łódź",
            [
                "orders.unreadable: expected an order such as recover XI Corps / move XVI Panzer to Łódź / "
                "attack Łódź with stuka / then ask / pass, got 'the end of the line' in line 1, column 21",
                "'to' is missing in front of the box: write, for instance, 'move XVI Panzer to Łódź'",
            ],
        ),
        (
            "move XVI Panzer to Opeln\nmove Corps to Radom",
            [
                "orders.unknown: expected the name of a box, got 'Opeln' in line 1, column 20",
                "did you mean Oppeln or Kowel?",
                "orders.ambiguous: expected the name of a unit, got 'Corps', which may be IV Corps, XI Corps, "
                "VIII Corps, XVII Corps, I Corps, XXI Corps and 3 more in line 2, column 6",
            ],
        ),
        (
            "move XVI Panzer from Breslau to Oppeln",
            ["orders.from: expected XVI Panzer in Breslau, got it in Neisse in line 1, column 6"],
        ),
        (
            "move all to Oppeln",
            ["orders.no_units: expected 'from' and a box behind 'all', got none in line 1, column 1"],
        ),
        (
            "move all from Warszawa to Radom",
            ["orders.no_units: expected units that may move in Warszawa, got none in line 1, column 15"],
        ),
        (
            "attack Łódź with XVI Panzer",
            [
                "orders.units: expected an attack without units, got 'attack Łódź with XVI Panzer' "
                "in line 1, column 1 (7.2.p1)",
                "all that have entered the box attack: write 'move … to', for supporters with 'in support' behind it",
            ],
        ),
        (
            "attack Łódź with stuka and blitzkrieg",
            ["orders.events: expected one event in a combat, got more in line 1, column 28 (5.1.p1)"],
        ),
        (
            "attack Łódź leave stay",
            ["orders.contradiction: expected to leave or to stay, got both in line 1, column 19"],
        ),
        (
            "attack Łódź advance Piotrków, Radom, piotrkow",
            ["orders.again: expected each box once in a list, got Piotrków again in line 1, column 38 (8.5.p5)"],
        ),
        (
            "attack Łódź retreat Breslau or Breslau",
            ["orders.again: expected each box once in a list, got Breslau again in line 1, column 32 (8.5.b2)"],
        ),
        (
            "attack Łódź losses XVI losses IV",
            ["orders.twice: expected one 'losses' in an order, got two in line 1, column 24"],
        ),
        (
            "pass\nmove VIII to Katowice",
            [
                "orders.contradiction: expected orders that agree with 'pass', got 'move VIII to Katowice' "
                "in line 2, column 1"
            ],
        ),
        (
            "recover IV Corps\nrecover XI Corps",
            [
                "orders.contradiction: expected orders that agree with 'recover IV Corps', got 'recover XI Corps' "
                "in line 2, column 1"
            ],
        ),
        (
            "use luftwaffe",
            [
                "orders.kind: expected an order such as recover XI Corps / move XVI Panzer to Łódź / "
                "attack Łódź with stuka / then ask / pass, got 'use luftwaffe' in line 1, column 1",
                "Luftwaffe and Sabotage slow the enemy when his command is activated",
            ],
        ),
        (
            "# move VIII to Katowice",
            [
                "orders.empty: expected an order such as recover XI Corps / move XVI Panzer to Łódź / "
                "attack Łódź with stuka / then ask / pass, got none",
                "take the mark '#' away from a line of the sheet, or write 'pass'",
            ],
        ),
    ],
)
def test_what_is_no_order(text: str, sentences: list[str]) -> None:
    assert refused(any_question(Orders), SOUTH, text) == sentences


@pytest.mark.parametrize(
    ("model", "role", "text", "forms", "hint"),
    [
        (
            Orders,
            "polish",
            "defend Łódź",
            "recover Lodz INF / move Lodz CAV to Piotrków / attack Piotrków with p11 / sortie Modlin / pass",
            "boxes are defended when the enemy's command is activated",
        ),
        (
            Battles,
            "german",
            "recover IV Corps",
            "attack Łódź with stuka losses IV Corps advance Piotrków / then ask / pass",
            "a unit recovers when its command is activated",
        ),
        (
            Battles,
            "polish",
            "attempt North",
            "attack Łódź with p11 losses Lodz INF / sortie Modlin / then ask / pass",
            "commands try to activate behind the last Turn End chit",
        ),
        (
            Defence,
            "german",
            "move XI Corps to Neisse",
            "defend Neisse with stuka losses XI Corps retreat Breslau / leave Modlin / pass",
            "units move when their command is activated",
        ),
        (
            Defence,
            "polish",
            "sortie Modlin",
            "defend Łódź with train losses Lodz CAV retreat Warszawa or Radom / leave Modlin / pass",
            "attacks and sorties are ordered when a command is activated",
        ),
        (
            Interference,
            "german",
            "attack Lodz",
            "use luftwaffe / keep luftwaffe",
            "attacks and sorties are ordered when a command is activated",
        ),
        (
            Interference,
            "polish",
            "recover Lodz INF",
            "use sabotage / keep sabotage",
            "a unit recovers when its command is activated",
        ),
        (
            Attempts,
            "german",
            "then ask",
            "attempt North, South / attempt none",
            "to be asked again makes sense where combats are ordered",
        ),
    ],
)
def test_an_order_that_is_not_asked_for(model: type[Answer], role: str, text: str, forms: str, hint: str) -> None:
    assert refused(any_question(model, role), OPENING, text) == [
        f"orders.kind: expected an order such as {forms}, got '{text}' in line 1, column 1",
        hint,
    ]


def test_a_defence_takes_no_units() -> None:
    assert refused(any_question(Defence, "polish"), OPENING, "defend Łódź with Lodz CAV") == [
        "orders.units: expected an event behind 'with', got 'Lodz CAV' in line 1, column 18",
        "all units that stand in the box fight; leave them out",
    ]


def test_the_other_sides_event_before_movement() -> None:
    assert refused(any_question(Interference, "polish"), OPENING, "use luftwaffe") == [
        "orders.event: expected 'use sabotage' or 'keep sabotage', got 'use luftwaffe' in line 1, column 1 (5.1.p1)"
    ]


def test_reasons_of_the_rules_stand_at_the_lines_of_their_orders() -> None:
    """A line with two marches counts as one for the player."""
    question, state = asked(
        "turn 2\nunit GER-10th-1 Neisse reduced\nunit GER-8th-1 Breslau\nactivate GER-South asked\n"
    )
    text = "\nrecover XI Corps\n# here\nmove IV, XIII to Warszawa\nattack Radom\n"
    lines = [
        sentence.split(" in line ")[1][0] for sentence in refused(question, state, text) if " in line " in sentence
    ]
    assert lines == ["2", "4", "4", "5"]

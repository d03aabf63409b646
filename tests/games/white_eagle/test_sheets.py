"""Order sheets: what a player reads before deciding, and that every order on them can be given as it stands."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from pbem.games.white_eagle.answers import Battle, Battles, Defence, Fight, March, Orders
from pbem.games.white_eagle.kinds import Command, Event
from pbem.games.white_eagle.state import Activation, State
from pbem.rules.play import Question
from pbem.rules.ruleset import Remark
from white_eagle.asked import DATA, OPENING, RULES, asked

ORDER = re.compile(r"# ((?:recover|move|attack|sortie|fire|defend|use|keep|attempt|pass)\b.*)")
FIGHTS = "# Fights in reach, each with the strongest units that find room there together:"
LARGEST = 32_000
NEAR_LODZ = """\
turn 3
unit "XVI Panzer" Sieradz
unit "IV Corps" Sieradz reduced
unit "VIII Corps" Katowice
unit "Lodz INF" Lodz
unit "Lodz CAV" Lodz reduced
unit "Krakow INF" Katowice
pulled GER-South, Stuka, P11, Train, Sabotage
activate GER-South
"""
IN_LOMZA = """\
turn 3
unit "Narew INF" Lomza
unit Kempf Lomza
unit "I Corps" Lomza
pulled POL-North, Luftwaffe, P11
activate POL-North asked
"""


def sheet(question: Question[Any], state: State) -> list[str]:
    lines = list(RULES.order_sheet(question, state))
    assert lines[0] == f"# You are asked: {RULES.question_text(question, state)}."
    return lines


def given(question: Question[Any], state: State, *orders: str) -> None:
    """The orders are taken, each as it stands on a sheet, with its comment."""
    RULES.read_orders(question, state, "\n".join(orders))


def orders_on(lines: list[str]) -> Iterator[tuple[str, ...]]:
    """What can be given together: single orders, and each block of marches into a fight with its attack."""
    start = lines.index(FIGHTS) if FIGHTS in lines else len(lines)
    block: list[str] = []
    for number, line in enumerate(lines):
        match = ORDER.fullmatch(line)
        if match is None or match[1].endswith("':"):
            continue
        if number < start or not (block or match[1].startswith("move")):
            yield (match[1],)
            continue
        block.append(match[1])
        if not match[1].startswith("move"):
            yield tuple(block)
            block = []


# ---------------------------------------------------------------------- sheets in full


def test_a_sheet_of_orders_in_full() -> None:
    question, state = asked(NEAR_LODZ, ["use sabotage"])
    lines = sheet(question, state)
    head = lines.index("# pass")
    assert lines[:head] == [
        "# You are asked: turn 3 (9 September to 12 September): what German South does.",
        "#",
        "# German victory points 1 (victory with 12), breakdowns 0 of 5.",
        "# 10 chits in the cup: German North, Polish North, Polish Central, Polish South, Luftwaffe, Blitzkrieg, "
        "4 Turn End",
        "# Events ready: German stuka; Polish p11, train.",
        "#",
        "# One order a line; what stands behind a # is ignored. Take the # away from what you choose, or write 'pass'.",
        "# Orders: recover XI Corps / move XVI Panzer to Łódź / attack Łódź with stuka / then ask / pass",
        "# 'move A, B to X via Y': without 'via' the cheapest way. 'move all from Y to X': all there that may move and",
        "# have no other order. 'in support' behind it: into a box with enemies as supporting units (7.2), from one "
        "box.",
        "# 'attack Łódź with stuka losses IV Corps, XI Corps advance Rawa retreat Sieradz if Kalisz won':",
        "# Boxes with enemies that you enter are fought for, ordered or not. All that is behind the box may be left "
        "out:",
        "# an event of yours, who takes the hits in turn (a unit twice takes two), where to advance, where to retreat,",
        "# 'leave' for a siege that you won and do not keep up, 'if X won' or 'unless X won' for an earlier combat.",
        "# Combats are fought in the order of the lines, others last. 'then ask': you are asked again behind the last.",
        "#",
    ]
    allied = "Allied Involvement -1"
    katowice = "Katowice, Polish victory city, fort"
    assert [line for line in lines[head:] if not line.startswith("# move")] == [
        "# pass",
        "# One of these may recover, and then neither moves nor attacks:",
        "# recover IV Corps",
        "#",
        f"# {katowice}: VIII Corps 4+; with them Krakow INF 5+",
        "#",
        "# Sieradz: IV Corps 5+ reduced, XVI Panzer 4+ two dice",
        "#",
        FIGHTS,
        f"# {katowice}: fort, Krakow INF 5+",
        f"# attack Katowice   # XVI Panzer, VIII Corps: 2 dice on 4+ ({allied}) against Krakow INF: 1 die on 5+; "
        "fort of Katowice: 2 dice on 5+. Ready: stuka",
        "# Łódź, Polish victory city: Lodz INF 5+, Lodz CAV 6+ reduced",
        f"# attack Łódź   # IV Corps: 1 die on 5+ ({allied}); XVI Panzer: 2 dice on 4+ ({allied}) for one hit, "
        "two with a double against Lodz CAV: 1 die on 6+ first; Lodz INF: 1 die on 5+. Ready: stuka",
        "#",
        "# Where you stand already, without any movement:",
        f"# {katowice}: VIII Corps 4+ against fort, Krakow INF 5+ (it may be left out)",
        f"# attack Katowice   # VIII Corps: 1 die on 4+ ({allied}) against Krakow INF: 1 die on 5+; "
        "fort of Katowice: 2 dice on 5+. Ready: stuka",
    ]
    assert "# move XVI Panzer, IV Corps to Łódź" in lines
    assert any(re.fullmatch(r"# move IV Corps to \S+   # 1 of 1 MP; or Łódź 1 \(fight\), .*", line) for line in lines)


def test_a_sheet_of_defence_in_full() -> None:
    lines = sheet(
        *asked(NEAR_LODZ, ["keep sabotage", "move XVI Panzer to Łódź\nattack Łódź with stuka\nattack Katowice"])
    )
    assert lines[0] == (
        "# You are asked: turn 3 (9 September to 12 September): how you defend against German South "
        "(attacked: Łódź, Katowice)."
    )
    assert [line for line in lines[lines.index("# pass") :] if " retreat " not in line] == [
        "# pass",
        "#",
        "# Łódź, Polish victory city: Lodz INF 5+, Lodz CAV 6+ reduced",
        "# attacked by XVI Panzer 4+ two dice (with stuka)",
        "# XVI Panzer: 2 dice on 4+ (Ju 87 Stuka +1, Allied Involvement -1) for one hit, two with a double "
        "against Lodz CAV: 1 die on 6+ first; Lodz INF: 1 die on 5+",
        "# defend Łódź with p11",
        "# defend Łódź with train",
        "#",
        "# Katowice, Polish victory city, fort: fort, Krakow INF 5+",
        "# attacked by VIII Corps 4+",
        "# VIII Corps: 1 die on 4+ (Allied Involvement -1) against Krakow INF: 1 die on 5+; "
        "fort of Katowice: 2 dice on 5+",
        "# defend Katowice with p11",
        "# defend Katowice with train",
    ]
    ways = [line for line in lines if re.fullmatch(r"# defend \S+( leave)? retreat .*   # or .*", line)]
    assert [line.split()[2:4] for line in ways] == [["Łódź", "retreat"], ["Katowice", "leave"]]


@pytest.mark.rule("white_eagle:9.0.b6")
@pytest.mark.rule("white_eagle:9.0.b7")
def test_a_besieged_fort_can_attack_in_two_ways() -> None:
    lines = sheet(*asked(IN_LOMZA))
    assert lines[lines.index("# Where you stand already, without any movement:") + 1 :] == [
        "# Łomża, Polish victory city, fort: fort, Narew INF 5+ against I Corps 4+, Kempf 4+ (it may be left out)",
        "# sortie Łomża   # Narew INF: 1 die on 5+; fort of Łomża: 2 dice on 5+ against I Corps, Kempf: 2 dice on 4+ "
        "(Allied Involvement -1). Ready: p11",
        "# Łomża, Polish victory city, fort: fort against I Corps 4+, Kempf 4+ (it may be left out)",
        "# fire from Łomża   # fort of Łomża: 2 dice on 5+ against no dice. Ready: p11",
    ]


@pytest.mark.rule("white_eagle:5.1.b1")
def test_besiegers_roll_at_a_fort_with_the_luftwaffe() -> None:
    lines = sheet(*asked(IN_LOMZA, ["fire from Łomża"]))
    assert lines[lines.index("# pass") + 1 :] == [
        "#",
        "# Łomża, Polish victory city, fort: I Corps 4+, Kempf 4+",
        "# attacked by fort",
        "# fort of Łomża: 2 dice on 5+ against no dice",
        "# defend Łomża with luftwaffe",
        "# defend Łomża leave retreat Allenstein   # or Lötzen",
    ]


@pytest.mark.rule("white_eagle:5.1.b5")
def test_a_sheet_before_movement_in_full() -> None:
    lines = sheet(*asked(NEAR_LODZ))
    assert lines[0] == "# You are asked: turn 3 (9 September to 12 September): whether Sabotage slows German South."
    assert lines[-4:] == [
        "# use sabotage   # the units below lose 1 movement point, this time",
        "# keep sabotage   # it stays ready for another use this turn",
        "# Katowice, Polish victory city, fort: VIII Corps 4+ (2 MP)",
        "# Sieradz: IV Corps 5+ reduced (2 MP), XVI Panzer 4+ two dice (4 MP)",
    ]


@pytest.mark.rule("white_eagle:4.2.p1")
def test_a_sheet_of_late_commands_in_full() -> None:
    lines = sheet(*asked('unit "I Corps" Allenstein\npulled End-1, End-2, End-3, End-4\n'))
    assert lines[0] == "# You are asked: turn 1 (1 September to 4 September): which commands try to activate late."
    assert lines[-7:] == [
        "# Each rolls a die: up to 3 activates it as usual; with more it breaks down, acts with",
        "# 1 movement point and 1 on each die less, and the breakdown marker advances.",
        "# attempt none",
        "# attempt North",
        "# attempt South",
        "# attempt North, South",
        "# attempt South, North",
    ]


def test_a_sheet_of_what_is_left_to_fight() -> None:
    attack = "move all from Sieradz to Łódź\nattack Łódź\nthen ask"
    lines = sheet(*asked(NEAR_LODZ, ["keep sabotage", attack, "pass"], "666666"))
    assert lines[0] == "# You are asked: turn 3 (9 September to 12 September): what German South fights next."
    assert [line for line in lines if line.startswith("# attack Katowice")] == [
        "# attack Katowice   # VIII Corps: 1 die on 4+ (Allied Involvement -1) against Krakow INF: 1 die on 5+; "
        "fort of Katowice: 2 dice on 5+. Ready: stuka"
    ]


def test_units_that_stay_say_why() -> None:
    lines = sheet(*asked("\n".join(RULES.position_lines(OPENING))))
    assert [line for line in lines if " stays: " in line] == [
        "# AGN 1 stays: it may move from turn 2 on",
        "# AGN 2 stays: it may move from turn 2 on",
    ]


# ---------------------------------------------------------------------- every order on a sheet


def openings() -> Iterator[tuple[str, list[str]]]:
    """Positions in text with the sheets that lead to a question."""
    for command in Command:
        state = replace(OPENING, turn=6, soviets=True, pulled=(), activation=Activation(command, asked=True))
        yield "\n".join(line for line in RULES.position_lines(state) if not line.startswith("cup")), []
    yield NEAR_LODZ, []
    yield NEAR_LODZ, ["use sabotage"]
    yield NEAR_LODZ, ["keep sabotage", "move XVI Panzer to Łódź\nattack Łódź with stuka\nattack Katowice"]
    yield IN_LOMZA, []
    yield IN_LOMZA, ["sortie Łomża"]
    yield IN_LOMZA, ["fire from Łomża"]
    yield "pulled End-1, End-2, End-3, End-4\n", []


@pytest.mark.parametrize(("position", "sheets"), list(openings()))
def test_every_order_on_a_sheet_can_be_given_as_it_stands(position: str, sheets: list[str]) -> None:
    question, state = asked(position, sheets)
    lines = sheet(question, state)
    together = list(orders_on(lines))
    assert len(together) > 1
    for orders in together:
        given(question, state, *orders)
    assert all(line.isprintable() for line in lines)
    assert len("\n".join(lines).encode()) < LARGEST


# ---------------------------------------------------------------------- remarks


def test_the_dice_of_every_combat_are_told_before_one_signs() -> None:
    _, state = asked(NEAR_LODZ, ["keep sabotage"])
    march = March(units=("GER-10th-4",), path=("Lodz",))
    katowice = Battle(box="Katowice", event=Event.STUKA)
    answer = Orders(marches=(march,), battles=Battles(battles=(katowice,)))
    assert RULES.remarks(answer, state) == [
        Remark(
            "attack Katowice with stuka",
            "VIII Corps: 1 die on 4+ (Ju 87 Stuka +1, Allied Involvement -1) against Krakow INF: 1 die on 5+; "
            "fort of Katowice: 2 dice on 5+",
        ),
        Remark(
            "",
            "Łódź, fought too: XVI Panzer: 2 dice on 4+ (Allied Involvement -1) for one hit, two with a double "
            "against Lodz CAV: 1 die on 6+ first; Lodz INF: 1 die on 5+",
        ),
    ]


def test_the_dice_of_a_defence() -> None:
    _, state = asked(NEAR_LODZ, ["keep sabotage", "move XVI Panzer to Łódź\nattack Katowice"])
    answer = Defence(fights=(Fight(box="Katowice", event=Event.TRAIN),))
    assert [(one.order, one.text.split(":")[0]) for one in RULES.remarks(answer, state)] == [
        ("defend Katowice with train", "VIII Corps"),
        ("", "Łódź, left out"),
    ]
    assert "Krakow INF: 1 die on 5+ (Armored Train +1)" in RULES.remarks(answer, state)[0].text


@pytest.mark.rule("white_eagle:10.0.p2")
def test_germans_that_go_east_after_soviet_entry() -> None:
    _, state = asked("turn 7\nsoviets\nunit Kempf Warszawa\nunit Bernolak Presov\nactivate GER-North asked\n")
    answer = Orders(marches=(March(units=("GER-3rd-3",), path=("Siedlce",)),))
    text = "east of the German/Soviet Line: a German unit that is still there at the end costs 1 VP (10.0)"
    assert RULES.remarks(answer, state) == [Remark("move Kempf to Siedlce", text)]
    assert RULES.remarks(answer, replace(state, soviets=False)) == []


def test_a_question_is_one_line() -> None:
    question, state = asked(IN_LOMZA)
    assert RULES.question_text(question, state) == "turn 3 (9 September to 12 September): what Polish North does"
    assert DATA.date(3) == "9 September to 12 September"

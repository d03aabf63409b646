"""Order sheets: what a player reads before deciding, and that every order on them can be given as it stands."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from golden import golden

from pbem.games.white_eagle.answers import Battle, Battles, Defence, Fight, March, Orders
from pbem.games.white_eagle.kinds import Command, Event
from pbem.games.white_eagle.state import Activation, State
from pbem.rules.play import Question
from pbem.rules.ruleset import Remark
from white_eagle.asked import DATA, OPENING, RULES, asked

FOLDER = Path(__file__).parents[3] / "fixtures" / "games" / "white_eagle" / "sheets"
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

SLOWED = """\
turn 1
unit "I Corps" Konigsberg
unit "AGN 1" Konigsberg
unit Kempf Lotzen
pulled GER-North, Sabotage
activate GER-North slowed 2 asked
"""
BEHIND_LODZ = """\
turn 2
unit "XVI Panzer" Piotrkow
unit "Polesie INF" Pinsk reduced
unit "Lodz INF" Lodz
unit "Lodz CAV" Lodz
pulled POL-Central, P11
activate POL-Central asked
"""
NEAR_OPPELN = """\
turn 3
unit "XI Corps" Oppeln
unit "Lodz INF" Czestochowa
unit "Lodz CAV" Czestochowa
pulled POL-Central, Stuka, P11
activate POL-Central asked
"""
AT_THE_SEA = """\
turn 1
unit "I Corps" Danzig
unit "Pomorze INF" Gdynia
fort Gdynia 0
pulled GER-North, P11
activate GER-North asked
"""
ENDED = 'unit "I Corps" Allenstein\npulled End-1, End-2, End-3, End-4\n'
MARCH = "move XVI Panzer to Łódź\nattack Łódź\n"
BOTH = "move XVI Panzer to Łódź\nattack Łódź with stuka\nattack Katowice"
HALF = "move all from Sieradz to Łódź\nattack Łódź\nthen ask"


def whole(name: str, position: str, *sheets: str, dice: str = "", shows: pytest.MarkDecorator | None = None) -> Any:
    """A sheet with its name among the texts, and how it is come by."""
    return pytest.param(name, position, sheets, dice, id=name, marks=[shows] if shows else [])


SHEETS = [
    whole("before-movement", NEAR_LODZ, shows=pytest.mark.rule("white_eagle:5.1.b5")),
    whole("orders-german", NEAR_LODZ, "use sabotage"),
    whole("orders-slowed", SLOWED, shows=pytest.mark.rule("white_eagle:7.3.b1", "white_eagle:7.0.p3")),
    whole("orders-polish", BEHIND_LODZ, shows=pytest.mark.rule("white_eagle:7.3.b5")),
    whole("orders-in-a-siege", IN_LOMZA, shows=pytest.mark.rule("white_eagle:9.0.b6", "white_eagle:9.0.b7")),
    whole("left-to-fight", NEAR_LODZ, "keep sabotage", HALF, "pass", dice="666666"),
    whole("defence-polish", NEAR_LODZ, "keep sabotage", BOTH),
    whole("defence-german", NEAR_OPPELN, "move all from Czestochowa to Oppeln"),
    whole("defence-in-a-siege", IN_LOMZA, "fire from Łomża", shows=pytest.mark.rule("white_eagle:5.1.b1")),
    whole("defence-without-a-way", AT_THE_SEA, "move I Corps to Gdynia", shows=pytest.mark.rule("white_eagle:8.5.p3")),
    whole("late-commands", ENDED, shows=pytest.mark.rule("white_eagle:4.2.p1")),
]


@pytest.mark.parametrize(("name", "position", "sheets", "dice"), SHEETS)
def test_a_sheet_in_full(name: str, position: str, sheets: tuple[str, ...], dice: str) -> None:
    said = "\n".join(sheet(*asked(position, sheets, dice))) + "\n"
    assert said == golden(FOLDER / f"{name}.txt", said)


def test_each_text_of_a_sheet_is_compared() -> None:
    assert {one.id for one in SHEETS} == {path.stem for path in FOLDER.iterdir()}


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


def test_a_combat_that_must_be_fought_is_left_for_later_by_who_asks_again() -> None:
    _, state = asked(NEAR_LODZ, ["keep sabotage"])
    march = March(units=("GER-10th-4",), path=("Lodz",))
    (remark,) = RULES.remarks(Orders(marches=(march,), battles=Battles(ask_again=True)), state)
    assert remark == Remark(
        "",
        "Łódź, left for later: XVI Panzer: 2 dice on 4+ (Allied Involvement -1) for one hit, two with a double "
        "against Lodz CAV: 1 die on 6+ first; Lodz INF: 1 die on 5+",
    )


def test_a_defender_is_told_on_what_an_attack_hangs() -> None:
    told = [
        sheet(*asked(NEAR_LODZ, ["keep sabotage", f"{MARCH}attack Katowice with stuka {when} Łódź is won"]))
        for when in ("if", "unless")
    ]
    assert [line for lines in told for line in lines if line.startswith("# attacked by VIII")] == [
        "# attacked by VIII Corps 4+ (with stuka, if Łódź is won)",
        "# attacked by VIII Corps 4+ (with stuka, unless Łódź is won)",
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

"""Order sheets: what a player reads before deciding, and that every order on them can be given as it stands."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from asked import DATA, MLAWA, MLAWA_WITHOUT_1, OPENING, RULES, SHUT_IN, asked, refused
from positions import position

from pbem.engine.lab import Lab
from pbem.games.polska1939.answers import RailRaids
from pbem.games.polska1939.s4_march import moves_question
from pbem.games.polska1939.s5_attacks import attacks_question
from pbem.games.polska1939.s6_raids import raids_question
from pbem.games.polska1939.s11_reinforcements import new_unit
from pbem.games.polska1939.state import Aboard, AreaId, Side, State, side_of
from pbem.rules.play import Question

ORDER = re.compile(r"# ((?:attack|move|bomb|intercept|raid|load|train|destination|join|defend|losses) .+)")
LARGEST = 64_000
HEAD = 14
POLES = """\
day 5
phase VI
unit PL-INF-2 P65 13 train came
unit PL-INF-24 P62 13
unit PL-INF-22_9-R P11 5
unit PL-INF-34_9-R P11 5
unit PL-INF-35_9-R P11 4
unit PL-INF-20 P20 11 R disturbed 28
unit DE-INF-11 G13 16
fort P20 1
train P62 PL-INF-24
"""


def sheet(question: Question[Any], state: State) -> list[str]:
    lines = list(RULES.order_sheet(question, state))
    assert lines[0] == f"# You are asked: {RULES.question_text(question, state)}."
    return lines


def orders_on(lines: list[str]) -> list[str]:
    return [match[1] for line in lines if (match := ORDER.fullmatch(line)) and not match[1].endswith("':")]


# ---------------------------------------------------------------------- sheets in full


def test_what_is_rarely_said_on_a_sheet() -> None:
    """An empty train, attacks that hang on another, and where the Slovaks can begin."""
    train = sheet(*asked("phase I\nunit DE-INF-11 G13 16\ntrain P62 PL-INF-24\n"))
    assert train[-5] == "# bomb Jarosław with BOM 1   # an empty train; or BOM 2 to BOM 5, OFF 1 to OFF 5"
    slovaks = Lab(RULES, OPENING, (), ()).run()
    assert slovaks.question is not None
    assert sheet(slovaks.question, slovaks.state)[-5] == (
        "# areas of Slovakia: Czaca (G45), Namestów (G46), Trzciana (G47), Liptowska Teplicka (G48), Kieżmark (G49), "
        "Koszyce (G50), Żylina (H169), Preszów (H170), Bardiów (H171), Humenne (H172)"
    )
    beside = "unit DE-INF-11 G13 16\nunit DE-INF-1 G14 16\nunit PL-INF-20 P20 18\nunit PL-INF-8 P21 12\n"
    told = [
        sheet(
            *asked(f"phase II\n{beside}", (f"attack Mława with 11 INF\nattack P21 with 1 INF {when} Mława is taken",))
        )
        for when in ("if", "unless")
    ]
    assert [lines[-2] for lines in told] == [
        "# attacked by 1 INF 16, if Mława is taken: 16 against 12 SP, -1 (forest -1): row 1-3",
        "# attacked by 1 INF 16, unless Mława is taken: 16 against 12 SP, -1 (forest -1): row 1-3",
    ]


def test_a_unit_that_is_shut_in_is_told_that_no_way_is_open() -> None:
    question, state = asked(f"day 2\nphase VI\n{SHUT_IN}unit PL-INF-2 P20 13 train came\n")
    assert refused(question, state, "train 2 INF to Warszawa") == [
        "rail.way: expected a city that 2 INF reaches past no enemy, got Warszawa (P24) from Mława (P20) in line 1 "
        "(8.1.2)",
        "open is the way to no other city",
    ]


def test_a_sheet_of_attacks_in_full() -> None:
    lines = sheet(*asked(f"phase II\n{MLAWA}"))
    assert lines[:7] == [
        "# You are asked: 1 September, phase II: what you attack.",
        "#",
        "# Campaign: so far the Germans have 0 victory points, the Poles 0.",
        "#",
        "# One order a line; what stands behind a # is ignored. Take the # away from what you choose, or write 'pass'.",
        '# Orders: attack Mława with 11 INF, "Kempf" ARM support HQ I air 1 / pass',
        "# 'attack Mława with 11 INF, 61 INF support HQ I air 1 losses 61 INF advance 11 INF if Chojnice taken':",
    ]
    assert lines[7 : HEAD - 1] == [
        "# 'with all': every unit that can attack there; 'from X' in place of 'with': those of them that stand in X,",
        "# without who attacks in an earlier line. 'support': one HQ from an area. 'air': the number of an OFF today.",
        "# 'losses': who loses first, else the strongest. 'advance': who enters an empty area, else all; or 'none'.",
        "# 'if X taken', 'unless X taken': only when an earlier attack has emptied X, or not.",
        "# Attacks are made in the order of their lines; a unit or an HQ takes part in one, an area is attacked once.",
        "#",
    ]
    assert lines[HEAD - 1 :] == [
        "# pass",
        "# Your units beside enemies, with their strength points:",
        '# Nidzica (G13), forest: "Kempf" ARM 13 (fuel 4/4), I HQ +3/+2, 11 INF 16, 61 INF 15',
        "# What can be attacked, with all that can reach it:",
        "# Mława (P20), forest, fortified line, field fortification 2: 20 INF 18; "
        "air 1 (+3), 2 (+3), 3 (+3), 4 (+3), 5 (+3)",
        '# attack Mława with "Kempf" ARM, 11 INF, 61 INF support I HQ   '
        "# 35 (32 of 44 SP pass) against 18 SP, -4 (forest -1, fortified line -3): row 4-6",
    ]


def test_a_sheet_of_defence_in_full() -> None:
    order = 'attack Mława with 11 INF, 61 INF, "Kempf" ARM support HQ I air 1'
    beside = "unit PL-HQ-Narew P20 0\nunit PL-HQ-Pomorze P20 0\n"
    lines = sheet(*asked(f"phase II\n{MLAWA}{beside}", [order]))
    assert lines[0] == "# You are asked: 1 September, phase II: how you defend (attacked: Mława (P20))."
    assert lines[lines.index("# pass") : -1] == [
        "# pass",
        "#",
        '# Mława (P20), forest, fortified line, field fortification 2: "Narew" HQ +1/+2, "Pomorze" HQ +2/+3, 20 INF 18',
        '# attacked by 11 INF 16, 61 INF 15, "Kempf" ARM 13, support I HQ, air 1: '
        "38 (32 of 44 SP pass) against 21 SP, -4 (forest -1, fortified line -3): row 4-6",
        '# defend Mława stay hq "Pomorze" HQ',
    ]
    assert re.fullmatch(
        r'# defend Mława hq "Pomorze" HQ retreat \w+   # or (\w+( \(costs 1 SP each\))?(, |$)){2,}', lines[-1]
    )


def test_every_way_back_on_a_sheet_has_its_price() -> None:
    """Mława with the way to Żuromin alone open, past a river; a fortress with HQs alone behind it."""
    ring = "unit DE-INF-1 H21 12\nunit DE-INF-12 H22 12\nunit DE-INF-21 H23 12\nunit DE-INF-217 P21 9\n"
    lines = sheet(*asked(f"phase II\n{MLAWA_WITHOUT_1}{ring}", ["attack Mława with 11 INF"]))
    assert lines[-2:] == ["# defend Mława stay", "# defend Mława retreat Żuromin   # (costs 1 SP each)"]


def test_staying_may_be_the_end_of_a_headquarters_alone() -> None:
    text = "phase II\nunit DE-INF-11 P22 12\nunit PL-HQ-Modlin P23 0\n"
    before = ["attack Modlin with 11 INF"]
    assert sheet(*asked(text, before))[-2] == "# defend Modlin stay   # (a D1 destroys the HQ)"
    assert sheet(*asked(f"{text}unit PL-HQ-Pomorze P23 0\n", before))[-2] == (
        '# defend Modlin stay hq "Modlin" HQ   # (a D1 destroys the HQs)'
    )


def test_examples_on_a_sheet_are_of_the_side_that_is_asked() -> None:
    """A train is spoken of only when one is there."""

    def forms(text: str) -> str:
        return next(line for line in sheet(*asked(text)) if line.startswith("# Orders: "))

    assert forms("phase III\nunit DE-INF-11 G13 16\n") == "# Orders: move 11 INF to Mława / pass"
    assert forms("phase VI\nunit PL-INF-27 P47 14\n") == "# Orders: move 27 INF to P48 / pass"
    assert forms("day 2\nphase VI\nunit PL-INF-24 P62 13\ntrain P62 PL-INF-24\n") == (
        "# Orders: move 27 INF to P48 / load 24 INF / pass"
    )
    assert forms("phase V\nunit DE-INF-11 G13 16\nunit PL-INF-20 P20 18\n") == (
        '# Orders: attack Nidzica with 20 INF, "Mazowiecka" CAV support HQ Modlin / pass'
    )


def test_the_sheet_of_missions_says_what_waiting_costs() -> None:
    lines = sheet(*asked(f"phase I\nday 4\n{MLAWA}", ["pass"]))
    assert lines[6:9] == [
        "# One bomber and one OFF in an area; bombers are turned back from the end of the list. Then 'attacks later',",
        "# where you see the results first, for one more mail; 'no attacks'; or the attacks themselves in this sheet.",
        "# Bombs alone mean 'attacks later'.",
    ]


def test_a_sheet_of_movement_in_full() -> None:
    lines = sheet(*asked(POLES))
    body = lines[lines.index("# pass") :]
    trains = [line for line in body if line.startswith("# train")]
    wanted = r"# train 2 INF to .+   # from Kielce \(P65\); the nearest by rail, or (.+, ){19}.+ and \d+ more"
    assert re.fullmatch(wanted, trains[0])
    assert lines[6:10] == [
        "# 'move 8 INF, 20 INF to Mława', 'move 27 INF to P48 via P47' where the way matters; carried out in turn.",
        "# Below: each area with its ground, your units, enemies beside it; then where they can go, the nearest first.",
        "# A list that ends 'and N more' is cut: any area in reach may be named.",
        "# Units without an order stay: they dig in, regain fuel and are reorganized (7.2.1, 9.2.4, 5.5.5).",
    ]
    assert body[len(trains) + 1 : body.index("#")] == [
        "# load 24 INF   # goes aboard its train",
        "# A train for 24 INF waits in Jarosław (P62).",
        "# A train for 35 INF waits in Wilno (P76).",
        "# join 9 INF at Koronowo",
    ]
    assert (
        "# Mława (P20), forest, fortified line, field fortification 1: 20 INF 11 (R); beside Nidzica (G13) 16 SP"
        in body
    )
    assert "# Kielce (P65), hills: 2 INF 13 (came by train)" in body
    (koronowo,) = [line for line in body if line.startswith("# move 22/9 INF-R, 34/9 INF-R, 35/9 INF-R to ")]
    assert koronowo.endswith(" more")


@pytest.mark.rule("polska1939:scenario.air")
def test_a_sheet_of_air_missions_in_full() -> None:
    lines = sheet(*asked(f"phase I\nday 4\n{MLAWA}", ["pass"]))
    assert lines[0] == "# You are asked: 4 September, phase I: which areas are bombed (5 BOM, 5 OFF)."
    body = lines[lines.index("# pass") :]
    assert body[: body.index("# attacks later") + 3] == [
        "# pass",
        "# BOM 1 to BOM 4: 2 SP each, 3 targets in reach",
        "# BOM 5: 1 SP, 3 targets in reach",
        "# OFF 1 to OFF 3: 3 SP each, 3 targets in reach",
        "# OFF 4 to OFF 5: 2 SP each, 3 targets in reach",
        "# Targets, with the units there, the modifier of the die, and who reaches them:",
        "# bomb Mława with BOM 1   # 20 INF 18; forest -1, field fortification -1; or BOM 2 to BOM 5, OFF 1 to OFF 5",
        "# bomb Płońsk with BOM 1   # 8 INF 12; or BOM 2 to BOM 5, OFF 1 to OFF 5",
        '# bomb Modlin with BOM 1   # "Modlin" HQ +2/+3; fortress -3; or BOM 2 to BOM 5, OFF 1 to OFF 5',
        "#",
        "# attacks later",
        "# no attacks",
        "# Your units beside enemies, with their strength points:",
    ]


def test_a_sheet_of_losses_in_full() -> None:
    question, state = asked(f"phase I\n{MLAWA}unit PL-INF-1 P20 13\n", ["bomb Mława with BOM 1\nattacks later"])
    assert sheet(question, state)[-2:] == ["# pass", "# losses Mława 20 INF, 1 INF   # 20 INF 18, 1 INF 13"]


def test_a_sheet_of_intercepts_in_full() -> None:
    question, state = asked(f"day 5\nphase I\n{MLAWA}")
    assert sheet(question, state)[-4:] == [
        "# pass",
        "# Bombers today: yours 1, the enemy's 5. One turns back one, up to 2 areas away.",
        "# intercept Mława",
        "# Your areas that can be bombed and defended, with their strength points: Mława 18, Płońsk 12, Modlin 0",
    ]


def test_a_sheet_of_raids_in_full() -> None:
    aboard = replace(new_unit(DATA, DATA.forces.placements[0], AreaId("P62")), train=Aboard.SEALED)
    state = replace(position(aboard), raiders=(2, 1), raid_regions=("Biała Podlaska", "Jarosław"))
    question = raids_question(DATA, state, Side.GERMAN)
    assert question.default == RailRaids()
    name = DATA.name(aboard.id)
    assert sheet(question, state)[-4:] == [
        "# pass",
        "# 2 bombers can wait for trains. Each attacks one train in its region today.",
        f"# raid Jarosław with 1   # {name} +0/+4 (aboard, travels in the next movement phase) in Jarosław (P62), "
        "region Jarosław",
        "# Regions in reach: Biała Podlaska, Jarosław",
    ]


def test_a_sheet_of_destinations_in_full() -> None:
    lines = sheet(*asked(POLES, ["load 24 INF"]))
    assert lines[0] == (
        "# You are asked: 5 September, phase VI: where the loaded units will travel, in secret "
        "(24 INF in Jarosław (P62))."
    )
    assert "# pass" not in lines
    assert lines[-2] == "# Every loaded unit needs a city; the one where it stands lets it unload there."
    assert lines[-1].startswith("# destination 24 INF to ")


def test_the_sheet_of_the_slovaks_is_right_as_it_is() -> None:
    question, state = asked("phase setup\n")
    lines = sheet(question, state)
    assert lines[-4:] == [
        "place 1 INF SK in Kieżmark",
        "place 2 INF SK in Liptowska Teplicka",
        "place 3 INF SK in Koszyce",
        "place ARM-BR SK in Koszyce",
    ]
    assert RULES.read_orders(question, state, "\n".join(lines)) == question.default


# ---------------------------------------------------------------------- whole positions


def crowded(phase: int, day: int = 17) -> State:
    """Every unit that there is until the end of the month, at its place of entry, in the phase of a day."""
    held: dict[AreaId, Side] = {}
    units = []
    for row in (*DATA.forces.placements, *DATA.forces.reinforcements):
        if row.area:
            unit = replace(new_unit(DATA, row, AreaId(row.area)), train=Aboard.NO)
            if held.setdefault(unit.area, side_of(unit.id)) is side_of(unit.id):
                units.append(unit)
    return position(*units, day=day, phase=phase)


def crowded_questions() -> Iterator[tuple[Question[Any], State]]:
    for phase, ask in ((2, attacks_question), (3, moves_question), (5, attacks_question), (6, moves_question)):
        state = crowded(phase)
        question = ask(DATA, state)
        assert question is not None
        yield question, state


def test_a_sheet_for_300_units_can_be_mailed() -> None:
    sizes = [len("\n".join(sheet(question, state)).encode()) for question, state in crowded_questions()]
    assert [0 < size < LARGEST for size in sizes] == [True] * 4


def test_a_long_list_of_targets_is_cut() -> None:
    lines = sheet(*asked("\n".join(RULES.position_lines(crowded(1, day=1)))))
    assert len([line for line in lines if line.startswith("# bomb ")]) == 60
    assert [line for line in lines if line.startswith("# Left out")] == [
        "# Left out: 39 targets with fewer strength points; any area in reach may be named."
    ]


@pytest.mark.parametrize("phase", [1, 2, 3, 4, 5, 6])
def test_every_order_on_a_sheet_can_be_given_as_it_stands(phase: int) -> None:
    """Intercepts, attacks and movement, of the Germans and of the Poles: each line alone, with its comment behind."""
    text = "\n".join(RULES.position_lines(crowded(phase, day=5)))
    question, state = asked(text)
    lines = sheet(question, state)
    given = orders_on(lines)
    assert len(given) > 20 or question.kind == "intercepts"
    for order in given:
        RULES.read_orders(question, state, order)
    assert all(line.isprintable() for line in lines)


def test_attacks_behind_missions_stand_on_the_sheet_of_missions() -> None:
    question, state = asked(f"phase I\n{MLAWA}")
    given = orders_on(sheet(question, state))
    answer = RULES.read_orders(question, state, f"{given[0]}\n{given[-1]}")
    assert (len(answer.bombs), len(answer.attacks.attacks)) == (1, 1)


def test_names_on_a_sheet_are_short_where_they_mean_one_unit() -> None:
    alone = "\n".join(sheet(*asked("phase III\nunit DE-ARM-4 G31 19 fuel 4\n")))
    both = "\n".join(sheet(*asked("day 18\nphase III\nunit DE-ARM-4 G31 19 fuel 4\nunit SU-ARM-4 S05 12 fuel 3\n")))
    assert ("# move 4 ARM to " in alone, "# move 4 ARM DE to " in both, "# move 4 ARM SU to " in both) == (True,) * 3

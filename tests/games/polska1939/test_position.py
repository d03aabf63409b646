"""Positions as text: what is written reads back, what a person writes is understood, and what it cannot be."""

from __future__ import annotations

from dataclasses import fields, replace

import pytest
from asked import MLAWA, OPENING, RULES

from pbem.errors import BadRequest
from pbem.games.polska1939.answers import AttackOrder, Attacks, Raid, RailRaids
from pbem.games.polska1939.state import Aboard, AreaId, City, Side, State, Train, Unit, UnitId
from pbem.log.event import Role
from pbem.rules.play import Sealed

TROUBLED = Unit(
    UnitId("DE-ARM-Kempf"),
    AreaId("G13"),
    strength=9,
    ceiling=13,
    fuel=2,
    disorganized=True,
    train=Aboard.CAME_LOADED,
    disturbed=11,
    exerted=8,
)
FULL = State(
    scenario="short",
    day=3,
    phase=2,
    units={TROUBLED.id: TROUBLED, UnitId("PL-INF-20"): Unit(UnitId("PL-INF-20"), AreaId("P20"), 18)},
    lost=(UnitId("PL-INF-7"), UnitId("PL-ND-Hel")),
    withdrawn=(UnitId("DE-INF-73"),),
    waiting=(UnitId("PL-INF-3"),),
    trains=(Train(AreaId("P62"), UnitId("PL-INF-24")),),
    forts={AreaId("P20"): 2},
    cities={**OPENING.cities, AreaId("P47"): City(Side.GERMAN, Side.GERMAN), AreaId("P50"): City(Side.GERMAN)},
    losses={Side.GERMAN: 12, Side.POLISH: 40},
    crossed=True,
    bombed=(AreaId("P20"), AreaId("P22")),
    air_used=(1, 3),
    planned=Attacks(attacks=(AttackOrder(target="P20", units=("DE-ARM-Kempf",)),)),
    raids=Sealed(Role("german"), "rail_raids", 17, "0a" * 32),
    raids_opened=RailRaids(raids=(Raid(region="Biała Podlaska", bombers=2),)),
    aboard=(UnitId("PL-INF-24"),),
    raiders=(2, 1),
    raid_regions=("Biała Podlaska", "Kielce"),
    destinations=(Sealed(Role("polish"), "destinations", 19, "0b" * 32),),
)
TEXT = """\
scenario short
day 3
phase II
crossed
unit DE-ARM-Kempf G13 9 grows 13 fuel 2 disturbed 11 exerted 8 R train came
unit PL-INF-20 P20 18
fort P20 2
train P62 PL-INF-24
losses german 12
losses polish 40
lost PL-INF-7 PL-ND-Hel
withdrawn DE-INF-73
waiting PL-INF-3
bombed P20 P22
aboard PL-INF-24
used 1 3
raiders 2 1
regions "Biała Podlaska" "Kielce"
planned attack Mława with "Kempf" ARM
raid "Biała Podlaska" 2
"""


def sentence(text: str) -> tuple[str, str]:
    with pytest.raises(BadRequest) as caught:
        RULES.read_position(text)
    return caught.value.code, caught.value.text


def test_a_position_with_everything_in_it() -> None:
    missing = [one.name for one in fields(State) if getattr(FULL, one.name) in ((), {}, None, False)]
    assert missing == []
    lines = RULES.position_lines(FULL)
    assert [line for line in lines if not line.startswith(("city", "sealed"))] == TEXT.splitlines()
    assert {"city P47 german point german", "city P50 german", "city P20 polish"} <= {*lines}
    assert f"sealed raids german rail_raids 17 {'0a' * 32}" in lines
    assert RULES.read_position("\n".join(lines)) == FULL


def test_positions_that_hold_nothing_read_back() -> None:
    for state in (
        OPENING,
        replace(OPENING, phase=6, planned=Attacks(), raids_opened=RailRaids()),
        replace(FULL, raids=None, destinations=(), units={}, planned=None),
    ):
        assert RULES.read_position("\n".join(RULES.position_lines(state))) == state


def test_a_person_writes_it() -> None:
    text = "# at Mława\nDay 2 # the second\n\nphase v\nunit 8INF P22 12\n"
    assert sentence(text) == (
        "position.unreadable",
        "expected the id of a unit, such as PL-INF-8, got '8INF' in line 5, column 6",
    )
    state = RULES.read_position('day 2\nphase v\nunit "1 INF PL" Płońsk 12 r\nunit Kempf "Nowy Targ" 3\nFORT mlawa 1\n')
    assert state == replace(
        OPENING,
        day=2,
        phase=5,
        forts={AreaId("P20"): 1},
        units={
            UnitId("DE-ARM-Kempf"): Unit(UnitId("DE-ARM-Kempf"), AreaId("P55"), 3),
            UnitId("PL-INF-1"): Unit(UnitId("PL-INF-1"), AreaId("P22"), 12, disorganized=True),
        },
    )


def test_what_is_not_said_is_as_at_the_start_without_units() -> None:
    assert RULES.read_position("") == replace(OPENING, phase=1, units={}, forts={})


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "launch the kraken",
            "'day 3', 'phase II', 'unit PL-INF-8 P22 12', 'fort P20 2', 'city P20 german', "
            "'train P62 PL-INF-24', 'lost PL-INF-20' or another fact, got 'launch' in line 1, column 1",
        ),
        ("day 3\nday", "a whole number from 1 to 36, got the end of the line in line 2, column 4"),
        ("day 99", "a whole number from 1 to 36, got '99' in line 1, column 5"),
        ("day 3 4", "nothing more in this line, got '4' in line 1, column 7"),
        ("scenario long", "one of campaign, short, got 'long' in line 1, column 10"),
        ("phase VII", "one of setup, I, II, III, IV, V, VI, got 'VII' in line 1, column 7"),
        ("unit PL-INF-8", "the code of an area, such as P20, got the end of the line in line 1, column 14"),
        ("unit PL-INF-8 Q99 12", "the code of an area, such as P20, got 'Q99' in line 1, column 15"),
        ("unit PL-INF-8 P22 x", "a whole number from 0 to 99, got 'x' in line 1, column 19"),
        (
            "unit PL-INF-8 P22 12 weak",
            "'grows', 'fuel', 'R', 'train', 'disturbed' or 'exerted', got 'weak' in line 1, column 22",
        ),
        ("unit PL-INF-8 P22 12 train late", "'came', 'sealed' or 'arrived', got 'late' in line 1, column 28"),
        ("fort P20 3", "a whole number from 1 to 2, got '3' in line 1, column 10"),
        ("city P47 russian", "german or polish, got 'russian' in line 1, column 10"),
        ("city P47 german to polish", "'point', got 'to' in line 1, column 17"),
        ("raid Atlantis 1", "the name of a region, got 'Atlantis' in line 1, column 6"),
        ("sealed raids german", "a kind of question, got the end of the line in line 1, column 20"),
        ("sealed raids german rail_raids 17 xyz", "64 hexadecimal digits, got 'xyz' in line 1, column 35"),
        (f"sealed orders german moves 1 {'0a' * 32}", "'raids' or 'destinations', got 'orders' in line 1, column 8"),
        ("planned", "an attack or 'pass', got the end of the line in line 1, column 8"),
        ("planned attack Mlwa with Kempf", "the name of an area, got 'attack Mlwa with Kempf' in line 1, column 16"),
    ],
)
def test_what_is_no_fact(text: str, expected: str) -> None:
    assert sentence(text) == ("position.unreadable", f"expected {expected}")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("day 1\nday 2", "one line 'day', got 'day' in line 2, column 1"),
        (
            "unit PL-INF-8 P22 12\nunit PL-INF-8 P23 12",
            "a unit that was not named before, got 'PL-INF-8' in line 2, column 6",
        ),
        ("fort P22 1\nfort P22 2", "a fort that was not named before, got 'P22' in line 2, column 6"),
        ("city P20 german\ncity P20 polish", "a city that was not named before, got 'P20' in line 2, column 6"),
        ("losses german 1\nlosses german 2", "a side that was not named before, got 'german' in line 2, column 8"),
        ("lost PL-INF-20 PL-INF-20", "a lost unit that was not named before, got 'PL-INF-20' in line 1, column 16"),
        (
            "withdrawn PL-INF-20\nwithdrawn PL-INF-20",
            "a withdrawn unit that was not named before, got 'PL-INF-20' in line 2, column 11",
        ),
        (
            "waiting PL-INF-20 PL-INF-20",
            "a waiting unit that was not named before, got 'PL-INF-20' in line 1, column 19",
        ),
        ("bombed P20 P22 P20", "a bombed area that was not named before, got 'P20' in line 1, column 16"),
        ("bombed P20\nbombed P20", "a bombed area that was not named before, got 'P20' in line 2, column 8"),
        ("used 1 2 1", "an air unit in use that was not named before, got '1' in line 1, column 10"),
        (
            "raid Brodnica 1\nraid Brodnica 2",
            "a region with a raid that was not named before, got 'Brodnica' in line 2, column 6",
        ),
        (
            "regions Brodnica Brodnica",
            "a region in reach that was not named before, got 'Brodnica' in line 1, column 18",
        ),
        ("aboard PL-INF-24 PL-INF-24", "a unit aboard that was not named before, got 'PL-INF-24' in line 1, column 18"),
        (
            "train P62 PL-INF-24\ntrain P20 PL-INF-24",
            "a unit on rails that was not named before, got 'PL-INF-24' in line 2, column 11",
        ),
    ],
)
def test_nothing_is_named_twice(text: str, expected: str) -> None:
    assert sentence(text) == ("position.unreadable", f"expected {expected}")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("unit PL-INF-8 G13 12", "expected units of one side in Nidzica (G13), got DE-ARM-Kempf and PL-INF-8"),
        ("unit PL-INF-8 P22 13", "expected PL-INF-8 with 1 to 12 strength points, got 13"),
        ("unit PL-INF-8 P22 0", "expected PL-INF-8 with 1 to 12 strength points, got 0"),
        ("unit PL-HQ-Modlin P23 1", "expected PL-HQ-Modlin with 0 to 0 strength points, got 1"),
        ("unit PL-INF-8 P22 3 grows 20", "expected PL-INF-8 to grow to at most 12, got 20"),
        ("unit PL-INF-8 P22 3 fuel 1", "expected PL-INF-8 with a fuel level of at most 0, got 1"),
        ("lost DE-INF-11", "expected DE-INF-11 on the map, lost, withdrawn or waiting, got it twice"),
    ],
)
def test_what_cannot_be(text: str, expected: str) -> None:
    position = MLAWA.replace("unit PL-INF-8 P22 12\nunit PL-HQ-Modlin P23 0\n", "")
    with pytest.raises(BadRequest) as caught:
        RULES.read_position(f"{position}{text}\n")
    assert (str(caught.value), caught.value.hint) == (
        f"position.impossible: {expected}",
        "a line reads 'unit PL-INF-8 P22 12'; see `pbem show GAME --position`",
    )


def test_states_read_back_from_their_bytes() -> None:
    for state in (OPENING, FULL, replace(FULL, planned=None, raids=None, raids_opened=None, destinations=())):
        data = RULES.encode(state)
        assert RULES.decode(data) == state
        assert RULES.encode(RULES.decode(data)) == data


def test_equal_states_have_equal_bytes() -> None:
    turned = replace(FULL, units=dict(reversed(FULL.units.items())), losses=dict(reversed(FULL.losses.items())))
    assert (turned == FULL, RULES.encode(turned) == RULES.encode(FULL)) == (True, True)

"""Positions as text: what is written reads back, what a person writes is understood, and what it cannot be."""

from __future__ import annotations

from dataclasses import fields, replace

import pytest

from pbem.engine.lab import Lab
from pbem.errors import BadRequest
from pbem.games.white_eagle.answers import Battle
from pbem.games.white_eagle.board import BoxId
from pbem.games.white_eagle.forces import ChitId, UnitId
from pbem.games.white_eagle.kinds import Command, Event, Side
from pbem.games.white_eagle.ruleset import WhiteEagle
from pbem.games.white_eagle.state import Activation, Stage, State, Unit
from white_eagle.asked import DATA, OPENING, RULES

I_CORPS, PANZER, LODZ = UnitId("GER-3rd-1"), UnitId("GER-10th-4"), UnitId("POL-Lodz-1")
FULL = State(
    scenario="campaign",
    turn=3,
    stage=Stage.LATE,
    units={
        PANZER: Unit(PANZER, BoxId("Lodz")),
        I_CORPS: Unit(I_CORPS, BoxId("Lodz"), reduced=True),
        LODZ: Unit(LODZ, BoxId("Lodz")),
    },
    forts={**OPENING.forts, BoxId("Modlin"): 1, BoxId("Torun"): 0},
    held=(BoxId("Danzig"), BoxId("Torun")),
    cup=(ChitId("Luftwaffe"), ChitId("End-3")),
    pulled=(ChitId("Stuka"), ChitId("Sabotage"), ChitId("End-1")),
    used=(ChitId("Sabotage"),),
    lost=(UnitId("POL-Narew-1"), UnitId("GER-8th-1")),
    breakdowns=2,
    soviets=True,
    recovered=(Side.GERMAN,),
    fort_turns=(BoxId("Modlin"),),
    late=(Command.GERMAN_NORTH,),
    activation=Activation(
        command=Command.GERMAN_SOUTH,
        slowed=-2,
        breakdown=True,
        asked=True,
        marched=True,
        came={PANZER: BoxId("Sieradz"), I_CORPS: BoxId("Kutno")},
        support=(I_CORPS,),
        resting=UnitId("GER-10th-1"),
        left=(BoxId("Lotzen"),),
        planned=(Battle(box="Lodz", event=Event.STUKA, losses=(PANZER,), advance=("Rawa",)),),
        idle=(UnitId("POL-Lodz-2"),),
        fought=(BoxId("Radom"), BoxId("Kielce")),
        won=(BoxId("Radom"),),
    ),
)
TEXT = """\
scenario campaign
turn 3
stage late
unit GER-10th-4 Lodz
unit GER-3rd-1 Lodz reduced
unit POL-Lodz-1 Lodz
fort Torun 0
fort Modlin 1
held Danzig, Torun
cup Luftwaffe, End-3
pulled Stuka, Sabotage, End-1
used Sabotage
lost POL-Narew-1, GER-8th-1
recovered german
forts-used Modlin
late GER-North
breakdowns 2
soviets
activate GER-South slowed 2 breakdown asked marched
came GER-10th-4 Sieradz
came GER-3rd-1 Kutno
resting GER-10th-1
support GER-3rd-1
left Lotzen
idle POL-Lodz-2
fought Radom, Kielce
won Radom
planned attack Łódź with stuka losses XVI Panzer advance Rawa Mazowiecka
"""


SEE = "a line reads 'unit POL-Lodz-1 Lodz'; see `pbem show GAME --position`"


def test_a_position_with_everything_in_it() -> None:
    assert FULL.activation is not None
    empty = [one.name for part in (FULL, FULL.activation) for one in fields(part) if not getattr(part, one.name)]
    assert empty == []
    lines = RULES.position_lines(FULL)
    assert [line for line in lines if not line.startswith("fort ") or line[-1] != "2"] == TEXT.splitlines()
    assert "fort Lomza 2" in lines
    assert RULES.read_position("\n".join(lines)) == FULL
    assert RULES.read_position(TEXT) == FULL


def test_positions_that_hold_little_read_back() -> None:
    for state in (OPENING, replace(FULL, activation=None, late=(), held=(), cup=(), pulled=(), used=(), units={})):
        assert RULES.read_position("\n".join(RULES.position_lines(state))) == state


def test_a_person_writes_it() -> None:
    text = (
        '# before Łódź\nTurn 2 # the second\n\nunit "XVI panzer" Łódź reduced\nUNIT pol-lodz-1 lodz\n'
        'unit "Krakow INF" "Nowy Sącz"\nHeld none\npulled stuka ger-south\nactivate ger-south\n'
    )
    state = RULES.read_position(text)
    krakow = UnitId("POL-Krakow-1")
    assert state == replace(
        OPENING,
        turn=2,
        units={
            PANZER: Unit(PANZER, BoxId("Lodz"), reduced=True),
            krakow: Unit(krakow, BoxId("Nowy-Sacz")),
            LODZ: Unit(LODZ, BoxId("Lodz")),
        },
        held=(),
        cup=tuple(chit for chit in DATA.forces.chits if chit not in ("Stuka", "GER-South") and chit[:3] != "SOV"),
        pulled=(ChitId("Stuka"), ChitId("GER-South")),
        activation=Activation(Command.GERMAN_SOUTH),
    )


@pytest.mark.rule("white_eagle:3.2.b2")
def test_what_is_not_said_is_as_at_the_start_without_units() -> None:
    state = RULES.read_position("")
    cup = tuple(chit for chit in DATA.forces.chits if not chit.startswith("SOV"))
    assert state == replace(OPENING, units={}, cup=cup, pulled=(), activation=None)
    assert len(RULES.read_position("soviets").cup) == len(DATA.forces.chits)


def test_a_position_with_an_activation_is_adjudicated_from_there() -> None:
    text = "turn 2\nunit POL-Lodz-1 Lodz\npulled POL-Central\nactivate POL-Central asked\n"
    result = Lab(RULES, RULES.read_position(text), ["move Lodz INF to Kutno"], []).run()
    assert [report.sentence() for report in result.reports] == [
        "Polish Central is activated",
        "Lodz INF: Łódź to Kutno, 1 MP",
    ]
    assert result.state.units[LODZ].box == "Kutno"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "launch the kraken",
            "'turn 3', 'unit POL-Lodz-1 Lodz', 'fort Modlin 1', 'held Danzig, Katowice', 'pulled GER-South, Stuka', "
            "'activate GER-South' or another fact, got 'launch' in line 1, column 1",
        ),
        ("turn 3\nturn", "a whole number from 1 to 10, got the end of the line in line 2, column 5"),
        ("turn 11", "a whole number from 1 to 10, got '11' in line 1, column 6"),
        ("turn 3\nturn 4", "one line 'turn', got 'turn' in line 2, column 1"),
        ("held Danzig\nheld Katowice", "one line 'held', got 'held' in line 2, column 1"),
        ("held Danzig, Danzig", "a held box that was not named before, got 'Danzig' in line 1, column 14"),
        ("cup Stuka, Stuka", "a chit in the cup that was not named before, got 'Stuka' in line 1, column 12"),
        ("pulled P11, Stuka, P11", "a pulled chit that was not named before, got 'P11' in line 1, column 20"),
        ("used Stuka, P11, Stuka", "a used chit that was not named before, got 'Stuka' in line 1, column 18"),
        ("recovered german, german", "a recovered side that was not named before, got 'german' in line 1, column 19"),
        ("late GER-North, GER-North", "a late command that was not named before, got 'GER-North' in line 1, column 17"),
        (
            "activate GER-South\nleft Modlin, Modlin",
            "a left box that was not named before, got 'Modlin' in line 2, column 14",
        ),
        (
            "activate GER-South\nidle GER-10th-1, GER-10th-1",
            "an idle unit that was not named before, got 'GER-10th-1' in line 2, column 18",
        ),
        (
            "activate GER-South\nsupport GER-10th-1, GER-10th-1",
            "a supporting unit that was not named before, got 'GER-10th-1' in line 2, column 21",
        ),
        (
            "unit POL-Lodz-1 Lodz\nunit POL-Lodz-1 Lodz",
            "a unit that was not named before, got 'POL-Lodz-1' in line 2, column 6",
        ),
        ("fort Modlin 1\nfort Modlin 2", "a fort that was not named before, got 'Modlin' in line 2, column 6"),
        ("turn 3 4", "nothing more in this line, got '4' in line 1, column 8"),
        ("scenario long", "one of campaign, got 'long' in line 1, column 10"),
        ("stage noon", "one of pull, late, clean-up, got 'noon' in line 1, column 7"),
        ("unit POL-Lodz-9 Lodz", "the id of a unit, such as POL-Lodz-1, got 'POL-Lodz-9' in line 1, column 6"),
        ("unit POL-Lodz-1", "the id of a box, such as Lodz, got the end of the line in line 1, column 16"),
        ("unit POL-Lodz-1 Lodz weak", "nothing or 'reduced' behind the box, got 'weak' in line 1, column 22"),
        ("fort Lodz 1", "a box with a fort, got 'Lodz' in line 1, column 6"),
        ("fort Modlin 3", "a whole number from 0 to 2, got '3' in line 1, column 13"),
        ("held Danzig, Atlantis", "the id of a box, such as Lodz, got 'Atlantis' in line 1, column 14"),
        (
            "cup Stuka, Zeppelin",
            "the id of a chit, such as GER-South, Stuka or End-1, got 'Zeppelin' in line 1, column 12",
        ),
        ("recovered russian", "german or polish, got 'russian' in line 1, column 11"),
        ("late POL-North", "one of GER-North, GER-South, got 'POL-North' in line 1, column 6"),
        ("breakdowns 6", "a whole number from 0 to 5, got '6' in line 1, column 12"),
        (
            "activate GER-South slow",
            "'slowed', 'breakdown', 'asked' or 'marched', got 'slow' in line 1, column 20",
        ),
        (
            "activate GER-South\nplanned",
            "a combat such as 'attack Lodz with stuka', got the end of the line in line 2, column 8",
        ),
        ("turn 2\nfought Radom", "a line 'activate' with a command for this, got 'Radom' in line 2, column 8"),
        (
            "activate GER-South\nplanned atack Lodz",
            "an order such as attack Łódź with stuka losses IV Corps advance Piotrków, got 'atack Lodz' "
            "in line 2, column 9",
        ),
    ],
)
def test_what_is_no_fact(text: str, expected: str) -> None:
    with pytest.raises(BadRequest) as caught:
        RULES.read_position(text)
    assert (str(caught.value), caught.value.hint) == (
        f"position.unreadable: expected {expected}",
        "`pbem show GAME --position` writes a position to start from",
    )


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("unit POL-Lodz-1 Lodz\nlost POL-Lodz-1", "expected POL-Lodz-1 on the map or lost, got it twice"),
        ("cup Stuka\npulled Stuka", "expected Stuka once, got it twice"),
        ("pulled Stuka\nused P11", "expected an event that was pulled among those used, got P11"),
        ("pulled GER-South\nused GER-South", "expected an event that was pulled among those used, got GER-South"),
        ("late GER-North", "expected late commands in the stage 'late', got them in 'pull'"),
        (
            "activate GER-South\ncame GER-3rd-1 Lodz",
            "expected a German unit on the map that came, got GER-3rd-1",
        ),
        (
            "unit POL-Lodz-1 Lodz\nactivate GER-South\ncame POL-Lodz-1 Kutno",
            "expected a German unit on the map that came, got POL-Lodz-1",
        ),
        (
            "unit GER-3rd-1 Lodz\nactivate GER-South\nsupport GER-3rd-1",
            "expected a box from which GER-3rd-1 came to support, got none",
        ),
    ],
)
def test_what_cannot_be(text: str, says: str) -> None:
    with pytest.raises(BadRequest) as caught:
        RULES.read_position(text)
    assert (str(caught.value), caught.value.hint) == (f"position.impossible: {says}", SEE)


def test_a_unit_of_one_step_is_not_reduced() -> None:
    units = RULES.files["units.csv"]
    weak = units.replace(b"Lodz CAV,CAV,2", b"Lodz CAV,CAV,1")
    assert weak != units
    with pytest.raises(BadRequest) as caught:
        WhiteEagle({**RULES.files, "units.csv": weak}).read_position("unit POL-Lodz-2 Lodz reduced")
    assert (str(caught.value), caught.value.hint) == (
        "position.impossible: expected POL-Lodz-2, which has one step, at full strength, got it reduced",
        SEE,
    )


def test_states_read_back_from_their_bytes() -> None:
    for state in (OPENING, FULL, replace(FULL, activation=None)):
        data = RULES.encode(state)
        assert RULES.decode(data) == state
        assert RULES.encode(RULES.decode(data)) == data


def test_equal_states_have_equal_bytes() -> None:
    turned = replace(FULL, units=dict(reversed(FULL.units.items())), forts=dict(reversed(FULL.forts.items())))
    assert (turned == FULL, RULES.encode(turned) == RULES.encode(FULL)) == (True, True)

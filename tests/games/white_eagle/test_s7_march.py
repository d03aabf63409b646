"""Marches as ordered: where units end, what they told and captured (6.1, 7.0, 7.2), and what is refused."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pbem.games.white_eagle.kinds import Command
from pbem.games.white_eagle.s7_march import march, placed
from pbem.games.white_eagle.s7_refusals import march_refusals
from pbem.games.white_eagle.state import Activation
from white_eagle.march_ground import (
    FOOT,
    FOOT_2,
    FOOT_3,
    FOOT_4,
    FORT,
    HORSE,
    LIGHT,
    POLE,
    STAR,
    TANKS,
    north,
    refused,
    to,
)
from white_eagle.positions import DATA, OPENING, play, position, small_board, unit

# ---------------------------------------------------------------------- what comes of marches


@pytest.mark.rule("white_eagle:7.0.p1")
def test_7_0_units_that_move_together() -> None:
    state = position(unit(FOOT, "West"), unit(LIGHT, "West"), command="GER-North")
    found = play(march(STAR, state, [to("Hub", "East", units=(FOOT, LIGHT))]))
    assert found.result == position(unit(FOOT, "East"), unit(LIGHT, "East"), command="GER-North", marched=True)
    assert found.told == ["7.0.p1: I Corps, Kempf: West to East by Hub, 2 MP"]


@pytest.mark.rule("white_eagle:7.0.p1", "white_eagle:7.0.b2")
def test_7_0_units_from_two_boxes_in_one_order_are_told_apart() -> None:
    state = position(unit(LIGHT, "West"), unit(TANKS, "North"), command="GER-North")
    found = play(march(STAR, state, [to("Hub", "South", units=(LIGHT, TANKS))]))
    assert found.told == [
        "7.0.p1: Kempf: West to South by Hub, 3 MP",
        "7.0.p1: XIX Panzer: North to South by Hub, 3 MP",
        "6.1.p2: South is captured: 1 VP",
    ]


@pytest.mark.rule("white_eagle:6.1.p2", "white_eagle:6.1.p4")
def test_ruling_6_2_cities_on_the_way_are_captured() -> None:
    state = position(unit(TANKS, "South"), command="GER-North", held=("South",))
    found = play(march(STAR, state, [to("Far", "Out", units=(TANKS,))]))
    assert found.told == ["7.0.p1: XIX Panzer: South to Out by Far, 2 MP", "6.1.p4: Far is captured: 4 VP"]
    assert found.result.held == ("Far", "South")


@pytest.mark.rule("white_eagle:6.1.p3")
def test_6_1_and_liberated_by_poles_who_come_and_go() -> None:
    state = position(unit(HORSE, "Out"), command="POL-North", held=("Far", "South"))
    found = play(march(STAR, state, [to("Far", "Out", units=(HORSE,))]))
    assert found.told == ["7.0.p1: Modlin CAV: Out to Out by Far, 2 MP", "6.1.p4: Far is liberated: 1 VP"]
    assert found.result.units == state.units


@pytest.mark.rule("white_eagle:6.1.p2", "white_eagle:7.2.p1")
def test_6_1_a_city_with_enemies_is_not_captured_by_entering() -> None:
    state = position(unit(TANKS, "Hub"), unit(POLE, "South"), command="GER-North")
    found = play(march(STAR, state, [to("South", units=(TANKS,))]))
    assert found.told == ["7.2.p1: XIX Panzer: Hub to South, 2 MP, against the enemy there"]
    assert found.result.held == ()


@pytest.mark.rule("white_eagle:7.2.p1", "white_eagle:7.2.b1", "white_eagle:7.2.b2")
def test_ruling_7_5_where_units_came_from_and_who_supports() -> None:
    state = north(f"{FOOT} West", f"{LIGHT} North", f"{TANKS} East")
    marches = [to("Hub"), to("West", "Hub", units=(LIGHT,)), to("Hub", units=(TANKS,), support=True)]
    found = play(march(STAR, state, marches))
    came = {FOOT: "West", LIGHT: "West", TANKS: "East"}
    assert found.result.activation == Activation(Command.GERMAN_NORTH, marched=True, came=came, support=(TANKS,))
    assert found.told == [
        "7.2.p1: I Corps: West to Hub, 1 MP, against the enemy there",
        "7.2.p1: Kempf: North to Hub by West, 2 MP, against the enemy there",
        "7.2.b2: XIX Panzer: East to Hub, 1 MP, in support against the enemy there",
    ]
    assert placed(STAR, state, marches) == replace(
        found.result, activation=replace(found.result.activation, marched=False)
    )


@pytest.mark.rule("white_eagle:9.0.b8", "white_eagle:9.0.p2")
@pytest.mark.parametrize(
    ("name", "fort_turns"), [("POL-Narew-1", ()), ("POL-Poznan-1", ("Hub",))], ids=["own command", "the fort's chit"]
)
def test_ruling_9_3_a_fort_that_units_leave(name: str, fort_turns: tuple[str, ...]) -> None:
    state = position(unit(name, "Hub"), unit(FOOT, "Hub"), command="POL-North", forts={"Hub": 2})
    assert refused(FORT, state, to("West", units=(name,))) == []
    found = play(march(FORT, state, [to("West", units=(name,))])).result
    assert (found.activation.left, found.fort_turns) == (("Hub",), fort_turns)


def test_ruling_9_3_a_fort_without_besiegers_is_left_freely() -> None:
    state = position(unit("POL-Narew-1", "Hub"), command="POL-North", forts={"Hub": 2})
    found = placed(FORT, state, [to("West", units=("POL-Narew-1",))])
    assert found.activation == state.activation


def test_7_0_no_marches_leave_all_as_it_is() -> None:
    found = play(march(DATA, OPENING, []))
    assert (found.told, found.result) == ([], replace(OPENING, activation=replace(OPENING.activation, marched=True)))


# ---------------------------------------------------------------------- who may not be ordered


@pytest.mark.rule("white_eagle:5.2.p1")
@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("GER-9th-1", "march.unit: expected a unit of the German side, got 'GER-9th-1' in line 1 (5.2.p1)"),
        (POLE, "march.unit: expected a unit of the German side, got Modlin INF of Polish North in line 1 (5.2.p1)"),
        (
            "GER-4th-1",
            "march.unit: expected a unit of the German side, got II Corps, which is not on the map in line 1 (5.2.p1)",
        ),
    ],
)
def test_5_2_units_that_cannot_be_ordered(name: str, text: str) -> None:
    assert refused(STAR, north(f"{FOOT} West"), to("North", units=(name,))) == [text]


@pytest.mark.rule("white_eagle:5.2.p1")
def test_5_2_a_unit_has_one_march() -> None:
    text = "march.twice: expected one march of I Corps, got another in line {line} (5.2.p1)"
    hint = "name all boxes on its way in one order"
    state = north(f"{FOOT} West")
    assert refused(STAR, state, to("North"), to("North")) == [text.format(line=2), hint]
    assert refused(STAR, state, to("North", units=(FOOT, FOOT))) == [text.format(line=1), hint]


@pytest.mark.rule("white_eagle:5.2.p1")
def test_ruling_5_2_who_recovers_does_not_march() -> None:
    assert refused(STAR, north(f"{FOOT} West", resting=FOOT), to("North")) == [
        "march.recovers: expected a march of a unit that does not recover, got one of I Corps in line 1 (5.2.p1)",
        "a unit recovers instead of moving: leave one order out",
    ]


@pytest.mark.rule("white_eagle:7.3.b1")
def test_7_3_who_may_not_march_is_not_told_about_the_way_as_well() -> None:
    state = position(unit("GER-AGN-1", "Hub"), command="GER-North", turn=1)
    assert refused(STAR, state, to("Out", units=("GER-AGN-1",))) == [
        "march.reserve: expected a unit that may move on turn 1, got AGN 1 in line 1 (7.3.b1)",
        "it may move from turn 2 on",
    ]


# ---------------------------------------------------------------------- which way is refused


@pytest.mark.rule("white_eagle:7.0.p1")
def test_7_0_boxes_of_the_map_along_its_lines() -> None:
    state = north(f"{LIGHT} West")
    assert refused(STAR, state, to("Nowhere", units=(LIGHT,))) == [
        "march.box: expected a box of the map, got 'Nowhere' in line 1 (7.0.p1)"
    ]
    assert refused(STAR, state, to("East", units=(LIGHT,))) == [
        "march.line: expected a line from West to East, got none in line 1 (7.0.p1)",
        "lines lead to Hub, North",
    ]
    assert refused(STAR, state, to("West", "North", units=(LIGHT,))) == [
        "march.line: expected another box after West, got the same in line 1 (7.0.p1)",
        "lines lead to Hub, North",
    ]


@pytest.mark.rule("white_eagle:7.0.b3", "white_eagle:7.0.b4", "white_eagle:7.0.b2")
def test_7_0_ways_that_are_too_long_for_each_who_is_too_slow() -> None:
    state = position(*[unit(name, "West") for name in (FOOT, FOOT_2, LIGHT)], command="GER-North")
    assert refused(STAR, state, to("Hub", "South", "Far", "Out", units=(FOOT, FOOT_2, LIGHT))) == [
        "march.far: expected a way of at most 2 MP for I Corps, XXI Corps, got 5 MP: West, Hub, South, Far, Out"
        " in line 1 (7.0.b3)",
        "I Corps reaches Hub (1), North (1), East (2)",
        "march.far: expected a way of at most 4 MP for Kempf, got 5 MP: West, Hub, South, Far, Out in line 1 (7.0.b4)",
        "Kempf reaches Far (4), South (3), Hub (1), North (1), East (2)",
    ]


@pytest.mark.rule("white_eagle:7.0.p3", "white_eagle:4.2.b1", "white_eagle:5.1.b5")
def test_7_0_a_slowed_unit_is_told_so() -> None:
    state = position(unit(FOOT, "West"), command="GER-North", slowed=-1)
    assert refused(STAR, state, to("Hub", "East")) == [
        "march.far: expected a way of at most 1 MP for I Corps, got 2 MP: West, Hub, East in line 1 (7.0.b3)",
        "I Corps reaches Hub (1), North (1), slowed by 1",
    ]
    state = replace(state, activation=replace(state.activation, slowed=-2))
    assert refused(STAR, state, to("Hub")) == [
        "march.far: expected a way of at most 0 MP for I Corps, got 1 MP: West, Hub in line 1 (7.0.b3)",
        "I Corps reaches no box, slowed by 2",
    ]


@pytest.mark.rule("white_eagle:7.2.p1")
def test_7_2_no_way_leads_through_enemies() -> None:
    assert refused(STAR, north(f"{FOOT} West"), to("Hub", "East")) == [
        "march.stops: expected a way that ends at enemies, got one through Hub with Modlin INF in line 1 (7.2.p1)",
        "let it end in Hub, or go around",
    ]
    state = position(unit(FOOT, "West"), command="GER-North", forts={"Hub": 1})
    text = "march.stops: expected a way that ends at enemies, got one through Hub with a fort in line 1 (7.2.p1)"
    assert refused(FORT, state, to("Hub", "East"))[0] == text


@pytest.mark.rule("white_eagle:7.3.b3", "white_eagle:7.3.b4", "white_eagle:7.3.b5")
@pytest.mark.parametrize(
    ("name", "command", "box", "sentences"),
    [
        (
            "SOV-3rd-1",
            "SOV-Belorussian",
            "Hub",
            [
                "march.line: expected a box east of the German/Soviet Line for 3rd INF, got Hub in line 1 (7.3.b3)",
                "Soviet units never move west of that line",
            ],
        ),
        (
            "SLO-Bernolak-1",
            "GER-South",
            "Lodz",
            [
                "march.slovak: expected a box within 2 lines of Prešov for Bernolak, got Łódź, 6 lines away in line 1 "
                "(7.3.b4)",
                "these are Bielsko, Kraków, Krosno, Neutitschein, Nowy Sącz, Prešov, Przemyśl, Rzeszów, Tarnów, Žilina",
            ],
        ),
        (
            HORSE,
            "POL-North",
            "West",
            [
                "march.poland: expected a box in Poland for Modlin CAV on turn 1, got West in line 1 (7.3.b5)",
                "Poles may leave Poland from turn 2 on",
            ],
        ),
    ],
)
def test_7_3_closed_boxes_are_refused(name: str, command: str, box: str, sentences: list[str]) -> None:
    data = STAR if box != "Lodz" else DATA
    start = {"Hub": "South", "Lodz": "Kutno", "West": "Hub"}[box]
    state = position(unit(name, start), command=command, turn=1, soviets=True)
    assert refused(data, state, to(box, units=(name,))) == sentences


def test_all_reasons_come_at_once_with_their_lines() -> None:
    state = north(f"{FOOT} West", f"{LIGHT} North")
    marches = [to("East"), to("Nowhere", units=(LIGHT,)), to("West", units=(TANKS, POLE))]
    assert refused(STAR, state, *marches) == [
        "march.line: expected a line from West to East, got none in line 1 (7.0.p1)",
        "lines lead to Hub, North",
        "march.box: expected a box of the map, got 'Nowhere' in line 2 (7.0.p1)",
        "march.unit: expected a unit of the German side, got XIX Panzer, which is not on the map in line 3 (5.2.p1)",
        "march.unit: expected a unit of the German side, got Modlin INF of Polish North in line 3 (5.2.p1)",
    ]


# ---------------------------------------------------------------------- who stands together


@pytest.mark.rule("white_eagle:7.1.p2", "white_eagle:7.1.b2")
def test_7_1_no_unit_stops_where_too_many_would_be_but_may_pass() -> None:
    state = position(*[unit(name, "Hub") for name in (FOOT, FOOT_2)], unit(FOOT_3, "West"), command="GER-North")
    assert refused(STAR, state, to("Hub", units=(FOOT_3,))) == [
        "stack.type: expected at most 2 infantry in Hub, got 3 in line 1 (7.1.b2)",
        "1 of I Corps, XXI Corps, II Corps must go elsewhere",
    ]
    assert refused(STAR, state, to("Hub", "East", units=(FOOT_3,))) == []


@pytest.mark.rule("white_eagle:7.1.b2")
def test_ruling_7_1_units_may_trade_places() -> None:
    there = [unit(name, "Hub") for name in (FOOT, FOOT_2)] + [unit(name, "West") for name in (FOOT_3, FOOT_4)]
    swap = [to("Hub", units=(FOOT_3, FOOT_4)), to("West", units=(FOOT, FOOT_2))]
    assert refused(STAR, position(*there, command="GER-North"), *swap) == []


@pytest.mark.rule("white_eagle:7.1.b5")
def test_7_1_set_up_boxes_are_free_until_they_are_entered() -> None:
    begun = replace(OPENING, turn=2)
    panzers = to("Schneidemuhl", units=(TANKS,))
    assert refused(DATA, begun, panzers) == []
    there = [unit(name, "Neustettin") for name in (FOOT_3, FOOT_4, "GER-AGN-1")]
    back = position(*there, unit(FOOT, "Chojnice"), command="GER-North")
    assert refused(DATA, back, to("Neustettin"))[0].startswith("stack.type: ")


@pytest.mark.rule("white_eagle:7.1.p1", "white_eagle:7.2.p1")
def test_7_2_units_converge_from_several_boxes_within_the_limit() -> None:
    state = north(f"{FOOT} West", f"{FOOT_2} North", f"{LIGHT} East", f"{TANKS} East", f"{FOOT_3} East")
    all_four = [to("Hub"), to("Hub", units=(FOOT_2,)), to("Hub", units=(LIGHT, TANKS))]
    assert refused(STAR, state, *all_four) == []
    assert refused(STAR, state, *all_four, to("Hub", units=(FOOT_3,))) == [
        "stack.units: expected at most 4 units in Hub, got 5 in line 4 (7.1.p1)",
        "1 of I Corps, XXI Corps, Kempf, II Corps, XIX Panzer must go elsewhere",
        "stack.type: expected at most 2 infantry in Hub, got 3 in line 4 (7.1.b2)",
        "1 of I Corps, XXI Corps, II Corps must go elsewhere",
    ]


@pytest.mark.rule("white_eagle:7.1.b4")
@pytest.mark.parametrize(
    ("support", "hint"),
    [(False, "there would be VIII Corps, Bernolak"), (True, "units of different nationalities never fight together")],
)
def test_ruling_7_6_nationalities_never_enter_together(support: bool, hint: str) -> None:
    board = small_board("Presov SK\nHub PL\nWest DE", "Presov Hub\nHub West")
    units = [unit("SLO-Bernolak-1", "Presov"), unit("GER-14th-1", "West"), unit(POLE, "Hub")]
    marches = [to("Hub", units=("GER-14th-1",)), to("Hub", units=("SLO-Bernolak-1",), support=support)]
    found = refused(board, position(*units, command="GER-South"), *marches)
    text = "stack.nation: expected units of one nationality in Hub, got German and Slovak ones in line 2 (7.1.b4)"
    assert found == [text, hint]


@pytest.mark.rule("white_eagle:7.1.b4")
def test_ruling_7_6_nor_into_a_siege_of_another_nationality() -> None:
    board = small_board("Presov SK\nHub PL fort=POL-South\nWest DE", "Presov Hub\nHub West")
    units = [unit("SLO-Bernolak-1", "Presov"), unit("GER-14th-1", "Hub")]
    state = position(*units, command="GER-South", forts={"Hub": 2})
    assert [one.code for one in march_refusals(board, state, [to("Hub", units=("SLO-Bernolak-1",))])] == [
        "stack.nation"
    ]


def test_refused_marches_count_where_they_lead() -> None:
    state = position(*[unit(name, "Hub") for name in (FOOT, FOOT_2)], unit(FOOT_3, "West"), command="GER-North")
    found = march_refusals(STAR, state, [to("South", "Far"), to("Hub", units=(FOOT_3,))])
    assert [(one.code, one.line) for one in found] == [("march.far", 1)]

"""Marches in support and into besieged forts: which groups may come from where, and what is refused (7.1, 7.2, 9.0)."""

from __future__ import annotations

import pytest

from pbem.games.white_eagle.answers import March
from pbem.games.white_eagle.state import State
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
from white_eagle.positions import position, unit

# ---------------------------------------------------------------------- support


@pytest.mark.rule("white_eagle:7.2.b1", "white_eagle:7.2.b2", "white_eagle:8.6.b6")
def test_7_2_more_than_four_units_enter_in_two_groups() -> None:
    first, second = [f"GER-14th-{number}" for number in (1, 2, 3)], [f"GER-10th-{number}" for number in (1, 2, 3, 4)]
    units = [*[unit(name, "West") for name in first], *[unit(name, "North") for name in second]]
    state = position(*units, unit(POLE, "Hub"), command="GER-South")
    assert refused(STAR, state, to("Hub", units=first), to("Hub", units=second, support=True)) == []
    assert refused(STAR, state, to("Hub", units=first), to("Hub", units=second))[0].startswith("stack.units: ")


@pytest.mark.rule("white_eagle:7.2.b1", "white_eagle:7.2.b2")
def test_ruling_7_5_each_group_keeps_the_limits() -> None:
    state = north(*[f"{name} West" for name in (FOOT, FOOT_2)], *[f"{name} East" for name in (FOOT_3, FOOT_4)])
    assert refused(STAR, state, to("Hub", units=(FOOT, FOOT_2)), to("Hub", units=(FOOT_3, FOOT_4), support=True)) == []
    crowded = north(f"{FOOT} West", *[f"{name} East" for name in (FOOT_2, FOOT_3, FOOT_4)])
    assert refused(STAR, crowded, to("Hub"), to("Hub", units=(FOOT_2, FOOT_3, FOOT_4), support=True)) == [
        "stack.type: expected at most 2 infantry in Hub, got 3 in line 2 (7.1.b2)",
        "1 of XXI Corps, II Corps, III Corps must go elsewhere",
    ]


@pytest.mark.rule("white_eagle:7.2.b1", "white_eagle:7.2.b2")
@pytest.mark.parametrize(
    ("marches", "text", "hint"),
    [
        (
            [to("Hub"), to("Hub", units=(LIGHT,)), to("Hub", units=(TANKS,), support=True)],
            "support.primary: expected primary units from one box for Hub, got them from North and West"
            " in line 3 (7.2.b1)",
            "without support they may come from several boxes",
        ),
        (
            [to("Hub"), to("Hub", units=(LIGHT, TANKS), support=True)],
            "support.boxes: expected supporting units from one box for Hub, got them from East and North"
            " in line 2 (7.2.b2)",
            "only one box supports",
        ),
        (
            [to("Hub"), to("West", "Hub", units=(LIGHT,), support=True)],
            "support.same: expected support for Hub from another box than its primary units, got West"
            " in line 2 (7.2.b2)",
            "it comes along another line",
        ),
        (
            [to("Hub", support=True)],
            "support.alone: expected primary units for the support in Hub, got none in line 1 (7.2.b1)",
            "let units enter without support first",
        ),
        (
            [to("North", support=True)],
            "support.nobody: expected a box with enemies to enter in support, got North in line 1 (7.2.b2)",
            "leave the support out of the order",
        ),
    ],
)
def test_ruling_7_5_support_that_is_refused(marches: list[March], text: str, hint: str) -> None:
    state = north(f"{FOOT} West", f"{LIGHT} North", f"{TANKS} East")
    assert refused(STAR, state, *marches) == [text, hint]


@pytest.mark.rule("white_eagle:7.2.b1", "white_eagle:9.0.b5")
def test_ruling_7_9_besiegers_of_the_command_can_be_supported_others_not() -> None:
    support = to("Hub", support=True)
    siege = position(unit(FOOT, "West"), unit(LIGHT, "Hub"), command="GER-North", forts={"Hub": 2})
    assert refused(FORT, siege, support) == []
    other = position(unit(FOOT, "West"), unit("GER-10th-4", "Hub"), command="GER-North", forts={"Hub": 2})
    assert refused(FORT, other, support)[0].startswith("support.alone: ")


# ---------------------------------------------------------------------- relief of a fort


def relief(*inside: str) -> State:
    """A besieged fort, two infantry units and cavalry beside it, and some inside."""
    beside = [unit("POL-Narew-1", "West"), unit("POL-Narew-2", "West"), unit("POL-Pomorze-1", "East")]
    units = [unit(name, "Hub") for name in inside]
    return position(*beside, *units, unit(FOOT, "Hub"), command="POL-North", forts={"Hub": 2})


@pytest.mark.rule("white_eagle:7.1.b1", "white_eagle:9.0.b5")
def test_ruling_9_4_two_friends_at_most_come_into_a_besieged_fort() -> None:
    both = to("Hub", units=("POL-Narew-1", "POL-Narew-2"))
    assert refused(FORT, relief(), both) == []
    assert refused(FORT, relief(POLE), both) == [
        "stack.fort: expected at most 2 units in the fort of Hub, got 3 in line 1 (7.1.b1)",
        "1 of Modlin INF, Narew INF, Narew CAV must go elsewhere",
    ]


@pytest.mark.rule("white_eagle:7.1.b1", "white_eagle:7.2.b2")
def test_ruling_9_4_more_only_in_support() -> None:
    both = to("Hub", units=("POL-Narew-1", "POL-Narew-2"), support=True)
    assert refused(FORT, relief(POLE, HORSE), both) == []
    assert refused(FORT, relief(), to("Hub", units=("POL-Pomorze-1",)), both) == []
    assert refused(FORT, relief(), both)[0].startswith("support.alone: ")

"""Who may stand together in a box (7.1)."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.games.white_eagle.board import BoxId
from pbem.games.white_eagle.s7_stacking import broken_limits, fits
from white_eagle.positions import DATA, position, small_board, unit

BOARD = small_board("Field PL\nFort PL fort=POL-North\nCastle EP fort=GER-North", "Field Fort\nFort Castle")
INF = ("GER-3rd-1", "GER-3rd-2", "GER-4th-1", "GER-4th-2", "GER-AGN-1")
LARM, ARM, OTHER_ARM, OTHER_LARM = "GER-3rd-3", "GER-4th-3", "GER-10th-4", "GER-10th-3"
POLES = ("POL-Modlin-1", "POL-Modlin-2", "POL-Narew-1", "POL-Narew-2")


def limits(*names: str, box: str = "Field", steps: int = 2, **facts: Any) -> list[str]:
    """The limits that units would break, as players read them."""
    state = position(forts={"Fort": steps, "Castle": steps})
    units = [unit(name, box) for name in names]
    found = list(broken_limits(BOARD, state, BoxId(box), units, **facts))
    assert fits(BOARD, state, BoxId(box), units, fort_limit=facts.get("fort_limit", True)) is not bool(found)
    return [part for one in found for part in (one.sentence(), one.hint)]


@pytest.mark.rule("white_eagle:7.1.p1", "white_eagle:7.1.b2", "white_eagle:7.1.b3")
def test_7_1_four_units_of_which_two_are_infantry_fit() -> None:
    assert limits(INF[0], INF[1], LARM, ARM) == []
    assert limits() == []


@pytest.mark.rule("white_eagle:7.1.p1")
def test_7_1_five_units_are_too_many() -> None:
    names = ("SOV-3rd-1", "SOV-4th-1", "SOV-3rd-2", "SOV-4th-2", "SOV-11th-2")
    assert limits(*names) == [
        "stack.units: expected at most 4 units in Field, got 5 (7.1.p1)",
        "1 of 3rd INF, 4th INF, 3rd ARM, 4th LARM, 11th CAV must go elsewhere",
    ]


@pytest.mark.rule("white_eagle:7.1.b2")
def test_7_1_three_infantry_are_too_many() -> None:
    assert limits(*INF[:2]) == []
    assert limits(*INF[:3], ARM) == [
        "stack.type: expected at most 2 infantry in Field, got 3 (7.1.b2)",
        "1 of I Corps, XXI Corps, II Corps must go elsewhere",
    ]


@pytest.mark.rule("white_eagle:7.1.b3")
@pytest.mark.parametrize(
    ("names", "kind"),
    [
        (("POL-Modlin-2", "POL-Narew-2"), "cavalry"),
        ((ARM, OTHER_ARM), "armor"),
        ((LARM, OTHER_LARM), "light armor"),
    ],
)
def test_7_1_two_of_another_type_are_too_many(names: tuple[str, str], kind: str) -> None:
    assert limits(*names) == [
        f"stack.type: expected at most 1 {kind} in Field, got 2 (7.1.b3)",
        f"1 of {DATA.names(names)} must go elsewhere",
    ]


@pytest.mark.rule("white_eagle:7.1.b3")
def test_7_1_light_armor_and_armor_are_different_types() -> None:
    assert limits(ARM, LARM) == []


@pytest.mark.rule("white_eagle:7.1.b1")
@pytest.mark.parametrize("steps", [2, 1])
def test_7_1_a_standing_fort_takes_two_of_its_friends(steps: int) -> None:
    assert limits(*POLES[:2], box="Fort", steps=steps) == []
    assert limits(*POLES[:3], box="Fort", steps=steps) == [
        "stack.fort: expected at most 2 units in the fort of Fort, got 3 (7.1.b1)",
        "1 of Modlin INF, Modlin CAV, Narew INF must go elsewhere",
    ]
    assert len(limits(INF[0], INF[1], LARM, box="Castle", steps=steps)) == 2


@pytest.mark.rule("white_eagle:7.1.b1")
def test_7_1_a_destroyed_fort_and_the_enemys_do_not_limit() -> None:
    assert limits(*POLES[:3], box="Fort", steps=0) == []
    assert limits(INF[0], INF[1], LARM, ARM, box="Fort") == []
    assert limits(*POLES[:3], box="Fort", fort_limit=False) == []


@pytest.mark.rule("white_eagle:7.1.b4")
@pytest.mark.parametrize(
    ("names", "nations"),
    [
        (("GER-3rd-1", "SLO-Bernolak-1"), "German and Slovak"),
        (("GER-3rd-1", "SOV-3rd-1"), "German and Soviet"),
        (("SLO-Bernolak-1", "SOV-5th-1"), "Slovak and Soviet"),
    ],
)
def test_7_1_nationalities_do_not_stand_together(names: tuple[str, ...], nations: str) -> None:
    assert limits(*names) == [
        f"stack.nation: expected units of one nationality in Field, got {nations} ones (7.1.b4)",
        f"there would be {DATA.names(names)}",
    ]


@pytest.mark.rule("white_eagle:7.1.p1", "white_eagle:7.1.b2", "white_eagle:7.1.b3", "white_eagle:7.1.b4")
def test_ruling_7_2_all_limits_hold_together() -> None:
    codes = [text.split(":")[0] for text in limits(*INF[:3], ARM, OTHER_ARM, "SLO-Bernolak-1")[::2]]
    assert codes == ["stack.units", "stack.type", "stack.type", "stack.nation"]

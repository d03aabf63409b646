"""White Eagle Defiant as the rest of the program sees it: scenarios, tables, pictures, standing orders for a demo."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pbem.errors import BadRequest
from pbem.games.white_eagle.board import BoxId
from pbem.games.white_eagle.forces import ChitId
from pbem.games.white_eagle.kinds import Command, Side
from pbem.games.white_eagle.picture_legend import Tracks
from pbem.games.white_eagle.picture_state import tracks_of
from pbem.games.white_eagle.ruleset import WhiteEagle
from pbem.games.white_eagle.s3_setup import opening_state
from pbem.games.white_eagle.state import Activation
from pbem.rules.play import Drawing
from pbem.rules.tables import Source, count_sources
from white_eagle.asked import DATA, OPENING, RULES


def test_what_the_game_is() -> None:
    assert (RULES.name, RULES.title, RULES.version) == ("white_eagle", "White Eagle Defiant", 1)
    assert (RULES.roles, RULES.scenarios, RULES.turns) == (("german", "polish"), ("campaign",), 10)
    assert opening_state(DATA) == OPENING
    assert RULES.turn_of(OPENING) == 1


def test_what_the_game_does_not_know() -> None:
    with pytest.raises(BadRequest) as scenario:
        RULES.begin("1944", {})
    with pytest.raises(BadRequest) as options:
        RULES.begin("campaign", {"weather": True})
    assert (scenario.value.text, options.value.text) == (
        "expected one of campaign, got '1944'",
        "expected no options for white_eagle, got weather",
    )


def test_every_file_is_a_table_with_its_sources() -> None:
    tables = {table.name: table for table in RULES.tables()}
    assert {name: table.title for name, table in tables.items()} == {
        "units": "Units: steps, lowest numbers that hit, dice, and the turn that turns a reduced one over",
        "setup": "Set-up",
        "chits": "Chits, and where they are before the first draw",
        "turns": "Turn track",
        "constants": "Figures of the rules",
        "boxes": "Boxes of the house map: victory markers, forts, side of the German/Soviet Line",
        "lines": "Movement lines of the house map",
    }
    assert len(tables["units"].rows) == len(DATA.forces.units)
    counted = count_sources(RULES.tables())
    assert all(counted[source] for source in Source)


def test_a_figure_changes_the_digest() -> None:
    changed = {**RULES.files, "units.csv": RULES.files["units.csv"].replace(b"INF,2,5,6", b"INF,2,4,6", 1)}
    assert WhiteEagle(changed).digest != RULES.digest


@pytest.mark.rule("white_eagle:5.0.p1")
def test_chits_are_drawn_by_names_that_people_read() -> None:
    """`pbem roll` lists what the cup held, and every chit as it is called on the sheet."""
    state = replace(OPENING, activation=None)
    play = RULES.play(state)
    request = play.send(None)
    assert isinstance(request, Drawing)
    assert (request.label, tuple(map(str, request.items))) == (
        "5.0/turn-1/chit-2",
        (
            *("GER-South", "POL-North", "POL-Central", "POL-South"),
            *("Luftwaffe", "Blitzkrieg", "Stuka", "Train", "Sabotage", "P11", "End-1", "End-2", "End-3", "End-4"),
        ),
    )
    assert [request.alike(chit) for chit in ("End-1", "End-4")] == ["end", "end"]


# ---------------------------------------------------------------------- pictures


@pytest.mark.rule("white_eagle:2.3.b2")
@pytest.mark.rule("white_eagle:2.3.b4")
def test_what_stands_on_the_tracks() -> None:
    state = replace(
        OPENING,
        turn=3,
        held=(BoxId("Danzig"), BoxId("Warszawa")),
        breakdowns=1,
        pulled=(ChitId("GER-North"), ChitId("Stuka"), ChitId("End-1"), ChitId("P11"), ChitId("End-3")),
        used=(ChitId("Stuka"),),
        recovered=(Side.POLISH,),
    )
    pulled = ("German North", "Ju 87 Stuka (used)", "PZL P.11")
    recovery = ("German: open", "Polish: used")
    assert tracks_of(DATA, state) == Tracks(3, 4, 1, pulled=pulled, ends=2, recovery=recovery)


def test_a_position_as_a_picture() -> None:
    state = replace(OPENING, soviets=True, activation=Activation(Command.GERMAN_SOUTH))
    picture = RULES.picture(state)
    assert picture.captions[-2:] == ("German South is activated", "The Soviet Union has entered")
    assert [counter.id for counter in picture.counters_at("Krakow")] == ["POL-Krakow-1", "POL-Krakow-2", "POL-Krakow-3"]
    assert {counter.id for stack in picture.counters for counter in stack.counters} == {*OPENING.units}
    assert RULES.picture(None).counters == ()


@pytest.mark.rule("white_eagle:2.2.p7")
def test_a_reduced_unit_shows_its_weaker_side() -> None:
    (karpaty,) = RULES.picture(OPENING).counters_at("Przemysl")
    assert (karpaty.weak, karpaty.strength) == (True, "6+")


# ---------------------------------------------------------------------- what a demo needs


@pytest.mark.parametrize("role", RULES.roles)
def test_the_routine_of_a_role_is_a_standing_order(role: str) -> None:
    RULES.check_standing(role, RULES.routine(role))  # type: ignore[arg-type]
    assert "pass always" not in RULES.routine(role)  # type: ignore[arg-type]

"""The order language: what is written reads back the same."""

from __future__ import annotations

from typing import Any

from asked import DATA, OPENING, RULES, refused
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from ordered import BOMB, WHOLE, WITH_11

from pbem.games.polska1939.answers import (
    AirMissions,
    AttackOrder,
    Attacks,
    Bomb,
    BombLosses,
    Defence,
    Destinations,
    Intercepts,
    Join,
    Load,
    LossOrder,
    Move,
    Moves,
    Raid,
    RailRaids,
    Stand,
    Travel,
)
from pbem.log.event import Role
from pbem.rules.play import Answer, Question
from pbem.rules.refusal import Refusal

GERMANS = [unit.id for unit in DATA.forces.units.values() if unit.nation != "PL"]
POLISH = [unit.id for unit in DATA.forces.units.values() if unit.nation == "PL"]
AREAS = st.sampled_from(list(DATA.board.areas))
FEW_AREAS = st.lists(AREAS, max_size=5, unique=True).map(tuple)
NUMBERS = st.integers(1, 9)


def few(units: list[str], least: int = 0) -> st.SearchStrategy[tuple[str, ...]]:
    return st.lists(st.sampled_from(units), min_size=least, max_size=6, unique=True).map(tuple)


def lists_of(one: st.SearchStrategy[Any]) -> st.SearchStrategy[tuple[Any, ...]]:
    return st.lists(one, max_size=4).map(tuple)


def answers_of(units: list[str]) -> st.SearchStrategy[Answer]:
    """Answers of every kind, sensible or not, with the units of one side."""
    unit, hq = st.sampled_from(units), st.sampled_from([name for name in units if "-HQ-" in name])
    attacks = st.builds(
        AttackOrder,
        target=AREAS,
        units=few(units, 1),
        headquarters=few(units),
        air=st.integers(0, 9),
        losses=few(units),
        advance=st.one_of(st.sampled_from(["all", "none"]), few(units)),
        when_taken=st.none() | AREAS,
        unless_taken=st.none() | AREAS,
    )
    whole = st.builds(Attacks, attacks=lists_of(attacks))
    bombs = st.builds(Bomb, air=st.sampled_from(["bom", "off"]), number=NUMBERS, area=AREAS)
    raids = st.builds(Raid, region=st.sampled_from(list(DATA.board.regions)), bombers=NUMBERS)
    stands = st.builds(
        Stand, area=AREAS, headquarters=st.none() | hq, stay=st.booleans(), to=FEW_AREAS, losses=few(units)
    )
    travels = st.builds(Travel, unit=unit, to=AREAS)
    return st.one_of(
        whole,
        st.builds(AirMissions, bombs=lists_of(bombs), attacks=st.none() | whole),
        st.builds(RailRaids, raids=lists_of(raids)),
        st.builds(Intercepts, areas=FEW_AREAS),
        st.builds(BombLosses, areas=lists_of(st.builds(LossOrder, area=AREAS, first=few(units)))),
        st.builds(Defence, stands=lists_of(stands)),
        st.builds(
            Moves,
            moves=lists_of(st.builds(Move, unit=unit, to=AREAS, via=FEW_AREAS)),
            travels=lists_of(travels),
            loads=lists_of(st.builds(Load, unit=unit)),
            joins=st.lists(st.builds(Join, area=AREAS), max_size=2).map(tuple),
        ),
        st.builds(Destinations, travels=st.lists(travels, min_size=1, max_size=4).map(tuple)),
    )


@settings(deadline=None, max_examples=300, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_what_is_written_reads_back(data: st.DataObject) -> None:
    role = data.draw(st.sampled_from(["german", "polish"]))
    answer = data.draw(answers_of(GERMANS if role == "german" else POLISH))
    written = RULES.write_orders(answer)
    assert RULES.read_orders(Question(Role(role), type(answer), answer), OPENING, written) == answer


def test_orders_as_they_are_written() -> None:
    attacks = Attacks(attacks=(WHOLE.model_copy(update={"air": 1, "when_taken": "P08"}), WITH_11))
    assert RULES.write_orders(AirMissions(bombs=(BOMB,), attacks=attacks)).splitlines() == [
        "bomb Mława with BOM 1",
        'attack Mława with 11 INF, 61 INF, "Kempf" ARM support I HQ air 1 losses 61 INF advance "Kempf" ARM '
        "if Chojnice taken",
        "attack Mława with 11 INF",
    ]
    stand = Stand(area="P20", headquarters="PL-HQ-Modlin", stay=True, to=("P22", "P23"), losses=("PL-INF-20",))
    assert RULES.write_orders(Defence(stands=(stand,))) == (
        'defend Mława stay hq "Modlin" HQ retreat Płońsk or Modlin losses 20 INF'
    )
    moves = Moves(
        moves=(Move(unit="PL-INF-27", to="P48", via=("P47",)),),
        travels=(Travel(unit="PL-INF-2", to="P24"),),
        loads=(Load(unit="PL-INF-24"),),
        joins=(Join(area="P11"),),
    )
    assert RULES.write_orders(moves).splitlines() == [
        "move 27 INF to Tarnowskie Góry via Częstochowa",
        "train 2 INF to Warszawa",
        "load 24 INF",
        "join at Koronowo",
    ]
    assert [RULES.write_orders(one) for one in (Attacks(), AirMissions(), Intercepts(areas=("P24", "P23")))] == [
        "pass",
        "no bombs\nattacks later",
        "intercept Warszawa, Modlin",
    ]


def test_a_reason_without_a_line_stays_without_one() -> None:
    strict: Question[Any] = Question(
        Role("polish"), Moves, Moves(), lambda _: (Refusal("test.never", "expected none"),)
    )
    assert refused(strict, OPENING, "move 8 INF to P20") == ["test.never: expected none"]

"""The order language: what it forgives, what it says about the rest, and that what is written reads back the same."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
from asked import DATA, MLAWA, OPENING, RULES, asked, refused
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

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
    Placed,
    Raid,
    RailRaids,
    SlovakSetup,
    Stand,
    Travel,
)
from pbem.games.polska1939.names import lexicon, written_area, written_unit
from pbem.games.polska1939.orders import FORMS, forms_of, read_attack, read_items
from pbem.games.polska1939.state import Side, UnitId, side_of
from pbem.log.event import Role
from pbem.rules.phrases import made
from pbem.rules.play import Answer, Question
from pbem.rules.refusal import Refusal, Refused
from pbem.rules.sheet import SheetLine, frame, read_sheet
from pbem.rules.spelling import find

POLES = "unit PL-INF-27 P47 14\nunit PL-CAV-Wielkopolska P39 4\nunit PL-HQ-Modlin P23 0\nunit PL-ND-Modlin P23 4\n"
TO_MOVE, MOVING = asked(f"phase VI\n{POLES}")
TO_ATTACK, ATTACKING = asked(f"phase II\n{MLAWA}")
TO_TARNOWSKIE_GORY = Moves(moves=(Move(unit="PL-INF-27", to="P48"),))
REFUSED = tuple(Path(__file__).parent / name for name in ("refused_sheets.toml", "refused_kinds.toml"))
KINDS: dict[str, type[Answer]] = {
    model.kind: model
    for model in (AirMissions, Attacks, BombLosses, Defence, Destinations, Intercepts, Moves, RailRaids, SlovakSetup)
}


def question(model: type[Answer], role: str = "german") -> Question[Any]:
    """A question that everything well written answers."""
    default = model(placed=()) if model is SlovakSetup else model()
    return Question(Role(role), model, default)


def move(text: str) -> Any:
    return RULES.read_orders(TO_MOVE, MOVING, text)


def attack(text: str) -> AttackOrder:
    answer = RULES.read_orders(TO_ATTACK, ATTACKING, text)
    assert isinstance(answer, Attacks)
    (order,) = answer.attacks
    return order


# ---------------------------------------------------------------------- what is forgiven


@pytest.mark.parametrize(
    "text",
    [
        "move 27 INF to Tarnowskie Góry",
        "MOVE 27 inf TO TARNOWSKIE GORY",
        "  move   27INF   to   tarnowskie-gory  ",
        "move INF 27 -> P48",
        "move INF 27->p48",
        "move PL-INF-27 → P48",
        "move 27 INF P47 -> P48",
        "move 27 INF Częstochowa -> P48",
        "move 27 INF from Częstochowa to Tarnowskie",
        "move 27 to Tarnowskie",
        "march 27 INF PL in Tarnowskie Góry (P48)",
        'move "27 INF" to "Tarnowskie Góry"',
        "move „27 INF” to «tarnowskie góry»",
        "move 27 INF to P48 # to the frontier",
        "# pass\n\nmove 27 INF to P48\n#",
        "> move 27 INF to P48",
        "orders polska1939 step 7\nmove 27 INF to P48\nend\n",
        "> Orders  polska1939  STEP 7\r\n> # a comment\r\n> move 27 INF to P48\r\n> END\r\n",
    ],
)
def test_one_order_in_many_hands(text: str) -> None:
    assert move(text) == TO_TARNOWSKIE_GORY


def test_a_whole_mail_round_a_sheet() -> None:
    sheet = frame("polska1939", 12, ["# You are asked:", "move 27 INF to P48"])
    quoted = "".join(f"> {line}\n" for line in sheet.splitlines())
    mail = f"From: a@b.example\nSubject: Re: your move\n\nHello,\nmove on, here they are:\n{quoted}-- \nmove along\n"
    assert move(mail) == TO_TARNOWSKIE_GORY


@pytest.mark.rule("polska1939:2.0")
@pytest.mark.parametrize(
    ("text", "unit"),
    [
        ("27 INF", "PL-INF-27"),
        ("Wielkopolska", "PL-CAV-Wielkopolska"),
        ('"Wielkopolska" CAV', "PL-CAV-Wielkopolska"),
        ('"Wielkopolska" CAV [Wk]', "PL-CAV-Wielkopolska"),
        ("CAV Wielkopolska", "PL-CAV-Wielkopolska"),
        ("wk", "PL-CAV-Wielkopolska"),
        ("wielk", "PL-CAV-Wielkopolska"),
        ("27", "PL-INF-27"),
        ("Modlin HQ", "PL-HQ-Modlin"),
        ("HQ Modlin", "PL-HQ-Modlin"),
        ("Modlin ND", "PL-ND-Modlin"),
    ],
)
def test_a_unit_by_its_names(text: str, unit: str) -> None:
    assert move_of(text) == unit


def move_of(text: str) -> str:
    """The unit that a name stands for, whether or not it could move so."""
    (read,) = read_items(
        DATA, MOVING, Side.POLISH, read_sheet(f"move {text} to P24").lines, forms_of("moves", Side.POLISH)
    )
    assert isinstance(read[1], Move)
    return read[1].unit


@pytest.mark.parametrize(
    ("text", "unit"),
    [
        ("3 FD", "PL-FD-3"),
        ("3 FD [3 KOP]", "PL-FD-3"),
        ("3 KOP", "PL-FD-3"),
        ("10 ARM", "PL-ARM-10"),
        ("10 ARM-BR", "PL-ARM-10"),
        ("ARM 10", "PL-ARM-10"),
        ("22/9 INF", "PL-INF-22_9-R"),
        ("National", "PL-HQ-National"),
        ("1 Karpaty", "PL-FD-1Karpaty"),
        ("Karpaty ND", "PL-ND-Karpaty"),
        ("Karpaty HQ", "PL-HQ-Karpaty"),
        ("LOW 1", "PL-INF-LOW1"),
        ("Fortress Group", "PL-INF-FortressGroup"),
        ("Front Poludniowy", "PL-HQ-FrontPoludniowy"),
        ("Wilenska", "PL-CAV-Wilenska"),
    ],
)
def test_units_that_are_not_on_the_map_are_known_too(text: str, unit: str) -> None:
    assert move_of(text) == unit


def test_every_unit_is_found_by_its_id_and_by_the_name_that_is_written() -> None:
    for one in lexicon(DATA).units:
        side = side_of(UnitId(one.id))
        pool = tuple(other for other in lexicon(DATA).units if side_of(UnitId(other.id)) is side)
        assert [find(name, (pool,)).id for name in (one.id, one.written)] == [one.id, one.id]


def test_every_area_is_found_by_its_code_and_by_the_name_that_is_written() -> None:
    for one in lexicon(DATA).areas:
        assert [find(name, (lexicon(DATA).areas,)).id for name in (one.id, one.written)] == [one.id, one.id]


# ---------------------------------------------------------------------- whose unit


@pytest.mark.parametrize(
    ("here", "text", "unit"),
    [
        ("unit SU-ARM-4 S01 12 fuel 3", "4 ARM", "SU-ARM-4"),
        ("unit DE-ARM-4 G31 19 fuel 4", "4 ARM", "DE-ARM-4"),
        ("unit DE-ARM-4 G31 19 fuel 4\nunit SU-ARM-4 S01 12 fuel 3", "4 ARM SU", "SU-ARM-4"),
        ("unit DE-ARM-4 G31 19 fuel 4\nunit SU-ARM-4 S01 12 fuel 3", "4 ARM DE", "DE-ARM-4"),
        ("unit DE-ARM-4 G31 19 fuel 4\nunit SU-ARM-4 S01 12 fuel 3", "DE ARM 4", "DE-ARM-4"),
        ("unit DE-INF-1 G14 16\nunit SK-INF-1 G45 12", "1 INF SK", "SK-INF-1"),
        ("unit DE-INF-1 G14 16\nunit PL-INF-1 P26 13", "1 INF", "DE-INF-1"),
    ],
)
def test_a_name_means_the_unit_that_is_on_the_map(here: str, text: str, unit: str) -> None:
    state = RULES.read_position(f"phase III\n{here}\n")
    (read,) = read_items(
        DATA, state, Side.GERMAN, read_sheet(f"move {text} to P24").lines, forms_of("moves", Side.GERMAN)
    )
    assert read[1] == Move(unit=unit, to="P24")


def test_a_name_that_two_units_on_the_map_have_lists_both() -> None:
    here, state = asked("phase III\nday 18\nunit DE-ARM-4 G31 19 fuel 4\nunit SU-ARM-4 S01 12 fuel 3\n")
    assert refused(here, state, "move 4 ARM to P47") == [
        "orders.ambiguous: expected the name of a unit, got '4 ARM', which may be 4 ARM DE, 4 ARM SU "
        "in line 1, column 6"
    ]


def test_names_are_written_so_that_they_read_back_whatever_is_on_the_map() -> None:
    names = ("PL-INF-8", "DE-ARM-Kempf", "DE-INF-11", "DE-ARM-4", "SU-ARM-4", "SK-INF-1", "SK-ARM-ARM-BR", "DE-HQ-I")
    assert [written_unit(DATA, name) for name in names] == [
        "8 INF",
        '"Kempf" ARM',
        "11 INF",
        "4 ARM DE",
        "4 ARM SU",
        "1 INF SK",
        "ARM-BR SK",
        "I HQ",
    ]
    assert [written_area(DATA, code) for code in ("P20", "P94", "S24")] == ["Mława", "Wołczyska P94", "Wołczyska S24"]


# ---------------------------------------------------------------------- attacks


WHOLE = AttackOrder(
    target="P20",
    units=("DE-INF-11", "DE-INF-61", "DE-ARM-Kempf"),
    headquarters=("DE-HQ-I",),
    losses=("DE-INF-61",),
    advance=("DE-ARM-Kempf",),
)


@pytest.mark.parametrize(
    "text",
    [
        'attack Mława from Nidzica with 11 INF, 61 INF, "Kempf" ARM support HQ I losses 61 INF advance "Kempf" ARM',
        "attack mlawa advance kempf losses 61 support I with 11 inf and 61 inf and kempf from G13",
        "attack P20 hq I with 11 INF G13, 61, Kempf losses 61 INF advance Kempf",
    ],
)
def test_an_attack_in_any_order_of_its_parts(text: str) -> None:
    assert attack(text) == WHOLE


@pytest.mark.parametrize(
    ("text", "units"),
    [
        ("attack Mława with all from Nidzica", ("DE-ARM-Kempf", "DE-INF-11", "DE-INF-61")),
        ("attack Mława from Nidzica with all", ("DE-ARM-Kempf", "DE-INF-11", "DE-INF-61")),
        ("attack Mława from Nidzica", ("DE-ARM-Kempf", "DE-INF-11", "DE-INF-61")),
        ("attack Mława with all", ("DE-ARM-Kempf", "DE-INF-11", "DE-INF-61")),
    ],
)
def test_all_that_can_attack(text: str, units: tuple[str, ...]) -> None:
    assert attack(text) == AttackOrder(target="P20", units=units)


def test_all_leaves_out_who_attacks_in_an_earlier_line() -> None:
    here, state = asked(f"phase II\n{MLAWA}unit PL-CAV-Mazowiecka P21 5\n")
    answer = RULES.read_orders(here, state, "attack Krzynowłoga with 11 INF, 1 INF\nattack Mława with all")
    assert [order.units for order in answer.attacks] == [("DE-INF-11", "DE-INF-1"), ("DE-ARM-Kempf", "DE-INF-61")]


@pytest.mark.parametrize(
    ("text", "taken", "held"),
    [
        ("if Mława taken", "P20", None),
        ("if P20 is taken", "P20", None),
        ("unless Mława taken", None, "P20"),
        ("if Mława is not taken", None, "P20"),
        ("unless Mława not taken", "P20", None),
    ],
)
def test_conditions(text: str, taken: str | None, held: str | None) -> None:
    order = read_attack(DATA, ATTACKING, Side.GERMAN, f"attack Mława with 11 INF {text}")
    assert (order.when_taken, order.unless_taken) == (taken, held)


@pytest.mark.parametrize(
    ("text", "advance"),
    [
        ("", "all"),
        ("advance all", "all"),
        ("advance none", "none"),
        ("advance nobody", ()),
        ("advance I", ("DE-HQ-I",)),
    ],
)
def test_who_advances(text: str, advance: str | tuple[str, ...]) -> None:
    order = read_attack(DATA, ATTACKING, Side.GERMAN, f"attack Mława with 11 INF support I {text}")
    assert order.advance == advance


@pytest.mark.parametrize(("text", "number"), [("air 2", 2), ("air OFF 2", 2), ("air off-2", 2)])
def test_air_support(text: str, number: int) -> None:
    assert read_attack(DATA, ATTACKING, Side.GERMAN, f"attack Mława with 11 INF {text}").air == number


def test_one_attack_is_read_for_the_odds_and_nothing_else() -> None:
    for text, got in (("", "none"), ("pass", "'pass'"), ("move 11 INF to P24", "'move 11 INF to P24'")):
        with pytest.raises(Refused) as caught:
            read_attack(DATA, ATTACKING, Side.GERMAN, text)
        wanted = 'attack Mława with 11 INF, "Kempf" ARM support HQ I air 1'
        assert caught.value.refusals[0].text == f"expected one order such as {wanted}, got {got}"


# ---------------------------------------------------------------------- other orders


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        (
            "move 8 INF, 20 INF to Mława",
            Moves(moves=(Move(unit="PL-INF-8", to="P20"), Move(unit="PL-INF-20", to="P20"))),
        ),
        ("move 27 INF to P48 via P47, P46", Moves(moves=(Move(unit="PL-INF-27", to="P48", via=("P47", "P46")),))),
        ("load 24 INF", Moves(loads=(Load(unit="PL-INF-24"),))),
        ("train 2 INF to Warszawa", Moves(travels=(Travel(unit="PL-INF-2", to="P24"),))),
        ("train 2 INF Nowy Targ", Moves(travels=(Travel(unit="PL-INF-2", to="P55"),))),
        ("join 9 INF at Koronowo", Moves(joins=(Join(area="P11"),))),
        ("join at Koronowo", Moves(joins=(Join(area="P11"),))),
        ("join Koronowo", Moves(joins=(Join(area="P11"),))),
        ("pass", Moves()),
        ("no moves\nload 24 INF", Moves(loads=(Load(unit="PL-INF-24"),))),
        ("destination 24 INF Tarnów", Destinations(travels=(Travel(unit="PL-INF-24", to="P58"),))),
        (
            "destination 24 INF, 12 INF to Tarnów",
            Destinations(travels=(Travel(unit="PL-INF-24", to="P58"), Travel(unit="PL-INF-12", to="P58"))),
        ),
        ("intercept Warszawa, Modlin", Intercepts(areas=("P24", "P23"))),
        ("intercept Warszawa\nintercept Modlin", Intercepts(areas=("P24", "P23"))),
        ("no intercepts", Intercepts()),
        ("raid Kielce with 2", RailRaids(raids=(Raid(region="Kielce", bombers=2),))),
        ("raid biala podlaska with 1", RailRaids(raids=(Raid(region="Biała Podlaska", bombers=1),))),
        ("raid P65 with 1", RailRaids(raids=(Raid(region="Kielce", bombers=1),))),
        ("losses Mława 20 INF, 8 INF", BombLosses(areas=(LossOrder(area="P20", first=("PL-INF-20", "PL-INF-8")),))),
        ("losses 20 INF, 8 INF in Mława", BombLosses(areas=(LossOrder(area="P20", first=("PL-INF-20", "PL-INF-8")),))),
        ("losses Mława", BombLosses(areas=(LossOrder(area="P20", first=()),))),
        (
            "defend Mława stay hq Modlin retreat Płońsk or Modlin losses 20 INF",
            Defence(
                stands=(
                    Stand(area="P20", headquarters="PL-HQ-Modlin", stay=True, to=("P22", "P23"), losses=("PL-INF-20",)),
                )
            ),
        ),
        ("defend Mława stay or retreat to Modlin", Defence(stands=(Stand(area="P20", stay=True, to=("P23",)),))),
        ('defend Mława support "Modlin" HQ', Defence(stands=(Stand(area="P20", headquarters="PL-HQ-Modlin"),))),
        ("defend Mława", Defence(stands=(Stand(area="P20"),))),
    ],
)
def test_every_order_of_the_poles(text: str, answer: Answer) -> None:
    assert RULES.read_orders(question(type(answer), "polish"), OPENING, text) == answer


BOMB = Bomb(air="bom", number=1, area="P20")
WITH_11 = AttackOrder(target="P20", units=("DE-INF-11",))


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("pass", AirMissions()),
        ("no bombs", AirMissions()),
        ("attacks later", AirMissions()),
        ("then ask", AirMissions()),
        ("bomb Mława with BOM 1", AirMissions(bombs=(BOMB,))),
        ("bomb Mława with bom1\nattacks later", AirMissions(bombs=(BOMB,))),
        ("bomb Mława with BOM 1\nno attacks", AirMissions(bombs=(BOMB,), attacks=Attacks())),
        ("no bombs\nno attacks", AirMissions(attacks=Attacks())),
        ("no bombs\nattack Mława with 11 INF", AirMissions(attacks=Attacks(attacks=(WITH_11,)))),
        (
            "bomb Mława with BOM 1\nattacks now\nattack Mława with 11 INF",
            AirMissions(bombs=(BOMB,), attacks=Attacks(attacks=(WITH_11,))),
        ),
        ("bomb Mława with BOM 1, OFF 2", AirMissions(bombs=(BOMB, Bomb(air="off", number=2, area="P20")))),
    ],
)
def test_air_missions_and_the_attacks_behind_them(text: str, answer: AirMissions) -> None:
    assert RULES.read_orders(question(AirMissions), OPENING, text) == answer


def test_slovaks_are_placed() -> None:
    wanted = SlovakSetup(placed=(Placed(unit="SK-INF-1", area="G47"), Placed(unit="SK-INF-2", area="G47")))
    for names in ("1 INF SK, 2 INF SK", "1 INF, 2 INF"):
        assert RULES.read_orders(question(SlovakSetup), OPENING, f"place {names} in Trzciana") == wanted


@pytest.mark.parametrize(("side", "kind"), [(side, kind) for side, forms in FORMS.items() for kind in forms])
def test_every_form_that_is_shown_can_be_read(side: Side, kind: str) -> None:
    """With units of that side, in its own names."""
    state = RULES.read_position("unit SK-INF-1 G47 12") if kind == "slovak_setup" else OPENING
    forms = forms_of(kind, side)
    for form in forms:
        assert read_items(DATA, state, side, read_sheet(form).lines, forms)


# ---------------------------------------------------------------------- what is refused


def sheets() -> list[dict[str, Any]]:
    """The fixtures of the files in `REFUSED`."""
    return [sheet for path in REFUSED for sheet in tomllib.loads(path.read_text(encoding="utf-8"))["sheet"]]


@pytest.mark.parametrize("sheet", sheets(), ids=lambda sheet: f"{sheet['kind']}: {sheet['orders'][:40]}")
def test_a_bad_sheet(sheet: dict[str, Any]) -> None:
    if sheet["position"] == "mlawa":
        assert refused(TO_ATTACK, ATTACKING, sheet["orders"]) == sheet["refusals"]
    else:
        assert refused(question(KINDS[sheet["kind"]], sheet["role"]), OPENING, sheet["orders"]) == sheet["refusals"]


def test_what_no_order_can_hold_is_refused_where_the_language_lets_it_pass() -> None:
    """No sheet that we know of leads there: the parts of an answer have bounds of their own."""
    line = SheetLine(3, 2, "attack Mława")
    told = []
    for bad in ({"air": 12}, {"units": ("DE-INF-11",) * 500}):
        with pytest.raises(Refused) as caught:
            made(AttackOrder, line, **{"target": "P20", "units": ("DE-INF-11",), **bad})
        told += [one.sentence() for one in caught.value.refusals]
    assert told == [
        "orders.form: expected other air, got: input should be less than or equal to 9 in line 3, column 3",
        "orders.too_many: expected at most 400 units, got more in line 3, column 3",
    ]


def test_a_fault_that_two_lines_have_together_is_told_once() -> None:
    """One that a third line has by itself is told too."""
    state = RULES.read_position(f"phase I\nday 4\n{MLAWA}")
    missions, before = asked("\n".join(RULES.position_lines(state)), ["pass"])
    text = "bomb Mława with BOM 1\nbomb Mława with BOM 2\nbomb Warszawa with BOM 2"
    assert refused(missions, before, text) == [
        "air.crowded: expected one bomber in an area, got 2 in Mława (P20) in line 2 (6.1.1)",
        "a bomber and a support unit may go to one area",
        "air.target: expected an area with enemy units or trains for BOM 2, got Warszawa (P24) in line 3 (6.1.2)",
        "it can bomb Modlin (P23), Płońsk (P22), Mława (P20)",
        "air.twice: expected one mission of an air unit, got 2 of BOM 2 in line 3 (6.1.3)",
        "keep one of them",
    ]


def test_every_unreadable_line_is_named() -> None:
    text = "attack Mława with 11 INF\n# a comment\nattack Mlwa with all\nattack Mława with 98 INF"
    assert refused(TO_ATTACK, ATTACKING, text) == [
        "orders.unknown: expected the name of an area, got 'Mlwa' in line 3, column 8",
        "did you mean Mława or Oława?",
        "orders.unknown: expected the name of a unit, got '98 INF' in line 4, column 19",
        "did you mean 11 INF or 1 INF DE?",
    ]


def test_reasons_of_the_rules_name_the_line_of_the_order() -> None:
    text = "# what I want\nmove 27 INF to P48\n\nload Modlin ND\nmove Modlin HQ to Modlin"
    assert refused(TO_MOVE, MOVING, f"{text}, P61\n") == [
        "orders.unreadable: expected an order such as move 27 INF to P48 / load 24 INF / train 2 INF to Warszawa / "
        "join 9 INF at Koronowo / pass, got ',' in line 5, column 25"
    ]
    assert refused(TO_MOVE, MOVING, text) == [
        'load.train: expected a unit for which a train waits in its area, got "Modlin" ND in Modlin (P23) '
        "in line 4 (8.1.2)",
        "no train waits now",
        'move.here: expected another area for "Modlin" HQ, got Modlin (P23), where it stands in line 5 (4.1.1)',
        "leave the order out: units without one stay",
    ]


def test_reasons_against_attacks_behind_missions_name_their_line() -> None:
    here, state = asked(f"phase I\n{MLAWA}")
    bombs = "bomb Mława with BOM 1\nbomb Modlin with BOM 2\n"
    text = f"{bombs}attack Mława with 11 INF\nattack Mława with 61 INF\nbomb Lwów with BOM 3"
    assert refused(here, state, text) == [
        "attack.target_again: expected one attack on Mława (P20), got another in line 4 (5.2.7)",
        "air.target: expected an area with enemy units or trains for BOM 3, got Lwów (P97) in line 5 (6.1.2)",
        "it can bomb Modlin (P23), Płońsk (P22), Mława (P20)",
    ]


@pytest.mark.rule("polska1939:scenario.allies")
def test_slovaks_are_placed_once_and_all_of_them() -> None:
    question, state = asked("phase setup\n")
    text = "place 1 INF SK in Koszyce\nplace 1 INF SK, 2 INF SK in Trzciana"
    assert refused(question, state, text) == [
        "setup.slovak_unit: expected each Slovak unit once, got 1 INF SK in line 1 (scenario.allies)",
        "setup.slovak_unit: expected each Slovak unit once, got 1 INF SK in line 2 (scenario.allies)",
        "setup.slovak_missing: expected a place for each Slovak unit, got none for ARM-BR SK, 3 INF SK "
        "(scenario.allies)",
    ]


@pytest.mark.parametrize(
    ("model", "form"), [(SlovakSetup, "place 1 INF in G47"), (Destinations, "destination 24 INF Tarnów")]
)
def test_what_cannot_be_passed_is_not_passed(model: type[Answer], form: str) -> None:
    assert refused(question(model), OPENING, "pass") == [
        f"orders.kind: expected an order such as {form}, got 'pass' in line 1, column 1"
    ]
    assert refused(question(model), OPENING, "") == [
        f"orders.empty: expected an order such as {form}, got none",
        "take the mark '#' away from a line of the sheet",
    ]


# ---------------------------------------------------------------------- written and read


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

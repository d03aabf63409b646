"""The order language: what it forgives, which unit a name means, and the orders of every kind."""

from __future__ import annotations

import pytest
from asked import DATA, OPENING, RULES, asked, refused
from ordered import BOMB, MOVING, WITH_11, move, question

from pbem.games.polska1939.answers import (
    AirMissions,
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
from pbem.games.polska1939.orders import FORMS, forms_of, read_items
from pbem.games.polska1939.state import Side, UnitId, side_of
from pbem.rules.play import Answer
from pbem.rules.sheet import frame, read_sheet
from pbem.rules.spelling import find

TO_TARNOWSKIE_GORY = Moves(moves=(Move(unit="PL-INF-27", to="P48"),))


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

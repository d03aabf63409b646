"""The order language: what it forgives, what orders mean, and that what is written reads back the same."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.games.white_eagle.answers import Attempts, Battle, Battles, Defence, Fight, Interference, March, Orders
from pbem.games.white_eagle.kinds import GERMAN_COMMANDS, Command, Event, Side
from pbem.games.white_eagle.meaning import Assault
from pbem.games.white_eagle.names import event, lexicon, namer, written_box, written_unit
from pbem.games.white_eagle.orders import FORMS, forms_of, read_battle, write_orders
from pbem.rules.play import Answer
from pbem.rules.refusal import Refused
from pbem.rules.sheet import frame
from white_eagle.asked import DATA, OPENING, RULES, SOUTH, any_question, order, read

TO_KATOWICE = Orders(marches=(March(units=("GER-14th-1",), path=("Katowice",)),))


# ---------------------------------------------------------------------- what is forgiven


@pytest.mark.parametrize(
    "text",
    [
        "move VIII Corps to Katowice",
        "MOVE viii corps TO KATOWICE",
        "  march   VIII-Corps   in   katowice  ",
        "move VIII -> Katowice",
        "move VIII->Kat",
        "move GER-14th-1 → katowice",
        "move VIII Corps Neutitschein -> Katowice",
        "move VIII Corps from Neutitschein to Katowice",
        'move "VIII Corps" to "Katowice"',
        "move „VIII Corps” to «katowice»",
        "move VIII Corps to Katowice # the shortest way",
        "# pass\n\nmove VIII Corps to Katowice\n#",
        "> move VIII Corps to Katowice",
        "orders white_eagle step 7\nmove VIII Corps to Katowice\nend\n",
        "> Orders  white_eagle  STEP 7\r\n> # a comment\r\n> move VIII Corps to Katowice\r\n> END\r\n",
    ],
)
def test_one_order_in_many_hands(text: str) -> None:
    assert order(text) == TO_KATOWICE


def test_a_whole_mail_round_a_sheet() -> None:
    sheet = frame("white_eagle", 12, ["# You are asked:", "move VIII Corps to Katowice"])
    quoted = "".join(f"> {line}\n" for line in sheet.splitlines())
    mail = f"From: a@b.example\nSubject: Re: your move\n\nHello,\nmove on, here they are:\n{quoted}-- \nmove along\n"
    assert order(mail) == TO_KATOWICE


@pytest.mark.parametrize(
    ("text", "unit"),
    [
        ("I Corps", "GER-3rd-1"),
        ("i", "GER-3rd-1"),
        ("XIX", "GER-4th-3"),
        ("xix pz", ""),
        ("Panzer XIX", ""),
        ("Kempf", "GER-3rd-3"),
        ("Kempf LARM", "GER-3rd-3"),
        ("light armour Kempf", "GER-3rd-3"),
        ("bern", "SLO-Bernolak-1"),
        ("10th INF 2", "SOV-10th-2"),
        ("cmg cavalry", "SOV-CMG-1"),
        ("GER-AGN-2", "GER-AGN-2"),
        ("10th INF", ""),
    ],
)
def test_a_german_unit_by_its_names(text: str, unit: str) -> None:
    assert namer(DATA, OPENING, Side.GERMAN).unit(text).id == unit


@pytest.mark.parametrize(
    ("text", "unit"),
    [
        ("Pomorze CAV", "POL-Pomorze-2"),
        ("CAV Pomorze", "POL-Pomorze-2"),
        ("pomorze cavalry", "POL-Pomorze-2"),
        ("Krakow LARM", "POL-Krakow-3"),
        ("Polesie", "POL-Polesie-1"),
        ("Pomorze", ""),
        ("XIX", ""),
    ],
)
def test_a_polish_unit_by_its_names(text: str, unit: str) -> None:
    assert namer(DATA, OPENING, Side.POLISH).unit(text).id == unit


@pytest.mark.parametrize(
    ("text", "box"),
    [
        ("Łódź", "Lodz"),
        ("LODZ", "Lodz"),
        ("Warsaw", "Warszawa"),
        ("Hel", "Gdynia"),
        ("Gdansk", "Danzig"),
        ("Proskurov", "Proskurov"),
        ("Płoskirów", "Proskurov"),
        ("Brest", "Brzesc-Litewski"),
        ("nowy", "Nowy-Sacz"),
        ("sacz", "Nowy-Sacz"),
        ("Atlantis", ""),
    ],
)
def test_a_box_by_its_names(text: str, box: str) -> None:
    assert namer(DATA, None, Side.GERMAN).box(text).id == box


@pytest.mark.parametrize(
    ("text", "one"),
    [
        ("stuka", "Stuka"),
        ("Ju 87", "Stuka"),
        ("Ju 87 Stuka", "Stuka"),
        ("p.11", "P11"),
        ("PZL P.11", "P11"),
        ("Armored Train", "Train"),
        ("blitz", "Blitzkrieg"),
        ("kraken", ""),
    ],
)
def test_an_event_by_its_names(text: str, one: str) -> None:
    assert event(text).id == one


# ---------------------------------------------------------------------- what orders mean


@pytest.mark.rule("white_eagle:7.0.p1")
def test_a_way_that_is_not_named_is_the_cheapest() -> None:
    assert order("move XVI Panzer to Łódź") == Orders(
        marches=(March(units=("GER-10th-4",), path=("Breslau", "Kalisz", "Sieradz", "Lodz")),)
    )


@pytest.mark.rule("white_eagle:7.0.p1")
def test_a_way_is_named_as_far_as_it_matters() -> None:
    march = March(units=("GER-10th-3",), path=("Oppeln", "Czestochowa", "Kielce", "Radom"))
    assert order("move XV Light to Radom via Częstochowa") == Orders(marches=(march,))


def test_units_that_go_another_way_march_apart() -> None:
    assert order("move IV Corps, XIII Corps, XI Corps to Kalisz") == Orders(
        marches=(
            March(units=("GER-10th-1", "GER-10th-2"), path=("Breslau", "Kalisz")),
            March(units=("GER-8th-1",), path=("Kalisz",)),
        )
    )


def test_all_means_who_may_move_and_has_no_order_yet() -> None:
    assert order("move XVI Panzer to Breslau\nrecover IV Corps\nmove all from Neisse to Oppeln") == Orders(
        recover="GER-10th-1",
        marches=(
            March(units=("GER-10th-4",), path=("Breslau",)),
            March(units=("GER-10th-2", "GER-10th-3"), path=("Oppeln",)),
        ),
    )


@pytest.mark.rule("white_eagle:7.2.b2")
@pytest.mark.parametrize("words", ["in support", "support", "as support", "supporting"])
def test_supporting_units(words: str) -> None:
    march = March(units=("GER-14th-1", "GER-14th-2"), path=("Katowice",), support=True)
    assert order(f"move VIII Corps and XVII Corps to Katowice {words}") == Orders(marches=(march,))


def test_an_attack_with_everything() -> None:
    text = "attack Łódź using stuka losses IV, XVI Panzer, IV advance to Piotrków, Radom retreat Breslau leave"
    battle = Battle(
        box="Lodz",
        event=Event.STUKA,
        losses=("GER-10th-1", "GER-10th-4", "GER-10th-1"),
        advance=("Piotrkow", "Radom"),
        retreat=("Breslau",),
        leave=True,
    )
    assert read(Battles, text) == Battles(battles=(battle,))


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ("if Katowice won", "when_won"),
        ("if Katowice is won", "when_won"),
        ("unless Katowice is taken", "unless_won"),
        ("if Katowice not won", "unless_won"),
        ("unless Katowice not won", "when_won"),
    ],
)
def test_conditions(text: str, field: str) -> None:
    assert read(Battles, f"attack Lodz {text}") == Battles(battles=(Battle(box="Lodz", **{field: "Katowice"}),))


@pytest.mark.rule("white_eagle:9.0.p2")
@pytest.mark.parametrize(
    ("text", "sortie"),
    [
        ("sortie Modlin", "all"),
        ("sortie from Modlin with everything", "all"),
        ("fire from Modlin", "fort"),
        ("fire Modlin", "fort"),
        ("attack Modlin", ""),
    ],
)
def test_a_fort_that_is_activated(text: str, sortie: Any) -> None:
    assert read(Battles, text, "polish") == Battles(battles=(Battle(box="Modlin", sortie=sortie),))


def test_a_defence_with_everything() -> None:
    text = (
        "defend Łódź with train losses Lodz CAV, Lodz CAV retreat to Warsaw or Radom\n"
        "leave Modlin retreat Warszawa\nstay in Katowice\ndefend Gdynia stay\nask me before each combat"
    )
    assert read(Defence, text, "polish") == Defence(
        fights=(
            Fight(
                box="Lodz",
                event=Event.TRAIN,
                losses=("POL-Lodz-2", "POL-Lodz-2"),
                retreat=("Warszawa", "Radom"),
            ),
            Fight(box="Modlin", leave=True, retreat=("Warszawa",)),
            Fight(box="Katowice"),
            Fight(box="Gdynia"),
        ),
        ask_again=True,
    )


@pytest.mark.parametrize("text", ["then ask", "ask before each combat", "ask me before every combat"])
@pytest.mark.parametrize("model", [Battles, Defence])
def test_being_asked_again(model: type[Answer], text: str) -> None:
    assert read(model, text) == model(ask_again=True)


def test_orders_may_end_with_a_question() -> None:
    assert order("move VIII to Katowice\nthen ask") == TO_KATOWICE.model_copy(
        update={"battles": Battles(ask_again=True)}
    )


@pytest.mark.rule("white_eagle:5.1.b1")
@pytest.mark.rule("white_eagle:5.1.b5")
@pytest.mark.parametrize(
    ("role", "text", "use"),
    [
        ("polish", "use sabotage", True),
        ("polish", "use it", True),
        ("polish", "use", True),
        ("polish", "keep sabotage", False),
        ("polish", "pass", False),
        ("german", "use Luftwaffe", True),
        ("german", "keep", False),
    ],
)
def test_an_event_before_movement(role: str, text: str, use: bool) -> None:
    assert read(Interference, text, role) == Interference(use=use)


@pytest.mark.rule("white_eagle:4.2.p1")
@pytest.mark.parametrize(
    ("text", "commands"),
    [
        ("attempt South, German North", ("GER-South", "GER-North")),
        ("try north", ("GER-North",)),
        ("attempt none", ()),
        ("pass", ()),
    ],
)
def test_attempts(text: str, commands: tuple[str, ...]) -> None:
    assert read(Attempts, text) == Attempts(commands=tuple(map(Command, commands)))


@pytest.mark.parametrize("model", [Orders, Battles, Defence])
def test_pass_orders_nothing(model: type[Answer]) -> None:
    assert read(model, "pass") == model()


def test_units_in_an_attack_are_for_odds() -> None:
    text = "attack Łódź with IV Corps, XVI Panzer, stuka support VIII Corps against train"
    wanted = Assault(
        Battle(box="Lodz", event=Event.STUKA),
        units=("GER-10th-1", "GER-10th-4"),  # type: ignore[arg-type]
        support=("GER-14th-1",),  # type: ignore[arg-type]
        against=Event.TRAIN,
    )
    assert read_battle(DATA, SOUTH, text) == wanted
    assert read_battle(DATA, replace(OPENING, activation=None), "attack Łódź with Lodz CAV").units == ("POL-Lodz-2",)


@pytest.mark.parametrize("text", ["move VIII to Katowice", "attack Lodz\nattack Radom", "", "attack Atlantis"])
def test_what_is_no_combat(text: str) -> None:
    with pytest.raises(Refused):
        read_battle(DATA, SOUTH, text)


# ---------------------------------------------------------------------- what is written


def test_every_name_that_is_written_reads_back() -> None:
    for side in Side:
        names = namer(DATA, None, side)
        assert [names.unit(one.written).id for one in names.side] == [one.id for one in names.side]
    boxes = namer(DATA, None, Side.GERMAN)
    assert [boxes.box(one.written).id for one in lexicon(DATA).boxes] == list(DATA.board.boxes)


def test_names_of_what_the_game_does_not_have() -> None:
    assert (written_unit(DATA, "GER-99th-1"), written_box(DATA, "Atlantis")) == ("GER-99th-1", "Atlantis")


def test_every_form_is_read() -> None:
    """All examples are words of the language, of every kind and either side."""
    models: dict[str, type[Answer]] = {one.kind: one for one in (Orders, Battles, Defence, Interference, Attempts)}
    for side in Side:
        for kind, model in models.items():
            for form in forms_of(kind, side) if kind in FORMS[side] else ():
                assert read(model, form, side.value) is not None


UNITS = st.sampled_from([unit.id for unit in DATA.forces.units.values() if unit.side is Side.GERMAN])
BOXES = st.sampled_from([str(box) for box in DATA.board.boxes])
FIGHTS: dict[str, Any] = {
    "box": BOXES,
    "event": st.none() | st.sampled_from(Event),
    "losses": st.lists(UNITS, max_size=3).map(tuple),
    "retreat": st.lists(BOXES, max_size=3, unique=True).map(tuple),
    "leave": st.booleans(),
}
BATTLES = st.builds(
    Battle,
    **FIGHTS,
    sortie=st.sampled_from(["", "all", "fort"]),
    advance=st.lists(BOXES, max_size=3, unique=True).map(tuple),
    when_won=st.none() | BOXES,
    unless_won=st.none() | BOXES,
)
PLANS = st.builds(Battles, battles=st.lists(BATTLES, max_size=3).map(tuple), ask_again=st.booleans())
DEFENCES = st.builds(
    Defence, fights=st.lists(st.builds(Fight, **FIGHTS), max_size=3).map(tuple), ask_again=st.booleans()
)


@st.composite
def marches(draw: Any) -> March:
    """Units of one box on a way along lines."""
    start = draw(st.sampled_from(["Neisse", "Neutitschein", "Breslau", "Presov", "Minsk"]))
    units = draw(st.lists(st.sampled_from([unit.id for unit in SOUTH.at(start)]), min_size=1, unique=True))  # type: ignore[arg-type]
    path, here = [], start
    for _ in range(draw(st.integers(1, 4))):
        here = draw(st.sampled_from(DATA.board.neighbours[here]))
        path.append(here)
    return March(units=tuple(units), path=tuple(path), support=draw(st.booleans()))


@settings(max_examples=150, deadline=None)
@given(st.one_of(PLANS, DEFENCES))
def test_plans_are_read_as_they_are_written(answer: Answer) -> None:
    assert read(type(answer), write_orders(DATA, answer)) == answer


@settings(max_examples=150, deadline=None)
@given(st.none() | UNITS, st.lists(marches(), max_size=3), PLANS)
def test_orders_are_read_as_they_are_written(unit: str | None, ordered: list[March], plan: Battles) -> None:
    answer = Orders(recover=unit, marches=tuple(ordered), battles=plan)
    assert order(write_orders(DATA, answer)) == answer


ATTEMPTS = [(), *((one,) for one in GERMAN_COMMANDS), GERMAN_COMMANDS, GERMAN_COMMANDS[::-1]]


@pytest.mark.parametrize(
    "answer",
    [Interference(use=True), Interference(use=False), *(Attempts(commands=one) for one in ATTEMPTS), Orders()],
)
def test_short_answers_are_read_as_they_are_written(answer: Answer) -> None:
    assert RULES.read_orders(any_question(type(answer)), OPENING, RULES.write_orders(answer)) == answer

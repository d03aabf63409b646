"""Standing orders: what they answer while the enemy is activated and at the end of a turn, and which texts are none."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.games.white_eagle.answers import Attempts, Defence, Fight, Interference
from pbem.games.white_eagle.kinds import Command, Event, Side
from pbem.games.white_eagle.standing import FORMS
from pbem.games.white_eagle.state import State
from pbem.log.event import Role
from pbem.rules.play import Answer, Question
from pbem.rules.refusal import Refused
from white_eagle.asked import DATA, RULES, asked

POLISH, GERMAN = Role("polish"), Role("german")
POSITION = """\
turn 2
unit "XVI Panzer" Sieradz
unit "IV Corps" Wielun
unit "Lodz INF" Lodz
unit "Lodz CAV" Lodz reduced
unit "Krakow INF" Katowice
unit "Krakow CAV" Katowice
unit "VIII Corps" Katowice
"""
EVENTS = "pulled GER-South, P11, Train, Sabotage\n"
BOTH = "move XVI Panzer to Lodz\nmove IV Corps to Lodz\nattack Lodz\nattack Katowice"
SLOWING, SLOWED = asked(f"{POSITION}{EVENTS}activate GER-South\n")
DEFENDING, DEFENDED = asked(f"{POSITION}{EVENTS}activate GER-South asked\n", [BOTH])
QUIET, CALM = asked(f"{POSITION}pulled GER-South\nactivate GER-South asked\n", [BOTH])
LATE, ENDED = asked("pulled End-1, End-2, End-3, End-4\nunit GER-3rd-1 Allenstein\n")
SIEGE = """\
turn 2
unit "Narew INF" Lomza
unit Kempf Lomza
pulled POL-North, Luftwaffe, Stuka
activate POL-North asked
"""
ALL_SAID = "train never\np11 never\nlosses spread\nretreat to Rawa\nsieges stay\n"


def answer(question: Question[Any], state: State, text: str) -> Answer | None:
    found = RULES.standing_answer(question, state, text)
    assert found is None or list(question.check(found)) == []
    return found


def fights(text: str, question: Question[Any] = DEFENDING, state: State = DEFENDED) -> dict[str, Fight]:
    """How each attacked box is defended, with `pass always` for what the text does not say."""
    found = answer(question, state, f"{text}\npass always")
    assert isinstance(found, Defence)
    return {fight.box: fight for fight in found.fights}


# ---------------------------------------------------------------------- before movement


@pytest.mark.rule("white_eagle:5.1.b5")
@pytest.mark.parametrize(
    ("text", "use"),
    [
        ("sabotage now", True),
        ("sabotage never", False),
        ("sabotage against South", True),
        ("sabotage against North, German South", True),
        ("sabotage against Belorussian", False),
    ],
)
def test_sabotage(text: str, use: bool) -> None:
    assert answer(SLOWING, SLOWED, text) == Interference(use=use)


@pytest.mark.rule("white_eagle:5.1.b1")
def test_the_luftwaffe_before_movement_and_against_a_fort() -> None:
    text = 'unit "Lodz INF" Lodz\npulled POL-Central, Luftwaffe\nactivate POL-Central\n'
    slowing, slowed = asked(text)
    assert answer(slowing, slowed, "luftwaffe against Central") == Interference(use=True)
    assert answer(slowing, slowed, "luftwaffe at once") is None
    firing, fired = asked(SIEGE, ["fire from Lomza"])
    assert fights("luftwaffe at once", firing, fired)["Lomza"].event is Event.LUFTWAFFE
    assert fights("luftwaffe in Modlin", firing, fired)["Lomza"].event is None


# ---------------------------------------------------------------------- in defence


@pytest.mark.rule("white_eagle:5.1.p1")
@pytest.mark.parametrize(
    ("text", "events"),
    [
        ("train at once", {"Lodz": Event.TRAIN, "Katowice": None}),
        ("train in Katowice", {"Lodz": None, "Katowice": Event.TRAIN}),
        ("train in Warszawa, Modlin", {"Lodz": None, "Katowice": None}),
        ("train never", {"Lodz": None, "Katowice": None}),
        ("p.11 at once\ntrain in Lodz, Katowice", {"Lodz": Event.P11, "Katowice": Event.TRAIN}),
        ("p11 in Katowice\ntrain at once", {"Lodz": Event.TRAIN, "Katowice": Event.P11}),
    ],
)
def test_events_in_defence(text: str, events: dict[str, Event | None]) -> None:
    assert {box: fight.event for box, fight in fights(text).items()} == events


@pytest.mark.rule("white_eagle:8.4.p1")
@pytest.mark.parametrize(
    ("text", "losses"),
    [
        ("losses spread", ()),
        ("losses weakest", ("POL-Lodz-2", "POL-Lodz-1", "POL-Lodz-1")),
        ("losses strongest", ("POL-Lodz-1", "POL-Lodz-1", "POL-Lodz-2")),
        ("losses first Lodz INF", ("POL-Lodz-1", "POL-Lodz-1")),
        ("losses weakest\nlosses first Krakow INF, Lodz INF", ("POL-Lodz-1", "POL-Lodz-1", "POL-Lodz-2")),
    ],
)
def test_losses(text: str, losses: tuple[str, ...]) -> None:
    assert fights(text)["Lodz"].losses == losses


@pytest.mark.rule("white_eagle:8.5.b2")
def test_a_retreat_to_boxes_and_toward_a_box() -> None:
    assert fights("retreat to Radom, Rawa, Kutno")["Lodz"].retreat == ("Rawa", "Kutno")
    toward = fights("retreat toward Radom")["Lodz"].retreat
    distances = [DATA.board.distance(box, "Radom") for box in toward]  # type: ignore[arg-type]
    assert distances == sorted(distances)
    assert len(distances) > 1


@pytest.mark.rule("white_eagle:9.0.b4")
def test_sieges() -> None:
    assert {box: fight.leave for box, fight in fights("sieges leave").items()} == {"Lodz": False, "Katowice": True}
    assert {box: fight.leave for box, fight in fights("sieges stay").items()} == {"Lodz": False, "Katowice": False}


def test_being_asked_before_each_combat() -> None:
    found = answer(DEFENDING, DEFENDED, f"{ALL_SAID}ask before each combat")
    assert isinstance(found, Defence)
    assert found.ask_again


@pytest.mark.parametrize("left_out", ALL_SAID.splitlines())
def test_a_choice_without_a_line_is_asked(left_out: str) -> None:
    assert answer(DEFENDING, DEFENDED, ALL_SAID) is not None
    assert answer(DEFENDING, DEFENDED, ALL_SAID.replace(f"{left_out}\n", "")) is None


def test_what_is_no_choice_needs_no_line() -> None:
    assert answer(QUIET, CALM, "losses spread\nretreat to Rawa\nsieges stay") is not None


def test_the_routine_never_asks_while_the_enemy_is_activated() -> None:
    sortie, besieged = asked(SIEGE, ["sortie Lomza"])
    for question, state in ((SLOWING, SLOWED), (DEFENDING, DEFENDED), (LATE, ENDED), (sortie, besieged)):
        assert answer(question, state, RULES.routine(question.role)) is not None
    own, state = asked(f"{POSITION}{EVENTS}activate GER-South asked\n")
    assert answer(own, state, RULES.routine(GERMAN)) is None


# ---------------------------------------------------------------------- the rest


@pytest.mark.rule("white_eagle:4.2.p1")
@pytest.mark.parametrize(
    ("text", "commands"),
    [
        ("attempt always", ("GER-North", "GER-South")),
        ("attempt never", ()),
        ("attempt south", ("GER-South",)),
        ("attempt South, North", ("GER-South", "GER-North")),
        ("pass always", ()),
    ],
)
def test_attempts(text: str, commands: tuple[str, ...]) -> None:
    assert answer(LATE, ENDED, text) == Attempts(commands=tuple(map(Command, commands)))


def test_only_what_can_try_is_attempted() -> None:
    question, state = asked("pulled End-1, End-2, End-3, End-4, GER-South\nunit GER-3rd-1 Allenstein\n")
    assert answer(question, state, "attempt South, North") == Attempts(commands=(Command.GERMAN_NORTH,))


def test_own_activations_are_passed_only_by_pass_always() -> None:
    own, state = asked(f"{POSITION}{EVENTS}activate GER-South asked\n")
    assert answer(own, state, "losses spread") is None
    assert answer(own, state, "pass always") == own.default


# ---------------------------------------------------------------------- texts


def refusals(role: Role, text: str) -> list[str]:
    with pytest.raises(Refused) as caught:
        RULES.check_standing(role, text)
    return [part for one in caught.value.refusals for part in (one.sentence(), one.hint) if part]


def test_every_form_is_a_standing_order_of_a_side() -> None:
    forms = [line[2:].split("  ")[0] for line in FORMS if "  #" in line]
    own = {side: [form for form in forms if _is_right(side, form)] for side in Side}
    assert len(forms) == 17
    assert {*own[Side.GERMAN], *own[Side.POLISH]} == {*forms}
    assert RULES.standing_forms() is FORMS


def _is_right(side: Side, form: str) -> bool:
    try:
        RULES.check_standing(Role(side), form)
    except Refused:
        return False
    return True


ROUTINE = {
    GERMAN: "luftwaffe now\nluftwaffe at once\nstuka at once\nlosses spread\nretreat toward Breslau\nsieges stay\n"
    "attempt always\n",
    POLISH: "sabotage now\ntrain at once\np11 at once\nlosses spread\nretreat toward Warszawa\nsieges stay\n",
}


def test_the_routine_is_right() -> None:
    for role, text in ROUTINE.items():
        assert RULES.routine(role) == text
        RULES.check_standing(role, text)
        RULES.check_standing(role, "")


EXAMPLE = "sabotage now / train at once / losses spread / retreat toward Warszawa / sieges stay / pass always"
EXPECTED = "expected a standing order such as"


@pytest.mark.parametrize(
    ("role", "text", "sentences"),
    [
        (
            POLISH,
            "train sometimes",
            [f"orders.standing: {EXPECTED} {EXAMPLE}, got 'train sometimes' in line 1, column 1"],
        ),
        (
            POLISH,
            "# nothing",
            [
                f"orders.standing_empty: {EXPECTED} {EXAMPLE}, got a text without one",
                "take the mark '#' away from a line; a text with nothing in it takes standing orders back",
            ],
        ),
        (
            POLISH,
            "retreat toward Warzawa\nlosses first 99 INF",
            [
                "orders.unknown: expected the name of a box, got 'Warzawa' in line 1, column 16",
                "did you mean Warszawa or Rawa Mazowiecka?",
                "orders.unknown: expected the name of a unit, got '99 INF' in line 2, column 14",
                "did you mean Karpaty INF?",
            ],
        ),
        (
            POLISH,
            "losses weakest\nlosses strongest",
            [
                "orders.standing_twice: expected lines that agree with 'losses weakest'"
                ", got 'losses strongest' in line 2, column 1"
            ],
        ),
        (
            POLISH,
            "retreat to Rawa\nretreat toward Warszawa",
            [
                "orders.standing_twice: expected lines that agree with 'retreat to Rawa'"
                ", got 'retreat toward Warszawa' in line 2, column 1"
            ],
        ),
        (
            GERMAN,
            "luftwaffe in Modlin\nluftwaffe now\nluftwaffe never",
            [
                "orders.standing_twice: expected lines that agree with 'luftwaffe now'"
                ", got 'luftwaffe never' in line 3, column 1"
            ],
        ),
        (
            GERMAN,
            "sabotage now",
            [
                "orders.standing_useless: expected a standing order that could answer for the German side"
                ", got 'sabotage now' in line 1, column 1",
                "Sabotage is a Polish event",
            ],
        ),
        (
            POLISH,
            "attempt always",
            [
                "orders.standing_useless: expected a standing order that could answer for the Polish side"
                ", got 'attempt always' in line 1, column 1",
                "only German commands try to activate late",
            ],
        ),
        (
            POLISH,
            "train now",
            [
                "orders.standing_useless: expected a standing order that could answer for the Polish side"
                ", got 'train now' in line 1, column 1",
                "Armored Train does not slow movement; write 'at once', 'in' and boxes, or 'never'",
            ],
        ),
        (
            POLISH,
            "sabotage at once",
            [
                "orders.standing_useless: expected a standing order that could answer for the Polish side"
                ", got 'sabotage at once' in line 1, column 1",
                "Sabotage is not used in defence",
            ],
        ),
        (
            GERMAN,
            "blitzkrieg never",
            [
                "orders.standing_useless: expected a standing order that could answer for the German side"
                ", got 'blitzkrieg never' in line 1, column 1",
                "Blitzkrieg is used in attacks, which you order yourself",
            ],
        ),
        (
            GERMAN,
            "luftwaffe against South, South-East",
            [
                "orders.unknown: expected the name of a command of the enemy, got 'South-East' in line 1, column 26",
                "did you mean Polish South?",
            ],
        ),
    ],
)
def test_what_is_no_standing_order(role: Role, text: str, sentences: list[str]) -> None:
    assert refusals(role, text) == sentences

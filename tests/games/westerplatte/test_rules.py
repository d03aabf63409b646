"""What fixtures cannot show: printed figures, answers that no sheet could write, what holds in every game."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import orjson
import pytest

from pbem.engine.lab import Lab, LabResult
from pbem.errors import BadRequest
from pbem.games.westerplatte import data_files
from pbem.games.westerplatte.answers import Activation, Bombard, Fire, GermanSetup, Move, Placed, Recover, Suppress
from pbem.games.westerplatte.cards import DECK
from pbem.games.westerplatte.data_files import AreaKind, Side
from pbem.games.westerplatte.ruleset import Westerplatte
from pbem.games.westerplatte.state import EAST, LOST, UNPLACED, State
from pbem.rules.play import Asking, Checkpoint, Drawing, Outcome, Question, Report

FOLDER = Path(data_files.__file__).parent / "data"
RULES = Westerplatte({path.name: path.read_bytes() for path in sorted(FOLDER.iterdir())})
DATA = RULES.data
UNITS = "unit PL-1 Wal\nunit PL-2 Tor\nunit MAS-1 A\nunit MAS-2 B\nunit MAS-3 east\nunit BB Wa\n"


def lab(position: str, *sheets: str, dice: str = "") -> LabResult[State]:
    return Lab(RULES, RULES.read_position(position), sheets, dice.split()).run()


# ---------------------------------------------------------------------- the printed card

PRINTED = {
    "areas": ["A entry", "B entry", "Wa water", "Wd water", "We water"],
    "adjacency": ["Wd We"],
    "units": [
        "MAS-1 weak 2",
        "MAS-2 weak 2",
        "MAS-3 weak 2",
        "MAS-4 weak 2",
        "MAS-5 weak 2",
        "MAS-6 weak 2",
        "DSS-HW weak 1",
        "BB strong 4",
        "BB weak 2",
        "PL-1 weak 1",
        "PL-2 weak 1",
        "PL-3 weak 1",
        "MTR weak 1",
    ],
    "stack": ["stack.limit 2"],
    "entries": ["areas.closed_to_poles A B", "areas.german_entry A B"],
    "entry": ["entry.first_turn 1"],
    "ship": ["ship.start Wa Wb Wc Wd", "ship.start_strength 4", "ship.join Wd We"],
    "deck": ["deck.jokers 1", "deck.german_colour black", "deck.polish_colour red"],
    "activation": [
        "activation.divisor 2",
        "activation.J area_or_recovery",
        "activation.Q area_or_recovery",
        "activation.K area_or_recovery",
        "activation.recovered_units 1",
    ],
    "card": ["card.ace 1"],
    "move": ["move.areas 1"],
    "joker": ["joker.ends_turn 1"],
    "combat": [
        "combat.range 2",
        "combat.firing_units 2",
        "combat.targets 1",
        "combat.modifier_not_adjacent 1",
        "combat.modifier_polish_gun_at_ship 1",
        "combat.polish_types_barred_from_ship infantry mortar",
    ],
    "support": [
        "support.uses_per_turn 1",
        "support.3 air",
        "support.5 air",
        "support.7 air",
        "support.9 air",
        "support.J air",
    ],
    "oba": ["oba.targets 1", "oba.strength 3"],
    "air": ["air.targets 1", "air.strength 4", "air.suppression 1"],
    "game": ["game.turns 6"],
    "vp": ["vp.start 9", "vp.deducted_per_reshuffle 1", "vp.deducted_per_german_loss 1", "vp.german_minimum 1"],
}
COLUMNS = {"areas": ("id", "kind"), "adjacency": ("a", "b"), "units": ("id", "face", "fire strength")}


def printed_rows() -> dict[str, list[str]]:
    """The rows of every table whose source is the card, by table."""
    found: dict[str, list[str]] = {}
    for table in RULES.tables():
        wanted = COLUMNS.get(table.name, ()) if table.columns[0] != "key" else ()
        columns = [table.columns.index(name) for name in wanted or ("key", "value")]
        rows = [row for row, source in zip(table.rows, table.sources, strict=True) if source == "printed"]
        name = table.name
        found[name] = [" ".join(str(row[column]) for column in columns) for row in rows]
    return found


def test_every_printed_figure_of_the_card_is_in_the_tables() -> None:
    assert printed_rows() == PRINTED


@pytest.mark.rule("westerplatte:turn.3", "westerplatte:turn.4", "westerplatte:support.2", "westerplatte:support.3")
def test_turn_3_what_each_black_card_allows() -> None:
    texts = {rank: text_of(f"S{rank}") for rank in ("A", *map(str, range(2, 11)), "J", "Q", "K")}
    area = "order the units of one area, or let one weak unit recover"
    assert texts == {
        "A": "the ace of spades: order up to 1 unit; the air marker may be used instead",
        "2": "the 2 of spades: order up to 1 unit; the artillery marker may be used instead",
        "3": "the 3 of spades: order up to 2 units; the air marker may be used instead",
        "4": "the 4 of spades: order up to 2 units; the artillery marker may be used instead",
        "5": "the 5 of spades: order up to 3 units; the air marker may be used instead",
        "6": "the 6 of spades: order up to 3 units; the artillery marker may be used instead",
        "7": "the 7 of spades: order up to 4 units; the air marker may be used instead",
        "8": "the 8 of spades: order up to 4 units; the artillery marker may be used instead",
        "9": "the 9 of spades: order up to 5 units; the air marker may be used instead",
        "10": "the 10 of spades: order up to 5 units; the artillery marker may be used instead",
        "J": f"the jack of spades: {area}; the air marker may be used instead",
        "Q": f"the queen of spades: {area}; the artillery marker may be used instead",
        "K": f"the king of spades: {area}; the artillery marker may be used instead",
    }


def text_of(card: str) -> str:
    result = lab(f"card {card}\n{UNITS}")
    assert result.question is not None
    return RULES.question_text(result.question, result.state)


@pytest.mark.rule("westerplatte:setup.1", "westerplatte:setup.2")
def test_setup_2_the_germans_begin_in_the_east_and_strong() -> None:
    pieces = RULES.begin("standard", {}).pieces
    assert {piece.unit: piece.area for piece in pieces if DATA.units[piece.unit].side is Side.GERMAN} == {
        **dict.fromkeys(("MAS-1", "MAS-2", "MAS-3", "MAS-4", "MAS-5", "MAS-6", "DSS-HW", "ENG"), EAST),
        "BB": UNPLACED,
    }
    assert not any(piece.weak for piece in pieces)


def test_ruling_25_the_figures_of_the_counter_list_are_weak_faces() -> None:
    assert [(unit, DATA.units[unit].weak) for unit in ("MAS-6", "BB", "DSS-HW", "PL-1", "MTR")] == [
        ("MAS-6", 2),
        ("BB", 2),
        ("DSS-HW", 1),
        ("PL-1", 1),
        ("MTR", 1),
    ]


def test_ruling_18_a_card_in_parts_is_the_card_in_one() -> None:
    position = f"card S9\n{UNITS}"
    whole = lab(position, "fire MAS-1 at PL-1\nmove MAS-3 to A\nfire BB, MAS-2 at PL-2", dice="HA D5")
    parts = lab(
        position,
        "fire MAS-1 at PL-1\nthen ask",
        "move MAS-3 to A\nthen ask",
        "fire BB, MAS-2 at PL-2",
        dice="HA D5",
    )
    assert (parts.state, parts.reports) == (whole.state, whole.reports)


# ---------------------------------------------------------------------- answers that no sheet could write


@pytest.mark.parametrize(
    ("order", "sentence"),
    [
        (
            Move(unit="MAS-1", to="Nowhere"),
            "move.area: expected an area of the map for MAS-1, got 'Nowhere' in line 1 (turn.6)",
        ),
        (
            Move(unit="Nobody", to="A"),
            "activation.unit: expected a German unit to act, got 'Nobody' in line 1 (turn.3)",
        ),
        (
            Fire(units=("MAS-1",), targets=("Nobody",)),
            "combat.target: expected an enemy unit to fire at, got 'Nobody' in line 1 (combat.6)",
        ),
        (
            Fire(units=("MAS-1", "PL-1"), targets=("PL-2",)),
            "activation.unit: expected a German unit to act, got 'PL-1' in line 1 (turn.3)",
        ),
        (
            Bombard(marker="air", target="Nobody"),
            "support.target: expected a Polish unit as target, got 'Nobody' in line 1 (support.4)",
        ),
        (
            Suppress(area="Nowhere"),
            "support.area: expected a land area to suppress, got 'Nowhere' in line 1 (support.6)",
        ),
        (Suppress(area="A"), "support.area: expected a land area to suppress, got 'A' in line 1 (support.6)"),
    ],
)
def test_an_answer_with_names_that_do_not_exist(order: Any, sentence: str) -> None:
    question = lab(f"card S7\n{UNITS}").question
    assert question is not None
    assert [one.sentence() for one in question.check(Activation(orders=(order,)))] == [sentence]


def test_a_recovery_of_a_unit_that_does_not_exist() -> None:
    question = lab(f"card SK\n{UNITS}").question
    assert question is not None
    assert [one.sentence() for one in question.check(Activation(orders=(Recover(unit="Nobody"),)))] == [
        "recover.unit: expected a weak German unit, got 'Nobody' in line 1 (turn.4)"
    ]


def test_every_reason_against_an_answer_is_told_at_once() -> None:
    question = lab(f"card S3\n{UNITS}").question
    assert question is not None
    orders = (Move(unit="MAS-1", to="Wal"), Move(unit="PL-1", to="A"), Move(unit="MAS-2", to="Wa"))
    assert [(one.code, one.rule, one.line) for one in question.check(Activation(orders=orders))] == [
        ("move.enemy", "turn.7", 1),
        ("activation.unit", "turn.3", 2),
        ("move.reach", "turn.8", 3),
    ]


def test_the_ship_is_placed_once() -> None:
    question = next(q for q, s in questions(1) if q.kind == "german_setup")
    twice = GermanSetup(placed=(Placed(unit="BB", area="Wa"), Placed(unit="BB", area="Wb")))
    assert [one.sentence() for one in question.check(twice)] == [
        "setup.twice: expected one place for BB, got 2 (setup.4)"
    ]


def test_a_game_has_one_scenario_and_no_options() -> None:
    with pytest.raises(BadRequest) as scenario:
        RULES.begin("other", {})
    with pytest.raises(BadRequest) as options:
        RULES.begin("standard", {"fog": True})
    assert [str(scenario.value), str(options.value)] == [
        "game.scenario: expected one of standard, got 'other'",
        "game.options: expected no options for westerplatte, got fog",
    ]


def test_a_changed_position_is_what_dataclasses_replace_makes() -> None:
    state = RULES.read_position(f"card SQ\n{UNITS}")
    assert state.changed(turn_over=True, drawn=9) == replace(state, turn_over=True, drawn=9) != state


def test_a_position_has_no_fields_but_its_own() -> None:
    state = RULES.read_position(f"card SQ\n{UNITS}")
    with pytest.raises(TypeError, match="expected fields of a position, got turn_ower"):
        state.changed(turn_ower=True)
    assert set(orjson.loads(RULES.encode(state.changed(left=1)))) == {field.name for field in fields(State)}


# ---------------------------------------------------------------------- what holds in every game


def played(seed: int) -> Iterator[Any]:
    """Every request of a game at random, then its outcome."""
    source = random.Random(seed)
    bot = RULES.bots()["random"]
    rules = RULES.play(RULES.begin("standard", {}))
    response: Any = None
    try:
        while True:
            request = rules.send(response)
            response = None
            yield request
            if isinstance(request, Asking):
                response = (bot(request.questions[0], request.state, source.randrange),)
            elif isinstance(request, Drawing):
                response = source.choice(request.items)
    except StopIteration as end:
        yield end.value


def questions(seed: int) -> Iterator[tuple[Question[Any], State]]:
    return ((one.questions[0], one.state) for one in played(seed) if isinstance(one, Asking))


SEEDS = range(12)


@pytest.mark.rule("westerplatte:setup.1", "westerplatte:setup.5", "westerplatte:turn.7")
@pytest.mark.rule("westerplatte:turn.8", "westerplatte:turn.9", "westerplatte:turn.1")
@pytest.mark.parametrize("seed", SEEDS)
def test_every_position_of_a_random_game_is_possible(seed: int) -> None:
    for request in played(seed):
        if isinstance(request, Asking | Checkpoint):
            assert faults(request.state) == []


def faults(state: State) -> list[str]:
    """What the rules say can never be, counted without the rules' own functions."""
    found = []
    for piece in state.pieces:
        unit = DATA.units[piece.unit]
        kind = DATA.areas[piece.area].kind if piece.area in DATA.areas else None
        if kind and (unit.id == "BB") != (kind is AreaKind.WATER):
            found.append(f"{unit.id} on {kind}")
        if unit.side is Side.POLISH and piece.area in ("A", "B", EAST):
            found.append(f"{unit.id} in {piece.area}")
    stacks = Counter(piece.area for piece in state.pieces if piece.area in DATA.areas)
    found += [f"{number} units in {area}" for area, number in stacks.items() if number > 2]
    held = {(piece.area, DATA.units[piece.unit].side) for piece in state.pieces if piece.area in DATA.areas}
    found += [f"both sides in {area}" for area, side in held if side is Side.POLISH and (area, Side.GERMAN) in held]
    if state.drawn + len(state.deck) != len(DECK) or len(set(state.deck)) != len(state.deck):
        found.append("the cards do not add up")
    if state.reshuffles != state.turn - 1:
        found.append("turns and reshuffles do not agree")
    return found


@pytest.mark.parametrize("seed", SEEDS)
def test_every_option_is_legal_and_the_default_is(seed: int) -> None:
    for question, _ in questions(seed):
        assert [one for option in (question.default, *question.legal()) for one in question.check(option)] == []


@pytest.mark.rule("westerplatte:end.1", "westerplatte:end.2", "westerplatte:end.3", "westerplatte:end.4")
@pytest.mark.parametrize("seed", SEEDS)
def test_the_outcome_follows_from_the_last_position(seed: int) -> None:
    *requests, outcome = played(seed)
    last = [request.state for request in requests if isinstance(request, Checkpoint)][-1]
    poles = [piece for piece in last.pieces if DATA.units[piece.unit].side is Side.POLISH and piece.area != LOST]
    losses = [p for p in last.pieces if DATA.units[p.unit].side is Side.GERMAN and (p.weak or p.area == LOST)]
    germans_win = not poles and 9 - (last.turn - 1) - len(losses) >= 1
    assert isinstance(outcome, Outcome)
    assert outcome.winner == ("german" if germans_win else "polish")


@pytest.mark.rule("westerplatte:support.1")
@pytest.mark.parametrize("seed", SEEDS)
def test_support_1_each_marker_serves_once_a_turn(seed: int) -> None:
    used: Counter[str] = Counter()
    for request in played(seed):
        if isinstance(request, Report) and request.sentence().startswith(("the air marker", "the artillery marker")):
            used[request.sentence().split(" marker")[0]] += 1
            assert used.most_common(1)[0][1] == 1
        if isinstance(request, Report) and "is shuffled" in request.sentence():
            used.clear()


@pytest.mark.parametrize("seed", SEEDS)
def test_play_can_be_resumed_at_every_checkpoint(seed: int) -> None:
    """A game taken up from the bytes of a checkpoint tells and asks the same as the game that went on."""
    requests = list(played(seed))
    for index, request in enumerate(requests):
        if isinstance(request, Checkpoint):
            resumed = RULES.play(RULES.decode(RULES.encode(request.state)))
            for later in requests[index + 1 :]:
                if not same(next(resumed, None), later):
                    pytest.fail(f"another way after checkpoint {index}")
                if not isinstance(later, Report):
                    break


def same(one: Any, other: Any) -> bool:
    if one is None:
        return isinstance(other, Outcome)
    if isinstance(one, Asking) and isinstance(other, Asking):
        return bool(one.state == other.state and one.questions[0].kind == other.questions[0].kind)
    return bool(one == other)


@pytest.mark.rule("westerplatte:turn.3", "westerplatte:turn.4", "westerplatte:turn.6", "westerplatte:setup.3")
@pytest.mark.parametrize("seed", SEEDS)
def test_no_sheet_does_more_than_its_card_allows(seed: int) -> None:
    """Sheets of several orders thrown together at random: what the check lets pass keeps to the card."""
    source = random.Random(1000 + seed)
    for question, state in questions(seed):
        if question.kind == "activation":
            single = [order for option in question.legal() for order in option.orders]
            orders = source.choices(single, k=source.randint(2, 7))
            answer = Activation(orders=tuple(orders), blocked=source.choice(("skip", "ask")))
            if not question.check(answer):
                assert excesses(state, answer, source) == []


def excesses(state: State, answer: Activation, source: random.Random) -> list[str]:
    """What a sheet did beyond its card, from the report of what happened."""
    sheet, dice = RULES.write_orders(answer), source.sample(state.deck, min(12, len(state.deck)))
    result = Lab(RULES, state, (sheet,), dice).run()
    moves, shots = [], []
    for report in result.reports:
        if report.rule in ("turn.6", "setup.3"):
            moves.append(str(report.facts["unit"]))
        elif report.rule == "combat.5" and "marker" not in str(report.facts["firing"]):
            shots.extend(str(report.facts["firing"]).split(" and "))
        elif report.rule in ("turn.3", "turn.5"):
            break
    acted = Counter(moves + shots)
    rank = state.card[1:]
    areas = {state.piece(unit).area for unit in acted}  # type: ignore[arg-type]
    found = [f"{unit} acted {times} times" for unit, times in acted.items() if times > 1]
    if rank in ("J", "Q", "K"):
        found += ["two areas"] if len(areas) > 1 else []
    elif len(acted) + len(state.acted) > (1 if rank == "A" else (int(rank) + 1) // 2):
        found.append("too many units")
    return found + faults(replace(result.state))

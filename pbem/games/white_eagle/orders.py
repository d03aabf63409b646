"""The order language: which lines a question takes, the answer that they make, and answers written back.

The words are in `grammar.py`, names in `names.py`, what a line means in `meaning.py`; what may be ordered is in the
sections of the rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias, TypeVar

from pbem.games.white_eagle.answers import Attempts, Battle, Battles, Defence, Fight, Interference, March, Orders
from pbem.games.white_eagle.data_files import GameData
from pbem.games.white_eagle.grammar import LANGUAGE
from pbem.games.white_eagle.kinds import BEFORE_MOVEMENT, Side
from pbem.games.white_eagle.meaning import Assault, Attempted, Item, Meaning, Recovery, Setting, Used
from pbem.games.white_eagle.misread import VERBS, WHEN
from pbem.games.white_eagle.names import short_command, written_box, written_event, written_unit
from pbem.games.white_eagle.state import State
from pbem.rules.phrases import made
from pbem.rules.play import Answer, Question
from pbem.rules.refusal import Refusal, Refused, shown
from pbem.rules.sheet import SheetLine, at_line, read_sheet

T = TypeVar("T")
Read: TypeAlias = Sequence[tuple[SheetLine, Item]]
FORMS: Mapping[Side, Mapping[str, tuple[str, ...]]] = {
    Side.GERMAN: {
        "orders": ("recover XI Corps", "move XVI Panzer to Łódź", "attack Łódź with stuka", "then ask", "pass"),
        "battles": ("attack Łódź with stuka losses IV Corps advance Piotrków", "then ask", "pass"),
        "defence": ("defend Neisse with stuka losses XI Corps retreat Breslau", "leave Modlin", "pass"),
        "interference": ("use luftwaffe", "keep luftwaffe"),
        "attempts": ("attempt North, South", "attempt none"),
    },
    Side.POLISH: {
        "orders": (
            "recover Lodz INF",
            "move Lodz CAV to Piotrków",
            "attack Piotrków with p11",
            "sortie Modlin",
            "pass",
        ),
        "battles": ("attack Łódź with p11 losses Lodz INF", "sortie Modlin", "then ask", "pass"),
        "defence": ("defend Łódź with train losses Lodz CAV retreat Warszawa or Radom", "leave Modlin", "pass"),
        "interference": ("use sabotage", "keep sabotage"),
    },
}
"""Orders that each kind of question takes, as examples with units of the side that is asked."""
_TAKES: Mapping[str, tuple[type, ...]] = {
    "orders": (Recovery, March, Assault),
    "battles": (Assault,),
    "defence": (Fight,),
    "interference": (Used,),
    "attempts": (Attempted,),
}
"""What the lines of each kind may say, in the order in which the checks count orders."""
_ASKS = ("orders", "battles", "defence")
"""Questions that may be asked again within an activation."""
_ONCE = (Recovery, Used, Attempted)
"""What a sheet says at most once."""


# ---------------------------------------------------------------------- reading


def read_orders(data: GameData, question: Question[Any], state: State, text: str) -> Answer:
    """The answer that a sheet gives to a question, checked; Refused with line and column of every reason."""
    kind, side = question.kind, Side(question.role)
    read = read_items(data, state, side, read_sheet(text).lines, forms_of(kind, side))
    _refuse(_empty(kind, side) if not read else ())
    _refuse(_foreign(kind, side, line, item) for line, item in read if not _fits(kind, item))
    _refuse(_contradictions(read))
    _refuse(reason for line, item in read for reason in _misplaced(side, line, item))
    answer = _answer(question, read)
    refusals = question.check(answer)
    if refusals:
        lines = [line for one in _TAKES[kind] for line, item in read if isinstance(item, one)]
        raise Refused([at_line(refusal, lines) for refusal in refusals])
    return answer


def forms_of(kind: str, side: Side) -> tuple[str, ...]:
    """Examples of what a kind of question takes: of the side, or of the other where it is never asked."""
    return FORMS[side].get(kind) or FORMS[side.enemy][kind]


def read_items(
    data: GameData, state: State, side: Side, lines: Sequence[SheetLine], forms: Sequence[str]
) -> list[tuple[SheetLine, Item]]:
    """What every line says; Refused with the reasons of all unreadable lines."""
    meaning = Meaning(data, state, side)
    return VERBS.read_each(lines, forms, lambda line: meaning.items(LANGUAGE.read(line, forms)))


def read_battle(data: GameData, state: State, text: str, side: Side | None = None) -> Assault:
    """The combat that one line orders, unchecked, with the units and the enemy's event that it names.

    Without a side it is the activated one, or the one whose units the line names. Refused for anything else.
    """
    lines = read_sheet(text).lines
    likely = state.activation.side if state.activation else Side.GERMAN
    sides = (side,) if side else (likely, likely.enemy)
    reasons: list[Refused] = []
    for one in sides:
        forms = forms_of("battles", one)[:1]
        try:
            items = [item for _, item in read_items(data, state, one, lines, forms)]
        except Refused as refused:
            reasons.append(refused)
            continue
        if len(items) == 1 and isinstance(items[0], Assault):
            return items[0]
        got = f"'{shown(lines[0].text)}'" if lines else "none"
        raise Refused((Refusal("orders.kind", f"expected one order such as {forms[0]}, got {got}"),))
    raise reasons[0]


def _refuse(refusals: Iterable[Refusal]) -> None:
    found = list(refusals)
    if found:
        raise Refused(found)


def _empty(kind: str, side: Side) -> tuple[Refusal, ...]:
    text = f"expected an order such as {' / '.join(forms_of(kind, side))}, got none"
    return (Refusal("orders.empty", text, "", "take the mark '#' away from a line of the sheet, or write 'pass'"),)


def _fits(kind: str, item: Item) -> bool:
    if isinstance(item, Setting):
        return item.name == "pass" or kind in _ASKS
    return isinstance(item, _TAKES[kind])


def _foreign(kind: str, side: Side, line: SheetLine, item: Item) -> Refusal:
    text = f"expected an order such as {' / '.join(forms_of(kind, side))}, got '{shown(line.text)}'"
    meant = item.name if isinstance(item, Setting) else type(item).__name__.lower()
    return Refusal("orders.kind", text, "", WHEN[meant], line.number, line.indent + 1)


def _contradictions(read: Read) -> Iterator[Refusal]:
    """`pass` and something else, or a second recovery or decision."""
    for number, (line, item) in enumerate(read):
        rival = next((other for other, earlier in read[:number] if _contradict(item, earlier)), None)
        if rival is not None:
            text = f"expected orders that agree with '{shown(rival.text)}', got '{shown(line.text)}'"
            yield Refusal("orders.contradiction", text, "", "", line.number, line.indent + 1)


def _contradict(one: Item, other: Item) -> bool:
    if Setting("pass") in (one, other):
        return one != other
    return isinstance(one, _ONCE) and type(one) is type(other) and one != other


def _misplaced(side: Side, line: SheetLine, item: Item) -> Iterator[Refusal]:
    """What a line names that its order does not take: units of an attack, another event before movement."""
    place = (line.number, line.indent + 1)
    if isinstance(item, Assault) and (item.units or item.support or item.against):
        text = f"expected an attack without units, got '{shown(line.text)}'"
        hint = "all that have entered the box attack: write 'move … to', for supporters with 'in support' behind it"
        yield Refusal("orders.units", text, "7.2.p1", hint, *place)
    wanted = BEFORE_MOVEMENT[side]
    if isinstance(item, Used) and item.event not in (None, wanted):
        text = f"expected 'use {written_event(wanted)}' or 'keep {written_event(wanted)}', got '{shown(line.text)}'"
        yield Refusal("orders.event", text, "5.1.p1", "", *place)


def _answer(question: Question[Any], read: Read) -> Answer:
    """The answer of a question's kind that the items make."""
    ask_again = any(item == Setting("ask") for _, item in read)
    battles = tuple(one.battle for one in _all(read, Assault))
    match question.kind:
        case "orders":
            unit = next((one.unit for one in _all(read, Recovery)), None)
            plan = made(Battles, None, battles=battles, ask_again=ask_again)
            return made(Orders, None, recover=unit, marches=_all(read, March), battles=plan)
        case "battles":
            return made(Battles, None, battles=battles, ask_again=ask_again)
        case "defence":
            return made(Defence, None, fights=_all(read, Fight), ask_again=ask_again)
        case "interference":
            return Interference(use=any(one.use for one in _all(read, Used)))
        case _:
            return made(Attempts, None, commands=next((one.commands for one in _all(read, Attempted)), ()))


def _all(read: Read, kind: type[T]) -> tuple[T, ...]:
    return tuple(item for _, item in read if isinstance(item, kind))


# ---------------------------------------------------------------------- writing


def write_orders(data: GameData, answer: Answer) -> str:
    """An answer in the order language, one order a line; `read_orders` gives the same answer back."""
    lines: list[str]
    match answer:
        case Orders(recover=unit, marches=marches, battles=battles):
            lines = [f"recover {written_unit(data, unit)}"] if unit is not None else []
            lines += [*(write_march(data, one) for one in marches), *_battles(data, battles)]
        case Battles():
            lines = _battles(data, answer)
        case Defence(fights=fights, ask_again=ask_again):
            lines = [write_fight(data, fight) for fight in fights]
            lines += ["ask before each combat"] if ask_again else []
        case Interference(use=use):
            return "use it" if use else "keep it"
        case Attempts(commands=commands):
            return f"attempt {', '.join(map(short_command, commands)) or 'none'}"
        case _:
            raise TypeError(f"no answer of this game: {answer!r}")
    return "\n".join(lines or ["pass"])


def write_march(data: GameData, march: March) -> str:
    """Units that move together, as an order."""
    *way, goal = march.path
    via = f" via {_boxes(data, way)}" if way else ""
    support = " in support" if march.support else ""
    return f"move {_units(data, march.units)} to {written_box(data, goal)}{via}{support}"


def _battles(data: GameData, battles: Battles) -> list[str]:
    return [write_battle(data, battle) for battle in battles.battles] + (["then ask"] if battles.ask_again else [])


def write_battle(data: GameData, battle: Battle) -> str:
    """One combat of the activated side, as an order."""
    parts = [{"": "attack", "all": "sortie", "fort": "fire from"}[battle.sortie], *_fight(data, battle)]
    parts += [f"advance {_boxes(data, battle.advance)}"] if battle.advance else []
    parts += [f"if {written_box(data, battle.when_won)} won"] if battle.when_won else []
    parts += [f"unless {written_box(data, battle.unless_won)} won"] if battle.unless_won else []
    return " ".join(parts)


def write_fight(data: GameData, fight: Fight) -> str:
    """How the other side fights in a box, as an order."""
    return " ".join(["defend", *_fight(data, fight)])


def _fight(data: GameData, fight: Fight) -> Iterator[str]:
    yield written_box(data, fight.box)
    if fight.event:
        yield f"with {written_event(fight.event)}"
    if fight.losses:
        yield f"losses {_units(data, fight.losses)}"
    if fight.leave:
        yield "leave"
    if fight.retreat:
        yield f"retreat {' or '.join(written_box(data, box) for box in fight.retreat)}"


def _units(data: GameData, units: Sequence[str]) -> str:
    return ", ".join(written_unit(data, unit) for unit in units)


def _boxes(data: GameData, boxes: Sequence[str]) -> str:
    return ", ".join(written_box(data, box) for box in boxes)

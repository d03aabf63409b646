"""The order language: what the lines of a sheet mean."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from lark import Token, Transformer

from pbem.games.westerplatte.activation import describe
from pbem.games.westerplatte.answers import (
    Activation,
    AnyOrder,
    Bombard,
    FaceCard,
    Fire,
    GermanSetup,
    Move,
    Placed,
    PolishSetup,
    Recover,
    Suppress,
)
from pbem.games.westerplatte.data_files import GameData
from pbem.games.westerplatte.misread import misread
from pbem.rules.names import Names
from pbem.rules.play import Answer, Question
from pbem.rules.refusal import Refusal, Refused, shown
from pbem.rules.sheet import (
    TAKE_A_MARK_OR_PASS,
    SheetLine,
    at_line,
    each_once,
    name_of,
    parse_line,
    read_each,
    read_sheet,
    resolver,
)

GRAMMAR = r"""
order: move | fire | recover | bombard | suppress | place | pass | then | blocked | face | bare
move: (MOVE | ENTER) name TO name
fire: FIRE names TO targets [FACE PLAN]
recover: RECOVER name
bombard: MARKER TO name [FACE PLAN]
suppress: MARKER SUPPRESS name
place: PLACE name TO name
pass: PASS
then: THEN PLAN
blocked: BLOCKED PLAN
face: FACE PLAN
bare: BARE
names: name (("," | AND) name)*
targets: name (OR name)*
MOVE.5: /move(?![\w-])/i
ENTER.5: /enter(?![\w-])/i
FIRE.5: /(fire|attack)(?![\w-])/i
RECOVER.5: /recover(?![\w-])/i
MARKER.5: /(air|oba)(?![\w-])/i
SUPPRESS.5: /suppress(?![\w-])/i
PLACE.5: /place(?![\w-])/i
PASS.5: /pass(?![\w-])/i
THEN.5: /then(?![\w-])/i
BLOCKED.5: /if +blocked(?![\w-])/i
FACE.5: /face(?![\w-])/i
AND.5: /and(?![\w-])/i
BARE.5: /(redraw|miss)(?![\w-])/i
PLAN.6: /(redraw|miss|ask|end|skip)(?![\w-])/i
"""
FORMS = {
    ("activation", "german"): (
        "move MAS-1 to A",
        "fire MAS-1, MAS-2 at PL-1",
        "recover MAS-1",
        "oba at PL-1",
        "air suppress GH1",
        "pass",
    ),
    ("activation", "polish"): ("move PL-1 to GH1", "fire PL-1, PL-2 at MAS-1", "recover PL-1", "pass"),
    ("polish_setup", "polish"): ("place PL-1 in GH1",),
    ("german_setup", "german"): ("place BB in Wa",),
    ("face_card", "german"): ("face redraw", "face miss"),
    ("face_card", "polish"): ("face redraw", "face miss"),
}
"""How orders are written, by the question and the role that is asked."""
EMPTY = {
    "activation": TAKE_A_MARK_OR_PASS,
    "polish_setup": "write a line for each unit, as the sheet of `pbem orders` has them",
}
"""What to do with a sheet that says nothing; of other sheets one line is chosen."""
MOST_TARGETS = 8
MOST_LINES = 32


@dataclass(frozen=True, slots=True)
class Setting:
    """A line that is no order: `then ask`, `if blocked ask`, `face miss`, `pass`."""

    name: Literal["then", "blocked", "face", "pass"]
    value: str = ""


Item: TypeAlias = AnyOrder | Placed | Setting
_PLANS = {"then": ("end", "ask"), "blocked": ("skip", "ask"), "face": ("redraw", "miss", "ask")}


class _Meaning(Transformer[Token, Item]):
    """From the tree of one line to what it says."""

    def __init__(self, data: GameData, line: SheetLine) -> None:
        super().__init__()
        self._line = line
        self._unit = resolver(line, "a unit", unit_names(data))
        self._area = resolver(line, "an area", area_names(data))

    def order(self, items: Sequence[Any]) -> Item:
        (item,) = items
        found: Item = item
        return found

    def name(self, tokens: Sequence[Token]) -> tuple[str, int]:
        return name_of(tokens)

    names = targets = staticmethod(lambda items: [item for item in items if isinstance(item, tuple)])

    def move(self, items: Sequence[Any]) -> Move:
        return Move(unit=self._unit(*items[1]), to=self._area(*items[3]))

    def fire(self, items: Sequence[Any]) -> Fire:
        units = tuple(self._unit(*name) for name in items[1])
        if len(units) > 2:
            raise Refused(
                (self._refusal("combat.too_many", f"expected one or two firing units, got {len(units)}", "combat.6"),)
            )
        found = [(self._unit(*name), name[1]) for name in items[3]]
        if len(found) > MOST_TARGETS:
            text = f"expected at most {MOST_TARGETS} targets to choose from, got {len(found)}"
            raise Refused((self._refusal("combat.too_many_targets", text, "combat.6"),))
        targets = each_once(self._line, "target", found, str, "combat.6")
        return Fire(units=units, targets=targets, face=self._plan("face", items[5], "redraw"))

    def recover(self, items: Sequence[Any]) -> Recover:
        return Recover(unit=self._unit(*items[1]))

    def bombard(self, items: Sequence[Any]) -> Bombard:
        marker: Any = str(items[0]).lower()
        return Bombard(marker=marker, target=self._unit(*items[2]), face=self._plan("face", items[4], "redraw"))

    def suppress(self, items: Sequence[Any]) -> Suppress:
        if str(items[0]).lower() != "air":
            raise Refused(
                (self._refusal("support.suppress", "expected the air marker to suppress, got oba", "support.6"),)
            )
        return Suppress(area=self._area(*items[2]))

    def place(self, items: Sequence[Any]) -> Placed:
        return Placed(unit=self._unit(*items[1]), area=self._area(*items[3]))

    def then(self, items: Sequence[Any]) -> Setting:
        return Setting("then", self._plan("then", items[1], "end"))

    def blocked(self, items: Sequence[Any]) -> Setting:
        return Setting("blocked", self._plan("blocked", items[1], "skip"))

    def face(self, items: Sequence[Any]) -> Setting:
        return Setting("face", self._plan("face", items[1], "redraw"))

    def bare(self, items: Sequence[Any]) -> Setting:
        """`redraw` or `miss` alone, as a face card is answered."""
        return Setting("face", str(items[0]).lower())

    def _plan(self, what: str, token: Token | None, default: str) -> Any:
        plan = str(token).lower() if token else default
        if plan not in _PLANS[what]:
            text = f"expected '{what}' with {' or '.join(_PLANS[what])}, got '{plan}'"
            raise Refused((self._refusal("orders.plan", text, "", token.column if token else 1),))
        return plan

    def _refusal(self, code: str, text: str, rule: str, column: int | None = 1) -> Refusal:
        return Refusal(code, text, rule, "", self._line.number, self._line.indent + (column or 1))


setattr(_Meaning, "pass", lambda _self, _items: Setting("pass"))  # a keyword of Python's, and a word of the language


def unit_names(data: GameData) -> Names:
    """Units by id and name."""
    return Names({unit.id: (unit.name,) for unit in data.units.values()})


def area_names(data: GameData) -> Names:
    """Areas by id and name."""
    return Names({area.id: (area.name,) for area in data.areas.values()})


def read_items(data: GameData, lines: Sequence[SheetLine], forms: Sequence[str]) -> list[tuple[SheetLine, Item]]:
    """What every line says; Refused with the reasons of all unreadable lines."""

    def items(line: SheetLine) -> tuple[Item, ...]:
        try:
            return (parse_line(GRAMMAR, line, _Meaning(data, line), forms),)
        except Refused as refused:
            raise Refused([_explained(data, line, one, forms) for one in refused.refusals]) from None

    return read_each(lines, items)


def _explained(data: GameData, line: SheetLine, refusal: Refusal, forms: Sequence[str]) -> Refusal:
    if refusal.code != "orders.unreadable":
        return refusal
    return misread(line, refusal, forms, lambda word: _is_named(data, word))


def _is_named(data: GameData, word: str) -> bool:
    found = [names.find(word) for names in (unit_names(data), area_names(data))]
    return any(one.id or one.candidates for one in found)


def read_answer(data: GameData, question: Question[Any], text: str) -> Answer:
    """The answer that a sheet gives to a question, checked; Refused with line and column of every reason."""
    forms = FORMS[question.kind, question.role]
    items = read_items(data, read_sheet(text).lines, forms)
    if all(isinstance(item, Setting) and item.name in ("then", "blocked") for _, item in items):
        hint = EMPTY.get(question.kind, "take the mark '#' away from the line of the sheet that you choose")
        raise Refused((Refusal("orders.empty", f"expected an order such as {' / '.join(forms)}, got none", "", hint),))
    answer = _answer(question, items, forms)
    refusals = question.check(answer)
    if refusals:
        lines = [line for line, item in items if not isinstance(item, Setting)]
        raise Refused([at_line(refusal, lines) for refusal in refusals])
    return answer


def _answer(question: Question[Any], items: Sequence[tuple[SheetLine, Item]], forms: Sequence[str]) -> Answer:
    wanted: tuple[type, ...] = (
        (Placed,) if question.kind.endswith("setup") else (Move, Fire, Recover, Bombard, Suppress)
    )
    names = {"activation": ("then", "blocked", "pass"), "face_card": ("face",)}.get(question.kind, ())
    for line, item in items:
        fits = (
            item.name in names
            if isinstance(item, Setting)
            else isinstance(item, wanted) and question.kind != "face_card"
        )
        if not fits:
            text = f"expected an order such as {' / '.join(forms)}, got '{shown(line.text)}'"
            raise Refused((Refusal("orders.kind", text, "", "", line.number, line.indent + 1),))
    _refuse_contradictions(items)
    _refuse_behind_then(items)
    if len(items) > MOST_LINES:
        raise Refused((Refusal("orders.too_many", f"expected at most {MOST_LINES} lines, got {len(items)}"),))
    return _of_kind(question, [item for _, item in items])


def _refuse_contradictions(items: Sequence[tuple[SheetLine, Item]]) -> None:
    """A plan may be written twice, but not in two ways."""
    first: dict[str, Setting] = {}
    for line, item in items:
        if isinstance(item, Setting) and first.setdefault(item.name, item) != item:
            text = f"expected '{item.name}' with one plan, got {first[item.name].value} and {item.value}"
            raise Refused((Refusal("orders.contradiction", text, "", "", line.number, line.indent + 1),))


def _refuse_behind_then(items: Sequence[tuple[SheetLine, Item]]) -> None:
    """`then ask` and `then end` come last: what stands behind would be signed before anything is asked (ruling 18)."""
    refusals: list[Refusal] = []
    first: SheetLine | None = None
    for line, item in items:
        if isinstance(item, Setting) and item.name in ("then", "blocked"):
            first = first or (line if item.name == "then" else None)
        elif first:
            text = f"expected no order behind '{shown(first.text)}', got '{shown(line.text)}'"
            hint = f"move '{shown(first.text)}' to the end, or order this when you are asked again"
            refusals.append(Refusal("orders.after_ask", text, "", hint, line.number, line.indent + 1))
    if refusals:
        raise Refused(refusals)


def _of_kind(question: Question[Any], items: Sequence[Item]) -> Answer:
    settings = {item.name: item.value for item in items if isinstance(item, Setting)}
    placed = tuple(item for item in items if isinstance(item, Placed))
    if question.kind == "polish_setup":
        return PolishSetup(placed=placed)
    if question.kind == "german_setup":
        return GermanSetup(placed=placed)
    if question.kind == "face_card":
        if settings["face"] == "ask":
            raise Refused((Refusal("orders.plan", "expected 'face' with redraw or miss, got 'ask'", "combat.15"),))
        return FaceCard.model_validate({"face": settings["face"]})
    orders = tuple(item for item in items if not isinstance(item, Setting | Placed))
    if orders and "pass" in settings:
        raise Refused((Refusal("orders.pass", "expected orders or a pass, got both", "turn.3"),))
    fields = {"orders": orders, "then": settings.get("then", "end"), "blocked": settings.get("blocked", "skip")}
    return Activation.model_validate(fields)


def write_answer(answer: Answer) -> str:
    """An answer in the order language, one order a line."""
    if isinstance(answer, PolishSetup | GermanSetup):
        return "\n".join(f"place {item.unit} in {item.area}" for item in answer.placed)
    if isinstance(answer, FaceCard):
        return f"face {answer.face}"
    assert isinstance(answer, Activation)
    lines = [describe(order) for order in answer.orders] or ["pass"]
    lines += ["then ask"] if answer.then == "ask" else []
    lines += ["if blocked ask"] if answer.blocked == "ask" else []
    return "\n".join(lines)

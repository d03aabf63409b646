"""The order language: which lines a question takes, the answer that they make, and answers written back.

The words are in `grammar.py`, names in `names.py`, what a line means in `meaning.py`; what may be ordered is in the
sections of the rules.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from pbem.games.polska1939.answers import (
    AirMissions,
    AttackOrder,
    Attacks,
    Bomb,
    Intercepts,
    Join,
    Load,
    LossOrder,
    Move,
    Placed,
    Raid,
    Stand,
    Travel,
)
from pbem.games.polska1939.data_files import GameData
from pbem.games.polska1939.grammar import LANGUAGE
from pbem.games.polska1939.meaning import Intercepted, Item, Meaning, Order, Setting
from pbem.games.polska1939.misread import VERBS, when_asked
from pbem.games.polska1939.names import written_area, written_region, written_unit
from pbem.games.polska1939.state import Side, State
from pbem.rules.phrases import made
from pbem.rules.play import Answer, Question
from pbem.rules.refusal import Refusal, Refused, shown
from pbem.rules.sheet import SheetLine, at_line, read_sheet

FORMS: Mapping[Side, Mapping[str, tuple[str, ...]]] = {
    Side.GERMAN: {
        "slovak_setup": ("place 1 INF in G47",),
        "intercepts": ("intercept Nidzica, Wielbark", "pass"),
        "air_missions": ("bomb Mława with BOM 1", "bomb Mława with OFF 2", "attacks later", "no attacks", "pass"),
        "rail_raids": ("raid Kielce with 2", "pass"),
        "bomb_losses": ("losses Nidzica 11 INF, 61 INF", "pass"),
        "attacks": ('attack Mława with 11 INF, "Kempf" ARM support HQ I air 1', "pass"),
        "defence": ("defend Nidzica stay hq I retreat Wielbark or Olsztyn losses 61 INF", "pass"),
        "moves": ("move 11 INF to Mława", "pass"),
    },
    Side.POLISH: {
        "intercepts": ("intercept Warszawa, Modlin", "pass"),
        "air_missions": ("bomb Nidzica with BOM 1", "bomb Nidzica with OFF 1", "attacks later", "no attacks", "pass"),
        "bomb_losses": ("losses Mława 20 INF, 8 INF", "pass"),
        "attacks": ('attack Nidzica with 20 INF, "Mazowiecka" CAV support HQ Modlin', "pass"),
        "defence": ("defend Mława stay hq Modlin retreat Żuromin or Ciechanów losses 20 INF", "pass"),
        "moves": ("move 27 INF to P48", "load 24 INF", "train 2 INF to Warszawa", "join 9 INF at Koronowo", "pass"),
        "destinations": ("destination 24 INF Tarnów",),
    },
}
"""Orders that each kind of question takes, as examples with units of the side that is asked."""
NOTHING: Mapping[str, tuple[str, ...]] = {
    "intercepts": ("intercepts", "interceptions"),
    "air_missions": ("bombs", "missions", "bombing"),
    "rail_raids": ("raids",),
    "bomb_losses": ("losses",),
    "attacks": ("attacks",),
    "defence": ("defence",),
    "moves": ("moves",),
}
"""`no bombs`, `no moves`: the words that say that nothing is ordered of what a question asks for."""
SHARED = ("air.crowded", "air.twice", "intercept.twice", "load.twice", "losses.twice", "rail.twice")
"""Reasons that say how often a thing is named, and so are the same for every line that names it."""
_LISTS: Mapping[str, tuple[tuple[str, type], ...]] = {
    "slovak_setup": (("placed", Placed),),
    "intercepts": (("areas", Intercepted),),
    "air_missions": (("bombs", Bomb), ("attacks", AttackOrder)),
    "rail_raids": (("raids", Raid),),
    "bomb_losses": (("areas", LossOrder),),
    "attacks": (("attacks", AttackOrder),),
    "defence": (("stands", Stand),),
    "moves": (("moves", Move), ("travels", Travel), ("loads", Load), ("joins", Join)),
    "destinations": (("travels", Travel),),
}
"""The fields of each answer in the order in which refusals count their items, and what stands in them."""


Read: TypeAlias = Sequence[tuple[SheetLine, Item]]


# ---------------------------------------------------------------------- reading


def read_orders(data: GameData, question: Question[Any], state: State, text: str) -> Answer:
    """The answer that a sheet gives to a question, checked; Refused with line and column of every reason."""
    lines, side = read_sheet(text).lines, Side(question.role)
    read = read_items(data, state, side, lines, forms_of(question.kind, side))
    _refuse_empty(question.kind, side, read)
    _refuse_foreign(question.kind, side, read)
    _refuse_contradictions(question.kind, read)
    answer = _answer(question, read)
    refusals = question.check(answer)
    if refusals:
        numbered = [line for _, one in _LISTS[question.kind] for line, item in read if isinstance(item, one)]
        told = _told_once([at_line(refusal, numbered) for refusal in refusals])
        raise Refused(sorted(told, key=lambda refusal: (not refusal.line, refusal.line)))
    return answer


def forms_of(kind: str, side: Side) -> tuple[str, ...]:
    """Examples of what a kind of question takes: of the side, or of the other where it is hardly ever asked."""
    return FORMS[side].get(kind) or FORMS[side.enemy][kind]


def read_items(
    data: GameData, state: State, side: Side, lines: Sequence[SheetLine], forms: Sequence[str]
) -> list[tuple[SheetLine, Item]]:
    """What every line says; Refused with the reasons of all unreadable lines."""
    meaning = Meaning(data, state, side)
    return VERBS.read_each(lines, forms, lambda line: meaning.items(LANGUAGE.read(line, forms)))


def read_attack(data: GameData, state: State, side: Side, text: str) -> AttackOrder:
    """The attack that one line orders, unchecked; Refused for anything else."""
    forms = forms_of("attacks", side)[:1]
    lines = read_sheet(text).lines
    orders = [item for _, item in read_items(data, state, side, lines, forms)]
    if len(orders) == 1 and isinstance(orders[0], AttackOrder):
        return orders[0]
    got = f"'{shown(lines[0].text)}'" if lines else "none"
    raise Refused((Refusal("orders.kind", f"expected one order such as {forms[0]}, got {got}"),))


def _told_once(refusals: Sequence[Refusal]) -> list[Refusal]:
    """A fault that several lines have together, against the last of them; checks tell it of each."""
    last = {(one.code, one.text): one for one in refusals if one.code in SHARED}
    return [one for one in refusals if one.code not in SHARED or last[one.code, one.text] is one]


def _refuse_empty(kind: str, side: Side, read: Read) -> None:
    if not read:
        hint = "take the mark '#' away from a line of the sheet" + (", or write 'pass'" if kind in NOTHING else "")
        text = f"expected an order such as {' / '.join(forms_of(kind, side))}, got none"
        raise Refused((Refusal("orders.empty", text, "", hint),))


def _refuse_foreign(kind: str, side: Side, read: Read) -> None:
    refusals = [_foreign(kind, side, line, item) for line, item in read if not _fits(kind, item)]
    if refusals:
        raise Refused(refusals)


def _foreign(kind: str, side: Side, line: SheetLine, item: Item) -> Refusal:
    text = f"expected an order such as {' / '.join(forms_of(kind, side))}, got '{shown(line.text)}'"
    meant = _kind_of(item)
    hint = when_asked(meant, side) if meant else ""
    return Refusal("orders.kind", text, "", hint, line.number, line.indent + 1)


def _kind_of(item: Item) -> str:
    """The kind of question that an order answers, empty for a word that answers several."""
    if isinstance(item, Setting):
        value = "attacks" if item.name == "attacks" else item.value
        return next((kind for kind, words in NOTHING.items() if value in words), "")
    if isinstance(item, AttackOrder):
        return "attacks"
    return next(kind for kind, lists in _LISTS.items() if isinstance(item, tuple(one for _, one in lists)))


def _fits(kind: str, item: Item) -> bool:
    if not isinstance(item, Setting):
        return isinstance(item, tuple(one for _, one in _LISTS[kind]))
    if item.name == "attacks":
        return kind == "air_missions" or (kind == "attacks" and item.value == "none")
    return kind in NOTHING and (item.name == "pass" or item.value in NOTHING[kind])


def _refuse_contradictions(kind: str, read: Read) -> None:
    """Nothing and something of the same kind, or two things about the attacks behind air missions."""
    if not any(isinstance(item, Setting) for _, item in read):
        return
    refusals: list[Refusal] = []
    for number, (line, item) in enumerate(read):
        rivals = [rival for rival, other in read[:number] if _contradict(kind, item, other)]
        if rivals:
            text = f"expected orders that agree with '{shown(rivals[0].text)}', got '{shown(line.text)}'"
            refusals.append(Refusal("orders.contradiction", text, "", "", line.number, line.indent + 1))
    now = next((line for line, item in read if item == Setting("attacks", "now")), None)
    if now and not any(isinstance(item, AttackOrder) for _, item in read):
        text, hint = "expected attacks with 'attacks now', got none", "write 'no attacks' to make none"
        refusals.append(Refusal("orders.contradiction", text, "", hint, now.number, now.indent + 1))
    if refusals:
        raise Refused(refusals)


def _contradict(kind: str, one: Item, other: Item) -> bool:
    """Whether two items of a sheet cannot both be meant."""
    if isinstance(other, Setting) and not isinstance(one, Setting):
        one, other = other, one
    if not isinstance(one, Setting):
        return False
    if isinstance(other, Setting):
        return one.name == other.name == "attacks" and one.value != other.value
    if one.name == "attacks":
        return one.value != "now" and isinstance(other, AttackOrder)
    return one.name == "pass" or isinstance(other, _LISTS[kind][0][1])


def _answer(question: Question[Any], read: Read) -> Answer:
    """The answer of a question's kind that the items make."""
    kind = question.kind
    lists = {name: tuple(item for _, item in read if isinstance(item, one)) for name, one in _LISTS[kind]}
    if kind == "intercepts":
        return made(Intercepts, None, areas=tuple(item.area for _, item in read if isinstance(item, Intercepted)))
    if kind == "air_missions":
        return made(AirMissions, None, bombs=lists["bombs"], attacks=_planned(read, lists["attacks"]))
    answer: Answer = made(question.model, None, **lists)
    return answer


def _planned(read: Read, attacks: Sequence[Any]) -> Attacks | None:
    """The attacks behind air missions: those of the sheet, none when it says so, else the player is asked again."""
    if attacks or any(item == Setting("attacks", "none") for _, item in read):
        return made(Attacks, None, attacks=tuple(attacks))
    return None


# ---------------------------------------------------------------------- writing


def write_orders(data: GameData, answer: Answer) -> str:
    """An answer in the order language, one order a line; `read_orders` gives the same answer back."""
    writer = _Writer(data)
    match answer:
        case Intercepts(areas=areas):
            lines = [f"intercept {writer.areas(areas)}"] if areas else []
        case AirMissions():
            return "\n".join(writer.air_missions(answer))
        case _:
            orders = [order for name, _ in _LISTS[answer.kind] for order in getattr(answer, name)]
            lines = [writer.order(order) for order in orders]
    return "\n".join(lines or ["pass"])


class _Writer:
    """Writes orders with names that read back."""

    def __init__(self, data: GameData) -> None:
        self._data = data

    def air_missions(self, answer: AirMissions) -> Iterator[str]:
        """Missions, and what is said about the attacks behind them."""
        attacks = answer.attacks.attacks if answer.attacks else ()
        yield from map(self.order, answer.bombs)
        if not answer.bombs and not attacks:
            yield "no bombs"
        yield from map(self.order, attacks)
        if not attacks:
            yield "attacks later" if answer.attacks is None else "no attacks"

    def order(self, order: Order) -> str:
        """One order."""
        match order:
            case AttackOrder():
                return self.attack(order)
            case Stand():
                return self.stand(order)
            case Move(unit=unit, to=to, via=via):
                way = f" via {self.areas(via)}" if via else ""
                return f"move {self.unit(unit)} to {self.area(to)}{way}"
            case Bomb(air=air, number=number, area=area):
                return f"bomb {self.area(area)} with {air.upper()} {number}"
            case LossOrder(area=area, first=first):
                return f"losses {self.units(first)} in {self.area(area)}" if first else f"losses {self.area(area)}"
            case _:
                return self._short(order)

    def _short(self, order: Any) -> str:
        match order:
            case Raid(region=region, bombers=bombers):
                return f"raid {written_region(region)} with {bombers}"
            case Load(unit=unit):
                return f"load {self.unit(unit)}"
            case Travel(unit=unit, to=to):
                return f"train {self.unit(unit)} to {self.area(to)}"
            case Join(area=area):
                return f"join at {self.area(area)}"
            case Placed(unit=unit, area=area):
                return f"place {self.unit(unit)} in {self.area(area)}"
            case _:
                raise TypeError(f"no order: {order!r}")

    def attack(self, order: AttackOrder) -> str:
        """An attack with everything that is not left to the rules."""
        parts = [f"attack {self.area(order.target)} with {self.units(order.units)}"]
        parts += [f"support {self.units(order.headquarters)}"] if order.headquarters else []
        parts += [f"air {order.air}"] if order.air else []
        parts += [f"losses {self.units(order.losses)}"] if order.losses else []
        parts += self._advance(order)
        parts += [f"if {self.area(order.when_taken)} taken"] if order.when_taken else []
        parts += [f"unless {self.area(order.unless_taken)} taken"] if order.unless_taken else []
        return " ".join(parts)

    def _advance(self, order: AttackOrder) -> list[str]:
        if order.advance == "all":
            return []
        whole = order.advance if isinstance(order.advance, str) else self.units(order.advance)
        return [f"advance {whole or 'nobody'}"]

    def stand(self, stand: Stand) -> str:
        """How an area is defended."""
        parts = [f"defend {self.area(stand.area)}"]
        parts += ["stay"] if stand.stay else []
        parts += [f"hq {self.unit(stand.headquarters)}"] if stand.headquarters else []
        parts += [f"retreat {' or '.join(map(self.area, stand.to))}"] if stand.to else []
        parts += [f"losses {self.units(stand.losses)}"] if stand.losses else []
        return " ".join(parts)

    def unit(self, unit: str) -> str:
        """A unit's name; the id of one that the game does not have."""
        return written_unit(self._data, unit)

    def units(self, units: Sequence[str]) -> str:
        return ", ".join(map(self.unit, units))

    def area(self, area: str) -> str:
        return written_area(self._data, area)

    def areas(self, areas: Sequence[str]) -> str:
        return ", ".join(map(self.area, areas))

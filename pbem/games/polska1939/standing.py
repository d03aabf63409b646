"""Standing orders: what a player has answered beforehand, above all for the enemy's phases.

Each line is about one thing: attacked areas (`stand`, `retreat`), losses, or own phases that are passed. Left
out: what is answered in secret (intercepts, raids, destinations), since a program never seals by itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pbem.games.polska1939.answers import AirMissions, BombLosses, Defence, LossOrder, Stand
from pbem.games.polska1939.data_files import GameData
from pbem.games.polska1939.names import Namer, namer
from pbem.games.polska1939.s5_battle import defenders_of
from pbem.games.polska1939.s5_defence import attacked_areas, may_stay
from pbem.games.polska1939.s5_retreat import retreat_areas
from pbem.games.polska1939.state import AreaId, Occupation, Side, State, Unit
from pbem.log.event import Role
from pbem.rules.play import Answer, Question
from pbem.rules.refusal import Refusal, Refused, shown
from pbem.rules.sheet import SheetLine, read_sheet, refuse_without_orders
from pbem.rules.spelling import resolved

FORMS = (
    "# One standing order a line. With 'stand' or 'retreat' and 'losses' you are never asked in the enemy's phases,",
    "# but for what must be sealed (intercepts, raids, destinations): that is always asked.",
    "# stand everywhere               # stay wherever the fortification allows it, else retreat",
    "# stand at Mława, Modlin         # stay there; elsewhere you are asked, or another line says what to do",
    "# retreat everywhere             # never stay",
    "# retreat toward Warszawa        # to the area nearest to it; with 'stand at', wherever that does not apply",
    "# losses strongest               # under bombs and in defence the strongest unit loses first",
    "# losses weakest                 # the weakest loses first",
    "# losses first 8 INF, 20 INF     # these lose before all others, in this order",
    "# no attacks                     # pass every attack phase of your own",
    "# no bombs                       # send out no air units",
    "# hold                           # pass every movement phase of your own",
    "# pass always                    # whatever no other line answers: pass, or the default",
    "# A text with nothing in it takes all of them back.",
)
EXAMPLE = "stand everywhere / retreat toward Warszawa / losses strongest / no attacks / hold / pass always"
ROUTINE: Mapping[Side, str] = {
    Side.GERMAN: "stand everywhere\nlosses strongest\n",
    Side.POLISH: "stand everywhere\nretreat toward Warszawa\nlosses strongest\n",
}
"""What leaves the enemy's phases to the program, as a demo wants it."""
MOST_AREAS = 12
_PASSES: Mapping[str, str] = {
    "no attacks": "attacks",
    "attack never": "attacks",
    "no bombs": "air_missions",
    "bomb never": "air_missions",
    "hold": "moves",
    "no moves": "moves",
}
"""Lines that pass a kind of question, and the kind."""
_SEALED = re.compile(r"(?:no +)?(intercepts?|raids?|destinations?)\b", re.IGNORECASE)
_FORMS: Mapping[str, re.Pattern[str]] = {
    "stand": re.compile(r"stand +(?:(everywhere)|at +(?P<names>.+))\Z", re.IGNORECASE),
    "retreat": re.compile(r"retreat +(?:(everywhere)|(?:towards?|to) +(?P<names>.+))\Z", re.IGNORECASE),
    "first": re.compile(r"losses +first +(?P<names>.+)\Z", re.IGNORECASE),
    "losses": re.compile(r"losses +(strongest|weakest)\Z", re.IGNORECASE),
}
_NAME = re.compile(r" *(.+?) *(?:,|(?<= )and +|\Z)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Setting:
    """A line: what it is about, a word (`everywhere`, `weakest`) or the ids of what it names."""

    line: SheetLine
    about: str
    word: str = ""
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Standing:
    """All lines of a text, by what they are about."""

    settings: Mapping[str, Setting] = field(default_factory=dict)
    passes: frozenset[str] = frozenset()
    passes_all: bool = False

    @property
    def defends(self) -> bool:
        """Whether a line says to stand or to retreat."""
        return "stand" in self.settings or "retreat" in self.settings

    def word(self, about: str) -> str:
        return self.settings[about].word if about in self.settings else ""

    def names(self, about: str) -> tuple[str, ...]:
        return self.settings[about].names if about in self.settings else ()


# ---------------------------------------------------------------------- reading


def check_standing(data: GameData, role: Role, text: str) -> None:
    """Refused for standing orders that are none, or that could never answer; blank text is right."""
    refuse_without_orders(text, EXAMPLE)
    read_standing(data, role, text)


def read_standing(data: GameData, role: Role, text: str) -> Standing:
    """The standing orders of a text; Refused with every reason against its lines."""
    names = namer(data, None, Side(role))
    settings: list[Setting] = []
    refusals: list[Refusal] = []
    for line in read_sheet(text).lines:
        try:
            settings.append(_setting(names, line))
        except Refused as refused:
            refusals.extend(refused.refusals)
    refusals += _second_lines(settings)
    if refusals:
        raise Refused(refusals)
    passed = frozenset(setting.word for setting in settings if setting.about == "pass")
    found = {setting.about: setting for setting in settings if setting.about != "pass"}
    return Standing(found, passed - {"always"}, "always" in passed)


def _setting(names: Namer, line: SheetLine) -> Setting:
    plain = " ".join(line.text.casefold().split())
    if plain == "pass always":
        return Setting(line, "pass", "always")
    if plain in _PASSES:
        return Setting(line, "pass", _PASSES[plain])
    for about, form in _FORMS.items():
        if match := form.match(line.text):
            return _matched(names, line, about, match)
    if sealed := _SEALED.match(line.text):
        text = f"expected a standing order about something that is answered in the open, got '{shown(line.text)}'"
        hint = f"{sealed[1].lower().rstrip('s')}s are sealed, and what is sealed is always asked"
        raise Refused((_refusal("orders.standing_sealed", text, line, hint),))
    text = f"expected a standing order such as {EXAMPLE}, got '{shown(line.text)}'"
    raise Refused((_refusal("orders.standing", text, line),))


def _matched(names: Namer, line: SheetLine, about: str, match: re.Match[str]) -> Setting:
    word = (match[1] or "").lower()
    if "names" not in match.groupdict() or not match["names"]:
        return Setting(line, about, word)
    what, look = ("a unit", names.unit) if about == "first" else ("an area", names.area)
    found = _NAME.finditer(line.text, match.start("names"))
    ids = tuple(resolved(line, what, look, name[1].strip('"'), name.start(1) + 1) for name in found)
    return Setting(line, about, "", ids)


def _second_lines(settings: Sequence[Setting]) -> Iterator[Refusal]:
    """Two lines about one thing, and `retreat everywhere` beside `stand everywhere`."""
    seen: dict[tuple[str, str], Setting] = {}
    for setting in settings:
        if setting.about == "pass":
            key = ("pass", setting.word)
        else:
            key = ("everywhere", "") if setting.word == "everywhere" else (setting.about, "")
        first = seen.get(key) or seen.get((setting.about, ""))
        if first is not None:
            text = f"expected lines that agree with '{shown(first.line.text)}', got '{shown(setting.line.text)}'"
            yield _refusal("orders.standing_twice", text, setting.line)
        seen |= {key: setting, (setting.about, key[1]): setting}


def _refusal(code: str, text: str, line: SheetLine, hint: str = "") -> Refusal:
    return Refusal(code, text, "", hint, line.number, line.indent + 1)


# ---------------------------------------------------------------------- answering


def standing_answer(data: GameData, question: Question[Any], state: State, text: str) -> Answer | None:
    """What standing orders answer, None when they leave the question to the player."""
    standing = read_standing(data, question.role, text)
    answer: Answer | None = None
    if question.kind == "defence":
        answer = _defence(data, state, standing)
    elif question.kind == "bomb_losses" and _says_who_loses(standing):
        answer = _bomb_losses(question, state, standing)
    elif question.kind in standing.passes:
        answer = _passed(question)
    if answer is None and standing.passes_all:
        answer = question.default
    return answer


def _passed(question: Question[Any]) -> Answer:
    """Nothing is ordered; without bombs, attacks are asked for on their own."""
    passed: Answer = AirMissions() if question.kind == "air_missions" else question.model()
    return passed


def _says_who_loses(standing: Standing) -> bool:
    return "losses" in standing.settings or "first" in standing.settings


def _bomb_losses(question: Question[Any], state: State, standing: Standing) -> BombLosses:
    """Who loses first in every bombed area with a choice, which the options name."""
    areas = dict.fromkeys(AreaId(order.area) for option in question.legal() for order in option.areas)
    orders = []
    for area in areas:
        first = _losers([unit for unit in state.at(area) if not unit.is_hq], standing)
        orders += [LossOrder(area=area, first=first)] if first else []
    return BombLosses(areas=tuple(orders))


def _losers(units: Sequence[Unit], standing: Standing) -> tuple[str, ...]:
    """Units in the order in which they lose; the rules let the strongest lose where nothing is said."""
    named = [name for name in standing.names("first") if any(unit.id == name for unit in units)]
    if standing.word("losses") != "weakest":
        return tuple(named)
    rest = sorted((unit for unit in units if unit.id not in named), key=lambda unit: (unit.strength, unit.id))
    return (*named, *(unit.id for unit in rest))


def _defence(data: GameData, state: State, standing: Standing) -> Defence | None:
    """How every attacked area is held; None when some area is left open by `stand at`."""
    occupation = Occupation.of(state)
    stands = [_stand(data, state, occupation, area, standing) for area in attacked_areas(state)]
    known = [stand for stand in stands if stand is not None]
    return Defence(stands=tuple(known)) if known and len(known) == len(stands) else None


def _stand(data: GameData, state: State, occupation: Occupation, area: AreaId, standing: Standing) -> Stand | None:
    stays = standing.word("stand") == "everywhere" or area in standing.names("stand")
    if not stays and "retreat" not in standing.settings:
        return None
    units = defenders_of(occupation, area)
    toward = standing.names("retreat")
    return Stand(
        area=area,
        stay=stays and may_stay(data, state, area),
        to=_way_back(data, retreat_areas(data, state, occupation, units), toward) if toward else (),
        losses=_losers([unit for unit in units if not unit.is_hq], standing),
    )


def _way_back(data: GameData, areas: Sequence[AreaId], toward: Sequence[str]) -> tuple[AreaId, ...]:
    """Areas for a retreat, the nearest to the goals first."""
    ranked = sorted(areas, key=lambda area: (min(data.board.distance(area, goal) for goal in toward), area))
    return tuple(ranked[:MOST_AREAS])

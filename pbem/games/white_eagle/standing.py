"""Standing orders: what a player has answered beforehand, above all for the activations of the enemy.

Each line is about one thing: an event, losses, retreats, sieges, late commands. A defence is answered when every choice
in it has its line: an event that is ready, more than one unit for the hits, more than one way back, a siege to leave.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pbem.games.white_eagle.answers import Attempts, Defence, Fight, Interference
from pbem.games.white_eagle.board import BoxId
from pbem.games.white_eagle.data_files import GameData
from pbem.games.white_eagle.forces import UnitId
from pbem.games.white_eagle.kinds import BEFORE_MOVEMENT, GERMAN_COMMANDS, Command, Event, Side
from pbem.games.white_eagle.names import Namer, command, namer
from pbem.games.white_eagle.s8_hits import hits_left
from pbem.games.white_eagle.s8_plans import Combat
from pbem.games.white_eagle.s8_questions import defence_retreats, planned_combats
from pbem.games.white_eagle.state import State, Unit
from pbem.log.event import Role
from pbem.rules.play import Answer, Question
from pbem.rules.refusal import Refusal, Refused, shown
from pbem.rules.sheet import SheetLine, read_each, read_sheet, refuse_without_orders
from pbem.rules.spelling import Match, resolved

FORMS = (
    "# One standing order a line. With a line about each event that helps in defence, 'losses', 'retreat' and 'sieges'",
    "# you are never asked while the enemy is activated.",
    "# sabotage now                   # Polish: slow the next German command that could move",
    "# sabotage against South         # keep it for that command; 'sabotage never' keeps it for good",
    "# luftwaffe now                  # German: the same against Polish commands, by name or 'never'",
    "# train at once                  # Polish: in the first defence in which it helps",
    "# train in Warszawa, Modlin      # only there; 'train never' for no defence at all",
    "# p11 at once                    # Polish: the same; it also helps in attacks, which you order yourself",
    "# stuka in Katowice              # German: the same",
    "# luftwaffe in Modlin            # German: so that besiegers roll when a fort alone attacks them",
    "# losses spread                  # full units are reduced before any is eliminated, the least useful first",
    "# losses weakest                 # the unit that hits least takes all it can first; 'losses strongest': the other",
    "# losses first Lodz INF          # these take hits before all others, in this order",
    "# retreat toward Warszawa        # of the ways that are open, to the box nearest to it",
    "# retreat to Modlin, Warszawa    # to these, in this order, if they are open",
    "# sieges stay                    # keep up a siege that goes against you; 'sieges leave' leaves it",
    "# attempt always                 # German: late commands try to activate; 'attempt never', 'attempt north'",
    "# ask before each combat         # what is said above is weighed anew before each combat of an activation",
    "# pass always                    # whatever no other line answers: pass, or the default",
    "# A text with nothing in it takes all of them back.",
)
EXAMPLE = "sabotage now / train at once / losses spread / retreat toward Warszawa / sieges stay / pass always"
ROUTINE: Mapping[Side, str] = {
    Side.GERMAN: (
        "luftwaffe now\nluftwaffe at once\nstuka at once\nlosses spread\nretreat toward Breslau\nsieges stay\n"
        "attempt always\n"
    ),
    Side.POLISH: "sabotage now\ntrain at once\np11 at once\nlosses spread\nretreat toward Warszawa\nsieges stay\n",
}
"""What leaves the activations of the enemy to the program, as a demo wants it."""
IN_DEFENCE: Mapping[Side, tuple[Event, ...]] = {
    Side.GERMAN: (Event.STUKA, Event.LUFTWAFFE),
    Side.POLISH: (Event.TRAIN, Event.P11),
}
"""Events that a side can use while the other is activated (5.1)."""
MOST_BOXES = 12
_EVENT = r"(?P<event>luftwaffe|sabotage|stuka|train|p\.?11|blitzkrieg)"
_FORMS: Mapping[str, re.Pattern[str]] = {
    about: re.compile(rf"{form}\Z", re.IGNORECASE)
    for about, form in {
        "never": rf"{_EVENT} +never",
        "before": rf"{_EVENT} +(?:(?P<word>now)|against +(?P<names>.+))",
        "combat": rf"{_EVENT} +(?:(?P<word>at +once)|in +(?P<names>.+))",
        "losses": r"losses +(?P<word>spread|weakest|strongest)",
        "first": r"losses +first +(?P<names>.+)",
        "toward": r"retreat +towards? +(?P<names>.+)",
        "retreat": r"retreat +to +(?P<names>.+)",
        "sieges": r"sieges +(?P<word>stay|leave)",
        "attempt": r"attempts? +(?:(?P<word>always|never)|(?P<names>.+))",
        "again": r"ask +(?:me +)?before +(?:each|every) +combat",
        "pass": r"pass +always",
    }.items()
}
_NAME = re.compile(r" *(.+?) *(?:,|(?<= )(?:and|or) +|\Z)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Setting:
    """A line: what it is about, with the event that it names, a word (`weakest`) or the ids of what it names."""

    line: SheetLine
    about: str
    event: Event | None = None
    word: str = ""
    names: tuple[str, ...] = ()

    @property
    def topics(self) -> tuple[str, ...]:
        """What no other line may be about."""
        if self.about == "never" and self.event is Event.LUFTWAFFE:
            return "before/Luftwaffe", "combat/Luftwaffe"
        if self.about == "never":
            return (f"{'before' if self.event is Event.SABOTAGE else 'combat'}/{self.event}",)
        if self.about == "toward":
            return ("retreat",)
        return (f"{self.about}/{self.event}" if self.event else self.about,)


@dataclass(frozen=True, slots=True)
class Standing:
    """All lines of a text, by what they are about."""

    settings: Mapping[str, Setting] = field(default_factory=dict)

    def of(self, topic: str) -> Setting | None:
        return self.settings.get(topic)

    def says(self, topic: str) -> bool:
        """Whether a line is about something; `losses first` says who takes hits, too."""
        return topic in self.settings or (topic == "losses" and "first" in self.settings)

    def word(self, topic: str) -> str:
        return self.settings[topic].word if topic in self.settings else ""

    def names(self, topic: str) -> tuple[str, ...]:
        return self.settings[topic].names if topic in self.settings else ()


# ---------------------------------------------------------------------- reading


def check_standing(data: GameData, role: Role, text: str) -> None:
    """Refused for standing orders that are none, or that could never answer; blank text is right."""
    refuse_without_orders(text, EXAMPLE)
    read_standing(data, role, text)


def read_standing(data: GameData, role: Role, text: str) -> Standing:
    """The standing orders of a text; Refused with every reason against its lines."""
    side = Side(role)
    names = namer(data, None, side)
    read = read_each(read_sheet(text).lines, lambda line: (_setting(names, side, line),))
    settings = [setting for _, setting in read]
    refusals = list(_second_lines(settings))
    if refusals:
        raise Refused(refusals)
    return Standing({topic: setting for setting in settings for topic in setting.topics})


def _setting(names: Namer, side: Side, line: SheetLine) -> Setting:
    for about, form in _FORMS.items():
        if match := form.match(line.text):
            return _matched(names, side, line, about, match)
    text = f"expected a standing order such as {EXAMPLE}, got '{shown(line.text)}'"
    raise Refused((_refusal("orders.standing", text, line),))


def _matched(names: Namer, side: Side, line: SheetLine, about: str, match: re.Match[str]) -> Setting:
    groups = match.groupdict()
    said = groups.get("event")
    event = next(one for one in Event if one.value.casefold() == said.replace(".", "").casefold()) if said else None
    _refuse_useless(side, line, about, event)
    if not groups.get("names"):
        return Setting(line, about, event, (groups.get("word") or "").lower())
    ids = tuple(_named(names, side, line, about, name) for name in _NAME.finditer(line.text, match.start("names")))
    return Setting(line, about, event, "", ids)


def _named(names: Namer, side: Side, line: SheetLine, about: str, match: re.Match[str]) -> str:
    """The id of a unit, a command or a box, as the line is about one."""

    def look(text: str) -> Match:
        if about == "first":
            return names.unit(text)
        if about == "before":
            return command(text, [one for one in Command if one.side is side.enemy])
        return command(text, GERMAN_COMMANDS) if about == "attempt" else names.box(text)

    what = {"first": "a unit", "before": "a command of the enemy", "attempt": "a command"}.get(about, "a box")
    return resolved(line, what, look, match[1].strip('"'), match.start(1) + 1)


def _refuse_useless(side: Side, line: SheetLine, about: str, event: Event | None) -> None:
    """Refused for lines that could never answer a question of this side."""
    hint = ""
    if about == "attempt" and side is not Side.GERMAN:
        hint = "only German commands try to activate late"
    elif event and event.side is not side:
        hint = (
            f"{event.full_name} is {'an' if event.side.adjective[0] in 'AEIOU' else 'a'} {event.side.adjective} event"
        )
    elif event and about == "before" and event is not BEFORE_MOVEMENT[side]:
        hint = f"{event.full_name} does not slow movement; write 'at once', 'in' and boxes, or 'never'"
    elif event and about == "combat" and event not in IN_DEFENCE[side]:
        hint = f"{event.full_name} is not used in defence"
    elif event is Event.BLITZKRIEG:
        hint = f"{event.full_name} is used in attacks, which you order yourself"
    if hint:
        text = f"expected a standing order that could answer for the {side.adjective} side, got '{shown(line.text)}'"
        raise Refused((_refusal("orders.standing_useless", text, line, hint),))


def _second_lines(settings: Sequence[Setting]) -> Iterator[Refusal]:
    """Two lines about one thing."""
    seen: dict[str, Setting] = {}
    for setting in settings:
        first = next((seen[topic] for topic in setting.topics if topic in seen), None)
        if first is not None:
            text = f"expected lines that agree with '{shown(first.line.text)}', got '{shown(setting.line.text)}'"
            yield _refusal("orders.standing_twice", text, setting.line)
        seen |= dict.fromkeys(setting.topics, setting)


def _refusal(code: str, text: str, line: SheetLine, hint: str = "") -> Refusal:
    return Refusal(code, text, "", hint, line.number, line.indent + 1)


# ---------------------------------------------------------------------- answering


def standing_answer(data: GameData, question: Question[Any], state: State, text: str) -> Answer | None:
    """What standing orders answer, None when they leave the question to the player."""
    standing = read_standing(data, question.role, text)
    answer: Answer | None = None
    match question.kind:
        case "interference":
            answer = _interference(state, Side(question.role), standing)
        case "attempts":
            answer = _attempts(question, standing)
        case "defence":
            answer = _defence(data, state, standing)
    return question.default if answer is None and standing.of("pass") else answer


def _interference(state: State, side: Side, standing: Standing) -> Interference | None:
    setting = standing.of(f"before/{BEFORE_MOVEMENT[side]}")
    if setting is None or state.activation is None:
        return None
    return Interference(use=setting.word == "now" or state.activation.command in setting.names)


def _attempts(question: Question[Any], standing: Standing) -> Attempts | None:
    """All that can try, or those that are named, in that order."""
    setting = standing.of("attempt")
    if setting is None:
        return None
    able = max((option.commands for option in question.legal()), key=len)
    if setting.names:
        return Attempts(commands=tuple(Command(name) for name in setting.names if name in able))
    return Attempts(commands=tuple(one for one in GERMAN_COMMANDS if one in able) if setting.word == "always" else ())


def _defence(data: GameData, state: State, standing: Standing) -> Defence | None:
    """How every attacked box is held; None when a choice has no line and is not left to the default."""
    fights: list[Fight] = []
    for _, combat in planned_combats(data, state):
        if any(fight.box == combat.box for fight in fights):
            continue
        ways = defence_retreats(data, state, combat)
        if not standing.of("pass") and not all(map(standing.says, _choices(combat, ways))):
            return None
        event = _event(combat, standing, [fight.event for fight in fights])
        fights.append(_fight(data, state, standing, combat, ways, event))
    return Defence(fights=tuple(fights), ask_again=standing.of("again") is not None)


def _choices(combat: Combat, ways: Sequence[BoxId]) -> Iterator[str]:
    """What a defender has to decide in a combat, by the topics of lines."""
    yield from (f"combat/{event}" for event in combat.defence_events)
    if len(combat.defenders) > 1:
        yield "losses"
    if combat.siege and ways:
        yield "sieges"
    if len(ways) > 1:
        yield "retreat"


def _event(combat: Combat, standing: Standing, used: Sequence[Event | None]) -> Event | None:
    """The first event that helps, is wanted there and was not used for an earlier combat."""
    for event in combat.defence_events:
        setting = standing.of(f"combat/{event}")
        wanted = setting is not None and (setting.word != "" or combat.box in setting.names)
        if wanted and event not in used:
            return event
    return None


def _fight(
    data: GameData, state: State, standing: Standing, combat: Combat, ways: Sequence[BoxId], event: Event | None
) -> Fight:
    units = [state.units[name] for name in combat.defenders]
    return Fight(
        box=combat.box,
        event=event,
        losses=_losers(data, units, standing),
        retreat=_ways_back(data, ways, standing),
        leave=combat.siege and standing.word("sieges") == "leave",
    )


def _losers(data: GameData, units: Sequence[Unit], standing: Standing) -> tuple[UnitId, ...]:
    """Units in the order in which they take hits, each as often as it can; the rules spread what is not said."""
    first = [unit for name in standing.names("first") for unit in units if unit.id == name]
    rest = [unit for unit in units if unit not in first] if standing.word("losses") in ("weakest", "strongest") else []
    rest.sort(key=lambda unit: (-data.factor(unit), data.unit(unit.id).dice, unit.id))
    if standing.word("losses") == "strongest":
        rest.reverse()
    return tuple(unit.id for unit in (*first, *rest) for _ in range(hits_left(data, unit))) if len(units) > 1 else ()


def _ways_back(data: GameData, ways: Sequence[BoxId], standing: Standing) -> tuple[BoxId, ...]:
    """Open boxes in the order that is wanted; the others follow by the rules."""
    setting = standing.of("retreat")
    if setting is None or len(ways) < 2:
        return ()
    if setting.about == "retreat":
        return tuple(BoxId(box) for box in dict.fromkeys(setting.names) if box in ways)
    goals = [BoxId(box) for box in setting.names]
    nearest = sorted(ways, key=lambda box: min(data.board.distance(box, goal) for goal in goals))
    return tuple(nearest[:MOST_BOXES])

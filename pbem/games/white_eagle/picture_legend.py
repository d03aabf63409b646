"""The boxes beside the map: the tracks, the holding areas, and the key (2.1, 2.3)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pbem.games.white_eagle.board import CONTROL_MARKERS
from pbem.rules.picture import Counter, Label, Legend, LegendLine, Mark, Shape

LEFT, RIGHT = 6530, 8304
WIDE = RIGHT - LEFT
HEADING_AT, HEADING_SIZE = (LEFT, 216), 118
SCALE_AT = (3760, 640)
TURNS_AT, TURNS_HIGH = (LEFT, 640), 660
POINTS_AT, POINTS_HIGH = (LEFT, 1330), 520
BREAKDOWN_AT, BREAKDOWN_HIGH = (LEFT, 1880), 320
CHITS_AT, CHITS_HIGH = (LEFT, 2230), 780
RECOVERY_AT, RECOVERY_HIGH = (LEFT, 3040), 280
KEY_AT, KEY_HIGH = (LEFT, 3350), 1480
COUNTERS_AT, COUNTERS_HIGH = (LEFT, 4860), 974
TEXT = 38
TURNS, TURN_DAYS, SEPTEMBER = 10, 4, 30
LAST_BREAKDOWN = 5
END_CHITS = 4
GAP = 14
TURN_NOTES = ("", "AGN, AGS", "Allies", "", "Soviet check", "", "", "9: German win", "9: draw", "9: draw")
"""What begins on each turn (7.3, 6.2, 6.3, 10.0)."""
POINT_NOTES = {0: "dice -2", 1: "dice -1", 6: "Soviets", 9: "end", 12: "win"}
"""What a number of victory points does (6.2, 6.3, 10.0)."""
FACES = (
    ("clear", "polish", "Poland"),
    ("clear", "german", "Germany, East Prussia"),
    ("clear", "free_city", "Free City of Danzig"),
    ("clear", "slovak", "Slovakia"),
    ("clear", "soviet", "Soviet Union"),
    ("abroad", "", "out of play"),
    ("box", "", "box"),
    ("victory_box", "", "victory city"),
    ("siege_space", "", "siege space of a fort"),
)
LINES = (
    ("easy", "easy line, 1 point"),
    ("difficult", "difficult line, 2 points"),
    ("german_soviet", "German/Soviet Line"),
    ("state", "frontier, 1 September 1939"),
    ("river", "river"),
    ("vistula", "Vistula"),
)
SIGNS = (
    (("markers", "1", ""), "control markers it takes"),
    (("markers", "1", "german"), "held by the German side"),
    (("fort", "2", "polish"), "Polish fort and its steps"),
    (("fort", "1", "german"), "German fort, reduced"),
    (("fort", "0", ""), "destroyed fort"),
    (("combat", "", ""), "fight"),
)
NOTES = (
    "Gdynia stands for the fort of Hel. The line follows Pisa, Narew, Vistula and San: what lies",
    "east of it is the Soviet part of Poland. Boxes and lines are a house map; towns: GeoNames",
    "(CC BY 4.0) and own knowledge; frontiers, coasts and rivers: drawn by hand.",
)
SAMPLES = (
    (Counter("", "Łódź", "polish", "cavalry", "5+"), "Polish cavalry, hits on 5 or more"),
    (Counter("", "XIX", "german", "armour", "4+", flags=("dice",)), "German armour: two dice (8.3)"),
    (Counter("", "Bernolak", "slovak", "infantry", "6+", weak=True), "weak: the reduced side"),
    (Counter("", "6th", "soviet", "light_armour", "5+"), "Soviet light armour"),
)
TYPES = (
    ("infantry", "infantry: 2 movement points"),
    ("cavalry", "cavalry: 4"),
    ("light_armour", "light armour: 4"),
    ("armour", "armour: 4"),
)
COUNTER_NOTES = ("Ink: green North, brown", "South, blue Central; orange", "Belorussian, red Ukrainian.")


@dataclass(frozen=True, slots=True)
class Tracks:
    """What stands on the tracks and in the holding areas (2.1, 2.3), in words for people where it is text.

    `turn` 1 to 10, `points` the German victory points, `breakdowns` 0 to 5, `pulled` the chits of this turn but for
    Turn End ones, of which `ends` counts how many are out; `recovery` says for each player what the marker shows.
    """

    turn: int
    points: int
    breakdowns: int
    pulled: tuple[str, ...] = ()
    ends: int = 0
    recovery: tuple[str, ...] = ()


def turn_dates(turn: int) -> str:
    """The four days of a turn, 1 to 10, from 1 September 1939 on (1.0): `Sept 29-Oct 2`."""
    first, last = TURN_DAYS * (turn - 1) + 1, TURN_DAYS * turn
    if first > SEPTEMBER:
        return f"Oct {first - SEPTEMBER}-{last - SEPTEMBER}"
    return f"Sept {first}-{last}" if last <= SEPTEMBER else f"Sept {first}-Oct {last - SEPTEMBER}"


def track_words(tracks: Tracks) -> tuple[str, ...]:
    """The tracks and holding areas in lines of words, as captions."""
    pulled = ", ".join(tracks.pulled) or "none"
    return (
        f"Turn {tracks.turn} of {TURNS}, {turn_dates(tracks.turn)}: German victory points {tracks.points},"
        f" Blitzkrieg breakdowns {tracks.breakdowns}",
        f"Pulled chits: {pulled}; Turn End chits: {tracks.ends} of {END_CHITS}",
        *((f"Recovery: {'; '.join(tracks.recovery)}",) if tracks.recovery else ()),
    )


def legend_boxes(tracks: Tracks | None) -> tuple[Legend, ...]:
    """Every box, in the order in which one reads them; without `tracks` no space is marked."""
    turn, points, breakdowns = (tracks.turn, tracks.points, tracks.breakdowns) if tracks else (None, None, None)
    return (
        _box("Turns", TURNS_AT, TURNS_HIGH, _turn_spaces(turn), _turn_words()),
        _box("German victory points", POINTS_AT, POINTS_HIGH, _point_spaces(points), _point_words(points)),
        _box("Blitzkrieg breakdown", BREAKDOWN_AT, BREAKDOWN_HIGH, _breakdown_spaces(breakdowns), _breakdown_words()),
        _box("Chits of this turn", CHITS_AT, CHITS_HIGH, _end_spaces(tracks), _chit_words(tracks)),
        _box("Recovery", RECOVERY_AT, RECOVERY_HIGH, (), _recovery_words(tracks)),
        Legend("Key to the map", KEY_AT, WIDE, KEY_HIGH, tuple(_key()), TEXT),
        Legend("Counters", COUNTERS_AT, WIDE, COUNTERS_HIGH, tuple(_counters()), TEXT),
    )


def _box(title: str, at: tuple[int, int], high: int, shapes: Sequence[Shape], words: Iterator[Label]) -> Legend:
    return Legend(title, at, WIDE, high, (), TEXT, tuple(shapes), tuple(words))


# ---------------------------------------------------------------------- tracks

Space = tuple[int, int, int, int]
"""Left, top, width and height."""


def _spaces(at: tuple[int, int], columns: int, count: int, high: int) -> list[Space]:
    """Spaces of a track in rows below the title of its box."""
    wide = (WIDE - 80 - (columns - 1) * GAP) // columns
    return [
        (at[0] + 40 + each % columns * (wide + GAP), at[1] + 96 + each // columns * (high + GAP), wide, high)
        for each in range(count)
    ]


def _marked(spaces: Sequence[Space], now: int | None) -> list[Shape]:
    """The spaces as shapes: those before `now`, that one, and the others."""
    return [
        Shape("day" if now is None or number > now else "today" if number == now else "past", _corners(space))
        for number, space in enumerate(spaces)
    ]


def _corners(space: Space) -> tuple[tuple[int, int], ...]:
    x, y, wide, high = space
    return (x, y), (x + wide, y), (x + wide, y + high), (x, y + high)


def _words_in(space: Space, text: str, down: int, size: int, kind: str = "track") -> Label:
    x, y, wide, _ = space
    return Label(text, (x + wide // 2, y + down), kind, size)


def _turns() -> list[Space]:
    return _spaces(TURNS_AT, 5, TURNS, 262)


def _turn_spaces(turn: int | None) -> list[Shape]:
    return _marked(_turns(), None if turn is None else turn - 1)


def _turn_words() -> Iterator[Label]:
    for turn, (space, note) in enumerate(zip(_turns(), TURN_NOTES, strict=True), 1):
        yield _words_in(space, str(turn), 96, 84)
        yield _words_in(space, turn_dates(turn), 158, 39)
        yield _words_in(space, note, 220, 36, "small")


def _points() -> list[Space]:
    return _spaces(POINTS_AT, 7, CONTROL_MARKERS + 1, 190)


def _point_spaces(points: int | None) -> list[Shape]:
    return _marked(_points(), points)


def _point_words(points: int | None) -> Iterator[Label]:
    """Numbers, what they do, and control markers on the spaces that are still covered (6.0)."""
    for number, space in enumerate(_points()):
        yield _words_in(space, str(number), 74, 66)
        yield _words_in(space, POINT_NOTES.get(number, ""), 118, 34, "small")
        yield _words_in(space, "●" if points is not None and number > points else "", 178, 62)


def _breakdowns() -> list[Space]:
    return _spaces(BREAKDOWN_AT, LAST_BREAKDOWN + 1, LAST_BREAKDOWN + 1, 184)


def _breakdown_spaces(breakdowns: int | None) -> list[Shape]:
    return _marked(_breakdowns(), breakdowns)


def _breakdown_words() -> Iterator[Label]:
    for number, space in enumerate(_breakdowns()):
        yield _words_in(space, str(number), 92, 76)
        yield _words_in(space, "Polish win" if number == LAST_BREAKDOWN else "", 152, 36, "small")


# ---------------------------------------------------------------------- holding areas


def _ends() -> list[Space]:
    return [(x, CHITS_AT[1] + CHITS_HIGH - 166, wide, 126) for x, _, wide, _ in _spaces(CHITS_AT, 4, END_CHITS, 0)]


def _end_spaces(tracks: Tracks | None) -> list[Shape]:
    drawn = tracks.ends if tracks else 0
    return [Shape("today" if each < drawn else "day", _corners(space)) for each, space in enumerate(_ends())]


def _chit_words(tracks: Tracks | None) -> Iterator[Label]:
    """The pulled chits in two columns, then the Turn End spaces."""
    x, y = CHITS_AT
    for number, chit in enumerate(tracks.pulled if tracks else ()):
        at = (x + WIDE * (1 + 2 * (number % 2)) // 4, y + 150 + number // 2 * 62)
        yield Label(chit, at, "track", 44)
    for number, space in enumerate(_ends(), 1):
        yield _words_in(space, f"Turn End {number}", 78, TEXT)


def _recovery_words(tracks: Tracks | None) -> Iterator[Label]:
    for row, line in enumerate(tracks.recovery if tracks else ()):
        yield Label(line, (RECOVERY_AT[0] + WIDE // 2, RECOVERY_AT[1] + 130 + row * 62), "track", TEXT)


# ---------------------------------------------------------------------- the key


def _key() -> Iterator[LegendLine]:
    x, y = KEY_AT
    for row, (kind, owner, text) in enumerate(FACES):
        yield LegendLine((x + 40, y + 104 + row * 84), text, shape=kind, owner=owner)
    for row, (kind, text) in enumerate(LINES):
        yield LegendLine((x + 900, y + 104 + row * 84), text, shape=kind)
    for row, ((kind, text, owner), meaning) in enumerate(SIGNS):
        at = (x + 40 + row % 2 * 860, y + 900 + row // 2 * 120)
        yield LegendLine(at, meaning, mark=Mark(kind, (at[0] + 35, at[1] + 25), text, owner))
    for row, note in enumerate(NOTES):
        yield LegendLine((x + 40, y + KEY_HIGH - 200 + row * 52), note)


def _counters() -> Iterator[LegendLine]:
    x, y = COUNTERS_AT
    for row, (counter, text) in enumerate(SAMPLES):
        yield LegendLine((x + 40, y + 116 + row * 205), text, counter=counter)
    for row, (symbol, text) in enumerate(TYPES):
        yield LegendLine((x + 1000, y + 130 + row * 110), text, symbol=symbol)
    for row, text in enumerate(COUNTER_NOTES):
        yield LegendLine((x + 1000, y + 640 + row * 60), text)

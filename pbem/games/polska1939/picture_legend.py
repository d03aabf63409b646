"""The boxes beside the map: the key, counters, terrain effects, and the track of days."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.rules.picture import Counter, Label, Legend, LegendLine, Mark, Shape

LEFT, RIGHT = 5650, 8304
HEADING_AT, HEADING_SIZE = (LEFT, 226), 128
CAPTIONS_AT = (LEFT, 420)
SCALE_AT = (LEFT + 1880, 560)
WIDE = RIGHT - LEFT
KEY_AT, KEY_HIGH = (LEFT, 640), 1390
COUNTERS_AT, COUNTERS_HIGH = (LEFT, 2070), 860
EFFECTS_AT, EFFECTS_HIGH = (LEFT, 2970), 830
TRACK_AT, TRACK_HIGH = (LEFT, 3840), 1994
TEXT = 38
DAYS, WEEK, DAY_GAP = 35, 7, 14
FACES = (
    ("clear", "polish", "clear ground, Poland"),
    ("forest", "polish", "forest"),
    ("hills", "polish", "hills"),
    ("mountains", "polish", "mountains"),
    ("swamp", "polish", "swamp"),
    ("clear", "german", "Germany and Danzig"),
    ("clear", "slovak", "Slovakia"),
    ("clear", "soviet", "Soviet Union"),
    ("abroad", "", "out of play"),
    ("lake", "", "lake"),
)
LINES = (
    ("border", "border of an area"),
    ("region", "border of a region"),
    ("border_on_river", "the same along a river (area, region)"),
    ("state", "border of a state, 1 September 1939"),
    ("river", "river"),
    ("vistula", "Vistula from Zaklików to the estuary"),
    ("lake_border", "border through a lake: no crossing"),
    ("fortified", "fortified line, teeth to the attacker"),
    ("demarcation", "Pisa, Narew, Bug, San: German/Soviet line"),
)
SIGNS = (
    (("city", "", ""), "city: its name is in bold"),
    (("day", "3", ""), "historical day of capture, IX or X"),
    (("base", "P", "polish"), "supply base, Poland"),
    (("base", "G", "german"), "supply base, Germany"),
    (("base", "S", "slovak"), "supply base, Slovakia"),
    (("base", "U", "soviet"), "supply base, USSR"),
    (("fortress", "", ""), "fortress, a region by itself"),
    (("fortified", "", ""), "fortified area, a region by itself"),
    (("pass", "", ""), "pass or road through mountains"),
    (("node", "", ""), "node: areas meet in a point"),
    (("river_node", "", ""), "node with a river: closed"),
)
TYPES = (
    ("infantry", "infantry INF"),
    ("mountain_infantry", "mountain MINF"),
    ("cavalry", "cavalry CAV"),
    ("armour", "armour ARM"),
    ("light_armour", "light LARM"),
    ("motorized", "motorized MOT"),
    ("home_defence", "national defence ND"),
    ("frontier_defence", "frontier defence FD"),
    ("staff", "headquarters HQ"),
)
UNIT_SIZES = (
    ("division", "division"),
    ("brigade", "brigade"),
    ("regiment", "regiment"),
    ("battalion", "battalion"),
)
SAMPLES = (
    (Counter("", "20", "polish", "infantry", "18", size="division"), "Polish"),
    (Counter("", "Kempf", "german", "armour", "13", size="division", flags=("fuel 4",)), "German, fuel 4"),
    (Counter("", "24", "soviet", "cavalry", "9", size="division", flags=("R",)), "Soviet, R: to reorganize"),
    (Counter("", "1", "slovak", "infantry", "12", size="division", flags=("train",)), "Slovak, on a train"),
)
EFFECTS = (
    ("terrain", "on foot", "cavalry", "motorized", "combat"),
    ("clear", "1", "1", "1", "0"),
    ("forest", "+0", "+0", "+½", "-1"),
    ("hills", "+0", "+0", "+0", "-1"),
    ("river", "+0", "+0", "+1", "-1"),
    ("Vistula", "+0", "+1", "+2", "-2"),
    ("swamp", "all", "all", "all", "attack halved"),
    ("mountains", "+0", "+0", "by a pass", "-2"),
    ("lake", "no", "no", "no", "none"),
)
NOTES = (
    "Where many small areas lie close together, as near Gdynia and in Silesia, the drawing swells; elsewhere the scale",
    "holds. Towns: GeoNames (CC BY 4.0) and own knowledge; frontiers, coasts and rivers: drawn by hand for this map.",
)
COUNTER_NOTES = (
    "Above: name or number, size. Middle: type; the ink of the symbol tells",
    "the army or front. Below: fuel, strength points (attack/defence of an",
    "HQ), letter of the state. Under them: the field fort (FF) of the area.",
)
SYMBOLS = {"forest": "trees", "hills": "hills_sign", "mountains": "peaks", "swamp": "marshes"}


def legend_boxes(today: int | None) -> tuple[Legend, ...]:
    """Every box, in the order in which one reads them; on the track of days `today` is marked, if it is given."""
    return (
        Legend("Key to the map", KEY_AT, WIDE, KEY_HIGH, tuple(_key()), TEXT),
        Legend("Counters", COUNTERS_AT, WIDE, COUNTERS_HIGH, tuple(_counters()), TEXT),
        Legend("Terrain effects", EFFECTS_AT, WIDE, EFFECTS_HIGH, tuple(_effects()), TEXT),
        Legend("Days", TRACK_AT, WIDE, TRACK_HIGH, (), TEXT, tuple(_days(today)), tuple(_dates())),
    )


def _key() -> Iterator[LegendLine]:
    x, y = KEY_AT
    for row, (kind, owner, text) in enumerate(FACES):
        at = (x + 40, y + 104 + row * 104)
        yield LegendLine(at, text, shape=kind, owner=owner)
        if kind in SYMBOLS:
            yield LegendLine(at, "", shape=SYMBOLS[kind])
    for row, (kind, text) in enumerate(LINES):
        yield LegendLine((x + 660, y + 104 + row * 116), text, shape=kind)
    for row, ((kind, text, owner), meaning) in enumerate(SIGNS):
        at = (x + 1720, y + 104 + row * 95)
        yield LegendLine(at, meaning, mark=Mark(kind, (at[0] + 35, at[1] + 25), text, owner))
    for row, note in enumerate(NOTES):
        yield LegendLine((x + 40, y + KEY_HIGH - 176 + row * 52), note)


def _counters() -> Iterator[LegendLine]:
    x, y = COUNTERS_AT
    for row, (counter, text) in enumerate(SAMPLES):
        yield LegendLine((x + 40, y + 100 + row * 150), text, counter=counter)
    for row, (symbol, text) in enumerate(TYPES):
        yield LegendLine((x + 860 + row % 2 * 640, y + 110 + row // 2 * 88), text, symbol=symbol)
    for row, (symbol, text) in enumerate(UNIT_SIZES):
        yield LegendLine((x + 2200, y + 110 + row * 88), text, symbol=symbol)
    for row, text in enumerate(COUNTER_NOTES):
        yield LegendLine((x + 860, y + 590 + row * 52), text)


def _effects() -> Iterator[LegendLine]:
    x, y = EFFECTS_AT
    for row, cells in enumerate(EFFECTS):
        for column, cell in enumerate(cells):
            yield LegendLine((x + 60 + column * 500, y + 84 + row * 79), cell, bold=not row)


# ---------------------------------------------------------------------- the track of days


def _days(today: int | None) -> Iterator[Shape]:
    """A box for each day, five rows of a week; days that are past and today are marked."""
    for day in range(1, DAYS + 1):
        x, y, wide, high = _day_box(day)
        kind = "day" if today is None or day > today else "today" if day == today else "past"
        yield Shape(kind, ((x, y), (x + wide, y), (x + wide, y + high), (x, y + high)))


def _dates() -> Iterator[Label]:
    for day in range(1, DAYS + 1):
        x, y, wide, _ = _day_box(day)
        yield Label(f"{day} IX" if day <= 30 else f"{day - 30} X", (x + wide // 2, y + 66), "track", 50)


def _day_box(day: int) -> tuple[int, int, int, int]:
    wide = (WIDE - 80 - (WEEK - 1) * DAY_GAP) // WEEK
    high = (TRACK_HIGH - 130 - (DAYS // WEEK - 1) * DAY_GAP) // (DAYS // WEEK)
    row, column = divmod(day - 1, WEEK)
    return TRACK_AT[0] + 40 + column * (wide + DAY_GAP), TRACK_AT[1] + 96 + row * (high + DAY_GAP), wide, high

"""What is drawn on a counter: type symbols in the manner of NATO, and the flags of its state.

All are drawn for a counter 120 wide. A symbol can be drawn in an ink of its own, which names the army of the unit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from pbem.viewer.colours import INKS
from pbem.viewer.xml_text import tag, words

INK = "#1d1b18"


def draw_symbol(name: str, colour: str = "") -> str:
    """The symbol of a type; an empty box for one that is not known. `colour` is the name of an ink."""
    ink = INKS.get(colour, INK)
    drawn = SYMBOLS.get(name, _unknown)()
    return drawn.replace(INK, ink) if ink != INK else drawn


def draw_flags(flags: Sequence[str]) -> Iterator[str]:
    """`R` as a disc, `train` as rails below, `fuel 3` as a figure beside a drop; what is not known in words."""
    for flag in flags:
        word, _, rest = flag.partition(" ")
        yield FLAGS.get(word, _flag_words)(rest if word in FLAGS else flag)


def _flag_disorganized(_: str) -> str:
    disc = tag("circle", cx=17, cy=58, r=14, fill="#c8102e", stroke="#fffdf6", stroke_width=2)
    return disc + words("R", 17, 66, 22, font_weight="bold", fill="#ffffff")


def _flag_train(_: str) -> str:
    """An engine on its wheels."""
    body = tag("path", d="M6 92h9v6h14v-3h5v14H6z", fill=INK)
    wheels = "".join(tag("circle", cx=x, cy=111, r=4, fill=INK) for x in (11, 21, 30))
    return body + wheels


def _flag_fuel(level: str) -> str:
    drop = tag("path", d="M17 92q10 12 0 20q-10 -8 0 -20z", fill=INK)
    return drop + words(level, 32, 112, 23, font_weight="bold", fill=INK)


def _flag_words(flag: str) -> str:
    return words(flag, 22, 112, 20, fill=INK)


def _flag_dice(_: str) -> str:
    """Two red dice, which a unit throws instead of one."""
    return "".join(
        tag("rect", x=x, y=y, width=17, height=17, rx=3, fill="#c8102e", stroke="#fffdf6", stroke_width=2)
        + tag("circle", cx=x + 8, cy=y + 8, r=3, fill="#ffffff")
        for x, y in ((6, 48), (6, 69))
    )


FLAGS: Mapping[str, Callable[[str], str]] = {
    "R": _flag_disorganized,
    "train": _flag_train,
    "fuel": _flag_fuel,
    "dice": _flag_dice,
}


def _framed(inside: str) -> str:
    """A type symbol in its box, 64 by 38."""
    box = tag("rect", x=28, y=44, width=64, height=38, fill="#fffdf6", stroke=INK, stroke_width=3)
    return box + (tag("path", d=inside, fill="none", stroke=INK, stroke_width=3) if inside else "")


def _infantry() -> str:
    return _framed("M28 44L92 82M92 44L28 82")


def _engineer() -> str:
    return _framed("M41 74V54H79V74M60 54V74")


def _mortar() -> str:
    return _framed("M60 66V50M54 56L60 50L66 56") + tag(
        "circle", cx=60, cy=72, r=6, fill="none", stroke=INK, stroke_width=3
    )


def _anti_tank_gun() -> str:
    return _framed("M28 82L60 46L92 82")


def _field_gun() -> str:
    return _framed("") + tag("circle", cx=60, cy=63, r=8, fill=INK)


def _battleship() -> str:
    """A side view: hull, turrets, bridge, two funnels."""
    hull = "M27 66H114L105 82H35Z"
    turrets = "M35 66V58H45V66M29 61H35M90 66V58H100V66M100 61H108"
    above = turrets + "M52 66V54H84V66M57 54V42H64V54M70 54V44H74V54M78 54V44H82V54"
    return tag("path", d=hull, fill=INK) + tag("path", d=above, fill="none", stroke=INK, stroke_width=4)


def _unknown() -> str:
    return _framed("")


def _cavalry() -> str:
    return _framed("M28 82L92 44")


def _armour() -> str:
    return _framed("") + _oval()


def _oval() -> str:
    return tag("rect", x=38, y=52, width=44, height=22, rx=11, fill="none", stroke=INK, stroke_width=3)


def _motorized() -> str:
    return _framed("M28 44L92 82M92 44L28 82M60 44V82")


def _light_armour() -> str:
    return _framed("M28 82L92 44") + _oval()


def _mountain_infantry() -> str:
    return _framed("M28 44L92 82M92 44L28 82") + tag("path", d="M60 66L70 82H50Z", fill=INK)


def _lettered(letters: str) -> str:
    box = _framed("M28 44L92 82M92 44L28 82")
    ground = tag("rect", x=40, y=52, width=40, height=22, fill="#fffdf6")
    return box + ground + words(letters, 60, 71, 21, font_weight="bold", fill=INK)


def _home_defence() -> str:
    return _lettered("ON")


def _frontier_defence() -> str:
    return _lettered("FD")


def _staff() -> str:
    """A flag on its staff."""
    cloth = tag("rect", x=28, y=44, width=64, height=32, fill="#fffdf6", stroke=INK, stroke_width=3)
    staff = tag("path", d="M28 44V84", stroke=INK, stroke_width=5)
    return cloth + staff + words("HQ", 60, 69, 25, font_weight="bold", fill=INK)


SYMBOLS: Mapping[str, Callable[[], str]] = {
    "infantry": _infantry,
    "engineer": _engineer,
    "mortar": _mortar,
    "anti_tank_gun": _anti_tank_gun,
    "field_gun": _field_gun,
    "battleship": _battleship,
    "cavalry": _cavalry,
    "armour": _armour,
    "motorized": _motorized,
    "light_armour": _light_armour,
    "mountain_infantry": _mountain_infantry,
    "home_defence": _home_defence,
    "frontier_defence": _frontier_defence,
    "staff": _staff,
}

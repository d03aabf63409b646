"""What to say of a line that is no order: which word is wrong, how the order that was meant is written.

Nothing here decides what is read (`orders`); only the words of a refusal are chosen.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Sequence

from pbem.rules.refusal import Refusal, shown
from pbem.rules.sheet import SheetLine

VERBS = {
    "move": "move",
    "enter": "move",
    "fire": "fire",
    "attack": "fire",
    "recover": "recover",
    "air": "air",
    "oba": "oba",
    "place": "place",
    "pass": "pass",
    "face": "face",
    "then": "then",
    "if": "if",
}
"""The first words of orders, each with the one that its form is listed under."""
SETTINGS = {"then": "then ask", "if": "if blocked ask", "face": "face miss"}
"""Lines that are no orders, and are not listed among the forms."""
SHORTEST_MISSPELT = 4
"""A shorter word is like too many others."""
JOINING = frozenset(("to", "in", "at", "and", "or", "face", "suppress", "redraw", "miss", "ask", "->", "→", ","))
_STANDING = re.compile(r"pass +(always|at +most\b.*)|recover +.*(,|\band\b).*", re.IGNORECASE)
_WORD = re.compile(r"[^\s,]+")


def misread(line: SheetLine, was: Refusal, forms: Sequence[str], is_named: Callable[[str], bool]) -> Refusal:
    """The refusal of a line that the grammar did not take; `was` is the grammar's own, `is_named` knows every name."""
    first = line.text.split()[0]
    if _STANDING.fullmatch(line.text):
        text = f"expected an order for what is asked now, got '{shown(line.text)}', which is a standing order"
        hint = "write it into a file of its own, for `pbem orders GAME --standing FILE`; here one order a line counts"
        return _refusal(line, text, hint, 0)
    verb = VERBS.get(first.lower())
    if verb is None:
        text = f"expected an order such as {' / '.join(forms)}, got '{shown(first)}'"
        return _refusal(line, text, _meant(line, first, is_named), 0)
    own = [form for form in forms if form.split()[0] == verb] or [SETTINGS.get(verb, " / ".join(forms))]
    got, column = _blamed(line, was, is_named)
    return _refusal(line, f"expected an order such as {' / '.join(own)}, got {got}", "", column)


def _refusal(line: SheetLine, text: str, hint: str, column: int) -> Refusal:
    return Refusal("orders.unreadable", text, "", hint, line.number, line.indent + column + 1)


def _meant(line: SheetLine, first: str, is_named: Callable[[str], bool]) -> str:
    """A hint for a line that begins with no verb: one is missing, or misspelt."""
    if is_named(first.strip(",")) and re.search(r"\bat\b", line.text, re.IGNORECASE):
        return f"an attack begins with 'fire': 'fire {shown(line.text)}'"
    near = difflib.get_close_matches(first.lower(), VERBS, n=1) if len(first) >= SHORTEST_MISSPELT else []
    return f"did you mean '{near[0]}'?" if near else ""


def _blamed(line: SheetLine, was: Refusal, is_named: Callable[[str], bool]) -> tuple[str, int]:
    """What is wrong in a line with a verb, and the column from 0: a word that is no name, or that nothing follows."""
    words = list(_WORD.finditer(line.text))
    column = was.column - line.indent - 1
    if column < len(line.text):
        return f"'{shown(line.text[column:].split(' ')[0])}'", column
    for word in words[1:]:
        if word[0].lower() not in JOINING and not is_named(word[0]):
            return f"'{shown(word[0])}'", word.start()
    return f"nothing behind '{shown(words[-1][0])}'", column

"""What is signed already while its author has still to decide: it is named, and how it is sent."""

from __future__ import annotations

import pytest

from .conftest import Players
from .motions import mailed

DECIDE = (
    "decide: `pbem orders westerplatte -o orders.txt`, edit it, then `pbem orders westerplatte --submit orders.txt`"
)


@pytest.mark.parametrize("what", ["agreement", "rotation"])
def test_who_has_to_decide_besides_is_told_that_something_is_to_be_sent(placed_table: Players, what: str) -> None:
    anna, bruno = placed_table
    bruno.does("motion", "pause")
    mailed(bruno, anna)
    done = anna.does("motion", "agree" if what == "agreement" else "rotate").out
    noun = {"agreement": "answer to a motion", "rotation": "motion"}[what]
    advice = (
        f"{DECIDE}; one file then sends your {noun} with it, or `pbem export westerplatte -o turn.eml --eml` sends "
        "that at once"
    )
    assert done.splitlines()[-1] == f"Do now: {advice}"
    assert anna.does("status").last == f"  do now: {advice}"
    exported = anna.does("export", "-o", "turn.eml").out.splitlines()[1]
    assert exported == (
        "Note: you still owe a decision (place the ship in Wa, Wb, Wc, Wd); this file "
        f"holds no move of yours, only your {noun}. To decide: `pbem orders westerplatte -o orders.txt`, edit it, then "
        "`pbem orders westerplatte --submit orders.txt`."
    )
    assert anna.does("status").last == f"  do now: {DECIDE}"

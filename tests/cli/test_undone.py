"""`pbem motion take-back --show`: what would be undone, and what stays as it was agreed."""

from __future__ import annotations

from .conftest import Players
from .motions import mailed


def test_what_was_agreed_about_the_clock_and_the_seats_is_not_undone(placed_table: Players) -> None:
    anna, bruno = placed_table
    for what in ("pause", "draw"):
        anna.does("motion", what)
        mailed(anna, bruno)
        bruno.does("motion", "agree" if what == "pause" else "refuse")
        mailed(bruno, anna)
    anna.does("orders", "--submit", "-", stdin=b"place BB in Wa\n")
    mailed(anna, bruno)
    mailed(bruno, anna)
    one, other = placed_table.asked()
    one.does("motion", "rotate")
    mailed(one, other)
    rotation = one.status()["step"] - 1
    shown = one.does("motion", "take-back", "--to", "3", "--show").out.splitlines()
    assert shown[0] == f"would be undone: steps 3 to {rotation}"
    assert [line for line in shown if line.startswith("step ")] == [
        "step 7: german's orders",
        "step 8: german's share of the dice and polish's share of the dice",
    ]
    role, name = one.status()["role"], one.home.name
    assert shown[-3:] == [
        "stays as it is, from step 4: the game is paused: no deadline runs",
        f"stays as it is, from step {rotation}: {role} signs with a new key of {name.title()} <{name}@example.org> "
        f"from step {rotation + 1} on",
        "Nothing was moved. Do now: `pbem motion take-back westerplatte --to 3` moves it.",
    ]
    one.does("motion", "take-back", "--to", "3")
    mailed(one, other)
    other.does("motion", "agree")
    assert other.status()["paused"]

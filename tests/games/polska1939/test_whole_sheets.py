"""Order sheets as a player gets them, from the first line to the last: those with what is rarely said."""

from __future__ import annotations

from pathlib import Path

import pytest
from asked import MLAWA, RULES, SHUT_IN, WITHOUT_FUEL, asked
from golden import golden

FOLDER = Path(__file__).parent / "texts"
SHEETS: dict[str, tuple[str, tuple[str, ...]]] = {
    "attacks-of-the-poles": (f"phase V\n{MLAWA}", ()),
    "moves-behind-an-attack": ("phase III\nunit DE-INF-11 G13 16 exerted 2 disturbed 2\nunit DE-INF-61 G13 15\n", ()),
    "moves-without-a-way-by-rail": (f"day 2\nphase VI\n{SHUT_IN}unit PL-INF-2 P20 13 train came\n", ()),
    "missions-against-a-train": ("phase I\nunit DE-INF-11 G13 16\nunit PL-INF-24 P62 13 train arrived\n", ()),
    "defence-without-a-way-back": (f"phase II\n{SHUT_IN}", ("attack Mława with 11 INF",)),
    "defence-without-fuel": (f"phase V\n{WITHOUT_FUEL}", ("attack Płońsk with 20 INF",)),
}
"""The position of each, and the sheets given before."""


@pytest.mark.parametrize("name", SHEETS)
def test_a_whole_sheet(name: str) -> None:
    question, state = asked(*SHEETS[name])
    text = "".join(f"{line}\n" for line in RULES.order_sheet(question, state))
    assert text == golden(FOLDER / f"{name}.txt", text)


def test_every_text_is_a_sheet() -> None:
    assert sorted(path.stem for path in FOLDER.iterdir()) == sorted(SHEETS)

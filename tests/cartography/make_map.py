"""Make the house map: `python -m tests.cartography.make_map [FOLDER]` writes the data files of the map.

Everything comes from `inputs/` and is the same on every run. The steps: paint the states of 1939 on a fine grid;
let every area grow from its town, rivers being dear to cross; trace the borders; draw short ones together to nodes;
lay borders on the rivers and frontiers they follow; name what each border carries; draw.
"""

from __future__ import annotations

import sys
from pathlib import Path

from tests.cartography import files
from tests.cartography.chart import make_chart

DATA = Path(__file__).parents[2] / "pbem" / "games" / "polska1939" / "data"


def main(folder: Path = DATA) -> None:
    chart = make_chart()
    for name, content in files.contents(chart).items():
        (folder / name).write_text(content, encoding="utf-8")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))

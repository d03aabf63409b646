"""Boards of a few areas for tests, written down in lines; the forces and figures are those of the game.

An area: `P01 PL West forest city fortress supply=PL,DE`, a border: `P01 P02 river`, a node: `N1 P01 P02 P03 P04 river`.
What an area's line leaves out is clear ground without anything.
"""

from __future__ import annotations

from collections import defaultdict
from itertools import pairwise

from positions import FOLDER

from pbem.games.polska1939 import board as board_files
from pbem.games.polska1939 import data_files
from pbem.games.polska1939.board import AREAS, BORDERS, NODES, REGIONS, Terrain
from pbem.games.polska1939.data_files import GameData

FILES = {path.name: path.read_bytes() for path in sorted(FOLDER.iterdir())}


def small_board(areas: str, borders: str, nodes: str = "") -> GameData:
    """The game's data with a board of these areas, borders and nodes."""
    area_lines = [line.split() for line in areas.strip().splitlines()]
    members: dict[tuple[str, str], list[str]] = defaultdict(list)
    for code, country, region, *_ in area_lines:
        members[region, country].append(code)
    tables = {
        AREAS: [_area(*words) for words in area_lines],
        BORDERS: [[a, b, " ".join(features), "", "9", "house", ""] for a, b, *features in _split(borders)],
        NODES: [_node(*words) for words in _split(nodes)],
        REGIONS: [[region, country, " ".join(codes), "house", ""] for (region, country), codes in members.items()],
    }
    made = {
        name: "\n".join(",".join(row) for row in (board_files.COLUMNS[name], *rows)).encode()
        for name, rows in tables.items()
    }
    return data_files.parse({**FILES, **made})


def _split(lines: str) -> list[list[str]]:
    return [line.split() for line in lines.strip().splitlines()]


def _area(code: str, country: str, region: str, *words: str) -> list[str]:
    terrain = next((word for word in words if word in {*Terrain}), "clear")
    supply = next((word.removeprefix("supply=") for word in words if word.startswith("supply=")), "")
    flags = {word: "1" if word in words else "0" for word in ("city", "fortress", "fortified", "west")}
    return [
        code,
        f"Area{code}",
        country,
        region,
        terrain,
        flags["city"],
        "",
        flags["fortress"],
        flags["fortified"],
        supply.replace(",", " "),
        flags["west"],
        flags["west"],
        "0",
        "0",
        "house",
        "",
    ]


def _node(name: str, *words: str) -> list[str]:
    areas = [word for word in words if word != "river"]
    return [name, " ".join(areas), str(int("river" in words)), "house", ""]


def chain(*areas: str, feature: str = "") -> str:
    """Borders from each area to the next."""
    return "\n".join(f"{a} {b} {feature}" for a, b in pairwise(areas))

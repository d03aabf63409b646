"""The game's tables: its data files."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.games.polska1939.kinds import HINT
from pbem.rules.csv_tables import csv_tables
from pbem.rules.tables import Table

TITLES: Mapping[str, str] = {
    "combat_result": "Combat results by attacker minus defender and the total of two dice",
    "combat_losses": "Combat losses by strength and the total of two dice",
    "terrain": "Terrain: what it adds to movement, in half points, and to the shift of an attack",
    "constants": "Figures of the rules",
    "units": "Units: strength points, and the factors of headquarters",
    "setup": "Set-up",
    "reinforcements": "Reinforcements and empty trains",
    "withdrawals": "Units that leave",
    "air": "Air units by day",
    "areas": "Areas of the house map",
    "borders": "Borders of the house map",
    "nodes": "Nodes of the house map",
    "regions": "Regions of the house map",
}
"""Every file with a column `source`; its name without `.csv` is the name of the table."""


def all_tables(files: Mapping[str, bytes]) -> tuple[Table, ...]:
    """The tables of the files in the order of `TITLES`; days are counted from 1 IX, so 35 is 5 X."""
    return csv_tables(files, TITLES, HINT)

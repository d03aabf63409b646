"""What a player of Polska 1939 is told before and after signing: every attacked area, and what may be a mistake.

What is printed on a whole page is in `texts/`.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from golden import golden

from .client import Client
from .conftest import Players

TEXTS = Path(__file__).parent / "texts"


@pytest.fixture(scope="module")
def morning(made: Players, tmp_path_factory: pytest.TempPathFactory) -> Players:
    """Bruno's Poles are attacked on the first morning, and he is asked how he defends."""
    players = made.copied(tmp_path_factory.mktemp("morning") / "table")
    anna, bruno = players
    anna.does("new", "polska1939", "--as", "german", "--opponent", "bruno@example.org", "-o", "inv.txt")
    bruno.does("accept", "inv.txt", "-o", "acc.txt")
    anna.does("import", "acc.txt")
    anna.does("orders", "-o", "slovaks.txt")
    anna.does("orders", "--submit", "slovaks.txt")
    _sends(anna, bruno)
    orders = "no bombs\nattack Mława with all\nattack Chojnice with all\n"
    _sends(bruno, anna)
    anna.does("orders", "--submit", anna.write("attacks.txt", orders))
    anna.does("orders", "--submit", anna.write("raids.txt", "pass\n"))
    _sends(anna, bruno)
    return players


@pytest.fixture
def attacked(morning: Players, tmp_path: Path) -> Client:
    """Bruno, before he has answered."""
    return morning.copied(tmp_path / "table").bruno


def _sends(sender: Client, other: Client) -> None:
    sender.does("export", "-o", "mail.txt", "--force")
    other.does("import", "mail.txt")


def test_the_check_tells_of_every_attacked_area(attacked: Client) -> None:
    attacked.write("stay.txt", "defend Mława stay\n")
    assert attacked.does("orders", "--check", "stay.txt").out == (
        "Understood, and legal as things stand:\n"
        "  defend Mława stay   # if a retreat is due, 20 INF stay\n"
        '  # Chojnice (P08), left out: if a retreat is due, "Chojnice" ND to Koronowo (P11)\n'
        "Nothing was changed. Do now: `pbem orders polska1939 --submit stay.txt`.\n"
    )


def test_a_retreat_to_the_enemy_alone_is_signed_only_if_that_is_said(attacked: Client) -> None:
    attacked.write("lost.txt", "defend Chojnice retreat Człuchów\n")
    assert attacked.does("orders", "--check", "lost.txt").out == (
        "Understood, and legal as things stand:\n"
        '  defend Chojnice retreat Człuchów   # if a retreat is due, "Chojnice" ND to Koronowo (P11); '
        "Człuchów holds the enemy: not possible as things stand\n"
        "  # Mława (P20), left out: if a retreat is due, 20 INF to Przasnysz (H22)\n"
        "Note: 'defend Chojnice retreat Człuchów' cannot succeed as things stand.\n"
        "Nothing was changed. Do now: change the sheet, or sign it as it is: "
        "`pbem orders polska1939 --submit lost.txt --anyway`.\n"
    )
    assert attacked.refused("orders", "--submit", "lost.txt") == (
        "orders.vain: expected an order that can succeed, got 'defend Chojnice retreat Człuchów': "
        "Człuchów holds the enemy: not possible as things stand\n"
        "hint: change the sheet, or sign it as it is: `pbem orders polska1939 --submit FILE --anyway`\n"
    )


def test_what_may_be_a_mistake_is_told_with_the_signature(attacked: Client) -> None:
    attacked.write("partly.txt", "defend Chojnice retreat Człuchów or Brusy\n")
    said = attacked.does("orders", "--submit", "partly.txt").out.splitlines()
    assert said[:2] == [
        "Signed:",
        "  defend Chojnice retreat Człuchów or Brusy   # Człuchów holds the enemy: not possible as things stand",
    ]


def test_the_sheet_and_the_standing_orders_as_they_are_printed(attacked: Client) -> None:
    attacked.does("orders", "--standing", attacked.write("standing.txt", "retreat toward Warszawa\nlosses weakest\n"))
    for words in (("orders",), ("orders", "--standing")):
        said = attacked.does(*words).out
        assert said == golden(TEXTS / f"poland-{words[-1].strip('-')}.txt", said)


def test_every_table_has_a_title(attacked: Client) -> None:
    said = attacked.does("tables", "polska1939").out.splitlines()
    assert [line for line in said if not line.startswith("  ")] == [
        "Combat results by attacker minus defender and the total of two dice (combat_result)",
        "Combat losses by strength and the total of two dice (combat_losses)",
        "Terrain: what it adds to movement, in half points, and to the shift of an attack (terrain)",
        "Figures of the rules (constants)",
        "Units: strength points, and the factors of headquarters (units)",
        "Set-up (setup)",
        "Reinforcements and empty trains (reinforcements)",
        "Units that leave (withdrawals)",
        "Air units by day (air)",
        "Areas of the house map (areas)",
        "Borders of the house map (borders)",
        "Nodes of the house map (nodes)",
        "Regions of the house map (regions)",
    ]

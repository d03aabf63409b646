"""`pbem roll` is run by the shell, `openssl` and `sha256sum`, which must find what its comments say; and `pbem odds`
is compared with what `pbem lab` does with every card of the deck."""

from __future__ import annotations

import re
import shutil
import subprocess
from fractions import Fraction
from pathlib import Path

import pytest

from .client import Client
from .conftest import Players

tools = pytest.mark.skipif(
    not (shutil.which("openssl") and shutil.which("sha256sum") and shutil.which("od")),
    reason="openssl, sha256sum or od is missing here",
)


def ran(script: str) -> list[str]:
    """What the shell prints, a line a command, without blanks and file names."""
    done = subprocess.run(["sh", "-e"], input=script.encode(), capture_output=True, timeout=60, check=True)
    assert done.stderr == b""
    lines = done.stdout.decode().replace("-\n", "\n").splitlines()
    return [line.replace(" ", "").lower() for line in lines if line.strip()]


def joined(lines: list[str]) -> list[str]:
    """The hexadecimal values of 32 bytes each; `od` writes one over two lines."""
    text = "".join(lines)
    return [text[at : at + 64] for at in range(0, len(text), 64)]


def promised(script: str) -> list[str]:
    """The values that the comments promise for the hashes and the key, in order."""
    hashes = re.findall(r"\| sha256sum +# ([0-9a-f]{64})$", script, re.MULTILINE)
    (key,) = re.findall(r"^# ([0-9a-f]{64})$", script, re.MULTILINE)
    return [*hashes, key]


def faces_by_hand(script: str, blocks: list[str]) -> list[int]:
    """Faces as the words of step 4 say, from the blocks that `openssl` computed."""
    ((share, limit),) = re.findall(r"face = byte / (\d+) \+ 1, rounded down; a byte of (\d+) or more", script)
    used = [len(part) // 2 for part in re.findall(r"^# first bytes used: ([0-9a-f]+)$", script, re.MULTILINE)]
    stream = [byte for block, size in zip(blocks, used, strict=True) for byte in bytes.fromhex(block)[:size]]
    return [byte // int(share) + 1 for byte in stream if byte < int(limit)]


def check(client: Client, roll: str) -> None:
    script = client.does("roll", "westerplatte", roll).out
    told = client.does("roll", "westerplatte", roll, "--json").data
    values, expected = joined(ran(script)), promised(script)
    assert values[: len(expected)] == expected
    faces = faces_by_hand(script, values[len(expected) :])
    assert faces == told["faces"]
    drawn = re.findall(r"^# 5\. drawn from \d+, in this order: (.*)$", script, re.MULTILINE)
    if drawn:
        assert drawn[0].split(", ")[faces[0] - 1] == told["result"]


@tools
def test_the_shell_finds_the_faces_and_hashes_of_a_demo_game(shown: Client) -> None:
    rolls = [one["roll"] for one in shown.does("roll", "westerplatte", "--json").data]
    assert len(rolls) > 100
    for roll in (*rolls[:2], *rolls[40:200:40], rolls[-1]):
        check(shown, roll)


@tools
@pytest.mark.plan("A46")
def test_the_shell_notices_another_link(shown: Client) -> None:
    script = shown.does("roll", "westerplatte", "4").out
    changed = re.sub(r"(?<=printf ')\\(\d{3})(?=.*sha256sum)", r"\\377", script, count=1)
    assert changed != script
    assert joined(ran(changed))[0] != promised(script)[0]


def test_the_list_of_rolls_ends_with_how_to_check_one(dealt: Players) -> None:
    listed = dealt.anna.does("roll", "westerplatte").out.splitlines()
    assert listed[1:] == [
        "Do now: `pbem roll westerplatte 4:turn.2/turn-1/card-1 | sh` computes one of them with openssl and "
        "sha256sum alone."
    ]


ORDER = "fire MAS-1 at PL-1 face miss"
POSITION = """\
stage cards
turn 1
reshuffles 0
german could act
drawn S5
card S5
left 3
unit MAS-1 A
unit BB Wa
unit PL-1 Wal
"""


def test_the_odds_are_what_the_lab_does_with_every_card(tmp_path: Path) -> None:
    """The joker is set aside and another card drawn, so it has no part in the chances."""
    nobody = Client(tmp_path / "home", tmp_path)
    nobody.write("position.txt", POSITION)
    nobody.write("orders.txt", ORDER + "\n")
    (odds,) = nobody.does("odds", "westerplatte", "--position", "position.txt", ORDER, "--json").data
    lab = ("lab", "westerplatte", "--position", "position.txt", "--orders", "orders.txt", "--json", "--dice")
    cards = re.findall(r"expected one of (.*) for ", nobody.refused(*lab, "no card"))[0].split(", ")
    drawn = [nobody.does(*lab, card).data["position"] for card in cards if card != "joker"]
    reduced = sum("unit PL-1 Wal weak" in position for position in drawn)
    assert len(drawn) == 51
    assert Fraction(odds["chances"]["reduced"]) == Fraction(reduced, len(drawn))

"""`pbem roll` is a script that the shell runs with `openssl` and `sha256sum` and that notices every value that was
tampered with; and `pbem odds` is compared with what `pbem lab` does with every card of the deck."""

from __future__ import annotations

import hashlib
import re
import shutil
import subprocess
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from golden import golden

from pbem.app.derivation import script
from pbem.app.reading import RollSource
from pbem.engine.driver import RollRecord
from pbem.log import chain, dice

from .client import Client
from .conftest import Players

tools = pytest.mark.skipif(
    not (shutil.which("openssl") and shutil.which("sha256sum") and shutil.which("od")),
    reason="openssl, sha256sum or od is missing here",
)
SHELLS = [shell for shell in ("sh", "bash", "dash", "busybox") if shutil.which(shell)]
AS_LOGGED = """\
link 1 of german: as logged
link 1 of polish: as logged
key: as logged
block 0: as logged
result: as logged
card: {card}
"""
TEXTS = Path(__file__).parent / "texts"
DISTRUST = "Something here is NOT as it was logged: do not trust this roll."


def ran(script: str, shell: str = "sh") -> tuple[int, str]:
    """Exit status and output of a script that is piped into the shell; it complains of nothing itself."""
    words = [shell, "sh"] if shell == "busybox" else [shell]
    done = subprocess.run(words, input=script.encode(), capture_output=True, timeout=60)
    assert done.stderr == b""
    return done.returncode, done.stdout.decode()


@tools
@pytest.mark.parametrize("shell", SHELLS)
def test_a_roll_checks_itself_in_every_shell(shown: Client, shell: str) -> None:
    card = shown.does("roll", "westerplatte", "4", "--json").data["result"]
    assert ran(shown.does("roll", "westerplatte", "4").out, shell) == (0, AS_LOGGED.format(card=card))


@tools
def test_the_shell_finds_the_cards_of_a_demo_game(shown: Client) -> None:
    rolls = shown.does("roll", "westerplatte", "--json").data
    assert len(rolls) > 80
    for one in (*rolls[:2], *rolls[40:200:40], rolls[-1]):
        code, said = ran(shown.does("roll", "westerplatte", one["roll"]).out)
        assert (code, said.splitlines()[-1]) == (0, f"card: {one['result']}")
        assert [line for line in said.splitlines()[:-1] if not line.endswith(": as logged")] == []


TAMPERED = {
    "link 1 of german": r"^link1='\\(\d{3})",
    "link 1 of polish": r"^link2='\\(\d{3})",
    "the link before": r"^check 'link 1 of german' \S+ (..)",
    "the chain's name": r"^hash=.*?\\000\\000\\000\\015\\(\d{3})",
    "salt": r"^salt=(..)",
    "info": r"^info=.*(..)$",
    "key": r"^check key \S+ (..)",
    "label": r"^block=.*\\(\d{3})' \| openssl",
    "block 0": r"^check \"block 0\" \S+ (..)",
    "result": r"^check result \S+ (\S+)$",
}


@tools
@pytest.mark.plan("A46")
@pytest.mark.parametrize("what", TAMPERED)
def test_the_shell_notices_what_was_tampered_with(shown: Client, what: str) -> None:
    honest = shown.does("roll", "westerplatte", "4").out
    found = re.search(TAMPERED[what], honest, re.MULTILINE)
    assert found is not None
    other = "".join("1" if one == "0" else "0" for one in found[1])
    code, said = ran(honest[: found.start(1)] + other + honest[found.end(1) :])
    assert (code, said.splitlines()[-1]) == (1, DISTRUST)
    assert "NOT AS LOGGED: expected " in said


@tools
def test_the_shell_notices_cards_in_another_order(shown: Client) -> None:
    honest = shown.does("roll", "westerplatte", "4").out
    card = shown.does("roll", "westerplatte", "4", "--json").data["result"]
    assert f" {card} " in honest
    code, said = ran(re.sub(rf"(?m)^(set -- .*) {card} (\S+)", rf"\1 \2 {card}", honest))
    assert code == 1
    assert f"result: NOT AS LOGGED: expected {card}, got " in said


def made_up(count: int, sides: int, items: tuple[str, ...] = (), label: str = "2.1/weather") -> RollSource:
    """A roll of two roles whose links are hashed as a chain is."""
    game, closing, nonce = (hashlib.sha256(name).digest() for name in (b"game", b"closing", b"nonce"))
    opened = {role: hashlib.sha256(role.encode()).digest() for role in ("blue", "red")}
    links = tuple((role, 7, link, chain.previous_link(nonce, role, 6, link)) for role, link in opened.items())
    key = dice.dice_key(list(opened.values()), closing, game)
    faces = dice.faces(key, label, count, sides)
    return RollSource(RollRecord(9, label, count, sides, faces, items), game, closing, nonce, links)


def behind_a_withheld_link() -> RollSource:
    """The link of red before the one that serves the roll did not come in time."""
    source = made_up(1, 6)
    blue, (role, index, link, withheld) = source.links
    earlier = chain.previous_link(source.nonce, role, index - 2, withheld)
    return replace(source, links=(blue, (role, index, link, earlier)), hosted=True)


SCRIPTS = {
    "dice": lambda: made_up(40, 129),
    "last-card": lambda: made_up(1, 1, ("H7",), "turn.2/turn-1/card-53"),
    "card": lambda: made_up(1, 3, ("CA", "it's", "joker"), "turn.2/turn-1/card-51"),
    "withheld": behind_a_withheld_link,
}


@pytest.mark.parametrize("name", SCRIPTS)
def test_the_script_in_full(name: str) -> None:
    """Its words and commands; the other tests run it."""
    found = script(SCRIPTS[name]())
    assert found == golden(TEXTS / f"roll-{name}.txt", found)


@tools
def test_the_shell_follows_a_chain_through_a_withheld_link() -> None:
    assert ran(script(behind_a_withheld_link()))[1].splitlines()[:3] == [
        "link 7 of blue: as logged",
        "link 7 of red: as logged",
        "link 6 of red: as logged",
    ]


@tools
@pytest.mark.parametrize(("count", "sides"), [(1, 6), (2, 6), (5, 1), (3, 256), (40, 129), (70, 100)])
def test_the_shell_throws_dice_over_any_number_of_blocks(count: int, sides: int) -> None:
    source = made_up(count, sides)
    code, said = ran(script(source))
    assert (code, said.splitlines()[-1]) == (0, f"faces: {' '.join(map(str, source.record.faces))}")


@tools
def test_the_shell_draws_what_is_named_like_a_command() -> None:
    items = ("$(exit 3)", "it's; exit 4", "`exit 5`", "%s\\n", "*", "two words")
    for turned in (items[at:] + items[:at] for at in range(len(items))):
        source = made_up(1, len(items), turned)
        assert script(source).startswith("# roll 9:2.1/weather: one of the 6 that are left\n")
        assert ran(script(source)) == (0, AS_MADE_UP.format(drawn=turned[source.record.faces[0] - 1]))


AS_MADE_UP = """\
link 7 of blue: as logged
link 7 of red: as logged
key: as logged
block 0: as logged
result: as logged
drawn: {drawn}
"""


def test_a_missing_tool_is_named(shown: Client, tmp_path: Path) -> None:
    honest = shown.does("roll", "westerplatte", "4").out
    shell = shutil.which("sh")
    assert shell is not None
    done = subprocess.run([shell], input=honest.encode(), capture_output=True, timeout=60, env={"PATH": str(tmp_path)})
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr == b"sha256sum is missing here: this check needs it\n"


def test_the_list_of_rolls_ends_with_how_to_check_one(dealt: Players) -> None:
    card = dealt.anna.does("roll", "westerplatte", "4", "--json").data["result"]
    assert dealt.anna.does("roll", "westerplatte").out.splitlines() == [
        f"# 4:turn.2/turn-1/card-1: {card} (one of the 53 cards that are left; rolled by german and polish)",
        "# Do now: `pbem roll westerplatte 4:turn.2/turn-1/card-1 | sh` checks one of them with openssl and "
        "sha256sum alone.",
    ]


@pytest.mark.parametrize("shell", SHELLS)
def test_the_list_of_rolls_does_nothing_in_a_shell(dealt: Players, shell: str) -> None:
    assert ran(dealt.anna.does("roll", "westerplatte").out, shell) == (0, "")


@pytest.mark.parametrize("words", [("westerplatte", "99"), ("nothing", "4")], ids=" ".join)
def test_a_roll_that_is_not_there_fails_in_a_pipe_too(dealt: Players, words: tuple[str, ...]) -> None:
    done = dealt.anna("roll", *words)
    assert done.code == 1
    assert done.out == "echo 'pbem wrote no script: nothing was checked' >&2; exit 1\n"
    assert done.err.startswith(("roll.unknown: ", "game.unknown: "))
    piped = subprocess.run(["sh"], input=done.out.encode(), capture_output=True, timeout=60)
    assert (piped.returncode, piped.stdout, piped.stderr) == (
        1,
        b"",
        b"pbem wrote no script: nothing was checked\n",
    )
    assert dealt.anna("roll", *words, "--json").out == ""


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
    weak = sum("unit PL-1 Wal weak" in position for position in drawn)
    assert len(drawn) == 51
    assert Fraction(odds["chances"]["becomes weak"]) == Fraction(weak, len(drawn))

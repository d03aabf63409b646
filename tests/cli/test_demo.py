"""`pbem demo`: the same files for the same seed, other ones without, and what it refuses."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from golden import golden

from pbem.app.demo import Demo

from .client import Client

TEXTS = Path(__file__).parent / "texts"


@pytest.fixture
def nobody(tmp_path: Path) -> Client:
    return Client(tmp_path / "home", tmp_path)


def archive_of(client: Client, out: str) -> bytes:
    return (client.folder / out / "westerplatte.pbem").read_bytes()


@pytest.mark.plan("C14")
def test_a_seed_gives_the_same_files_under_every_hash_seed(nobody: Client) -> None:
    made = []
    for hash_seed in ("1", "77"):
        out = f"demo-{hash_seed}"
        words = ("demo", "--seed", "1", "--turns", "1", "--quiet", "--out", out)
        done = nobody.outside(*words, PYTHONHASHSEED=hash_seed)
        assert (done.returncode, done.stderr) == (0, b"")
        mails = sorted((nobody.folder / out / "mails").iterdir())
        made.append([archive_of(nobody, out), *(mail.read_bytes() for mail in mails)])
    assert made[0] == made[1]


def test_a_game_that_stops_before_its_end_is_told(nobody: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """As if the bots had fallen silent behind the first turn."""
    play = Demo.play
    monkeypatch.setattr(Demo, "play", lambda self, watch, _: play(self, watch, 1))
    done = nobody("demo", "--seed", "1", "--quiet", "--out", "demo")
    assert (done.code, done.err) == (
        1,
        "demo.unfinished: expected a finished game, got one that stopped before its end\n",
    )


def test_without_a_seed_every_demo_is_another_game(nobody: Client) -> None:
    for out in ("one", "two"):
        said = nobody.does("demo", "--turns", "1", "--quiet", "--out", out).out
        assert said.splitlines()[1:3] == [
            "Fresh keys. The two homes are made without a passphrase, since they are thrown away.",
            "",
        ]
    assert archive_of(nobody, "one") != archive_of(nobody, "two")


def test_a_whole_demo_is_closed_by_both_and_verified(shown: Client) -> None:
    done = shown.does("verify", "westerplatte.pbem")
    assert "  FOR SHOW ONLY: its keys come from a seed; it proves nothing about people.\n" in done.out
    assert "Complete: closed by every party.\n" in done.out
    assert done.last == "Do now: compare the keys in words with the players, and the head with theirs."


def test_the_status_of_a_home_of_a_show_says_so(nobody: Client) -> None:
    nobody.does("demo", "--seed", "1", "--turns", "1", "--quiet", "--out", "demo")
    told = replace(nobody, home=nobody.folder / "demo" / "home-german").does("status").out.splitlines()
    assert told[2] == "  for show only: the keys of this game come from a seed that anybody may know"


def test_the_figures_are_printed(nobody: Client) -> None:
    said = without_seconds(nobody.does("demo", "--seed", "2", "--turns", "1", "--out", "demo").out)
    assert said == golden(TEXTS / "demo-of-a-turn.txt", said)


def test_a_whole_demo_says_so(shown: Client) -> None:
    said = without_seconds(shown.read("said.txt"))
    assert said == golden(TEXTS / "demo.txt", said)


def without_seconds(text: str) -> str:
    """How long it took to verify differs."""
    return re.sub(r" in \d+\.\d\d s:", " in … s:", text)


def test_the_proposal_of_a_show_says_so(nobody: Client) -> None:
    nobody.does("demo", "--seed", "1", "--turns", "1", "--quiet", "--out", "demo")
    nobody.does("init", "--name", "Eve", "--address", "bruno@example.org", "--no-passphrase")
    said = nobody.does("accept", "demo/mails/0001-westerplatte.eml", "--show").out
    assert said == golden(TEXTS / "proposal-of-a-show.txt", said)


def test_the_story_is_told_once_and_in_order(nobody: Client) -> None:
    """What the mails tell together is the log of the home that knows most."""
    said = nobody.does("demo", "--seed", "3", "--turns", "2", "--out", "demo").out
    told = [line[2:] for line in said.split("\n\n")[0].splitlines() if line.startswith("  ")]
    players = [Client(nobody.folder / "demo" / f"home-{role}", nobody.folder) for role in ("german", "polish")]
    logs = [[line["text"] for line in player.does("log", "--json").data] for player in players]
    assert len(told) > 40
    assert told == max(logs, key=len)[: len(told)]
    assert min(logs, key=len) == told[: len(min(logs, key=len))]


def test_the_folder_is_told_first(nobody: Client) -> None:
    said = nobody.does("demo", "--seed", "1", "--turns", "1", "--quiet", "--out", "demo").out
    assert said.splitlines()[0] == (
        "In demo: The Battle of the Westerplatte, german against polish, bots good and good"
    )


def test_a_mail_is_one_line(nobody: Client) -> None:
    lines = nobody.does("demo", "--seed", "1", "--turns", "1", "--out", "demo").out.splitlines()
    assert lines[2:5] == [
        "mail    1  german to polish, a decision, 1 event",
        "mail    2  polish to german, a decision, 3 events",
        "  the Poles set up: PL-1 in Koszary, PL-2 in Koszary, ATG in GH3, PL-3 in GH3, MTR in GH4, FG in GH4",
    ]
    assert [line for line in lines if line.endswith(", by itself, 2 events")]


def test_the_end_says_how_to_delete_the_folder(nobody: Client) -> None:
    said = nobody.does("demo", "--seed", "1", "--turns", "1", "--quiet", "--out", "my demo").out
    assert said.splitlines()[-2] == "Nothing else was written anywhere; `rm -r 'my demo'` deletes it."


def test_a_folder_in_use_is_refused(nobody: Client) -> None:
    (nobody.folder / "full").mkdir()
    (nobody.folder / "full" / "diary.txt").write_text("mine")
    assert nobody.refused("demo", "--quiet", "--out", "full") == (
        "demo.folder: expected an empty folder, got full\nhint: name another one with --out\n"
    )
    assert [path.name for path in (nobody.folder / "full").iterdir()] == ["diary.txt"]


def test_bots_and_games_that_are_not_there_are_named(nobody: Client) -> None:
    assert nobody.refused("demo", "--bots", "good", "--out", "d") == (
        "demo.bots: expected 2 of good, random with commas, got 'good'\n"
    )
    assert nobody.refused("demo", "--game", "chess", "--out", "d").startswith("game.ruleset: expected one of ")

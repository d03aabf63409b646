"""Sentences that are no refusals: what `pbem verify` says of a game, and the last line of `pbem status`, each whole."""

from __future__ import annotations

import contextlib
import io
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pbem.app import catalogue
from pbem.app.delays import deadlines_in_words, lines_of
from pbem.app.verify import Verdict, verify
from pbem.cli.silence import dated, paused
from pbem.cli.status import to_do
from pbem.cli.verdict import print_verdict
from pbem.engine.punctuality import Deadline, Met
from pbem.log.event import Role

from .client import Client

CAMPAIGNS = Path(__file__).parents[2] / "fixtures" / "campaigns"
BESIDE = "38 events, 26 steps, 20 rolls: every signature, link, roll, decision and state holds."


def test_the_verdict_on_a_game_with_dictated_rolls(tmp_path: Path) -> None:
    archive = CAMPAIGNS / "westerplatte-worst.pbem"
    assert Client(tmp_path / "home", tmp_path).does("verify", str(archive)).out.splitlines() == [
        "The Battle of the Westerplatte, game f664d512d3780312040bb8099d4d9d455e38255ed042734f62bef1a6d19f70d1",
        "  german: German, key in words: expose list salt latin employ senior sand oak",
        "  polish: Polish, key in words: brave divide shoulder coyote rival beyond jealous slice",
        "  dice by german and polish together: no player could choose or foresee them",
        "  FOR SHOW ONLY: its keys come from a seed; it proves nothing about people.",
        BESIDE,
        "  3 of these rolls were dictated by who waited for a link beyond the deadline: no chain is behind that",
        "Result: a draw was agreed at step 24 (motion).",
        "Complete: closed by every party.",
        "Head b43bee86b087389aa010ae9a9e85ad2cba19907a7c21dcdf06fb87f2e2599aa8",
        "Do now: compare the keys in words with the players, and the head with theirs.",
    ]


def test_the_verdict_on_a_game_with_a_referee_and_a_new_player(tmp_path: Path) -> None:
    archive = CAMPAIGNS / "westerplatte-seats.pbem"
    assert Client(tmp_path / "home", tmp_path).does("verify", str(archive)).out.splitlines() == [
        "The Battle of the Westerplatte, game 794838d989e23c77f89ab114af1e074e556b48bf50e915005135d2227a2ce8d3",
        "  german: Carla, key in words: win where bicycle muffin pledge rebel brand response",
        "  polish: Polish, key in words: fit box ladder party idea member custom pig",
        "  referee: Otto, key in words: laugh basic special intact quality seminar unit now",
        "  dice by german and polish together: no player could choose or foresee them",
        "  the referee holds what opens both chains: it could foresee rolls, and is trusted not to tell",
        "  FOR SHOW ONLY: its keys come from a seed; it proves nothing about people.",
        "89 events, 64 steps, 53 rolls: every signature, link, roll, decision and state holds.",
        "Result: a draw was agreed at step 62 (motion).",
        "Complete: closed by every party.",
        "Head 789923d206b7d38447d9b19bb8142776e78db2d3217cfe20c3f36374c989045d",
        "Do now: compare the keys in words with the players, and the head with theirs.",
    ]


@pytest.fixture(scope="module")
def verdict() -> Verdict:
    archive = (CAMPAIGNS / "westerplatte-worst.pbem").read_bytes()
    return replace(verify(archive, catalogue.for_proposal()), dictated=0, result={})


def printed(verdict: Verdict, *, running: bool = False) -> list[str]:
    """What is said of a verdict behind the line with the numbers, but for the head."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        print_verdict(verdict, running=running)
    lines = out.getvalue().splitlines()
    return [line for line in lines[lines.index(BESIDE) + 1 :] if not line.startswith("Head ")]


UNCLOSED = {"result": {"text": "german claimed the game", "rule": "remedy"}, "unclosed": ("polish",)}
UNFINISHED = {"finished": False, "next_step": 9}
COMPLETE = [
    "Complete: closed by every party.",
    "Do now: compare the keys in words with the players, and the head with theirs.",
]


@pytest.mark.parametrize(
    ("changes", "running", "said"),
    [
        (
            {"dictated": 1},
            False,
            [
                "  1 of these rolls was dictated by who waited for a link beyond the deadline: no chain is behind that",
                *COMPLETE,
            ],
        ),
        (
            {
                "forks": ["polish's answer of step 2 was overruled by german"],
                "void_claims": ["german's lapse of step 3 was void: what was owed came after all"],
                "given_way": ["polish's answer of step 4 gave way to a claim or a ruling"],
                "breaches": ["polish did not open at the end the plan that it sealed at step 3 (step 9)"],
                "cut_off": 2,
            },
            False,
            [
                "  fork: polish's answer of step 2 was overruled by german",
                "  german's lapse of step 3 was void: what was owed came after all",
                "  polish's answer of step 4 gave way to a claim or a ruling",
                "  breach: polish did not open at the end the plan that it sealed at step 3 (step 9)",
                "  2 events behind that, signed in good faith by anybody, cut off with it",
                *COMPLETE,
            ],
        ),
        (UNFINISHED, False, ["Valid so far, unfinished before step 9."]),
        (
            UNFINISHED,
            True,
            [
                "Valid so far, unfinished before step 9.",
                "Do now: compare the keys in words with the players, and the head with theirs; verify again when the "
                "game is closed by every party.",
            ],
        ),
        (
            {**UNFINISHED, **UNCLOSED},
            True,
            [
                "Result: german claimed the game (remedy); polish has not closed it.",
                "Valid so far, unfinished before step 9.",
                "Do now: compare the keys in words with the players, and the head with theirs.",
            ],
        ),
    ],
)
def test_what_a_verdict_tells(verdict: Verdict, changes: dict[str, Any], running: bool, said: list[str]) -> None:
    assert printed(replace(verdict, **changes), running=running) == said


# ------------------------------------------------------------------------------------------ what to do now

SUMMARY: dict[str, Any] = {
    "game": "duel",
    "role": "german",
    "opponents": [{"role": "polish", "name": "Bruno", "address": "bruno@example.org"}],
    "turn": 1,
    "step": 5,
    "due": 0,
    "waiting": [],
    "fork": None,
    "given": False,
    "offered": False,
    "appointed": True,
    "behind": 0,
    "proposed": [],
    "result": None,
    "finished": False,
    "unsent": False,
    "lost": 0,
    "restored": None,
    "remedy": "claim",
    "dictation": {},
    "holding": False,
    "claimed": None,
    "bad_deposits": "",
    "hosted": False,
}
LATE = "the deadline of polish is over: wait on, or"
AT_ONCE = (
    "decide and send at once: `pbem orders duel -o orders.txt`, edit it, then `pbem orders duel --submit orders.txt`"
)
HUGO = {"role": "adjudicator", "name": "Hugo", "address": "hugo@example.org"}
IN_THE_GRACE = int(time.time()) - 3600
"""A deadline behind which an adjudicator waits another eleven hours."""


def waiting(role: str, kind: str) -> dict[str, Any]:
    return {"waiting": [{"role": role, "kind": kind, "ask": "", "text": ""}]}


def over(kind: str, **changes: Any) -> dict[str, Any]:
    """What the Pole owes is late."""
    return {**waiting("polish", kind), "due": 1, **changes}


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"finished": True}, "nothing, the game is closed; keep it with `pbem archive duel -o duel.pbem`"),
        ({"unsent": True}, "send your turn file: `pbem export duel -o turn.eml --eml`"),
        (
            waiting("german", "entropy"),
            "let the program answer: `pbem import` what came last, or `pbem export duel`",
        ),
        (
            waiting("polish", "answer"),
            "wait for polish's turn file, then `pbem import FILE`; was yours lost? `pbem export duel` writes it again",
        ),
        *(
            (
                over(kind, turn=0, role=role),
                "the deadline of polish is over, and before play has begun nothing can be claimed and nothing is lost: "
                f"wait on, or {anew}`pbem forget duel` puts this one aside",
            )
            for kind, role, anew in (
                ("accept", "german", "`pbem new` proposes a new game without polish, and "),
                ("deposit", "german", "`pbem new` proposes a new game without polish, and "),
                ("deposit", "referee", ""),
            )
        ),
        (
            {**waiting("adjudicator", "receipt"), "hosted": True},
            "wait for the adjudicator's turn file, then `pbem import FILE`; was yours lost? `pbem export duel` writes "
            "it again; is the adjudicator silent? write to it: no step is closed without its receipt; is it gone for "
            "good? both of you can go on in a new game from here (`pbem motion adjust --help`)",
        ),
        (
            waiting("german", "answer"),
            "decide: `pbem orders duel -o orders.txt`, edit it, then `pbem orders duel --submit orders.txt`",
        ),
        (
            waiting("german", "consent"),
            "answer the motion: `pbem motion agree duel` or `pbem motion refuse duel`",
        ),
        (
            {**waiting("german", "answer"), "proposed": [{"role": "polish", "text": "", "changing": True}]},
            "agree with `pbem motion agree duel` (`pbem orders duel` shows what that would change), or decide: `pbem "
            "orders duel -o orders.txt`, edit it, then `pbem orders duel --submit orders.txt`",
        ),
        (over("answer"), f"{LATE} claim the game: `pbem motion claim duel`"),
        (over("consent"), f"{LATE} claim that the motion is refused: `pbem motion claim duel`"),
        (
            over("open"),
            f"{LATE} claim that the default stands in the place of what was sealed: `pbem motion claim duel`",
        ),
        (
            over("answer", remedy="worst"),
            f"{LATE} claim that the default stands in the place of a decision: `pbem motion claim duel`",
        ),
        (
            over("entropy", remedy="worst", dictation={"example": "3", "text": "the turn card"}),
            f"{LATE} dictate every roll of this step, the first being the turn card: begin for example with `pbem "
            "motion claim duel --dice 3`, which names any further roll that needs a result",
        ),
        (
            over("answer", opponents=[{"role": "referee", "name": "Rita", "address": "rita@example.org"}]),
            f"{LATE} ask the referee to rule; was yours lost? `pbem export duel` writes it again",
        ),
        (
            over("answer", role="referee"),
            f"{LATE} rule in the place of what is owed: `pbem motion rule duel`",
        ),
        *(
            (
                {**waiting("german", kind), "due": 1, "remedy": remedy},
                f"your deadline is over since 1970-01-01 00:00 UTC, and polish {told}",
            )
            for kind, remedy, told in (
                ("answer", "claim", f"may claim the game now; {AT_ONCE}"),
                (
                    "seal",
                    "worst",
                    f"may claim now that the default stands in the place of your decision; {AT_ONCE}",
                ),
                (
                    "entropy",
                    "worst",
                    "may dictate every roll of this step now; let the program answer: `pbem import` what came last, or "
                    "`pbem export duel`",
                ),
                (
                    "open",
                    "claim",
                    "may claim now that the default stands in the place of what you sealed; let the program answer: "
                    "`pbem import` what came last, or `pbem export duel`",
                ),
                (
                    "consent",
                    "claim",
                    "may claim now that the motion is refused; answer the motion and send at once: `pbem motion agree "
                    "duel` or `pbem motion refuse duel`",
                ),
            )
        ),
        (
            {**waiting("german", "answer"), "due": IN_THE_GRACE, "opponents": [HUGO], "hosted": True},
            f"your deadline is over since {dated(IN_THE_GRACE)}, and the adjudicator may rule in your place from "
            f"{dated(IN_THE_GRACE + 12 * 3600)} on; {AT_ONCE}",
        ),
        (
            {"claimed": {"noun": "ruling", "step": 4, "played_on": False}},
            "send all you have: `pbem export duel --all -o turn.eml --eml`; where it comes too late, give way to the "
            "ruling: `pbem motion yield duel`",
        ),
    ],
)
def test_what_to_do_now(changes: dict[str, Any], said: str) -> None:
    assert to_do({**SUMMARY, **changes}) == said


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({}, "from 1970-01-11 00:00 UTC on polish can be claimed against"),
        ({"role": "polish"}, "from 1970-01-11 00:00 UTC on you can be claimed against"),
        ({"opponents": [HUGO]}, "from 1970-01-11 00:00 UTC on the adjudicator can rule in the place of polish"),
        ({"due": 0}, ""),
    ],
)
def test_what_is_said_of_a_pause_that_is_to_end(changes: dict[str, Any], said: str) -> None:
    summary = {**SUMMARY, **waiting("polish", "answer"), "due": 864_000, "resuming": {"german": 259_200}, **changes}
    who = "german has" if summary["role"] == "polish" else "you have"
    told = f"paused; {who} asked on 1970-01-04 00:00 UTC that the deadline run again"
    assert paused(summary) == (f"{told}: {said}" if said else told)


# ------------------------------------------------------------------------------------------ delays


def test_what_is_said_of_a_delay() -> None:
    polish = Role("polish")
    met = [
        Met(2, polish, "answer", True, 3600),
        Met(3, polish, "seal", True, 0, "ruling"),
        Met(4, polish, "entropy", False, 0, "lapse"),
    ]
    assert lines_of(met) == [
        "    2  polish's orders: late by 1 hour",
        "    3  polish's sealed orders: it was ruled on",
        "    4  polish's share of the dice (no decision): it was claimed",
    ]


def test_what_is_said_of_deadlines() -> None:
    said = (
        "none until step 4, then 7 days for each step until step 8, then 14 days for step 9, then 1 day for each step"
    )
    found = [Deadline(1, 0), Deadline(5, 7), Deadline(9, 14), Deadline(10, 1)]
    assert (deadlines_in_words(found), deadlines_in_words([Deadline(1, 7)])) == (said, "7 days for each step")

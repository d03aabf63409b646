"""Before play a referee rules on nothing, and nobody loses: the game is annulled, or put aside."""

from __future__ import annotations

from pathlib import Path

from attacks.sides import Side
from attacks.test_referee import invited


def refusal(side: Side, *words: str) -> list[str]:
    done = side("motion", *words)
    assert (done.code, done.out) == (1, "")
    return done.err.splitlines()


def test_a_deposit_that_does_not_come_before_play_loses_nothing(tmp_path: Path) -> None:
    court = invited(tmp_path, "westerplatte", "standard")
    court.german.take(court.polish.export())
    court.referee.take(court.polish.export(everything=True))
    assert refusal(court.referee, "rule") == [
        "rule.before_play: expected a game in which play has begun, got one that waits for german (what the referee is "
        "to hold) and polish (what the referee is to hold): nobody loses before play",
        "hint: `pbem motion annul westerplatte --why REASON` ends the game without a result; `pbem new` proposes "
        "another one",
    ]
    done = court.referee("motion", "annul", "--why", "no deposit came")
    assert (done.code, done.out.splitlines()[:3]) == (
        0,
        [
            "Ruled on the game.",
            "  > the referee annulled the game at step 2: no deposit came",
            "Result: the referee annulled the game at step 2: no deposit came.",
        ],
    )
    court.polish.mail(court.referee.export())
    assert "result: the referee annulled the game at step 2" in court.polish("status").out


def test_a_game_that_not_all_have_joined_is_put_aside(tmp_path: Path) -> None:
    referee = invited(tmp_path, "westerplatte", "standard").referee
    assert refusal(referee, "rule") == [
        "rule.before_play: expected a game in which play has begun, got one that waits for polish (to accept the "
        "proposal): nobody loses before play",
        "hint: `pbem forget westerplatte` puts aside what not all have joined; `pbem new` proposes another one",
    ]
    assert refusal(referee, "annul", "--why", "he never came") == [
        "annul.not_joined: expected a game that all have joined, got one that waits for polish (to accept the "
        "proposal)",
        "hint: `pbem forget westerplatte` puts aside what not all have joined",
    ]

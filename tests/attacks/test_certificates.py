"""Certificates of games in trouble: who signed twice, who claimed what, and that both homes say the same."""

from __future__ import annotations

import pytest

from attacks.sides import DAY, LATER, Pair, Side, claimed_when_sent
from attacks.test_disputes import forked  # noqa: F401 - a fixture
from attacks.test_motions import deciding


def test_a_file_about_one_thing_has_no_certificate(played: Pair) -> None:
    path = played.german.folder.parent / "card.pbem"
    assert played.german("dispute", "westerplatte", "roll", "4", "-o", path).code == 0
    done = played.german("certificate", path)
    assert (done.code, done.err) == (
        1,
        f"certificate.file: expected an archive or a game of this home, got a file about one dispute in '{path}'\n"
        f"hint: `pbem verify {path}` says what that file shows\n",
    )


def certified(side: Side) -> list[str]:
    """The section about disputes, each paragraph on one line."""
    done = side("certificate", "westerplatte")
    assert (done.code, done.err) == (0, "")
    section = done.out.partition("Disputes and remedies:\n")[2].partition("\n\n")[0]
    return section.replace("\n    ", " ").splitlines()


@pytest.mark.plan("A18")
def test_a_settled_fork_stands_on_the_certificate(forked: Pair) -> None:  # noqa: F811
    german = forked.german
    fork = german.opened().fork
    assert fork is not None
    assert german("motion", "resolve", "--keep", fork.first.id[:16]).code == 0
    assert certified(german) == [f"  Fork: {fork.second.title} was overruled by german."]


@pytest.mark.plan("A43")
def test_a_claim_stands_on_the_certificate_and_the_remedy_too(joined: Pair) -> None:
    joined.german.now = LATER + DAY
    with joined.german.desk() as desk:
        claimed_when_sent(desk, joined.german.game)
    assert certified(joined.german) == [
        "  Claim: german stated at step 2 that polish owed its orders.",
        "  Remedy (step 2): german claimed the game at step 2, where polish's answer did not come.",
    ]


def test_a_withdrawn_motion_stands_on_the_certificate_as_one(joined: Pair) -> None:
    german, polish = joined.sides()
    for words in (("draw",), ("withdraw",)):
        assert polish("motion", *words).code == 0
    german.mail(polish.export())
    polish.mail(german.export())
    for side in joined.sides():
        assert certified(side) == [
            "  Withdrawn: polish took back at step 3 its motion to end the game as a draw.",
            "  Motion (step 3): polish's motion to end the game as a draw is not agreed to.",
        ]


def test_a_plain_concession_is_a_result_and_no_dispute(played: Pair) -> None:
    decider, _ = deciding(played)
    assert decider("motion", "concede").code == 0
    assert certified(decider) == [
        "  None: no fork, no claim, no breach, no ruling, and no motion but the concession that ended the game."
    ]


def test_both_homes_write_the_same_certificate(played: Pair) -> None:
    played.german.take(played.polish.export())
    played.polish.take(played.german.export())
    for html in ([], ["--html"]):
        first, second = (side("certificate", "westerplatte", *html).out for side in played.sides())
        assert first == second

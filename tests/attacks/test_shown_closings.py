"""What a closing opened of the orders that were left sealed, before a stranger who has nothing but a dispute."""

from __future__ import annotations

import pytest

from attacks.sides import Pair, Side, judged, payload_of
from attacks.test_audits import closed, given_up  # noqa: F401 - fixtures
from attacks.test_disputes import again, unnoticed, written
from attacks.test_motions import exchange
from attacks.test_seals import original, planning, toy  # noqa: F401 - fixtures
from pbem.app import said
from pbem.log import bundle


@pytest.fixture
def ended(closed: Pair) -> Pair:  # noqa: F811 - a fixture
    """Both have closed the game and opened what they had left sealed, and have it all."""
    for side in (*closed.sides(), *closed.sides()):
        exchange(closed, side)
    return closed


@pytest.mark.plan("A64")
def test_what_a_closing_opened_convinces_a_stranger(ended: Pair, stranger: Side) -> None:
    last = ended.german.opened().campaign.steps[-1].number
    data = written(ended.german, "opening", "2", "north", game="toy")
    assert [payload_of(line)["kind"] for line in bundle.read(data).lines] == ["propose", "accept", "seal", "close"]
    done = judged(stranger, data)
    game = ended.german.opened().row.game_id[:12]
    assert (done.code, done.err, done.out.splitlines()[0]) == (
        0,
        "",
        f"Proven: what north opened at step {last} of game {game} is what it had sealed at step 2, bit by bit.",
    )
    assert done.out.splitlines()[3] == "It says: reserve 1."
    assert written(ended.polish, "opening", str(last), "north", game="toy") == data
    assert unnoticed(data, range(0, len(data), 3)) == []


def test_what_is_no_order_of_the_game_is_not_said_in_words(ended: Pair) -> None:
    rules = ended.german.opened().campaign.ruleset
    assert [said.written(rules, ask, {"strength": 1}) for ask in ("reserve", "plan", "moves")] == ["reserve 1", "", ""]
    assert said.written(None, "reserve", {"strength": 1}) == ""


def test_an_opening_of_a_closing_is_named_by_its_step_and_role(ended: Pair) -> None:
    last = ended.german.opened().campaign.steps[-1].number
    done = ended.german("dispute", "toy", "opening", "2")
    assert done.err.splitlines() == [
        "dispute.opening: expected one opening at step 2, got 2",
        f"hint: openings there are: step {last} north, step {last} south",
    ]


@pytest.mark.plan("A32", "A33")
def test_a_closing_shows_nothing_but_what_was_sealed(ended: Pair, stranger: Side) -> None:
    data = written(ended.german, "opening", "2", "north", game="toy")
    closing = payload_of(bundle.read(data).lines[-1])
    (own,) = closing["body"]["openings"]
    last = closing["step"]
    other = {**own, "value": {"strength": 2}}
    for openings, code in (
        ([other], f"dispute.opening: expected north's close of step {last} (event "),
        ([other, {**own, "step": 4}], f"dispute.opening: expected north's close of step {last} (event "),
        ([{**own, "step": 3}], "dispute.events: expected a seal and its opening, got north's seal of step 2 (event "),
        ([{**own, "salt": "", "value": None}], "dispute.events: expected a seal and its opening, got north's seal of "),
    ):
        line = ended.german.sign({**closing, "body": {**closing["body"], "openings": openings}})
        done = judged(stranger, again(data, lambda lines, line=line: [*lines[:-1], line]))
        assert (done.code, done.out, done.err.startswith(code)) == (1, "", True), done.err

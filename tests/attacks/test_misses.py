"""Who owes what, since when and until when; and how often each side was late, through the client."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from attacks.sides import LATER, Pair, Side, claimed_when_sent, packed, payload_of, pbem
from attacks.test_audits import closed, given_up  # noqa: F401 - fixtures
from attacks.test_motions import exchange, moved, replied
from attacks.test_referee import Court, begun, court, invited, ruled  # noqa: F401 - fixtures
from attacks.test_seals import lose_the_opening, original, planning, toy  # noqa: F401 - fixtures
from pbem.app import catalogue
from pbem.app.propose import Terms, propose
from pbem.log.event import Role

DATE = r"2023-11-\d\d \d\d:\d\d UTC"
CHOSEN = "place every Polish unit on a land area, at most 2 in one"


def waiting(side: Side) -> list[str]:
    """What status says of who owes what, without the dates; since when and until when are seven days apart."""
    lines = [line for line in side("status", side.game).out.splitlines() if line.startswith("  waiting for ")]
    for since, until in (re.findall(DATE, line) for line in lines):
        assert (since[11:], int(until[8:10]) - int(since[8:10])) == (until[11:], 7)
    return [re.sub(f", since {DATE}, until {DATE}$", "", line.removeprefix("  waiting for ")) for line in lines]


def inviting(side: Side, days: int) -> Side:
    """The same player with a second game, which nobody has accepted."""
    side.game = "second"
    opponent = {Role("polish"): ("Bruno", "bruno@example.org")}
    with side.desk() as desk:
        propose(desk, Terms(catalogue.ruleset("westerplatte"), "standard", side.role, opponent, days, name="second"))
    return side


def test_status_of_an_invitation(joined: Pair) -> None:
    side = inviting(joined.german, 7)
    assert waiting(side) == ["polish: to accept the proposal"]


def test_status_of_a_decision_a_link_and_a_consent(joined: Pair) -> None:
    german, polish = joined.sides()
    assert waiting(german) == [f"polish: {CHOSEN}"]
    moved(polish, what="draw")
    exchange(joined, polish)
    assert waiting(polish) == ["german: to agree to a motion or to refuse it"]
    replied(german, agree=False)
    exchange(joined, german)
    polish.decide()
    exchange(joined, polish)
    german.decide()
    assert waiting(german) == ["polish: its share of the dice"]


def test_status_of_sealed_answers_and_openings(planning: Pair) -> None:  # noqa: F811 - a fixture
    north, south = planning.sides()
    both = waiting(north)
    assert [line.split(":")[0] for line in both] == ["north", "south"]
    north.decide()
    assert waiting(north) == both[1:]
    south.decide()
    lost = packed(south.pending())
    lose_the_opening(south)
    south.take(packed(north.pending()))
    north.take(lost)
    assert waiting(north) == ["south: to open its sealed answer"]


def test_status_of_closings(closed: Pair) -> None:  # noqa: F811 - a fixture
    assert waiting(closed.german) == ["south: to open what it left sealed, now that the game is over"]


def test_status_of_a_closing(given_up: Pair) -> None:  # noqa: F811 - a fixture
    assert waiting(given_up.german) == ["south: to close the game"]


def test_status_of_deposits_and_the_referees_word(tmp_path: Path) -> None:
    court = invited(tmp_path, "westerplatte", "standard")  # noqa: F811 - made anew
    german, polish, referee = court.sides()
    german.take(polish.export())
    german.take(referee.export())
    assert waiting(german) == ["polish: what the referee is to hold"]
    polish.take(german.export(everything=True))
    assert waiting(polish) == ["referee: the referee's word that the deposits are good"]


@pytest.mark.plan("A22")
def test_status_for_programs_says_since_and_until(joined: Pair) -> None:
    (found,) = json.loads(joined.german("status", "--json").out)
    (owed,) = found["waiting"]
    assert (owed["role"], owed["kind"], owed["ask"], found["due"] - found["since"]) == (
        "polish",
        "answer",
        "polish_setup",
        7 * 86_400,
    )


# ------------------------------------------------------------------------------------------ delays


def late_link(pair: Pair) -> None:
    """The Pole decides nine days late; its share of the dice comes late as well."""
    german, polish = pair.sides()
    german.now = polish.now = LATER + 86_400
    polish.decide()
    german.take(polish.export())
    german.decide()
    german.now = polish.now = german.now + 8 * 86_400
    polish.take(german.export())
    german.take(polish.export())


DELAYS = """\
    2  polish's orders: late by 1 day
    4  polish's share of the dice (no decision): late by 1 day
german: 1 decision, 0 late, 0 stood in for; without a choice: 1 answer, 0 late, 0 stood in for.
polish: 1 decision, 1 late (at most by 1 day), 0 stood in for; without a choice: 1 answer, \
1 late (at most by 1 day), 0 stood in for.
These times are by the dates that each has signed, which nobody vouches for: what was signed in time may have been \
sent too late, and who waited for it can be on record as late.
Do now: `pbem status westerplatte`.
"""


def test_the_log_and_the_certificate_count_delays(joined: Pair, tmp_path: Path) -> None:
    late_link(joined)
    german = joined.german
    done = german("log", "--delays")
    assert (done.code, done.out, done.err) == (0, DELAYS, "")
    found = json.loads(german("log", "--delays", "--json").out)
    assert (found["game"], found["deadline_days"]) == ("westerplatte", 7)
    assert [(one["step"], one["role"], one["kind"], one["decides"]) for one in found["delays"]] == [
        (2, "polish", "answer", True),
        (4, "polish", "entropy", False),
    ]
    archive = tmp_path / "game.pbem"
    assert german("archive", "-o", archive).code == 0
    page = pbem(tmp_path / "nobody", "certificate", archive).out
    section = " ".join(page.split("Delays:\n")[1].split("Checks passed:")[0].split())
    assert section == (
        "Deadline: 7 days for each step, by the dates that each has signed, which nobody vouches for "
        "german: 1 decision, 0 late, 0 stood in for; without a choice: 1 answer, 0 late, 0 stood in for "
        "polish: 1 decision, 1 late (at most by 1 day), 0 stood in for; without a choice: 1 answer, "
        "1 late (at most by 1 day), 0 stood in for "
        "Decisions are counted here where a role had a choice: in the open, sealed, and whether to agree to a motion. "
        "Without a choice is what a program gives by itself (shares of the dice, openings, the closing), and what had "
        "one answer."
    )


def waiting_for_a_share(pair: Pair, peeking: Path) -> tuple[Side, bytes]:
    """Who will decide behind the first roll, without the other side's share of it, which is signed; and that share."""
    german, polish = pair.sides()
    polish.decide()
    german.take(polish.export())
    german.decide()
    whole = german.export(everything=True)
    peek = polish.copy(peeking)
    peek.take(whole)
    if peek.opened().campaign.place.deciding == (german.role,):
        polish.take(whole)
        return german, polish.export(everything=True)
    polish.take(packed([line for line in german.lines() if payload_of(line)["step"] == 3]))
    return polish, whole


def test_who_waited_until_a_claim_is_not_on_record_as_late(joined: Pair, tmp_path: Path) -> None:
    """A share is signed at once and sent nine days later: by its date whoever waited for it is late."""
    waiting, share = waiting_for_a_share(joined, tmp_path / "peek")
    unclaimed = waiting.copy(tmp_path / "unclaimed")
    for side in (waiting, unclaimed):
        side.now = side.opened().campaign.place.since + 9 * 86_400
    with waiting.desk() as desk:
        claimed_when_sent(desk, waiting.game)
    for side in (waiting, unclaimed):
        side.take(share)
        side.now += 60
        side.decide()
    late = f"    5  {waiting.role}'s orders: late by 2 days"
    in_time = f"{waiting.role}: 2 decisions, 0 late, 0 stood in for; without a choice: 1 answer, 0 late, 0 stood in for"
    assert unclaimed("log", "--delays").out.splitlines()[0] == late
    assert f"{in_time}." in waiting("log", "--delays").out.splitlines()
    archive = tmp_path / "game.pbem"
    assert waiting("archive", "-o", archive).code == 0
    assert in_time in " ".join(pbem(tmp_path / "nobody", "certificate", archive).out.split())


def claimed(pair: Pair) -> Side:
    german, _ = pair.sides()
    german.now = LATER + 86_400
    with german.desk() as desk:
        claimed_when_sent(desk, german.game)
    return german


def test_a_claim_is_told(joined: Pair) -> None:
    side = claimed(joined)
    assert side("log", "--delays").out.splitlines()[0] == "    2  polish's orders: it was claimed"


def test_a_ruling_on_a_link_is_no_missed_decision(court: Court) -> None:  # noqa: F811 - a fixture
    court.polish.decide()
    for other in (court.german, court.referee):
        other.take(court.polish.export(everything=True))
    court.german.decide()
    court.referee.take(court.german.export(everything=True))
    court.late()
    ruled(court, "silent")
    lines = court.referee("log", "--delays").out.splitlines()
    (told,) = (line for line in lines if "ruled" in line)
    assert told.endswith("  polish's share of the dice (no decision): it was ruled on")
    (polish,) = (line for line in lines if line.startswith("polish: "))
    assert polish.startswith("polish: 1 decision, 0 late, 0 stood in for; without a choice: ")
    assert polish.endswith(", 0 late, 1 stood in for.")


def test_a_motion_that_the_referee_rules_on_is_no_delay(court: Court) -> None:  # noqa: F811 - a fixture
    decider, _ = court.deciding()
    moved(decider, what="pause")
    court.referee.take(decider.export(everything=True))
    ruled(court, agree=True)
    assert not any("ruled" in line for line in court.referee("log", "--delays").out.splitlines())


def test_a_game_without_a_deadline_has_no_delays(joined: Pair) -> None:
    none = "0 decisions, 0 late, 0 stood in for; without a choice: 0 answers, 0 late, 0 stood in for"
    assert inviting(joined.german, 0)("log", "second", "--delays").out.splitlines() == [
        f"german: {none}.",
        f"polish: {none}.",
        "Nobody can be late: this game was agreed without a deadline.",
        "Do now: `pbem status second`.",
    ]

"""New rules for a running game, through the clients of two sides and the archive that a stranger verifies."""

from __future__ import annotations

from dataclasses import replace
from email import message_from_bytes, policy
from pathlib import Path

import orjson
import pytest
from log.show_motions import changing

from attacks.ruled import DATA_OF_TWO, FIRST, SECOND, _decide, carried, finished, played_by, stranger, until
from attacks.sides import Pair, id_of, new_side, packed, pbem
from attacks.test_motions import both_see, deciding, exchange, heads, moved, replied
from attacks.test_referee import Court
from pbem.app.exporting import export
from pbem.app.propose import Terms, accept, propose, single_proposal
from pbem.app.routing import incoming
from pbem.app.ruling import rule
from pbem.engine.new_rules import named
from pbem.log.event import Consent, Motion, Role

SAME = "what is asked now stays as it is"


# ------------------------------------------------------------------------------------------ agreed, refused, crossing


def test_a_game_goes_on_by_the_second_version(toy: Pair, tmp_path: Path) -> None:
    step = carried(toy)
    assert played_by(toy.german) == played_by(toy.polish) == [(0, 1), (step + 1, 2)]
    campaign = toy.german.opened().campaign
    assert campaign.ruleset.digest == SECOND.digest
    assert campaign.lines[-1].text == (
        f"play goes on by version 2 of toy with data {SECOND.digest[:12]} from step {step + 1} on"
    )
    side = finished(toy)
    done = stranger(tmp_path, side)
    assert (done.code, f"\n  rules: version 1 until step {step}, then version 2\n" in done.out) == (0, True)
    certified = side("certificate", tmp_path / "stranger.pbem")
    page = certified.out
    assert (certified.code, certified.err) == (0, "")
    assert f"The Toy Ford (toy), version 1 until step {step}, then version 2" in page
    assert SECOND.digest in page.replace("\n    ", "")


def test_new_rules_that_are_refused_change_nothing(toy: Pair) -> None:
    mover, _ = deciding(toy)
    state = mover.opened().campaign.state
    carried(toy, agree=False)
    campaign = mover.opened(whole=True).campaign
    assert (campaign.state, played_by(mover)) == (state, [(0, 1)])
    assert campaign.lines[-1].text == (
        f"{mover.role}'s motion to play on by version 2 of toy with data {SECOND.digest[:12]} is not agreed to"
    )


def test_who_waits_asks_for_them_and_who_decides_agrees(toy: Pair) -> None:
    decider, waiter = deciding(toy)
    moved(waiter, what="ruleset", ruleset=named(SECOND), why="rule 2.4")
    exchange(toy, waiter)
    assert replied(decider, agree=True)
    exchange(toy, decider)
    assert played_by(decider) == played_by(waiter) == [(0, 1), (7, 2)]
    assert heads(toy)[0] == heads(toy)[1]


def test_an_answer_that_crosses_with_a_request_overrules_it(toy: Pair, tmp_path: Path) -> None:
    decider, waiter = deciding(toy)
    moved(waiter, what="ruleset", ruleset=named(SECOND))
    decider.decide()
    asked, answered = waiter.export(), decider.export()
    decider.take(asked)
    waiter.take(answered)
    assert heads(toy)[0] == heads(toy)[1]
    assert played_by(decider) == played_by(waiter) == [(0, 1)]
    assert stranger(tmp_path, finished(toy)).code == 0


# ------------------------------------------------------------------------------------------ what is shown


@pytest.fixture
def later(toy: Pair) -> Pair:
    """North assaults each turn, and south holds; who bets, bets two."""
    orders = {"plan north": "assault with 1", "plan south": "hold with 0", "bet north": "bet 2", "bet south": "bet 2"}
    until(toy, 10, orders)
    return toy


WOULD = [
    f"8 steps replayed by version 2 of toy with data {DATA_OF_TWO}, with the same answers and dice: 1 difference",
    "step 6 (2.3): north: bet 2",
    "  would have been: refused: expected at most 1 supply, got 2",
    "south is asked as before: turn 2: bet supply on the assaults",
    "  no more: bet 2",
]
WORDS = f"play on by version 2 of toy with data {DATA_OF_TWO}"


@pytest.fixture
def south_decides(later: Pair) -> Pair:
    assert deciding(later)[0] is later.polish
    return later


def test_what_would_differ_is_shown_and_nothing_is_signed(south_decides: Pair) -> None:
    for side in south_decides.sides():
        before = side.tables()
        done = side("motion", "ruleset", "toy", "--show")
        assert (done.code, done.err) == (0, "")
        assert done.out.splitlines() == [
            *WOULD,
            "Nothing is signed. Do now: `pbem status toy`; `pbem motion ruleset toy` without --show moves it.",
        ]
        assert side.tables() == before


def test_what_would_differ_is_shown_to_the_mover(south_decides: Pair) -> None:
    done = south_decides.polish("motion", "ruleset", "--to", "2", "--why", "rule 2.4 was mended")
    assert (done.code, done.out.splitlines()) == (
        0,
        [*WOULD, f"Moved: to {WORDS}.", "Do now: send your turn file: `pbem export toy -o turn.eml --eml`"],
    )


def test_what_would_differ_is_shown_to_the_other_side(south_decides: Pair) -> None:
    """In the covering mail, in the status, in the sheet, and when it asks for it."""
    south, north = south_decides.polish, south_decides.german
    moved(south, what="ruleset", ruleset=named(SECOND), why="rule 2.4")
    with south.desk() as desk:
        mail = message_from_bytes(export(desk, "toy").mail, policy=policy.default).get_body()
    assert mail is not None
    assert [f"south moves to {WORDS}: rule 2.4.", *(f"  {line}" for line in WOULD)] == [
        line for line in mail.get_content().splitlines() if line.startswith("south moves") or line.strip() in _bare()
    ]
    exchange(south_decides, south)
    status = north("status").out.splitlines()
    at = status.index(f"  south moves to {WORDS}: rule 2.4")
    assert [line[4:] for line in status[at + 1 : at + 1 + len(WOULD)]] == WOULD
    assert north("orders").out.splitlines()[-10:-1] == [
        f"# south moves to {WORDS}: rule 2.4",
        *(f"#   {line}" for line in WOULD),
        "# Write one of these two without its mark:",
        "# agree",
        "# refuse",
    ]
    assert north("motion", "ruleset", "--show").out.splitlines()[:-1] == WOULD
    (told,) = orjson.loads(north("status", "toy", "--json").out)[0]["proposed"]
    assert told["difference"] == WOULD


def _bare() -> list[str]:
    return [line.strip() for line in WOULD]


# ------------------------------------------------------------------------------------------ taken back, disputed


def test_a_take_back_over_the_change_is_verified(toy: Pair, tmp_path: Path) -> None:
    carried(toy)
    until(toy, 12, {})
    mover, other = deciding(toy)
    both_see(toy, mover, other, what="take_back", step=6)
    assert [version for _, version in played_by(mover)] == [1, 2, 1]
    assert mover("show", "toy", "--at", "9").code == 0
    side = finished(toy)
    done = stranger(tmp_path, side)
    last = [step - 1 for step, _ in played_by(side)]
    told = f"  rules: version 1 until step {last[1]}, then version 2 until step {last[2]}, then version 1\n"
    assert (done.code, told in done.out) == (0, True)


def test_both_homes_write_the_same_archive_and_rolls_can_be_disputed(toy: Pair, tmp_path: Path) -> None:
    carried(toy)
    side = finished(toy)
    for one in toy.sides():
        one("archive", "-o", tmp_path / f"of-{one.role}")
    assert (tmp_path / "of-north").read_bytes() == (tmp_path / "of-south").read_bytes()
    behind = [roll for roll in side.opened(whole=True).campaign.rolls if roll.step > 8]
    assert side("dispute", "toy", "roll", behind[-1].id, "-o", tmp_path / "roll.pbem").code == 0
    assert pbem(tmp_path / "nobody", "verify", tmp_path / "roll.pbem").code == 0
    assert side("roll", "toy", behind[-1].id).code == 0


# ------------------------------------------------------------------------------------------ where it cannot be


IN_RAIN = (
    "motion.ruleset: version 2 cannot carry the position over: expected a turn without rain, got one with it\n"
    "hint: wait for the next turn\n"
)


@pytest.fixture
def raining(toy: Pair) -> Pair:
    """The second version takes no game over in whose second turn rain falls: such a turn."""
    until(toy, 10, {})
    assert deciding(toy)[0].opened().campaign.state.weather == "rain"
    return toy


def test_where_it_cannot_be_carried_over_it_is_neither_moved_nor_asked_for(raining: Pair) -> None:
    for side in raining.sides():
        before = side.tables()
        done = side("motion", "ruleset")
        assert (done.code, done.err) == (1, IN_RAIN)
        assert done.out.splitlines()[-1] == (
            "it cannot be done at this step: version 2 cannot carry the position over: expected a turn without rain, "
            "got one with it"
        )
        assert side.tables() == before


def test_a_motion_that_cannot_be_carried_out_gets_no_consent(raining: Pair, tmp_path: Path) -> None:
    """Moved past the client, agreed to past the other one: refused at both homes, and a stranger sees why."""
    mover, other = deciding(raining)
    mover.give(changing(Motion, "ruleset", ruleset=named(SECOND)))
    exchange(raining, mover)
    agreed = other("motion", "agree")
    assert (agreed.code, agreed.err) == (1, IN_RAIN)
    moved = other.opened().campaign.moved
    assert moved is not None
    forged = other.sign(other.here(Consent(motion=moved.id, agree=True)))
    heads_before = mover.heads()
    taken = mover.mail(packed([forged]))
    assert (taken.code, taken.err, mover.heads()) == (1, IN_RAIN, heads_before)
    assert mover("dispute", "toy", "refusal", id_of(forged), "-o", tmp_path / "d.pbem").code == 0
    judged = pbem(tmp_path / "nobody", "verify", tmp_path / "d.pbem")
    proven = f"Proven: {other.role} signed answer to a motion at step 11 of game"
    assert (judged.code, judged.out.startswith(proven)) == (0, True)
    replied(other, agree=False)
    exchange(raining, other)
    assert played_by(mover) == [(0, 1)]
    assert stranger(tmp_path, finished(raining)).code == 0


# ------------------------------------------------------------------------------------------ the referee


def test_the_referee_rules_on_them_in_the_place_of_either_side(tmp_path: Path) -> None:
    court = Court(
        *(
            replace(new_side(tmp_path / role, role, name), game="toy")
            for role, name in (("north", "Anna"), ("south", "Bruno"), ("referee", "Rita"))
        )
    )
    opponents, judge = {Role("south"): ("Bruno", "bruno@example.org")}, ("Rita", "rita@example.org")
    with court.german.desk() as desk:
        propose(desk, Terms(FIRST, "standard", Role("north"), opponents, 7, referee=judge))
    for side in (court.polish, court.referee):
        with side.desk() as desk:
            accept(desk, single_proposal(incoming(court.german.export(), "invitation")))
    players = Pair(court.german, court.polish)
    court.exchange()
    for _ in range(2):  # reserves, then plans; deposits are sealed anew each time, so the dice are other ones
        for side in players.sides():
            _decide(side, {})
        court.exchange()
    mover, other = court.deciding()
    moved(mover, what="ruleset", ruleset=named(SECOND))
    court.exchange()
    with court.referee.desk() as desk:
        assert rule(desk, "toy", "it is mended", agree=True).told[-1].startswith("play goes on by version 2 of toy")
    court.exchange()
    moved(other, what="ruleset", ruleset=named(FIRST))
    court.exchange()
    with court.referee.desk() as desk:
        assert rule(desk, "toy", "it was better", agree=True).told[-1].startswith("play goes on by version 1 of toy")
    court.exchange()
    assert [version for _, version in played_by(court.referee)] == [1, 2, 1]
    assert court.heads()[0] == court.heads()[1] == court.heads()[2]
    assert stranger(tmp_path, court.referee, "--running").code == 0


@pytest.mark.plan("A66")
def test_a_home_goes_on_from_a_snapshot_behind_the_change(toy: Pair) -> None:
    """Read from it and from the first event, play stands at the same place under the same rules."""
    carried(toy)
    until(toy, 12, {})
    for side in toy.sides():
        short, whole = side.opened(), side.opened(whole=True)
        assert short.from_step > 8
        assert short.campaign.place == whole.campaign.place
        assert short.campaign.ruled == whole.campaign.ruled
        assert short.campaign.ruleset.digest == SECOND.digest

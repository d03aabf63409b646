"""New rules for a running game, through the clients of two sides and the archive that a stranger verifies."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import replace
from email import message_from_bytes, policy
from pathlib import Path
from typing import Any

import orjson
import pytest
from log.show_motions import changing

from attacks.sides import Done, Pair, Side, id_of, new_side, packed, pbem
from attacks.test_motions import both_see, deciding, exchange, heads, moved, replied
from attacks.test_referee import Court
from pbem.app import catalogue
from pbem.app.deciding import submit_orders
from pbem.app.exporting import export
from pbem.app.propose import Terms, accept, propose, single_proposal
from pbem.app.routing import incoming
from pbem.app.ruling import rule
from pbem.engine.new_rules import named
from pbem.log import dispute
from pbem.log.dispute import RefusalClaim
from pbem.log.event import Consent, Motion, Role

FIRST, SECOND = catalogue.versions("toy")
DATA = Path(__file__).parents[1] / "toy" / "toy" / "data"
SAME = "what is asked now stays as it is"


@pytest.fixture
def toy(tmp_path: Path) -> Pair:
    """A toy game in which north bets first; here `german` is north and `polish` south."""
    north, south = new_side(tmp_path / "north", "north", "Anna"), new_side(tmp_path / "south", "south", "Bruno")
    north.game = south.game = "toy"
    with north.desk() as desk:
        propose(desk, Terms(FIRST, "standard", north.role, {Role("south"): ("Bruno", "bruno@example.org")}, 7))
    with south.desk() as desk:
        accept(desk, single_proposal(incoming(north.export(), "invitation")))
    north.take(south.export())
    pair = Pair(north, south)
    until(pair, 6, {})
    return pair


@pytest.fixture
def other_data(tmp_path: Path) -> Path:
    """Version 1 as somebody has it who finds that 9 is needed to cross."""
    folder = tmp_path / "mine"
    shutil.copytree(DATA, folder)
    text = (folder / "figures.csv").read_text("utf-8")
    (folder / "figures.csv").write_text(text.replace("needed,8,", "needed,9,"), "utf-8")
    return folder


def played_by(side: Side) -> list[tuple[int, int]]:
    """From which step on the game is played by which version."""
    return [(step, name.version) for step, name in side.opened(whole=True).campaign.ruled]


def carried(pair: Pair, wanted: Any = SECOND, *, agree: bool = True) -> int:
    """A change that is moved and answered; the step of the answer."""
    mover, other = deciding(pair)
    both_see(pair, mover, other, agree=agree, what="ruleset", ruleset=named(wanted))
    return mover.opened(whole=True).campaign.place.step - 1


def finished(pair: Pair) -> Side:
    pair.play(99)
    heads(pair)
    assert pair.german.opened().campaign.finished
    return pair.german


def stranger(tmp_path: Path, side: Side, *arguments: str | Path) -> Done:
    """What somebody says without a home, who has the archive alone."""
    path = tmp_path / "stranger.pbem"
    assert side("archive", "-o", path, "--force").code == 0
    return pbem(tmp_path / "nobody", "verify", path, *arguments)


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


def until(pair: Pair, step: int, orders: Mapping[str, str]) -> None:
    """Play on to a step by these orders, each as far as it is legal."""
    for _ in range(40):
        for side in pair.sides():
            if side.opened().campaign.place.step >= step:
                return
            _decide(side, orders)
            exchange(pair, side)


def _decide(side: Side, orders: Mapping[str, str]) -> None:
    campaign = side.opened().campaign
    question = campaign.question(side.role)
    if question is None:
        return
    wanted = orders.get(f"{question.kind} {side.role}", "")
    legal = [campaign.ruleset.write_orders(one) for one in question.legal()]
    with side.desk() as desk:
        submit_orders(desk, "toy", wanted if wanted in legal else legal[0])


DATA_OF_TWO = SECOND.digest[:12]
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


# ------------------------------------------------------------------------------------------ a home without them

LACKING = """
import sys
sys.path.insert(0, {toy!r})
from toy.ruleset import Toy
Toy.versions = ()
from pbem.cli.frame import run
sys.exit(run(sys.argv[1:]))
"""


def without_the_second(side: Side, *arguments: str | Path) -> Done:
    """The client where an older package of the game is installed."""
    done = subprocess.run(
        [sys.executable, "-c", LACKING.format(toy=str(DATA.parents[1])), *map(str, arguments)],
        env={**os.environ, "PBEM_HOME": str(side.folder)},
        capture_output=True,
        text=True,
        check=False,
    )
    return Done(done.returncode, done.stdout, done.stderr)


MISSING = (
    f"campaign.ruleset: expected version 2 of toy with data {DATA_OF_TWO}, by which the game is to go on from version "
    f"1 with data {FIRST.digest[:12]}, got version 1 with data {FIRST.digest[:12]} here\n"
    "hint: install the pbem, or the package of this game, that brings them, or pass the other side's data with --data; "
    "the log can still be read with `pbem log`\n"
)


def test_a_home_that_lacks_the_version_is_told_and_reads_the_log(toy: Pair, tmp_path: Path) -> None:
    mover, other = deciding(toy)
    moved(mover, what="ruleset", ruleset=named(SECOND))
    exchange(toy, mover)
    before = other.tables()
    agreed = without_the_second(other, "motion", "agree")
    assert (agreed.code, agreed.out, agreed.err) == (1, "", MISSING)
    assert other.tables() == before
    sheet = without_the_second(other, "orders").out.splitlines()
    assert f"#   {MISSING.splitlines()[0].removeprefix('campaign.ruleset: ')}" in sheet
    replied(other, agree=True)
    path = tmp_path / "turn.txt"
    path.write_bytes(other.export())
    before = mover.tables()
    taken = without_the_second(mover, "import", path)
    assert (taken.code, taken.err) == (1, MISSING)
    assert mover.tables() == before
    told = without_the_second(other, "log")
    assert (told.code, told.err) == (0, MISSING)
    assert f'  7  {other.role}: consent {{"motion":' in told.out
    assert without_the_second(other, "status").code == 0
    exchange(toy, other)
    finished(toy)
    archive = tmp_path / "game.pbem"
    mover("archive", "-o", archive)
    judged = without_the_second(mover, "verify", archive)
    assert (judged.code, judged.out, judged.err) == (1, "", MISSING)


def test_a_home_that_lacks_the_version_may_refuse_it(toy: Pair) -> None:
    mover, other = deciding(toy)
    moved(mover, what="ruleset", ruleset=named(SECOND))
    exchange(toy, mover)
    assert without_the_second(other, "motion", "refuse").code == 0


def test_rules_that_are_missing_accuse_nobody(toy: Pair, tmp_path: Path) -> None:
    """A consent to them is no event that the rules refuse, whoever lacks them and whatever a file claims."""
    mover, other = deciding(toy)
    moved(mover, what="ruleset", ruleset=named(SECOND))
    exchange(toy, mover)
    lines = [*mover.lines(), other.sign(other.here(Consent(motion=id_of(mover.lines()[-1]), agree=True)))]
    claim = RefusalClaim(claim="refusal", event=id_of(lines[-1]), code="campaign.ruleset")
    path = tmp_path / "d.pbem"
    path.write_bytes(dispute.write(claim, [one.identity().public_key for one in toy.sides()], lines))
    judged = without_the_second(mover, "verify", path)
    assert (judged.code, judged.out, judged.err) == (1, "", MISSING)
    assert "dispute.accepted" in mover("verify", path).err


def test_a_version_that_nobody_has_is_not_moved(toy: Pair) -> None:
    done = toy.german("motion", "ruleset", "--to", "7")
    assert (done.code, done.err) == (
        1,
        "game.version: expected a version of toy that is here (1, 2), got version 7\n"
        "hint: `pbem games` lists them; a newer package may bring others\n",
    )
    same = toy.german("motion", "ruleset", "--to", "1")
    assert (same.code, same.err) == (
        1,
        f"ruleset.same: expected other rules than the game is played by, got version 1 of toy with data "
        f"{FIRST.digest[:12]}, which it is\n"
        "hint: `pbem games` lists the versions that are here; `--to` names one, `--data` a folder of other data\n",
    )


def test_games_lists_the_versions(toy: Pair) -> None:
    assert toy.german("games", "toy").out.splitlines() == [
        "toy: The Toy Ford, version 1, 3 turns",
        "  roles: north, south; scenarios: standard, short; bots: good, random",
        "  versions that can be played: 1, 2",
        f"  data: 0 printed, 0 inferred, 11 house; digest {FIRST.digest}",
    ]
    assert orjson.loads(toy.german("games", "toy", "--json").out)[0]["versions"] == [
        {"version": 1, "digest": FIRST.digest},
        {"version": 2, "digest": SECOND.digest},
    ]


# ------------------------------------------------------------------------------------------ other data


@pytest.mark.plan("A28")
def test_a_game_goes_on_with_other_data(toy: Pair, other_data: Path, tmp_path: Path) -> None:
    mine = catalogue.ruleset("toy", other_data)
    mover, other = deciding(toy)
    unasked = mover("status", "toy").out
    strange = mover("show", "--data", other_data)
    assert (strange.code, strange.err.split(":")[0]) == (1, "campaign.ruleset")
    done = mover("motion", "ruleset", "--data", other_data)
    assert (done.code, done.err) == (0, "")
    assert f"Moved: to play on by version 1 of toy with data {mine.digest[:12]}." in done.out
    assert mover("status", "toy").out != unasked
    take(other, mover, tmp_path)
    assert "got version 1 with data" in other("motion", "agree").err
    assert other("motion", "agree", "--data", other_data).code == 0
    take(mover, other, tmp_path, "--data", other_data)
    assert "by which the game is to go on" in mover("show").err
    shown = mover("log", "--data", other_data)
    assert f"play goes on by version 1 of toy with data {mine.digest[:12]} from step 8 on" in shown.out
    path = tmp_path / "game.pbem"
    assert mover("archive", "-o", path, "--data", other_data).code == 0
    assert pbem(tmp_path / "nobody", "verify", path, "--running").code == 1
    judged = pbem(tmp_path / "nobody", "verify", path, "--running", "--data", other_data)
    told = (
        f"  rules: version 1 with data {FIRST.digest[:12]} until step 7, then version 1 with data {mine.digest[:12]}\n"
    )
    assert (judged.code, told in judged.out) == (0, True)


def take(receiver: Side, sender: Side, tmp_path: Path, *arguments: str | Path) -> None:
    """One mail through both clients, with the machine's clock."""
    written = sender("export", "-o", tmp_path / f"of-{sender.role}", "--force", *arguments)
    assert written.code == 0, written
    taken = receiver("import", tmp_path / f"of-{sender.role}", *arguments)
    assert taken.code == 0, taken


def test_data_of_several_folders_lie_in_one(toy: Pair, other_data: Path, tmp_path: Path) -> None:
    """From one player's data to another's, and on by the second version: each is found by its digest."""
    both = tmp_path / "both"
    shutil.copytree(other_data, both / "mine")
    third = both / "third"
    shutil.copytree(DATA, third)
    (third / "figures.csv").write_text((third / "figures.csv").read_text().replace("needed,8,", "needed,7,"))
    mover, other = deciding(toy)
    for data, more in ((both / "mine", []), (third, ["--present", both])):
        done = mover("motion", "ruleset", "--data", data, *more)
        assert (done.code, done.err) == (0, "")
        take(other, mover, tmp_path, "--data", both)
        assert other("motion", "agree", "--data", both).code == 0
        take(mover, other, tmp_path, "--data", both)
    assert mover("verify", "toy", "--running", "--data", both).code == 0


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

"""A silent adjudicator: both players go on without it, one alone cannot, and nobody gains by what comes late."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

import pytest

from attacks.hosting import Rollers, Table, hosted, kinds
from attacks.sides import Done, Side, new_side, packed, payload_of
from pbem.errors import BadRequest
from pbem.log.event import Consent, Dismiss
from pbem.log.fork import evidence, fork
from pbem.log.verify import verify_event

ROLLERS: tuple[Rollers, ...] = ("players", "adjudicator", "all")
DISMISSED = "Dismissed: the game goes on without the adjudicator."


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> dict[Rollers, Table]:
    """Games whose first decision is asked for, at this machine's time."""
    found = {}
    for rollers in ROLLERS:
        table = hosted(tmp_path_factory.mktemp(rollers), rollers, "toy", "short")
        for side in table.sides():
            side.now = int(time.time()) - 3600
        found[rollers] = table
    return found


@pytest.fixture(params=ROLLERS)
def any_table(begun: dict[Rollers, Table], request: pytest.FixtureRequest, tmp_path: Path) -> Table:
    return begun[request.param].copied(tmp_path)


@pytest.fixture
def table(begun: dict[Rollers, Table], tmp_path: Path) -> Table:
    """The game in which the players roll, and the adjudicator gives receipts."""
    return begun["players"].copied(tmp_path)


@pytest.fixture
def rolled(begun: dict[Rollers, Table], tmp_path: Path) -> Table:
    """The game in which all three roll."""
    return begun["all"].copied(tmp_path)


def mails(table: Table, rounds: int = 2) -> None:
    """The players write to each other alone."""
    for _ in range(rounds):
        for side, other in (table.players(), table.players()[::-1]):
            other.mail(side.export())


def silent(table: Table, until: str = "receipt") -> int:
    """Play on until the log waits for the adjudicator's receipt, or its share of the dice, which does not come; the
    players have all else. The step is given."""
    for _ in range(40):
        for player in table.players():
            player.decide()
        mails(table)
        place, owed = table.first.opened().campaign.place, table.first.opened().campaign.awaited()
        if "adjudicator" in owed and owed["adjudicator"].kind == until:
            return place.step
        hosts(table, linkless=until == "entropy")
    raise AssertionError(f"no {until} is owed")


def hosts(table: Table, *, linkless: bool) -> None:
    """The adjudicator takes in what is new and answers, perhaps without its share of the dice."""
    step = table.first.opened().campaign.place.step
    for player in table.players():
        table.host.take(player.export())
    said = [*table.host.lines(), *table.host.pending()]
    kept = [one for one in said if not (linkless and b'"kind":"entropy"' in one and payload_of(one)["step"] >= step)]
    for player in table.players():
        player.take(packed([one for one in kept if payload_of(one)["step"] >= step]))


def dismiss(side: Side) -> Done:
    done = side("motion", "dismiss")
    assert done.code == 0, done
    return done


def dismissed(table: Table) -> None:
    """Both say it by mail, the first one first."""
    one, other = table.players()
    dismiss(one)
    other.mail(one.export())
    assert dismiss(other).out.splitlines()[0] == DISMISSED
    one.mail(other.export())
    mails(table)
    assert one.heads() == other.heads()


def to_the_end(table: Table, most: int = 100) -> None:
    first, second = table.players()
    for _ in range(most):
        for side, other in ((first, second), (second, first)):
            first.now = second.now = max(first.now, second.now, int(time.time())) + 1
            side.decide()
            other.take(side.export())
        if all(side.opened().campaign.finished for side in table.players()):
            return
    raise AssertionError("the game has no end")


def refusal(done: Done) -> str:
    assert done.code == 1, done
    return done.err.splitlines()[0].removeprefix("pbem: ")


# ---------------------------------------------------------------------- both


@pytest.mark.parametrize(
    ("rollers", "until"),
    [
        ("players", "receipt"),
        ("adjudicator", "receipt"),
        ("all", "receipt"),
        ("adjudicator", "entropy"),
        ("all", "entropy"),
    ],
)
def test_both_go_on_without_it_to_the_verified_end(
    begun: dict[Rollers, Table], rollers: Rollers, until: str, tmp_path: Path
) -> None:
    table = begun[rollers].copied(tmp_path)
    step = silent(table, until)
    dismissed(table)
    assert "north dismiss" in kinds(table.first)[step]
    to_the_end(table)
    one, other = table.players()
    assert one.heads() == other.heads()
    assert [side.verified(running=False).code for side in table.players()] == [0, 0]
    archives = {(side.folder.parent / f"{side.role}.pbem").read_bytes() for side in table.players()}
    assert len(archives) == 1
    assert {name for step in kinds(one)[step + 1 :] for name in step if "adjudicator" in name} == set()


def test_the_dice_are_the_same_whatever_closes_the_step(table: Table, tmp_path: Path) -> None:
    """Nobody can choose between two rolls: the salt is what the players said, and the links are theirs."""
    silent(table)
    without = table.copied(tmp_path / "without")
    dismissed(without)
    for _ in range(3):
        without.players()[0].decide()
        without.players()[1].decide()
        mails(without)
    hosts(table, linkless=False)
    mails(table)
    hosts(table, linkless=False)
    rolls = [
        [(roll.id, roll.faces) for roll in one.first.opened(whole=True).campaign.rolls] for one in (table, without)
    ]
    first = [one[0] for one in rolls]
    assert first[0] == first[1]


def test_what_a_player_owes_there_is_owed_all_the_same(table: Table) -> None:
    """Dismissing closes no step whose decision is missing, and a claim counts the days from then on."""
    decider, other = table.players()
    step = decider.opened().campaign.place.step
    other.decide()
    dismiss(other)
    decider.mail(other.export())
    said = dismiss(decider)
    assert said.out.splitlines()[0] == (
        "Agreed: the step is closed without a receipt as soon as what a player owes is there."
    )
    other.mail(decider.export())
    assert refusal(other("motion", "claim")).startswith("lapse.too_early: expected the deadline to be over, got 1")
    decider.decide()
    other.mail(decider.export())
    assert kinds(other)[step] == ["north dismiss", "north seal", "south dismiss", "south seal"]


# ---------------------------------------------------------------------- one alone


def test_one_alone_changes_nothing(table: Table) -> None:
    step = silent(table)
    one, other = table.players()
    dismiss(one)
    assert refusal(one("motion", "dismiss")) == (
        "dismiss.asked: expected something that you have not said yet, got once more that you would go on without the "
        "adjudicator"
    )
    other.mail(one.export())
    for side in table.players():
        assert side.opened().campaign.place.step == step
        assert refusal(side("motion", "claim")).startswith("lapse.referee: expected a game without an adjudicator")
    assert "north would go on without the adjudicator from step" in other("status").out


def test_who_neither_plays_nor_has_an_adjudicator_dismisses_nobody(table: Table) -> None:
    silent(table)
    assert (
        refusal(table.host("motion", "dismiss")) == "dismiss.player: expected one of the players, got the adjudicator"
    )
    dismissed(table)
    step = table.first.opened().campaign.dismissed
    assert table.first("motion", "dismiss").err == (
        f"dismiss.none: expected a game with an adjudicator, got one which was dismissed at step {step}\n"
        "hint: `pbem status toy` says what to do now\n"
    )
    table.host.take(table.first.export(everything=True))
    assert table.host("orders").err == (
        f"game.no_seat: expected somebody who has a seat, got the adjudicator, who was dismissed at step {step}\n"
        "hint: `pbem log toy` goes on telling what happens here\n"
    )


def test_a_game_that_is_over_needs_nobody_dismissed(table: Table) -> None:
    for _ in range(60):
        silent(table) if not table.first.opened().campaign.outcome else mails(table)
        hosts(table, linkless=False)
        if table.first.opened().campaign.finished:
            break
    assert table.first("motion", "dismiss").err == (
        "dismiss.not_now: expected a game in play, got one that is over\nhint: `pbem status toy` says what to do now\n"
    )


# ---------------------------------------------------------------------- the adjudicator comes back


def test_a_receipt_behind_the_dismissal_changes_nothing(any_table: Table) -> None:
    step = silent(any_table)
    late = any_table.copied(any_table.first.folder.parent / "late")
    dismissed(any_table)
    for player in late.players():
        late.host.take(player.export())
    heads = any_table.first.heads()
    for side in any_table.players():
        refused = side.mail(late.host.export())
        assert refused.err.splitlines()[:2] == [
            f"refused: import.dismissed: expected nothing of the adjudicator, who was dismissed at step {step}, got "
            f"adjudicator's receipt of step {step}",
            "hint: it changes nothing: what is closed stays closed",
        ]
        assert side.heads() == heads
    any_table.host.take(any_table.first.export(everything=True))
    assert any_table.host.heads() == heads
    assert f"both players go on without you since step {step}" in any_table.host("status").out
    assert refusal(any_table.host("motion", "annul", "--why", "offended")).startswith("rule.")


def test_a_dismissal_counts_before_a_receipt_that_came_first(table: Table) -> None:
    """The first has agreed and gets the receipt, the other agrees without it: both homes close the step alike."""
    step = silent(table)
    one, other = table.players()
    dismiss(one)
    other.mail(one.export())
    for player in (one, other):
        table.host.take(player.export())
    one.mail(table.host.export())
    assert one.opened().campaign.place.step > step
    with pytest.raises(BadRequest) as bound:
        one.give(Consent(motion="0" * 64, agree=True))
    assert str(bound.value) == (
        f"dismiss.waiting: expected the other side's word on step {step}, where you would go on without the "
        "adjudicator and its receipt has come after all, got none"
    )
    assert one.opened().campaign.pending() == ()
    assert "and until the other side has gone on from that, or said so, you sign nothing" in one("status").out
    assert dismiss(other).out.splitlines()[0] == DISMISSED
    one.mail(other.export())
    mails(table)
    assert one.heads() == other.heads()
    assert "adjudicator receipt" not in kinds(one)[step]
    to_the_end(table)
    assert one.heads() == other.heads()
    assert [side.verified(running=False).code for side in table.players()] == [0, 0]


def test_who_has_the_receipt_does_not_agree_any_more_and_says_so_by_itself(table: Table) -> None:
    step = silent(table)
    one, other = table.players()
    dismiss(one)
    for player in (one, other):
        table.host.take(player.export())
    for player in (one, other):
        player.mail(table.host.export())
    came = other.mail(one.export(everything=True))
    gone_on = other.opened().campaign.place.step
    assert gone_on > step
    one.mail(other.export())
    assert "adjudicator receipt" in kinds(one)[step]
    assert "dismiss.waiting" not in one("motion", "concede").err
    assert came.code == 0


def test_an_agreement_behind_what_its_author_went_on_from_comes_too_late(table: Table) -> None:
    """The other side has signed behind the receipt, sees what comes, and would rather not have."""
    step = silent(table)
    one, other = table.players()
    dismiss(one)
    forked = other.copy(other.folder.parent / "forked")
    forked.mail(one.export())
    for player in (one, other):
        table.host.take(player.export())
    for player in (one, other):
        player.mail(table.host.export())
    one.mail(other.export())
    assert max(row.step for row in one.opened().rows if row.role == other.role) > step
    heads = one.heads()
    dismiss(forked)
    late = one.mail(forked.export())
    assert (late.code, one.heads()[: len(heads)]) == (1, heads)
    assert late.err.splitlines()[2:4] == [
        f"refused: import.late_dismissal: expected south's word on the adjudicator of step {step} before play went on "
        "from what the adjudicator has signed, got it too late",
        "hint: it changes nothing; it can be said again at a later step",
    ]


def test_who_kept_a_receipt_back_cannot_go_back_to_it(table: Table) -> None:
    """The adjudicator gives its receipt to the other side alone, which dismisses it all the same, sees what the first
    signs next, and then brings the receipt and what it would rather have signed behind that."""
    silent(table)
    one, other = table.players()
    colluding = other.copy(other.folder.parent / "colluding")
    for player in (one, other):
        table.host.take(player.export())
    receipt = table.host.export()
    dismissed(table)
    heads = one.heads()
    colluding.mail(receipt)
    late = one.mail(colluding.export(everything=True))
    assert one.heads() == heads
    assert "import.dismissed: expected nothing of the adjudicator" in late.err
    assert "import.overtaken: expected an event that follows this log, got south's share of the dice" in late.err
    to_the_end(table)
    assert one.heads() == other.heads()


def test_to_agree_and_to_take_it_back_is_a_fork_that_proves_itself(table: Table, tmp_path: Path) -> None:
    step = silent(table)
    one, other = table.players()
    registrations = [item for closed in one.opened(whole=True).campaign.steps[:2] for item in closed.events]
    known = one.opened().known
    said = [Dismiss(agree=agree, step=step, without=False, why="") for agree in (True, False)]
    first, second = (verify_event(other.sign(other.here(body)), known) for body in said)
    found = fork(first, second)
    assert found is not None
    path = tmp_path / "evidence.pbem"
    path.write_bytes(evidence([item for item in registrations if item.event.role != "adjudicator"], found))
    assert new_side(tmp_path / "stranger", "north", "Sara")("verify", path).code == 0


# ---------------------------------------------------------------------- its own share of the dice


def test_no_player_opens_a_link_before_the_adjudicator_has(rolled: Table) -> None:
    step = silent(rolled, "entropy")
    assert [side.opened().campaign.pending() for side in rolled.players()] == [(), ()]
    dismissed(rolled)
    assert kinds(rolled.first)[step] == ["north dismiss", "south dismiss"]
    tips = rolled.first.opened(whole=True).campaign.opened
    assert all(one.index > 1 for one in tips[step + 1])


def test_a_share_that_comes_to_one_side_alone_gains_nothing(rolled: Table) -> None:
    """The adjudicator gives its link to the other side alone, which would know the roll once it had the first's: but
    who has said that it falls away opens none until the other side has said that it will not agree."""
    step = silent(rolled, "entropy")
    one, other = rolled.players()
    dismiss(one)
    link = [line for line in [*rolled.host.lines(), *rolled.host.pending()] if b'"kind":"entropy"' in line]
    link = [line for line in link if payload_of(line)["step"] == step]
    one.mail(packed(link))
    assert [(item.event.role, item.event.kind) for item in one.opened().campaign.pending()] == [
        ("adjudicator", "entropy"),
        ("north", "dismiss"),
    ]
    other.mail(packed(link))
    other.mail(one.export())
    said = [item.event.body for item in other.opened().campaign.pending() if item.event.role == "south"]
    assert Dismiss(agree=False, step=step, without=True, why="") in said
    one.mail(other.export())
    mails(rolled)
    assert "north entropy" in [f"{item.event.role} {item.event.kind}" for item in one.opened().campaign.pending()]
    dismissed(rolled)
    assert kinds(one)[step] == [
        "adjudicator entropy",
        "north dismiss",
        "north entropy",
        "south dismiss",
        "south entropy",
    ]
    to_the_end(rolled)
    assert [side.verified(running=False).code for side in rolled.players()] == [0, 0]


# ---------------------------------------------------------------------- what is told


def test_status_says_since_when_and_what_to_do(table: Table) -> None:
    silent(table)
    told = table.first("status").out.splitlines()
    waiting = next(line for line in told if "waiting for adjudicator" in line)
    assert waiting.startswith("  waiting for adjudicator: its receipt for what has arrived, since 20")
    assert "until" not in waiting
    assert told[-1] == (
        "  do now: wait for the adjudicator's turn file, then `pbem import FILE`; was yours lost? `pbem export toy` "
        "writes it again; is it gone for good? `pbem motion dismiss toy` asks the other side to go on without it"
    )


def test_log_certificate_disputes_and_backups_follow(any_table: Table, tmp_path: Path) -> None:
    step = silent(any_table)
    dismissed(any_table)
    to_the_end(any_table)
    one = any_table.first
    assert f"north and south go on without the adjudicator from step {step + 1} on" in one("log", "toy").out
    page = tmp_path / "page.txt"
    assert one("certificate", "toy", "-o", page).code == 0
    assert f"Hugo, dismissed by both players at step {step}" in page.read_text()
    rolls = one.opened(whole=True).campaign.rolls
    assert rolls
    for number, roll in enumerate(rolls):
        path = tmp_path / f"{number}.pbem"
        assert one("dispute", "toy", "roll", roll.id, "-o", path).code == 0
        assert new_side(tmp_path / f"stranger{number}", "north", "Sara")("verify", path).code == 0
    assert one("backup", "--plain", "-o", tmp_path / "home.backup").code == 0
    restored = Side(one.role, tmp_path / "restored", one.game)
    assert one("restore", tmp_path / "home.backup", "--home", restored.folder).code == 0
    assert restored.heads() == one.heads()


def appointed(table: Table, folder: Path) -> Side:
    """Rita, whom both have made the referee."""
    path, offer = folder / "game.pbem", folder / "offer.json"
    assert table.first("archive", table.first.game, "-o", path).code == 0
    rita = replace(new_side(folder / "rita", "referee", "Rita"), game=table.first.game)
    assert rita("substitute", path, "--as", "referee", "-o", offer).code == 0
    decider, other = table.deciding()
    assert decider("motion", "appoint", "--offer", offer).code == 0
    if table.host.opened().campaign.place.hosted and not decider.opened().campaign.dismissed:
        hosts(table, linkless=False)
    mails(table)
    assert other("motion", "agree").code == 0
    return rita


def test_a_referee_is_appointed_behind_it_and_holds_the_chains_that_roll_now(tmp_path: Path) -> None:
    table = hosted(tmp_path, "adjudicator")
    for side in table.sides():
        side.now = int(time.time()) - 3600
    silent(table)
    dismissed(table)
    rita = appointed(table, tmp_path)
    for _ in range(2):
        mails(table)
        for side in table.players():
            rita.mail(side.export(everything=True))
    step = table.first.opened().campaign.dismissed
    assert kinds(rita)[step + 1 :] == [["german motion"], ["polish consent"], ["german deposit", "polish deposit"]]
    assert rita.opened().campaign.place.judge == "referee"
    assert rita.heads() == table.first.heads()


def test_where_there_is_a_referee_the_chains_that_roll_now_are_deposited(tmp_path: Path) -> None:
    table = hosted(tmp_path, "adjudicator")
    for side in table.sides():
        side.now = int(time.time()) - 3600
    rita = appointed(table, tmp_path)
    for _ in range(3):
        mails(table)
        for player in table.players():
            table.host.mail(player.export(everything=True))
        for side in (*table.players(), rita):
            side.mail(table.host.export(everything=True))
        for side in table.sides():
            side.mail(rita.export(everything=True))
    assert rita.opened().campaign.place.judge == "referee"
    step = silent(table)
    dismissed(table)
    assert kinds(table.first)[step : step + 2] == [
        ["german dismiss", "polish answer", "polish dismiss"],
        ["german deposit", "polish deposit"],
    ]
    assert table.first.opened().campaign.place.judge == "referee"
    assert table.first.verified().code == 0

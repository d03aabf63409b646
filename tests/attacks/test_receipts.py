"""Receipts of an adjudicator: those that do not hold, clocks that go back, forks that a receipt settles."""

from __future__ import annotations

from pathlib import Path

import pytest

from attacks.hosting import Table, hosted, receipts, rolling
from attacks.sides import DAY, Side, new_side, packed
from pbem.log.event import Receipt

# ---------------------------------------------------------------------- receipts that do not hold


def decided(table: Table) -> tuple[Side, str, int]:
    """Who decided without having got a receipt, the event's id, and when its step began."""
    decider, _ = table.deciding()
    decider.decide()
    (answer,) = decider.opened().campaign.pending()
    return decider, answer.id, decider.opened().campaign.place.since


@pytest.mark.parametrize(
    ("arrived", "at", "reason"),
    [
        (-1, 60, "expected nothing to arrive before step 2 began, got 1 second before"),
        (61, 60, "expected nothing to arrive after its receipt, got 1 second after"),
    ],
)
@pytest.mark.plan("A61")
def test_a_receipt_with_a_wrong_time_is_refused(table: Table, arrived: int, at: int, reason: str) -> None:
    decider, answer, since = decided(table)
    forged = table.host.here(Receipt(arrived={answer: since + arrived}), at=since + at)
    done = decider.mail(packed([table.host.sign(forged)]))
    assert (done.code, done.err.splitlines()[0].startswith(f"place.receipt: {reason}")) == (1, True)
    assert decider.opened().campaign.place.step == 2


def test_a_receipt_for_something_else_waits_for_it_and_closes_nothing(table: Table) -> None:
    decider, answer, since = decided(table)
    for named in ({"ab" * 32: since}, {answer: since, "ab" * 32: since}):
        forged = table.host.here(Receipt(arrived=named), at=since + 60)
        decider.take(packed([table.host.sign(forged)]))
        assert decider.opened().campaign.place.step == 2
    table.exchange()
    assert len(table.heads()) == 1


def test_a_receipt_by_a_player_is_refused(table: Table) -> None:
    decider, answer, since = decided(table)
    forged = decider.here(Receipt(arrived={answer: since}), at=since + 60)
    done = table.host.mail(packed([*decider.pending(), decider.sign(forged)]))
    assert "place.receipt: expected a receipt of the adjudicator in a step of play, got" in done.err


def test_a_receipt_that_leaves_an_event_out_is_refused(tmp_path: Path) -> None:
    table = hosted(tmp_path, "adjudicator", "toy", "short")
    for player in table.players():
        player.decide()
    table.second.take(table.first.export())
    pending, since = table.second.opened().campaign.pending(), table.second.opened().campaign.place.since
    assert len(pending) == 2
    forged = table.host.here(Receipt(arrived={pending[0].id: since}), at=since + 60)
    done = table.second.mail(packed([table.host.sign(forged)]))
    assert done.err.splitlines()[0].startswith("place.receipt: expected a receipt for what closes step 2 (north's seal")


def test_a_receipt_that_comes_before_what_it_names_waits(table: Table) -> None:
    decider, other = table.deciding()
    decider.decide()
    table.host.take(decider.export())
    answer, receipt = (one for one in _last(table.host) if one)
    other.take(packed([receipt]))
    assert other.opened().campaign.place.step == 2
    other.take(packed([answer]))
    assert other.heads() == table.host.heads()


def _last(side: Side) -> list[bytes]:
    """What closed the last step, the receipt behind the rest."""
    events = side.opened(whole=True).campaign.steps[-1].events
    return [one.line for one in sorted(events, key=lambda one: one.event.kind == "receipt")]


# ---------------------------------------------------------------------- clocks and forks


@pytest.mark.plan("A61")
def test_receipts_never_go_back_in_time_when_a_clock_does(table: Table) -> None:
    for behind in (42_780, 42_720):
        decider, _ = table.deciding()
        decider.decide()
        table.tick()
        table.host.now -= DAY // 2
        step = decider.opened().campaign.place.step
        answered = table.host.take(decider.export()).games[0].answered
        assert answered[:1] == [
            f"step {step}: its receipt; THE CLOCK of this machine is {behind} seconds behind the last receipt or the "
            "players: set it, until then all that comes counts as of that time"
        ]
        for player in table.players():
            player.take(table.host.export())
        table.host.now += DAY // 2
    table.exchange()
    dates = [one.event.at for one, _ in receipts(table.first)]
    assert dates == sorted(dates)
    assert len(table.heads()) == 1
    assert table.first.verified().code == 0


def test_two_receipts_at_one_place_are_a_fork_of_the_adjudicator(table: Table) -> None:
    decider, other = table.deciding()
    decider.decide()
    twin = table.host.copy(table.host.folder.parent / "twin")
    twin.now, sent = twin.now + 5, decider.export()
    for host, player in ((table.host, decider), (twin, other)):
        host.take(sent)
        player.take(host.export())
    other.take(decider.export(everything=True))
    assert "THE GAME IS STOPPED: adjudicator signed two different events at step 2" in other("status").out
    proof = other.folder.parent / "proof.pbem"
    assert other("export", other.game, "--evidence", "-o", proof).code == 0
    stranger = new_side(other.folder.parent / "stranger", "german", "Sara")
    assert "adjudicator" in stranger("verify", proof).out


def test_a_receipt_settles_which_of_two_answers_stands(table: Table) -> None:
    decider, other = table.deciding()
    twin = decider.copy(decider.folder.parent / "twin")
    decider.decide()
    twin.chooser.choose(5)
    twin.decide()
    table.host.take(decider.export())
    table.host.take(twin.export())
    assert not table.host.opened().fork
    other.take(table.host.export(everything=True))
    other.take(twin.export(everything=True))
    assert not other.opened().fork
    assert other.heads() == table.host.heads()
    done = other.verified()
    assert (done.code, f"fork: {decider.role}'s orders of step 2" in done.out) == (0, True)


@pytest.mark.parametrize("together", [True, False])
def test_a_receipt_settles_it_where_the_other_answer_came_first(table: Table, together: bool) -> None:
    decider, other = table.deciding()
    twin = decider.copy(decider.folder.parent / "twin")
    decider.decide()
    twin.chooser.choose(5)
    twin.decide()
    other.take(twin.export())
    assert [one.event.kind for one in other.opened().campaign.pending()] == ["answer"]
    table.host.take(decider.export())
    if not together:
        other.take(decider.export())
        assert "THE GAME IS STOPPED" in other("status").out
    other.take(table.host.export(everything=True))
    assert not other.opened().fork
    assert other.heads() == table.host.heads()
    assert other.verified().code == 0


def test_a_restored_adjudicator_goes_on(table: Table) -> None:
    backup = table.host.copy(table.host.folder.parent / "older")
    rolling(table)
    backup.now = table.host.now
    for player in table.players():
        backup.take(player.export(everything=True))
    assert backup.heads() == table.host.heads()

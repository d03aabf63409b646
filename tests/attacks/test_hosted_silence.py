"""Silence in hosted games: rulings behind the grace, late answers, and what only the adjudicator can do."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from attacks.hosting import GRACE, Rollers, Table, kinds, receipts
from attacks.sides import DAY, DEADLINE_DAYS, claimed_when_sent
from pbem.app.delays import delays_of
from pbem.app.ruling import annul, rule
from pbem.errors import BadRequest, PbemError


@pytest.mark.plan("A60")
def test_a_silent_player_is_ruled_on_behind_the_grace(any_table: Table) -> None:
    silent, other = any_table.deciding()
    any_table.late(GRACE - 2 * 3600)
    with pytest.raises(BadRequest) as told:
        any_table.ruled()
    assert str(told.value).startswith("rule.too_early: expected the deadline to be over, got ")
    any_table.late()
    assert any_table.ruled("gone")[0] == f"the adjudicator rules on {silent.role}'s orders: gone"
    any_table.exchange()
    other.take(any_table.host.export(everything=True))
    silent.take(any_table.host.export(everything=True))
    assert len(any_table.heads()) == 1
    assert any_table.first.verified().code == 0


@pytest.mark.plan("A34")
def test_a_silent_rollers_link_is_opened_by_the_adjudicator(hosted_games: dict[Rollers, Table], tmp_path: Path) -> None:
    table = hosted_games["all"].copied(tmp_path)
    for _ in range(2):
        decider, _ = table.deciding()
        decider.decide()
        table.host.take(decider.export())
        for player in table.players():
            if player.role == "german" or len(kinds(table.host)) < 6:
                player.take(table.host.export())
    table.host.take(table.first.export())
    assert table.host.opened().campaign.awaited().keys() == {"polish"}
    table.late()
    assert table.ruled()[0] == "the adjudicator rules on polish's share of the dice"
    table.first.take(table.host.export(everything=True))
    assert table.first.heads() == table.host.heads()
    assert table.first.verified().code == 0
    assert kinds(table.first)[6] == [
        "adjudicator entropy",
        "adjudicator receipt",
        "adjudicator ruling",
        "german entropy",
    ]


@pytest.mark.plan("A60")
def test_what_comes_behind_a_ruling_changes_nothing_and_the_ruling_stands(table: Table) -> None:
    silent, _ = table.deciding()
    silent.decide()
    sent = silent.export()
    table.late()
    table.ruled()
    before = table.host.heads()
    (refused,) = table.host.take(sent).games[0].refused
    assert (str(refused), refused.hint) == (
        f"import.late_answer: expected {silent.role}'s orders of step 2 before the adjudicator ruled in its place, got "
        "it too late",
        "it changes nothing: the ruling stands",
    )
    assert table.host.heads() == before
    for player in table.players():
        player.take(table.host.export(everything=True))
    assert len(table.heads()) == 1
    assert [side.verified().code for side in table.sides()] == [0] * 3


@pytest.mark.plan("A60")
def test_an_answer_that_was_sent_before_the_deadline_and_came_behind_it_counts(table: Table) -> None:
    """Its receipt says when it came; within the grace it is not late, and behind it its delay is told."""
    decider, _ = table.deciding()
    decider.decide()
    since, sent = table.host.opened().campaign.place.since, decider.export()
    for delay, late in ((GRACE, 0), (GRACE + 60, GRACE + 60)):
        host = table.host.copy(table.host.folder.parent / f"after-{delay}")
        host.now = since + DEADLINE_DAYS * DAY + delay
        host.take(sent)
        ((_, receipt),) = receipts(host)
        assert list(receipt.arrived.values()) == [since + DEADLINE_DAYS * DAY + delay]
        assert delays_of(host.opened(whole=True).campaign).decisions[decider.role].longest == late
        assert host("log", "--delays").out.splitlines()[-2] == (
            "These times are by the adjudicator's clock, from its receipts: they say when something arrived there."
        )
        page = host("certificate", "westerplatte").out.splitlines()
        assert [line for line in page if line.startswith("  Deadline")] == [
            "  Deadline: 7 days for each step, by the adjudicator's receipts"
        ]


def test_who_has_to_acknowledge_a_turn_file_is_named(table: Table) -> None:
    decider, _ = table.deciding()
    decider.decide()
    decider.export()
    others = " and ".join(sorted(side.role for side in table.sides() if side is not decider))
    (told,) = (line for line in decider("status").out.splitlines() if "acknowledged" in line)
    assert re.sub(r"of \d{4}-.*", "of ?", told) == (
        f"  not acknowledged yet by each of {others}: your acceptance of step 1 and your orders of step 2, in your "
        "turn file of ?"
    )


def test_nobody_claims_a_hosted_game(table: Table) -> None:
    table.late()
    with table.first.desk() as desk, pytest.raises(PbemError) as told:
        claimed_when_sent(desk, table.first.game)
    assert str(told.value).startswith("lapse.referee: expected a game without an adjudicator")


def test_a_player_cannot_rule(table: Table) -> None:
    with table.first.desk() as desk, pytest.raises(BadRequest) as told:
        rule(desk, table.first.game)
    assert (str(told.value), told.value.hint) == (
        "rule.referee: expected the adjudicator's home, got that of german",
        "ask Hugo <hugo@example.org>, who is the adjudicator; `pbem status westerplatte` says what to do now",
    )


def test_the_adjudicator_annuls_a_game(table: Table) -> None:
    with table.host.desk() as desk:
        annul(desk, table.host.game, "a wrong map")
    for player in table.players():
        player.take(table.host.export())
    table.exchange()
    assert [side.opened().campaign.finished for side in table.sides()] == [True] * 3
    done = table.first.verified(running=False)
    assert (done.code, "the adjudicator annulled the game at step 2: a wrong map" in done.out) == (0, True)
    assert kinds(table.first)[-1] == ["adjudicator receipt", "german close", "polish close"]

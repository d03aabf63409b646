"""A game that nothing can move any more goes on in a new one, from its position, when both players want that."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from attacks.hosting import Table, hosted
from attacks.sides import Side

GONE = (
    "is the adjudicator silent? write to it: no step is closed without its receipt; is it gone for good? both of you "
    "can go on in a new game from here (`pbem motion adjust --help`)"
)


@pytest.fixture
def stuck(tmp_path: Path) -> Table:
    """A hosted game in its cards, whose adjudicator has gone for good."""
    table = hosted(tmp_path, "players")
    for _ in range(4):
        table.deciding()[0].decide()
        table.exchange()
    last = table.deciding()[0]
    last.decide()
    last.export()
    return table


def exchange(one: Side, other: Side) -> None:
    for _ in range(4):
        assert {other.mail(one.export()).code, one.mail(other.export()).code} == {0}


def anew(table: Table, folder: Path) -> tuple[Side, Side]:
    """A game of the two players alone, in the same homes, before its first decision."""
    first, second = table.players()
    invitation, accepted = folder / "invitation.txt", folder / "accepted.txt"
    opponent = ("--opponent", "bruno@example.org")
    assert first("new", "westerplatte", "--as", first.role, *opponent, "--name", "anew", "-o", invitation).code == 0
    assert second("accept", invitation, "--name", "anew", "-o", accepted).code == 0
    assert first("import", accepted).code == 0
    return replace(first, game="anew"), replace(second, game="anew")


def position(side: Side, game: str) -> str:
    shown = side("show", game, "--position")
    assert shown.code == 0, shown
    return shown.out


def test_who_waits_for_a_lost_adjudicator_is_told_how_to_go_on(stuck: Table) -> None:
    lost = "was yours lost? `pbem export westerplatte` writes it again"
    assert [player("status").out.splitlines()[-1] for player in stuck.players()] == [
        f"  do now: the deadline of polish is over: wait on, or ask the adjudicator to rule; {lost}; {GONE}",
        f"  do now: wait for the adjudicator's turn file, then `pbem import FILE`; {lost}; {GONE}",
    ]


def test_without_its_adjudicator_a_game_goes_on_in_a_new_one(stuck: Table, tmp_path: Path) -> None:
    first, second = anew(stuck, tmp_path)
    before = position(first, "westerplatte")
    text = tmp_path / "position.txt"
    text.write_text(before)
    assert (position(second, "westerplatte"), position(second, "anew") == before) == (before, False)
    moved = first("motion", "adjust", "anew", "--position", text, "--why", "Hugo is gone")
    assert moved.code == 0, moved
    exchange(first, second)
    assert second("motion", "agree", "anew").code == 0
    exchange(first, second)
    assert {position(side, "anew") for side in (first, second)} == {before}
    for _ in range(3):
        first.decide()
        second.decide()
        exchange(first, second)
    assert first.heads() == second.heads()
    assert first.opened().campaign.place.step > 10
    assert first("verify", "anew", "--running").code == 0

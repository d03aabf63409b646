"""Homes that are behind what they signed, and what is signed a second time from them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from attacks.sides import Pair, id_of, packed
from pbem.log.event import Accept, Entropy


@pytest.mark.plan("A19")
def test_a_restored_home_signs_nothing_once_it_is_shown_that_it_is_behind(joined: Pair, tmp_path: Path) -> None:
    backup = joined.polish.copy(tmp_path / "backup")
    joined.play(8)
    before = len(backup.lines())
    done = backup.mail(joined.german.export())
    assert done.code == 0
    ahead = done.out.splitlines()[-1]
    assert re.fullmatch(
        r"Do now: get what is missing: this home is behind step \d+, where you have signed already, and signs nothing "
        r"before; ask the other side for `pbem export --all` and import that",
        ahead,
    )
    orders = tmp_path / "orders.txt"
    with backup.desk() as desk:
        from pbem.app.sheets import order_sheet, present_question

        opened = backup.opened()
        answer = opened.campaign.ruleset.bots()["random"](
            present_question(opened), opened.campaign.state, backup.chooser.choose
        )
        orders.write_text(opened.campaign.ruleset.write_orders(answer), "utf-8")
        assert order_sheet(desk, "westerplatte")
    refused = backup("orders", "--submit", orders)
    assert refused.code == 1
    assert refused.err == (
        "game.behind: expected the log up to step 6, where polish has signed already (before a backup was restored, "
        "or on a second device), got one that ends before step 2\n"
        "hint: nothing is signed here until the rest has come: ask the other side for `pbem export --all`, import "
        "that\n"
    )
    assert len(backup.lines()) == before


@pytest.mark.plan("A19")
def test_a_restored_home_catches_up_and_plays_on(joined: Pair, tmp_path: Path) -> None:
    backup = joined.polish.copy(tmp_path / "backup")
    joined.play(8)
    backup.mail(joined.german.export())
    assert backup.mail(joined.german.export(everything=True)).code == 0
    assert backup.heads()[:8] == joined.german.heads()[:8]
    again = Pair(joined.german, backup)
    again.play(12)
    assert backup.opened().fork is None
    assert backup.opened().campaign.place.step >= 12


@pytest.mark.plan("A19")
def test_the_other_side_cannot_make_a_home_think_that_it_is_behind(joined: Pair) -> None:
    """Only what a role has signed itself stops it: a far step signed by somebody else does not."""
    registration = joined.german.opened().campaign.roster.proposal.registration
    far = joined.german.here(Accept(registration=registration), step=900)
    joined.polish.mail(packed([joined.german.sign(far)]))
    joined.polish.decide()
    assert joined.polish.opened().campaign.place.step == 3


@pytest.mark.plan("A40", "A41")
def test_a_link_opened_again_is_the_same_link_and_rolls_the_same(joined: Pair, tmp_path: Path) -> None:
    """To roll again, the German restores its home and lets the program open its link a second time."""
    joined.polish.decide()
    joined.german.take(joined.polish.export())
    backup = joined.german.copy(tmp_path / "backup")
    rolls = []
    for side in (joined.german, backup):
        side.decide()
        pole = joined.polish.copy(tmp_path / f"pole-{side.folder.name}")
        pole.mail(side.export())
        side.mail(pole.export())
        rolls.append(side("roll", "westerplatte").out)
    assert rolls[0] == rolls[1]
    assert "card" in rolls[0]


@pytest.mark.plan("A40")
def test_exporting_again_rolls_nothing_again(played: Pair) -> None:
    before = played.german("roll", "westerplatte").out
    first = played.german.export()
    assert played.german.export() == first
    assert played.german("roll", "westerplatte").out == before


@pytest.mark.plan("A40", "A41")
def test_another_signature_at_the_place_of_a_link_is_a_fork(joined: Pair) -> None:
    """The link is the only one that fits, but its date can be changed: that is a second event at one place."""
    joined.polish.decide()
    joined.german.take(joined.polish.export())
    joined.german.decide()
    (link,) = joined.german.pending()
    joined.polish.mail(packed([*joined.german.lines(), link]))
    body = Entropy(index=1, link=_link_of(link))
    again = joined.german.sign(joined.german.here(body, at=joined.german.now + 1))
    done = joined.polish.mail(packed([again]))
    assert "THE GAME IS STOPPED: german signed two different events at step 4" in done.out
    assert (
        f"came second here: share of the dice (dated 2023-11-14 22:13:21 UTC; named by --keep {id_of(again)[:16]}"
        in (done.out)
    )


def _link_of(line: bytes) -> str:
    found = re.search(rb'"link":"([0-9a-f]{64})"', line)
    assert found is not None
    return found[1].decode()

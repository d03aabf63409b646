"""A settlement cannot roll dice again: an event behind which another role has opened a link stays.

Whoever signs its answer anew once it has seen the dice could otherwise choose its date for the dice that the very
same links give instead, call it a restored backup, and ask the other side to be kind.
"""

from __future__ import annotations

import pytest
from play import Match, archive_of

from pbem.app import catalogue
from pbem.app.beside import opened_behind
from pbem.app.catalogue import for_proposal
from pbem.app.verify import verify
from pbem.errors import BadEvidence
from pbem.log.event import Resolve, Role
from pbem.log.verify import Verified

GERMAN, POLISH = Role("german"), Role("polish")


def asked() -> Match:
    """A game in which the German is to place its ship; the first card is drawn afterwards."""
    match = Match(catalogue.ruleset("westerplatte"), 1)
    return match.play(lambda campaign: GERMAN in campaign.awaited() and campaign.awaited()[GERMAN].kind == "answer")


def gone_on(later: int) -> tuple[Match, Verified]:
    """The game after the German's answer, dated `later` seconds on, and after both links."""
    match = asked()
    match.clock += later
    given = match.signed(GERMAN, match.body(GERMAN))
    match.offer(given)
    match.step()
    return match, given


@pytest.fixture
def rolled_twice() -> tuple[list[Verified], Verified]:
    """All events of a game whose German answer was replaced once the dice behind it were known, and that answer."""
    (first, kept_back), (second, stands) = gone_on(0), gone_on(60)
    here = asked()
    resolve = here.signed(POLISH, Resolve(role=GERMAN, keep=stands.id, drop=kept_back.id))
    events = {one.id: one for one in (*first.events, *second.events, resolve)}
    return list(events.values()), kept_back


def test_the_dice_are_others_for_the_same_links() -> None:
    (first, _), (second, _) = gone_on(0), gone_on(60)
    links = [[one.event.body for one in match.campaign.steps[-1].events] for match in (first, second)]
    assert links[0] == links[1]
    assert [roll.faces for roll in first.campaign.rolls] != [roll.faces for roll in second.campaign.rolls]


def test_an_event_with_a_link_of_another_role_behind_it_is_known(rolled_twice: tuple[list[Verified], Verified]) -> None:
    events, dropped = rolled_twice
    assert opened_behind(dropped, events) is True
    own = [one for one in events if one.event.kind != "entropy" or one.event.role == GERMAN]
    assert opened_behind(dropped, own) is False


@pytest.mark.plan("A40")
def test_an_archive_in_which_dice_were_rolled_again_does_not_hold(
    rolled_twice: tuple[list[Verified], Verified],
) -> None:
    events, dropped = rolled_twice
    with pytest.raises(BadEvidence) as caught:
        verify(archive_of(events), for_proposal())
    line = next(n for n, text in enumerate(archive_of(events).splitlines(), 1) if text == dropped.line)
    assert (str(caught.value), caught.value.hint) == (
        "archive.rolled_again: expected every event to stand behind which dice were known, got "
        f"{dropped.title} overruled by polish (line {line})",
        "the same links rolled twice, so these dice could be chosen",
    )

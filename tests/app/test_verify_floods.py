"""Archives that are made to keep whoever verifies them busy: what they cost grows as they do."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from dataclasses import replace

import pytest
from engine.restless import Moving
from engine.scripted import TOY
from log.show_motions import changing
from play import identity_of

from pbem.app import beside
from pbem.app.archive import archive_order
from pbem.app.beside import by_steps
from pbem.app.catalogue import for_proposal
from pbem.app.signing import signed
from pbem.app.verify import verify
from pbem.engine import assembly
from pbem.errors import BadEvidence
from pbem.log import bundle, fork
from pbem.log.event import Motion, Request, Resolve
from pbem.log.roster import registration_of
from pbem.log.verify import MOST_REQUESTS_IN_LOG, Verified, verify_event

verify_module = sys.modules[verify.__module__]


def archive(events: Iterable[Verified]) -> bytes:
    lines = sorted(events, key=archive_order)
    keys = [one.key for one in lines if registration_of(one.event)]
    return bundle.write("archive", keys, [one.line for one in lines])


def asking(game: Moving, many: int) -> list[Verified]:
    """Requests of who waits, each with a reason of its own."""
    return [game.signed(game.waiter, changing(Request, "draw", why=str(number))) for number in range(many)]


@pytest.mark.plan("A16")
def test_a_step_has_a_limit_of_requests_and_what_is_beyond_it_is_named() -> None:
    game = Moving(TOY, 1, deadline_days=7).till_one_decides(5)
    asked = asking(game, MOST_REQUESTS_IN_LOG + 1)
    assert verify(archive([*game.events, *asked[1:]]), for_proposal()).events == len(game.events) + MOST_REQUESTS_IN_LOG
    for one in asked[1:]:
        game.campaign.offer(one)
    assert not game.campaign.offer(asked[1])  # it is there already
    with pytest.raises(BadEvidence) as refused:
        verify(archive([*game.events, *asked]), for_proposal())
    last = max(asked, key=lambda one: one.id)
    assert str(refused.value) == (
        f"place.requests: expected at most 18 requests of {game.waiter} at a step, got {last.title} besides "
        f"(line 32, {last.title})"
    )
    assert refused.value.hint == "wait for the decision, or for the agreement to one of the others"


@pytest.mark.plan("A16")
def test_a_thousand_requests_are_not_compared_with_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    game = Moving(TOY, 1, deadline_days=7).till_one_decides(5)
    seen = counted(monkeypatch, fork.fork)
    with pytest.raises(BadEvidence):
        verify(archive([*game.events, *asking(game, 1_000)]), for_proposal())
    assert len(seen) < 3_000


def counted(monkeypatch: pytest.MonkeyPatch, real: Callable[..., object]) -> list[int]:
    """One entry for each pair of events that are looked at."""
    seen: list[int] = []

    def looked(*pair: Verified) -> object:
        seen.append(1)
        return real(*pair)

    for module in (fork, assembly):
        monkeypatch.setattr(module, "fork", looked)
    return seen


@pytest.mark.plan("A16")
def test_forks_that_were_settled_are_looked_for_in_one_table(monkeypatch: pytest.MonkeyPatch) -> None:
    game = Moving(TOY, 1, deadline_days=7).till_one_decides(5)
    overruled: list[Verified] = []
    for number in range(20):
        role = game.decider
        rival = game.signed(role, changing(Motion, "extend", days=1, why=f"rival {number}"))
        moved = game.move("extend", days=2, why=str(number))
        overruled += [rival, settled(game, moved, rival)]
        game.agree()
    made: list[int] = []
    for module in (beside, verify_module):
        monkeypatch.setattr(module, "by_steps", lambda events: made.append(1) or by_steps(events))
    assert len(verify(archive([*game.events, *overruled]), for_proposal()).forks) == 20
    assert len(made) == 1


def settled(game: Moving, keep: Verified, drop: Verified) -> Verified:
    """The other side says which of two events stands."""
    here, author = keep.event, game.other(keep.event.role)
    body = Resolve(role=here.role, keep=keep.id, drop=drop.id)
    said = replace(here, role=author, kind="resolve", body=body)
    return verify_event(signed(identity_of(author), said), game.campaign.roster)

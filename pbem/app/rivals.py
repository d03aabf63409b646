"""Which events of a turn file contradict the log of a home: as many as tell something, at a cost that is bounded.

Each one that is tried costs a replay of the game (`pbem.app.past`). Two of one place prove a fork, more add nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import islice
from typing import TypeAlias

from pbem.app.desk import Desk
from pbem.app.opened import OpenGame
from pbem.app.past import Past, would_have_stood
from pbem.log.event import Event, Receipt
from pbem.log.fork import named_by
from pbem.log.verify import Verified
from pbem.store.reading import Reader
from pbem.store.rows import StoredEvent

TELLING_RECEIPTS = 2
"""Receipts of one step that are kept: the one that stands, and one that shows that its author contradicts itself."""
MOST_CONTRARY = 8
"""Events of one import that are tried at a step gone by, since each costs a replay of the game, and different events
of one role that are kept at one step: two prove a fork."""
Place: TypeAlias = tuple[str, int, bool]
"""Of whom events are kept at which step, and whether they are receipts."""


def contradicting(desk: Desk, reader: Reader, opened: OpenGame, moves: list[Verified]) -> list[Verified]:
    """Events that contradict the log and could have stood in it, as many as are worth to be tried and kept."""
    past, places = Past(opened, moves), _kept(opened)
    contradicted = (one for one in moves if _is_worth(one, places) and past.is_contradicted_by(one))
    contrary = list(islice(contradicted, MOST_CONTRARY))
    rivals = _with_named(_standing(desk, reader, contrary, places, moves), moves, opened)
    contested = [*rivals, *((opened.fork.first, opened.fork.second) if opened.fork else ())]
    receipts = [one for one in _receipts_of(contested, moves) if one not in contrary]
    few = islice(receipts, max(TELLING_RECEIPTS, MOST_CONTRARY - len(contrary)))
    return [*rivals, *_standing(desk, reader, few, places, moves)]


def _with_named(rivals: list[Verified], moves: list[Verified], opened: OpenGame) -> list[Verified]:
    """The rivals, with what the receipts among them name: without that a receipt waits, and contradicts nothing."""
    came, known = {one.id: one for one in moves}, {*opened.ids(), *(one.id for one in rivals)}
    named = {one.id: one for rival in rivals for one in named_by(rival, came) if one.id not in known}
    return [*rivals, *named.values()]


def tells_something(verified: Verified, opened: OpenGame) -> bool:
    """Whether a home that keeps an event beside what it has of its role and step learns anything by it."""
    return _is_worth(verified, _kept(opened))


def _kept(opened: OpenGame) -> Counter[Place]:
    return Counter(_kept_at(row) for row in opened.rows if row.kind_class == "log")


def _standing(
    desk: Desk, reader: Reader, tried: Iterable[Verified], places: Counter[Place], moves: list[Verified]
) -> list[Verified]:
    """Those that could have stood, as many of one place as are kept; `places` counts them."""
    found = []
    for verified in tried:
        if _is_worth(verified, places) and would_have_stood(desk, reader, verified, moves):
            found.append(verified)
            places[_kept_at(verified.event)] += 1
    return found


def _kept_at(one: Event | StoredEvent) -> Place:
    return one.role, one.step, one.kind == "receipt"


def _is_worth(verified: Verified, places: Counter[Place]) -> bool:
    """Whether one event more of its role at its step tells anything."""
    most = TELLING_RECEIPTS if verified.event.kind == "receipt" else MOST_CONTRARY
    return places[_kept_at(verified.event)] < most


def _receipts_of(contested: list[Verified], moves: list[Verified]) -> list[Verified]:
    """The receipts among the moves that settle which of the contested events stands."""
    ids = {one.id for one in contested}
    receipts = [one for one in moves if isinstance(one.event.body, Receipt) and one.id not in ids]
    return [one for one in receipts if isinstance(one.event.body, Receipt) and ids & one.event.body.arrived.keys()]

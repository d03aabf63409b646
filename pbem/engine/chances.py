"""Exact chances, from the very rules that play uses.

A coroutine cannot be copied, so a branch is walked by running the rule again with the readings so far;
readings of a roll that are equal are one branch, weighted by its exact probability.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Hashable, Iterator, Sequence
from fractions import Fraction
from itertools import product
from typing import Any, TypeVar

from pbem.errors import BadRequest
from pbem.rules.play import Asking, Drawing, Opening, Rolling, Rules

T = TypeVar("T")
K = TypeVar("K", bound=Hashable)
MAX_BRANCHES = 2_000_000
_ONE_CASE = "`pbem lab` adjudicates one case with the dice and answers that you give"


def distribution(rule: Callable[[], Rules[T]], outcome: Callable[[T], K]) -> dict[K, Fraction]:
    """The chance of each outcome of a rule that asks nothing; the chances sum to 1."""
    found: dict[K, Fraction] = {}
    open_branches: deque[tuple[tuple[Any, ...], Fraction]] = deque([((), Fraction(1))])
    walked = 0
    while open_branches:
        readings, chance = open_branches.pop()
        walked += 1
        if walked > MAX_BRANCHES:
            raise BadRequest("odds.too_many", f"expected at most {MAX_BRANCHES} ways to fall, got more", _ONE_CASE)
        request, result = _run(rule(), readings)
        if request is None:
            key = outcome(result)
            found[key] = found.get(key, Fraction(0)) + chance
        else:
            open_branches.extend(((*readings, value), chance * weight) for value, weight in branches(request))
    return found


def branches(request: Rolling | Drawing) -> Iterator[tuple[Any, Fraction]]:
    """Every reading that a roll can have, or one draw of each kind of items that are alike, with its chance."""
    if isinstance(request, Drawing):
        yield from _draws(request)
        return
    whole = request.sides**request.count
    for reading, ways in _readings(request):
        yield reading, Fraction(ways, whole)


def _readings(request: Rolling) -> list[tuple[Any, int]]:
    """Each reading with the number of ways to roll it; those that cannot be hashed stand alone."""
    alone: list[tuple[Any, int]] = []
    counted: Counter[Hashable] = Counter()
    for faces in product(range(1, request.sides + 1), repeat=request.count):
        reading = request.read(faces)
        try:
            counted[reading] += 1
        except TypeError:
            alone.append((reading, 1))
    return [*counted.items(), *alone]


def _draws(request: Drawing) -> Iterator[tuple[Any, Fraction]]:
    first: dict[Hashable, Any] = {}
    counted: Counter[Hashable] = Counter()
    for item in request.items:
        kind = request.alike(item)
        first.setdefault(kind, item)
        counted[kind] += 1
    for kind, item in first.items():
        yield item, Fraction(counted[kind], len(request.items))


def _run(rules: Rules[T], readings: Sequence[Any]) -> tuple[Rolling | Drawing | None, Any]:
    """Drive a rule with readings; the roll that has none yet, or the result."""
    given = iter(readings)
    response: Any = None
    try:
        while True:
            request = rules.send(response)
            response = None
            if isinstance(request, Asking | Opening):
                text = "expected orders that leave no question open, got some that do"
                raise BadRequest("odds.question", text, _ONE_CASE)
            if isinstance(request, Rolling | Drawing):
                try:
                    response = next(given)
                except StopIteration:
                    return request, None
    except StopIteration as end:
        return None, end.value

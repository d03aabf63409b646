"""What bots of every game need: chance from the caller's numbers, and answers without what is refused."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from pbem.rules.play import Answer, Question
from pbem.rules.ruleset import Choose

T = TypeVar("T")
MOST_TRIES = 20


@dataclass(frozen=True, slots=True)
class Chance:
    """What can be left to chance, from the caller's source of numbers."""

    choose: Choose

    def one_in(self, count: int) -> bool:
        """True once in `count` times."""
        return self.choose(count) == 0

    def one(self, items: Sequence[T]) -> T:
        """Any of some items."""
        return items[self.choose(len(items))]

    def some(self, items: Sequence[T]) -> tuple[T, ...]:
        """Any part of some items, in their order: all, none or about half of them."""
        kind = self.choose(4)
        return tuple(items) if kind == 0 else tuple(item for item in items if self.choose(2)) if kind < 3 else ()

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """Items in any order."""
        left = list(items)
        return [left.pop(self.choose(len(left))) for _ in range(len(left))]


def struck_out(
    question: Question[Any],
    answer: Answer,
    orders_of: Callable[[Answer], Sequence[Any]],
    with_orders: Callable[[Answer, Sequence[Any]], Answer],
) -> Answer:
    """An answer without the orders that are refused; the question's default when nothing legal is left.

    `orders_of` lists the orders of an answer as refusals number them, `with_orders` makes one like it of some of them.
    """
    for _ in range(MOST_TRIES):
        refusals = question.check(answer)
        if not refusals:
            return answer
        orders = orders_of(answer)
        struck = {refusal.line or len(orders) for refusal in refusals}
        kept = [order for number, order in enumerate(orders, start=1) if number not in struck]
        if len(kept) == len(orders):
            break
        answer = with_orders(answer, kept)
    default: Answer = question.default
    return default

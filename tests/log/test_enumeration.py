"""Counts and lists as players read them."""

from __future__ import annotations

import pytest

from pbem.log.enumeration import counted, cut, enumerated


@pytest.mark.parametrize(("number", "said"), [(0, "0 events"), (1, "1 event"), (2, "2 events")])
def test_one_thing_is_one(number: int, said: str) -> None:
    assert counted(number, "event") == said


def test_a_plural_of_its_own() -> None:
    assert [counted(number, "die", "dice") for number in (1, 2)] == ["1 die", "2 dice"]


@pytest.mark.parametrize(
    ("items", "said"), [([], ""), (["a"], "a"), (["a", "b"], "a or b"), (["a", "b", "c"], "a, b or c")]
)
def test_a_list_has_its_last_word_once(items: list[str], said: str) -> None:
    assert enumerated(items, "or") == said


def test_a_list_is_cut_behind_eight() -> None:
    assert cut(list("abcdefgh")) == "a, b, c, d, e, f, g, h"
    assert cut(list("abcdefghij")) == "a, b, c, d, e, f, g, h and 2 more"
    assert (cut(["a", "b"], 1), cut([])) == ("a and 1 more", "")

"""What of one's own events the other side is not known to have, in words."""

from __future__ import annotations

import pytest

from pbem.app.delivery import open_words


@pytest.mark.parametrize(
    ("steps", "said"),
    [
        (1, "your orders of step 4"),
        (2, "your orders of step 4 and your orders of step 5"),
        (3, "your orders of step 4, your orders of step 5 and your orders of step 6"),
        (24, "your orders of step 4, your orders of step 5 and 22 more events of yours"),
    ],
)
def test_events_that_are_not_acknowledged_are_listed(steps: int, said: str) -> None:
    assert open_words({"open": [{"step": 4 + number, "kind": "answer"} for number in range(steps)]}) == said

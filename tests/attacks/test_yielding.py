"""Giving way to a ruling: a player who had answered, and was not heard of, goes on from where the others are."""

from __future__ import annotations

from pathlib import Path

import pytest

from attacks.test_referee import Court, begun, court, ruled  # noqa: F401 - fixtures
from pbem.app.yielding import give_way


def crossed(court: Court) -> None:  # noqa: F811 - a fixture
    """The Pole has decided in time, nobody got it; the referee has ruled, and the German has played on from that."""
    court.polish.decide()
    court.late()
    ruled(court, "no answer for a week")
    court.german.take(court.referee.export(everything=True))
    court.german.decide()


@pytest.mark.plan("A43", "A34")
def test_who_gives_way_to_a_ruling_goes_on_with_the_others(court: Court) -> None:  # noqa: F811
    crossed(court)
    court.polish.take(court.german.export(everything=True))
    assert court.polish.heads() != court.german.heads()
    with court.polish.desk() as desk:
        told = give_way(desk, "westerplatte", anyway=True).news
    assert told[0] == "  > the referee rules on polish's answer: no answer for a week"
    court.exchange()
    assert court.heads()[0] == court.heads()[1] == court.heads()[2]
    done = court.polish.verified()
    assert (done.code, "gave way to a claim or a ruling" in done.out) == (0, True)


def test_nobody_gives_way_for_somebody_else(court: Court, tmp_path: Path) -> None:  # noqa: F811
    """The German cannot say that the Pole's answer gives way; what it says of it settles no fork either."""
    court.polish.decide()
    late = court.polish.copy(tmp_path / "late")
    court.late()
    ruled(court)
    court.german.take(court.referee.export(everything=True))
    done = court.german("motion", "yield", "westerplatte")
    assert done.err.splitlines()[0] == (
        "yield.none: expected a claim or a ruling in the place of what you have signed, got none"
    )
    heads = court.german.heads()
    court.german.take(late.export(everything=True))
    assert court.german.heads() == heads

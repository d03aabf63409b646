"""An adjudicator that signs receipt after receipt for one contested event."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from attacks.hosting import Table, hosted
from attacks.sides import id_of, packed
from pbem.app import rivals
from pbem.app.dispute import forks
from pbem.app.rivals import MOST_CONTRARY, TELLING_RECEIPTS
from pbem.log.event import Receipt


@pytest.fixture
def table(tmp_path: Path) -> Table:
    table = hosted(tmp_path, "players", "toy", "short")
    for _ in range(8):
        for player in table.players():
            player.decide()
        table.exchange()
    return table


@pytest.mark.plan("A16")
def test_a_hundred_receipts_for_a_contested_event_cost_a_few_replays(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps = table.first.opened(whole=True).campaign.steps
    answered = next(one for step in steps[3:] for one in step.events if one.event.kind == "answer")
    receipt = next(one for one in steps[answered.event.step].events if one.event.kind == "receipt").event
    author = next(side for side in table.players() if side.role == answered.event.role)
    rival = author.sign(replace(answered.event, at=answered.event.at + 1))
    said = Receipt(arrived={id_of(rival): receipt.at})
    receipts = [table.host.sign(replace(receipt, at=receipt.at + later, body=said)) for later in range(1, 101)]
    tried: list[str] = []
    real = rivals.would_have_stood
    monkeypatch.setattr(rivals, "would_have_stood", lambda *asked: bool(tried.append(asked[2].id)) or real(*asked))
    reader = next(side for side in table.players() if side is not author)
    before = len(reader.opened().rows)
    for _ in range(2):
        reader.take(packed([rival, *receipts]))
        assert len(tried) <= MOST_CONTRARY
        tried.clear()
    kept = [row for row in reader.opened().rows if row.kind == "receipt" and row.step == receipt.step]
    assert len(kept) == TELLING_RECEIPTS
    assert len(reader.opened().rows) == before + 2
    assert reader.opened().fork is not None
    twice = [one for one in forks(reader.opened(whole=True)) if one.first.event.kind == "receipt"]
    assert len(twice) == 1  # the host contradicts itself, and that is kept

"""What a service did is forgotten after a time, and nothing that it still needs."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.service.pruning import KEEP_DAYS
from service.court import DAY, Court, in_play


@pytest.fixture
def court(tmp_path: Path) -> Court:
    court = in_play(tmp_path)
    court.rounds(decide=True)
    return court


def kept(court: Court) -> dict[str, int]:
    tables = court.judge.side.tables()
    return {name: len(tables[name]) for name in ("outbox", "letters", "deadlines", "events")}


def test_within_the_days_nothing_is_forgotten(court: Court) -> None:
    before = kept(court)
    court.later(DAY)
    court.judge.round()
    assert (before["outbox"] > 0, before["letters"] > 0, kept(court)["letters"]) == (True, True, before["letters"])


def test_after_the_days_only_what_counts_is_kept(court: Court) -> None:
    before = kept(court)
    with court.judge.desk() as desk:
        game = desk.home.games()[0].game_id
        step = max(one.step for one in desk.home.deadlines(game))
        last = [one for one in desk.home.deadlines(game) if one.step == step]
        thread = desk.home.meta(f"thread/{game}")
    court.later((KEEP_DAYS + 20) * DAY)
    court.judge.round()
    found = kept(court)
    assert (found["letters"], found["events"] >= before["events"]) == (0, True)
    with court.judge.desk() as desk:
        assert desk.home.meta(f"thread/{game}") == thread
        after = desk.home.deadlines(game)
        assert {(one.step, one.what) for one in last} <= {(one.step, one.what) for one in after}
        assert {one.step for one in after if one.step < step} == set()
        assert all(mail.created == court.office.now for mail in desk.home.mails("sent"))
        assert desk.home.damages() == ()


def test_a_mail_that_waits_or_failed_is_never_forgotten(court: Court) -> None:
    with court.judge.desk() as desk, desk.home.queueing() as queue:
        for name in ("waits", "fails"):
            queue.post(message_id=name, game_id="", receivers=["a@b"], sender="", mail=b"m", created=1)
            taken = queue.lease_mail("one", 1, 60)
            assert taken is not None
            (queue.mail_deferred(name, "one", 1 << 60) if name == "waits" else queue.mail_failed(name, "one", "gone"))
    court.later((KEEP_DAYS + 20) * DAY)
    court.judge.round()
    with court.judge.desk() as desk:
        assert [desk.home.mail(name) is not None for name in ("waits", "fails")] == [True, True]


def test_what_is_kept_can_be_said(court: Court, tmp_path: Path) -> None:
    places = ("--in", f"maildir:{tmp_path / 'in'}", "--out", f"maildir:{tmp_path / 'out'}")
    assert court.judge.side("serve", *places, "--make", "--once", "--keep-days", "20000").code == 0
    assert kept(court)["letters"] > 0
    with court.judge.desk() as desk, desk.home.writing() as writer:
        writer.put_meta("serve/pruned", b"0")
    assert court.judge.side("serve", "--once", "--keep-days", "90").code == 0
    assert kept(court)["letters"] == 0

"""Mails, deadlines and leases of a service, in either database (`pbem.store.queue`)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from samples import GAME, SECOND, event

from pbem.store import Deadline, Home, Lease, StoredGame, StoredLetter, StoredMail, Writer
from pbem.store.queue import DUE_DEADLINES

LETTER = StoredLetter("0f" * 32, 90, 100, "answered", "anna@example.org", "")


@pytest.fixture
def two(home: Home) -> Home:
    """A home with two games."""
    with home.writing() as writer:
        writer.add_game(StoredGame(SECOND, "Spring", "westerplatte/1", "polish", 50))
    return home


def mail(number: int, game_id: str = GAME, **other: Any) -> dict[str, Any]:
    """The arguments of a post; the number is the time of creation too."""
    common = {"message_id": f"<{number}@example.org>", "game_id": game_id, "receivers": ["anna@example.org"]}
    return common | {"sender": "pbem@example.org", "mail": b"mail %d" % number, "created": number} | other


def post(home: Home, *mails: dict[str, Any]) -> list[bool]:
    with home.queueing() as queue:
        return [queue.post(**one) for one in mails]


def lease(home: Home, worker: str, now: int, seconds: int = 60) -> str:
    """The id of the mail that a worker gets, empty for none."""
    with home.queueing() as queue:
        found = queue.lease_mail(worker, now, seconds)
    return found.message_id if found else ""


def sent(home: Home, number: int, now: int) -> None:
    with home.queueing() as queue:
        queue.mail_sent(f"<{number}@example.org>", now)


@contextmanager
def another(home: Home) -> Iterator[Home]:
    """The same home as another worker has it open."""
    with Home.open(home.folder, patience_ms=100) as other:
        yield other


def test_a_mail_that_was_handled_is_known(home: Home) -> None:
    with home.queueing() as queue:
        noted = [queue.note_letter(LETTER), queue.note_letter(LETTER), queue.note_letter(replace(LETTER, handled=200))]
    assert (noted, home.letter(LETTER.mail_digest), home.letter("00" * 32)) == ([True, False, False], LETTER, None)


def test_a_letter_is_noted_with_what_it_brings_about_or_not_at_all(home: Home) -> None:
    def note_and_leave() -> None:
        with home.writing(GAME) as writer:
            writer.note_letter(LETTER)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        note_and_leave()
    assert home.letter(LETTER.mail_digest) is None


def test_a_sender_is_answered_once_in_a_while(home: Home) -> None:
    with home.queueing() as queue:
        before = queue.may_answer("anna@example.org", 0)
        queue.note_letter(LETTER)
        after = [queue.may_answer("anna@example.org", since) for since in (0, 100, 101)]
        other = queue.may_answer("bruno@example.org", 0)
    assert (before, after, other) == (True, [False, False, True], True)


def test_a_mail_is_posted_once(home: Home) -> None:
    assert post(home, mail(1), mail(1), mail(1, mail=b"other")) == [True, False, False]
    assert home.mail("<1@example.org>") == StoredMail(
        "<1@example.org>", GAME, '["anna@example.org"]', "pbem@example.org", b"mail 1", 1
    )
    assert home.mails("pending")[0].addresses == ("anna@example.org",)


def test_the_mails_of_a_game_leave_one_after_the_other_and_games_do_not_wait_for_each_other(two: Home) -> None:
    post(two, mail(1), mail(2), mail(3, SECOND), mail(4, ""), mail(5, ""))
    taken = [lease(two, "a", 10) for _ in range(5)]
    assert taken == ["<1@example.org>", "<3@example.org>", "<4@example.org>", "<5@example.org>", ""]
    sent(two, 1, 11)
    assert (lease(two, "a", 12), two.mail_count()) == ("<2@example.org>", {"sending": 4, "sent": 1})


def test_mails_of_one_second_leave_in_the_order_in_which_they_were_posted(home: Home) -> None:
    post(home, mail(9, created=5), mail(1, created=5), mail(4, created=3))
    order = []
    for _ in range(3):
        order.append(lease(home, "a", 10))
        sent(home, int(order[-1][1]), 10)
    assert order == ["<9@example.org>", "<1@example.org>", "<4@example.org>"]


@pytest.mark.plan("C10")
def test_what_a_killed_worker_was_sending_is_taken_again_after_its_lease_and_not_before(home: Home) -> None:
    post(home, mail(1))
    assert [lease(home, "a", 10, 60), lease(home, "b", 69), lease(home, "b", 70)] == [
        "<1@example.org>",
        "",
        "<1@example.org>",
    ]
    with home.queueing() as queue:
        late = [queue.mail_deferred("<1@example.org>", "a", 500), queue.mail_failed("<1@example.org>", "a", "late")]
    assert late == [False, False]
    found = home.mail("<1@example.org>")
    assert found is not None
    assert (found.state, found.tries, found.lease) == ("sending", 2, "b")


def test_who_lives_keeps_what_it_has_and_no_more(home: Home) -> None:
    post(home, mail(1))
    lease(home, "a", 10, 60)
    with home.queueing() as queue:
        for name, worker, now in (("mine", "a", 10), ("over", "a", -60), ("other", "b", 10)):
            assert queue.take_lease(name, worker, now, 60)
        queue.keep_leases("a", 50, 60)
    assert [(one.name, one.until) for one in home.leases(0)] == [("mine", 110), ("other", 70)]
    assert [lease(home, "b", now) for now in (109, 110)] == ["", "<1@example.org>"]
    with home.queueing() as queue:
        queue.drop_ended(70)
    assert [one.name for one in home.leases(-100)] == ["mine"]
    assert home.damages() == ()


@pytest.mark.plan("C10")
def test_a_mail_that_has_gone_is_not_sent_again_whoever_says_so(home: Home) -> None:
    post(home, mail(1))
    lease(home, "a", 10, 60)
    lease(home, "b", 70, 60)
    sent(home, 1, 71)
    sent(home, 1, 99)
    found = home.mail("<1@example.org>")
    assert found is not None
    assert (lease(home, "c", 1000), found.state, found.sent) == ("", "sent", 71)


def test_a_deferred_mail_waits_and_so_do_those_behind_it(home: Home) -> None:
    post(home, mail(1), mail(2))
    lease(home, "a", 10)
    with home.queueing() as queue:
        assert queue.mail_deferred("<1@example.org>", "a", 100, "451 try again later")
    assert (lease(home, "a", 99), home.mails("pending")[0].reason) == ("", "451 try again later")
    assert lease(home, "a", 100) == "<1@example.org>"


def test_a_mail_that_was_given_up_makes_way(home: Home) -> None:
    post(home, mail(1), mail(2))
    lease(home, "a", 10)
    with home.queueing() as queue:
        assert queue.mail_failed("<1@example.org>", "a", "550 no such user")
    assert (lease(home, "a", 11), home.mails("failed")[0].reason) == ("<2@example.org>", "550 no such user")


def test_a_mail_before_its_time_is_not_due(home: Home) -> None:
    post(home, mail(1, not_before=50))
    assert [lease(home, "a", now) for now in (49, 50)] == ["", "<1@example.org>"]


def set_deadlines(home: Home, *deadlines: tuple[int, str, int]) -> None:
    with home.writing(GAME) as writer:
        for deadline in deadlines:
            assert writer.set_deadline(GAME, *deadline)


def due(home: Home, worker: str, now: int, seconds: int = 60, at_most: int = 10) -> list[Deadline]:
    with home.queueing() as queue:
        return list(queue.lease_due(worker, now, seconds, at_most))


def test_what_is_due_comes_to_one_worker_the_earliest_first(home: Home) -> None:
    set_deadlines(home, (3, "due", 300), (3, "reminder-1", 100), (3, "reminder-2", 200))
    assert due(home, "a", 99) == []
    assert [one.what for one in due(home, "a", 250, at_most=1)] == ["reminder-1"]
    assert [one.what for one in due(home, "b", 250)] == ["reminder-2"]
    assert due(home, "c", 250) == []


def test_several_deadlines_of_a_step_are_set_at_once(home: Home) -> None:
    set_deadlines(home, (3, "half", 100), (3, "day", 200), (2, "half", 50))
    assert [one.step for one in due(home, "a", 100)] == [2, 3]
    with home.writing(GAME) as writer:
        assert writer.cancel_deadlines(GAME, 3) == 1
        (day,) = (one for one in writer.deadlines(GAME) if one.what == "day")
        assert writer.set_deadlines(GAME, 3, {"half": 101, "day": 200, "late": 300}) == 3
        assert day in writer.deadlines(GAME)
    found = [(one.step, one.what, one.due, one.state, one.lease) for one in home.deadlines(GAME)]
    assert found == [
        (2, "half", 50, "cancelled", ""),
        (3, "half", 101, "waiting", ""),
        (3, "day", 200, "waiting", ""),
        (3, "late", 300, "waiting", ""),
    ]
    assert home.damages() == ()


def test_a_deadline_fires_once_and_only_for_who_has_it(home: Home) -> None:
    set_deadlines(home, (3, "due", 100))
    (first,) = due(home, "a", 100, 60)
    (again,) = due(home, "b", 160, 60)
    with home.writing(GAME) as writer:
        assert [writer.deadline_fired(first, "a", 161), writer.deadline_fired(again, "b", 162)] == [False, True]
        assert [writer.deadline_fired(again, "b", 163), writer.set_deadline(GAME, 3, "due", 500)] == [False, False]
    assert home.deadlines(GAME) == (Deadline(GAME, 3, "due", 100, "fired", 162),)
    assert due(home, "c", 10_000) == []


def test_a_deadline_that_is_moved_while_a_worker_has_it_does_not_fire(home: Home) -> None:
    set_deadlines(home, (3, "due", 100))
    (leased,) = due(home, "a", 100)
    set_deadlines(home, (3, "due", 500))
    with home.writing(GAME) as writer:
        assert not writer.deadline_fired(leased, "a", 101)
    assert [one.due for one in due(home, "a", 500)] == [500]


def test_the_deadlines_of_earlier_steps_are_cancelled(home: Home) -> None:
    set_deadlines(home, (2, "due", 100), (3, "due", 100), (1, "due", 50))
    (leased,) = due(home, "a", 50)
    with home.writing(GAME) as writer:
        assert (writer.deadline_fired(leased, "a", 50), writer.cancel_deadlines(GAME, 3)) == (True, 1)
    assert [(one.step, one.state) for one in home.deadlines(GAME)] == [
        (1, "fired"),
        (2, "cancelled"),
        (3, "waiting"),
    ]


def test_finding_what_is_due_looks_at_what_is_due_alone(home: Home) -> None:
    explain = "EXPLAIN QUERY PLAN" if (home.folder / "home.sqlite").exists() else "EXPLAIN"
    if explain == "EXPLAIN":
        home._connection.rows("SELECT set_config('enable_seqscan', 'off', false)")
    plan = home._connection.rows(f"{explain} SELECT game_id FROM deadlines {DUE_DEADLINES}", 1, 1, 1)
    told = " ".join(str(row[-1]) for row in plan)
    expected = (
        "(state=? AND due<?)" if explain != "EXPLAIN" else "Index Cond: ((state = 'waiting'::text) AND (due <= '1'"
    )
    assert expected in told


def test_the_games_to_look_at_are_found_by_an_index(home: Home) -> None:
    explain = "EXPLAIN QUERY PLAN" if (home.folder / "home.sqlite").exists() else "EXPLAIN"
    if explain == "EXPLAIN":
        home._connection.rows("SELECT set_config('enable_seqscan', 'off', false)")
    for what in ("post", "watch"):
        query = f"{explain} SELECT game_id FROM agenda WHERE {what}_at <= ? ORDER BY {what}_at, game_id"
        told = " ".join(str(row[-1]) for row in home._connection.rows(query, 1))
        assert f"agenda_{what}_at" in told


def test_what_is_older_than_a_time_is_forgotten_and_nothing_that_waits(home: Home) -> None:
    set_deadlines(home, (1, "due", 50), (2, "due", 50))
    with home.writing() as writer:
        for number, at in enumerate((10, 20, 200)):
            mail = {"message_id": str(number), "receivers": ["a@b"], "sender": "", "mail": b"m", "created": at}
            writer.post(game_id="", **mail)  # type: ignore[arg-type]
            if number != 1:
                writer.mail_sent(str(number), at)
            writer.note_letter(StoredLetter(f"{number}" * 64, at, at, "taken", "", ""))
        for deadline in writer.lease_due("a", 50, 60, 9):
            writer.deadline_fired(deadline, "a", 60)
        assert [writer.forget_before(100, 9), writer.forget_before(100, 9)] == [1 + 2 + 1, 0]
    letters = [home.letter(f"{number}" * 64) is not None for number in range(3)]
    mails = [home.mail(str(number)) is not None for number in range(3)]
    assert (mails, letters, [one.step for one in home.deadlines(GAME)]) == (
        [False, True, True],
        [False, False, True],
        [2],
    )


def test_forgetting_is_done_in_small_parts(home: Home) -> None:
    with home.writing() as writer:
        for number in range(5):
            writer.note_letter(StoredLetter(f"{number}" * 64, 10, 10, "taken", "", ""))
        assert [writer.forget_before(100, 2) for _ in range(4)] == [2, 2, 1, 0]


@pytest.mark.plan("C13")
def test_what_one_worker_has_no_other_gets_until_it_ends_or_is_given_back(home: Home) -> None:
    with another(home) as second:

        def take(where: Home, worker: str, now: int) -> bool:
            with where.queueing() as queue:
                return queue.take_lease("service", worker, now, 60)

        assert [take(home, "a", 10), take(second, "b", 11), take(home, "a", 20)] == [True, False, True]
        assert [take(second, "b", 79), second.lease("service")] == [False, Lease("service", "a", 80)]
        assert [take(second, "b", 80), take(home, "a", 81)] == [True, False]
        with home.queueing() as queue:
            queue.release_lease("service", "a")
        with second.queueing() as queue:
            queue.release_lease("service", "b")
        assert (take(home, "a", 82), home.lease("other")) == (True, None)


def test_a_worker_that_comes_back_gives_back_what_it_had(home: Home) -> None:
    """Leases, and mails that it has not sent; what others have is theirs."""
    post(home, mail(1))
    post(home, mail(2, SECOND))
    post(home, mail(3, ""))
    with home.queueing() as queue:
        taken = [queue.lease_mail(worker, 50, 60) for worker in ("a", "a", "b")]
        assert all(taken)
        queue.mail_sent(taken[0].message_id if taken[0] else "", 51)
        assert [queue.take_lease(name, name[0], 50, 60) for name in ("a1", "a2", "b1")] == [True] * 3
        queue.let_go("a")
    assert [one.name for one in home.leases(50)] == ["b1"]
    assert [(len(home.mails(state)), state) for state in ("pending", "sending", "sent")] == [  # type: ignore[arg-type]
        (1, "pending"),
        (1, "sending"),
        (1, "sent"),
    ]
    assert home.damages() == ()


DEEDS: dict[str, Callable[[Writer], object]] = {
    "a new game": lambda writer: writer.add_game(StoredGame("ef" * 32, "Third", "westerplatte/1", "german", 1)),
    "an event": lambda writer: writer.append(**event(0, game_id=SECOND)),
    "a draft": lambda writer: writer.drop_draft(SECOND, "orders"),
    "caches": lambda writer: writer.drop_snapshots(SECOND),
    "a mail": lambda writer: writer.post(**mail(1, SECOND)),
    "a deadline": lambda writer: writer.set_deadline(SECOND, 1, "due", 1),
}


@pytest.mark.parametrize("deed", DEEDS.values(), ids=DEEDS)
def test_a_writer_of_one_game_writes_to_no_other(two: Home, deed: Callable[[Writer], object]) -> None:
    with pytest.raises(RuntimeError), two.writing(GAME) as writer:
        deed(writer)
    assert (len(two.games()), two.events(SECOND), two.mail_count(), two.deadlines(SECOND)) == (2, (), {}, ())


@pytest.mark.plan("C11")
def test_a_changed_row_of_the_service_is_reported_and_not_acted_on(kept: Path) -> None:
    with Home.open(kept) as home:
        post(home, mail(1))
        set_deadlines(home, (1, "due", 5))
        with home.queueing() as queue:
            queue.note_letter(LETTER)
            queue.take_lease("service", "a", 1, 60)
        with home._connection.writing():
            for change in (
                "letters SET handled = 7",
                "outbox SET tries = 7",
                "deadlines SET due = 4",
                "leases SET until = 7",
            ):
                home._connection.change(f"UPDATE {change}")
        assert home.damages() == (
            f"a row of 'letters' is not what was written: mail '{LETTER.mail_digest}', game ''",
            f"a row of 'outbox' is not what was written: mail '<1@example.org>', game '{GAME}'",
            f"a row of 'deadlines' is not what was written: game '{GAME}'",
            "a row of 'leases' is not what was written: name 'service'",
        )

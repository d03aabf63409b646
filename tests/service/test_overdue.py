"""Deadlines: what a service reminds of, when it rules and when it does not, whatever the clock does."""

from __future__ import annotations

import contextlib
import itertools
import os
import sqlite3
import time
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from pbem.app.current import mark_restored
from pbem.app.deciding import submit_orders
from pbem.app.moving import move
from pbem.app.moving import reply as reply_to
from pbem.app.ruling import rule
from pbem.errors import BadRequest
from pbem.service.deadlines import rising
from pbem.service.overdue import Policy
from pbem.service.ticking import Ticks
from pbem.service.times import in_words
from service.court import ALL, DAY, HOUR, Court, done, in_play, patient, strangers, wait

BRUNO = "bruno@example.org"


@pytest.fixture
def court(tmp_path: Path) -> Court:
    return patient(tmp_path)


def test_who_answers_in_time_is_let_alone(court: Court) -> None:
    wait(court, 4 * DAY)
    court.polish.side.now = court.office.now
    court.polish.side.decide()
    court.polish.round()
    court.judge.round()
    assert done(court) == ALL[:1]
    assert {one.step for one in court.judge.deadlines()} == {court.judge.side.opened().campaign.place.step}
    cancelled = {(one.step, one.what.partition("/")[0]) for one in court.judge.deadlines("cancelled")}
    assert {what for step, what in cancelled if step == 4} == {"day", "late", "rule"}


@pytest.mark.plan("A60")
def test_what_came_before_the_ruling_counts(court: Court) -> None:
    """Sent in time, delivered after the deadline and within the grace, or in the box when the ruling is due."""
    wait(court, 7 * DAY + 2 * HOUR)
    assert done(court) == ALL[:3]
    court.polish.side.decide()
    court.polish.round()
    court.later(3 * DAY)
    court.judge.round()
    assert done(court) == ALL[:3]
    assert court.judge.side.opened().campaign.place.step > 4


@pytest.mark.plan("A60")
def test_nothing_is_ruled_before_the_box_was_read_to_its_end(court: Court) -> None:
    wait(court, 7 * DAY + 2 * HOUR)
    court.judge.box.closed = True
    wait(court, 5 * DAY)
    assert done(court) == ALL[:3]
    court.judge.box.closed = False
    court.later(HOUR)
    court.judge.round()
    assert done(court) == ALL


def test_nothing_is_ruled_while_the_last_reminder_has_not_left(court: Court) -> None:
    wait(court, 6 * DAY)
    court.office.closed = True
    wait(court, 4 * DAY)
    assert {(str(one["code"]), str(one["text"])) for one in court.judge.facts("alarm")} == {
        ("ruling.unsent", "no ruling in westerplatte: the last reminder has not left the outbox")
    }
    assert done(court) == ALL[:3]
    court.office.closed = False
    wait(court, DAY)
    assert done(court) == ALL


def test_a_reminder_that_its_receiver_puts_off_holds_no_ruling_back(court: Court) -> None:
    """Anna is sent each mail once meanwhile, and the last one too."""
    court.office.later = BRUNO
    wait(court, 9 * DAY)
    assert done(court) == ALL
    assert court.mails_to(BRUNO) == []
    mails = [mail for _, to, mail in court.office.sent if to == ("anna@example.org",)]
    assert len(mails) == len(set(mails))
    court.german.round()
    assert court.german.side.heads() == court.judge.side.heads()
    court.office.later = ""
    wait(court, DAY)
    assert len(court.mails_to(BRUNO)) == 3


def test_by_hand_a_person_is_called(court: Court) -> None:
    court.judge.policy = Policy(by_hand=True)
    wait(court, 12 * DAY)
    assert done(court) == ALL[:3]
    assert [(str(one["code"]), str(one["text"])) for one in court.judge.facts("alarm")] == [
        ("ruling.by_hand", "polish is silent beyond the grace: `pbem motion rule westerplatte` rules")
    ]
    with court.judge.desk() as desk:
        assert rule(desk, "westerplatte").words == ["polish's orders"]


def test_a_ruling_that_fails_calls_a_person(court: Court) -> None:
    """The judge's home was restored, and nothing has shown yet that nothing of its own is missing."""
    with court.judge.desk() as desk, desk.home.writing() as writer:
        (row,) = desk.home.games()
        mark_restored(writer, row.game_id, row.role, court.office.now, court.office.now)
    wait(court, 12 * DAY)
    assert [(str(one["code"]), str(one["text"])) for one in court.judge.facts("alarm")] == [
        (
            "ruling.failed",
            "no ruling in westerplatte: expected to know that nothing of referee's is missing in this home, which was "
            "restored, got nothing yet that german and polish signed since then; two answers at one "
            "place would accuse you: import what german and polish have (`pbem export --all` there); `pbem current "
            "westerplatte` says what is known here, and what to do when german and polish wait for you",
        )
    ]


@pytest.mark.parametrize("what", [{"what": "pause"}, {"what": "extend", "days": 30}])
def test_an_agreed_absence_holds_everything_back(court: Court, what: dict[str, object]) -> None:
    with court.polish.side.desk() as desk:
        move(desk, "westerplatte", what)
    court.rounds(2)
    with court.german.side.desk() as desk:
        reply_to(desk, "westerplatte", agree=True)
    court.rounds(2)
    wait(court, 10 * DAY)
    assert done(court) == []


def test_the_whole_grace_follows_the_last_reminder(court: Court) -> None:
    """A machine that was off for days when the time ran out rules no sooner than the grace after it has said so."""
    court.later(20 * DAY)
    court.judge.round()
    assert done(court) == [ALL[2]]
    wait(court, DAY - 2 * HOUR)
    assert done(court) == [ALL[2]]
    wait(court, 3 * HOUR, HOUR)
    assert done(court) == ALL[2:]


def test_another_grace_never_shortens_what_the_last_reminder_said(court: Court) -> None:
    wait(court, 7 * DAY + 6 * HOUR)
    assert done(court) == ALL[:3]
    court.judge.policy = Policy(grace=2 * DAY)
    wait(court, DAY)
    assert done(court) == ALL[:3]
    wait(court, DAY)
    assert done(court) == ALL


@pytest.mark.plan("A59")
def test_a_game_that_fails_keeps_no_other_one_from_being_attended_to(tmp_path: Path) -> None:
    court = several(tmp_path, 2)
    court.judge.again = 1000 * DAY
    first, second = (row[0] for row in court.judge.side.tables()["games"])
    connection = sqlite3.connect(court.judge.side.folder / "home.sqlite")
    with contextlib.closing(connection), connection:
        triggers = list(connection.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'"))
        for name, _ in triggers:
            connection.execute(f"DROP TRIGGER {name}")
        connection.execute("UPDATE events SET line = x'00' WHERE game_id = ? AND step = 3", (first,))
        chosen = "SELECT event_id FROM events WHERE game_id = ? AND step = 3 ORDER BY rowid"
        damaged = connection.execute(chosen, (first,)).fetchone()[0]
        for _, made in triggers:
            connection.execute(made)
    wait(court, 4 * DAY)
    with court.judge.desk() as desk:
        told = [(facts["code"], facts["text"]) for facts in court.judge.facts("alarm")]
        assert told[:1] == [
            (
                "deadline.failed",
                f"database.damaged: expected an undamaged database '{court.judge.side.folder / 'home.sqlite'}', but a "
                f"row of 'events' is not what was written: event '{damaged}', game '{first}'",
            )
        ]
        name = desk.home.game(second).name
    assert [facts["game"] for facts in court.judge.facts("reminded")] == [name]


def test_a_game_that_a_fork_has_stopped_is_let_alone(court: Court) -> None:
    """And its deadlines run again when it is settled which of the two stands."""
    for side in court.polish.side.twice(court.polish.side.folder.parent / "twin"):
        court.judge.write(side.export(everything=True))
        court.judge.round()
    assert court.judge.side.opened().fork
    wait(court, 10 * DAY)
    assert done(court) == []
    assert court.judge.deadlines() == []


# ---------------------------------------------------------------------- the safety stop


def several(folder: Path, number: int) -> Court:
    """So many games in which the Pole has to decide."""
    court = strangers(folder)
    court.judge.allow("any")
    for _ in range(number):
        court.propose(begin=60)
    court.bruno_joins()
    court.rounds()
    return court


@pytest.mark.parametrize(("number", "most", "ruled"), [(2, None, 2), (3, None, 0), (3, 3, 3), (3, 2, 0)])
def test_many_silent_games_at_once_are_our_fault(tmp_path: Path, number: int, most: int | None, ruled: int) -> None:
    court = several(tmp_path, number)
    court.judge.again = 1000 * DAY
    court.judge.policy = Policy(most=most)
    wait(court, 9 * DAY)
    assert court.judge.words().count("ruled") == ruled
    told = [(one["code"], one["text"]) for one in court.judge.facts("alarm")]
    text = (
        "3 of 3 games would be ruled on within a day, so none is: the fault is probably ours; see `pbem doctor`, and "
        "if all is well, raise --most-rulings"
    )
    assert told[:1] == ([] if ruled else [("safety.stop", text)])


def test_one_of_many_is_no_fault_of_ours(tmp_path: Path) -> None:
    court = several(tmp_path, 4)
    court.judge.again = 1000 * DAY
    wait(court, 4 * DAY)
    for name in ("westerplatte-2", "westerplatte-3", "westerplatte-4"):
        _decide(court, name)
    court.polish.round()
    wait(court, 5 * DAY)
    assert [facts["game"] for facts in court.judge.facts("ruled")] == ["westerplatte"]
    assert court.judge.facts("alarm") == []
    wait(court, 5 * DAY)
    assert court.judge.words().count("ruled") == 1
    assert {facts["code"] for facts in court.judge.facts("alarm")} == {"safety.stop"}


def _decide(court: Court, name: str) -> None:
    court.polish.side.game = name
    court.polish.side.decide()


# ---------------------------------------------------------------------- the clock


ZONES = ("UTC", "Europe/Warsaw", "America/New_York", "America/St_Johns", "Australia/Lord_Howe", "Asia/Kolkata")
YEAR = range(1_767_225_600, 1_798_761_600, HOUR // 2)


def changes(zone: str) -> list[int]:
    """When the hour of a zone changes in 2026: once it comes twice, once it does not come at all."""
    offsets = [(at, datetime.fromtimestamp(at, ZoneInfo(zone)).utcoffset()) for at in YEAR]
    return [at for (_, before), (at, after) in itertools.pairwise(offsets) if before != after] or [
        YEAR.start + 90 * DAY
    ]


def test_the_zones_have_changes_of_both_kinds() -> None:
    assert [len(changes(zone)) for zone in ZONES] == [1, 2, 2, 2, 2, 1]


@pytest.fixture
def machine() -> Iterator[Callable[[str], None]]:
    """Sets the zone of the machine."""
    before = os.environ.get("TZ")

    def put(zone: str | None) -> None:
        os.environ.pop("TZ", None)
        if zone is not None:
            os.environ["TZ"] = zone
        time.tzset()

    yield put
    put(before)


@pytest.mark.plan("C12")
@pytest.mark.parametrize(("zone", "change"), [(zone, change) for zone in ZONES for change in changes(zone)])
def test_each_deadline_fires_once_in_every_zone(
    machine: Callable[[str], None], zone: str, change: int, tmp_path: Path
) -> None:
    """With the change of the hour at half of the time, jumps of an hour there, and a machine suspended for days."""
    machine(zone)
    court = in_play(tmp_path, change - 7 * DAY // 2 - 2 * HOUR)
    court.judge.again = 1000 * DAY
    (half,) = [one.due for one in court.judge.deadlines() if one.what.startswith("half/")]
    assert abs(half - change) < 2 * HOUR
    court.later(half - 1 - court.office.now)
    court.judge.round()
    assert done(court) == []
    for jump in (HOUR, -HOUR, HOUR, -HOUR, 2 * HOUR):
        court.later(jump)
        court.judge.round()
    assert done(court) == ALL[:1]
    court.later(3 * DAY)
    court.judge.round()
    assert done(court) == ALL[:2]
    wait(court, 4 * DAY)
    assert done(court) == ALL
    fired = court.judge.deadlines("fired")
    assert sorted(one.what.partition("/")[0] for one in fired if one.step == 4) == ["day", "half", "late", "rule"]


@pytest.mark.plan("C12", "A61")
def test_a_clock_that_goes_back_raises_an_alarm_and_holds_everything(court: Court) -> None:
    wait(court, 4 * DAY)
    assert done(court) == ALL[:1]
    court.later(-2 * DAY)
    court.judge.round()
    (alarm,) = court.judge.facts("alarm")
    assert (alarm["code"], alarm["text"]) == (
        "clock.back",
        "the clock of this machine went back by 172800 seconds: no deadline fires until it has caught up",
    )
    court.later(2 * DAY - HOUR)
    court.judge.round()
    assert done(court) == ALL[:1]
    wait(court, 5 * DAY)
    assert done(court) == ALL


@pytest.mark.plan("C12")
@pytest.mark.parametrize(
    ("at", "words"),
    [
        (1_792_889_999, "Sunday 25 October 2026, 00:59 UTC (02:59 in Europe/Warsaw, UTC+0200)"),
        (1_792_890_000, "Sunday 25 October 2026, 01:00 UTC (02:00 in Europe/Warsaw, UTC+0100)"),
        (1_774_745_999, "Sunday 29 March 2026, 00:59 UTC (01:59 in Europe/Warsaw, UTC+0100)"),
        (1_774_746_000, "Sunday 29 March 2026, 01:00 UTC (03:00 in Europe/Warsaw, UTC+0200)"),
    ],
)
def test_an_hour_that_comes_twice_or_never_is_told_apart(at: int, words: str) -> None:
    assert in_words(at, at - HOUR, "Europe/Warsaw") == f"{words}, in 1 hour"


@pytest.mark.plan("C12")
def test_times_are_seconds_and_not_days_of_a_calendar() -> None:
    """Over a change of the hour a day has its 86,400 seconds, so that nobody gains or loses an hour."""
    begun = 1_792_800_000
    assert list(rising(begun, begun + 7 * DAY, DAY)) == [
        ("half", begun + 7 * DAY // 2),
        ("day", begun + 6 * DAY),
        ("late", begun + 7 * DAY),
        ("rule", begun + 8 * DAY),
    ]
    assert [what for what, _ in rising(begun, begun + DAY, 0)] == ["half", "late", "rule"]


def test_the_scheduler_is_a_clock_and_nothing_more() -> None:
    with Ticks(3600) as ticks:
        (job,) = ticks.scheduler.get_jobs()
        assert (job.coalesce, job.max_instances, job.misfire_grace_time) == (True, 1, None)
        assert str(job.trigger.timezone) == "UTC"
        assert ticks.wait(20)
        assert (ticks(), ticks()) == (True, False)


def test_a_question_in_the_open_is_not_ruled_on_early(court: Court) -> None:
    with court.judge.desk() as desk, pytest.raises(BadRequest) as told:
        rule(desk, "westerplatte")
    assert str(told.value) == "rule.too_early: expected the deadline to be over, got 168 hours left"
    with court.judge.desk() as desk, pytest.raises(BadRequest):
        submit_orders(desk, "westerplatte", "")

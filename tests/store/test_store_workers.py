"""Three workers, killed now and then, at one outbox: any order of what they do loses no mail (`pbem.store.queue`)."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from samples import GAME
from soak import soak

from pbem.store import Home

CHILDREN = str(Path(__file__).parent / "children.py")
WORKERS = ("a", "b", "c")
SECONDS = 20
MAILS = 4

Step = tuple[str, int, int]
"""Who, what (0 take, 1 send, 2 say that it has gone, 3 put off, 4 give up, 5 die), and seconds that pass before."""


@dataclass
class Post:
    """The world: the time, what each worker has taken, and what has really gone out, in order."""

    home: Home
    kills: bool
    now: int = 1000
    taken: dict[str, tuple[str, int]] = field(default_factory=dict)
    gone: list[str] = field(default_factory=list)
    said: set[str] = field(default_factory=set)
    lost: set[str] = field(default_factory=set)

    def step(self, worker: str, deed: int, seconds: int) -> None:
        self.now += seconds
        if worker not in self.taken:
            self.take(worker)
        elif deed == 5 and self.kills:
            del self.taken[worker]
        else:
            self.go_on(worker, deed)

    def take(self, worker: str) -> None:
        with self.home.queueing() as queue:
            mail = queue.lease_mail(worker, self.now, SECONDS)
        if mail is not None:
            self.taken[worker] = (mail.message_id, self.now + SECONDS)

    def go_on(self, worker: str, deed: int) -> None:
        """Send, put off or give up; a worker whose lease has ended does nothing of that, and forgets the mail."""
        mail, until = self.taken.pop(worker)
        if self.now >= until:
            return
        with self.home.queueing() as queue:
            if deed == 3:
                assert queue.mail_deferred(mail, worker, self.now + 5)
            elif deed == 4:
                assert queue.mail_failed(mail, worker, "550")
                self.lost.add(mail)
        if deed < 3:
            self.gone.append(mail)
            if not (deed == 1 and self.kills):  # else it dies behind DATA, and nobody hears of it
                with self.home.queueing() as queue:
                    queue.mail_sent(mail, self.now)


def played(home: Home, steps: list[Step], *, kills: bool) -> Post:
    """Empty the outbox, post some mails of one game and one of none, take the steps, then let one worker finish."""
    with home._connection.writing():
        home._connection.change("DELETE FROM outbox")
    with home.queueing() as queue:
        for number in range(MAILS):
            game = GAME if number else ""
            queue.post(
                message_id=str(number),
                game_id=game,
                receivers=["a@b"],
                sender="c@d",
                mail=b"mail",
                created=900 - number,
            )
    post = Post(home, kills)
    for worker, deed, seconds in steps:
        post.step(WORKERS[int(worker)], deed, seconds)
    post.now += 1000
    post.kills = False
    post.taken.clear()
    for _ in range(2 * MAILS):
        post.step("a", 2, 0)
    return post


STEPS = st.lists(
    st.tuples(st.sampled_from("012"), st.integers(0, 5), st.sampled_from((0, 0, 0, 1, 7, 25))), max_size=25
)


def check(home: Home, steps: list[Step], *, kills: bool) -> None:
    post = played(home, steps, kills=kills)
    times = Counter(post.gone)
    assert {str(number) for number in range(MAILS)} == set(times) | post.lost
    assert home.mail_count().keys() <= {"sent", "failed"}
    first_times = [mail for place, mail in enumerate(post.gone) if mail != "0" and mail not in post.gone[:place]]
    assert first_times == sorted(first_times)
    if not kills:
        assert set(times.values()) <= {1}


LONG = (pytest.mark.soak, pytest.mark.timeout(3600))
SIZES = [60, pytest.param(soak(500), marks=LONG)]


@pytest.mark.plan("C10")
@pytest.mark.parametrize("examples", SIZES)
@pytest.mark.parametrize("kills", [False, True], ids=["alive", "killed"])
def test_every_mail_is_sent_and_none_twice_while_leases_are_honoured(kept: Path, kills: bool, examples: int) -> None:
    with Home.open(kept) as home:

        @settings(
            max_examples=examples,
            deadline=None,
            derandomize=True,
            database=None,
            suppress_health_check=list(HealthCheck),
        )
        @given(STEPS)
        def run(steps: list[Step]) -> None:
            check(home, steps, kills=kills)

        run()


@pytest.mark.plan("C10")
@pytest.mark.timeout(60)
def test_a_killed_process_loses_no_mail_and_the_others_take_over(kept: Path) -> None:
    """The mail that the killed one had taken may go twice; all others go once, those of each game in their order."""
    with Home.open(kept) as home, home.writing() as writer:
        for number in range(60):
            common = {"receivers": ["a@b"], "sender": "c@d", "mail": b"mail", "created": number}
            writer.post(message_id=f"{number % 6}.{number}", game_id=f"game {number % 6}", **common)  # type: ignore[arg-type]
    workers = [
        subprocess.Popen([sys.executable, CHILDREN, "send_mails", str(kept), name], stdout=subprocess.PIPE, text=True)
        for name in WORKERS
    ]
    victim = workers[0]
    assert victim.stdout is not None
    said = [victim.stdout.readline().strip() for _ in range(4)]
    victim.kill()
    assert [worker.wait() for worker in workers[1:]] == [0, 0]
    gone = [line.split() for line in (kept / "gone").read_text().splitlines()]
    times = Counter(mail for _, mail in gone)
    last = [mail for worker, mail in gone if worker == "a"][-1:]
    assert said[0] == "ready"
    assert len(times) == 60
    assert {mail for mail, count in times.items() if count > 1} <= set(last)
    for game in range(6):
        order = [mail for place, (_, mail) in enumerate(gone) if mail not in [one for _, one in gone[:place]]]
        numbers = [int(mail.split(".")[1]) for mail in order if mail.startswith(f"{game}.")]
        assert numbers == sorted(numbers)

"""What is due: reminders to who is silent, and after the grace the ruling in the place of what is owed.

An action and the note that it was done are one transaction, so that what is killed is done once or not yet. No ruling
is made before the mailbox was read to its end, nor while the last reminder lies in the outbox, unless its receiver's
server has put it off for a day, nor less than the grace after that one; and none at all when so many games are silent
at once that the fault is probably ours.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from pbem.app.desk import Desk
from pbem.app.lacking import has_gone_on
from pbem.app.opened import OpenGame, open_game
from pbem.app.ruling import rule
from pbem.errors import PbemError
from pbem.log.enumeration import counted, enumerated
from pbem.log.verify import DAY
from pbem.mail.post.port import PUT_OFF
from pbem.service.alarms import raise_alarm
from pbem.service.bench import count_games, standing_of
from pbem.service.deadlines import LATE, RISING, RULE, awaited, due_at, named, next_due, present, silent
from pbem.service.record import Tell
from pbem.service.reminding import may_remind, message_id, remind
from pbem.service.shift import is_locked, patiently
from pbem.store.faults import is_away
from pbem.store.queue import Queue
from pbem.store.reading import Reader
from pbem.store.rows import Deadline
from pbem.store.writing import Writer

LEASE = 60
"""Seconds that a worker has for what is due; what is put off comes again after them."""
AT_ONCE = 100
POSTPONED = 3600
_RULED = "ruled/"
FEWEST_SILENT = 3
"""So many games at least are silent before silence is taken for a fault of ours."""


@dataclass(frozen=True, slots=True)
class Policy:
    """How a service rules: seconds of grace beyond a deadline, by itself or not, and the most games a day, None for
    fewer than three and not over half of those that run."""

    grace: int = DAY
    by_hand: bool = False
    most: int | None = None


class _Void(Exception):
    """What was due is over, or another worker's."""


class Overdue:
    """What is due in the games over which a desk presides."""

    def __init__(self, desk: Desk, policy: Policy, worker: str, tell: Tell) -> None:
        self._desk, self._policy, self._worker, self._tell = desk, policy, worker, tell
        self._stopped: bool | None = None

    def fire(self, read: bool) -> int:
        """Do what is due; how much that was. `read` says that the mailbox was read to its end just now."""
        self._stopped, count = None, 0
        while due := self._lease():
            for deadline in due:
                try:
                    count += patiently(partial(self._fire, deadline, read))
                except _Void:
                    continue
                except Exception as error:  # what fails in one game must not keep the others from being attended to
                    if is_away(error):
                        raise
                    if is_locked(error):  # another worker is at it: it comes again when the lease has ended
                        continue
                    said = str(error) if isinstance(error, PbemError) else f"{type(error).__name__}: {error}"
                    self._alarm("deadline.failed", said, deadline.game_id)
        return count

    def _lease(self) -> tuple[Deadline, ...]:
        with self._desk.home.queueing() as queue:
            return queue.lease_due(self._worker, self._desk.clock(), LEASE, AT_ONCE)

    def _fire(self, deadline: Deadline, read: bool) -> bool:
        what = deadline.what.partition("/")[0]
        if what != RULE:
            return self._remind(deadline, what)
        return self._rule(deadline) if read and not self._too_many() else False

    # ------------------------------------------------------------------ reminders

    def _remind(self, deadline: Deadline, what: str) -> bool:
        desk, grace = self._desk, self._policy.grace
        with desk.home.writing(deadline.game_id) as writer:
            self._note(writer, deadline)
            opened = open_game(writer, deadline.game_id, desk.games)
            if not _is_present(deadline, opened) or _is_overtaken(writer, opened, what, desk.clock()):
                return False
            if what == LATE and due_at(opened):
                at = max(due_at(opened), desk.clock()) + grace
                writer.set_deadline(deadline.game_id, deadline.step, named(RULE, opened), at)
            roles = [role for role in awaited(opened) if may_remind(desk, writer, opened, role)]
            for role in roles:
                remind(desk, writer, opened, role, what, self._policy.by_hand, grace)
        for role in roles:
            self._tell("reminded", game=opened.row.name, role=role, step=deadline.step, what=what)
        return bool(roles)

    def _note(self, queue: Queue, deadline: Deadline) -> None:
        if not queue.deadline_fired(deadline, self._worker, self._desk.clock()):
            raise _Void

    # ------------------------------------------------------------------ rulings

    def _rule(self, deadline: Deadline) -> bool:
        desk = self._desk
        opened = open_game(desk.home, deadline.game_id, desk.games)
        name = opened.row.name
        _check_unchanged(desk.home, deadline)
        if not _is_present(deadline, opened):
            return self._done(deadline)
        if ahead := has_gone_on(desk.home, opened, silent(opened)):
            who = enumerated(ahead)
            text = f"no ruling in {name}: a mail is missing here, since {who} has signed at a later step"
            self._alarm("ruling.lacking", text, name)
            return self._postpone(deadline)
        if _is_unsent(desk.home, opened, desk.clock()):
            self._alarm("ruling.unsent", f"no ruling in {name}: the last reminder has not left the outbox", name)
            return self._postpone(deadline)
        if self._policy.by_hand:
            who = enumerated(silent(opened))
            self._alarm("ruling.by_hand", f"{who} is silent beyond the grace: `pbem motion rule {name}` rules", name)
            return self._done(deadline)
        return self._ruled(deadline, opened)

    def _ruled(self, deadline: Deadline, opened: OpenGame) -> bool:
        name = opened.row.name
        try:
            ruled = rule(self._desk, deadline.game_id, "silence beyond the deadline", noting=self._noting(deadline))
        except PbemError as error:
            if error.code == "rule.too_early":
                return self._postpone(deadline)
            why = f"{error.text}; {error.hint}"
            self._alarm("ruling.failed", f"no ruling in {name}: {why}", name)
            return self._done(deadline)
        for words in ruled.words:
            self._tell("ruled", game=name, step=deadline.step, text=words)
        return True

    def _noting(self, deadline: Deadline) -> Callable[[Writer], None]:
        def note(writer: Writer) -> None:
            self._note(writer, deadline)
            writer.put_meta(_ruled_key(deadline.game_id), str(self._desk.clock()).encode("ascii"))

        return note

    def _done(self, deadline: Deadline) -> bool:
        with self._desk.home.queueing() as queue:
            self._note(queue, deadline)
        return False

    def _postpone(self, deadline: Deadline) -> bool:
        with self._desk.home.queueing() as queue:
            _check_unchanged(queue, deadline)
            queue.set_deadline(deadline.game_id, deadline.step, deadline.what, self._desk.clock() + POSTPONED)
        return False

    # ------------------------------------------------------------------ the safety stop

    def _too_many(self) -> bool:
        """Whether so many games would be ruled on within a day that nothing is; looked up once in a round."""
        if self._stopped is None:
            running, late = self._late()
            most = self._policy.most
            self._stopped = late > most if most is not None else late >= FEWEST_SILENT and 2 * late > running
            if self._stopped:
                text = (
                    f"{late} of {counted(running, 'game')} would be ruled on within a day, so none is: the fault is "
                    "probably ours; see `pbem doctor`, and if all is well, raise --most-rulings"
                )
                self._alarm("safety.stop", text)
        return self._stopped

    def _late(self) -> tuple[int, int]:
        """How many games run, and how many of them are late; one that was ruled on within a day is both.

        Late is one in which a ruling waits whose deadline is over, and that comes within a day.
        """
        home, now = self._desk.home, self._desk.clock()
        noted = home.meta_under(_RULED)
        ruled = [game for game, at in noted.items() if now - int(at) < DAY and standing_of(home, game)]
        soon = {one.game_id for one in home.due_by(f"{RULE}/", now + min(self._policy.grace, DAY))} - set(ruled)
        late = sum(standing_of(home, game) == "running" for game in soon)
        over = sum(standing_of(home, game) != "running" for game in ruled)
        return count_games(home)[1] + over, late + len(ruled)

    def _alarm(self, code: str, text: str, game: str = "") -> None:
        raise_alarm(self._desk, self._tell, code, text, game)


def _check_unchanged(reader: Reader, deadline: Deadline) -> None:
    """Raise _Void for what was put off, done or cancelled since it was taken."""
    if deadline not in reader.deadlines(deadline.game_id):
        raise _Void


def _is_present(deadline: Deadline, opened: OpenGame) -> bool:
    """Whether a deadline is one of the step where the log of its game stands, and something is owed there."""
    here = (opened.campaign.place.step, opened.campaign.place.prev[:12])
    return here == (deadline.step, deadline.what.partition("/")[2]) and next_due(opened) > 0


def _is_overtaken(reader: Reader, opened: OpenGame, what: str, now: int) -> bool:
    """Whether a later reminder is due as well, as after a time when the machine was off: it is sent alone."""
    later = RISING[RISING.index(what) + 1 : RISING.index(RULE)]
    return any(one.due <= now for name, one in present(reader, opened).items() if name in later)


def _is_unsent(reader: Reader, opened: OpenGame, now: int) -> bool:
    """Whether a reminder that the time is over waits in the outbox.

    One that its receiver's server has put off for a day counts as sent, or who has such a server would never be late.
    """
    mails = [reader.mail(message_id(opened, role, LATE)) for role in silent(opened)]
    waiting = [mail for mail in mails if mail is not None and mail.state in ("pending", "sending")]
    return any(mail.reason != PUT_OFF or now < mail.created + DAY for mail in waiting)


def _ruled_key(game_id: str) -> str:
    return _RULED + game_id

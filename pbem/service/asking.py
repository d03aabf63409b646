"""Letters without a turn file: a party's command is answered, everything else is left for a person.

The address in a From is anybody's claim, so an answer goes to the address of the roster, tells what that party may know
anyway, and never more than so often a day.
"""

from __future__ import annotations

from dataclasses import dataclass

from pbem.app.desk import Desk
from pbem.mail.message import Mailbox, Notice
from pbem.mail.post.manners import Thread, replying_to, why_not_answered
from pbem.mail.post.port import Letter
from pbem.service.answers import answer
from pbem.service.bench import Seat, presides, seats_at
from pbem.service.commands import Asked, read_command
from pbem.service.counting import count_below, within_a_day
from pbem.service.notices import post_notice
from pbem.service.record import NOT_OURS, Tell
from pbem.service.visitors import digest_of
from pbem.store.queue import Queue
from pbem.store.rows import LetterOutcome, StoredLetter

MOST_ANSWERS = 20
"""Answers to one address within a day."""
MOST_DRAWINGS = 4
"""Drawings among them, which are large."""


@dataclass(frozen=True, slots=True)
class Clerk:
    """Who answers commands."""

    desk: Desk
    tell: Tell

    def answers(self, letter: Letter) -> str:
        """Answer a letter; why it is not answered and a person has to see it, empty when it is dealt with."""
        thread = replying_to(letter.data)
        seats = [seat for seat in seats_at(self.desk, thread.sender) if presides(seat.summary)]
        if not seats:
            return NOT_OURS
        if why := why_not_answered(letter.data, [self.desk.profile().address]):
            return why
        asked = read_command(letter.data)
        address = seats[0].mailbox.address
        if not asked.word and within_a_day(self.desk.home, "helped", address, self.desk.clock()):
            return "no command in it"
        if within_a_day(self.desk.home, "answers", address, self.desk.clock()) >= MOST_ANSWERS:
            self._note(letter, address)
            return ""
        self._answer(letter, thread, seats, asked)
        return "" if asked.word else "no command in it"

    def _answer(self, letter: Letter, thread: Thread, seats: list[Seat], asked: Asked) -> None:
        """Answer, unless other workers have used up meanwhile what the sender may ask within a day."""
        desk, to, now = self.desk, seats[0].mailbox, self.desk.clock()
        draw = within_a_day(desk.home, "drawn", to.address, now) < MOST_DRAWINGS
        found = answer(desk, seats, asked, draw=draw)
        profile = desk.profile()
        notice = Notice(
            Mailbox(profile.name, profile.address),
            to,
            found.subject,
            found.lines,
            f"<answer.{digest_of(letter)[:32]}@pbem.invalid>",
            now,
            thread.message_id,
            thread.references,
            drawing=found.drawing,
            drawn=found.game,
        )
        with desk.home.queueing() as queue:
            if not asked.word and not count_below(queue, "helped", to.address, now, 1):
                return
            if not count_below(queue, "answers", to.address, now, MOST_ANSWERS):
                return
            if found.drawing:
                count_below(queue, "drawn", to.address, now, MOST_DRAWINGS)
            if asked.word:  # a person has to see the others, so that those are not handled
                _note(queue, letter, now, "answered")
            post_notice(queue, notice)
        self.tell("asked", word=asked.word or "help", to=to.address)

    def _note(self, letter: Letter, address: str) -> None:
        with self.desk.home.queueing() as queue:
            _note(queue, letter, self.desk.clock(), "ignored")
        self.tell("flooded", letter=digest_of(letter)[:16], sender=address)


def _note(queue: Queue, letter: Letter, now: int, outcome: LetterOutcome) -> None:
    """Without the sender: a command does not use up the one notice a day about what could not be read."""
    queue.note_letter(StoredLetter(digest_of(letter), letter.arrived, now, outcome, "", ""))

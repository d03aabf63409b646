"""Resending: a party that lacks a mail is sent everything from a step on, by the agent of whoever it asks.

The request is a letter in words, `resend GAME STEP`, which a program writes (`lacking`), or a person. The From of a
letter is anybody's claim: what is sent goes to the address of the roster, holds what that party is sent in any case,
and goes only so often a day.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pbem.app.desk import Desk
from pbem.app.exporting import Posting, turn_file
from pbem.app.opened import open_game
from pbem.app.routing import Arrived
from pbem.app.summary import holds_seat
from pbem.errors import BadDisk, PbemError
from pbem.log.verify import Verified
from pbem.mail.post.manners import Thread, is_reply_of_a_program, replying_to
from pbem.mail.post.port import Letter
from pbem.service.bench import MOST_DIGITS, Seat, named, seat_meant, seats_at
from pbem.service.commands import RESEND, Asked, read_command
from pbem.service.counting import count_below, within_a_day
from pbem.service.record import NOT_OURS, Tell
from pbem.service.visitors import digest_of
from pbem.store.rows import LetterOutcome, StoredLetter
from pbem.store.writing import Writer

MOST_RESENT = 20
"""Turn files that one address is sent once more within a day."""
_WHAT = "resent"
NO_GAME = "asks for a game that its sender has no seat in, or for one of several"
"""Why a request is left."""


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A home that sends once more what another party lacks, and leaves everything else to a person."""

    desk: Desk
    tell: Tell

    def join(self, proposal: Verified, arrived: Arrived) -> str:  # noqa: ARG002 - the port's signature
        return "a proposal, which a person accepts"

    def answers(self, letter: Letter) -> str:
        """Send what is asked for; why a person has to see the letter instead, empty when it is dealt with."""
        asked, thread = read_command(letter.data), replying_to(letter.data)
        if asked.word != RESEND or is_reply_of_a_program(letter.data):
            return NOT_OURS
        meant = _meant(seats_at(self.desk, thread.sender), asked)
        if meant is None:
            return NO_GAME
        try:
            return self._resend(letter, thread, *meant)
        except BadDisk:
            raise  # the machine's fault and not the letter's
        except PbemError as error:
            return error.text

    def _resend(self, letter: Letter, thread: Thread, seat: Seat, step: int) -> str:
        desk, to, game_id, now = self.desk, seat.mailbox, seat.game.game_id, self.desk.clock()
        if within_a_day(desk.home, _WHAT, to.address, now) >= MOST_RESENT:
            with desk.home.queueing() as queue:
                queue.note_letter(_noted(letter, now, "ignored"))
            self.tell("flooded", letter=digest_of(letter)[:16], sender=to.address)
            return ""
        with desk.home.writing(game_id) as writer:
            if not self._post(writer, letter, thread, seat, step):
                return "asks for a game in which this home has no seat"
            count_below(writer, _WHAT, to.address, now, MOST_RESENT)
            writer.note_letter(_noted(letter, now, "answered"))
        self.tell("resent", game=seat.game.name, step=step, to=to.address)
        return ""

    def _post(self, writer: Writer, letter: Letter, thread: Thread, seat: Seat, step: int) -> bool:
        """Put the turn file into the outbox; False where this home has no seat."""
        desk, game_id = self.desk, seat.game.game_id
        opened = open_game(writer, game_id, desk.games)
        if not holds_seat(writer, opened):
            return False
        step = min(step, opened.campaign.place.step - 1)  # so that there is something in it
        message_id = f"<resent-{step}.{digest_of(letter)[:32]}.{game_id[:16]}@pbem.invalid>"
        post = Posting(message_id, thread.message_id, thread.references, automatic=True, to=(seat.mailbox,), since=step)
        file, own = turn_file(desk, opened, post=post), desk.profile().address
        receivers = [one.address for one in file.receivers]
        now = desk.clock()
        writer.post(
            message_id=message_id, game_id=game_id, receivers=receivers, sender=own, mail=file.mail, created=now
        )
        return True


def asks_to_resend(letter: Letter) -> bool:
    """Whether a letter in words is such a request."""
    return read_command(letter.data).word == RESEND


def _meant(seats: Sequence[Seat], asked: Asked) -> tuple[Seat, int] | None:
    """Whose seat in which game a request means, and from which step on; None for anything else."""
    seat = seat_meant(seats, asked)
    if seat is None:
        return None
    said = asked.rest[bool(named(seats, asked)) :]
    if not said:
        return seat, 0
    return (seat, int(said[0])) if said[0].isdecimal() and len(said[0]) <= MOST_DIGITS else None


def _noted(letter: Letter, now: int, outcome: LetterOutcome) -> StoredLetter:
    return StoredLetter(digest_of(letter), letter.arrived, now, outcome, "", "")

"""Letters: what a mail that came brings, and what becomes of it.

The order is: take in, commit, note, and only then mark in the box. A letter that is offered twice is known by its
digest; a service that dies between commit and note takes it in once more, which changes nothing. Of several workers at
one box only one has a letter at a time; what a killed one had is another's when that one's lease has ended.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace

from pbem.app.desk import Desk
from pbem.app.imported import Imported, ImportResult
from pbem.app.importing import import_arrived
from pbem.app.routing import Arrived, incoming
from pbem.errors import BadDisk, PbemError
from pbem.log.event import Propose
from pbem.log.verify import Verified
from pbem.mail.message import Mailbox, Notice
from pbem.mail.post.manners import Thread, replying_to, subject_of, why_not_answered
from pbem.mail.post.port import Inbox, Letter, PostFault
from pbem.service.bench import DIGITS, seat_meant, seats_at
from pbem.service.commands import read_command
from pbem.service.left import MOST_SHOWN, Left, forget_left, note_left, offer_again
from pbem.service.notices import post_notice
from pbem.service.record import NOT_OURS, Tell
from pbem.service.shift import LETTER, TRIES, Shift, is_locked
from pbem.service.threads import remember
from pbem.service.visitors import Visitors, digest_of, is_told
from pbem.store.faults import is_away
from pbem.store.queue import Queue
from pbem.store.rows import LetterOutcome, StoredLetter

DAY = 86_400
LONGEST = 5.0
"""Seconds after which no other letter is begun in a round."""
NOTHING = "mail.no_turn_file"
"""What a reading says of a mail that holds no turn file at all: it is a person's, and not ours."""
WORDS_ALONE = frozenset((NOTHING, "import.sheet"))
"""What it says of a mail that holds words and nothing else, which may be a command."""


@dataclass(slots=True)
class Taken:
    """What one look at a box came to: how many letters were offered, of which this worker has `handled` so many; those
    that are in other workers' hands and not done yet; `read` says that none is left over."""

    offered: int = 0
    handled: int = 0
    elsewhere: int = 0
    read: bool = False


class Letterbox:
    """A box whose letters a desk takes in."""

    def __init__(self, desk: Desk, inbox: Inbox, tell: Tell, visitors: Visitors, shift: Shift) -> None:
        self._desk, self._inbox, self._tell, self._visitors, self._shift = desk, inbox, tell, visitors, shift

    def take_all(self, at_most: int) -> Taken:
        """Handle up to so many letters, for some seconds: what they have led to is sent before the next ones are taken.

        One that cannot be handled hides no other one.
        """
        offer_again(self._desk, self._inbox)
        taken, theirs, end, late, held = Taken(), [], time.monotonic() + LONGEST, False, ""
        try:
            for letter in self._inbox.letters(at_most):
                taken.offered += 1
                name = f"{LETTER}{digest_of(letter)}"
                held = name if self._shift.takes(name, held) else ""
                if not held:
                    theirs.append(digest_of(letter))
                    continue
                taken.handled += self._handle(letter)
                if late := time.monotonic() > end:
                    break
        finally:
            if held:
                self._shift.gives(held)
        taken.read = not late and taken.offered < at_most and taken.handled + len(theirs) == taken.offered
        taken.elsewhere = sum(self._desk.home.letter(one) is None for one in theirs)
        return taken

    def _handle(self, letter: Letter) -> bool:
        """Handle a letter; False when it is to be offered again."""
        try:
            return self._take(letter)
        except BadDisk:
            raise
        except Exception as error:  # one poisonous letter must not stop the service
            self._tell("poison", letter=digest_of(letter)[:16], error=type(error).__name__, text=str(error))
            self._note(letter, "set_aside", "")
            self._inbox.set_aside(letter)
            return True

    def _take(self, letter: Letter) -> bool:
        """Handle a letter; False when the machine failed, so that it is offered again."""
        if noted := self._desk.home.letter(digest_of(letter)):
            self._mark(letter, noted)
            return True
        arrived = incoming(letter.data, "a letter")
        codes = {error.code for error in arrived.damaged}
        if arrived.bundles:
            return self._import(letter, arrived)
        try:
            if not codes <= WORDS_ALONE or not self._words(letter, sheet=codes != {NOTHING}):
                self._unreadable(letter, arrived)
        except PostFault:
            raise
        except BadDisk as error:
            if is_away(error):
                raise
            self._tell("failed", code=error.code, text=error.text)
            return False
        return True

    def _mark(self, letter: Letter, noted: StoredLetter) -> None:
        """Mark a letter that somebody noted and died; what could not be read was noted with its sender."""
        if noted.sender or noted.outcome == "set_aside":
            self._inbox.set_aside(letter)
        else:
            self._inbox.done(letter)

    def _words(self, letter: Letter, *, sheet: bool) -> bool:
        """A letter in words: answered, or left; False for a sheet that nobody asks anything about."""
        why = self._visitors.answers(letter)
        if not why:
            self._inbox.done(letter)
        elif not sheet or is_told(letter):
            self._leave(letter, why)
            return True
        return not why

    def _leave(self, letter: Letter, why: str, proposal: Verified | None = None) -> None:
        """Leave a letter to a person; what is none of ours nobody has to look at."""
        kept = _left(letter, self._desk.clock(), why, proposal)
        if why != NOT_OURS:
            with self._desk.home.queueing() as queue:
                note_left(queue, kept)
        self._inbox.leave(letter)
        self._tell("left", letter=digest_of(letter)[:16], why=why, text=kept.sentence())

    def _import(self, letter: Letter, arrived: Arrived) -> bool:
        result = self._imported(arrived)
        reasons = [self._visitors.join(one, arrived) for one in result.proposals]
        if "" in reasons:
            result = self._imported(arrived)
        for game in result.games:
            self._told(game)
        for error in result.failed:
            self._tell("failed" if isinstance(error, BadDisk) else "refused", code=error.code, text=error.text)
        if any(isinstance(error, BadDisk) for error in result.failed):
            return False  # the machine's fault and not the letter's: it is offered again
        if result.proposals and not result.games:
            self._leave(letter, reasons[0], result.proposals[0])
            return True
        self._note_taken(letter, [game.game_id for game in result.games if game.taken])
        self._inbox.done(letter)
        return True

    def _imported(self, arrived: Arrived) -> ImportResult:
        """Take in what came, again where another worker had the game for too long; what was taken in is known then."""
        result = import_arrived(self._desk, arrived)
        for _ in range(TRIES - 1):
            if not any(map(is_locked, result.failed)):
                break
            result = import_arrived(self._desk, arrived)
        return result

    def _told(self, game: Imported) -> None:
        self._tell("taken", game=game.game, events=game.taken, known=game.known, early=game.early)
        for line in game.answered:
            self._tell("answered", game=game.game, text=line)
        for reason in game.refused:
            self._tell("refused", game=game.game, code=reason.code, text=reason.text)
        if game.fork:
            self._tell("stopped", game=game.game, text=game.fork)

    def _note_taken(self, letter: Letter, games: list[str]) -> None:
        """Note a letter that was taken in, and that it is the one to answer in the games, of these ids, to which it
        brought more."""
        thread = replying_to(letter.data)
        with self._desk.home.queueing() as queue:
            for game_id in games if thread.message_id else []:
                remember(queue, game_id, thread)
            _note(queue, letter, self._desk.clock(), "taken" if games else "known")
            forget_left(queue, digest_of(letter))

    # ------------------------------------------------------------------ what cannot be read

    def _unreadable(self, letter: Letter, arrived: Arrived) -> None:
        """A damaged turn file: its sender is told why, if it is a party of a game here, and at most once a day."""
        reason, thread = arrived.damaged[0], replying_to(letter.data)
        self._tell("unreadable", letter=digest_of(letter)[:16], code=reason.code, text=reason.text)
        answered = self._answer(letter, reason, thread)
        if not answered:
            self._note(letter, "set_aside", thread.sender)
        self._inbox.set_aside(letter)

    def _answer(self, letter: Letter, reason: PbemError, thread: Thread) -> bool:
        desk, now = self._desk, self._desk.clock()
        own = desk.profile().address
        # nobody is written to but at an address of the roster; what could not be read may be an acceptance
        seats = seats_at(desk, thread.sender, joined=False)
        if not seats or why_not_answered(letter.data, [own]):
            return False
        to, meant = seats[0].mailbox, seat_meant(seats, replace(read_command(letter.data), rest=()))
        message_id = f"<unreadable.{digest_of(letter)[:32]}@pbem.invalid>"
        notice = Notice(
            Mailbox(desk.profile().name, own),
            to,
            "a turn file could not be read",
            _told(reason, meant.game.game_id[:DIGITS] if meant else "GAME"),
            message_id,
            now,
            thread.message_id,
            thread.references,
        )
        with desk.home.queueing() as queue:
            if not queue.may_answer(to.address, now - DAY):
                return False
            _note(queue, letter, now, "answered", to.address)
            post_notice(queue, notice)
        return True

    def _note(self, letter: Letter, outcome: LetterOutcome, sender: str) -> None:
        with self._desk.home.queueing() as queue:
            _note(queue, letter, self._desk.clock(), outcome, sender)


def _note(queue: Queue, letter: Letter, now: int, outcome: LetterOutcome, sender: str = "") -> None:
    queue.note_letter(StoredLetter(digest_of(letter), letter.arrived, now, outcome, sender, ""))


def _left(letter: Letter, now: int, why: str, proposal: Verified | None) -> Left:
    sender, subject = replying_to(letter.data).sender, subject_of(letter.data)[: MOST_SHOWN + 1]
    found = Left(digest_of(letter), letter.handle, now, why, sender, subject)
    if proposal is None:
        return found
    assert isinstance(proposal.event.body, Propose)
    return replace(found, game=proposal.id, ruleset=proposal.event.body.ruleset.name)


def _told(reason: PbemError, game: str) -> tuple[str, ...]:
    """Without the hint of the reason, which tells a receiver to ask the sender."""
    return (
        "The turn file in your mail could not be read, so that it changed nothing:",
        str(reason),
        f"Please send it again: `pbem export {game} -o turn.eml --eml --robust` survives most mail programs.",
    )

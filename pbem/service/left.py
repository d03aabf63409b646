"""Letters that were left to a person: which ones, so that they can be counted and named, and a proposal among them
tried again when other addresses are allowed to propose.

Kept are the newest ones; one whose proposal was accepted meanwhile, by whomever, is left to nobody any more. Left out:
letters that are none of this program's business.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass

import orjson

from pbem.app.desk import Desk
from pbem.mail.plain import printable
from pbem.mail.post.port import Inbox
from pbem.service.bench import DIGITS
from pbem.store.queue import Queue
from pbem.store.reading import Reader

MOST = 200
"""Letters that are kept."""
MOST_SHOWN, MOST_REASON = 100, 500
"""Characters of what a letter says of itself, and of the reason, that are shown."""
_KEY, _AGAIN = "serve/left", "serve/left/again"


@dataclass(frozen=True, slots=True)
class Left:
    """A letter by its digest and by how its box finds it, when it was left (seconds since 1970) and why; from whom it
    says to be, its subject, and the id and the rules of the game that it proposes, empty for none."""

    digest: str
    handle: str
    at: int
    why: str
    sender: str = ""
    subject: str = ""
    game: str = ""
    ruleset: str = ""

    def sentence(self) -> str:
        """Why it was left, what it is and what a person does with it, printable; its From is anybody's claim."""
        said = f", said to be from {printable(self.sender, MOST_SHOWN)}" if self.sender else ""
        about = f", subject '{printable(self.subject, MOST_SHOWN)}'" if self.subject else ""
        return f"{printable(self.why, MOST_REASON)}{said}{about}: {self._to_do()}"

    def _to_do(self) -> str:
        if not self.game:
            return "read it in the mailbox"
        what = f"{self.ruleset}, game {self.game[:DIGITS]}"
        return f"it proposes {what}; save it from the mailbox, then `pbem accept FILE --show`"


def left_letters(reader: Reader) -> list[Left]:
    """The letters that a person has to see, the one that was left last at the end."""
    return [one for one in _kept(reader) if not one.game or reader.known(one.game) is None]


def note_left(queue: Queue, letter: Left) -> None:
    """Keep that a letter was left."""
    queue.alone(_KEY)
    others = [one for one in _kept(queue) if one.digest != letter.digest]
    _keep(queue, [*others, letter][-MOST:])


def forget_left(queue: Queue, digest: str) -> None:
    """Keep of a letter no longer that it was left, since it was taken in."""
    if any(one.digest == digest for one in _kept(queue)):
        queue.alone(_KEY)
        _keep(queue, [one for one in _kept(queue) if one.digest != digest])


def try_again(queue: Queue) -> None:
    """Have the next round look once more at every proposal that was left."""
    queue.put_meta(_AGAIN, b"yes")


def offer_again(desk: Desk, inbox: Inbox) -> None:
    """Have the box offer the proposals that were left, if they are to be tried again."""
    if not desk.home.meta(_AGAIN):
        return
    for one in left_letters(desk.home):
        if one.game:
            inbox.offer(one.handle)
    with desk.home.queueing() as queue:
        queue.put_meta(_AGAIN, b"")


def _kept(reader: Reader) -> list[Left]:
    return [Left(**one) for one in orjson.loads(reader.meta(_KEY) or b"[]")]


def _keep(queue: Queue, letters: list[Left]) -> None:
    queue.put_meta(_KEY, orjson.dumps([asdict(one) for one in letters]))

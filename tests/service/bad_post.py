"""A post office that loses, repeats, delays, shuffles and damages what it is given, and keeps count of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from random import Random

from pbem.mail.post.port import Letter
from service.mangling import DAMAGES, Mail, taken_apart
from service.office import MINUTE, Box, Office

LATEST = 40 * MINUTE
"""The longest that a mail is under way: longer than senders wait before they send once more."""
RELAY = b"Received: from relay.example.net by mx.example.org with ESMTP id 4711\n"


@dataclass(slots=True)
class Deck:
    """Names in a random order, each once before any comes again."""

    random: Random
    names: Sequence[str]
    left: list[str] = field(default_factory=list)

    def next(self) -> str:
        if not self.left:
            self.left = self.random.sample(self.names, len(self.names))
        return self.left.pop()


@dataclass(slots=True)
class Tampered:
    """How bad the post was: mails that were sent, copies that never came or came once more, letters that were read
    before an earlier one, and of each damage how often it was done, how often the turn file was read nonetheless, and
    how often it was set aside."""

    mails: int = 0
    copies: int = 0
    lost: int = 0
    repeated: int = 0
    overtaken: int = 0
    damaged: Counter[str] = field(default_factory=Counter)
    read: Counter[str] = field(default_factory=Counter)
    aside: Counter[str] = field(default_factory=Counter)

    def lines(self) -> list[str]:
        """All of it, for a person."""
        damaged, read = self.damaged.total(), self.read.total()
        text = (
            f"{self.mails} mails in {self.copies} copies: {self.lost} lost, {self.repeated} repeated, {self.overtaken} "
            f"overtook an earlier one, {damaged} damaged in {len(self.damaged)} ways, {read} of these were read"
        )
        return [text, *(f"  {name}: {self.damaged[name]}, read {self.read[name]}" for name in sorted(self.damaged))]


@dataclass(slots=True)
class BadBox(Box):
    """What has come by now, in any order."""

    office: BadOffice | None = None

    def letters(self, at_most: int) -> Iterator[Letter]:
        office = self.office
        assert office is not None
        here = [one for one in self.waiting if one.arrived <= office.now]
        order = office.random.sample(here, len(here))
        office.tampered.overtaken += sum(one is not other for one, other in zip(here, order, strict=True))
        yield from order[:at_most]

    def _gone(self, letter: Letter, to: list[str]) -> None:
        assert self.office is not None
        if to is not self.left and (kind := self.office.kinds.get(letter.handle)):
            tampered = self.office.tampered
            (tampered.read if to is self.done_with else tampered.aside)[kind] += 1
        Box._gone(self, letter, to)


@dataclass(slots=True)
class BadOffice(Office):
    """A tenth of the copies is lost, a tenth comes twice, a quarter is damaged, a third comes late."""

    random: Random = field(default_factory=lambda: Random(0))
    deck: Deck = field(default_factory=lambda: Deck(Random(0), sorted(DAMAGES)))
    tampered: Tampered = field(default_factory=Tampered)
    kinds: dict[str, str] = field(default_factory=dict)
    older: bytes = b""

    def box(self, address: str) -> Box:
        return self.boxes.setdefault(address, BadBox(office=self))

    def send(self, mail: bytes, sender: str, receivers: Sequence[str]) -> None:
        number = len(self.sent)
        self.sent.append((sender, tuple(receivers), mail))
        self.tampered.mails += 1
        taken = taken_apart(mail, self.older)
        for receiver in receivers:
            self.tampered.copies += 1
            if self._happens(10):
                self.tampered.lost += 1
                continue
            self._deliver(f"{number}-{receiver}-1", mail, taken, receiver)
            if self._happens(10):
                self.tampered.repeated += 1
                self._deliver(f"{number}-{receiver}-2", self.random.choice((b"", RELAY)) + mail, taken, receiver)
        self.older = mail if taken else self.older

    def _deliver(self, handle: str, mail: bytes, taken: Mail | None, receiver: str) -> None:
        if taken and self._happens(25):
            kind = self.kinds[handle] = self.deck.next()
            self.tampered.damaged[kind] += 1
            mail = DAMAGES[kind](taken, self.random)
        late = self.random.randrange(LATEST) if self._happens(33) else 0
        self.box(receiver).waiting.append(Letter(handle, mail, self.now + late))

    def _happens(self, percent: int) -> bool:
        return self.random.randrange(100) < percent

"""Who deals in a home with letters that bring no event of its games."""

from __future__ import annotations

import hashlib
from typing import Protocol

from pbem.app.routing import Arrived
from pbem.log.verify import Verified
from pbem.mail.post.manners import replying_to
from pbem.mail.post.port import Letter

TOLD, OURS = "<owed.", "@pbem.invalid>"
"""How the Message-ID of a mail to the player of a home begins and ends."""


class Visitors(Protocol):
    """Who deals with proposals and with letters without a turn file; each says why a person has to instead."""

    def join(self, proposal: Verified, arrived: Arrived) -> str:
        """Accept a proposal; empty when it was accepted."""
        ...

    def answers(self, letter: Letter) -> str:
        """Deal with a letter in words; empty when it was dealt with and noted."""
        ...


def digest_of(letter: Letter) -> str:
    """By which a letter that is offered twice is known: the SHA-256 of its bytes."""
    return hashlib.sha256(letter.data).hexdigest()


def is_told(letter: Letter) -> bool:
    """Whether a letter is what its player was told, come into the box of its own home, or says so: he reads it."""
    found = replying_to(letter.data).message_id
    return found.startswith(TOLD) and found.endswith(OURS)

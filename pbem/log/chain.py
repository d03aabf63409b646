"""Hash chains: each roller commits once and opens one link for every step that rolls.

link_i = H("pbem/chain/v1", nonce, role, i, link_{i+1}); link_0, the anchor, is published when the game is
proposed or accepted. Given a link the one before it is fixed, so nobody can choose what it opens.
"""

from __future__ import annotations

from dataclasses import dataclass

from pbem.errors import BadEvidence
from pbem.log.enumeration import counted
from pbem.log.hashing import digest

LENGTH = 4096
"""Links of a chain besides its anchor: one is used by every step that rolls."""


def previous_link(nonce: bytes, role: str, index: int, link: bytes) -> bytes:
    """link_index from link_{index+1}."""
    return digest("pbem/chain/v1", nonce, role.encode("ascii"), index.to_bytes(4, "big"), link)


def links(seed: bytes, nonce: bytes, role: str, length: int = LENGTH) -> tuple[bytes, ...]:
    """All links, link_0 first; the last one is derived from the roller's secret seed."""
    link = digest("pbem/chain-end/v1", seed, nonce, role.encode("ascii"))
    found = [link]
    for index in range(length - 1, -1, -1):
        link = previous_link(nonce, role, index, link)
        found.append(link)
    return tuple(reversed(found))


@dataclass(frozen=True, slots=True)
class Tip:
    """How far one roller's chain is open: the last opened link and its index (the anchor has index 0).

    `withheld` links behind it were claimed not to come. They stay closed: one that came too late is known to the other
    side, which could choose its decisions for the dice of a later step that used it.
    """

    role: str
    nonce: bytes
    length: int
    index: int
    link: bytes
    withheld: int = 0

    @property
    def next(self) -> int:
        """The index of the link that is opened next."""
        return self.index + self.withheld + 1

    def opened(self, index: int, link: bytes) -> Tip:
        """The tip after the next link; BadEvidence `chain.…` for a skipped, repeated, wrong or foreign link."""
        if index != self.next:
            raise BadEvidence("chain.index", f"expected link {self.next} of {self.role}'s chain, got link {index}")
        if index > self.length:
            raise BadEvidence("chain.exhausted", f"expected one of {counted(self.length, 'link')}, got link {index}")
        before = link
        for number in range(index - 1, self.index - 1, -1):
            before = previous_link(self.nonce, self.role, number, before)
        if before != self.link:
            raise BadEvidence(
                "chain.link", f"expected link {index} of {self.role}'s chain to hash to link {self.index}"
            )
        return Tip(self.role, self.nonce, self.length, index, link)

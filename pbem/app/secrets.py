"""What one role alone knows in one game: its chain and its sealed answers, read from the vault."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from pbem.app.desk import Desk
from pbem.errors import BadRequest
from pbem.log import canonical, chain
from pbem.store.reading import Reader
from pbem.store.writing import Writer

links = lru_cache(maxsize=16)(chain.links)


def chain_name(nonce: str, role: str) -> str:
    """The vault entry of a chain's seed."""
    return f"chain/{nonce}/{role}"


def seal_name(commitment: bytes) -> str:
    """The vault entry of a sealed answer: salt, then its canonical bytes."""
    return f"seal/{commitment.hex()}"


@dataclass(frozen=True, slots=True)
class HomeSecrets:
    """The secrets of `role` in the game whose proposal has `nonce`."""

    desk: Desk
    reader: Reader
    nonce: str
    role: str
    length: int

    def link(self, index: int) -> bytes:
        """A link of the role's chain; BadRequest when this home does not hold the chain."""
        seed = self.desk.secret(self.reader, chain_name(self.nonce, self.role))
        if seed is None:
            raise BadRequest(
                "home.no_chain",
                f"expected the chain of {self.role} in this home, got none",
                "this home did not join the game in this role: use the home that did, or a backup of it",
            )
        return links(seed, bytes.fromhex(self.nonce), self.role, self.length)[index]

    def sealed(self, commitment: bytes) -> tuple[bytes, Mapping[str, Any]] | None:
        """Salt and answer behind a commitment."""
        kept = self.desk.secret(self.reader, seal_name(commitment))
        return None if kept is None else (kept[:32], canonical.decode(kept[32:]))


def keep_sealed(desk: Desk, writer: Writer, commitment: bytes, salt: bytes, payload: bytes) -> None:
    """Store what will open a commitment."""
    desk.keep_secret(writer, seal_name(commitment), salt + payload)

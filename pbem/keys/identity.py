"""An identity: what one party signs with, will sign with next, and receives escrow with.

The successor key is made together with the first one: its digest is published early, so a thief of the
signing key cannot rotate to a key of his own. Left out: registration checks of other people's keys, and the
rotation event itself (`pbem.log`); storing the secrets (`pbem.keys.vault`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

from pbem.errors import BadDisk
from pbem.log.hashing import digest

SEED_BYTES = 32
RESTORE = "restore the home from a backup: `pbem restore`"
"""What is told where secrets of a home are damaged."""
_TAG = b"pbem/identity/v1"


@dataclass(frozen=True, slots=True)
class Identity:
    """Three secrets of 32 bytes each; nothing that prints an identity shows one of them."""

    signing_seed: bytes = field(repr=False)
    successor_seed: bytes = field(repr=False)
    escrow_seed: bytes = field(repr=False)

    def __post_init__(self) -> None:
        if any(len(seed) != SEED_BYTES for seed in self._seeds()):
            raise ValueError("a seed is 32 bytes")

    @classmethod
    def generate(cls, random: Callable[[int], bytes]) -> Identity:
        """Make a new identity; `random(n)` returns n unpredictable bytes (`os.urandom`)."""
        return cls(random(SEED_BYTES), random(SEED_BYTES), random(SEED_BYTES))

    @classmethod
    def from_bytes(cls, stored: bytes) -> Identity:
        """Read what `to_bytes` wrote; BadDisk when it is anything else."""
        if len(stored) != len(_TAG) + 3 * SEED_BYTES or not stored.startswith(_TAG):
            raise BadDisk(
                "keys.damaged",
                f"expected an identity of {len(_TAG) + 3 * SEED_BYTES} bytes, got {len(stored)} bytes that are none",
                RESTORE,
            )
        seeds = stored[len(_TAG) :]
        return cls(seeds[:32], seeds[32:64], seeds[64:])

    def to_bytes(self) -> bytes:
        """Return tag and seeds, 112 bytes, all secret: for the vault only."""
        return _TAG + b"".join(self._seeds())

    @property
    def public_key(self) -> bytes:
        """The raw Ed25519 public key that signs now, 32 bytes (RFC 8032, 5.1.5)."""
        return _public(self.signing_seed)

    @property
    def successor_public_key(self) -> bytes:
        """The raw Ed25519 public key that signs after the next rotation, 32 bytes."""
        return _public(self.successor_seed)

    @property
    def escrow_public_key(self) -> bytes:
        """The raw X25519 public key that others seal to, 32 bytes (RFC 7748, 6.1)."""
        return X25519PrivateKey.from_private_bytes(self.escrow_seed).public_key().public_bytes_raw()

    def sign(self, message: bytes) -> bytes:
        """Sign with the present key; 64 bytes (RFC 8032, 5.1.6)."""
        return Ed25519PrivateKey.from_private_bytes(self.signing_seed).sign(message)

    def rotated(self) -> Identity:
        """Return the identity after a rotation: the successor signs, and a new successor waits.

        The new one follows from the seeds, so that a copy of them made before any rotation gives every later key; from
        the escrow seed too, which signs nothing, so that whoever has a signing seed alone cannot make it.
        """
        following = digest("pbem/successor-seed/v1", self.escrow_seed, self.successor_seed)
        return Identity(self.successor_seed, following, self.escrow_seed)

    def chain_seed(self, game: bytes, role: str) -> bytes:
        """The seed (32 bytes, secret) of the chain that this identity brings to a seat of the game with that id.

        Not of the game with that nonce: anybody can propose a second game with the nonce of the first, and what was
        opened or deposited there would be the dice of the first one.
        """
        return digest("pbem/chain-seed/v1", self.escrow_seed, self.signing_seed, game, role.encode("ascii"))

    def _seeds(self) -> tuple[bytes, bytes, bytes]:
        return self.signing_seed, self.successor_seed, self.escrow_seed


def _public(seed: bytes) -> bytes:
    return Ed25519PrivateKey.from_private_bytes(seed).public_key().public_bytes_raw()

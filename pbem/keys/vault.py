"""The vault: a passphrase opens the home key, the home key opens the entries.

Header: tag, kind, and for a protected vault the Scrypt parameters (RFC 7914), salt, nonce and the wrapped home
key; then eight bytes of a SHA-256 checksum, which tells a damaged header from a wrong passphrase. What stands
before the nonce is bound to the wrapped key. An entry is a nonce and a ChaCha20-Poly1305 ciphertext (RFC 8439)
that is bound to the entry's name.

Left out: an old entry put back under its own name is not noticed; and a home key that once lay in the clear stays
known to whoever copied the header then, whatever passphrase comes later.
"""

from __future__ import annotations

import hashlib
import os
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

from pbem.errors import BadDisk, BadRequest
from pbem.keys.identity import RESTORE
from pbem.log.hashing import lp

Random = Callable[[int], bytes]

COST = 17
"""log2 of Scrypt's N: 128 MiB and about a third of a second."""
LOWEST_COST, HIGHEST_COST = 14, 19
"""What a header may ask for: 16 MiB to 512 MiB; a foreign header must not exhaust the machine."""
BLOCK_SIZE = 8
HIGHEST_PARALLELISM = 4

_TAG = b"pbem/vault/v1"
_ENTRY_TAG = b"pbem/vault-entry/v1"
_OPEN, _SCRYPT = b"\x00", b"\x01"
_KEY, _SALT, _NONCE, _MAC, _SUM = 32, 16, 12, 16, 8
_OPEN_LENGTH = len(_TAG) + 1 + _KEY + _SUM
_SCRYPT_LENGTH = len(_TAG) + 1 + 3 + _SALT + _NONCE + _KEY + _MAC + _SUM


@dataclass(frozen=True, slots=True, repr=False)
class Vault:
    """An opened vault; `header` is what is stored (and holds the home key itself if not `protected`)."""

    header: bytes
    _home_key: bytes
    _random: Random

    @classmethod
    def create(cls, passphrase: str | None, random: Random = os.urandom, cost: int = COST) -> Vault:
        """Make a vault with a fresh home key; `None` leaves it without protection.

        `cost` is log2 of Scrypt's N. BadRequest for an empty passphrase.
        """
        home_key = random(_KEY)
        return cls(_wrap(home_key, passphrase, random, cost), home_key, random)

    @classmethod
    def unlock(cls, header: bytes, passphrase: str | None, random: Random = os.urandom) -> Vault:
        """Open the vault of a stored header; a vault without protection needs no passphrase and ignores one.

        BadRequest when a passphrase is missing or wrong, BadDisk when the header is damaged.
        """
        body = _checked(header)
        if not is_protected(header):
            return cls(header, body[len(_TAG) + 1 :], random)
        if passphrase is None:
            raise BadRequest(
                "vault.passphrase_needed",
                "expected the passphrase of this home, got none",
                "type it when asked, or give it in PBEM_PASSPHRASE",
            )
        return cls(header, _unwrap(body, passphrase), random)

    @property
    def protected(self) -> bool:
        """Whether a passphrase stands before the home key."""
        return is_protected(self.header)

    def rewrap(self, passphrase: str | None, cost: int = COST) -> Vault:
        """Return the same vault behind another passphrase (or none); entries stay as they are."""
        return Vault(_wrap(self._home_key, passphrase, self._random, cost), self._home_key, self._random)

    def seal(self, name: str, plaintext: bytes) -> bytes:
        """Encrypt an entry under its name; the result is 28 bytes longer."""
        nonce = self._random(_NONCE)
        return nonce + ChaCha20Poly1305(self._home_key).encrypt(nonce, plaintext, _bound(name))

    def open(self, name: str, ciphertext: bytes) -> bytes:
        """Decrypt the entry of that name; BadDisk when it is damaged, another entry's, or another vault's."""
        nonce, sealed = ciphertext[:_NONCE], ciphertext[_NONCE:]
        try:
            return ChaCha20Poly1305(self._home_key).decrypt(nonce, sealed, _bound(name))
        except (InvalidTag, ValueError):
            raise BadDisk(
                "vault.entry_damaged",
                f"expected a vault entry sealed as {name!r}, got {len(ciphertext)} bytes that do not open as it",
                RESTORE,
            ) from None

    def __repr__(self) -> str:
        return f"Vault(protected={self.protected})"


def is_protected(header: bytes) -> bool:
    """Say whether a stored header needs a passphrase; BadDisk when it is damaged."""
    return _checked(header)[len(_TAG) : len(_TAG) + 1] == _SCRYPT


def _wrap(home_key: bytes, passphrase: str | None, random: Random, cost: int) -> bytes:
    if passphrase is None:
        return _summed(_TAG + _OPEN + home_key)
    if not passphrase:
        raise BadRequest(
            "vault.empty_passphrase",
            "expected a passphrase of at least one character, got an empty one",
            "choose a passphrase, or say plainly that there is to be none",
        )
    bound = _TAG + _SCRYPT + bytes([cost, BLOCK_SIZE, 1]) + random(_SALT)
    nonce = random(_NONCE)
    wrapping = ChaCha20Poly1305(_derived(bound, passphrase))
    return _summed(bound + nonce + wrapping.encrypt(nonce, home_key, bound))


def _unwrap(body: bytes, passphrase: str) -> bytes:
    split = len(_TAG) + 1 + 3 + _SALT
    bound, nonce, wrapped = body[:split], body[split : split + _NONCE], body[split + _NONCE :]
    try:
        return ChaCha20Poly1305(_derived(bound, passphrase)).decrypt(nonce, wrapped, bound)
    except InvalidTag:
        raise BadRequest(
            "vault.wrong_passphrase",
            "expected the passphrase of this home, got another one",
            "type it again; mind capitals and the keyboard layout",
        ) from None


def _derived(bound: bytes, passphrase: str) -> bytes:
    """Scrypt over the passphrase in NFKC, so that it opens whatever keyboard typed it."""
    cost, block_size, parallelism = bound[len(_TAG) + 1 : len(_TAG) + 4]
    salt = bound[len(_TAG) + 4 :]
    typed = unicodedata.normalize("NFKC", passphrase).encode("utf-8", "surrogatepass")
    return Scrypt(salt=salt, length=_KEY, n=1 << cost, r=block_size, p=parallelism).derive(typed)


def _checked(header: bytes) -> bytes:
    """Return the header without its checksum; BadDisk unless form, sum and cost are in order."""
    body, checksum = header[:-_SUM], header[-_SUM:]
    if len(header) != _expected_length(header) or _checksum(body) != checksum:
        raise BadDisk(
            "vault.header_damaged",
            f"expected the header of a vault (`pbem/vault/v1`), got {len(header)} bytes that are none or are damaged",
            RESTORE,
        )
    if header.startswith(_TAG + _SCRYPT):
        _check_cost(*header[len(_TAG) + 1 : len(_TAG) + 4])
    return body


def _expected_length(header: bytes) -> int:
    if header.startswith(_TAG + _OPEN):
        return _OPEN_LENGTH
    return _SCRYPT_LENGTH if header.startswith(_TAG + _SCRYPT) else -1


def _check_cost(cost: int, block_size: int, parallelism: int) -> None:
    in_bounds = LOWEST_COST <= cost <= HIGHEST_COST and 1 <= parallelism <= HIGHEST_PARALLELISM
    if not in_bounds or block_size != BLOCK_SIZE:
        raise BadDisk(
            "vault.cost_out_of_bounds",
            f"expected Scrypt with N from 2^{LOWEST_COST} to 2^{HIGHEST_COST}, r = {BLOCK_SIZE}, p from 1 to "
            f"{HIGHEST_PARALLELISM}, got N = 2^{cost}, r = {block_size}, p = {parallelism} in the vault's header",
            "this header was not written by pbem; restore the home from a backup: `pbem restore`",
        )


def _summed(body: bytes) -> bytes:
    return body + _checksum(body)


def _checksum(body: bytes) -> bytes:
    return hashlib.sha256(body).digest()[:_SUM]


def _bound(name: str) -> bytes:
    return lp(_ENTRY_TAG, name.encode())

"""Fingerprints that two people compare over another channel than the mail.

Eight words of the English BIP-39 list are 88 bits of a SHA-256 digest: to find a key of one's own with the same
words takes about 2^88 tries. The list comes from the package `mnemonic`; no seed phrase is ever made from it.
"""

from __future__ import annotations

from pbem.log.hashing import digest

WORDS = 8
BITS_PER_WORD = 11
FINGERPRINT_BITS = WORDS * BITS_PER_WORD


def fingerprint_words(public_key: bytes) -> tuple[str, ...]:
    """Return the eight words (88 bits) of a raw 32-byte public key."""
    from mnemonic import Mnemonic

    wordlist = Mnemonic("english").wordlist
    leading = int.from_bytes(_digest(public_key), "big") >> (256 - FINGERPRINT_BITS)
    shifts = range(FINGERPRINT_BITS - BITS_PER_WORD, -1, -BITS_PER_WORD)
    return tuple(wordlist[leading >> shift & 0x7FF] for shift in shifts)


def fingerprint_hex(public_key: bytes) -> str:
    """Return the whole digest (256 bits) as 64 hex digits; its first 22 digits are what the words say."""
    return _digest(public_key).hex()


def _digest(public_key: bytes) -> bytes:
    if len(public_key) != 32:
        raise ValueError("a public key is 32 bytes")
    return digest("pbem/fingerprint/v1", public_key)

"""HPKE base mode, one message (RFC 9180: 4.1, 5.1.1, 5.2), written out from X25519, HMAC and ChaCha20-Poly1305.

A second implementation to check vectors with; unlike a real sealer it is told the ephemeral key.
"""

from __future__ import annotations

import hashlib
import hmac

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

KEM_SUITE = b"KEM" + (0x0020).to_bytes(2, "big")
HPKE_SUITE = b"HPKE" + b"".join(number.to_bytes(2, "big") for number in (0x0020, 0x0001, 0x0003))


def seal(receiver: bytes, info: bytes, plaintext: bytes, ephemeral: bytes, aad: bytes = b"") -> bytes:
    """The encapsulated key and the ciphertext."""
    secret = X25519PrivateKey.from_private_bytes(ephemeral)
    encapsulated = secret.public_key().public_bytes_raw()
    shared = secret.exchange(X25519PublicKey.from_public_bytes(receiver))
    key, nonce = _key_and_nonce(_shared_secret(shared, encapsulated, receiver), info)
    return encapsulated + ChaCha20Poly1305(key).encrypt(nonce, plaintext, aad)


def unseal(private: bytes, info: bytes, sealed: bytes) -> bytes:
    secret = X25519PrivateKey.from_private_bytes(private)
    encapsulated, ciphertext = sealed[:32], sealed[32:]
    shared = secret.exchange(X25519PublicKey.from_public_bytes(encapsulated))
    receiver = secret.public_key().public_bytes_raw()
    key, nonce = _key_and_nonce(_shared_secret(shared, encapsulated, receiver), info)
    return ChaCha20Poly1305(key).decrypt(nonce, ciphertext, b"")


def _shared_secret(shared: bytes, encapsulated: bytes, receiver: bytes) -> bytes:
    extracted = _extract(KEM_SUITE, b"", b"eae_prk", shared)
    return _expand(KEM_SUITE, extracted, b"shared_secret", encapsulated + receiver, 32)


def _key_and_nonce(shared_secret: bytes, info: bytes) -> tuple[bytes, bytes]:
    no_psk = _extract(HPKE_SUITE, b"", b"psk_id_hash", b"")
    context = b"\x00" + no_psk + _extract(HPKE_SUITE, b"", b"info_hash", info)
    secret = _extract(HPKE_SUITE, shared_secret, b"secret", b"")
    return _expand(HPKE_SUITE, secret, b"key", context, 32), _expand(HPKE_SUITE, secret, b"base_nonce", context, 12)


def _extract(suite: bytes, salt: bytes, label: bytes, material: bytes) -> bytes:
    return hmac.digest(salt, b"HPKE-v1" + suite + label + material, hashlib.sha256)


def _expand(suite: bytes, key: bytes, label: bytes, info: bytes, length: int) -> bytes:
    message = length.to_bytes(2, "big") + b"HPKE-v1" + suite + label + info
    return hmac.digest(key, message + b"\x01", hashlib.sha256)[:length]

"""Identity, escrow and fingerprints, with known answers from the RFCs and from `openssl`."""

from __future__ import annotations

import hashlib
import hmac
import itertools
import shutil
import subprocess
from pathlib import Path

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

from pbem.errors import BadDisk, BadEvidence
from pbem.keys.escrow import OVERHEAD_BYTES, seal_to, unseal
from pbem.keys.identity import Identity
from pbem.keys.words import fingerprint_hex, fingerprint_words

needs_openssl = pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl is missing here")


def counting(count: int) -> bytes:
    """A random source that anybody can foresee."""
    number = next(calls)
    return hashlib.shake_256(b"%d" % number).digest(count)


calls = itertools.count()


@pytest.fixture
def identity() -> Identity:
    return Identity(bytes([1]) * 32, bytes([2]) * 32, bytes([3]) * 32)


def test_an_identity_comes_back_from_its_bytes() -> None:
    identity = Identity.generate(counting)
    assert Identity.from_bytes(identity.to_bytes()) == identity
    assert len({identity.signing_seed, identity.successor_seed, identity.escrow_seed}) == 3


def test_no_secret_is_shown(identity: Identity) -> None:
    shown = repr(identity) + str(identity) + f"{identity}"
    for seed in (identity.signing_seed, identity.successor_seed, identity.escrow_seed):
        assert seed.hex() not in shown
        assert repr(seed)[2:-1] not in shown


@pytest.mark.parametrize("stored", [b"", b"x" * 112, b"pbem/identity/v1" + b"s" * 95, b"pbem/identity/v1" + b"s" * 97])
def test_a_damaged_identity_is_named_without_its_content(stored: bytes) -> None:
    with pytest.raises(BadDisk) as caught:
        Identity.from_bytes(stored)
    assert (caught.value.code, caught.value.text, caught.value.hint) == (
        "keys.damaged",
        f"expected an identity of 112 bytes, got {len(stored)} bytes that are none",
        "restore the home from a backup: `pbem restore`",
    )


@pytest.mark.parametrize("length", [0, 31, 33])
def test_a_seed_of_another_length_is_a_bug_of_the_caller(length: int) -> None:
    with pytest.raises(ValueError, match="a seed is 32 bytes"):
        Identity(bytes(length), bytes(32), bytes(32))


def test_key_and_signature_are_those_of_the_standard() -> None:
    """RFC 8032, 7.1, test 2."""
    seed = bytes.fromhex("4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb")
    identity = Identity(seed, bytes(32), bytes(32))
    assert identity.public_key.hex() == "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c"
    assert identity.sign(b"\x72").hex() == (
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
        "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"
    )


@needs_openssl
def test_openssl_derives_the_same_keys(identity: Identity) -> None:
    """The PKCS #8 heads of RFC 8410 before a seed; openssl prints the public key at the end of its DER."""
    heads = {"ed25519": "302e020100300506032b657004220420", "x25519": "302e020100300506032b656e04220420"}
    keys = [
        ("ed25519", identity.signing_seed, identity.public_key),
        ("ed25519", identity.successor_seed, identity.successor_public_key),
        ("x25519", identity.escrow_seed, identity.escrow_public_key),
    ]
    for kind, seed, public in keys:
        der = subprocess.run(
            ["openssl", "pkey", "-inform", "DER", "-pubout", "-outform", "DER"],
            input=bytes.fromhex(heads[kind]) + seed,
            capture_output=True,
            check=True,
        ).stdout
        assert der[-32:] == public


@needs_openssl
def test_openssl_accepts_the_signature(identity: Identity, tmp_path: Path) -> None:
    (tmp_path / "key.der").write_bytes(bytes.fromhex("302a300506032b6570032100") + identity.public_key)
    (tmp_path / "message").write_bytes(b"step 7")
    (tmp_path / "signature").write_bytes(identity.sign(b"step 7"))
    verify = "openssl pkeyutl -verify -pubin -keyform DER -inkey key.der -rawin -in message -sigfile signature"
    said = subprocess.run(verify.split(), cwd=tmp_path, capture_output=True, text=True)
    assert (said.returncode, said.stdout) == (0, "Signature Verified Successfully\n")


@pytest.mark.plan("A25")
def test_a_rotation_goes_to_the_key_that_was_committed_to(identity: Identity) -> None:
    rotated = identity.rotated()
    assert (rotated.public_key, rotated.escrow_public_key) == (
        identity.successor_public_key,
        identity.escrow_public_key,
    )
    Ed25519PublicKey.from_public_bytes(identity.successor_public_key).verify(rotated.sign(b"x"), b"x")
    with pytest.raises(InvalidSignature):
        Ed25519PublicKey.from_public_bytes(identity.public_key).verify(rotated.sign(b"x"), b"x")
    assert rotated.successor_seed not in (identity.signing_seed, identity.successor_seed)


@pytest.mark.plan("A25")
def test_the_keys_of_later_rotations_follow_from_all_seeds_and_from_no_signing_seed_alone(identity: Identity) -> None:
    """An old copy gives them again; who has stolen what signs, or what will sign next, cannot make them."""
    again = Identity.from_bytes(identity.to_bytes())
    assert again.rotated().rotated() == identity.rotated().rotated()
    stolen = Identity(identity.signing_seed, identity.successor_seed, b"another seed of thirty-two bytes")
    assert stolen.rotated().successor_public_key != identity.rotated().successor_public_key
    made = {one.chain_seed(nonce, role) for one in (identity, stolen) for nonce in (b"1", b"2") for role in ("a", "b")}
    assert len(made) == 8
    assert made.isdisjoint((identity.signing_seed, identity.successor_seed, identity.escrow_seed))


@pytest.mark.parametrize("plaintext", [b"", b"x", b"secret" * 1000])
def test_what_is_sealed_is_opened_and_is_48_bytes_longer(identity: Identity, plaintext: bytes) -> None:
    sealed = seal_to(identity.escrow_public_key, b"game", plaintext)
    assert (unseal(identity.escrow_seed, b"game", sealed), len(sealed) - len(plaintext)) == (plaintext, 48)
    assert OVERHEAD_BYTES == 48


def expand(key: bytes, label: bytes, context: bytes, length: int) -> bytes:
    """LabeledExpand of RFC 9180, 4, for at most 32 bytes, within the key schedule."""
    info = length.to_bytes(2, "big") + b"HPKE-v1" + SUITE + label + context
    return hmac.digest(key, info + b"\x01", "sha256")[:length]


def extract(salt: bytes, label: bytes, secret: bytes) -> bytes:
    return hmac.digest(salt or bytes(32), b"HPKE-v1" + SUITE + label + secret, "sha256")


SUITE = b"HPKE" + bytes.fromhex("002000010003")
"""X25519, HKDF-SHA256, ChaCha20-Poly1305 (RFC 9180, 7)."""


def test_sealed_bytes_open_by_the_steps_of_rfc_9180(identity: Identity) -> None:
    """Decapsulation (4.1), key schedule (5.1) and opening (5.2), written out from X25519, HMAC and the AEAD."""
    sealed = seal_to(identity.escrow_public_key, b"game", b"orders")
    own, kem = X25519PrivateKey.from_private_bytes(identity.escrow_seed), b"HPKE-v1KEM\x00\x20"
    shared = own.exchange(X25519PublicKey.from_public_bytes(sealed[:32]))
    pseudorandom = hmac.digest(bytes(32), kem + b"eae_prk" + shared, "sha256")
    info = b"\x00\x20" + kem + b"shared_secret" + sealed[:32] + identity.escrow_public_key
    shared_secret = hmac.digest(pseudorandom, info + b"\x01", "sha256")
    context = b"\x00" + extract(b"", b"psk_id_hash", b"") + extract(b"", b"info_hash", b"game")
    secret = extract(shared_secret, b"secret", b"")
    key, nonce = expand(secret, b"key", context, 32), expand(secret, b"base_nonce", context, 12)
    assert ChaCha20Poly1305(key).decrypt(nonce, sealed[32:], b"") == b"orders"


def test_the_same_plaintext_is_never_sealed_alike(identity: Identity) -> None:
    assert len({seal_to(identity.escrow_public_key, b"game", b"x") for _ in range(20)}) == 20


@pytest.mark.plan("A36")
def test_sealed_bytes_do_not_open_in_another_game(identity: Identity) -> None:
    sealed = seal_to(identity.escrow_public_key, b"game one", b"orders")
    with pytest.raises(BadEvidence) as caught:
        unseal(identity.escrow_seed, b"game two", sealed)
    assert (caught.value.code, caught.value.text, caught.value.hint) == (
        "escrow.not_opened",
        "expected 54 bytes sealed to this key for this use, got bytes that it does not open",
        "they were damaged, sealed to another key, or taken from another game",
    )


def test_sealed_bytes_open_with_no_other_key(identity: Identity) -> None:
    sealed = seal_to(identity.escrow_public_key, b"game", b"orders")
    with pytest.raises(BadEvidence):
        unseal(identity.signing_seed, b"game", sealed)


def test_no_bit_of_sealed_bytes_may_change_and_none_may_be_missing(identity: Identity) -> None:
    sealed = seal_to(identity.escrow_public_key, b"game", b"orders")
    damaged = [sealed[:at] + bytes([sealed[at] ^ 1 << at % 8]) + sealed[at + 1 :] for at in range(len(sealed))]
    for attempt in [*damaged, *(sealed[:length] for length in range(len(sealed))), sealed + b"\0"]:
        with pytest.raises(BadEvidence, match=r"escrow\.not_opened"):
            unseal(identity.escrow_seed, b"game", attempt)


@pytest.mark.parametrize(
    "key",
    [
        b"",
        bytes(31),
        bytes(33),
        bytes(32),
        (1).to_bytes(32, "little"),
        (2**255 - 20).to_bytes(32, "little"),
        (2**255 - 19).to_bytes(32, "little"),
        (2**255 - 18).to_bytes(32, "little"),
        bytes.fromhex("e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800"),
        bytes.fromhex("5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157"),
    ],
)
def test_nothing_is_sealed_to_a_key_of_small_order(key: bytes) -> None:
    with pytest.raises(BadEvidence) as caught:
        seal_to(key, b"game", b"orders")
    assert (str(caught.value), caught.value.hint) == (
        f"escrow.bad_key: expected an X25519 public key of full order, got {len(key)} bytes, '{key[:32].hex()}'",
        "ask its owner for a new escrow key",
    )


@pytest.mark.plan("A24")
def test_a_fingerprint_is_eight_words_and_its_hex_begins_alike() -> None:
    assert (fingerprint_words(bytes(32)), fingerprint_hex(bytes(32))) == (
        ("axis", "split", "coffee", "uphold", "cattle", "same", "clump", "logic"),
        "10fa44b4f762457dcb141c32fdc251f4f08e84d5c0881dedccd9525da247ec28",
    )


@pytest.mark.plan("A24")
def test_the_words_are_the_first_88_bits_of_the_digest(identity: Identity) -> None:
    from mnemonic import Mnemonic

    wordlist = Mnemonic("english").wordlist
    bits = "".join(f"{wordlist.index(word):011b}" for word in fingerprint_words(identity.public_key))
    assert f"{int(bits, 2):022x}" == fingerprint_hex(identity.public_key)[:22]


def test_the_list_of_words_is_that_of_bip_39() -> None:
    from mnemonic import Mnemonic

    listed = "\n".join(Mnemonic("english").wordlist) + "\n"
    assert hashlib.sha256(listed.encode()).hexdigest() == (
        "2f5eed53a4727b4bf8880d8f3f199efc90e58503646d9ff8eff3a2ed3b24dbda"
    )


@pytest.mark.plan("A24")
def test_one_changed_bit_changes_the_words(identity: Identity) -> None:
    key = identity.public_key
    others = [key[:at] + bytes([key[at] ^ 1]) + key[at + 1 :] for at in range(32)]
    assert len({fingerprint_words(one) for one in [key, *others]}) == 33


def test_a_fingerprint_of_what_is_no_key_is_a_bug_of_the_caller() -> None:
    with pytest.raises(ValueError, match="a public key is 32 bytes"):
        fingerprint_hex(b"short")

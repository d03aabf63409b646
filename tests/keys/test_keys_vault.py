"""The vault: what opens it, what does not, and that nothing of it can be moved or changed unnoticed."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import time

import pytest
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

from pbem.errors import BadDisk, BadRequest
from pbem.keys.vault import HIGHEST_COST, LOWEST_COST, Vault, is_protected

CHEAP = LOWEST_COST


@pytest.fixture(scope="module")
def vault() -> Vault:
    return Vault.create("Zażółć gęślą", os.urandom, CHEAP)


@pytest.fixture
def unprotected() -> Vault:
    return Vault.create(None)


def summed(body: bytes) -> bytes:
    """A header as an attacker makes it, with a right checksum."""
    return body + hashlib.sha256(body).digest()[:8]


def changed(data: bytes, at: int) -> bytes:
    return data[:at] + bytes([data[at] ^ 1 << at % 8]) + data[at + 1 :]


def test_an_entry_comes_back_after_the_passphrase(vault: Vault) -> None:
    sealed = vault.seal("identity", b"secret")
    opened = Vault.unlock(vault.header, "Zażółć gęślą")
    assert (opened.open("identity", sealed), opened.protected, len(sealed)) == (b"secret", True, 6 + 28)


def test_a_passphrase_may_be_typed_in_either_form_of_its_letters(vault: Vault) -> None:
    assert Vault.unlock(vault.header, "Zaz\u0307o\u0301łc\u0301 ge\u0328s\u0301la\u0328").protected


def test_a_wrong_passphrase_is_the_users_mistake(vault: Vault) -> None:
    with pytest.raises(BadRequest) as caught:
        Vault.unlock(vault.header, "zażółć gęślą")
    assert (caught.value.code, caught.value.text, caught.value.hint) == (
        "vault.wrong_passphrase",
        "expected the passphrase of this home, got another one",
        "type it again; mind capitals and the keyboard layout",
    )


def test_a_missing_passphrase_is_asked_for(vault: Vault) -> None:
    with pytest.raises(BadRequest) as caught:
        Vault.unlock(vault.header, None)
    assert (caught.value.text, caught.value.hint) == (
        "expected the passphrase of this home, got none",
        "type it when asked, or give it in PBEM_PASSPHRASE",
    )


def test_an_empty_passphrase_is_refused() -> None:
    with pytest.raises(BadRequest) as caught:
        Vault.create("")
    assert caught.value.text == "expected a passphrase of at least one character, got an empty one"


def test_a_vault_without_a_passphrase_says_so(unprotected: Vault) -> None:
    sealed = unprotected.seal("identity", b"secret")
    assert (unprotected.protected, is_protected(unprotected.header)) == (False, False)
    assert Vault.unlock(unprotected.header, None).open("identity", sealed) == b"secret"
    assert Vault.unlock(unprotected.header, "ignored").open("identity", sealed) == b"secret"


def test_no_secret_is_shown(vault: Vault, unprotected: Vault) -> None:
    assert [repr(vault), str(vault), repr(unprotected)] == [
        "Vault(protected=True)",
        "Vault(protected=True)",
        "Vault(protected=False)",
    ]
    assert vault._home_key not in vault.header


@pytest.mark.parametrize(("old", "new"), [(None, "new"), ("old", "new"), ("old", None)])
def test_a_change_of_passphrase_leaves_the_entries(old: str | None, new: str | None) -> None:
    before = Vault.create(old, os.urandom, CHEAP)
    sealed = before.seal("identity", b"secret")
    after = before.rewrap(new, CHEAP)
    assert Vault.unlock(after.header, new).open("identity", sealed) == b"secret"
    if new is not None:
        with pytest.raises(BadRequest):
            Vault.unlock(after.header, old)


def test_an_entry_does_not_open_under_another_name(vault: Vault) -> None:
    sealed = vault.seal("salt/1", b"secret")
    with pytest.raises(BadDisk) as caught:
        vault.open("salt/2", sealed)
    assert (caught.value.code, caught.value.text, caught.value.hint) == (
        "vault.entry_damaged",
        "expected a vault entry sealed as 'salt/2', got 34 bytes that do not open as it",
        "restore the home from a backup: `pbem restore`",
    )


def test_an_entry_does_not_open_in_another_vault(vault: Vault, unprotected: Vault) -> None:
    with pytest.raises(BadDisk):
        unprotected.open("identity", vault.seal("identity", b"secret"))


def test_no_byte_of_an_entry_may_change_and_none_may_be_missing(vault: Vault) -> None:
    sealed = vault.seal("identity", b"secret")
    attempts = [changed(sealed, at) for at in range(len(sealed))] + [sealed[:at] for at in range(len(sealed))]
    for attempt in [*attempts, sealed + b"\0"]:
        with pytest.raises(BadDisk, match=r"vault\.entry_damaged"):
            vault.open("identity", attempt)


def test_the_same_entry_is_never_sealed_alike(vault: Vault) -> None:
    assert len({vault.seal("identity", b"secret") for _ in range(50)}) == 50


def test_no_byte_of_a_header_may_change_and_none_may_be_missing(vault: Vault, unprotected: Vault) -> None:
    for header in (vault.header, unprotected.header):
        attempts = [changed(header, at) for at in range(len(header))] + [header[:at] for at in range(len(header))]
        for attempt in [*attempts, header + b"\0"]:
            with pytest.raises(BadDisk, match=r"vault\.header_damaged"):
                Vault.unlock(attempt, "Zażółć gęślą")


def test_a_damaged_header_is_named(vault: Vault) -> None:
    with pytest.raises(BadDisk) as caught:
        is_protected(vault.header[:-1])
    assert (str(caught.value), caught.value.hint) == (
        "vault.header_damaged: expected the header of a vault (`pbem/vault/v1`), got 100 bytes that are none or are "
        "damaged",
        "restore the home from a backup: `pbem restore`",
    )


@pytest.mark.parametrize("at", [17, 32, 33, 44, 45, 92])
def test_a_header_that_an_attacker_changed_does_not_open(vault: Vault, at: int) -> None:
    """First and last byte of salt, nonce and wrapped key."""
    with pytest.raises(BadRequest, match=r"vault\.wrong_passphrase"):
        Vault.unlock(summed(changed(vault.header[:-8], at)), "Zażółć gęślą")


@pytest.mark.parametrize("parameters", [(15, 8, 1), (14, 8, 2)])
def test_a_header_with_another_cost_does_not_open(vault: Vault, parameters: tuple[int, int, int]) -> None:
    body = vault.header[:14] + bytes(parameters) + vault.header[17:-8]
    with pytest.raises(BadRequest, match=r"vault\.wrong_passphrase"):
        Vault.unlock(summed(body), "Zażółć gęślą")


@pytest.mark.parametrize(
    ("cost", "block_size", "parallelism"),
    [
        (LOWEST_COST - 1, 8, 1),
        (HIGHEST_COST + 1, 8, 1),
        (63, 8, 1),
        (255, 255, 255),
        (14, 9, 1),
        (14, 0, 1),
        (14, 8, 0),
        (14, 8, 5),
    ],
)
def test_a_header_cannot_ask_for_any_cost(vault: Vault, cost: int, block_size: int, parallelism: int) -> None:
    body = bytearray(vault.header[:-8])
    body[14:17] = bytes([cost, block_size, parallelism])
    started = time.monotonic()
    with pytest.raises(BadDisk) as caught:
        Vault.unlock(summed(bytes(body)), "Zażółć gęślą")
    assert (caught.value.code, caught.value.text, caught.value.hint, time.monotonic() - started < 1) == (
        "vault.cost_out_of_bounds",
        "expected Scrypt with N from 2^14 to 2^19, r = 8, p from 1 to 4, "
        f"got N = 2^{cost}, r = {block_size}, p = {parallelism} in the vault's header",
        "this header was not written by pbem; restore the home from a backup: `pbem restore`",
        True,
    )


def test_the_ordinary_cost_is_that_of_a_passphrase_and_not_of_a_test() -> None:
    header = Vault.create("passphrase").header
    assert tuple(header[14:17]) == (17, 8, 1)


@pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl is missing here")
def test_openssl_derives_the_key_that_opens_the_header() -> None:
    vault = Vault.create("correct horse", os.urandom, CHEAP)
    bound, nonce, wrapped = vault.header[:33], vault.header[33:45], vault.header[45:-8]
    options = [f"hexsalt:{bound[17:].hex()}", "pass:correct horse", "n:16384", "r:8", "p:1"]
    arguments = [word for option in options for word in ("-kdfopt", option)]
    derived = subprocess.run(
        ["openssl", "kdf", "-keylen", "32", "-binary", *arguments, "SCRYPT"], capture_output=True, check=True
    ).stdout
    assert ChaCha20Poly1305(derived).decrypt(nonce, wrapped, bound) == vault._home_key

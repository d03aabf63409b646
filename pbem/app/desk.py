"""A desk: one party's home with the clock, the randomness and the passphrase that a use case needs."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import orjson

from pbem.app.catalogue import Games, Known
from pbem.errors import BadRequest
from pbem.keys.identity import Identity
from pbem.keys.vault import Vault, is_protected
from pbem.store.database import Home
from pbem.store.reading import Reader
from pbem.store.writing import Writer

IDENTITY = "identity"
VAULT, PROFILE = "vault", "profile"


def system_clock() -> int:
    """Seconds since 1970."""
    return int(time.time())


def no_passphrase() -> str | None:
    """For a home that has none."""
    return None


@dataclass(frozen=True, slots=True)
class Profile:
    """Who this home belongs to, as other parties see it; `key` is the raw public key."""

    name: str
    address: str
    key: bytes


@dataclass(slots=True)
class Desk:
    """What a use case works with.

    `passphrase` is called only when the home has one, at most once; `data` is a folder with a player's own
    transcription of a game's data, `also` are more of them; with `ours_too` the game's own data count beside it.
    """

    home: Home
    clock: Callable[[], int] = system_clock
    random: Callable[[int], bytes] = os.urandom
    passphrase: Callable[[], str | None] = no_passphrase
    data: Path | None = None
    also: tuple[Path, ...] = ()
    ours_too: bool = False
    _vault: Vault | None = None

    @property
    def games(self) -> Games:
        """Finds the rules that a proposal names, with the data of this desk."""
        return Known((self.data, *self.also) if self.data else (), self.ours_too)

    def vault(self) -> Vault:
        """The opened vault; BadRequest for a wrong passphrase."""
        if self._vault is None:
            header = self.home.meta(VAULT)
            if header is None:
                raise BadRequest(
                    "home.empty", "expected a home with keys, got one without", "make one with `pbem init`"
                )
            phrase = self.passphrase() if is_protected(header) else None
            try:
                self._vault = Vault.unlock(header, phrase, self.random)
            except BadRequest as error:
                if error.code == "vault.wrong_passphrase":
                    error.hint = "give the command again with the right one; mind capitals and the keyboard layout"
                raise
        return self._vault

    def change_passphrase(self, phrase: str | None) -> None:
        """Put the home behind another passphrase, or none; every secret stays as it is."""
        self._vault = self.vault().rewrap(phrase)
        with self.home.writing() as writer:
            writer.put_meta(VAULT, self._vault.header)

    def identity(self) -> Identity:
        """The keys of this home."""
        return Identity.from_bytes(self.secret(self.home, IDENTITY) or b"")

    def secret(self, reader: Reader, name: str) -> bytes | None:
        """A vault entry in clear, None when there is none."""
        sealed = reader.secret(name)
        return None if sealed is None else self.vault().open(name, sealed)

    def keep_secret(self, writer: Writer, name: str, plaintext: bytes) -> None:
        """Store a vault entry."""
        writer.put_secret(name, self.vault().seal(name, plaintext))

    def profile(self) -> Profile:
        """Who this home belongs to."""
        return read_profile(self.home)


def read_profile(reader: Reader) -> Profile:
    """The profile of a home; it needs no passphrase."""
    stored = orjson.loads(reader.meta(PROFILE) or b"{}")
    return Profile(stored["name"], stored["address"], bytes.fromhex(stored["key"]))


def make_home(
    folder: Path,
    name: str,
    address: str,
    passphrase: str | None,
    random: Callable[[int], bytes] = os.urandom,
    cost: int | None = None,
) -> Profile:
    """A new home with fresh keys; BadRequest when there is one already."""
    vault = Vault.create(passphrase, random, **({} if cost is None else {"cost": cost}))
    identity = Identity.generate(random)
    profile = Profile(name, address, identity.public_key)

    def fill(writer: Writer) -> None:
        fields = {"name": name, "address": address, "key": profile.key.hex()}
        writer.put_meta(VAULT, vault.header)
        writer.put_meta(PROFILE, orjson.dumps(fields))
        writer.put_secret(IDENTITY, vault.seal(IDENTITY, identity.to_bytes()))

    Home.create(folder, fill).close()
    return profile

"""Where passwords come from: the environment, or the keyring of the desktop; never an address or a command line.

A password is a `SecretStr`, which prints as stars. Left out: OAuth, which some large providers want instead; most of
them give a password for one program ("app password").
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from pydantic import SecretStr

from pbem.errors import BadRequest
from pbem.mail.post.address import ServerAddress

SERVICE = "pbem"
UNSHOWN = "an answer that is not shown, since it may repeat the password"
PART = 5
Keyring = Callable[[str, str], str | None]


def system_keyring(service: str, account: str) -> str | None:
    """What the keyring of this desktop holds under a service and account; None if there is none, or nothing in it."""
    try:
        import keyring
        from keyring.errors import KeyringError
    except ImportError:
        return None
    try:
        found: str | None = keyring.get_password(service, account)
    except KeyringError:
        return None
    return found


@dataclass(frozen=True, slots=True)
class Secrets:
    """Looks passwords up in an environment, then in a keyring."""

    environment: Mapping[str, str] = field(repr=False)
    keyring: Keyring = system_keyring

    def password(self, address: ServerAddress) -> SecretStr:
        """The password for who logs in at an address. BadRequest `post.no_password`."""
        names = (f"PBEM_{address.protocol.upper()}_PASSWORD", "PBEM_MAIL_PASSWORD")
        found = next((value for name in names if (value := self.environment.get(name))), None)
        found = found or self.keyring(SERVICE, address.account)
        if not found:
            raise BadRequest(
                "post.no_password",
                f"expected a password for {address}, got none in {names[0]}, {names[1]} and the keyring",
                f"set {names[1]}, or install pbem[keyring] and run: keyring set {SERVICE} {address.account}",
            )
        return SecretStr(found)


def redacted(text: str, password: SecretStr | None) -> str:
    """What a server said, or a remark in its place if it may repeat a good part of a password: open, quoted (RFC 9051
    4.3), as escapes, or in the Base64 of a login (RFC 4616)."""
    plain = password.get_secret_value() if password is not None else ""
    if not plain:
        return text
    quoted = plain.replace("\\", "\\\\").replace('"', '\\"')
    spellings = (plain, quoted, repr(plain.encode())[2:-1], *_in_base64(plain.encode()))
    garbled = not plain.isascii() and not text.isascii()
    return UNSHOWN if garbled or any(_share(spelling, text) for spelling in spellings) else text


def _share(secret: str, text: str) -> bool:
    """Whether a text holds a run of PART characters of a secret, or all of a shorter one."""
    runs = (secret[start : start + PART] for start in range(max(len(secret) - PART, 0) + 1))
    return any(run in text for run in runs if run)


def _in_base64(secret: bytes) -> Iterator[str]:
    """The characters that stand for a secret wherever it begins in what is encoded."""
    for before in range(3):
        first, last = -(-8 * before // 6), 8 * (before + len(secret)) // 6
        yield base64.b64encode(bytes(before) + secret).decode()[first:last]

"""Addresses of boxes and ways out, as a person writes them.

    maildir:/home/anna/Maildir
    imaps://anna@imap.example.org/INBOX
    imap://anna@imap.example.org/INBOX?starttls=yes&done=Played&aside=Unreadable
    smtps://anna@smtp.example.org
    smtp://anna%40example.org@smtp.example.org?starttls=yes
    smtp://localhost

A password never stands in one, and no refusal here repeats more of an address than its known words, since what is
written wrongly may hold one all the same. Without TLS only this machine is spoken to.
"""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Literal
from urllib.parse import SplitResult, parse_qsl, quote, unquote, urlsplit

from pbem.errors import BadRequest
from pbem.log.enumeration import enumerated
from pbem.mail.plain import printable

EXAMPLES = (
    "for example maildir:/home/anna/Maildir, imaps://anna@imap.example.org/INBOX or smtps://anna@smtp.example.org"
)
NO_PASSWORD = "leave the password out of the address: set PBEM_MAIL_PASSWORD in the environment, or use a keyring"
_PORTS = {"imaps": 993, "imap": 143, "smtps": 465, "smtp": 25}
_SUBMISSION = 587
_OPTIONS = {"imap": ("starttls", "done", "aside"), "imaps": ("done", "aside"), "smtp": ("starttls",), "smtps": ()}


class Security(Enum):
    """How a connection is kept private: TLS from its first byte, TLS after STARTTLS, or not at all."""

    TLS = "tls"
    STARTTLS = "starttls"
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class MaildirAddress:
    """A folder on this machine."""

    path: Path

    def __str__(self) -> str:
        return f"maildir:{printable(str(self.path))}"


@dataclass(frozen=True, slots=True)
class ServerAddress:
    """A server, who logs in there (empty: nobody), and for IMAP the folder of letters and, if letters are to be moved,
    the folders for handled and for unreadable ones."""

    protocol: Literal["imap", "smtp"]
    security: Security
    user: str
    host: str
    port: int
    folder: str = ""
    done: str = ""
    aside: str = ""

    @property
    def account(self) -> str:
        """Who and where, as a keyring names it: `anna@imap.example.org`."""
        return f"{self.user}@{self.host}"

    def __str__(self) -> str:
        scheme = self.protocol + ("s" if self.security is Security.TLS else "")
        user = quote(self.user, safe="") + "@" if self.user else ""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{scheme}://{user}{host}:{self.port}{'/' + quote(self.folder) if self.folder else ''}"


Address = MaildirAddress | ServerAddress


def parse(text: str) -> Address:
    """Read an address. BadRequest `post.address`, `post.password_in_address` or `post.not_private`."""
    scheme, colon, rest = text.strip().partition(":")
    scheme = scheme.lower()
    if colon and scheme == "maildir":
        return _maildir(rest)
    if colon and scheme in _PORTS and rest.startswith("//"):
        return _server(scheme, f"{scheme}:{rest}")
    raise _refused("one that begins with maildir:, imaps://, imap://, smtps:// or smtp://, got another one")


def _maildir(rest: str) -> MaildirAddress:
    path = unquote(rest.removeprefix("//"))
    if not path.startswith("/") or "\0" in path:
        raise _refused("a whole path after maildir:, which begins with /, got another one")
    return MaildirAddress(Path(path))


def _server(scheme: str, url: str) -> ServerAddress:
    parts = _split(url)
    user, colon, _ = (parts.netloc.rpartition("@")[0]).partition(":")
    if colon:
        raise BadRequest(
            "post.password_in_address", "expected an address without a password, got one with", NO_PASSWORD
        )
    options = _options(scheme, parts)
    security = _security(scheme, options)
    address = ServerAddress(
        protocol="imap" if scheme.startswith("imap") else "smtp",
        security=security,
        user=_name("user", user),
        host=parts.hostname or "",
        port=_port(scheme, security, parts),
        folder=_folder(scheme, parts.path),
        done=options.get("done", ""),
        aside=options.get("aside", ""),
    )
    _check(address)
    return address


def _split(url: str) -> SplitResult:
    try:
        parts = urlsplit(url)
    except ValueError:
        raise _refused("a host name after the double slash, got none that can be read") from None
    if parts.fragment or not url.isascii() or not url.isprintable():
        raise _refused("one without blanks, # and letters beyond ASCII, got one with", "write them as %20, %23 …")
    if not parts.hostname:
        raise _refused("a host name after the double slash, got none")
    return parts


def _port(scheme: str, security: Security, parts: SplitResult) -> int:
    """RFC 8314 7: 993 and 465 with TLS; 143 and 587 with STARTTLS; 25 for the mail server of this machine."""
    try:
        port = parts.port
    except ValueError:
        port = 0
    if port == 0:
        raise _refused("a port from 1 to 65535 after the host, got another one", NO_PASSWORD)
    if port is not None:
        return port
    return _SUBMISSION if scheme == "smtp" and security is Security.STARTTLS else _PORTS[scheme]


def _options(scheme: str, parts: SplitResult) -> dict[str, str]:
    options = dict(parse_qsl(parts.query, keep_blank_values=True))
    known = _OPTIONS[scheme]
    if not set(options) <= set(known):
        raise _refused(f"after the question mark {enumerated(known, 'or') or 'nothing'}, got another word", NO_PASSWORD)
    return {name: _name(name, value, quoted=False) for name, value in options.items()}


def _security(scheme: str, options: dict[str, str]) -> Security:
    if scheme.endswith("s"):
        return Security.TLS
    if options.get("starttls", "no") not in ("yes", "no"):
        raise _refused("starttls=yes or starttls=no, got another value")
    return Security.STARTTLS if options.get("starttls") == "yes" else Security.OPEN


def _folder(scheme: str, path: str) -> str:
    if scheme.startswith("imap"):
        return _name("folder", path.strip("/")) or "INBOX"
    if path not in ("", "/"):
        raise _refused("nothing after the host of a mail server, got a path")
    return ""


def _name(what: str, text: str, quoted: bool = True) -> str:
    name = unquote(text) if quoted else text
    if not name.isprintable():
        raise _refused(f"a {what} that can be printed, got one that cannot")
    return name


def _check(address: ServerAddress) -> None:
    if address.protocol == "imap" and not address.user:
        raise _refused("who logs in, before the host, got nobody", "for example imaps://anna@imap.example.org/INBOX")
    if address.security is Security.OPEN and not is_loopback(address.host):
        raise BadRequest(
            "post.not_private",
            f"expected a private connection to {printable(address.host)!r}, got one that anybody on the way can read",
            f"write {address.protocol}s://… or add ?starttls=yes; only this machine is spoken to in the open",
        )


def is_loopback(host: str) -> bool:
    """Whether a host is this machine, by its name or number."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host.lower().rstrip(".") == "localhost"


def _refused(expected: str, hint: str = EXAMPLES) -> BadRequest:
    return BadRequest("post.address", f"expected as the address of a box {expected}", hint)

"""Makes a box or a way out from its address. Libraries are loaded for the kind that is asked for alone."""

from __future__ import annotations

import ssl

from pbem.errors import BadRequest
from pbem.mail.post.address import MaildirAddress, ServerAddress, parse
from pbem.mail.post.port import Inbox, Outgoing
from pbem.mail.post.remarks import Tell, quiet
from pbem.mail.post.secrets import Secrets


def open_inbox(
    url: str, secrets: Secrets, *, make: bool = False, tell: Tell = quiet, tls: ssl.SSLContext | None = None
) -> Inbox:
    """The box at an address; a Maildir that is missing is made if `make`, a server is called at the first use.

    `tell` hears of letters that are not offered; `tls` replaces whom the machine trusts. BadRequest for an address
    that is wrong or is no inbox, for a Maildir that is missing, or without a password; PostFault for a Maildir that
    cannot be made.
    """
    address = parse(url)
    if isinstance(address, MaildirAddress):
        from pbem.mail.post.maildir import MaildirInbox, prepare

        prepare(address.path, make=make)
        return MaildirInbox(address.path, tell)
    if address.protocol != "imap":
        raise _wrong_way("an inbox (maildir:, imaps:// or imap://)", address)
    from pbem.mail.post.imap import ImapInbox
    from pbem.mail.post.imap_session import Sessions

    return ImapInbox(address, Sessions(address, secrets.password(address), tls), tell)


def open_outgoing(url: str, secrets: Secrets, *, make: bool = False, tls: ssl.SSLContext | None = None) -> Outgoing:
    """The way out at an address, as `open_inbox`."""
    address = parse(url)
    if isinstance(address, MaildirAddress):
        from pbem.mail.post.maildir import MaildirOutgoing, prepare

        prepare(address.path, make=make)
        return MaildirOutgoing(address.path)
    if address.protocol != "smtp":
        raise _wrong_way("a way out (maildir:, smtps:// or smtp://)", address)
    from pbem.mail.post.smtp import SmtpOutgoing

    return SmtpOutgoing(address, secrets.password(address) if address.user else None, tls)


def _wrong_way(expected: str, address: ServerAddress) -> BadRequest:
    return BadRequest("post.address", f"expected {expected}, got {address}")

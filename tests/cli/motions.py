"""What two players of a game send each other, and what they read of motions."""

from __future__ import annotations

from email import message_from_string, policy

from .client import Client

STATUS = "hint: `pbem status westerplatte` says what to do now\n"


def mailed(sender: Client, receiver: Client) -> str:
    """One mail; what its import says."""
    sender.does("export", "-o", "mail.eml", "--force")
    return receiver.does("import", "mail.eml").out


def text_of(client: Client) -> str:
    """What a person reads in the mail that was sent last, above the turn file."""
    mail = message_from_string(client.read("mail.eml"), policy=policy.default)
    (part, *_) = mail.iter_parts()  # type: ignore[attr-defined]
    return str(part.get_content()).split("BEGIN PBEM")[0]

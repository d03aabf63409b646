"""An SMTP server as the way out (RFC 5321, RFC 6409), with TLS (RFC 8314) and a login (RFC 4954).

The connection stays open between mails and is opened anew when it was lost. What the server answers decides: 4xx is to
be tried again, 5xx is for ever, and so for each receiver. Answers that blame the login and not the mail (RFC 4954 6)
are to be tried again, since the mail will do once the set-up is right. Left out: SMTPUTF8, delivery reports, and
looking up the mail servers of a domain: the way out is one server that takes mail for everybody.
"""

from __future__ import annotations

import base64
import smtplib
import ssl
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from pydantic import SecretStr

from pbem.mail.plain import printable
from pbem.mail.post.address import Security, ServerAddress
from pbem.mail.post.port import PostFault, Undeliverable
from pbem.mail.post.secrets import redacted
from pbem.mail.post.trust import APP_PASSWORD, connect_fault
from pbem.mail.post.wire import on_the_wire, unsendable

CONNECT_SECONDS = 30
ANSWER_SECONDS = 300
"""RFC 5321 4.5.3.2: a server may take minutes to judge a mail, and who hangs up sooner sends it twice."""
LOGIN_ANSWERS = frozenset((530, 534, 535, 538))
TOO_MANY = 552
Answers = Mapping[str, tuple[int, bytes]]
_FAULTS = (smtplib.SMTPException, OSError, ValueError)


@dataclass(slots=True)
class SmtpOutgoing:
    """Sends through one server. `tls` says whom to trust; None trusts whom the machine trusts."""

    address: ServerAddress
    password: SecretStr | None
    tls: ssl.SSLContext | None = field(default=None, repr=False)
    _connection: smtplib.SMTP | None = field(default=None, repr=False)

    def send(self, mail: bytes, sender: str, receivers: Sequence[str]) -> None:
        everybody = tuple(dict.fromkeys(receivers))
        problem = unsendable(sender, everybody)
        if problem:
            raise Undeliverable("post.address", problem, refused=everybody)
        connection = self._current(everybody)
        verdict: PostFault | Undeliverable | None
        try:
            verdict = self._verdict(everybody, self._handed_over(connection, mail, sender, everybody))
        except (smtplib.SMTPServerDisconnected, OSError) as error:
            verdict = self._lost(error, everybody)
            self._drop()
        if verdict is not None:
            raise verdict

    def reach(self) -> None:
        """Connect and log in; PostFault when that is refused."""
        self._current(())

    def close(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(*_FAULTS):
                connection.quit()
            connection.close()

    def _handed_over(self, connection: smtplib.SMTP, mail: bytes, sender: str, receivers: tuple[str, ...]) -> Answers:
        """The answers that are no consent, by receiver. What refuses the whole mail refuses each."""
        wide = not mail.isascii() and connection.has_extn("8bitmime")
        try:
            return connection.sendmail(
                sender, receivers, on_the_wire(mail), mail_options=["BODY=8BITMIME"] if wide else []
            )
        except smtplib.SMTPRecipientsRefused as refusal:
            return {address: _patient(answer) for address, answer in refusal.recipients.items()}
        except smtplib.SMTPResponseException as refusal:
            return dict.fromkeys(receivers, (refusal.smtp_code, _as_bytes(refusal.smtp_error)))

    def _verdict(self, receivers: tuple[str, ...], answers: Answers) -> PostFault | Undeliverable | None:
        """What becomes of the mail; None if everybody has it."""
        postponed = tuple(one for one in receivers if one in answers and not _is_final(answers[one][0]))
        refused = tuple(one for one in receivers if one in answers and one not in postponed)
        delivered = tuple(one for one in receivers if one not in answers)
        if not answers:
            return None
        first = (*postponed, *refused)[0]
        text = f"expected {self.address} to take the mail for {first}, got {self._quoted(answers[first])}"
        if postponed:
            return PostFault("post.postponed", text, delivered=delivered, refused=refused, postponed=postponed)
        return Undeliverable("post.refused", text, delivered=delivered, refused=refused)

    def _quoted(self, answer: tuple[int, bytes]) -> str:
        said = " ".join(answer[1].decode("ascii", "replace").split())
        return repr(f"{answer[0]} {printable(redacted(said, self.password))}")

    def _lost(self, error: Exception, receivers: tuple[str, ...]) -> PostFault:
        said = printable(redacted(str(error), self.password))
        return PostFault("post.lost", f"expected {self.address} to stay connected, got {said!r}", postponed=receivers)

    def _current(self, receivers: tuple[str, ...]) -> smtplib.SMTP:
        """The connection there is, if it still answers, or a new one."""
        if self._connection is not None:
            with suppress(*_FAULTS):
                if self._connection.rset()[0] == 250:
                    return self._connection
            self._drop()
        self._connection = self._opened(receivers)
        return self._connection

    def _drop(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()

    def _opened(self, receivers: tuple[str, ...]) -> smtplib.SMTP:
        """A new connection, or PostFault, raised after the library's error is forgotten with what it holds."""
        connection: smtplib.SMTP | None = None
        try:
            connection = self._connected()
            if self.address.security is Security.STARTTLS:
                connection.starttls(context=self._trusted())
            connection.ehlo_or_helo_if_needed()
            self._log_in(connection)
            if connection.sock is not None:
                connection.sock.settimeout(ANSWER_SECONDS)
            return connection
        except _FAULTS as error:
            fault = self._closed(error, receivers)
        if connection is not None:
            connection.close()
        raise fault

    def _connected(self) -> smtplib.SMTP:
        host, port = self.address.host, self.address.port
        if self.address.security is Security.TLS:
            return smtplib.SMTP_SSL(host, port, timeout=CONNECT_SECONDS, context=self._trusted())
        return smtplib.SMTP(host, port, timeout=CONNECT_SECONDS)

    def _trusted(self) -> ssl.SSLContext:
        return self.tls or ssl.create_default_context()

    def _log_in(self, connection: smtplib.SMTP) -> None:
        """SASL PLAIN where it is offered, since it takes passwords beyond ASCII (RFC 4616); else what the library
        knows."""
        if self.password is None:
            return
        user, plain = self.address.user, self.password.get_secret_value()
        if "PLAIN" not in connection.esmtp_features.get("auth", "").upper().split():
            connection.login(user, plain)
            return
        code, _ = connection.docmd("AUTH", "PLAIN " + base64.b64encode(f"\0{user}\0{plain}".encode()).decode())
        if code != 235:
            raise smtplib.SMTPAuthenticationError(code, "")

    def _closed(self, error: Exception, receivers: tuple[str, ...]) -> PostFault:
        """Why there is no connection. What a server says to a login is not repeated: it may hold the password."""
        address = self.address
        if isinstance(error, smtplib.SMTPAuthenticationError | UnicodeError):
            code = f" {error.smtp_code}" if isinstance(error, smtplib.SMTPAuthenticationError) else ""
            text = f"expected {address} to take the login, got a refusal{code}"
            return PostFault("post.login", text, APP_PASSWORD, postponed=receivers)
        if isinstance(error, smtplib.SMTPNotSupportedError):
            missing = "STARTTLS" if address.security is Security.STARTTLS else "a login"
            text = f"expected {address} to offer {missing}, got a server without"
            return PostFault("post.starttls", text, postponed=receivers)
        return connect_fault(address, error, printable(redacted(str(error), self.password)), receivers)


def _is_final(code: int) -> bool:
    return code >= 500 and code not in LOGIN_ANSWERS


def _patient(answer: tuple[int, bytes]) -> tuple[int, bytes]:
    """RFC 5321 4.5.3.1.10: 552 to a receiver means too many at once, and is to be tried again."""
    return (452, answer[1]) if answer[0] == TOO_MANY else answer


def _as_bytes(text: bytes | str) -> bytes:
    return text if isinstance(text, bytes) else text.encode("utf-8", "replace")

"""What is said when a server cannot be reached or is not who it should be."""

from __future__ import annotations

import ssl

from pbem.mail.post.address import ServerAddress
from pbem.mail.post.port import PostFault

APP_PASSWORD = "check the user and the password; many providers want one that is made for this program (app password)"


def connect_fault(address: ServerAddress, error: Exception, said: str, postponed: tuple[str, ...] = ()) -> PostFault:
    """`post.certificate` if the server could not prove its name (RFC 8314 4.4, RFC 9525), else `post.unreachable`."""
    if isinstance(error, ssl.SSLCertVerificationError):
        return PostFault(
            "post.certificate",
            f"expected {address} to show a certificate of its name that this machine trusts, "
            f"got {error.verify_message!r}",
            "SSL_CERT_FILE in the environment can name a file with the authority of your own server",
            postponed=postponed,
        )
    return PostFault(
        "post.unreachable",
        f"expected to reach {address}, got {said!r}",
        "check the host, the port and the network",
        postponed=postponed,
    )

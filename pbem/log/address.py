"""An address for mails, as a person, a seat and a mail name it: RFC 5322 3.4.1 without quotes and comments, in ASCII.

The one definition, so that whoever could make a home and join a game with an address can also sign it into a seat.
"""

from __future__ import annotations

import re

MAX_ADDRESS = 200
_ATOM = r"[A-Za-z0-9!#$%&'*+/=^_{|}~-]+"  # no question mark: `=?…?=` would be read as an encoded word
FORM = rf"{_ATOM}(\.{_ATOM})*@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*"
"""An address whole, as a regular expression."""
_FORM = re.compile(FORM)


def is_address(text: str) -> bool:
    """Whether a mail can be addressed to this, and a seat be given to it."""
    return len(text) <= MAX_ADDRESS and _FORM.fullmatch(text) is not None

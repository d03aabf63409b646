"""One exception root; the class says whose fault it is, and `pbem.cli` turns it into an exit code.

A wrong call order inside the program is none of these: it is a plain bug and raises what Python raises.
"""

from __future__ import annotations


class PbemError(Exception):
    """Something a person must hear about.

    `code` is a dotted lower-case word (`armour.truncated`), `text` one sentence without a final period that
    says what was expected, what came and where, `hint` what to do now (may be empty).
    """

    def __init__(self, code: str, text: str, hint: str = "") -> None:
        super().__init__(f"{code}: {text}")
        self.code = code
        self.text = text
        self.hint = hint


class BadEvidence(PbemError):
    """A turn file, event or archive does not hold: damaged, forged, foreign, or against the protocol."""


class BadRequest(PbemError):
    """The person at this end asked for what cannot be done."""


class BadDisk(PbemError):
    """The machine failed: a full disk, a damaged database, a missing right."""

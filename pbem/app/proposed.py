"""Motions that wait: what the sides have moved or asked for, in a player's words, and how a sheet answers it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import unified_diff
from typing import Any

from pbem.app.foreseen import foreseen
from pbem.app.undone import undone_lines
from pbem.engine.campaign import Campaign
from pbem.engine.motions import adjusted, in_words, needs_consent, seated_words
from pbem.log.event import Change, Role
from pbem.log.verify import Verified
from pbem.mail.plain import printable
from pbem.rules.sheet import read_sheet

CHANGING = frozenset({"take_back", "adjust", "ruleset"})
"""Matters that change what stands on the board, or by which rules."""
REPLIES = {"agree": True, "refuse": False}
"""What a sheet says in answer to a motion, and nothing else."""
LONGEST_REPLY = 2
"""Words of such an answer: of several requests it names one."""
NAMED = 16
"""Digits of an event's id, by which one of several requests is named."""

GIVING: frozenset[str] = frozenset({"concede", "extend", "pause"})
"""Matters of a request that gives the other side the game, or time: its author cannot claim beside it."""


@dataclass(frozen=True, slots=True)
class Proposed:
    """Something that a role has moved (`moved`), which stops the game, or only asked for; `words` say what.

    `difference` is what a new position would change, or other rules, by which play was `replayed`; `changing` tells
    of a motion that has such a difference, or would undo something, and `withdrawn` of one that nobody wants any more.
    """

    role: Role
    moved: bool
    words: str
    why: str
    difference: tuple[str, ...] = ()
    replayed: bool = False
    changing: bool = False
    withdrawn: bool = False
    event: str = ""
    what: str = ""

    @property
    def sentence(self) -> str:
        """`german moves to take play back to step 12: a wrong box`."""
        verb = "moves to" if self.moved else "asks to"
        why = f": {self.why}" if self.why else ""
        return f"{self.role} {verb} {self.words}{why}{' (withdrawn)' if self.withdrawn else ''}"


def proposed(campaign: Campaign[Any]) -> list[Proposed]:
    """Everything that waits for a consent; a request that was withdrawn does not."""
    asked = [one for one in campaign.requests if one.id not in campaign.withdrawn]
    waiting = [*([campaign.moved] if campaign.moved else []), *asked]
    return [_proposed(campaign, one) for one in waiting]


def _proposed(campaign: Campaign[Any], verified: Verified) -> Proposed:
    body = verified.event.body
    assert isinstance(body, Change)
    difference = tuple(difference_of(campaign, body))
    why = printable(body.why, len(body.why))  # a line of its own would be an order in the sheet
    words = words_of(campaign, verified.event.role, body)
    return Proposed(
        verified.event.role,
        verified is campaign.moved,
        words,
        why,
        difference,
        body.ruleset is not None,
        body.what in CHANGING,
        verified.id in campaign.withdrawn,
        verified.id,
        body.what,
    )


def words_of(campaign: Campaign[Any], author: Role, body: Change) -> str:
    """A motion of `author` as a player reads it: of a key that wants a seat whose it is, with its address, and the
    words to be compared by telephone before anybody agrees."""
    if body.seat is None:
        return printable(in_words(body), 400)
    who = f"{printable(body.seat.name) or 'somebody'} <{printable(body.address)}>"
    own = body.what == "seat" and not needs_consent(campaign.roster, author, body)
    return f"{in_words(body, who, own=own)}; the new key in words is '{_key_words(body)}' (compare them by telephone)"


def key_told(seats: Sequence[Verified], text: str) -> str:
    """Of a line that tells that a key of `seats` signs from now on, the words of that key; empty for any other line.

    A motion is carried out when its own step is closed, or the one behind it, with the consent.
    """
    for steps in (1, 2):
        for moved in reversed(seats):
            body, event = moved.event.body, moved.event
            assert isinstance(body, Change)
            if text.startswith(f"{seated_words(event.role, body)} from step {event.step + steps} on"):
                return _key_words(body)
    return ""


def _key_words(body: Change) -> str:
    from pbem.keys.words import fingerprint_words

    assert body.seat is not None
    return " ".join(fingerprint_words(bytes.fromhex(body.seat.key)))


def motion_lines(campaign: Campaign[Any], role: Role) -> list[str]:
    """Comments of an order sheet for what waits for the consent of `role`, with the difference of a new position."""
    asked = [one for one in proposed(campaign) if one.role != role]
    if not asked:
        return []
    if len(asked) > 1:
        return _several_lines(asked)
    lines = _asked_lines(asked[0])
    if campaign.moved:
        return [*lines, "# Write one of these two without its mark:", "# agree", "# refuse"]
    return [*lines, "# To agree, write `agree` and nothing else. Your decision below refuses it.", ""]


def _asked_lines(asked: Proposed) -> list[str]:
    return [f"# {asked.sentence}", *(f"#   {line}" for line in asked.difference)]


def _several_lines(asked: Sequence[Proposed]) -> list[str]:
    """Each request with the line that agrees to it."""
    lines = [line for one in asked for line in (*_asked_lines(one), f"# agree {one.event[:NAMED]}")]
    return [*lines, "# To agree to one, write its `agree` line and nothing else. Your decision below refuses them.", ""]


def difference_of(campaign: Campaign[Any], body: Change) -> list[str]:
    """What a motion would change, line by line.

    That of an adjusted position has `-` and `+`, that of a take-back is what it would undo, that of other rules what
    they would have changed; it is empty for every other motion.
    """
    if body.ruleset is not None:
        return foreseen(campaign, body.ruleset)
    if body.what == "take_back":
        return undone_lines(campaign, body.step)
    if body.what != "adjust":
        return []
    ruleset = campaign.ruleset
    new = ruleset.position_lines(adjusted(ruleset, body.position))
    lines = unified_diff(ruleset.position_lines(campaign.state), new, n=0, lineterm="")
    return [printable(line, len(line)) for line in lines if not line.startswith(("---", "+++", "@@"))]


def lost_units(campaign: Campaign[Any], body: Change) -> tuple[list[str], int]:
    """The units that stand in the present position and that the text of an adjusted one does not name, so that they are
    lost by it, and how many stand now; none for any other motion."""
    if body.what != "adjust":
        return [], 0
    lines = [line.split() for line in campaign.ruleset.position_lines(campaign.state)]
    standing = [line[1] for line in lines if line[:1] == ["unit"] and line[2:3] != ["lost"]]
    said = [line.casefold().split() for line in body.position.splitlines()]
    named = {words[1] for words in said if words[:1] in (["unit"], ["lost"]) and len(words) > 1}
    return [name for name in standing if name.casefold() not in named], len(standing)


def waits_for_take_back(campaign: Campaign[Any]) -> bool:
    """Whether something waits for a consent that would undo what was played."""
    waiting = [*([campaign.moved] if campaign.moved else []), *campaign.requests]
    return any(isinstance(one.event.body, Change) and one.event.body.what == "take_back" for one in waiting)


@dataclass(frozen=True, slots=True)
class Reply:
    """What a sheet says that agrees or refuses; `event` is the beginning of a request's id, where it names one."""

    agree: bool
    event: str = ""


def read_reply(text: str) -> Reply | None:
    """What a sheet agrees to or refuses, None for one that says anything else."""
    said = [line.text.casefold().split() for line in read_sheet(text).lines]
    if len(said) != 1 or said[0][:1] not in (["agree"], ["refuse"]) or len(said[0]) > LONGEST_REPLY:
        return None
    return Reply(REPLIES[said[0][0]], "".join(said[0][1:]))

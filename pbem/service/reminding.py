"""Reminders: what a silent party is told, and in which tone, as its time goes by, and what whoever keeps a game from
beginning."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.app.delays import span
from pbem.app.desk import Desk
from pbem.app.opened import OpenGame
from pbem.app.ruling import begun_at
from pbem.app.summary import wanted
from pbem.log.event import Role
from pbem.mail.message import Mailbox, Notice
from pbem.service.bench import DIGITS, seats_at
from pbem.service.counting import count_in_all
from pbem.service.deadlines import HALF, LAST_DAY, due_at
from pbem.service.notices import post_notice
from pbem.service.times import in_words, zone_of
from pbem.store.writing import Writer

LOST = "Have you answered already? Then your mail was lost: `pbem export` writes it again."


MOST_TO_STRANGERS = 3
"""Reminders in all to an address under which nobody has ever joined a game here: as many as rise in one game."""


def may_remind(desk: Desk, writer: Writer, opened: OpenGame, role: Role) -> bool:
    """Whether a party may be sent one more reminder, which is counted where it may be a stranger to everything."""
    party = opened.campaign.roster.parties[role]
    if party.key is not None or seats_at(desk, party.address):
        return True
    return count_in_all(writer, "reminded", party.address, MOST_TO_STRANGERS)


def remind(desk: Desk, writer: Writer, opened: OpenGame, role: Role, what: str, by_hand: bool, grace: int) -> None:
    """Put a reminder to one party into the outbox, under an id that the same one always has."""
    profile, party, game_id = desk.profile(), opened.campaign.roster.parties[role], opened.row.game_id
    begun = opened.campaign.started
    subject = _subject(desk, opened, what) if begun else _MISSING[opened.campaign.awaited()[role].kind]
    notice = Notice(
        Mailbox(profile.name, profile.address),
        Mailbox(party.name, party.address),
        f"{game_id[:DIGITS]} ({opened.row.name}): {subject}",
        tuple(_owed(desk, opened, role, what, by_hand, grace) if begun else _not_begun(desk, opened, role)),
        message_id(opened, role, what),
        desk.clock(),
        submitted="auto-generated",
    )
    post_notice(writer, notice, game_id)


def message_id(opened: OpenGame, role: Role, what: str) -> str:
    """The Message-ID of a reminder."""
    place = opened.campaign.place
    return f"<{what}-{place.step}.{role}.{place.prev[:24]}.{opened.row.game_id[:16]}@pbem.invalid>"


def _owed(desk: Desk, opened: OpenGame, role: Role, what: str, by_hand: bool, grace: int) -> Iterator[str]:
    campaign, game_id = opened.campaign, opened.row.game_id
    yield f"{campaign.ruleset.title}, game {game_id[:DIGITS]}, step {campaign.place.step}: {role} is awaited."
    yield f"What is owed: {wanted(campaign, role)}"
    yield ""
    yield from _by_when(desk, opened, campaign.roster.parties[role].address, what, by_hand, grace)
    yield ""
    yield f"`pbem status` says what to do now. {LOST}"
    yield "Answer this mail with the word help, and I tell what I can be asked;"
    yield f"in another mail name the game by its id, for example `status {game_id[:DIGITS]}`."


def _not_begun(desk: Desk, opened: OpenGame, role: Role) -> Iterator[str]:
    """For whoever keeps a game from beginning: an address there may be nothing but its proposer's claim."""
    campaign = opened.campaign
    proposer, now = campaign.roster.parties[opened.registrations[0].event.role], desk.clock()
    zone = zone_of(desk.home, campaign.roster.parties[role].address)
    joining, game = campaign.awaited()[role].kind == "accept", opened.row.game_id[:DIGITS]
    yield f"{campaign.ruleset.title}, game {game}, has not begun: it waits for you, the {role} side."
    yield f"It has waited since {in_words(begun_at(opened), now, zone)}."
    yield ""
    if joining:
        accept = f"pbem accept FILE --as {role}"
        yield f"{proposer.name or 'Somebody'} <{proposer.address}> has proposed it to you, in a mail to save as FILE."
        yield f"`{accept} --show` shows what is proposed."
        yield f"`{accept} -o acceptance.eml --eml` joins, and writes your answer."
        yield "You do not want to play? Then do nothing: without you the game never begins."
    else:
        yield f"What is missing is {wanted(campaign, role)}: your program adds that by itself."
        yield f"`pbem import` what came last, then `pbem export {game} -o turn.eml --eml`, and send that."
    yield ""
    yield LOST


_MISSING = {"accept": "do you join?", "deposit": "your part is missing"}
"""Subjects before play begins, by the kind of what is missing."""


def _subject(desk: Desk, opened: OpenGame, what: str) -> str:
    """By the same figure that stands in the mail, since a reminder may go late."""
    if what == HALF:
        return "half of your time is over"
    if what == LAST_DAY:
        left = span(due_at(opened) - desk.clock())
        return f"{left} {'is' if left in ('1 day', '1 hour') else 'are'} left to you"
    return "your time is over"


def _by_when(desk: Desk, opened: OpenGame, address: str, what: str, by_hand: bool, grace: int) -> tuple[str, ...]:
    now, due, zone = desk.clock(), due_at(opened), zone_of(desk.home, address)
    when = in_words(due, now, zone)
    if what == HALF:
        return ("Half of your time is over.", f"Please answer by {when}.")
    if what == LAST_DAY:
        return ("Little time is left.", f"Answer by {when}; after that somebody may have to decide in your place.")
    end = in_words(max(now, due) + grace, now, zone)
    ruling = "a person may decide" if by_hand else "I decide"
    return (f"Your time was over on {when}.", f"Answer at once: {ruling} in your place as of {end}.")

"""Reminders: what a silent party is told, and in which tone, as its time goes by."""

from __future__ import annotations

from pbem.app.desk import Desk
from pbem.app.opened import OpenGame
from pbem.app.summary import wanted
from pbem.log.event import Role
from pbem.mail.message import Mailbox, Notice, compose_notice
from pbem.service.deadlines import HALF, LAST_DAY, due_at
from pbem.service.times import in_words, zone_of
from pbem.store.writing import Writer


def remind(desk: Desk, writer: Writer, opened: OpenGame, role: Role, what: str, by_hand: bool, grace: int) -> None:
    """Put a reminder to one party into the outbox, under an id that the same one always has."""
    profile, party, game_id = desk.profile(), opened.campaign.roster.parties[role], opened.row.game_id
    title = opened.campaign.ruleset.title
    notice = Notice(
        Mailbox(profile.name, profile.address),
        Mailbox(party.name, party.address),
        f"{opened.row.name}: {_SUBJECTS.get(what, 'your time is over')}",
        (
            f"{title}, game {game_id[:12]}, step {opened.campaign.place.step}: {role} is awaited.",
            f"What is owed: {wanted(opened.campaign, role)}",
            "",
            *_by_when(desk, opened, party.address, what, by_hand, grace),
            "",
            "`pbem status` says what to do now. Have you answered already? Then your mail was lost: `pbem export` "
            "writes it again.",
            "Answer this mail with the word help, and I tell what I can be asked.",
        ),
        message_id(opened, role, what),
        desk.clock(),
        submitted="auto-generated",
    )
    writer.post(
        message_id=notice.message_id,
        game_id=game_id,
        receivers=[party.address],
        sender="",
        mail=compose_notice(notice),
        created=desk.clock(),
    )


def message_id(opened: OpenGame, role: Role, what: str) -> str:
    """The Message-ID of a reminder."""
    place = opened.campaign.place
    return f"<{what}-{place.step}.{role}.{place.prev[:24]}.{opened.row.game_id[:16]}@pbem.invalid>"


_SUBJECTS = {HALF: "half of your time is over", LAST_DAY: "one day is left to you"}


def _by_when(desk: Desk, opened: OpenGame, address: str, what: str, by_hand: bool, grace: int) -> tuple[str, ...]:
    now, due, zone = desk.clock(), due_at(opened), zone_of(desk.home, address)
    when = in_words(due, now, zone)
    if what == HALF:
        return ("Half of your time is over.", f"Please answer by {when}.")
    if what == LAST_DAY:
        return ("Little time is left.", f"Answer by {when}; after that somebody may have to decide in your place.")
    end = in_words(max(now, due) + grace, now, zone)
    ruling = "a person may rule" if by_hand else "I rule"
    return (f"Your time was over on {when}.", f"Answer at once: from {end}, on, {ruling} in your place.")

"""Exporting: the turn file with every event that the other side is not known to have."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from pbem.app.desk import Desk
from pbem.app.opened import OpenGame, open_game
from pbem.app.signing import finish
from pbem.app.summary import exported_key, peer_step, sent_mark
from pbem.errors import BadRequest
from pbem.log import bundle, fork
from pbem.log.roster import registration_of
from pbem.log.verify import Verified, verify_event
from pbem.mail import armour
from pbem.mail.message import Mailbox, OutgoingTurn, attachment_name, compose

NARRATIVE_LINES = 40


@dataclass(frozen=True, slots=True)
class TurnFile:
    """A turn file ready to go: its armour, who gets it, and the mail round it."""

    game: str
    armour: str
    mail: bytes
    file_name: str
    receivers: tuple[Mailbox, ...]
    subject: str
    events: int
    size: int


def export(
    desk: Desk, name: str, *, robust: bool = False, everything: bool = False, automatic: bool = False
) -> TurnFile:
    """The turn file of a game as it stands, and a note in the home that it was written."""
    with desk.home.writing() as writer:
        opened = open_game(writer, name, desk.games)
        file = turn_file(desk, opened, robust=robust, everything=everything, automatic=automatic)
        writer.put_meta(exported_key(opened), sent_mark(opened))
        finish(writer, opened)
    return file


def turn_file(
    desk: Desk, opened: OpenGame, *, robust: bool = False, everything: bool = False, automatic: bool = False
) -> TurnFile:
    """The turn file of an open game; `everything` sends the whole log."""
    events = events_to_send(opened, everything=everything)
    keys = [event.key for event in events if registration_of(event.event)]
    payload = bundle.pack(bundle.write("turn", keys, [event.line for event in events]))
    receivers = _receivers(opened)
    turn = _outgoing(desk, opened, payload, receivers[0], robust=robust, automatic=automatic)
    mail = compose(turn)
    return TurnFile(
        game=opened.row.name,
        armour=armour.encode(payload, robust=robust),
        mail=mail,
        file_name=attachment_name(turn),
        receivers=receivers,
        subject=subject_of(mail),
        events=len(events),
        size=len(payload),
    )


def events_to_send(opened: OpenGame, *, everything: bool = False) -> list[Verified]:
    """Events from the last step on that the other side has answered, every fork, and what stands beside the log."""
    known = 0 if everything else peer_step(opened)
    forked = _forked_steps(opened)
    roster = opened.campaign.roster
    keys = [registration.key for registration in opened.registrations]
    rows = [row for row in opened.rows if row.step >= known or row.step in forked or row.kind_class == "aside"]
    old = [verify_event(row.line, roster, keys) for row in rows]
    return old + [event for event in opened.fresh if event.id not in {one.id for one in old}]


def _forked_steps(opened: OpenGame) -> set[int]:
    """Steps with a fork, open or settled; what was signed after a fork and is cut off now is not sent."""
    settled = {row.step for row in opened.rows if row.kind_class == "aside"}
    return settled | ({opened.fork.first.event.step} if opened.fork else set())


def _receivers(opened: OpenGame) -> tuple[Mailbox, ...]:
    parties = opened.campaign.roster.parties
    return tuple(Mailbox(party.name, party.address) for role, party in sorted(parties.items()) if role != opened.role)


def _outgoing(
    desk: Desk, opened: OpenGame, payload: bytes, receiver: Mailbox, *, robust: bool, automatic: bool
) -> OutgoingTurn:
    campaign = opened.campaign
    me = campaign.roster.parties[opened.role]
    step = campaign.place.step
    return OutgoingTurn(
        sender=Mailbox(me.name, me.address),
        receiver=receiver,
        game=opened.row.name,
        turn=campaign.ruleset.turn_of(campaign.state) if campaign.started else 0,
        side=opened.role,
        step=step,
        summary=tuple(_summary(opened)),
        payload=payload,
        message_id=f"<step-{step}.{campaign.place.prev[:16]}.{campaign.game[:16]}@pbem.invalid>",
        date=datetime.fromtimestamp(desk.clock(), UTC),
        robust=robust,
        automatic=automatic,
    )


def _summary(opened: OpenGame) -> list[str]:
    campaign = opened.campaign
    title = campaign.ruleset.title
    lines = [f"{title}, game {opened.row.name} ({campaign.game[:12]}), step {campaign.place.step}.", ""]
    told = [line.text for line in campaign.lines if line.step >= peer_step(opened)]
    lines += told[-NARRATIVE_LINES:] or ["Nothing has happened on the board yet."]
    return [*lines, "", *waiting_lines(opened)]


def waiting_lines(opened: OpenGame) -> Sequence[str]:
    """Whom the game waits for, one line each."""
    from pbem.app.summary import WORDS

    campaign = opened.campaign
    if campaign.finished:
        return ("The game is finished and closed.",)
    waited = sorted(campaign.awaited().items())
    return tuple(f"Waiting for {role}: {demand.ask or WORDS[demand.kind]}." for role, demand in waited)


def subject_of(mail: bytes) -> str:
    """The subject of a composed mail."""
    from email import message_from_bytes, policy

    return str(message_from_bytes(mail, policy=policy.default)["Subject"])


def evidence_file(desk: Desk, name: str) -> bytes:
    """The evidence of the fork that stops a game; BadRequest when there is none."""
    opened = open_game(desk.home, name, desk.games)
    if opened.fork is None:
        raise BadRequest(
            "evidence.none", f"expected a game that is stopped by a fork, got {opened.row.name}, which is not"
        )
    return fork.evidence(opened.registrations, opened.fork)

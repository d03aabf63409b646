"""Exporting: the turn file with every event that the other side is not known to have."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime

from pbem.app import covering
from pbem.app.delivery import delivery, open_words, written_key
from pbem.app.desk import Desk
from pbem.app.forks import evidence_of, not_stopped
from pbem.app.opened import OpenGame, open_game
from pbem.app.signing import finish
from pbem.app.summary import exported_key, has_news, holds_seat, peer_step, sent_mark, wanted
from pbem.errors import BadRequest
from pbem.log import bundle
from pbem.log.enumeration import enumerated
from pbem.log.nouns import NOUNS
from pbem.log.roster import registration_of
from pbem.log.verify import Verified, verify_event
from pbem.mail import armour
from pbem.mail.message import Mailbox, OutgoingTurn, attachment_name, compose

DECISIONS = ("answer", "seal")


@dataclass(frozen=True, slots=True)
class TurnFile:
    """A turn file ready to go: its armour, who gets it, and the mail round it.

    `owes` is what its sender has still to decide, in the ruleset's words, empty when it is nothing; `moves` counts
    the decisions of its sender in it, and `holds` says what else of the sender's is. `news` is false when an earlier
    turn file held all of it and no more was asked for. `unacknowledged` is what the other side has not been seen to
    have, in words. `mark` is what the home notes once it is written.
    """

    game: str
    armour: str
    mail: bytes
    file_name: str
    receivers: tuple[Mailbox, ...]
    subject: str
    events: int
    size: int
    owes: str = ""
    moves: int = 0
    holds: str = ""
    news: bool = True
    unacknowledged: str = ""
    mark: bytes = b""


@dataclass(frozen=True, slots=True)
class Posting:
    """How a mail goes out: which mail it answers, its own id where that must tell it from every other one, and whether
    a program sends it, which is said in it when there is no decision of a person in it either. `to` are some of the
    parties, where it is not for all others, and `since` is the step from which on they lack something."""

    message_id: str = ""
    in_reply_to: str = ""
    references: tuple[str, ...] = ()
    automatic: bool = False
    to: tuple[Mailbox, ...] = ()
    since: int | None = None


BY_HAND = Posting()


def given_back(_: TurnFile) -> None:
    """For a turn file that the caller has as soon as it is made."""


def export(
    desk: Desk,
    name: str,
    deliver: Callable[[TurnFile], object] = given_back,
    *,
    robust: bool = False,
    everything: bool = False,
    post: Posting = BY_HAND,
) -> TurnFile:
    """The turn file of a game as it stands, and a note in the home that it was written.

    `deliver` writes it: when that raises, the home goes on to say that there is something to send.
    """
    opened = open_game(desk.home, name, desk.games)
    file = turn_file(desk, opened, robust=robust, everything=everything, post=post)
    deliver(file)
    with desk.home.writing(opened.row.game_id) as writer:
        writer.put_meta(exported_key(opened), file.mark)
        writer.put_meta(written_key(opened), str(desk.clock()).encode("ascii"))
        finish(writer, open_game(writer, opened.row.game_id, desk.games))
    return file


def turn_file(
    desk: Desk, opened: OpenGame, *, robust: bool = False, everything: bool = False, post: Posting = BY_HAND
) -> TurnFile:
    """The turn file of an open game; `everything` sends the whole log."""
    if opened.role not in opened.campaign.roster.parties:
        text = f"expected a game in which this home has a seat, got one in which {opened.role} is not appointed yet"
        raise BadRequest("export.no_seat", text, "send the offer to a player, who moves it with `pbem motion appoint`")
    known = peer_step(opened) if post.since is None else post.since
    news, mark = has_news(desk.home, opened), sent_mark(opened)
    if opened.from_step > known:
        opened = _from(desk, opened, known)
    events = events_to_send(opened, known, everything=everything)
    keys = [event.key for event in events if registration_of(event.event)]
    payload = _packed(bundle.write("turn", keys, [event.line for event in events]), opened.row.name)
    receivers = post.to or _receivers(opened)
    decided = sum(one.event.role == opened.role and one.event.kind in DECISIONS for one in events)
    turn = _outgoing(desk, opened, payload, post, robust=robust, automatic=post.automatic and not decided)
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
        owes=_undecided(opened) if holds_seat(desk.home, opened) else "",
        moves=decided,
        holds=_own_words(opened, events),
        news=news or everything,
        unacknowledged=open_words(delivery(desk.home, opened, known)),
        mark=mark,
    )


def _from(desk: Desk, opened: OpenGame, step: int) -> OpenGame:
    """The same game with everything in its campaign that step `step` and later ones led to."""
    return open_game(desk.home, opened.row.game_id, desk.games, before=step)


def _own_words(opened: OpenGame, events: Iterable[Verified]) -> str:
    """What else than decisions of this home's own is among events: `your answer to a motion`."""
    own = [one.event.kind for one in events if one.event.role == opened.role and one.event.kind not in DECISIONS]
    return enumerated([f"your {NOUNS[kind]}" for kind in dict.fromkeys(own)])


def _undecided(opened: OpenGame) -> str:
    campaign = opened.campaign
    return wanted(campaign, opened.role) if campaign.question(opened.role) and not opened.fork else ""


def events_to_send(opened: OpenGame, known: int, *, everything: bool = False) -> list[Verified]:
    """Events from step `known` on, the last one that the other side has answered; every fork, and what stands beside
    the log."""
    known = 0 if everything else known
    forked = _forked_steps(opened)
    roster = opened.known
    keys = [registration.key for registration in opened.registrations]
    cut_off = set() if everything else _cut_off(opened)  # with the whole way there a home sees that it leads nowhere
    rows = [
        row
        for row in opened.counting()
        if row.step in forked or row.kind_class == "aside" or (row.step >= known and row.event_id not in cut_off)
    ]
    old = [verify_event(row.line, roster, keys) for row in rows]
    return old + [event for event in opened.fresh if event.id not in {one.id for one in old}]


def _forked_steps(opened: OpenGame) -> set[int]:
    """Steps with a fork, open or settled."""
    settled = {row.step for row in opened.rows if row.kind_class == "aside"}
    return settled | ({opened.fork.first.event.step} if opened.fork else set())


def _cut_off(opened: OpenGame) -> set[str]:
    """Events that were signed behind one that a settlement has overruled; an open fork cuts off nothing yet.

    They are not sent: whoever is shown events of its own that lead nowhere would take itself to be behind them.
    """
    if opened.fork or not opened.resolutions:
        return set()
    campaign = opened.campaign
    standing = {event.id for step in campaign.steps for event in step.events} | {one.id for one in campaign.pending()}
    first = min(row.step for row in opened.rows if row.kind_class == "aside")
    later = [row for row in opened.rows if row.step >= max(first, opened.from_step)]
    return {row.event_id for row in later if row.event_id not in standing}


def _packed(text: bytes, name: str) -> bytes:
    """The payload of a turn file; BadRequest when it is more than the other side's program would take."""
    payload = bundle.pack(text)
    if len(text) > bundle.MAX_TURN_BYTES or len(payload) > armour.MAX_PAYLOAD:
        raise BadRequest(
            "export.too_large",
            f"expected a turn file that unpacks to at most {bundle.MAX_TURN_BYTES >> 20} MiB, got {len(text)} bytes",
            f"send the file of `pbem archive {name} -o {name}.pbem` instead: `pbem import` takes it too",
        )
    return payload


def _receivers(opened: OpenGame) -> tuple[Mailbox, ...]:
    parties = opened.campaign.roster.parties
    return tuple(Mailbox(party.name, party.address) for role, party in sorted(parties.items()) if role != opened.role)


def _outgoing(
    desk: Desk, opened: OpenGame, payload: bytes, post: Posting, *, robust: bool, automatic: bool
) -> OutgoingTurn:
    campaign = opened.campaign
    me = campaign.roster.parties[opened.role]
    step = campaign.place.step
    return OutgoingTurn(
        sender=Mailbox(me.name, me.address),
        receivers=post.to or _receivers(opened),
        game=opened.row.name,
        turn=campaign.ruleset.turn_of(campaign.state) if campaign.started else 0,
        side=opened.role,
        step=step,
        summary=tuple(covering.summary(desk, opened)),
        payload=payload,
        message_id=post.message_id or f"<step-{step}.{campaign.place.prev[:16]}.{campaign.game[:16]}@pbem.invalid>",
        in_reply_to=post.in_reply_to,
        references=post.references,
        date=datetime.fromtimestamp(desk.clock(), UTC),
        robust=robust,
        automatic=automatic,
        how=covering.how(opened),
        about=covering.about(opened),
    )


def subject_of(mail: bytes) -> str:
    """The subject of a composed mail."""
    from email import policy
    from email.parser import BytesHeaderParser

    return str(BytesHeaderParser(policy=policy.default).parsebytes(mail)["Subject"])


def evidence_file(desk: Desk, name: str) -> bytes:
    """The evidence of the fork that stops a game; BadRequest when there is none."""
    opened = open_game(desk.home, name, desk.games)
    if opened.fork is None:
        raise BadRequest(
            "evidence.none",
            not_stopped(opened),
            f"`pbem dispute {opened.row.name} fork STEP -o fork.pbem` proves one that is settled",
        )
    return evidence_of(opened, opened.fork)

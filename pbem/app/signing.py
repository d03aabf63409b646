"""Signing and storing: from the body of an answer to an event in the log of this home."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pbem.app.current import check_is_current, is_current
from pbem.app.desk import Desk
from pbem.app.opened import OpenGame, holds_link_back, signed_ahead, stored_snapshot
from pbem.app.secrets import HomeSecrets, keep_sealed, seat_name
from pbem.app.summary import holds_seat, summarise
from pbem.app.tenure import seat_given
from pbem.engine.automatic import Arrivals, automatic
from pbem.engine.closing import pending_slot
from pbem.errors import BadRequest
from pbem.keys.identity import Identity
from pbem.log import canonical, envelope, event, seal
from pbem.log.disclosure import LONGEST
from pbem.log.enumeration import counted
from pbem.log.envelope import PAYLOAD_TYPE, Envelope
from pbem.log.escrow import seal_deposit, seal_info
from pbem.log.event import Answer, Body, Entropy, Event, Receipt, Request, Role, Seal
from pbem.log.keys import key_id
from pbem.log.verify import MOST_REQUESTS, WAIT_FOR_ONE, Place, Verified, verify_event
from pbem.rules import play
from pbem.store.reading import Reader
from pbem.store.rows import Appended, KindClass, Status
from pbem.store.writing import Writer

STANDING = "standing"
MAX_DEPOSIT = 16_384
"""Bytes of the deposit of a sealed answer (protocol, section 15)."""
SPARED = "standing/spared"
"""The draft that holds the head behind which a question was open when standing orders were given: not for them."""


def signed(identity: Identity, statement: Event) -> bytes:
    """The line of a statement, signed."""
    payload = event.write(statement)
    signature = identity.sign(envelope.pae(PAYLOAD_TYPE, payload))
    return envelope.to_line(Envelope(key_id(identity.public_key), signature, payload))


def statement_at(place: Place, role: Role, body: Body, at: int) -> Event:
    """A statement of `role` at a place of the log."""
    kind = next(name for name, model in event.BODIES.items() if type(body) is model)
    return Event(place.game, place.step, place.prev, place.state, role, kind, body, at)


def store(writer: Writer, opened: OpenGame, verified: Verified, at: int, kind_class: KindClass = "log") -> Appended:
    """Append an event to the home, without asking whether it fits."""
    statement = verified.event
    return writer.append(
        game_id=opened.row.game_id,
        step=statement.step,
        role=statement.role,
        kind=statement.kind,
        event_id=verified.id,
        line=verified.line,
        arrived=_counted(opened, at, kind_class),
        kind_class=kind_class,
    )


def _counted(opened: OpenGame, at: int, kind_class: KindClass) -> int:
    """When an event came, so that what came before a settlement and after it can be told apart.

    A clock may be set back, or stand still for a second: nothing that was there counts as later than a settlement.
    """
    if kind_class == "aside":
        return max([at, *(row.arrived for row in opened.rows)])
    return max([at, *(row.arrived + 1 for row in opened.rows if row.kind_class == "aside")])


def give(desk: Desk, writer: Writer, opened: OpenGame, body: Body) -> Verified:
    """Sign a body at the present place, offer it to the campaign and store it.

    Raises what the campaign says against it, and BadRequest when this home has signed another one there: the
    same check inside the same transaction keeps two processes from answering twice.
    """
    check_may_sign(writer, opened)
    campaign = opened.campaign
    if isinstance(body, Request):
        _check_few(opened)
    statement = statement_at(campaign.place, opened.role, body, _dated(body, desk.clock()))
    line = signed(identity_at(desk, writer, opened), statement)
    verified = verify_event(line, campaign.roster)
    _refuse_second(opened, verified)
    campaign.offer(verified)
    store(writer, opened, verified, desk.clock())
    opened.fresh.append(verified)
    return verified


def _check_few(opened: OpenGame) -> None:
    """Raise BadRequest where this home has asked for as much at this step as others take in."""
    if sum(one.event.role == opened.role for one in opened.campaign.requests) >= MOST_REQUESTS:
        raise BadRequest(
            "motion.requests",
            f"expected at most {MOST_REQUESTS} requests at a step, got another one",
            WAIT_FOR_ONE,
        )


def _dated(body: Body, now: int) -> int:
    """When an event is signed; a receipt never before what it names, wherever a clock was set back."""
    return max(now, *body.arrived.values()) if isinstance(body, Receipt) else now


def identity_at(desk: Desk, reader: Reader, opened: OpenGame) -> Identity:
    """The identity that holds this home's seat in a game; BadRequest when somebody else's does now."""
    key, usual = opened.campaign.roster.held.get(opened.role), desk.identity()
    if key in (None, usual.public_key):
        return usual
    kept = desk.secret(reader, seat_name(key or b""))
    if kept is None:
        raise seat_given(opened)
    return Identity.from_bytes(kept)


def check_not_stopped(opened: OpenGame) -> None:
    """Raise BadRequest while the game is stopped by a fork."""
    if opened.fork:
        one = opened.fork.first.event
        raise BadRequest(
            "game.forked",
            f"expected one event of {one.role} at step {one.step}, got two: the game is stopped",
            f"settle it first: `pbem status {opened.row.name}` says how",
        )


def check_may_sign(reader: Reader, opened: OpenGame) -> None:
    """Raise BadRequest while the game is stopped by a fork, or this home is behind what its role has signed."""
    check_not_stopped(opened)
    ahead = signed_ahead(reader, opened)
    if ahead:
        raise BadRequest(
            "game.behind",
            f"expected the log up to step {ahead}, where {opened.role} has signed already (before a backup was "
            f"restored, or on a second device), got one that ends before step {opened.campaign.place.step}",
            "nothing is signed here until the rest has come: ask the other side for `pbem export --all`, import that",
        )
    check_is_current(reader, opened)


def _refuse_second(opened: OpenGame, given: Verified) -> None:
    for rival in opened.campaign.pending():
        if rival.event.role == given.event.role and pending_slot(rival) == pending_slot(given):
            raise BadRequest(
                "game.answered",
                f"expected nothing more of {given.event.role} at step {given.event.step}, got a second answer",
                f"it is signed and cannot be taken back: send it with `pbem export {opened.row.name}`",
            )


def give_answer(desk: Desk, writer: Writer, opened: OpenGame, answer: play.Answer) -> Verified:
    """Give the answer to the present question, in the open or sealed as the rules want it."""
    role, campaign = opened.role, opened.campaign
    demand = campaign.awaited()[role]
    value = answer.model_dump(mode="json")
    if demand.kind == "answer":
        return give(desk, writer, opened, Answer(ask=answer.kind, value=value))
    payload, salt = canonical.encode(value), desk.random(seal.SALT_BYTES)
    if len(payload) > LONGEST:
        text = f"expected sealed orders of at most {LONGEST} bytes, which can be opened at the end, got {len(payload)}"
        raise BadRequest("seal.too_long", text, "write fewer or shorter orders")
    game, step = bytes.fromhex(campaign.game), campaign.place.step
    commitment = seal.commitment(game, step, role, answer.kind, salt, payload)
    escrow = _deposited(opened, answer.kind, salt, payload)
    if len(escrow) > 2 * MAX_DEPOSIT:
        got = f"got one whose deposit has {len(escrow) // 2}"
        text = f"expected sealed orders with a deposit of at most {MAX_DEPOSIT} bytes, {got}"
        raise BadRequest("seal.too_long", text, "write fewer or shorter orders")
    keep_sealed(desk, writer, commitment, salt, payload)
    return give(desk, writer, opened, Seal(ask=answer.kind, commitment=commitment.hex(), escrow=escrow))


def _deposited(opened: OpenGame, ask: str, salt: bytes, payload: bytes) -> str:
    """A sealed answer as the judge can open it, empty in a game without one."""
    campaign = opened.campaign
    if campaign.roster.judge is None:
        return ""
    from pbem.keys.escrow import seal_to

    judge = campaign.roster.parties[campaign.roster.judge].registration
    assert judge is not None
    info = seal_info(bytes.fromhex(campaign.game), campaign.place.step, opened.role, ask)
    return seal_to(bytes.fromhex(judge.escrow), info, seal_deposit(salt, payload)).hex()


def answer_by_itself(desk: Desk, writer: Writer, opened: OpenGame) -> list[str]:
    """Give every answer that needs no human; what was answered, in words."""
    told: list[str] = []
    if opened.fork or opened.campaign.roster.absent() or signed_ahead(writer, opened) or not is_current(writer, opened):
        return told
    if not holds_seat(writer, opened):
        return told
    known = HomeSecrets(desk, writer, opened.campaign.roster, opened.role)
    standing, arrivals = _standing(writer, opened), _arrivals(writer, opened)
    while (found := automatic(opened.campaign, opened.role, known, standing, arrivals)) is not None:
        if isinstance(found.body, Entropy) and holds_link_back(opened):
            break
        verified = give(desk, writer, opened, found.body)
        told.append(f"step {verified.event.step}: {found.why}{_clock_alarm(verified.event, desk)}")
    return told


def _arrivals(reader: Reader, opened: OpenGame) -> Arrivals:
    """When each event came to this home: those that were stored before it was opened, and those of this transaction."""
    known = {row.event_id: row.arrived for row in opened.rows}

    def arrived(event: str) -> int | None:
        if event not in known and (row := reader.event(opened.row.game_id, event)) is not None:
            known[event] = row.arrived
        return known.get(event)

    return arrived


def _clock_alarm(statement: Event, desk: Desk) -> str:
    """What is said of a receipt whose time this machine's clock has not reached, or nothing."""
    if statement.kind != "receipt" or statement.at <= (now := desk.clock()):
        return ""
    return (
        f"; THE CLOCK of this machine is {counted(statement.at - now, 'second')} behind the last receipt or the "
        "players: set it, until then all that comes counts as of that time"
    )


def _standing(writer: Writer, opened: OpenGame) -> Callable[[play.Question[Any]], play.Answer | None]:
    orders = standing_orders_of(writer, opened)
    spared = writer.draft(opened.row.game_id, SPARED)

    def unless_spared(question: play.Question[Any]) -> play.Answer | None:
        return None if spared == opened.campaign.place.prev else orders(question)

    return unless_spared


def standing_orders_of(reader: Reader, opened: OpenGame) -> Callable[[play.Question[Any]], play.Answer | None]:
    """What the standing orders of a game say to a question, None where they leave it to the player."""
    text = reader.draft(opened.row.game_id, STANDING) or ""

    def orders(question: play.Question[Any]) -> play.Answer | None:
        if not text:
            return None
        campaign = opened.campaign
        found: play.Answer | None = campaign.ruleset.standing_answer(question, campaign.state, text)
        return found

    return orders


def finish(writer: Writer, opened: OpenGame) -> None:
    """Store the caches that a reading command lives on; the last thing in every transaction that changes a game."""
    keep(writer, opened, summarise(writer, opened))


def keep(writer: Writer, opened: OpenGame, status: Status) -> None:
    """The same with the summary made already."""
    snapshot = stored_snapshot(opened)
    if snapshot is not None:
        writer.put_snapshot(snapshot)
    writer.put_status(status)

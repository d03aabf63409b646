"""Seats: changing the key that signs for a role, and handing a role to somebody else.

Whoever takes a seat brings a key and a chain of its own and shows that the key is theirs; the key that holds the seat
signs the motion. A key that was committed to as successor needs nobody's consent, anybody else's does. The new owner
knows what the log says and nothing else: sealed answers of the former one stay in its vault.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, NoReturn

import orjson
from pydantic import BaseModel, ConfigDict, ValidationError

from pbem.app.desk import Desk
from pbem.app.moving import Moved, move
from pbem.app.opened import OpenGame, open_game
from pbem.app.propose import check_name, new_name, registration, role_named
from pbem.app.regaining import keep_seat
from pbem.app.routing import Arrived, Incoming
from pbem.app.secrets import chain_name, is_nonce_of_another
from pbem.app.signing import finish, identity_at
from pbem.app.summary import never_held
from pbem.app.verify import Verdict, verify
from pbem.errors import BadEvidence, BadRequest
from pbem.keys.identity import Identity
from pbem.log import bundle, envelope
from pbem.log.event import ADJUDICATOR, REFEREE, Address, Hex64, Registration, Role, RoleName, Signature, read
from pbem.log.roster import Roster, seat_message
from pbem.store.rows import StoredGame
from pbem.store.writing import Writer

MAX_OFFER = 10_000
"""Characters of an offer, which is one registration."""


class Offer(BaseModel):
    """What somebody offers who would take a seat: the game, the role, the keys, and a proof that the key is theirs."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    game: Hex64
    role: RoleName
    address: Address
    registration: Registration
    proof: Signature

    def text(self) -> str:
        """The file that is sent to whoever holds the seat."""
        return orjson.dumps(self.model_dump(), option=orjson.OPT_INDENT_2 | orjson.OPT_SORT_KEYS).decode() + "\n"


@dataclass(frozen=True, slots=True)
class Joined:
    """A game that somebody would go on with: its name here, and the offer to be sent, perhaps `again`."""

    opened: OpenGame
    offer: Offer
    again: bool = False


def rotate(desk: Desk, name: str, why: str = "") -> Moved:
    """Sign with the successor key from now on, which needs nobody's consent; a new successor is made."""
    desk.vault()
    with desk.home.writing(name) as writer:
        opened = open_game(writer, name, desk.games)
        rotated = identity_at(desk, writer, opened).rotated()
        seat = _seated(desk, writer, opened.campaign.roster, opened.role, rotated)
    return _move(desk, name, Offer(game=opened.row.game_id, role=opened.role, **seat), why)


def hand_over(desk: Desk, name: str, text: str, why: str = "") -> Moved:
    """Move that the seat goes to whoever made an offer for it; BadRequest for an offer of another game or role."""
    opened = open_game(desk.home, name, desk.games)
    return replace(_move_offered(desk, name, _fitting(opened, opened.role, text), why), warnings=_left_sealed(opened))


def _left_sealed(opened: OpenGame) -> list[str]:
    """What this home has sealed and nothing has opened: the secrets stay here, where no key of the seat is any more."""
    campaign = opened.campaign
    left = [one.secret for one in campaign.audit.left if one.role == opened.role]
    sealed = [
        f"What you sealed at step {secret.step} ({secret.ask}) stays sealed: whoever takes the seat cannot open it."
        for secret in left
    ]
    if not sealed:
        return []
    judge = campaign.roster.judge
    unless = f", unless the {judge} opens it from what was deposited" if judge else ""
    return [*sealed, f"Where play asks for it its default counts{unless}; else it is told at the end as never opened."]


def appoint(desk: Desk, name: str, text: str, days: int = 0, why: str = "") -> Moved:
    """Move that whoever made an offer becomes the referee, in place of the one there may be, with a deadline of `days`
    from then on (0: what there is). BadRequest for an offer of another game or for the seat of a player."""
    opened = open_game(desk.home, name, desk.games)
    offer = _fitting(opened, REFEREE, text)
    if not days and not opened.campaign.place.deadline_days:
        raise BadRequest(
            "appoint.deadline",
            "expected a deadline for a referee to rule behind, got a game without one",
            "say --deadline-days, for example 7",
        )
    return _move_offered(desk, name, offer, why, what="appoint", days=days)


def _move_offered(desk: Desk, name: str, offer: Offer, why: str, what: str = "seat", days: int = 0) -> Moved:
    """Move an offer that somebody else made; whatever does not hold in it was changed behind its author's back."""
    try:
        return _move(desk, name, offer, why, what, days)
    except BadEvidence as error:
        error.hint = error.hint or "the offer is not as `pbem substitute` wrote it: ask for it again, as an attachment"
        raise


def _fitting(opened: OpenGame, role: Role, text: str) -> Offer:
    offer = read_offer(text)
    if (offer.game, offer.role) != (opened.row.game_id, role):
        raise BadRequest(
            "seat.other_offer",
            f"expected an offer for the seat of {role} in game {opened.row.game_id[:12]}, "
            f"got one for {offer.role} in game {offer.game[:12]}",
            _for_what(opened, role, offer),
        )
    return offer


def _for_what(opened: OpenGame, role: Role, offer: Offer) -> str:
    """What another offer is good for, or how the right one is made."""
    if offer.game == opened.row.game_id and REFEREE in (role, offer.role):
        command = "hand-over" if role == REFEREE else "appoint"
        return f"`pbem motion {command} {opened.row.name} --offer FILE` is for that seat"
    make = f"`pbem substitute FILE --as {role} -o offer.json`"
    return f"whoever would take the seat makes an offer with {make}, from this game's archive"


def _move(desk: Desk, name: str, offer: Offer, why: str, what: str = "seat", days: int = 0) -> Moved:
    seat = {"seat": offer.registration, "proof": offer.proof, "address": offer.address}
    return move(desk, name, {"what": what, "days": days, "why": why, **seat})


def read_offer(text: str) -> Offer:
    """The offer in a file; BadEvidence for anything else."""
    try:
        return Offer.model_validate_json(text[:MAX_OFFER])
    except ValidationError:
        raise BadEvidence(
            "seat.offer", "expected an offer as `pbem substitute` writes it, got something else", "ask for it again"
        ) from None


def substitute(desk: Desk, arrived: Arrived, wanted: str, name: str = "") -> Joined:
    """Take a whole game into this home to go on with it in a role, and offer to take that seat.

    Nothing is signed for the role until the seat is given. The offer of a game that was taken in so is made again.
    BadRequest for a game that is here otherwise, a role that it does not have, or a game that is over, BadEvidence for
    one with the nonce of another game of this home.
    """
    desk.vault()
    found = _one_log(arrived)
    verdict = _verified(desk, found)
    campaign = verdict.campaign
    assert campaign is not None
    seats = {*campaign.roster.parties, REFEREE}
    role = role_named(seats, wanted)
    if role is None:
        example = min(campaign.roster.players)
        text = f"expected one of {', '.join(sorted(seats))}, got '{wanted}'"
        raise BadRequest("seat.role", text, f"for example `--as {example}`")
    if role == ADJUDICATOR:
        text = "expected the seat of a player or of a referee, got the adjudicator's, which nobody can give away"
        raise BadRequest("seat.adjudicator", text, "a referee can be appointed in a hosted game: `--as referee`")
    if campaign.outcome:
        hint = "`pbem verify FILE` says how it ended"
        raise BadRequest("seat.over", "expected a game in play, got one that is decided", hint)
    known = desk.home.known(verdict.game)
    if known:
        return _offered_again(desk, known, role)
    with desk.home.writing() as writer:
        ruleset = campaign.ruleset.name
        if name:
            check_name(name)
        row = StoredGame(verdict.game, name or new_name(writer, ruleset), ruleset, role, desk.clock())
        writer.add_game(row)
        _store_all(writer, row, found, desk.clock())
        fields = _seated(desk, writer, campaign.roster, role, desk.identity())
        opened = open_game(writer, verdict.game, desk.games, whole=True)
        finish(writer, opened)
    return Joined(opened, Offer(game=verdict.game, role=role, **fields))


def _offered_again(desk: Desk, row: StoredGame, role: Role) -> Joined:
    """The same offer once more; BadRequest where this home has or had a seat of the game, or has offered another."""
    with desk.home.writing(row.name) as writer:
        opened = open_game(writer, row.name, desk.games, whole=True)
        if not never_held(writer, opened):
            _refuse_known(row, f"game {row.name}, which it plays or has played")
        if row.role != role:
            other = f"say --as {row.role}, or use another home (PBEM_HOME)"
            _refuse_known(row, f"game {row.name}, in which it has offered to be {row.role}", other)
        fields = _seated(desk, writer, opened.campaign.roster, role, desk.identity())
        finish(writer, opened)
    return Joined(opened, Offer(game=row.game_id, role=role, **fields), again=True)


def _refuse_known(row: StoredGame, got: str, hint: str = "") -> NoReturn:
    text = f"expected a game that is new to this home, got {got}"
    raise BadRequest("seat.known", text, hint or f"`pbem status {row.name}` says what to do now")


def _one_log(arrived: Arrived) -> Incoming:
    if len(arrived.bundles) != 1:
        if arrived.damaged:
            reason = arrived.damaged[0]
            text = reason.text.replace("expected a turn file", "expected an archive of a whole game", 1)
            raise type(reason)(reason.code, text, reason.hint)
        text = f"expected one archive of a game, got {len(arrived.bundles)}"
        raise BadRequest("seat.archive", text, "name one file, as `pbem archive GAME -o FILE` wrote it")
    return arrived.bundles[0]


def _verified(desk: Desk, found: Incoming) -> Verdict:
    """The verdict on an archive, or on a turn file that holds all that one does; BadEvidence where it does not hold."""
    whole = "ask a player for the archive of the game (`pbem archive GAME -o FILE`), sent as an attachment"
    if found.contents in ("evidence", "dispute"):
        text = f"expected an archive of a whole game, got {_SLICE[found.contents]}"
        raise BadRequest(
            "seat.archive", text, f"`pbem verify FILE` says what it shows; to go on with the game, {whole}"
        )
    try:
        return verify(bundle.write("archive", found.keys, found.lines), desk.games)
    except BadEvidence as error:
        if found.contents == "turn":
            raise BadRequest(
                "seat.archive", "expected an archive of a whole game, got a turn file, which holds a part of it", whole
            ) from None
        error.hint = error.hint or f"do not trust this file: {whole}"
        raise


_SLICE = {"evidence": "the evidence of a fork", "dispute": "a file that shows one thing of it"}


def _store_all(writer: Writer, row: StoredGame, found: Incoming, now: int) -> None:
    """Every event of an archive that holds, as it stands there."""
    for line in found.lines:
        payload = envelope.from_line(line).payload
        statement = read(payload)
        writer.append(
            game_id=row.game_id,
            step=statement.step,
            role=statement.role,
            kind=statement.kind,
            event_id=envelope.event_id(payload),
            line=line,
            arrived=now,
            kind_class="aside" if statement.kind == "resolve" else "log",
        )


def _seated(desk: Desk, writer: Writer, roster: Roster, role: Role, identity: Identity) -> dict[str, Any]:
    """Registration and proof of an identity for a seat, its secrets kept in the vault."""
    nonce, profile = roster.proposal.nonce, desk.profile()
    if is_nonce_of_another(writer, roster.game, nonce):
        raise BadEvidence(
            "seat.nonce",
            "expected a game with a nonce of its own, got the nonce of another game of this home",
            "no honest program makes such a game: take no seat in it",
        )
    seed = identity.chain_seed(bytes.fromhex(roster.game), role)
    seat = registration(identity, profile.name, seed, bytes.fromhex(nonce), role)
    keep_seat(desk, writer, identity, chain_name(nonce, roster.game, role, seat.anchor), seed)
    proof = identity.sign(seat_message(roster.game, role, seat)).hex()
    return {"registration": seat, "proof": proof, "address": profile.address}

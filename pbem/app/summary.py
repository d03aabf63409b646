"""The summary of a game that `pbem status` prints without replaying anything."""

from __future__ import annotations

from typing import Any

import orjson

from pbem.app.claiming import claimed, first_roll
from pbem.app.current import doubt
from pbem.app.delivery import delivery
from pbem.app.desk import read_profile
from pbem.app.forks import fork_data
from pbem.app.lacking import lacking
from pbem.app.opened import OpenGame, holds_link_back, signed_ahead
from pbem.app.proposed import GIVING, Proposed, proposed
from pbem.app.seatings import Seatings, held_until
from pbem.app.secrets import lost_seal, seat_name
from pbem.engine.campaign import Campaign
from pbem.log.enumeration import enumerated
from pbem.log.event import REFEREE, Role
from pbem.log.hashing import digest
from pbem.log.nouns import NOUNS
from pbem.log.verify import DAY, Demand
from pbem.store.reading import Reader
from pbem.store.rows import Status

WORDS = {
    "accept": "to accept the proposal",
    "seal": "a sealed answer",
    "open": "to open its sealed answer",
    "entropy": "its share of the dice",
    "close": "to close the game",
    "answer": "a decision",
    "deposit": "what the referee is to hold",
    "vouch": "the referee's word that the deposits are good",
    "consent": "to agree to a motion or to refuse it",
    "receipt": "its receipt for what has arrived",
}


def words_of(demand: Demand, judge: str | None = None) -> str:
    """What a demand is for, in words; `judge` is who has the referee's powers, where it is not the referee."""
    if demand.secrets:
        return "to open what it left sealed, now that the game is over"
    return WORDS[demand.kind].replace("referee", judge or "referee")


def summarise(reader: Reader, opened: OpenGame) -> Status:
    """Everything that the status shows, as the row that keeps it."""
    campaign = opened.campaign
    place = campaign.place
    days = place.deadline_days
    fields = {
        "game": opened.row.name,
        "id": opened.row.game_id,
        "ruleset": opened.row.ruleset,
        "title": campaign.ruleset.title,
        "role": opened.role,
        "opponents": [_party(party) for role, party in sorted(campaign.roster.parties.items()) if role != opened.role],
        "turn": campaign.ruleset.turn_of(campaign.state) if campaign.started else 0,
        "step": place.step,
        "begun": place.step >= place.first,
        "head": place.prev,
        "since": place.since,
        "due": 0 if place.runs_since is None else place.runs_since + days * DAY,
        "waiting": [_waiting(campaign, role) for role in sorted(campaign.awaited())],
        "fork": fork_data(opened),
        "given": not holds_seat(reader, opened),
        "until": _held_until(reader, opened),
        "offered": never_held(reader, opened),
        "appointed": opened.role in campaign.roster.parties,
        "hosted": place.receipted,
        "behind": signed_ahead(reader, opened),
        "lacks": lacking(reader, opened),
        "proposed": [_proposed(one) for one in proposed(campaign)],
        "paused": place.paused,
        "resuming": dict(place.resuming),
        "judge": campaign.roster.judge,
        "result": campaign.outcome.as_result() if campaign.outcome else None,
        "finished": campaign.finished,
        "unsent": has_news(reader, opened),
        "signed": signed_words(opened) if has_news(reader, opened) else "",
        "delivery": delivery(reader, opened, peer_step(opened)),
        "lost": lost_seal(reader, campaign.awaited().get(opened.role), campaign),
        "restored": _restored(reader, opened),
        "show_only": campaign.roster.proposal.show_only,
        "remedy": campaign.roster.proposal.remedy,
        "dictation": first_roll(campaign),
        "holding": holds_link_back(opened),
        "claimed": against.facts(reader, opened) if (against := claimed(reader, opened)) else None,
    }
    return Status(opened.row.game_id, place.prev, orjson.dumps(fields))


def _proposed(one: Proposed) -> dict[str, Any]:
    told: dict[str, Any] = {"role": one.role, "moved": one.moved, "text": one.sentence, "changing": one.changing}
    told |= {"what": one.what, "words": one.words, "gives": one.what in GIVING}
    if not one.moved:
        told["event"] = one.event
    if one.withdrawn:
        told["withdrawn"] = True
    return {**told, "difference": one.difference} if one.replayed else told


def _restored(reader: Reader, opened: OpenGame) -> dict[str, int] | None:
    """When a game was restored in which something may be missing, None for any other one."""
    mark = doubt(reader, opened)
    if mark is None:
        return None
    told = {"at": mark.at, "backup": mark.made, "elsewhere": mark.elsewhere}
    return {**told, "whole": mark.whole} if mark.whole else told


def holds_seat(reader: Reader, opened: OpenGame) -> bool:
    """Whether this home has the key that signs for its role."""
    if opened.role not in opened.campaign.roster.parties:
        return False
    key = opened.campaign.roster.held.get(opened.role)
    return key is None or _has_key(reader, key)


def never_held(reader: Reader, opened: OpenGame) -> bool:
    """Whether a seat of the game was only offered to be taken here: no key of this home has ever held it."""
    if holds_seat(reader, opened):
        return False
    return not Seatings(opened).has_seated(read_profile(reader).key)


def _held_until(reader: Reader, opened: OpenGame) -> int:
    """The last step for which this home had the key of its seat; 0 where it has it, or never had."""
    if holds_seat(reader, opened) or never_held(reader, opened):
        return 0
    return held_until(opened, lambda key: _has_key(reader, key))


def _has_key(reader: Reader, key: bytes) -> bool:
    return key == read_profile(reader).key or reader.secret(seat_name(key)) is not None


def _party(party: Any) -> dict[str, str]:
    return {"role": party.role, "name": party.name, "address": party.address}


def _waiting(campaign: Campaign[Any], role: Role) -> dict[str, Any]:
    """What a role owes; of a receipt since when nothing else is missing, by the dates of what it is for."""
    demand = campaign.awaited()[role]
    told = {"role": role, "kind": demand.kind, "ask": demand.ask, "text": wanted(campaign, role)}
    if demand.kind != "receipt":
        return told
    came = set(campaign.unreceipted())
    return {**told, "since": max(one.event.at for one in campaign.pending() if one.id in came)}


def wanted(campaign: Campaign[Any], role: Role) -> str:
    """What a role that is awaited owes, in the ruleset's words where it has to decide."""
    question = campaign.question(role)
    if question is None:
        return words_of(campaign.awaited()[role], campaign.roster.judge)
    text: str = campaign.ruleset.question_text(question, campaign.state)
    return text


def owed(campaign: Campaign[Any]) -> str:
    """What the game waits for, in words: `polish (a decision)`; empty when it waits for nobody."""
    awaited = sorted(campaign.awaited().items())
    return enumerated([f"{role} ({words_of(demand, campaign.roster.judge)})" for role, demand in awaited])


def unconfirmed_step(opened: OpenGame) -> int | None:
    """The first step with a settled fork from which the other side is not known to have gone on, None without one.

    A home that was restored lacks what it had signed itself behind the event that stands, and would sign that again:
    so everything from there on is sent until an event behind the fork comes that was sent after the settlement.
    """
    campaign = opened.campaign
    used = {event.id for step in campaign.steps for event in step.events} | {one.id for one in campaign.pending()}
    others = [row for row in opened.rows if row.role != opened.role and row.kind_class == "log"]
    standing = [row for row in others if row.event_id in used or row.step < opened.from_step]
    settled = [row for row in opened.rows if row.kind_class == "aside"]
    return min(
        (one.step for one in settled if not any(row.step > one.step and row.arrived > one.arrived for row in standing)),
        default=None,
    )


def peer_step(opened: OpenGame) -> int:
    """The step up to which every other party is known to have the log: it has signed at that step.

    What was cut off by a settled fork or a late answer proves nothing about the log that stands. A referee is waited
    for until play begins; after that it is sent what the players send each other, and asks for the rest.
    """
    unconfirmed = unconfirmed_step(opened)
    if unconfirmed is not None:
        return unconfirmed
    campaign = opened.campaign
    used = [*(event for step in campaign.steps for event in step.events), *campaign.pending()]
    seen: dict[str, int] = {}
    for row in (row for row in opened.rows if row.step < opened.from_step):
        seen[row.role] = max(row.step, seen.get(row.role, 0))
    for one in used:
        seen[one.event.role] = max(one.event.step, seen.get(one.event.role, 0))
    others = [role for role in campaign.roster.parties if role != opened.role]
    return min(seen.get(role, 0) for role in others if role != REFEREE or not campaign.started)


def unsent(opened: OpenGame) -> bool:
    """Whether this home has events that no other party is known to have."""
    known = peer_step(opened)
    return any(role == opened.role and step >= known for role, step, _ in opened.placed())


def has_news(reader: Reader, opened: OpenGame) -> bool:
    """Whether there is something to send that no turn file of this home contained yet."""
    return unsent(opened) and reader.meta(exported_key(opened)) != sent_mark(opened)


def signed_words(opened: OpenGame) -> str:
    """What of this home's own no other party is known to have: `your request and your share of the dice`."""
    known = peer_step(opened)
    kinds = [one.kind for one in opened.standing() if one.role == opened.role and one.step >= known]
    return enumerated([f"your {NOUNS[kind]}" for kind in dict.fromkeys(kinds)])


def exported_key(opened: OpenGame) -> str:
    """Where the home notes what of its own it wrote into its last turn file."""
    return f"exported/{opened.row.game_id}"


def sent_mark(opened: OpenGame) -> bytes:
    """Digest of the ids of all events of this home's own."""
    own = sorted(event for role, _, event in opened.placed() if role == opened.role)
    return digest("pbem/exported/v1", *(bytes.fromhex(event) for event in own))

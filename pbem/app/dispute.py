"""Writing a dispute: the least slice of a game's log that shows one thing to a stranger. What is written is verified.

An event that the rules refused stands in no log: it is taken from those that this home keeps apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import TypeAlias

from pydantic import ValidationError

from pbem.app.archive import archive_of
from pbem.app.dispute_proof import prove
from pbem.app.forks import evidence_of
from pbem.app.opened import EARLY, OpenGame
from pbem.app.reading import replayed_to, roll_source
from pbem.app.seatings import Seatings, agreeing, seating
from pbem.errors import BadRequest, PbemError
from pbem.log import bundle, dispute, envelope, event
from pbem.log.dispute import (
    FIRST_PLAY,
    Claim,
    OpeningClaim,
    RefusalClaim,
    RollClaim,
    ruled_role,
)
from pbem.log.event import Close, Entropy, Open, Ruling, Seal
from pbem.log.fork import Fork, fork
from pbem.log.roster import registration_of
from pbem.log.verify import Verified, verify_event
from pbem.store.reading import Reader
from pbem.store.rows import StoredRefusal

Opened: TypeAlias = tuple[Verified, Verified]
"""A seal and what opened it."""
LEAST_DIGITS = 8
"""Digits of an event's id that name it."""


def roll_file(whole: OpenGame, wanted: str) -> bytes:
    """The dispute about a roll, named as `pbem roll` names it; BadRequest for an unknown one and a dictated one."""
    record = roll_source(whole.campaign, wanted).record
    step = next(step for step in whole.campaign.steps if step.number == record.step)
    faces = list(record.faces)
    try:
        plain = RollClaim(claim="roll", step=record.step, label=record.label, sides=record.sides, faces=faces, items=[])
    except ValidationError:
        text = f"expected a roll of at most {dispute.MAX_FACES} dice under a short label, got {record.id[:80]}"
        raise BadRequest("dispute.roll", text, "the whole archive shows it: `pbem archive`") from None
    opening = [one for one in step.events if one.event.kind != "receipt"]
    links = sorted(opening, key=lambda one: ruled_role(one, "entropy"))
    claim = _with_indices(whole, _with_items(plain, record.items), links)
    return _slice(whole, claim, [*_closing_decisions(whole, record.step), *links])


def _with_indices(whole: OpenGame, claim: RollClaim, links: Sequence[Verified]) -> RollClaim:
    """The claim with the indices of links that rulings open, unless other links of the roll say the same ones."""
    opened = {one.role: one.index for one in whole.campaign.opened[claim.step]}
    said = {one.event.body.index for one in links if isinstance(one.event.body, Entropy)}
    ruled = [opened[ruled_role(one, "entropy")] for one in links if isinstance(one.event.body, Ruling)]
    return claim if set(ruled) <= said else RollClaim(**{**claim.model_dump(), "ruled": ruled})


def _closing_decisions(whole: OpenGame, step: int) -> Iterator[Verified]:
    """The events of the step before one that rolls, where the salt is made of them and no registrations are they."""
    if whole.campaign.roster.is_hosted and step > FIRST_PLAY:
        yield from next(one for one in whole.campaign.steps if one.number == step - 1).events


def _with_items(plain: RollClaim, items: Sequence[str]) -> RollClaim:
    """The claim with what was drawn from, unless a name there is too long or of a script that a claim does not hold."""
    try:
        return RollClaim(**{**plain.model_dump(), "items": list(items)})
    except ValidationError:
        return plain


def opening_file(whole: OpenGame, step: int, role: str = "") -> bytes:
    """The dispute about what a role had sealed at a step, or opened there; BadRequest when there is not one such."""
    known = openings(whole)
    found = _chosen(known, step, role)
    if len(found) != 1:
        near = ", ".join(_opening_name(known, one) for one in (found or known)[-8:])
        hint = f"openings there are: {near}" if near else _NO_OPENING
        of = f" of {role}" if role else ""
        raise BadRequest("dispute.opening", f"expected one opening{of} at step {step}, got {len(found)}", hint)
    sealed, opened = found[0]
    claim = OpeningClaim(claim="opening", step=opened.event.step, role=sealed.event.role)
    return _slice(whole, claim, (sealed, opened))


_NO_OPENING = "nothing that was sealed in this game has been opened yet"


def _chosen(known: Sequence[Opened], step: int, role: str) -> list[Opened]:
    """What was sealed at a step, or else opened there: a role seals one thing at a step, and a closing opens many."""
    own = [one for one in known if role in ("", one[0].event.role)]
    return [one for one in own if one[0].event.step == step] or [one for one in own if one[1].event.step == step]


def _opening_name(known: Sequence[Opened], one: Opened) -> str:
    """The step and the role that name an opening: where it was opened, or where that names another one, sealed."""
    sealed, opened = one
    role = sealed.event.role
    step = opened.event.step if _chosen(known, opened.event.step, role) == [one] else sealed.event.step
    return f"step {step} {role}"


def openings(whole: OpenGame) -> list[Opened]:
    """Every seal of a game's log with its opening, which may be a closing that opens what was left sealed."""
    log = [*(one for step in whole.campaign.steps for one in step.events), *whole.campaign.pending()]
    seals = [one for one in log if isinstance(one.event.body, Seal)]
    opening = [one for one in log if isinstance(one.event.body, Open | Ruling | Close)]
    return [(sealed, opened) for opened in opening for sealed in seals if _opens(whole, sealed, opened)]


def _opens(whole: OpenGame, sealed: Verified, opened: Verified) -> bool:
    role = sealed.event.role
    if role != ruled_role(opened, "open") or not (said := dispute.said_of(sealed, opened)) or not said[0]:
        return False
    return dispute.is_opened(whole.campaign.game, sealed, role, *said)


def fork_file(whole: OpenGame, step: int | None = None) -> bytes:
    """The evidence of the fork that stops a game, or else of the latest that was settled, or of one at `step`."""
    found = forks(whole)
    if whole.fork and step is None:
        return evidence_of(whole, whole.fork)
    here = [one for one in found if step in (None, one.first.event.step)]
    if not here:
        known = ", ".join(sorted({str(one.first.event.step) for one in found}))
        where = "" if step is None else f" at step {step}"
        hint = f"forks of this game are at step {known}" if known else _NO_FORK
        raise BadRequest("dispute.fork", f"expected a fork{where} of {whole.row.name}, got none", hint)
    return evidence_of(whole, here[-1])


_NO_FORK = (
    "this home knows of none: who signed twice may not have both events; evidence comes from a home that has both, and "
    "`pbem import` takes it in here"
)


def forks(whole: OpenGame) -> list[Fork]:
    """Every fork among the stored events of a game, settled or not, by steps."""
    keys = [registration.key for registration in whole.registrations]
    twice = {(row.step, row.role) for row in whole.rows if row.place}
    rows = [row for row in whole.rows if (row.step, row.role) in twice]
    events = [verify_event(row.line, whole.known, keys) for row in rows]
    found = [fork(one, other) for one, other in combinations(events, 2)]
    return sorted((one for one in found if one), key=lambda one: (one.first.event.step, one.first.id, one.second.id))


def kept_apart(reader: Reader, whole: OpenGame) -> list[tuple[StoredRefusal, event.Event]]:
    """The events that this home keeps apart because they were refused, with what they say, by steps."""
    rows = [row for row in reader.refusals(whole.row.game_id) if row.code != EARLY]
    said = [(row, event.read(envelope.from_line(row.line).payload)) for row in rows]
    return sorted(said, key=lambda one: (one[1].step, one[1].role, one[0].event_id))


def why_not_shown(whole: OpenGame, row: StoredRefusal) -> str:
    """Why nobody can be shown that an event was refused rightly; empty where that can be shown."""
    try:
        _reason(whole, _of_a_seat(whole, row))
    except PbemError as error:
        return error.text
    return ""


def refusal_file(reader: Reader, whole: OpenGame, wanted: str) -> bytes:
    """The dispute about an event that was refused, by its id or the first digits of it.

    BadRequest when it is not known, or when it is not the rules that refuse it at its place of this log.
    """
    row = _apart(reader, whole, wanted)
    refused = _of_a_seat(whole, row)
    log = bundle.read(archive_of(whole))
    before = [line for line in log.lines if _step_of(line) < refused.event.step]
    claim = RefusalClaim(claim="refusal", event=refused.id, code=_reason(whole, refused).code)
    data = dispute.write(claim, log.keys, [*before, row.line])
    prove(bundle.read(data), whole.campaign.games)
    return data


def _of_a_seat(whole: OpenGame, row: StoredRefusal) -> Verified:
    """A refused event whose key has, had or wants a seat; BadRequest for that of anybody else."""
    refused = verify_event(row.line, whole.known)
    roster = whole.campaign.roster
    if refused.key not in (*roster.held.values(), *(key for _, key in roster.claims)):
        raise BadRequest(
            "dispute.seat",
            f"expected an event by a key that holds a seat, got {refused.title} by another one",
            "what such a key signs shows nothing about who has the seat",
        )
    return refused


def _step_of(line: bytes) -> int:
    return event.read(envelope.from_line(line).payload).step


def _reason(whole: OpenGame, refused: Verified) -> PbemError:
    """Why the log and the rules refuse an event at its place; BadRequest when its place is in no step of this log."""
    hint = "it follows another log, or what it lacked has come since: only a refusal at its place can be shown"
    text = f"expected an event that this log and its rules refuse at its place, got {refused.title}"
    if not FIRST_PLAY <= refused.event.step <= whole.campaign.place.step:
        raise BadRequest("dispute.not_refused", f"{text}, whose step is not here", hint)
    campaign = replayed_to(whole.campaign, refused.event.step - 1)
    if refused.event.prev != campaign.place.prev:
        raise BadRequest("dispute.not_refused", f"{text}, which follows another step {refused.event.step - 1}", hint)
    try:
        campaign.offer(refused)
    except PbemError as error:
        return error
    raise BadRequest("dispute.not_refused", f"{text}, which they accept", hint)


def _apart(reader: Reader, whole: OpenGame, wanted: str) -> StoredRefusal:
    known = kept_apart(reader, whole)
    found = [row for row, _ in known if len(wanted) >= LEAST_DIGITS and row.event_id.startswith(wanted.casefold())]
    if len(found) != 1:
        near = ", ".join(row.event_id[:16] for row, _ in known[:8])
        hint = f"kept apart here: {near}" if near else "this home keeps no refused event of this game"
        text = f"expected {LEAST_DIGITS} or more digits of the id of a refused event, got '{wanted[:80]}'"
        raise BadRequest("dispute.event", text, hint)
    return found[0]


def _slice(whole: OpenGame, claim: Claim, events: Iterable[Verified]) -> bytes:
    """The registrations and some events behind them; what is written is read again at once."""
    registrations = [one for one in _registrations(whole) if registration_of(one.event)]
    chosen = list(events)
    until = max(one.event.step for one in chosen)
    behind = sorted([*_seatings(whole, until), *chosen], key=lambda one: one.event.step)
    lines = [one.line for one in (*registrations, *behind)]
    data = dispute.write(claim, [one.key for one in registrations], lines)
    dispute.read_slice(bundle.read(data))
    return data


def _seatings(whole: OpenGame, until: int) -> Iterator[Verified]:
    """The motions that gave a seat to another key before a step, each with the consent that it needed."""
    known, held = Seatings(whole), {*whole.campaign.roster.held.values(), *(k for _, k in whole.campaign.roster.claims)}
    log = [one for step in whole.campaign.steps if step.number < until for one in step.events]
    for moved in filter(None, map(seating, log)):
        if not moved.is_moved or moved.key not in held:
            continue
        if known.needs_nobody(moved):
            yield moved.by
        elif agreed := agreeing(moved, log):
            yield from (moved.by, *agreed)


def _registrations(whole: OpenGame) -> list[Verified]:
    """Proposal, acceptances and what else brought keys in, in the order of the log, which is the same in every home."""
    return sorted(whole.registrations, key=lambda one: (one.event.step, one.event.role))

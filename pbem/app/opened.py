"""A game as this home has it: the campaign rebuilt from the stored events, and what is stored after a change."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple

from pbem import __version__
from pbem.app.beside import Beside, in_effect, is_own, opened_behind
from pbem.app.catalogue import Games, for_log
from pbem.engine import snapshot as snapshots
from pbem.engine.assembly import Assembled, assemble
from pbem.engine.campaign import Campaign
from pbem.engine.run import TooEarly
from pbem.errors import BadDisk, PbemError
from pbem.log import envelope
from pbem.log.claims import Claims
from pbem.log.event import BRINGING_KEYS, REFEREE, Change, Event, Propose, Role, read
from pbem.log.fork import Fork, fork, place_of
from pbem.log.roster import Roster, claimed, claiming_roster, from_proposal, registered, registration_of, seated_role
from pbem.log.verify import Verified, check_signature, check_signed, read_signed, verify_event
from pbem.store.reading import Reader
from pbem.store.rows import Snapshot, StoredEvent, StoredGame, StoredRefusal

EARLY = "import.early"
"""The code under which an event is kept until its time comes."""


class Standing(NamedTuple):
    """An event of the log: whose it is, where it stands, and its line."""

    role: str
    step: int
    kind: str
    line: bytes


@dataclass(slots=True)
class OpenGame:
    """One game, rebuilt from `rows`, its campaign from step `from_step` on. `seats` are motions that name keys.
    `resolutions` are those that count.

    `fresh` are events of this transaction, `news` lines for the player about what it changed.
    """

    row: StoredGame
    campaign: Campaign[Any]
    registrations: tuple[Verified, ...]
    resolutions: tuple[Verified, ...]
    rows: tuple[StoredEvent, ...]
    from_step: int
    fork: Fork | None = None
    seats: tuple[Verified, ...] = ()
    claims: Claims = field(default_factory=Claims)
    fresh: list[Verified] = field(default_factory=list)
    news: list[str] = field(default_factory=list)

    @property
    def known(self) -> Roster:
        """The roster with every key that a stored motion brought in: whose events can be read, wherever play stands."""
        roster = self.campaign.roster
        for role, key in self.claims:
            roster = claimed(roster, role, key)
        return roster

    def counting(self) -> tuple[StoredEvent, ...]:
        """The stored events without the resolutions that do not count."""
        counting = {one.id for one in self.resolutions}
        return tuple(row for row in self.rows if row.kind_class == "log" or row.event_id in counting)

    def standing(self) -> list[Standing]:
        """What is in the log, and not beside it, this transaction included; behind the snapshot everything is."""
        used = {event.id for step in self.campaign.steps for event in step.events}
        used |= {event.id for event in self.campaign.pending()}
        found = {
            row.event_id: Standing(row.role, row.step, row.kind, row.line)
            for row in self.rows
            if row.kind_class == "log"
        }
        found |= {one.id: Standing(one.event.role, one.event.step, one.event.kind, one.line) for one in self.fresh}
        return [one for name, one in found.items() if name in used or one.step < self.from_step]

    @property
    def role(self) -> Role:
        """The role that this home plays."""
        return Role(self.row.role)

    def placed(self) -> list[tuple[str, int, str]]:
        """Role, step and id of every event that is stored, those of this transaction included."""
        old = [(row.role, row.step, row.event_id) for row in self.rows]
        return old + [(event.event.role, event.event.step, event.id) for event in self.fresh]

    def ids(self) -> set[str]:
        """Ids of all events that are stored."""
        return {event for _, _, event in self.placed()}


def holds_link_back(opened: OpenGame) -> bool:
    """Whether this home has given way at a step from which no other player is known to have gone on.

    Until then it opens no link: what gave way may come back, and who has the link could choose between two rolls.
    """
    given = [one.event.step for one in opened.resolutions if is_own(one) and one.event.role == opened.role]
    if not given or len(opened.campaign.roster.proposal.rollers) < 2:
        return False
    both = any(is_own(one) and one.event.role != opened.role for one in opened.resolutions)
    others = [one.step for one in opened.standing() if one.role not in (opened.role, REFEREE)]
    return not both and max(others, default=0) <= max(given)


def open_game(reader: Reader, name: str, games: Games, *, whole: bool = False, before: int | None = None) -> OpenGame:
    """The game of a name or id, from its latest snapshot, or from its beginning if `whole`.

    With `before`, everything that step `before` and later ones led to is in the campaign, and what came earlier may
    be left out. BadDisk when a stored event does not hold any more.
    """
    try:
        opened = _opened(reader, name, games, whole=whole, before=before)
        if opened.from_step == 1 or not asks_for_rules(opened.campaign):
            return opened
        return _opened(reader, name, games, whole=True, before=None)  # what other rules would change is replayed
    except TooEarly:  # a motion goes back behind the snapshot
        return _opened(reader, name, games, whole=True, before=None)


def _opened(reader: Reader, name: str, games: Games, *, whole: bool, before: int | None) -> OpenGame:
    row = reader.game(name)
    rows = reader.events(row.game_id)
    registrations, seats, roster = _registrations(rows)
    games = for_log(games, row.ruleset, (stored.line for stored in rows))
    campaign, from_step = _start(reader, row, registrations, games, 0 if whole else before)
    later = [_verified(stored, roster) for stored in rows if stored.step >= from_step and stored.kind_class == "log"]
    asides = _resolutions(rows, roster)
    known = {registration.id for registration in registrations}
    result = assemble(campaign, (event for event in later if event.id not in known), asides)
    _check_stored(result)
    found = result.fork and _with_binding(result.fork, later)
    return OpenGame(row, campaign, registrations, asides, rows, from_step, found, seats, roster.claims)


def _with_binding(found: Fork, events: Sequence[Verified]) -> Fork:
    """Of several rivals at the place of a fork, the one that has to stand beside another one: dice behind it are known,
    so that no choice among the others is to be made."""
    rivals = [one for one in events if place_of(one) == place_of(found.first)]
    bound = [one for one in rivals if opened_behind(one, events)] if len(rivals) > 2 else []
    if len(bound) != 1 or bound[0].id in (found.first.id, found.second.id):
        return found
    return fork(bound[0], found.first) or found


def _resolutions(rows: Sequence[StoredEvent], roster: Roster) -> tuple[Verified, ...]:
    """The stored resolutions that count: one by which somebody gives way does not where dice would roll again."""
    asides = tuple(_verified(stored, roster) for stored in rows if stored.kind_class == "aside")
    first = min((one.event.step for one in asides if is_own(one)), default=None)
    if first is None:
        return asides
    return in_effect(asides, [_verified(row, roster) for row in rows if row.step >= first and row.kind_class == "log"])


def asks_for_rules(campaign: Campaign[Any]) -> bool:
    """Whether other rules wait for somebody's consent."""
    waiting = [*([campaign.moved] if campaign.moved else []), *campaign.requests]
    return any(isinstance(one.event.body, Change) and one.event.body.ruleset for one in waiting)


def signed_events(reader: Reader, name: str) -> list[Verified]:
    """Every stored event of a game in its order, forks included: signatures are checked, no rules are needed."""
    rows = reader.events(reader.game(name).game_id)
    _, _, roster = _registrations(rows)
    return [_verified(stored, roster, register=stored.kind in ("propose", "accept")) for stored in rows]


def roster_of(registrations: Sequence[Verified]) -> Roster:
    """The roster of a proposal and the acceptances behind it."""
    roster = from_proposal(registrations[0].id, registrations[0].event)
    for accepted in registrations[1:]:
        registration = registration_of(accepted.event)
        if registration is not None and roster.parties[accepted.event.role].registration is None:
            roster = registered(roster, accepted.event.role, registration)
    return roster


def _registrations(rows: Iterable[StoredEvent]) -> tuple[tuple[Verified, ...], tuple[Verified, ...], Roster]:
    """The proposal and the first acceptance of each role, motions that name keys, and whose events can be read."""
    found: list[Verified] = []
    seats: list[Verified] = []
    roster: Roster | None = None
    for stored in rows:
        if stored.kind in ("propose", "accept") and stored.place == 0:
            found.append(_verified(stored, roster, register=True))
            roster = roster_of(found)
        elif stored.kind in BRINGING_KEYS and roster is not None:
            moved = _verified(stored, roster)
            if seated_role(moved.event) is not None:
                roster = claiming_roster(roster, moved.event)
                seats.append(moved)
    if roster is None:
        raise BadDisk(
            "home.no_proposal",
            "expected the proposal among the stored events, got none",
            "the home is damaged: restore a backup with `pbem restore`",
        )
    return tuple(found), tuple(seats), roster


def _verified(stored: StoredEvent, roster: Roster | None, *, register: bool = False) -> Verified:
    try:
        signed = check_signed(stored.line, roster, _own_key(stored) if register else (), known=True)
        _check_once(signed.line, signed.key)
        return read_signed(signed, roster)
    except PbemError as error:
        raise BadDisk(
            "home.event",
            f"expected event {stored.event_id[:12]} of step {stored.step} to hold as it did when it came, got {error}",
            "the home is damaged: restore a backup, or ask the other party for `pbem archive`",
        ) from None


@lru_cache(maxsize=2048)
def _check_once(line: bytes, key: bytes) -> None:
    """That a signature holds, for these very bytes and this key: a service opens a game several times for one mail."""
    check_signature(line, key)


def _own_key(stored: StoredEvent) -> tuple[bytes, ...]:
    """The key that a stored registration registers; it was checked when the event came in."""
    registration = registration_of(read(envelope.from_line(stored.line).payload))
    return (bytes.fromhex(registration.key),) if registration else ()


def _start(
    reader: Reader, row: StoredGame, registrations: Sequence[Verified], games: Games, before: int | None
) -> tuple[Campaign[Any], int]:
    proposal = registrations[0].event.body
    assert isinstance(proposal, Propose)
    ruleset = games(proposal.ruleset)
    campaign: Campaign[Any]
    for stored in reader.snapshots(row.game_id) if before != 0 else ():
        if stored.key == snapshot_key(ruleset.digest) and (before is None or stored.step < before):
            kept = snapshots.read(stored.state)
            return Campaign.resume(ruleset, registrations, kept, games), kept.step + 1
    campaign = Campaign(ruleset, registrations[0], games)
    for accepted in registrations[1:]:
        campaign.offer(accepted)
    return campaign, 1


def snapshot_key(ruleset_digest: str) -> str:
    """What a snapshot depends on besides the log, which says by which rules those of its proposal were followed."""
    return f"{__version__}/{snapshots.VERSION}/{ruleset_digest}"


def _check_stored(result: Assembled) -> None:
    """Raise BadDisk for a stored event that does not hold.

    What a settlement or a void claim has cut off is none: it follows a head that the log does not have, and is not
    even offered; and an event is stored only if it would have stood at its place.
    """
    if result.refused:
        verified, reason = result.refused[0]
        raise BadDisk(
            "home.event",
            f"expected {verified.title} to hold as it did when it came, got {reason}",
            "the home is damaged, or this is another version of the rules: compare `pbem games`",
        )


def signed_ahead(reader: Reader, opened: OpenGame) -> int:
    """The latest step that this home's role has signed at beyond the log of this home, 0 when there is none.

    Such an event came early: its log is there, but not here. It counts no more once the log before it is known, and
    known to be cut off by a settled fork or a claim that a late answer made void.
    """
    ids, place = opened.ids(), opened.campaign.place.step
    rows = [row for row in reader.refusals(opened.row.game_id) if row.code == EARLY and row.event_id not in ids]
    early = [verify_event(row.line, opened.known) for row in rows if _read(row).role == opened.role]
    ahead = [verified for verified in early if verified.event.step >= place]
    beside = _beside(reader, opened) if ahead else Beside()
    return max((one.event.step for one in ahead if not beside.holds(one, "", ())), default=0)


def _beside(reader: Reader, opened: OpenGame) -> Beside:
    """The heads of steps that were closed beside the log, as far as the events on the way there are known.

    A settlement alone shows nothing: only what follows an event that the log does not have, step by step, is cut off.
    """
    beside, place = Beside(), opened.campaign.place.step
    stored = {row.event_id: row for row in reader.events(opened.row.game_id) if row.kind_class == "log"}
    apart = [(row.line, _read(row).step) for row in reader.refusals(opened.row.game_id) if row.event_id not in stored]
    lost = [row.step for row in stored.values() if row.place or row.kind == "lapse"] + [step for _, step in apart]
    first = min((step for step in lost if 1 < step < place), default=place)
    if first == place:
        return beside
    again = open_game(reader, opened.row.game_id, opened.campaign.games, before=first).campaign
    closed = {step.number: (step.events[0].event.prev, step.digest.hex()) for step in again.steps}
    at: dict[int, list[Verified]] = defaultdict(list)
    for line, step in [*((row.line, row.step) for row in stored.values()), *apart]:
        if step >= first:
            at[step].append(verify_event(line, opened.known))
    for step in sorted(at):
        beside.note(at[step], *closed.get(step, ("", "")))
    return beside


def _read(row: StoredRefusal) -> Event:
    """What an event that is kept apart says; its signature was checked when it came, and is when it is used."""
    return read(envelope.from_line(row.line).payload)


def is_cut_off(opened: OpenGame, step: int, arrived: int) -> bool:
    """Whether what came early at a time is behind a fork that was settled afterwards: it waits for nothing any more."""
    return any(row.kind_class == "aside" and row.step <= step and row.arrived >= arrived for row in opened.rows)


def stored_snapshot(opened: OpenGame) -> Snapshot | None:
    """The campaign's latest snapshot as a row, None when it has none that is new."""
    kept = opened.campaign.snapshot
    if kept is None:
        return None
    key = snapshot_key(opened.campaign.roster.proposal.ruleset.digest)
    return Snapshot(opened.row.game_id, kept.step, key, snapshots.write(kept))

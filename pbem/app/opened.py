"""A game as this home has it: the campaign rebuilt from the stored events, and what is stored after a change."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from pbem import __version__
from pbem.app.catalogue import Games
from pbem.engine import snapshot as snapshots
from pbem.engine.assembly import Assembled, assemble
from pbem.engine.campaign import Campaign
from pbem.errors import BadDisk, PbemError
from pbem.log.event import Propose, Role
from pbem.log.fork import Fork
from pbem.log.roster import Roster, from_proposal, registered, registration_of
from pbem.log.verify import Verified, verify_event
from pbem.store.reading import Reader
from pbem.store.rows import Snapshot, StoredEvent, StoredGame

EARLY = "import.early"
"""The code under which an event is kept until its time comes."""


@dataclass(slots=True)
class OpenGame:
    """One game, rebuilt. `early` holds what has come before its time; `events` all rows that were rebuilt from."""

    row: StoredGame
    campaign: Campaign[Any]
    registrations: tuple[Verified, ...]
    resolutions: tuple[Verified, ...]
    rows: tuple[StoredEvent, ...]
    from_step: int
    fork: Fork | None = None
    fresh: list[Verified] = field(default_factory=list)

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


def open_game(reader: Reader, name: str, games: Games, *, whole: bool = False) -> OpenGame:
    """The game of a name or id, from its latest snapshot, or from its beginning if `whole`.

    BadDisk when a stored event does not hold any more.
    """
    row = reader.game(name)
    rows = reader.events(row.game_id)
    registrations, roster = _registrations(rows)
    campaign, from_step = _start(reader, row, registrations, games, whole=whole)
    later = [_verified(stored, roster) for stored in rows if stored.step >= from_step and stored.kind_class == "log"]
    asides = tuple(_verified(stored, roster) for stored in rows if stored.kind_class == "aside")
    known = {registration.id for registration in registrations}
    result = assemble(campaign, (event for event in later if event.id not in known), asides)
    _check_stored(result, asides)
    return OpenGame(row, campaign, registrations, asides, rows, from_step, result.fork)


def signed_events(reader: Reader, name: str) -> list[Verified]:
    """Every stored event of a game in its order, forks included: signatures are checked, no rules are needed."""
    rows = reader.events(reader.game(name).game_id)
    _, roster = _registrations(rows)
    return [_verified(stored, roster, register=stored.kind in ("propose", "accept")) for stored in rows]


def roster_of(registrations: Sequence[Verified]) -> Roster:
    """The roster of a proposal and the acceptances behind it."""
    roster = from_proposal(registrations[0].id, registrations[0].event)
    for accepted in registrations[1:]:
        registration = registration_of(accepted.event)
        if registration is not None and roster.parties[accepted.event.role].registration is None:
            roster = registered(roster, accepted.event.role, registration)
    return roster


def _registrations(rows: Iterable[StoredEvent]) -> tuple[tuple[Verified, ...], Roster]:
    """The proposal and the first acceptance of each role; keys come from the events themselves."""
    found: list[Verified] = []
    roster: Roster | None = None
    for stored in rows:
        if stored.kind in ("propose", "accept") and stored.place == 0:
            found.append(_verified(stored, roster, register=True))
            roster = roster_of(found)
    if roster is None:
        raise BadDisk("home.no_proposal", "expected the proposal among the stored events, got none")
    return tuple(found), roster


def _verified(stored: StoredEvent, roster: Roster | None, *, register: bool = False) -> Verified:
    try:
        return verify_event(stored.line, roster, _own_key(stored) if register else ())
    except PbemError as error:
        raise BadDisk(
            "home.event",
            f"expected event {stored.event_id[:12]} of step {stored.step} to hold as it did when it came, got {error}",
            "the home is damaged: restore a backup, or ask the other party for `pbem archive`",
        ) from None


def _own_key(stored: StoredEvent) -> tuple[bytes, ...]:
    """The key that a stored registration registers; it was checked when the event came in."""
    from pbem.log import envelope, event

    registration = registration_of(event.read(envelope.from_line(stored.line).payload))
    return (bytes.fromhex(registration.key),) if registration else ()


def _start(
    reader: Reader, row: StoredGame, registrations: Sequence[Verified], games: Games, *, whole: bool
) -> tuple[Campaign[Any], int]:
    proposal = registrations[0].event.body
    assert isinstance(proposal, Propose)
    ruleset = games(proposal.ruleset)
    if not whole:
        for stored in reader.snapshots(row.game_id):
            if stored.key == snapshot_key(ruleset.digest):
                kept = snapshots.read(stored.state)
                return Campaign.resume(ruleset, registrations, kept), kept.step + 1
    campaign = Campaign(ruleset, registrations[0])
    for accepted in registrations[1:]:
        campaign.offer(accepted)
    return campaign, 1


def snapshot_key(ruleset_digest: str) -> str:
    """What a snapshot depends on besides the log."""
    return f"{__version__}/{ruleset_digest}"


def _check_stored(result: Assembled, resolutions: Sequence[Verified]) -> None:
    if result.refused and not resolutions:
        verified, reason = result.refused[0]
        raise BadDisk(
            "home.event",
            f"expected {verified.title} to hold as it did when it came, got {reason}",
            "the home is damaged, or this is another version of the rules: compare `pbem games`",
        )


def signed_ahead(reader: Reader, opened: OpenGame) -> int:
    """The latest step that this home's role has signed at beyond the log of this home, 0 when there is none.

    Such an event came early: its log is there, but not here. What a settled fork has cut off counts no more.
    """
    ids, place = opened.ids(), opened.campaign.place.step
    settled = [row for row in opened.rows if row.kind_class == "aside"]
    steps = [0]
    for row in reader.refusals(opened.row.game_id):
        if row.code == EARLY and row.event_id not in ids:
            statement = verify_event(row.line, opened.campaign.roster).event
            cut_off = any(one.step <= statement.step and one.arrived >= row.arrived for one in settled)
            if statement.role == opened.role and statement.step >= place and not cut_off:
                steps.append(statement.step)
    return max(steps)


def stored_snapshot(opened: OpenGame) -> Snapshot | None:
    """The campaign's latest snapshot as a row, None when it has none that is new."""
    kept = opened.campaign.snapshot
    if kept is None:
        return None
    key = snapshot_key(opened.campaign.ruleset.digest)
    return Snapshot(opened.row.game_id, kept.step, key, snapshots.write(kept))

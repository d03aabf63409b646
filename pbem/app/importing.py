"""Importing: events that came by mail are verified, put in their places, and answered where no human is needed.

Everything of one game happens in one transaction. An event is in the log, or kept apart with the reason, or
was there already; order and repetition of mails do not matter.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from pbem.app.desk import Desk
from pbem.app.opened import OpenGame, open_game, roster_of
from pbem.app.routing import Arrived, Incoming
from pbem.app.signing import answer_by_itself, finish, store
from pbem.app.summary import owed
from pbem.engine.assembly import assemble
from pbem.errors import BadEvidence, BadRequest, PbemError
from pbem.log.event import OUT_OF_STEP, Resolve
from pbem.log.fork import fork
from pbem.log.roster import Roster, registration_of
from pbem.log.verify import DAY, Verified, verify_event
from pbem.store.rows import Appended, StoredRefusal
from pbem.store.writing import Writer

EARLY = "import.early"
CLOCK_TOLERANCE = DAY
"""Seconds that a sender's clock may be ahead of ours."""


@dataclass(slots=True)
class Imported:
    """What became of one game's events, and what the program answered by itself."""

    game: str
    taken: int = 0
    known: int = 0
    early: int = 0
    refused: list[PbemError] = field(default_factory=list)
    answered: list[str] = field(default_factory=list)
    told: list[str] = field(default_factory=list)
    missing: str = ""
    fork: str = ""


@dataclass(slots=True)
class ImportResult:
    """Everything that one `pbem import` did."""

    games: list[Imported] = field(default_factory=list)
    proposals: list[Verified] = field(default_factory=list)
    failed: list[PbemError] = field(default_factory=list)


def import_arrived(desk: Desk, arrived: Arrived) -> ImportResult:
    """Take in everything that arrived; what fails in one game does not keep the others from being taken in."""
    result = ImportResult(failed=list(arrived.damaged))
    for game, bundles in _by_game(arrived.bundles).items():
        try:
            _import_game(desk, game, bundles, result)
        except PbemError as error:
            result.failed.append(error)
    return result


def _by_game(bundles: Iterable[Incoming]) -> dict[str, list[Incoming]]:
    found: dict[str, list[Incoming]] = {}
    for incoming in bundles:
        found.setdefault(incoming.game, []).append(incoming)
    return found


def _import_game(desk: Desk, game: str, bundles: list[Incoming], result: ImportResult) -> None:
    if game not in {row.game_id for row in desk.home.games()}:
        result.proposals.append(_unknown_game(bundles[0]))
        return
    desk.vault()
    with desk.home.writing() as writer:
        opened = open_game(writer, game, desk.games)
        lines_before = len(opened.campaign.lines)
        imported = Imported(opened.row.name)
        events = _verified(opened, bundles, imported)
        opened = _take(desk, writer, opened, events, imported)
        imported.answered = answer_by_itself(desk, writer, opened)
        imported.told = [line.text for line in opened.campaign.lines[lines_before:]]
        _describe_fork(opened, imported)
        finish(writer, opened)
    result.games.append(imported)


def _unknown_game(found: Incoming) -> Verified:
    """The proposal of a game that this home does not have; BadEvidence for any other event of one."""
    from pbem.app.propose import read_proposal

    try:
        return read_proposal(found)
    except BadEvidence:
        raise BadEvidence(
            "import.foreign",
            f"expected a turn file of a game of this home, got one of game {found.game[:12]} in {found.origin}",
            "accept its proposal first, or use the home that plays it (PBEM_HOME)",
        ) from None


def _verified(opened: OpenGame, bundles: Iterable[Incoming], imported: Imported) -> list[Verified]:
    """Every event whose signature holds and that is new; what does not hold is told."""
    known = opened.ids()
    registrations = list(opened.registrations)
    roster = opened.campaign.roster
    found: dict[str, Verified] = {}
    for incoming in bundles:
        for line in incoming.lines:
            try:
                verified = verify_event(line, roster, incoming.keys)
            except BadEvidence as error:
                imported.refused.append(error)
                continue
            if verified.id in known or verified.id in found:
                imported.known += 1
                continue
            found[verified.id] = verified
            roster = _joined(roster, registrations, verified)
    return list(found.values())


def _joined(roster: Roster, registrations: list[Verified], verified: Verified) -> Roster:
    """The roster for the lines that follow: an acceptance brings in the key of its role."""
    joins = registration_of(verified.event) is not None and verified.event.role in roster.absent()
    if not joins:
        return roster
    registrations.append(verified)
    return roster_of(registrations)


def _take(desk: Desk, writer: Writer, opened: OpenGame, events: list[Verified], imported: Imported) -> OpenGame:
    """Store what stands beside the log and what contradicts it, rebuild, then offer the rest."""
    asides = [event for event in events if event.event.kind in OUT_OF_STEP]
    moves = [event for event in events if event.event.kind not in OUT_OF_STEP]
    rivals = [event for event in moves if _is_rival(writer, opened, event)]
    for verified in rivals:
        store(writer, opened, verified, desk.clock())
    kept = [aside for aside in asides if _keep_resolution(desk, writer, opened, aside, imported)]
    imported.taken += len(rivals) + len(kept)
    if rivals or kept:
        writer.drop_snapshots(opened.row.game_id)
        opened = open_game(writer, opened.row.game_id, desk.games)
    waiting = [event for event in (*moves, *_kept_early(writer, opened)) if event not in rivals]
    ahead = [event for event in waiting if event.event.at > desk.clock() + CLOCK_TOLERANCE]
    _keep_ahead(writer, opened, ahead, imported, desk.clock())
    _assemble(desk, writer, opened, [event for event in waiting if event not in ahead], imported)
    return opened


def _keep_ahead(writer: Writer, opened: OpenGame, ahead: list[Verified], imported: Imported, now: int) -> None:
    """Events dated in the future wait until then: a deadline is counted from dates, and nobody may put one off."""
    for verified in ahead:
        days = -(-(verified.event.at - now) // DAY)
        _keep_apart(writer, opened, verified, BadEvidence(EARLY, "it is dated in the future"), now)
        imported.early += 1
        imported.missing = (
            f"{verified.title} is dated {days} days after this machine's clock and waits until then: "
            "compare the clocks of both machines"
        )


def _keep_resolution(desk: Desk, writer: Writer, opened: OpenGame, aside: Verified, imported: Imported) -> bool:
    body = aside.event.body
    assert isinstance(body, Resolve)
    if body.role == aside.event.role:
        reason = BadEvidence("resolve.own", f"expected a fork of another role to be settled, got {aside.title}")
        imported.refused.append(reason)
        return False
    store(writer, opened, aside, desk.clock(), "aside")
    return True


def _is_rival(writer: Writer, opened: OpenGame, verified: Verified) -> bool:
    """Whether a different event of the same role stands at this place of the log already."""
    statement = verified.event
    for row in writer.events(opened.row.game_id):
        if row.step == statement.step and row.role == statement.role and row.kind_class == "log":
            other = verify_event(row.line, opened.campaign.roster, (verified.key,))
            if other.event.prev == statement.prev and fork(other, verified):
                return True
    return False


def _kept_early(writer: Writer, opened: OpenGame) -> list[Verified]:
    """Events that came before their time and were kept for it."""
    known = {row.event_id for row in writer.events(opened.row.game_id)}
    kept = [row for row in writer.refusals(opened.row.game_id) if row.code == EARLY and row.event_id not in known]
    return [verify_event(row.line, opened.campaign.roster) for row in kept]


def _assemble(desk: Desk, writer: Writer, opened: OpenGame, events: list[Verified], imported: Imported) -> None:
    now = desk.clock()
    pending = {event.id for event in opened.campaign.pending()}
    result = assemble(opened.campaign, events, opened.resolutions)
    opened.fork = opened.fork or result.fork
    if result.fork:
        result.accepted += [one for one in (result.fork.first, result.fork.second) if one.id not in pending]
    for verified in result.accepted:
        if store(writer, opened, verified, now) is not Appended.DUPLICATE:
            opened.fresh.append(verified)
            imported.taken += 1
    for verified, reason in result.refused:
        _keep_apart(writer, opened, verified, reason, now)
        imported.refused.append(reason)
    for verified in result.early:
        _keep_apart(writer, opened, verified, BadEvidence(EARLY, "it came before its time"), now)
        imported.early += 1
    for verified in result.overtaken:
        reason = BadEvidence("import.overtaken", f"expected an event that follows this log, got {verified.title}")
        _keep_apart(writer, opened, verified, reason, now)
        imported.refused.append(reason)
    _name_missing(opened, result.early, imported)


def _keep_apart(writer: Writer, opened: OpenGame, verified: Verified, reason: PbemError, now: int) -> None:
    writer.refuse(StoredRefusal(opened.row.game_id, verified.id, reason.code, reason.text, now, verified.line))


def _name_missing(opened: OpenGame, early: list[Verified], imported: Imported) -> None:
    if not early or imported.missing:
        return
    step, first = opened.campaign.place.step, min(event.event.step for event in early)
    imported.missing = (
        f"a mail is missing: events of step {first} and later wait for step {step}, where {owed(opened.campaign)} has "
        "not come; ask the other side for all it has: `pbem export --all`"
    )


def _describe_fork(opened: OpenGame, imported: Imported) -> None:
    if opened.fork:
        one, other = opened.fork.first, opened.fork.second
        imported.fork = (
            f"{one.event.role} signed two different events at step {one.event.step}: {one.id} and {other.id}"
        )


def require_something(result: ImportResult) -> None:
    """Raise the first failure when nothing at all was taken in."""
    taken = any(game.taken or game.known or game.early for game in result.games) or result.proposals
    failures = [*result.failed, *(reason for game in result.games for reason in game.refused)]
    if failures and not taken:
        raise failures[0]
    if not taken and not failures:
        raise BadRequest("import.nothing", "expected a turn file, got none")

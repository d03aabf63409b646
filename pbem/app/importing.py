"""Importing: events that came by mail are verified, put in their places, and answered where no human is needed.

Everything of one game happens in one transaction. An event is in the log, or kept apart with the reason, or
was there already; order and repetition of mails do not matter.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from pbem.app.desk import Desk
from pbem.app.opened import EARLY, OpenGame, open_game, roster_of
from pbem.app.reading import replayed_to
from pbem.app.routing import Arrived, Incoming
from pbem.app.signing import answer_by_itself, finish, store
from pbem.app.summary import owed
from pbem.engine.assembly import assemble
from pbem.errors import BadEvidence, BadRequest, PbemError
from pbem.log.event import OUT_OF_STEP, Lapse, Resolve
from pbem.log.fork import fork
from pbem.log.roster import Roster, registration_of
from pbem.log.verify import DAY, Verified, verify_event
from pbem.store.rows import Appended, StoredEvent, StoredRefusal
from pbem.store.writing import Writer

CLOCK_TOLERANCE = DAY
"""Seconds that a sender's clock may be ahead of ours."""
MOST_BAD = 100
"""Lines of one bundle that do not hold before the rest is left unread: a stranger's file costs little."""
MOST_CONTRARY = 8
"""Events of one import that are tried at a step gone by, since each costs a replay of the game."""


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
    joined: dict[str, str] = field(default_factory=dict)


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
        imported.joined = {one.event.role: one.key.hex() for one in opened.fresh if registration_of(one.event)}
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
        bad = 0
        for line in incoming.lines:
            try:
                verified = verify_event(line, roster, incoming.keys)
                roster = _joined(roster, registrations, verified)
            except BadEvidence as error:
                imported.refused.append(error)
                bad += 1
                if bad == MOST_BAD:
                    imported.refused.append(_unread(incoming))
                    break
                continue
            if verified.id in known or verified.id in found:
                imported.known += 1
            else:
                found[verified.id] = verified
    return list(found.values())


def _unread(incoming: Incoming) -> BadEvidence:
    text = f"expected a turn file of events, got {MOST_BAD} lines that do not hold in {incoming.origin}"
    return BadEvidence("import.unread", text, "the rest of it was not read: ask for a new one")


def _joined(roster: Roster, registrations: list[Verified], verified: Verified) -> Roster:
    """The roster for the lines that follow: an acceptance brings in the key of its role."""
    joins = registration_of(verified.event) is not None and verified.event.role in roster.absent()
    if not joins:
        return roster
    joined = roster_of([*registrations, verified])
    registrations.append(verified)
    return joined


def _take(desk: Desk, writer: Writer, opened: OpenGame, events: list[Verified], imported: Imported) -> OpenGame:
    """Store what stands beside the log and what contradicts it, rebuild, then offer the rest."""
    asides = [event for event in events if event.event.kind in OUT_OF_STEP]
    moves = [event for event in events if event.event.kind not in OUT_OF_STEP]
    contrary = [event for event in moves if _changes_the_past(writer, opened, event)][:MOST_CONTRARY]
    rivals = [event for event in contrary if _would_stand(desk, writer, event)]
    for verified in rivals:
        store(writer, opened, verified, desk.clock())
    kept = [aside for aside in asides if _keep_resolution(desk, writer, opened, aside, imported)]
    imported.taken += len(rivals) + len(kept)
    if rivals or kept:
        writer.drop_snapshots(opened.row.game_id)
        opened = open_game(writer, opened.row.game_id, desk.games)
    waiting = [event for event in [*moves, *_kept_early(writer, opened)] if event not in rivals]
    now = desk.clock()
    premature = {event.id: why for event in waiting if (why := _premature(event, opened, now))}
    _keep_premature(writer, opened, [event for event in waiting if event.id in premature], premature, imported, now)
    _assemble(desk, writer, opened, [event for event in waiting if event.id not in premature], imported)
    return opened


def _premature(verified: Verified, opened: OpenGame, now: int) -> str:
    """Why the time of an event has not come by this home's clock, or an empty string.

    A deadline is counted from dates, and a date is whatever its author says: so nothing is believed that is dated in
    the future, nor that this home is late before the deadline has gone by since the step before came to it.
    """
    statement = verified.event
    if statement.at > now + CLOCK_TOLERANCE:
        days = -(-(statement.at - now) // DAY)
        return (
            f"is dated {days} days after this machine's clock and waits until then: compare the clocks of both machines"
        )
    if not isinstance(statement.body, Lapse) or statement.body.role != opened.role:
        return ""
    came = [row.arrived for row in opened.rows if row.step == statement.step - 1 and row.kind_class == "log"]
    days = opened.campaign.place.deadline_days
    if now >= max(came, default=now) + days * DAY:
        return ""
    return f"is not believed: by this machine's clock you have had less than {days} days; answer now"


def _keep_premature(
    writer: Writer, opened: OpenGame, events: list[Verified], why: dict[str, str], imported: Imported, now: int
) -> None:
    for verified in events:
        _keep_apart(writer, opened, verified, BadEvidence(EARLY, f"it {why[verified.id]}"), now)
        imported.early += 1
        imported.missing = f"{verified.title} {why[verified.id]}"


def _keep_resolution(desk: Desk, writer: Writer, opened: OpenGame, aside: Verified, imported: Imported) -> bool:
    body = aside.event.body
    assert isinstance(body, Resolve)
    if body.role == aside.event.role:
        reason = BadEvidence("resolve.own", f"expected a fork of another role to be settled, got {aside.title}")
        imported.refused.append(reason)
        return False
    store(writer, opened, aside, desk.clock(), "aside")
    return True


def _changes_the_past(writer: Writer, opened: OpenGame, verified: Verified) -> bool:
    """Whether an event contradicts one of its role at its place of the log, or was claimed there not to come."""
    if registration_of(verified.event) is not None:
        return False  # the first acceptance of a role counts: the digest of step 1 holds everybody to it
    known = writer.events(opened.row.game_id)
    rows = [row for row in known if row.step == verified.event.step]
    voids = not _played_on(known, verified) and any(_voids(row, opened, verified) for row in rows)
    return voids or any(_makes_fork(row, opened, verified) for row in rows)


def _played_on(rows: Iterable[StoredEvent], verified: Verified) -> bool:
    """Whether a claim has become final: the silent role has played on from it, or links for later dice are open.

    Whoever could take back a step behind which links are open would know the dice that come instead.
    """
    later = [row for row in rows if row.step > verified.event.step and row.kind_class == "log"]
    return any(row.kind == "entropy" or (row.role == verified.event.role and row.kind != "close") for row in later)


def _makes_fork(row: StoredEvent, opened: OpenGame, verified: Verified) -> bool:
    if row.role != verified.event.role or row.kind_class != "log":
        return False
    return fork(verify_event(row.line, opened.campaign.roster, (verified.key,)), verified) is not None


def _voids(row: StoredEvent, opened: OpenGame, verified: Verified) -> bool:
    """Whether a stored lapse closed a step that has gone by, and this is what was owed there (late, but before the
    game is closed by all)."""
    if row.kind != "lapse" or opened.campaign.place.step <= row.step or _closed_by_all(opened):
        return False
    lapse = verify_event(row.line, opened.campaign.roster).event
    return isinstance(lapse.body, Lapse) and (lapse.body.role, lapse.prev) == (verified.event.role, verified.event.prev)


def _closed_by_all(opened: OpenGame) -> bool:
    return opened.campaign.finished and all(event.event.kind == "close" for event in opened.campaign.steps[-1].events)


def _would_stand(desk: Desk, writer: Writer, verified: Verified) -> bool:
    """Whether the log and the rules would have taken an event, had it come first: only such a one changes anything."""
    whole = open_game(writer, verified.event.game, desk.games, whole=True).campaign
    try:
        replayed_to(whole, verified.event.step - 1).offer(verified)
    except PbemError:
        return False
    return True


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
        reason = _overtaken(verified, opened)
        if _keep_apart(writer, opened, verified, reason, now) is Appended.DUPLICATE:
            imported.known += 1
        else:
            imported.refused.append(reason)
    _name_missing(opened, result.early, imported)


def _overtaken(verified: Verified, opened: OpenGame) -> BadEvidence:
    party = opened.campaign.roster.parties.get(verified.event.role)
    if registration_of(verified.event) is None or party is None:
        return BadEvidence("import.overtaken", f"expected an event that follows this log, got {verified.title}")
    if party.key == verified.key:
        text = f"expected one acceptance of {party.role}, got another one by the same key"
        return BadEvidence("import.accepted", text)
    return BadEvidence(
        "import.seat_taken",
        f"expected one acceptance of {party.role}, got another one by another key",
        f"a stranger may have accepted first: compare the key words of {party.role} that `pbem verify "
        f"{opened.row.name} --running` shows with your opponent by telephone",
    )


def _keep_apart(writer: Writer, opened: OpenGame, verified: Verified, reason: PbemError, now: int) -> Appended:
    """Keep an event with the reason why it is not in the log; nothing is kept of somebody without a seat."""
    if verified.key not in opened.campaign.roster.keys():  # noqa: SIM118 - a method of the roster, no mapping
        return Appended.NEW
    refusal = StoredRefusal(opened.row.game_id, verified.id, reason.code, reason.text, now, verified.line)
    return writer.refuse(refusal)


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

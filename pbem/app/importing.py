"""Importing: events that came by mail are verified, put in their places, and answered where no human is needed.

Everything of one game happens in one transaction. An event is in the log, or kept apart with the reason, or
was there already; order and repetition of mails do not matter.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from pbem.app.apart import Apart, Kept
from pbem.app.aside import list_again
from pbem.app.catalogue import for_proposal
from pbem.app.checking import Checked
from pbem.app.claiming import claim_against, claimed, is_claim_on, late_answer
from pbem.app.desk import Desk
from pbem.app.forks import fork_data, fork_sentence, named, rival_lines
from pbem.app.opened import EARLY, OpenGame, asks_for_rules, is_cut_off, open_game
from pbem.app.regaining import regain
from pbem.app.rivals import contradicting, tells_something
from pbem.app.routing import Arrived, Incoming
from pbem.app.secrets import bad_deposits, bad_deposits_key
from pbem.app.settling import keep_settlements, told_settlements
from pbem.app.signing import answer_by_itself, finish, store
from pbem.app.summary import holds_seat, owed
from pbem.app.yielding import came_back, counts_again, without_given_way
from pbem.engine.assembly import Assembled, assemble
from pbem.engine.campaign import Campaign
from pbem.engine.run import TooEarly
from pbem.errors import BadEvidence, BadRequest, PbemError
from pbem.log.event import (
    OUT_OF_STEP,
    UNILATERAL,
    Answer,
    Consent,
    Lapse,
    Request,
    Resolve,
    Role,
    Ruling,
    Withdraw,
)
from pbem.log.roster import registration_of
from pbem.log.verify import DAY, MOST_REQUESTS, MOST_REQUESTS_IN_LOG, Verified, verify_place
from pbem.store.reading import Reader
from pbem.store.rows import Appended
from pbem.store.writing import Writer

CLOCK_TOLERANCE = DAY
"""Seconds that a sender's clock may be ahead of ours."""
CUT_OFF = "import.cut_off"
"""The code under which events are kept that a settlement has left behind."""


@dataclass(slots=True)
class Imported:
    """What became of one game's events, and what the program answered by itself.

    `fork` says who has signed twice, `rivals` both events, one line each; `settled` what was settled by this import,
    and `cut_off` counts events that stand behind an overruled one; `missing` says what has to come first.
    """

    game: str
    taken: int = 0
    known: int = 0
    early: int = 0
    refused: list[PbemError] = field(default_factory=list)
    answered: list[str] = field(default_factory=list)
    told: list[str] = field(default_factory=list)
    missing: str = ""
    fork: str = ""
    rivals: list[str] = field(default_factory=list)
    settled: list[str] = field(default_factory=list)
    cut_off: int = 0
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
            _import_whole_if_needed(desk, game, bundles, result)
        except PbemError as error:
            result.failed.append(error)
        except Exception as error:  # the rules of one game, or data that a player made, must not lose the others' mail
            result.failed.append(_crashed(desk, game, error))
    return result


def _import_whole_if_needed(desk: Desk, game: str, bundles: list[Incoming], result: ImportResult) -> None:
    try:
        _import_game(desk, game, bundles, result)
    except TooEarly:  # a motion goes back behind the snapshot
        _import_game(desk, game, bundles, result, whole=True)


def _crashed(desk: Desk, game: str, error: Exception) -> BadEvidence:
    """What is told of a game whose rules broke over what came; its transaction was rolled back as a whole."""
    known = desk.home.known(game)
    name = known.name if known else game[:12]
    text = f"expected the rules of game {name} to take or refuse what came, got {type(error).__name__} ({error})"
    hint = "nothing of that game was changed; this is a fault of the program or of the game's data: report it"
    return BadEvidence("import.crashed", text, hint)


def _by_game(bundles: Iterable[Incoming]) -> dict[str, list[Incoming]]:
    found: dict[str, list[Incoming]] = {}
    for incoming in bundles:
        found.setdefault(incoming.game, []).append(incoming)
    return found


def _import_game(desk: Desk, game: str, bundles: list[Incoming], result: ImportResult, *, whole: bool = False) -> None:
    if desk.home.known(game) is None:
        result.proposals.append(_unknown_game(bundles[0]))
        return
    desk.vault()
    desk = _with_rules_that_come(desk, game, bundles)
    with desk.home.writing(game) as writer:
        opened = open_game(writer, game, desk.games, whole=whole)
        imported = Imported(opened.row.name)
        before = {row.event_id: row.place for row in opened.rows}
        events = _verified(opened, bundles, imported)
        apart = Apart(writer, opened, desk.clock())
        apart.whole = _whole_logs(opened, bundles)
        opened = _take(desk, writer, opened, events, apart, imported)
        if opened.from_step > 1 and asks_for_rules(opened.campaign):
            raise TooEarly  # what other rules would change is replayed from the first step
        imported.joined = {one.event.role: one.key.hex() for one in opened.fresh if registration_of(one.event)}
        regain(desk, writer, opened)
        imported.answered = answer_by_itself(desk, writer, opened)
        if opened.role == opened.campaign.roster.judge:
            told = " and ".join(bad_deposits(desk, opened.campaign))
            writer.put_meta(bad_deposits_key(game), told.encode("ascii"))
        ended = open_game(writer, game, desk.games, whole=True) if opened.campaign.audit.partial else opened
        imported.told = _told(ended, before, settled=bool(imported.settled))
        _describe_fork(opened, imported)
        if imported.taken:
            list_again(writer, game)
        finish(writer, opened)
    result.games.append(imported)


def _whole_logs(opened: OpenGame, bundles: Iterable[Incoming]) -> frozenset[bytes]:
    """The lines of those bundles that begin with the proposal: they hold all that their sender has."""
    return frozenset(line for one in bundles if opened.rows[0].line in one.lines for line in one.lines)


def _with_rules_that_come(desk: Desk, game: str, bundles: Iterable[Incoming]) -> Desk:
    """The desk, with the game's own data too where what came tells of a change to those of the desk."""
    if desk.data is None:
        return desk
    lines = (line for incoming in bundles for line in incoming.lines)
    known = for_proposal(desk.data).where_named(desk.home.game(game).ruleset, lines)
    return replace(desk, ours_too=known.ours_too)


def _told(opened: OpenGame, before: dict[str, int], *, settled: bool) -> list[str]:
    """The narrative from the first step on that the import has closed, or closed in another way.

    `before` holds the events that were stored before, with the place of each: of two at one step it was the first
    that counted until a settlement said otherwise.
    """

    def is_new(event: str) -> bool:
        return event not in before or (settled and before[event] > 0)

    closed = [step.number for step in opened.campaign.steps if any(is_new(one.id) for one in step.events)]
    first = min((number for number in closed if number > 0), default=None)
    return [] if first is None else [line.text for line in opened.campaign.lines if line.step >= first]


def _unknown_game(found: Incoming) -> Verified:
    """The proposal of a game that this home does not have; BadEvidence for any other event of one."""
    from pbem.app.propose import read_proposal

    try:
        return read_proposal(found)
    except BadEvidence as error:
        if error.code == "accept.empty":
            raise BadEvidence(
                "import.empty",
                f"expected events in a turn file, got one without any in {found.origin}",
                "ask its sender for a new one: `pbem export --all`",
            ) from None
        raise BadEvidence(
            "import.foreign",
            f"expected a turn file of a game of this home, got one of game {found.game[:12]} in {found.origin}",
            "accept its proposal first, or use the home that plays it (PBEM_HOME)",
        ) from None


def _verified(opened: OpenGame, bundles: Iterable[Incoming], imported: Imported) -> list[Verified]:
    """Every event whose signature holds and that is new; what does not hold is told."""
    checked = Checked(opened)
    for incoming in bundles:
        checked.take(incoming)
    imported.known += checked.known
    imported.refused += checked.refused
    return list(checked.new.values())


def _take(
    desk: Desk, writer: Writer, opened: OpenGame, events: list[Verified], apart: Apart, imported: Imported
) -> OpenGame:
    """Store what stands beside the log and what contradicts it, rebuild, then offer the rest."""
    asides = [event for event in events if event.event.kind in OUT_OF_STEP]
    moves = [event for event in events if event.event.kind not in OUT_OF_STEP]
    moves = _few_requests(moves, opened, apart.early(moves), imported)
    moves = without_given_way(moves, asides, opened)
    seen = [*moves, *apart.early(moves)]
    moves = _dated_in_time(seen, opened, apart, imported)
    believes = _believer(writer, opened, apart.now)
    rivals = contradicting(desk, writer, opened, [one for one in moves if not believes(one, opened)])
    for verified in rivals:
        store(writer, opened, verified, desk.clock())
    kept = keep_settlements(desk, writer, opened, asides, moves)
    imported.known += kept.known
    imported.refused += kept.refused
    before = opened.resolutions
    back = came_back(desk, writer, opened, moves)
    imported.taken += len(rivals) + len(kept.taken) + len(kept.claims) + len(back)
    if rivals or kept.taken or back:
        writer.drop_snapshots(opened.row.game_id)
        opened = open_game(writer, opened.row.game_id, desk.games, whole=opened.from_step == 1)
        apart.turn_to(opened)
        moves += _dated_in_time(apart.early(seen), opened, apart, imported)
    done = {event.id for event in (*rivals, *kept.claims, *back)}
    waiting = [event for event in moves if event.id not in done]
    premature = {event.id: why for event in waiting if (why := believes(event, opened))}
    _keep_premature(apart, [event for event in waiting if event.id in premature], premature, imported)
    _assemble(desk, writer, opened, [event for event in waiting if event.id not in premature], apart, imported)
    imported.refused += apart.left_out()
    imported.settled = told_settlements(desk, writer, opened, kept.taken)
    imported.settled += [counts_again(one, opened) for one in before if one not in opened.resolutions]
    return opened


def _few_requests(moves: list[Verified], opened: OpenGame, early: list[Verified], imported: Imported) -> list[Verified]:
    """The moves without requests beyond those of one role at one step that are worth to be kept.

    Beside these is kept what counts whatever else was asked: what a consent at hand names, here or among what is
    `early`, and one of each matter that needs no consent.
    """
    made = Counter((row.role, row.step) for row in opened.rows if row.kind in ("request", "withdraw"))
    agreed = _agreed_to([*moves, *early, *opened.campaign.pending()])
    free = {_free(one) for one in opened.campaign.requests}
    kept = []
    for verified in moves:
        asked, matter = (str(verified.event.role), verified.event.step), _free(verified)
        if isinstance(verified.event.body, Request | Withdraw):
            counts = bool(agreed.get(verified.id, set()) - {verified.event.role} or (matter and matter not in free))
            if made[asked] >= (MOST_REQUESTS_IN_LOG if counts else MOST_REQUESTS):
                text = f"expected at most {MOST_REQUESTS} requests of {asked[0]} at step {asked[1]}, got another one"
                imported.refused.append(BadEvidence("import.requests", text, "decide, or agree to one of the others"))
                continue
            made[asked] += 1
            free.add(matter)
        kept.append(verified)
    return kept


def _free(verified: Verified) -> tuple[Role, int, str] | None:
    """Whose request for which matter that needs nobody's consent an event is, None for any other one."""
    body = verified.event.body
    if not isinstance(body, Request) or body.what not in UNILATERAL:
        return None
    return verified.event.role, verified.event.step, body.what


def _agreed_to(events: Iterable[Verified]) -> dict[str, set[Role]]:
    """Who agrees to which request, by its id, or grants it."""
    found: dict[str, set[Role]] = {}
    for verified in events:
        body = verified.event.body
        if isinstance(body, Consent | Ruling) and body.agree and body.motion:
            found.setdefault(body.motion, set()).add(verified.event.role)
    return found


def _dated_in_time(moves: list[Verified], opened: OpenGame, apart: Apart, imported: Imported) -> list[Verified]:
    """The moves that are not dated in the future; the others have no effect of any kind before their date has come.

    A deadline is counted from dates, and a date is whatever its author says: a step dated a century ahead would never
    be late. One of them at a step gone by is refused, since it waits for nothing; it can be sent again.
    """
    why = {one.id: told for one in moves if (told := _postdated(one, apart.now))}
    late = [one for one in moves if one.id in why and one.event.step < opened.campaign.place.step]
    for verified in late:
        text = f"expected an event dated by a clock like this one's, got {named(verified)}, which {why[verified.id]}"
        imported.refused.append(BadEvidence("import.postdated", text, "it changes nothing, and can be sent again then"))
    ahead = [one for one in moves if one.id in why and one not in late]
    _keep_premature(apart, ahead, why, imported)
    return [one for one in moves if one.id not in why]


def _postdated(verified: Verified, now: int) -> str:
    """How far an event is dated in the future, or an empty string."""
    if verified.event.at <= now + CLOCK_TOLERANCE:
        return ""
    days = -(-(verified.event.at - now) // DAY)
    return f"is dated {days} days after this machine's clock and waits until then: compare the clocks of both machines"


def _believer(reader: Reader, opened: OpenGame, now: int) -> Callable[[Verified, OpenGame], str]:
    """Says why a claim is not believed; whoever waits for a seat, or has given it away, is late for nothing."""
    if not holds_seat(reader, opened):
        return lambda *_: ""
    return partial(_premature, now=now)


def _premature(verified: Verified, opened: OpenGame, now: int) -> str:
    """Why a claim that this home is late is not believed, or an empty string.

    The deadline must have gone by since the step before came to this home, whatever its date says.
    """
    statement = verified.event
    body = statement.body
    if not isinstance(body, Lapse | Ruling) or _is_on_motion(body) or body.role != opened.role:
        return ""
    if statement.step > opened.campaign.place.step:  # what is said not to be answered is not even asked here yet
        return f"is not believed: you have not had the {opened.campaign.place.deadline_days} days; answer now"
    came = [row.arrived for row in opened.rows if row.step == statement.step - 1 and row.kind_class == "log"]
    if opened.campaign.place.paused:  # counted from when this home was asked to let the game go on
        came += [row.arrived for row in opened.rows if row.step == statement.step and row.kind == "request"] or [now]
    days = opened.campaign.place.deadline_days
    if now >= max(came, default=now) + days * DAY:
        return ""
    return f"is not believed: by this machine's clock you have had less than {days} days; answer now"


def _is_on_motion(body: Lapse | Ruling) -> bool:
    """Whether a ruling needs no deadline."""
    return isinstance(body, Ruling) and (bool(body.motion) or body.demand == "consent")


def _keep_premature(apart: Apart, events: list[Verified], why: dict[str, str], imported: Imported) -> None:
    for verified in events:
        if apart.keep(verified, BadEvidence(EARLY, f"it {why[verified.id]}")) is not Kept.LEFT_OUT:
            imported.early += 1
        imported.missing = f"{named(verified)} {why[verified.id]}"


def _assemble(
    desk: Desk, writer: Writer, opened: OpenGame, events: list[Verified], apart: Apart, imported: Imported
) -> None:
    pending = {event.id for event in opened.campaign.pending()}
    result = _assembled(opened, events)
    opened.fork = opened.fork or result.fork
    if result.fork:
        both = (one for one in (result.fork.first, result.fork.second) if one.id not in pending)
        result.accepted += [one for one in both if tells_something(one, opened)]
    dropped = [one for one in result.overtaken if _is_dropped(one, opened)]
    for verified in [*result.accepted, *dropped]:
        if store(writer, opened, verified, desk.clock()) is not Appended.DUPLICATE:
            opened.fresh.append(verified)
            imported.taken += 1
    for verified, reason in result.refused:
        apart.keep(verified, reason)
        imported.refused.append(reason)
    waiting = [one for one in result.early if not _waits_in_vain(opened, one, apart)]
    _keep_early(result.early, apart, imported)
    overtaken = [one for one in result.overtaken if one not in dropped]
    overtaken.sort(key=lambda one: is_claim_on(one.event.body, opened.role))  # what stands behind a claim is known then
    _keep_overtaken(writer, opened, overtaken, apart, imported)
    _name_missing(writer, opened, waiting, apart, imported)


def _assembled(opened: OpenGame, events: list[Verified]) -> Assembled:
    """Offer events to the campaign; what its place or the rules refuse makes no fork with what they take."""
    campaign = opened.campaign
    result = assemble(campaign, events, opened.resolutions)
    while result.fork:
        here = campaign.place
        there = [one for one in events if (one.event.step, one.event.prev) == (here.step, here.prev)]
        unfit = [(one, why) for one in there if (why := _unfit(campaign, one))]
        if not unfit:
            break
        result.refused += unfit
        done = {one.id for one in (*result.accepted, *result.overtaken, *(one for one, _ in result.refused))}
        events = [one for one in events if one.id not in done]
        again = assemble(campaign, events, opened.resolutions)
        again.accepted[:0], again.overtaken[:0], again.refused[:0] = result.accepted, result.overtaken, result.refused
        result = again
    return result


def _unfit(campaign: Campaign[Any], verified: Verified) -> PbemError | None:
    """Why an event of the present step would be refused there, None when it would not."""
    body = verified.event.body
    try:
        verify_place(verified, campaign.place)
        if isinstance(body, Answer) and verified.event.role in campaign.awaited():
            campaign.read_answer(verified.event.role, body.value)
    except PbemError as reason:
        return reason
    return None


def _keep_early(early: list[Verified], apart: Apart, imported: Imported) -> None:
    imported.early += len(apart.unreached)
    for verified in early:
        if apart.keep(verified, BadEvidence(EARLY, "it came before its time")) is not Kept.LEFT_OUT:
            imported.early += 1


def _is_dropped(verified: Verified, opened: OpenGame) -> bool:
    """Whether a settlement has overruled this very event; it is kept beside the one that stands."""
    return any(isinstance(one.event.body, Resolve) and one.event.body.drop == verified.id for one in opened.resolutions)


def _keep_overtaken(
    reader: Reader, opened: OpenGame, overtaken: list[Verified], apart: Apart, imported: Imported
) -> None:
    claims = [one for one in overtaken if is_claim_on(one.event.body, opened.role)]
    for verified in overtaken:
        behind = next((one for one in claims if one.event.step < verified.event.step), None)
        reason = claim_against(reader, opened, verified) or _overtaken(verified, opened, behind)
        if apart.keep(verified, reason) is Kept.KNOWN:
            imported.known += 1
        elif reason.code == CUT_OFF:
            imported.cut_off += 1
        else:
            imported.refused.append(reason)


def _stands_behind_a_settlement(verified: Verified, opened: OpenGame) -> bool:
    """Whether an event follows a step that this log does not have, behind a step where a fork was settled."""
    heads = {one.event.prev for step in opened.campaign.steps for one in step.events} | {opened.campaign.place.prev}
    settled = any(one.event.step < verified.event.step for one in opened.resolutions)
    return settled and verified.event.prev not in heads


def _overtaken(verified: Verified, opened: OpenGame, claim: Verified | None) -> BadEvidence:
    party = opened.campaign.roster.parties.get(verified.event.role)
    if registration_of(verified.event) is None or party is None:
        reason = _not_following(verified, opened)
        return _behind(claim, verified) if claim and reason.code == "import.overtaken" else reason
    if party.key == verified.key:
        text = f"expected one acceptance of {party.role}, got another one by the same key"
        return BadEvidence("import.accepted", text)
    return BadEvidence(
        "import.seat_taken",
        f"expected one acceptance of {party.role}, got another one by another key",
        f"a stranger may have accepted first: compare the key words of {party.role} that `pbem verify "
        f"{opened.row.name} --running` shows with your opponent by telephone",
    )


def _behind(claim: Verified, verified: Verified) -> BadEvidence:
    """What is said of an event that came with a claim, or a ruling, of what was signed here before it."""
    text = f"expected an event that follows this log, got {named(verified)}, which came with {named(claim)}"
    return BadEvidence("import.overtaken", text, "it is taken in if you let that stand")


def _not_following(verified: Verified, opened: OpenGame) -> BadEvidence:
    if opened.campaign.roster.held.get(verified.event.role) != verified.key:
        text = f"expected the key that holds {verified.event.role}'s seat now, got {named(verified)} by a former one"
        return BadEvidence("import.former_key", text, "it changes nothing, whatever its date says")
    if (late := late_answer(verified, opened)) is not None:
        return late
    if isinstance(verified.event.body, Request):
        text = f"expected a request before the other side decides, got {named(verified)}, which came too late"
        return BadEvidence("import.late_request", text, "it changes nothing; it can be asked again")
    if _stands_behind_a_settlement(verified, opened):
        return BadEvidence(CUT_OFF, "it stands behind an event that was overruled")
    if opened.campaign.finished:
        text = f"expected nothing more in a game that is over, got {named(verified)}"
        return BadEvidence("import.overtaken", text, "it changes nothing")
    return BadEvidence(
        "import.overtaken",
        f"expected an event that follows this log, got {named(verified)}, which follows another one",
        "it changes nothing here; if the other side goes on from it, compare what `pbem log` tells at both homes",
    )


def _name_missing(reader: Reader, opened: OpenGame, early: list[Verified], apart: Apart, imported: Imported) -> None:
    """Say what has to come before the events that came early; nothing is missing for what a settlement has cut off, nor
    where the other side has gone on from something else."""
    steps = [one.event.step for one in early]
    steps += [step for step, arrived in apart.unreached if not is_cut_off(opened, step, arrived)]
    if not steps or imported.missing or opened.fork:
        return
    name, step = opened.row.name, opened.campaign.place.step
    against = claimed(reader, opened)
    if against and against.played_on and against.step < min(steps):
        imported.missing = (
            f"no mail is missing: play has gone on from the {against.noun} of step {against.step}, in the place of "
            f"what you have signed there; if you agree that it stands, `pbem motion yield {name}`"
        )
    elif early and all(one.line in apart.whole for one in early):
        imported.missing = (
            f"events of step {min(steps)} and later follow others than those of this log, although that file is all "
            "that its sender has: compare what `pbem log` tells at both homes"
        )
    else:
        imported.missing = (
            f"a mail is missing: events of step {min(steps)} and later wait for step {step}, where "
            f"{owed(opened.campaign)} has not come; ask the other side for all it has: `pbem export --all`"
        )


def _waits_in_vain(opened: OpenGame, verified: Verified, apart: Apart) -> bool:
    arrived = apart.arrived(verified)
    return arrived is not None and is_cut_off(opened, verified.event.step, arrived)


def _describe_fork(opened: OpenGame, imported: Imported) -> None:
    found = fork_data(opened)
    if found:
        imported.fork = fork_sentence(found, opened.role)
        imported.rivals = rival_lines(found)


def took_something(result: ImportResult) -> bool:
    """Whether anything new came: events for the log or to be kept, or a proposal."""
    return any(game.taken or game.early or game.cut_off for game in result.games) or bool(result.proposals)


def require_something(result: ImportResult) -> None:
    """Raise the first failure when nothing at all was taken in, nor was there anything known."""
    taken = took_something(result) or any(game.known for game in result.games)
    failures = [*result.failed, *(reason for game in result.games for reason in game.refused)]
    if failures and not taken:
        raise failures[0]
    if not taken and not failures:
        raise BadRequest("import.nothing", "expected a turn file, got none", "look whether it is the file you mean")

"""Importing: events that came by mail are verified, put in their places, and answered where no human is needed.

Everything of one game happens in one transaction. An event is in the log, or kept apart with the reason, or
was there already; order and repetition of mails do not matter.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from pbem.app.apart import Apart
from pbem.app.aside import list_again
from pbem.app.belief import believer, dated_in_time, keep_premature
from pbem.app.catalogue import for_proposal
from pbem.app.checking import Checked
from pbem.app.current import note_whole_log
from pbem.app.desk import Desk
from pbem.app.forks import fork_data, fork_sentence, rival_lines
from pbem.app.imported import Imported, ImportResult
from pbem.app.opened import OpenGame, asks_for_rules, open_game
from pbem.app.placing import place_in_log
from pbem.app.quota import few_requests
from pbem.app.regaining import regain
from pbem.app.rivals import contradicting
from pbem.app.routing import Arrived, Incoming
from pbem.app.secrets import bad_deposits, bad_deposits_key
from pbem.app.settling import keep_settlements, told_settlements
from pbem.app.signing import answer_by_itself, finish, store
from pbem.app.voided import standing_claims, void_claims
from pbem.app.withdrawing import become_of, own_waiting, told_withdrawals
from pbem.app.yielding import came_back, counts_again, without_given_way
from pbem.engine.run import TooEarly
from pbem.errors import BadEvidence, PbemError
from pbem.log.enumeration import enumerated
from pbem.log.event import OUT_OF_STEP
from pbem.log.roster import registration_of
from pbem.log.verify import Verified
from pbem.store.faults import is_away
from pbem.store.writing import Writer


def import_arrived(desk: Desk, arrived: Arrived) -> ImportResult:
    """Take in everything that arrived; what fails in one game does not keep the others from being taken in.

    BadDisk where the database is away: what was taken in before is stored, and known the next time.
    """
    result = ImportResult(failed=list(arrived.damaged))
    for game, bundles in _by_game(arrived.bundles).items():
        try:
            _import_whole_if_needed(desk, game, bundles, result)
        except PbemError as error:
            if is_away(error):
                raise
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
        imported = Imported(opened.row.name, game_id=game)
        before = {row.event_id: row.place for row in opened.rows}
        claims = standing_claims(opened)
        events = _verified(opened, bundles, imported)
        apart, asked = Apart(writer, opened, desk.clock()), own_waiting(opened)
        apart.whole = _whole_logs(opened, bundles)
        opened = _take(desk, writer, opened, events, apart, imported)
        imported.settled += void_claims(claims, opened)
        if opened.from_step > 1 and asks_for_rules(opened.campaign):
            raise TooEarly  # what other rules would change is replayed from the first step
        imported.joined = {one.event.role: one.key.hex() for one in opened.fresh if registration_of(one.event)}
        note_whole_log(writer, opened, [frozenset(one.lines) for one in bundles], apart.now)
        regain(desk, writer, opened)
        imported.answered = answer_by_itself(desk, writer, opened)
        if opened.role == opened.campaign.roster.judge:
            told = enumerated(bad_deposits(desk, opened.campaign)).encode("ascii")
            if writer.meta(bad_deposits_key(game)) != told:
                writer.put_meta(bad_deposits_key(game), told)
        ended = open_game(writer, game, desk.games, whole=True) if opened.campaign.audit.partial else opened
        imported.told = _told(ended, before, settled=bool(imported.settled))
        imported.beside += [*told_withdrawals(opened), *become_of(asked, opened)]
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
    moves = few_requests(moves, opened, apart.early(moves), imported)
    came = len(asides)
    moves, asides = without_given_way(moves, asides, opened)
    imported.known += came - len(asides)
    seen = [*moves, *apart.early(moves)]
    moves = dated_in_time(seen, opened, apart, imported)
    believes = believer(writer, opened, apart.now)
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
        moves += dated_in_time(apart.early(seen), opened, apart, imported)
    done = {event.id for event in (*rivals, *kept.claims, *back)}
    waiting = [event for event in moves if event.id not in done]
    premature = {event.id: why for event in waiting if (why := believes(event, opened))}
    keep_premature(apart, [event for event in waiting if event.id in premature], premature, imported)
    place_in_log(desk, writer, opened, [event for event in waiting if event.id not in premature], apart, imported)
    imported.refused += apart.left_out()
    imported.settled = told_settlements(desk, writer, opened, kept.taken)
    imported.settled += [counts_again(one, opened) for one in before if one not in opened.resolutions]
    return opened


def _describe_fork(opened: OpenGame, imported: Imported) -> None:
    found = fork_data(opened)
    if found:
        imported.fork = fork_sentence(found, opened.role)
        imported.rivals = rival_lines(found)

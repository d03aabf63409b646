"""A certificate: one page about a verified log, the same for the same log and program whoever makes it.

It says what the log shows and nothing more; a log that does not hold has none. Left out: the moves, which `pbem log`
tells.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from pbem import __version__
from pbem.app.delays import by_whose_dates, deadlines_in_words, delays_of, sentence
from pbem.app.verify import Verdict
from pbem.engine.campaign import Campaign
from pbem.engine.driver import Line
from pbem.keys.words import fingerprint_hex, fingerprint_words
from pbem.log import event
from pbem.log.enumeration import enumerated
from pbem.log.event import ADJUDICATOR, REFEREE, Lapse, Registration, Role, Ruling
from pbem.log.nouns import NOUNS
from pbem.log.roster import keys_named
from pbem.log.verify import Verified
from pbem.rules.tables import count_sources
from pbem.viewer.document import Block, Document, Facts, Grid, Section, Words

TOLD_AS_DISPUTES = ("breach", "remedy", "motion", "ruling", "annul")
"""Rules under which the engine itself tells what the rules of the game do not know."""


def certificate(verdict: Verdict) -> Document:
    """The page about an archive that was verified."""
    campaign = verdict.campaign
    assert campaign is not None
    sections = (
        _result(verdict),
        _parties(campaign),
        Section("Disputes and remedies", tuple(map(Words, _disputes(verdict, campaign))) or (_no_dispute(campaign),)),
        *_punctuality(verdict, campaign),
        Section("Checks passed", (Facts(tuple(_checks(campaign))),)),
        _rules(campaign),
        Section("To check this page", (Words(_CHECK),)),
    )
    return Document(f"Certificate of {verdict.title}, game {verdict.game[:12]}", sections)


_NO_DISPUTE = "None: no fork, no claim, no breach, no motion and no ruling is in this log."
_ONLY_CONCEDED = "None: no fork, no claim, no breach, no ruling, and no motion but the concession that ended the game."
_NO_WINNER = {"annul": "nobody: the referee annulled the game", "remedy": "nobody: each claimed the game"}
"""Why nobody has won, by the rule of the result, where it is no draw."""
_CHECK = (
    "`pbem verify FILE` says of the archive of this game whether everything holds, and prints this head; `pbem "
    "certificate FILE` makes this very page again. Compare the keys in words with the players: a log shows who owns a "
    "key, not who that is."
)


def _result(verdict: Verdict) -> Section:
    told = verdict.result
    result = f"{told['text']} (rule {told['rule']})" if told else "none yet"
    winner = (("Winner", told["winner"] or _NO_WINNER.get(told["rule"], "nobody: a draw")),) if told else ()
    state = (
        "complete: closed by every party"
        if verdict.finished
        else f"unfinished before step {verdict.next_step}, which waits for {verdict.waiting}"
    )
    facts = (("Result", result), *winner, ("State", state), ("Head", verdict.head), ("Game", verdict.game))
    show: tuple[Block, ...] = (Words(_SHOW_ONLY),) if verdict.show_only else ()
    return Section("Result", (Facts(facts), *show))


_SHOW_ONLY = "FOR SHOW ONLY: the keys of this game come from a seed; it proves nothing about people."


def _parties(campaign: Campaign[Any]) -> Section:
    rows = tuple(_row(one) for role in sorted(campaign.roster.parties) for one in tenures(campaign, role))
    absent = tuple((role, "", "nothing: has not accepted", "", "", "") for role in campaign.roster.absent())
    columns = ("Role", "name", "signed", "key in words", "fingerprint", "key")
    rollers = enumerated(sorted(campaign.roster.proposal.rollers))
    referee = campaign.roster.parties.get(REFEREE)
    host = campaign.roster.parties.get(ADJUDICATOR)
    hosted = (("Adjudicator", host.name or "(no name)"),) if host else ()
    facts = (("Referee", referee.name or "(no name)" if referee else "none"), *hosted, ("Dice rolled by", rollers))
    return Section("Parties", (Grid(columns, (*rows, *absent)), Facts(facts)))


@dataclass(frozen=True, slots=True)
class Tenure:
    """A key that spoke for a role, what its owner called himself, and the first and last step that it signed."""

    role: Role
    name: str
    key: bytes
    first: int
    last: int


def tenures(campaign: Campaign[Any], role: Role) -> list[Tenure]:
    """The keys that signed for a role in the log of a replayed campaign, in the order of their first step."""
    names, found = _names(campaign), dict[bytes, Tenure]()
    for one in _events(campaign):
        if one.event.role == role:
            step, before = one.event.step, found.get(one.key)
            first = before.first if before else step
            found[one.key] = Tenure(role, names.get(one.key, ""), one.key, first, step)
    return list(found.values())


def _names(campaign: Campaign[Any]) -> dict[bytes, str]:
    """What the owner of each key called himself when it was registered, at first or with a motion."""
    seated = {bytes.fromhex(one.key): one.name for one in _registrations(campaign)}
    parties = {party.key: party.name for party in campaign.roster.parties.values() if party.key}
    return {**seated, **parties}


def _registrations(campaign: Campaign[Any]) -> Iterator[Registration]:
    for verified in _events(campaign):
        if found := keys_named(verified.event):
            yield found


def _row(tenure: Tenure) -> tuple[str, ...]:
    """Role, name, steps, and the key in three forms."""
    key = tenure.key
    steps = f"steps {tenure.first} to {tenure.last}"
    return tenure.role, tenure.name, steps, " ".join(fingerprint_words(key)), fingerprint_hex(key), key.hex()


def _disputes(verdict: Verdict, campaign: Campaign[Any]) -> Iterator[str]:
    """Everything in the log that the rules of the game do not know, in the order of kinds, then of steps."""
    yield from (f"Fork: {fork}." for fork in verdict.forks)
    for verified in _events(campaign):
        said, body = verified.event, verified.event.body
        if isinstance(body, Lapse):
            yield f"Claim: {said.role} stated at step {said.step} that {body.role} owed its {NOUNS[body.demand]}."
    yield from (f"Void: {claim}." for claim in verdict.void_claims)
    yield from (f"Late: {one}, as its author says." for one in verdict.given_way)
    yield from (f"Withdrawn: {one}." for one in verdict.withdrawn)
    for line in campaign.lines:
        if line.rule in TOLD_AS_DISPUTES and line != _concession(campaign):
            yield f"{_TITLES.get(line.rule, line.rule.capitalize())} (step {line.step}): {line.text}."
    if verdict.cut_off:
        yield f"Events that stood behind what was overruled, and were cut off with it: {verdict.cut_off}."


def _concession(campaign: Campaign[Any]) -> Line | None:
    """The line of the motion by which somebody gave the game up, which is a result and no dispute."""
    end = campaign.outcome
    if end is None or end.rule != "motion" or not end.winner:
        return None
    return next(line for line in reversed(campaign.lines) if (line.rule, line.text) == (end.rule, end.text))


def _no_dispute(campaign: Campaign[Any]) -> Words:
    return Words(_ONLY_CONCEDED if _concession(campaign) else _NO_DISPUTE)


_TITLES = {"annul": "Annulment"}


def _events(campaign: Campaign[Any]) -> list[Verified]:
    return [one for step in campaign.steps for one in step.events]


def _punctuality(verdict: Verdict, campaign: Campaign[Any]) -> Iterator[Section]:
    """How often each side was late, in a game that had a deadline at any step."""
    delays = delays_of(campaign, verdict.void)
    if not delays.possible:
        return
    rows = tuple((role, sentence(one, delays.others[role])) for role, one in delays.decisions.items())
    deadline = ("Deadline", f"{deadlines_in_words(delays.deadlines)}, {by_whose_dates(campaign)}")
    yield Section("Delays", (Facts((deadline, *rows)), Words(_COUNTED)))


_COUNTED = (
    "Decisions are counted here where a role had a choice: in the open, sealed, and whether to agree to a motion. "
    "Without a choice is what a program gives by itself (shares of the dice, openings, the closing), and what had one "
    "answer."
)


def _checks(campaign: Campaign[Any]) -> Iterator[tuple[str, str]]:
    """What was verified, with how many there are of it."""
    kinds = Counter(one.event.kind for one in _events(campaign))
    yield "Signatures that hold, by the keys above", str(sum(kinds.values()))
    yield "Steps that follow one from another, each behind one state of the game", str(len(campaign.steps))
    yield "Decisions in the open that the rules accept", str(kinds["answer"])
    ruled = [one.event.body for one in _events(campaign) if isinstance(one.event.body, Ruling)]
    links, opened = sum(bool(body.link) for body in ruled), sum(body.value is not None for body in ruled)
    yield "Links that hash down to what their roller had registered", str(kinds["entropy"] + links)
    dictated = sum(bool(roll.dictated) for roll in campaign.rolls)
    yield "Rolls and draws that follow from those links", str(len(campaign.rolls) - dictated)
    if dictated:
        yield "Rolls and draws that were dictated where a link did not come in time", str(dictated)
    yield "Decisions that were sealed first", str(kinds["seal"])
    yield "Openings that fit what was sealed", str(kinds["open"] + opened)
    if disclosed := sum(one.answer is not None for one in campaign.audit.opened):
        yield "Answers that were left sealed, opened at the end and legal", str(disclosed)
    if campaign.roster.judge:
        yield f"Rulings of the {campaign.roster.judge}", str(kinds["ruling"] + kinds["annul"])
    if campaign.roster.is_hosted:
        yield "Receipts that name what closed a step, none before the one before it", str(kinds["receipt"])
    yield "Closings that name this result and head", str(kinds["close"])


def played_by(campaign: Campaign[Any]) -> list[str]:
    """The rules that a game was played by, one after another: `version 1 until step 40`, `version 2`.

    Where data changed, their digest too.
    """
    digests: dict[int, set[str]] = {}
    for _, one in campaign.ruled:
        digests.setdefault(one.version, set()).add(one.digest)
    told = []
    ends = [first - 1 for first, _ in campaign.ruled[1:]]
    for (_, one), end in zip_longest(campaign.ruled, ends):
        data = f" with data {one.digest[:12]}" if len(digests[one.version]) > 1 else ""
        told.append(f"version {one.version}{data}{'' if end is None else f' until step {end}'}")
    return told


def _rules(campaign: Campaign[Any]) -> Section:
    rules = campaign.ruleset
    counts = ", ".join(f"{number} {source}" for source, number in count_sources(rules.tables()).items())
    facts = (
        ("Rules", f"{rules.title} ({rules.name}), {', then '.join(played_by(campaign))}"),
        ("Scenario", campaign.roster.proposal.scenario),
        ("Data", f"{counts}; digest {rules.digest}"),
        ("Program", f"pbem {__version__}, protocol version {event.VERSION}"),
    )
    meaning = "Of the data, printed stands in the rulebook, inferred follows from it, house is this program's own."
    return Section("Rules and versions", (Facts(facts), Words(meaning)))

"""What `pbem verify` prints: the verdict on an archive, on evidence, or on a dispute."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from pbem.cli.frame import say
from pbem.cli.printing import own_words, say_all, trust_in_dice
from pbem.log.enumeration import counted, enumerated

if TYPE_CHECKING:
    from pbem.app.dispute_proof import Proof
    from pbem.app.verify import Verdict
    from pbem.log.fork import Fork


def verdict_data(verdict: Verdict) -> dict[str, Any]:
    """The verdict for programs."""
    return {
        "game": verdict.game,
        "title": verdict.title,
        "events": verdict.events,
        "steps": verdict.steps,
        "rolls": verdict.rolls,
        "dictated": verdict.dictated,
        "finished": verdict.finished,
        "waiting": verdict.waiting,
        "unclosed": list(verdict.unclosed),
        "next_step": verdict.next_step,
        "head": verdict.head,
        "show_only": verdict.show_only,
        "result": verdict.result,
        "rollers": list(verdict.rollers),
        "forks": verdict.forks,
        "void_claims": verdict.void_claims,
        "given_way": verdict.given_way,
        "cut_off": verdict.cut_off,
        "breaches": verdict.breaches,
        "parties": [{"role": role, "name": name, "key": key.hex()} for role, name, key in verdict.parties],
        "evidence": [verdict.fork.first.id, verdict.fork.second.id] if verdict.fork else [],
        "evidence_of": _contradiction(verdict.fork) if verdict.fork else {},
        "dispute": verdict.dispute.claim.model_dump() if verdict.dispute else {},
    }


def _contradiction(fork: Fork) -> dict[str, str | int]:
    """Whose key contradicts itself, and where: whether it is that role's key is for that game's log to say."""
    one = fork.first.event
    return {"role": one.role, "step": one.step, "key": fork.first.key.hex()}


def print_verdict(verdict: Verdict, *, running: bool, own: bool = False) -> None:
    """The verdict for people; an unfinished game that was not said to be running gets its last line from the error.

    `own` is a game of this home; whoever has a file need have no part in its game.
    """
    if verdict.fork:
        _print_evidence(verdict.fork, verdict)
        return
    if verdict.dispute:
        _print_dispute(verdict.dispute, verdict)
        return
    say(f"{verdict.title}, game {verdict.game}")
    for role, name, key in verdict.parties:
        say(f"  {role}: {name or '(no name)'}, key in words: {own_words(key) if key else '(has not accepted)'}")
    say_all(*(f"  {line}" for line in trust_in_dice(verdict.rollers, [role for role, *_ in verdict.parties])))
    if verdict.show_only:
        say("  FOR SHOW ONLY: its keys come from a seed; it proves nothing about people.")
    sizes = f"{counted(verdict.events, 'event')}, {counted(verdict.steps, 'step')}, {counted(verdict.rolls, 'roll')}"
    say(f"{sizes}: every signature, link, roll, decision and state holds.")
    _print_beside(verdict)
    if verdict.result:
        say(f"Result: {verdict.result['text']} ({verdict.result['rule']}){_unclosed(verdict)}.")
    if verdict.finished:
        say("Complete: closed by every party.")
        say(f"Head {verdict.head}")
        say(f"Do now: {_to_do(verdict, own=own)}")
        return
    say(f"Valid so far, unfinished before step {verdict.next_step}.")
    say(f"Head {verdict.head}")
    if running:
        say(f"Do now: {_to_do(verdict, own=own)}")


def _unclosed(verdict: Verdict) -> str:
    """Who has not closed a game that is decided, behind its result."""
    silent = () if verdict.finished else verdict.unclosed
    return f"; {enumerated(silent)} {'has' if len(silent) == 1 else 'have'} not closed it" if silent else ""


def _to_do(verdict: Verdict, *, own: bool) -> str:
    compare = "compare the keys in words with the players, and the head with theirs"
    if verdict.finished or verdict.unclosed:
        return f"{compare}."
    return f"{'play on' if own else compare}; verify again when the game is closed by every party."


def _dictated(number: int) -> str:
    return "1 of these rolls was dictated" if number == 1 else f"{number} of these rolls were dictated"


def _print_beside(verdict: Verdict) -> None:
    if verdict.dictated:
        say(f"  {_dictated(verdict.dictated)} by who waited for a link beyond the deadline: no chain is behind that")
    if verdict.campaign and len(verdict.campaign.ruled) > 1:
        from pbem.app.certificate import played_by

        say(f"  rules: {', then '.join(played_by(verdict.campaign))}")
    for fork in verdict.forks:
        say(f"  fork: {fork}")
    breaches = (f"breach: {one}" for one in verdict.breaches)
    say_all(*(f"  {one}" for one in (*verdict.void_claims, *verdict.given_way, *breaches)))
    if verdict.cut_off:
        say(f"  {counted(verdict.cut_off, 'event')} behind that, signed in good faith by anybody, cut off with it")


def _print_dispute(proof: Proof, verdict: Verdict) -> None:
    from pbem.app.dispute_report import verdict as verdict_lines

    _print_proven(
        verdict_lines(proof, verdict.rules),
        *(
            f"{role}: {party.name or '(no name)'}, key in words: {own_words(party.key) if party.key else '(none)'}"
            for role, party in sorted(proof.roster.parties.items())
        ),
    )


def _print_evidence(fork: Fork, verdict: Verdict) -> None:
    from pbem.app.dispute_report import verdict as verdict_lines
    from pbem.app.forks import dated
    from pbem.app.said import in_words

    told = [(one.id, f"  dated {dated(one)}: {in_words(verdict.rules, one)}") for one in (fork.first, fork.second)]
    key = f"{fork.first.event.role}'s key in words: {own_words(fork.first.key)}"
    _print_proven(verdict_lines(fork), *(line for lines in told for line in lines), key)


def _print_proven(lines: Sequence[str], *facts: str) -> None:
    """What is proven, as the report about it has it, with what a person compares below it."""
    proven, *rest = lines
    say_all(proven, *(f"  {fact}" for fact in facts), *rest)

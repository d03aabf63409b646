"""New rules for a running game: another version, or the same one with other data, goes on from the present position.

The position is carried over as the new version's `upgrade` reads it, and nowhere but where play can be taken up from
it: the rules as they are must ask the same again from it. In the middle of a phase they often do not, since a rule that
has begun knows more than the board shows, sealed answers that wait to be opened above all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import islice
from typing import Any, TypeAlias

from pbem.engine.admission import RulesMissing
from pbem.engine.driver import Driver, NeedsEntropy, Waiting
from pbem.errors import BadEvidence, PbemError
from pbem.log.enumeration import enumerated
from pbem.log.event import RulesetName
from pbem.rules.play import Asking, Opening, Question
from pbem.rules.play import Request as Wanted
from pbem.rules.refusal import Refusal, Refused
from pbem.rules.ruleset import Ruleset

Games: TypeAlias = Callable[[RulesetName], Ruleset[Any]]
"""Finds the rules of a name; what it finds may be another version than the one that is wanted."""
MOST_REQUESTS = 100_000
"""What rules may do between two questions before they are taken to go on for ever."""
MOST_OPTIONS = 2_000
"""Options of a question that are compared."""


class Endless(Exception):
    """Rules that do not come to a question."""


class Bounded(Driver[Any]):
    """A driver for rules that nobody has played with: it gives up instead of running for ever."""

    _left = MOST_REQUESTS

    def _run(self, response: Any) -> None:
        self._left = MOST_REQUESTS
        super()._run(response)

    def _respond(self, request: Wanted) -> Any:
        self._left -= 1
        if self._left < 0:
            raise Endless
        return super()._respond(request)


def named(ruleset: Ruleset[Any]) -> RulesetName:
    """A ruleset as a proposal or a motion names it."""
    return RulesetName(name=ruleset.name, version=ruleset.version, digest=ruleset.digest)


def in_words(rules: RulesetName | None) -> str:
    """`version 2 of toy with data 0123456789ab`."""
    return f"version {rules.version} of {rules.name} with data {rules.digest[:12]}" if rules else ""


def only(ruleset: Ruleset[Any]) -> Games:
    """For whoever has one ruleset and no catalogue."""
    return lambda _: ruleset


def rules_of(games: Games, wanted: RulesetName, present: Ruleset[Any]) -> Ruleset[Any]:
    """The rules that a motion names; RulesMissing when they are not here."""
    found = games(wanted)
    if named(found) != wanted:
        raise RulesMissing(
            "campaign.ruleset",
            f"expected {in_words(wanted)}, by which the game is to go on from version {present.version} with data "
            f"{present.digest[:12]}, got version {found.version} with data {found.digest[:12]} here",
            "install the pbem, or the package of this game, that brings them, or pass the other side's data with "
            "--data; the log can still be read with `pbem log`",
        )
    return found


def check_names_others(present: Ruleset[Any], wanted: RulesetName) -> None:
    """Raise BadEvidence for rules of another game, or for those that the game is played by already."""
    if wanted.name != present.name or wanted == named(present):
        raise BadEvidence("motion.ruleset", f"expected other rules of {present.name}, got {in_words(wanted)}")


def check_carried(driver: Driver[Any], rules: Ruleset[Any], commitments: Iterable[str]) -> Driver[Any]:
    """The new rules as they would stand behind the change, for a look; Refused where they cannot take play up."""
    if set(rules.roles) != set(driver.ruleset.roles):
        raise _refused(f"expected rules for {', '.join(driver.ruleset.roles)}, got some for {', '.join(rules.roles)}")
    check_resumable(driver)
    state = carried_over(driver.ruleset, rules, driver.state)
    _check_seals(driver.ruleset.encode(driver.state), rules.encode(state), commitments)
    return _begun(rules, state, driver.step)


def check_resumable(driver: Driver[Any]) -> None:
    """Raise Refused unless the rules that are played ask the same question again when they begin from the position."""
    if not isinstance(driver.waiting, Asking) or driver.waiting.sealed:
        raise _refused(f"expected a step where one side has to decide, got one where {waits_for(driver.waiting)}")
    rules = driver.ruleset
    state = carried_over(rules, rules, driver.state)
    if rules.encode(state) != rules.encode(driver.state):
        raise _refused("expected a position that its text tells whole, got one of which something is lost")
    again = _begun(rules, state, driver.step)
    if rules.encode(again.state) != rules.encode(driver.state) or _asked(again.waiting) != _asked(driver.waiting):
        raise _refused(
            "expected a step where play can be taken up from the position, got one in the middle of a "
            f"phase{_why(again, driver)}",
            "move it at a later step, or take play back to where the phase begins",
        )


def _why(again: Driver[Any], driver: Driver[Any]) -> str:
    there, here = waits_for(again.waiting), waits_for(driver.waiting)
    return f": from there {there}, and now {here}" if there != here else ", of which the position does not tell all"


def carried_over(former: Ruleset[Any], rules: Ruleset[Any], state: Any) -> Any:
    """A state of the former rules as the new ones have it, as good as read back from a snapshot; Refused when they
    cannot have it."""
    position = "\n".join(former.position_lines(state))
    try:
        written = rules.encode(rules.upgrade(former.encode(state), position, former.version))
        carried = rules.decode(written)
        is_whole = rules.encode(carried) == written
    except PbemError as error:
        raise _refused(f"version {rules.version} cannot carry the position over: {error.text}", error.hint) from None
    except Exception as error:  # rules that nobody has played with
        told = f"version {rules.version} cannot carry the position over: it fails ({type(error).__name__})"
        raise _refused(told) from None
    if not is_whole:
        raise _refused(f"version {rules.version} cannot carry the position over: it does not read back what it writes")
    return carried


def _begun(rules: Ruleset[Any], state: Any, step: int) -> Driver[Any]:
    try:
        driver = Bounded(rules, state)
        driver.start(step)
        driver.state_digest()
    except Endless:
        raise _refused(f"version {rules.version} cannot go on from the position: it does not come to an end") from None
    except Exception as error:  # rules that nobody has played with
        told = f"version {rules.version} cannot go on from the position: it fails ({type(error).__name__})"
        raise _refused(told) from None
    return driver


def _check_seals(before: bytes, after: bytes, commitments: Iterable[str]) -> None:
    """Raise Refused when a seal that the position holds is lost: nobody could open it any more."""
    for one in sorted(commitments):
        if one.encode("ascii") in before and one.encode("ascii") not in after:
            raise _refused(f"expected every sealed answer to be carried over, got none for the commitment {one[:16]}")


def _asked(waiting: Waiting) -> object:
    """What is waited for, as far as it can be compared."""
    if not isinstance(waiting, Asking):
        return None
    return waiting.sealed, [_of_question(question) for question in waiting.questions]


def _of_question(question: Question[Any]) -> object:
    options = islice(question.options(), MOST_OPTIONS) if question.options else ()
    return question.role, question.kind, question.about, question.default, tuple(options)


def waits_for(waiting: Waiting) -> str:
    """What rules wait for, in words: `north's bet is asked for`."""
    if isinstance(waiting, NeedsEntropy):
        return f"dice are rolled for {waiting.request.label}"
    if isinstance(waiting, Asking):
        asked = enumerated([f"{question.role}'s {question.kind}" for question in waiting.questions])
        return f"{asked} is {'to be sealed' if waiting.sealed else 'asked for'}"
    if isinstance(waiting, Opening):
        return enumerated([f"{one.role}'s {one.kind}" for one in waiting.sealed]) + " is opened"
    return f"the game ends: {waiting.text}"


def _refused(text: str, hint: str = "") -> Refused:
    return Refused((Refusal("motion.ruleset", text, "", hint),))

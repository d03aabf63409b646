"""What is admitted to a campaign: a proposal that is played by these very rules, and an answer that they accept."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import orjson
from pydantic import ValidationError

from pbem.errors import BadEvidence
from pbem.log.enumeration import cut
from pbem.log.event import NEUTRAL
from pbem.log.forms import first_problem
from pbem.log.roster import Roster
from pbem.rules import play
from pbem.rules.play import Question
from pbem.rules.refusal import Refusal, Refused
from pbem.rules.ruleset import Ruleset


class RulesMissing(BadEvidence):
    """The rules by which a game goes on are not here: nothing of what came is wrong."""


def check_ruleset(ruleset: Ruleset[Any], roster: Roster) -> None:
    """Raise BadEvidence unless the game is played by exactly these rules and data."""
    wanted = roster.proposal.ruleset
    if (wanted.name, wanted.version, wanted.digest) != (ruleset.name, ruleset.version, ruleset.digest):
        raise BadEvidence(
            "campaign.ruleset",
            f"expected {wanted.name} version {wanted.version} with data {wanted.digest[:12]}, which the game was "
            f"proposed with, got version {ruleset.version} with data {ruleset.digest[:12]} here",
            "install the pbem that the proposer has, or pass the proposer's data with --data; "
            "the log can still be read with `pbem log`",
        )
    roles = {seat.role for seat in roster.proposal.seats}
    if not set(ruleset.roles) <= roles:
        raise BadEvidence("campaign.roles", f"expected seats for {', '.join(ruleset.roles)}")
    surplus = sorted(roles - set(ruleset.roles) - NEUTRAL)
    if surplus:
        raise BadEvidence("campaign.roles", f"expected no seat that the game does not have, got {cut(surplus)}")


def accepted(question: Question[Any], value: Mapping[str, Any]) -> play.Answer:
    """The answer of a body's value; Refused when it is not of the question's form, or its check objects."""
    try:
        answer: play.Answer = question.model.model_validate_json(orjson.dumps(value))
    except ValidationError as error:
        where, wrong = first_problem(error)
        text = f"expected an answer to '{question.kind}', got a wrong '{where}' ({wrong})"
        raise Refused((Refusal("answer.form", text),)) from None
    refusals = question.check(answer)
    if refusals:
        raise Refused(refusals)
    return answer

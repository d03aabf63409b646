"""What a dispute proves: a roll or an opening by itself, a refusal by replaying the log up to it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from pbem.app.catalogue import Games
from pbem.app.reading import RollSource
from pbem.app.verify import Progress, verify_log
from pbem.engine.admission import RulesMissing
from pbem.engine.campaign import Campaign
from pbem.engine.driver import RollRecord
from pbem.errors import BadEvidence, PbemError
from pbem.log import dispute
from pbem.log.bundle import Bundle
from pbem.log.dispute import ProvenOpening, ProvenRoll, RefusalClaim
from pbem.log.roster import Roster
from pbem.log.verify import Verified, verify_event
from pbem.rules.refusal import Refused


@dataclass(frozen=True, slots=True)
class ProvenRefusal:
    """An event that the log and the rules refuse at its place, where `campaign` stands, with every reason."""

    claim: RefusalClaim
    campaign: Campaign[Any]
    refused: Verified
    reason: PbemError

    @property
    def roster(self) -> Roster:
        """The parties of the game."""
        return self.campaign.roster

    @property
    def reasons(self) -> Sequence[str]:
        """Every reason as one sentence."""
        if isinstance(self.reason, Refused):
            return [one.sentence() for one in self.reason.refusals]
        return [str(self.reason)]


Proof: TypeAlias = ProvenRoll | ProvenOpening | ProvenRefusal


def prove(found: Bundle, games: Games, progress: Progress | None = None) -> Proof:
    """What a dispute proves; BadEvidence when it does not hold, or proves nothing."""
    claim = dispute.read_claim(found)
    if not isinstance(claim, RefusalClaim):
        return dispute.read_slice(found)
    if not found.lines:
        raise BadEvidence("dispute.events", "expected the log up to a refused event, got no event")
    log = replace(found, contents="archive", lines=found.lines[:-1])
    campaign = verify_log(log, games, progress).campaign
    assert campaign is not None
    refused = verify_event(found.lines[-1], campaign.roster)
    if refused.id != claim.event:
        raise BadEvidence("dispute.events", f"expected event {claim.event[:12]} at the end, got {refused.title}")
    return ProvenRefusal(claim, campaign, refused, _refusal(campaign, refused, claim.code))


def _refusal(campaign: Campaign[Any], verified: Verified, code: str) -> PbemError:
    """Why a campaign, which stands before the step of an event, does not take it."""
    place = campaign.place
    if (verified.event.step, verified.event.prev) != (place.step, place.prev):
        raise BadEvidence(
            "dispute.place",
            f"expected an event of step {place.step} of this log, got {verified.title} of another place",
        )
    if place.keys.get(verified.event.role) != verified.key:
        raise BadEvidence("dispute.seat", f"expected the key that holds the seat, got {verified.title} by another one")
    try:
        campaign.offer(verified)
    except RulesMissing:
        raise  # nothing is wrong with an event whose rules are not here
    except PbemError as error:
        if error.code != code:
            raise BadEvidence("dispute.reason", f"expected the reason {code}, got {error}") from None
        return error
    raise BadEvidence("dispute.accepted", f"expected an event that is refused, got {verified.title}, which is not")


def source_of(proof: ProvenRoll) -> RollSource:
    """The roll as `pbem.app.derivation` explains it."""
    claim = proof.claim
    faces = tuple(claim.faces)
    record = RollRecord(claim.step, claim.label, len(faces), claim.sides, faces, tuple(claim.items))
    nonce = bytes.fromhex(proof.roster.proposal.nonce)
    return RollSource(
        record, bytes.fromhex(proof.roster.game), proof.closing, nonce, proof.links, proof.roster.is_hosted
    )

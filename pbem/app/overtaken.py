"""Events that the log has gone past: each is kept apart with the reason, and with what can still be done."""

from __future__ import annotations

from pbem.app.apart import Apart, Kept
from pbem.app.claiming import claim_against, is_claim_on, is_receipted, late_answer
from pbem.app.forks import named
from pbem.app.imported import Imported
from pbem.app.opened import OpenGame
from pbem.app.proposed import words_of
from pbem.engine.closing import CLAIMING
from pbem.errors import BadEvidence
from pbem.log.event import Request, Withdraw
from pbem.log.roster import registration_of
from pbem.log.verify import Verified
from pbem.store.reading import Reader

HARMLESS = ("import.late_request", "import.late_withdrawal")
"""Codes of what has crossed with another mail: nothing is wrong with it, and it changes nothing."""
CUT_OFF = "import.cut_off"
"""The code under which events are kept that a settlement has left behind."""


def keep_overtaken(
    reader: Reader, opened: OpenGame, overtaken: list[Verified], apart: Apart, imported: Imported
) -> None:
    """Keep events apart for which the log has no place any more, and count them."""
    claims = [one for one in overtaken if is_claim_on(one.event.body, opened.role)]
    claims = [one for one in claims if not is_receipted(opened, one.event.step)]
    late = [one for one in overtaken if late_answer(one, opened)]
    for verified in overtaken:
        behind = next((one for one in claims if one.event.step < verified.event.step), None)
        behind = behind or next((one for one in late if _is_earlier(one, verified)), None)
        reason = claim_against(reader, opened, verified) or _overtaken(verified, opened, behind)
        if apart.keep(verified, reason) is Kept.KNOWN:
            imported.known += 1
        elif reason.code in HARMLESS:
            imported.beside.append(f"{reason.text}; {reason.hint}")
        elif reason.code == CUT_OFF:
            imported.cut_off += 1
        else:
            imported.refused.append(reason)


def _is_earlier(late: Verified, verified: Verified) -> bool:
    """Whether somebody has signed an event behind an answer of its own that came too late."""
    return late.event.role == verified.event.role and late.event.step < verified.event.step


def _stands_behind_a_settlement(verified: Verified, opened: OpenGame) -> bool:
    """Whether an event follows a step that this log does not have, behind a step where a fork was settled."""
    heads = {one.event.prev for step in opened.campaign.steps for one in step.events} | {opened.campaign.place.prev}
    settled = any(one.event.step < verified.event.step for one in opened.resolutions)
    return settled and verified.event.prev not in heads


def _overtaken(verified: Verified, opened: OpenGame, before: Verified | None) -> BadEvidence:
    party = opened.campaign.roster.parties.get(verified.event.role)
    if registration_of(verified.event) is None or party is None:
        reason = _not_following(verified, opened)
        return _behind(before, verified) if before and reason.code == "import.overtaken" else reason
    if party.key == verified.key:
        text = f"expected one acceptance of {party.role}, got another one by the same key"
        return BadEvidence("import.accepted", text)
    return BadEvidence(
        "import.seat_taken",
        f"expected one acceptance of {party.role}, got another one by another key",
        f"a stranger may have accepted first: compare the key words of {party.role} that `pbem verify "
        f"{opened.row.name} --running` shows with your opponent by telephone",
    )


def _behind(before: Verified, verified: Verified) -> BadEvidence:
    """What is said of an event that came with a claim, or a ruling, of what was signed here before it, or that follows
    an answer which came too late."""
    if before.event.role == verified.event.role and before.event.kind not in CLAIMING:
        text = f"expected an event that follows this log, got {named(verified)}, which follows {named(before)}"
        return BadEvidence("import.overtaken", text, "it changes nothing here, since that came too late")
    text = f"expected an event that follows this log, got {named(verified)}, which came with {named(before)}"
    return BadEvidence("import.overtaken", text, "it is taken in if you let that stand")


def _not_following(verified: Verified, opened: OpenGame) -> BadEvidence:
    if opened.campaign.roster.held.get(verified.event.role) != verified.key:
        text = f"expected the key that holds {verified.event.role}'s seat now, got {named(verified)} by a former one"
        return BadEvidence("import.former_key", text, "it changes nothing, whatever its date says")
    if (late := late_answer(verified, opened)) is not None:
        return late
    if isinstance(verified.event.body, Request):
        words = words_of(opened.campaign, verified.event.role, verified.event.body)
        text = f"{verified.event.role}'s request to {words} came too late: step {verified.event.step} was closed before"
        return BadEvidence("import.late_request", text, "it changes nothing, and can be asked again")
    if isinstance(verified.event.body, Withdraw):
        text = f"{verified.event.role}'s withdrawal came too late, behind the answer of step {verified.event.step}"
        return BadEvidence("import.late_withdrawal", text, "that answer counts")
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

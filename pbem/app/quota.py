"""The quota of requests: how many of one role at one step are taken into a log."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from pbem.app.imported import Imported
from pbem.app.opened import OpenGame
from pbem.errors import BadEvidence
from pbem.log.event import UNILATERAL, Consent, Request, Role, Ruling, Withdraw
from pbem.log.verify import MOST_REQUESTS, MOST_REQUESTS_IN_LOG, Verified


def few_requests(moves: list[Verified], opened: OpenGame, early: list[Verified], imported: Imported) -> list[Verified]:
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

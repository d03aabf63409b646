"""Settlements that came by mail: only what settles a fork that is known here is kept, and what it means is told."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from pbem.app.beside import in_effect, is_own, opened_behind
from pbem.app.claiming import is_claim_on, is_given_way
from pbem.app.desk import Desk
from pbem.app.forks import named, settled_sentence, settlements
from pbem.app.opened import OpenGame, open_game, signed_events
from pbem.app.past import would_have_stood
from pbem.app.signing import store
from pbem.errors import BadEvidence, PbemError
from pbem.log.event import Resolve
from pbem.log.fork import fork
from pbem.log.nouns import NOUNS
from pbem.log.verify import Verified, slot
from pbem.store.reading import Reader
from pbem.store.rows import Appended
from pbem.store.writing import Writer


@dataclass(slots=True)
class Settled:
    """What became of settlements: taken in, known already in what they say, refused with the reason.

    `claims` came with them: who had been heard of in time here lets them stand.
    """

    taken: list[Verified] = field(default_factory=list)
    claims: list[Verified] = field(default_factory=list)
    known: int = 0
    refused: list[PbemError] = field(default_factory=list)


def keep_settlements(
    desk: Desk, writer: Writer, opened: OpenGame, asides: Sequence[Verified], moves: Iterable[Verified]
) -> Settled:
    """Store what settles a fork that is known here or comes with it in `moves`.

    Of one author one settlement of each kind says all there is: another one with another date is known already.
    """
    done = Settled()
    known = {one.id: one for one in (*signed_events(writer, opened.row.game_id), *moves)} if asides else {}
    said = {_said(resolution) for resolution in opened.resolutions}
    for aside in asides:
        if _said(aside) in said or is_given_way(aside, opened):
            done.known += 1
            continue
        said.add(_said(aside))
        reason = _no_party(aside, opened) or (
            _giving_way(desk, writer, opened, aside, known) if is_own(aside) else _against(aside, known)
        )
        if reason:
            done.refused.append(reason)
            continue
        if is_own(aside) and store(writer, opened, known[_kept(aside)], desk.clock()) is not Appended.DUPLICATE:
            done.claims.append(known[_kept(aside)])
        store(writer, opened, aside, desk.clock(), "aside")
        done.taken.append(aside)
    return done


def _kept(aside: Verified) -> str:
    body = aside.event.body
    assert isinstance(body, Resolve)
    return body.keep


def _giving_way(
    desk: Desk, reader: Reader, opened: OpenGame, aside: Verified, known: Mapping[str, Verified]
) -> BadEvidence | None:
    """Why somebody cannot let a claim stand in the place of its own event, None when it can."""
    body = aside.event.body
    assert isinstance(body, Resolve)
    keep, drop = known.get(body.keep), known.get(body.drop)
    if keep is None or drop is None or not _is_claim_of(keep, drop, aside):
        return BadEvidence("resolve.own", f"expected a fork of another role to be settled, got {named(aside)}")
    if not in_effect([aside], list(known.values())):
        return BadEvidence(
            "resolve.yield",
            f"expected no dice behind {named(drop)}, got a share of another role: it stands, although "
            f"{drop.event.role} gives way to the {NOUNS[keep.event.kind]}",
            f"send all you have, `pbem export {opened.row.name} --all`: then it stands at both homes",
        )
    if keep.id not in opened.ids() and not would_have_stood(desk, reader, keep):
        return BadEvidence("resolve.own", f"expected a claim that could have stood, got {named(keep)}")
    return None


def _is_claim_of(keep: Verified, drop: Verified, aside: Verified) -> bool:
    """Whether `keep` claims, or rules on, what the author of `aside` has given with `drop`."""
    role, place = aside.event.role, (aside.event.step, aside.event.prev)
    places = {(one.event.step, one.event.prev) for one in (keep, drop)}
    own = drop.event.role == role and slot(drop.event.kind) == "move" and drop.key == aside.key
    return own and places == {place} and is_claim_on(keep.event.body, role)


def _said(resolution: Verified) -> tuple[str, int, str, str]:
    body = resolution.event.body
    assert isinstance(body, Resolve)
    return resolution.event.role, resolution.event.step, body.keep, body.drop


def _no_party(aside: Verified, opened: OpenGame) -> BadEvidence | None:
    """Why nobody need listen to who has settled it: a key that a motion wanted to seat, and that never held a seat."""
    roster, role = opened.campaign.roster, aside.event.role
    if aside.key == roster.held.get(role) or (role, aside.key) in roster.claims:
        return None
    return BadEvidence("resolve.no_party", f"expected a settlement by a party of this game, got {named(aside)}")


def _against(aside: Verified, known: Mapping[str, Verified]) -> BadEvidence | None:
    """Why a settlement is not taken, None when it is."""
    body = aside.event.body
    assert isinstance(body, Resolve)
    keep, drop = known.get(body.keep), known.get(body.drop)
    here = keep is not None and (keep.event.role, keep.event.step) == (body.role, aside.event.step)
    if keep is None or drop is None or not here or fork(keep, drop) is None:
        text = f"expected a settlement of two events of {body.role} that are known here, got {named(aside)}"
        return BadEvidence("resolve.unknown", f"{text}, which names others", "it changes nothing")
    if opened_behind(drop, known.values()):
        text = f"expected a settlement that keeps the event behind which dice are known, got {named(aside)}"
        return BadEvidence("resolve.dice_known", text)
    return None


def told_settlements(desk: Desk, reader: Reader, opened: OpenGame, taken: Sequence[Verified]) -> list[str]:
    """What these settlements mean for the player of this home, one sentence each."""
    if not taken:
        return []
    ids = {aside.id for aside in taken}
    whole = open_game(reader, opened.row.game_id, desk.games, whole=True)
    told = [settled_sentence(one, opened.role) for one in settlements(whole) if one.resolution in ids]
    return told + [_gave_way(one, whole) for one in taken if is_own(one)]


def _gave_way(aside: Verified, whole: OpenGame) -> str:
    """What it means that somebody gave way."""
    role, step = aside.event.role, aside.event.step
    noun = next(NOUNS[row.kind] for row in whole.rows if row.event_id == _kept(aside))
    who = "you give" if role == whole.role else f"{role} gives"
    return f"{who} way to the {noun} of step {step}: what {role} had signed there counts no more"

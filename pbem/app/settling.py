"""Settlements that came by mail: only what settles a fork that is known here is kept, and what it means is told."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from pbem.app.beside import in_effect, is_own, opened_behind
from pbem.app.claiming import gives_way_to, is_given_way
from pbem.app.desk import Desk
from pbem.app.forks import named, settled_sentence, settlements
from pbem.app.opened import OpenGame, open_game, signed_events
from pbem.app.past import would_stand_in
from pbem.app.rivals import MOST_CONTRARY
from pbem.app.signing import store
from pbem.errors import BadEvidence, PbemError
from pbem.log.event import Resolve
from pbem.log.fork import fork
from pbem.log.nouns import NOUNS
from pbem.log.verify import Verified
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
    ways = _Ways(desk, writer, opened, known)
    for aside in asides:
        if _said(aside) in said or is_given_way(aside, opened):
            done.known += 1
            continue
        said.add(_said(aside))
        reason = _no_party(aside, opened) or (ways.why_not(aside) if is_own(aside) else _against(aside, known))
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


class _Ways:
    """Who gives way in one import, at a cost that is bounded: a claim that is new here is tried with a replay of the
    game. What cannot stand is refused without one, and at one step one claim of each party on each other one is tried.
    """

    def __init__(self, desk: Desk, reader: Reader, opened: OpenGame, known: Mapping[str, Verified]) -> None:
        self._desk, self._reader, self._opened, self._known = desk, reader, opened, known
        self._claims: dict[tuple[str, str, int], str] = {}
        self._could_stand: dict[str, bool] = {}
        self._whole: OpenGame | None = None
        self._tried = 0

    def why_not(self, aside: Verified) -> BadEvidence | None:
        """Why somebody cannot let a claim stand in the place of its own event, None when it can."""
        body = aside.event.body
        assert isinstance(body, Resolve)
        keep, drop = self._known.get(body.keep), self._known.get(body.drop)
        if keep is None or drop is None or not gives_way_to(aside, keep, drop):
            return BadEvidence("resolve.own", f"expected a fork of another role to be settled, got {named(aside)}")
        is_new = keep.id not in self._opened.ids()
        if is_new and (reason := self._not_tried(aside, keep)):
            return reason
        if not in_effect([aside], list(self._known.values())):
            return BadEvidence(
                "resolve.yield",
                f"expected no dice behind {named(drop)}, got a share of another role: it stands, although "
                f"{drop.event.role} gives way to the {NOUNS[keep.event.kind]}",
                f"send all you have, `pbem export {self._opened.row.name} --all`: then it stands at both homes",
            )
        if is_new and not self._could_have_stood(keep):
            return BadEvidence("resolve.own", f"expected a claim that could have stood, got {named(keep)}")
        return None

    def _not_tried(self, aside: Verified, claim: Verified) -> BadEvidence | None:
        """Why a claim that is new here is not even looked at."""
        here, step = self._opened.campaign.place.step, claim.event.step
        if step > here:
            text = f"expected a settlement of a step up to {here}, where this home is, got {named(aside)}"
            return BadEvidence("resolve.ahead", text, "import it once more when the steps before that have come")
        if self._claims.setdefault((claim.event.role, aside.event.role, step), claim.id) != claim.id:
            text = f"expected one claim of {claim.event.role} for {aside.event.role} to give way to at step {step}"
            return BadEvidence("resolve.claims", f"{text}, got another one", "it changes nothing")
        if self._tried == MOST_CONTRARY:
            text = f"expected at most {MOST_CONTRARY} settlements of their authors' own events in one import"
            return BadEvidence("resolve.too_many", f"{text}, got {named(aside)} besides", "import it once more, alone")
        self._tried += 1
        return None

    def _could_have_stood(self, claim: Verified) -> bool:
        """Whether a claim could have stood here; one opening of the game serves all that are asked about."""
        if claim.id not in self._could_stand:
            self._whole = self._whole or open_game(self._reader, self._opened.row.game_id, self._desk.games, whole=True)
            came = [one for one in self._known.values() if one.id not in self._opened.ids()]
            self._could_stand[claim.id] = would_stand_in(self._whole, claim, came)
        return self._could_stand[claim.id]


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

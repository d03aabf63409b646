"""What a claim beyond the deadline says, and what it leads to: the game, the question's default, or dictated dice."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from pbem.app.beside import played_on_from
from pbem.app.delivery import written_key
from pbem.app.forks import named
from pbem.app.opened import EARLY, OpenGame
from pbem.engine.campaign import Campaign
from pbem.engine.closing import CLAIMING
from pbem.engine.dictation import examples, in_words, spelled, spelled_rolls
from pbem.engine.driver import NeedsEntropy
from pbem.errors import BadEvidence, BadRequest, PbemError
from pbem.log import envelope
from pbem.log.event import ADJUDICATOR, BODIES, NEUTRAL, Body, Lapse, Resolve, Role, Ruling, read
from pbem.log.nouns import NOUNS
from pbem.log.verify import Verified, slot, verify_event
from pbem.store.reading import Reader

CLAIMED = "import.claimed"
"""The code under which a claim of what was signed here is kept apart."""
LATE_ANSWER = "import.late_answer"
"""The code under which an answer is kept apart that came when play had gone on without it."""
ENDING = ("answer", "seal", "entropy")
"""What is owed where a claim beyond the deadline is one of the game."""


def dictates(campaign: Campaign[Any], owing: Role) -> bool:
    """Whether a claim of what a role owes now dictates the rolls of the step."""
    return campaign.worst and campaign.place.demands[owing].kind == "entropy"


def claim_of(opened: OpenGame, owing: Role, words: Sequence[str]) -> Lapse:
    """The claim of what a role owes; `words` are the results that it dictates.

    BadRequest where they are not exactly those of the rolls that the rules make now.
    """
    campaign = opened.campaign
    kind = campaign.place.demands[owing].kind
    if not dictates(campaign, owing):
        if words:
            raise _no_dice(campaign, owing)
        return Lapse(role=owing, demand=kind, dice=[])
    return Lapse(
        role=owing, demand=kind, dice=spelled_rolls(campaign.trial(), words, f"pbem motion claim {opened.row.name}")
    )


def _no_dice(campaign: Campaign[Any], owing: Role) -> BadRequest:
    kind = campaign.place.demands[owing].kind
    why = f"{owing} owes its {NOUNS[kind]}" if campaign.worst else "the remedy of this game is a claim"
    return BadRequest("lapse.no_dice", f"expected no --dice where nothing is dictated, got some: {why}", "leave it out")


def told_of(campaign: Campaign[Any], before: int) -> list[str]:
    """What a claim has led to, where the game goes on with the worst for the silent side."""
    return [f"  > {line.text}" for line in campaign.lines[before:]] if campaign.worst else []


def first_roll(campaign: Campaign[Any]) -> dict[str, str]:
    """The first roll that a claim has to dictate, in words, and an example; empty when it has none to dictate."""
    waiting = campaign.driver.waiting
    if not campaign.worst or campaign.outcome or not isinstance(waiting, NeedsEntropy):
        return {}
    return {"text": in_words(waiting.request), "example": spelled(examples(waiting.request))}


# ---------------------------------------------------------------------- claims that came too late


@dataclass(frozen=True, slots=True)
class Claimed:
    """A claim or a ruling that stands against what this home has signed at its place, and that it keeps apart.

    `played_on` says that an event is at hand which another player has signed behind it, so that nothing makes it void.
    """

    claim: Verified
    own: Verified
    played_on: bool

    @property
    def step(self) -> int:
        """Where it stands."""
        return self.own.event.step

    @property
    def noun(self) -> str:
        """What it is, in one word."""
        return NOUNS[self.claim.event.kind]

    def against(self, opened: OpenGame) -> Against:
        """What there is to be done about it."""
        return Against(
            self.noun, opened.row.name, self.played_on, ends_game(opened, self.claim), link_behind(opened, self.own)
        )

    def facts(self, reader: Reader, opened: OpenGame) -> dict[str, Any]:
        """What the summary keeps of it; `sent` tells whether a turn file was written since it came."""
        came = next(row.arrived for row in reader.refusals(opened.row.game_id) if row.event_id == self.claim.id)
        sent = int(reader.meta(written_key(opened)) or 0) >= came
        told = self.against(opened)
        return {
            "step": self.step,
            "noun": self.noun,
            "played_on": self.played_on,
            "sent": sent,
            "ends": told.ends,
            "link": told.link,
        }


@dataclass(frozen=True, slots=True)
class Against:
    """What decides what is to be done about a claim or a ruling, which `noun` says; `name` is the game's.

    `ends` tells that it claims the game; `link` is a step behind it at which this home has opened a link, 0 for none.
    """

    noun: str
    name: str
    played_on: bool
    ends: bool = False
    link: int = 0


def ends_game(opened: OpenGame, claim: Verified) -> bool:
    """Whether the game is over where a claim stands, so that what it says is missing can still come."""
    body = claim.event.body
    return isinstance(body, Lapse) and not opened.campaign.worst and body.demand in ENDING


def link_behind(opened: OpenGame, own: Verified) -> int:
    """The first step behind an own event at which this home has opened a link, 0 when there is none."""
    mine = (row.step for row in opened.rows if row.role == opened.role and row.kind == "entropy")
    return min((step for step in mine if step > own.event.step), default=0)


def kept_apart(reader: Reader, opened: OpenGame, first: int = 0) -> Iterator[Verified]:
    """The events that this home keeps apart, from step `first` on, in no order: early ones and refused ones."""
    stored = opened.ids()
    for row in reader.refusals(opened.row.game_id):
        with suppress(PbemError):
            if row.event_id not in stored and read(envelope.from_line(row.line).payload).step >= first:
                yield verify_event(row.line, opened.known)


def claims_against(reader: Reader, opened: OpenGame) -> list[Claimed]:
    """The claims and rulings that stand against the present log, the earliest in front.

    One at whose place another player has gone on from what this home had signed there stands against nothing: it is
    void at both homes. Nor does one against what has its receipt: nobody can give way there.
    """
    if opened.role in NEUTRAL:
        return []
    standing = opened.standing()
    gone_on = max((row.step for row in standing if row.role not in (opened.role, *NEUTRAL)), default=0)
    mine = [row for row in standing if row.role == opened.role and max(gone_on, 2) <= row.step]
    own = {row.step: verify_event(row.line, opened.known) for row in mine if slot(row.kind) == "move"}
    own.pop(opened.campaign.place.step, None)
    own = {step: one for step, one in own.items() if not is_receipted(opened, step)}
    if not own:
        return []
    apart = list(kept_apart(reader, opened, min(own)))
    found = [one for one in apart if is_claim_on(one.event.body, opened.role) and one.event.step in own]
    found = [one for one in found if one.event.prev == own[one.event.step].event.prev]
    found.sort(key=lambda one: (one.event.step, one.id))
    return [Claimed(one, own[one.event.step], _played_on(opened, one, apart)) for one in found]


def has_played_on(reader: Reader, opened: OpenGame, claim: Verified) -> bool:
    """Whether an event is at hand which another player has signed behind a claim or a ruling that came."""
    return _played_on(opened, claim, list(kept_apart(reader, opened, claim.event.step)))


def _played_on(opened: OpenGame, claim: Verified, apart: Iterable[Verified]) -> bool:
    """Where the remedy is a claim of the game, only a link makes one final."""
    final = ("entropy",) if isinstance(claim.event.body, Lapse) and not opened.campaign.worst else tuple(BODIES)
    here = [one for one in opened.standing() if one.step == claim.event.step]
    return played_on_from(claim, [*(verify_event(one.line, opened.known) for one in here), *apart], final)


def claimed(reader: Reader, opened: OpenGame) -> Claimed | None:
    """What the status tells of such claims: the earliest that came in time, or too early, and could be true."""
    codes = {row.event_id: row.code for row in reader.refusals(opened.row.game_id)}
    against = claims_against(reader, opened) if codes else []
    return next((one for one in against if codes[one.claim.id] in (EARLY, CLAIMED)), None)


def advice(said: Against) -> str:
    """What to do about a claim or a ruling against what was signed."""
    name, noun = said.name, said.noun
    giving = f"`pbem motion yield {name}` lets the {noun} stand"
    if said.link:
        giving = (
            f"`pbem motion yield {name} --anyway` lets the {noun} stand, and as your link of step {said.link} may be "
            f"known, `pbem motion rotate {name}` is for your next decision"
        )
    if said.played_on:
        return f"play has gone on from the {noun}, and yours comes too late for that; if you agree, {giving}"
    sent = f"send all you have, `pbem export {name} --all`"
    if said.ends:
        return (
            f"{sent}: yours is not too late, and the game goes on; to give it up instead, `pbem motion yield {name} "
            "--anyway` lets the claim stand"
        )
    if noun == "ruling":
        return f"{sent}: yours counts where it comes before the ruling; if the others go on from that, {giving}"
    return f"{sent}: yours counts where nothing has been signed behind the claim; if play has gone on from it, {giving}"


def is_receipted(opened: OpenGame, step: int) -> bool:
    """Whether the log has closed a step with the adjudicator's receipt: what it names counts, whatever is ruled there.

    A home's own event closes no such step unless the receipt names it.
    """
    here = [(one.role, slot(one.kind)) for one in opened.standing() if one.step == step]
    return (ADJUDICATOR, "receipt") in here and (opened.role, "move") in here


def claim_against(reader: Reader, opened: OpenGame, verified: Verified) -> BadEvidence | None:
    """What is said of a claim of what was signed here, or of a ruling on it."""
    if opened.campaign.outcome or not is_claim_on(verified.event.body, opened.role):
        return None
    if opened.campaign.roster.held.get(verified.event.role) != verified.key:
        return None
    if is_receipted(opened, verified.event.step):
        return None
    text = f"expected what you have signed at step {verified.event.step} to count, got {named(verified)} in its place"
    against = Claimed(verified, verified, has_played_on(reader, opened, verified)).against(opened)
    return BadEvidence(CLAIMED, text, advice(against))


def late_answer(verified: Verified, opened: OpenGame) -> BadEvidence | None:
    """What is said of an answer to a claim, or to a ruling, from which play has gone on."""
    step, role = verified.event.step, verified.event.role
    if opened.campaign.roster.judge == ADJUDICATOR and not opened.campaign.outcome:
        return _ruled_on(verified, opened)
    here = [row for row in opened.standing() if row.step == step and row.kind in CLAIMING] if step else []
    claims = [row for row in here if is_claim_on(read(envelope.from_line(row.line).payload).body, role)]
    if opened.campaign.outcome or not claims:
        return None
    noun = NOUNS[claims[0].kind]
    text = f"expected {named(verified)} before play had gone on from the {noun} that it did not come, got it too late"
    hint = f"it changes nothing here; {role} can let the {noun} stand with `pbem motion yield`"
    return BadEvidence(LATE_ANSWER, text, hint)


def _ruled_on(verified: Verified, opened: OpenGame) -> BadEvidence | None:
    """What is said of what came behind the adjudicator's ruling in its place, None where there is none."""
    rulings = [row.line for row in opened.rows if (row.kind, row.step) == ("ruling", verified.event.step)]
    if not any(is_claim_on(read(envelope.from_line(line).payload).body, verified.event.role) for line in rulings):
        return None
    text = f"expected {named(verified)} before the adjudicator ruled in its place, got it too late"
    return BadEvidence(LATE_ANSWER, text, "it changes nothing: the ruling stands")


def is_claim_on(body: Body, role: Role) -> bool:
    """Whether an event claims, or rules on, what a role owes."""
    return isinstance(body, Lapse | Ruling) and body.role == role


def gives_way_to(resolution: Verified, claim: Verified, own: Verified) -> bool:
    """Whether the author of a settlement lets what another party claims, or rules, there stand in the place of what it
    has signed itself at that place."""
    role, place = resolution.event.role, (resolution.event.step, resolution.event.prev)
    places = {(one.event.step, one.event.prev) for one in (claim, own)}
    mine = own.event.role == role and slot(own.event.kind) == "move" and own.key == resolution.key
    return mine and places == {place} and claim.event.role != role and is_claim_on(claim.event.body, role)


def is_given_way(resolution: Verified, opened: OpenGame) -> bool:
    """Whether somebody says of its own event that it gives way to a claim or a ruling that stands in the log here.

    It changes nothing then; of one's own fork nobody can say anything so.
    """
    body, role = resolution.event.body, resolution.event.role
    if not isinstance(body, Resolve) or body.role != role:
        return False
    lines = {row.event_id: row.line for row in opened.rows if row.kind_class == "log"}
    if body.drop in lines or body.keep not in lines:
        return False
    return is_claim_on(read(envelope.from_line(lines[body.keep]).payload).body, role)

"""Plays any ruleset with fully signed events and without mail. Every key here can be derived: for show only.

`Match(ruleset, seed).play()` plays a game to its end; `match.archive()` is what `pbem verify` reads. As a command,
`python tests/play.py FOLDER` replays every archive of a folder and prints what it computed at every step, so that
another process, hash seed or Python can be compared with this one.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parent / "toy"))

from pbem.app import catalogue
from pbem.app.archive import archive_order
from pbem.app.demo import Seeded
from pbem.app.signing import signed, statement_at
from pbem.engine import snapshot
from pbem.engine.automatic import Standing, automatic, no_standing_orders
from pbem.engine.campaign import Campaign
from pbem.keys.identity import Identity
from pbem.log import bundle, canonical, chain, event, seal
from pbem.log.event import NOTHING, Accept, Body, Event, Propose, Registration, Role, RulesetName, Seat
from pbem.log.keys import successor_digest
from pbem.log.roster import claiming_roster, from_proposal, registered, registration_of
from pbem.log.verify import Verified, verify_event
from pbem.rules.play import Answer as Decision
from pbem.rules.play import Question
from pbem.rules.ruleset import Ruleset

NONCE = sha256(b"pbem show-only nonce").digest()
BEGIN = 1_700_000_000
MINUTE = 60
STEP_LIMIT = 3_000
"""No game of the catalogue is nearly as long; whatever reaches it has no end."""


@cache
def identity_of(role: str) -> Identity:
    return Identity.generate(Seeded(0, f"identity {role}"))


@cache
def links_of(role: str) -> tuple[bytes, ...]:
    """One chain for all games of a role: the dice differ because the digests of the steps do."""
    return chain.links(sha256(f"pbem show-only chain {role}".encode()).digest(), NONCE, role)


@cache
def registration_for(role: str) -> Registration:
    identity = identity_of(role)
    return Registration(
        name=role.title(),
        key=identity.public_key.hex(),
        successor=successor_digest(identity.successor_public_key),
        escrow=identity.escrow_public_key.hex(),
        anchor=links_of(role)[0].hex(),
        links=chain.LENGTH,
    )


@dataclass(slots=True)
class Player:
    """One side: what it alone knows, and how it decides."""

    role: Role
    random: Seeded
    decide: Callable[[Question[Any], Any], Decision]
    vault: dict[bytes, tuple[bytes, Mapping[str, Any]]] = field(default_factory=dict)
    standing: Standing = no_standing_orders

    def link(self, index: int) -> bytes:
        return links_of(self.role)[index]

    def sealed(self, commitment: bytes) -> tuple[bytes, Mapping[str, Any]] | None:
        return self.vault.get(commitment)


@dataclass(frozen=True, slots=True)
class Asked:
    """A question that a player has answered, and the state in which it was asked."""

    question: Question[Any]
    state: Any
    answer: Decision


def proposal(
    ruleset: Ruleset[Any],
    scenario: str,
    options: Mapping[str, Any],
    days: int,
    seed: int,
    remedy: Literal["claim", "worst"] = "claim",
) -> Verified:
    """A proposal by the first role; the seed stands in its time, so every seed is a game of its own."""
    first = ruleset.roles[0]
    body = Propose(
        nonce=NONCE.hex(),
        ruleset=RulesetName(name=ruleset.name, version=ruleset.version, digest=ruleset.digest),
        scenario=scenario,
        options=dict(options),
        seats=[Seat(role=role, name=role.title(), address=f"{role}@example.org") for role in sorted(ruleset.roles)],
        rollers=sorted(ruleset.roles),
        deadline_days=days,
        remedy=remedy,
        show_only=True,
        registration=registration_for(first),
    )
    statement = Event(NOTHING, 0, NOTHING, NOTHING, first, "propose", body, BEGIN + seed)
    identity = identity_of(first)
    return verify_event(signed(identity, statement), None, (identity.public_key,))


class DeadEndError(AssertionError):
    """A game that does not come to its end."""


class Match:
    """A game being played; `traces` is what was computed after each step, `snapshots` where play could be resumed.

    With `resume` the campaign is thrown away at every checkpoint and taken up from its snapshot again.
    """

    def __init__(
        self,
        ruleset: Ruleset[Any],
        seed: int = 1,
        *,
        bots: Sequence[str] = ("random", "random"),
        scenario: str = "",
        options: Mapping[str, Any] | None = None,
        deadline_days: int = 0,
        remedy: Literal["claim", "worst"] = "claim",
        resume: bool = False,
    ) -> None:
        self.ruleset, self.resume = ruleset, resume
        self.random = Seeded(seed, "order")
        self.players = {
            role: Player(role, (source := Seeded(seed, role)), self._bot(bot, source))
            for role, bot in zip(ruleset.roles, bots, strict=True)
        }
        proposed = proposal(ruleset, scenario or ruleset.scenarios[0], options or {}, deadline_days, seed, remedy)
        self.campaign: Campaign[Any] = Campaign(ruleset, proposed, catalogue.for_proposal())
        self.events = [proposed]
        self.traces = [trace(self.campaign)]
        self.snapshots: list[snapshot.Snapshot] = []
        self.asked: list[Asked] = []
        self.clock = BEGIN + seed
        for role in self.campaign.roster.absent():
            self.offer(self.signed(role, Accept(registration=registration_for(role))))

    def play(self, until: Callable[[Campaign[Any]], bool] = lambda _: False) -> Match:
        """To the end, or until a condition holds before a step; DeadEndError with a replayable archive otherwise."""
        try:
            while not self.campaign.finished and not until(self.campaign):
                self.step()
        except Exception as error:
            raise DeadEndError(f"{type(error).__name__}: {error}; the game so far: {self.kept()}") from error
        return self

    def step(self) -> None:
        """All that one step waits for, in an order that is left to chance."""
        number, waiting = self.campaign.place.step, sorted(self.campaign.awaited())
        if number > STEP_LIMIT:
            raise DeadEndError(f"no end after {STEP_LIMIT} steps")
        if self.random.choose(2):
            waiting.reverse()
        for role in waiting:
            self.offer(self.signed(role, self.body(role)))
        if self.campaign.place.step == number:
            raise DeadEndError(f"step {number} waits for {waiting}, but their events do not close it")

    def body(self, role: Role) -> Body:
        """What a role says now: by itself where it can, else what its player decides."""
        player, question = self.players[role], self.campaign.question(role)
        found = automatic(self.campaign, role, player, player.standing)
        if found is not None:
            return found.body
        if question is None:
            raise DeadEndError(f"{role} owes what it has lost, or nobody asks it anything")
        answer = player.decide(question, self.campaign.state)
        self.asked.append(Asked(question, self.campaign.state, answer))
        return self.body_of(role, answer)

    def body_of(self, role: Role, answer: Decision) -> Body:
        """An answer as the campaign wants it: in the open, or as a commitment that is kept to be opened."""
        value = answer.model_dump(mode="json")
        if self.campaign.awaited()[role].kind == "answer":
            return event.Answer(ask=answer.kind, value=value)
        player, salt = self.players[role], sha256(f"{role} {self.campaign.place.step}".encode()).digest()
        game, step = bytes.fromhex(self.campaign.game), self.campaign.place.step
        made = seal.commitment(game, step, role, answer.kind, salt, canonical.encode(value))
        player.vault[made] = (salt, value)
        return event.Seal(ask=answer.kind, commitment=made.hex(), escrow="")

    def signed(self, role: Role, body: Body, **changes: Any) -> Verified:
        """A verified event of a role at the present place, or with some fields changed."""
        self.clock += MINUTE
        statement = statement_at(self.campaign.place, role, body, self.clock)
        return self.sealed_by(role, Event(**{name: getattr(statement, name) for name in _FIELDS} | changes))

    def sealed_by(self, role: Role, statement: Event) -> Verified:
        identity = identity_of(role)
        return verify_event(signed(identity, statement), self.campaign.roster, (identity.public_key,))

    def offer(self, verified: Verified) -> bool:
        """Give the campaign an event, and note what it computed when that closes the step."""
        before = self.campaign.snapshot
        told = len(self.campaign.lines)
        closed = self.campaign.offer(verified)
        self.events.append(verified)
        if closed:
            self.traces.append(trace(self.campaign, told))
        kept = self.campaign.snapshot
        if kept is not None and kept is not before:
            self.snapshots.append(kept)
            if self.resume:
                again = snapshot.read(snapshot.write(kept))
                whole, self.campaign = self.campaign, self._resumed(again)
                assert self.campaign.place == whole.place
                assert self.campaign.driver.dice == whole.driver.dice
        return closed

    def _resumed(self, kept: snapshot.Snapshot) -> Campaign[Any]:
        return Campaign.resume(self.ruleset, self.registrations, kept, self.campaign.games)

    @property
    def registrations(self) -> tuple[Verified, ...]:
        return tuple(one for one in self.events if registration_of(one.event))

    def archive(self) -> bytes:
        """The game as the file that `pbem archive` would write."""
        return archive_of(self.events)

    def kept(self) -> Path:
        """Write the archive where a person can find it."""
        with tempfile.NamedTemporaryFile(prefix=f"{self.ruleset.name}-", suffix=".pbem", delete=False) as file:
            file.write(self.archive())
        return Path(file.name)

    def _bot(self, name: str, source: Seeded) -> Callable[[Question[Any], Any], Decision]:
        bot = self.ruleset.bots()[name]
        return lambda question, state: bot(question, state, source.choose)


@cache
def played(game: str, seed: int = 1, resume: bool = False) -> Match:
    """A finished game between two random players; nobody changes it."""
    return Match(catalogue.ruleset(game), seed, resume=resume).play()


@cache
def waiting_for(game: str, kind: str) -> Match:
    """A game that waits for events of a kind; what is offered to it must be refused."""
    return Match(catalogue.ruleset(game)).play(lambda campaign: kind in kinds_of(campaign))


def kinds_of(campaign: Campaign[Any]) -> set[str]:
    return {demand.kind for demand in campaign.place.demands.values()}


_FIELDS = ("game", "step", "prev", "state", "role", "kind", "body", "at")


def archive_of(events: Iterable[Verified]) -> bytes:
    """Events as an archive."""
    ordered = sorted(events, key=archive_order)
    return bundle.write("archive", [e.key for e in ordered if registration_of(e.event)], [e.line for e in ordered])


def trace(campaign: Campaign[Any], told: int = 0) -> str:
    """What a campaign computed at its present place, in one line: head, state, what is waited for, options, story.

    The story is what was told from line `told` on.
    """
    place = campaign.place
    waits = ",".join(f"{role} {demand.kind} {demand.ask}" for role, demand in sorted(place.demands.items()))
    questions = [question for role in sorted(place.demands) if (question := campaign.question(role))]
    options = [option.model_dump(mode="json") for question in questions for option in question.legal()]
    story = [(line.rule, line.text) for line in campaign.lines[told:]]
    return f"{place.step} {place.prev[:16]} {place.state} [{waits}] {_short(options)} {_short(story)}"


def _short(value: Any) -> str:
    return sha256(json.dumps(value).encode()).hexdigest()[:16]


def read_archive(data: bytes) -> list[Verified]:
    """The verified events of an archive."""
    found = bundle.read(data)
    events = [verify_event(found.lines[0], None, found.keys)]
    roster = from_proposal(events[0].id, events[0].event)
    for line in found.lines[1:]:
        events.append(verify_event(line, roster, found.keys))
        registration = registration_of(events[-1].event)
        if registration is not None:
            roster = registered(roster, events[-1].event.role, registration)
        roster = claiming_roster(roster, events[-1].event)
    return events


def begun(proposed: Verified) -> Campaign[Any]:
    """A new campaign of a proposal, with the rules that it names."""
    assert isinstance(proposed.event.body, Propose)
    games = catalogue.for_proposal()
    return Campaign(games(proposed.event.body.ruleset), proposed, games)


_ORDER = {"request": 0, "ruling": 2, "lapse": 2}


def replayed(events: Sequence[Verified]) -> list[str]:
    """The traces of a fresh replay of events in their order, requests before what answers them, claims at last."""
    campaign = begun(events[0])
    traces = [trace(campaign)]
    for verified in sorted(events[1:], key=lambda one: (one.event.step, _ORDER.get(one.event.kind, 1))):
        told = len(campaign.lines)
        if campaign.offer(verified):
            traces.append(trace(campaign, told))
    return traces


def replayed_elsewhere(folder: Path, hash_seed: str, python: str = sys.executable) -> dict[str, list[str]]:
    """The traces of every archive of a folder by name, computed by another process."""
    environment = os.environ | {"PYTHONHASHSEED": hash_seed}
    found = subprocess.run([python, __file__, str(folder)], env=environment, capture_output=True, timeout=1800)
    assert found.returncode == 0, found.stderr.decode()[-2000:]
    traces: dict[str, list[str]] = json.loads(found.stdout)
    return traces


def main(folder: Path) -> None:
    """Print the traces of every archive of a folder as one JSON object."""
    traces = {path.name: replayed(read_archive(path.read_bytes())) for path in sorted(folder.glob("*.pbem"))}
    print(json.dumps(traces))


if __name__ == "__main__":
    main(Path(sys.argv[1]))

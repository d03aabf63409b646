"""Two sides of a game for the attacks: real homes, a command line each, and what a forger can make below it.

Everything up to the attack is played with a clock that stands in the past, so that every deadline of a game is over
for the command line, whose clock is the machine's.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import os
import shutil
import sqlite3
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import orjson
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from pbem.app import catalogue
from pbem.app.deciding import submit_orders
from pbem.app.demo import Seeded
from pbem.app.desk import Desk, make_home
from pbem.app.exporting import export
from pbem.app.imported import ImportResult
from pbem.app.importing import import_arrived
from pbem.app.lapsing import claim_lapse
from pbem.app.opened import OpenGame, open_game
from pbem.app.propose import Terms, propose
from pbem.app.routing import incoming
from pbem.app.signing import finish, give
from pbem.cli.frame import run
from pbem.keys.identity import Identity
from pbem.log import bundle, canonical, envelope, event
from pbem.log.envelope import Envelope
from pbem.log.event import Body, Event, Role
from pbem.log.keys import key_id
from pbem.log.verify import DAY
from pbem.mail import armour
from pbem.store.database import Home

ORDER = 2**252 + 27742317777372353535851937790883648493
"""Of the base point of Ed25519 (RFC 8032 5.1)."""
BEGIN = 1_700_000_000
"""The clock of what is played before an attack."""
DEADLINE_DAYS = 7
LATER = BEGIN + DEADLINE_DAYS * DAY + 1


@dataclass(frozen=True, slots=True)
class Done:
    """What a command left: its exit code and what it said."""

    code: int
    out: str
    err: str


def pbem(folder: Path, *arguments: str | Path, given: bytes = b"") -> Done:
    """Run a command line in this process with the home in `folder`; `given` is its standard input."""
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", newline="") for _ in range(2))
    before, stdin = os.environ.get("PBEM_HOME"), sys.stdin
    os.environ["PBEM_HOME"] = str(folder)
    sys.stdin = io.TextIOWrapper(io.BytesIO(given), "utf-8")
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = run([str(argument) for argument in arguments])
    finally:
        sys.stdin = stdin
        if before is None:
            del os.environ["PBEM_HOME"]
        else:
            os.environ["PBEM_HOME"] = before
    return Done(code, _text(out), _text(err))


def _text(stream: io.TextIOWrapper) -> str:
    stream.flush()
    assert isinstance(stream.buffer, io.BytesIO)
    return stream.buffer.getvalue().decode("utf-8")


@dataclass(slots=True)
class Side:
    """One party: its home, its role, and a clock that a test may set."""

    role: Role
    folder: Path
    game: str = "westerplatte"
    now: int = BEGIN
    chooser: Seeded = field(default_factory=lambda: Seeded(1, "chooser"))
    random: Seeded = field(default_factory=lambda: Seeded(2, "random"))

    def __call__(self, *arguments: str | Path, given: bytes = b"") -> Done:
        """Run a command line at this home."""
        return pbem(self.folder, *arguments, given=given)

    @contextlib.contextmanager
    def desk(self) -> Iterator[Desk]:
        """The library below the client, with this side's clock."""
        with Home.open(self.folder) as home:
            yield Desk(home, lambda: self.now, self.random)

    def opened(self, *, whole: bool = False) -> OpenGame:
        with self.desk() as desk:
            return open_game(desk.home, self.game, desk.games, whole=whole)

    def decide(self) -> None:
        """Answer every question that this side has now, legally and at random."""
        with self.desk() as desk:
            while True:
                opened = open_game(desk.home, self.game, desk.games)
                campaign = opened.campaign
                question = campaign.question(self.role)
                if question is None or opened.fork:
                    return
                answer = campaign.ruleset.bots()["random"](question, campaign.state, self.chooser.choose)
                submit_orders(desk, self.game, campaign.ruleset.write_orders(answer))

    def twice(self, folder: Path) -> tuple[Side, Side]:
        """This side and a copy of it, which have decided the same question in two ways."""
        twin = self.copy(folder)
        twin.chooser = Seeded(5, "twin")
        for side in (self, twin):
            side.decide()
        return self, twin

    def export(self, *, everything: bool = False) -> bytes:
        """This side's turn file."""
        with self.desk() as desk:
            return export(desk, self.game, everything=everything).armour.encode("ascii")

    def take(self, turn_file: bytes) -> ImportResult:
        """Import at this side's own time."""
        with self.desk() as desk:
            return import_arrived(desk, incoming(turn_file, "a mail"))

    def mail(self, turn_file: bytes) -> Done:
        """Import through the client, which looks at this machine's clock."""
        path = self.folder.parent / f"to-{self.role}.txt"
        path.write_bytes(turn_file)
        return self("import", path)

    def tables(self, *but: str) -> dict[str, list[tuple[Any, ...]]]:
        """Every row of the home's database but those of the tables named; the agenda goes with the status."""
        but = (*but, "agenda") if "status" in but else but
        connection = sqlite3.connect(f"file:{self.folder / 'home.sqlite'}?mode=ro", uri=True)
        with contextlib.closing(connection):
            names = [name for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
            return {name: sorted(connection.execute(f"SELECT * FROM {name}")) for name in names if name not in but}

    def heads(self) -> list[str]:
        """The digest of every step."""
        return [step.digest.hex() for step in self.opened(whole=True).campaign.steps]

    def verified(self, *, running: bool = True) -> Done:
        """What `pbem verify` says about the archive of this home."""
        path = self.folder.parent / f"{self.role}.pbem"
        written = self("archive", "-o", path)
        assert written.code == 0, written
        return self("verify", path, *(["--running"] if running else []))

    def copy(self, folder: Path) -> Side:
        """This home as it is now, in another folder: a backup, or a second device."""
        shutil.copytree(self.folder, folder)
        return Side(self.role, folder, self.game, self.now, random=Seeded(4, folder.name))

    def identity(self) -> Identity:
        with self.desk() as desk:
            return desk.identity()

    # ------------------------------------------------------------------ what a forger makes

    def here(self, body: Body, **changes: Any) -> Event:
        """A statement of this side at the present place of its log, or with some fields changed."""
        place = self.opened().campaign.place
        kind = next(name for name, model in event.BODIES.items() if type(body) is model)
        fields = {
            "game": place.game,
            "step": place.step,
            "prev": place.prev,
            "state": place.state,
            "role": self.role,
            "kind": kind,
            "body": body,
            "at": self.now,
        }
        return Event(**{**fields, **changes})

    def give(self, body: Body) -> None:
        """Sign and store what the client would not let this side say."""
        with self.desk() as desk, desk.home.writing() as writer:
            opened = open_game(writer, self.game, desk.games)
            give(desk, writer, opened, body)
            finish(writer, opened)

    def sign(self, statement: Event | bytes | Mapping[str, Any]) -> bytes:
        """The line of a statement, a payload, or a value that need not be a statement, signed by this side."""
        return sign(self.identity(), statement)

    def lines(self) -> list[bytes]:
        """Every event line of the log, in its order."""
        return [one.line for step in self.opened(whole=True).campaign.steps for one in step.events]

    def pending(self) -> list[bytes]:
        """The lines of the step that is not closed."""
        return [one.line for one in self.opened().campaign.pending()]


def sign(identity: Identity, statement: Event | bytes | Mapping[str, Any]) -> bytes:
    payload = event.write(statement) if isinstance(statement, Event) else statement
    payload = payload if isinstance(payload, bytes) else canonical.encode(dict(payload))
    signature = identity.sign(envelope.pae(envelope.PAYLOAD_TYPE, payload))
    return envelope.to_line(Envelope(key_id(identity.public_key), signature, payload))


def packed(lines: Iterable[bytes], keys: Iterable[bytes] = ()) -> bytes:
    """A turn file of these lines, as whole as any mail program left it."""
    return armoured(bundle.write("turn", keys, lines))


def armoured(text: bytes) -> bytes:
    """A turn file of a bundle text, whatever that says."""
    return armour.encode(bundle.pack(text)).encode("ascii")


def unpacked(turn_file: bytes) -> bundle.Bundle:
    """The bundle in a turn file."""
    (payload,) = armour.find(turn_file).payloads
    return bundle.read(bundle.unpack(payload))


def payload_of(line: bytes) -> dict[str, Any]:
    """What a line says, as JSON."""
    found: dict[str, Any] = orjson.loads(envelope.from_line(line).payload)
    return found


def id_of(line: bytes) -> str:
    return envelope.event_id(envelope.from_line(line).payload)


@dataclass(slots=True)
class Pair:
    """Both sides of one game: `german` has proposed, `polish` has accepted."""

    german: Side
    polish: Side

    def sides(self) -> tuple[Side, Side]:
        return self.german, self.polish

    def play(self, until: int) -> None:
        """Play on by turn files until step `until` is asked for, or nobody can go on.

        Both clocks go on from the latest thing that either home knows, which the command line may have dated now.
        """
        idle = 0
        latest = max(row.arrived for side in self.sides() for row in side.opened().rows)
        self.german.now = self.polish.now = max(self.german.now, self.polish.now, latest)
        while idle < 2:
            for side, other in ((self.polish, self.german), (self.german, self.polish)):
                if side.opened().campaign.place.step >= until:
                    return
                before = other.opened().campaign.place.step
                side.now = other.now = max(side.now, other.now) + 60
                side.decide()
                other.take(side.export())
                idle = 0 if other.opened().campaign.place.step > before else idle + 1


def new_side(folder: Path, role: str, name: str) -> Side:
    """A home without a game."""
    make_home(folder, name, f"{name.lower()}@example.org", None, Seeded(7, name))
    return Side(Role(role), folder, random=Seeded(3, role))


def refused(side: Side, turn_file: bytes, *but: str) -> str:
    """The first line of the refusal, after a look at every table of the home."""
    before = side.tables(*but)
    done = side.mail(turn_file)
    assert (done.code, done.out.count("answered by itself")) == (1, 0)
    assert side.tables(*but) == before
    return done.err.splitlines()[0]


def invited(german: Side, folder: Path) -> Side:
    """The German with a second game, to which nobody has answered."""
    side = german.copy(folder / "inviting")
    side.game = "second"
    opponent = {Role("polish"): ("Bruno", "bruno@example.org")}
    with side.desk() as desk:
        propose(desk, Terms(catalogue.ruleset("westerplatte"), "standard", side.role, opponent, 7, name="second"))
    return side


def claimed_when_sent(desk: Desk, name: str, dice: Sequence[str] = ()) -> OpenGame:
    """Claim what is owed beyond the deadline, behind a turn file with everything that this side has signed."""
    export(desk, name)
    return claim_lapse(desk, name, dice)


def signed_again(identity: Identity, line: bytes) -> bytes:
    """The same payload with another signature that holds: RFC 8032 5.1.6 with a nonce of one's own choice."""
    found, nonce = envelope.from_line(line), Ed25519PrivateKey.generate()
    point = nonce.public_key().public_bytes_raw()
    message = envelope.pae(envelope.PAYLOAD_TYPE, found.payload)
    challenge = hashlib.sha512(point + identity.public_key + message).digest()
    s = (
        _scalar(nonce.private_bytes_raw()) + int.from_bytes(challenge, "little") * _scalar(identity.signing_seed)
    ) % ORDER
    return envelope.to_line(replace(found, signature=point + s.to_bytes(32, "little")))


def _scalar(seed: bytes) -> int:
    digits = bytearray(hashlib.sha512(seed).digest()[:32])
    digits[0] &= 248
    digits[31] = digits[31] & 127 | 64
    return int.from_bytes(digits, "little")

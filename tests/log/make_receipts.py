"""The logs of `fixtures/log/` that an adjudicator hosts: the show game with receipts, and a bad log for each defect."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from pbem.log import bundle, dice, dispute, event
from pbem.log.dispute import RollClaim
from pbem.log.event import ADJUDICATOR, NOTHING, Lapse, Receipt, Ruling, Withdraw
from pbem.log.step import GENESIS
from pbem.log.verify import GRACE, Verified

from .builders import END, GERMAN, HOUR, POLISH, Game, body_of, new_game, play_on, player, propose, secret, statement

DEADLINE = 7 * 24 * HOUR
NOBODYS = secret("event of nobody").hex()
LABEL = "first-player"


def hosted(until: int) -> Game:
    """The show game with an adjudicator who rolls alone, up to (not including) a step."""
    return play_on(new_game(player(GERMAN), player(POLISH), player(ADJUDICATOR), rollers=[ADJUDICATOR]), until)


def roll() -> bytes:
    """The dispute about a roll whose salt is that of the step with both openings and their receipt."""
    game = hosted(7)
    faces = list(dice.faces(game.dice_key(), LABEL, 1, 6))
    return of_roll(game, faces, [*game.steps[5], *game.steps[6]])


def of_roll(game: Game, faces: list[int], behind: list[Verified]) -> bytes:
    claim = RollClaim(claim="roll", step=6, label=LABEL, sides=6, faces=faces, items=[])
    return dispute.write(claim, game.keys, [*(one.line for one in (*game.registrations, *behind))])


GOOD: dict[str, Callable[[], bytes]] = {
    "hosted": lambda: hosted(END).archive(),
    "hosted-roll": roll,
}


def ending(game: Game, *lines: bytes) -> bytes:
    """A good game, and lines at its end that do not fit."""
    good = bundle.read(game.archive())
    return bundle.write("archive", good.keys, [*good.lines, *lines])


def sealed(named: tuple[str, ...] = (GERMAN, POLISH), more: str = "", **changes: Any) -> bytes:
    """Both have sealed at step 4; the receipt of some, and of something more."""
    game = hosted(4)
    lines = {role: game.line(role, body_of(game, role)) for role in (GERMAN, POLISH)}
    arrived = {game.verified(lines[role]).id: game.since for role in named} | ({more: game.since} if more else {})
    said = game.line(ADJUDICATOR, Receipt(arrived=arrived), at=game.since + HOUR, **changes)
    return ending(game, *lines.values(), said)


def decided(arrived: int = 0, by: str = ADJUDICATOR, **changes: Any) -> bytes:
    """The german has decided at step 3; a receipt for that which does not fit."""
    game = hosted(3)
    answer = game.line(GERMAN, body_of(game, GERMAN))
    return ending(game, answer, game.receipt(answer, by=by, arrived=arrived, **changes))


def unreceipted() -> bytes:
    """The german has decided and goes on without a receipt."""
    game = hosted(3)
    answer = game.line(GERMAN, body_of(game, GERMAN))
    good = game.archive()
    game.close((game.verified(answer),))
    return bundle.write(
        "archive", game.keys, [*bundle.read(good).lines, answer, game.line(GERMAN, body_of(game, GERMAN))]
    )


def alone() -> bytes:
    """A receipt where the adjudicator alone has something to sign."""
    game = hosted(2)
    own = game.line(ADJUDICATOR, game.entropy(ADJUDICATOR))
    return ending(game, own, game.line(ADJUDICATOR, Receipt(arrived={NOBODYS: game.since}), at=game.since + HOUR))


def ruled(after: int, by: str = ADJUDICATOR) -> bytes:
    game = hosted(3)
    body = Ruling(role=GERMAN, demand="answer", link="", salt="", value=None, agree=False, motion="", why="")
    return ending(game, game.line(by, body, at=game.since + after))


def claimed() -> bytes:
    game = hosted(3)
    return ending(game, game.line(POLISH, Lapse(role=GERMAN, demand="answer", dice=[]), at=game.since + 2 * DEADLINE))


def proposed() -> bytes:
    seats = (player(ADJUDICATOR), player(GERMAN), player(POLISH))
    said = statement(0, GENESIS, ADJUDICATOR, propose(seats), NOTHING)
    return bundle.write("archive", [seats[0].key], [seats[0].signed(event.write(said))])


def says(arrived: Any) -> bytes:
    """A receipt whose body says something else."""
    game = hosted(3)
    answer = game.line(GERMAN, body_of(game, GERMAN))
    said = json.loads(event.write(game.event(ADJUDICATOR, Receipt(arrived={NOBODYS: 0}))))
    said["body"] = {"arrived": arrived}
    payload = json.dumps(said, sort_keys=True, separators=(",", ":")).encode()
    return ending(game, answer, player(ADJUDICATOR).signed(payload))


def in_a_plain_game() -> bytes:
    game = play_on(new_game(), 3)
    return ending(game, game.line(GERMAN, Receipt(arrived={NOBODYS: game.since})))


def other_salt() -> bytes:
    """A roll by the digest of the step before, in which the receipt is."""
    game = hosted(7)
    key = dice.dice_key(
        [game.tips[ADJUDICATOR].link], bytes.fromhex(game.steps[6][0].event.prev), bytes.fromhex(game.game)
    )
    return of_roll(game, list(dice.faces(key, "other", 8, 6)), [*game.steps[5], *game.steps[6]])


def without_the_step_before() -> bytes:
    game = hosted(7)
    return of_roll(game, [1], [*game.steps[6]])


def withdrawing() -> bytes:
    """Somebody withdraws what nobody has asked for."""
    game = hosted(3)
    return ending(game, game.line(POLISH, Withdraw(motion=NOBODYS)))


BAD: dict[str, tuple[str, Callable[[], bytes]]] = {
    "receipt-that-leaves-one-out": ("place.receipt", lambda: sealed((GERMAN,))),
    "receipt-with-one-too-many": ("place.receipt", lambda: sealed(more=NOBODYS)),
    "receipt-by-a-player": ("place.receipt", lambda: decided(by=POLISH)),
    "receipt-by-another-key": ("event.unknown_key", lambda: decided(signer=player(ADJUDICATOR, "stranger"))),
    "receipt-of-what-came-before-its-step": ("place.receipt", lambda: decided(-1)),
    "receipt-dated-before-what-it-names": ("place.receipt", lambda: decided(HOUR + 1)),
    "receipt-where-nobody-else-signs": ("place.receipt", alone),
    "receipt-in-a-game-that-nobody-hosts": ("place.receipt", in_a_plain_game),
    "receipt-of-nothing": ("event.form", lambda: says({})),
    "receipt-with-a-time-as-text": ("event.form", lambda: says({NOBODYS: "1"})),
    "receipt-with-a-short-id": ("event.form", lambda: says({"ab": 1})),
    "step-without-its-receipt": ("place.step", unreceipted),
    "ruling-of-an-adjudicator-within-the-grace": ("place.ruling", lambda: ruled(DEADLINE + GRACE - 1)),
    "ruling-of-a-player-in-a-hosted-game": ("place.ruling", lambda: ruled(2 * DEADLINE, POLISH)),
    "lapse-in-a-hosted-game": ("place.lapse", claimed),
    "withdrawal-of-nothing": ("place.withdraw", withdrawing),
    "proposal-by-an-adjudicator": ("roster.adjudicator", proposed),
    "dispute-of-a-hosted-roll-by-another-salt": ("dispute.faces", other_salt),
    "dispute-of-a-hosted-roll-without-the-step-before": ("dispute.place", without_the_step_before),
}

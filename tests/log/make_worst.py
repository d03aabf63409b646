"""The logs of `fixtures/log/` with the remedy `worst`: one good log, and one bad log for every defect."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from pbem.log import bundle, event
from pbem.log.event import Answer, Dictated, Entropy, Lapse, Seat
from pbem.log.hashing import ZERO

from .builders import (
    GERMAN,
    HOUR,
    NONCE,
    POLISH,
    Game,
    body_of,
    links_of,
    new_game,
    play_on,
    player,
    propose,
    statement,
)

DEADLINE = 7 * 24 * HOUR
FIRST_PLAYER = Dictated(label="first-player", faces=[6])
"""What the rules of the show game roll at step 2."""


def begun() -> Game:
    """A game that waits for both links at step 2."""
    return new_game(remedy="worst")


def lapse(game: Game, *dice: Dictated, demand: Any = "entropy") -> bytes:
    """The german's claim of what the polish owes, on the last second of its deadline."""
    return game.line(GERMAN, Lapse(role=POLISH, demand=demand, dice=list(dice)), at=game.since + DEADLINE)


def dictated() -> Game:
    """The german has opened its link and dictates the roll."""
    game = begun()
    game.add(game.line(GERMAN, game.entropy(GERMAN)), lapse(game, FIRST_PLAYER))
    return game


def rolled_again() -> bytes:
    """Behind it the polish opens its second link, which hashes down to the anchor through the first one."""
    return play_on(dictated(), 7).archive()


GOOD: dict[str, Callable[[], bytes]] = {"worst": rolled_again}


def ending(game: Game, *lines: bytes) -> bytes:
    """A good game, and lines at its end that do not fit."""
    return bundle.write("archive", game.keys, [*game.lines, *lines])


def claimed(*dice: Dictated, remedy: str = "worst") -> bytes:
    game = new_game(remedy=remedy)
    return ending(game, game.line(GERMAN, game.entropy(GERMAN)), lapse(game, *dice))


def decision_dictated() -> bytes:
    """The polish claims the german's move at step 3, and dictates dice as well."""
    game = dictated()
    body = Lapse(role=GERMAN, demand="answer", dice=[FIRST_PLAYER])
    return ending(game, game.line(POLISH, body, at=game.since + DEADLINE))


def link(index: int, of: int) -> bytes:
    """At step 6 the polish opens a link under some number."""
    game = play_on(dictated(), 6)
    body = Entropy(index=index, link=links_of(POLISH, NONCE)[of].hex())
    return ending(game, game.line(GERMAN, game.entropy(GERMAN)), game.line(POLISH, body))


def proposed(**changes: Any) -> bytes:
    """A proposal alone, whose author has signed it rightly."""
    players = (player(GERMAN), player(POLISH))
    said = statement(0, ZERO, GERMAN, propose(players, remedy="worst", **changes), event.NOTHING)
    return bundle.write("turn", [players[0].key], [players[0].signed(event.write(said))])


def seats(*roles: str) -> list[Seat]:
    return [Seat(role=event.Role(role), name=role.title(), address=f"{role}@example.org") for role in roles]


def says(dice: Any) -> bytes:
    """A claim whose dice say something else (None takes them out), rightly signed."""
    game = begun()
    said = json.loads(event.write(game.event(GERMAN, Lapse(role=POLISH, demand="entropy", dice=[FIRST_PLAYER]))))
    said["body"] = {"role": POLISH, "demand": "entropy", **({} if dice is None else {"dice": dice})}
    return ending(game, player(GERMAN).signed(json.dumps(said, sort_keys=True, separators=(",", ":")).encode()))


def last_answer() -> bytes:
    """The german decides at step 3 as well as it was claimed not to."""
    game = dictated()
    body = body_of(game, GERMAN)
    assert isinstance(body, Answer)
    claim = Lapse(role=GERMAN, demand="answer", dice=[])
    game.add(game.line(POLISH, claim, at=game.since + DEADLINE))
    return ending(game, game.line(GERMAN, body))


BAD: dict[str, tuple[str, Callable[[], bytes]]] = {
    "worst-without-its-dice": ("place.lapse", claimed),
    "worst-with-dice-for-a-decision": ("place.lapse", decision_dictated),
    "worst-with-a-decision-behind-the-claim": ("place.kind", last_answer),
    "lapse-with-dice-where-the-game-is-claimed": ("place.lapse", lambda: claimed(FIRST_PLAYER, remedy="claim")),
    "chain-link-that-was-withheld": ("chain.index", lambda: link(1, 1)),
    "chain-link-that-was-withheld-under-the-next-number": ("chain.link", lambda: link(2, 1)),
    "chain-link-behind-the-one-behind-a-withheld-one": ("chain.index", lambda: link(3, 3)),
    "proposal-with-the-worst-and-no-deadline": ("roster.remedy", lambda: proposed(deadline_days=0)),
    "proposal-with-the-worst-and-a-referee": (
        "roster.remedy",
        lambda: proposed(seats=seats(GERMAN, POLISH, "referee")),
    ),
    "proposal-with-the-worst-of-three": ("roster.remedy", lambda: proposed(seats=seats(GERMAN, POLISH, "soviet"))),
    "proposal-with-an-unknown-remedy": ("event.form", lambda: unknown_remedy()),
    "lapse-without-dice": ("event.form", lambda: says(None)),
    "lapse-with-a-face-of-nothing": ("event.form", lambda: says([{"label": "first-player", "faces": [0]}])),
    "lapse-with-a-face-as-text": ("event.form", lambda: says([{"label": "first-player", "faces": ["6"]}])),
    "lapse-with-a-newline-in-a-label": ("event.form", lambda: says([{"label": "first\nplayer", "faces": [6]}])),
    "lapse-with-a-roll-without-faces": ("event.form", lambda: says([{"label": "first-player"}])),
}


def unknown_remedy() -> bytes:
    one = player(GERMAN)
    said = json.loads(event.write(statement(0, ZERO, GERMAN, propose((one, player(POLISH))), event.NOTHING)))
    said["body"]["remedy"] = "draw"
    payload = json.dumps(said, sort_keys=True, separators=(",", ":")).encode()
    return bundle.write("turn", [one.key], [one.signed(payload)])

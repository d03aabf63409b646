"""The logs of `fixtures/log/` with motions: the show game as two people change it, and one bad log for every defect."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from pbem.log import bundle, event
from pbem.log.event import Annul, Answer, Change, Close, Consent, Deposit, Lapse, Motion, Request, Vouch
from pbem.log.roster import seat_message
from pbem.log.verify import Verified

from .builders import (
    GERMAN,
    HOUR,
    POLISH,
    REFEREE,
    RESULT,
    Game,
    body_of,
    new_game,
    play_on,
    played,
    player,
    secret,
)
from .show_motions import changing

DEADLINE = 7 * 24 * HOUR
NOBODYS = secret("motion of nobody").hex()


def moved(game: Game, what: str, by: str = GERMAN, **fields: Any) -> Verified:
    """The game goes on with a motion; the motion."""
    game.add(game.line(by, changing(Motion, what, **fields)))
    return game.steps[-1][0]


def agreed(game: Game, what: str, *, agree: bool = True, **fields: Any) -> Game:
    """The german moves, the polish agrees or not."""
    motion = moved(game, what, **fields)
    game.add(game.line(POLISH, Consent(motion=motion.id, agree=agree)))
    return game


def asked(game: Game, what: str, *, agree: bool, **fields: Any) -> Game:
    """The polish asks, the german agrees or decides as if nothing had been asked."""
    request = game.line(POLISH, changing(Request, what, **fields))
    consent = Consent(motion=game.verified(request).id, agree=True)
    game.add(request, game.line(GERMAN, consent if agree else body_of(game, GERMAN)))
    return game


def every_motion() -> Game:
    """Motions refused, agreed and carried out at once, requests agreed to and overruled by a decision.

    The german has to decide at step 3 of the script, before and behind each of them; before it links are opened, which
    is done anew behind the take-back, with the next ones.
    """
    game = agreed(played(3), "draw", agree=False, why="we are even")
    asked(game, "pause", agree=True, why="holidays")
    moved(game, "resume")
    agreed(game, "extend", days=10)
    agreed(game, "adjust", position="hill german")
    agreed(game, "take_back", step=2, why="the wrong unit")
    play_on(game, game.step + 1)
    asked(game, "draw", agree=False)
    play_on(game, game.step + 2)
    assert game.at == 6
    return game


def drawn() -> bytes:
    game = asked(played(3), "draw", agree=True)
    return play_on(game, game.step + 1).archive()


def conceded() -> bytes:
    game = played(3)
    moved(game, "concede", why="the hill is lost")
    return play_on(game, game.step + 1).archive()


def unanswered() -> Game:
    game = waiting()
    game.add(game.line(GERMAN, Lapse(role=POLISH, demand="consent", dice=[]), at=game.since + DEADLINE))
    return game


def silent() -> bytes:
    """Who does not answer a motion has not agreed to it: the decision is asked again."""
    game = unanswered()
    return play_on(game, game.step + 1).archive()


GOOD: dict[str, Callable[[], bytes]] = {
    "motions": lambda: every_motion().archive(),
    "motion-drawn": drawn,
    "motion-conceded": conceded,
    "motion-unanswered": silent,
    "seat": lambda: seated(),
    "evidence-behind-a-new-key": lambda: contradicting("substitute", 5),
}


def ending(game: Game, *lines: bytes) -> bytes:
    """A good game, and lines at its end that do not fit."""
    good = bundle.read(game.archive())
    return bundle.write("archive", good.keys, [*good.lines, *lines])


def at(step: int, by: str, model: type[Change], what: str, /, **fields: Any) -> bytes:
    """The show game up to a step, and a motion or a request there."""
    game = played(step)
    return ending(game, game.line(by, changing(model, what, **fields)))


def says(**changes: Any) -> bytes:
    """A motion of the german at step 3 whose body says something else (None takes a field out), rightly signed."""
    game = played(3)
    said = json.loads(event.write(game.event(GERMAN, changing(Motion, "draw"))))
    said["body"] = {key: item for key, item in {**said["body"], **changes}.items() if item is not None}
    payload = json.dumps(said, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
    return ending(game, player(GERMAN).signed(payload))


def answering(by: str = POLISH, motion: str = "", *, agree: bool = True) -> bytes:
    """The german has moved at step 3; a consent that does not fit."""
    game = played(3)
    waiting = moved(game, "draw")
    return ending(game, game.line(by, Consent(motion=motion or waiting.id, agree=agree)))


def granting(granted_by: str, *, agree: bool = True) -> bytes:
    """The polish asks at step 3, where the german decides; a consent that does not fit."""
    game = played(3)
    request = game.line(POLISH, changing(Request, "draw"))
    consent = game.line(granted_by, Consent(motion=game.verified(request).id, agree=agree))
    return ending(game, consent, request)


def of_an_earlier_step() -> bytes:
    """A consent to what was asked for before the other side decided."""
    game = asked(played(3), "draw", agree=False)
    return ending(game, game.line(GERMAN, Consent(motion=game.beside[0].id, agree=True)))


def over_again() -> bytes:
    """The second consent to one motion."""
    game = agreed(played(3), "extend", days=3)
    motion = game.steps[-2][0]
    return ending(game, game.line(POLISH, Consent(motion=motion.id, agree=True)))


def deciding_meanwhile() -> bytes:
    game = played(3)
    body = body_of(game, GERMAN)
    moved(game, "draw")
    return ending(game, game.line(GERMAN, body))


def lapsing(game: Game, demand: Any, after: int = DEADLINE, owing: str = POLISH, by: str = GERMAN) -> bytes:
    """A lapse at the end of a game."""
    return ending(game, game.line(by, Lapse(role=event.Role(owing), demand=demand, dice=[]), at=game.since + after))


def refused() -> Game:
    return agreed(played(3), "draw", agree=False)


def paused() -> Game:
    return agreed(played(3), "pause")


def waiting() -> Game:
    game = played(3)
    moved(game, "draw")
    return game


def closing(result: dict[str, str]) -> bytes:
    game = agreed(played(3), "draw")
    return ending(game, game.line(GERMAN, Close(result=result, head=game.head.hex())))


def old_link() -> bytes:
    """Behind a take-back the link that was opened in the undone step is opened once more."""
    game = agreed(played(3), "take_back", step=2)
    undone = next(one.event.body for one in game.steps[2] if one.event.role == GERMAN)
    return ending(game, game.line(GERMAN, undone))


def seating() -> Game:
    """The german's seat goes to other keys, whose owner has signed for it."""
    seat = player(GERMAN, "substitute").registration()
    game = played(3)
    proof = player(GERMAN, "substitute").signing.sign(seat_message(game.game, GERMAN, seat)).hex()
    return agreed(game, "seat", seat=seat, proof=proof, address="s@example.org", why="a long journey")


def seated() -> bytes:
    """The new key answers the question that the old one was asked."""
    game = seating()
    game.add(game.line(GERMAN, body_of(game, GERMAN), player(GERMAN, "substitute")))
    return game.archive()


def seated_without_proof() -> bytes:
    seat, game = player(GERMAN, "substitute").registration(), played(3)
    proof = player(GERMAN).signing.sign(seat_message(game.game, GERMAN, seat)).hex()
    motion = changing(Motion, "seat", seat=seat, proof=proof, address="s@example.org")
    return ending(game, game.line(GERMAN, motion))


def contradicting(key: str, step: int, *, agree: bool | None = True) -> bytes:
    """Evidence of two answers at a step by a key of the german, or by one that its seat was to go to."""
    seat, game = player(GERMAN, "substitute").registration(), played(3)
    proof = player(GERMAN, "substitute").signing.sign(seat_message(game.game, GERMAN, seat)).hex()
    moved(game, "seat", seat=seat, proof=proof, address="s@example.org")
    consent = Consent(motion=game.steps[-1][0].id, agree=bool(agree))
    lines = [*game.lines[:2], game.lines[-1], *([] if agree is None else [game.line(POLISH, consent)])]
    answers = (Answer(ask="move", value={"from": "road", "to": to}) for to in ("hill", "ford"))
    signer = player(GERMAN, key)
    return bundle.write(
        "evidence", game.keys, [*lines, *(game.line(GERMAN, one, signer, step=step) for one in answers)]
    )


def refereed() -> Game:
    """A game with a referee, to whom both chains were sealed."""
    game = new_game(player(GERMAN), player(POLISH), player(REFEREE), rollers=[GERMAN, POLISH])
    game.add(*(game.line(role, Deposit(chain="ab" * 80)) for role in (GERMAN, POLISH)))
    return game


BAD: dict[str, tuple[str, Callable[[], bytes]]] = {
    "evidence-of-a-key-that-was-refused-the-seat": (
        "dispute.seat",
        lambda: contradicting("substitute", 5, agree=False),
    ),
    "evidence-of-a-key-that-was-only-offered": (
        "event.unknown_key",
        lambda: contradicting("substitute", 5, agree=None),
    ),
    "evidence-of-a-key-before-it-had-the-seat": ("evidence.seat", lambda: contradicting("substitute", 3)),
    "evidence-behind-a-motion-alone": ("evidence.seat", lambda: contradicting("german", 5, agree=None)),
    "seat-without-a-proof-of-its-key": ("place.seat", seated_without_proof),
    "answer-by-the-key-that-had-the-seat": (
        "place.key",
        lambda: ending(g := seating(), g.line(GERMAN, body_of(g, GERMAN))),
    ),
    "vouch-for-one-deposit-of-two": (
        "place.vouch",
        lambda: ending(g := refereed(), g.line(REFEREE, Vouch(roles=[GERMAN]))),
    ),
    "annulment-by-a-player": ("place.ruling", lambda: ending(g := played(3), g.line(POLISH, Annul(why="lost")))),
    "motion-by-who-waits": ("place.motion", lambda: at(3, POLISH, Motion, "draw")),
    "motion-where-both-decide": ("place.motion", lambda: at(4, GERMAN, Motion, "draw")),
    "motion-instead-of-a-link": ("place.motion", lambda: at(2, GERMAN, Motion, "concede")),
    "motion-instead-of-an-opening": ("place.motion", lambda: at(5, GERMAN, Motion, "take_back", step=3)),
    "motion-instead-of-a-closing": ("place.motion", lambda: at(9, GERMAN, Motion, "take_back", step=3)),
    "motion-while-another-waits": ("place.motion", lambda: ending(g := waiting(), g.line(POLISH, draw_of(Motion)))),
    "motion-behind-a-refused-one": ("place.motion", lambda: ending(g := refused(), g.line(GERMAN, draw_of(Motion)))),
    "motion-behind-an-unanswered-one": (
        "place.motion",
        lambda: ending(g := unanswered(), g.line(GERMAN, draw_of(Motion))),
    ),
    "request-where-both-decide": ("place.request", lambda: at(4, GERMAN, Request, "draw")),
    "pause-while-paused": ("place.pause", lambda: ending(g := paused(), g.line(GERMAN, changing(Motion, "pause")))),
    "resume-of-a-game-that-runs": ("place.pause", lambda: at(3, POLISH, Request, "resume")),
    "resume-behind-a-refused-motion": (
        "place.pause",
        lambda: ending(g := refused(), g.line(GERMAN, changing(Motion, "resume"))),
    ),
    "request-to-nobody-else": ("place.request", lambda: at(3, GERMAN, Request, "draw")),
    "request-where-nobody-decides": ("place.request", lambda: at(6, POLISH, Request, "pause")),
    "request-while-a-motion-waits": ("place.request", lambda: ending(g := waiting(), g.line(GERMAN, draw_of(Request)))),
    "take-back-of-the-acceptance": ("place.take_back", lambda: at(3, GERMAN, Motion, "take_back", step=1)),
    "take-back-to-the-present-step": ("place.take_back", lambda: at(3, GERMAN, Motion, "take_back", step=3)),
    "take-back-to-a-later-step": ("place.take_back", lambda: at(3, POLISH, Request, "take_back", step=9)),
    "consent-to-nothing": ("place.consent", lambda: _consent_at(3, GERMAN)),
    "consent-by-who-waits": ("place.consent", lambda: _consent_at(3, POLISH)),
    "consent-instead-of-a-link": ("place.consent", lambda: _consent_at(2, GERMAN)),
    "consent-by-the-mover": ("place.consent", lambda: answering(GERMAN)),
    "consent-to-another-motion": ("place.consent", lambda: answering(motion=NOBODYS)),
    "consent-to-ones-own-request": ("place.consent", lambda: granting(POLISH)),
    "consent-that-refuses-a-request": ("place.consent", lambda: granting(GERMAN, agree=False)),
    "consent-to-an-earlier-request": ("place.consent", of_an_earlier_step),
    "consent-to-one-motion-twice": ("place.consent", over_again),
    "answer-while-a-motion-waits": ("place.role", deciding_meanwhile),
    "lapse-while-paused": ("place.lapse", lambda: lapsing(paused(), "answer", owing=GERMAN, by=POLISH)),
    "lapse-of-a-consent-too-early": ("place.lapse", lambda: lapsing(waiting(), "consent", DEADLINE - 1)),
    "lapse-of-the-decision-that-was-moved-instead": (
        "place.lapse",
        lambda: lapsing(waiting(), "answer", owing=GERMAN, by=POLISH),
    ),
    "lapse-before-the-extended-deadline": (
        "place.lapse",
        lambda: lapsing(agreed(played(3), "extend", days=3), "answer", DEADLINE, GERMAN, POLISH),
    ),
    "closing-of-a-draw-with-a-winner": ("place.result", lambda: closing(RESULT)),
    "chain-link-of-an-undone-step": ("chain.index", old_link),
    "motion-of-an-unknown-matter": ("event.form", lambda: says(what="surrender")),
    "motion-with-a-field-more": ("event.form", lambda: says(winner="german")),
    "motion-without-a-field": ("event.form", lambda: says(why=None)),
    "motion-without-its-step": ("event.form", lambda: says(what="take_back")),
    "motion-without-its-days": ("event.form", lambda: says(what="extend")),
    "motion-without-its-position": ("event.form", lambda: says(what="adjust")),
    "motion-with-a-step-too-many": ("event.form", lambda: says(step=2)),
    "motion-with-days-too-many": ("event.form", lambda: says(what="pause", days=3)),
    "motion-with-a-position-too-many": ("event.form", lambda: says(position="x")),
    "motion-of-two-matters": ("event.form", lambda: says(what="take_back", step=2, position="x")),
    "motion-of-negative-days": ("event.form", lambda: says(what="extend", days=-1)),
    "motion-of-more-than-ten-years": ("event.form", lambda: says(what="extend", days=3651)),
    "motion-of-a-step-beyond-all": ("event.form", lambda: says(what="take_back", step=2**31 + 1)),
    "motion-of-days-as-text": ("event.form", lambda: says(what="extend", days="3")),
    "motion-with-a-long-reason": ("event.form", lambda: says(why="x" * 201)),
    "motion-with-a-long-position": ("event.form", lambda: says(what="adjust", position="x" * 60_001)),
    "consent-of-yes-as-a-number": ("event.form", lambda: _consent_says(agree=1)),
    "consent-without-an-answer": ("event.form", lambda: _consent_says()),
}


def draw_of(model: type[Change]) -> Change:
    return changing(model, "draw")


def _consent_at(step: int, by: str) -> bytes:
    game = played(step)
    return ending(game, game.line(by, Consent(motion=NOBODYS, agree=True)))


def _consent_says(**body: Any) -> bytes:
    game = waiting()
    motion = game.steps[-1][0].id
    said = json.loads(event.write(game.event(POLISH, Consent(motion=motion, agree=True))))
    said["body"] = {**body, "motion": motion}
    return ending(game, player(POLISH).signed(json.dumps(said, sort_keys=True, separators=(",", ":")).encode()))

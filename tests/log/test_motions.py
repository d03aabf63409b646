"""Step 16: what is said about a motion, a request or a consent that does not fit its place (`pbem.log.verify`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from pydantic import ValidationError

from pbem.errors import BadEvidence
from pbem.log import envelope, event, fork
from pbem.log.event import Consent, Motion, Request, RulesetName
from pbem.log.verify import Verified, verify_place

from .builders import GERMAN, POLISH, Game, body_of, follow, play_on, played
from .make_motions import agreed, asked, every_motion, moved, refused, unanswered
from .show_motions import changing


def refusal(game: Game, line: bytes) -> str:
    """What is said against a line at the present place, with the event in it as EVENT."""
    verified = game.verified(line)
    with pytest.raises(BadEvidence) as caught:
        verify_place(verified, game.place())
    return str(caught.value).replace(f"(event {verified.id[:12]})", "(EVENT)")


RULES = RulesetName(name="show", version=2, digest="ab" * 32)


def test_new_rules_are_a_field_of_that_matter_alone() -> None:
    said = changing(Motion, "ruleset", ruleset=RULES)
    assert said.model_dump()["ruleset"] == {"name": "show", "version": 2, "digest": "ab" * 32}
    assert "ruleset" not in changing(Motion, "draw").model_dump()
    for body in (said, changing(Request, "ruleset", ruleset=RULES), changing(Motion, "draw")):
        game = played(3)
        line = game.line(GERMAN, body)
        found = game.verified(line).event
        assert (found.body, event.write(found)) == (body, envelope.from_line(line).payload)


@pytest.mark.parametrize(
    ("what", "fields"),
    [
        ("draw", {"ruleset": RULES}),
        ("draw", {"ruleset": None}),
        ("ruleset", {}),
        ("ruleset", {"ruleset": None}),
        ("ruleset", {"ruleset": RULES, "step": 3}),
    ],
)
def test_new_rules_are_there_when_they_are_moved_and_else_not_even_as_nothing(what: str, fields: Any) -> None:
    fitting = changing(Motion, "draw").model_dump()
    with pytest.raises(ValidationError, match="a change has the value that its matter needs, and no other"):
        Motion(**{**fitting, "what": what, **fields})


Made = Callable[[], tuple[Game, bytes]]


def at(step: int, by: str, model: type[Motion] | type[Request], what: str, /, **fields: int) -> Made:
    def make() -> tuple[Game, bytes]:
        game = played(step)
        return game, game.line(by, changing(model, what, **fields))

    return make


def behind(make: Callable[[], Game], model: type[Motion] | type[Request], what: str) -> Made:
    def made() -> tuple[Game, bytes]:
        game = make()
        return game, game.line(GERMAN, changing(model, what))

    return made


def consenting(by: str, *, agree: bool = True) -> Made:
    def make() -> tuple[Game, bytes]:
        game = played(3)
        moved(game, "draw")
        return game, game.line(by, Consent(motion="ab" * 32, agree=agree))

    return make


TOLD: dict[str, Made] = {
    "place.motion: expected a motion of the only role that has to decide at step 3, which is german, "
    "got polish's motion of step 3 (EVENT)": at(3, POLISH, Motion, "draw"),
    "place.motion: expected a motion of the only role that has to decide at step 4, which is german and polish, "
    "got german's motion of step 4 (EVENT)": at(4, GERMAN, Motion, "draw"),
    "place.motion: expected a motion of the only role that has to decide at step 2, which is nobody, "
    "got german's motion of step 2 (EVENT)": at(2, GERMAN, Motion, "concede"),
    "place.motion: expected german's decision behind a motion that was not agreed to, "
    "got german's motion of step 5 (EVENT)": behind(refused, Motion, "pause"),
    "place.request: expected a request to another role that alone has to decide at step 3, "
    "got german's request of step 3 (EVENT)": at(3, GERMAN, Request, "draw"),
    "place.take_back: expected a step from 2 to 2 to go back to, got step 3": at(
        3, GERMAN, Motion, "take_back", step=3
    ),
    "place.pause: expected a game that is paused, got german's motion of step 3 (EVENT), to resume it": at(
        3, GERMAN, Motion, "resume"
    ),
    "place.pause: expected a game that is not paused, got german's motion of step 5 (EVENT), to pause it": behind(
        lambda: agreed(played(3), "pause"), Motion, "pause"
    ),
    "place.consent: expected a consent to a motion or a request of another role at step 4, "
    "got polish's consent of step 4 (EVENT)": consenting(POLISH),
}


@pytest.mark.parametrize("text", TOLD)
def test_what_does_not_fit_is_told(text: str) -> None:
    assert refusal(*TOLD[text]()) == text


def test_a_game_with_every_motion_is_read_again_to_the_same_head() -> None:
    game = every_motion()
    again = follow(game.archive())
    assert (again.head, again.step, again.at) == (game.head, game.step, game.at)


def test_a_refused_motion_and_an_unanswered_one_ask_the_same_again() -> None:
    before = played(3).place()
    for game in (refused(), unanswered()):
        place = game.place()
        assert (place.demands, place.refused, place.step) == (before.demands, True, 5)
        assert play_on(game, 6).place().refused is False


def test_a_request_that_was_overruled_is_in_no_digest() -> None:
    with_it, without = asked(played(3), "draw", agree=False), play_on(played(3), 4)
    assert with_it.head == without.head
    assert set(with_it.archive().splitlines()) > set(without.archive().splitlines())


def _lines(game: Game, *bodies: tuple[str, Motion | Request | Consent]) -> list[Verified]:
    return [game.verified(game.line(role, body)) for role, body in bodies]


@pytest.mark.plan("A18")
def test_a_motion_is_a_move_and_makes_a_fork_with_every_other_move() -> None:
    game = played(3)
    (motion,) = _lines(game, (GERMAN, changing(Motion, "draw")))
    others = _lines(
        game,
        (GERMAN, changing(Motion, "pause")),
        (GERMAN, changing(Motion, "draw", why="x")),
        (GERMAN, Consent(motion="ab" * 32, agree=True)),
    )
    others.append(game.verified(game.line(GERMAN, body_of(game, GERMAN))))
    assert all(fork.fork(motion, other) for other in others)


@pytest.mark.plan("A64")
def test_requests_make_no_fork_with_anything() -> None:
    game = played(3)
    first, *others = _lines(
        game,
        (POLISH, changing(Request, "draw")),
        (POLISH, changing(Request, "pause")),
        (POLISH, changing(Motion, "draw")),
        (POLISH, Consent(motion="ab" * 32, agree=True)),
    )
    assert [fork.fork(first, other) for other in others] == [None, None, None]

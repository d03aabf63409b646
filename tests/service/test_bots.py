"""An agent with a bot: it decides for its player, and leaves to him what is not a bot's to decide."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from attacks.sides import Side, new_side
from toy.ruleset import Toy
from toy.state import NORTH, SOUTH, Plan, State

from pbem.app import catalogue
from pbem.app.catalogue import Games
from pbem.app.desk import Desk
from pbem.app.importing import import_arrived
from pbem.app.moving import move, reply
from pbem.app.propose import Terms, accept, propose, single_proposal
from pbem.app.routing import incoming
from pbem.app.withdrawing import withdraw
from pbem.rules.play import Answer, Question
from pbem.rules.ruleset import Bot, Choose
from pbem.service.bots import Stand
from pbem.store.database import Home

NAMES = {"north": "Anna", "south": "Bruno"}


@pytest.fixture
def sides(tmp_path: Path) -> tuple[Side, Side]:
    """A game of the toy that both have joined, in which both are asked for a sealed reserve."""
    north, south = (new_side(tmp_path / role, role, name) for role, name in NAMES.items())
    with north.desk() as desk:
        rules = catalogue.ruleset("toy")
        propose(desk, Terms(rules, "short", NORTH, {SOUTH: ("Bruno", "bruno@example.org")}, 7))
    north.game = south.game = "toy"
    with south.desk() as desk:
        accept(desk, single_proposal(incoming(north.export(), "a mail")))
    north.take(south.export())
    return north, south


def once(side: Side, folder: Path, *options: str) -> tuple[str, str]:
    """A round of the agent through the client, with a folder for each player; what it said and what it told."""
    other = "south" if side.role == "north" else "north"
    ways = (
        "--make",
        "--verbose",
        "--in",
        f"maildir:{folder / f'to-{side.role}'}",
        "--out",
        f"maildir:{folder / f'to-{other}'}",
    )
    done = side("agent", *ways, "--once", *options)
    assert done.code == 0, done
    return done.out, done.err


def told(side: Side, bot: str, desk_of: type[Desk] = Desk, rounds: int = 1) -> list[dict[str, Any]]:
    """What an agent with a bot tells in so many rounds without mails."""
    lines: list[dict[str, Any]] = []

    def tell(what: str, /, **facts: object) -> None:
        lines.append({"what": what, **facts})

    with Home.open(side.folder) as home:
        stand = Stand(desk_of(home, lambda: side.now, side.random), bot, tell)
        for _ in range(rounds):
            stand.fulfil(True)
    return lines


def test_two_bots_play_a_game_with_sealed_plans_to_its_end(sides: tuple[Side, Side], tmp_path: Path) -> None:
    for _ in range(40):
        for side in sides:
            once(side, tmp_path, "--bot", "good" if side.role == "north" else "random")
        if all(side.opened().campaign.finished for side in sides):
            break
    assert sides[0].heads() == sides[1].heads()
    assert [side.verified(running=False).code for side in sides] == [0, 0]
    kinds = {event.event.kind for step in sides[0].opened(whole=True).campaign.steps for event in step.events}
    assert {"seal", "open", "answer", "entropy", "close"} <= kinds


def test_a_round_says_what_the_bot_has_done(sides: tuple[Side, Side], tmp_path: Path) -> None:
    """That it decided, and not what: the answer may be sealed."""
    out, err = once(sides[0], tmp_path, "--bot", "good")
    assert out == ("0 letters came in, 1 turn file was made, 1 mail went out, 1 decision was made.\n")
    lines = [line.split(" ", 1)[1] for line in err.splitlines()]
    assert lines[0] == "decided game=toy step=2 bot=good"
    assert [line.split()[0] for line in lines] == ["decided", "posted", "sent"]
    assert sides[0].opened().campaign.awaited().keys() == {"south"}


def test_without_the_option_nothing_is_decided(sides: tuple[Side, Side], tmp_path: Path) -> None:
    """A bot is not remembered: the next agent that begins without it decides nothing."""
    assert "1 decision" in once(sides[0], tmp_path, "--bot", "good")[0]
    once(sides[1], tmp_path)
    assert sides[1].opened().campaign.question(SOUTH) is not None


def test_a_bot_that_there_is_not_is_refused(sides: tuple[Side, Side], tmp_path: Path) -> None:
    done = sides[0]("agent", "--in", f"maildir:{tmp_path / 'in'}", "--out", f"maildir:{tmp_path / 'out'}", "--bot", "x")
    assert (done.code, done.err.splitlines()) == (
        1,
        [
            "agent.bot: expected a bot such as good or random, got 'x'",
            "hint: `pbem games` names the bots of each game",
        ],
    )
    assert not (tmp_path / "in").exists()


def undecided(bot: str, code: str, why: str) -> dict[str, str]:
    """What is told of a question that a bot leaves to its player."""
    return {"what": "undecided", "game": "toy", "bot": bot, "code": code, "text": why}


def until_one_decides(sides: tuple[Side, Side]) -> tuple[Side, Side]:
    """Play on until one side alone has to decide; that one, and the one that waits."""
    while len(deciding := sides[0].opened().campaign.place.deciding) != 1:
        for side in sides:
            side.decide()
        for side, other in (sides, sides[::-1]) * 2:
            other.take(side.export())
    return sides if sides[0].role in deciding else sides[::-1]


def test_what_the_other_side_asks_for_is_left_to_the_player(sides: tuple[Side, Side]) -> None:
    """A decision of the bot would refuse it."""
    asked, asking = until_one_decides(sides)
    with asking.desk() as desk:
        move(desk, "toy", {"what": "draw"})
    asked.take(asking.export())
    assert told(asked, "good", rounds=2) == [
        undecided(
            "good",
            "bot.asked",
            f"{asking.role} asks to end the game as a draw; a decision of the bot would refuse that",
        )
    ]
    with asked.desk() as desk:
        reply(desk, "toy", agree=True)
    assert told(asked, "good") == []


def test_what_is_withdrawn_leaves_the_question_to_the_bot_again(sides: tuple[Side, Side]) -> None:
    """In one long process, at the same head."""
    asked, asking = until_one_decides(sides)
    lines: list[str] = []
    with Home.open(asked.folder) as home:
        desk = Desk(home, lambda: asked.now, asked.random)
        stand = Stand(desk, "good", lambda what, /, **_: lines.append(what))
        for act in (lambda desk: move(desk, "toy", {"what": "draw"}), lambda desk: withdraw(desk, "toy")):
            with asking.desk() as there:
                act(there)
            import_arrived(desk, incoming(asking.export(), "a mail"))
            stand.fulfil(True)
            stand.fulfil(True)
    assert lines[:2] == ["undecided", "decided"]


def test_a_motion_of_the_other_side_is_left_to_the_player(sides: tuple[Side, Side]) -> None:
    """Nobody is asked a question while it waits."""
    moving, other = until_one_decides(sides)
    with moving.desk() as desk:
        move(desk, "toy", {"what": "draw"})
    other.take(moving.export())
    assert told(moving, "good") == told(other, "good") == []
    with other.desk() as desk:
        reply(desk, "toy", agree=False)
    moving.take(other.export())
    assert "decided" in [one["what"] for one in told(moving, "good")]


def against_the_rules(_: Question[Any], __: State, ___: Choose) -> Answer:
    """A plan, where a reserve is asked for."""
    return Plan(do="assault", stake=1)


def lost(_: Question[Any], __: State, ___: Choose) -> Answer:
    raise ZeroDivisionError


class OddToy(Toy):
    """The toy, with bots of which nothing good comes."""

    def bots(self) -> Mapping[str, Bot]:
        return {"illegal": against_the_rules, "lost": lost}


class OddDesk(Desk):
    """A desk where those bots are."""

    __slots__ = ()

    @property
    def games(self) -> Games:
        return lambda wanted: OddToy(catalogue.ruleset(wanted.name).files)


@pytest.mark.parametrize(
    ("bot", "code", "why"),
    [
        ("good", "bot.unknown", "expected a bot 'good' for toy, got illegal and lost"),
        ("lost", "bot.failed", "expected an answer of the bot 'lost', got ZeroDivisionError"),
        (
            "illegal",
            "orders.unreadable",
            "expected an order such as reserve 2, got 'assault with 1' in line 2, column 1",
        ),
    ],
)
def test_a_question_that_a_bot_cannot_answer_is_left_and_told_once(
    sides: tuple[Side, Side], bot: str, code: str, why: str
) -> None:
    north = sides[0]
    before = north.tables()
    assert told(north, bot, OddDesk, rounds=2) == [undecided(bot, code, why)]
    assert north.tables() == before
    assert [one["what"] for one in told(north, "good")] == ["decided"]

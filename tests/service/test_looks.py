"""A service looks at a game only when it has changed or something is due in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.service.bench import count_games
from service.court import HOUR, Court, in_play


@pytest.fixture
def court(tmp_path: Path) -> Court:
    return in_play(tmp_path)


def looks(court: Court) -> tuple[int, int]:
    """How many games are looked at in the next round, for something to send and for what is due."""
    with court.judge.desk() as desk:
        now = desk.clock()
        return len(desk.home.to_look_at("post", now)), len(desk.home.to_look_at("watch", now))


def counted(court: Court) -> tuple[int, int]:
    with court.judge.desk() as desk:
        return count_games(desk.home)


def test_a_game_in_which_nothing_happens_is_not_looked_at(court: Court) -> None:
    assert looks(court) == (0, 0)
    court.judge.round()
    assert looks(court) == (0, 0)


def test_a_game_that_has_gone_on_is_looked_at_once(court: Court) -> None:
    with court.judge.desk() as desk:
        before = {(one.step, one.what) for one in desk.home.deadlines(desk.home.games()[0].game_id)}
    court.rounds(decide=True)
    with court.judge.desk() as desk:
        after = {(one.step, one.what) for one in desk.home.deadlines(desk.home.games()[0].game_id)}
    assert (looks(court), len(after - before) > 0) == ((0, 0), True)


def test_what_is_not_acknowledged_is_looked_at_when_it_goes_again(court: Court) -> None:
    post = court.german if court.silent() == "german" else court.polish
    post.side.decide()
    post.round()
    with post.side.desk() as desk:
        waits = desk.home.agenda(desk.home.games()[0].game_id)
    assert waits is not None
    assert waits.post_at == court.office.now + post.again


def test_another_grace_has_every_game_looked_at(court: Court) -> None:
    with court.judge.desk() as desk:
        game = desk.home.games()[0].game_id
        before = {one.what.partition("/")[0]: one.due for one in desk.home.deadlines(game) if one.state == "waiting"}
    court.judge.policy = type(court.judge.policy)(grace=2 * HOUR)
    court.judge.round()
    with court.judge.desk() as desk:
        after = {one.what.partition("/")[0]: one.due for one in desk.home.deadlines(game) if one.state == "waiting"}
    assert (after["rule"], after["late"]) == (before["late"] + 2 * HOUR, before["late"])


def test_a_game_that_was_put_aside_is_watched_again_when_it_is_recalled(court: Court) -> None:
    assert court.judge.side("forget", "westerplatte", "--anyway").code == 0
    court.judge.round()
    assert counted(court) == (0, 0)
    assert court.judge.side("forget", "westerplatte", "--undo").code == 0
    assert looks(court) == (1, 1)
    court.judge.round()
    assert counted(court) == (1, 1)

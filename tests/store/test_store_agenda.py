"""Which games a service has to look at, in SQLite and in PostgreSQL alike (`pbem.store.agenda`)."""

from __future__ import annotations

import json
from contextlib import suppress

import pytest
from samples import GAME, SECOND

from pbem.store import Agenda, Home, Status, StoredGame
from pbem.store.rows import NEVER


def summary(game_id: str = GAME, **changes: object) -> Status:
    opponents = [
        {"role": "german", "name": "Anna", "address": "Anna@Example.org"},
        {"role": "polish", "name": "Bruno", "address": "bruno@example.org"},
    ]
    fields = {"role": "referee", "judge": "referee", "given": False, "turn": 1, "result": None, "finished": False}
    return Status(game_id, "head", json.dumps({**fields, "opponents": opponents, **changes}).encode())


def put(home: Home, status: Status) -> Agenda:
    with home.writing(status.game_id) as writer:
        writer.put_status(status)
    found = home.agenda(status.game_id)
    assert found is not None
    return found


def looked(home: Home, seen: Agenda, again: int = NEVER) -> bool:
    with home.writing(seen.game_id) as writer:
        return writer.looked_at(seen, "post", again)


def test_a_new_game_is_looked_at(home: Home) -> None:
    assert home.to_look_at("post", 0) == home.to_look_at("watch", 0) == (Agenda(GAME, 1),)


def test_a_game_that_was_looked_at_is_not_until_it_changes(home: Home) -> None:
    seen = put(home, summary())
    assert looked(home, seen)
    assert (home.to_look_at("post", NEVER - 1), len(home.to_look_at("watch", 0))) == ((), 1)
    put(home, summary())
    assert home.to_look_at("post", 0) == ()
    put(home, summary(turn=2))
    assert [one.changes for one in home.to_look_at("post", 0)] == [seen.changes + 1]


def test_what_changed_while_somebody_looked_is_looked_at_again(home: Home) -> None:
    seen = put(home, summary())
    put(home, summary(turn=2))
    assert (looked(home, seen), len(home.to_look_at("post", 0))) == (False, 1)


def test_a_game_is_looked_at_again_when_its_time_has_come(home: Home) -> None:
    looked(home, put(home, summary()), 100)
    assert [len(home.to_look_at("post", now)) for now in (99, 100)] == [0, 1]


def test_a_change_that_is_rolled_back_is_none(home: Home) -> None:
    looked(home, put(home, summary()))
    with suppress(KeyboardInterrupt), home.writing(GAME) as writer:
        writer.put_status(summary(turn=2))
        raise KeyboardInterrupt
    assert home.to_look_at("post", 0) == ()


def test_caches_that_are_dropped_are_a_change(home: Home) -> None:
    looked(home, put(home, summary()))
    with home.writing(GAME) as writer:
        writer.drop_snapshots(GAME)
    assert len(home.to_look_at("post", 0)) == 1


def test_all_games_can_be_had_looked_at(home: Home) -> None:
    looked(home, put(home, summary()))
    with home.writing() as writer:
        writer.look_at_all("post")
    assert len(home.to_look_at("post", 0)) == 1


@pytest.mark.parametrize(
    ("changes", "standing"),
    [
        ({}, "running"),
        ({"result": {"won": "german"}}, "presided"),
        ({"turn": 0}, "presided"),
        ({"finished": True}, "presided"),
        ({"given": True}, ""),
        ({"role": "german"}, ""),
    ],
)
def test_the_standing_of_a_game_follows_its_summary(home: Home, changes: dict[str, object], standing: str) -> None:
    assert (put(home, summary(**changes)).standing, home.standings()) == (standing, {standing: 1})


def test_games_that_are_put_aside_are_not_counted(home: Home) -> None:
    put(home, summary())
    with home.writing() as writer:
        writer.put_meta(f"aside/{GAME}", b"1")
    assert (home.standings("aside/"), home.standings()) == ({}, {"running": 1})


def test_games_are_found_by_who_sits_at_them(home: Home) -> None:
    with home.writing() as writer:
        writer.add_game(StoredGame(SECOND, "Spring", "westerplatte/1", "polish", 50))
    put(home, summary())
    put(home, summary(SECOND, opponents=[{"role": "german", "name": "Anna", "address": "anna@example.org"}]))
    found = [[game.name for game in home.games_with(f"{name}@example.org")] for name in ("anna", "bruno", "carl")]
    assert found == [["Spring", "Fall"], ["Fall"], []]
    put(home, summary(opponents=[]))
    assert [game.name for game in home.games_with("anna@example.org")] == ["Spring"]
    assert home.damages() == ()

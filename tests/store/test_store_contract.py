"""What every home does, whichever database it is kept in (`pbem.store.database`)."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import integrity_errors
from samples import GAME, event

from pbem.errors import BadRequest
from pbem.store import Appended, Draft, Home, Snapshot, Status, StoredGame, StoredRefusal, Writer

OTHER = "abcd" + "0" * 60


def append(home: Home, *events: dict[str, object]) -> list[Appended]:
    with home.writing() as writer:
        return [writer.append(**one) for one in events]  # type: ignore[arg-type]


def test_a_home_that_could_not_be_filled_does_not_come_into_being(place: Path) -> None:
    def fill(writer: Writer) -> None:
        writer.put_meta("vault", b"header")
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Home.create(place, fill)
    with pytest.raises(BadRequest) as caught:
        Home.open(place)
    assert caught.value.code == "home.missing"
    with Home.create(place) as home:
        assert home.meta("vault") is None


@pytest.mark.plan("A20")
def test_a_second_event_in_one_place_is_kept_beside_the_first(home: Home) -> None:
    first, second, third = event(3), event(3, note="changed my mind"), event(3, note="again")
    assert append(home, first, second, second, third) == [
        Appended.NEW,
        Appended.CONFLICT,
        Appended.DUPLICATE,
        Appended.CONFLICT,
    ]
    assert [(e.place, e.event_id, e.line) for e in home.events(GAME)] == [
        (place, e["event_id"], e["line"]) for place, e in enumerate((first, second, third))
    ]


@pytest.mark.plan("A8", "A20")
def test_another_signature_on_the_same_event_changes_nothing(home: Home) -> None:
    resigned = event(3) | {"line": b"the same payload under another signature"}
    assert append(home, event(3), resigned) == [Appended.NEW, Appended.DUPLICATE]
    assert [e.line for e in home.events(GAME)] == [event(3)["line"]]


def test_events_are_ordered_by_step_role_and_place_and_not_by_arrival(home: Home) -> None:
    aside = event(1, note="resolution", kind_class="aside")
    append(home, event(2), event(1, "polish"), aside, event(1), event(1, note="second"), event(0))
    assert [(e.step, e.role, e.kind_class, e.place) for e in home.events(GAME)] == [
        (0, "german", "log", 0),
        (1, "german", "log", 0),
        (1, "german", "log", 1),
        (1, "german", "aside", 0),
        (1, "polish", "log", 0),
        (2, "german", "log", 0),
    ]


def test_statements_beside_the_chain_do_not_conflict(home: Home) -> None:
    asides = [event(1, note=note, kind_class="aside") for note in ("one", "two")]
    assert append(home, *asides) == [Appended.NEW, Appended.NEW]
    assert [e.place for e in home.events(GAME)] == [0, 1]


def test_an_event_of_an_unknown_game_is_a_bug_of_the_caller(home: Home) -> None:
    with pytest.raises(integrity_errors()):
        append(home, event(0, game_id=OTHER))
    assert home.damages() == ()


def test_what_the_rules_refused_is_kept_apart(home: Home) -> None:
    refusal = StoredRefusal(GAME, "e", "combat.out_of_range", "too far", 5, b"line")
    with home.writing() as writer:
        assert [writer.refuse(refusal), writer.refuse(refusal)] == [Appended.NEW, Appended.DUPLICATE]
    assert (home.refusals(GAME), home.events(GAME)) == ((refusal,), ())


def write_and_leave(home: Home, stop: type[BaseException]) -> None:
    with home.writing() as writer:
        writer.append(**event(0))
        writer.put_draft(Draft(GAME, "orders", "move"))
        raise stop


@pytest.mark.parametrize("stop", [ValueError, KeyboardInterrupt, SystemExit])
def test_a_transaction_that_is_left_by_an_exception_changes_nothing(home: Home, stop: type[BaseException]) -> None:
    with pytest.raises(stop):
        write_and_leave(home, stop)
    assert (home.events(GAME), home.drafts(GAME), append(home, event(0))) == ((), (), [Appended.NEW])


def test_readers_inside_a_transaction_see_what_was_written_and_others_do_not(home: Home) -> None:
    with home.writing() as writer, Home.open(home.folder) as other:
        writer.append(**event(0))
        assert (len(writer.events(GAME)), len(other.events(GAME))) == (1, 0)


def test_a_transaction_inside_a_transaction_is_a_bug_of_the_caller(home: Home) -> None:
    with pytest.raises(RuntimeError), home.writing(), home.writing():
        pass
    assert append(home, event(0)) == [Appended.NEW]


def test_a_writer_is_of_no_use_after_its_transaction(home: Home) -> None:
    with home.writing() as writer:
        pass
    with pytest.raises(RuntimeError):
        writer.append(**event(0))
    assert home.events(GAME) == ()


def test_a_second_home_in_one_place_is_refused(kept: Path) -> None:
    with pytest.raises(BadRequest) as caught:
        Home.create(kept)
    with Home.open(kept) as home:
        assert (caught.value.code, len(home.games())) == ("home.exists", 1)


def test_a_game_is_found_by_name_and_by_the_beginning_of_its_id(home: Home) -> None:
    fall = home.games()[0]
    assert [home.game(wanted) for wanted in ("Fall", "fall", GAME, "abab", "ABABA")] == [fall] * 5


@pytest.mark.parametrize(
    ("wanted", "hint"), [("Fell", "did you mean 'Fall'?"), ("x", "there are: Fall"), ("aba", "there are: Fall")]
)
def test_an_unknown_game_says_which_there_are(home: Home, wanted: str, hint: str) -> None:
    with pytest.raises(BadRequest) as caught:
        home.game(wanted)
    assert (caught.value.text, caught.value.hint) == (
        f"expected the name or the id of a game of this home, got {wanted!r}",
        hint,
    )


def test_an_id_that_begins_two_games_lists_them(home: Home) -> None:
    twin = "abab" + "0" * 60
    with home.writing() as writer:
        writer.add_game(StoredGame(twin, "Spring", "westerplatte/1", "polish", 50))
    with pytest.raises(BadRequest) as caught:
        home.game("abab")
    assert (caught.value.code, caught.value.text, caught.value.hint) == (
        "game.ambiguous",
        "expected the id of one game, got 'abab', with which 2 begin",
        "give its name or more digits: Spring (abab00000000), Fall (abababababab)",
    )


def test_a_name_or_an_id_that_is_taken_is_refused(home: Home) -> None:
    with home.writing() as writer:
        with pytest.raises(BadRequest) as name:
            writer.add_game(StoredGame(OTHER, "FALL", "r", "german", 1))
        with pytest.raises(BadRequest) as game_id:
            writer.add_game(StoredGame(GAME, "Spring", "r", "german", 1))
    assert [(str(caught.value), caught.value.hint) for caught in (name, game_id)] == [
        (
            "game.name_taken: expected a new name for the game, got 'FALL', which is game abababababab",
            "choose another name",
        ),
        (
            "game.exists: expected a new game, got abababababab, which this home has as 'Fall'",
            "see `pbem status Fall`",
        ),
    ]


def test_only_the_latest_snapshots_are_kept(home: Home) -> None:
    with home.writing() as writer:
        for step in (1, 4, 2, 3):
            writer.put_snapshot(Snapshot(GAME, step, "head", b"%d" % step))
        writer.put_snapshot(Snapshot(GAME, 4, "head", b"again"))
    assert [(s.step, s.state) for s in home.snapshots(GAME)] == [(4, b"again"), (3, b"3"), (2, b"2")]
    with home.writing() as writer:
        writer.drop_snapshots(GAME)
    assert home.snapshots(GAME) == ()


def test_status_drafts_secrets_and_meta_are_replaced(home: Home) -> None:
    with home.writing() as writer:
        for word in ("old", "new"):
            writer.put_status(Status(GAME, word, word.encode()))
            writer.put_draft(Draft(GAME, "orders", word))
            writer.put_secret("identity", word.encode())
            writer.put_meta("vault", word.encode())
    assert (home.status(GAME), home.draft(GAME, "orders"), home.secret("identity"), home.meta("vault")) == (
        Status(GAME, "new", b"new"),
        "new",
        b"new",
        b"new",
    )
    with home.writing() as writer:
        writer.drop_draft(GAME, "orders")
    assert (home.drafts(GAME), home.secret_names()) == ((), ("identity",))


def test_what_is_not_there_is_none(home: Home) -> None:
    found = (home.event(GAME, "e"), home.status(GAME), home.draft(GAME, "x"), home.secret("x"), home.meta("x"))
    assert found == (None,) * 5


def test_the_digest_of_the_schema_is_not_to_be_overwritten(home: Home) -> None:
    with pytest.raises(ValueError, match=r"^the key 'schema' is the store's own$"), home.writing() as writer:
        writer.put_meta("schema", b"")

"""Files that a command cannot use: each says what it got, and names only what takes that file."""

from __future__ import annotations

from pathlib import Path

import pytest

from attacks.sides import Pair, Side, new_side
from attacks.test_disputes import written
from attacks.test_forks import decide_otherwise

ASK = "ask a player for the archive of the game (`pbem archive GAME -o FILE`), sent as an attachment"


@pytest.fixture
def third(tmp_path: Path) -> Side:
    """Somebody with a home and no game."""
    return new_side(tmp_path / "third", "polish", "Carla")


@pytest.fixture
def roll(played: Pair, tmp_path: Path) -> Path:
    file = tmp_path / "a roll.pbem"
    file.write_bytes(written(played.german, "roll", "4"))
    return file


@pytest.fixture
def evidence(joined: Pair, tmp_path: Path) -> Path:
    backup, file = joined.polish.copy(tmp_path / "backup"), tmp_path / "fork.pbem"
    joined.polish.decide()
    joined.german.take(joined.polish.export())
    decide_otherwise(backup)
    joined.german.mail(backup.export())
    file.write_bytes(written(joined.german, "fork"))
    return file


def refusal(side: Side, *arguments: str | Path) -> list[str]:
    done = side(*arguments)
    assert (done.code, done.out) == (1, ""), done
    return done.err.splitlines()


def test_a_file_that_shows_one_thing_is_not_taken_for_a_game(
    played: Pair, third: Side, roll: Path, tmp_path: Path
) -> None:
    known = played.german.opened().row.game_id[:12]
    assert third("import", roll).out == (
        f"A file that shows one thing of game {known}, in which this home has no part. Do now: `pbem verify '{roll}'` "
        "says what it shows\n"
    )
    assert third("verify", roll).code == 0
    assert refusal(third, "substitute", roll, "--as", "polish", "-o", tmp_path / "offer.json") == [
        "seat.archive: expected an archive of a whole game, got a file that shows one thing of it",
        f"hint: `pbem verify FILE` says what it shows; to go on with the game, {ASK}",
    ]


def test_evidence_is_not_taken_for_a_game(joined: Pair, third: Side, evidence: Path, tmp_path: Path) -> None:
    known = joined.german.opened().row.game_id[:12]
    assert third("import", evidence).out == (
        f"A file that shows one thing of game {known}, in which this home has no part. Do now: `pbem verify "
        f"{evidence}` says what it shows\n"
    )
    assert refusal(third, "substitute", evidence, "--as", "polish", "-o", tmp_path / "offer.json") == [
        "seat.archive: expected an archive of a whole game, got the evidence of a fork",
        f"hint: `pbem verify FILE` says what it shows; to go on with the game, {ASK}",
    ]


def test_a_turn_file_is_a_part_of_a_game(played: Pair, third: Side, tmp_path: Path) -> None:
    turn = tmp_path / "turn.txt"
    turn.write_bytes(played.german.export())
    assert refusal(third, "substitute", turn, "--as", "polish", "-o", tmp_path / "offer.json") == [
        "seat.archive: expected an archive of a whole game, got a turn file, which holds a part of it",
        f"hint: {ASK}",
    ]


def test_an_archive_that_was_changed_is_not_gone_on_with(played: Pair, third: Side, tmp_path: Path) -> None:
    file = tmp_path / "game.pbem"
    assert played.german("archive", "-o", file).code == 0
    lines = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(b"".join([*lines[:-6], *lines[-5:]]))
    said = refusal(third, "substitute", file, "--as", "polish", "-o", tmp_path / "offer.json")
    assert said[0].startswith("archive.gap: expected every event to follow the one before, got ")
    assert said[1:] == [f"hint: do not trust this file: {ASK}"]


def test_an_offer_that_was_changed_gives_no_seat(played: Pair, third: Side, tmp_path: Path) -> None:
    file, offer = tmp_path / "game.pbem", tmp_path / "offer.json"
    assert played.german("archive", "-o", file).code == 0
    assert third("substitute", file, "--as", "polish", "-o", offer).code == 0
    offer.write_text(offer.read_text().replace("Carla", "Clara"))
    played.german.take(played.polish.export(everything=True))
    played.polish.take(played.german.export(everything=True))
    assert refusal(played.polish, "motion", "hand-over", "--offer", offer) == [
        "place.seat: expected a new key of polish to sign for its seat, got a proof of another",
        "hint: the offer is not as `pbem substitute` wrote it: ask for it again, as an attachment",
    ]
    assert refusal(third, "substitute", offer, "--as", "polish", "-o", tmp_path / "other.json") == [
        f"import.offer: expected an archive of a whole game, got an offer to take the seat of polish in {offer.name}",
        "hint: `pbem motion hand-over GAME --offer FILE` moves that whoever made it takes the seat, at the home of "
        "polish",
    ]

"""The certificate of an archive: what it says of a finished game and of others, and that it has the same bytes."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from cli.client import Client
from engine.restless import LATE, Moving
from engine.scripted import NORTH, SOUTH, TOY
from engine.test_hosting import Hosted
from golden import golden
from play import Match

from pbem import __version__
from pbem.app import catalogue
from pbem.app.catalogue import for_proposal
from pbem.app.certificate import certificate
from pbem.app.verify import verify
from pbem.log.event import ADJUDICATOR, Annul, Lapse
from pbem.viewer.document import Facts, Words

WESTERPLATTE = Path(__file__).parents[2] / "fixtures" / "games" / "westerplatte" / "campaign-1.pbem"
TEXTS = Path(__file__).parent / "texts"
TOLD = f"""\
Certificate of The Toy Ford, game 187b5019bc17

Result:
  Result: north has 1 points, south 2 (rule 3)
  Winner: south
  State: complete: closed by every party
  Head: b93d7c1623e871f77c7c9e8e2b1042a47ddeb0b4879905757c207554102fc205
  Game: 187b5019bc17a9b88e16634cf469e08cf13e5512787c7a3fae5587e9e595d300
  FOR SHOW ONLY: the keys of this game come from a seed; it proves nothing about
    people.

Parties:
  north: name North; signed steps 0 to 18; key in words endless skull crush
    initial arrange adapt eternal leader; fingerprint
    49b958d439f0c4061363f46c7694de654d7dcbbc39783341eb9941f41365025c; key
    576db5651d7a6786c00da274df771b233d612afe6c68421f0b037532db9fe89e
  south: name South; signed steps 1 to 18; key in words until cram profit wise
    vapor jewel intact lend; fingerprint
    ee2646af7e3f16efdd63ff68c59a3fc24bfcdad29f599a4cb3ca600e2af7bb27; key
    f441fd884ffe9074999cca4643110e220ebedc76bedc5e1d327416e8d3c04e57
  Referee: none
  Dice rolled by: north and south

Disputes and remedies:
  None: no fork, no claim, no breach, no motion and no ruling is in this log.

Checks passed:
  Signatures that hold, by the keys above: 31
  Steps that follow one from another, each behind one state of the game: 19
  Decisions in the open that the rules accept: 3
  Links that hash down to what their roller had registered: 8
  Rolls and draws that follow from those links: 7
  Decisions that were sealed first: 8
  Openings that fit what was sealed: 8
  Closings that name this result and head: 2

Rules and versions:
  Rules: The Toy Ford (toy), version 1
  Scenario: standard
  Data: 0 printed, 0 inferred, 11 house; digest
    52dfa475755cf866a59141c01d59ecbf4673d340503f9ded381011c7cc052dbc
  Program: pbem {__version__}, protocol version 1
  Of the data, printed stands in the rulebook, inferred follows from it, house
    is this program's own.

To check this page:
  `pbem verify FILE` says of the archive of this game whether everything holds,
    and prints this head; `pbem certificate FILE` makes this very page again.
    Compare the keys in words with the players: a log shows who owns a key, not
    who that is.
"""


@pytest.fixture(scope="module")
def toy() -> Match:
    return Match(catalogue.ruleset("toy"), 3).play()


@pytest.fixture
def reader(toy: Match, tmp_path: Path) -> Client:
    """Somebody without a home, and the archive of a whole game."""
    client = Client(tmp_path / "none", tmp_path)
    client.write("toy.pbem", toy.archive())
    return client


def test_the_certificate_of_a_finished_game(reader: Client) -> None:
    assert reader.does("certificate", "toy.pbem").out == TOLD


def test_the_certificate_for_programs(toy: Match, reader: Client) -> None:
    found = reader.does("certificate", "toy.pbem", "--json").data
    assert found["sections"][0]["facts"]["Head"] == toy.campaign.head.hex()
    assert found["sections"][-2]["facts"].pop("Program") == f"pbem {__version__}, protocol version 1"
    text = json.dumps(found, indent=1, ensure_ascii=False) + "\n"
    assert text == golden(TEXTS / "certificate.json", text)


def test_a_certificate_is_written_by_its_name_and_again_to_the_same_bytes(reader: Client) -> None:
    for name in ("toy.txt", "toy.html"):
        assert reader.does("certificate", "toy.pbem", "-o", name).out == (
            f"Wrote {name}. Do now: read it; it opens with no other file, and can be mailed as it is.\n"
        )
        first = reader.read(name)
        reader.does("certificate", "toy.pbem", "-o", name)
        assert reader.read(name) == first
    assert reader.read("toy.txt") == TOLD


def test_another_process_with_another_hash_seed_writes_the_same_bytes(reader: Client) -> None:
    reader.write("westerplatte.pbem", WESTERPLATTE.read_bytes())
    for html in ([], ["--html"]):
        here = reader.does("certificate", "westerplatte.pbem", *html).out.encode()
        for seed in ("1", "2"):
            done = reader.outside("certificate", "westerplatte.pbem", *html, PYTHONHASHSEED=seed)
            assert (done.returncode, done.stdout) == (0, here)


def test_a_log_that_was_changed_has_no_certificate(reader: Client) -> None:
    data = (reader.folder / "toy.pbem").read_bytes()
    at = data.index(b'"winner":"south"')
    reader.write("changed.pbem", data[:at] + data[at:].replace(b"south", b"north", 1))
    assert reader.refused("certificate", "changed.pbem").startswith("event.signature: ")


def test_an_unfinished_game_says_so(toy: Match, reader: Client) -> None:
    lines = (reader.folder / "toy.pbem").read_bytes().splitlines(keepends=True)
    reader.write("running.pbem", b"".join(lines[:-1]))
    result, *_ = reader.does("certificate", "running.pbem", "--json").data["sections"]
    assert result["facts"]["State"] == "unfinished before step 18, which waits for south's closing of the game"
    assert result["facts"]["Result"] == "north has 1 points, south 2 (rule 3)"
    reader.write("begun.pbem", b"".join(lines[:4]))
    result, parties, *_ = reader.does("certificate", "begun.pbem", "--json").data["sections"]
    assert (result["facts"]["Result"], result["facts"]["State"]) == (
        "none yet",
        "unfinished before step 1, which waits for south's acceptance",
    )
    assert [(row["Role"], row["signed"]) for row in parties["rows"]] == [
        ("north", "steps 0 to 0"),
        ("south", "nothing: has not accepted"),
    ]
    assert toy.campaign.finished


# ---------------------------------------------------------------------- lines that few games have


def facts(match: Match, heading: str) -> dict[str, str]:
    """What stands under a heading of the certificate of a match."""
    page = certificate(verify(match.archive(), for_proposal()))
    (section,) = [one for one in page.sections if one.heading == heading]
    return {name: value for block in section.blocks if isinstance(block, Facts) for name, value in block.rows}


def test_an_agreed_draw_has_no_winner() -> None:
    told = facts(Moving(TOY, 1).till_one_decides().carry("draw").play(), "Result")
    assert (told["Result"], told["Winner"]) == ("a draw was agreed at step 7 (rule motion)", "nobody: a draw")


def test_two_claims_at_one_step_have_no_winner() -> None:
    match = Moving(TOY, 1, deadline_days=7)
    at = match.clock + LATE
    claims = [
        match.signed(role, Lapse(role=owing, demand="seal", dice=[]), at=at)
        for role, owing in ((NORTH, SOUTH), (SOUTH, NORTH))
    ]
    assert [match.offer(claim) for claim in claims] == [False, True]
    match.clock = at
    told = facts(match.play(), "Result")
    assert (told["Result"], told["Winner"]) == (
        "north and south claimed the game at step 2, where south's seal and north's seal did not come (rule remedy)",
        "nobody: each claimed the game",
    )


def test_an_annulled_game_has_no_winner() -> None:
    match = Hosted(TOY, 1, "all").till_one_decides()
    match.offer(match.signed(ADJUDICATOR, Annul(why="the map was wrong")))
    assert facts(match.play(), "Result")["Winner"] == "nobody: the referee annulled the game"


def test_receipts_are_counted() -> None:
    match = Hosted(TOY, 1, "all").play()
    kinds = Counter(one.event.kind for one in match.events)
    told = facts(match, "Checks passed")
    assert told["Receipts that name what closed a step, none before the one before it"] == str(kinds["receipt"])
    assert told["Rulings of the adjudicator"] == str(kinds["ruling"] + kinds["annul"])
    assert kinds["receipt"] > 5


def test_what_gave_way_and_what_was_cut_off_with_it_is_told(toy: Match) -> None:
    gave_way = ["south's answer of step 4 gave way to a claim or a ruling"]
    page = certificate(replace(verify(toy.archive(), for_proposal()), given_way=gave_way, cut_off=2))
    (section,) = [one for one in page.sections if one.heading == "Disputes and remedies"]
    assert section.blocks == (
        Words("Late: south's answer of step 4 gave way to a claim or a ruling, as its author says."),
        Words("Events that stood behind what was overruled, and were cut off with it: 2."),
    )

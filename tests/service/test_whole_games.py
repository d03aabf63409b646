"""Whole games by mail between processes of their own: agents with bots, with an adjudicator and without one.

Where there is one, the mail goes through Dovecot and Postfix; the game is set up by mail too, and then nobody does
anything until it is closed.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from cli.client import Client
from mail.post_daemons import missing
from soak import FACTOR, soak

from pbem.mail.post.maildir import prepare
from service.people import People, Person, PostOffice, people, post_office, post_settings

NAMES = ("anna", "bruno", "hugo")
TOY = {"PYTHONPATH": os.pathsep.join(filter(None, (str(Path(__file__).parents[1] / "toy"), os.getenv("PYTHONPATH"))))}
PAUSE = ("--pause", "5")
QUIET = {"begun", "busy", "ended", "joined", "left", "taken", "answered", "decided", "owed", "posted", "sent"}
"""What the processes tell when nothing goes wrong; one is busy for a moment when its player gives a command."""


@dataclass(frozen=True, slots=True)
class Play:
    """A game, what Anna proposes of it, and who plays which role."""

    game: str
    roles: tuple[str, str] = ("german", "polish")
    terms: tuple[str, ...] = ()
    settings: tuple[tuple[str, str], ...] = ()

    def __str__(self) -> str:
        return self.game


SHORT = Play("toy", ("north", "south"), ("--scenario", "short"), tuple(TOY.items()))
WESTERPLATTE, CAMPAIGNS = Play("westerplatte"), (Play("polska1939"), Play("white_eagle"))


@pytest.fixture
def office() -> Iterator[PostOffice]:
    if reason := missing("dovecot", "postfix"):
        pytest.skip(reason)
    with post_office(NAMES) as found:
        yield found


@contextmanager
def hosted(folder: Path, office: PostOffice, play: Play, seconds: float) -> Iterator[People]:
    """A game that Anna has proposed by mail, that Hugo's service has joined by itself, and that Bruno, who has found
    the proposal in his mailbox, has accepted; three processes go on with it."""
    with people(folder, NAMES, post_settings(office) | dict(play.settings), seconds) as everybody:
        anna, bruno, hugo = everybody.persons
        hugo.begin("serve", *office.ways("hugo"), "--for", anna.address, *PAUSE)
        bruno.begin("agent", *office.ways("bruno"), "--bot", "good", *PAUSE)
        propose(anna, bruno, play, "--adjudicator", hugo.address, "--rollers", "all")
        anna.begin("agent", *office.ways("anna"), "--bot", "good", *PAUSE)
        everybody.wait_for("a proposal for Bruno", lambda: proposals(office, "bruno"))
        accept(bruno, proposals(office, "bruno")[0])
        yield everybody


@contextmanager
def by_folders(folder: Path, play: Play, seconds: float) -> Iterator[People]:
    """The same without anybody in the middle: what leaves one agent comes in at the other one."""
    boxes = {name: folder / "mail" / name for name in NAMES[:2]}
    for box in boxes.values():
        prepare(box)
    ways = {name: f"maildir:{box}" for name, box in boxes.items()}
    with people(folder, NAMES[:2], dict(play.settings), seconds) as everybody:
        anna, bruno = everybody.persons
        propose(anna, bruno, play)
        anna.begin("agent", "--in", ways["anna"], "--out", ways["bruno"], "--bot", "good", *PAUSE)
        everybody.wait_for("a proposal for Bruno", lambda: list((boxes["bruno"] / "new").iterdir()))
        accept(bruno, next((boxes["bruno"] / "new").iterdir()))
        bruno.begin("agent", "--in", ways["bruno"], "--out", ways["anna"], "--bot", "random", *PAUSE)
        yield everybody


def propose(anna: Person, bruno: Person, play: Play, *terms: str) -> None:
    seats = ("--as", play.roles[0], "--opponent", bruno.address, "--deadline-days", "7")
    anna.client.does("new", play.game, *seats, *play.terms, *terms, "-o", "invitation.txt")


def proposals(office: PostOffice, name: str) -> list[Path]:
    """The letters with a proposal in somebody's mailbox, which Anna alone has written."""
    return [path for path in office.letters(name) if b'\nFrom: "Anna" <' in path.read_bytes()]


def accept(person: Person, proposal: Path) -> None:
    """Accept a proposal, as somebody who has saved it from a mail program."""
    person.client.write("proposal.eml", proposal.read_bytes())
    person.client.does("accept", "proposal.eml", "-o", "acceptance.txt")


def closed(everybody: People) -> bool:
    """Whether each home knows the game as closed and has nothing more to send."""
    found = [(one.summary(), set(one.outbox())) for one in everybody.persons]
    return all(game.get("finished") and not game["unsent"] and mails <= {"sent"} for game, mails in found)


def in_turn(everybody: People, turn: int) -> bool:
    return all(one.summary().get("turn", 0) >= turn for one in everybody.persons)


def at_step(everybody: People, step: int) -> bool:
    return all(one.summary().get("step", 0) >= step for one in everybody.persons)


def told_by(persons: Sequence[Person], word: str) -> int:
    """How often something was told in all."""
    return sum(line.split()[1] == word for one in persons for line in one.told())


def archives(everybody: People) -> set[bytes]:
    """What the homes have to show, of which there is one when they agree."""
    for one in everybody.persons:
        one.client.does("archive", one.summary()["game"], "-o", "game.pbem")
    return {(one.client.folder / "game.pbem").read_bytes() for one in everybody.persons}


def verified(archive: bytes, folder: Path, settings: Mapping[str, str], *options: str) -> str:
    """What a client in a fresh home, and a process of its own, says of an archive."""
    (folder / "stranger").mkdir()
    stranger = Client(folder / "stranger" / "home", folder / "stranger")
    stranger.write("game.pbem", archive)
    done = stranger.outside("verify", "game.pbem", *options, **settings)
    assert (done.returncode, done.stderr) == (0, b""), done
    return done.stdout.decode()


def went_well(everybody: People, play: Play, folder: Path, *amiss: str) -> None:
    """End everybody's process, and see that nothing else was amiss on the way: the homes have the same log, whole."""
    assert everybody.end() == [0] * len(everybody.persons)
    assert {word for one in everybody.persons for word in one.words()} <= QUIET | set(amiss)
    (archive,) = archives(everybody)
    said = verified(archive, folder, dict(play.settings)).splitlines()
    assert "Complete: closed by every party." in said
    assert any(line.endswith("every signature, link, roll, decision and state holds.") for line in said)


def went_through(office: PostOffice, everybody: People) -> None:
    """Every mail that left an outbox went with its sender's login and came once to each of its receivers."""
    sent = {one.name: one.outbox()["sent"] for one in everybody.persons}
    expected = {name: sum(sent.values()) - count for name, count in sent.items()}
    everybody.wait_for("every mail", lambda: all(len(office.letters(name)) >= expected[name] for name in expected))
    assert {name: len(set(ids(office.letters(name)))) for name in expected} == expected
    assert {name: len(office.letters(name)) for name in expected} == expected
    logins = re.findall(r"sasl_method=PLAIN, sasl_username=(\w+)", office.outgoing[0].log.read_text())
    assert {name: logins.count(name) for name in sent} == sent


def ids(letters: list[Path]) -> list[str]:
    return [found for path in letters for found in re.findall(r"(?mi)^Message-ID:\s*(\S+)", path.read_text("latin-1"))]


@pytest.mark.soak
@pytest.mark.timeout(900)
def test_three_processes_play_a_short_game_through_dovecot_and_postfix(tmp_path: Path, office: PostOffice) -> None:
    with hosted(tmp_path, office, SHORT, 600) as everybody:
        everybody.wait_for("a closed game", lambda: closed(everybody))
        went_well(everybody, SHORT, tmp_path)
        went_through(office, everybody)


@pytest.mark.timeout(500)
@pytest.mark.parametrize(
    "play", [SHORT, pytest.param(WESTERPLATTE, marks=pytest.mark.soak)], ids=lambda play: play.game
)
def test_two_agents_play_a_game_by_folders_alone(tmp_path: Path, play: Play) -> None:
    with by_folders(tmp_path, play, 400) as everybody:
        everybody.wait_for("a closed game", lambda: closed(everybody))
        went_well(everybody, play, tmp_path)


@pytest.mark.soak
@pytest.mark.timeout(1500)
def test_three_processes_play_westerplatte_through_dovecot_and_postfix(tmp_path: Path, office: PostOffice) -> None:
    with hosted(tmp_path, office, WESTERPLATTE, 1200) as everybody:
        everybody.wait_for("a closed game", lambda: closed(everybody))
        went_well(everybody, WESTERPLATTE, tmp_path)
        went_through(office, everybody)


@pytest.mark.soak
@pytest.mark.timeout(1500)
def test_servers_that_are_away_for_a_while_are_waited_for(tmp_path: Path, office: PostOffice) -> None:
    """First nothing goes out, then nothing comes in: the processes live on, and the game goes on."""
    with hosted(tmp_path, office, SHORT, 600) as everybody:
        everybody.wait_for("a game in play", lambda: at_step(everybody, 5))
        office.outgoing[0].down()
        everybody.wait_for("a mail that does not go out", lambda: told_by(everybody.persons, "postponed"))
        office.outgoing[0].up()
        everybody.wait_for("play that goes on", lambda: at_step(everybody, 8))
        office.incoming[0].down()
        everybody.wait_for("boxes out of reach", lambda: all("closed" in one.words() for one in everybody.persons))
        office.incoming[0].up()
        everybody.wait_for("a closed game", lambda: closed(everybody))
        went_well(everybody, SHORT, tmp_path, "postponed", "closed")
        assert told_by(everybody.persons, "closed") < 100


@pytest.mark.soak
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("play", CAMPAIGNS, ids=lambda play: play.game)
def test_three_processes_play_turns_of_a_campaign(tmp_path: Path, office: PostOffice, play: Play) -> None:
    """A game with hundreds of units: some turns, whose archive is verified as one that runs, or all."""
    with hosted(tmp_path, office, play, 1200 * FACTOR) as everybody:
        everybody.wait_for("so many turns", lambda: in_turn(everybody, 1 + soak(2)) or closed(everybody))
        if closed(everybody):
            went_well(everybody, play, tmp_path)
            return
        assert everybody.end() == [0, 0, 0]
        assert {word for one in everybody.persons for word in one.words()} <= QUIET
        anna = everybody.persons[0]
        anna.client.does("archive", play.game, "-o", "game.pbem")
        said = verified((anna.client.folder / "game.pbem").read_bytes(), tmp_path, {}, "--running")
        assert "every signature, link, roll, decision and state holds." in said

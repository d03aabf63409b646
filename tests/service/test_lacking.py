"""What a lost mail leaves open is asked for, and sent once more to whom the roster names, and to nobody else."""

from __future__ import annotations

import itertools
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from email import message_from_bytes, policy
from pathlib import Path

import pytest
from attacks.sides import Seeded, Side, make_home, packed

from pbem.app.desk import Desk
from pbem.app.routing import Arrived
from pbem.log.event import Answer
from pbem.log.verify import Verified
from pbem.mail.post.port import Letter
from pbem.service.agent import Agent
from pbem.service.lacking import MOST_TRIES
from pbem.service.resending import MOST_RESENT, Neighbour
from pbem.store.database import Home
from service.court import DAY, HOUR, Court, in_play
from service.office import Post, two_players

ANNA, BRUNO, RITA = "anna@example.org", "bruno@example.org", "rita@example.org"


@pytest.fixture
def court(tmp_path: Path) -> Court:
    found = in_play(tmp_path)
    found.judge.again = HOUR
    return found


def players_go_on(court: Court, mails: int = 8) -> None:
    """So many mails go round between the players; the judge's box is emptied unread."""
    for player in itertools.islice(itertools.cycle((court.polish, court.german)), mails):
        court.later(60)
        player.side.decide()
        player.round()
    court.judge.box.waiting = court.judge.box.waiting[-1:]


def game(court: Court) -> str:
    return court.judge.side.opened().row.game_id[:12]


def heard(post: Post, what: str) -> list[dict[str, object]]:
    return [facts for told, facts in post.told if told == what]


def ask(court: Court, request: str, *, of: Post, sender: str = RITA, extra: str = "") -> list[str]:
    """Who is sent a turn file because of a letter in words."""
    before = len(court.office.sent)
    head = f"From: {sender}\nMessage-ID: <{court.office.now}@example.org>\n{extra}Subject: {request}\n\n"
    of.box.waiting = [Letter(f"asked-{sender}-{court.office.now}", head.encode(), court.office.now)]
    of.round()
    return [to for _, receivers, _ in court.office.sent[before:] for to in receivers]


@pytest.mark.plan("M37")
def test_a_referee_asks_for_what_was_lost_and_is_sent_it(court: Court) -> None:
    players_go_on(court)
    step = court.judge.side.opened().campaign.place.step
    court.judge.round()
    assert court.judge.side.opened().campaign.place.step == step
    court.later(HOUR - 1)
    court.judge.round()
    assert court.mails_to(ANNA) == court.mails_to(BRUNO) == []
    court.later(1)
    court.judge.round()
    asked = court.judge.facts("lacking")
    assert asked == [{"game": "westerplatte", "step": step, "to": asked[0]["to"], "tries": 1}]
    court.rounds(2)
    assert heard(court.german, "resent") + heard(court.polish, "resent") == [
        {"game": "westerplatte", "step": step, "to": RITA}
    ]
    assert court.judge.side.heads() == court.german.side.heads()
    court.later(DAY)
    court.judge.round()
    assert court.judge.facts("lacking") == asked


def test_the_request_in_words(court: Court) -> None:
    players_go_on(court)
    court.judge.round()
    court.later(HOUR)
    court.judge.round()
    (mail,) = court.mails_to(ANNA) + court.mails_to(BRUNO)
    read = message_from_bytes(mail, policy=policy.default)
    assert (read["Subject"], read["Auto-Submitted"]) == (f"[pbem] resend {game(court)} 4", "auto-generated")
    assert read.get_content() == (
        f"resend {game(court)} 4\n\n"
        f"The Battle of the Westerplatte, game {game(court)}: a mail has not come. Something of step 4\n"
        "is missing here, and later events wait for it. A program that answers mails reads the first line\n"
        "and sends it again. If you have none, send all you have: `pbem export GAME --all -o all.eml --eml`.\n"
    )


def test_who_does_not_answer_is_asked_in_turn_and_more_and_more_seldom(court: Court) -> None:
    players_go_on(court)
    start = court.office.now
    for _ in range(2 ** (MOST_TRIES + 1)):
        court.judge.round()
        court.later(HOUR)
    told = court.judge.facts("lacking")
    assert [facts["tries"] for facts in told] == list(range(1, MOST_TRIES + 1))
    assert {facts["to"] for facts in told[::2]} != {facts["to"] for facts in told[1::2]}
    assert len({facts["to"] for facts in told[::2]}) == len({facts["to"] for facts in told[1::2]}) == 1
    assert court.office.now - start == 2 ** (MOST_TRIES + 1) * HOUR


def test_no_silence_is_ruled_on_that_another_party_knows_to_be_over(court: Court) -> None:
    court.judge.again = 1000 * DAY
    players_go_on(court)
    for _ in range(24):
        court.later(DAY // 2)
        court.judge.round()
    assert court.judge.facts("ruled") == []
    assert court.judge.facts("alarm")[0] == {
        "code": "ruling.lacking",
        "text": "no ruling in westerplatte: a mail is missing here, since german has signed at a later step",
        "game": "westerplatte",
    }


def test_what_the_silent_one_signs_ahead_holds_no_ruling_back(court: Court) -> None:
    """It is signed at a step that does not exist, so that a mail seems to be missing for ever."""
    court.judge.again = 1000 * DAY
    polish = court.polish.side
    question = polish.opened().campaign.question(polish.role)
    assert question is not None
    answer = Answer(ask=question.kind, value=question.default.model_dump(mode="json"))
    forged = packed([polish.sign(polish.here(answer, step=9, prev="ab" * 32))])
    court.judge.write(forged)
    court.judge.round()
    assert [facts["early"] for facts in court.judge.facts("taken")][-1] == 1
    for _ in range(24):
        court.later(DAY // 2)
        court.judge.round()
    assert len(court.judge.facts("ruled")) == 1


def test_only_a_party_is_sent_anything_and_at_the_address_of_the_roster(court: Court) -> None:
    players_go_on(court)
    request = f"resend {game(court)} 4"
    assert ask(court, request, of=court.german) == [RITA]
    assert ask(court, request, of=court.german, sender="Rita <RITA@EXAMPLE.ORG>") == [RITA]
    assert ask(court, "Re: [pbem] Resend", of=court.german, sender=BRUNO) == [BRUNO]
    assert ask(court, request, of=court.german, sender="victim@example.com") == []
    assert ask(court, "resend 0123456789ab 4", of=court.german) == []
    assert ask(court, "resend 999999", of=court.german) == [RITA]
    assert court.judge.side.take(court.office.sent[-1][2]).games[0].game == "westerplatte"
    assert ask(court, "resend 0123456789ab 4", of=court.german, sender="victim@example.com") == []
    assert heard(court.german, "left")[-1]["why"] == (
        "asks for a game that its sender has no seat in, or for one of several"
    )


def test_a_home_without_a_seat_sends_nothing(tmp_path: Path) -> None:
    """Bruno has handed his over to Eve."""
    german, polish = two_players(tmp_path)
    for player in (german, polish, german):
        player.round()
    archive, offer = tmp_path / "all.pbem", tmp_path / "offer.json"
    make_home(tmp_path / "eve", "Eve", "eve@example.org", None, Seeded(9, "eve"))
    for side, command in (
        (german.side, ("archive", "westerplatte", "-o", archive)),
        (Side(polish.side.role, tmp_path / "eve"), ("substitute", archive, "--as", "polish", "-o", offer)),
        (polish.side, ("motion", "hand-over", "westerplatte", "--offer", offer)),
    ):
        assert side(*command).code == 0
    german.side.mail(polish.side.export())
    assert german.side("motion", "agree", "westerplatte").code == 0
    polish.side.mail(german.side.export(everything=True))
    request = f"From: {ANNA}\nMessage-ID: <1@example.org>\nSubject: resend westerplatte 1\n\n"
    before = len(polish.office.sent)
    polish.box.waiting = [Letter("asked", request.encode(), 0)]
    polish.round()
    assert polish.office.sent[before:] == []
    assert heard(polish, "left")[-1]["text"] == (
        f"asks for a game in which this home has no seat, said to be from {ANNA}, subject 'resend westerplatte 1': "
        "read it in the mailbox"
    )


@pytest.mark.plan("A54")
@pytest.mark.parametrize("header", ["Auto-Submitted: auto-replied", "Content-Type: multipart/report; boundary=x"])
def test_a_reply_of_a_program_that_quotes_a_request_is_none(court: Court, header: str) -> None:
    players_go_on(court)
    assert ask(court, f"Re: resend {game(court)} 4", of=court.german, extra=f"{header}\n") == []


@pytest.mark.plan("A54")
def test_a_flood_of_requests_ends(court: Court) -> None:
    players_go_on(court)
    sent = []
    for _ in range(MOST_RESENT + 3):
        court.later(1)
        sent += ask(court, f"resend {game(court)} 0", of=court.german)
    assert sent == [RITA] * MOST_RESENT
    court.later(DAY)
    assert RITA in ask(court, f"resend {game(court)}", of=court.german)


def test_a_person_can_ask_a_service_too(court: Court) -> None:
    assert ask(court, "resend westerplatte", of=court.judge, sender=BRUNO) == [BRUNO]
    (mail,) = (mail for _, to, mail in court.office.sent[-1:] if to == (BRUNO,))
    read = message_from_bytes(mail, policy=policy.default)
    assert (read["To"], read["In-Reply-To"]) == ("Bruno <bruno@example.org>", f"<{court.office.now}@example.org>")


@dataclass
class Hindered:
    """A neighbour while whose work another process writes."""

    neighbour: Neighbour
    other: sqlite3.Connection

    def join(self, proposal: Verified, arrived: Arrived) -> str:
        return self.neighbour.join(proposal, arrived)

    def answers(self, letter: Letter) -> str:
        self.other.execute("BEGIN IMMEDIATE")
        try:
            return self.neighbour.answers(letter)
        finally:
            self.other.execute("ROLLBACK")


def test_a_request_that_meets_a_locked_home_is_offered_again(court: Court) -> None:
    """The machine's fault is no reason to leave it to a person."""
    players_go_on(court)
    german, before = court.german, len(court.office.sent)
    letter = Letter("asked", f"From: {RITA}\nMessage-ID: <1@example.org>\nSubject: resend\n\n".encode(), 0)
    german.box.waiting = [letter]
    file = german.side.folder / "home.sqlite"
    with Home.open(german.side.folder, 100) as home, closing(sqlite3.connect(file, isolation_level=None)) as other:
        desk = Desk(home, lambda: court.office.now, german.side.random)
        visitors = Hindered(Neighbour(desk, german.tell), other)
        agent = Agent(desk, german.box, court.office, "one", german.tell, visitors=visitors)
        agent.begin()
        assert not agent.round().read
        agent.end()
    assert [facts["code"] for facts in heard(german, "failed")] == ["database.locked"]
    assert (german.box.left, german.box.waiting) == ([], [letter])
    german.round()
    assert [to for _, to, _ in court.office.sent[before:]] == [(RITA,)]
    assert (german.box.left, german.box.done_with[-1:]) == ([], ["asked"])

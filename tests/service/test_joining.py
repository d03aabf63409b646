"""Joining by mail: which proposals a service accepts by itself, and which ones wait for a person."""

from __future__ import annotations

from pathlib import Path

import pytest
from attacks.sides import BEGIN

from pbem.app.moving import move
from pbem.app.propose import single_proposal
from pbem.app.routing import incoming
from pbem.mail.post.port import Letter
from pbem.service.counting import count_below
from service.court import DAY, JUDGE, Court, in_play, strangers
from service.office import Post

LEFT = (
    "a proposal of anna@example.org, for whom nobody said --for, said to be from anna@example.org, subject '[pbem] "
    "westerplatte turn 0 german step 1: an invitation': it proposes westerplatte, game {}; save it from the mailbox, "
    "then `pbem accept FILE --show`"
)


@pytest.fixture
def court(tmp_path: Path) -> Court:
    return strangers(tmp_path)


def games(post: Post) -> int:
    return len(post.side.tables()["games"])


def test_a_game_that_names_the_address_is_joined_and_played_by_mail(tmp_path: Path) -> None:
    court = in_play(tmp_path)
    court.rounds(10, decide=True)
    while court.german.side.opened().campaign.place.deciding != ("german",):
        court.polish.side.decide()
        court.rounds(1)
    with court.german.side.desk() as desk:
        move(desk, court.german.side.game, {"what": "concede"})
    court.rounds(8, decide=True)
    assert [post.side.opened().campaign.finished for post in court.posts()] == [True] * 3
    assert court.german.side.heads() == court.polish.side.heads() == court.judge.side.heads()
    assert court.judge.side.verified(running=False).code == 0
    assert {what for what, _ in court.judge.told} == {"joined", "taken", "answered", "posted", "sent"}
    assert court.judge.deadlines() == []


@pytest.mark.soak
def test_a_whole_game_with_a_referee_who_is_a_service(tmp_path: Path) -> None:
    court = in_play(tmp_path)
    while not all(post.side.opened().campaign.finished for post in court.posts()):
        court.rounds(1, decide=True)
        assert court.office.now < BEGIN + 7 * DAY, "somebody waits"
    assert court.german.side.heads() == court.polish.side.heads() == court.judge.side.heads()
    assert court.judge.side.verified(running=False).code == 0


def test_nobody_is_let_in_unasked(court: Court) -> None:
    court.propose()
    court.judge.round()
    assert (games(court.judge), len(court.judge.box.left)) == (0, 1)
    assert court.judge.facts("left")[0]["why"] == "a proposal of anna@example.org, for whom nobody said --for"


def test_a_proposal_that_was_left_is_joined_when_its_proposer_is_allowed(court: Court) -> None:
    court.judge.allow("ana@example.org")
    court.propose()
    court.judge.write("Subject: hello\n\nHow are you?\n", "Carl <carl@example.org>")
    court.judge.round()
    rita = court.judge.side
    assert [line for line in rita("serve", "--status").out.splitlines() if "left" in line or "said" in line] == [
        "letters left to a person: 1",
        f"  2023-11-14 22:13 UTC: {LEFT.format(court.german.side.opened().row.game_id[:12])}",
    ]
    assert court.judge.facts("left")[0]["text"] == LEFT.format(court.german.side.opened().row.game_id[:12])
    left = "well  letters: 1 was left to a person: `pbem serve --status` names the last ones"
    assert rita("doctor").out.splitlines()[-1] == left
    court.judge.allow("ana@example.org")
    court.judge.round()
    assert (games(court.judge), len(court.judge.facts("left"))) == (0, 2), "nothing has changed"
    court.judge.allow("anna@example.org")
    court.judge.round()
    assert (games(court.judge), len(court.judge.box.left), court.judge.box.waiting) == (1, 1, [])
    assert "left" not in rita("serve", "--status").out
    assert rita("doctor").out.splitlines()[-1] == "well  letters: none was left to a person"


@pytest.mark.parametrize("allowed", ["anna@example.org", "ANNA@EXAMPLE.ORG", "any"])
def test_who_is_allowed_is_let_in(court: Court, allowed: str) -> None:
    court.judge.allow(allowed)
    court.propose()
    court.judge.round()
    assert (games(court.judge), court.judge.box.left) == (1, [])
    assert court.judge.side.opened().role == "referee"


def test_a_game_with_another_referee_is_left(court: Court) -> None:
    court.judge.allow("any")
    court.propose(referee="rob@example.org")
    letter = court.office.box("rob@example.org").waiting[0]
    court.judge.box.waiting.append(letter)
    court.judge.round()
    assert court.judge.facts("left")[0]["why"] == "a proposal, which a person accepts"


def test_one_proposer_opens_so_many_games_a_day(court: Court) -> None:
    court.judge.allow("any")
    court.judge.most_games = 2
    for _ in range(3):
        court.propose(begin=60)
    court.judge.round()
    assert (games(court.judge), len(court.judge.box.left)) == (2, 1)
    why = "a proposal of anna@example.org, who has opened 2 games within a day"
    assert court.judge.facts("left")[0]["why"] == why
    court.later(DAY)
    court.propose()
    court.judge.round()
    assert games(court.judge) == 4, "the one that was left was not acknowledged, and came again"


def test_so_many_games_are_joined_a_day_whoever_proposes(court: Court) -> None:
    court.judge.allow("any")
    with court.judge.desk() as desk, desk.home.writing() as writer:
        for _ in range(100):
            assert count_below(writer, "opened", "any", desk.clock(), 100)
    court.propose()
    court.judge.round()
    assert (games(court.judge), court.judge.facts("left")[0]["why"]) == (0, "a proposal on a day with 100 others")
    court.later(DAY)
    court.propose()
    court.judge.round()
    assert games(court.judge) == 2


@pytest.mark.plan("A51")
def test_an_address_is_believed_under_its_first_key_alone(court: Court, tmp_path: Path) -> None:
    court.judge.allow("anna@example.org")
    court.propose()
    court.judge.round()
    forger = strangers(tmp_path / "other")
    forger.german.side.random.choose(2)  # other keys than Anna's
    side = _with_other_keys(forger, tmp_path)
    letter = forger.office.box(JUDGE).waiting[-1]
    assert single_proposal(incoming(letter.data, "a mail")).event.role == side
    court.judge.box.waiting.append(letter)
    court.judge.round()
    assert games(court.judge) == 1
    assert court.judge.facts("left")[0]["why"] == "a proposal of anna@example.org under another key than before"


def _with_other_keys(forger: Court, folder: Path) -> str:
    from attacks.sides import Seeded, make_home

    make_home(folder / "forged", "Anna", "anna@example.org", None, Seeded(99, "forger"))
    forger.german.side.folder = folder / "forged"
    return forger.propose().role


def test_a_proposal_that_comes_twice_is_joined_once(court: Court) -> None:
    court.judge.allow("any")
    court.propose()
    (letter,) = court.judge.box.waiting
    court.judge.box.waiting.append(Letter("again", letter.data + b"\n", letter.arrived))
    court.judge.round()
    assert (games(court.judge), court.judge.box.waiting, court.judge.words().count("joined")) == (1, [], 1)

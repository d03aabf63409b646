"""What the mails of a game say to whoever reads them: what happened, what is asked of whom, and by when."""

from __future__ import annotations

from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from typing import cast

import pytest

from pbem.app.lapsing import claim_lapse
from pbem.service.times import keep_zones
from service.court import DAY, Court, strangers
from service.office import Post, two_players

IMPORT = "Import this mail, or the attachment alone: pbem import FILE\nThen `pbem status` says what to do.\n\n"
JOIN = (
    "Save this mail, or its attachment alone, as a file. Then see what is\n"
    "proposed, join, and mail the answer that is written:\n"
    "\n"
    "  pbem accept FILE --show\n"
    "  pbem accept FILE -o acceptance.eml --eml\n\n"
)
SET_UP = "the Poles set up: PL-1 in GH1, PL-2 in GH2, PL-3 in Prom, MTR in Fort, FG in GH3, ATG in Cypel"


def told(mail: bytes) -> tuple[str, str]:
    """The subject of a mail, and what it says above the turn file."""
    read = cast(EmailMessage, message_from_bytes(mail, policy=policy.default))
    body = read.get_body()
    assert body is not None
    return read["Subject"], body.get_content().partition("BEGIN PBEM")[0]


@pytest.fixture
def players(tmp_path: Path) -> tuple[Post, Post]:
    german, polish = two_players(tmp_path)
    with polish.side.desk() as desk, desk.home.writing() as writer:
        keep_zones(writer, {"anna@example.org": "Europe/Warsaw"})
    german.round()
    polish.round()
    polish.side.decide()
    polish.round()
    return german, polish


def head(post: Post, step: int) -> str:
    return (
        f"The Battle of the Westerplatte, game westerplatte ({post.side.opened().row.game_id[:12]}), step {step}.\n\n"
    )


def test_a_turn_says_who_is_asked_and_by_when(players: tuple[Post, Post]) -> None:
    _, polish = players
    assert told(polish.office.sent[-1][2]) == (
        "[pbem] westerplatte turn 1 polish step 3: german to decide",
        f"{head(polish, 3)}{SET_UP}\n"
        "\n"
        "Waiting for german (Anna): place the ship in Wa, Wb, Wc, Wd. Answer by Tuesday 21 November 2023, 22:13 UTC "
        "(23:13 in Europe/Warsaw, UTC+0100).\n"
        f"\n{IMPORT}",
    )


def test_what_a_program_answers_is_said_to_be_its_own(players: tuple[Post, Post]) -> None:
    german, _ = players
    german.round()
    german.side.decide()
    german.round()
    subject, text = told(german.office.sent[-1][2])
    assert subject == "[pbem] westerplatte turn 1 german step 4"
    assert text.splitlines()[-5] == (
        "Waiting for polish (Bruno): its share of the dice (the program does that by itself)."
    )


def test_a_claim_says_what_to_do_about_it(players: tuple[Post, Post]) -> None:
    _, polish = players
    polish.office.now += 8 * DAY
    polish.side.now = polish.office.now
    with polish.side.desk() as desk:
        claim_lapse(desk, "westerplatte")
    polish.round()
    assert told(polish.office.sent[-1][2]) == (
        "[pbem] westerplatte turn 1 polish step 4: the game is over",
        f"{head(polish, 4)}"
        "This mail brings a claim, since no answer came in time. Had you answered? Import it all the same:\n"
        "`pbem status` then says what of yours counts, and what you can do.\n"
        "\n"
        f"{SET_UP}\n"
        "polish claimed the game at step 3, where german's answer did not come\n"
        "\n"
        "Waiting for german (Anna): to close the game (the program does that by itself).\n"
        f"\n{IMPORT}",
    )


@pytest.fixture
def court(tmp_path: Path) -> Court:
    found = strangers(tmp_path)
    found.judge.allow("anna@example.org")
    found.propose()
    found.bruno_joins()
    return found


def test_who_joins_invites_nobody(court: Court) -> None:
    court.polish.round()
    game = court.polish.side.opened().row.game_id[:12]
    assert told(court.office.sent[-1][2]) == (
        "[pbem] westerplatte turn 0 polish step 1: before play begins",
        f"The Battle of the Westerplatte, game {game}, proposed by Anna.\n"
        "\n"
        "Bruno takes part as polish. The game has not begun.\n"
        "Waiting for referee (Rita): to accept the proposal.\n"
        "\n"
        "Have you joined already? Then import this mail: pbem import FILE\n"
        "\n"
        f"{JOIN}",
    )
    court.judge.round()
    assert told(court.office.sent[-1][2]) == (
        "[pbem] westerplatte turn 0 referee step 2: before play begins",
        f"The Battle of the Westerplatte, game {game}, proposed by Anna.\n"
        "\n"
        "Rita takes part as referee. The game has not begun.\n"
        "Waiting for german (Anna): what the referee is to hold (the program does that by itself).\n"
        "Waiting for polish (Bruno): what the referee is to hold (the program does that by itself).\n"
        f"\n{IMPORT}",
    )


def test_an_invitation_of_several_names_their_seats_first(court: Court) -> None:
    game = court.german.side.opened().row.game_id[:12]
    assert told(court.office.sent[0][2]) == (
        "[pbem] westerplatte turn 0 german step 1: an invitation",
        "Anna invites you to a game by e-mail:\n"
        f"The Battle of the Westerplatte, game {game}.\n"
        "\n"
        "Each seat is for one of you, who says the ADDRESS that stands here:\n"
        "\n"
        "  polish: bruno@example.org\n"
        "  referee: rita@example.org\n"
        "\n"
        "It is played with pbem, a program that carries out the orders of both\n"
        "sides and proves every roll of the dice. It needs no server and no\n"
        "account, only Python 3.11 or newer. To get it and to make your keys:\n"
        "\n"
        "  pip install pbem\n"
        "  pbem init --name NAME --address ADDRESS\n"
        "\n"
        f"{JOIN}",
    )

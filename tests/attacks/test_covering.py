"""The covering text of a mail in full: invitations, what is asked for, what has happened, whom the game waits for."""

from __future__ import annotations

from email import message_from_bytes, policy
from pathlib import Path

import pytest

from attacks.sides import DEADLINE_DAYS, Pair, Side, new_side
from attacks.test_disputes import forked  # noqa: F401 - a fixture
from attacks.test_motions import deciding, exchange
from attacks.test_worst import claimed
from attacks.worst import NORTH, SOUTH, joined
from pbem.app import catalogue
from pbem.app.exporting import export
from pbem.app.moving import move
from pbem.app.propose import Terms, propose
from pbem.errors import BadRequest
from pbem.log.event import Role

NARRATIVE_LINES = 150
SHOWN = 40
"""So many of them are compared: a long one that comes later is cut."""
IMPORT = "Import this mail, or the attachment alone: pbem import FILE\nThen `pbem status` says what to do.\n\n"


def text_of(side: Side) -> str:
    """What its next mail says to its reader above the turn file."""
    with side.desk() as desk:
        mail = message_from_bytes(export(desk, side.game).mail, policy=policy.default)
    text: str = mail.get_body().get_content()  # type: ignore[union-attr]
    return text.partition("BEGIN PBEM")[0]


def head(side: Side) -> str:
    """The game and the step that the text names."""
    opened = side.opened()
    title, step = opened.campaign.ruleset.title, opened.campaign.place.step
    return f"{title}, game {side.game} ({opened.row.game_id[:12]}), step {step}."


def test_an_invitation_says_what_silence_leads_to(tmp_path: Path) -> None:
    north = new_side(tmp_path / "north", NORTH, "Anna")
    north.game = "toy"
    opponents = {SOUTH: ("Bruno", "bruno@example.org")}
    with north.desk() as desk:
        propose(desk, Terms(catalogue.ruleset("toy"), "standard", NORTH, opponents, DEADLINE_DAYS, remedy="worst"))
    assert text_of(north) == (
        "Anna invites you to a game by e-mail:\n"
        f"The Toy Ford, game {north.opened().row.game_id[:12]}.\n"
        "\n"
        "Each answer may take 7 days. After that the other side may\n"
        "claim the worst for the silent one, and play goes on: in the place of\n"
        "orders their default stands, and where a share of the dice is owed\n"
        "the other side dictates every roll of that step.\n"
        "\n"
        "It is played with pbem, a program that carries out the orders of both\n"
        "sides and proves every roll of the dice. It needs no server and no\n"
        "account, only Python 3.11 or newer. To get it and to make your keys:\n"
        "\n"
        "  pip install pbem\n"
        "  pbem init --name NAME --address bruno@example.org\n"
        "\n"
        "Save this mail, or its attachment alone, as a file. Then see what is\n"
        "proposed, join, and mail the answer that is written:\n"
        "\n"
        "  pbem accept FILE --show\n"
        "  pbem accept FILE -o acceptance.eml --eml\n"
        "\n"
    )


def test_what_is_asked_for_stands_in_front_with_how_it_is_answered(played: Pair) -> None:
    _, waiter = deciding(played)
    with waiter.desk() as desk:
        move(desk, waiter.game, {"what": "draw"})
    assert text_of(waiter).splitlines()[:4] == [
        f"{waiter.role} asks to end the game as a draw.",
        "Once this mail is imported, `pbem motion agree` agrees to that, and your decision refuses it.",
        "",
        head(waiter),
    ]


def test_a_game_that_is_over(played: Pair) -> None:
    decider, other = deciding(played)
    with decider.desk() as desk:
        move(desk, decider.game, {"what": "concede"})
    for side in (decider, other):
        exchange(played, side)
    assert text_of(decider) == (
        f"{head(decider)}\n\nNothing new has happened on the board.\n\nThe game is finished and closed.\n\n{IMPORT}"
    )


def test_a_game_that_is_stopped(forked: Pair) -> None:  # noqa: F811
    assert text_of(forked.german) == (
        f"{head(forked.german)}\n\nNothing has happened on the board yet.\n\n"
        f"The game is stopped: polish signed two different events at step 2.\n\n{IMPORT}"
    )


# ---------------------------------------------------------------------- one who is silent for long


@pytest.fixture
def silent(tmp_path: Path) -> Side:
    """North has played on without south, by one claim after the other, and waits for south again."""
    duel = joined(tmp_path, "worst", "polska1939", (Role("german"), Role("polish")))
    side = duel.north
    while len(side.opened(whole=True).campaign.lines) <= NARRATIVE_LINES or side.opened().campaign.place.deciding:
        duel.later()
        side.decide()
        duel.later()
        claim(side)
    return side


def claim(side: Side, *dice: str) -> None:
    """What the other one owes, with the dice that the refusal of a claim names as an example, one roll more a time."""
    try:
        claimed(side, *dice, now=side.now)
    except BadRequest as refused:
        claim(side, *refused.hint.strip("`").rpartition("--dice ")[2].split(","))


def test_a_long_story_is_cut_where_it_is_oldest_and_the_status_counts_what_nobody_has_got(silent: Side) -> None:
    lines = [line.text for line in silent.opened(whole=True).campaign.lines]
    left = len(lines) - NARRATIVE_LINES
    told = text_of(silent).splitlines()
    assert told[: 6 + SHOWN] == [
        head(silent),
        "",
        "This mail brings a claim, since no answer came in time. Had you answered? Import it all the same:",
        "`pbem status` then says what of yours counts, and what you can do.",
        "",
        f"({left} earlier lines left out: `pbem log polska1939 --from 1` tells all.)",
        *lines[left : left + SHOWN],
    ]
    own = [row for row in silent.opened().rows if row.role == silent.role and row.step > 1]
    (line,) = [line for line in silent("status").out.splitlines() if "acknowledged" in line]
    assert line.rpartition(" of ")[0] == (
        "  not acknowledged yet: your orders of step 2, your orders of step 3 and "
        f"{len(own) - 2} more events of yours, in your turn file"
    )

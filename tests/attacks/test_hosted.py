"""Hosted games: what is opened, the dice, motions, requests and terms, with two players and an adjudicator."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from attacks.hosting import ROLLERS, Rollers, Table, hosted, kinds, rolling
from attacks.sides import Side, new_side, packed
from pbem.app.moving import NOTHING, move, reply
from pbem.app.reading import roll_source
from pbem.app.seats import appoint
from pbem.errors import BadRequest
from pbem.log.event import Request
from pbem.log.verify import MOST_REQUESTS

DEPOSITED = [["german deposit", "polish deposit"], ["adjudicator vouch"]]


# ---------------------------------------------------------------------- whole games


@pytest.mark.parametrize("rollers", ROLLERS)
def test_bots_play_a_hosted_game_to_its_verified_archive(rollers: Rollers, tmp_path: Path) -> None:
    table = hosted(tmp_path, rollers, "toy", "short")
    table.to_the_end()
    assert len(table.heads()) == 1
    done = [side.verified(running=False) for side in table.sides()]
    assert [one.code for one in done] == [0] * 3
    assert len({(side.folder.parent / f"{side.role}.pbem").read_bytes() for side in table.sides()}) == 1
    closed = [one for one in kinds(table.first) if "adjudicator receipt" not in one]
    prepared = [] if rollers == "adjudicator" else [["north deposit", "south deposit"], ["adjudicator vouch"]]
    begun = [["north propose"], ["adjudicator accept", "south accept"], *prepared]
    rolls = [["adjudicator entropy"]] * (len(closed) - len(begun))  # alone it rolls as often as the weather wants
    assert (closed, bool(rolls)) == ([*begun, *rolls], rollers == "adjudicator")


@pytest.mark.parametrize("rollers", ROLLERS)
def test_a_stranger_verifies_a_roll_of_a_hosted_game(rollers: Rollers, tmp_path: Path) -> None:
    table = hosted(tmp_path, rollers, "toy", "short")
    table.to_the_end()
    for number, roll in enumerate(table.first.opened(whole=True).campaign.rolls):
        path = tmp_path / f"{number}.pbem"
        assert table.first("dispute", "toy", "roll", roll.id, "-o", path).code == 0
        stranger = new_side(tmp_path / f"stranger{number}", "north", "Sara")
        assert stranger("verify", path).code == 0
        assert (
            "the salt is the digest of what the players said at the step before."
            in table.first("roll", "toy", roll.id).out
        )


def test_who_opens_what_before_play(hosted_games: dict[Rollers, Table]) -> None:
    prepared = {rollers: kinds(table.first)[2:] for rollers, table in hosted_games.items()}
    assert prepared == {"players": DEPOSITED, "adjudicator": [], "all": DEPOSITED}


# ---------------------------------------------------------------------- dice


@pytest.mark.plan("A48")
@pytest.mark.parametrize("rollers", ROLLERS)
def test_no_date_of_a_receipt_changes_the_dice(
    hosted_games: dict[Rollers, Table], rollers: Rollers, tmp_path: Path
) -> None:
    """Who signs last, and may know all links, could else try one second after another, at this step or the one before,
    where it can guess what a program answers next, and when."""
    found = []
    for seconds in (0, 1, 2):
        table = hosted_games[rollers].copied(tmp_path / str(seconds))
        table.deciding()[0].decide()
        table.tick(seconds)
        table.exchange()
        decider, _ = table.deciding()
        decider.decide()
        sent = decider.export()
        table.tick(seconds)
        table.host.take(sent)
        table.exchange()
        campaign = table.host.opened(whole=True).campaign
        source = roll_source(campaign, campaign.rolls[0].id)
        found.append(([roll.faces for roll in campaign.rolls], source.closing, campaign.head))
    assert len({str(rolls) for rolls, _, _ in found}) == len({salt for _, salt, _ in found}) == 1
    assert len({head for _, _, head in found}) == 3


@pytest.mark.plan("A48")
def test_every_rollers_link_is_in_the_key_when_all_three_roll(
    hosted_games: dict[Rollers, Table], tmp_path: Path
) -> None:
    table = rolling(hosted_games["all"].copied(tmp_path))
    campaign = table.first.opened(whole=True).campaign
    source = roll_source(campaign, campaign.rolls[0].id)
    assert [role for role, *_ in source.links] == ["adjudicator", "german", "polish"]


# ---------------------------------------------------------------------- motions


def test_players_agree_on_a_motion_under_receipts(any_table: Table) -> None:
    decider, other = any_table.deciding()
    decider.decide()
    any_table.exchange()
    decider, other = any_table.deciding()
    with decider.desk() as desk:
        move(desk, decider.game, {"what": "take_back", "step": decider.opened().campaign.place.step - 1})
    any_table.exchange()
    with other.desk() as desk:
        reply(desk, other.game, agree=True)
    any_table.exchange()
    assert len(any_table.heads()) == 1
    assert kinds(any_table.first)[-2:] == [
        ["adjudicator receipt", f"{decider.role} motion"],
        ["adjudicator receipt", f"{other.role} consent"],
    ]
    assert any_table.deciding() == (other, decider)


def test_the_adjudicator_grants_a_request(table: Table) -> None:
    _, waiter = table.deciding()
    with waiter.desk() as desk:
        move(desk, waiter.game, {"what": "pause"})
    table.host.take(waiter.export())
    decider, _ = table.deciding()
    granted = f"the game is paused: no deadline runs, as the adjudicator rules in {decider.role}'s place"
    assert table.ruled(agree=True) == [granted]
    for player in table.players():
        player.take(table.host.export())
    assert len(table.heads()) == 1
    assert kinds(table.first)[-1] == ["adjudicator receipt", "adjudicator ruling", f"{waiter.role} request"]


# ---------------------------------------------------------------------- words


def test_the_terms_say_who_is_trusted_with_what(tmp_path: Path) -> None:
    shown = {}
    for rollers in ROLLERS:
        german = new_side(tmp_path / rollers / "german", "german", "Anna")
        invitation = tmp_path / rollers / "invitation.eml"
        done = german(
            *("new", "westerplatte", "--as", "german", "--opponent", "bruno@example.org", "--deadline-days", "7"),
            *("--adjudicator", "hugo@example.org", "--rollers", rollers, "-o", invitation, "--eml"),
        )
        assert done.code == 0, done
        hugo = new_side(tmp_path / rollers / "hugo", "adjudicator", "Hugo")
        shown[rollers] = hugo("accept", invitation, "--show").out.splitlines()[4:-3]
    held = "  the adjudicator holds what opens both chains: it could foresee rolls, and is trusted not to tell."
    always = [
        "  the adjudicator says what arrived when, and no step is closed without it: it could hold mails back.",
        "  deadline: 7 days an answer, then behind 12 hours of grace the adjudicator rules; its receipts say what "
        "arrived when.",
    ]
    assert shown == {
        "players": ["  dice by german and polish together: no player could choose or foresee them.", held, *always],
        "all": [
            "  dice by adjudicator, german and polish together: no player could choose or foresee them.",
            held,
            *always,
        ],
        "adjudicator": [
            "  dice by the adjudicator alone, at once: it could foresee rolls, and is trusted not to tell.",
            *always,
        ],
    }


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (
            ("--rollers", "all"),
            "new.rollers: expected an adjudicator in a game whose --rollers are 'all', got none\n"
            "hint: name one with --adjudicator, or let the players roll\n",
        ),
        (
            ("--adjudicator", "hugo@example.org", "--remedy", "worst", "--deadline-days", "7"),
            "new.remedy: expected no --remedy in a game with an adjudicator, who rules when a deadline is over, got "
            "one\nhint: choose one of the two\n",
        ),
        (
            ("--adjudicator", "anna@example.org"),
            "new.own_address: expected the other player's e-mail address, got your own, anna@example.org\n"
            "hint: to play both sides yourself make a second home (PBEM_HOME) with an address of its own\n",
        ),
    ],
)
def test_a_proposal_that_nobody_could_play_is_refused(options: tuple[str, ...], told: str, tmp_path: Path) -> None:
    german = new_side(tmp_path / "german", "german", "Anna")
    opponent = ("--as", "german", "--opponent", "bruno@example.org", "-o", tmp_path / "i.eml", "--eml")
    done = german("new", "westerplatte", *opponent, *options)
    assert (done.code, done.err) == (1, told)


def test_nobody_takes_the_adjudicators_seat(table: Table) -> None:
    path = table.first.folder.parent / "game.pbem"
    assert table.first("archive", table.first.game, "-o", path).code == 0
    sara = new_side(table.first.folder.parent / "sara", "adjudicator", "Sara")
    done = sara("substitute", path, "--as", "adjudicator", "-o", path.with_name("offer.json"))
    assert (done.code, done.err) == (
        1,
        "seat.adjudicator: expected the seat of a player or of a referee, got the adjudicator's, which nobody can give "
        "away\nhint: a referee can be appointed in a hosted game: `--as referee`\n",
    )


def test_a_referee_is_appointed_in_a_hosted_game_and_is_the_judge_from_then_on(table: Table) -> None:
    path = table.first.folder.parent / "game.pbem"
    assert table.first("archive", table.first.game, "-o", path).code == 0
    rita = replace(new_side(table.first.folder.parent / "rita", "referee", "Rita"), game="westerplatte")
    offer = path.with_name("offer.json")
    rita.now = table.first.now
    assert rita("substitute", path, "--as", "referee", "-o", offer).code == 0
    decider, other = table.deciding()
    with decider.desk() as desk:
        appoint(desk, decider.game, offer.read_text())
    table.exchange()
    with other.desk() as desk:
        reply(desk, other.game, agree=True)
    table.exchange()
    for _ in range(3):
        table.tick()
        rita.now = table.first.now
        rita.take(table.host.export(everything=True))
        for side in table.sides():
            side.take(rita.export(everything=True))
    assert kinds(table.first)[-2:] == [["adjudicator receipt", f"{other.role} consent"], ["adjudicator deposit"]]
    assert {side.opened().campaign.place.judge for side in (*table.sides(), rita)} == {"referee"}
    assert table.host("motion", "draw").err.splitlines() == [
        "motion.no_player: expected a player, who alone can move or ask for something, got the adjudicator",
        "hint: you host it: `pbem import` takes in what comes, `pbem export westerplatte` sends your receipts",
    ]
    decider, _ = table.deciding()
    decider.decide()
    table.exchange()
    assert len(table.heads()) == 1
    assert kinds(table.first)[-1] == ["adjudicator receipt", f"{decider.role} answer"]
    assert table.first.verified().code == 0


def test_the_status_names_the_adjudicator(table: Table) -> None:
    decider, _ = table.deciding()
    assert "; the adjudicator is Hugo" in decider("status").out
    assert "the adjudicator of Anna (german), Bruno (polish)" in table.host("status").out
    decider.decide()
    decided = datetime.fromtimestamp(decider.now, UTC).strftime("%Y-%m-%d %H:%M UTC")
    said = next(line for line in decider("status").out.splitlines() if "waiting for adjudicator" in line)
    assert said == f"  waiting for adjudicator: its receipt for what has arrived, since {decided}"


def test_the_certificate_names_the_adjudicator_and_counts_receipts(tmp_path: Path) -> None:
    table = hosted(tmp_path, "adjudicator", "toy", "short")
    table.to_the_end()
    text = table.first("certificate", "toy").out
    assert [one in text for one in ("Adjudicator", "Hugo", "Receipts that name what closed a step")] == [True] * 3


# ---------------------------------------------------------------------- requests


def asking(side: Side, number: int) -> list[bytes]:
    """So many requests that the other side's time be longer, each by other days."""
    bodies = [Request(**(NOTHING | {"what": "extend", "days": days})) for days in range(1, number + 1)]
    return [side.sign(side.here(body)) for body in bodies]


@pytest.mark.plan("A16")
@pytest.mark.parametrize("order", ["others first", "alone before the consent", "consent first"])
def test_a_consent_brings_its_request_whatever_else_was_asked_elsewhere(
    order: str, hosted_games: dict[Rollers, Table], tmp_path: Path
) -> None:
    """Who waits mails as much as there may be to the adjudicator, and another request to who decides."""
    table = hosted_games["players"].copied(tmp_path)
    decider, waiter = table.deciding()
    *others, ninth = asking(waiter, MOST_REQUESTS + 1)
    if order != "consent first":
        table.host.take(packed(others))
    if order == "alone before the consent":
        (refused,) = table.host.take(packed([ninth])).games[0].refused
        assert str(refused) == (
            f"import.requests: expected at most 8 requests of {waiter.role} at step 4, got another one"
        )
    decider.take(packed([ninth]))
    with decider.desk() as desk:
        reply(desk, decider.game, agree=True)
    table.host.take(decider.export())
    table.host.take(packed(others))
    table.exchange()
    waiter.take(table.host.export(everything=True))
    assert len(table.heads()) == 1
    assert set(kinds(table.host)[-1]) == {"adjudicator receipt", f"{decider.role} consent", f"{waiter.role} request"}
    table.deciding()[0].decide()
    table.exchange()
    assert len(table.heads()) == 1
    assert [side.verified().code for side in table.sides()] == [0] * 3


@pytest.mark.plan("A16")
def test_what_needs_no_consent_is_heard_whatever_else_was_asked(
    hosted_games: dict[Rollers, Table], tmp_path: Path
) -> None:
    """Who waits mails as much as there may be to who decides, and to the adjudicator alone that a pause end."""
    table = hosted_games["players"].copied(tmp_path)
    decider, waiter = table.deciding()
    with waiter.desk() as desk:
        move(desk, waiter.game, {"what": "pause"})
    decider.take(waiter.export())
    with decider.desk() as desk:
        reply(desk, decider.game, agree=True)
    table.exchange()
    decider.take(packed(asking(waiter, MOST_REQUESTS)))
    resume = Request(**(NOTHING | {"what": "resume"}))
    first, second = (waiter.sign(waiter.here(resume, at=waiter.now + later)) for later in (0, 1))
    table.host.take(packed([first]))
    decider.take(table.host.export())
    assert [one.code for one in decider.take(packed([second])).games[0].refused] == ["import.requests"]
    table.exchange()
    assert len(table.heads()) == 1
    assert set(kinds(decider)[-1]) == {"adjudicator receipt", f"{decider.role} consent", f"{waiter.role} request"}
    assert not table.host.opened().campaign.place.paused


def test_a_home_signs_no_more_requests_than_others_take_in(table: Table) -> None:
    waiter = table.deciding()[1]
    with waiter.desk() as desk:
        for days in range(1, MOST_REQUESTS + 1):
            move(desk, waiter.game, {"what": "extend", "days": days})
        with pytest.raises(BadRequest) as refused:
            move(desk, waiter.game, {"what": "extend", "days": 30})
    assert str(refused.value) == "motion.requests: expected at most 8 requests at a step, got another one"
    assert refused.value.hint == "wait for the decision, or for the agreement to one of the others"

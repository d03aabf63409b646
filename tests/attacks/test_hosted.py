"""Hosted games: receipts, silence, clocks and forks, with two players, an adjudicator, and turn files between them."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from attacks.hosting import GRACE, Rollers, Table, hosted, kinds, receipts
from attacks.sides import DAY, DEADLINE_DAYS, Side, new_side, packed
from pbem.app.deciding import claim_lapse
from pbem.app.delays import delays_of
from pbem.app.moving import NOTHING, move, reply
from pbem.app.reading import roll_source
from pbem.app.ruling import annul, rule
from pbem.app.seats import appoint
from pbem.errors import BadRequest, PbemError
from pbem.log.event import Receipt, Request
from pbem.log.verify import MOST_REQUESTS

ROLLERS: tuple[Rollers, ...] = ("players", "adjudicator", "all")
DEPOSITED = [["german deposit", "polish deposit"], ["adjudicator vouch"]]


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> dict[Rollers, Table]:
    """Games whose Polish set-up is asked for."""
    return {rollers: hosted(tmp_path_factory.mktemp(rollers), rollers) for rollers in ROLLERS}


@pytest.fixture
def table(begun: dict[Rollers, Table], tmp_path: Path) -> Table:
    """The game in which the adjudicator rolls alone."""
    return begun["adjudicator"].copied(tmp_path)


@pytest.fixture(params=ROLLERS)
def any_table(begun: dict[Rollers, Table], request: pytest.FixtureRequest, tmp_path: Path) -> Table:
    return begun[request.param].copied(tmp_path)


def rolling(table: Table) -> Table:
    """Until both have set up, so that the first cards are drawn."""
    for _ in range(2):
        table.deciding()[0].decide()
        table.exchange()
    return table


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


def test_who_opens_what_before_play(begun: dict[Rollers, Table]) -> None:
    prepared = {rollers: kinds(table.first)[2:] for rollers, table in begun.items()}
    assert prepared == {"players": DEPOSITED, "adjudicator": [], "all": DEPOSITED}


# ---------------------------------------------------------------------- dice


@pytest.mark.plan("A48")
@pytest.mark.parametrize("rollers", ROLLERS)
def test_no_date_of_a_receipt_changes_the_dice(begun: dict[Rollers, Table], rollers: Rollers, tmp_path: Path) -> None:
    """Who signs last, and may know all links, could else try one second after another, at this step or the one before,
    where it can guess what a program answers next, and when."""
    found = []
    for seconds in (0, 1, 2):
        table = begun[rollers].copied(tmp_path / str(seconds))
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
def test_every_rollers_link_is_in_the_key_when_all_three_roll(begun: dict[Rollers, Table], tmp_path: Path) -> None:
    table = rolling(begun["all"].copied(tmp_path))
    campaign = table.first.opened(whole=True).campaign
    source = roll_source(campaign, campaign.rolls[0].id)
    assert [role for role, *_ in source.links] == ["adjudicator", "german", "polish"]


# ---------------------------------------------------------------------- silence


@pytest.mark.plan("A60")
def test_a_silent_player_is_ruled_on_behind_the_grace(any_table: Table) -> None:
    silent, other = any_table.deciding()
    any_table.late(GRACE - 2 * 3600)
    with pytest.raises(BadRequest) as told:
        any_table.ruled()
    assert str(told.value).startswith("rule.too_early: expected the deadline to be over, got ")
    any_table.late()
    assert any_table.ruled("gone")[0] == f"the adjudicator rules on {silent.role}'s orders: gone"
    any_table.exchange()
    other.take(any_table.host.export(everything=True))
    silent.take(any_table.host.export(everything=True))
    assert len(any_table.heads()) == 1
    assert any_table.first.verified().code == 0


@pytest.mark.plan("A34")
def test_a_silent_rollers_link_is_opened_by_the_adjudicator(begun: dict[Rollers, Table], tmp_path: Path) -> None:
    table = begun["all"].copied(tmp_path)
    for _ in range(2):
        decider, _ = table.deciding()
        decider.decide()
        table.host.take(decider.export())
        for player in table.players():
            if player.role == "german" or len(kinds(table.host)) < 6:
                player.take(table.host.export())
    table.host.take(table.first.export())
    assert table.host.opened().campaign.awaited().keys() == {"polish"}
    table.late()
    assert table.ruled()[0] == "the adjudicator rules on polish's share of the dice"
    table.first.take(table.host.export(everything=True))
    assert table.first.heads() == table.host.heads()
    assert table.first.verified().code == 0
    assert kinds(table.first)[6] == [
        "adjudicator entropy",
        "adjudicator receipt",
        "adjudicator ruling",
        "german entropy",
    ]


@pytest.mark.plan("A60")
def test_what_comes_behind_a_ruling_changes_nothing_and_the_ruling_stands(table: Table) -> None:
    silent, _ = table.deciding()
    silent.decide()
    sent = silent.export()
    table.late()
    table.ruled()
    before = table.host.heads()
    (refused,) = table.host.take(sent).games[0].refused
    assert (str(refused), refused.hint) == (
        f"import.late_answer: expected {silent.role}'s orders of step 2 before the adjudicator ruled in its place, got "
        "it too late",
        "it changes nothing: the ruling stands",
    )
    assert table.host.heads() == before
    for player in table.players():
        player.take(table.host.export(everything=True))
    assert len(table.heads()) == 1
    assert [side.verified().code for side in table.sides()] == [0] * 3


@pytest.mark.plan("A60")
def test_an_answer_that_was_sent_before_the_deadline_and_came_behind_it_counts(table: Table) -> None:
    """Its receipt says when it came; within the grace it is not late, and behind it its delay is told."""
    decider, _ = table.deciding()
    decider.decide()
    since, sent = table.host.opened().campaign.place.since, decider.export()
    for delay, late in ((GRACE, 0), (GRACE + 60, GRACE + 60)):
        host = table.host.copy(table.host.folder.parent / f"after-{delay}")
        host.now = since + DEADLINE_DAYS * DAY + delay
        host.take(sent)
        ((_, receipt),) = receipts(host)
        assert list(receipt.arrived.values()) == [since + DEADLINE_DAYS * DAY + delay]
        assert delays_of(host.opened(whole=True).campaign).decisions[decider.role].longest == late
        assert host("log", "--delays").out.splitlines()[-2] == (
            "These times are by the adjudicator's clock, from its receipts: they say when something arrived there."
        )


def test_who_has_to_acknowledge_a_turn_file_is_named(table: Table) -> None:
    decider, _ = table.deciding()
    decider.decide()
    decider.export()
    others = " and ".join(sorted(side.role for side in table.sides() if side is not decider))
    (told,) = (line for line in decider("status").out.splitlines() if "acknowledged" in line)
    assert re.sub(r"of \d{4}-.*", "of ?", told) == (
        f"  not acknowledged yet by each of {others}: your acceptance of step 1 and your orders of step 2, in your "
        "turn file of ?"
    )


def test_nobody_claims_a_hosted_game(table: Table) -> None:
    table.late()
    with table.first.desk() as desk, pytest.raises(PbemError) as told:
        claim_lapse(desk, table.first.game)
    assert str(told.value).startswith("lapse.referee: expected a game without an adjudicator")


def test_a_player_cannot_rule(table: Table) -> None:
    with table.first.desk() as desk, pytest.raises(BadRequest) as told:
        rule(desk, table.first.game)
    assert (str(told.value), told.value.hint) == (
        "rule.referee: expected the adjudicator's home, got that of german",
        "ask Hugo <hugo@example.org>, who is the adjudicator; `pbem status westerplatte` says what to do now",
    )


def test_the_adjudicator_annuls_a_game(table: Table) -> None:
    with table.host.desk() as desk:
        annul(desk, table.host.game, "a wrong map")
    for player in table.players():
        player.take(table.host.export())
    table.exchange()
    assert [side.opened().campaign.finished for side in table.sides()] == [True] * 3
    done = table.first.verified(running=False)
    assert (done.code, "the adjudicator annulled the game at step 2: a wrong map" in done.out) == (0, True)
    assert kinds(table.first)[-1] == ["adjudicator receipt", "german close", "polish close"]


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
    assert table.ruled(agree=True) == ["the game is paused: no deadline runs"]
    for player in table.players():
        player.take(table.host.export())
    assert len(table.heads()) == 1
    assert kinds(table.first)[-1] == ["adjudicator receipt", "adjudicator ruling", f"{waiter.role} request"]


# ---------------------------------------------------------------------- receipts that do not hold


def decided(table: Table) -> tuple[Side, str, int]:
    """Who decided without having got a receipt, the event's id, and when its step began."""
    decider, _ = table.deciding()
    decider.decide()
    (answer,) = decider.opened().campaign.pending()
    return decider, answer.id, decider.opened().campaign.place.since


@pytest.mark.parametrize(
    ("arrived", "at", "reason"),
    [
        (-1, 60, "expected nothing to arrive before step 2 began, got 1 second before"),
        (61, 60, "expected nothing to arrive after its receipt, got 1 second after"),
    ],
)
@pytest.mark.plan("A61")
def test_a_receipt_with_a_wrong_time_is_refused(table: Table, arrived: int, at: int, reason: str) -> None:
    decider, answer, since = decided(table)
    forged = table.host.here(Receipt(arrived={answer: since + arrived}), at=since + at)
    done = decider.mail(packed([table.host.sign(forged)]))
    assert (done.code, done.err.splitlines()[0].startswith(f"place.receipt: {reason}")) == (1, True)
    assert decider.opened().campaign.place.step == 2


def test_a_receipt_for_something_else_waits_for_it_and_closes_nothing(table: Table) -> None:
    decider, answer, since = decided(table)
    for named in ({"ab" * 32: since}, {answer: since, "ab" * 32: since}):
        forged = table.host.here(Receipt(arrived=named), at=since + 60)
        decider.take(packed([table.host.sign(forged)]))
        assert decider.opened().campaign.place.step == 2
    table.exchange()
    assert len(table.heads()) == 1


def test_a_receipt_by_a_player_is_refused(table: Table) -> None:
    decider, answer, since = decided(table)
    forged = decider.here(Receipt(arrived={answer: since}), at=since + 60)
    done = table.host.mail(packed([*decider.pending(), decider.sign(forged)]))
    assert "place.receipt: expected a receipt of the adjudicator in a step of play, got" in done.err


def test_a_receipt_that_leaves_an_event_out_is_refused(tmp_path: Path) -> None:
    table = hosted(tmp_path, "adjudicator", "toy", "short")
    for player in table.players():
        player.decide()
    table.second.take(table.first.export())
    pending, since = table.second.opened().campaign.pending(), table.second.opened().campaign.place.since
    assert len(pending) == 2
    forged = table.host.here(Receipt(arrived={pending[0].id: since}), at=since + 60)
    done = table.second.mail(packed([table.host.sign(forged)]))
    assert done.err.splitlines()[0].startswith("place.receipt: expected a receipt for what closes step 2 (north's seal")


def test_a_receipt_that_comes_before_what_it_names_waits(table: Table) -> None:
    decider, other = table.deciding()
    decider.decide()
    table.host.take(decider.export())
    answer, receipt = (one for one in _last(table.host) if one)
    other.take(packed([receipt]))
    assert other.opened().campaign.place.step == 2
    other.take(packed([answer]))
    assert other.heads() == table.host.heads()


def _last(side: Side) -> list[bytes]:
    """What closed the last step, the receipt behind the rest."""
    events = side.opened(whole=True).campaign.steps[-1].events
    return [one.line for one in sorted(events, key=lambda one: one.event.kind == "receipt")]


# ---------------------------------------------------------------------- clocks and forks


@pytest.mark.plan("A61")
def test_receipts_never_go_back_in_time_when_a_clock_does(table: Table) -> None:
    for behind in (42_780, 42_720):
        decider, _ = table.deciding()
        decider.decide()
        table.tick()
        table.host.now -= DAY // 2
        step = decider.opened().campaign.place.step
        answered = table.host.take(decider.export()).games[0].answered
        assert answered[:1] == [
            f"step {step}: its receipt; THE CLOCK of this machine is {behind} seconds behind the last receipt or the "
            "players: set it, until then all that comes counts as of that time"
        ]
        for player in table.players():
            player.take(table.host.export())
        table.host.now += DAY // 2
    table.exchange()
    dates = [one.event.at for one, _ in receipts(table.first)]
    assert dates == sorted(dates)
    assert len(table.heads()) == 1
    assert table.first.verified().code == 0


def test_two_receipts_at_one_place_are_a_fork_of_the_adjudicator(table: Table) -> None:
    decider, other = table.deciding()
    decider.decide()
    twin = table.host.copy(table.host.folder.parent / "twin")
    twin.now, sent = twin.now + 5, decider.export()
    for host, player in ((table.host, decider), (twin, other)):
        host.take(sent)
        player.take(host.export())
    other.take(decider.export(everything=True))
    assert "THE GAME IS STOPPED: adjudicator signed two different events at step 2" in other("status").out
    proof = other.folder.parent / "proof.pbem"
    assert other("export", other.game, "--evidence", "-o", proof).code == 0
    stranger = new_side(other.folder.parent / "stranger", "german", "Sara")
    assert "adjudicator" in stranger("verify", proof).out


def test_a_receipt_settles_which_of_two_answers_stands(table: Table) -> None:
    decider, other = table.deciding()
    twin = decider.copy(decider.folder.parent / "twin")
    decider.decide()
    twin.chooser.choose(5)
    twin.decide()
    table.host.take(decider.export())
    table.host.take(twin.export())
    assert not table.host.opened().fork
    other.take(table.host.export(everything=True))
    other.take(twin.export(everything=True))
    assert not other.opened().fork
    assert other.heads() == table.host.heads()
    done = other.verified()
    assert (done.code, f"fork: {decider.role}'s answer of step 2" in done.out) == (0, True)


@pytest.mark.parametrize("together", [True, False])
def test_a_receipt_settles_it_where_the_other_answer_came_first(table: Table, together: bool) -> None:
    decider, other = table.deciding()
    twin = decider.copy(decider.folder.parent / "twin")
    decider.decide()
    twin.chooser.choose(5)
    twin.decide()
    other.take(twin.export())
    assert [one.event.kind for one in other.opened().campaign.pending()] == ["answer"]
    table.host.take(decider.export())
    if not together:
        other.take(decider.export())
        assert "THE GAME IS STOPPED" in other("status").out
    other.take(table.host.export(everything=True))
    assert not other.opened().fork
    assert other.heads() == table.host.heads()
    assert other.verified().code == 0


def test_a_restored_adjudicator_goes_on(table: Table) -> None:
    backup = table.host.copy(table.host.folder.parent / "older")
    rolling(table)
    backup.now = table.host.now
    for player in table.players():
        backup.take(player.export(everything=True))
    assert backup.heads() == table.host.heads()


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
    order: str, begun: dict[Rollers, Table], tmp_path: Path
) -> None:
    """Who waits mails as much as there may be to the adjudicator, and another request to who decides."""
    table = begun["players"].copied(tmp_path)
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
def test_what_needs_no_consent_is_heard_whatever_else_was_asked(begun: dict[Rollers, Table], tmp_path: Path) -> None:
    """Who waits mails as much as there may be to who decides, and to the adjudicator alone that a pause end."""
    table = begun["players"].copied(tmp_path)
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

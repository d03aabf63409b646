"""Rulings that a referee or an adjudicator had better not make, or somebody else makes: each home refuses them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from attacks.hosting import GRACE, Table, hosted
from attacks.sides import DAY, DEADLINE_DAYS, Side, id_of, packed, payload_of, refused
from attacks.test_referee import Court, begun, court, invited, ruled  # noqa: F401 - fixtures
from pbem.app.moving import move
from pbem.app.ruling import annul
from pbem.log.event import Annul, Body, Role, Ruling, Vouch

NOBODYS = "ab" * 32
LATE = DEADLINE_DAYS * DAY
FORM = (
    "event.form: expected an event of version 1, got a wrong 'payload' (a ruling has what stands for the "
    "demand, and nothing else)"
)


def ruling(role: str = "polish", **fields: Any) -> Ruling:
    """A ruling on a decision of the Pole, or another one."""
    nothing = {"demand": "answer", "link": "", "salt": "", "value": None, "agree": False, "motion": "", "why": ""}
    return Ruling(**{**nothing, "role": role, **fields})


def refusal(to: Side, by: Side, body: Body, after: int = LATE) -> str:
    """What a home says of what another one has signed for its own place, some seconds behind the step before."""
    place = to.opened().campaign.place
    line = by.sign(to.here(body, role=by.role, at=place.since + after))
    return refused(to, packed([line]), "refused", "tallies").replace(f"(event {id_of(line)[:12]})", "(EVENT)")


# ---------------------------------------------------------------------- on a decision


OWES = "place.ruling: expected a ruling on what a player owes at step 4, got referee's ruling of step 4 (EVENT)"
ON_A_DECISION: dict[str, tuple[Ruling, str]] = {
    "another kind than is owed": (ruling(demand="seal"), OWES),
    "a link instead": (ruling(demand="entropy", link=NOBODYS), OWES),
    "an opening instead": (ruling(demand="open", salt=NOBODYS, value={"hold": "hill"}), OWES),
    "who owes nothing": (ruling("german"), OWES),
    "oneself": (ruling("referee"), OWES),
    "a closing of a game that goes on": (ruling(demand="close"), OWES),
    "a request that nobody has made": (
        ruling(agree=True, motion=NOBODYS),
        "place.ruling: expected a request made to polish to be granted, got referee's ruling of step 4 (EVENT)",
    ),
}


@pytest.mark.parametrize("name", ON_A_DECISION)
def test_a_ruling_is_on_what_is_owed(court: Court, name: str) -> None:  # noqa: F811
    body, text = ON_A_DECISION[name]
    assert refusal(court.german, court.referee, body) == text


def test_what_is_owed_can_be_ruled_on_behind_the_deadline(court: Court) -> None:  # noqa: F811
    """The tests here would mean nothing if a good ruling were refused too."""
    assert refusal(court.german, court.referee, ruling(), LATE - 1) == (
        "place.ruling: expected a ruling no earlier than 7 days after the step before, got one 1 second too early"
    )
    court.late()
    court.german.take(packed([court.referee.sign(court.referee.here(ruling()))]))
    assert court.german.opened().campaign.place.step == 5


@pytest.mark.parametrize("body", [ruling(), Annul(why="mine")], ids=["ruling", "annulment"])
def test_a_player_rules_on_nothing(court: Court, body: Body) -> None:  # noqa: F811
    kind = {Ruling: "ruling", Annul: "annul"}[type(body)]
    assert refusal(court.german, court.polish, body) == (
        f"place.ruling: expected a ruling of the referee, got polish's {kind} of step 4 (EVENT)"
    )


def test_nobody_is_late_while_the_game_is_paused(court: Court) -> None:  # noqa: F811
    _, waiter = court.deciding()
    with waiter.desk() as desk:
        move(desk, waiter.game, {"what": "pause"})
    court.exchange()
    ruled(court, agree=True)
    court.exchange()
    assert refusal(court.german, court.referee, ruling()) == (
        "place.ruling: expected a deadline that runs behind a ruling, got a paused game"
    )


OTHER_FORMS: dict[str, dict[str, Any]] = {
    "a link for a decision": {"link": NOBODYS},
    "a link and a request": {"demand": "entropy", "link": NOBODYS, "agree": True, "motion": NOBODYS},
    "a salt alone": {"demand": "open", "salt": NOBODYS},
    "a value alone": {"demand": "open", "value": {}},
    "a value for a decision": {"salt": NOBODYS, "value": {}},
    "agreement with nothing": {"agree": True},
    "a request without agreement": {"motion": NOBODYS},
}


@pytest.mark.parametrize("name", OTHER_FORMS)
def test_a_ruling_opens_what_it_names_and_no_more(court: Court, name: str) -> None:  # noqa: F811
    said = payload_of(court.referee.sign(court.referee.here(ruling())))
    said["body"] |= OTHER_FORMS[name]
    assert refused(court.german, packed([court.referee.sign(said)])) == FORM


# ---------------------------------------------------------------------- on a link


@pytest.fixture
def rolling(court: Court) -> Court:  # noqa: F811
    """The Pole owes its link to the German, who has opened its own."""
    court.polish.decide()
    for other in (court.german, court.referee):
        other.take(court.polish.export(everything=True))
    court.german.decide()
    return court


NO_LINK = "chain.link: expected link 1 of polish's chain to hash to link 0"


@pytest.mark.plan("A34")
def test_a_referee_opens_the_link_that_was_deposited_and_no_other(rolling: Court) -> None:
    opened = rolling.german.opened().campaign
    (german,) = (payload_of(line)["body"]["link"] for line in rolling.german.pending())
    told = [
        refusal(rolling.german, rolling.referee, body)
        for body in (
            ruling(demand="entropy"),
            ruling(demand="entropy", link=NOBODYS),
            ruling(demand="entropy", link=german),
            ruling(demand="entropy", agree=True, motion=NOBODYS),
        )
    ]
    assert opened.awaited().keys() == {"polish"}
    assert told == [
        "place.ruling: expected polish's next link in referee's ruling of step 6 (EVENT), got none",
        NO_LINK,
        NO_LINK,
        "place.ruling: expected a request made to polish to be granted, got referee's ruling of step 6 (EVENT)",
    ]


# ---------------------------------------------------------------------- on a seal


def opening_owed(folder: Path) -> tuple[Table, Side, Side]:
    """Both have sealed; only one of them, who is named first, has heard that the other one has."""
    table = hosted(folder, "adjudicator", "toy", "short")
    while all(demand.kind != "open" for demand in table.host.opened().campaign.awaited().values()):
        for player in table.players():
            player.take(table.host.export(everything=True))
            player.decide()
            table.host.take(player.export())
    table.first.take(table.host.export())
    return table, table.first, table.second


@pytest.mark.plan("A34", "A60")
def test_an_adjudicator_opens_no_other_plan_and_nothing_within_the_grace(tmp_path: Path) -> None:
    table, first, silent = opening_owed(tmp_path)
    other = ruling(silent.role, demand="open", salt=NOBODYS, value={"keep": True})
    place = first.opened().campaign.place
    assert place.demands.keys() == {first.role, silent.role}
    assert [refusal(first, table.host, other, LATE + GRACE - seconds) for seconds in (7200, 0)] == [
        "place.ruling: expected a ruling no earlier than 7 days and 12 hours after the step before, got one 7200 "
        "seconds too early",
        f"place.opening: expected the answer that {silent.role} sealed at step {place.step - 1}, got another one",
    ]


# ---------------------------------------------------------------------- before and behind play


def joined_by_the_referee(folder: Path) -> Court:
    """The German has heard of the referee, and not of the Pole."""
    court = invited(folder, "westerplatte", "standard")  # noqa: F811
    court.german.take(court.referee.export())
    return court


def annulled(folder: Path) -> Court:
    court = invited(folder, "westerplatte", "standard")  # noqa: F811
    court.exchange()
    with court.referee.desk() as desk:
        annul(desk, court.referee.game, "a wrong map")
    court.german.take(court.referee.export(everything=True))
    return court


@pytest.mark.parametrize(("begin", "step"), [(joined_by_the_referee, 1), (annulled, 5)])
def test_a_game_that_has_not_begun_or_is_over_is_not_ruled_on(
    tmp_path: Path, begin: Callable[[Path], Court], step: int
) -> None:
    court = begin(tmp_path)  # noqa: F811
    kind = next(iter(court.german.opened().campaign.place.demands.values())).kind
    told = [refusal(court.german, court.referee, body) for body in (Annul(why="again"), ruling(demand=kind))]
    assert told == [
        "place.ruling: expected a game that all have joined and that goes on, got referee's annul of step "
        f"{step} (EVENT)",
        f"place.ruling: expected a ruling on what a player owes at step {step}, got referee's ruling of step {step} "
        "(EVENT)",
    ]


@pytest.mark.plan("A35")
def test_a_referee_waits_for_the_deposits_and_vouches_for_all_or_none(tmp_path: Path) -> None:
    court = joined_by_the_referee(tmp_path)  # noqa: F811
    court.german.take(court.polish.export())
    court.polish.take(court.german.export(everything=True))
    assert refusal(court.german, court.referee, ruling(demand="deposit")) == (
        "place.ruling: expected a ruling on what a player owes at step 2, got referee's ruling of step 2 (EVENT)"
    )
    court.german.take(court.polish.export(everything=True))
    assert refusal(court.german, court.referee, Vouch(roles=[Role("german")])) == (
        "place.vouch: expected the deposits of german, polish to be vouched for, got those of german"
    )
    assert refusal(court.german, court.referee, ruling(demand="vouch", role="referee")) == (
        "place.ruling: expected a ruling on what a player owes at step 3, got referee's ruling of step 3 (EVENT)"
    )

"""Sealed answers of a game in which both decide at once: guessed, copied, changed, withheld, illegal."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from attacks.sides import DEADLINE_DAYS, Pair, Side, new_side, packed, payload_of, refused, unpacked
from pbem.app import catalogue
from pbem.app.opened import open_game
from pbem.app.propose import Terms, accept, propose, single_proposal
from pbem.app.routing import incoming
from pbem.app.secrets import keep_sealed
from pbem.app.signing import finish, give
from pbem.log import canonical, seal
from pbem.log.event import Open, Role, Seal


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Pair:
    """The toy game, both invited and joined: each side owes a sealed reserve (step 2)."""
    folder = tmp_path_factory.mktemp("toy")
    north, south = new_side(folder / "north", "north", "Nora"), new_side(folder / "south", "south", "Sven")
    north.game = south.game = "toy"
    people = {Role("south"): ("Sven", "sven@example.org")}
    with north.desk() as desk:
        propose(desk, Terms(catalogue.ruleset("toy"), "standard", north.role, people, DEADLINE_DAYS))
    with south.desk() as desk:
        accept(desk, single_proposal(incoming(north.export(), "invitation")))
    north.take(south.export())
    return Pair(north, south)


@pytest.fixture
def toy(original: Pair, tmp_path: Path) -> Pair:
    pair = Pair(*(side.copy(tmp_path / side.role) for side in original.sides()))
    for side in pair.sides():
        side.game = "toy"
    return pair


@pytest.fixture
def planning(toy: Pair) -> Pair:
    """Reserves are sealed and the weather is known: each side owes a sealed plan (step 4)."""
    toy.play(4)
    toy.german.take(toy.polish.export())
    toy.polish.take(toy.german.export())
    assert {side.opened().campaign.place.step for side in toy.sides()} == {4}
    return toy


def seals(side: Side, value: dict[str, Any], salt: bytes = b"s" * 32, ask: str = "plan") -> bytes:
    """Seal `value` as the plan (or what is asked), legal or not; the line of the event."""
    place = side.opened().campaign.place
    payload = canonical.encode(value)
    made = seal.commitment(bytes.fromhex(place.game), place.step, side.role, ask, salt, payload)
    with side.desk() as desk, desk.home.writing() as writer:
        opened = open_game(writer, side.game, desk.games)
        keep_sealed(desk, writer, made, salt, payload)
        line = give(desk, writer, opened, Seal(ask=ask, commitment=made.hex(), escrow="")).line
        finish(writer, opened)
    return line


def both_seal(pair: Pair, value: dict[str, Any]) -> None:
    """North decides, South seals that value; both get the other's seal."""
    north, south = pair.sides()
    seals(south, value)
    north.decide()
    lost = packed(south.pending())
    south.take(packed(north.pending()))
    north.take(lost)


@pytest.mark.plan("A30", "A37")
def test_a_commitment_is_not_found_by_trying_all_answers(toy: Pair) -> None:
    """North knows that there are three reserves and tries each, with every salt that it could guess."""
    toy.polish.decide()
    said = payload_of(toy.polish.pending()[0])
    game, found = bytes.fromhex(said["game"]), []
    salts = [bytes(32), b"\xff" * 32, game, *(bytes([number]) * 32 for number in range(250))]
    for strength in range(3):
        payload = canonical.encode({"strength": strength})
        for salt in salts:
            made = seal.commitment(game, 2, "south", "reserve", salt, payload)
            found += [strength] if made.hex() == said["body"]["commitment"] else []
    assert found == []


@pytest.mark.plan("A30")
def test_the_same_answer_never_has_the_same_commitment(toy: Pair, tmp_path: Path) -> None:
    made = set()
    for number in range(6):
        side = toy.polish.copy(tmp_path / f"again-{number}")
        side.game = "toy"
        side.decide()
        made.add(payload_of(side.pending()[0])["body"]["commitment"])
    assert len(made) == 6


@pytest.mark.plan("A31")
def test_a_copied_commitment_cannot_be_opened(planning: Pair) -> None:
    """South seals what North has sealed without knowing what it is, and later opens it with North's own opening."""
    north, south = planning.sides()
    north.decide()
    said = payload_of(north.pending()[0])
    copied = packed([south.sign({**said, "role": "south"})])
    south.take(packed(north.pending()))
    for side in (north, south):
        side.take(copied)
    (opened,) = north.pending()
    line = south.sign({**payload_of(opened), "role": "south"})
    assert refused(north, packed([line]), "refused", "tallies").startswith(
        "place.opening: expected the answer that south sealed at step 4, got another one"
    )
    north.export()
    assert north("motion", "claim").code == 0
    assert north.opened().campaign.state.south.do == "hold"


@pytest.mark.plan("A31")
def test_a_commitment_copied_from_an_earlier_step_is_refused(planning: Pair) -> None:
    north, south = planning.sides()
    old = next(payload_of(line) for line in south.lines() if b'"kind":"seal"' in line and b'"role":"north"' in line)
    copy = Seal(ask="plan", commitment=old["body"]["commitment"], escrow="")
    assert refused(north, packed([south.sign(south.here(copy))]), "refused", "tallies") == (
        "place.commitment: expected a commitment of south's own, got a copy of an earlier one"
    )


OTHERWISE = "place.opening: expected the answer that south sealed at step 4"


@pytest.mark.plan("A31", "A32", "A33")
@pytest.mark.parametrize(
    ("ask", "salt", "value", "reason"),
    [
        (
            "plan",
            b"s" * 32,
            {"do": "assault", "stake": 1},
            "place.opening: expected the answer that south sealed at step 4",
        ),
        (
            "plan",
            b"t" * 32,
            {"do": "hold", "stake": 0},
            "place.opening: expected the answer that south sealed at step 4",
        ),
        ("plan", b"s" * 32, {"do": "hold"}, OTHERWISE),
        (
            "reserve",
            b"s" * 32,
            {"strength": 1},
            "place.ask: expected an answer to 'plan' at step 5, got one to 'reserve'",
        ),
    ],
)
def test_a_seal_opens_to_nothing_else(
    planning: Pair, ask: str, salt: bytes, value: dict[str, Any], reason: str
) -> None:
    """South changes its mind once it sees what North does."""
    both_seal(planning, {"do": "hold", "stake": 0})
    north, south = planning.sides()
    line = south.sign(_open(south, Open(ask=ask, salt=salt.hex(), value=value)))
    assert refused(north, packed([line]), "refused", "tallies").startswith(reason)


def _open(side: Side, body: Open) -> Any:
    """An opening at step 5, whatever the vault holds."""
    return side.here(body, step=5)


@pytest.mark.plan("A33")
def test_an_opening_of_another_step_is_refused(planning: Pair) -> None:
    """South opens the plan of this turn with its opening of the turn before."""
    planning.play(9)
    north, south = planning.sides()
    opened = next(payload_of(line) for line in south.lines() if b'"kind":"open"' in line and b'"role":"south"' in line)
    place = north.opened().campaign.place
    again = {**opened, "step": place.step, "prev": place.prev, "state": place.state, "at": opened["at"] + 9000}
    assert refused(north, packed([south.sign(again)]), "refused", "tallies").startswith("place.")


def lose_the_opening(side: Side) -> None:
    """A vault that has lost the salt: the program of that side cannot open, whatever it wants."""
    with side.desk() as desk, desk.home.writing() as writer:
        names = [name for name in desk.home.secret_names() if name.startswith("seal/")]
        for name in names:
            writer._connection.change("DELETE FROM secrets WHERE name = ?", name)


@pytest.fixture
def withheld(planning: Pair) -> Pair:
    """North has opened; South does not open what it has sealed."""
    north, south = planning.sides()
    seals(south, {"do": "assault", "stake": 1})
    lose_the_opening(south)
    north.decide()
    sealed = packed(south.pending())
    south.take(packed(north.pending()))
    north.take(sealed)
    south.take(north.export())
    assert north.opened().campaign.awaited().keys() == {"south"}
    return planning


@pytest.mark.plan("A34")
def test_status_says_who_has_not_opened(withheld: Pair) -> None:
    owed = "  waiting for south: to open its sealed answer, since 2023-11-14 22:15 UTC, until 2023-11-21 22:15 UTC"
    assert owed in withheld.german("status").out.splitlines()


@pytest.mark.plan("A34")
def test_an_opening_that_is_withheld_becomes_the_default_after_the_deadline(withheld: Pair) -> None:
    north, south = withheld.sides()
    done = north("motion", "claim")
    assert (done.code, done.err) == (0, "")
    assert north.opened().campaign.outcome is None
    assert "    5  south did not open its plan: the default stands (breach)" in north("log").out.splitlines()
    assert south.mail(north.export()).code == 0
    assert north.heads()[:6] == south.heads()[:6]
    assert north.opened().campaign.state.south.do == "hold"
    verdict = north.verified()
    assert (verdict.code, verdict.err) == (0, "")


@pytest.mark.plan("A34")
def test_a_late_opening_voids_the_claim(planning: Pair) -> None:
    """South did open, and its mail was late: both logs end the same, with what it had sealed."""
    both_seal(planning, {"do": "assault", "stake": 1})
    north, south = planning.sides()
    south.take(north.export())
    assert north("motion", "claim").code == 0
    north.mail(south.export())
    south.mail(north.export(everything=True))
    assert north.opened().campaign.state.south.do == "assault"
    assert north.heads()[:6] == south.heads()[:6]


@pytest.mark.plan("A37")
def test_the_size_of_a_seal_says_nothing(planning: Pair, tmp_path: Path) -> None:
    """An empty plan and a full one make events of the same bytes, but for commitment, signature."""
    masked = set()
    for number, value in enumerate(({"do": "hold", "stake": 0}, {"do": "assault", "stake": 9})):
        side = planning.polish.copy(tmp_path / f"size-{number}")
        side.game = "toy"
        line = seals(side, value)
        masked.add(re.sub(rb'"commitment":"[0-9a-f]{64}"', b"C", line)[104:])
        turn = unpacked(side.export())
        assert all(b"assault" not in one and b"stake" not in one for one in turn.lines)
    assert len(masked) == 1


@pytest.mark.plan("A37")
def test_no_seal_is_given_without_its_player(planning: Pair) -> None:
    """Standing orders and single choices answer nothing under seal: a quick answer would tell."""
    before = planning.polish.pending()
    planning.polish.mail(planning.german.export())
    assert planning.polish.pending() == before


ILLEGAL = [
    {"do": "assault", "stake": 99},
    {"do": "surrender"},
    {"do": "hold", "stake": True},
    {"do": "hold", "stake": 0, "spy": 1},
]


@pytest.mark.plan("A38")
@pytest.mark.parametrize("value", ILLEGAL)
def test_an_illegal_sealed_answer_becomes_the_default_at_both_homes(planning: Pair, value: dict[str, Any]) -> None:
    both_seal(planning, value)
    north, south = planning.sides()
    north.take(south.export())
    south.take(north.export())
    assert north.heads()[:6] == south.heads()[:6]
    assert north.opened(whole=True).campaign.state == south.opened(whole=True).campaign.state
    assert north.opened().campaign.state.south.do == "hold"
    told = [line for line in north("log").out.splitlines() if "(breach)" in line]
    assert len(told) == 1
    assert told[0].startswith("    5  south sealed an illegal plan (")
    assert told[0].endswith("): the default stands (breach)")
    verdict = south.verified()
    assert (verdict.code, verdict.err) == (0, "")


def test_a_seal_with_another_deposit_is_another_event(planning: Pair) -> None:
    """South hangs a foreign deposit on its own commitment after it has signed it without one."""
    north, south = planning.sides()
    seals(south, {"do": "hold", "stake": 0})
    said = payload_of(south.pending()[0])
    said["body"]["escrow"] = "ab" * 200
    done = north.mail(packed([*south.pending(), south.sign(said)]))
    assert "THE GAME IS STOPPED: south signed two different events at step 4" in done.out

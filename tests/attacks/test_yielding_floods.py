"""Many who give way: to claims about themselves, to more claims than there can be, and at homes that are behind."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from attacks.sides import DAY, Side, id_of, packed
from attacks.test_worst import Reached, originals, owed  # noqa: F401 - fixtures
from attacks.test_yielding import gives_way, heard_after_all
from attacks.worst import NORTH, SOUTH, Duel, joined
from pbem.app import past, settling
from pbem.app.rivals import MOST_CONTRARY
from pbem.log.event import Close, Event, Lapse, Resolve
from pbem.log.verify import Verified, slot


@pytest.fixture
def replays(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Each replay of the game for a claim, and each time that it is opened whole for settlements."""
    found: list[str] = []

    def counted(name: str, real: Any) -> Any:
        return lambda *asked, **how: found.append(name) or real(*asked, **how)

    monkeypatch.setattr(past, "replayed_to", counted("replayed", past.replayed_to))
    monkeypatch.setattr(settling, "open_game", counted("opened", settling.open_game))
    return found


def own_moves(side: Side) -> Iterator[Verified]:
    """What a side owed and gave, step by step."""
    for step in side.opened(whole=True).campaign.steps[2:]:
        yield from (one for one in step.events if one.event.role == side.role and slot(one.event.kind) == "move")


def giving_way(own: Verified, by: Side, side: Side, later: int = 0) -> tuple[bytes, bytes]:
    """A claim of what was signed, by a side that may be the very one, and the settlement that names it."""
    here = own.event
    lapse = Lapse(role=here.role, demand=here.kind, dice=[])
    claim = by.sign(replace(here, role=by.role, kind="lapse", body=lapse, at=here.at + 9 * DAY + later))
    body = Resolve(role=here.role, keep=id_of(claim), drop=own.id)
    return claim, side.sign(replace(here, kind="resolve", body=body))


@pytest.fixture
def decided(owed: Reached) -> tuple[Duel, Verified]:  # noqa: F811 - a fixture
    """A game that has gone on for some steps, and the last thing that both know of south."""
    duel, _, south = owed("answer")
    duel.exchange(1)
    assert duel.heads_agree()
    return duel, list(own_moves(south))[-1]


@pytest.mark.plan("A16")
def test_giving_way_to_claims_about_oneself_costs_no_replay(decided: tuple[Duel, Verified], replays: list[str]) -> None:
    (north, south), own = decided[0].sides(), decided[1]
    pairs = [giving_way(own, south, south, later) for later in range(100)]
    before = north.heads()
    for _ in range(2):
        (done,) = north.take(packed(line for pair in pairs for line in pair)).games
        told = [str(one) for one in done.refused if one.code == "resolve.own"]
        assert (done.taken, replays) == (0, [])
    assert (
        told
        == [
            "resolve.own: expected a fork of another role to be settled, got south's settlement of step "
            f"{own.event.step}"
        ]
        * 100
    )
    assert north.heads() == before


@pytest.mark.plan("A16")
def test_of_one_place_one_claim_of_somebody_is_tried(decided: tuple[Duel, Verified], replays: list[str]) -> None:
    """Both are in league, so that a home that only follows is kept busy."""
    (north, south), own = decided[0].sides(), decided[1]
    reader = north.copy(north.folder.parent / "reader")
    reader.now = north.now + 30 * DAY
    pairs = [giving_way(own, north, south, later) for later in range(50)]
    (done,) = reader.take(packed(line for pair in pairs for line in pair)).games
    step = own.event.step
    refused = [(str(one), one.hint) for one in done.refused if one.code == "resolve.claims"]
    assert (
        refused
        == [
            (
                f"resolve.claims: expected one claim of north for south to give way to at step {step}, got another one",
                "it changes nothing",
            )
        ]
        * 49
    )
    assert sorted(replays) == ["opened", "opened", "replayed"]  # once for them all, once to tell what it means


@pytest.mark.plan("A16")
def test_only_so_many_of_one_import_are_tried(tmp_path: Path, replays: list[str]) -> None:
    duel = joined(tmp_path)
    for _ in range(12):
        duel.exchange(1)
        for side in duel.sides():
            side.decide()
    duel.exchange(2)
    north, south = duel.sides()
    own = list(own_moves(south))[-1 : -MOST_CONTRARY - 3 : -1]  # the latest first: no dice are known behind it
    assert len(own) == MOST_CONTRARY + 2
    reader = north.copy(tmp_path / "reader")
    reader.now = north.now + 30 * DAY
    replays.clear()
    lines = [line for one in own for line in giving_way(one, north, south)]
    (done,) = reader.take(packed(lines)).games
    assert [(str(one), one.hint) for one in done.refused if one.code == "resolve.too_many"] == [
        (
            "resolve.too_many: expected at most 8 settlements of their authors' own events in one import, got south's "
            f"settlement of step {one.event.step} besides",
            "import it once more, alone",
        )
        for one in own[MOST_CONTRARY:]
    ]
    assert replays.count("opened") <= 2
    assert 0 < replays.count("replayed") <= MOST_CONTRARY


# ------------------------------------------------------------------------------------------ homes that are behind


@pytest.mark.plan("A43", "A19")
def test_a_home_that_is_behind_follows_who_has_given_way_since(tmp_path: Path) -> None:
    duel = joined(tmp_path)
    olds = [side.copy(tmp_path / f"old-{side.role}") for side in duel.sides()]
    duel.till_owed("entropy", SOUTH)
    at_the_step = duel.north.copy(tmp_path / "at-the-step")
    heard_after_all(duel, "entropy")
    gives_way(duel.south)
    duel.north.mail(duel.south.export())
    duel.north.decide()
    duel.exchange(1)
    for old in (*olds, at_the_step):
        old.now = duel.south.now
        for _ in range(2):  # a home does not believe at once a claim of what itself has signed
            assert old.take(duel.south.export(everything=True)).failed == []
        assert (old.heads(), old.verified().code) == (duel.south.heads(), 0)


def test_a_settlement_of_a_step_to_come_waits_for_it(owed: Reached) -> None:  # noqa: F811 - a fixture
    """As many as are looked at are believed where they come with all that they name."""
    _, north, south = owed("answer")
    here = south.here(Lapse(role=SOUTH, demand="answer", dice=[]))
    lines = []
    for step in range(40, 40 + MOST_CONTRARY + 1):
        there: Event = replace(here, step=step, prev=f"{step:064x}")
        claim = north.sign(replace(there, role=NORTH))
        own = south.sign(replace(there, kind="close", body=Close(result={}, head=there.prev)))
        body = Resolve(role=SOUTH, keep=id_of(claim), drop=id_of(own))
        lines += [claim, own, south.sign(replace(there, kind="resolve", body=body))]
    done = north.take(packed(lines))
    assert done.failed == []
    place = north.opened().campaign.place.step
    assert [(str(one), one.hint) for one in done.games[0].refused if one.code.startswith("resolve.")] == [
        (
            f"resolve.ahead: expected a settlement of a step up to {place}, where this home is, got south's settlement "
            "of step 48",
            "import it once more when the steps before that have come",
        )
    ]

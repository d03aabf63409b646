"""Commitments and deposits: what they hide, what they bind, where they open (`pbem.log.seal`, `pbem.log.escrow`)."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.errors import BadEvidence
from pbem.keys.escrow import OVERHEAD_BYTES, seal_to, unseal
from pbem.log import canonical, escrow, event, seal
from pbem.log.event import Seal
from pbem.log.hashing import digest, lp

from .builders import GERMAN, PLANS, played, player, secret

GAME, SALT = secret("some game"), secret("salt")
AREAS = [f"area-{number}" for number in range(2_000)]


def committed(payload: bytes, salt: bytes = SALT, step: int = 4, role: str = "german", purpose: str = "plan") -> bytes:
    return seal.commitment(GAME, step, role, purpose, salt, payload)


def plan(area: str) -> bytes:
    return canonical.encode({"attack": area})


# ---------------------------------------------------------------------------------- A30: guessing


@pytest.mark.plan("A30")
def test_a_hash_without_salt_is_guessed_from_a_list_of_plans() -> None:
    """The attack works where the salt is missing: the list holds every plan there is."""
    seen = digest("pbem/seal/v1", seal.pad(plan("area-1234")))
    assert [area for area in AREAS if digest("pbem/seal/v1", seal.pad(plan(area))) == seen] == ["area-1234"]


@pytest.mark.plan("A30")
def test_a_commitment_is_not_guessed_from_a_list_of_plans() -> None:
    """All that the opponent knows is tried: every plan, no salt, zeros, and salts that were opened before."""
    seen = committed(plan("area-1234"))
    known = (bytes(32), secret("salt of an earlier step"), GAME)
    assert [area for area in AREAS for salt in known if committed(plan(area), salt) == seen] == []


@pytest.mark.plan("A30")
def test_the_same_plan_under_two_salts_shows_nothing_in_common() -> None:
    assert committed(plan("area-1")) != committed(plan("area-1"), secret("another salt"))


@pytest.mark.plan("A30")
@pytest.mark.parametrize("length", [0, 16, 31, 33])
def test_a_salt_has_32_bytes(length: int) -> None:
    with pytest.raises(ValueError, match=f"^a salt has 32 bytes, not {length}$"):
        committed(b"{}", bytes(length))


@pytest.mark.plan("A30")
@pytest.mark.parametrize("salt", ["", "00", "00" * 31, "00" * 33])
def test_an_opening_with_another_salt_length_is_no_event(salt: str) -> None:
    said = {"ask": "plan", "salt": salt, "value": {}}
    with pytest.raises(ValueError, match="salt"):
        event.Open.model_validate(said)


# ---------------------------------------------------------------------------------- A32: binding


@pytest.mark.plan("A32")
@given(st.binary(min_size=1, max_size=80), st.data())
def test_no_split_of_the_same_bytes_gives_the_same_hash(data: bytes, more: st.DataObject) -> None:
    """Where fields are joined without lengths, a part of one can be claimed for the next."""
    one, other = (more.draw(st.lists(st.integers(0, len(data)), max_size=5).map(sorted)) for _ in range(2))
    first, second = _split(data, one), _split(data, other)
    assert b"".join(first) == b"".join(second)
    assert (lp(*first) == lp(*second)) == (first == second)


def _split(data: bytes, cuts: list[int]) -> list[bytes]:
    return [data[begin:end] for begin, end in zip([0, *cuts], [*cuts, len(data)], strict=True)]


@pytest.mark.plan("A32")
@given(st.text("ab_", min_size=1, max_size=8), st.data())
def test_role_and_purpose_cannot_be_split_otherwise(word: str, data: st.DataObject) -> None:
    one, other = (data.draw(st.integers(0, len(word))) for _ in range(2))
    hashes = [committed(b"{}", role=word[:cut], purpose=word[cut:]) for cut in (one, other)]
    assert (hashes[0] == hashes[1]) == (one == other)


@pytest.mark.plan("A32")
@given(st.binary(max_size=600), st.integers(1, 600))
def test_padding_is_no_part_of_a_plan(payload: bytes, zeros: int) -> None:
    """A plan that ends in zeros is another plan, though both are filled with zeros."""
    assert committed(payload) != committed(payload + bytes(zeros))


@pytest.mark.plan("A31", "A33")
def test_every_part_of_a_place_is_in_the_commitment() -> None:
    made = [
        committed(b"{}"),
        committed(b"{}", step=5),
        committed(b"{}", role="polish"),
        committed(b"{}", purpose="move"),
        committed(b"{}", salt=secret("another salt")),
        committed(b"[]"),
        seal.commitment(secret("another game"), 4, "german", "plan", SALT, b"{}"),
    ]
    assert all(one != other for one, other in combinations(made, 2))


# ---------------------------------------------------------------------------------- A37: sizes


@pytest.mark.plan("A37")
@given(st.binary(max_size=3_000))
def test_padded_sizes_are_powers_of_two_from_256(payload: bytes) -> None:
    size = len(seal.pad(payload))
    assert size in {256, 512, 1024, 2048, 4096}
    assert size == 256 or size < 2 * (len(payload) + 4)


@pytest.mark.plan("A37")
@pytest.mark.parametrize(("payload", "size"), [(0, 256), (252, 256), (253, 512), (508, 512), (509, 1024)])
def test_padded_sizes_change_at(payload: int, size: int) -> None:
    assert len(seal.pad(bytes(payload))) == size


@pytest.mark.plan("A37")
def test_two_secrets_give_events_that_differ_in_their_commitments_alone() -> None:
    game = played(4)
    plans: tuple[dict[str, object], ...] = ({}, {"attack": "hill", "with": ["first", "second", "third"]})
    lines = [event.write(game.event(GERMAN, game.sealed(GERMAN, "plan", one))) for one in plans]
    commitments = [game.sealed(GERMAN, "plan", one).commitment.encode() for one in plans]
    assert lines[0] != lines[1]
    assert lines[0].replace(commitments[0], b"") == lines[1].replace(commitments[1], b"")


@pytest.mark.plan("A37")
def test_deposits_of_an_empty_and_a_short_plan_have_the_same_size() -> None:
    receiver = bytes.fromhex(player("referee").registration().escrow)
    info = escrow.seal_info(GAME, 4, "german", "plan")
    sizes = {len(seal_to(receiver, info, escrow.seal_deposit(SALT, one))) for one in (b"{}", plan("area-1234"))}
    assert sizes == {OVERHEAD_BYTES + 32 + 256}


# ---------------------------------------------------------------------------------- A36: deposits


def deposit(info: bytes) -> bytes:
    receiver = bytes.fromhex(player("referee").registration().escrow)
    return seal_to(receiver, info, escrow.seal_deposit(SALT, plan("area-1")))


@pytest.mark.plan("A36")
@pytest.mark.parametrize("moved", ["game", "step", "role", "purpose", "use"])
def test_a_deposit_does_not_open_in_another_place(moved: str) -> None:
    sealed = deposit(escrow.seal_info(GAME, 4, "german", "plan"))
    other = {
        "game": escrow.seal_info(secret("another game"), 4, "german", "plan"),
        "step": escrow.seal_info(GAME, 5, "german", "plan"),
        "role": escrow.seal_info(GAME, 4, "polish", "plan"),
        "purpose": escrow.seal_info(GAME, 4, "german", "move"),
        "use": escrow.chain_info(GAME, "german", player("german").key),
    }[moved]
    with pytest.raises(BadEvidence) as caught:
        unseal(secret("escrow referee"), other, sealed)
    assert caught.value.code == "escrow.not_opened"


@pytest.mark.plan("A36")
@pytest.mark.parametrize("moved", ["game", "role", "author", "use"])
def test_a_deposited_chain_opens_for_its_own_author_alone(moved: str) -> None:
    key = player("german").key
    sealed = deposit(escrow.chain_info(GAME, "german", key))
    other = {
        "game": escrow.chain_info(secret("another game"), "german", key),
        "role": escrow.chain_info(GAME, "polish", key),
        "author": escrow.chain_info(GAME, "german", player("polish").key),
        "use": escrow.seal_info(GAME, 4, "german", "plan"),
    }[moved]
    with pytest.raises(BadEvidence) as caught:
        unseal(secret("escrow referee"), other, sealed)
    assert caught.value.code == "escrow.not_opened"


@pytest.mark.plan("A36")
def test_a_deposit_opens_in_its_own_place() -> None:
    info = escrow.seal_info(GAME, 4, "german", "plan")
    opened = unseal(secret("escrow referee"), info, deposit(info))
    assert escrow.read_seal_deposit(opened) == (SALT, plan("area-1"))


@pytest.mark.plan("A36")
def test_what_was_deposited_can_be_compared_with_what_was_committed_to() -> None:
    """A moved or false deposit is found by its commitment, even by whoever opened it with the right info."""
    salt, payload = escrow.read_seal_deposit(escrow.seal_deposit(SALT, plan("area-1")))
    assert committed(payload, salt) == committed(plan("area-1"))
    assert committed(payload, salt, step=5) != committed(plan("area-1"))


@pytest.mark.plan("A35")
@pytest.mark.parametrize("cut", [0, 4, 31, 32, 36, 287])
def test_a_deposit_that_is_cut_is_none(cut: int) -> None:
    with pytest.raises(BadEvidence) as told:
        escrow.read_seal_deposit(escrow.seal_deposit(SALT, plan("area-1"))[:cut])
    assert str(told.value) == "escrow.form: expected salt and padded answer, got something else"


@pytest.mark.plan("A35")
@given(st.binary(max_size=700))
def test_whatever_reads_as_a_deposit_is_one(data: bytes) -> None:
    try:
        salt, payload = escrow.read_seal_deposit(data)
    except BadEvidence:
        return
    assert escrow.seal_deposit(salt, payload) == data


def test_a_deposit_up_to_the_padded_size_of_8192_fits_into_an_event() -> None:
    deposited = bytes(OVERHEAD_BYTES) + escrow.seal_deposit(SALT, bytes(8_188))
    assert Seal(ask="plan", commitment="00" * 32, escrow=deposited.hex()).escrow == deposited.hex()
    with pytest.raises(ValueError, match="escrow"):
        Seal(ask="plan", commitment="00" * 32, escrow=(deposited + bytes(8_192)).hex())


def test_an_opening_opens_the_seal_of_the_game() -> None:
    game = played(5)
    opening = game.opening(GERMAN, "plan", PLANS["german"])
    made = seal.commitment(
        bytes.fromhex(game.game), 4, GERMAN, opening.ask, bytes.fromhex(opening.salt), canonical.encode(opening.value)
    )
    assert made == game.commitments[GERMAN][0]

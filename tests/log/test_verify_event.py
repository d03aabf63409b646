"""Steps 1 to 8: forged, moved and re-signed events (`pbem.log.verify.verify_event`).

A5 speaks of two signatures in one envelope. Here an envelope has exactly one, and the consent of two parties is two
events by two keys; what comes nearest is one key that speaks for both roles, mounted below and at the registration.
"""

from __future__ import annotations

import ast
import base64
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

import pbem
from pbem.errors import BadEvidence
from pbem.log import canonical, envelope, event, keys, verify
from pbem.log.envelope import PAYLOAD_TYPE, Envelope, from_line, pae, to_line
from pbem.log.event import NOTHING, Accept, Answer
from pbem.log.hashing import lp
from pbem.log.roster import from_proposal, registered
from pbem.log.verify import verify_event

from .builders import GERMAN, ORDER, POLISH, Game, new_game, played, player, propose, secret, statement
from .make_vectors import bad_keys

MOVE = Answer(ask="move", value={"from": "road", "to": "hill"})


def code_of(call: Callable[..., object], *arguments: object) -> str:
    with pytest.raises(BadEvidence) as caught:
        call(*arguments)
    return caught.value.code


def refused(game: Game, line: bytes) -> str:
    return code_of(verify_event, line, game.roster, game.keys)


# ---------------------------------------------------------------------------------- A1: flipped bytes


@pytest.mark.plan("A1")
def test_no_byte_of_a_line_can_be_flipped() -> None:
    game = played(3)
    line = game.line(GERMAN, MOVE)
    codes = {refused(game, line[:at] + bytes([line[at] ^ bit]) + line[at + 1 :]) for at, bit in _flips(line)}
    assert codes == {"event.signature", "event.unknown_key", "envelope.form"}


def _flips(line: bytes) -> list[tuple[int, int]]:
    return [(at, 1 << at % 8) for at in range(len(line))]


@pytest.mark.plan("A1")
def test_nothing_of_a_payload_is_read_before_its_signature_holds() -> None:
    """Bytes that would be refused with codes of the parser are refused with the one of the signature."""
    game = played(3)
    signature = from_line(game.line(GERMAN, MOVE)).signature
    payloads = (b"\xff not JSON", b"[" * 100, b'{"v":99}', b"{" * 65_000, b" " * 65_537)
    lines = [to_line(Envelope(keys.key_id(player(GERMAN).key), signature, payload)) for payload in payloads]
    assert [refused(game, line) for line in lines] == ["event.signature"] * 5


@pytest.mark.plan("A1")
def test_such_payloads_are_refused_by_the_parser_once_they_are_signed() -> None:
    """The test above would mean nothing if the parser let them pass."""
    game = played(3)
    payloads = (b"\xff not JSON", b"[" * 100, b'{"v":99}')
    codes = [refused(game, player(GERMAN).signed(payload)) for payload in payloads]
    assert codes == ["canonical.not_json", "canonical.too_deep", "event.version"]


@pytest.mark.plan("A1")
def test_the_refusal_names_the_key() -> None:
    game = played(3)
    line = game.line(GERMAN, MOVE)
    with pytest.raises(BadEvidence) as caught:
        game.verified(line[:-1] + b"]")
    assert str(caught.value) == (
        "event.signature: expected a signature by key e62f97f674e68f63 over these bytes, got one that does not hold"
    )


# ---------------------------------------------------------------------------------- A2, A3, A9: what is signed


@pytest.mark.plan("A2")
@pytest.mark.parametrize("kind", ["application/json", "", PAYLOAD_TYPE + " ", PAYLOAD_TYPE.upper()])
def test_a_signature_under_another_type_does_not_hold(kind: str) -> None:
    game = played(3)
    payload = event.write(game.event(GERMAN, MOVE))
    assert refused(game, _line_over(pae(kind, payload), payload)) == "event.signature"


@pytest.mark.plan("A3")
@given(st.text(max_size=30), st.binary(max_size=60), st.text(max_size=30), st.binary(max_size=60))
def test_no_two_pairs_of_type_and_payload_are_signed_alike(one: str, first: bytes, other: str, second: bytes) -> None:
    assert (pae(one, first) == pae(other, second)) == ((one, first) == (other, second))


@pytest.mark.plan("A3")
@given(st.lists(st.text("a1 ", max_size=4), min_size=2, max_size=6), st.data())
def test_moving_the_boundary_between_type_and_payload_changes_the_bytes(words: list[str], data: st.DataObject) -> None:
    """Every cut reads the same without the lengths, and differently with them."""
    cuts = st.integers(1, len(words) - 1)
    one, other = ((" ".join(words[:cut]), " ".join(words[cut:]).encode()) for cut in (data.draw(cuts), data.draw(cuts)))
    assert " ".join([one[0], one[1].decode()]) == " ".join([other[0], other[1].decode()])
    assert (pae(*one) == pae(*other)) == (one == other)


@pytest.mark.plan("A3")
@given(st.text(max_size=30), st.binary(max_size=60))
def test_lengths_count_bytes(kind: str, payload: bytes) -> None:
    signed = pae(kind, payload)
    assert signed.startswith(b"DSSEv1 %d " % len(kind.encode()))
    assert signed.endswith(b" %d %b" % (len(payload), payload))


@pytest.mark.plan("A9")
@pytest.mark.parametrize("tool", ["bare", "ssh", "git", "jws", "minisign", "other DSSE", "own hash"])
def test_signatures_that_other_tools_made_with_the_key_do_not_hold(tool: str) -> None:
    game = played(3)
    payload = event.write(game.event(GERMAN, MOVE))
    encoded = base64.urlsafe_b64encode(payload).rstrip(b"=")
    message = {
        "bare": payload,
        "ssh": b"SSHSIG" + lp(b"file", b"", b"sha512", payload),
        "git": b"tree 0\n\n" + payload,
        "jws": b"eyJhbGciOiJFZERTQSJ9." + encoded,
        "minisign": payload + b"trusted comment",
        "other DSSE": pae("application/vnd.in-toto+json", payload),
        "own hash": lp(b"pbem/event/v1", pae(PAYLOAD_TYPE, payload)),
    }[tool]
    assert refused(game, _line_over(message, payload)) == "event.signature"


def _line_over(message: bytes, payload: bytes) -> bytes:
    """A line whose signature, by the german key, is over `message`."""
    return to_line(Envelope(keys.key_id(player(GERMAN).key), player(GERMAN).signing.sign(message), payload))


# ---------------------------------------------------------------------------------- A4, A5, A11: whose key


@pytest.mark.plan("A4")
def test_naming_the_other_key_does_not_make_it_the_signer() -> None:
    game = played(3)
    line = game.line(GERMAN, MOVE)
    assert refused(game, keys.key_id(player(POLISH).key).encode() + line[16:]) == "event.signature"


@pytest.mark.plan("A4")
def test_a_party_cannot_speak_for_another_role() -> None:
    game = played(3)
    line = game.line(GERMAN, MOVE, signer=player(POLISH))
    with pytest.raises(BadEvidence) as caught:
        game.verified(line)
    assert str(caught.value) == ("event.author: expected an event signed by the german party, got another party's key")


@pytest.mark.plan("A4")
def test_an_offered_key_registers_but_never_speaks() -> None:
    game, stranger = played(3), player(GERMAN, "stranger")
    line = game.line(GERMAN, MOVE, signer=stranger)
    assert code_of(verify_event, line, game.roster, [stranger.key]) == "event.author"


@pytest.mark.plan("A5")
def test_one_key_cannot_give_both_consents() -> None:
    game = played(2)
    both = [game.line(GERMAN, game.entropy(GERMAN)), game.line(POLISH, game.entropy(POLISH), signer=player(GERMAN))]
    assert game.verified(both[0]).event.role == GERMAN
    assert refused(game, both[1]) == "event.author"


@pytest.mark.plan("A5")
def test_a_line_with_two_signatures_is_no_line() -> None:
    game = played(3)
    line = game.line(GERMAN, MOVE)
    assert refused(game, line[:103] + b" " + line[17:]) == "event.signature"


@pytest.mark.plan("A5", "A11")
def test_a_key_sits_in_one_role_only() -> None:
    game = played(2)
    proposed = game.steps[0][0]
    roster = from_proposal(proposed.id, proposed.event)
    assert code_of(registered, roster, POLISH, player(GERMAN).registration()) == "roster.key_twice"


@pytest.mark.plan("A11")
def test_a_seat_is_taken_once() -> None:
    game = played(2)
    with pytest.raises(BadEvidence) as told:
        registered(game.roster, POLISH, player(POLISH, "second").registration())
    assert str(told.value) == "roster.seated: expected the first key of polish, got another one"


@pytest.mark.parametrize("links", [4095, 65_537, 1_000_000])
def test_a_chain_is_neither_too_short_for_a_game_nor_a_burden(links: int) -> None:
    """Whoever takes part computes chains of this length, again and again."""
    payload = player(GERMAN).registration().model_dump(mode="json")
    with pytest.raises(ValidationError, match="links"):
        event.Registration.model_validate({**payload, "links": links})


@pytest.mark.plan("A6")
def test_registering_needs_the_private_key() -> None:
    """Somebody accepts under the key of somebody else, which it only saw."""
    game = Game(played(2).lines[0], [player(GERMAN), player(POLISH)])
    seen = Accept(registration=player(POLISH).registration())
    line = player(POLISH, "thief").signed(event.write(game.event(POLISH, seen)))
    named = keys.key_id(player(POLISH).key).encode() + line[16:]
    assert code_of(verify_event, named, game.roster, [player(POLISH).key]) == "event.signature"
    assert code_of(verify_event, line, game.roster, [player(POLISH, "thief").key]) == "event.possession"


# ---------------------------------------------------------------------------------- A6: keys of small order


SMALL = [key for key, _, what in bad_keys() if what.startswith("order")]


@pytest.mark.plan("A6")
def test_there_are_fourteen_encodings_of_points_of_small_order() -> None:
    assert len(set(SMALL)) == 14


@pytest.mark.plan("A6")
@pytest.mark.parametrize("key", SMALL, ids=bytes.hex)
def test_keys_of_small_order_are_not_registered(key: bytes) -> None:
    assert code_of(keys.check_public_key, key) in {"key.small_order", "key.not_canonical"}


@pytest.mark.plan("A6")
def test_the_library_verifies_one_signature_over_many_messages_for_such_a_key() -> None:
    """Why the check is there: R is the neutral point and S is 0, nobody has signed anything."""
    neutral = SMALL[0]
    key = Ed25519PublicKey.from_public_bytes(neutral)
    for message in (b"the hill is mine", b"the hill is yours"):
        key.verify(neutral + bytes(32), message)


@pytest.mark.plan("A6")
@pytest.mark.parametrize("key", SMALL, ids=bytes.hex)
def test_no_proposal_is_verified_under_a_key_of_small_order(key: bytes) -> None:
    """Mounted whole: the registration names the key; for the neutral point this signature holds over anything."""
    registration = player(GERMAN).registration().model_copy(update={"key": key.hex()})
    seats = (player(GERMAN), player(POLISH))
    body = propose(seats, registration=registration)
    payload = event.write(statement(0, bytes(32), GERMAN, body, NOTHING))
    line = to_line(Envelope(keys.key_id(key), key + bytes(32), payload))
    assert code_of(verify_event, line, None, [key]) in {"key.small_order", "key.not_canonical"}


@pytest.mark.plan("A6")
@pytest.mark.parametrize("key", [bytes(32), (1).to_bytes(32, "little"), (2**255 - 20).to_bytes(32, "little")])
def test_nobody_registers_a_key_that_nothing_can_be_sealed_to(key: bytes) -> None:
    """X25519 of small order (RFC 7748 6.1): who has to deposit with such a referee could not."""
    registration = player(GERMAN).registration().model_copy(update={"escrow": key.hex()})
    seats = (player(GERMAN), player(POLISH))
    payload = event.write(statement(0, bytes(32), GERMAN, propose(seats, registration=registration), NOTHING))
    line = player(GERMAN).signed(payload)
    found = verify_event(line, None, [bytes.fromhex(registration.key)])
    with pytest.raises(BadEvidence) as told:
        from_proposal(found.id, found.event)
    assert str(told.value) == f"key.escrow: expected an X25519 key of full order, got {key.hex()}"


@pytest.mark.plan("A6")
@pytest.mark.parametrize("length", [0, 31, 33, 64])
def test_keys_have_32_bytes(length: int) -> None:
    with pytest.raises(BadEvidence) as told:
        keys.check_public_key(bytes(length))
    assert str(told.value) == f"key.length: expected a public key of 32 bytes, got {length}"


@pytest.mark.plan("A6")
@given(st.binary(min_size=32, max_size=32))
def test_a_key_that_passes_is_the_encoding_of_its_point(key: bytes) -> None:
    """Random bytes: half are no point at all; those that pass have y < p, so no second encoding exists."""
    try:
        keys.check_public_key(key)
    except BadEvidence:
        return
    assert int.from_bytes(key, "little") % 2**255 < keys.P


# ---------------------------------------------------------------------------------- A7, A8: signatures are in no id


@pytest.mark.plan("A7")
def test_a_signature_with_s_plus_the_order_does_not_hold() -> None:
    game = played(3)
    found = from_line(game.line(GERMAN, MOVE))
    scalar = int.from_bytes(found.signature[32:], "little") + ORDER
    twin = replace(found, signature=found.signature[:32] + scalar.to_bytes(32, "little"))
    assert refused(game, to_line(twin)) == "event.signature"


@pytest.mark.plan("A7", "A8", "A49")
def test_no_signature_changes_an_id() -> None:
    found = from_line(played(3).line(GERMAN, MOVE))
    twin = replace(found, signature=bytes(64))
    assert envelope.event_id(found.payload) == envelope.event_id(twin.payload)


@pytest.mark.plan("A8")
def test_a_second_signature_on_the_same_bytes_is_the_same_event() -> None:
    game = played(3)
    line = game.line(GERMAN, MOVE)
    first, second = game.verified(line), game.verified(player(GERMAN).signed_again(line))
    assert first.line != second.line
    assert (first.id, first.event) == (second.id, second.event)


# ---------------------------------------------------------------------------------- A10: which game


@pytest.mark.plan("A10")
def test_an_event_of_another_game_does_not_enter() -> None:
    """The same two parties with the same keys, twice."""
    first, second = played(3), new_game(nonce=secret("second nonce"))
    with pytest.raises(BadEvidence) as caught:
        second.verified(first.line(GERMAN, MOVE))
    assert str(caught.value) == (
        f"event.game: expected an event of game {second.game[:12]}, got one of game {first.game[:12]}"
    )


@pytest.mark.plan("A10")
def test_an_acceptance_of_another_game_does_not_enter() -> None:
    first, second = played(2), new_game(nonce=secret("second nonce"))
    fresh = Game(second.lines[0], [player(GERMAN), player(POLISH)])
    assert code_of(verify_event, first.lines[1], fresh.roster, fresh.keys + first.keys) == "event.game"


# ---------------------------------------------------------------------------------- A12: what is verified is applied


@pytest.mark.plan("A12")
def test_what_is_applied_is_read_from_the_bytes_that_were_verified() -> None:
    game = played(3)
    line = game.line(GERMAN, MOVE)
    verified = game.verified(line)
    assert event.write(verified.event) == from_line(verified.line).payload
    assert verified.line == line


@pytest.mark.plan("A12")
def test_only_verification_makes_verified_events() -> None:
    """No other module of the program calls `Verified(…)`, and none of the protocol parses envelope and payload."""
    makers = {path.name for path in _sources() if "Verified" in _called(path)}
    readers = {path.name for path in _sources() if path.parent.name == "log" and {"read", "from_line"} <= _called(path)}
    assert (makers, readers) == ({"verify.py"}, {"verify.py"})


def _sources() -> list[Path]:
    return sorted(Path(pbem.__file__).parent.rglob("*.py"))


def _called(path: Path) -> set[str]:
    calls = [node.func for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Call)]
    return {call.attr if isinstance(call, ast.Attribute) else getattr(call, "id", "") for call in calls}


# ---------------------------------------------------------------------------------- A16: sizes


@pytest.mark.plan("A16")
def test_a_line_of_ten_megabytes_costs_nothing() -> None:
    game = played(3)
    line = game.line(GERMAN, MOVE) + b" " * 10_000_000
    assert refused(game, line) == "envelope.too_long"


@pytest.mark.plan("A16")
def test_the_longest_event_travels() -> None:
    game = played(3)
    overhead = len(event.write(game.event(GERMAN, Answer(ask="move", value={"note": ""}))))
    body = Answer(ask="move", value={"note": "x" * (canonical.MAX_BYTES - overhead)})
    line = game.line(GERMAN, body)
    assert (len(line) <= envelope.MAX_LINE, game.verified(line).event.body) == (True, body)


def test_control_characters_of_a_bad_line_are_escaped() -> None:
    with pytest.raises(BadEvidence) as caught:
        from_line(b"\x1b[2J\xe2\x80\xae nonsense")
    assert caught.value.text == (r"expected 'keyid signature payload', got '\x1b[2J\xe2\x80\xae nonsense'")


def test_the_library_refuses_what_is_not_signed() -> None:
    """The fake behind the tests above: a wrong signature raises, it is no boolean that could be overlooked."""
    with pytest.raises(InvalidSignature):
        Ed25519PublicKey.from_public_bytes(player(GERMAN).key).verify(bytes(64), b"")


def test_every_kind_of_event_has_a_slot() -> None:
    slots = {kind: verify.slot(kind) for kind in event.BODIES}
    others = {kind: kind for kind in ("lapse", "resolve", "request", "ruling", "annul", "receipt", "withdraw")}
    assert slots == {kind: others.get(kind, "move") for kind in event.BODIES}


def test_an_event_says_itself_by_role_kind_and_step() -> None:
    verified = played(3).steps[2][0]
    assert verified.title == f"german's entropy of step 2 (event {verified.id[:12]})"


def test_the_json_form_of_dsse_holds_the_same_three_parts() -> None:
    found = from_line(played(3).line(GERMAN, MOVE))
    other = json.loads(envelope.to_dsse(found))
    assert base64.b64decode(other["payload"]) == found.payload
    assert base64.b64decode(other["signatures"][0]["sig"]) == found.signature
    assert (other["payloadType"], other["signatures"][0]["keyid"]) == (PAYLOAD_TYPE, found.key_id)

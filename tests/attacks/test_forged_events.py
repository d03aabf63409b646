"""Forged, altered and foreign events in turn files that are whole: each is refused, and the home is as it was."""

from __future__ import annotations

import hashlib
import json
import time
import zlib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from attacks.sides import (
    Pair,
    armoured,
    id_of,
    invited,
    new_side,
    packed,
    payload_of,
    refused,
    sign,
    signed_again,
    unpacked,
)
from pbem.log import bundle, canonical, envelope
from pbem.log.envelope import Envelope
from pbem.log.event import Accept, Role
from pbem.log.keys import key_id
from pbem.mail import armour

ORDER = 2**252 + 27742317777372353535851937790883648493
"""Of the base point of Ed25519 (RFC 8032 5.1)."""
VECTORS = Path(__file__).parents[2] / "fixtures" / "vectors" / "key-check.json"
BAD_KEYS = [case for case in json.loads(VECTORS.read_text("utf-8"))["cases"] if case["error"]]


@pytest.mark.plan("A1")
@pytest.mark.parametrize("bit", [0x01, 0x20, 0x80])
def test_no_byte_of_an_event_can_be_changed(answered: tuple[Pair, bytes], bit: int) -> None:
    """One mail with a turn file for every byte of the event, each whole and each with that byte altered."""
    (pair, line), german = answered, answered[0].german
    altered = [line[:at] + bytes([line[at] ^ bit]) + line[at + 1 :] for at in range(len(line))]
    path = german.folder.parent / "flood.txt"
    path.write_bytes(b"\n".join(packed([one]) for one in altered))
    before = german.tables()
    done = german("import", path, "--json")
    assert done.code == 1
    found = json.loads(done.out)
    lines = sum(len(one.splitlines()) for one in altered)
    assert sum(len(game["refused"]) for game in found["games"]) + len(found["failed"]) >= len(altered)
    assert {(game["taken"], game["known"], game["early"]) for game in found["games"]} == {(0, 0, 0)}
    assert german.tables() == before
    assert lines >= len(altered)
    assert german.mail(packed([line])).code == 0
    assert pair.german.opened().campaign.place.step == 3


@pytest.mark.plan("A1")
def test_no_byte_of_a_turn_file_can_be_changed_unnoticed(answered: tuple[Pair, bytes]) -> None:
    """What a mail program alters is found before anything is unpacked; the event itself comes through or nothing."""
    pair, line = answered
    text = packed([line])
    outcomes = set()
    for at in range(len(text)):
        altered = text[:at] + bytes([text[at] ^ 1]) + text[at + 1 :]
        found = armour.find(altered)
        outcomes.update(bundle.read(bundle.unpack(payload)).lines for payload in found.payloads)
        assert found.payloads or found.damaged or b"BEGIN PBEM TURN FILE" not in altered
    assert outcomes == {(line,)}
    damaged = text.replace(text.splitlines()[2][:8], text.splitlines()[2][7::-1])
    assert refused(pair.german, damaged).startswith("armour.")


@pytest.mark.plan("A2", "A9")
@pytest.mark.parametrize("prefix", ["application/json", "application/vnd.pbem.event.v2+json", ""])
def test_a_signature_for_another_purpose_is_none(answered: tuple[Pair, bytes], prefix: str) -> None:
    """What the Pole's key signed as something else (a mail, a commit, a later format) is no event."""
    pair, line = answered
    found, identity = envelope.from_line(line), pair.polish.identity()
    signed = envelope.pae(prefix, found.payload) if prefix else found.payload
    forged = envelope.to_line(replace(found, signature=identity.sign(signed)))
    assert refused(pair.german, packed([forged])) == (
        f"event.signature: expected a signature by key {found.key_id} over these bytes, got one that does not hold"
    )


@pytest.mark.plan("A9")
def test_a_signature_of_ssh_is_none(answered: tuple[Pair, bytes]) -> None:
    """SSHSIG signs a preamble, a namespace and a hash (PROTOCOL.sshsig)."""
    pair, line = answered
    found = envelope.from_line(line)

    def text(value: bytes) -> bytes:
        return len(value).to_bytes(4, "big") + value

    hashed = hashlib.sha512(found.payload).digest()
    blob = b"SSHSIG" + text(b"git") + text(b"") + text(b"sha512") + text(hashed)
    forged = envelope.to_line(replace(found, signature=pair.polish.identity().sign(blob)))
    assert refused(pair.german, packed([forged])).startswith("event.signature: ")


@pytest.mark.plan("A4")
def test_the_name_of_a_key_gives_no_right(answered: tuple[Pair, bytes]) -> None:
    """The German signs the Pole's move and names either key."""
    pair, line = answered
    payload, thief = envelope.from_line(line).payload, pair.german.identity()
    for named in (thief.public_key, pair.polish.identity().public_key):
        signature = thief.sign(envelope.pae(envelope.PAYLOAD_TYPE, payload))
        forged = envelope.to_line(Envelope(key_id(named), signature, payload))
        told = refused(pair.polish, packed([forged.replace(b'"step":2', b'"step":2')]), "status")
        assert told.startswith(("event.author: expected an event signed by the polish party", "event.signature: "))


@pytest.mark.plan("A5")
def test_one_key_does_not_sign_for_both(played: Pair) -> None:
    """Both have to open a link: the German signs its own and one in the Pole's name."""
    german = played.german
    line = next(line for line in german.lines() if payload_of(line)["kind"] == "entropy")
    said = {**payload_of(line), "role": "polish"}
    assert refused(played.polish, packed([german.sign(said)])) == (
        "event.author: expected an event signed by the polish party, got another party's key"
    )


@pytest.mark.plan("A6")
@pytest.mark.parametrize("case", BAD_KEYS, ids=lambda case: case["what"])
def test_a_bad_key_is_not_registered(joined: Pair, case: dict[str, Any]) -> None:
    """An acceptance whose key is of small order or not canonical, for which some signature would hold."""
    key = bytes.fromhex(case["key"])
    said = payload_of(joined.polish.lines()[1])
    said["body"]["registration"]["key"] = case["key"]
    line = envelope.to_line(Envelope(key_id(key), bytes([1]) + bytes(63), canonical.encode(said)))
    assert refused(joined.german, packed([line], [key])).startswith(f"{case['error']}: ")


@pytest.mark.plan("A7")
def test_a_signature_plus_the_order_is_refused(answered: tuple[Pair, bytes]) -> None:
    pair, line = answered
    found = envelope.from_line(line)
    s = int.from_bytes(found.signature[32:], "little") + ORDER
    forged = envelope.to_line(replace(found, signature=found.signature[:32] + s.to_bytes(32, "little")))
    assert id_of(forged) == id_of(line)
    assert refused(pair.german, packed([forged])).startswith("event.signature: ")


@pytest.mark.plan("A8")
def test_a_second_signature_on_the_same_bytes_is_the_same_event(answered: tuple[Pair, bytes]) -> None:
    pair, line = answered
    pair.german.mail(packed([line]))
    again = signed_again(pair.polish.identity(), line)
    assert again != line
    before = pair.german.tables()
    done = pair.german.mail(packed([again]))
    assert (done.code, done.out.splitlines()[0]) == (0, "westerplatte: 0 new events, 1 known already.")
    assert pair.german.tables() == before
    assert pair.german.opened().fork is None


@pytest.mark.plan("A10")
def test_an_event_of_another_game_is_refused(answered: tuple[Pair, bytes]) -> None:
    """The same two people, the same keys, the same question in another game: only the game's id differs."""
    pair, line = answered
    said = {**payload_of(line), "game": "ab" * 32}
    carrier = pair.german.lines()[0]
    before = pair.german.tables()
    done = pair.german.mail(packed([carrier, pair.polish.sign(said)]))
    game = pair.german.opened().row.game_id
    assert done.err.splitlines()[0] == (
        f"refused: event.game: expected an event of game {game[:12]}, got one of game abababababab"
    )
    assert pair.german.tables() == before


@pytest.mark.plan("A10")
def test_a_turn_file_of_a_game_that_is_not_here_is_refused(answered: tuple[Pair, bytes]) -> None:
    pair, line = answered
    said = {**payload_of(line), "game": "ab" * 32}
    assert refused(pair.german, packed([pair.polish.sign(said)])) == (
        "import.foreign: expected a turn file of a game of this home, got one of game abababababab in to-german.txt"
    )


@pytest.mark.plan("A11")
def test_one_key_does_not_take_both_roles(joined: Pair, tmp_path: Path) -> None:
    """The proposer accepts its own proposal: with the client, and with a forged acceptance."""
    german = invited(joined.german, tmp_path)
    assert german("accept", _written(german.export(), tmp_path / "own")).code == 1
    opened = german.opened()
    registration = opened.campaign.roster.proposal.registration
    line = german.sign(german.here(Accept(registration=registration), role=Role("polish")))
    assert refused(german, packed([line], [german.identity().public_key])) == (
        "roster.key_twice: expected a key of polish's own, got one that is registered already"
    )


def _written(data: bytes, path: Path) -> Path:
    path.write_bytes(data)
    return path


@pytest.mark.plan("A12")
def test_what_is_stored_is_what_was_verified(answered: tuple[Pair, bytes]) -> None:
    """Two copies of one payload, the first with a signature of nothing: the good line is stored, byte for byte."""
    pair, line = answered
    found = envelope.from_line(line)
    bad = envelope.to_line(replace(found, signature=bytes(64)))
    assert pair.german.mail(packed([bad, line, bad])).code == 0
    stored = [row.line for row in pair.german.opened().rows if row.step == 2]
    assert stored == [line]


@pytest.mark.plan("A16")
def test_floods_are_refused_before_they_are_read(answered: tuple[Pair, bytes]) -> None:
    """A line of ten million bytes, a compressed bomb, nesting without end, keys and lines without end."""
    pair, line = answered
    head, game = b"pbem-log 1 turn\n", pair.german.opened().row.game_id.encode()
    key = b"".join(b"key %064x\n" % number for number in range(1, 66))
    bombs = {
        "envelope.too_long": armoured(head + line[:104] + b"9" * 3_000_000 + b"\n"),
        "bundle.packing": armour.encode(zlib.compress(bytes(200_000_000), 9)).encode(),
        "canonical.too_deep": packed([pair.polish.sign(b'{"game":"%b","x":' % game + b"[" * 60_000)]),
        "bundle.keys": armoured(head + key + line + b"\n"),
        "canonical.too_long": packed([pair.polish.sign(b'{"game":"%b","x":"' % game + b"x" * 65_460 + b'"}')]),
        "armour.": b"BEGIN PBEM TURN FILE VERSION 1 BASE64 999999999 BYTES SHA256\n" + b"0" * 64 + b"\nAAAA",
    }
    for code, bomb in bombs.items():
        started = time.perf_counter()
        assert refused(pair.german, bomb).startswith(code)
        assert time.perf_counter() - started < 3


@pytest.mark.plan("A17")
def test_dropping_an_event_of_ones_own_is_noticed(played: Pair, joined: Pair) -> None:
    """The Pole leaves out one of its moves and sends the next ones."""
    lines = played.polish.lines()
    sent = [line for line in lines if payload_of(line)["step"] not in (0, 1, 2)]
    own = max(said["step"] for said in map(payload_of, sent) if said["role"] == "german")
    before = joined.german.tables("refused", "tallies", "status")
    done = joined.german.mail(packed(sent))
    assert (done.code, done.out) == (
        0,
        f"westerplatte: 0 new events, 0 known already, {len(sent)} kept until their turn comes.\n"
        "  a mail is missing: events of step 3 and later wait for step 2, where polish (a decision) has not come; ask "
        "the other side for all it has: `pbem export --all`\n"
        f"Do now: get what is missing: this home is behind step {own}, where you have signed already, and signs "
        "nothing before; ask the other side for `pbem export --all` and import that\n",
    )
    assert joined.german.tables("refused", "tallies", "status") == before


@pytest.mark.plan("A17")
def test_the_order_of_events_in_a_turn_file_means_nothing(played: Pair, joined: Pair) -> None:
    lines = played.polish.lines()
    joined.german.mail(packed(lines[::-1]))
    joined.polish.mail(packed(lines[1::2] + lines[::2] + lines))
    assert joined.german.heads() == joined.polish.heads() == played.polish.heads()


@pytest.mark.plan("A17")
@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (
            {"prev": "cd" * 32},
            "import.overtaken: expected an event that follows this log, got polish's orders of step 2, which follows "
            "another one",
        ),
        ({"state": "cd" * 32}, "place.state: expected the state "),
        (
            {"step": 0},
            "import.overtaken: expected an event that follows this log, got polish's orders of step 0, which follows "
            "another one",
        ),
        (
            {"step": 1},
            "import.overtaken: expected an event that follows this log, got polish's orders of step 1, which follows "
            "another one",
        ),
    ],
)
def test_an_event_at_another_place_is_refused(
    answered: tuple[Pair, bytes], change: dict[str, Any], reason: str
) -> None:
    pair, line = answered
    said = {**payload_of(line), **change}
    assert refused(pair.german, packed([pair.polish.sign(said)]), "refused", "tallies").startswith(reason)


def test_what_follows_another_event_says_what_to_compare(answered: tuple[Pair, bytes]) -> None:
    pair, line = answered
    elsewhere = pair.polish.sign({**payload_of(line), "prev": "cd" * 32})
    assert pair.german.mail(packed([elsewhere])).err == (
        "import.overtaken: expected an event that follows this log, got polish's orders of step 2, which follows "
        "another one\nhint: it changes nothing here; if the other side goes on from it, compare what `pbem log` tells "
        "at both homes\n"
    )


def test_what_is_signed_and_belongs_to_no_game_is_refused(answered: tuple[Pair, bytes]) -> None:
    pair, _ = answered
    assert refused(pair.german, packed([pair.polish.sign({"x": 1})])) == (
        "event.form: expected an event of a game in to-german.txt, got something else"
    )


def test_a_stranger_can_leave_nothing_behind(joined: Pair, tmp_path: Path) -> None:
    """A stranger sends an acceptance that does not fit, and far events under the key it names."""
    german, eve = invited(joined.german, tmp_path), new_side(tmp_path / "eve", "polish", "Eve")
    said = payload_of(joined.polish.lines()[1])
    opened, key = german.opened(), eve.identity().public_key
    said |= {"game": opened.row.game_id, "prev": "ab" * 32}
    said["body"]["registration"]["key"] = key.hex()
    far = {**payload_of(joined.german.lines()[0]), **said, "step": 900, "kind": "entropy"}
    far["body"] = {"index": 1, "link": "ab" * 32}
    flood = packed([sign(eve.identity(), said), sign(eve.identity(), far)], [key])
    before = german.tables()
    german.mail(flood)
    assert german.tables() == before
    bruno = new_side(tmp_path / "bruno", "polish", "Bruno")
    assert bruno("accept", _written(german.export(), tmp_path / "i"), "-o", tmp_path / "a").code == 0
    assert german("import", tmp_path / "a").code == 0
    assert german.opened().campaign.place.step == 2


def test_lines_of_two_games_in_one_bundle_go_to_one_game_only(answered: tuple[Pair, bytes], tmp_path: Path) -> None:
    pair, line = answered
    second = invited(pair.german, tmp_path)
    done = second.mail(packed([line, second.lines()[0]]))
    assert done.code == 0
    assert "event.game: expected a proposal" not in done.out
    second.game = "westerplatte"
    assert second.opened().campaign.place.step == 3


def test_an_old_turn_file_of_the_other_side_comes_back_as_ones_own(played: Pair) -> None:
    """Reflection: a turn file is mailed back to the one who wrote it."""
    own = played.german.export()
    before = played.german.tables()
    assert played.german.mail(own).code == 0
    assert played.german.tables() == before
    assert unpacked(own).lines

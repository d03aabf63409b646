"""Every known answer of `fixtures/vectors/`, computed again from its inputs, and by a second tool where one exists."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from pbem.errors import BadEvidence
from pbem.keys.escrow import unseal
from pbem.log import bundle, canonical, chain, dice, envelope, escrow, event, hashing, keys, seal
from pbem.log.step import step_digest

from . import hpke_by_hand, make_vectors

FOLDER = Path(__file__).parents[2] / "fixtures" / "vectors"
SPKI_OF_ED25519 = bytes.fromhex("302a300506032b6570032100")
Case = dict[str, Any]
COMPACT: dict[str, Any] = {"sort_keys": True, "separators": (",", ":"), "ensure_ascii": False}


def cases(name: str) -> list[Any]:
    whole = json.loads((FOLDER / f"{name}.json").read_text(encoding="ascii"))
    return [pytest.param(case, id=f"{name}-{number}") for number, case in enumerate(whole["cases"])]


def of_hex(*items: str) -> list[bytes]:
    return [bytes.fromhex(item) for item in items]


def said_by(command: Sequence[str], data: bytes = b"") -> str:
    """What another program prints; the test fails when it fails."""
    done = subprocess.run(command, input=data, capture_output=True, check=True, timeout=20)
    return done.stdout.decode().strip()


def sha256sum(data: bytes) -> str:
    return said_by(["sha256sum", "-"], data)[:64]


def refusal(call: Any, *arguments: Any) -> str:
    """The code with which a call refuses its argument, empty when it does not."""
    try:
        call(*arguments)
    except BadEvidence as error:
        return error.code
    return ""


def test_every_file_has_its_construction_and_the_other_way_round() -> None:
    assert {path.stem for path in FOLDER.glob("*.json")} == {*make_vectors.VECTORS, "canonical-parsers"}


@pytest.mark.parametrize("name", sorted(set(make_vectors.VECTORS) - {"bundle"}))
def test_files_are_what_this_program_would_write(name: str) -> None:
    # bundles are left out: how zlib packs may change from version to version, what it unpacks may not
    assert (FOLDER / f"{name}.json").read_text(encoding="ascii") == make_vectors.text_of(name)


@pytest.mark.parametrize("case", cases("lp"))
def test_length_prefixed_items(case: Case) -> None:
    joined = hashing.lp(*of_hex(*case["items"]))
    assert (joined.hex(), sha256sum(joined)) == (case["lp"], case["sha256"])


@pytest.mark.parametrize("case", cases("canonical-good"))
def test_canonical_bytes(case: Case) -> None:
    data = bytes.fromhex(case["bytes"])
    assert (canonical.encode(case["value"]), canonical.decode(data)) == (data, case["value"])


@pytest.mark.plan("A13", "A14")
@pytest.mark.parametrize("case", cases("canonical-bad"))
def test_bytes_that_are_not_canonical(case: Case) -> None:
    assert refusal(canonical.decode, bytes.fromhex(case["bytes"])) == case["error"]


@pytest.mark.plan("A2")
@pytest.mark.parametrize("case", cases("pae"))
def test_pre_authentication_encoding(case: Case) -> None:
    assert envelope.pae(case["type"], bytes.fromhex(case["payload"])).hex() == case["pae"]


@pytest.mark.plan("A2")
def test_the_example_of_the_dsse_specification() -> None:
    encoded = envelope.pae("http://example.com/HelloWorld", b"hello world")
    assert encoded == b"DSSEv1 29 http://example.com/HelloWorld 11 hello world"


@pytest.mark.parametrize("case", cases("envelope"))
def test_envelopes(case: Case) -> None:
    key = Ed25519PrivateKey.from_private_bytes(bytes.fromhex(case["show_only_seed"]))
    signature = key.sign(envelope.pae(envelope.PAYLOAD_TYPE, case["payload"].encode()))
    made = envelope.Envelope(case["key_id"], signature, case["payload"].encode())
    assert (signature.hex(), envelope.to_line(made).decode()) == (case["signature"], case["line"])
    assert envelope.from_line(case["line"].encode()) == made
    assert json.loads(envelope.to_dsse(made)) == case["dsse"]


@pytest.mark.parametrize("case", cases("envelope"))
def test_openssl_verifies_the_signature(case: Case, tmp_path: Path) -> None:
    (tmp_path / "key").write_bytes(SPKI_OF_ED25519 + bytes.fromhex(case["key"]))
    (tmp_path / "signature").write_bytes(bytes.fromhex(case["signature"]))
    (tmp_path / "message").write_bytes(envelope.pae(envelope.PAYLOAD_TYPE, case["payload"].encode()))
    command = f"openssl pkeyutl -verify -pubin -keyform DER -inkey {tmp_path}/key -rawin -in {tmp_path}/message"
    assert said_by([*command.split(), "-sigfile", f"{tmp_path}/signature"]) == "Signature Verified Successfully"


@pytest.mark.parametrize("case", cases("key-id"))
def test_names_of_keys(case: Case) -> None:
    key = bytes.fromhex(case["key"])
    assert (keys.key_id(key), keys.successor_digest(key)) == (case["key_id"], case["as_successor"])
    assert sha256sum(hashing.lp(b"pbem/key/v1", key))[:16] == case["key_id"]


@pytest.mark.plan("A6")
@pytest.mark.parametrize("case", cases("key-check"))
def test_keys_at_registration(case: Case) -> None:
    assert refusal(keys.check_public_key, bytes.fromhex(case["key"])) == case["error"]


@pytest.mark.parametrize("case", cases("event-id"))
def test_event_ids(case: Case) -> None:
    payload = case["payload"].encode()
    signed = b"DSSEv1 34 application/vnd.pbem.event.v1+json %d %b" % (len(payload), payload)
    assert envelope.event_id(payload) == case["event_id"] == sha256sum(hashing.lp(b"pbem/event/v1", signed))
    assert event.write(event.read(payload)) == payload


@pytest.mark.parametrize("case", cases("step"))
def test_step_digests(case: Case) -> None:
    previous, ids = bytes.fromhex(case["previous"]), case["event_ids"]
    assert step_digest(previous, ids).hex() == case["digest"]
    assert sha256sum(hashing.lp(b"pbem/step/v1", previous, *of_hex(*ids))) == case["digest"]


@pytest.mark.parametrize("case", cases("chain"))
def test_chains(case: Case) -> None:
    seed, nonce = of_hex(case["show_only_seed"], case["nonce"])
    links = chain.links(seed, nonce, case["role"], case["length"])
    assert {index: links[int(index)].hex() for index in case["links"]} == case["links"]
    first = hashing.lp(b"pbem/chain/v1", nonce, case["role"].encode(), bytes(4), links[1])
    assert sha256sum(first) == case["links"]["0"]


@pytest.mark.parametrize("case", cases("dice-salt"))
def test_dice_salts(case: Case) -> None:
    """Worked out from the lines as they travel: what the adjudicator says is in none of them."""
    said = [json.loads(line.split(" ", 2)[2]) for line in case["events"]]
    parts = [
        part
        for one in said
        if one["role"] != "adjudicator"
        for part in (one["role"].encode(), one["kind"].encode(), json.dumps(one["body"], **COMPACT).encode())
    ]
    items = (b"pbem/salt/v1", bytes.fromhex(case["game"]), case["step"].to_bytes(8, "big"), *parts)
    assert sha256sum(hashing.lp(*items)) == case["salt"]


@pytest.mark.parametrize("case", cases("dice-key"))
def test_dice_keys(case: Case) -> None:
    closing, game, info = of_hex(case["closing_digest"], case["game"], case["info"])
    assert dice.dice_key(of_hex(*case["links"]), closing, game).hex() == case["key"]
    assert dice.dice_info(game) == info
    command = (
        "openssl kdf -keylen 32 -kdfopt digest:SHA256 -kdfopt hexkey:{} -kdfopt hexsalt:{} -kdfopt hexinfo:{} HKDF"
    )
    printed = said_by(command.format("".join(case["links"]), case["closing_digest"], case["info"]).split())
    assert printed.replace(":", "").lower() == case["key"]


@pytest.mark.parametrize("case", cases("dice-faces"))
def test_faces(case: Case) -> None:
    found = dice.faces(bytes.fromhex(case["key"]), case["label"], case["count"], case["sides"])
    assert list(found) == case["faces"]


@pytest.mark.parametrize("case", cases("dice-faces"))
def test_faces_from_blocks_that_openssl_computes(case: Case, tmp_path: Path) -> None:
    message = tmp_path / "message"
    found: list[int] = []
    block = 0
    while len(found) < case["count"]:
        message.write_bytes(dice.block_message(case["label"], block))
        mac = f"openssl mac -digest SHA256 -macopt hexkey:{case['key']} -in {message} HMAC"
        share = 256 // case["sides"]
        found += [byte // share + 1 for byte in bytes.fromhex(said_by(mac.split())) if byte < share * case["sides"]]
        block += 1
    assert found[: case["count"]] == case["faces"]


@pytest.mark.parametrize("case", cases("draw"))
def test_draws(case: Case) -> None:
    assert dice.drawn(bytes.fromhex(case["key"]), case["label"], case["items"]) == case["drawn"]


@pytest.mark.plan("A37")
@pytest.mark.parametrize("case", cases("seal"))
def test_seals(case: Case) -> None:
    game, salt, payload = of_hex(case["game"], case["salt"], case["payload"])
    made = seal.commitment(game, case["step"], case["role"], case["purpose"], salt, payload)
    padded = (len(payload).to_bytes(4, "big") + payload).ljust(case["padded_bytes"], b"\0")
    place = (game, case["step"].to_bytes(8, "big"), case["role"].encode(), case["purpose"].encode())
    assert made.hex() == case["commitment"] == sha256sum(hashing.lp(b"pbem/seal/v1", *place, salt, padded))


@pytest.mark.parametrize("case", cases("escrow"))
def test_deposits_open_by_two_implementations(case: Case) -> None:
    private, info, sealed, plaintext = of_hex(
        case["show_only_receiver_private"], case["info"], case["sealed"], case["plaintext"]
    )
    assert unseal(private, info, sealed) == hpke_by_hand.unseal(private, info, sealed) == plaintext


@pytest.mark.parametrize("case", cases("escrow"))
def test_deposits_say_where_they_belong(case: Case) -> None:
    place, game = case["what"], bytes.fromhex(case["game"])
    made = (
        escrow.chain_info(game, case["role"], bytes.fromhex(case["key"]))
        if place == "chain"
        else escrow.seal_info(game, case["step"], case["role"], case["purpose"])
    )
    assert made.hex() == case["info"]


@pytest.mark.parametrize("case", cases("bundle"))
def test_packed_bundles(case: Case) -> None:
    packed = bytes.fromhex(case["packed"])
    assert refusal(bundle.unpack, packed) == case["error"]
    if not case["error"]:
        assert bundle.unpack(packed).decode() == case["text"]


def test_the_second_implementation_of_hpke_gives_the_answer_of_the_rfc() -> None:
    """RFC 9180, A.2.1, the first encryption."""
    receiver, info, ephemeral = of_hex(
        "4310ee97d88cc1f088a5576c77ab0cf5c3ac797f3d95139c6c84b5429c59662a",
        "4f6465206f6e2061204772656369616e2055726e",
        "f4ec9b33b792c372c1d2c2063507b684ef925b8c75a42dbcbf57d63ccd381600",
    )
    sealed = hpke_by_hand.seal(receiver, info, b"Beauty is truth, truth beauty", ephemeral, b"Count-0")
    assert sealed[32:].hex() == (
        "1c5250d8034ec2b784ba2cfd69dbdb8af406cfe3ff938e131f0def8c8b60b4db21993c62ce81883d2dd1b51a28"
    )

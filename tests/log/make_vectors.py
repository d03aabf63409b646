"""Writes `fixtures/vectors/`: `python tests/log/make_vectors.py`. Every key in them is for show only.

The tests read the files and compute every case again; they also see that this program would write them so.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
if __name__ == "__main__":
    sys.path.insert(0, str(ROOT / "tests"))

from log import hpke_by_hand, make_receipts  # noqa: E402 - the path is set above
from log.builders import END, NONCE, links_of, played, player, secret  # noqa: E402
from pbem.log import bundle, canonical, chain, dice, envelope, escrow, hashing, keys, seal, step  # noqa: E402
from pbem.log.receipt import dice_salt  # noqa: E402

FOLDER = ROOT / "fixtures" / "vectors"
Case = dict[str, Any]


def lp_cases() -> list[Case]:
    lists = ((), (b"",), (b"", b""), (b"a", b"bc"), (b"ab", b"c"), (b"pbem/show/v1", bytes(32), b"\xff" * 300))
    return [
        {"items": [item.hex() for item in items], "lp": hashing.lp(*items).hex(), "sha256": _sha256(hashing.lp(*items))}
        for items in lists
    ]


def canonical_good_cases() -> list[Case]:
    values: tuple[Any, ...] = (
        {},
        [],
        None,
        True,
        0,
        -1,
        2**53 - 1,
        -(2**53) + 1,
        "",
        "Łódź",
        'quote " backslash \\ slash /',
        "controls \x00\x08\t\n\x0b\x0c\r\x1f\x7f",
        "line separators \u2028\u2029 and beyond the plane \U0001f3b2",
        {"b": 1, "a": {"B": [], "A": {}}, "a-b": 2, "ab": 3},
        [[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]],
    )
    return [{"bytes": canonical.encode(value).hex(), "value": value} for value in values]


BAD_CANONICAL = (
    ("a key twice", b'{"a":1,"a":2}', "canonical.form"),
    ("keys out of order", b'{"b":1,"a":2}', "canonical.form"),
    ("a blank", b'{"a": 1}', "canonical.form"),
    ("a newline at the end", b'{"a":1}\n', "canonical.form"),
    ("bytes after the value", b'{"a":1}x', "canonical.not_json"),
    ("an escape in a key", b'{"\\u0061":1}', "canonical.form"),
    ("a letter as an escape", b'"\\u00e9"', "canonical.form"),
    ("a slash as an escape", b'"\\/"', "canonical.form"),
    ("an escape in capitals", b'"\\u001F"', "canonical.form"),
    ("a long escape where a short one exists", b'"\\u000a"', "canonical.form"),
    ("a control character as it is", b'"\n"', "canonical.not_json"),
    ("a byte order mark", b"\xef\xbb\xbf{}", "canonical.not_json"),
    ("not UTF-8", b'"\xff"', "canonical.not_json"),
    ("UTF-16", '{"a":1}'.encode("utf-16-le"), "canonical.not_json"),
    ("half a surrogate pair", b'"\\ud800"', "canonical.not_json"),
    ("a fraction", b"1.5", "canonical.value"),
    ("an integer as a fraction", b"1.0", "canonical.value"),
    ("an integer with an exponent", b"1e0", "canonical.value"),
    ("minus zero", b"-0", "canonical.form"),
    ("a leading zero", b"01", "canonical.not_json"),
    ("one beyond the largest integer", b"9007199254740992", "canonical.value"),
    ("one below the smallest integer", b"-9007199254740992", "canonical.value"),
    ("thirty digits", b"123456789012345678901234567890", "canonical.value"),
    ("NaN", b"NaN", "canonical.not_json"),
    ("Infinity", b"-Infinity", "canonical.not_json"),
    ("a comment", b"{}/**/", "canonical.not_json"),
    ("a comma at the end", b"[1,]", "canonical.not_json"),
    ("a key in Cyrillic", '{"\u0430":1}'.encode(), "canonical.value"),
    ("a key with a control character", b'{"\\u0000":1}', "canonical.value"),
    ("nothing", b"", "canonical.not_json"),
    ("seventeen levels", b"[" * 17 + b"]" * 17, "canonical.too_deep"),
    ("an open string behind seventeen levels", b"[" * 17 + b'"\\"', "canonical.too_deep"),
)


def canonical_bad_cases() -> list[Case]:
    return [{"what": what, "bytes": data.hex(), "error": code} for what, data, code in BAD_CANONICAL]


def pae_cases() -> list[Case]:
    pairs = (
        ("http://example.com/HelloWorld", b"hello world", "the example of the DSSE specification (protocol.md)"),
        ("", b"", "nothing"),
        ("a", b"\xc5\x81\xc3\xb3d\xc5\xba", "lengths count bytes, not characters"),
        (envelope.PAYLOAD_TYPE, b"{}", "our type"),
    )
    return [
        {"type": kind, "payload": data.hex(), "pae": envelope.pae(kind, data).hex(), "what": what}
        for kind, data, what in pairs
    ]


def key_id_cases() -> list[Case]:
    found = [player(role).key for role in ("german", "polish", "referee")]
    return [{"key": key.hex(), "key_id": keys.key_id(key), "as_successor": keys.successor_digest(key)} for key in found]


def key_check_cases() -> list[Case]:
    """The fourteen encodings of the eight points of small order, other bad encodings, and good keys."""
    bad = [{"key": key.hex(), "error": code, "what": what} for key, code, what in bad_keys()]
    return bad + [{"key": player(role).key.hex(), "error": "", "what": role} for role in ("german", "polish")]


def bad_keys() -> list[tuple[bytes, str, str]]:
    eighth = 0x7A03AC9277FDC74EC6CC392CFA53202A0F67100D760B3CBA4FD84D3D706A17C7
    small = "key.small_order"
    form = "key.not_canonical"
    return [
        (_encoded(1, 0), small, "order 1"),
        (_encoded(keys.P - 1, 0), small, "order 2"),
        (_encoded(0, 0), small, "order 4"),
        (_encoded(0, 1), small, "order 4"),
        (_encoded(eighth, 0), small, "order 8"),
        (_encoded(eighth, 1), small, "order 8"),
        (_encoded(keys.P - eighth, 0), small, "order 8"),
        (_encoded(keys.P - eighth, 1), small, "order 8"),
        (_encoded(1, 1), form, "order 1 with the sign of a zero"),
        (_encoded(keys.P - 1, 1), form, "order 2 with the sign of a zero"),
        (_encoded(keys.P, 0), form, "order 4 as p"),
        (_encoded(keys.P, 1), form, "order 4 as p"),
        (_encoded(keys.P + 1, 0), form, "order 1 as p + 1"),
        (_encoded(keys.P + 1, 1), form, "order 1 as p + 1"),
        (_encoded(keys.P + 3, 0), form, "a point of full order as p + 3"),
        (_encoded(2**255 - 1, 1), form, "every bit set"),
        (_encoded(2, 0), form, "no point of the curve"),
    ]


def event_id_cases() -> list[Case]:
    payloads = [envelope.from_line(line).payload for line in played(3).lines]
    return [
        {
            "payload": payload.decode(),
            "pae_sha256": _sha256(envelope.pae(envelope.PAYLOAD_TYPE, payload)),
            "event_id": envelope.event_id(payload),
        }
        for payload in payloads
    ]


def envelope_cases() -> list[Case]:
    seeds = [secret("signing german"), secret("signing polish")]
    return [
        {"show_only_seed": seed.hex(), **_parts(line)} for seed, line in zip(seeds, played(3).lines[:2], strict=True)
    ]


def step_cases() -> list[Case]:
    previous, found = step.GENESIS, []
    for events in played(END).steps:
        ids = [one.id for one in events]
        digest = step.step_digest(previous, ids)
        found.append({"previous": previous.hex(), "event_ids": ids, "digest": digest.hex()})
        previous = digest
    return found


def chain_cases() -> list[Case]:
    seed, found = secret("chain german"), links_of("german", NONCE)
    short = chain.links(seed, NONCE, "german", 3)
    return [
        {
            "show_only_seed": seed.hex(),
            "nonce": NONCE.hex(),
            "role": "german",
            "length": len(links) - 1,
            "links": {str(index): links[index].hex() for index in (0, 1, 2, len(links) - 1)},
        }
        for links in (found, short)
    ]


def dice_key_cases() -> list[Case]:
    game = played(3)
    before = step_cases()[1]["digest"]
    both = [game.tips[role].link.hex() for role in sorted(game.tips)]
    inputs = ((both, before, game.game), (both[:1], before, game.game), ([bytes(32).hex()], "00" * 32, "ff" * 32))
    return [_dice_key_case(*one) for one in inputs]


def dice_salt_cases() -> list[Case]:
    """Steps of `fixtures/log/good/hosted.txt`: acceptances, a decision, two sealed answers, the adjudicator alone."""
    game, found = make_receipts.hosted(END), []
    for number in (1, 3, 4, 2):
        events = [one.line.decode() for one in game.steps[number]]
        salt = dice_salt(bytes.fromhex(game.game), number, game.steps[number])
        found.append({"game": game.game, "step": number, "events": events, "salt": salt.hex()})
    return found


def dice_faces_cases() -> list[Case]:
    key = bytes.fromhex(dice_key_cases()[0]["key"])
    rolls = (
        ("first-player", 1, 6),
        ("5.1.1d/attack-2/result", 2, 6),
        ("many", 200, 6),
        ("ten", 12, 10),
        ("hundred", 8, 100),
        ("most thrown away", 40, 129),
        ("every byte", 32, 256),
        ("one side", 2, 1),
    )
    return [_faces_case(key, *one) for one in rolls]


def draw_cases() -> list[Case]:
    key = bytes.fromhex(dice_key_cases()[0]["key"])
    left, found = ["ace", "king", "queen", "jack", "ten"], []
    for number in range(1, 6):
        drawn = dice.drawn(key, f"cards/{number}", left)
        found.append({"key": key.hex(), "label": f"cards/{number}", "items": list(left), "drawn": drawn})
        left.remove(drawn)
    return found


def seal_cases() -> list[Case]:
    game, salt = secret("some game"), secret("salt")
    sizes = (2, 252, 253, 508, 509, 1020, 1021)
    return [_seal_case(game, 4, "german", "plan", salt, b"{" + b" " * (size - 2) + b"}") for size in sizes]


def escrow_cases() -> list[Case]:
    game, salt = secret("some game"), secret("salt")
    deposit = escrow.seal_deposit(salt, canonical.encode({"attack": "hill"}))
    key, place = player("german").key, {"game": game.hex(), "role": "german"}
    chain_place, seal_place = {**place, "key": key.hex()}, {**place, "step": 4, "purpose": "plan"}
    return [
        _escrow_case("chain", escrow.chain_info(game, "german", key), secret("chain german"), chain_place),
        _escrow_case("sealed answer", escrow.seal_info(game, 4, "german", "plan"), deposit, seal_place),
    ]


def bundle_cases() -> list[Case]:
    text = played(3).archive("turn")
    packed = bundle.pack(text)
    bomb = bundle.pack(bytes(bundle.MAX_TURN_BYTES + 1))
    return [
        {"what": "a turn file's log", "packed": packed.hex(), "text": text.decode(), "error": ""},
        {"what": "cut off", "packed": packed[:-1].hex(), "error": "bundle.packing"},
        {"what": "something behind it", "packed": (packed + b"\x00").hex(), "error": "bundle.packing"},
        {"what": "one byte more than a turn file may hold", "packed": bomb.hex(), "error": "bundle.packing"},
        {"what": "not compressed", "packed": b"pbem-log 1 turn\n".hex(), "error": "bundle.packing"},
        {"what": "nothing", "packed": "", "error": "bundle.packing"},
    ]


def _parts(line: bytes) -> Case:
    found = envelope.from_line(line)
    return {
        "key": _signer(found.key_id).hex(),
        "key_id": found.key_id,
        "payload": found.payload.decode(),
        "signature": found.signature.hex(),
        "line": line.decode(),
        "dsse": json.loads(envelope.to_dsse(found)),
    }


def _signer(key_id: str) -> bytes:
    return next(key for key in (player("german").key, player("polish").key) if keys.key_id(key) == key_id)


def _dice_key_case(links: list[str], closing: str, game: str) -> Case:
    raw = [bytes.fromhex(link) for link in links]
    info = dice.dice_info(bytes.fromhex(game))
    key = dice.dice_key(raw, bytes.fromhex(closing), bytes.fromhex(game))
    return {"links": links, "closing_digest": closing, "game": game, "info": info.hex(), "key": key.hex()}


def _faces_case(key: bytes, label: str, count: int, sides: int) -> Case:
    message = dice.block_message(label, 0)
    return {
        "key": key.hex(),
        "label": label,
        "count": count,
        "sides": sides,
        "message_0": message.hex(),
        "faces": list(dice.faces(key, label, count, sides)),
    }


def _seal_case(game: bytes, at: int, role: str, purpose: str, salt: bytes, payload: bytes) -> Case:
    made = seal.commitment(game, at, role, purpose, salt, payload)
    return {
        "game": game.hex(),
        "step": at,
        "role": role,
        "purpose": purpose,
        "salt": salt.hex(),
        "payload": payload.hex(),
        "padded_bytes": len(seal.pad(payload)),
        "commitment": made.hex(),
    }


def _escrow_case(what: str, info: bytes, plaintext: bytes, place: Case) -> Case:
    receiver = bytes.fromhex(player("referee").registration().escrow)
    ephemeral = secret(f"ephemeral {what}")
    return {
        "what": what,
        **place,
        "show_only_receiver_private": secret("escrow referee").hex(),
        "receiver": receiver.hex(),
        "show_only_ephemeral_private": ephemeral.hex(),
        "info": info.hex(),
        "plaintext": plaintext.hex(),
        "sealed": hpke_by_hand.seal(receiver, info, plaintext, ephemeral).hex(),
    }


def _encoded(y: int, sign: int) -> bytes:
    return (y + (sign << 255)).to_bytes(32, "little")


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


VECTORS: dict[str, tuple[str, str, Callable[[], list[Case]]]] = {
    "lp": ("Length-prefixed items and their SHA-256", "2", lp_cases),
    "canonical-good": ("Values and their canonical bytes in hex", "3", canonical_good_cases),
    "canonical-bad": ("Bytes that are nobody's canonical form", "3", canonical_bad_cases),
    "pae": ("DSSE pre-authentication encoding", "4", pae_cases),
    "envelope": ("Signed lines", "4", envelope_cases),
    "key-id": ("Names of keys, and what commits to a successor", "5", key_id_cases),
    "key-check": ("Keys that must not be registered, and why", "5", key_check_cases),
    "event-id": ("Ids of events", "6", event_id_cases),
    "step": ("The chain of steps of fixtures/log/good/whole-game.txt", "8", step_cases),
    "chain": ("Hash chains of rollers: some links by index", "9", chain_cases),
    "dice-key": ("Dice keys of steps", "10", dice_key_cases),
    "dice-salt": ("Salts of a hosted game behind some of its steps", "10", dice_salt_cases),
    "dice-faces": ("Faces of rolls", "10", dice_faces_cases),
    "draw": ("Draws without replacement, one after another", "10", draw_cases),
    "seal": ("Commitments to sealed answers, around every change of padded size", "11", seal_cases),
    "escrow": ("Deposits: HPKE with a given ephemeral key, so that both directions can be checked", "12", escrow_cases),
    "bundle": ("Packed bundles (zlib; another packing of the same text is as good)", "13", bundle_cases),
}


def text_of(name: str) -> str:
    """The file of one construction."""
    description, section, cases = VECTORS[name]
    whole = {"description": description, "source": f"pbem/log/PROTOCOL.md, section {section}", "cases": cases()}
    if "show_only" in json.dumps(whole):
        whole["warning"] = "fields named show_only_… are secrets that everybody knows: never use them"
    return json.dumps(whole, indent=1, ensure_ascii=True) + "\n"


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name in VECTORS:
        (FOLDER / f"{name}.json").write_text(text_of(name), encoding="ascii")


if __name__ == "__main__":
    main()

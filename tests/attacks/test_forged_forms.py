"""True statements in another form, signed by their author: other spellings, look-alike names, other answers."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from attacks.sides import Pair, armoured, packed, payload_of, refused
from pbem.log import bundle, envelope
from pbem.log.event import Answer

ORDER = 2**252 + 27742317777372353535851937790883648493
"""Of the base point of Ed25519 (RFC 8032 5.1)."""
VECTORS = Path(__file__).parents[2] / "fixtures" / "vectors" / "key-check.json"
BAD_KEYS = [case for case in json.loads(VECTORS.read_text("utf-8"))["cases"] if case["error"]]


OTHER_SPELLINGS: dict[str, tuple[Callable[[bytes], bytes], str]] = {
    "duplicate key": (lambda p: p.replace(b'"v":1', b'"v":1,"v":1'), "canonical.form"),
    "duplicate role": (lambda p: p.replace(b'"role":"polish"', b'"role":"german","role":"polish"'), "canonical.form"),
    "escaped key": (lambda p: p.replace(b'"role"', b'"r\\u006fle"'), "canonical.form"),
    "blank": (lambda p: p.replace(b'"v":1', b'"v": 1'), "canonical.form"),
    "trailing blank": (lambda p: p + b" ", "canonical.form"),
    "trailing value": (lambda p: p + b"{}", "canonical.not_json"),
    "byte order mark": (lambda p: b"\xef\xbb\xbf" + p, "canonical.not_json"),
    "not a number": (lambda p: p.replace(b'"v":1', b'"v":NaN'), "canonical.not_json"),
    "exponent": (lambda p: p.replace(b'"v":1', b'"v":1e0'), "canonical.value"),
    "fraction": (lambda p: p.replace(b'"v":1', b'"v":1.0'), "canonical.value"),
    "minus zero": (lambda p: p.replace(b'"step":2', b'"step":-0'), "canonical."),
    "beyond 2^53": (lambda p: p.replace(b'"step":2', b'"step":9007199254740993'), "canonical.value"),
    "thirty digits": (lambda p: p.replace(b'"step":2', b'"step":' + b"9" * 30), "canonical."),
    "true for one": (lambda p: p.replace(b'"v":1', b'"v":true'), "event.form"),
    "true for a step": (lambda p: p.replace(b'"step":2', b'"step":true'), "event.form"),
    "text for a step": (lambda p: p.replace(b'"step":2', b'"step":"2"'), "event.form"),
    "negative step": (lambda p: p.replace(b'"step":2', b'"step":-2'), "event.form"),
    "later version": (lambda p: p.replace(b'"v":1', b'"v":2'), "event.version"),
    "surplus field": (lambda p: p.replace(b',"v":1}', b',"v":1,"w":1}'), "event.form"),
    "missing field": (lambda p: p.replace(b',"v":1}', b"}"), "event.form"),
    "unknown kind": (lambda p: p.replace(b'"kind":"answer"', b'"kind":"motion"'), "event.form"),
    "role in Cyrillic": (lambda p: p.replace(b'"polish"', '"роlish"'.encode()), "event.form"),
    "role in full width": (lambda p: p.replace(b'"role":"polish"', '"role":"ｐolish"'.encode()), "event.form"),
    "role with a line end": (lambda p: p.replace(b'"role":"polish"', b'"role":"polish\\n"'), "event.form"),
    "too deep": (
        lambda p: p.replace(b'"value":{', b'"value":{"a":' + b"[" * 40 + b"]" * 40 + b","),
        "canonical.too_deep",
    ),
    "no object": (lambda p: b"[" + p + b"]", "event.form"),
}


@pytest.mark.plan("A13", "A14", "A15", "A16")
@pytest.mark.parametrize("name", OTHER_SPELLINGS)
def test_another_spelling_of_a_true_event_is_refused(answered: tuple[Pair, bytes], name: str) -> None:
    """Signed by its author, so that nothing but the form of the payload is wrong."""
    (pair, line), (spell, code) = answered, OTHER_SPELLINGS[name]
    payload = spell(envelope.from_line(line).payload)
    assert payload != envelope.from_line(line).payload
    assert refused(pair.german, packed([pair.polish.sign(payload)])).startswith(code)


@pytest.mark.plan("A13")
def test_a_refused_spelling_is_told_in_full(answered: tuple[Pair, bytes]) -> None:
    pair, line = answered
    payload = envelope.from_line(line).payload.replace(b'"v":1', b'"v":1,"v":1')
    assert refused(pair.german, packed([pair.polish.sign(payload)])) == (
        "canonical.form: expected the canonical form of RFC 8785, got another spelling of the same value"
    )


@pytest.mark.plan("A15")
@pytest.mark.parametrize("unit", ["РL-1", "PL-1\u200b", "PL-\u0661", "ＰL-1", "PL-1\n", "e\u0301"])
def test_a_unit_whose_name_only_looks_right_is_refused(answered: tuple[Pair, bytes], unit: str) -> None:
    """Look-alike letters, invisible characters, other digits, decomposed accents in a signed answer."""
    pair, line = answered
    said = payload_of(line)
    said["body"]["value"]["placed"][0]["unit"] = unit
    told = refused(pair.german, packed([pair.polish.sign(said)]), "refused", "tallies")
    assert re.match(r"answer.form: expected an answer to 'polish_setup', got a wrong 'placed\.0\.unit'", told)
    assert unit not in told


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"surplus": 1}, "answer.form: expected an answer to 'polish_setup', got a wrong 'surplus'"),
        ({"placed": True}, "answer.form: expected an answer to 'polish_setup', got a wrong 'placed'"),
        ({"placed": 2**53 - 1}, "answer.form: expected an answer to 'polish_setup', got a wrong 'placed'"),
        ({"placed": [[]]}, "answer.form: expected an answer to 'polish_setup', got a wrong 'placed.0'"),
    ],
)
def test_an_answer_of_another_form_is_refused(
    answered: tuple[Pair, bytes], change: dict[str, Any], reason: str
) -> None:
    pair, line = answered
    said = payload_of(line)
    said["body"]["value"] |= change
    assert refused(pair.german, packed([pair.polish.sign(said)]), "refused", "tallies").startswith(reason)


def test_an_answer_to_another_question_is_refused(answered: tuple[Pair, bytes]) -> None:
    pair, _ = answered
    body = Answer(ask="activation", value={"orders": []})
    line = pair.polish.sign(pair.german.here(body, role=pair.polish.role))
    assert refused(pair.german, packed([line]), "refused", "tallies") == (
        "place.ask: expected an answer to 'polish_setup' at step 2, got one to 'activation'"
    )


@pytest.mark.parametrize("ending", [b"\r\n", b"\n\n", b"\x0b\n"])
def test_line_ends_of_another_system_inside_the_bundle_are_refused(answered: tuple[Pair, bytes], ending: bytes) -> None:
    """The armour protects the bundle, so that nothing honest can change a line end in it."""
    pair, line = answered
    text = bundle.write("turn", (), [line]).replace(b"\n", ending)
    assert refused(pair.german, armoured(text)).startswith(("bundle.form", "envelope.form", "canonical."))


@pytest.mark.parametrize("contents", ["archive", "evidence"])
def test_a_bundle_of_another_kind_in_a_turn_file_is_read_line_by_line(
    answered: tuple[Pair, bytes], contents: bundle.Contents
) -> None:
    """What a bundle calls itself gives its lines no right: they are verified like any other."""
    pair, line = answered
    said = {**payload_of(line), "prev": "00" * 32}
    forged = armoured(bundle.write(contents, (), [pair.polish.sign(said)]))
    assert refused(pair.german, forged, "refused", "tallies").startswith("import.overtaken")

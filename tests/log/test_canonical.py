"""One value has one encoding, and what other parsers forgive is refused (`pbem.log.canonical`, `pbem.log.event`)."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

import orjson
import pydantic_core
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.errors import BadEvidence, BadRequest
from pbem.log import canonical, event
from pbem.log.event import Answer

from .builders import GERMAN, new_game, player

TABLE = json.loads((Path(__file__).parents[2] / "fixtures" / "vectors" / "canonical-parsers.json").read_text("ascii"))
PARSERS: dict[str, Callable[[bytes], Any]] = {
    "json": json.loads,
    "orjson": orjson.loads,
    "pydantic": pydantic_core.from_json,
}

texts = st.text(st.characters(codec="utf-8"), max_size=20)
keys_ = st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=8)
values = st.recursive(
    st.none() | st.booleans() | st.integers(-canonical.MAX_INT, canonical.MAX_INT) | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(keys_, inner, max_size=4),
    max_leaves=12,
)


def reading(parser: str, data: bytes) -> str:
    """What a parser makes of bytes: the value as Python writes it, or `refused`."""
    try:
        return repr(PARSERS[parser](data))
    except (ValueError, RecursionError):
        return "refused"


@given(values)
def test_what_is_encoded_decodes_to_the_same_value(value: Any) -> None:
    assert canonical.decode(canonical.encode(value)) == value


@given(values)
def test_the_bytes_are_those_of_the_standard_library(value: Any) -> None:
    """RFC 8785 3.2: sorted keys, no blanks, shortest escapes; with ASCII keys that is what `json` can write too."""
    written = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert canonical.encode(value) == written.encode()


@given(st.binary(max_size=40) | texts.map(str.encode) | values.map(lambda value: json.dumps(value).encode()))
def test_whatever_decodes_is_its_own_encoding(data: bytes) -> None:
    try:
        value = canonical.decode(data)
    except BadEvidence:
        return
    assert canonical.encode(value) == data


@pytest.mark.plan("A13", "A14")
@pytest.mark.parametrize("row", TABLE["cases"], ids=lambda row: row["what"])
def test_what_parsers_accept_is_refused_here(row: dict[str, str]) -> None:
    with pytest.raises(BadEvidence):
        canonical.decode(bytes.fromhex(row["bytes"]))


@pytest.mark.plan("A13", "A14")
@pytest.mark.parametrize("parser", PARSERS)
def test_the_table_says_what_these_parsers_do(parser: str) -> None:
    package = {"json": "", "orjson": "orjson", "pydantic": "pydantic-core"}[parser]
    if package and version(package) != TABLE["versions"][parser]:
        pytest.skip(f"the table was made with {parser} {TABLE['versions'][parser]}")
    measured = {row["what"]: reading(parser, bytes.fromhex(row["bytes"])) for row in TABLE["cases"]}
    assert measured == {row["what"]: row[parser] for row in TABLE["cases"]}


@pytest.mark.plan("A13")
def test_parsers_do_differ() -> None:
    """The reason for this module: of the bytes refused here, every parser accepts some and none accepts the same."""
    accepted = {parser: {row["what"] for row in TABLE["cases"] if row[parser] != "refused"} for parser in PARSERS}
    assert all("a key twice" in found for found in accepted.values())
    assert len({frozenset(found) for found in accepted.values()}) > 1


@pytest.mark.plan("A14")
def test_thirty_digits_become_a_float_in_orjson() -> None:
    assert type(orjson.loads(b"123456789012345678901234567890")) is float


@pytest.mark.plan("A14")
@pytest.mark.parametrize("number", [2**53 - 1, -(2**53) + 1])
def test_the_largest_integers_are_read(number: int) -> None:
    assert canonical.decode(str(number).encode()) == number


@pytest.mark.plan("A16")
def test_depth_is_bounded_before_anything_is_parsed() -> None:
    with pytest.raises(BadEvidence, match="at most 16 levels"):
        canonical.decode(b"[" * 60_000)


@pytest.mark.plan("A16")
def test_brackets_in_strings_are_no_depth() -> None:
    assert canonical.decode(b'"' + b"[{" * 30 + b'"') == "[{" * 30


@pytest.mark.plan("A16")
def test_an_open_string_of_escapes_costs_no_time() -> None:
    begin = time.perf_counter()
    with pytest.raises(BadEvidence):
        canonical.decode(b"[" * 17 + b'"' + b'\\"' * 30_000)
    assert time.perf_counter() - begin < 0.5


@pytest.mark.plan("A16")
def test_size_is_bounded_before_anything_is_parsed() -> None:
    with pytest.raises(BadEvidence) as caught:
        canonical.decode(b"x" * (canonical.MAX_BYTES + 1))
    assert str(caught.value) == "canonical.too_long: expected at most 65536 bytes, got 65537"


@pytest.mark.plan("A16")
def test_nobody_signs_what_nobody_could_read() -> None:
    body = Answer(ask="move", value={"note": "x" * canonical.MAX_BYTES})
    with pytest.raises(BadRequest) as caught:
        event.write(new_game().event(GERMAN, body))
    assert (str(caught.value), caught.value.hint) == (
        "event.too_long: expected an event of at most 65536 bytes, got one of 65865",
        "say less in it",
    )


@pytest.mark.parametrize("value", [1.5, 2**53, b"x", {1: 2}, {"\u0430": 1}, "\ud800", {1, 2}, {"\n": 1}])
def test_what_has_no_canonical_form_is_a_bug_of_the_caller(value: object) -> None:
    with pytest.raises(ValueError, match=r"expected|surrogates"):
        canonical.encode(value)


def test_nesting_that_no_reader_accepts_is_a_bug_of_the_caller() -> None:
    value: list[Any] = []
    for _ in range(canonical.MAX_DEPTH):
        value = [value]
    with pytest.raises(ValueError, match="at most 16 levels"):
        canonical.encode(value)


@pytest.mark.plan("A15")
@pytest.mark.parametrize(
    "role",
    [
        "germ\u0430n",  # a Cyrillic letter
        "ge\u0301rman",  # a letter with a combining accent
        "German",
        "german ",
        "german\n",
        "",
        "g" * 21,
        "\uff47erman",  # full width
    ],
)
def test_role_names_are_plain_ascii(role: str) -> None:
    said = json.loads(event.write(new_game().event(GERMAN, Answer(ask="move", value={}))))
    with pytest.raises(BadEvidence, match="got a wrong 'role'"):
        event.read(canonical.encode({**said, "role": role}))


@pytest.mark.plan("A15")
@pytest.mark.parametrize("name", ["Łódź", "a b", "../a", "a\n", "1st", "a" * 41, "a/b", "a\u200bb"])
@pytest.mark.parametrize("field", ["ask", "scenario", "options", "ruleset"])
def test_names_are_plain_ascii_and_never_normalised(name: str, field: str) -> None:
    game = new_game()
    if field == "ask":
        said = json.loads(event.write(game.event(GERMAN, Answer(ask="move", value={}))))
        said["body"]["ask"] = name
    else:
        said = json.loads(event.write(game.steps[0][0].event))
        wrong = {"scenario": name, "options": {name: 1}, "ruleset": {**said["body"]["ruleset"], "name": name}}
        said["body"][field] = wrong[field]
    data = json.dumps(said, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
    with pytest.raises(BadEvidence):
        event.read(data)


def test_a_newer_event_is_told_apart_from_a_damaged_one() -> None:
    said = json.loads(event.write(new_game().event(GERMAN, Answer(ask="move", value={}))))
    with pytest.raises(BadEvidence) as caught:
        event.read(canonical.encode({**said, "v": 2, "new": "field"}))
    assert (str(caught.value), caught.value.hint) == (
        "event.version: expected an event of version 1, which this program reads, got version 2",
        "ask for a newer pbem: the log itself is not damaged",
    )


def test_names_in_messages_are_short_and_escaped() -> None:
    said = json.loads(event.write(new_game().event(GERMAN, Answer(ask="move", value={}))))
    with pytest.raises(BadEvidence) as caught:
        event.read(canonical.encode({**said, "x" * 60_000: 1}))
    assert len(caught.value.text) < 200


def test_the_show_keys_are_not_secret() -> None:
    assert player(GERMAN).key == player(GERMAN).key != player(GERMAN, "stranger").key

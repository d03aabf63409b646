"""Canonical bytes: RFC 8785 (JCS) narrowed to ASCII keys and integers, so that one value has one encoding.

Parsers differ in what they forgive (duplicate keys, `1e0`, a byte order mark, escapes in keys). Here
nothing is forgiven: what does not encode to the very bytes that came is refused.
"""

from __future__ import annotations

import re
from typing import Any

import orjson

from pbem.errors import BadEvidence

MAX_BYTES = 65_536
MAX_DEPTH = 16
MAX_INT = 2**53 - 1
_TOO_DEEP = f"expected at most {MAX_DEPTH} levels of nesting, got more"

_STRINGS = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"?', re.DOTALL)  # an unclosed one is taken whole: time stays linear
_ODD_NUMBER = re.compile(rb"[:,\[]-?[0-9]+(?:[.eE]|(?<=[0-9]{16}))")  # in an object a number stands behind these
_BRACKETS = re.compile(rb"[\[\]{}]")


def encode(value: Any) -> bytes:
    """The canonical bytes of a value of dicts, lists, tuples, strings, integers, booleans and None.

    Raises ValueError for anything else: that is a bug of the caller, not bad input.
    """
    problem = _problem(value)
    if problem:
        raise ValueError(problem)
    try:
        data = orjson.dumps(value, option=orjson.OPT_SORT_KEYS)
    except orjson.JSONEncodeError as error:
        raise ValueError(str(error)) from None
    if _too_deep(data):
        raise ValueError(_TOO_DEEP)
    return data


def decode(data: bytes) -> Any:
    """The value of canonical bytes; BadEvidence `canonical.…` for any bytes that are not their own encoding."""
    if len(data) > MAX_BYTES:
        raise BadEvidence("canonical.too_long", f"expected at most {MAX_BYTES} bytes, got {len(data)}")
    if _too_deep(data):
        raise BadEvidence("canonical.too_deep", _TOO_DEEP)
    try:
        value = orjson.loads(data)
    except orjson.JSONDecodeError as error:
        raise BadEvidence("canonical.not_json", f"expected JSON, got something else ({error})") from None
    problem = "" if _is_plain(data) else _problem(value)
    if problem:
        raise BadEvidence("canonical.value", problem)
    if orjson.dumps(value, option=orjson.OPT_SORT_KEYS) != data:
        raise BadEvidence(
            "canonical.form",
            "expected the canonical form of RFC 8785, got another spelling of the same value",
        )
    return value


def _is_plain(data: bytes) -> bool:
    """Whether an object surely holds no float, long integer or strange key; if not, the value itself is looked at."""
    plain = data[:1] == b"{" and data.isascii() and b"\\" not in data and b"\x7f" not in data
    return plain and _ODD_NUMBER.search(data) is None


def _too_deep(data: bytes) -> bool:
    if data.count(b"[") + data.count(b"{") <= MAX_DEPTH:
        return False
    depth = 0
    for bracket in _BRACKETS.findall(_STRINGS.sub(b"", data)):
        depth += 1 if bracket in b"[{" else -1
        if depth > MAX_DEPTH:
            return True
    return False


def _problem(value: Any) -> str:
    """Why a value has no canonical form here, or an empty string."""
    kind = type(value)
    if kind is str or kind is bool or value is None:
        return ""
    if kind is int:
        return "" if -MAX_INT <= value <= MAX_INT else f"expected an integer within 2^53 - 1, got {value}"
    if kind is dict:
        return _problem_of_keys(value) or _first_problem(value.values())
    if kind is list or kind is tuple:
        return _first_problem(value)
    return f"expected text, integer, list or object, got {kind.__name__}"


def _problem_of_keys(value: dict[Any, Any]) -> str:
    for key in value:
        if type(key) is not str or not key.isascii() or not key.isprintable():
            return f"expected printable ASCII keys, got {str(key)[:40]!a}"
    return ""


def _first_problem(values: Any) -> str:
    for item in values:
        if problem := _problem(item):
            return problem
    return ""

"""What is wrong with a form, in words of our own: those of the library that reads forms change with its versions.

Left out is what a field is called to a player: a path is that of the written form (`dice.0.faces`).
"""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import ValidationError

_WORDS: Mapping[str, str] = {
    "missing": "it is missing",
    "extra_forbidden": "there is no such field",
    "int_type": "it is no whole number",
    "bool_type": "it is neither true nor false",
    "string_type": "it is no text",
    "list_type": "it is no list",
    "tuple_type": "it is no list",
    "dict_type": "it is no object",
    "model_type": "it is no object",
    "model_attributes_type": "it is no object",
    "none_required": "it is not null",
    "greater_than_equal": "it is less than {ge}",
    "less_than_equal": "it is more than {le}",
    "too_short": "it has fewer entries than {min_length}",
    "too_long": "it has more entries than {max_length}",
    "string_too_long": "it is longer than {max_length} characters",
    "string_pattern_mismatch": "it is not of the form {pattern}",
    "literal_error": "it can be: {expected}",
    "union_tag_not_found": "it does not say what it is",
    "union_tag_invalid": "it can be: {expected_tags}",
    "value_error": "{error}",
}
"""By the kind of the fault; what is put in comes from the form that was expected, never from what was read."""
_OTHER = "it does not fit"


def first_problem(error: ValidationError) -> tuple[str, str]:
    """The path of the first field that is wrong, empty for the whole form, and what is wrong with it."""
    first = error.errors(include_url=False, include_input=False)[0]
    words = _WORDS.get(first["type"], _OTHER)
    expected = first.get("ctx", {})
    return ".".join(str(part) for part in first["loc"]), words.format_map(expected).replace("' or '", "', '")

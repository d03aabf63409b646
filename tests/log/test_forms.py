"""The words for what is wrong with a form: one case for each, whatever the library that reads forms calls it."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import pytest
from pydantic import (
    BaseModel,
    ConfigDict,
    Discriminator,
    Field,
    StringConstraints,
    Tag,
    ValidationError,
    field_validator,
)

from pbem.log.forms import first_problem


class Part(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid")
    number: Annotated[int, Field(ge=1, le=6)] = 1


class Form(Part):
    flag: bool = True
    text: Annotated[str, StringConstraints(max_length=3, pattern="^[A-Z]*$")] = ""
    faces: Annotated[list[int], Field(min_length=1, max_length=2)] = Field(default_factory=lambda: [1])
    pair: tuple[int, int] = (1, 2)
    table: dict[str, int] = Field(default_factory=dict)
    part: Part = Part()
    remedy: Literal["claim", "worst"] = "claim"
    nothing: None = None
    either: Annotated[
        Annotated[Part, Tag("roll")] | Annotated[Form, Tag("opening")],
        Discriminator(lambda read: read.get("what") if isinstance(read, dict) else None),
    ] = Part()
    real: float = 0.5

    @field_validator("number")
    @classmethod
    def _no_five(cls, number: int) -> int:
        if number == 5:
            raise ValueError("a five is never rolled here")
        return number


class Needing(BaseModel):
    dice: list[Form]


@pytest.mark.parametrize(("read", "told"), [
    ({"spy": 1}, ("spy", "there is no such field")),
    ({"number": "1"}, ("number", "it is no whole number")),
    ({"number": 0}, ("number", "it is less than 1")),
    ({"number": 7}, ("number", "it is more than 6")),
    ({"number": 5}, ("number", "a five is never rolled here")),
    ({"flag": 1}, ("flag", "it is neither true nor false")),
    ({"text": 1}, ("text", "it is no text")),
    ({"text": "ABCD"}, ("text", "it is longer than 3 characters")),
    ({"text": "a"}, ("text", "it is not of the form ^[A-Z]*$")),
    ({"faces": 1}, ("faces", "it is no list")),
    ({"faces": []}, ("faces", "it has fewer entries than 1")),
    ({"faces": [1, 2, 3]}, ("faces", "it has more entries than 2")),
    ({"faces": [1, None]}, ("faces.1", "it is no whole number")),
    ({"pair": 1}, ("pair", "it is no list")),
    ({"table": 1}, ("table", "it is no object")),
    ({"part": 1}, ("part", "it is no object")),
    ({"remedy": "draw"}, ("remedy", "it can be: 'claim', 'worst'")),
    ({"nothing": 1}, ("nothing", "it is not null")),
    ({"either": {}}, ("either", "it does not say what it is")),
    ({"either": {"what": "spy"}}, ("either", "it can be: 'roll', 'opening'")),
    ({"real": "1"}, ("real", "it does not fit")),
    (1, ("", "it is no object")),
])  # fmt: skip
def test_what_is_wrong_is_told_in_our_words(read: Any, told: tuple[str, str]) -> None:
    with pytest.raises(ValidationError) as caught:
        Form.model_validate(read)
    assert first_problem(caught.value) == told


def test_a_field_that_is_missing_is_told_with_its_place() -> None:
    with pytest.raises(ValidationError) as caught:
        Needing.model_validate({})
    assert first_problem(caught.value) == ("dice", "it is missing")
    with pytest.raises(ValidationError) as caught:
        Needing.model_validate({"dice": [{}, {"number": 9}]})
    assert first_problem(caught.value) == ("dice.1.number", "it is more than 6")

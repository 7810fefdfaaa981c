"""How types and bounds read."""

from typing import Annotated, Any, Literal

import pytest
from pydantic import Field

from webquarry.models.base import Model
from webquarry.models.search_args import QueryText, Short
from webquarry.reference.kinds import limits, models_in, optional, remarks, spoken


class Inner(Model):
    """Something inside."""

    word: str = ""


class Outer(Model):
    """Something with everything."""

    query: QueryText
    short: Short | None = None
    choice: Literal["a", "b"] = "a"
    many: Annotated[tuple[Annotated[str, Field(max_length=9)], ...], Field(max_length=3)] = ()
    count: int | None = Field(default=None, ge=1, le=1000)
    share: float = Field(default=0.5, gt=0)
    inner: list[Inner] | None = None  # what is inside
    by_name: dict[str, Inner] = Field(default_factory=dict)
    value: int | str | None = None
    anything: Any = None


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("query", "string"),
        ("short", "string"),
        ("choice", "`a` · `b`"),
        ("many", "list of string"),
        ("count", "integer"),
        ("share", "number"),
        ("inner", "list of Inner"),
        ("by_name", "object of Inner"),
        ("value", "integer or string"),
        ("anything", "any"),
    ],
)
def test_a_type_reads_as_json_people_speak(name: str, words: str) -> None:
    assert spoken(Outer.model_fields[name].annotation, {Inner: "Inner"}) == words


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("query", "1 to 500 characters"),
        ("short", "at most 2,000 characters"),
        ("choice", ""),
        ("many", "at most 3 items; each at most 9 characters"),
        ("count", "1 to 1,000"),
        ("share", "above 0"),
    ],
)
def test_bounds_are_told_those_of_validators_included(name: str, words: str) -> None:
    assert limits(Outer.model_fields[name]) == words


def test_what_may_be_absent_is_known() -> None:
    assert [name for name, field in Outer.model_fields.items() if optional(field)] == [
        "short", "count", "inner", "value",
    ]  # fmt: skip


def test_models_are_found_inside_lists_and_objects() -> None:
    fields = Outer.model_fields
    found = [list(models_in(fields[name].annotation)) for name in ("inner", "by_name", "query")]

    assert found == [[Inner], [Inner], []]


def test_a_comment_beside_a_field_is_a_remark_about_it() -> None:
    assert remarks(Outer) == {"inner": "what is inside"}

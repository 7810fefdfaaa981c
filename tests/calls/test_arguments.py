from typing import Any, Literal

import pytest
from pydantic import Field

from webquarry.calls.arguments import parse_arguments
from webquarry.calls.field_types import SafeText
from webquarry.calls.tool import Call, tool
from webquarry.errors import BadInputError
from webquarry.models.model import Model


class Size(Model):
    width: int


class In(Model):
    query: str = Field(min_length=1, max_length=10)
    count: int = Field(default=5, ge=1, le=10)
    exact: bool = False
    tags: tuple[str, ...] = Field(default=("t",), min_length=1, max_length=2)
    order: Literal["new", "old"] = "new"
    size: Size | None = None
    name: SafeText = ""


@tool("web")
async def search(args: In, _: Call) -> In:
    """Search."""
    return args


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "search: query: is required"),
        ({"query": ""}, 'search: query: must have at least 1 character, got ""'),
        ({"query": 7}, "search: query: must be text, got 7"),
        ({"query": "a", "count": "many"}, 'search: count: must be a whole number, got "many"'),
        ({"query": "a", "count": 99},
         "search: count: must be at most 10, got 99"),
        ({"query": "a", "qount": 1}, "search: qount: no such argument, did you mean count?"),
        ({"query": "a", "zzz": 1},
         "search: zzz: no such argument, it takes query, count, exact, tags, order, size, name"),
        ({"query": "a", "tags": "x"}, 'search: tags: must be a list, got "x"'),
        ({"query": "a", "size": {"width": None}},
         "search: size.width: must be a whole number, got null"),
        ({"query": "a", "name": "a;b"}, "search: name: contains ';'; remove these characters"),
        ({"query": "a", "size": 3}, "search: size: must be an object, got 3"),
        ({"query": "a", "tags": ()}, "search: tags: must have at least 1 item, got []"),
        ({"query": "a", "tags": ("a", "b", "c")},
         'search: tags: must have at most 2 items, got ["a","b","c"]'),
        ({"query": "a", "order": "up"},
         "search: order: must be 'new' or 'old', got \"up\""),
        ([1], "search: arguments must be an object of named values"),
        ({"count": 0}, "search: query: is required; count: must be at least 1, got 0"),
    ],
)  # fmt: skip
def test_a_mistake_is_explained_by_field_problem_and_fix(arguments: Any, message: str) -> None:
    with pytest.raises(BadInputError) as caught:
        parse_arguments(search, arguments)

    assert str(caught.value) == message


def test_the_error_block_lists_the_fields() -> None:
    with pytest.raises(BadInputError) as caught:
        parse_arguments(search, {"count": 0, "zzz": 1})

    assert caught.value.block() == {
        "kind": "validation",
        "retryable": False,
        "suggestedAction": "fix_arguments",
        "fields": ["count", "query", "zzz"],
    }


def test_numbers_written_as_text_are_understood() -> None:
    assert parse_arguments(search, {"query": "a", "count": "7", "exact": "true"}) == In(
        query="a", count=7, exact=True
    )


def test_a_long_wrong_value_is_shown_in_part() -> None:
    with pytest.raises(BadInputError, match=r"got \[0,1,2.{0,60}…$"):
        parse_arguments(search, {"query": list(range(100))})


def test_absent_arguments_are_an_empty_object() -> None:
    with pytest.raises(BadInputError, match="query: is required"):
        parse_arguments(search, None)

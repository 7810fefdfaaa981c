"""What a prompt asks for, without a schema."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webquarry.content.fields.prompt_schema import schema_from_prompt


@pytest.mark.parametrize(
    ("prompt", "names"),
    [
        ("Extract the price and the rating", ["price", "rating"]),
        ("title, author, published date", ["author", "publishedDate", "title"]),
        ("<", []),
        ("\U000a0199<\U000db4d8", []),
        ("", []),
    ],
)
def test_the_things_a_prompt_names_are_fields(prompt: str, names: list[str]) -> None:
    found = schema_from_prompt(prompt)

    assert sorted((found or {}).get("properties", {})) == names


@given(st.text(max_size=120))
def test_any_prompt_is_accepted(prompt: str) -> None:
    found = schema_from_prompt(prompt)

    assert found is None or _named(found)


def _named(schema: dict[str, Any]) -> bool:
    return bool(schema["properties"]) and all(schema["properties"])

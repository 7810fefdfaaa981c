"""Schemas in two lengths."""

from typing import Annotated

import pytest
from pydantic import Field

from webquarry.models.model import Model
from webquarry.models.short_schemas import ShortSchema, field_names_schema, full_schemas


class Owl(Model):
    name: Annotated[str, Field(min_length=2, max_length=9), ShortSchema(type="string")] = Field(
        description="Its name."
    )
    age: int | None = None


def test_a_brief_schema_leaves_out_the_bounds() -> None:
    assert Owl.model_json_schema()["properties"]["name"] == {
        "description": "Its name.", "title": "Name", "type": "string"
    }  # fmt: skip


def test_a_whole_schema_has_them_and_only_within_the_block() -> None:
    with full_schemas():
        whole = Owl.model_json_schema()["properties"]["name"]

    assert whole == {
        "description": "Its name.", "title": "Name", "type": "string",
        "minLength": 2, "maxLength": 9,
    }  # fmt: skip
    assert "minLength" not in Owl.model_json_schema()["properties"]["name"]


def test_the_bounds_hold_either_way() -> None:
    with pytest.raises(ValueError, match="at least 2"):
        Owl(name="x")


def test_names_may_be_all_there_is() -> None:
    assert field_names_schema(Owl, age="years") == {
        "type": "object", "properties": {"name": {}, "age": {"description": "years"}}
    }  # fmt: skip
    with pytest.raises(TypeError, match="colour"):
        field_names_schema(Owl, colour="brown")

from collections.abc import Callable
from typing import Literal

import pytest
from pydantic import Field

from webquarry.calls.tool import ToolAnnotations
from webquarry.calls.tool_schema import SchemaError, input_schema, output_schema, without_required
from webquarry.models.model import Model


class Point(Model):
    """A docstring for us, not for callers."""

    x: int
    y: int = 0


class Shape(Model):
    name: str = Field(description="What it is.")
    kind: Literal["open", "closed"] = "open"
    centre: Point | None = Field(default=None, description="The middle.")
    tags: tuple[str, ...] = ()


class Line(Model):
    start: Point
    end: Point


class Tree(Model):
    title: str  # a field named like the noise that is dropped
    children: "tuple[Tree, ...]" = ()


def test_an_input_schema_says_only_what_a_caller_needs() -> None:
    assert input_schema(Shape) == {
        "type": "object",
        "additionalProperties": False,
        "properties": {
            "name": {"type": "string", "description": "What it is."},
            "kind": {"type": "string", "enum": ["open", "closed"], "default": "open"},
            "centre": {
                "type": "object",
                "additionalProperties": False,
                "description": "The middle.",
                "properties": {"x": {"type": "integer"}, "y": {"type": "integer", "default": 0}},
                "required": ["x"],
            },
            "tags": {"type": "array", "items": {"type": "string"}},
        },
        "required": ["name"],
    }


@pytest.mark.parametrize(
    ("annotations", "wire"),
    [
        (ToolAnnotations(), {"readOnlyHint": True}),
        (ToolAnnotations(idempotent=False, open_world=False),
         {"readOnlyHint": True, "openWorldHint": False}),
        (ToolAnnotations(read_only=False), {"destructiveHint": False, "idempotentHint": True}),
        (ToolAnnotations(read_only=False, idempotent=False, open_world=False),
         {"destructiveHint": False, "idempotentHint": False, "openWorldHint": False}),
    ],
)  # fmt: skip
def test_hints_without_a_meaning_are_left_out(
    annotations: ToolAnnotations, wire: dict[str, bool]
) -> None:
    assert annotations.wire() == wire


def test_a_model_used_twice_is_defined_once() -> None:
    schema = output_schema(Line)

    assert schema["properties"] == {
        "start": {"$ref": "#/$defs/Point"},
        "end": {"$ref": "#/$defs/Point"},
    }
    assert list(schema["$defs"]) == ["Point"]


def test_a_recursive_model_keeps_its_definition() -> None:
    schema = output_schema(Tree)

    assert schema["$defs"]["Tree"]["properties"] == {
        "title": {"type": "string"},
        "children": {"type": "array", "items": {"$ref": "#/$defs/Tree"}},
    }


def test_a_result_that_may_be_linked_promises_no_field() -> None:
    assert "required" not in without_required(output_schema(Line))


def test_a_model_without_fields_still_has_properties() -> None:
    class Nothing(Model):
        pass

    assert input_schema(Nothing) == {
        "type": "object",
        "additionalProperties": False,
        "properties": {},
    }


def test_a_type_json_cannot_carry_is_refused() -> None:
    class Bad(Model):
        hook: Callable[[int], int]

    with pytest.raises(SchemaError, match="Bad has a field JSON Schema cannot express"):
        input_schema(Bad)

"""Input schemas stay inside what the large clients accept; one refused schema loses the server.

The union of the rules of OpenAI function calling (strict and not), the Gemini API's `Schema`,
Anthropic's tool use and VS Code. Where two of them contradict each other (`additionalProperties`
is required by OpenAI strict and unknown to older Gemini releases), clients convert it themselves.
"""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from pydantic import Field

from tests.support import CallHarness
from webquarry.calls.tool import AnyTool, Call, tool
from webquarry.models.model import Model
from webquarry.tools import load_tools

pytestmark = pytest.mark.anyio

Json = dict[str, Any]
TOOLS = load_tools()
NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")  # OpenAI; Gemini and Anthropic allow more
TYPES = {"string", "integer", "number", "boolean", "array", "object"}  # Gemini: exactly one
KEYWORDS = {
    "type", "description", "properties", "required", "items", "enum", "default",
    "additionalProperties", "minimum", "maximum", "exclusiveMinimum", "minItems", "maxItems",
    "pattern",
}  # fmt: skip
# arguments whose value is a JSON Schema: it has no fixed fields, so it cannot be strict
FREE_FORM = {("cinder_extract", "schema"), ("structured_search", "schema")}
MAX_DEPTH = 5  # OpenAI strict
MAX_PROPERTIES = 100  # OpenAI strict, all levels of one tool together
MAX_ENUM = 500  # OpenAI strict
MAX_DESCRIPTION = 1024  # OpenAI: of the function


def nodes(schema: Json, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Json]]:
    """Yield every schema below, with the names that lead to it."""
    yield path, schema
    for name, below in schema.get("properties", {}).items():
        yield from nodes(below, (*path, name))
    if "items" in schema:
        yield from nodes(schema["items"], (*path, "[]"))


def problems_of(node: Json) -> list[str]:
    """Return what a client would refuse in one schema."""
    kind = node.get("type")
    found = [f"keyword {name}" for name in sorted(node.keys() - KEYWORDS)]
    if kind not in TYPES:
        found.append(f"type {kind!r}")
    if kind == "array" and "items" not in node:
        found.append("an array without items")
    if kind == "object" and "properties" not in node:
        found.append("an object without properties")
    if "enum" in node:
        values = node["enum"]
        if kind != "string" or not values or len(values) > MAX_ENUM:
            found.append("an enum that is not of strings")
        if not all(isinstance(value, str) and value for value in values):
            found.append("an enum with an empty or other value")
    return found


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_every_client_accepts_the_schema(tool: AnyTool) -> None:
    schema = tool.definition()["inputSchema"]

    problems = {
        ".".join(path) or "arguments": found
        for path, node in nodes(schema)
        if (found := problems_of(node))
    }
    assert problems == {}
    assert schema["type"] == "object"


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_an_object_is_closed_and_has_properties(tool: AnyTool) -> None:
    schema = tool.definition()["inputSchema"]
    objects = {path: node for path, node in nodes(schema) if node["type"] == "object"}

    empty = {path for path, node in objects.items() if not node["properties"]}
    open_ones = {
        (tool.name, *path)
        for path, node in objects.items()
        if node.get("additionalProperties") is not False
    }

    assert empty <= {()}, "Gemini refuses nested objects without properties"
    assert open_ones <= FREE_FORM, "OpenAI strict needs additionalProperties: false"


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_names_and_sizes_are_allowed(tool: AnyTool) -> None:
    schema = tool.definition()["inputSchema"]
    paths = [path for path, _ in nodes(schema)]
    names = {name for path in paths for name in path if name != "[]"}

    assert all(NAME.fullmatch(name) for name in {tool.name, *names})
    assert max(len(path) for path in paths) < MAX_DEPTH
    assert sum(len(node.get("properties", {})) for _, node in nodes(schema)) <= MAX_PROPERTIES
    assert len(tool.description) <= MAX_DESCRIPTION
    assert set(schema.get("required", ())) <= schema["properties"].keys()


class Part(Model):
    name: str
    note: str | None = None


class OptionalIn(Model):
    query: str = Field(min_length=1)
    count: int = 5
    safe: bool = True
    lens: str | None = None
    tags: tuple[str, ...] = ()
    parts: tuple[Part, ...] | None = None
    part: Part | None = None
    form: dict[str, Any] | None = Field(default=None, alias="schema")


class OptionalOut(Model):
    given: dict[str, Any]


@tool("web")
async def optional(args: OptionalIn, _: Call) -> OptionalOut:
    """Return what was given."""
    return OptionalOut(given=args.model_dump(exclude_unset=True, by_alias=True))


@pytest.mark.parametrize("blank", [None, "", "  "])
async def test_null_and_blank_optional_arguments_are_not_given(blank: str | None) -> None:
    # OpenAI strict makes every argument required, so models send null for what they leave out
    arguments = {
        "query": "owls", "count": blank, "safe": blank, "lens": blank, "tags": blank,
        "parts": [{"name": "beak", "note": blank}], "part": blank, "schema": blank,
    }  # fmt: skip

    result = await CallHarness((optional,)).call("optional", arguments)

    assert result.structured == {"given": {"query": "owls", "parts": [{"name": "beak"}]}}


async def test_a_json_schema_keeps_its_nulls_and_blanks() -> None:
    form = {"type": "object", "default": None, "title": ""}

    result = await CallHarness((optional,)).call("optional", {"query": "owls", "schema": form})

    assert result.structured == {"given": {"query": "owls", "schema": form}}


async def test_a_required_argument_must_still_be_given() -> None:
    harness = CallHarness((optional,))

    missing = await harness.call("optional", {"query": None})
    blank = await harness.call("optional", {"query": ""})

    assert missing.problem is not None
    assert missing.problem.message == "optional: query: must be text, got null"
    assert blank.problem is not None
    assert blank.problem.message == 'optional: query: must have at least 1 character, got ""'


@pytest.mark.parametrize(
    ("name", "arguments", "fields"),
    [
        ("academic_search", {"query": "owls", "year_from": 1800}, ["year_from"]),
        ("academic_search", {"query": "owls", "year_from": 2020, "year_to": 2010},
         ["year_from", "year_to"]),
        ("patent_search", {"query": "owls", "year_to": 3}, ["year_to"]),
        ("patent_search", {}, ["assignee", "inventor", "query"]),
        ("local_search", {"query": "cafe", "latitude": 1}, ["latitude", "longitude"]),
        ("legal_search", {"query": "owls", "date_from": "2020-01-01", "date_to": "2019-01-01"},
         ["date_from", "date_to"]),
    ],
)  # fmt: skip
async def test_an_error_about_several_arguments_names_them(
    name: str, arguments: Json, fields: list[str]
) -> None:
    result = await CallHarness(tuple(TOOLS)).call(name, arguments)

    assert result.problem is not None
    assert result.problem.block["fields"] == fields


@pytest.mark.parametrize("query", ["   ", "\t\n", "\u3000"])
async def test_a_query_of_spaces_is_refused_by_every_tool(query: str) -> None:
    harness = CallHarness(tuple(TOOLS))
    tools = [
        tool for tool in TOOLS if "query" in tool.definition()["inputSchema"].get("required", ())
    ]

    messages = {tool.name: await harness.call(tool.name, {"query": query}) for tool in tools}

    assert len(tools) > 10
    assert [name for name, result in messages.items() if result.problem is None
            or result.problem.block["fields"] != ["query"]] == []  # fmt: skip

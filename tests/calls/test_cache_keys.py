"""Two calls that could have different results never share a cached one, in any tool."""

from typing import Any

import pytest

from tests.support import ALICE, CallHarness
from webquarry.calls.tool import AnyTool
from webquarry.tools import load_tools

CACHED = [tool for tool in load_tools() if tool.options.cache]
# what changes how much of a result is sent, never the result
NEUTRAL = {"max_tokens", "cursor", "sessionId"}
SAMPLES: dict[str, tuple[Any, Any]] = {
    "boolean": (False, True),
    "integer": (1, 2),
    "number": (1.5, 2.5),
    "string": ("a", "b"),
    "array": (["a"], ["b"]),
    "object": ({"a": 1}, {"a": 2}),
}
# sample values have the right type only, which a key does not mind
pytestmark = pytest.mark.filterwarnings("ignore:Pydantic serializer warnings")


def _key(tool: AnyTool, values: dict[str, Any]) -> str:
    assert tool.options.cache is not None
    args = tool.input_model.model_construct(**values)
    # what makes the keys of all tools has no public name, and must be seen without running them
    make: Any = CallHarness((tool,)).path._cache_key  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
    return str(make(tool, tool.options.cache, args, ALICE))


def _two_values(schema: dict[str, Any], definitions: dict[str, Any]) -> tuple[Any, Any]:
    """Return two different values of the type of an argument."""
    if "$ref" in schema:
        return _two_values(definitions[schema["$ref"].rpartition("/")[2]], definitions)
    if "anyOf" in schema:
        return _two_values(schema["anyOf"][0], definitions)
    if len(schema.get("enum", ())) > 1:
        return schema["enum"][0], schema["enum"][1]
    return SAMPLES[schema.get("type", "string")]


@pytest.mark.parametrize("tool", CACHED, ids=lambda tool: tool.name)
def test_every_argument_is_in_the_key(tool: AnyTool) -> None:
    schema = tool.input_model.model_json_schema()
    definitions = schema.get("$defs", {})
    values = {name: _two_values(s, definitions) for name, s in schema["properties"].items()}
    base = {name: first for name, (first, _) in values.items()}

    unchanged = _key(tool, base)
    keys = {name: _key(tool, base | {name: other}) for name, (_, other) in values.items()}

    assert {name for name, key in keys.items() if key == unchanged} == NEUTRAL & keys.keys()
    telling = [key for name, key in keys.items() if name not in NEUTRAL]
    assert len(set(telling)) == len(telling), "two different calls share a key"


def test_two_tools_never_share_a_key() -> None:
    assert len({_key(tool, {"query": "owls"}) for tool in CACHED}) == len(CACHED)

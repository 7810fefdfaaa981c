"""Whatever is sent to whatever tool, the answer is a result or a well-formed error."""

import json
from contextlib import AsyncExitStack
from typing import Any

import anyio
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.support import CallHarness, services, text_of
from webquarry.calls.tool import AnyTool
from webquarry.models.result import Result
from webquarry.tools import load_tools

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=30),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=12), inner, max_size=4)
    ),
    max_leaves=12,
)


def arguments(tool: AnyTool) -> st.SearchStrategy[Any]:
    """Random JSON, and objects that at least use the tool's own argument names."""
    names = st.sampled_from(sorted(tool.input_model.model_fields) or ["x"])
    return JSON | st.dictionaries(names, JSON, max_size=6)


def assert_well_formed(result: Result) -> None:
    wire = json.loads(json.dumps(result.wire()))
    if not result.is_error:
        assert wire["content"] or "structuredContent" in wire
        return
    sentence, _, block = text_of(result).rpartition("\n\n")
    assert sentence
    error = json.loads(block)["error"]
    assert {"kind", "retryable", "suggestedAction"} <= error.keys()
    assert "structuredContent" not in wire
    assert "Traceback" not in text_of(result)


@pytest.mark.parametrize("tool", load_tools(), ids=lambda t: t.name)
@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_random_json_never_breaks_a_tool(tool: AnyTool, data: st.DataObject) -> None:
    given_arguments = data.draw(arguments(tool))  # here: a draw may end the test, not a task

    anyio.run(_check, tool, given_arguments)


async def _check(tool: AnyTool, given_arguments: Any) -> None:
    async with AsyncExitStack() as stack:  # a file among the arguments starts a parser process
        desk = CallHarness((tool,), {"timeout": 5.0}, services=services(stack=stack))

        result = await desk.call(tool.name, given_arguments)

    assert_well_formed(result)
    assert desk.records[0].outcome != "internal"

"""Context is money: what tools/list costs a model, held to the budget."""

from collections.abc import Iterable

import pytest

from webquarry.calls.registry import DEFAULT_TOOLSETS, TOOLSETS
from webquarry.calls.tool import AnyTool
from webquarry.cli.tool_list_view import token_cost
from webquarry.server.mcp_server import INSTRUCTIONS
from webquarry.tools import load_tools

BUDGETS = {"all": (tuple(TOOLSETS), 14_000), "default": (DEFAULT_TOOLSETS, 10_000),
           "web": (("web",), 3_200)}  # fmt: skip


def of(toolsets: Iterable[str]) -> list[AnyTool]:
    return [tool for tool in load_tools() if tool.toolset in toolsets]


@pytest.mark.parametrize("name", BUDGETS)
def test_the_tools_stay_within_their_budget(name: str) -> None:
    toolsets, budget = BUDGETS[name]

    assert token_cost(tool.definition() for tool in of(toolsets)) <= budget


def test_the_instructions_stay_short() -> None:
    assert len(INSTRUCTIONS.encode()) / 4 <= 300


@pytest.mark.parametrize("tool", load_tools(), ids=lambda t: t.name)
def test_every_argument_is_described(tool: AnyTool) -> None:
    properties = tool.definition()["inputSchema"]["properties"]

    undescribed = {name for name, schema in properties.items() if not schema.get("description")}
    assert undescribed <= {"cursor"}  # the end of a text that was cut says how to use it

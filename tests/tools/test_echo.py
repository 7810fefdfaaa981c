"""`echo`: what a client sees. Copy this file to test your own tool."""

import pytest

from tests.support import CallHarness
from webquarry.models.result import Result, TextBlock
from webquarry.tools.echo import echo

pytestmark = pytest.mark.anyio


async def test_the_message_comes_back_unchanged() -> None:
    result = await CallHarness((echo,)).call("echo", {"message": "owls & “quotes”"})

    assert result == Result(
        content=(TextBlock(text="echoed: owls & “quotes”"),),
        structured={"echoed": "owls & “quotes”"},
    )


async def test_a_missing_message_is_named() -> None:
    result = await CallHarness((echo,)).call("echo", {})

    assert result.problem is not None
    assert result.problem.message == "echo: message: is required"


def test_the_listing_is_derived_from_the_models() -> None:
    assert echo.definition() == {
        "name": "echo",
        "title": "Echo",
        "description": "Return the message unchanged, to check that the connection works.",
        "inputSchema": {
            "type": "object",
            "additionalProperties": False,
            "properties": {
                "message": {
                    "type": "string",
                    "description": "The message to echo back",
                }
            },
            "required": ["message"],
        },
        "outputSchema": {
            "type": "object",
            "properties": {
                "echoed": {"type": "string", "description": "The message that was echoed back"}
            },
            "required": ["echoed"],
        },
        "annotations": {"readOnlyHint": True, "openWorldHint": False},
    }

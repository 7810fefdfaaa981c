"""Conformance tools that send requests to the client while they run (until 2025-11-25)."""

from typing import Any

from pydantic import Field

from tests.conformance.client_access import CLIENT, Schema
from tests.conformance.plain_tools import NoArguments
from webquarry.calls.tool import AnyTool, Call, tool
from webquarry.models.model import Model
from webquarry.models.result import Result, text_result


class SamplingIn(Model):
    """Arguments of `test_sampling`."""

    prompt: str = Field(description="Prompt for the client's model")


class ElicitationIn(Model):
    """Arguments of `test_elicitation`."""

    message: str = Field(description="Message for the user")


@tool("starter")
async def test_tool_with_logging(args: NoArguments, call: Call) -> Result:
    """Log three messages."""
    for text in ("Tool execution started", "Tool processing data", "Tool execution completed"):
        await CLIENT.get().log(text)
    return text_result("Done.")


@tool("starter")
async def test_logging_tool(args: NoArguments, call: Call) -> Result:
    """Log nothing, because the client has set no log level."""
    return text_result("Done.")


@tool("starter")
async def test_sampling(args: SamplingIn, call: Call) -> Result:
    """Sample from the client's model."""
    response = await CLIENT.get().sample(args.prompt)
    return text_result(f"LLM response: {response.content}")


@tool("starter")
async def test_elicitation(args: ElicitationIn, call: Call) -> Result:
    """Ask the user for a name and an email address."""
    fields = {"username": {"type": "string"}, "email": {"type": "string"}}
    return await _elicit(args.message, fields, required=["username", "email"])


@tool("starter")
async def test_elicitation_sep1034_defaults(args: NoArguments, call: Call) -> Result:
    """Ask with a default for every primitive type."""
    states = ["active", "inactive", "pending"]
    fields: Schema = {
        "name": {"type": "string", "default": "John Doe"},
        "age": {"type": "integer", "default": 30},
        "score": {"type": "number", "default": 95.5},
        "status": {"type": "string", "enum": states, "default": "active"},
        "verified": {"type": "boolean", "default": True},
    }
    return await _elicit("Please check these values.", fields)


@tool("starter")
async def test_elicitation_sep1330_enums(args: NoArguments, call: Call) -> Result:
    """Ask with every kind of enum."""
    plain = ["option1", "option2", "option3"]
    titled = [{"const": f"value{n}", "title": f"Option {n}"} for n in (1, 2, 3)]
    legacy = {"enum": ["opt1", "opt2", "opt3"], "enumNames": ["One", "Two", "Three"]}
    fields: Schema = {
        "untitledSingle": {"type": "string", "enum": plain},
        "titledSingle": {"type": "string", "oneOf": titled},
        "legacyEnum": {"type": "string", **legacy},
        "untitledMulti": {"type": "array", "items": {"type": "string", "enum": plain}},
        "titledMulti": {"type": "array", "items": {"anyOf": titled}},
    }
    return await _elicit("Please choose.", fields)


async def _elicit(message: str, fields: Schema, required: list[str] | None = None) -> Result:
    schema: dict[str, Any] = {"type": "object", "properties": fields}
    if required:
        schema["required"] = required
    response = await CLIENT.get().elicit(message, schema)
    return text_result(f"User response: action={response.action}, content={response.content}")


CLIENT_REQUEST_TOOLS: tuple[AnyTool, ...] = (
    test_elicitation,
    test_elicitation_sep1034_defaults,
    test_elicitation_sep1330_enums,
    test_logging_tool,
    test_sampling,
    test_tool_with_logging,
)

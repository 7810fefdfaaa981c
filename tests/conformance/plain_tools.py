"""Conformance tools that do not use the client: content types, schemas, errors, progress."""

import copy
from typing import Any

from pydantic import ConfigDict, Field

from tests.conformance.samples import PIXEL, WAV, embedded
from webquarry.calls.tool import AnyTool, Call, tool
from webquarry.errors import WebquarryError
from webquarry.models.model import Model
from webquarry.models.result import AudioBlock, Result, TextBlock, text_result


class NoArguments(Model):
    """No arguments."""


class FullSchemaIn(Model):
    """Arguments with JSON Schema 2020-12 keywords that pydantic never generates."""

    model_config = ConfigDict(frozen=True, extra="allow")

    @classmethod
    def model_json_schema(cls, *_: Any, **__: Any) -> dict[str, Any]:
        return copy.deepcopy(FULL_SCHEMA)


FULL_SCHEMA: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "$defs": {
        "address": {
            "$anchor": "addressDef",
            "type": "object",
            "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
        }
    },
    "properties": {
        "name": {"type": "string"},
        "address": {"$ref": "#/$defs/address"},
        "billing": {"$ref": "#/$defs/address"},
        "contactMethod": {"type": "string", "enum": ["phone", "email"]},
        "phone": {"type": "string"},
        "email": {"type": "string"},
    },
    "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
    "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
    "then": {"required": ["phone"]},
    "else": {"required": ["email"]},
    "additionalProperties": False,
}


class HeaderArgumentIn(Model):
    """An argument that clients repeat in an HTTP header."""

    region: str = Field("", json_schema_extra={"x-mcp-header": "Region"})


@tool("starter")
async def test_simple_text(args: NoArguments, call: Call) -> Result:
    """Return one text block."""
    return text_result("This is a simple text response for testing.")


@tool("starter")
async def test_image_content(args: NoArguments, call: Call) -> Result:
    """Return a picture."""
    return Result(content=(PIXEL,))


@tool("starter")
async def test_audio_content(args: NoArguments, call: Call) -> Result:
    """Return a sound."""
    return Result(content=(AudioBlock(data=WAV, mimeType="audio/wav"),))


@tool("starter")
async def test_embedded_resource(args: NoArguments, call: Call) -> Result:
    """Return a resource inside the result."""
    text = "This is an embedded resource content."
    return Result(content=(embedded("test://embedded-resource", text),))


@tool("starter")
async def test_multiple_content_types(args: NoArguments, call: Call) -> Result:
    """Return text, a picture and a resource."""
    data = embedded("test://mixed-content-resource", '{"value": 123}', "application/json")
    return Result(content=(TextBlock(text="Multiple content types test:"), PIXEL, data))


@tool("starter")
async def test_error_handling(args: NoArguments, call: Call) -> Result:
    """Fail on purpose."""
    raise WebquarryError("This tool intentionally returns an error for testing")


@tool("starter")
async def test_tool_with_progress(args: NoArguments, call: Call) -> Result:
    """Report progress three times."""
    for done in (0, 50, 100):
        await call.progress(done, 100, f"Completed step {done} of 100")
    return text_result("Done.")


@tool("starter")
async def json_schema_2020_12_tool(args: FullSchemaIn, call: Call) -> Result:
    """Take arguments described with many keywords of JSON Schema 2020-12."""
    return text_result("Understood.")


@tool("starter")
async def test_x_mcp_header(args: HeaderArgumentIn, call: Call) -> Result:
    """Take an argument that is repeated in an HTTP header."""
    return text_result(args.region)


PLAIN_TOOLS: tuple[AnyTool, ...] = (
    json_schema_2020_12_tool,
    test_audio_content,
    test_embedded_resource,
    test_error_handling,
    test_image_content,
    test_multiple_content_types,
    test_simple_text,
    test_tool_with_progress,
    test_x_mcp_header,
)

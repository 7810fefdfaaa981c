"""`webquarry call`: calls any tool by its name."""

import asyncio
import json
import sys
from typing import Any

from webquarry.app import open_app
from webquarry.calls.tool import AnyTool
from webquarry.cli.error_messages import EXIT_FAILED, exit_code_of
from webquarry.cli.tool_calls import warn_if_not_recorded
from webquarry.errors import BadInputError
from webquarry.models.result import Result
from webquarry.observe.call_context import new_request_id
from webquarry.serving import read_call_settings


def call_tool(name: str, arguments: list[str], toolsets: str, *, as_json: bool) -> tuple[str, int]:
    """Return what to print and the exit code."""
    result = asyncio.run(_call(name, arguments, toolsets))
    exit_code = _exit_code(result)
    if as_json:
        return json.dumps(result.wire(), ensure_ascii=False, indent=2), exit_code
    if result.structured is not None:
        warn_if_not_recorded(result.meta)
        return json.dumps(result.structured, ensure_ascii=False, indent=2), exit_code
    texts = [block.text for block in result.content if block.type == "text"]
    return "\n".join(texts), exit_code


def _exit_code(result: Result) -> int:
    if not result.is_error:
        return 0
    return exit_code_of(result.problem.block) if result.problem else EXIT_FAILED


async def _call(name: str, arguments: list[str], toolsets: str) -> Result:
    settings = read_call_settings({"TOOLSETS": toolsets})
    async with open_app(settings, "cli") as app:
        tool = app.path.registry.lookup(name)
        return await app.path.call(
            name,
            parse_pairs(tool, arguments),
            app.owner,
            request_id=new_request_id(),
            report=_report,
        )


def parse_pairs(tool: AnyTool, arguments: list[str]) -> dict[str, Any]:
    """Parse a JSON object, or `name=value` pairs with JSON values (plain text for text fields)."""
    if len(arguments) == 1 and arguments[0].lstrip().startswith("{"):
        try:
            return json.loads(arguments[0])
        except ValueError as exc:
            raise BadInputError(f"The arguments are not valid JSON: {exc}.") from exc
    parsed: dict[str, Any] = {}
    for pair in arguments:
        field, equals, text = pair.partition("=")
        if not equals:
            raise BadInputError(f"{pair!r} is not an argument: write name=value.")
        parsed[field] = _value(tool, field, text)
    return parsed


def _value(tool: AnyTool, field: str, text: str) -> Any:
    declared = tool.input_model.model_fields.get(field)
    if declared is not None and declared.annotation in {str, str | None}:
        return text
    try:
        return json.loads(text)
    except ValueError:
        return text


async def _report(done: float, total: float | None, message: str | None) -> None:
    count = f"{done:g}" if total is None else f"{done:g}/{total:g}"
    sys.stderr.write(f"{count} {message or ''}\n")

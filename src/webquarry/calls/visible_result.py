"""The result border: nothing that leaves the server has invisible characters.

Producers of results do not have to remove them; those that report what they removed still do.
"""

import json
from typing import TypeVar

from webquarry.calls.tool import AnyTool, ToolOutput
from webquarry.concurrency.coalesce import ReportsProgress
from webquarry.content.text.token_count import compact_json
from webquarry.content.visibility.invisible_characters import without_invisible
from webquarry.errors import WebquarryError
from webquarry.models.result import Problem, Result

T = TypeVar("T")


def visible_output(tool: AnyTool, output: ToolOutput) -> ToolOutput:
    """Return the output of a tool without invisible characters."""
    body, text = output.body, None
    if body and not tool.options.verbatim_when(body):
        body, text = _visible_value(body)
    result = output.result and _visible_blocks(output.result)
    return ToolOutput(body, result, output.model, body_text=text)


def visible_json(value: T) -> T:
    """Return JSON-ready data without invisible characters: the same object if it has none."""
    return _visible_value(value)[0] if value else value


def _visible_value(value: T) -> tuple[T, str | None]:
    """Return the data without invisible characters, and as compact JSON if it is unchanged."""
    text = compact_json(value)
    # quotes and commas have no effect on the neighbours that decide which characters stay
    visible = without_invisible(text)
    return (value, text) if visible == text else (json.loads(visible), None)


def visible_problem(error: WebquarryError) -> Problem:
    """Return the error, which may quote a page or a provider, without invisible characters."""
    return Problem(message=without_invisible(str(error)), block=visible_json(error.block()))


def visible_progress(report: ReportsProgress) -> ReportsProgress:
    """Return a listener for messages without invisible characters."""

    async def visible(done: float, total: float | None, message: str | None) -> None:
        await report(done, total, message and without_invisible(message))

    return visible


def _visible_blocks(result: Result) -> Result:
    blocks = [block.model_dump(mode="json", exclude_none=True) for block in result.content]
    visible = visible_json(blocks)
    if visible is blocks:
        return result
    return result.model_copy(
        update={"content": Result.model_validate({"content": visible}).content}
    )

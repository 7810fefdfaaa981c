"""The one place where a tool's outcome becomes the result every transport sends."""

import hashlib
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from webquarry.calls.tool import AnyTool, Call
from webquarry.calls.tool_schema import Json
from webquarry.content.text.token_count import compact_json, cut_text
from webquarry.errors import WebquarryError
from webquarry.models.result import LinkBlock, Problem, Result, TextBlock, error_result

PREVIEW_BYTES = 4000


async def shape(
    tool: AnyTool, body: Json | None, extra: Result, call: Call, *, link_at: int
) -> Result:
    """Join the structured body and the handler's own blocks; link what is too big to inline."""
    meta = extra.meta | call.meta
    if body is None:
        return extra.model_copy(update={"meta": meta})
    text = compact_json(body)
    size = len(text.encode("utf-8", "surrogatepass"))
    if size < link_at:
        blocks = extra.content if _speaks(extra) else (TextBlock(text=text), *extra.content)
        return Result(content=blocks, structured=body, meta=meta)
    link = await _store(tool, text, call)
    if tool.options.heavy and tool.options.links(body):
        summary = _summary(tool, body, link)
        blocks = (TextBlock(text=compact_json(summary)), _block(tool, link))
        return Result(content=blocks, structured=summary, meta=meta)
    preview = TextBlock(text=_preview(text, size, link["resource"]))
    return Result(content=(preview, *extra.content, _block(tool, link)), structured=body, meta=meta)


def shape_error(error: WebquarryError, meta: Mapping[str, Any]) -> Result:
    """Say what went wrong in a sentence, then in a block a program can branch on."""
    problem = Problem(message=str(error), block=error.block())
    text = f"{problem.message}\n\n{compact_json({'error': problem.block})}"
    return error_result(text).model_copy(update={"meta": dict(meta), "problem": problem})


def _speaks(result: Result) -> bool:
    return any(isinstance(block, TextBlock) for block in result.content)


async def _store(tool: AnyTool, text: str, call: Call) -> Json:
    artifact = await call.services.artifacts.put(
        text.encode("utf-8", "surrogatepass"),
        mime="application/json",
        tenant=call.caller.tenant,
        owner=call.caller.user,
    )
    return {
        "resource": artifact.uri,
        "bytes": artifact.bytes,
        "mimeType": artifact.mime,
        "expiresAt": _rfc3339(artifact.expires_at),
    }


def _rfc3339(moment: float) -> str:
    return datetime.fromtimestamp(moment, UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def _summary(tool: AnyTool, body: Json, link: Json) -> Json:
    """Stand in for a body that is fetched on demand."""
    fields = ", ".join(f"{name} ({_measure(value)})" for name, value in body.items())
    return {**link, "summary": f"{tool.name} result with {fields}", "linked": True}


def _measure(value: Any) -> str:
    if isinstance(value, str):
        return f"{len(value)} characters"
    if isinstance(value, list | dict):
        return f"{len(value)} items"  # pyright: ignore[reportUnknownArgumentType]
    return str(value)


def _preview(text: str, size: int, uri: str) -> str:
    start = cut_text(text, PREVIEW_BYTES)
    return (
        f"{start}…\n\n[{size} bytes in all: the whole is in structuredContent, "
        f"and can be read in pieces from {uri}?offset=0&length=20000]"
    )


def _block(tool: AnyTool, link: Json) -> LinkBlock:
    digest = hashlib.sha256(link["resource"].encode()).hexdigest()[:8]
    return LinkBlock(
        uri=link["resource"],
        name=f"{tool.name}-{digest}",
        description="The full result; read it in pieces with ?offset=&length=.",
        mimeType=link["mimeType"],
        size=link["bytes"],
    )

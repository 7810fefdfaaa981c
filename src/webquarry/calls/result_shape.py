"""Turns the output of a tool, or its error, into the result that every transport sends."""

import hashlib
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from webquarry.calls.tool import AnyTool, Call
from webquarry.calls.tool_schema import Json
from webquarry.calls.visible_result import visible_json, visible_problem
from webquarry.content.text.token_count import compact_json, cut_text
from webquarry.errors import WebquarryError
from webquarry.models.result import LinkBlock, Result, TextBlock, error_result

PREVIEW_BYTES = 4000


async def shape(
    tool: AnyTool, body: Json | None, own: Result | None, call: Call, *, link_at: int
) -> Result:
    """Join the structured body and the handler's `own` blocks; link a body that is too large."""
    meta = visible_json(own.meta | call.meta if own else call.meta)
    if body is None:
        return (own or Result()).model_copy(update={"meta": meta})
    text = compact_json(body)
    size = len(text.encode("utf-8", "surrogatepass"))
    blocks = own.content if own else ()
    if size < link_at:
        if not any(isinstance(block, TextBlock) for block in blocks):
            blocks = (TextBlock(text=text), *blocks)
        return Result(content=blocks, structured=body, meta=meta)
    link = await _store(tool, text, call)
    if tool.options.heavy and tool.options.link_when(body):
        summary = _summary(tool, body, link)
        content = (TextBlock(text=compact_json(summary)), _link_block(tool, link))
        return Result(content=content, structured=summary, meta=meta)
    preview = TextBlock(text=_preview(text, size, link["resource"]))
    content = (preview, *blocks, _link_block(tool, link))
    return Result(content=content, structured=body, meta=meta)


def shape_error(error: WebquarryError, meta: Mapping[str, Any]) -> Result:
    """Return the error as a sentence for people and a JSON block for programs."""
    problem = visible_problem(error)
    text = f"{problem.message}\n\n{compact_json({'error': problem.block})}"
    return error_result(text).model_copy(
        update={"meta": visible_json(dict(meta)), "problem": problem}
    )


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
    """Return what replaces a body that is fetched on demand."""
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
        f"{start}…\n\n[{size} bytes in total: structuredContent has the full result, "
        f"which can also be read in pieces from {uri}?offset=0&length=20000]"
    )


def _link_block(tool: AnyTool, link: Json) -> LinkBlock:
    digest = hashlib.sha256(link["resource"].encode()).hexdigest()[:8]
    return LinkBlock(
        uri=link["resource"],
        name=f"{tool.name}-{digest}",
        description="The full result; read it in pieces with ?offset=&length=.",
        mimeType=link["mimeType"],
        size=link["bytes"],
    )

"""Turns the output of a tool, or its error, into the result that every transport sends."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from webquarry.calls.field_summary import field_summary
from webquarry.calls.tool import AnyTool, Call, ToolOutput
from webquarry.calls.tool_schema import Json
from webquarry.calls.visible_result import visible_json, visible_problem
from webquarry.content.text.token_count import (
    BYTES_PER_TOKEN,
    compact_json,
    cut_text,
    json_size,
)
from webquarry.errors import WebquarryError
from webquarry.models.result import LinkBlock, Result, TextBlock, error_result

PREVIEW_BYTES = 4000
_LINK_RESERVE = 400  # bytes of the other fields of a linked result
_FULL = "The full result; read it in pieces with ?offset=&length=."


@dataclass(frozen=True)
class SizeLimits:
    """When a result is linked, and how long the text is that stands for it."""

    link_at: int  # bytes
    summary_tokens: int


async def shape(tool: AnyTool, output: ToolOutput, call: Call, limits: SizeLimits) -> Result:
    """Join the structured body and the handler's own blocks; link a body that is too large."""
    body, own = output.body, output.result
    meta = visible_json(own.meta | call.meta if own else call.meta)
    if body is None:
        return (own or Result()).model_copy(update={"meta": meta})
    text = output.body_text or compact_json(body)
    size = len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))
    blocks = own.content if own else ()
    if size < limits.link_at:
        if not any(isinstance(block, TextBlock) for block in blocks):
            blocks = (TextBlock(text=text), *blocks)
        return Result(content=blocks, structured=body, meta=meta)
    link = await _store(text, "application/json", call)
    if tool.options.heavy and tool.options.link_when(body):
        return (await _linked(tool, body, link, call, limits)).model_copy(update={"meta": meta})
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


async def _linked(tool: AnyTool, body: Json, link: Json, call: Call, limits: SizeLimits) -> Result:
    """Return a summary that a model can work with, and links to the rest."""
    links = [_link_block(tool, link)]
    document = tool.options.document(body)
    if document:  # first: it is what people and models read
        stored = await _store(document.text, document.mime, call)
        links.insert(0, _link_block(tool, stored, "The text alone; read it in pieces likewise."))
    advice = _how_to_read(tool, link, links[0])
    room = limits.summary_tokens * BYTES_PER_TOKEN - json_size(advice) - _LINK_RESERVE
    text = f"{(tool.options.summary or field_summary)(body, room).rstrip()}\n\n{advice}"
    structured = {**link, "summary": text, "linked": True}
    return Result(content=(TextBlock(text=text), *links), structured=structured)


def _how_to_read(tool: AnyTool, link: Json, first: LinkBlock) -> str:
    parts = ["Call again with max_tokens to get it in parts."] if tool.options.cuttable else []
    whole = f"[Shortened: the full result has {link['bytes']} bytes, at {link['resource']}"
    text = (
        f"; its text as {first.mimeType} is at {first.uri}" if first.uri != link["resource"] else ""
    )
    return " ".join((f"{whole}{text}.", *parts)) + "]"


async def _store(text: str, mime: str, call: Call) -> Json:
    artifact = await call.services.artifacts.put(
        text.encode("utf-8", "surrogatepass"),
        mime=mime,
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


def _preview(text: str, size: int, uri: str) -> str:
    start = cut_text(text, PREVIEW_BYTES)
    return (
        f"{start}…\n\n[{size} bytes in total: structuredContent has the full result, "
        f"which can also be read in pieces from {uri}?offset=0&length=20000]"
    )


def _link_block(tool: AnyTool, link: Json, description: str = _FULL) -> LinkBlock:
    digest = hashlib.sha256(link["resource"].encode()).hexdigest()[:8]
    return LinkBlock(
        uri=link["resource"],
        name=f"{tool.name}-{digest}",
        description=description,
        mimeType=link["mimeType"],
        size=link["bytes"],
    )

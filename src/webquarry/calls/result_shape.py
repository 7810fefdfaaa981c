"""Turns the output of a tool, or its error, into the result that every transport sends.

The text comes first: many clients pass only the text of a result to their model.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from webquarry.calls.result_text import part_notice, result_text
from webquarry.calls.text_parts import StoredText, fits, store_text
from webquarry.calls.tool import AnyTool, Call, ToolOutput
from webquarry.calls.tool_schema import Json
from webquarry.calls.visible_result import visible_json, visible_problem
from webquarry.content.text.token_count import BYTES_PER_TOKEN, compact_json, json_size
from webquarry.errors import WebquarryError
from webquarry.models.result import Block, LinkBlock, Result, TextBlock, error_result

_LINK_RESERVE = 400  # bytes of the other fields of a linked result
_FULL = "The full result; read it in pieces with ?offset=&length=."


@dataclass(frozen=True)
class SizeLimits:
    """When a result is linked, and how long its text may be."""

    link_at: int  # bytes
    text_tokens: int

    @property
    def text_bytes(self) -> int:
        """Return the length of a text, as JSON."""
        return self.text_tokens * BYTES_PER_TOKEN


async def shape(tool: AnyTool, output: ToolOutput, call: Call, limits: SizeLimits) -> Result:
    """Join the body as text, the body and the handler's own blocks; link a large body."""
    body, own = output.body, output.result
    if body is None:
        return (own or Result()).model_copy(update={"meta": _meta(own, call)})
    blocks = own.content if own else ()
    whole = body if output.whole is None else output.whole
    full = output.body_text or compact_json(whole)
    size = len(full) if full.isascii() else len(full.encode("utf-8", "surrogatepass"))
    # the first part has the link
    if size < limits.link_at or tool.options.always_whole or _part(call)[0] > 1:
        content = _content(tool, body, blocks, call)
        return Result(content=content, structured=body, meta=_meta(own, call))
    link = await _store(full, "application/json", call)
    if tool.options.heavy and tool.options.link_when(whole):
        linked = await _linked(tool, output, link, call, limits)
        return linked.model_copy(update={"meta": _meta(own, call)})
    first, *rest = _content(tool, body, blocks, call)
    if isinstance(first, TextBlock):
        first, _ = await _first_part(tool, first.text, call, limits)
    content = (first, *rest, _link_block(tool, link))
    return Result(content=content, structured=body, meta=_meta(own, call))


def shape_error(error: WebquarryError, meta: Mapping[str, Any]) -> Result:
    """Return the error as a sentence for people and a JSON block for programs."""
    problem = visible_problem(error)
    text = f"{problem.message}\n\n{compact_json({'error': problem.block})}"
    return error_result(text).model_copy(
        update={"meta": visible_json(dict(meta)), "problem": problem}
    )


def _meta(own: Result | None, call: Call) -> Json:
    return visible_json(own.meta | call.meta if own else call.meta)


def _part(call: Call) -> tuple[int, int]:
    """Return which part of a result this is, and of how many."""
    part: dict[str, int] = call.meta.get("part") or {"number": 1, "of": 1}
    return part["number"], part["of"]


def _content(tool: AnyTool, body: Json, own: tuple[Block, ...], call: Call) -> tuple[Block, ...]:
    """Return the text of a result before the handler's own blocks, unless these have a text."""
    if not any(isinstance(block, TextBlock) for block in own):
        return (TextBlock(text=_text(tool, body, call)), *own)
    notice = _notice(body, call)
    return (*own, *((TextBlock(text=notice),) if notice else ()))


def _text(tool: AnyTool, body: Json, call: Call) -> str:
    """Return a result as text; a part says how to get the next one."""
    text = (tool.options.text or result_text)(body).rstrip()
    return "\n\n".join(filter(None, (text, _notice(body, call))))


def _notice(body: Json, call: Call) -> str:
    number, of = _part(call)
    return part_notice(number, of, body.get("nextCursor")) if of > 1 else ""


async def _first_part(
    tool: AnyTool, text: str, call: Call, limits: SizeLimits
) -> tuple[TextBlock, str | None]:
    """Return the text, or its first part and the cursor of the next."""
    if not tool.takes_cursor or fits(text, limits.text_bytes):
        return TextBlock(text=text), None
    stored = await store_text(tool, text, limits.text_bytes - _LINK_RESERVE, call)
    call.meta.setdefault("part", {"number": 1, "of": len(stored.ends)})
    return TextBlock(text=stored.part(1)), stored.cursor(2)


async def _linked(
    tool: AnyTool, output: ToolOutput, link: Json, call: Call, limits: SizeLimits
) -> Result:
    """Return the text, or a summary that a model can work with, and links to the rest."""
    body = output.body or {}
    whole = body if output.whole is None else output.whole
    links = [_link_block(tool, link)]
    document = tool.options.document(whole)
    if document:  # first: it is what people and models read
        stored = await _store(document.text, document.mime, call)
        links.insert(0, _link_block(tool, stored, "The text alone; read it in pieces likewise."))
    text, cursor = _text(tool, body, call), None
    if tool.options.summary:
        stored = await store_text(tool, text, limits.text_bytes, call)
        advice = _how_to_read(link, links[0], stored)
        room = limits.text_bytes - json_size(advice) - _LINK_RESERVE
        block = TextBlock(text=f"{tool.options.summary(whole, room).rstrip()}\n\n{advice}")
        cursor = stored.cursor(1)
    else:
        block, cursor = await _first_part(tool, text, call, limits)
    cursor = body.get("nextCursor") or cursor
    rest: Json = {"nextCursor": cursor} if cursor else {}
    structured = {**link, "summary": block.text, "linked": True, **rest}
    return Result(content=(block, *links), structured=structured)


def _how_to_read(link: Json, first: LinkBlock, stored: StoredText) -> str:
    """Return how to get the whole of a result from its summary."""
    has_text = first.uri != link["resource"]
    text = f"; its text as {first.mimeType} is at {first.uri}" if has_text else ""
    count = len(stored.ends)
    parts = f", in {count} parts" if count > 1 else ""
    return (
        f"[Shortened. Call again with cursor={stored.cursor(1)} for the full text{parts}. "
        f"The full result has {link['bytes']} bytes, at {link['resource']}{text}.]"
    )


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


def _link_block(tool: AnyTool, link: Json, description: str = _FULL) -> LinkBlock:
    digest = hashlib.sha256(link["resource"].encode()).hexdigest()[:8]
    return LinkBlock(
        uri=link["resource"],
        name=f"{tool.name}-{digest}",
        description=description,
        mimeType=link["mimeType"],
        size=link["bytes"],
    )

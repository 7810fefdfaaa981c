"""Parts of the text of a result, for clients that pass on text only.

Any tool that takes a cursor can be read to the end. The whole text is stored for its owner; a
cursor names it and the number of a part, so the other arguments are not needed again.
"""

import json
import re
from dataclasses import dataclass
from typing import Any, cast

from webquarry.calls.paging import NOT_ISSUED
from webquarry.calls.result_text import part_notice
from webquarry.calls.tool import AnyTool, Call
from webquarry.calls.tool_schema import Json
from webquarry.content.text.token_count import compact_json, cut_text, json_size
from webquarry.errors import BadInputError, NotFoundError
from webquarry.models.result import Result, TextBlock

_CURSOR = re.compile(r"text-(\d{1,6})-([0-9a-f]{64})")
_NOTICE_RESERVE = 200  # bytes of the sentence that ends a part
_MIN_ROOM = 200  # bytes: a part always has some text


@dataclass(frozen=True)
class StoredText:
    """A text in parts, and where it is stored."""

    artifact: str
    text: str
    ends: tuple[int, ...]

    def part(self, number: int) -> str:
        """Return part `number`, counted from 1, and how to get the next one."""
        start = self.ends[number - 2] if number > 1 else 0
        piece = self.text[start : self.ends[number - 1]].strip("\n")
        return f"{piece}\n\n{part_notice(number, len(self.ends), self.cursor(number + 1))}"

    def cursor(self, number: int) -> str | None:
        """Return the cursor of a part; None after the last."""
        return f"text-{number}-{self.artifact}" if number <= len(self.ends) else None


async def store_text(tool: AnyTool, text: str, room: int, call: Call) -> StoredText:
    """Store a text for its owner, in parts of at most `room` bytes as JSON."""
    ends = _ends(text, max(room - _NOTICE_RESERVE, _MIN_ROOM))
    stored = compact_json({"tool": tool.name, "text": text, "ends": ends})
    artifact = await call.services.artifacts.put(
        stored.encode("utf-8", "surrogatepass"),
        mime="application/json",
        tenant=call.caller.tenant,
        owner=call.caller.user,
    )
    return StoredText(artifact.id, text, ends)


def fits(text: str, room: int) -> bool:
    """Return whether a text needs no parts."""
    return json_size(text) <= room


def text_cursor(tool: AnyTool, arguments: Any) -> str | None:
    """Return the cursor in the arguments if it is one of a text; its call needs nothing else."""
    if not tool.takes_cursor or not isinstance(arguments, dict):
        return None
    cursor = cast("Json", arguments).get("cursor")
    return cursor if isinstance(cursor, str) and _CURSOR.fullmatch(cursor) else None


async def next_text(tool: AnyTool, cursor: str, call: Call) -> Result:
    """Return the part of a stored text at `cursor`, without running the tool again."""
    match = _CURSOR.fullmatch(cursor)
    if not match:
        raise BadInputError(NOT_ISSUED)
    number, text = int(match[1]), await _read(tool, match[2], call)
    if not 1 <= number <= len(text.ends):
        raise BadInputError(NOT_ISSUED)
    call.meta["part"] = {"number": number, "of": len(text.ends)}
    shown, after = text.part(number), text.cursor(number + 1)
    body: Json = {"summary": shown, "linked": True} | ({"nextCursor": after} if after else {})
    return Result(content=(TextBlock(text=shown),), structured=body, meta=dict(call.meta))


async def _read(tool: AnyTool, artifact: str, call: Call) -> StoredText:
    try:
        stored = await call.services.artifacts.read(
            artifact, tenant=call.caller.tenant, owner=call.caller.user
        )
    except NotFoundError as exc:
        raise BadInputError("cursor: has expired; call again without it") from exc
    try:
        data = json.loads(stored.chunk)
        name, text = data["tool"], StoredText(artifact, data["text"], tuple(data["ends"]))
    except (ValueError, TypeError, KeyError) as exc:  # another kind of artifact
        raise BadInputError(NOT_ISSUED) from exc
    if name != tool.name:
        raise BadInputError(f"cursor: belongs to a result of {name}; pass it to that tool")
    return text


def _ends(text: str, room: int) -> tuple[int, ...]:
    """Return where the parts of a text end; each fits `room` bytes of JSON."""
    ends: list[int] = []
    at = 0
    while at < len(text):
        # a character has at least one byte, so more characters never fit
        at += len(cut_text(text[at : at + room + 1], room)) or 1
        ends.append(at)
    return tuple(ends)

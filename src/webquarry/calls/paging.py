"""Token budgets: a result that is too long is cut, and a cursor continues it."""

import base64
import binascii
import hashlib
import json
from dataclasses import dataclass
from typing import Annotated, Any, cast

from pydantic import Field

from webquarry.calls.item_parts import item_part, long_length
from webquarry.calls.tool import AnyTool, Call
from webquarry.calls.tool_schema import Json
from webquarry.content.text.token_count import BYTES_PER_TOKEN, compact_json, cut_text, json_size
from webquarry.errors import BadInputError, NotFoundError
from webquarry.models.model import Model
from webquarry.models.short_schemas import ShortSchema

# of tools that return whole pages: what a model can read at once, about 40 KB
DEFAULT_TOKENS = 10_000
NOT_ISSUED = "cursor: was not issued by this server; omit it"
_PART = "+"  # in a position: characters of the next item that have been returned
CURSOR_RESERVE = 300  # bytes reserved for `nextCursor` and its value
_MAX_COUNTED = 1_000_000  # bytes; the parts of longer results are estimated, not counted


# of a tool whose text may be long: see `text_parts`. The end of a text says how to use it, so that
# it needs no description, which would cost tokens in every tool
Cursor = Annotated[str, Field(max_length=2000), ShortSchema(type="string")] | None


class Budgeted(Model):
    """Arguments of a tool whose result may be long, and is cut to a budget."""

    max_tokens: Annotated[int, Field(ge=100, le=1_000_000), ShortSchema(type="integer")] | None = (
        Field(default=None, description="Token limit.")
    )
    cursor: Cursor = None

    def limits_length(self) -> bool:
        """Return whether another argument limits the result, so that no default does."""
        return False


class Paged(Model):
    """Result of a tool that honours a token budget."""

    nextCursor: str | None = None


@dataclass(frozen=True)
class _Position:
    """Where a page starts: the stored result, and how much of each field has been returned."""

    artifact: str
    read: dict[str, int]
    part: int = 2

    def encode(self) -> str:
        raw = compact_json([self.artifact, self.read, self.part]).encode()
        return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()

    @classmethod
    def decode(cls, cursor: str) -> "_Position":
        try:
            raw = base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4))
            artifact, read, part = json.loads(raw)
            positions = {str(k): int(v) for k, v in cast("dict[Any, Any]", read).items()}
            return cls(str(artifact), positions, int(part))
        except (ValueError, TypeError, AttributeError, binascii.Error) as exc:
            raise BadInputError(NOT_ISSUED) from exc


def check_cursor(args: Model) -> None:
    """Refuse an invented cursor; those of texts never get here."""
    if not isinstance(args, Budgeted) and isinstance(getattr(args, "cursor", None), str):
        raise BadInputError(NOT_ISSUED)


def token_budget(tool: AnyTool, args: Budgeted) -> int | None:
    """Return the tokens that a result may have; None for any number."""
    if args.max_tokens:
        return args.max_tokens
    return None if args.limits_length() else tool.options.default_tokens


async def first_page(tool: AnyTool, args: Model, max_tokens: int, body: Json, call: Call) -> Json:
    """Return `body`, cut to the token budget; the full body is stored for the cursor.

    `_meta.part` says which part of the result it is, and of how many.
    """
    room = max_tokens * BYTES_PER_TOKEN
    if json_size(body) <= room:
        return body
    page, read = _fit(tool, body, dict.fromkeys(tool.options.cuttable, 0), room)
    stored = compact_json({"for": _call_digest(tool, args), "body": body}).encode()
    artifact = await call.services.artifacts.put(
        stored, mime="application/json", tenant=call.caller.tenant, owner=call.caller.user
    )
    call.meta["part"] = {"number": 1, "of": 1 + _parts_after(tool, body, read, room)}
    return tool.options.part(page) | {"nextCursor": _Position(artifact.id, read).encode()}


async def next_page(tool: AnyTool, args: Budgeted, cursor: str, call: Call) -> Json:
    """Return the page at `cursor`, without running the tool again."""
    position = _Position.decode(cursor)
    stored = await _stored(position.artifact, call)
    if stored["for"] != _call_digest(tool, args):
        raise BadInputError("cursor: belongs to another call; repeat that call's arguments")
    body: Json = stored["body"]
    read = {name: max(0, position.read.get(name, 0)) for name in tool.options.cuttable}
    if part := position.read.get(_PART):
        read[_PART] = max(0, part)
    unlimited = json_size(body) + CURSOR_RESERVE
    budget = token_budget(tool, args)
    room = budget * BYTES_PER_TOKEN if budget else unlimited
    page, read = _fit(tool, body, read, room)
    number = position.part
    call.meta["part"] = {"number": number, "of": number + _parts_after(tool, body, read, room)}
    page = tool.options.part(page)
    if _finished(body, read):
        return page
    return page | {"nextCursor": _Position(position.artifact, read, number + 1).encode()}


def _parts_after(tool: AnyTool, body: Json, read: dict[str, int], room: int) -> int:
    """Return the number of further parts of a result."""
    total = json_size(body)
    if total > _MAX_COUNTED:
        done = sum(json_size((body.get(n) or "")[:at]) for n, at in read.items() if n != _PART)
        return max(1, -(-(total - done) // room))
    count = 0
    try:
        while not _finished(body, read):
            _, read = _fit(tool, body, read, room)
            count += 1
    except BadInputError:  # the call for that part explains it
        count += 1
    return count


async def _stored(artifact: str, call: Call) -> Json:
    try:
        artifact_content = await call.services.artifacts.read(
            artifact, tenant=call.caller.tenant, owner=call.caller.user
        )
    except NotFoundError as exc:
        raise BadInputError("cursor: has expired; call again without it") from exc
    try:
        stored = json.loads(artifact_content.chunk)
        return {"for": stored["for"], "body": stored["body"]}
    except (ValueError, TypeError, KeyError) as exc:  # another kind of artifact
        raise BadInputError(NOT_ISSUED) from exc


def _call_digest(tool: AnyTool, args: Model) -> str:
    """Return an id of the call that is the same for all its pages."""
    arguments = args.model_dump(mode="json", exclude={"max_tokens", "cursor"})
    return hashlib.sha256(compact_json([tool.name, arguments]).encode()).hexdigest()


def _fit(tool: AnyTool, body: Json, read: dict[str, int], room: int) -> tuple[Json, dict[str, int]]:
    """Fill `room` bytes with the cuttable fields in order; return page and positions."""
    page = body | {name: type(body[name])() for name in tool.options.cuttable if name in body}
    frame = json_size(page) + CURSOR_RESERVE
    left, after = room - frame, dict(read)
    for name in tool.options.cuttable:
        start = read[name]
        rest: Any = (body.get(name) or "")[start:]
        if not rest:
            continue
        if (
            tool.options.divides_items
            and not isinstance(rest, str)
            and _fit_part(page, (name, rest), after, left)
        ):
            return page, after
        piece = cut_text(rest, left) if isinstance(rest, str) else _cut_list(rest, left)
        page[name] = piece
        left -= json_size(piece) - 2
        after[name] = start + len(piece)
        if len(piece) < len(rest):
            break
    if left < 0 or (after == read and not _finished(body, read)):
        minimum = (frame + _first_part(body, read)) // BYTES_PER_TOKEN + 1
        raise BadInputError(f"max_tokens: too small for this result of {tool.name}; try {minimum}")
    return page, after


def _fit_part(page: Json, field: tuple[str, list[Json]], after: dict[str, int], room: int) -> bool:
    """Put a part of the first item on the page if the whole is too long or was begun."""
    name, items = field
    start = after.get(_PART, 0)
    if not start and json_size(items[0]) < room:
        return False
    part = item_part(items[0], start, room)
    if part is None:
        return False
    page[name], end = [part[0]], part[1]
    after[_PART] = end
    if end >= long_length(items[0]):
        after[name] += 1
        after[_PART] = 0
    return True


def _finished(body: Json, read: dict[str, int]) -> bool:
    return all(start >= len(body.get(name) or "") for name, start in read.items() if name != _PART)


def _first_part(body: Json, read: dict[str, int]) -> int:
    """Return the bytes that the next page needs at least: one list item, or some text."""
    for name, start in read.items():
        if name != _PART and (rest := (body.get(name) or "")[start:]):
            return 100 if isinstance(rest, str) else json_size(rest[0]) + 1
    return 0


def _cut_list(items: list[Any], room: int) -> list[Any]:
    fitting: list[Any] = []
    for item in items:
        room -= json_size(item) + 1
        if room < 0:
            break
        fitting.append(item)
    return fitting

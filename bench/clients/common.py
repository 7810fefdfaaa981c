"""What the client programs share. Each runs in the virtual environment of its own client."""

import asyncio
import json
import os
import re
import time
import urllib.request
from collections.abc import Awaitable, Callable
from typing import Any

SITE = os.environ["MATRIX_SITE"]
COMMAND = os.environ["MATRIX_COMMAND"]
ARGUMENTS = ["serve", "--stdio"]
ENVIRONMENT = dict(os.environ)
PAGE = f"{SITE}/large"
SLOW = f"{SITE}/slow"
PARAGRAPHS = int(os.environ["MATRIX_PARAGRAPHS"])
RESOURCE, RESOURCE_TEXT = "stats://rate-limits", "No rate limits apply to you."
PROMPT = "fact-check"
PROMPT_ARGUMENTS = {"claim": "Owls hoot."}
MESSAGE = 'Owls say "hoo", être & 夜 {1}.'
MESSAGE_TEXT = f"echoed: {MESSAGE}"
MESSAGE_DATA = {"echoed": MESSAGE}
_PARAGRAPH = re.compile(r"Paragraph (\d+) of the page says that owls hunt at night and hear well\.")
_CURSOR = re.compile(r"(?:cursor=|nextCursor\\?[\"']: ?\\?[\"'])([\w-]+)")

Results = dict[str, dict[str, Any]]


class Matrix:
    """The results of the checks of one client."""

    def __init__(self) -> None:
        self.results: Results = {}

    async def check(self, name: str, work: Awaitable[Any]) -> None:
        """Run a check: false or an exception is a failure; text is a note."""
        try:
            outcome = await asyncio.wait_for(work, 60)
        except BaseException as exc:  # the matrix shows every failure  # noqa: BLE001
            self.results[name] = {"ok": False, "note": f"{type(exc).__name__}: {exc}"[:200]}
            return
        note = outcome if isinstance(outcome, str) else ""
        self.results[name] = {"ok": outcome is not False, "note": note}

    def print(self) -> None:
        """Write the results for the program that started this one."""
        print("MATRIX " + json.dumps(self.results))  # noqa: T201


def cursor_in(text: str) -> str | None:
    """Return the cursor that a model finds in what it is shown."""
    found = _CURSOR.findall(text)
    return found[-1] if found else None


async def whole_page(read: Callable[[dict[str, Any]], Awaitable[str]]) -> str:
    """Read a long page as a model does, part by part; every paragraph comes once, in order."""
    arguments: dict[str, Any] = {"url": PAGE}
    seen: list[int] = []
    sizes: list[int] = []
    while True:
        shown = await read(arguments)
        seen += dict.fromkeys(map(int, _PARAGRAPH.findall(shown)))  # clients may show both forms
        sizes.append(len(shown))
        cursor = cursor_in(shown)
        if not cursor or len(sizes) > 20:
            break
        arguments = {"url": PAGE, "cursor": cursor}
    if seen != list(range(PARAGRAPHS)):
        raise ValueError(f"{len(seen)} of {PARAGRAPHS} paragraphs in {len(sizes)} parts")
    return f"{len(sizes)} parts, at most {max(sizes)} characters"


def answered(shown: str, *others: str) -> bool:
    """Return whether the model is shown the answer and nothing else: as text or as data.

    `others`: the same in the form of this client.
    """
    if shown in {MESSAGE_TEXT, *others}:
        return True
    try:
        is_data = json.loads(shown) == MESSAGE_DATA
    except ValueError:
        is_data = False
    if not is_data:
        raise ValueError(f"the model is shown {shown!r}")
    return True


def texts(blocks: Any) -> str:
    """Return the text of the content blocks of a message."""
    if isinstance(blocks, str):
        return blocks
    return "\n".join(b if isinstance(b, str) else str(b.get("text", b)) for b in blocks)


def has_limits(content: Any) -> bool:
    """Return whether the resource about rate limits was read."""
    return RESOURCE_TEXT in str(content)


def has_claim(content: Any) -> bool:
    """Return whether a prompt was filled in with its argument."""
    return PROMPT_ARGUMENTS["claim"] in str(content)


def shown_as(text: str) -> str:
    """Return which of text and structuredContent the model was shown."""
    as_text = "Untrusted content of" in text
    as_data = "authorityTier" in text
    return "both" if as_text and as_data else "structuredContent" if as_data else "text"


async def model_sees(read: Callable[[dict[str, Any]], Awaitable[str]]) -> str:
    """Return what the model is shown of the first part of a page, and of the next."""
    first = await read({"url": PAGE})
    second = await read({"url": PAGE, "cursor": cursor_in(first)})
    now, later = shown_as(first), shown_as(second)
    return now if now == later else f"{now}; later parts: {later}"


async def cancelled(call: Callable[[], Awaitable[Any]], after: Callable[[], Awaitable[Any]]) -> str:
    """Cancel a call once it waits for a slow page: the server must close that connection.

    The connection of the client must still work.
    """
    await _slow_page("reset")
    task = asyncio.ensure_future(call())
    await _until("waiting")
    task.cancel()
    started = time.monotonic()
    try:
        await task
    except BaseException:  # however the client reports it  # noqa: BLE001, S110
        pass
    await _until("closed")
    seconds = time.monotonic() - started
    await asyncio.wait_for(after(), 20)
    return f"after {seconds:.1f} s"


async def _until(wanted: str) -> None:
    """Wait until the slow page is in a state."""
    for _ in range(150):
        if (state := await _slow_page("state")) == wanted:
            return
        await asyncio.sleep(0.1)
    raise ValueError(f"the connection to the slow page is {state}, not {wanted}")


async def _slow_page(question: str) -> str:
    def ask() -> str:
        url = f"{SITE}/slow/{question}"  # of the matrix itself
        with urllib.request.urlopen(url, timeout=10) as response:  # noqa: S310
            return response.read().decode()

    return await asyncio.to_thread(ask)


def strict_problems(schema: Any) -> list[str]:
    """Return what OpenAI's strict mode would refuse in a schema."""
    found: list[str] = []
    if isinstance(schema, dict):
        if schema.get("type") == "object" or "properties" in schema:
            if schema.get("additionalProperties") is not False:
                found.append("an open object")
            if set(schema.get("required", ())) != set(schema.get("properties", ())):
                found.append("an optional property")
        for value in schema.values():
            found += strict_problems(value)
    elif isinstance(schema, list):
        for value in schema:
            found += strict_problems(value)
    return found


# arguments of these tools are JSON Schemas, which have no fixed fields
FREE_FORM = {"cinder_extract", "structured_search"}

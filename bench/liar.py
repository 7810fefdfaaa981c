"""A language model that makes things up, on loopback, in the shape of an OpenAI service."""

import asyncio
import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any, Literal, cast

from bench.field_pages import Page, leaves

Manner = Literal[
    "truth", "invented", "invented with a real quote", "real value, invented quote for another",
    "no quote", "of another field",
]  # fmt: skip
LIES: tuple[Manner, ...] = (
    "invented", "invented with a real quote", "real value, invented quote for another",
    "no quote", "of another field",
)  # fmt: skip
_NUMBER, _TEXT, _DATE = 987_654.25, "Zyxwell Quandary", "1871-01-02"


class Liar:
    """Answers for one page at a time, in one manner."""

    def __init__(self) -> None:
        self.page: Page | None = None
        self.manner: Manner = "truth"
        self.mumbles = 0  # how many answers are no JSON before one is
        self.asked = 0

    def message(self, shown: str) -> str:
        """Return what the model says about the page it is shown."""
        self.asked += 1
        if self.mumbles:
            self.mumbles -= 1
            return "Sure! Here is what I found: the price is nice."
        page = self.page
        if page is None:
            raise ValueError("no page to lie about")
        said, quotes = _invented(page.gold, self.manner), list[dict[str, str]]()
        lines = [line for line in shown.splitlines() if len(line.split()) > 2] or ["page"]
        for place, (pointer, value) in enumerate(leaves(said)):
            quote = _quote(self.manner, value, lines, place)
            quotes += [{"path": pointer, "quote": quote}] if quote else []
        return json.dumps({"data": said, "quotes": quotes})


def _invented(gold: Any, manner: Manner, name: str = "") -> Any:
    if isinstance(gold, dict):
        told = cast("dict[str, Any]", gold)
        names = list(told)
        if manner == "of another field":  # every value is real, and none in its place
            moved = {key: told[names[(at + 1) % len(names)]] for at, key in enumerate(names)}
            return {key: _typed(moved[key], told[key]) for key in names}
        return {key: _invented(value, manner, key) for key, value in told.items()}
    if isinstance(gold, list):
        return [_invented(one, manner, name) for one in cast("list[Any]", gold)]
    if manner in ("truth", "of another field", "real value, invented quote for another"):
        return gold
    return _lie(gold, name)


def _lie(gold: Any, name: str) -> Any:
    if isinstance(gold, bool):
        return not gold
    if isinstance(gold, (int, float)):
        return _NUMBER if isinstance(gold, float) else int(_NUMBER)
    if "date" in name.lower() or name in ("published", "modified", "deadline"):
        return _DATE
    return {"email": "zyx@quandary.example", "website": "https://quandary.example/"}.get(
        name, _TEXT
    )


def _typed(value: Any, like: Any) -> Any:
    return value if type(value) is type(like) else None


def _quote(manner: Manner, value: Any, lines: list[str], place: int) -> str:
    if manner == "no quote" or value is None:
        return ""
    if manner == "invented with a real quote":
        return lines[place % len(lines)]
    if manner in ("truth", "of another field"):
        words = [
            str(one) for one in (cast("list[Any]", value) if isinstance(value, list) else [value])
        ]
        return next((line for line in lines if words and words[0] in line), lines[0])
    return f"The page clearly says {value} here"


@asynccontextmanager
async def serving(liar: Liar) -> AsyncGenerator[str]:
    """Serve the model on a free port of loopback; yield its address."""

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
        size = int(head.partition("content-length:")[2].split("\r\n")[0])
        asked = json.loads(await reader.readexactly(size))
        shown = next(m["content"] for m in asked["messages"] if m["role"] == "user")
        answer = {
            "choices": [{"message": {"role": "assistant", "content": liar.message(shown)}}],
            "usage": {"prompt_tokens": size // 4, "completion_tokens": 200},
        }
        body = json.dumps(answer).encode()
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n")
        writer.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(handle, "127.0.0.1", 0, limit=2**22)
    async with server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"

"""A fake OpenAI-compatible language model on loopback that fabricates values and quotes."""

import asyncio
import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any, Literal, Protocol, cast

from bench.field_pages import Page, leaves

Fabrication = Literal[
    "truth", "invented", "invented with a real quote", "real value, invented quote for another",
    "no quote", "of another field",
]  # fmt: skip
FABRICATIONS: tuple[Fabrication, ...] = (
    "invented", "invented with a real quote", "real value, invented quote for another",
    "no quote", "of another field",
)  # fmt: skip
_NUMBER, _TEXT, _DATE = 987_654.25, "Zyxwell Quandary", "1871-01-02"


class RepliesToPrompts(Protocol):
    """What is served as a language model."""

    def reply(self, prompt: str) -> str:
        """Return the reply to the message of the user."""
        ...


class HallucinatingLlm:
    """Replies about one page at a time, with one kind of fabrication."""

    def __init__(self) -> None:
        self.page: Page | None = None
        self.fabrication: Fabrication = "truth"

    def reply(self, prompt: str) -> str:
        """Return the reply to the page text in the prompt."""
        page = self.page
        if page is None:
            raise ValueError("no page was set")
        data, quotes = _fabricated(page.gold, self.fabrication), list[dict[str, str]]()
        lines = [line for line in prompt.splitlines() if len(line.split()) > 2] or ["page"]
        for position, (pointer, value) in enumerate(leaves(data)):
            quote = _quote(self.fabrication, value, lines, position)
            quotes += [{"path": pointer, "quote": quote}] if quote else []
        return json.dumps({"data": data, "quotes": quotes})


def _fabricated(gold: Any, fabrication: Fabrication, name: str = "") -> Any:
    if isinstance(gold, dict):
        fields = cast("dict[str, Any]", gold)
        names = list(fields)
        if fabrication == "of another field":  # every value is real, but in the wrong field
            shifted = {
                key: fields[names[(index + 1) % len(names)]] for index, key in enumerate(names)
            }
            return {key: _typed(shifted[key], fields[key]) for key in names}
        return {key: _fabricated(value, fabrication, key) for key, value in fields.items()}
    if isinstance(gold, list):
        return [_fabricated(one, fabrication, name) for one in cast("list[Any]", gold)]
    if fabrication in ("truth", "of another field", "real value, invented quote for another"):
        return gold
    return _false_value(gold, name)


def _false_value(gold: Any, name: str) -> Any:
    if isinstance(gold, bool):
        return not gold
    if isinstance(gold, (int, float)):
        return _NUMBER if isinstance(gold, float) else int(_NUMBER)
    if "date" in name.lower() or name in ("published", "modified", "deadline"):
        return _DATE
    return {"email": "zyx@quandary.example", "website": "https://quandary.example/"}.get(
        name, _TEXT
    )


def _typed(value: Any, expected: Any) -> Any:
    return value if type(value) is type(expected) else None


def _quote(fabrication: Fabrication, value: Any, lines: list[str], position: int) -> str:
    if fabrication == "no quote" or value is None:
        return ""
    if fabrication == "invented with a real quote":
        return lines[position % len(lines)]
    if fabrication in ("truth", "of another field"):
        words = [
            str(one) for one in (cast("list[Any]", value) if isinstance(value, list) else [value])
        ]
        return next((line for line in lines if words and words[0] in line), lines[0])
    return f"The page clearly says {value} here"


@asynccontextmanager
async def serve_llm(llm: RepliesToPrompts) -> AsyncGenerator[str]:
    """Serve the model on a free port of loopback; yield its base URL."""

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
        size = int(head.partition("content-length:")[2].split("\r\n")[0])
        request = json.loads(await reader.readexactly(size))
        prompt = next(m["content"] for m in request["messages"] if m["role"] == "user")
        response = {
            "choices": [{"message": {"role": "assistant", "content": llm.reply(prompt)}}],
            "usage": {"prompt_tokens": size // 4, "completion_tokens": 200},
        }
        body = json.dumps(response).encode()
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n")
        writer.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(handle, "127.0.0.1", 0, limit=2**22)
    async with server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"

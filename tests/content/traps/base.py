"""What a trap is made of, and prose to put around it."""

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

SAMPLES: dict[str, str] = json.loads(Path(__file__).with_name("samples.json").read_text("utf-8"))
URL = "https://quarry.example/notes/page.html"

_PROSE = (
    "The old quarry above the village closed in the spring, and for some weeks nobody could say "
    "what would become of the machines that stood along its upper edge.",
    "Visitors who had known the place for years, among them two geologists from the coast, walked "
    "the terraces once more and wrote down what the frost had loosened during the winter.",
    "By the end of May the council had three proposals on its table, and each of them began with "
    "the same question: who pays for the fence, and who looks after the path?",
    "In the meantime the swallows came back, nested in the crane, and settled the matter of when "
    "it could be taken down, at least until the young birds had left it.",
    "What remains is a wide floor of pale stone, a shallow pond that fills after rain, and a view "
    "over the valley that was not there before the blasting began.",
)


@dataclass(frozen=True)
class Trap:
    """A page, what must be read from it and what must not."""

    name: str
    page: str | bytes
    has: tuple[str, ...] = ()
    lacks: tuple[str, ...] = ()
    facts: dict[str, Any] = field(default_factory=dict[str, Any])  # dotted field -> value
    content_type: str | None = None
    url: str = URL


def prose(count: int = 5, *, start: int = 0) -> str:
    """Return paragraphs of a made-up article."""
    numbers = range(start, start + count)
    return "".join(f"<p>{_PROSE[number % len(_PROSE)]}</p>\n" for number in numbers)


def article(inside: str, *, head: str = "", around: str = "") -> str:
    """Return a whole page with an article that holds `inside` among its prose."""
    return (
        f"<!doctype html><html lang='en'><head><title>The quarry</title>{head}</head><body>"
        "<nav><ul><li><a href='/'>Home</a></li><li><a href='/about'>About us</a></li></ul></nav>"
        f"<main><article><h1>The quarry</h1>{prose(2)}{inside}{prose(3, start=2)}</article></main>"
        f"{around}"
        "<footer><p>© 2026 Quarry notes. All rights reserved.</p></footer></body></html>"
    )

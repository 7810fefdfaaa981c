"""One call of a tool with hostile content."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

# whose responses are hostile
UPSTREAMS = ("brave", "duckduckgo", "oecd", "eurostat", "crossref", "google_patents", "searxng")


@dataclass(frozen=True)
class HostileCase:
    """A call of a tool; `{url}` in its arguments and in the response is the URL of the body."""

    name: str
    body: bytes = b""
    content_type: str = "text/html; charset=utf-8"
    tool: str = "scrape_page"
    arguments: Mapping[str, Any] = field(default_factory=lambda: {"url": "{url}"})
    response: bytes = b"{}"  # of the upstreams

    def arguments_for(self, url: str) -> dict[str, Any]:
        """Return the arguments of the call."""
        return json.loads(json.dumps(self.arguments).replace("{url}", url))

    def response_for(self, url: str) -> bytes:
        """Return the response of the upstreams."""
        return self.response.replace(b"{url}", url.encode())


def repeat(piece: str, size: int) -> str:
    """Return the piece, repeated to this length."""
    return (piece * (size // len(piece) + 1))[:size]

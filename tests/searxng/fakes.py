"""A small world of instances that answer as a test says."""

import json
from collections.abc import Callable
from typing import Any

from tests.replay import FakeClock
from webquarry.errors import NetworkError
from webquarry.net.client.response import FetchedResponse, Headers
from webquarry.net.upstream.http_port import ApiRequest
from webquarry.searxng.open_pool import open_pool
from webquarry.searxng.pool import Pool
from webquarry.settings.groups.web_search import WebSearchSettings
from webquarry.storage.store import Store

Answers = Callable[[ApiRequest], FetchedResponse]
A, B, C = "https://a.example", "https://b.example", "https://c.example"
# one after the other in the order given, without pauses: what a test can foresee
PLAIN = WebSearchSettings(use_random_instances=False, request_delay_range=(0, 0))


class World:
    """`Http` over instances; remembers every request."""

    def __init__(self, **instances: Answers) -> None:
        self.instances = dict(instances)
        self.requests: list[ApiRequest] = []

    def put(self, base: str, answers: Answers) -> None:
        self.instances[base] = answers

    async def send(self, request: ApiRequest) -> FetchedResponse:
        self.requests.append(request)
        for base, answers in self.instances.items():
            if request.url.startswith(f"{base}/") or request.url == base:
                return answers(request)
        raise NetworkError(
            "DNS lookup failed (no such host)", details={"detail": "dns_no_such_name"}
        )

    @property
    def asked(self) -> list[str]:
        """The instances that were asked to search, in order."""
        return [r.url.removesuffix("/search") for r in self.requests if r.url.endswith("/search")]


def world(**answers: Answers) -> World:
    """Instances a, b and c, as far as named."""
    return World(**{f"https://{name}.example": given for name, given in answers.items()})


def results(*urls: str, **more: Any) -> dict[str, Any]:
    found = [
        {"title": f"Title {n}", "url": url, "content": f"About {n}", "score": 1 / n,
         "engine": "bing", "engines": ["bing"]}
        for n, url in enumerate(urls, 1)
    ]  # fmt: skip
    return {"query": "q", "results": found, "unresponsive_engines": []} | more


def finds(*urls: str, **more: Any) -> Answers:
    """Answer every search with these addresses."""

    def answer(request: ApiRequest) -> FetchedResponse:
        if request.url.endswith("/healthz"):
            return text("OK")
        return body(results(*urls, **more))

    return answer


def body(data: Any, status: int = 200, **headers: str) -> FetchedResponse:
    return _response(json.dumps(data).encode(), status, "application/json", headers)


def text(said: str, status: int = 200, **headers: str) -> FetchedResponse:
    return _response(said.encode(), status, "text/html; charset=utf-8", headers)


def _response(content: bytes, status: int, kind: str, headers: dict[str, str]) -> FetchedResponse:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return FetchedResponse(
        status=status,
        headers=Headers(({"content-type": kind} | named).items()),
        content=content,
        url="https://a.example/search",
    )


def says(response: FetchedResponse) -> Answers:
    return lambda _: response


def down(detail: str = "connection_refused") -> Answers:
    def answer(_: ApiRequest) -> FetchedResponse:
        raise NetworkError("the connection was refused", details={"detail": detail})

    return answer


class Setup:
    """A pool over a world, and the clock both go by."""

    def __init__(
        self,
        there: World,
        *,
        options: WebSearchSettings = PLAIN,
        store: Store | None = None,
        **keys: str,
    ) -> None:
        self.time = FakeClock()
        self.time.time = 1_700_000_000.0
        self.world = there
        self.pool: Pool = open_pool(
            there,
            {"SEARXNG_URL": ";".join(there.instances)} | keys,
            options=options,
            store=store,
            clock=self.time.clock(),
        )

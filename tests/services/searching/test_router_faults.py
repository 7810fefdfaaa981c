"""Three of four providers fail in every way there is, five hundred times."""

import json
import random
from collections import Counter
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.replay import FakeClock
from webquarry.errors import NetworkError, PayloadError, WebquarryError
from webquarry.models.search import WebQuery
from webquarry.net.client.response import FetchedResponse, Headers
from webquarry.net.upstream.http_port import ApiRequest
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.providers.brave import Brave
from webquarry.providers.duckduckgo import DuckDuckGo
from webquarry.providers.serper import Serper
from webquarry.providers.tavily import Tavily
from webquarry.services.provider_choice import ProviderDirectory
from webquarry.services.provider_queries import RoutingTrace
from webquarry.services.searching.service import Preferences, SearchService

pytestmark = pytest.mark.anyio
CALLS = 500
KEYS = {"BRAVE_API_KEY": "b", "SERPER_API_KEY": "s", "TAVILY_API_KEY": "t"}
ORDER = ("brave", "serper", "duckduckgo", "tavily")
HOSTS = {
    "api.search.brave.com": "brave",
    "google.serper.dev": "serper",
    "html.duckduckgo.com": "duckduckgo",
    "api.tavily.com": "tavily",
}
GOOD: dict[str, Any] = {
    "brave": {"query": {}, "web": {"results": [{"title": "B", "url": "https://brave.example/1"}]}},
    "serper": {"organic": [{"title": "S", "link": "https://serper.example/1"}]},
    "duckduckgo": '<div class="result"><a class="result__a" href="https://ddg.example/1">D</a></div>',
    "tavily": {"results": [{"title": "T", "url": "https://tavily.example/1"}]},
}
FOUND = {
    "brave": "https://brave.example/1",
    "serper": "https://serper.example/1",
    "duckduckgo": "https://ddg.example/1",
    "tavily": "https://tavily.example/1",
}
RETRY_AFTER, THRESHOLD, PAUSE = 7, 5, 60
KIND_OF = {
    401: "auth_required",
    403: "auth_required",
    429: "rate_limited",
    500: "upstream_unavailable",
    503: "upstream_unavailable",
    "shape": "upstream_unavailable",
    "html": "upstream_unavailable",
    "empty": "upstream_unavailable",
    "huge": "upstream_unavailable",
    "timeout": "network",
}


@dataclass(frozen=True)
class Sent:
    """One request and what became of it."""

    name: str
    fate: Any
    at: float


@dataclass
class Chaos:
    """An internet where only one provider is well."""

    clock: FakeClock
    dice: random.Random
    sent: list[Sent] = field(default_factory=list[Sent])

    async def send(self, request: ApiRequest) -> FetchedResponse:
        name = HOSTS[urlsplit(request.url).hostname or ""]
        fate = "well" if name == "tavily" else self.dice.choice([*KIND_OF, "well"])
        self.sent.append(Sent(name, fate, self.clock.time))
        if fate == "timeout":
            raise NetworkError("timed out")
        if fate == "huge":
            raise PayloadError("the answer is larger than 5 MiB")
        return _answer(name, fate, request.full_url)


def _answer(name: str, fate: Any, url: str) -> FetchedResponse:
    pages: dict[Any, Any] = {"html": "<html>Sign in</html>", "empty": "", "shape": {"odd": 1}}
    body = GOOD[name] if fate == "well" else pages.get(fate, {"message": "no"})
    content = body.encode() if isinstance(body, str) else json.dumps(body).encode()
    status = fate if isinstance(fate, int) else 200
    headers = {"retry-after": str(RETRY_AFTER)} if status == 429 else {}
    return FetchedResponse(
        status=status, headers=Headers(headers.items()), content=content, url=url
    )


@dataclass
class Book:
    """What the breaker of one provider should be doing, by an independent account."""

    failures: int = 0
    open_until: float | None = None

    def note(self, last: Sent) -> None:
        if last.fate == 429:
            self.open_until = last.at + RETRY_AFTER
        elif last.fate in ("timeout", 500, 503):
            self.failures += 1
            if self.open_until is not None or self.failures >= THRESHOLD:
                self.open_until = last.at + PAUSE
        else:
            self.failures, self.open_until = 0, None

    def state(self, now: float) -> str:
        if self.open_until is None:
            return "closed"
        return "open" if now < self.open_until else "half_open"


class Trial:
    """Calls one after the other, each checked against the books."""

    def __init__(self, seed: int) -> None:
        self.clock = FakeClock()
        # a repeatable choice, not a secret one
        self.chaos = Chaos(self.clock, random.Random(seed))  # noqa: S311
        self.upstreams = Upstreams(self.chaos, clock=self.clock.clock())
        classes: tuple[type[Any], ...] = (Brave, Serper, DuckDuckGo, Tavily)
        providers = [cls(self.upstreams, KEYS) for cls in classes]
        self.service = SearchService(
            ProviderDirectory(providers, classes),
            Preferences(routing={"default": ORDER}),
            health=self.upstreams.health,
            now=self.clock.now,
        )
        self.books = {name: Book() for name in ORDER}
        self.states: set[tuple[str, str]] = set()

    async def call(self, only: str | None) -> None:
        self._check_breakers()
        before, began, trace = len(self.chaos.sent), self.clock.time, RoutingTrace()
        try:
            found = await self.service.web.search(WebQuery(text="owls"), only=only, trace=trace)
            order = [only] if only else list(ORDER[: ORDER.index(found.provider) + 1])
            assert [item.url for item in found.items] == [FOUND[found.provider]]
            assert trace.attempted == order
        except WebquarryError:
            # the fourth is always well
            assert [name for name, _ in trace.failures] == [only]
        last = {sent.name: sent for sent in self.chaos.sent[before:]}
        for name, failure in trace.failures:
            self._check_failure(name, failure, last.get(name), began)
        for name, sent in last.items():
            self.books[name].note(sent)
        self.clock.time += 1

    def _check_breakers(self) -> None:
        for name, book in self.books.items():
            health = self.upstreams.health()[name]
            assert (health.state, health.failures) == (book.state(self.clock.time), book.failures)
            self.states.add((name, health.state))

    def _check_failure(
        self, name: str, failure: WebquarryError, last: Sent | None, began: float
    ) -> None:
        """A failure is the one that happened; where nothing was sent, the breaker was open."""
        assert failure.provider == name
        if last:
            assert failure.advice.kind == KIND_OF[last.fate]
        else:
            assert (self.books[name].open_until or 0) > began
            assert failure.advice.kind in {"rate_limited", "upstream_unavailable"}


@pytest.mark.parametrize("seed", [1, 2, 3])
async def test_every_call_gets_a_correct_answer_or_the_right_error(seed: int) -> None:
    trial = Trial(seed)

    for number in range(CALLS):
        await trial.call(only=ORDER[number % 3] if number % 5 == 0 else None)

    every = {(name, state) for name in ORDER[:3] for state in ("closed", "open", "half_open")}
    assert trial.states == every | {("tavily", "closed")}
    by_name = Counter(sent.name for sent in trial.chaos.sent)
    # the well one at most once a call; the others less, because breakers keep us away
    assert by_name["tavily"] <= CALLS
    assert max(by_name[name] for name in ORDER[:3]) < CALLS, by_name
    assert sum(by_name.values()) < 2.5 * CALLS, by_name  # six a call without breakers

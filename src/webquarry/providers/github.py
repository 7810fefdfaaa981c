"""GitHub's search for issues and pull requests (https://docs.github.com/rest/search/search)."""

from collections.abc import Sequence
from typing import ClassVar

from webquarry.content.text.query_operators import compose
from webquarry.content.text.snippets import shorten_snippet
from webquarry.content.text.timestamps import SECONDS, to_rfc3339
from webquarry.models.model import Text
from webquarry.models.search import WebQuery, WebResult
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.providers.capabilities_search import SearchSupport
from webquarry.providers.provider import Keys, ProviderInfo, Wire
from webquarry.providers.search_wire import SEARCH_LIMITS, SearchPayload
from webquarry.settings.variable import Variable

GITHUB_TOKEN = Variable("GITHUB_TOKEN", "GitHub token: raises the request limit.", secret=True)


class GitHub:
    """Searches issues and pull requests. A token raises the rate limit."""

    about: ClassVar = ProviderInfo(
        name="github",
        docs="https://docs.github.com/rest/search/search#search-issues-and-pull-requests",
        base_url="https://api.github.com",
        variables=(GITHUB_TOKEN,),
    )
    web_support: ClassVar = SearchSupport(
        max_results=100,
        filters=frozenset(("time_range", "sites", "exact_terms")),
        max_sites=5,
        max_chars=256,
        general=False,
    )

    def __init__(self, upstreams: Upstreams, keys: Keys) -> None:
        self._api = upstreams.api(self.about.name, self.about.base_url, SEARCH_LIMITS)
        self._now = upstreams.clock.time
        self._headers = {
            "Accept": "application/vnd.github+json",
            "X-GitHub-Api-Version": "2022-11-28",
        }
        if token := keys.get(GITHUB_TOKEN.name):
            self._headers["Authorization"] = f"Bearer {token}"

    async def search_web(self, query: WebQuery) -> list[WebResult]:
        qualifiers = _qualifiers(query.sites)
        if query.sites and qualifiers is None:
            return []  # no site is on GitHub
        parts = [compose(query.text, exact=query.exact_terms), *(qualifiers or ())]
        now = self._now()
        if query.time_range:
            parts.append(f"created:>={to_rfc3339(now - SECONDS[query.time_range], now)}")
        response = await self._api.get(
            "search/issues",
            params={"q": " ".join(parts), "per_page": query.count},
            headers=self._headers,
        )
        found = self._api.decode(_Results, response).items
        return [issue.to_web(now) for issue in found if issue.html_url]


def _qualifiers(sites: Sequence[str]) -> list[str] | None:
    """Return qualifiers for owners and repositories; None when no site is on GitHub."""
    found: list[str] = []
    for site in sites:
        host, _, path = site.partition("/")
        if host != "github.com":
            continue
        parts = path.split("/") if path else []
        if not parts:
            return []  # all of GitHub
        found.append(f"repo:{parts[0]}/{parts[1]}" if len(parts) > 1 else f"user:{parts[0]}")
    return found or None


class _Issue(Wire):
    title: str | None = None
    html_url: str = ""
    body: Text = ""
    state: str | None = None
    comments: int | None = None
    created_at: str | None = None

    def to_web(self, now: float) -> WebResult:
        status = f"{self.state or 'unknown state'}, {self.comments or 0} comments. "
        return WebResult(
            title=self.title or self.html_url,
            url=self.html_url,
            snippet=shorten_snippet(status + (self.body)),
            published=to_rfc3339(self.created_at, now),
        )


class _Results(SearchPayload):
    expected_keys = ("items",)
    items: tuple[_Issue, ...]

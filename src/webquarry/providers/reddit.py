"""Reddit through its search feed, which needs no key (https://www.reddit.com/search.rss)."""

from typing import TYPE_CHECKING, ClassVar

from webquarry.content.text.length_limits import cap_text
from webquarry.content.text.snippets import shorten_snippet
from webquarry.content.text.timestamps import to_rfc3339
from webquarry.errors import PayloadError, ProviderError
from webquarry.models.search import WebQuery, WebResult
from webquarry.net.client.response import FetchedResponse
from webquarry.net.upstream.api import ApiLimits
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.providers.capabilities_search import SearchSupport
from webquarry.providers.provider import Keys, ProviderInfo

if TYPE_CHECKING:
    from webquarry.content.html.dom import Element

_LIMITS = ApiLimits(timeout=8, deadline=12, tries=2, per_second=0.5, burst=3)
_ATOM = "{http://www.w3.org/2005/Atom}"
_BLOCKED_PAUSE = 300.0  # seconds


class Reddit:
    """Searches the posts of all communities."""

    about: ClassVar = ProviderInfo(
        name="reddit",
        docs="https://www.reddit.com/wiki/rss",
        base_url="https://www.reddit.com",
    )
    web_support: ClassVar = SearchSupport(
        max_results=25, filters=frozenset(("time_range", "safe")), max_chars=512, general=False
    )

    def __init__(self, upstreams: Upstreams, keys: Keys) -> None:
        del keys
        self._api = upstreams.api(self.about.name, self.about.base_url, _LIMITS)
        self._now = upstreams.clock.time

    async def search_web(self, query: WebQuery) -> list[WebResult]:
        params = {
            "q": query.text,
            "sort": "relevance",
            "t": query.time_range or "all",
            "limit": query.count,
            "include_over_18": "on" if query.safe == "off" else None,
        }
        response = await self._api.get("search.rss", params=params, expect=(403,))
        if response.status == 403:
            raise ProviderError(
                f"Refused ({self._api.name}): it blocks this network. Try a different provider.",
                provider=self._api.name,
            )
        return [self._result(entry) for entry in self._entries(response)][: query.count]

    def _entries(self, response: FetchedResponse) -> list["Element"]:
        # imported here because the XML parser is slow to load
        from lxml import etree

        # a bot check has status 200
        if b"<html" in cap_text(response.content, 2000).lower():
            raise self._api.rate_limited(_BLOCKED_PAUSE)
        parser = etree.XMLParser(resolve_entities=False, no_network=True)
        try:
            feed = etree.fromstring(response.content, parser)
        except etree.XMLSyntaxError as exc:
            raise self._unexpected() from exc
        if feed.tag != f"{_ATOM}feed":
            raise self._unexpected()
        return [entry for entry in feed.iter(f"{_ATOM}entry") if _link(entry)]

    def _result(self, entry: "Element") -> WebResult:
        community = entry.find(f"{_ATOM}category")
        name = (community.get("label") or "") if community is not None else ""
        text = shorten_snippet(_text(entry, "content").partition("submitted by")[0])
        origin = f"{name} by {_text(entry, 'author', 'name').removeprefix('/u/')}"
        return WebResult(
            title=_text(entry, "title") or _link(entry),
            url=_link(entry),
            snippet=f"{origin.strip()}. {text}".strip(),
            published=to_rfc3339(_text(entry, "published") or _text(entry, "updated"), self._now()),
        )

    def _unexpected(self) -> PayloadError:
        return PayloadError(
            f"Unexpected response ({self._api.name}): it is not an Atom feed. "
            "Try a different provider.",
            provider=self._api.name,
        )


def _link(entry: "Element") -> str:
    link = entry.find(f"{_ATOM}link")
    return (link.get("href") or "") if link is not None else ""


def _text(entry: "Element", *path: str) -> str:
    return (entry.findtext("/".join(f"{_ATOM}{name}" for name in path)) or "").strip()

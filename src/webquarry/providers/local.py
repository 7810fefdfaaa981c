"""The local index of pages that the caller has read or crawled; needs no network."""

from dataclasses import dataclass
from typing import ClassVar

from webquarry.content.text.query_operators import terms_of
from webquarry.models.caller import Caller
from webquarry.models.search import WebQuery, WebResult
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.providers.capabilities_search import SearchSupport
from webquarry.providers.provider import Keys, ProviderInfo
from webquarry.settings.variable import Variable
from webquarry.storage.indexed_page import FoundPage, IndexQuery
from webquarry.storage.page_index import PageIndex


@dataclass(frozen=True, kw_only=True)
class _About(ProviderInfo):
    """A provider without a base URL."""

    def all_variables(self) -> tuple[Variable, ...]:
        return self.variables


class Local:
    """Searches the caller's own pages only."""

    # the setting is not a key, so the application constructs this provider
    about: ClassVar[ProviderInfo] = _About(
        name="local", docs="docs/searching.md", base_url="", requires=("LOCAL_INDEX",)
    )
    web_support: ClassVar = SearchSupport(
        max_results=100,
        filters=frozenset(("exact_terms", "exclude_terms")),
        query_operators=False,
        general=False,
    )

    def __init__(self, upstreams: Upstreams, keys: Keys, *, index: PageIndex | None = None) -> None:
        del upstreams, keys
        self._index = index

    async def search_web(self, query: WebQuery) -> list[WebResult]:
        if self._index is None or query.asker is None:
            return []
        index_query = IndexQuery(
            words=query.text,
            exact=query.exact_terms,
            excluded=terms_of(query.exclude_terms),
            max_results=query.count,
        )
        found = await own_pages(self._index, index_query, query.asker)
        return [
            WebResult(
                title=match.page.title or match.page.url,
                url=match.page.url,
                snippet=match.snippet,
                published=match.page.published,
            )
            for match in found
        ]


async def own_pages(index: PageIndex, query: IndexQuery, caller: Caller) -> list[FoundPage]:
    """Return the caller's pages, best first, under whichever name they were read."""
    pages: dict[str, FoundPage] = {}  # by URL
    for user in caller.users:
        found = await index.search(query, tenant=caller.tenant, owner=user)
        pages = {match.page.url: match for match in found} | pages
    return list(pages.values())[: query.max_results]

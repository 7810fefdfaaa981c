"""Our own index of what the caller has read or crawled; it needs no network."""

from dataclasses import dataclass
from typing import ClassVar

from webquarry.content.operators import terms_of
from webquarry.content.snippets import excerpt
from webquarry.models.search import WebQuery, WebResult
from webquarry.net.upstreams import Upstreams
from webquarry.providers.base import About, Keys
from webquarry.providers.capabilities_search import Reach
from webquarry.settings.variable import Variable
from webquarry.storage.index import PageIndex, Wanted


@dataclass(frozen=True, kw_only=True)
class _About(About):
    """A provider without an address."""

    def declared(self) -> tuple[Variable, ...]:
        return self.variables


class Local:
    """Searches one's own pages, and nobody else's."""

    # the setting is no key, so only the application makes this provider
    about: ClassVar[About] = _About(
        name="local", docs="docs/searching.md", base_url="", requires=("LOCAL_INDEX",)
    )
    web_reach: ClassVar = Reach(
        most=100,
        honours=frozenset(("exact_terms", "exclude_terms")),
        operators=False,
        general=False,
    )

    def __init__(self, upstreams: Upstreams, keys: Keys, *, index: PageIndex | None = None) -> None:
        del upstreams, keys
        self._index = index

    async def search_web(self, query: WebQuery) -> list[WebResult]:
        if self._index is None or query.asker is None:
            return []
        wanted = Wanted(
            words=query.text,
            exact=query.exact_terms,
            without=terms_of(query.exclude_terms),
            most=query.count,
        )
        pages = await self._index.search(wanted, tenant=query.asker.tenant, owner=query.asker.user)
        words = [*terms_of(query.text), *terms_of(query.exact_terms)]
        return [
            WebResult(
                title=page.title or page.url,
                url=page.url,
                snippet=excerpt(page.text, words),
                published=page.published,
            )
            for page in pages
        ]

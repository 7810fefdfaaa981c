"""A search provider and a page reader over the synthetic pages, and our ranking of them."""

from typing import ClassVar

from tests.research_pages import NOW, Query, pages
from webquarry.content.html.read_html import read_html
from webquarry.errors import NotFoundError
from webquarry.models.caller import Caller
from webquarry.models.reading import RawResponse, Reading
from webquarry.models.search import WebQuery, WebResult
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.net.url import Url
from webquarry.providers.capabilities_search import SearchSupport
from webquarry.providers.provider import Keys, ProviderInfo
from webquarry.reading.page_cache import PageCache
from webquarry.reading.service import ReadingService
from webquarry.services.provider_choice import ProviderDirectory
from webquarry.services.provider_queries import RoutingTrace
from webquarry.services.research.cached_search import CachedSearch
from webquarry.services.research.evidence import Evidence
from webquarry.services.research.research_service import ResearchRequest, ResearchService
from webquarry.services.searching.service import SearchService
from webquarry.storage.captures import Captures
from webquarry.storage.memory_store import MemoryStore

CALLER = Caller(tenant="eval", user="reader")


class SyntheticSearch:
    """Returns the pages of one query, in search order."""

    about: ClassVar = ProviderInfo(
        name="written", docs="", base_url="https://written.test", requires=()
    )
    web_support: ClassVar = SearchSupport(max_results=10)

    def __init__(self, upstreams: Upstreams | None = None, keys: Keys | None = None) -> None:
        self.query: Query | None = None

    async def search_web(self, query: WebQuery) -> list[WebResult]:
        found = self.query.pages if self.query else ()
        return [WebResult(title=page.title, url=page.url) for page in found][: query.count]


class SyntheticPages:
    """Reads the synthetic pages."""

    async def read(self, url: Url, seconds: float) -> Reading:
        page = pages().get(url.href)
        if page is None:
            raise NotFoundError(f"{url.href} does not exist")
        reading = read_html(page.html.encode(), url=page.url, content_type="text/html")
        return reading.model_copy(update={"tier": "stealth"})

    async def read_raw(self, url: Url, seconds: float, max_bytes: int) -> RawResponse:
        raise NotFoundError(f"{url.href} does not exist")


async def our_order(query: Query) -> list[str]:
    """Return the URLs in the order in which Webquarry ranks them."""
    search = SyntheticSearch()
    search.query = query
    store = MemoryStore()
    reading = ReadingService(SyntheticPages(), PageCache(store))
    searching = SearchService(ProviderDirectory([search], [SyntheticSearch]))
    research = ResearchService(
        CachedSearch(searching, store),
        reading,
        Evidence(Captures(store), reading),
        now=lambda: NOW,
    )

    async def silent(done: float, total: float, message: str) -> None: ...

    gathered = await research.gather(
        ResearchRequest(query=query.text, count=10), CALLER, silent, RoutingTrace()
    )
    if gathered.failures:
        raise AssertionError(f"{query.text}: {gathered.failures}")
    return [source.url for source in gathered.sources]

"""The written web as our own program sees it: a search provider and a reader of its pages."""

from typing import ClassVar

from tests.research_pages import NOW, Query, pages
from webquarry.content.html.read_html import read_html
from webquarry.errors import NotFoundError
from webquarry.models.caller import Caller
from webquarry.models.reading import RawResponse, Reading
from webquarry.models.search import WebQuery, WebResult
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.net.url import Url
from webquarry.providers.capabilities_search import Reach
from webquarry.providers.provider import Keys, ProviderInfo
from webquarry.reading.page_cache import PageCache
from webquarry.reading.response_reader import Answer, reading_of
from webquarry.reading.service import ReadingService
from webquarry.services.provider_choice import ProviderDirectory
from webquarry.services.research.cached_search import CachedSearch
from webquarry.services.research.evidence import Evidence
from webquarry.services.research.research_service import ResearchRequest, ResearchService
from webquarry.services.searching.service import RoutingTrace, SearchService
from webquarry.storage.captures import Captures
from webquarry.storage.memory_store import MemoryStore

READER = Caller(tenant="eval", user="reader")


class WrittenSearch:
    """Finds the pages of one query, in their order."""

    about: ClassVar = ProviderInfo(
        name="written", docs="", base_url="https://written.test", requires=()
    )
    web_reach: ClassVar = Reach(most=10)

    def __init__(self, upstreams: Upstreams | None = None, keys: Keys | None = None) -> None:
        self.query: Query | None = None

    async def search_web(self, query: WebQuery) -> list[WebResult]:
        found = self.query.pages if self.query else ()
        return [WebResult(title=page.title, url=page.url) for page in found][: query.count]


class WrittenPages:
    """Reads the written pages as any page is read."""

    async def read(self, url: Url, seconds: float) -> Reading:
        page = pages().get(url.href)
        if page is None:
            raise NotFoundError(f"{url.href} is not written")
        answer = Answer(url=page.url, content=page.html.encode(), content_type="text/html")
        content = read_html(answer.content, url=page.url, content_type=answer.content_type)
        return reading_of(page.url, answer, content, "stealth")

    async def read_raw(self, url: Url, seconds: float, most: int) -> RawResponse:
        raise NotFoundError(f"{url.href} is not written")


async def our_order(query: Query) -> list[str]:
    """Return the addresses in the order in which our program ranks them."""
    search = WrittenSearch()
    search.query = query
    store = MemoryStore()
    reading = ReadingService(WrittenPages(), PageCache(store))
    searching = SearchService(ProviderDirectory([search], [WrittenSearch]))
    research = ResearchService(
        CachedSearch(searching, store),
        reading,
        Evidence(Captures(store), reading),
        today=lambda: NOW,
    )

    async def silent(done: float, total: float, message: str) -> None: ...

    gathered = await research.gather(
        ResearchRequest(query=query.text, count=10), READER, silent, RoutingTrace()
    )
    if gathered.failures:
        raise AssertionError(f"{query.text}: {gathered.failures}")
    return [source.url for source in gathered.sources]

"""Providers of works that answer what a test tells them to."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from webquarry.content.citations.identifiers import doi_key
from webquarry.errors import ProviderError, WebquarryError
from webquarry.models.reading import RetractionStatus
from webquarry.models.search import WebQuery, WebResult
from webquarry.models.works import CitationLinks, OpenCopy, Work, WorkQuery, Works
from webquarry.net.client.response import FetchedResponse
from webquarry.net.upstream.http_port import ApiRequest
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.providers.capabilities_search import SearchSupport
from webquarry.providers.capabilities_works import WorkSearchSupport
from webquarry.providers.provider import Keys, ProviderInfo

ALL = frozenset({"years", "open_access", "pdf_only", "newest"})
SOURCES = frozenset({"arxiv", "pubmed", "ieee", "nature", "springer"})
DOWN = ProviderError("Unavailable (it): HTTP 503.", provider="it")


def work(number: int = 1, **told: Any) -> Work:
    usual = {
        "title": f"Hearing of owls in forest {number}",
        "url": f"https://example.org/{number}",
        "source": "openalex",
    }
    return Work.model_validate(usual | told)


class NoNetwork:
    """Answers nothing."""

    async def send(self, request: ApiRequest) -> FetchedResponse:
        raise AssertionError(f"not expected: {request.full_url}")


def _about(name: str) -> Any:
    return ProviderInfo(name=name, docs="https://example.org", base_url="https://example.org")


class _Fake:
    about: ClassVar[ProviderInfo]

    def __init__(self, upstreams: Upstreams | None = None, keys: Keys | None = None) -> None:
        self.requests: list[Any] = []


class FakeWorkSearch(_Fake):
    """Searches works: what it has, or why it cannot."""

    work_support: ClassVar[WorkSearchSupport]
    answer: Works | WebquarryError

    async def search_works(self, query: WorkQuery) -> Works:
        self.requests.append(query)
        if isinstance(self.answer, WebquarryError):
            raise self.answer
        return self.answer


def finds(
    name: str, *works: Work, fails: WebquarryError | None = None, **support: Any
) -> FakeWorkSearch:
    """Return a provider of that name with these works."""
    given: dict[str, Any] = {
        "max_results": 100,
        "filters": ALL,
        "sources": SOURCES,
        "recognised_sources": SOURCES,
    } | support
    kind = type(
        name, (FakeWorkSearch,), {"about": _about(name), "work_support": WorkSearchSupport(**given)}
    )
    made = kind()
    named = tuple(each.model_copy(update={"source": name}) for each in works)
    made.answer = fails or Works(items=named, total=len(works))
    return made


class FakeOpenCopies(_Fake):
    """Knows free copies, and counts how many questions were open at once."""

    about: ClassVar = _about("unpaywall")
    known: Mapping[str, OpenCopy | WebquarryError]
    waiting = 0
    most_at_once = 0

    async def open_copy(self, doi: str) -> OpenCopy | None:
        self.requests.append(doi)
        self.waiting += 1
        self.most_at_once = max(self.most_at_once, self.waiting)
        await asyncio.sleep(0)
        self.waiting -= 1
        found = self.known.get(doi)
        if isinstance(found, WebquarryError):
            raise found
        return found


def copies(known: Mapping[str, OpenCopy | WebquarryError]) -> FakeOpenCopies:
    made = FakeOpenCopies()
    made.known = known
    return made


class FakeNotices(_Fake):
    """Knows notices by DOI; one that is missing is unknown to it."""

    about: ClassVar = _about("crossref")
    known: Mapping[str, RetractionStatus | None]
    fails: WebquarryError | None = None

    async def notices(self, dois: Sequence[str]) -> Mapping[str, RetractionStatus | None]:
        self.requests.append(list(dois))
        if self.fails:
            raise self.fails
        return {doi_key(d): self.known[doi_key(d)] for d in dois if doi_key(d) in self.known}


def keeps(
    known: Mapping[str, RetractionStatus | None], *, fails: WebquarryError | None = None
) -> FakeNotices:
    made = FakeNotices()
    made.known, made.fails = known, fails
    return made


class Web(_Fake):
    """Searches the web."""

    about: ClassVar = _about("brave")
    web_support: ClassVar = SearchSupport(
        max_results=20, filters=frozenset({"sites"}), max_sites=20
    )
    results: tuple[WebResult, ...]
    fails: WebquarryError | None = None

    async def search_web(self, query: WebQuery) -> list[WebResult]:
        self.requests.append(query)
        if self.fails:
            raise self.fails
        return list(self.results)


def web(*results: WebResult, fails: WebquarryError | None = None) -> Web:
    made = Web()
    made.results, made.fails = results, fails
    return made


Side = CitationLinks | WebquarryError | None


class FakeCitations(_Fake):
    """Follows citations; a Links or an error for each side."""

    shows_influence: ClassVar = True
    about: ClassVar = _about("semanticscholar")
    start: Work | WebquarryError | None
    sides: Mapping[str, Side]
    meeting: asyncio.Barrier | None = None  # passed only when both sides are asked at once

    async def seed(self, paper: str) -> Work | None:
        self.requests.append(paper)
        if isinstance(self.start, WebquarryError):
            raise self.start
        return self.start

    async def citing(self, seed: Work, count: int, *, influential: bool = False) -> CitationLinks:
        return await self._side("citing", count, influential=influential)

    async def cited(self, seed: Work, count: int, *, influential: bool = False) -> CitationLinks:
        return await self._side("cited", count, influential=influential)

    async def _side(self, name: str, count: int, *, influential: bool) -> CitationLinks:
        self.requests.append((name, count, influential))
        if self.meeting:
            await self.meeting.wait()
        found = self.sides[name]
        if isinstance(found, WebquarryError):
            raise found
        return found or CitationLinks()


class CountingCitations(FakeCitations):
    """Follows citations without a sign of influence."""

    shows_influence: ClassVar = False
    about: ClassVar = _about("openalex")


def linked(
    seed: Work | WebquarryError | None,
    citing: Side = None,
    cited: Side = None,
    kind: type[FakeCitations] = FakeCitations,
) -> FakeCitations:
    made = kind()
    made.start, made.sides = seed, {"citing": citing, "cited": cited}
    return made


def counted(
    seed: Work | WebquarryError | None, citing: Side = None, cited: Side = None
) -> FakeCitations:
    return linked(seed, citing, cited, CountingCitations)

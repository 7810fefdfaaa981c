"""Registries, pages and links that answer what a test tells them to."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from webquarry.content.citations.identifiers import doi_key
from webquarry.errors import NetworkError, PageError, WebquarryError
from webquarry.models.reading import RawResponse, Reading, RetractionStatus
from webquarry.models.works import Work
from webquarry.net.client.response import FetchedResponse, Headers
from webquarry.net.fetch import FetchRequest
from webquarry.net.url import Url
from webquarry.providers.provider import ProviderInfo

DOWN = NetworkError("Network error (it): timed out.", provider="it")
OWLS = Work(
    title="The hearing of owls in dense forests: a field study",
    url="https://doi.org/10.1000/owl.1",
    source="crossref",
    doi="10.1000/owl.1",
    authors=("Jürgen Müller", "Olga Ivanova"),
    journal="Journal of Applied Ecology",
    year=2019,
    pages="123-131",
    noticesKnown=True,
)
APA = (
    "Müller, J., & Ivanova, O. (2019). The hearing of owls in dense forests: A field study. "
    "Journal of Applied Ecology, 12(3), 123-131."
)


def about(name: str) -> ProviderInfo:
    return ProviderInfo(name=name, docs="https://example.org", base_url="https://example.org")


class Registry:
    """Knows works by DOI and by title, or cannot be asked."""

    about: ClassVar[ProviderInfo] = about("crossref")

    def __init__(self, *works: Work, fails: WebquarryError | None = None) -> None:
        self.works = works
        self.fails = fails
        self.asked: list[str] = []

    async def work_by_doi(self, doi: str) -> Work | None:
        self._ask(doi)
        return next((w for w in self.works if doi_key(w.doi or "") == doi_key(doi)), None)

    async def works_by_title(self, title: str, count: int = 5) -> tuple[Work, ...]:
        self._ask(title)
        return self.works[:count]

    def _ask(self, what: str) -> None:
        self.asked.append(what)
        if self.fails:
            raise self.fails


class Second(Registry):
    """Another registry of the same kind."""

    about: ClassVar[ProviderInfo] = about("openalex")


class Handles:
    """Knows which DOIs are registered."""

    about: ClassVar[ProviderInfo] = about("doi")

    def __init__(self, *dois: str, fails: WebquarryError | None = None) -> None:
        self.dois = {doi_key(doi) for doi in dois}
        self.fails = fails

    async def is_registered(self, doi: str) -> bool:
        if self.fails:
            raise self.fails
        return doi_key(doi) in self.dois


class Notices:
    """Knows what was published about works later."""

    about: ClassVar[ProviderInfo] = about("notices")

    def __init__(
        self, known: Mapping[str, RetractionStatus | None], fails: WebquarryError | None = None
    ) -> None:
        self.known = known
        self.fails = fails

    async def notices(self, dois: Sequence[str]) -> Mapping[str, RetractionStatus | None]:
        if self.fails:
            raise self.fails
        return {doi: self.known[doi] for doi in dois if doi in self.known}


class Site:
    """Pages by address, for reading and for checking links: a status, a failure or a text."""

    def __init__(self, pages: Mapping[str, Any]) -> None:
        self.pages = pages
        self.read_urls: list[str] = []

    async def read(self, url: Url, seconds: float) -> Reading:
        self.read_urls.append(url.href)
        found = self.pages.get(url.href)
        if not isinstance(found, Reading):
            raise PageError(f"no page {url.href} here")
        return found

    async def read_raw(self, url: Url, seconds: float, max_bytes: int) -> RawResponse:
        raise PageError(f"no page {url.href} here")

    async def fetch(self, request: FetchRequest) -> FetchedResponse:
        found = self.pages.get(request.url, 404)
        if isinstance(found, WebquarryError):
            raise found
        status = found if isinstance(found, int) else 200
        body = b"<title>t</title><p>" + b"Something to read about owls. " * 100
        headers = Headers([("content-type", "text/html")])
        return FetchedResponse(url=request.url, status=status, headers=headers, content=body)


def page(url: str, text: str, **metadata: Any) -> Reading:
    return Reading.model_validate(
        {"url": url, "final_url": url, "markdown": text, "kind": "html", "metadata": metadata}
    )

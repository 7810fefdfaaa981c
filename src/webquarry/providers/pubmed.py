"""PubMed, biomedical literature (https://www.ncbi.nlm.nih.gov/books/NBK25499/)."""

import logging
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, ClassVar

from pydantic import Field

from webquarry.errors import (
    AccessError,
    NetworkError,
    NotFoundError,
    ProviderError,
    RateLimitError,
)
from webquarry.models.paper_text import FullTextFile, PaperIds
from webquarry.models.works import Work, WorkQuery, Works
from webquarry.net.client.response import FetchedResponse
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.providers.capabilities_works import WorkSearchSupport
from webquarry.providers.provider import Keys, ProviderInfo, Wire
from webquarry.providers.pubmed_wire import PubmedSummaries, PubmedSummary, parse_articles
from webquarry.providers.works_wire import DOI_SOURCES, WORK_LIMITS, contact_variable
from webquarry.settings.variable import Variable

PUBMED_KEY = Variable(
    "PUBMED_API_KEY", "Raises PubMed's limit to 10 requests per second.", secret=True
)
PUBMED_EMAIL = contact_variable("PUBMED_EMAIL", "Contact e-mail address for PubMed.")
logger = logging.getLogger(__name__)

_TOOL = "webquarry"
_FIRST, _LAST = 1500, 3000  # years; a range needs both ends


class PubMed:
    """Finds biomedical articles with their abstracts. Needs no key."""

    about: ClassVar = ProviderInfo(
        name="pubmed",
        docs="https://www.ncbi.nlm.nih.gov/books/NBK25501/",
        base_url="https://eutils.ncbi.nlm.nih.gov/entrez/eutils",
        variables=(PUBMED_KEY, PUBMED_EMAIL),
    )
    work_support: ClassVar = WorkSearchSupport(
        max_results=100,
        filters=frozenset({"years", "open_access", "newest"}),
        sources=frozenset({"pubmed"}),
        recognised_sources=DOI_SOURCES,
    )

    identifiers: ClassVar = frozenset({"pmid"})
    full_text_ids: ClassVar = frozenset({"pmcid"})

    def __init__(self, upstreams: Upstreams, keys: Keys) -> None:
        key = keys.get(PUBMED_KEY.name)
        limits = replace(WORK_LIMITS, per_second=10 if key else 3, burst=3)
        self._api = upstreams.api(self.about.name, self.about.base_url, limits)
        self._identity = {"tool": _TOOL, "email": keys.get(PUBMED_EMAIL.name), "api_key": key}

    async def search_works(self, query: WorkQuery) -> Works:
        response = await self._get("esearch.fcgi", _search_params(query))
        self._check_limit(response)
        found = self._api.decode(_Search, response).result
        if found.error:
            raise self._rejected(found.error)
        if not found.ids:
            return Works(total=found.total)
        records = {work.ids["pmid"]: work for work in await self._records(found.ids)}
        if query.open_access:  # the search had this filter
            records = {
                n: work.model_copy(update={"openAccess": True}) for n, work in records.items()
            }
        ranked = (records.get(number) for number in found.ids)
        return Works(items=tuple(work for work in ranked if work), total=found.total)

    async def work_by_identifier(self, kind: str, value: str) -> Work | None:
        return next((w for w in await self._records((value,)) if w.ids.get("pmid") == value), None)

    async def full_text(self, ids: PaperIds) -> FullTextFile | None:
        """Return an article of PubMed Central; some come without their text."""
        number = ids.pmcid or ""
        params = {"db": "pmc", "id": number.removeprefix("PMC"), "retmode": "xml"}
        response = await self._get("efetch.fcgi", params)
        self._check_limit(response)
        page = f"https://pmc.ncbi.nlm.nih.gov/articles/{number}"
        return FullTextFile(content=response.content, format="jats", url=page)

    async def _records(self, numbers: Sequence[str]) -> list[Work]:
        """Return the articles with abstracts, or without if those are not available."""
        params = {"db": "pubmed", "id": ",".join(numbers)}
        try:
            response = await self._get("efetch.fcgi", params | {"retmode": "xml"})
            self._check_limit(response)
            return list(parse_articles(response.content, self.about.name))
        except (RateLimitError, AccessError, NetworkError):
            raise
        except (ProviderError, NotFoundError) as error:
            logger.info("no full records, summaries instead: %s", error)
        response = await self._get("esummary.fcgi", params | {"retmode": "json"})
        self._check_limit(response)
        found = self._api.decode(PubmedSummaries, response).result
        summaries = (each for each in found.values() if isinstance(each, PubmedSummary))
        return [work for each in summaries if (work := each.to_work())]

    async def _get(self, path: str, params: dict[str, Any]) -> FetchedResponse:
        return await self._api.get(path, params=params | self._identity)

    def _check_limit(self, response: FetchedResponse) -> None:
        """Raise the error that a response with status 200 may contain."""
        if not response.content.lstrip().startswith(b"{"):
            return
        message = self._api.decode(_Error, response).error
        if message and "rate limit" in message.lower():
            raise self._api.rate_limited(1)
        if message:
            raise self._rejected(message)

    def _rejected(self, message: str) -> ProviderError:
        return ProviderError(
            f"Request refused ({self.about.name}): {message[:200]}. Try a different provider.",
            provider=self.about.name,
        )


def _search_params(query: WorkQuery) -> dict[str, Any]:
    params: dict[str, Any] = {
        "db": "pubmed",
        "term": f"({query.text}) AND free full text[sb]" if query.open_access else query.text,
        "retmode": "json",
        "retmax": query.count,
        "sort": "pub_date" if query.newest else "relevance",
    }
    if query.year_from or query.year_to:
        params |= {
            "datetype": "pdat",
            "mindate": query.year_from or _FIRST,
            "maxdate": query.year_to or _LAST,
        }
    return params


class _Error(Wire):
    error: str | None = None


class _Result(Wire):
    count: str | int | None = None
    ids: tuple[str, ...] = Field(default=(), alias="idlist")
    error: str | None = Field(default=None, alias="ERROR")

    @property
    def total(self) -> int | None:
        count = str(self.count or "")
        return int(count) if count.isdecimal() else None


class _Search(Wire):
    result: _Result = Field(alias="esearchresult")

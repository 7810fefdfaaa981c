"""Finds patents by web search and reads their pages."""

import asyncio

from webquarry.content.citations.patent_numbers import patent_number
from webquarry.content.text.company_names import short_name
from webquarry.errors import WebquarryError
from webquarry.models.patents import Patent, PatentQuery
from webquarry.models.search import WebQuery, WebResult
from webquarry.providers.capabilities_patents import FindsPatents
from webquarry.services.provider_queries import RoutingTrace
from webquarry.services.searching.service import SearchService

_SITE = "patents.google.com"
_EXTRA_RESULTS = 5  # because some results are not patents
_MAX_RESULTS = 20
_MAX_CONCURRENT = 3
_READ_TIMEOUT = 25.0  # seconds for all pages together


async def discover_patents(
    query: PatentQuery, searching: SearchService, pages: FindsPatents | None, only: str | None
) -> tuple[list[Patent], list[str]]:
    """Return the patents that a web search finds, and the providers that were queried.

    Patents have the details of their pages if these were read in time.
    """
    trace = RoutingTrace()
    count = min(_MAX_RESULTS, query.count + _EXTRA_RESULTS)
    web_query = WebQuery(text=_query_text(query), count=count, sites=(_SITE,))
    found = await searching.web.search(web_query, only=only, trace=trace)
    by_number: dict[str, Patent] = {}
    for result in found.items:
        if number := patent_number(result.url):
            by_number.setdefault(number, _from_result(number, result))
    details = await _read_pages(list(by_number), pages) if pages else {}
    patents = [details.get(number, patent) for number, patent in by_number.items()]
    return patents, trace.attempted


def _query_text(query: PatentQuery) -> str:
    parts = (
        query.number,
        query.text,
        f'"{short_name(query.assignee)}"' if query.assignee else None,
        f'inventor "{query.inventor}"' if query.inventor else None,
        query.cpc,
        query.office,
    )
    return " ".join(filter(None, parts))


def _from_result(number: str, result: WebResult) -> Patent:
    title = result.title.removesuffix(" - Google Patents").removeprefix(f"{number} - ")
    return Patent(
        title=title or number,
        number=number,
        url=f"https://{_SITE}/patent/{number}/en",
        abstract=result.snippet,
    )


async def _read_pages(numbers: list[str], pages: FindsPatents) -> dict[str, Patent]:
    """Return the patents whose pages could be read in time."""
    slots = asyncio.Semaphore(_MAX_CONCURRENT)
    read: dict[str, Patent] = {}

    async def one(number: str) -> None:
        async with slots:
            try:
                patent = await pages.find_patent(number)
            except WebquarryError:
                return
            if patent:
                read[number] = patent

    try:
        async with asyncio.timeout(_READ_TIMEOUT):
            await asyncio.gather(*map(one, numbers))
    except TimeoutError:
        pass
    return read

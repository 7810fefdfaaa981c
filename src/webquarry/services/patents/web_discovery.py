"""Finds patents through web search, and reads each from its page."""

import asyncio

from webquarry.content.citations.patent_numbers import patent_number
from webquarry.content.text.company_names import short_name
from webquarry.errors import WebquarryError
from webquarry.models.patents import Patent, PatentQuery
from webquarry.models.search import WebQuery, WebResult
from webquarry.providers.capabilities_patents import FindsPatents
from webquarry.services.searching.service import SearchService

_SITE = "patents.google.com"
_MORE = 5  # results beside those wanted, as some are no patents
_MOST = 20
_AT_ONCE = 3
_PATIENCE = 25.0  # seconds for all pages together


async def discover(
    query: PatentQuery, searching: SearchService, pages: FindsPatents | None, only: str | None
) -> list[Patent]:
    """Return the patents a web search leads to, with what their pages say while time allows."""
    wanted = WebQuery(text=_words(query), count=min(_MOST, query.count + _MORE), sites=(_SITE,))
    found = await searching.web.answer(wanted, only=only)
    named: dict[str, WebResult] = {}
    for result in found.items:
        if number := patent_number(result.url):
            named.setdefault(number, result)
    plain = {number: _from_result(number, result) for number, result in named.items()}
    details = await _read(list(plain), pages) if pages else {}
    return [details.get(number, patent) for number, patent in plain.items()]


def _words(query: PatentQuery) -> str:
    told = (
        query.number,
        query.text,
        f'"{short_name(query.assignee)}"' if query.assignee else None,
        f'inventor "{query.inventor}"' if query.inventor else None,
        query.cpc,
        query.office,
    )
    return " ".join(word for word in told if word)


def _from_result(number: str, result: WebResult) -> Patent:
    title = result.title.removesuffix(" - Google Patents").removeprefix(f"{number} - ")
    return Patent(
        title=title or number,
        number=number,
        url=f"https://{_SITE}/patent/{number}/en",
        abstract=result.snippet or None,
    )


async def _read(numbers: list[str], pages: FindsPatents) -> dict[str, Patent]:
    """Return those that could be read; what the search itself told must do for the others."""
    gate = asyncio.Semaphore(_AT_ONCE)
    read: dict[str, Patent] = {}

    async def one(number: str) -> None:
        async with gate:
            try:
                patent = await pages.find_patent(number)
            except WebquarryError:
                return
            if patent:
                read[number] = patent

    try:
        async with asyncio.timeout(_PATIENCE):
            await asyncio.gather(*map(one, numbers))
    except TimeoutError:
        pass
    return read

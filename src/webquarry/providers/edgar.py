"""SEC EDGAR, filings of US companies (https://www.sec.gov/search-filings/edgar-application-programming-interfaces)."""

from collections.abc import Iterable
from typing import ClassVar

from webquarry.errors import AccessError, PayloadError, RateLimitError
from webquarry.models.periods import within
from webquarry.models.records import Filing, FilingQuery, RecordsFound
from webquarry.net.upstream.api import ApiLimits
from webquarry.net.upstream.http_port import USER_AGENT, Params, Request, Response
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.providers._edgar_companies import Companies, Company
from webquarry.providers._edgar_facts import CompanyFacts
from webquarry.providers._edgar_wire import Columns, Hits, Submissions
from webquarry.providers.capabilities_records import CatalogCache
from webquarry.providers.provider import OPENALEX_EMAIL, Keys, ProviderInfo
from webquarry.settings.value_types import EMAIL
from webquarry.settings.variable import Variable

_WWW = "https://www.sec.gov"
_DATA = "https://data.sec.gov"
_EFTS = "https://efts.sec.gov"
_MOST_PAGES = 8  # of older filings, 1000 to 3000 each
_FIRST_DAY, _LAST_DAY = "2001-01-01", "2100-01-01"  # of full-text search, which wants both
_BLOCK = 600.0  # seconds the SEC shuts out whoever asks too often


class Edgar:
    """Finds filings and facts. The SEC wants a contact address and at most 10 requests a second."""

    about: ClassVar = ProviderInfo(
        name="edgar",
        docs="https://www.sec.gov/os/accessing-edgar-data",
        base_url=_WWW,
        variables=(
            Variable(
                "EDGAR_CONTACT_EMAIL",
                "Contact address for the SEC, which enables filing_search.",
                EMAIL,
                fallback=OPENALEX_EMAIL.name,
            ),
            OPENALEX_EMAIL,
        ),
        requires=("EDGAR_CONTACT_EMAIL",),
    )

    def __init__(self, upstreams: Upstreams, keys: Keys) -> None:
        # one upstream for its three hosts: they share the limit, and the address given instead
        limits = ApiLimits(timeout=20, deadline=40, per_second=10, max_bytes=64 * 2**20)
        self._api = upstreams.api(self.about.name, self.about.base_url, limits)
        self._headers = {"User-Agent": f"{USER_AGENT} ({keys['EDGAR_CONTACT_EMAIL']})"}

    async def search_filings(self, query: FilingQuery, shelf: CatalogCache) -> RecordsFound[Filing]:
        company, notes = await self._company(query, shelf)
        if company is None:
            if query.facts or query.ticker or query.text is None:
                return RecordsFound((), notes)
            found = await self._full_text(query)
        elif query.facts:
            found = await self._facts(company, query)
        else:
            found = await self._submissions(company, query)
        return RecordsFound(found.items, (*found.notes, *notes))

    async def _company(
        self, query: FilingQuery, shelf: CatalogCache
    ) -> tuple[Company | None, tuple[str, ...]]:
        """Return the company meant, if one is, and what to say about the guess."""
        named = Companies.by_number(query.ticker or query.text or "")
        if named:
            return named, ()
        kept = await shelf.fetch("edgar:tickers", self._tickers)
        known = Companies.read(kept.content)
        if query.ticker:
            found = known.by_ticker(query.ticker)
            missing = f"{query.ticker} is not among the SEC's tickers; try a name or a CIK."
            unused = "The ticker decides; query was not used."
            said = missing if found is None else unused if query.text else None
            return found, ((said,) if said else ()) + kept.notes
        found, said = known.by_words(query.text or "")
        if found is None and query.facts:
            said = (*said, "facts needs a company; give its ticker or CIK.")
        return found, said + kept.notes

    async def _tickers(self) -> bytes:
        response = await self._get(_WWW, "files/company_tickers.json")
        listed = self._api.decode(Companies.wire, response)
        if not listed:  # kept, it would hide every company until it is loaded again
            raise PayloadError(
                "Unexpected answer (edgar): its list of companies is empty. Retry later.",
                provider="edgar",
            )
        return Companies.pack(listed)

    async def _submissions(self, company: Company, query: FilingQuery) -> RecordsFound[Filing]:
        response = await self._get(_DATA, f"submissions/CIK{company.cik}.json", expect=(404,))
        if response.status == 404:
            return RecordsFound((), (f"The SEC knows no filer with CIK {company.cik}.",))
        filer = self._api.decode(Submissions, response)
        found = list(_wanted(filer.recent, query))
        older = [page for page in filer.older if page.touches(query.since, query.until)]
        for page in older[:_MOST_PAGES]:
            if len(found) >= query.count:
                break
            response = await self._get(_DATA, f"submissions/{page.name}")
            found += _wanted(self._api.decode(Columns, response), query)
        unread = len(older) > _MOST_PAGES and len(found) < query.count
        name = filer.name or company.name
        items = tuple(f.to_filing(company.cik, name) for f in found[: query.count])
        note = "Older filings were not read; set date_to to reach them."
        return RecordsFound(items, (note,) if unread else ())

    async def _facts(self, company: Company, query: FilingQuery) -> RecordsFound[Filing]:
        path = f"api/xbrl/companyfacts/CIK{company.cik}.json"
        response = await self._get(_DATA, path, expect=(404,))
        if response.status == 404:
            return RecordsFound((), (f"CIK {company.cik} has filed no XBRL facts.",))
        return self._api.decode(CompanyFacts, response).headlines(company.cik, query)

    async def _full_text(self, query: FilingQuery) -> RecordsFound[Filing]:
        dated = query.since or query.until
        params: Params = {
            "q": query.text,
            # amendments are found under the form they amend
            "forms": query.form.upper().removesuffix("/A") if query.form else None,
            "dateRange": "custom" if dated else None,
            "startdt": (query.since or _FIRST_DAY) if dated else None,
            "enddt": (query.until or _LAST_DAY) if dated else None,
        }
        response = await self._get(_EFTS, "LATEST/search-index", params)
        hits = self._api.decode(Hits, response)
        found = [f for f in (hit.to_filing() for hit in hits.hits) if _fits(f, query)]
        shown = tuple(found[: query.count])
        more = hits.total > len(shown) > 0
        least = "at least " if hits.relation == "gte" else ""
        said = f"{len(shown)} of {least}{hits.total} documents found in the full text."
        return RecordsFound(shown, (said,) if more else ())

    async def _get(
        self, host: str, path: str, params: Params | None = None, expect: Iterable[int] = ()
    ) -> Response:
        moved = self._api.base_url != _WWW  # then all hosts are at that address
        request = Request(
            url=f"{self._api.base_url if moved else host}/{path}",
            params=params or {},
            headers=self._headers,
        )
        response = await self._api.send(request, expect=(403, *expect))
        if response.status == 403:
            raise _refused(response)
        return response


def _wanted(columns: Columns, query: FilingQuery) -> "Iterable[Columns.Row]":
    rows = sorted(columns.rows(), key=lambda row: row.filed, reverse=True)
    return [row for row in rows if _fits(row.to_filing("", None), query)]


def _fits(filing: Filing, query: FilingQuery) -> bool:
    form = query.form is None or (filing.formType or "").upper() == query.form.upper()
    return form and within(filing.filingDate, query.since, query.until)


def _refused(response: Response) -> Exception:
    """Tell the two reasons for a 403 apart: too many requests, or an unwelcome sender."""
    if "threshold" in response.text.lower():
        return RateLimitError(
            "Rate limited (edgar). The SEC wants a pause of ten minutes.",
            provider="edgar",
            retry_after=_BLOCK,
        )
    return AccessError(
        "Access refused (edgar): the SEC did not accept the contact in EDGAR_CONTACT_EMAIL.",
        provider="edgar",
    )

"""SEC EDGAR, filings of US companies (https://www.sec.gov/search-filings/edgar-application-programming-interfaces)."""

from collections.abc import Iterable
from typing import ClassVar

from webquarry.errors import AccessError, PayloadError, RateLimitError
from webquarry.models.periods import within
from webquarry.models.records import Filing, FilingQuery, RecordsFound
from webquarry.net.client.response import FetchedResponse
from webquarry.net.upstream.api import ApiLimits
from webquarry.net.upstream.http_port import USER_AGENT, ApiRequest, Params
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.providers._edgar_companies import EdgarCompanies, EdgarCompany
from webquarry.providers._edgar_facts import CompanyFacts
from webquarry.providers._edgar_query import canonical_form, parts_note, understand, with_parts
from webquarry.providers._edgar_wire import FilerSubmissions, FilingColumns, FullTextHits
from webquarry.providers.capabilities_records import CatalogCache
from webquarry.providers.provider import OPENALEX_EMAIL, Keys, ProviderInfo
from webquarry.settings.value_types import EMAIL
from webquarry.settings.variable import Variable

_WWW = "https://www.sec.gov"
_DATA = "https://data.sec.gov"
_EFTS = "https://efts.sec.gov"
_MAX_PAGES = 8  # of older filings, 1000 to 3000 each
_FIRST_DAY, _LAST_DAY = "2001-01-01", "2100-01-01"  # full-text search needs both
_BLOCK_SECONDS = 600.0  # the SEC blocks clients that send too many requests


class Edgar:
    """Finds filings and facts. The SEC requires a contact and allows 10 requests a second."""

    about: ClassVar = ProviderInfo(
        name="edgar",
        docs="https://www.sec.gov/os/accessing-edgar-data",
        base_url=_WWW,
        variables=(
            Variable(
                "EDGAR_CONTACT_EMAIL",
                "Contact e-mail address for the SEC; enables filing_search.",
                EMAIL,
                fallback=OPENALEX_EMAIL.name,
            ),
            OPENALEX_EMAIL,
        ),
        requires=("EDGAR_CONTACT_EMAIL",),
    )

    def __init__(self, upstreams: Upstreams, keys: Keys) -> None:
        # one upstream for three hosts: they share the rate limit and a configured base URL
        limits = ApiLimits(timeout=20, deadline=40, per_second=10, max_bytes=64 * 2**20)
        self._api = upstreams.api(self.about.name, self.about.base_url, limits)
        self._headers = {"User-Agent": f"{USER_AGENT} ({keys['EDGAR_CONTACT_EMAIL']})"}

    async def search_filings(
        self, query: FilingQuery, catalogs: CatalogCache
    ) -> RecordsFound[Filing]:
        if query.form:
            query = query.model_copy(update={"form": canonical_form(query.form)})
        company, notes = await self._company(query, catalogs)
        if company is not None and not query.ticker:
            given, query = query, with_parts(query, understand(query.text or ""))
            notes = (*notes, *parts_note(given, query))
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
        self, query: FilingQuery, catalogs: CatalogCache
    ) -> tuple[EdgarCompany | None, tuple[str, ...]]:
        """Return the company that the query names, if any, and notes about it."""
        by_cik = EdgarCompanies.by_cik(query.ticker or query.text or "")
        if by_cik:
            return by_cik, ()
        catalog = await catalogs.fetch("edgar:tickers", self._tickers)
        known = EdgarCompanies.unpack(catalog.content)
        if query.ticker:
            company = known.by_ticker(query.ticker)
            return company, (*_ticker_notes(query, company), *catalog.notes)
        company, notes = _named(known, query.text or "")
        if company is None and query.facts:
            notes = (*notes, "facts needs a company; give its ticker or CIK.")
        return company, notes + catalog.notes

    async def _tickers(self) -> bytes:
        response = await self._get(_WWW, "files/company_tickers.json")
        listed = self._api.decode(EdgarCompanies.wire, response)
        if not listed:  # an empty list must not be cached
            raise PayloadError(
                "Unexpected response (edgar): its list of companies is empty. Retry later.",
                provider="edgar",
            )
        return EdgarCompanies.pack(listed)

    async def _submissions(self, company: EdgarCompany, query: FilingQuery) -> RecordsFound[Filing]:
        response = await self._get(_DATA, f"submissions/CIK{company.cik}.json", expect=(404,))
        if response.status == 404:
            return RecordsFound((), (f"The SEC knows no filer with CIK {company.cik}.",))
        filer = self._api.decode(FilerSubmissions, response)
        found = list(_matching(filer.recent, query))
        older = [page for page in filer.older if page.overlaps(query.since, query.until)]
        for page in older[:_MAX_PAGES]:
            if len(found) >= query.count:
                break
            response = await self._get(_DATA, f"submissions/{page.name}")
            found += _matching(self._api.decode(FilingColumns, response), query)
        incomplete = len(older) > _MAX_PAGES and len(found) < query.count
        name = filer.name or company.name
        items = tuple(f.to_filing(company.cik, name) for f in found[: query.count])
        note = "Older filings were not read; set date_to to reach them."
        return RecordsFound(items, (note,) if incomplete else ())

    async def _facts(self, company: EdgarCompany, query: FilingQuery) -> RecordsFound[Filing]:
        path = f"api/xbrl/companyfacts/CIK{company.cik}.json"
        response = await self._get(_DATA, path, expect=(404,))
        if response.status == 404:
            return RecordsFound((), (f"CIK {company.cik} has filed no XBRL facts.",))
        return self._api.decode(CompanyFacts, response).headlines(company.cik, query)

    async def _full_text(self, query: FilingQuery) -> RecordsFound[Filing]:
        dates = (query.since or _FIRST_DAY, query.until or _LAST_DAY)
        start, end = dates if query.since or query.until else (None, None)
        params: Params = {
            "q": query.text,
            # amendments are listed under the form they amend
            "forms": query.form.upper().removesuffix("/A") if query.form else None,
            "dateRange": "custom" if start else None,
            "startdt": start,
            "enddt": end,
        }
        response = await self._get(_EFTS, "LATEST/search-index", params)
        hits = self._api.decode(FullTextHits, response)
        found = [f for f in (hit.to_filing() for hit in hits.hits) if _fits(f, query)]
        shown = tuple(found[: query.count])
        more = hits.total > len(shown) > 0
        minimum = "at least " if hits.relation == "gte" else ""
        note = f"{len(shown)} of {minimum}{hits.total} documents found in the full text."
        return RecordsFound(shown, (note,) if more else ())

    async def _get(
        self, host: str, path: str, params: Params | None = None, expect: Iterable[int] = ()
    ) -> FetchedResponse:
        overridden = self._api.base_url != _WWW  # then it replaces all three hosts
        request = ApiRequest(
            url=f"{self._api.base_url if overridden else host}/{path}",
            params=params or {},
            headers=self._headers,
        )
        response = await self._api.send(request, expect=(403, *expect))
        if response.status == 403:
            raise _forbidden(response)
        return response


def _named(known: EdgarCompanies, text: str) -> tuple[EdgarCompany | None, tuple[str, ...]]:
    """Return the company of a query, which may also name a form and a year."""
    words = understand(text).company
    if words and not text.startswith('"'):
        company, notes = known.by_query(words)
        if company:
            return company, notes
    return known.by_query(text)


def _matching(columns: FilingColumns, query: FilingQuery) -> "Iterable[FilingColumns.Row]":
    rows = sorted(columns.rows(), key=lambda row: row.filed, reverse=True)
    return [row for row in rows if _fits(row.to_filing("", None), query)]


def _fits(filing: Filing, query: FilingQuery) -> bool:
    form = query.form is None or (filing.formType or "").upper() == query.form.upper()
    return form and within(filing.filingDate, query.since, query.until)


def _ticker_notes(query: FilingQuery, company: EdgarCompany | None) -> tuple[str, ...]:
    if company is None:
        return (f"{query.ticker} is not among the SEC's tickers; try a name or a CIK.",)
    return ("The ticker decides; query was not used.",) if query.text else ()


def _forbidden(response: FetchedResponse) -> Exception:
    """Return the error for a 403: too many requests, or a rejected contact."""
    if "threshold" in response.text.lower():
        return RateLimitError(
            "Rate limited (edgar). The SEC requires a pause of ten minutes.",
            provider="edgar",
            retry_after=_BLOCK_SECONDS,
        )
    return AccessError(
        "Access refused (edgar): the SEC did not accept the contact in EDGAR_CONTACT_EMAIL.",
        provider="edgar",
    )

"""CourtListener, opinions of US courts (https://www.courtlistener.com/help/api/rest/v4/search/)."""

import re
from typing import ClassVar
from urllib.parse import parse_qs, urljoin, urlsplit

from pydantic import Field

from webquarry.content.citations.bluebook import CaseFacts, cite_case
from webquarry.models.model import Text
from webquarry.models.periods import within
from webquarry.models.records import Case, CaseQuery, RecordsFound
from webquarry.net.upstream.http_port import Scalar
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.providers.provider import Keys, ProviderInfo, Wire
from webquarry.settings.variable import Variable

_SITE = "https://www.courtlistener.com"
_VARIABLE = "COURTLISTENER_API_TOKEN"
_PARTIES = re.compile(r"\S \s* \b(v|vs)\b \.? \s+ \S", re.IGNORECASE | re.VERBOSE)
_NAME_WORDS = 12  # a longer text with "v." in it is a question about a case, not its name
_MAX_PAGES = 3


class CourtListener:
    """Finds opinions. A token raises the limit from about 100 to 5000 requests a day."""

    about: ClassVar = ProviderInfo(
        name="courtlistener",
        docs="https://www.courtlistener.com/help/api/rest/",
        base_url=f"{_SITE}/api/rest/v4",
        variables=(Variable(_VARIABLE, "Raises CourtListener's daily limit.", secret=True),),
    )

    def __init__(self, upstreams: Upstreams, keys: Keys) -> None:
        self._api = upstreams.api(self.about.name, self.about.base_url)
        token = keys.get(_VARIABLE)
        self._headers = {"Authorization": f"Token {token}"} if token else {}

    async def search_cases(self, query: CaseQuery) -> RecordsFound[Case]:
        if not _names_a_case(query.text):
            return await self._search(query, {"q": query.text})
        # sorted by relevance, a landmark case ranks below those that mention its parties
        named = await self._search(query, {"case_name": query.text, "order_by": "citeCount desc"})
        if named.items:
            return named
        others = await self._search(query, {"q": query.text})
        note = ("No case has that name; these opinions mention it.",) if others.items else ()
        return RecordsFound(others.items, (*note, *others.notes))

    async def _search(self, query: CaseQuery, words: dict[str, Scalar]) -> RecordsFound[Case]:
        params = words | {"type": "o"} | _filters(query)
        cases: list[Case] = []
        total: int | None = None
        for _ in range(_MAX_PAGES):
            response = await self._api.get("search/", params=params, headers=self._headers)
            page = self._api.decode(_Page, response)
            found = [result.to_case() for result in page.results]
            cases += [case for case in found if within(case.dateFiled, query.since, query.until)]
            total = page.count if total is None else total
            cursor = page.cursor
            if cursor is None or len(cases) >= query.count:
                break
            params = params | {"cursor": cursor}
        shown = tuple(cases[: query.count])
        more = total is not None and total > len(shown)
        return RecordsFound(shown, (f"{len(shown)} of {total} cases.",) if more and shown else ())


def _names_a_case(text: str) -> bool:
    return bool(_PARTIES.search(text)) and len(text.split()) <= _NAME_WORDS


def _filters(query: CaseQuery) -> dict[str, Scalar]:
    given = {
        "court": query.court.lower() if query.court else None,
        "filed_after": query.since,
        "filed_before": query.until,
    }
    return {name: value for name, value in given.items() if value is not None}


class _Result(Wire):
    case_name: Text = Field(default="", alias="caseName")
    citation: tuple[str, ...] | str | None = None
    court: str | None = None
    court_id: str | None = None
    court_citation_string: Text = ""
    date_filed: str | None = Field(default=None, alias="dateFiled")
    docket_number: str | None = Field(default=None, alias="docketNumber")
    cite_count: int | None = Field(default=None, alias="citeCount")
    absolute_url: str | None = None
    docket_absolute_url: str | None = None

    def to_case(self) -> Case:
        path = self.absolute_url or self.docket_absolute_url
        reports = (self.citation,) if isinstance(self.citation, str) else self.citation or ()
        facts = CaseFacts(
            name=self.case_name,
            reports=reports,
            court=self.court_citation_string,
            court_id=self.court_id or "",
            docket=self.docket_number or "",
            decided=self.date_filed or "",
        )
        return Case(
            caseName=facts.name,
            citation=cite_case(facts) if facts.name else "; ".join(reports) or None,
            court=self.court,
            courtId=self.court_id,
            dateFiled=self.date_filed,
            docketNumber=self.docket_number,
            citationCount=self.cite_count,
            url=urljoin(_SITE, path) if path else None,
            source="courtlistener",
        )


class _Page(Wire):
    count: int | None = None
    next: Text = ""
    results: tuple[_Result, ...]

    @property
    def cursor(self) -> str | None:
        """The cursor of the next page, from its link, which names a fixed host."""
        found = parse_qs(urlsplit(self.next).query).get("cursor")
        return found[0] if found else None

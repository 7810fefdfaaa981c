"""PatentsView, granted US patents with disambiguated owners (https://search.patentsview.org/docs/)."""

import json
from typing import Any, ClassVar

from webquarry.content.citations.patent_numbers import split_patent_number
from webquarry.models.model import Items, Text
from webquarry.models.patents import Patent, PatentQuery
from webquarry.net.upstream.api import ApiLimits
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.providers.provider import Keys, ProviderInfo, Wire
from webquarry.providers.works_wire import names_of
from webquarry.settings.variable import Variable

_KEY = "PATENTSVIEW_API_KEY"
_MAX_RESULTS = 100
_FIELDS = (
    "patent_id", "wipo_kind", "patent_title", "patent_abstract", "patent_date",
    "application.filing_date", "assignees.assignee_organization",
    "assignees.assignee_individual_name_first", "assignees.assignee_individual_name_last",
    "inventors.inventor_name_first", "inventors.inventor_name_last", "cpc_current.cpc_group_id",
)  # fmt: skip


class PatentsView:
    """Finds granted US patents by owner, inventor, class and filing date."""

    about: ClassVar = ProviderInfo(
        name="patentsview",
        docs="https://search.patentsview.org/docs/",
        base_url="https://search.patentsview.org",
        variables=(Variable(_KEY, "API key for the PatentsView search API.", secret=True),),
        requires=(_KEY,),
    )
    patent_offices: ClassVar = frozenset({"US"})
    patent_filters: ClassVar = frozenset(
        ("number", "office", "assignee", "cpc", "filed_from", "filed_to")
    )

    def __init__(self, upstreams: Upstreams, keys: Keys) -> None:
        limits = ApiLimits(per_second=0.75, burst=10)  # 45 a minute
        self._api = upstreams.api(self.about.name, self.about.base_url, limits)
        self._headers = {"X-Api-Key": keys[_KEY]}

    async def search_patents(self, query: PatentQuery) -> list[Patent]:
        params = {
            "q": _json({"_and": _conditions(query)}),
            "f": _json(list(_FIELDS)),
            "o": _json({"size": min(_MAX_RESULTS, query.count)}),
        }
        response = await self._api.get("api/v1/patent/", params=params, headers=self._headers)
        return [row.to_patent() for row in self._api.decode(_Page, response).patents or ()]


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _conditions(query: PatentQuery) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    if query.number:
        known = split_patent_number(query.number)
        found.append({"patent_id": known[1] if known else query.number})
    if query.text:
        fields = ("patent_title", "patent_abstract")
        found.append({"_or": [{"_text_all": {name: query.text}} for name in fields]})
    if query.assignee:
        found.append({"_text_phrase": {"assignees.assignee_organization": query.assignee}})
    if query.inventor:
        words = query.inventor.replace(",", " ").split()
        # any word may be the last name; the full name is checked on the results
        found.append({"_or": [{"inventors.inventor_name_last": word} for word in words]})
    if query.cpc:
        found.append({"_begins": {"cpc_current.cpc_group_id": query.cpc}})
    if query.filed_from:
        found.append({"_gte": {"application.filing_date": f"{query.filed_from}-01-01"}})
    if query.filed_to:
        found.append({"_lte": {"application.filing_date": f"{query.filed_to}-12-31"}})
    return found


class _Application(Wire):
    filing_date: str | None = None


class _Owner(Wire):
    assignee_organization: str | None = None
    assignee_individual_name_first: str | None = None
    assignee_individual_name_last: str | None = None

    @property
    def name(self) -> str:
        person = (self.assignee_individual_name_first, self.assignee_individual_name_last)
        return self.assignee_organization or " ".join(part for part in person if part)


class _Inventor(Wire):
    inventor_name_first: str | None = None
    inventor_name_last: str | None = None

    @property
    def name(self) -> str:
        parts = (self.inventor_name_first, self.inventor_name_last)
        return " ".join(part for part in parts if part)


class _Class(Wire):
    cpc_group_id: str | None = None


class _Row(Wire):
    patent_id: str
    wipo_kind: Text = ""
    patent_title: str | None = None
    patent_abstract: str | None = None
    patent_date: str | None = None
    application: Items[_Application] = ()
    assignees: Items[_Owner] = ()
    inventors: Items[_Inventor] = ()
    cpc_current: Items[_Class] = ()

    def to_patent(self) -> Patent:
        number = f"US{self.patent_id}{self.wipo_kind}"
        assignees, inventors = names_of(self.assignees), names_of(self.inventors)
        return Patent(
            title=self.patent_title or number,
            number=number,
            url=f"https://patents.google.com/patent/{number}/en",
            abstract=self.patent_abstract,
            assignee=next(iter(assignees), None),
            inventor=next(iter(inventors), None),
            filed=next((each.filing_date for each in self.application), None),
            granted=self.patent_date,
            assignees=assignees,
            inventors=inventors,
            classes=self._classes(),
        )

    def _classes(self) -> tuple[str, ...]:
        return tuple(each.cpc_group_id for each in self.cpc_current if each.cpc_group_id)


class _Page(Wire):
    patents: tuple[_Row, ...] | None

"""USPTO Open Data Portal, US applications since 2001 (https://data.uspto.gov/apis/getting-started)."""

import re
from typing import ClassVar

from pydantic import AliasChoices, ConfigDict, Field
from pydantic.alias_generators import to_camel

from webquarry.content.citations.patent_numbers import split_patent_number
from webquarry.models.model import Items
from webquarry.models.patents import Patent, PatentQuery
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.providers.provider import Keys, ProviderInfo, Wire
from webquarry.settings.variable import Variable

_KEY = "USPTO_API_KEY"
_MAX_RESULTS = 100
# PCT/US07/19317, since 2004 with four digits of the year and six of the number
_PCT = re.compile(r"PCT/?([A-Z]{2})/?((?:19|20)?\d\d)/?(\d{5,6})")


class Uspto:
    """Finds US applications and their status; names are checked on the results."""

    about: ClassVar = ProviderInfo(
        name="uspto",
        docs="https://data.uspto.gov/apis/patent-file-wrapper/search",
        base_url="https://api.uspto.gov",
        variables=(Variable(_KEY, "API key for the USPTO Open Data Portal.", secret=True),),
        requires=(_KEY,),
    )
    patent_offices: ClassVar = frozenset({"US"})
    patent_filters: ClassVar = frozenset(("office", "filed_from", "filed_to"))

    def __init__(self, upstreams: Upstreams, keys: Keys) -> None:
        self._api = upstreams.api(self.about.name, self.about.base_url)
        self._headers = {"X-API-KEY": keys[_KEY]}

    async def search_patents(self, query: PatentQuery) -> list[Patent]:
        count = min(_MAX_RESULTS, query.count)
        response = await self._api.get(
            "api/v1/patent/applications/search",
            params={"q": _phrases(query), "rangeFilters": _filed(query), "limit": count},
            headers=self._headers,
            expect=(404,),  # nothing matches
        )
        if response.status == 404:
            return []
        # it may return more rows than requested
        return [row.to_patent() for row in self._api.decode(_Page, response).rows[:count]]


def _phrases(query: PatentQuery) -> str:
    """Return the words of the query as phrases that must all occur."""
    known = split_patent_number(query.number) if query.number else None
    phrases = (known[1] if known else None, query.text, query.assignee, query.inventor)
    plain = (" ".join(each.replace('"', " ").split()) for each in phrases if each)
    return " AND ".join(f'"{each}"' for each in plain if each)


def _filed(query: PatentQuery) -> str | None:
    if not (query.filed_from or query.filed_to):
        return None
    start, end = query.filed_from or 1790, query.filed_to or 2100
    return f"applicationMetaData.filingDate {start}-01-01:{end}-12-31"


class _Camel(Wire):
    model_config = ConfigDict(alias_generator=to_camel)


class _Person(_Camel):
    inventor_name_text: str | None = None


class _Owner(_Camel):
    applicant_name_text: str | None = None


class _Meta(_Camel):
    invention_title: str | None = None
    patent_number: str | None = None
    earliest_publication_number: str | None = None
    filing_date: str | None = None
    grant_date: str | None = None
    first_applicant_name: str | None = None
    first_inventor_name: str | None = None
    applicant_bag: Items[_Owner] = ()
    inventor_bag: Items[_Person] = ()
    cpc_classification_bag: Items[str] = ()
    application_status_description_text: str | None = None


class _Row(_Meta):
    application: str = Field(validation_alias="applicationNumberText")
    meta: _Meta | None = Field(default=None, validation_alias="applicationMetaData")

    def to_patent(self) -> Patent:
        meta = self.meta or self  # an older format has the metadata in the row
        applicants = [each.applicant_name_text for each in meta.applicant_bag]
        people = [each.inventor_name_text for each in meta.inventor_bag]
        assignees = _unique(meta.first_applicant_name, *applicants)
        inventors = _unique(meta.first_inventor_name, *people)
        number = self._number(meta)
        return Patent(
            title=meta.invention_title or number,
            number=number,
            url=f"https://patentcenter.uspto.gov/applications/{self.application.replace('/', '')}",
            assignee=next(iter(assignees), None),
            inventor=next(iter(inventors), None),
            filed=meta.filing_date,
            granted=meta.grant_date,
            status=meta.application_status_description_text,
            assignees=assignees,
            inventors=inventors,
            classes=tuple("".join(each.split()) for each in meta.cpc_classification_bag),
        )

    def _number(self, meta: _Meta) -> str:
        if meta.patent_number:
            return f"US{meta.patent_number}"
        if meta.earliest_publication_number:
            return meta.earliest_publication_number
        if international := _PCT.fullmatch(self.application.upper()):
            office, year, serial = international.groups()
            return f"PCT/{office}{year}/{serial}"
        return f"US{self.application[:2]}/{self.application[2:]}"  # not published yet


def _unique(*names: str | None) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for name in names if name))


class _Page(Wire):
    rows: tuple[_Row, ...] = Field(
        validation_alias=AliasChoices("patentFileWrapperDataBag", "patentBag")
    )

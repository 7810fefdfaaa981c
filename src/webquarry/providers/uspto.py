"""USPTO Open Data Portal, US applications since 2001 (https://data.uspto.gov/apis/getting-started)."""

from typing import ClassVar

from pydantic import AliasChoices, ConfigDict, Field
from pydantic.alias_generators import to_camel

from webquarry.content.citations.patent_numbers import parts_of
from webquarry.models.patents import Patent, PatentQuery
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.providers.provider import Keys, ProviderInfo, Wire
from webquarry.settings.variable import Variable

_KEY = "USPTO_API_KEY"
_MOST = 100


class Uspto:
    """Finds US applications and what became of them; words only, so people are checked by us."""

    about: ClassVar = ProviderInfo(
        name="uspto",
        docs="https://data.uspto.gov/apis/patent-file-wrapper/search",
        base_url="https://api.uspto.gov",
        variables=(Variable(_KEY, "Key of the USPTO Open Data Portal.", secret=True),),
        requires=(_KEY,),
    )
    patent_offices: ClassVar = frozenset({"US"})
    patent_honours: ClassVar = frozenset(("office", "filed_from", "filed_to"))

    def __init__(self, upstreams: Upstreams, keys: Keys) -> None:
        self._api = upstreams.api(self.about.name, self.about.base_url)
        self._headers = {"X-API-KEY": keys[_KEY]}

    async def search_patents(self, query: PatentQuery) -> list[Patent]:
        wanted = min(_MOST, query.count)
        response = await self._api.get(
            "api/v1/patent/applications/search",
            params={"q": _phrases(query), "rangeFilters": _filed(query), "limit": wanted},
            headers=self._headers,
            expect=(404,),  # nothing matches
        )
        if response.status == 404:
            return []
        # it may return more rows than it was asked for
        return [row.to_patent() for row in self._api.decode(_Page, response).rows[:wanted]]


def _phrases(query: PatentQuery) -> str:
    """Return everything we look for as phrases that must all be there."""
    known = parts_of(query.number) if query.number else None
    told = (known[1] if known else None, query.text, query.assignee, query.inventor)
    plain = (" ".join(each.replace('"', " ").split()) for each in told if each)
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
    applicant_bag: tuple[_Owner, ...] | None = None
    inventor_bag: tuple[_Person, ...] | None = None
    cpc_classification_bag: tuple[str, ...] | None = None
    application_status_description_text: str | None = None


class _Row(_Meta):
    application: str = Field(validation_alias="applicationNumberText")
    meta: _Meta | None = Field(default=None, validation_alias="applicationMetaData")

    def to_patent(self) -> Patent:
        told = self.meta or self  # an older form has everything in the row itself
        owners = [each.applicant_name_text for each in told.applicant_bag or ()]
        people = [each.inventor_name_text for each in told.inventor_bag or ()]
        assignees = _each_once(told.first_applicant_name, *owners)
        inventors = _each_once(told.first_inventor_name, *people)
        number = self._number(told)
        return Patent(
            title=told.invention_title or number,
            number=number,
            url=f"https://patentcenter.uspto.gov/applications/{self.application}",
            assignee=assignees[0] if assignees else None,
            inventor=inventors[0] if inventors else None,
            filed=told.filing_date,
            granted=told.grant_date,
            status=told.application_status_description_text,
            assignees=assignees or None,
            inventors=inventors or None,
            classes=tuple("".join(each.split()) for each in told.cpc_classification_bag or ())
            or None,
        )

    def _number(self, told: _Meta) -> str:
        if told.patent_number:
            return f"US{told.patent_number}"
        if told.earliest_publication_number:
            return told.earliest_publication_number
        return f"US{self.application[:2]}/{self.application[2:]}"  # not published yet


def _each_once(*names: str | None) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for name in names if name))


class _Page(Wire):
    rows: tuple[_Row, ...] = Field(
        validation_alias=AliasChoices("patentFileWrapperDataBag", "patentBag")
    )

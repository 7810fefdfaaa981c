"""The Lens, patents of the world with their scholarly links (https://docs.api.lens.org/)."""

from typing import Any, ClassVar

from webquarry.content.citations.patent_numbers import split_patent_number
from webquarry.models.model import Items, Text
from webquarry.models.patents import Patent, PatentQuery
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.providers.provider import Keys, ProviderInfo, Wire
from webquarry.settings.variable import Variable

_KEY = "LENS_API_TOKEN"
_MAX_RESULTS = 100
_FIELDS = (
    "lens_id", "jurisdiction", "doc_number", "kind", "biblio.invention_title",
    "biblio.application_reference", "biblio.parties", "biblio.classifications_cpc", "abstract",
    "legal_status",
)  # fmt: skip


class LensOrg:
    """Finds patents of all offices, by filing date as well."""

    about: ClassVar = ProviderInfo(
        name="lens",
        docs="https://docs.api.lens.org/request-patent.html",
        base_url="https://api.lens.org",
        variables=(Variable(_KEY, "Token for the Lens patent API.", secret=True),),
        requires=(_KEY,),
    )
    patent_offices: ClassVar = None
    patent_filters: ClassVar = frozenset(
        ("number", "office", "assignee", "inventor", "filed_from", "filed_to")
    )

    def __init__(self, upstreams: Upstreams, keys: Keys) -> None:
        self._api = upstreams.api(self.about.name, self.about.base_url)
        self._headers = {"Authorization": f"Bearer {keys[_KEY]}"}

    async def search_patents(self, query: PatentQuery) -> list[Patent]:
        body = {
            "query": {"bool": {"must": _conditions(query)}},
            "size": min(_MAX_RESULTS, query.count),
            "include": list(_FIELDS),
        }
        response = await self._api.post("patent/search", json=body, headers=self._headers)
        return [row.to_patent() for row in self._api.decode(_Page, response).data]


def _conditions(query: PatentQuery) -> list[dict[str, Any]]:
    found = _number_terms(query.number) if query.number else []
    if query.text:
        fields = ("title", "abstract", "claim")
        found.append({"bool": {"should": [{"match": {name: query.text}} for name in fields]}})
    if query.assignee:
        found.append({"match_phrase": {"applicant.name": query.assignee}})
    if query.inventor:
        found.append({"match": {"inventor.name": {"query": query.inventor, "operator": "and"}}})
    if query.office:
        found.append({"term": {"jurisdiction": query.office}})
    if bounds := _filing_dates(query):
        found.append({"range": {"application_reference.date": bounds}})
    return found


def _number_terms(number: str) -> list[dict[str, Any]]:
    office, digits, kind = split_patent_number(number) or ("", number, "")
    parts = {"jurisdiction": office, "doc_number": digits, "kind": kind}
    return [{"term": {name: value}} for name, value in parts.items() if value]


def _filing_dates(query: PatentQuery) -> dict[str, str]:
    bounds: dict[str, str] = {}
    if query.filed_from:
        bounds["gte"] = f"{query.filed_from}-01-01"
    if query.filed_to:
        bounds["lte"] = f"{query.filed_to}-12-31"
    return bounds


class _Text(Wire):
    text: str | None = None
    lang: Text = ""


class _Name(Wire):
    value: str | None = None


class _Party(Wire):
    extracted_name: _Name | None = None
    sequence: int | None = None


class _Parties(Wire):
    applicants: Items[_Party] = ()
    inventors: Items[_Party] = ()


class _Dated(Wire):
    date: str | None = None


class _Class(Wire):
    symbol: str | None = None


class _Classes(Wire):
    classifications: Items[_Class] = ()


class _Biblio(Wire):
    invention_title: Items[_Text] = ()
    application_reference: _Dated | None = None
    parties: _Parties | None = None
    classifications_cpc: _Classes | None = None

    @property
    def classes(self) -> tuple[str, ...] | None:
        if self.classifications_cpc is None:
            return None
        listed = self.classifications_cpc.classifications
        return tuple(each.symbol for each in listed if each.symbol)


class _Status(Wire):
    granted: bool | None = None
    grant_date: str | None = None
    patent_status: str | None = None


class _Row(Wire):
    lens_id: str
    jurisdiction: str
    doc_number: str
    kind: Text = ""
    biblio: _Biblio | None = None
    abstract: Items[_Text] = ()
    legal_status: _Status | None = None

    def to_patent(self) -> Patent:
        biblio, status = self.biblio or _Biblio(), self.legal_status or _Status()
        parties = biblio.parties or _Parties()
        assignees, inventors = _names(parties.applicants), _names(parties.inventors)
        number = f"{self.jurisdiction}{self.doc_number}{self.kind}"
        return Patent(
            title=_in_english(biblio.invention_title) or number,
            number=number,
            url=f"https://www.lens.org/lens/patent/{self.lens_id}",
            abstract=_in_english(self.abstract),
            assignee=next(iter(assignees), None),
            inventor=next(iter(inventors), None),
            filed=(biblio.application_reference or _Dated()).date,
            granted=status.grant_date if status.granted else None,
            status=status.patent_status,
            assignees=assignees,
            inventors=inventors,
            classes=biblio.classes,
        )


def _names(parties: tuple[_Party, ...] | None) -> tuple[str, ...]:
    ordered = sorted(parties or (), key=lambda party: party.sequence or 0)
    named = (party.extracted_name for party in ordered)
    return tuple(dict.fromkeys(name.value for name in named if name and name.value))


def _in_english(texts: tuple[_Text, ...] | None) -> str | None:
    given = [text for text in texts or () if text.text]
    english = [text for text in given if (text.lang).lower() == "en"]
    return next((text.text for text in (*english, *given)), None)


class _Page(Wire):
    data: tuple[_Row, ...]

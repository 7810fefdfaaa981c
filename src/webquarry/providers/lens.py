"""The Lens, patents of the world with their scholarly links (https://docs.api.lens.org/)."""

from typing import Any, ClassVar

from webquarry.content.citations.patent_numbers import parts_of
from webquarry.models.patents import Patent, PatentQuery
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.providers.provider import Keys, ProviderInfo, Wire
from webquarry.settings.variable import Variable

_KEY = "LENS_API_TOKEN"
_MOST = 100
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
        variables=(Variable(_KEY, "Token of the Lens patent API.", secret=True),),
        requires=(_KEY,),
    )
    patent_offices: ClassVar = None
    patent_honours: ClassVar = frozenset(
        ("number", "office", "assignee", "inventor", "filed_from", "filed_to")
    )

    def __init__(self, upstreams: Upstreams, keys: Keys) -> None:
        self._api = upstreams.api(self.about.name, self.about.base_url)
        self._headers = {"Authorization": f"Bearer {keys[_KEY]}"}

    async def search_patents(self, query: PatentQuery) -> list[Patent]:
        asked = {
            "query": {"bool": {"must": _conditions(query)}},
            "size": min(_MOST, query.count),
            "include": list(_FIELDS),
        }
        response = await self._api.post("patent/search", json=asked, headers=self._headers)
        return [row.to_patent() for row in self._api.decode(_Page, response).data]


def _conditions(query: PatentQuery) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    if query.number:
        office, digits, kind = parts_of(query.number) or ("", query.number, "")
        named = {"jurisdiction": office, "doc_number": digits, "kind": kind}
        found += [{"term": {name: value}} for name, value in named.items() if value]
    if query.text:
        fields = ("title", "abstract", "claim")
        found.append({"bool": {"should": [{"match": {name: query.text}} for name in fields]}})
    if query.assignee:
        found.append({"match_phrase": {"applicant.name": query.assignee}})
    if query.inventor:
        found.append({"match": {"inventor.name": {"query": query.inventor, "operator": "and"}}})
    if query.office:
        found.append({"term": {"jurisdiction": query.office}})
    if query.filed_from or query.filed_to:
        span = {
            "gte": f"{query.filed_from}-01-01" if query.filed_from else None,
            "lte": f"{query.filed_to}-12-31" if query.filed_to else None,
        }
        bounds = {name: day for name, day in span.items() if day}
        found.append({"range": {"application_reference.date": bounds}})
    return found


class _Text(Wire):
    text: str | None = None
    lang: str | None = None


class _Name(Wire):
    value: str | None = None


class _Party(Wire):
    extracted_name: _Name | None = None
    sequence: int | None = None


class _Parties(Wire):
    applicants: tuple[_Party, ...] | None = None
    inventors: tuple[_Party, ...] | None = None


class _Dated(Wire):
    date: str | None = None


class _Class(Wire):
    symbol: str | None = None


class _Classes(Wire):
    classifications: tuple[_Class, ...] | None = None


class _Biblio(Wire):
    invention_title: tuple[_Text, ...] | None = None
    application_reference: _Dated | None = None
    parties: _Parties | None = None
    classifications_cpc: _Classes | None = None


class _Status(Wire):
    granted: bool | None = None
    grant_date: str | None = None
    patent_status: str | None = None


class _Row(Wire):
    lens_id: str
    jurisdiction: str
    doc_number: str
    kind: str | None = None
    biblio: _Biblio | None = None
    abstract: tuple[_Text, ...] | None = None
    legal_status: _Status | None = None

    def to_patent(self) -> Patent:
        biblio, status = self.biblio or _Biblio(), self.legal_status or _Status()
        parties = biblio.parties or _Parties()
        owners, people = _names(parties.applicants), _names(parties.inventors)
        cpc = biblio.classifications_cpc
        number = f"{self.jurisdiction}{self.doc_number}{self.kind or ''}"
        return Patent(
            title=_in_english(biblio.invention_title) or number,
            number=number,
            url=f"https://www.lens.org/lens/patent/{self.lens_id}",
            abstract=_in_english(self.abstract),
            assignee=owners[0] if owners else None,
            inventor=people[0] if people else None,
            filed=biblio.application_reference.date if biblio.application_reference else None,
            granted=status.grant_date if status.granted else None,
            status=status.patent_status,
            assignees=owners or None,
            inventors=people or None,
            classes=tuple(each.symbol for each in cpc.classifications or () if each.symbol)
            if cpc
            else None,
        )


def _names(parties: tuple[_Party, ...] | None) -> tuple[str, ...]:
    ordered = sorted(parties or (), key=lambda party: party.sequence or 0)
    named = (party.extracted_name for party in ordered)
    return tuple(dict.fromkeys(name.value for name in named if name and name.value))


def _in_english(texts: tuple[_Text, ...] | None) -> str | None:
    told = [text for text in texts or () if text.text]
    english = [text for text in told if (text.lang or "").lower() == "en"]
    return next((text.text for text in (*english, *told)), None)


class _Page(Wire):
    data: tuple[_Row, ...]

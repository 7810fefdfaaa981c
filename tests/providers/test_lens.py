"""The Lens: what is sent, and what becomes of the answers."""

from typing import Any

import pytest

from tests.providers.records_refusals import Refusal, check, refused
from tests.replay import FakeClock, Replay
from webquarry.errors import WebquarryError
from webquarry.models.patents import Patent, PatentQuery
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.providers.lens import LensOrg

pytestmark = pytest.mark.anyio

FIELDS = [
    "lens_id", "jurisdiction", "doc_number", "kind", "biblio.invention_title",
    "biblio.application_reference", "biblio.parties", "biblio.classifications_cpc", "abstract",
    "legal_status",
]  # fmt: skip


def words(text: str) -> dict[str, Any]:
    fields = ("title", "abstract", "claim")
    return {"bool": {"should": [{"match": {name: text}} for name in fields]}}


def asked(*conditions: dict[str, Any], size: int = 5) -> dict[str, Any]:
    return {
        "method": "POST",
        "url": "https://api.lens.org/patent/search",
        "headers": {"authorization": "Bearer k"},
        "json": {"query": {"bool": {"must": list(conditions)}}, "size": size, "include": FIELDS},
    }


def opened(request: dict[str, Any], answer: dict[str, Any]) -> tuple[LensOrg, Replay]:
    origin = "handwritten in the shape of the documentation"
    replay = Replay([{"origin": origin, "request": request} | answer])
    return LensOrg(Upstreams(replay, clock=FakeClock().clock()), {"LENS_API_TOKEN": "k"}), replay


ROW = {
    "lens_id": "000-111",
    "jurisdiction": "EP",
    "doc_number": "1234567",
    "kind": "B1",
    "biblio": {
        "invention_title": [{"text": "Ventil", "lang": "de"}, {"text": "Valve", "lang": "en"}],
        "application_reference": {"date": "2018-01-02"},
        "parties": {
            "applicants": [{"extracted_name": {"value": "DAMCO AS"}}],
            "inventors": [
                {"sequence": 2, "extracted_name": {"value": "OLSEN PER"}},
                {"sequence": 1, "extracted_name": {"value": "LIE KARI"}},
                {"sequence": 3},
            ],
        },
        "classifications_cpc": {"classifications": [{"symbol": "F16K1/00"}, {}]},
    },
    "abstract": [{"text": "A valve.", "lang": "en"}],
    "legal_status": {"granted": True, "grant_date": "2020-03-04", "patent_status": "ACTIVE"},
}


async def test_every_filter_is_a_condition() -> None:
    request = asked(
        words("heat pump"),
        {"match_phrase": {"applicant.name": "Damco"}},
        {"match": {"inventor.name": {"query": "Kari Lie", "operator": "and"}}},
        {"term": {"jurisdiction": "EP"}},
        {"range": {"application_reference.date": {"gte": "2015-01-01", "lte": "2019-12-31"}}},
        size=3,
    )
    bare = {"lens_id": "000-222", "jurisdiction": "US", "doc_number": "5000000"}
    lens, replay = opened(request, {"status": 200, "body": {"total": 2, "data": [ROW, bare]}})

    assert await lens.search_patents(
        PatentQuery(
            text="heat pump",
            assignee="Damco",
            inventor="Kari Lie",
            office="EP",
            filed_from=2015,
            filed_to=2019,
            count=3,
        )
    ) == [
        Patent(
            title="Valve",
            number="EP1234567B1",
            url="https://www.lens.org/lens/patent/000-111",
            abstract="A valve.",
            assignee="DAMCO AS",
            inventor="LIE KARI",
            filed="2018-01-02",
            granted="2020-03-04",
            status="ACTIVE",
            assignees=("DAMCO AS",),
            inventors=("LIE KARI", "OLSEN PER"),
            classes=("F16K1/00",),
        ),
        Patent(
            title="US5000000",
            number="US5000000",
            url="https://www.lens.org/lens/patent/000-222",
        ),
    ]
    replay.finish()


async def test_one_number_is_asked_for_in_its_parts() -> None:
    request = asked(
        {"term": {"jurisdiction": "US"}},
        {"term": {"doc_number": "10165245"}},
        {"term": {"kind": "B2"}},
    )
    lens, replay = opened(request, {"status": 200, "body": {"total": 0, "data": []}})

    assert await lens.search_patents(PatentQuery(number="US10165245B2")) == []
    replay.finish()


@refused
async def test_refusals_become_errors(refusal: Refusal) -> None:
    lens, replay = opened(asked(words("valve")), refusal.answer)

    with pytest.raises(WebquarryError) as caught:
        await lens.search_patents(PatentQuery(text="valve"))

    check(refusal, caught.value, "lens")
    replay.finish()

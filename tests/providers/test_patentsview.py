"""PatentsView: what is sent, and what becomes of the answers."""

import json
from typing import Any
from urllib.parse import quote_plus

import pytest

from tests.providers.records_refusals import Refusal, check, playing, refused
from tests.replay import FakeClock, Replay
from webquarry.errors import WebquarryError
from webquarry.models.patents import Patent, PatentQuery
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.providers.patentsview import PatentsView

pytestmark = pytest.mark.anyio

KEYS = {"PATENTSVIEW_API_KEY": "k"}
FIELDS = [
    "patent_id", "wipo_kind", "patent_title", "patent_abstract", "patent_date",
    "application.filing_date", "assignees.assignee_organization",
    "assignees.assignee_individual_name_first", "assignees.assignee_individual_name_last",
    "inventors.inventor_name_first", "inventors.inventor_name_last", "cpc_current.cpc_group_id",
]  # fmt: skip


def address(*conditions: dict[str, Any], size: int = 5) -> str:
    parts = {"q": {"_and": list(conditions)}, "f": FIELDS, "o": {"size": size}}
    written = (
        f"{name}={quote_plus(json.dumps(part, separators=(',', ':')))}"
        for name, part in parts.items()
    )
    return f"https://search.patentsview.org/api/v1/patent/?{'&'.join(written)}"


def words(text: str) -> dict[str, Any]:
    return {"_or": [{"_text_all": {name: text}} for name in ("patent_title", "patent_abstract")]}


def opened(url: str, answer: dict[str, Any]) -> tuple[PatentsView, Replay]:
    request = {"url": url, "headers": {"x-api-key": "k"}}
    replay = Replay(
        [{"origin": "handwritten in the shape of the API", "request": request} | answer]
    )
    return PatentsView(Upstreams(replay, clock=FakeClock().clock()), KEYS), replay


async def test_every_filter_is_a_condition() -> None:
    url = address(
        words("heat pump"),
        {"_text_phrase": {"assignees.assignee_organization": "Damco"}},
        {
            "_or": [
                {"inventors.inventor_name_last": "Kari"},
                {"inventors.inventor_name_last": "Lie"},
            ]
        },
        {"_begins": {"cpc_current.cpc_group_id": "F25B"}},
        {"_gte": {"application.filing_date": "2015-01-01"}},
        {"_lte": {"application.filing_date": "2019-12-31"}},
        size=2,
    )
    rows = [
        {
            "patent_id": "11000001",
            "wipo_kind": "B2",
            "patent_title": "Heat pump",
            "patent_abstract": "It pumps.",
            "patent_date": "2023-05-09",
            "application": [{"filing_date": "2018-01-05"}],
            "assignees": [
                {"assignee_organization": "Damco AS"},
                {"assignee_organization": None, "assignee_individual_name_first": "Ola",
                 "assignee_individual_name_last": "Dahl"},
            ],
            "inventors": [{"inventor_name_first": "Kari", "inventor_name_last": "Lie"}],
            "cpc_current": [{"cpc_group_id": "F25B30/02"}],
        },
        {"patent_id": "PP36776", "assignees": None},
    ]  # fmt: skip
    view, replay = opened(
        url, {"status": 200, "body": {"error": False, "count": 2, "patents": rows}}
    )

    assert await view.search_patents(
        PatentQuery(
            text="heat pump",
            assignee="Damco",
            inventor="Kari Lie",
            cpc="F25B",
            filed_from=2015,
            filed_to=2019,
            count=2,
        )
    ) == [
        Patent(
            title="Heat pump",
            number="US11000001B2",
            url="https://patents.google.com/patent/US11000001B2/en",
            abstract="It pumps.",
            assignee="Damco AS",
            inventor="Kari Lie",
            filed="2018-01-05",
            granted="2023-05-09",
            assignees=("Damco AS", "Ola Dahl"),
            inventors=("Kari Lie",),
            classes=("F25B30/02",),
        ),
        Patent(
            title="USPP36776",
            number="USPP36776",
            url="https://patents.google.com/patent/USPP36776/en",
        ),
    ]
    replay.finish()


async def test_a_number_is_looked_up_and_nothing_found_is_empty() -> None:
    view, replay = opened(
        address({"patent_id": "5000000"}), {"status": 200, "body": {"patents": None}}
    )

    assert await view.search_patents(PatentQuery(number="US5000000")) == []
    replay.finish()


@refused
async def test_refusals_become_errors(refusal: Refusal) -> None:
    upstreams, replay = playing(refusal, address(words("valve")))

    with pytest.raises(WebquarryError) as caught:
        await PatentsView(upstreams, KEYS).search_patents(PatentQuery(text="valve"))

    check(refusal, caught.value, "patentsview")
    replay.finish()

"""USPTO Open Data Portal: what is sent, and what becomes of the answers."""

from typing import Any

import pytest

from tests.providers.records_refusals import Refusal, check, playing, refused
from tests.replay import FakeClock, Replay
from webquarry.errors import WebquarryError
from webquarry.models.patents import Patent, PatentQuery
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.providers.uspto import Uspto

pytestmark = pytest.mark.anyio

KEYS = {"USPTO_API_KEY": "k"}
SEARCH = "https://api.uspto.gov/api/v1/patent/applications/search"
PLAIN = f"{SEARCH}?q=%22valve%22&limit=5"
VALVE = PatentQuery(text="valve")


def opened(url: str, answer: dict[str, Any]) -> tuple[Uspto, Replay]:
    request = {"url": url, "headers": {"x-api-key": "k"}}
    replay = Replay(
        [{"origin": "handwritten in the shape of the API", "request": request} | answer]
    )
    return Uspto(Upstreams(replay, clock=FakeClock().clock()), KEYS), replay


async def test_words_and_names_are_phrases_and_years_a_range() -> None:
    url = (
        f"{SEARCH}?q=%22heat+pump%22+AND+%22Damco%22+AND+%22Kari+Lie%22"
        "&rangeFilters=applicationMetaData.filingDate+2015-01-01%3A2100-12-31&limit=2"
    )
    rows = [
        {
            "applicationNumberText": "17000001",
            "applicationMetaData": {
                "inventionTitle": "HEAT PUMP",
                "patentNumber": "11000001",
                "filingDate": "2021-01-05",
                "grantDate": "2023-05-09",
                "firstApplicantName": "Damco AS",
                "firstInventorName": "Kari Lie",
                "inventorBag": [
                    {"inventorNameText": "Kari Lie"},
                    {"inventorNameText": "Per Olsen"},
                ],
                "cpcClassificationBag": ["F25B  30/02"],
                "applicationStatusDescriptionText": "Patented Case",
            },
        },
        {
            "applicationNumberText": "17000002",
            "applicationMetaData": {"earliestPublicationNumber": "US20210000002A1"},
        },
        {"applicationNumberText": "17000003", "applicationMetaData": None},
    ]
    uspto, replay = opened(
        url, {"status": 200, "body": {"count": 3, "patentFileWrapperDataBag": rows}}
    )

    found = await uspto.search_patents(
        PatentQuery(
            text="heat pump", assignee="Damco", inventor="Kari Lie", filed_from=2015, count=2
        )
    )

    assert found == [  # the third is more than it was asked for
        Patent(
            title="HEAT PUMP",
            number="US11000001",
            url="https://patentcenter.uspto.gov/applications/17000001",
            assignee="Damco AS",
            inventor="Kari Lie",
            filed="2021-01-05",
            granted="2023-05-09",
            status="Patented Case",
            assignees=("Damco AS",),
            inventors=("Kari Lie", "Per Olsen"),
            classes=("F25B30/02",),
        ),
        Patent(
            title="US20210000002A1",
            number="US20210000002A1",
            url="https://patentcenter.uspto.gov/applications/17000002",
        ),
    ]
    replay.finish()


async def test_an_application_without_publication_keeps_its_serial_number() -> None:
    row = {"applicationNumberText": "17000003", "inventionTitle": "VALVE"}  # the older form
    uspto, replay = opened(PLAIN, {"status": 200, "body": {"patentBag": [row]}})

    assert [(p.number, p.title) for p in await uspto.search_patents(VALVE)] == [
        ("US17/000003", "VALVE")
    ]
    replay.finish()


async def test_nothing_found_is_empty() -> None:
    uspto, replay = opened(PLAIN, {"status": 404, "body": {"code": 404, "message": "Not Found"}})

    assert await uspto.search_patents(VALVE) == []
    replay.finish()


@refused
async def test_refusals_become_errors(refusal: Refusal) -> None:
    upstreams, replay = playing(refusal, PLAIN)

    with pytest.raises(WebquarryError) as caught:
        await Uspto(upstreams, KEYS).search_patents(VALVE)

    check(refusal, caught.value, "uspto")
    replay.finish()


@pytest.mark.parametrize(
    ("application", "number"),
    [
        ("PCT/US07/19317", "PCT/US07/19317"),
        ("PCTUS0719317", "PCT/US07/19317"),
        ("PCT/US2007/019317", "PCT/US2007/019317"),
        ("PCTUS2007019317", "PCT/US2007/019317"),
        ("17000003", "US17/000003"),
    ],
)
async def test_an_unpublished_application_keeps_its_own_number(
    application: str, number: str
) -> None:
    rows = [{"applicationNumberText": application, "applicationMetaData": None}]
    uspto, replay = opened(PLAIN, {"status": 200, "body": {"patentFileWrapperDataBag": rows}})

    (found,) = await uspto.search_patents(VALVE)

    replay.finish()
    assert found.number == number
    plain = application.replace("/", "")
    assert found.url == f"https://patentcenter.uspto.gov/applications/{plain}"

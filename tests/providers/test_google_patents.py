"""Google Patents: the page of one patent."""

from typing import Any

import pytest

from tests.replay import FakeClock, Replay
from webquarry.errors import PayloadError, RateLimitError, WebquarryError
from webquarry.models.patents import Patent
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.providers.google_patents import GooglePatents

pytestmark = pytest.mark.anyio

URL = "https://patents.google.com/patent/US11000001B2/en"
PAGE = """<!doctype html><head><meta name="DC.title" content="Heat  pump">
<meta name="DC.description" content="It pumps."><meta name="citation_pdf_url" content="https://p.test/a.pdf">
</head><body><article><h1 itemprop="pageTitle">US11000001B2</h1>
<dl><dd itemprop="publicationNumber">US11000001B2</dd>
<dd itemprop="inventor">Kari Lie</dd><dd itemprop="inventor">Per Olsen</dd>
<dd itemprop="assigneeOriginal"><span itemprop="x">Damco AS</span></dd>
<dd itemprop="assigneeCurrent">Damco Holding AS</dd>
<dd><time itemprop="filingDate">2018-01-05</time></dd>
<dd><time itemprop="publicationDate">2023-05-09</time></dd>
<dd><span itemprop="ifiStatus">Active</span></dd>
<dd><span itemprop="Code">F25B30/02</span></dd></dl></article>"""


def opened(answer: dict[str, Any], times: int = 1) -> tuple[GooglePatents, Replay]:
    exchange = {"origin": "handwritten in the shape of the page", "request": {"url": URL}} | answer
    replay = Replay([exchange] * times)
    return GooglePatents(Upstreams(replay, clock=FakeClock().clock()), {}), replay


async def test_a_page_becomes_a_patent() -> None:
    pages, replay = opened({"status": 200, "text": PAGE})

    assert await pages.find_patent("US11000001B2") == Patent(
        title="Heat pump",
        number="US11000001B2",
        url=URL,
        abstract="It pumps.",
        assignee="Damco AS",
        inventor="Kari Lie",
        filed="2018-01-05",
        granted="2023-05-09",
        pdf="https://p.test/a.pdf",
        status="Active",
        assignees=("Damco AS", "Damco Holding AS"),
        inventors=("Kari Lie", "Per Olsen"),
        classes=("F25B30/02",),
    )
    replay.finish()


async def test_no_such_number_is_none() -> None:
    pages, replay = opened({"status": 404, "text": "<p>Not found"})

    assert await pages.find_patent("US11000001B2") is None
    replay.finish()


@pytest.mark.parametrize(
    ("answer", "times", "error"),
    [
        ({"status": 200, "text": "<p>Are you a robot?"}, 1, PayloadError),
        ({"status": 200, "text": ""}, 1, PayloadError),
        ({"status": 429, "headers": {"retry-after": "7"}, "text": ""}, 1, RateLimitError),
        ({"status": 503, "text": "down"}, 2, WebquarryError),
        ({"fails": "timed out"}, 2, WebquarryError),
    ],
)
async def test_other_answers_never_mean_that_there_is_none(
    answer: dict[str, Any], times: int, error: type[WebquarryError]
) -> None:
    pages, replay = opened(answer, times)

    with pytest.raises(error, match="google_patents"):
        await pages.find_patent("US11000001B2")
    replay.finish()

"""CourtListener: what is sent, and what becomes of the answers."""

from collections.abc import Mapping
from typing import Any

import pytest

from tests.providers.records_refusals import Refusal, check, playing, refused
from tests.replay import FakeClock, Replay
from webquarry.errors import WebquarryError
from webquarry.models.records import Case, CaseQuery, RecordsFound
from webquarry.net.client.response import FetchedResponse
from webquarry.net.upstream.http_port import ApiRequest
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.providers.courtlistener import CourtListener

pytestmark = pytest.mark.anyio

PLAIN = "https://www.courtlistener.com/api/rest/v4/search/?q=riparian+rights&type=o"
TOPIC = CaseQuery(text="riparian rights")
RIVERS = Case(
    caseName="In re Rivers",
    citation="In re Rivers, 12 F.3d 34 (9th Cir. 1994)",
    court="Court of Appeals for the Ninth Circuit",
    courtId="ca9",
    dateFiled="1994-01-02",
    docketNumber="93-1",
    citationCount=0,
    url="https://www.courtlistener.com/opinion/7/in-re-rivers/",
    source="courtlistener",
)


@pytest.mark.recording("courtlistener/by_name")
async def test_a_case_name_is_looked_up_as_such_page_by_page(upstreams: Upstreams) -> None:
    asked = CaseQuery(
        text="Marsh v. Heron", court="SCOTUS", since="1950-01-01", until="1999-12-31", count=2
    )

    found = await CourtListener(upstreams, {"COURTLISTENER_API_TOKEN": "t0ken"}).search_cases(asked)

    assert found == RecordsFound(
        (
            Case(
                caseName="Marsh v. Heron",
                citation="Marsh v. Heron, 401 U.S. 12 (1971)",
                court="Supreme Court of the United States",
                courtId="scotus",
                dateFiled="1971-02-03",
                docketNumber="70-11",
                citationCount=812,
                url="https://www.courtlistener.com/opinion/108221/marsh-v-heron/",
                source="courtlistener",
            ),
            # the one of 2001 lies outside the dates, whatever the upstream thinks
            Case(
                caseName="Marsh v. Heron County",
                citation="Marsh v. Heron County (U.S. June 5, 1980)",
                court="Supreme Court of the United States",
                courtId="scotus",
                dateFiled="1980-06-05",
                url="https://www.courtlistener.com/opinion/2/marsh-v-heron-county/",
                source="courtlistener",
            ),
        ),
        ("2 of 3 cases.",),
    )


@pytest.mark.recording("courtlistener/mentioned")
async def test_a_name_no_case_has_is_searched_in_the_text_and_that_is_said(
    upstreams: Upstreams,
) -> None:
    found = await CourtListener(upstreams, {}).search_cases(CaseQuery(text="Otter vs Eel"))

    assert found == RecordsFound((RIVERS,), ("No case has that name; these opinions mention it.",))


async def test_a_long_question_about_a_case_is_no_case_name() -> None:
    words = "how do courts since Marsh v. Heron decide who owns the water of a shared river"
    url = "https://www.courtlistener.com/api/rest/v4/search/?q=" + words.replace(" ", "+")
    replay = Replay(
        [
            {
                "origin": "handwritten",
                "request": {"url": f"{url}&type=o"},
                "status": 200,
                "body": {"count": 0, "results": []},
            }
        ]
    )

    found = await CourtListener(Upstreams(replay), {}).search_cases(CaseQuery(text=words))

    assert found == RecordsFound()
    replay.finish()


async def test_without_a_token_no_authorization_is_sent() -> None:
    sent: list[Mapping[str, str]] = []

    class Watching(Replay):
        async def send(self, request: ApiRequest) -> FetchedResponse:
            sent.append(request.headers)
            return await super().send(request)

    replay = Watching(
        [{"origin": "handwritten", "request": {"url": PLAIN}, "status": 200,
          "body": {"count": 0, "results": []}}]
    )  # fmt: skip

    await CourtListener(Upstreams(replay), {}).search_cases(TOPIC)

    assert sent == [{}]


@refused
async def test_refusals_become_errors_without_the_token(refusal: Refusal) -> None:
    upstreams, replay = playing(refusal, PLAIN)

    with pytest.raises(WebquarryError) as caught:
        await CourtListener(upstreams, {"COURTLISTENER_API_TOKEN": "t0ken"}).search_cases(TOPIC)

    check(refusal, caught.value, "courtlistener")
    assert "t0ken" not in str(caught.value)
    replay.finish()


async def test_endless_pages_are_not_followed_for_ever() -> None:
    clock = FakeClock().clock()
    page: dict[str, Any] = {"count": 900, "next": "https://x/?cursor=again", "results": []}
    answers = [
        {"origin": "handwritten", "request": {"url": PLAIN + tail}, "status": 200, "body": page}
        for tail in ("", "&cursor=again", "&cursor=again")
    ]
    replay = Replay(answers)

    found = await CourtListener(Upstreams(replay, clock=clock), {}).search_cases(TOPIC)

    assert found == RecordsFound()
    replay.finish()

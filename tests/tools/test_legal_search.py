"""`legal_search`: what a client sees."""

from typing import Any, ClassVar

import pytest

from tests.support import CallHarness, services
from webquarry.calls.registry import choose
from webquarry.errors import RateLimitError
from webquarry.models.records import Case, CaseQuery, RecordsFound
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.providers.courtlistener import CourtListener
from webquarry.providers.provider import Keys
from webquarry.tools.legal_search import legal_search

pytestmark = pytest.mark.anyio

CASE = Case(
    caseName="Marsh v. Heron", citation="Marsh v. Heron, 401 U.S. 12 (1971)", citationCount=0,
    source="courtlistener",
)  # fmt: skip


class Courts:
    """A case database that remembers what it was asked."""

    about: ClassVar = CourtListener.about

    def __init__(self, upstreams: Upstreams | None = None, keys: Keys | None = None) -> None:
        self.asked: list[CaseQuery] = []
        self.found: RecordsFound[Case] = RecordsFound((CASE,), ("1 of 9 cases.",))
        self.fails: Exception | None = None

    async def search_cases(self, query: CaseQuery) -> RecordsFound[Case]:
        self.asked.append(query)
        if self.fails:
            raise self.fails
        return self.found


@pytest.fixture
def courts() -> Courts:
    return Courts()


@pytest.fixture
def desk(courts: Courts) -> CallHarness:
    return CallHarness((legal_search,), services=services(courts))


async def test_every_argument_reaches_the_provider(desk: CallHarness, courts: Courts) -> None:
    result = await desk.call(
        "legal_search",
        {"query": "Marsh v. Heron", "jurisdiction": "scotus", "date_from": "1950-01-01",
         "date_to": "1999-12-31", "num_results": 20, "provider": "courtlistener"},
    )  # fmt: skip

    assert courts.asked == [
        CaseQuery(
            text="Marsh v. Heron", court="scotus", since="1950-01-01", until="1999-12-31", count=20
        )
    ]
    assert result.structured == {
        "query": "Marsh v. Heron",
        "resultCount": 1,
        "provider": "courtlistener",
        "note": "1 of 9 cases.",
        "trust": "untrusted-external-content",
        "cases": [
            {
                "caseName": "Marsh v. Heron",
                "citation": "Marsh v. Heron, 401 U.S. 12 (1971)",
                "citationCount": 0,
                "source": "courtlistener",
            }
        ],
    }


async def test_nothing_found_blames_the_filters(desk: CallHarness, courts: Courts) -> None:
    courts.found = RecordsFound()

    result = await desk.call("legal_search", {"query": "x", "jurisdiction": "ca9"})

    assert result.structured is not None
    assert result.structured["hints"] == {
        "reason": "filters_too_restrictive",
        "filtersApplied": ["jurisdiction"],
        "suggestedActions": [
            {"action": "remove_filter", "target": "jurisdiction"},
            {"action": "rephrase_query"},
        ],
    }


async def test_results_are_kept_for_a_day_and_linked_to_the_session_each_time(
    desk: CallHarness, courts: Courts
) -> None:
    first = await desk.call("legal_search", {"query": "x", "sessionId": "s1"})
    second = await desk.call("legal_search", {"query": "x", "sessionId": "s2"})

    assert len(courts.asked) == 1
    assert [r.meta["session"]["sessionId"] for r in (first, second)] == ["s1", "s2"]
    assert (second.meta["cached"], second.meta["maxAgeSeconds"]) == (True, 86_400)


async def test_nothing_found_is_asked_again(desk: CallHarness, courts: Courts) -> None:
    courts.found = RecordsFound()

    for _ in range(2):
        await desk.call("legal_search", {"query": "x"})

    assert len(courts.asked) == 2


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ({}, "legal_search: query: is required"),
        ({"query": ""}, "legal_search: query: is required"),
        (
            {"query": "x", "date_to": "2020-02-30"},
            "legal_search: date_to: must be a day like 2024-01-31",
        ),
        (
            {"query": "x", "num_results": 21},
            "legal_search: num_results: must be at most 20, got 21",
        ),
    ],
)
async def test_wrong_arguments_are_explained(
    desk: CallHarness, arguments: dict[str, Any], complaint: str
) -> None:
    result = await desk.call("legal_search", arguments)

    assert result.problem is not None
    assert result.problem.message == complaint


async def test_a_rate_limit_says_when_to_retry(desk: CallHarness, courts: Courts) -> None:
    courts.fails = RateLimitError("Rate limited.", provider="courtlistener", retry_after=12)

    result = await desk.call("legal_search", {"query": "x"})

    assert result.problem is not None
    assert result.problem.block == {
        "kind": "rate_limited",
        "retryable": True,
        "retryAfterSeconds": 12,
        "suggestedAction": "retry_after_delay",
        "provider": "courtlistener",
    }


def test_it_is_offered_when_a_case_database_is_there(courts: Courts) -> None:
    assert choose((legal_search,), ["data"], services()).tools() == []
    assert choose((legal_search,), ["data"], services(courts)).tools() == [legal_search]

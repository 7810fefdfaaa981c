"""`filing_search`: what a client sees."""

from typing import Any, ClassVar

import pytest

from tests.support import CallHarness, override, services
from webquarry.calls.registry import choose
from webquarry.errors import NetworkError, UnconfiguredError
from webquarry.models.records import Filing, FilingQuery, RecordsFound
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.providers.capabilities_records import CatalogCache, SearchesFilings
from webquarry.providers.edgar import Edgar
from webquarry.providers.provider import Keys
from webquarry.services.provider_choice import ProviderDirectory
from webquarry.tools.filing_search import filing_search

pytestmark = pytest.mark.anyio

FILING = Filing(company="Heron Inc.", cik="0000001111", formType="10-K", source="edgar")


class Registry:
    """A regulator that remembers what it was asked."""

    about: ClassVar = Edgar.about

    def __init__(self, upstreams: Upstreams | None = None, keys: Keys | None = None) -> None:
        self.asked: list[FilingQuery] = []
        self.found: RecordsFound[Filing] = RecordsFound((FILING,))
        self.fails: Exception | None = None

    async def search_filings(self, query: FilingQuery, shelf: CatalogCache) -> RecordsFound[Filing]:
        self.asked.append(query)
        if self.fails:
            raise self.fails
        return self.found


@pytest.fixture
def registry() -> Registry:
    return Registry()


@pytest.fixture
def desk(registry: Registry) -> CallHarness:
    return CallHarness((filing_search,), services=services(registry))


async def test_every_argument_reaches_the_provider(desk: CallHarness, registry: Registry) -> None:
    result = await desk.call(
        "filing_search",
        {
            "query": " heron ", "form_type": "10-K", "ticker": "HRN", "date_from": "2020-01-01",
            "date_to": "2021-12-31", "facts": True, "num_results": 3, "provider": "edgar",
        },
    )  # fmt: skip

    assert registry.asked == [
        FilingQuery(
            text="heron", ticker="HRN", form="10-K", since="2020-01-01", until="2021-12-31",
            facts=True, count=3,
        )
    ]  # fmt: skip
    assert result.structured == {
        "query": "heron",
        "resultCount": 1,
        "provider": "edgar",
        "trust": "untrusted-external-content",
        "filings": [
            {"company": "Heron Inc.", "cik": "0000001111", "formType": "10-K", "source": "edgar"}
        ],
    }


async def test_nothing_found_comes_with_hints_and_notes(
    desk: CallHarness, registry: Registry
) -> None:
    registry.found = RecordsFound((), ("NOPE is not among the SEC's tickers.",))

    result = await desk.call("filing_search", {"ticker": "NOPE", "form_type": "8-K"})

    assert result.structured == {
        "query": "NOPE",
        "resultCount": 0,
        "provider": "edgar",
        "hints": {
            "reason": "filters_too_restrictive",
            "filtersApplied": ["form_type"],
            "suggestedActions": [
                {"action": "remove_filter", "target": "form_type"},
                {"action": "rephrase_query"},
            ],
        },
        "note": "NOPE is not among the SEC's tickers.",
        "trust": "untrusted-external-content",
        "filings": [],
    }


async def test_what_was_found_is_kept_for_a_day_whatever_the_session(
    desk: CallHarness, registry: Registry
) -> None:
    await desk.call("filing_search", {"query": "heron"})
    again = await desk.call("filing_search", {"query": "heron", "sessionId": "s1"})

    assert len(registry.asked) == 1
    assert (again.meta["cached"], again.meta["maxAgeSeconds"]) == (True, 86_400)
    assert again.meta["session"]["sessionId"] == "s1"


async def test_nothing_found_is_asked_again(desk: CallHarness, registry: Registry) -> None:
    registry.found = RecordsFound()

    for _ in range(2):
        await desk.call("filing_search", {"query": "heron"})

    assert len(registry.asked) == 2


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ({}, "filing_search: give query or ticker"),
        ({"query": "  "}, "filing_search: give query or ticker"),
        (
            {"query": "x", "date_from": "2020"},
            "filing_search: date_from: must be a day like 2024-01-31",
        ),
        (
            {"query": "x", "date_from": "2021-01-01", "date_to": "2020-01-01"},
            "filing_search: date_from 2021-01-01 is after date_to 2020-01-01",
        ),
        (
            {"query": "x", "num_results": 11},
            "filing_search: num_results: must be at most 10, got 11",
        ),
    ],
)
async def test_wrong_arguments_are_explained(
    desk: CallHarness, registry: Registry, arguments: dict[str, Any], complaint: str
) -> None:
    result = await desk.call("filing_search", arguments)

    assert result.problem is not None
    assert result.problem.message == complaint
    assert registry.asked == []


async def test_a_failure_is_told_as_such_and_not_as_nothing(
    desk: CallHarness, registry: Registry
) -> None:
    registry.fails = NetworkError("Network error (edgar): timed out.", provider="edgar")

    result = await desk.call("filing_search", {"query": "heron"})

    assert result.problem is not None
    assert result.problem.block["kind"] == "network"
    assert result.problem.block["provider"] == "edgar"


async def test_an_unknown_provider_is_refused_with_the_known_ones(desk: CallHarness) -> None:
    result = await desk.call("filing_search", {"query": "heron", "provider": "sedar"})

    assert result.problem is not None
    assert result.problem.message == "Unknown provider 'sedar'. Supported: edgar."


def test_it_is_offered_only_with_a_contact_address(registry: Registry) -> None:
    without = override(services(), providers=ProviderDirectory((), (Edgar,)))

    assert [t.name for t in choose((filing_search,), ["data"], services(registry)).tools()] == [
        "filing_search"
    ]
    assert choose((filing_search,), ["data"], without).tools() == []


def test_without_a_contact_address_the_error_says_which_setting_is_missing() -> None:
    choice = ProviderDirectory((), (Edgar,)).of(SearchesFilings)

    for ask in (choice.first, lambda: choice.first("edgar")):
        with pytest.raises(UnconfiguredError, match="set EDGAR_CONTACT_EMAIL"):
            ask()

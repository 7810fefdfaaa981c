"""`structured_search`: what a client sees."""

from typing import Any, ClassVar

import pytest

from tests.services.answering.fakes import PRODUCT, local, product
from tests.services.research.research_setup import ResearchSetup
from tests.support import CallHarness, services
from webquarry.calls.registry import choose
from webquarry.errors import AccessError, BadInputError, BlockedError, WebquarryError
from webquarry.models.synthesis import Structured, StructuredItem, StructuredQuery
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.providers.exa import Exa
from webquarry.providers.provider import Keys
from webquarry.tools.structured_search import structured_search

pytestmark = pytest.mark.anyio
SCHEMA = {"type": "object", "properties": {"name": {"type": "string"}}}


class Finder:
    """A structured search that remembers what it was asked."""

    about: ClassVar = Exa.about

    def __init__(self, upstreams: Upstreams | None = None, keys: Keys | None = None) -> None:
        del upstreams, keys
        self.asked: list[StructuredQuery] = []
        self.found = Structured(
            items=(
                StructuredItem(
                    title="Owl Works",
                    url="https://owls.example/",
                    summary={"name": "Owl Works", "founded": None},
                    highlights=("Owl Works was founded in 1998.",),
                ),
                StructuredItem(url="https://nests.example/"),
            ),
            cost=0.012,
        )
        self.fails: WebquarryError | None = None

    async def search_structured(self, query: StructuredQuery) -> Structured:
        self.asked.append(query)
        if self.fails:
            raise self.fails
        return self.found


@pytest.fixture
def finder() -> Finder:
    return Finder()


@pytest.fixture
def desk(finder: Finder) -> CallHarness:
    return CallHarness((structured_search,), services=services(finder))


async def test_every_argument_reaches_the_provider_and_data_come_back(
    desk: CallHarness, finder: Finder
) -> None:
    arguments = {"query": "owl makers", "category": "company", "num_results": 2, "schema": SCHEMA}
    result = await desk.call("structured_search", {**arguments, "provider": "exa"})

    (asked,) = finder.asked
    assert (asked.text, asked.category, asked.count, asked.fields) == (
        "owl makers",
        "company",
        2,
        SCHEMA,
    )
    assert result.structured == {
        "query": "owl makers",
        "category": "company",
        "resultCount": 2,
        "results": [
            {
                "title": "Owl Works",
                "url": "https://owls.example/",
                "summary": {"name": "Owl Works", "founded": None},
                "highlights": ["Owl Works was founded in 1998."],
            },
            {"url": "https://nests.example/"},
        ],
        "provider": "exa",
        "costUsd": 0.012,
        "trust": "untrusted-external-content",
    }
    assert desk.records[0].spent == {"provider": "exa", "cost_usd": 0.012}


async def test_results_are_kept_for_an_hour_by_every_argument(
    desk: CallHarness, finder: Finder
) -> None:
    questions: list[dict[str, Any]] = [
        {"query": "x"},
        {"query": "x", "category": "news"},
        {"query": "x", "num_results": 3},
        {"query": "x", "schema": SCHEMA},
        {"query": "x", "provider": "exa"},
    ]
    for question in questions:
        await desk.call("structured_search", question)
    again = [await desk.call("structured_search", question) for question in questions]

    assert len(finder.asked) == len(questions)
    assert {(r.meta["cached"], r.meta["maxAgeSeconds"]) for r in again} == {(True, 3600)}


async def test_nothing_found_is_explained_and_asked_again(
    desk: CallHarness, finder: Finder
) -> None:
    finder.found = Structured()

    await desk.call("structured_search", {"query": "x", "category": "news"})
    result = await desk.call("structured_search", {"query": "x", "category": "news"})

    assert len(finder.asked) == 2
    assert result.structured == {
        "query": "x",
        "category": "news",
        "resultCount": 0,
        "results": [],
        "provider": "exa",
        "hints": {
            "reason": "filters_too_restrictive",
            "filtersApplied": ["category"],
            "suggestedActions": [
                {"action": "remove_filter", "target": "category"},
                {"action": "try_different_provider", "target": "local"},
                {"action": "rephrase_query"},
            ],
        },
        "trust": "untrusted-external-content",
    }


async def test_what_the_provider_refuses_is_a_mistake_of_the_caller(
    desk: CallHarness, finder: Finder
) -> None:
    finder.fails = BadInputError("category: exa has company, people; got 'x'.", provider="exa")

    result = await desk.call("structured_search", {"query": "x", "category": "x"})

    assert result.problem is not None
    assert result.problem.message == "category: exa has company, people; got 'x'."
    assert result.problem.block["kind"] == "validation"


async def test_a_refused_key_is_told(desk: CallHarness, finder: Finder) -> None:
    finder.fails = AccessError("Access refused (exa).", provider="exa")

    result = await desk.call("structured_search", {"query": "x"})

    assert result.problem is not None
    assert result.problem.block == {
        "kind": "auth_required",
        "retryable": False,
        "suggestedAction": "check_api_key",
        "provider": "exa",
        "alternatives": ["local"],
    }


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ({}, "query: is required"),
        ({"query": "x", "schema": "[]"}, "schema: must be an object, got []"),
        (
            {"query": "x", "schema": "price, name"},
            "schema: must be a JSON Schema, as an object or as JSON text: "
            "Expecting value: line 1 column 1 (char 0)",
        ),
        (
            {"query": "x", "num_results": 11},
            "num_results: must be at most 10, got 11",
        ),
        ({"query": "x", "shema": {}}, "shema: no such argument, did you mean schema?"),
    ],
)
async def test_wrong_arguments_are_explained(
    desk: CallHarness, arguments: dict[str, Any], complaint: str
) -> None:
    result = await desk.call("structured_search", arguments)

    assert result.problem is not None
    assert result.problem.message == f"structured_search: {complaint}"


async def test_without_keys_pages_are_read_and_their_data_taken_out() -> None:
    shelf = ResearchSetup(product("https://shop.test/lamp", "Lamp Aurora", "49.90"))
    tools = CallHarness((structured_search,), services=local(shelf))

    result = await tools.call("structured_search", {"query": "lamp aurora", "schema": PRODUCT})

    assert result.structured == {
        "query": "lamp aurora",
        "category": "",
        "resultCount": 1,
        "results": [
            {
                "title": "Lamp Aurora",
                "url": "https://shop.test/lamp",
                "summary": {"name": "Lamp Aurora", "price": 49.9, "wattage": None},
                "highlights": ["The Lamp Aurora lights a whole room for a song."],
            }
        ],
        "provider": "local",
        "costUsd": 0.0,
        "trust": "untrusted-external-content",
    }


async def test_a_result_with_unread_pages_is_not_kept() -> None:
    wall = ("https://wall.test/", BlockedError("Blocked: a wall."))
    shelf = ResearchSetup(product("https://shop.test/lamp", "Lamp Aurora", "49.90"), wall)
    tools = CallHarness((structured_search,), services=local(shelf))

    first = await tools.call("structured_search", {"query": "lamp aurora"})
    second = await tools.call("structured_search", {"query": "lamp aurora"})

    assert first.structured is not None
    assert first.structured["note"] == "1 of 2 pages could not be read (blocked: 1)."
    assert second.meta["cached"] is False


def test_it_is_always_offered() -> None:
    assert choose((structured_search,), ["synthesis"], services()).tools() == [structured_search]

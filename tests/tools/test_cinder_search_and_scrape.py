"""`cinder_search_and_scrape`: seed 002's contract, as a client sees it."""

from typing import Any, cast

import pytest

from tests.services.searching.fakes import FakeWebProvider, pages, provider
from tests.support import CallHarness, override, services
from webquarry.errors import BlockedError
from webquarry.models.page import PageMetadata
from webquarry.models.reading import RawResponse, Reading, ReadMode
from webquarry.net.url import Url
from webquarry.providers.provider import Provider
from webquarry.reading.page_cache import PageCache
from webquarry.reading.service import ReadingDependencies, ReadingService
from webquarry.storage.memory_store import MemoryStore
from webquarry.tools.cinder_search_and_scrape import cinder_search_and_scrape

pytestmark = pytest.mark.anyio
NAME = "cinder_search_and_scrape"


class Shelf:
    """Reads every page but the second."""

    def __init__(self, way: str = "smart") -> None:
        self.way = way

    async def read(self, url: Url, seconds: float) -> Reading:
        if url.href.endswith("/2"):
            raise BlockedError("Blocked: no owls.")
        about = PageMetadata(title="Owls", description="On owls")
        text = f"{self.way} {url.href}"
        return Reading(url=url.href, final_url=url.href, markdown=text, kind="html", metadata=about)

    async def read_raw(self, url: Url, seconds: float, max_bytes: int) -> RawResponse:
        raise AssertionError("nobody asked for bytes")


def desk(*providers: FakeWebProvider) -> CallHarness:
    found = cast("list[Provider]", list(providers))
    readers = {ReadMode(strategy=way): Shelf(way) for way in ("static", "dynamic")}
    reading = ReadingService(
        Shelf(), PageCache(MemoryStore()), dependencies=ReadingDependencies(readers=readers)
    )
    return CallHarness(
        (cinder_search_and_scrape,), services=override(services(*found), reading=reading)
    )


async def called(at: CallHarness, **arguments: Any) -> dict[str, Any]:
    result = await at.call(NAME, {"query": "owls", **arguments})
    assert result.structured, result
    return result.structured


async def test_the_top_results_come_with_their_pages_or_with_the_reason_why_not() -> None:
    found = await called(desk(provider("one", pages(9))))

    assert found.pop("searchTime") >= 0
    rows = found["results"]
    assert [len(row.pop("id")) for row in rows] == [16, 16, 16]
    assert [rows[0].pop("loadTime") >= 0, rows[2].pop("loadTime") >= 0] == [True, True]
    assert found["query"] == "owls"
    assert rows[0] == {
        "title": "Page 1",
        "url": "https://example.org/1",
        "domain": "example.org",
        "summary": "Text 1",
        "relevance": 0.7,
        "content": "smart https://example.org/1",
        "metadata": {"description": "On owls"},
        "statusCode": 200,
    }
    assert rows[1] == {
        "title": "Page 2",
        "url": "https://example.org/2",
        "domain": "example.org",
        "summary": "Text 2",
        "relevance": 0.636,
        "error": {
            "kind": "blocked",
            "reason": "Blocked: no owls.",
            "retryable": False,
            "suggestedAction": "inform_user",
        },
    }
    assert rows[2]["content"] == "smart https://example.org/3"


@pytest.mark.parametrize("mode", ["static", "dynamic"])
async def test_pages_are_read_in_the_manner_asked_for(mode: str) -> None:
    found = await called(desk(provider("one", pages(1))), scrapeMode=mode)

    assert found["results"][0]["content"] == f"{mode} https://example.org/1"


@pytest.mark.parametrize(("mode", "asked"), [("fast", 1), ("balanced", 2)])
async def test_the_mode_is_that_of_the_search(mode: str, asked: int) -> None:
    providers = [provider(f"p{n}", pages(3, f"s{n}.test")) for n in range(2)]

    await called(desk(*providers), mode=mode)

    assert sum(bool(p.queries) for p in providers) == asked


@pytest.mark.parametrize(("wanted", "given_out"), [(50, 20), (0, 3), (-1, 3), (20, 20), (1, 1)])
async def test_a_count_out_of_bounds_is_clamped_and_that_is_told(
    wanted: int, given_out: int
) -> None:
    at = desk(provider("one", pages(40)))

    result = await at.call(NAME, {"query": "owls", "numResults": wanted})

    assert result.structured
    assert len(result.structured["results"]) == given_out
    assert result.meta.get("requestedNumResults") == (None if 1 <= wanted <= 20 else wanted)


async def test_progress_is_told_page_by_page() -> None:
    told: list[tuple[float, float | None]] = []

    async def report(done: float, total: float | None, message: str | None) -> None:
        told.append((done, total))

    await desk(provider("one", pages(9))).call(NAME, {"query": "owls"}, report=report)

    assert told == [(1, 3), (2, 3), (3, 3)]


async def test_nothing_found_reads_nothing() -> None:
    assert (await called(desk(provider("one", []))))["results"] == []


async def test_a_token_budget_gives_whole_results_and_a_cursor_goes_on() -> None:
    at = desk(provider("one", pages(9)))
    asked = {"query": "owls", "numResults": 9, "max_tokens": 300}

    first = (await at.call(NAME, asked)).structured
    assert first
    second = (await at.call(NAME, {**asked, "cursor": first["nextCursor"]})).structured
    assert second

    shown = [row["title"] for row in first["results"] + second["results"]]
    assert shown == [f"Page {n}" for n in range(1, len(shown) + 1)]
    assert len(first["results"]) >= 1


@pytest.mark.parametrize(
    ("arguments", "words"),
    [({}, "query: is required"), ({"query": "a", "mode": "deep"}, "mode: "),
     ({"query": "a", "scrapeMode": "slow"}, "scrapeMode: ")],
)  # fmt: skip
async def test_wrong_arguments_are_named(arguments: dict[str, Any], words: str) -> None:
    result = await desk(provider("one", pages(1))).call(NAME, arguments)

    assert result.problem
    assert words in result.problem.message


def test_arguments_and_defaults_are_those_of_the_contract() -> None:
    properties = cinder_search_and_scrape.definition()["inputSchema"]["properties"]

    assert {name: schema.get("default") for name, schema in properties.items()} == {
        "query": None, "numResults": 3, "mode": "balanced", "scrapeMode": "smart",
        "max_tokens": None, "cursor": None, "requiredText": None,
    }  # fmt: skip
    assert properties["mode"]["enum"] == ["fast", "balanced"]
    assert properties["scrapeMode"]["enum"] == ["smart", "static", "dynamic"]


async def test_a_page_that_was_read_must_have_the_required_text() -> None:
    at = desk(provider("one", pages(9)))

    result = await at.call(
        NAME, {"query": "owls", "numResults": 2, "requiredText": ["Smart  https://example.org/3"]}
    )

    assert result.structured
    rows = result.structured["results"]
    # the second page could not be read, so it could not be checked
    assert [(row["url"], "error" in row) for row in rows] == [
        ("https://example.org/2", True), ("https://example.org/3", False)
    ]  # fmt: skip
    assert result.structured["unhonoured"] == ["requiredText"]
    assert result.meta["removed"] == {"requiredText": 2}


async def test_required_text_that_every_page_has_is_honoured() -> None:
    found = await called(desk(provider("one", pages(1))), requiredText=["example.org/1"])

    assert [row["url"] for row in found["results"]] == ["https://example.org/1"]
    assert "unhonoured" not in found

"""`searxng_search`: seed 003's `web_search`, as a client sees it."""

from dataclasses import replace
from typing import Any

import pytest

from tests.searxng.fakes import PLAIN, A, B, Setup, World, body, down, finds, says, text, world
from tests.support import CallHarness, override, services, text_of
from webquarry.calls.tool import AnyTool
from webquarry.errors import BlockedError
from webquarry.models.caller import Caller
from webquarry.models.result import Result
from webquarry.net.client.response import FetchedResponse
from webquarry.net.upstream.http_port import ApiRequest
from webquarry.reading.read_port import PlainReading
from webquarry.searxng.result_content import ResultContentReader
from webquarry.settings.groups.web_search import WebSearchSettings
from webquarry.tools.searxng_search import searxng_search

pytestmark = pytest.mark.anyio
TOOL: AnyTool = searxng_search
RUST, TOKIO = "https://doc.example.org/async", "https://tokio.example/"
MARKDOWN = "# Async\n\nAsync programming in Rust uses futures. Runtimes drive them to their end."


class Shelf:
    """Pages by address."""

    def __init__(self, **pages: str | Exception) -> None:
        self._pages = pages

    async def read(
        self, url: str, *, seconds: float, max_bytes: int, owner: Caller | None
    ) -> PlainReading:
        page = self._pages.get("tokio" if url == TOKIO else "rust", MARKDOWN)
        if isinstance(page, Exception):
            raise page
        return PlainReading(url=url, markdown=page)


def desk(
    there: World, *, shelf: Shelf | None = None, options: WebSearchSettings = PLAIN, **settings: Any
) -> CallHarness:
    pool = Setup(there, options=options).pool
    contents = ResultContentReader(shelf or Shelf(), options, pool.clock)
    offered = override(services(), searxng=pool, searxng_content=contents)
    return CallHarness((TOOL,), services=offered, settings=settings)


def structured(result: Result) -> dict[str, Any]:
    assert result.structured is not None, result
    return result.structured


async def test_a_search_returns_results_with_the_text_of_their_pages() -> None:
    there = world(a=finds(RUST, TOKIO, number_of_results=8450))

    result = await desk(there, shelf=Shelf()).call("searxng_search", {"query": "rust async"})

    page = {
        "markdown": MARKDOWN,
        "word_count": 13,
        "fetch_time_ms": 0,
        "summary": "Async programming in Rust uses futures. Runtimes drive them to their end.",
    }
    assert structured(result) == {
        "query": "rust async",
        "category": "general",
        "language": "en",
        "results_count": 2,
        "search_time_ms": 0,
        "instance_used": A,
        "results": [
            {"title": "Title 1", "url": RUST, "description": "About 1", "score": 1.0,
             "engine": "bing", "content": page},
            {"title": "Title 2", "url": TOKIO, "description": "About 2", "score": 0.9839,
             "engine": "bing", "content": page},
        ],
        "total_results": 8450,
        "engines_used": ["bing"],
        "trust": "untrusted-external-content",
        "content_fetch_stats": {
            "attempted": 2, "successful": 2, "failed": 0, "total_time_ms": 0,
        },
    }  # fmt: skip
    assert text_of(result) == "Found 2 search results for query 'rust async'"
    assert not result.is_error


async def test_without_content_only_links_come() -> None:
    arguments = {"query": "rust", "results_count": 1, "fetch_content": False}

    result = await desk(world(a=finds(RUST, TOKIO)), shelf=Shelf()).call(
        "searxng_search", arguments
    )

    assert structured(result) == {
        "query": "rust",
        "category": "general",
        "language": "en",
        "results_count": 1,
        "search_time_ms": 0,
        "instance_used": A,
        "fetch_content": False,
        "results": [
            {"title": "Title 1", "url": RUST, "description": "About 1", "score": 1.0,
             "engine": "bing"},
        ],
        "total_results": 2,
        "engines_used": ["bing"],
        "trust": "untrusted-external-content",
    }  # fmt: skip
    second = result.content[1]
    assert second.type == "text"
    assert second.text == f"1. Title 1\n{RUST}\nAbout 1"


async def test_pages_that_fail_are_counted_and_say_why() -> None:
    shelf = Shelf(tokio=BlockedError("robots.txt forbids it"))

    result = await desk(world(a=finds(RUST, TOKIO)), shelf=shelf).call(
        "searxng_search", {"query": "rust"}
    )

    found = structured(result)
    stats = found["content_fetch_stats"]
    assert (stats["attempted"], stats["successful"], stats["failed"]) == (2, 1, 1)
    assert "content" in found["results"][0]
    assert found["results"][1]["content_error"] == "robots.txt forbids it"


async def test_every_argument_reaches_the_instance() -> None:
    there = world(a=finds(RUST))
    arguments = {
        "query": "latest rust",
        "category": "news",
        "language": "de-AT",
        "results_count": 1,
        "fetch_content": False,
        "safe_search": 2,
        "time_range": "month",
    }

    await desk(there).call("searxng_search", arguments)

    assert [r.full_url for r in there.requests] == [
        f"{A}/search?q=latest+rust&categories=news&language=de-AT&safesearch=2&time_range=month"
        "&format=json"
    ]


async def test_the_defaults_are_those_of_the_seed() -> None:
    there = world(a=finds(*(f"https://example.org/{n}" for n in range(30))))

    result = await desk(there).call("searxng_search", {"query": "q"})

    assert there.requests[0].full_url == (
        f"{A}/search?q=q&categories=general&language=en&safesearch=1&format=json"
    )
    assert structured(result)["results_count"] == 10


def test_the_schema_of_the_arguments_is_that_of_the_seed_where_clients_accept_it() -> None:
    properties = TOOL.definition()["inputSchema"]["properties"]

    expected: dict[str, dict[str, Any]] = {
        "query": {"type": "string"},
        "category": {
            "type": "string",
            "enum": ["general", "images", "videos", "news", "map", "music", "it", "science",
                     "files"],
            "default": "general",
        },
        "language": {
            "type": "string", "pattern": "^[a-z]{2}(-[A-Z]{2})?$", "default": "en",
        },
        "results_count": {"type": "integer", "minimum": 1, "maximum": 50, "default": 10},
        "fetch_content": {"type": "boolean", "default": True},
        "safe_search": {"type": "integer", "minimum": 0, "maximum": 2, "default": 1},
        "time_range": {"type": "string", "enum": ["day", "week", "month", "year"]},
    }  # fmt: skip
    told = {
        name: {key: value for key, value in schema.items() if key != "description"}
        for name, schema in properties.items()
        if name not in {"max_tokens", "cursor"}
    }
    assert told == expected
    assert TOOL.definition()["inputSchema"]["required"] == ["query"]


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"query": ""},
        {"query": "x" * 501},
        {"query": "x", "category": "social media"},
        {"query": "x", "language": "english"},
        {"query": "x", "results_count": 0},
        {"query": "x", "results_count": 51},
        {"query": "x", "safe_search": 3},
        {"query": "x", "time_range": "hour"},
        {"query": "x", "engine": "bing"},
    ],
)
async def test_wrong_arguments_are_refused_before_anything_is_sent(
    arguments: dict[str, Any],
) -> None:
    there = world(a=finds(RUST))

    result = await desk(there).call("searxng_search", arguments)

    assert result.is_error
    assert there.requests == []


async def test_no_instance_left_is_the_error_of_the_seed() -> None:
    there = world(a=down(), b=says(text("", 429, retry_after="300")))

    result = await desk(there).call("searxng_search", {"query": "rust programming"})

    assert result.is_error
    assert text_of(result).startswith("Search failed: No available SearXNG instances\n")
    metadata = {
        "query": "rust programming",
        "error_type": "no_instances_available",
        "error_details": "All configured SearXNG instances are unavailable or rate limited",
        "attempted_instances": [A, B],
        "retry_after": 60,
    }
    assert result.problem is not None
    assert metadata.items() <= result.problem.block.items()
    assert result.problem.block["kind"] == "upstream_unavailable"
    assert result.problem.block["retryAfterSeconds"] == 60


async def test_all_instances_limiting_us_is_a_rate_limit() -> None:
    there = world(a=says(text("", 429, retry_after="300")))

    result = await desk(there).call("searxng_search", {"query": "rust"})

    assert result.problem is not None
    assert result.problem.block["kind"] == "rate_limited"
    assert result.problem.block["retry_after"] == 300


async def test_nothing_found_is_no_error() -> None:
    result = await desk(world(a=finds()), shelf=Shelf()).call("searxng_search", {"query": "rust"})

    assert text_of(result) == "Found 0 search results for query 'rust'"
    assert structured(result)["content_fetch_stats"]["attempted"] == 0


async def test_failed_engines_and_missing_pages_are_told() -> None:
    def answer(request: ApiRequest) -> FetchedResponse:
        if request.params.get("pageno"):
            return text("", 500)
        return finds(RUST, unresponsive_engines=[["brave", "timeout"]])(request)

    result = await desk(world(a=answer)).call(
        "searxng_search", {"query": "rust", "fetch_content": False}
    )

    missing, engine = structured(result)["warnings"]
    assert missing.startswith("page 2 of the results is missing")
    assert engine == "engine brave failed: timeout"


async def test_pictures_and_dates_are_kept() -> None:
    row = {"title": "An owl", "url": RUST, "img_src": "https://img.example/o.png",
           "publishedDate": "2024-05-17T08:30:00", "engine": "x"}  # fmt: skip
    arguments = {"query": "owl", "category": "images", "results_count": 1, "fetch_content": False}

    result = await desk(world(a=says(body({"results": [row]})))).call("searxng_search", arguments)

    (found,) = structured(result)["results"]
    assert found["image"] == "https://img.example/o.png"
    assert found["published"] == "2024-05-17T08:30:00Z"


async def test_what_an_instance_returns_beside_its_results_is_kept() -> None:
    row = {"title": "Owls", "url": RUST, "content": "About", "engines": ["bing", "brave"]}
    extras = {
        "answers": [{"answer": "42", "url": TOKIO}, "a text"],
        "infoboxes": [{"infobox": "Owl", "content": "A bird.",
                       "attributes": [{"label": "Order", "value": "Strigiformes"}]}],
        "suggestions": ["barn owl"],
        "corrections": ["owls"],
    }  # fmt: skip
    arguments = {"query": "owl", "results_count": 1, "fetch_content": False}

    result = await desk(world(a=says(body({"results": [row], **extras})))).call(
        "searxng_search", arguments
    )

    assert structured(result) == {
        "query": "owl",
        "category": "general",
        "language": "en",
        "results_count": 1,
        "search_time_ms": 0,
        "instance_used": A,
        "fetch_content": False,
        "results": [
            {"title": "Owls", "url": RUST, "description": "About", "score": 1.0, "engine": "bing",
             "engines": ["bing", "brave"]},
        ],
        "total_results": 1,
        "engines_used": ["bing", "brave"],
        "answers": [{"text": "42", "url": TOKIO}, {"text": "a text"}],
        "infoboxes": [
            {"title": "Owl", "content": "A bird.", "attributes": {"Order": "Strigiformes"}}
        ],
        "suggestions": ["barn owl"],
        "corrections": ["owls"],
        "trust": "untrusted-external-content",
    }  # fmt: skip
    second = result.content[1]
    assert second.type == "text"
    assert second.text.startswith("Answer: 42\nAnswer: a text\n1. Owls\n")


async def test_all_instances_whose_results_are_fused_are_named() -> None:
    there = world(a=finds(RUST), b=finds(TOKIO))

    found = structured(
        await desk(there).call("searxng_search", {"query": "rust", "fetch_content": False})
    )

    assert (found["instance_used"], found["instances_used"]) == (A, [A, B])
    assert [(r["url"], r["score"]) for r in found["results"]] == [(RUST, 0.5), (TOKIO, 0.5)]


async def test_meta_tells_who_was_asked_and_why() -> None:
    result = await desk(world(a=down(), b=finds(RUST))).call(
        "searxng_search", {"query": "rust", "results_count": 1, "fetch_content": False}
    )

    assert result.meta["routing"] == {
        "provider_used": "searxng",
        "instance": B,
        "why": "configured instance, the only one of its grade available; "
        "tried after another failed",
        "attempts": [
            {"instance": A, "outcome": "the connection was refused"},
            {"instance": B, "outcome": "ok"},
        ],
    }


async def test_results_are_kept_for_a_short_while_but_not_empty_ones() -> None:
    there = world(a=finds(RUST))
    called = desk(there)
    arguments = {"query": "rust", "results_count": 1, "fetch_content": False}
    await called.call("searxng_search", arguments)
    again = await called.call("searxng_search", arguments)
    assert (again.meta["cached"], again.meta["maxAgeSeconds"]) == (True, 300)
    assert text_of(again) == "Found 1 search results for query 'rust'"
    assert len(there.requests) == 1

    nothing = world(a=finds())
    called = desk(nothing)
    for _ in range(2):
        await called.call("searxng_search", arguments)
    assert len(nothing.requests) == 2


async def test_the_settings_choose_the_default_and_the_most_results() -> None:
    there = world(a=finds(*(f"https://example.org/{n}" for n in range(30))))
    options = replace(PLAIN, default_results_count=3, max_results_count=5)
    called = desk(there, options=options)

    usual = await called.call("searxng_search", {"query": "q", "fetch_content": False})
    many = await called.call("searxng_search", {"query": "q", "results_count": 6})

    assert structured(usual)["results_count"] == 3
    assert text_of(many).startswith("results_count: at most 5 are allowed here, got 6")


async def test_a_budget_cuts_the_results_and_a_cursor_brings_the_rest() -> None:
    urls = [f"https://example.org/{n}" for n in range(10)]
    called = desk(world(a=finds(*urls)), shelf=Shelf())
    arguments: dict[str, Any] = {"query": "q", "max_tokens": 600}
    seen: list[str] = []

    while True:
        page = structured(await called.call("searxng_search", arguments))
        seen += [result["url"] for result in page["results"]]
        if "nextCursor" not in page:
            break
        arguments["cursor"] = page["nextCursor"]

    assert seen == urls


async def test_progress_is_reported_while_pages_are_read() -> None:
    reports: list[tuple[float, float | None, str | None]] = []

    async def report(done: float, total: float | None, message: str | None) -> None:
        reports.append((done, total, message))

    await desk(world(a=finds(RUST, TOKIO)), shelf=Shelf()).call(
        "searxng_search", {"query": "rust"}, report=report
    )

    assert reports == [
        (0, None, "searching"), (1, 2, "reading pages"), (2, 2, "reading pages"),
    ]  # fmt: skip

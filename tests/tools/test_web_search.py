"""`web_search`: what a client sees."""

import json
from pathlib import Path
from typing import Any, cast

import pytest

from tests.services.searching.fakes import NOTHING, broken, page, pages, provider
from tests.support import ALICE, BOB, CallHarness, services
from webquarry.errors import RateLimitError
from webquarry.models.result import Result
from webquarry.models.search import WebQuery
from webquarry.providers.google import Google
from webquarry.providers.provider import Provider
from webquarry.services.searching.service import Preferences
from webquarry.tools.web_search import web_search

pytestmark = pytest.mark.anyio


def desk(*providers: Any, **wanted: Any) -> CallHarness:
    found = cast("list[Provider]", list(providers))
    return CallHarness((web_search,), services=services(*found, preferences=Preferences(**wanted)))


async def search(desk: CallHarness, **arguments: Any) -> Result:
    return await desk.call("web_search", {"query": "owls", **arguments})


def body(result: Result) -> dict[str, Any]:
    assert result.structured is not None, result
    return result.structured


async def test_results_have_the_documented_shape() -> None:
    found = [
        page(1, url="https://www.nature.com/articles/1", published="2024-03-05T00:00:00Z"),
        page(2, url="https://www.nature.com/articles/1?utm_source=x"),
        page(3),
    ]

    result = await search(desk(provider("one", found)))

    assert body(result) == {
        "urls": ["https://www.nature.com/articles/1", "https://example.org/3"],
        "query": "owls",
        "resultCount": 2,
        "results": [
            {
                "title": "Page 1",
                "url": "https://www.nature.com/articles/1",
                "snippet": "Text 1",
                "displayLink": "www.nature.com",
                "publishedAt": "2024-03-05T00:00:00Z",
                "sourceReputation": {
                    "host": "nature.com",
                    "tier": "high",
                    "basis": "publisher or index of peer-reviewed journals",
                },
            },
            {
                "title": "Page 3",
                "url": "https://example.org/3",
                "snippet": "Text 3",
                "displayLink": "example.org",
            },
        ],
        "trust": "untrusted-external-content",
    }
    assert result.meta == {
        "cached": False, "ageSeconds": 0, "maxAgeSeconds": 1800, "freshness": "fresh"
    }  # fmt: skip


async def test_every_argument_reaches_the_provider() -> None:
    one = provider("one", pages(3))

    await search(
        desk(one),
        num_results=3,
        time_range="week",
        safe="high",
        language="de-AT",
        country="UK",
        site="https://www.Example.org/",
        exact_terms="barn owl",
        exclude_terms="zoo",
    )

    assert one.queries == [
        WebQuery(
            text="owls",
            count=3,
            time_range="week",
            safe="high",
            language="de",
            country="gb",
            sites=("example.org",),
            exact_terms="barn owl",
            exclude_terms="zoo",
            asker=ALICE,
        )
    ]


@pytest.mark.parametrize(("asked", "given"), [(50, 10), (0, 5), (-3, 5), (10, 10), (1, 1)])
async def test_a_count_out_of_bounds_is_clamped_and_that_is_told(asked: int, given: int) -> None:
    result = await search(desk(provider("one", pages(20))), num_results=asked)

    assert body(result)["resultCount"] == given
    assert result.meta.get("requestedNumResults") == (None if 1 <= asked <= 10 else asked)


async def test_a_claim_adds_a_signal_to_every_result() -> None:
    found = [
        page(1, snippet="Tea is nice to have. Owls reduce the number of voles."),
        page(2, snippet="Nothing to see."),
        page(3, title="Owls reduce voles", snippet=""),
    ]

    result = await search(desk(provider("one", found)), claim="Owls reduce voles")

    assert [r["claimSignal"] for r in body(result)["results"]] == [
        "Owls reduce the number of voles.", "", "Owls reduce voles"
    ]  # fmt: skip


async def test_what_could_not_be_honoured_is_named_fresh_and_cached() -> None:
    one = provider("one", pages(5), support=NOTHING)
    at = desk(one)

    fresh = await search(at, language="de", country="at", site="example.org")
    again = await search(at, language="de", country="at", site="example.org")

    for result in (fresh, again):
        assert body(result)["unhonoured"] == ["language", "country"]
        assert result.meta["unhonoured"] == ["language", "country"]
    assert fresh.meta["appliedAfterwards"] == ["sites"]
    assert again.meta["cached"] is True
    assert len(one.queries) == 1


async def test_nothing_found_explains_itself_without_blaming_the_innocent() -> None:
    at = desk(provider("one", [], support=NOTHING), provider("two", pages(1)))

    result = await search(at, site="example.org", language="de")

    assert body(result) == {
        "urls": [],
        "query": "owls",
        "resultCount": 0,
        "results": [],
        "hints": {
            "reason": "filters_too_restrictive",
            "filtersApplied": ["site"],
            "suggestedActions": [
                {"action": "remove_filter", "target": "site"},
                {"action": "try_different_provider", "target": "two"},
                {"action": "rephrase_query"},
            ],
        },
        "unhonoured": ["language"],
        "trust": "untrusted-external-content",
    }


async def test_an_empty_answer_is_not_kept() -> None:
    one = provider("one", [], pages(2))
    at = desk(one)

    assert body(await search(at))["resultCount"] == 0
    assert body(await search(at))["resultCount"] == 2


async def test_a_lens_uses_all_its_domains_and_nothing_else() -> None:
    def answer(query: WebQuery) -> list[Any]:
        return [page(1, query.sites[0]), page(2, "off-lens.example")]

    one = provider("one", answer)

    result = await search(desk(one), lens="docs", site="example.org")

    asked = [site for query in one.queries for site in query.sites]
    assert len(asked) == len(set(asked)) == 31
    assert "off-lens.example" not in str(body(result)["urls"])
    assert body(result)["unhonoured"] == ["site"]  # the lens overrides it


async def test_a_lens_with_an_engine_of_its_own_goes_there(tmp_path: Path) -> None:
    lens = {"name": "birds", "description": "Birds.", "cx": "abc"}
    (tmp_path / "birds.json").write_text(json.dumps(lens), encoding="utf-8")
    google, one = provider("google", pages(1)), provider("one", pages(1))

    await search(desk(one, google, custom_lenses=tmp_path), lens="birds")

    assert [query.engine for query in google.queries] == ["abc"]
    assert one.queries == []


async def test_an_unknown_lens_or_provider_is_the_callers_mistake() -> None:
    at = desk(provider("one", pages(1)))

    lens, name = await search(at, lens="nope"), await search(at, provider="bing")

    assert lens.problem is not None
    assert lens.problem.block["kind"] == "validation"
    assert name.problem is not None
    assert name.problem.message == "Unknown provider 'bing'. Supported: one."
    assert name.problem.block == {
        "kind": "config",
        "retryable": False,
        "suggestedAction": "try_different_provider",
        "alternatives": ["one"],
    }


async def test_a_rate_limit_is_told_as_specified() -> None:
    limited = broken("one", RateLimitError, retry_after=60)

    result = await search(desk(provider("one", limited), provider("two", pages(1))))

    assert result.problem is not None
    assert result.problem.block == {
        "kind": "rate_limited",
        "retryable": True,
        "retryAfterSeconds": 60,
        "suggestedAction": "retry_after_delay",
        "provider": "one",
        "alternatives": ["two"],
    }


@pytest.mark.parametrize("field", ["language", "country"])
async def test_a_code_that_is_none_is_refused(field: str) -> None:
    result = await search(desk(provider("one", pages(1))), **{field: "german!"})

    assert result.problem is not None
    assert result.problem.block["fields"] == [field]


async def test_routing_is_told_to_operators_only() -> None:
    one, two = provider("one", broken("one")), provider("two", pages(2))
    at = desk(one, two, routing={"default": ("one", "two")})

    fresh, again = await search(at), await search(at)
    named = await search(at, provider="two")

    latency = fresh.meta["routing"].pop("latency_ms")
    assert latency >= 0
    assert fresh.meta["routing"] == {
        "provider_used": "two",
        "providers_attempted": ["one", "two"],
        "fallback": True,
        "fallback_reason": "primary_unavailable",
        "cache_hit": False,
    }
    assert set(again.meta["routing"]) == {"cache_hit", "latency_ms"}
    assert again.meta["routing"]["cache_hit"] is True
    assert "routing" not in named.meta
    assert "provider_used" not in str(fresh.content)
    assert at.records[0].routing is not None


async def test_without_routing_there_is_nothing_to_tell() -> None:
    assert "routing" not in (await search(desk(provider("one", pages(1))))).meta


async def test_fused_results_say_who_returned_them() -> None:
    at = desk(
        provider("one", [page(1), page(2)]),
        provider("two", [page(2)], support=NOTHING),
        provider("three", broken("three")),
    )

    result = await search(at, fuse=True)

    assert [(r["title"], r["providers"]) for r in body(result)["results"]] == [
        ("Page 2", ["one", "two"]),
        ("Page 1", ["one"]),
    ]
    assert body(result)["unhonoured"] == ["safe (two)"]
    assert result.meta["fusion"] == {
        "answered": {"one": 2, "two": 1},
        "failed": {"three": "upstream_unavailable"},
    }


async def test_ones_own_pages_are_never_kept_for_others() -> None:
    def answer(query: WebQuery) -> list[Any]:
        return pages(1) if query.asker == ALICE else []

    local = provider("local", answer)
    at = desk(local)

    mine = await at.call("web_search", {"query": "owls"}, caller=ALICE)
    yours = await at.call("web_search", {"query": "owls"}, caller=BOB)

    assert body(mine)["results"][0]["providers"] == ["local"]
    assert body(yours)["resultCount"] == 0
    assert len(local.queries) == 2


async def test_the_session_is_linked_on_cached_answers_too() -> None:
    one = provider("one", pages(1))
    at = desk(one)

    await search(at)
    again = await search(at, sessionId="s1")

    assert again.meta["session"]["sessionId"] == "s1"
    assert len(one.queries) == 1


async def test_a_budget_cuts_the_list_and_a_cursor_continues_it() -> None:
    at = desk(provider("one", [page(n, snippet="word " * 60) for n in range(1, 9)]))

    first = await search(at, num_results=8, max_tokens=400)
    rest = await search(at, num_results=8, max_tokens=4000, cursor=body(first)["nextCursor"])

    titles = [r["title"] for r in body(first)["results"] + body(rest)["results"]]
    assert titles == [f"Page {n}" for n in range(1, 9)]


async def test_safe_search_is_named_only_if_it_was_asked_for() -> None:
    one = provider("one", pages(1), support=NOTHING)

    default = await search(desk(one))
    asked = await search(desk(one), safe="medium")

    assert "unhonoured" not in body(default)
    assert body(asked)["unhonoured"] == ["safe"]


async def test_safe_search_is_requested_by_default() -> None:
    one = provider("one", pages(1))

    await search(desk(one))

    assert one.queries[0].safe == "medium"


@pytest.mark.parametrize(
    "site", ["not a domain!!", "a.com, b.com", "exam ple.org", "https://", "!"]
)
async def test_a_site_that_is_no_domain_is_refused(site: str) -> None:
    one = provider("one", pages(1))

    result = await search(desk(one), site=site)

    assert result.problem is not None
    assert result.problem.message == (
        f"web_search: site: must be one domain like github.com, got {site!r}"
    )
    assert one.queries == []


@pytest.mark.parametrize(
    ("site", "sent"),
    [
        ("https://www.Example.org/docs/", "example.org/docs"),
        ("edu", "edu"),
        (".gov", "gov"),
        ("*.example.org", "example.org"),
        ("bücher.example", "bücher.example"),
        ("xn--bcher-kva.example", "xn--bcher-kva.example"),
    ],
)
async def test_a_site_may_be_written_in_many_ways(site: str, sent: str) -> None:
    one = provider("one", pages(1))

    await search(desk(one), site=site)

    assert one.queries[0].sites == (sent,)


async def test_hints_name_no_provider_that_was_queried() -> None:
    at = desk(
        provider("one", []), provider("two", []), provider("three", pages(1)),
        routing={"default": ("one", "two")},
    )  # fmt: skip

    result = await search(at)

    assert body(result)["hints"]["suggestedActions"] == [
        {"action": "try_different_provider", "target": "three"},
        {"action": "rephrase_query"},
    ]


async def test_a_lens_of_many_sites_says_how_many_requests_it_took() -> None:
    one = provider("one", pages(1, "docs.python.org"))

    result = await search(desk(one), lens="docs", query="the owls")

    assert len(one.queries) == 4  # 31 sites, 10 in a request; no retry without stopwords
    assert body(result)["requests"] == 4
    assert result.meta["requests"] == {"one": 4}


async def test_google_takes_two_requests_for_the_largest_lens() -> None:
    one = provider("one", pages(1, "docs.python.org"), support=Google.web_support)

    result = await search(desk(one), lens="docs", query="barn owls at night")

    assert body(result)["requests"] == 2

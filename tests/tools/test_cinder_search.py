"""`cinder_search`: seed 002's contract, as a client sees it."""

from typing import Any, cast

import pytest

from tests.services.searching.fakes import NOTHING, FakeWebProvider, broken, page, pages, provider
from tests.support import ALICE, CallHarness, services
from webquarry.models.search import WebQuery, WebResult
from webquarry.providers.capabilities_search import SearchSupport
from webquarry.providers.provider import Provider
from webquarry.tools.cinder_search import cinder_search

pytestmark = pytest.mark.anyio


def desk(*providers: FakeWebProvider) -> CallHarness:
    return CallHarness(
        (cinder_search,), services=services(*cast("list[Provider]", list(providers)))
    )


async def search(at: CallHarness, **arguments: Any) -> dict[str, Any]:
    result = await at.call("cinder_search", {"query": "owls", **arguments})
    assert result.structured, result
    took = result.structured.pop("searchTime")
    assert isinstance(took, int)
    assert took >= 0
    return result.structured


async def test_results_have_the_shape_of_the_contract() -> None:
    dated = page(1, "www.owls.test", title="Owls", published="2026-05-01T00:00:00Z")

    found = await search(desk(provider("one", [dated, page(2)])))

    idents = [row.pop("id") for row in found["results"]]
    assert len(set(idents)) == 2
    assert found == {
        "query": "owls",
        "results": [
            {
                "title": "Owls",
                "url": "https://www.owls.test/1",
                "domain": "www.owls.test",
                "summary": "Text 1",
                "relevance": 1.0,
                "publishedDate": "2026-05-01T00:00:00Z",
            },
            {
                "title": "Page 2",
                "url": "https://example.org/2",
                "domain": "example.org",
                "summary": "Text 2",
                "relevance": 0.636,
            },
        ],
        "hasMore": False,
    }


async def test_the_payload_of_the_contract_is_accepted() -> None:
    one = provider("one", pages(3))

    await search(
        desk(one),
        mode="balanced",
        numResults=10,
        offset=0,
        includeDomains=[],
        excludeDomains=[],
        requiredText=[],
        maxAge=None,
    )

    assert one.queries == [WebQuery(text="owls", count=20, asker=ALICE)]


async def test_the_flow_of_the_contract_leads_through_all_results() -> None:
    def answer(query: WebQuery) -> list[WebResult]:
        return pages(25)[(query.page - 1) * 10 : query.page * 10]

    at = desk(provider("one", answer, support=SearchSupport(max_results=10, max_pages=10)))
    seen: list[str] = []
    offsets: list[int | None] = [0]
    while (offset := offsets[-1]) is not None:
        found = await search(at, mode="fast", numResults=10, offset=offset)
        seen += [row["url"] for row in found["results"]]
        offsets.append(found.get("nextOffset"))
        assert found["hasMore"] is (offsets[-1] is not None)

    assert seen == [p.url for p in pages(25)]
    assert offsets[:3] == [0, 10, 20]


async def test_every_filter_is_sent_to_who_knows_it() -> None:
    one = provider("one", pages(1))

    await search(
        desk(one),
        includeDomains=["https://www.GitHub.com/"],
        excludeDomains=["reddit.com"],
        requiredText=["barn owl", "vole"],
        maxAge=30,
    )

    assert one.queries[0] == WebQuery(
        text='owls "vole" -site:reddit.com',
        count=20,
        time_range="month",
        sites=("github.com",),
        exact_terms="barn owl",
        asker=ALICE,
    )


async def test_every_filter_is_applied_for_who_does_not() -> None:
    good = page(1, "a.github.com", snippet="barn owl and vole", published="2099-01-01T00:00:00Z")
    bad = [
        page(2, "owls.test", snippet="barn owl and vole"),
        page(3, "bad.github.com", snippet="barn owl and vole"),
        page(4, "github.com", snippet="barn owl only"),
        page(5, "github.com", snippet="barn owl and vole", published="2001-01-01T00:00:00Z"),
    ]
    at = desk(provider("one", [*bad, good], support=NOTHING))

    found = await search(
        at,
        includeDomains=["github.com"],
        excludeDomains=["bad.github.com"],
        requiredText=["barn owl", "vole"],
        maxAge=30,
    )

    assert [row["url"] for row in found["results"]] == [good.url]
    assert "unhonoured" not in found


async def test_a_filter_that_could_not_be_checked_is_named() -> None:
    at = desk(provider("one", [page(1)], support=NOTHING))

    found = await search(at, maxAge=30)

    assert found["unhonoured"] == ["maxAge"]
    assert len(found["results"]) == 1


async def test_nothing_found_blames_the_filters() -> None:
    found = await search(desk(provider("one", [])), excludeDomains=["reddit.com"], maxAge=1)

    assert found == {
        "query": "owls",
        "results": [],
        "hasMore": False,
        "hints": {
            "reason": "filters_too_restrictive",
            "filtersApplied": ["excludeDomains", "maxAge"],
            "suggestedActions": [
                {"action": "remove_filter", "target": "excludeDomains"},
                {"action": "remove_filter", "target": "maxAge"},
                {"action": "rephrase_query"},
            ],
        },
    }


async def test_who_answered_and_who_did_not_is_told_beside_the_result() -> None:
    at = desk(provider("one", broken("one")), provider("two", pages(12)))

    fresh = await at.call("cinder_search", {"query": "owls"})
    again = await at.call("cinder_search", {"query": "owls", "offset": 10})

    told = {"providers": ["two"], "failed": {"one": "upstream_unavailable"}}
    assert fresh.meta == told
    assert again.meta == told | {"cached": True}


async def test_when_nobody_answers_the_error_says_what_to_do() -> None:
    result = await desk(provider("one", broken("one"))).call("cinder_search", {"query": "owls"})

    assert result.problem
    assert result.problem.block["kind"] == "upstream_unavailable"
    assert result.problem.block["suggestedAction"] == "try_different_provider"


async def test_without_a_provider_the_missing_key_is_named() -> None:
    result = await desk().call("cinder_search", {"query": "owls"})

    assert result.problem
    assert result.problem.block["kind"] == "config"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"query": ""}, "query: "),
        ({"query": "x" * 501}, "query: "),
        ({"numResults": 0}, "numResults: "),
        ({"numResults": 101}, "numResults: "),
        ({"offset": -1}, "offset: "),
        ({"mode": "slow"}, "mode: "),
        ({"maxAge": 0}, "maxAge: "),
        ({"maxAge": -3}, "maxAge: "),
        ({"includeDomains": ["no domain"]}, "includeDomains.0: must be one domain like github.com"),
        ({"includeDomains": ["/"]}, "includeDomains.0: must be one domain like github.com"),
        ({"includeDomains": "github.com"}, "includeDomains: must be a list"),
        ({"requiredText": [" "]}, "requiredText.0: must not be empty"),
        ({"num_results": 3}, "num_results: no such argument, did you mean numResults?"),
    ],
)
async def test_wrong_arguments_are_named(arguments: dict[str, Any], words: str) -> None:
    result = await desk(provider("one", pages(1))).call(
        "cinder_search", {"query": "owls", **arguments}
    )

    assert result.problem
    assert words in result.problem.message
    assert result.problem.block["kind"] == "validation"


def test_arguments_and_defaults_are_those_of_the_contract() -> None:
    listed = cinder_search.definition()
    properties = listed["inputSchema"]["properties"]

    assert {name: schema.get("default") for name, schema in properties.items()} == {
        "query": None, "mode": "balanced", "numResults": 10, "offset": 0, "includeDomains": None,
        "excludeDomains": None, "requiredText": None, "maxAge": None,
    }  # fmt: skip
    assert properties["mode"]["enum"] == ["fast", "balanced", "deep"]
    assert (properties["numResults"]["minimum"], properties["numResults"]["maximum"]) == (1, 100)
    assert properties["offset"]["minimum"] == 0
    assert listed["inputSchema"]["required"] == ["query"]
    assert set(listed["outputSchema"]["properties"]) == {
        "query", "results", "hasMore", "nextOffset", "searchTime", "hints", "unhonoured"
    }  # fmt: skip

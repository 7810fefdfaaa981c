"""Every filter is applied by the provider, by us, or named."""

from typing import Any

import pytest

from tests.services.searching.fakes import EVERYTHING, NOTHING, page
from webquarry.models.search import (
    ImageQuery,
    ImageResult,
    NewsQuery,
    NewsResult,
    WebQuery,
    WebResult,
)
from webquarry.providers.capabilities_search import SearchSupport
from webquarry.services.searching.provider_search import FilterPlan, plan_filters
from webquarry.services.searching.result_filters import apply_filters
from webquarry.services.searching.search_sources import IMAGES, NEWS, WEB, SearchKind

NOW = 1_735_689_600.0  # 2025-01-01
FULL = WebQuery(
    text="owls",
    count=5,
    safe="high",
    language="de",
    country="at",
    time_range="week",
    sites=("example.org",),
    exact_terms="barn owl",
    exclude_terms="zoo",
)


def _apply(results: list[Any], plan: FilterPlan[Any], kind: SearchKind[Any]) -> Any:
    return apply_filters(results, plan.requested, plan.local, facts_of=kind.facts_of, now=NOW)


def _kept(
    results: list[WebResult], query: WebQuery, support: SearchSupport
) -> tuple[list[str], Any]:
    plan = plan_filters(support, query)
    kept, unsure = _apply(results, plan, WEB)
    return [result.url for result in kept], unsure


def test_a_provider_that_knows_everything_gets_everything() -> None:
    plan = plan_filters(EVERYTHING, FULL)

    assert (plan.requests[0], plan.local, plan.unsupported) == (FULL, (), ())


def test_what_a_provider_does_not_know_is_taken_out_of_the_query() -> None:
    plan = plan_filters(NOTHING, FULL)

    assert plan.requests[0] == WebQuery(text="owls", count=15)  # more, because we filter them
    assert plan.local == ("time_range", "sites", "exact_terms", "exclude_terms")
    assert plan.unsupported == ("safe", "language", "country")


def test_a_value_it_does_not_know_is_named_and_one_it_approximates_is_sent() -> None:
    support = SearchSupport(
        max_results=20,
        filters=frozenset(("country", "time_range")),
        known_values={"country": {"us"}},
        approximated=frozenset({"time_range=hour"}),
    )

    plan = plan_filters(support, WebQuery(text="owls", country="at", time_range="hour"))

    assert (plan.requests[0].country, plan.requests[0].time_range) == (None, "hour")
    assert (plan.local, plan.unsupported) == (("time_range",), ("country",))


def test_safe_search_off_asks_for_nothing() -> None:
    assert plan_filters(NOTHING, WebQuery(text="owls", safe="off")).unsupported == ()


def test_more_results_than_a_provider_has_are_named() -> None:
    plan = plan_filters(SearchSupport(max_results=10), ImageQuery(text="owl", count=50))

    assert (plan.requests[0].count, plan.unsupported) == (10, ("num_results",))


def test_a_query_too_long_is_cut_between_words_and_named() -> None:
    plan = plan_filters(
        SearchSupport(max_results=10, max_chars=12), WebQuery(text="barn owls at night")
    )

    assert (plan.requests[0].text, plan.unsupported) == ("barn owls at", ("query",))


def test_operators_take_their_share_of_the_length() -> None:
    support = SearchSupport(
        max_results=10, max_chars=30, max_sites=5, filters=frozenset(("sites", "exclude_terms"))
    )
    query = WebQuery(text="barn owls at night", sites=("a.org", "b.org"), exclude_terms="zoo")

    plan = plan_filters(support, query)

    assert plan.requests[0].text == "barn owls at"
    assert [request.sites for request in plan.requests] == [("a.org",), ("b.org",)]


@pytest.mark.parametrize(
    ("support", "portions"),
    [
        (
            SearchSupport(max_results=10, max_sites=2),
            [("a.org", "b.org"), ("c.org", "d.org"), ("e.org",)],
        ),
        (
            SearchSupport(max_results=10, max_sites=99),
            [("a.org", "b.org", "c.org", "d.org", "e.org")],
        ),
        (
            SearchSupport(
                max_results=10, max_sites=99, max_chars=36
            ),  # owls (site:a.org OR site:b.org)
            [("a.org", "b.org"), ("c.org", "d.org"), ("e.org",)],
        ),
        (
            SearchSupport(max_results=10, max_sites=99, max_chars=36, query_operators=False),
            [("a.org", "b.org", "c.org", "d.org", "e.org")],
        ),
        (
            SearchSupport(max_results=10, max_sites=2, max_words=5),  # owls, and four sites
            [("a.org", "b.org", "c.org", "d.org"), ("e.org",)],
        ),
        (
            SearchSupport(max_results=10, max_sites=2, max_words=2),  # never fewer than max_sites
            [("a.org", "b.org"), ("c.org", "d.org"), ("e.org",)],
        ),
        (SearchSupport(max_results=10), [()]),  # it cannot be told: one request, filtered by us
    ],
)
def test_a_long_list_of_sites_takes_several_requests(
    support: SearchSupport, portions: list[tuple[str, ...]]
) -> None:
    query = WebQuery(text="owls", sites=("a.org", "b.org", "c.org", "d.org", "e.org"))

    requests = plan_filters(support, query).requests

    assert [request.sites for request in requests] == portions


@pytest.mark.parametrize("support", [EVERYTHING, NOTHING])
def test_sites_and_exclusions_are_checked_whoever_applied_them(support: SearchSupport) -> None:
    query = WebQuery(text="owls", sites=("example.org/owls",), exclude_terms='zoo "in cages"')
    results = [
        page(1, url="https://example.org/owls/1"),
        page(2, url="https://example.org/other/2"),
        page(3, url="https://example.org/owls/3", snippet="Owls at the ZOO."),
        page(4, url="https://example.org/owls/4", title="Owls in  cages"),
        page(5, url="https://example.org/owls/5", snippet="Zoology of owls"),
    ]

    kept, unsure = _kept(results, query, support)

    assert kept == ["https://example.org/owls/1", "https://example.org/owls/5"]
    assert unsure == ()


def test_a_phrase_is_looked_for_only_where_the_provider_does_not() -> None:
    query = WebQuery(text="owls", exact_terms="barn owl")
    results = [page(1, snippet="The Barn  Owl hunts."), page(2, snippet="barn owlet")]

    assert _kept(results, query, NOTHING)[0] == ["https://example.org/1"]
    assert len(_kept(results, query, EVERYTHING)[0]) == 2


def test_old_pages_go_undated_ones_stay_and_that_is_said() -> None:
    query = WebQuery(text="owls", time_range="week")
    results = [
        page(1, published="2024-12-30T00:00:00Z"),
        page(2, published="2024-11-30T00:00:00Z"),
        page(3),
    ]

    assert _kept(results, query, NOTHING) == (
        ["https://example.org/1", "https://example.org/3"],
        ("time_range",),
    )
    assert _kept(results[:2], query, NOTHING) == (["https://example.org/1"], ())


def test_news_are_sorted_by_date_for_those_who_cannot() -> None:
    moments = ("2024-12-01T00:00:00Z", None, "2024-12-30T00:00:00Z")
    articles = [
        NewsResult(title=str(n), url=f"https://example.org/{n}", publishedAt=moment)
        for n, moment in enumerate(moments)
    ]
    query = NewsQuery(text="owls", time_range=None, sort_by="date")
    plan = plan_filters(NOTHING, query)

    kept, _ = _apply(articles, plan, NEWS)

    assert [article.title for article in kept] == ["2", "0", "1"]


def test_pictures_of_another_type_go_and_unknown_ones_are_named() -> None:
    links = ("a.PNG?x=1", "b.jpeg", "c.php?id=1")
    pictures = [ImageResult(title=name, link=f"https://example.org/{name}") for name in links]
    query = ImageQuery(text="owl", file_type="png", size="large")
    plan = plan_filters(NOTHING, query)

    kept, unsure = _apply(pictures, plan, IMAGES)

    assert [picture.title for picture in kept] == ["a.PNG?x=1", "c.php?id=1"]
    assert unsure == ("file_type",)
    assert plan.unsupported == ("size",)

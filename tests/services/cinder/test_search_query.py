"""What each provider is asked, and what is checked afterwards."""

from typing import Any

import pytest

from tests.services.searching.fakes import EVERYTHING, NOTHING, page
from tests.support import ALICE
from webquarry.models.search import WebQuery, WebResult
from webquarry.providers.capabilities_search import SearchSupport
from webquarry.services.cinder.search_query import CinderQuery
from webquarry.services.searching.search_sources import ProviderResults

NOW = 1_800_000_000.0  # 2027-01-15T08:00:00Z
FILTERS: dict[str, Any] = {
    "include": ("owls.test",),
    "exclude": ("reddit.com", "x.com"),
    "required": ("barn owl", "field vole"),
    "max_age": 7.0,
}


def test_a_provider_with_operators_is_told_every_filter() -> None:
    asked = CinderQuery(text="owls", **FILTERS).for_provider(EVERYTHING, 1, ALICE)

    assert asked == WebQuery(
        text='owls "field vole" -site:reddit.com -site:x.com',
        count=20,
        time_range="week",
        sites=("owls.test",),
        exact_terms="barn owl",
        asker=ALICE,
    )


@pytest.mark.parametrize(
    "support",
    [
        NOTHING,
        SearchSupport(max_results=20, filters=frozenset(("exact_terms",)), query_operators=False),
        SearchSupport(max_results=20, filters=frozenset(("exact_terms",)), max_chars=40),
    ],
    ids=["no phrases", "no operators", "too few characters"],
)
def test_any_other_is_told_the_words_only(support: SearchSupport) -> None:
    assert CinderQuery(text="owls", **FILTERS).for_provider(support, 1, ALICE).text == "owls"


@pytest.mark.parametrize(
    ("support", "turn", "count", "page_number"),
    [
        (SearchSupport(max_results=10, max_pages=10), 3, 10, 3),
        (SearchSupport(max_results=100, max_pages=10), 2, 20, 2),
        (SearchSupport(max_results=50), 1, 20, 1),
        (SearchSupport(max_results=50), 2, 40, 1),
        (SearchSupport(max_results=50), 3, 50, 1),
    ],
)
def test_who_turns_pages_is_asked_for_the_next_and_others_for_more(
    support: SearchSupport, turn: int, count: int, page_number: int
) -> None:
    asked = CinderQuery(text="owls").for_provider(support, turn, ALICE)

    assert (asked.count, asked.page) == (count, page_number)


@pytest.mark.parametrize(
    ("days", "period"),
    [(0.04, "hour"), (1, "day"), (2, "week"), (7, "week"), (10, "month"), (30, "month"),
     (31, "month"), (90, "year"), (365, "year"), (800, None), (None, None)],
)  # fmt: skip
def test_an_age_is_covered_by_the_shortest_period(days: float | None, period: str | None) -> None:
    assert CinderQuery(text="owls", max_age=days).period == period


def sifted(
    question: CinderQuery, *items: Any, support: SearchSupport = NOTHING
) -> tuple[list[str], Any]:
    kept, unsure = question.filter_results(
        ProviderResults(items=list(items), provider="one"), support, NOW
    )
    return [item.url for item in kept], unsure


def test_unwanted_domains_go_with_everything_below_them() -> None:
    question = CinderQuery(text="owls", exclude=("reddit.com",))

    found = sifted(question, page(1, "old.reddit.com"), page(2, "reddit.com"), page(3, "reddit.co"))

    assert found == (["https://reddit.co/3"], ())


def test_phrases_the_provider_was_not_told_must_be_seen() -> None:
    question = CinderQuery(text="owls", required=("first", "Barn  Owl"))
    shown, hidden = page(1, snippet="The first barn\nowl."), page(2, snippet="An owl.")

    assert sifted(question, shown, hidden) == ([shown.url], ())
    assert sifted(question, shown, hidden, support=EVERYTHING) == (
        [shown.url, hidden.url],
        ("requiredText",),
    )


def test_old_results_go_and_undated_ones_are_named_unless_the_provider_saw_to_them() -> None:
    new, old = page(1, published="2027-01-10T00:00:00Z"), page(2, published="2026-12-20T00:00:00Z")
    undated = page(3)

    loosely = sifted(CinderQuery(text="owls", max_age=10), new, old, undated)
    closely = sifted(CinderQuery(text="owls", max_age=7), new, old, undated)

    assert loosely == ([new.url, undated.url], ("maxAge",))
    assert closely == ([new.url, undated.url], ())


def test_what_the_router_could_not_do_is_named_as_the_caller_calls_it() -> None:
    found = ProviderResults(
        items=[page(1)], provider="one", unhonoured=("time_range", "sites", "query")
    )

    _, unsure = CinderQuery(text="owls", max_age=7).filter_results(found, NOTHING, NOW)

    assert unsure == ("includeDomains", "query", "maxAge")


def test_coverage_is_the_share_of_telling_words() -> None:
    question = CinderQuery(text="how to feed the barn owl")

    assert question.coverage(page(1, title="Barn owls", snippet="Feed an owl")) == 1.0
    assert question.coverage(page(1, title="The how of", snippet="to the")) == 0.0
    assert CinderQuery(text="the").coverage(page(1, title="The", snippet="")) == 1.0


def test_text_that_no_snippet_shows_is_reported_as_unchecked() -> None:
    question = CinderQuery(text="owls", required=("barn owl",))
    shown, hidden = page(1, snippet="A barn  Owl."), page(2, snippet="A bird.")

    def checked(*items: WebResult) -> tuple[list[WebResult], tuple[str, ...]]:
        found = ProviderResults(items=list(items), provider="one")
        return question.filter_results(found, EVERYTHING, NOW)

    assert checked(shown) == ([shown], ())
    assert checked(shown, hidden) == ([shown, hidden], ("requiredText",))

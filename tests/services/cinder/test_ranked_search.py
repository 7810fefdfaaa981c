"""Lists one can leaf through: nothing repeats, nothing is skipped, whoever answers."""

import asyncio
from typing import Any, cast

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.services.searching.fakes import FakeWebProvider, broken, page, pages, provider
from tests.support import ALICE, BOB
from webquarry.errors import NetworkError, ProviderError, WebquarryError
from webquarry.models.search import WebQuery, WebResult
from webquarry.providers.capabilities_search import SearchSupport
from webquarry.providers.provider import Provider
from webquarry.services.cinder.ranked_search import MAX_RESULTS, RankedSearch
from webquarry.services.cinder.search_query import CinderQuery
from webquarry.services.provider_choice import ProviderDirectory
from webquarry.services.searching.service import Preferences, SearchService
from webquarry.storage.memory_store import MemoryStore

pytestmark = pytest.mark.anyio
PAGED = SearchSupport(max_results=10, max_pages=10)
FAST = CinderQuery(text="owls", mode="fast")


def site(host: str, size: int) -> Any:
    """Return a script that turns pages of `size` results in all."""

    def answer(query: WebQuery) -> list[WebResult]:
        start = (query.page - 1) * query.count
        return [page(n, host) for n in range(start + 1, min(start + query.count, size) + 1)]

    return answer


def ranked(*providers: FakeWebProvider, **wanted: Any) -> RankedSearch:
    ready = cast("list[Provider]", list(providers))
    choices = ProviderDirectory(ready, [type(p) for p in ready])
    return RankedSearch(SearchService(choices, Preferences(**wanted)), MemoryStore())


async def walked(search: RankedSearch, question: CinderQuery, sizes: list[int]) -> list[str]:
    """Leaf to the end as a client does, with batches of these sizes; return all addresses."""
    urls: list[str] = []
    turn = 0
    while True:
        leaf = await search.page(question, ALICE, len(urls), sizes[turn % len(sizes)])
        urls += [item.url for item in leaf.items]
        turn += 1
        if not leaf.more:
            return urls
        assert leaf.items, "an empty batch that promises more"


async def test_pages_follow_each_other_to_the_last_result() -> None:
    search = ranked(provider("one", site("a.test", 37), support=PAGED))

    assert await walked(search, FAST, [10]) == [f"https://a.test/{n}" for n in range(1, 38)]


async def test_no_more_than_a_hundred_results_are_given_out() -> None:
    search = ranked(
        provider("one", site("a.test", 500), support=SearchSupport(max_results=100, max_pages=10))
    )

    last = await search.page(FAST, ALICE, 90, 50)
    beyond = await search.page(FAST, ALICE, 100, 10)

    assert (len(last.items), last.more) == (10, False)
    assert (beyond.items, beyond.more) == ((), False)


@settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.too_slow])
@given(
    counts=st.lists(st.integers(0, 60), min_size=1, max_size=4),
    sizes=st.lists(st.integers(1, 40), min_size=1, max_size=4),
    pages_of=st.lists(st.sampled_from([1, 3, 10]), min_size=4, max_size=4),
    mode=st.sampled_from(["fast", "balanced", "deep"]),
)
async def test_whatever_the_batches_nothing_repeats_and_nothing_is_skipped(
    counts: list[int], sizes: list[int], pages_of: list[int], mode: Any
) -> None:
    def reach_of(turns: int) -> SearchSupport:
        return SearchSupport(
            max_results=15 if turns > 1 else 70, max_pages=turns
        )  # the latter are asked for more

    def made() -> RankedSearch:
        return ranked(
            *(
                provider(f"p{n}", site(f"s{n % 3}.test", count), support=reach_of(turns))
                for n, (count, turns) in enumerate(zip(counts, pages_of, strict=False))
            )
        )

    question = CinderQuery(text="owls", mode=mode)
    whole = [item.url for item in (await made().page(question, ALICE, 0, MAX_RESULTS)).items]
    leafed = await walked(made(), question, sizes)

    assert len(set(leafed)) == len(leafed)
    assert leafed == whole


async def test_later_pages_come_from_the_list_of_the_first_though_the_web_has_changed() -> None:
    one = provider(
        "one", pages(20), pages(20, "elsewhere.test"), support=SearchSupport(max_results=20)
    )
    search = ranked(one)

    first = await search.page(FAST, ALICE, 0, 10)
    second = await search.page(FAST, ALICE, 10, 10)

    assert len(one.queries) == 1
    assert (first.fresh, second.fresh) == (True, False)
    assert [item.url for item in first.items + second.items] == [p.url for p in pages(20)]


async def test_lists_belong_to_one_person() -> None:
    one = provider("one", pages(5))
    search = ranked(one)

    await search.page(FAST, ALICE, 0, 5)
    await search.page(FAST, BOB, 0, 5)

    assert [query.asker for query in one.queries] == [ALICE, BOB]


async def test_two_pages_asked_for_at_once_are_pages_of_one_list() -> None:
    one = provider(
        "one",
        pages(20, "first.test"),
        pages(20, "second.test"),
        support=SearchSupport(max_results=20),
    )
    search = ranked(one)

    left, right = await asyncio.gather(
        search.page(FAST, ALICE, 0, 10), search.page(FAST, ALICE, 10, 10)
    )

    assert [i.url for i in left.items + right.items] == [p.url for p in pages(20, "first.test")]


@pytest.mark.parametrize(("mode", "asked"), [("fast", 1), ("balanced", 3), ("deep", 5)])
async def test_a_mode_says_how_many_providers_are_asked(mode: Any, asked: int) -> None:
    providers = [provider(f"p{n}", pages(3, f"s{n}.test")) for n in range(5)]

    leaf = await ranked(*providers).page(CinderQuery(text="owls", mode=mode), ALICE, 0, 2)

    assert sum(bool(p.queries) for p in providers) == asked
    assert leaf.ranked.providers == tuple(f"p{n}" for n in range(asked))


async def test_what_two_providers_found_comes_before_what_one_found() -> None:
    one = provider("one", [page(1, "a.test"), page(2, "b.test")])
    two = provider("two", [page(3, "c.test"), page(2, "b.test")])

    leaf = await ranked(one, two).page(CinderQuery(text="owls"), ALICE, 0, 3)

    assert leaf.items[0].url == "https://b.test/2"


async def test_deep_search_looks_into_ones_own_pages_too() -> None:
    web = provider("one", pages(1))
    own = provider(
        "local", pages(1, "mine.test"), support=SearchSupport(max_results=100, general=False)
    )

    deep = await ranked(web, own).page(CinderQuery(text="owls", mode="deep"), ALICE, 0, 5)
    balanced = await ranked(web, own).page(CinderQuery(text="owls"), ALICE, 0, 5)

    assert {item.domain for item in deep.items} == {"example.org", "mine.test"}
    assert {item.domain for item in balanced.items} == {"example.org"}


async def test_relevance_is_between_0_and_1_and_never_rises() -> None:
    texts = ["owls", "nothing", "owls owls", "", "owls"] * 6
    found = [page(n, snippet=text) for n, text in enumerate(texts)]

    leaf = await ranked(provider("one", found, support=SearchSupport(max_results=30))).page(
        FAST, ALICE, 0, 30
    )

    given_out = [item.relevance for item in leaf.items]
    assert given_out == sorted(given_out, reverse=True)
    assert all(0 <= relevance <= 1 for relevance in given_out)


async def test_one_that_fails_is_named_and_the_others_answer() -> None:
    search = ranked(provider("one", broken("one", NetworkError)), provider("two", pages(2)))

    leaf = await search.page(CinderQuery(text="owls"), ALICE, 0, 5)

    assert [item.url for item in leaf.items] == [p.url for p in pages(2)]
    assert leaf.ranked.failed == {"one": "network"}


async def test_when_all_fail_the_caller_is_told_and_nothing_is_remembered() -> None:
    one = provider("one", broken("one"), pages(1))
    search = ranked(one)

    with pytest.raises(ProviderError):
        await search.page(CinderQuery(text="owls"), ALICE, 0, 5)

    assert len((await search.page(CinderQuery(text="owls"), ALICE, 0, 5)).items) == 1


async def test_fast_search_goes_down_the_operators_list() -> None:
    first, second = provider("one", broken("one")), provider("two", pages(2))
    search = ranked(first, second, routing={"web": ("one", "two")})

    leaf = await search.page(FAST, ALICE, 0, 5)

    assert leaf.ranked.providers == ("two",)
    assert leaf.ranked.failed == {"one": "upstream_unavailable"}


def failing_at(turn: int, error: WebquarryError) -> Any:
    def answer(query: WebQuery) -> list[WebResult]:
        if query.page >= turn:
            raise error
        return site("a.test", 100)(query)

    return answer


async def test_a_page_that_cannot_be_had_is_an_error_and_not_the_end() -> None:
    search = ranked(provider("one", failing_at(2, broken("one")), support=PAGED))

    short = await search.page(FAST, ALICE, 0, 15)
    with pytest.raises(ProviderError):
        await search.page(FAST, ALICE, 10, 10)

    assert (len(short.items), short.more) == (10, True)


async def test_filters_that_leave_nothing_end_the_search() -> None:
    one = provider("one", site("a.test", 1000), support=PAGED)

    leaf = await ranked(one).page(
        CinderQuery(text="owls", mode="fast", exclude=("a.test",)), ALICE, 0, 5
    )

    assert (leaf.items, leaf.more) == ((), False)
    assert len(one.queries) <= 3

"""Who is asked, in which order, and what comes of it."""

from typing import Any, cast

import pytest

from tests.services.searching.fakes import (
    NOTHING,
    FakeWebProvider,
    broken,
    page,
    pages,
    provider,
)
from webquarry.errors import (
    AccessError,
    NotFoundError,
    ProviderError,
    RateLimitError,
    SettingsError,
    UnconfiguredError,
    UnknownProviderError,
)
from webquarry.models.search import WebQuery
from webquarry.net.upstream.breaker import UpstreamHealth
from webquarry.providers.brave import Brave
from webquarry.providers.capabilities_search import SearchSupport
from webquarry.providers.duckduckgo import DuckDuckGo
from webquarry.providers.hackernews import HackerNews
from webquarry.providers.provider import Provider
from webquarry.services.provider_choice import ProviderDirectory
from webquarry.services.provider_queries import RoutingTrace
from webquarry.services.searching.service import Preferences, SearchService

pytestmark = pytest.mark.anyio
OWLS = WebQuery(text="owls", count=5)


def searching(
    *providers: FakeWebProvider, known: tuple[Any, ...] = (), **wanted: Any
) -> SearchService:
    ready = cast("tuple[Provider, ...]", providers)
    classes = cast("list[type[Provider]]", [type(p) for p in providers] + list(known))
    return SearchService(ProviderDirectory(ready, classes), Preferences(**wanted))


def routed(*names: str) -> dict[str, tuple[str, ...]]:
    return {"default": names}


async def test_without_routing_the_first_configured_provider_is_the_only_one() -> None:
    one, other = provider("one", broken("one")), provider("other", pages(3))

    with pytest.raises(ProviderError) as caught:
        await searching(one, other).web.search(OWLS)

    assert (caught.value.provider, caught.value.alternatives) == ("one", ("other",))
    assert other.queries == []


async def test_search_provider_is_preferred() -> None:
    one, other = provider("one", pages(1)), provider("other", pages(3))

    found = await searching(one, other, provider="other").web.search(OWLS)

    assert (found.provider, found.items, one.queries) == ("other", pages(3), [])


async def test_routing_falls_back_in_its_own_order_and_tells() -> None:
    one, two, three = (provider(name, pages(2)) for name in ("one", "two", "three"))
    three.script = [broken("three")]
    trace = RoutingTrace()
    service = searching(one, two, three, routing=routed("three", "one", "two"))

    found = await service.web.search(OWLS, trace=trace)

    assert found.provider == "one"
    assert trace.as_meta("one", 0.0123) == {
        "provider_used": "one",
        "providers_attempted": ["three", "one"],
        "fallback": True,
        "fallback_reason": "primary_unavailable",
        "cache_hit": False,
        "latency_ms": 12,
    }
    assert two.queries == []


async def test_an_open_breaker_is_the_reason_it_is() -> None:
    paused = broken("one", details={"detail": "circuit_open"})
    trace = RoutingTrace()
    service = searching(
        provider("one", paused), provider("two", pages(1)), routing=routed("one", "two")
    )

    await service.web.search(OWLS, trace=trace)

    assert trace.as_meta("two", 0)["fallback_reason"] == "circuit_open"


async def test_the_first_of_the_order_is_no_fallback() -> None:
    trace = RoutingTrace()
    await searching(provider("one", pages(3)), routing=routed("one")).web.search(OWLS, trace=trace)

    assert trace.as_meta("one", 0) == {
        "provider_used": "one",
        "providers_attempted": ["one"],
        "fallback": False,
        "cache_hit": False,
        "latency_ms": 0,
    }


async def test_nothing_found_asks_the_next_and_is_an_answer_in_the_end() -> None:
    one, two = provider("one", []), provider("two", [])
    three = provider("three", broken("three"))
    service = searching(one, two, three, routing=routed("one", "two", "three"))

    found = await service.web.search(OWLS)

    assert (found.items, found.provider) == ([], "one")
    assert [len(p.queries) for p in (one, two, three)] == [1, 1, 1]


async def test_a_named_provider_is_used_exclusively() -> None:
    one, two = provider("one", pages(3)), provider("two", broken("two", RateLimitError))
    service = searching(one, two, routing=routed("one", "two"))

    with pytest.raises(RateLimitError) as caught:
        await service.web.search(OWLS, only="two")

    assert caught.value.alternatives == ("one",)
    assert one.queries == []


async def test_unknown_and_unconfigured_providers_are_told_apart() -> None:
    service = searching(provider("one", pages(1)), known=(Brave, DuckDuckGo))

    with pytest.raises(UnknownProviderError) as unknown:
        await service.web.search(OWLS, only="bing")
    with pytest.raises(UnconfiguredError) as unconfigured:
        await service.web.search(OWLS, only="brave")

    assert str(unknown.value) == "Unknown provider 'bing'. Supported: one, brave, duckduckgo."
    assert str(unconfigured.value) == (
        "Provider 'brave' is not configured: set BRAVE_API_KEY (see .env.example)."
    )
    assert unconfigured.value.block()["suggestedAction"] == "check_api_key"


async def test_a_provider_that_cannot_do_it_says_so() -> None:
    service = searching(known=(Brave, DuckDuckGo))

    with pytest.raises(UnknownProviderError) as caught:
        service.images.candidates("duckduckgo")

    assert str(caught.value) == "Provider 'duckduckgo' does not search images. Supported: brave."


async def test_with_nobody_configured_the_keys_are_named() -> None:
    with pytest.raises(UnconfiguredError) as caught:
        await searching(known=(Brave,)).web.search(OWLS)

    assert str(caught.value) == (
        "No provider that searches the web is configured: set BRAVE_API_KEY (see .env.example)."
    )


async def test_an_order_without_anyone_able_says_so() -> None:
    service = searching(provider("one", pages(1)), routing=routed("one"))

    with pytest.raises(UnconfiguredError, match="No provider of SEARCH_ROUTING searches news: one"):
        service.news.candidates()


async def test_a_community_is_asked_only_when_it_is_named() -> None:
    club = provider("club", pages(3), support=SearchSupport(max_results=10, general=False))
    service = searching(club, known=(HackerNews,))

    with pytest.raises(UnconfiguredError):
        service.web.candidates()
    assert (await service.web.search(OWLS, only="club")).items == pages(3)


async def test_several_failures_become_the_one_they_share() -> None:
    def limited(name: str, seconds: float) -> FakeWebProvider:
        return provider(name, broken(name, RateLimitError, retry_after=seconds))

    service = searching(limited("one", 90), limited("two", 30), routing=routed("one", "two"))
    with pytest.raises(RateLimitError) as caught:
        await service.web.search(OWLS)
    assert caught.value.retry_after == 30
    assert str(caught.value) == (
        "No provider could search the web (one: rate_limited; two: rate_limited)."
    )

    mixed = searching(
        provider("one", broken("one", AccessError)),
        provider("two", broken("two", RateLimitError)),
        provider("three", pages(1)),
        routing=routed("one", "two"),
    )
    with pytest.raises(ProviderError) as caught:
        await mixed.web.search(OWLS)
    assert type(caught.value) is ProviderError
    assert caught.value.alternatives == ("three",)


async def test_a_missing_address_is_a_broken_provider_not_a_missing_page() -> None:
    with pytest.raises(ProviderError):
        await searching(provider("one", NotFoundError("404"))).web.search(OWLS)


async def test_a_thin_answer_is_asked_for_again_without_filler() -> None:
    one = provider("one", pages(1), pages(4))

    found = await searching(one).web.search(WebQuery(text="what is an owl box", count=5))

    assert [query.text for query in one.queries] == ["what is an owl box", "owl box"]
    assert found.items == pages(4)


@pytest.mark.parametrize(
    ("text", "count", "thin"),
    [("owl box", 5, 1), ("what is an owl", 1, 1), ("what is an owl", 5, 0)],
)
async def test_it_is_not_asked_twice_in_vain(text: str, count: int, thin: int) -> None:
    one = provider("one", pages(1))

    await searching(one, retry_threshold=thin).web.search(WebQuery(text=text, count=count))

    assert len(one.queries) == 1


async def test_the_first_answer_stands_when_the_second_fails_or_is_no_better() -> None:
    query = WebQuery(text="what is an owl", count=5)
    failing, poorer = provider("one", pages(1), broken("one")), provider("one", pages(1), [])

    assert (await searching(failing).web.search(query)).items == pages(1)
    assert (await searching(poorer).web.search(query)).items == pages(1)


async def test_results_are_deduplicated_filtered_and_counted() -> None:
    found = await searching(
        provider(
            "one",
            [page(1, url="https://a.org/1?utm_source=x"), page(1, url="https://www.a.org/1"),
             page(2, "b.org"), page(3, "a.org"), page(4, "a.org"), page(5, "a.org")],
            support=NOTHING,
        )
    ).web.search(WebQuery(text="owls", count=2, sites=("a.org",), safe="high"))  # fmt: skip

    assert [item.url for item in found.items] == ["https://a.org/1?utm_source=x", "https://a.org/3"]
    assert (found.unhonoured, found.applied_locally) == (("safe",), ("sites",))


async def test_all_sites_are_asked_for_and_a_lost_part_is_told() -> None:
    sites = tuple(f"s{number}.org" for number in range(25))

    def answer(query: WebQuery) -> list[Any]:
        if query.sites[0] == "s10.org":
            raise broken("one")
        return [page(1, query.sites[0]), page(2, query.sites[-1])]

    one = provider("one", answer)
    found = await searching(one).web.search(WebQuery(text="owls", count=10, sites=sites))

    assert sorted(site for query in one.queries for site in query.sites) == sorted(sites)
    assert [item.url for item in found.items] == [
        "https://s0.org/1", "https://s20.org/1", "https://s9.org/2", "https://s24.org/2"
    ]  # fmt: skip
    assert found.incomplete == {"requests": 3, "failed": 1}


async def test_when_every_part_is_lost_it_is_an_error() -> None:
    sites = tuple(f"s{number}.org" for number in range(25))

    with pytest.raises(RateLimitError):
        await searching(provider("one", broken("one", RateLimitError))).web.search(
            WebQuery(text="owls", sites=sites)
        )


async def test_more_sites_than_requests_allow_are_named() -> None:
    sites = tuple(f"s{number}.org" for number in range(30))
    one = provider("one", pages(3, "s1.org"), support=SearchSupport(max_results=10, max_sites=1))

    found = await searching(one).web.search(WebQuery(text="owls", sites=sites))

    assert (len(one.queries), found.unhonoured) == (25, ("sites",))


async def test_only_healthy_alternatives_are_suggested() -> None:
    one, two, three = (provider(name, pages(1)) for name in ("one", "two", "three"))
    ready = cast("tuple[Provider, ...]", (one, two, three))
    health = {"two": UpstreamHealth("open", 5, 30.0), "three": UpstreamHealth("half_open", 5, 0.0)}
    service = SearchService(ProviderDirectory(ready, ()), health=lambda: health)

    assert service.web.alternatives("one") == ("three",)


@pytest.mark.parametrize(
    ("wanted", "message"),
    [
        ({"provider": "brave"}, "SEARCH_PROVIDER names 'brave', which needs BRAVE_API_KEY"),
        ({"provider": "bing"}, "SEARCH_PROVIDER names 'bing', which is no search provider"),
        ({"routing": {"web": ("one", "bing")}}, "SEARCH_ROUTING names 'bing'"),
        ({"routing": {"default": ("brave",)}}, "SEARCH_ROUTING names 'brave', which needs"),
    ],
)
def test_a_wrong_choice_of_the_operator_stops_the_start(
    wanted: dict[str, Any], message: str
) -> None:
    with pytest.raises(SettingsError, match=message):
        searching(provider("one", pages(1)), known=(Brave,), **wanted)


async def test_each_kind_has_its_own_order() -> None:
    one, two = provider("one", pages(1)), provider("two", pages(2))
    service = searching(one, two, routing={"web": ("two",), "default": ("one",)})

    assert (await service.web.search(OWLS)).provider == "two"
    assert service.routed_names() == ["two", "one"]

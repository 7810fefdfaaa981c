"""The four ways to find works, and what is said when they fail."""

from typing import Any

import pytest

from tests.services.scholarship.fakes import DOWN, FakeWorkSearch, copies, finds, keeps, web, work
from webquarry.errors import (
    AccessError,
    NotFoundError,
    ProviderError,
    RateLimitError,
    SettingsError,
    UnconfiguredError,
    UnknownProviderError,
)
from webquarry.models.search import WebResult
from webquarry.models.works import OpenCopy, ProviderFailure, WorkQuery, Works
from webquarry.providers.openalex import OpenAlex
from webquarry.providers.tavily import Tavily
from webquarry.providers.unpaywall import Unpaywall
from webquarry.services.provider_choice import ProviderDirectory
from webquarry.services.scholarship.work_filters import ACADEMIC_SITES
from webquarry.services.scholarship.work_search import WorkSearch
from webquarry.services.searching.service import Preferences, SearchService

pytestmark = pytest.mark.anyio
OWLS = WorkQuery(text="owls", count=2)
LIMITED = RateLimitError("Rate limited (it).", provider="it", retry_after=9)


def search(*providers: Any, routing: tuple[str, ...] = (), known: Any = ()) -> WorkSearch:
    choices = ProviderDirectory(providers, [*map(type, providers), *known])
    lists = {"academic": routing} if routing else None
    return WorkSearch(choices, SearchService(choices, Preferences(routing=lists)))


def titles(works: Any) -> list[str]:
    return [each.title[-1] for each in works]


async def test_the_preferred_provider_answers_alone_when_it_has_enough() -> None:
    first, second = finds("openalex", work(1), work(2)), finds("crossref", work(3))

    found = await search(first, second).find(OWLS)

    assert (titles(found.works), found.source, found.total) == (["1", "2"], "openalex", 2)
    assert second.requests == []


async def test_others_fill_up_what_is_missing_and_are_merged() -> None:
    first = finds("openalex", work(1, doi="10.1000/1"))
    second = finds("crossref", work(1, doi="10.1000/1", citationCount=3), work(2))
    third = finds("exa", work(9), general=False)

    found = await search(first, second, third).find(OWLS)

    assert (titles(found.works), found.source) == (["1", "2"], "openalex+crossref")
    assert found.works[0].providers == ("openalex", "crossref")
    assert third.requests == []


async def test_fusing_asks_everyone_at_once() -> None:
    first, second = finds("openalex", work(1), work(2)), finds("crossref", work(2), work(3))

    found = await search(first, second).find(OWLS, fuse=True)

    assert (titles(found.works), found.source) == (["2", "1"], "openalex+crossref")


async def test_who_failed_is_told_beside_what_the_others_found() -> None:
    first, second = finds("openalex", fails=LIMITED), finds("crossref", work(1), work(2))

    found = await search(first, second).find(OWLS)

    assert titles(found.works) == ["1", "2"]
    assert found.failures == [
        ProviderFailure(provider="openalex", kind="rate_limited", message="Rate limited (it).")
    ]


async def test_when_nobody_could_answer_it_is_an_error_with_every_reason() -> None:
    gone = NotFoundError("Not found (it): HTTP 404.", provider="it")
    asked = search(finds("openalex", fails=LIMITED), finds("crossref", fails=gone), web(fails=DOWN))

    with pytest.raises(ProviderError) as caught:
        await asked.find(OWLS)

    assert str(caught.value) == (
        "No provider could search scholarly works (openalex: rate_limited; "
        "crossref: upstream_unavailable; web_search: upstream_unavailable)."
    )
    assert [each["provider"] for each in caught.value.details["failures"]] == [
        "openalex", "crossref", "web_search",
    ]  # fmt: skip


async def test_a_named_provider_is_asked_exclusively() -> None:
    first, second = finds("openalex", work(1)), finds("crossref", fails=DOWN)

    with pytest.raises(ProviderError, match="503"):
        await search(first, second).find(OWLS, only="crossref")
    found = await search(first, second).find(OWLS, only=" OpenAlex ")

    assert (titles(found.works), found.source) == (["1"], "openalex")
    assert len(first.requests) == 1


async def test_unknown_and_unconfigured_providers_are_told_apart() -> None:
    asked = search(finds("crossref"), web(), known=(OpenAlex, Tavily, Unpaywall))

    with pytest.raises(UnconfiguredError, match="set OPENALEX_EMAIL"):
        await asked.find(OWLS, only="openalex")
    with pytest.raises(UnconfiguredError, match="set TAVILY_API_KEY"):
        await asked.find(OWLS, only="tavily")
    with pytest.raises(UnknownProviderError, match="Supported: crossref, openalex, brave, tavily"):
        await asked.find(OWLS, only="bing")
    with pytest.raises(UnknownProviderError):
        await asked.find(OWLS, only="unpaywall")


async def test_the_router_takes_turns_until_somebody_finds_something() -> None:
    providers = (
        finds("openalex", work(9)),
        finds("crossref", work(3)),
        finds("pubmed"),
        finds("core", fails=DOWN),
    )

    found = await search(*providers, routing=("core", "pubmed", "crossref", "openalex")).find(OWLS)

    assert (titles(found.works), found.source, found.provider) == (["3"], "router", "crossref")
    assert [each.provider for each in found.failures] == ["core"]
    assert found.trace
    assert found.trace.attempted == ["core", "pubmed", "crossref"]
    assert found.trace.as_meta(found.provider, 0.5)["fallback_reason"] == "primary_unavailable"


async def test_the_web_is_searched_over_academic_sites_when_no_academic_answers() -> None:
    pages = web(
        WebResult(
            title="Owls hear well",
            url="https://arxiv.org/abs/2101.00001v2",
            snippet="Owls.",
            published="2021-05-01T00:00:00Z",
        ),
        WebResult(title="Owls", url="https://link.springer.com/article/10.1007/s1-2/full"),
    )

    found = await search(finds("openalex", fails=DOWN), pages).find(OWLS)

    assert pages.requests[0].sites == ACADEMIC_SITES
    assert (found.source, [each.provider for each in found.failures]) == (
        "web_search",
        ["openalex"],
    )
    first, second = found.works
    assert (first.ids, first.year, first.pdfUrl, first.openAccess, first.source) == (
        {"arxiv": "2101.00001"}, 2021, "https://arxiv.org/pdf/2101.00001", True, "brave",
    )  # fmt: skip
    assert (second.doi, second.year) == ("10.1007/s1-2", None)


async def test_the_web_keeps_what_it_cannot_date_and_says_so() -> None:
    pages = web(
        WebResult(title="Owls", url="https://www.nature.com/articles/1"),
        WebResult(
            title="Old", url="https://www.nature.com/articles/2", published="1999-01-01T00:00:00Z"
        ),
    )

    found = await search(pages).find(
        OWLS.model_copy(update={"year_from": 2020, "source": "nature"}), only="brave"
    )

    assert pages.requests[0].sites == ("nature.com",)
    assert [each.title for each in found.works] == ["Owls"]
    assert found.unhonoured == ["year_from"]


async def test_nothing_found_with_filters_stays_nothing() -> None:
    pages = web(WebResult(title="Owls", url="https://arxiv.org/abs/2101.00001"))

    found = await search(finds("openalex"), pages).find(OWLS.model_copy(update={"year_from": 2020}))

    assert (found.works, found.source, pages.requests) == ([], "openalex", [])


async def test_nothing_found_without_filters_is_looked_for_on_the_web() -> None:
    pages = web(WebResult(title="Owls", url="https://arxiv.org/abs/2101.00001"))

    found = await search(finds("openalex"), pages).find(OWLS)

    assert (found.source, len(found.works)) == ("web_search", 1)


async def test_a_web_that_is_down_does_not_turn_nothing_into_an_error() -> None:
    refused = AccessError("Access refused (brave).", provider="brave")

    found = await search(finds("openalex"), web(fails=refused)).find(OWLS)

    assert (found.works, found.source) == ([], "openalex")
    assert [(each.provider, each.kind) for each in found.failures] == [
        ("web_search", "auth_required")
    ]


async def test_free_copies_count_before_only_pdfs_are_kept() -> None:
    provider = finds("openalex", *(work(n, doi=f"10.1000/{n}") for n in range(1, 5)), filters=())
    free = copies(
        {f"10.1000/{n}": OpenCopy(open=True, pdfUrl=f"https://f.org/{n}.pdf") for n in (2, 4)}
    )

    found = await search(provider, free).find(OWLS.model_copy(update={"pdf_only": True}))

    assert [each.pdfUrl for each in found.works] == ["https://f.org/2.pdf", "https://f.org/4.pdf"]
    assert provider.requests[0].count == 8
    assert found.applied_locally == ["pdf_only"]


async def test_a_source_that_cannot_be_judged_is_named_not_dropped() -> None:
    provider = finds(
        "crossref", work(1), work(2), sources=frozenset(), recognised_sources=frozenset()
    )

    found = await search(provider).find(OWLS.model_copy(update={"source": "pubmed"}))

    assert (titles(found.works), found.unhonoured) == (["1", "2"], ["source"])


async def test_sorting_by_date_with_a_query_works_for_providers_that_cannot() -> None:
    provider = finds(
        "semanticscholar",
        work(1, published="2019"),
        work(2, published="2021"),
        work(3, published="2020"),
        filters=frozenset({"years"}),
    )

    found = await search(provider).find(OWLS.model_copy(update={"newest": True}))

    assert (titles(found.works), found.applied_locally) == (["2", "3"], ["sort_by"])


async def test_all_results_are_checked_for_notices_at_once() -> None:
    keeper = keeps({})
    provider = finds("openalex", *(work(n, doi=f"10.1000/{n}") for n in range(1, 4)))

    found = await search(provider, keeper).find(OWLS)

    assert keeper.requests == [["10.1000/1", "10.1000/2"]]
    assert found.unchecked == ("10.1000/1", "10.1000/2")


@pytest.mark.parametrize("wish", [{}, {"source": "arxiv"}, {"open_access": True}])
async def test_every_wish_reaches_the_provider(wish: dict[str, Any]) -> None:
    provider: FakeWorkSearch = finds("openalex", work(1, openAccess=True), work(2, openAccess=True))

    found = await search(provider).find(OWLS.model_copy(update=wish), only="openalex")

    assert provider.requests == [OWLS.model_copy(update=wish)]
    assert len(found.works) == 2


async def test_copies_are_looked_for_only_for_what_is_shown_unless_they_decide() -> None:
    works = [work(n, doi=f"10.1000/{n}", year=2020, openAccess=True) for n in range(1, 9)]
    free = copies({})

    await search(finds("openalex", *works), free).find(OWLS.model_copy(update={"year_from": 2020}))
    shown = len(free.requests)
    await search(finds("openalex", *works), free).find(OWLS.model_copy(update={"pdf_only": True}))

    assert (shown, len(free.requests)) == (2, 10)


def test_a_routing_that_names_a_stranger_is_refused_at_once() -> None:
    with pytest.raises(SettingsError, match="'bing', which is no search provider"):
        search(finds("openalex"), routing=("bing",))
    with pytest.raises(SettingsError, match="needs OPENALEX_EMAIL"):
        search(finds("crossref"), routing=("openalex",), known=(OpenAlex,))


async def test_one_search_does_not_see_the_results_of_another() -> None:
    provider = finds("openalex", work(1), work(2))
    service = search(provider)
    query = WorkQuery(text="owls", count=2)

    first = await service.find(query)
    provider.answer = Works(items=(work(3).model_copy(update={"source": "openalex"}),))
    second = await service.find(query.model_copy(update={"count": 1}))

    assert [found.title for found in first.works] == [work(1).title, work(2).title]
    assert [found.title for found in second.works] == [work(3).title]

"""`academic_search`: what a client sees."""

from typing import Any

import pytest

from tests.services.scholarship.fakes import DOWN, FakeWorkSearch, finds, keeps, work
from tests.support import CallHarness, services
from webquarry.models.reading import RetractionStatus
from webquarry.models.result import Result
from webquarry.models.works import Works
from webquarry.services.searching.service import Preferences
from webquarry.tools.academic_search import academic_search
from webquarry.tools.sequential_search import sequential_search

pytestmark = pytest.mark.anyio
GONE = RetractionStatus(
    retracted=True, kind="retraction", date="2023", noticeDoi="10.1000/n", source="publisher"
)
OWLS = work(
    1,
    doi="10.1000/1",
    authors=tuple(f"Ada Strix {n}" for n in range(25)),
    journal="Journal of Owls",
    year=2021,
    abstract="Owls hear. " * 100,
    citationCount=0,
    openAccess=False,
    ids={"pmid": "12"},
)


def desk(*providers: Any, routing: dict[str, tuple[str, ...]] | None = None) -> CallHarness:
    return CallHarness(
        (academic_search,),
        services=services(*providers, preferences=Preferences(routing=routing)),
    )


async def call(where: CallHarness, **arguments: Any) -> Result:
    return await where.call("academic_search", {"query": "owls"} | arguments)


async def body(where: CallHarness, **arguments: Any) -> dict[str, Any]:
    found = (await call(where, **arguments)).structured
    assert found is not None
    return found


async def test_a_paper_has_every_field_that_is_known() -> None:
    where = desk(
        finds("openalex", OWLS, recognised_sources=frozenset()), keeps({"10.1000/1": GONE})
    )

    found = await body(where, provider="openalex")

    abstract = found["papers"][0].pop("abstract")
    assert found == {
        "papers": [
            {
                "title": "Hearing of owls in forest 1",
                "url": "https://example.org/1",
                "source": "openalex",
                "doi": "10.1000/1",
                "authors": [*(f"Ada Strix {n}" for n in range(20)), "and 5 more"],
                "journal": "Journal of Owls",
                "year": 2021,
                "citationCount": 0,
                "openAccess": False,
                "ids": {"pmid": "12"},
                "retractionStatus": {
                    "retracted": True,
                    "kind": "retraction",
                    "date": "2023",
                    "noticeDoi": "10.1000/n",
                    "source": "publisher",
                },
            }
        ],
        "query": "owls",
        "totalResults": 1,
        "resultCount": 1,
        "source": "openalex",
        "trust": "untrusted-external-content",
    }
    assert abstract.startswith("Owls hear. Owls")
    assert len(abstract) <= 500


async def test_a_merged_paper_shows_who_said_what() -> None:
    first = finds("openalex", OWLS.model_copy(update={"authors": (), "abstract": None}))
    second = finds("crossref", work(7, doi="10.1000/1", citationCount=4, year=2021))

    found = await body(desk(first, second, keeps({"10.1000/1": None})), fuse=True)

    (paper,) = found["papers"]
    assert found["source"] == "openalex+crossref"
    assert paper["provenance"] == {
        "openalex": ["url", "title", "doi", "journal", "year", "citationCount", "openAccess"],
    }
    assert paper["conflicts"] == {
        "title": {"crossref": "Hearing of owls in forest 7"},
        "citationCount": {"crossref": 4},
    }


async def test_all_arguments_reach_the_query() -> None:
    provider = finds("openalex")

    await call(
        desk(provider),
        num_results=3,
        year_from=2019,
        year_to=2021,
        source="arxiv",
        pdf_only=True,
        sort_by="date",
        open_access=True,
    )

    assert provider.requests[0].model_dump() == {
        "text": "owls",
        "count": 3,
        "year_from": 2019,
        "year_to": 2021,
        "source": "arxiv",
        "open_access": True,
        "pdf_only": True,
        "newest": True,
    }


async def test_nothing_found_says_which_filters_may_be_to_blame() -> None:
    found = await body(
        desk(finds("openalex"), finds("crossref")), year_from=2020, provider="openalex"
    )

    assert (found["papers"], found["resultCount"], found["totalResults"]) == ([], 0, 0)
    assert found["hints"] == {
        "reason": "filters_too_restrictive",
        "filtersApplied": ["year_from"],
        "suggestedActions": [
            {"action": "remove_filter", "target": "year_from"},
            {"action": "try_different_provider", "target": "crossref"},
            {"action": "rephrase_query"},
        ],
    }


async def test_a_provider_that_is_down_is_never_no_results() -> None:
    where = desk(finds("openalex", fails=DOWN), finds("crossref"))

    found = await body(where, year_from=2020)

    assert found["failures"] == [
        {"provider": "openalex", "kind": "upstream_unavailable", "message": str(DOWN)}
    ]
    assert found["notes"] == [
        "Not available: openalex (upstream_unavailable); results may be incomplete."
    ]
    assert found["papers"] == []


async def test_everyone_down_is_an_error_that_names_them() -> None:
    result = await call(desk(finds("openalex", fails=DOWN), finds("crossref", fails=DOWN)))

    assert result.is_error
    assert result.problem
    assert (
        "openalex: upstream_unavailable; crossref: upstream_unavailable" in result.problem.message
    )
    assert [each["provider"] for each in result.problem.block["failures"]] == [
        "openalex", "crossref", "web_search",
    ]  # fmt: skip


@pytest.mark.parametrize(("asked", "count"), [(0, 5), (-1, 5), (11, 10), (99, 10)])
async def test_a_number_out_of_bounds_is_bent_and_told(asked: int, count: int) -> None:
    provider = finds("openalex")

    result = await call(desk(provider), num_results=asked)

    assert provider.requests[0].count == count
    assert result.meta["requestedNumResults"] == asked


@pytest.mark.parametrize(
    "wrong",
    [
        {"query": ""},
        {"query": "x" * 501},
        {"year_from": 1899},
        {"year_to": 2031},
        {"year_from": 2021, "year_to": 2020},
        {"source": "elsewhere"},
        {"sort_by": "size"},
    ],
)
async def test_wrong_arguments_are_refused(wrong: dict[str, Any]) -> None:
    provider = finds("openalex")

    result = await call(desk(provider), **wrong)

    assert result.is_error
    assert provider.requests == []


async def test_an_answer_is_kept_for_an_hour_unless_somebody_failed() -> None:
    good, bad = finds("openalex", OWLS), finds("crossref", fails=DOWN)
    where = desk(good, bad)

    alone = [await call(where, provider="openalex", num_results=1) for _ in range(2)]
    await call(where, fuse=True)
    await call(where, fuse=True)

    assert len(good.requests) == 3
    assert (alone[1].meta["cached"], alone[1].meta["maxAgeSeconds"]) == (True, 3600)


async def test_routing_is_told_beside_the_answer() -> None:
    providers: list[FakeWorkSearch] = [finds("openalex", fails=DOWN), finds("crossref", work(1))]

    result = await call(desk(*providers, routing={"academic": ("openalex", "crossref")}))

    assert result.structured
    assert result.structured["source"] == "router"
    routing = result.meta["routing"]
    assert isinstance(routing.pop("latency_ms"), int)
    assert routing == {
        "provider_used": "crossref",
        "providers_attempted": ["openalex", "crossref"],
        "fallback": True,
        "cache_hit": False,
        "fallback_reason": "primary_unavailable",
    }


async def test_what_was_done_here_is_told_to_programs() -> None:
    provider = finds(
        "crossref",
        work(1),
        filters=frozenset(),
        sources=frozenset(),
        recognised_sources=frozenset(),
    )

    result = await call(desk(provider), provider="crossref", source="pubmed", sort_by="date")

    assert result.meta["appliedAfterwards"] == ["sort_by"]
    assert result.meta["unhonoured"] == ["source"]


async def test_a_budget_cuts_papers_and_a_cursor_continues() -> None:
    works = [work(n, abstract="Owls hear. " * 40) for n in range(1, 6)]
    where = desk(finds("openalex", *works))

    first = await body(where, max_tokens=400)
    rest = await body(where, max_tokens=4000, cursor=first["nextCursor"])

    shown = [paper["title"][-1] for page in (first, rest) for paper in page["papers"]]
    assert shown == ["1", "2", "3", "4", "5"]
    assert 0 < len(first["papers"]) < 5


async def test_papers_join_the_session_of_the_caller_on_cached_answers_too() -> None:
    where = CallHarness(
        (academic_search, sequential_search), services=services(finds("openalex", OWLS))
    )
    step = {"searchStep": "Owls", "stepNumber": 1, "nextStepNeeded": True}
    started = (await where.call("sequential_search", step)).structured
    assert started
    named = {"provider": "openalex", "sessionId": started["sessionId"]}

    fresh, cached = await call(where, **named), await call(where, **named)

    linked = {"sessionId": started["sessionId"], "linked": True, "sources": 1}
    assert [fresh.meta["session"], cached.meta["session"]] == [linked, linked]
    assert cached.meta["cached"] is True


async def test_a_total_never_counts_papers_that_were_filtered_out() -> None:
    provider = finds("openalex")
    provider.answer = Works(items=(), total=10_406_111)

    found = await body(desk(provider), provider="openalex", year_from=2020)

    assert (found["totalResults"], found["resultCount"]) == (0, 0)


async def test_hints_name_no_provider_of_the_route_that_was_queried() -> None:
    where = desk(
        finds("openalex"), finds("crossref"), routing={"academic": ("openalex", "crossref")}
    )

    found = await body(where, year_from=2020)

    assert found["source"] == "router"
    assert found["hints"]["suggestedActions"] == [
        {"action": "remove_filter", "target": "year_from"},
        {"action": "rephrase_query"},
    ]

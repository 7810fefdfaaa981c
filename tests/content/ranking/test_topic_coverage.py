"""Coverage of sources and the queries it suggests."""

from webquarry.content.ranking.topic_coverage import (
    MAX_QUERIES,
    SourceSummary,
    coverage_of,
    suggest_queries,
)
from webquarry.models.session import TopicCoverage


def seen(*places: str) -> list[SourceSummary]:
    """Return sources written as `host kind`."""
    return [
        SourceSummary(f"https://{p.split()[0]}/{n}", p.split()[1]) for n, p in enumerate(places)
    ]


def test_varied_sources_leave_no_gap() -> None:
    sources = seen("a.example blog", "b.example news_publication", "www.c.co.uk peer_reviewed")
    assert coverage_of(sources) == TopicCoverage(
        sourceCount=3,
        uniqueDomains=3,
        domainSpread=1.0,
        sourceTypes={"blog": 1, "news_publication": 1, "peer_reviewed": 1},
        gaps=(),
    )
    assert suggest_queries("Owls", [], coverage_of(sources)) == []


def test_one_site_under_several_names_dominates() -> None:
    sources = seen("www.a.co.uk blog", "news.a.co.uk wiki", "a.co.uk forum", "b.example blog")
    told = coverage_of(sources)
    assert (told.dominantDomain, told.uniqueDomains, told.domainSpread) == ("a.co.uk", 2, 0.5)
    assert told.gaps == ("over-reliance on a.co.uk: 3 of 4 sources",)
    assert suggest_queries("The calls of owls", [], told) == ["calls owls -site:a.co.uk"]


def test_a_single_source_dominates_nothing() -> None:
    told = coverage_of(seen("a.example blog"))
    assert told.dominantDomain is None
    assert told.gaps == ("thin coverage: only 1 sources",)


def test_sources_of_one_kind_ask_for_another() -> None:
    told = coverage_of(
        seen("a.example peer_reviewed", "b.example peer_reviewed", "c.example peer_reviewed")
    )
    assert told.gaps == ("single source type: peer_reviewed",)
    assert suggest_queries("Owls", [], told) == ["Owls latest news"]


def test_open_questions_come_first_and_bring_only_what_is_new() -> None:
    told = coverage_of([])
    assert suggest_queries(
        "Do owls migrate in Europe?", ["How far do owls migrate in 2024?"], told
    ) == [
        "owls migrate Europe far 2024",
        "owls migrate Europe overview",
    ]


def test_there_are_never_too_many_queries_and_none_twice() -> None:
    queries = suggest_queries("Owls", [f"Question {n}?" for n in range(20)] * 2, coverage_of([]))
    assert len(queries) == len(set(queries)) == MAX_QUERIES
    assert queries[0] == "Owls Question 19"


def test_a_goal_of_filler_words_suggests_nothing_empty() -> None:
    assert suggest_queries("What is it?", ["And the?"], coverage_of([])) == ["overview"]


def test_words_that_look_like_operators_are_quoted() -> None:
    coverage = coverage_of(seen("a.example blog"))

    queries = suggest_queries(
        "Store vaccines at -20C OR colder", ["Is site:who.int right about -20C?"], coverage
    )

    assert queries == [
        'Store vaccines "-20C" colder "site:who.int" right',
        'Store vaccines "-20C" colder overview',
    ]

"""What the pages of a session add up to."""

from typing import Any

from tests.services.sessions.builders import MOMENT, ask, findings, source, step
from webquarry.models.session import (
    ErrorPattern,
    Flow,
    KnowledgeGap,
    ProviderStats,
    SearchEntry,
    SessionBatch,
    SessionOpened,
    StepIndexEntry,
    StepTaken,
    ToolFailure,
    ToolFindings,
)
from webquarry.services.sessions.session_state import SessionState


def state(*events: StepTaken | ToolFindings, most_steps: int = 200) -> SessionState:
    made = SessionState("id", most_steps)
    begun = SessionOpened(at=MOMENT, goal="Owls at night")
    pages = [SessionBatch(id=str(n), events=(event,)) for n, event in enumerate((begun, *events))]
    made.apply(0, [page.model_dump_json(exclude_none=True).encode() for page in pages])
    return made


def failure(kind: Any = "blocked", **told: Any) -> ToolFindings:
    return findings(mishaps=(ToolFailure(kind=kind, **told),), searched=False)


def test_every_step_has_one_line() -> None:
    long = "Look " + "far " * 100
    book = state(step(1, "Look\n  around."), step(2, long, branchId="b", confidence="low"))
    first, second = book.index()
    assert first == StepIndexEntry(stepNumber=1, oneLiner="Look around.")
    assert (second.branchId, second.confidence) == ("b", "low")
    assert len(second.oneLiner) <= 120
    assert second.oneLiner.endswith("far fa…")


def test_a_revision_marks_the_step_it_replaces() -> None:
    book = state(step(1), step(2), step(3, revisesStep=1, isRevision=True), step(4, revisesStep=1))
    assert [s.supersededBy for s in book.steps] == [4, None, None, None]


def test_a_branch_remembers_where_it_left() -> None:
    book = state(step(1), step(2, branchFromStep=1, branchId="b1"))
    assert (book.steps[1].branchFromStep, book.steps[1].branchId) == (1, "b1")


def test_without_a_summary_the_last_steps_make_one() -> None:
    steps = [step(number) for number in range(1, 8)]
    assert state(*steps).summary == (
        "Owls at night. Progress: Step 3.; Step 4.; Step 5.; Step 6.; Step 7."
    )
    assert state(*steps, step(8, summary="Mine."), step(9)).summary == "Mine."


def test_the_last_three_steps_are_at_hand_and_any_by_its_number() -> None:
    book = state(*(step(number) for number in range(1, 6)), step(2, "Again."))
    assert [s.stepNumber for s in book.last_steps] == [4, 5, 2]
    again = book.step(2)
    assert again
    assert again.description == "Again."
    assert book.step(9) is None


def test_gaps_name_the_step_that_found_them_once() -> None:
    book = state(step(1), step(2, knowledgeGap="Range?"), step(3, knowledgeGap="Range?"))
    assert book.gaps == [KnowledgeGap(description="Range?", foundInStep=2)]


def test_the_last_step_decides_whether_it_is_complete() -> None:
    assert state(step(1), step(2, more=False)).completed_at == MOMENT
    reopened = state(step(1), step(2, more=False), step(3))
    assert (reopened.is_complete, reopened.completed_at) == (False, None)


def test_a_page_is_one_source_under_all_its_addresses() -> None:
    book = state(
        findings(source(1), source(2)),
        findings(source(1, url="https://www.example.org/1/?utm_source=x", doi="10.1/x")),
        findings(
            source(1, title="Its own title", read=True, foundInStep=2),
            tool="scrape_page",
            searched=False,
        ),
        findings(source(1, title="A later title")),
    )
    assert [s.model_dump(exclude_none=True) for s in book.sources] == [
        {
            "url": "https://example.org/1",
            "title": "Its own title",
            "doi": "10.1/x",
            "read": True,
            "tool": "web_search",
            "foundAt": MOMENT,
        },
        {
            "url": "https://example.org/2",
            "title": "Page 2",
            "tool": "web_search",
            "foundAt": MOMENT,
        },
    ]


def test_three_failures_of_a_kind_are_a_pattern_and_two_are_not() -> None:
    twice = [failure(url=f"https://a.example/{n}") for n in range(2)]
    assert state(*twice).error_patterns() == []
    walls = [failure("auth_required", url="https://paywall.example/1") for _ in range(3)]
    assert state(*twice, *walls).error_patterns() == [
        ErrorPattern(
            kind="auth_required",
            count=3,
            affectedUrls=("https://paywall.example/1",),
            suggestion="Consider open_access=true or target preprint servers (arxiv, biorxiv).",
            lastSeen=MOMENT,
        )
    ]


def test_a_pattern_names_five_addresses_at_most() -> None:
    (pattern,) = state(*(failure(url=f"https://a.example/{n}") for n in range(9))).error_patterns()
    assert (pattern.count, len(pattern.affectedUrls)) == (9, 5)


def test_only_the_newest_two_hundred_outcomes_count() -> None:
    old = [failure("network") for _ in range(5)]
    assert [p.kind for p in state(*old).error_patterns()] == ["network"]
    assert state(*old, *([failure()] * 198)).error_patterns()[0].count == 198
    crowded = state(*old, *([failure()] * 198))
    assert [p.kind for p in crowded.error_patterns()] == ["blocked"]


def test_providers_are_counted_by_how_often_they_answered() -> None:
    book = state(
        findings(asks=(ask(error="rate_limited"), ask("serper", hits=3, kept=3))),
        findings(asks=(ask(hits=2, kept=2),)),
        findings(asks=(ask(hits=2, kept=2),), searchedAt=MOMENT),  # from the cache
    )
    assert book.provider_stats() == {
        "brave": ProviderStats(attempts=2, successes=1),
        "serper": ProviderStats(attempts=1, successes=1),
    }


def test_the_search_log_says_what_became_of_every_record() -> None:
    first = findings(
        source(1),
        source(2),
        source(3),
        asks=(
            ask(query="owls", filters={"time_range": "year"}, hits=8, duplicates=1, kept=3,
                removedBy=("time_range",)),
        ),
    )  # fmt: skip
    second = findings(
        source(3),
        source(4),
        arguments={"query": "owl calls", "language": "en"},
        asks=(ask("serper", error="network"), ask(hits=2, kept=2)),
    )
    book = state(first, second)
    shared: dict[str, Any] = {"tool": "web_search", "searchedAt": MOMENT}
    assert book.searches == [
        SearchEntry(number=1, provider="brave", query="owls", filters={"time_range": "year"},
                    hits=8, duplicatesRemoved=1, excluded=4, excludedBy=("time_range",),
                    screened=3, **shared),
        SearchEntry(number=2, provider="serper", query="owl calls", filters={"language": "en"},
                    hits=0, duplicatesRemoved=0, excluded=0, excludedBy=(), screened=0,
                    error="network", **shared),
        SearchEntry(number=3, provider="brave", query="owl calls", filters={"language": "en"},
                    hits=2, duplicatesRemoved=1, excluded=0, excludedBy=(), screened=1, **shared),
    ]  # fmt: skip
    assert book.flow() == Flow(
        identified=10, duplicatesRemoved=2, excluded=4, screened=4, read=0, notRetrieved=0
    )


def test_the_flow_tells_pages_read_from_pages_that_could_not_be() -> None:
    book = state(
        findings(source(1), source(2), source(3), asks=(ask(hits=3, kept=3),)),
        findings(source(1, read=True), tool="scrape_page", searched=False),
        failure(url="https://example.org/2"),
        failure(url="https://example.org/3"),
        findings(source(3, read=True), tool="scrape_page", searched=False),  # the second try
    )
    assert book.flow() == Flow(
        identified=3, duplicatesRemoved=0, excluded=0, screened=3, read=2, notRetrieved=1
    )


def test_reading_the_same_pages_from_two_places_counts_them_once() -> None:
    page = SessionBatch(id="p", events=(step(1),)).model_dump_json(exclude_none=True).encode()
    other = SessionBatch(id="q", events=(step(2),)).model_dump_json(exclude_none=True).encode()
    book = SessionState("id", 200)
    book.apply(0, [page, other])
    book.apply(1, [other])
    book.apply(0, [page, other])
    assert [s.stepNumber for s in book.steps] == [1, 2]
    assert book.batch_count == 2

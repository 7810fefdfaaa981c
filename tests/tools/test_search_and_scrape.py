"""`search_and_scrape`: what a client sees."""

import asyncio
import json
from typing import Any

import pytest

from tests.services.research.research_setup import OWL_FACTS, OWL_MUSIC, ResearchSetup, desk, page
from tests.support import ALICE, BOB, CallHarness, text_of
from webquarry.errors import BlockedError, NetworkError
from webquarry.models.reading import RetractionStatus
from webquarry.models.result import LinkBlock
from webquarry.models.session import ResearchStep, StepTaken
from webquarry.resources import RESOURCES
from webquarry.resources.resource import ResourceRegistry
from webquarry.services.research.research_service import ResearchOptions
from webquarry.tools.search_and_scrape import SearchAndScrapeOut, search_and_scrape

pytestmark = pytest.mark.anyio

QUERY = "barn owls hear mouse"
BAND, FACTS, WALL = "https://band.test/", "https://birds.test/hearing", "https://wall.test/x"


async def ask(tools: CallHarness, **arguments: Any) -> dict[str, Any]:
    result = await tools.call("search_and_scrape", {"query": QUERY, **arguments})
    assert result.structured, result
    return result.structured


def two() -> ResearchSetup:
    return ResearchSetup(
        page(BAND, OWL_MUSIC, title="The Barn Owls", published="2026-05-01"),
        page(FACTS, title="Barn owls", published="2026-05-01"),
    )


async def test_the_best_source_comes_first_with_everything_known_about_it() -> None:
    found = await ask(desk(two()))

    found["summary"].pop("processingTimeMs")
    combined = found.pop("combinedContent")
    assert [source["url"] for source in found["sources"]] == [FACTS, BAND]
    assert found["sources"][0] == {
        "url": FACTS,
        "title": "Barn owls",
        "content": "",  # section [1] of combinedContent has it
        "contentType": "html",
        "trust": "untrusted-external-content",
        "scores": {
            "overall": 0.61,
            "relevance": 0.77,
            "freshness": 0.56,
            "authority": 0.55,
            "contentQuality": 0.46,
        },
        "sourceType": "unknown",
        "authorityTier": "medium",
        "domainCategory": "general",
        "publishedAt": "2026-05-01",
        "wordCount": 40,
        "extractionQuality": "complete",
    }
    assert combined.startswith(f"## [1] Barn owls\n{FACTS}\n\nBarn owls can hear a mouse")
    assert f"## [2] The Barn Owls\n{BAND}\n\n{OWL_MUSIC}" in combined
    del found["sources"], found["recommendations"]
    assert found == {
        "query": QUERY,
        "status": "complete",
        "trust": "untrusted-external-content",
        "summary": {"urlsSearched": 2, "urlsScraped": 2, "urlsFailed": 0, "sparseSources": 2},
        "sizeMetadata": {
            "totalLength": len(combined),
            "estimatedTokens": -(-len(combined) // 4),
            "sizeCategory": "small",
        },
    }


async def test_scores_are_the_weighted_sum_of_their_parts() -> None:
    found = await ask(desk(two()))

    for source in found["sources"]:
        scores = source["scores"]
        total = (
            0.35 * scores["relevance"]
            + 0.20 * scores["freshness"]
            + 0.25 * scores["authority"]
            + 0.20 * scores["contentQuality"]
        )
        assert scores["overall"] == pytest.approx(total, abs=0.011)


async def test_a_page_that_cannot_be_read_is_named_and_the_rest_is_kept() -> None:
    shelf = ResearchSetup(page(FACTS), (WALL, BlockedError("Blocked: a wall.")))

    found = await ask(desk(shelf))

    assert found["status"] == "partial"
    assert found["scrapeFailures"] == [
        {
            "url": WALL,
            "kind": "blocked",
            "reason": "Blocked: a wall.",
            "retryable": False,
            "suggestedAction": "inform_user",
        }
    ]
    assert found["summary"]["urlsFailed"] == 1
    assert "note" not in found


async def test_when_nothing_can_be_read_it_says_what_to_do() -> None:
    shelf = ResearchSetup((WALL, BlockedError("Blocked.")), (BAND, NetworkError("Timed out.")))

    found = await ask(desk(shelf))

    assert found["status"] == "failed"
    assert found["sources"] == []
    assert found["note"] == (
        "No page could be read (blocked: 1, network: 1). "
        "Retry later, or use web_search for other pages."
    )


async def test_a_search_without_results_has_hints() -> None:
    found = await ask(desk(ResearchSetup()))

    assert found["status"] == "complete"
    assert found["note"] == "The search found nothing; see hints."
    assert found["hints"]["reason"] == "no_match"


async def test_a_copy_counts_once_and_is_named_by_its_original() -> None:
    story = "\n\n".join(f"Paragraph {n} tells of {n * 7} barn owls that hear a mouse." for n in
                        range(20))  # fmt: skip
    shelf = ResearchSetup(
        page("https://reprint.test/", f"By arrangement.\n\n{story}", published="2026-05-03"),
        page("https://www.reuters.com/owls", story, published="2026-05-01"),
        page(FACTS),
    )

    found = await ask(desk(shelf))

    copies = {source["url"]: source.get("alsoAt") for source in found["sources"]}
    assert copies == {"https://www.reuters.com/owls": ["https://reprint.test/"], FACTS: None}
    assert found["summary"]["duplicateSources"] == 1
    assert found["summary"]["urlsScraped"] == 3


async def test_a_paragraph_comes_once_across_sources() -> None:
    notice = "All owls are protected by law, and so are their nests."
    shelf = ResearchSetup(
        page(FACTS, f"{OWL_FACTS}\n\n## Law\n\n{notice}"),
        page(BAND, f"{OWL_MUSIC}\n\n## Law\n\n{notice}\n\n## More\n\nThe end of the page."),
    )

    once = await ask(desk(shelf))
    twice = await ask(desk(shelf), deduplicate=False)

    assert once["combinedContent"].count(notice) == 1
    assert once["combinedContent"].endswith(f"{OWL_MUSIC}\n\n## More\n\nThe end of the page.")
    assert once["summary"]["duplicateParagraphs"] == 1
    assert twice["combinedContent"].count(notice) == 2
    assert "duplicateParagraphs" not in twice["summary"]


async def test_sources_off_the_topic_are_dropped_when_asked_and_named() -> None:
    shelf = two()
    shelf.pages["https://bread.test/"] = page("https://bread.test/", "Bake it for an hour, hot.")

    everything = await ask(desk(shelf))
    filtered = await ask(desk(shelf), filter_by_query=True)
    none = await ask(desk(ResearchSetup(shelf.pages["https://bread.test/"])), filter_by_query=True)  # pyright: ignore[reportArgumentType]

    assert len(everything["sources"]) == 3
    assert "https://bread.test/" in filtered["summary"]["filteredOut"]
    assert filtered["sources"][0]["url"] == FACTS
    assert none["note"].startswith("No source is about the query")


async def test_a_claim_brings_evidence_and_keeps_every_source_unless_asked() -> None:
    shelf = two()
    shelf.pages["https://bread.test/"] = page("https://bread.test/", "Bake it for an hour, hot.")

    claim = "Barn owls hear a mouse 40 metres away"
    found = await ask(desk(shelf), claim=claim)
    filtered = await ask(desk(shelf), claim=claim, filter_by_query=True)

    sentence = (
        "Barn owls can hear a mouse from 40 metres away, as a study of 31 birds showed in 2019."
    )
    assert found["sources"][0]["claimSignal"] == sentence
    assert found["sources"][0]["keySentences"] == [sentence]
    assert "filteredOut" not in found["summary"]
    assert len(found["sources"]) == 3
    assert "claimSignal" not in found["sources"][-1]
    assert "https://bread.test/" in filtered["summary"]["filteredOut"]


async def test_a_page_about_the_claim_but_not_about_the_query_is_kept() -> None:
    text = "Barn owls hear a mouse in total darkness from 40 metres away. " * 3
    shelf = ResearchSetup(page("https://hearing.test/", text))  # pyright: ignore[reportArgumentType]

    found = await ask(
        desk(shelf), query="quantum computing", claim="Barn owls hear a mouse 40 metres away"
    )

    assert found["sources"][0]["claimSignal"].startswith("Barn owls hear a mouse")


async def test_anchors_name_the_passage_and_can_be_checked_later() -> None:
    tools = desk(two())

    found = await ask(tools, anchors=True)

    (anchor,) = found["sources"][0]["anchors"]
    assert anchor["url"].startswith(f"{FACTS}#:~:text=Barn%20owls%20can%20hear%20a%20mouse")
    assert anchor["quote"].startswith("Barn owls can hear a mouse from 40 metres away")
    captures = tools.services.research.evidence.captures
    kept = await captures.get(FACTS, anchor["sha256"], tenant=ALICE.tenant, owner=ALICE.user)
    assert kept
    assert anchor["quote"] in kept.text
    assert await captures.get(FACTS, anchor["sha256"], tenant=BOB.tenant, owner=BOB.user) is None


async def test_without_anchors_nothing_is_captured() -> None:
    tools = desk(two())

    await ask(tools, claim="owls hear")

    captures = tools.services.research.evidence.captures
    assert await captures.export(ALICE.tenant, ALICE.user) == []


@pytest.mark.parametrize("most", [300, 500, 1000, 4000])
async def test_a_token_budget_keeps_the_best_passages(most: int) -> None:
    filler = "\n\n".join(f"Paragraph {n} is about the weather in {n} towns." for n in range(300))
    shelf = ResearchSetup(
        page(BAND, f"{filler}\n\n{OWL_MUSIC}", title="Band"),
        page(FACTS, f"{filler[:4000]}\n\n{OWL_FACTS}\n\n{filler[4000:]}", title="Owls"),
    )

    found = await ask(desk(shelf), max_tokens=most, deduplicate=False)

    assert len(json.dumps(found, separators=(",", ":"), ensure_ascii=False).encode()) <= most * 4
    assert "Barn owls can hear a mouse from 40 metres away" in found["combinedContent"]
    assert found["sizeMetadata"]["truncated"] is True
    assert found["sizeMetadata"]["maxTokens"] == most


async def test_the_sources_that_do_not_fit_come_with_the_cursor() -> None:
    readings = [page(f"https://owls.test/{n}", f"{OWL_FACTS} {n}") for n in range(8)]
    tools, seen = desk(ResearchSetup(*readings)), list[str]()
    asked: dict[str, Any] = {"num_results": 8, "deduplicate": False, "max_tokens": 420}

    found = await ask(tools, **asked)
    seen += [source["url"] for source in found["sources"]]
    while cursor := found.get("nextCursor"):
        found = await ask(tools, **asked, cursor=cursor)
        seen += [source["url"] for source in found["sources"]]

    assert sorted(seen) == sorted(reading.url for reading in readings)


@pytest.mark.parametrize("most", [1, 50, 200, 400, 5000])
async def test_the_combined_text_stays_within_its_bytes(most: int) -> None:
    found = await ask(desk(two()), total_max_length=most)

    assert len(found["combinedContent"].encode()) <= most
    assert found["sizeMetadata"]["totalLength"] == len(found["combinedContent"].encode())


async def test_each_source_stays_within_its_bytes() -> None:
    found = await ask(desk(two()), max_length_per_source=100)

    assert [len(source["content"]) <= 100 for source in found["sources"]] == [True, True]
    assert [source["truncated"] for source in found["sources"]] == [True, True]


async def test_sources_can_be_left_out() -> None:
    found = await ask(desk(two()), include_sources=False)

    assert found["sources"] == []
    assert FACTS in found["combinedContent"]


async def test_a_large_result_is_linked_unless_its_length_was_chosen() -> None:
    text = "\n\n".join(f"Paragraph {n} of a long text on barn owls." for n in range(2000))
    tools = desk(ResearchSetup(page(FACTS, text)))

    linked = await ask(tools)
    inline = await ask(tools, max_tokens=15_000)

    assert linked["linked"] is True
    assert "Paragraph 0 of a long text" in inline["combinedContent"]


async def test_the_summary_of_a_linked_result_stands_on_its_own() -> None:
    filler = "\n\n".join(f"Paragraph {n} says nothing much about anything." for n in range(900))
    shelf = ResearchSetup(
        page(FACTS, f"{filler}\n\n{OWL_FACTS}\n\n{filler}", title="Barn owls"),
        page(BAND, f"{OWL_MUSIC}\n\n{filler}", title="The Barn Owls"),
    )
    tools = desk(shelf)

    result = await tools.call("search_and_scrape", {"query": QUERY, "deduplicate": False})

    text = text_of(result)
    assert f'2 of 2 pages read for "{QUERY}" (complete)' in text
    assert f"## [1] Barn owls\n{FACTS}\noverall 0." in text
    assert f"## [2] The Barn Owls\n{BAND}\n" in text
    assert "Barn owls can hear a mouse from 40 metres away" in text  # the best passage
    assert len(text) / 4 <= 10_000
    assert result.structured is not None
    assert result.structured["summary"] == text
    _, markdown, whole = result.content
    assert isinstance(markdown, LinkBlock)
    assert isinstance(whole, LinkBlock)
    assert (markdown.mimeType, whole.mimeType) == ("text/markdown", "application/json")
    reading = await ResourceRegistry(RESOURCES).read(markdown.uri, ALICE, tools.services)
    assert str(reading.body).startswith("## [1] Barn owls\n")


async def test_text_is_carried_once() -> None:
    result = await desk(two()).call("search_and_scrape", {"query": QUERY})

    assert text_of(result).count("They nest in church towers") == 1


async def test_pages_and_searches_are_remembered() -> None:
    shelf = two()
    tools = desk(shelf)

    first = await ask(tools)
    second = await ask(tools, claim="owls hear", filter_by_query=False)

    assert sorted(shelf.reads) == sorted([BAND, FACTS])
    assert [s["url"] for s in second["sources"]] == [s["url"] for s in first["sources"]]
    assert len(shelf.searches) == 1


async def test_progress_is_told_for_every_source() -> None:
    told: list[tuple[float, float | None, str | None]] = []

    async def report(done: float, total: float | None, message: str | None) -> None:
        told.append((done, total, message))

    shelf = ResearchSetup(page(FACTS), (WALL, BlockedError("Blocked.")))
    await desk(shelf).call("search_and_scrape", {"query": QUERY}, report=report)

    assert [step[:2] for step in told] == [(0, 2), (1, 2), (2, 2)]
    assert told[0][2] == "stub found 2 pages"
    assert {step[2] for step in told[1:]} == {f"read: {FACTS}", f"not read (blocked): {WALL}"}


async def test_a_cancelled_call_stops_the_reads_under_way() -> None:
    shelf = two()
    shelf.waits = {BAND, FACTS}
    call = asyncio.create_task(desk(shelf).call("search_and_scrape", {"query": QUERY}))
    for _ in range(50):  # turns of the loop until both are read
        await asyncio.sleep(0)
    assert sorted(shelf.reads) == sorted([BAND, FACTS])

    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    for _ in range(10):
        await asyncio.sleep(0)

    assert sorted(shelf.cancelled) == sorted([BAND, FACTS])


async def test_a_slow_page_does_not_take_the_others_with_it() -> None:
    shelf = two()
    shelf.waits = {BAND}
    tools = desk(shelf, ResearchOptions(seconds=0.0, min_reading_seconds=0.05))

    found = await ask(tools)

    assert found["status"] == "partial"
    assert found["scrapeFailures"][0]["kind"] == "network"
    assert [source["url"] for source in found["sources"]] == [FACTS]


async def test_recommendations_say_why_and_can_be_turned_off() -> None:
    url = "https://www.cdc.gov/owls"
    shelf = ResearchSetup(
        page(url, OWL_FACTS * 3, title="Barn owls hear mouse", published="2026-11-10")
    )

    found = await ask(desk(shelf))
    without = await ask(desk(shelf, ResearchOptions(recommend=False)))

    (recommended,) = found["recommendations"]
    score = found["sources"][0]["scores"]
    assert recommended == {
        "url": url,
        "title": "Barn owls hear mouse",
        "score": score["overall"],
        "reason": f"closest to the query (relevance {score['relevance']:.2f})",
    } or recommended["reason"].startswith("recent (freshness")
    assert "recommendations" not in without


async def test_components_come_only_when_enabled_and_point_at_their_sources() -> None:
    plain = await ask(desk(two()))
    drawn = await ask(desk(two(), ResearchOptions(components=True)))

    assert "components" not in plain
    cards, table = drawn["components"][:-1], drawn["components"][-1]
    assert [card["sourceRefs"] for card in cards] == [[FACTS], [BAND]]
    assert all(part["autoFormatted"] is True for part in drawn["components"])
    assert {part["label"] for part in drawn["components"]} == {"mcp-auto-formatted"}
    assert cards[0]["card"]["facts"]["overall"] == f"{drawn['sources'][0]['scores']['overall']:.2f}"
    assert table["table"]["columns"] == [
        "source", "overall", "relevance", "authority", "freshness", "contentQuality"
    ]  # fmt: skip
    assert [row[0] for row in table["table"]["rows"]] == ["Barn owls", "The Barn Owls"]


async def test_a_retracted_source_is_marked_and_falls_behind() -> None:
    notice = RetractionStatus(retracted=True, kind="retraction")
    shelf = ResearchSetup(
        page("https://www.nature.com/a", retraction=notice), page(FACTS, OWL_FACTS + "!")
    )

    found = await ask(desk(shelf), deduplicate=False)

    assert [source["url"] for source in found["sources"]] == [FACTS, "https://www.nature.com/a"]
    assert found["sources"][1]["retractionStatus"] == {"retracted": True, "kind": "retraction"}


@pytest.mark.parametrize("more", [{}, {"include_sources": False}, {"max_tokens": 400}])
async def test_a_session_learns_of_every_source_and_failure(more: dict[str, Any]) -> None:
    shelf = two()
    shelf.pages[WALL] = BlockedError("Blocked.")
    tools = desk(shelf)
    sessions = tools.services.sessions
    step = ResearchStep(stepNumber=1, description="Owls", timestamp="2026-11-02T09:30:00Z")
    started = await sessions.start(ALICE, "owls", StepTaken(step=step, more=True))

    asked = {"query": QUERY, "sessionId": started.id, **more}
    result = await tools.call("search_and_scrape", asked)

    assert result.meta["session"] == {
        "sessionId": started.id, "linked": True, "sources": 2
    }  # fmt: skip
    (exported,) = await sessions.export(ALICE.tenant, ALICE.user)
    findings = exported["pages"][-1]["events"][0]
    assert {(s["url"], s["read"]) for s in findings["sources"]} == {(FACTS, True), (BAND, True)}
    assert [mishap["url"] for mishap in findings["mishaps"]] == [WALL]


async def test_too_many_results_are_clamped_and_told() -> None:
    result = await desk(two()).call("search_and_scrape", {"query": QUERY, "num_results": 50})

    assert result.meta["requestedNumResults"] == 50


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({}, "query: is required"),
        ({"query": ""}, "query: must have at least 1 character"),
        ({"query": "x", "provider": "nobody"}, "nobody"),
        ({"query": "x", "total_max_length": 0}, "total_max_length:"),
    ],
)
async def test_wrong_arguments_are_named(arguments: dict[str, object], words: str) -> None:
    result = await desk(two()).call("search_and_scrape", arguments)

    assert result.problem
    assert words in result.problem.message


def test_it_costs_little_to_list() -> None:
    size = len(json.dumps(search_and_scrape.definition(), separators=(",", ":")))

    assert size / 4 <= 550


def test_the_schema_names_every_field_that_may_come() -> None:
    properties = search_and_scrape.definition()["outputSchema"]["properties"]

    assert set(properties) == set(SearchAndScrapeOut.model_fields)

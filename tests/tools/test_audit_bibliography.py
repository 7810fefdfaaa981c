"""`audit_bibliography`: what a client sees."""

import asyncio
import json
import time
from typing import Any

import pytest

from tests.services.trust.fakes import DOWN, OWLS, Handles, Registry, Site, page
from tests.support import BOB, CallHarness, override, services, text_of
from webquarry.models.reading import RetractionStatus
from webquarry.models.works import Work
from webquarry.services.link_check import LinkChecker
from webquarry.services.trust.bibliography_audit import BibliographyAudit
from webquarry.storage.memory_store import MemoryStore
from webquarry.tools.audit_bibliography import audit_bibliography
from webquarry.tools.sequential_search import sequential_search

pytestmark = pytest.mark.anyio
LIVE, DEAD, SHUT = "https://a.test/live", "https://a.test/dead", "https://a.test/shut"
GONE = OWLS.model_copy(
    update={
        "doi": "10.1000/gone",
        "retraction": RetractionStatus(retracted=True, kind="retraction", date="2020-01-02"),
    }
)


def desk(*providers: Any, site: Site | None = None) -> CallHarness:
    site = site or Site({LIVE: page(LIVE, "Owls hear mice."), SHUT: 403})
    asked: Any = providers or (Registry(OWLS, GONE), Handles())
    made = services(*asked, reader=site)
    made = override(made, links=LinkChecker(site, None, MemoryStore()))
    tools = (audit_bibliography, sequential_search)
    return CallHarness(tools, settings={"link_at": 10**6}, services=made)


async def audited(made: CallHarness | None = None, **arguments: Any) -> dict[str, Any]:
    result = await (made or desk()).call("audit_bibliography", arguments)
    assert result.structured, text_of(result)
    assert result.structured.pop("checkedAt").endswith("Z")
    return result.structured


async def test_flags_keep_problems_apart_from_what_could_not_be_checked() -> None:
    found = await audited(
        entries=[
            {"doi": "10.1000/owl.1", "title": OWLS.title},
            {"doi": "10.1000/gone"},
            {"doi": "10.1000/none", "title": "Made up"},
            {"url": DEAD, "title": "A page"},
            {"url": SHUT, "title": "A page"},
            {"title": "A book from 1902"},
            {"doi": "10.1000/owl.1", "title": "Volatile markets and grain"},
            {"url": LIVE, "claim": "Steel prices fell in winter"},
            {"url": LIVE, "claim": "Owls hear mice"},
        ]
    )

    assert [entry["flags"] for entry in found["entries"]] == [
        [],
        ["retracted"],
        ["not_found"],
        ["dead_link", "unchecked"],
        [],
        ["unchecked"],
        ["mismatch"],
        ["mischaracterized"],
        [],
    ]
    assert found["summary"] == {
        "total": 9,
        "retracted": 1,
        "deadLink": 1,
        "notFound": 1,
        "unchecked": 2,
        "mischaracterized": 1,
        "mismatch": 1,
        "ok": 3,
    }
    assert all(("reason" in entry) == bool(entry["flags"]) for entry in found["entries"])
    assert found["entries"][4] == {
        "index": 4,
        "title": "A page",
        "url": SHUT,
        "exists": True,
        "linkLive": True,
        "httpStatus": 403,
        "flags": [],
    }
    assert found["entries"][8] == {
        "index": 8,
        "url": LIVE,
        "exists": True,
        "linkLive": True,
        "httpStatus": 200,
        "flags": [],
        "claim": "Owls hear mice",
        "claimSupport": "addressed",
        "claimScore": 0.7,
        "claimEvidence": ["Owls hear mice."],
        "claimSourceUrl": LIVE,
    }


@pytest.mark.parametrize(
    "entry",
    [
        "url={https://doi.org/10.1000/gone}",
        "url={https://publisher.test/doi/full/10.1000/gone}",
        r"howpublished={\url{https://doi.org/10.1000/gone}}",
        "note={doi:10.1000/gone}",
    ],
)
async def test_a_retracted_work_is_seen_wherever_its_doi_is(entry: str) -> None:
    found = await audited(bibliography=f"@misc{{a, {entry}}}")

    assert "retracted" in found["entries"][0]["flags"]
    assert found["entries"][0]["retractionStatus"]["retracted"]


async def test_an_entry_with_only_a_link_says_why_that_could_not_be_checked() -> None:
    made = desk(Registry(), Handles(), site=Site({LIVE: DOWN}))

    found = await audited(made, entries=[{"url": LIVE}])

    assert found["entries"][0]["reason"] == f"There is only its link: {DOWN}"


async def test_an_article_that_no_registry_lists_is_not_found_and_a_book_is_unchecked() -> None:
    text = (
        "@inproceedings{a, title={Sparse owls attend to mice}, author={Ann Lee}, year=2022}\n"
        "@book{b, title={Sparse owls attend to mice}, author={Ann Lee}, year=2022}\n"
        "@article{c, title={Sparse owls attend to mice}, author={Ann Lee}, year=1911}\n"
    )

    found = await audited(bibliography=text)

    assert [entry["flags"] for entry in found["entries"]] == [
        ["not_found"], ["unchecked"], ["unchecked"],
    ]  # fmt: skip


async def test_a_fault_of_the_network_is_unchecked_and_never_not_found() -> None:
    made = desk(Registry(fails=DOWN), Handles(fails=DOWN), site=Site({LIVE: DOWN}))

    found = await audited(made, entries=[{"doi": "10.1000/owl.1"}, {"url": LIVE}])

    assert [entry["flags"] for entry in found["entries"]] == [["unchecked"], ["unchecked"]]
    assert [entry.get("linkLive") for entry in found["entries"]] == [None, None]
    assert [entry.get("exists") for entry in found["entries"]] == [None, None]


async def test_what_is_no_doi_cannot_be_registered() -> None:
    found = await audited(entries=[{"doi": "10.1016/xxxx"}])

    assert found["entries"][0]["flags"] == ["not_found"]


async def test_entries_go_before_a_document_and_a_document_before_a_session() -> None:
    document = json.dumps([{"title": OWLS.title, "DOI": "10.1000/owl.1", "claim": "ignored"}])

    first = await audited(
        entries=[{"doi": "10.1000/owl.1"}], bibliography=document, sessionId="none"
    )
    second = await audited(bibliography=document, sessionId="none")

    assert (first["source"], second["source"]) == ("entries", "bibliography:csl-json")
    assert "claim" not in second["entries"][0]


async def test_a_broken_entry_is_reported_with_its_line() -> None:
    document = "@article{a, title={Owls}, doi={10.1000/owl.1}}\n\n@article{b, title={Half"

    found = await audited(bibliography=document, format="bibtex")

    assert found["entryCount"] == 1
    assert [bad["line"] for bad in found["unreadable"]] == [3]


async def test_more_than_two_hundred_go_on_at_a_cursor() -> None:
    entries = [{"title": f"Book {n}"} for n in range(203)]

    found = await audited(entries=entries)
    rest = await audited(entries=entries, cursor=found["nextCursor"])

    assert (found["entryCount"], found["skipped"], len(found["entries"])) == (200, 3, 200)
    note = "3 references are not checked yet; call again with cursor=200."
    assert (found["nextCursor"], found["skippedNote"]) == (200, note)
    assert [entry["index"] for entry in rest["entries"]] == [200, 201, 202]
    assert "nextCursor" not in rest


async def test_a_cursor_beyond_the_end_is_refused() -> None:
    result = await desk().call("audit_bibliography", {"entries": [{"title": "A"}], "cursor": 1})

    assert result.is_error
    assert "cursor: there are only 1 references, counted from 0" in text_of(result)


class Stuck(Registry):
    """Never responds to one DOI."""

    async def work_by_doi(self, doi: str) -> Work | None:
        if doi == "10.1000/stuck":
            await asyncio.Event().wait()
        return await super().work_by_doi(doi)


async def test_at_the_deadline_what_is_done_is_kept_and_the_rest_is_unchecked() -> None:
    providers: Any = (Stuck(OWLS, GONE), Handles())
    made = services(*providers, reader=Site({}))
    audit = BibliographyAudit(
        made.existence, LinkChecker(Site({}), None, MemoryStore()), made.claims, deadline=2.0
    )
    harness = CallHarness((audit_bibliography,), services=override(made, bibliography_audit=audit))
    dois = ("10.1000/owl.1", "10.1000/stuck", "10.1000/gone", "10.1000/stuck")

    found = await audited(harness, entries=[{"doi": doi} for doi in dois])

    assert [entry["flags"] for entry in found["entries"]] == [
        [], ["unchecked"], ["retracted"], ["unchecked"],
    ]  # fmt: skip
    assert found["entries"][1]["reason"] == "Not checked: out of time."
    assert found["nextCursor"] == 1
    assert found["skippedNote"] == "2 references are not checked yet; call again with cursor=1."


async def test_progress_is_told_after_every_entry() -> None:
    told: list[tuple[float, float | None, str | None]] = []

    async def report(done: float, total: float | None = None, message: str | None = None) -> None:
        told.append((done, total, message))

    await desk().call("audit_bibliography", {"entries": [{"title": "A"}, {"title": "B"}]},
                      report=report)  # fmt: skip

    assert told == [(1, 2, "1 of 2 references checked"), (2, 2, "2 of 2 references checked")]


async def test_a_session_of_somebody_else_is_not_there() -> None:
    made = desk()
    started = await made.call(
        "sequential_search",
        {"searchStep": "owls", "stepNumber": 1, "totalStepsEstimate": 2, "nextStepNeeded": True},
    )
    assert started.structured
    session = started.structured["sessionId"]

    own = await made.call("audit_bibliography", {"sessionId": session})
    others = await made.call("audit_bibliography", {"sessionId": session}, caller=BOB)

    assert own.structured
    assert (own.structured["source"], own.structured["entryCount"]) == ("session", 0)
    assert others.is_error


async def test_nothing_to_audit_is_refused() -> None:
    result = await desk().call("audit_bibliography", {})

    assert result.is_error
    assert "give bibliography, entries or sessionId" in text_of(result)


async def test_a_text_of_no_known_format_is_refused_with_advice() -> None:
    result = await desk().call("audit_bibliography", {"bibliography": "just some words"})

    assert result.is_error
    assert "bibliography:" in text_of(result)


async def test_a_linked_audit_gives_its_counts_and_what_was_flagged() -> None:
    made = desk()
    entries = [{"title": f"A book with a rather long title, number {n}"} for n in range(150)]
    harness = CallHarness(made.tools, {"summary_tokens": 2000}, services=made.services)

    result = await harness.call(
        "audit_bibliography", {"entries": [{"doi": "10.1000/gone"}, *entries]}
    )

    assert result.structured is not None
    assert result.structured["linked"] is True
    lines = text_of(result).splitlines()
    assert lines[0].startswith("151 references checked: total 151, retracted 1, ")
    assert lines[2].startswith("- [0] ")
    assert "retracted: " in lines[2]
    assert any(line.startswith("… and ") and line.endswith(" more with flags.") for line in lines)
    assert len(text_of(result).encode()) <= 8000


async def test_every_reference_of_a_linked_audit_is_in_its_text_parts() -> None:
    made = desk()
    titles = [f"A book with a rather long title, number {n}" for n in range(150)]
    harness = CallHarness(made.tools, {"summary_tokens": 2000}, services=made.services)

    result = await harness.call("audit_bibliography", {"entries": [{"title": t} for t in titles]})
    text = ""
    while result.structured and (cursor := result.structured.get("nextCursor")):
        result = await harness.call("audit_bibliography", {"cursor": cursor})  # nothing else
        text += text_of(result)

    assert [title for title in titles if f"{title}\n" not in text] == []


@pytest.mark.parametrize("author", [f"a{' ' * 40_000}b", "a and " * 7_000])
async def test_an_author_built_to_take_long_does_not(author: str) -> None:
    before = time.thread_time()

    await desk().call("audit_bibliography", {"bibliography": f"@book{{a, author = {{{author}}}}}"})

    # CPU time of this thread: a worker process may need more, and is stopped then
    assert time.thread_time() - before < 2

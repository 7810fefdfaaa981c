"""`scrape_page`: what a client sees."""

import base64
import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from tests.support import CallHarness, services, text_of
from webquarry.errors import BlockedError
from webquarry.models.page import PageMetadata, Removal
from webquarry.models.reading import RawResponse, ReadAttempt, Reading
from webquarry.net.url import Url
from webquarry.tools.scrape_page import ScrapePageOut, scrape_page

pytestmark = pytest.mark.anyio

URL = "https://owls.test/1"


class Pages:
    """Reads one page and counts how often."""

    def __init__(self, reading: Reading) -> None:
        self.reading = reading
        self.reads = 0

    async def read(self, url: Url, seconds: float) -> Reading:
        self.reads += 1
        return self.reading

    async def read_raw(self, url: Url, seconds: float, max_bytes: int) -> RawResponse:
        self.reads += 1
        text = ("<b>" * 20_000)[:max_bytes]
        return RawResponse(url=URL, final_url=URL, content=text, content_type="text/html")


def page(text: str = "Owls hunt at night.", **more: object) -> Reading:
    about = PageMetadata(title="Owls", authors=("Ada Owl",))
    return Reading.model_validate(
        {"url": URL, "final_url": URL, "markdown": text, "kind": "html", "tier": "stealth",
         "metadata": about, **more}
    )  # fmt: skip


def desk(reading: Reading | None = None) -> tuple[CallHarness, Pages]:
    pages = Pages(reading or page())
    return CallHarness((scrape_page,), services=services(reader=pages)), pages


async def test_a_page_comes_with_everything_known_about_it() -> None:
    result = await desk()[0].call("scrape_page", {"url": URL})

    assert result.structured
    citation = result.structured.pop("citation")
    assert result.structured == {
        "url": URL,
        "content": "Owls hunt at night.",
        "contentType": "html",
        "trust": "untrusted-external-content",
        "contentLength": 19,
        "truncated": False,
        "estimatedTokens": 5,
        "sizeCategory": "small",
        "extractedBy": "stealth",
        "extractionQuality": "complete",
        "wordCount": 4,
        "metadata": {"title": "Owls", "author": "Ada Owl"},
        "sourceType": "unknown",
        "authorityTier": "medium",
        "domainCategory": "general",
    }
    assert citation["metadata"] == {"title": "Owls", "author": "Ada Owl", "site": "", "date": ""}
    assert sorted(citation["formatted"]) == ["apa", "bibtex", "mla"]
    assert result.meta == {}


async def test_a_page_from_memory_says_how_old_it_is() -> None:
    tools, pages = desk()
    await tools.call("scrape_page", {"url": URL})

    again = await tools.call("scrape_page", {"url": URL, "mode": "preview"})

    assert pages.reads == 1
    assert again.meta == {
        "cached": True, "ageSeconds": 0, "maxAgeSeconds": 3600, "freshness": "fresh"
    }  # fmt: skip
    assert [record.cached for record in tools.records] == [False, True]


async def test_what_was_removed_and_tried_is_told_beside_the_result() -> None:
    reading = page(
        final_url="https://owls.test/2",
        removed=(Removal(reason="display: none", count=2, chars=40),),
        attempts=(ReadAttempt(tier="stealth", outcome="HTTP 403"),),
        retraction_unchecked=True,
    )

    result = await desk(reading)[0].call("scrape_page", {"url": URL})

    assert result.meta == {
        "sanitized": [{"reason": "display: none", "count": 2, "chars": 40}],
        "attempts": [{"tier": "stealth", "outcome": "HTTP 403"}],
        "retractionCheck": "unavailable",
        "finalUrl": "https://owls.test/2",
    }


async def test_raw_bytes_are_marked_and_have_no_metadata() -> None:
    result = await desk()[0].call("scrape_page", {"url": URL, "mode": "raw", "max_length": 6})

    assert result.structured
    assert result.structured["content"] == "<b><b>"
    assert result.structured["raw"] is True
    assert "metadata" not in result.structured


async def test_large_raw_bytes_are_linked() -> None:
    result = await desk()[0].call("scrape_page", {"url": URL, "mode": "raw"})

    assert result.structured
    assert result.structured["linked"] is True
    assert [block.type for block in result.content] == ["text", "resource_link"]
    assert result.structured["summary"] == text_of(result)
    assert text_of(result).startswith(f"Untrusted content of {URL} (text/html, ")
    assert "<b><b><b>" in text_of(result)


async def test_a_large_page_is_text_in_parts_that_join_to_the_whole() -> None:
    text = "\n\n".join(f"Paragraph {n}: owls hunt at night, in silence." for n in range(2200))
    tools, pages = desk(page(text))
    asked: dict[str, str] = {"url": URL}
    parts: list[str] = []

    while not parts or "cursor" in asked:
        result = await tools.call("scrape_page", asked)
        assert result.structured
        parts.append(text_of(result))
        assert len(parts[-1]) <= 40_000
        assert result.structured["contentLength"] == len(result.structured["content"]) <= 50_000
        assert result.structured["truncated"] is True
        notice = parts[-1].rpartition("\n\n")[2]
        asked.pop("cursor", None)
        if match := re.fullmatch(
            r"Part (\d) of 3\. Call again with cursor=(\S+) for the rest\.", notice
        ):
            assert int(match[1]) == len(parts)
            asked["cursor"] = match[2]

    assert parts[-1].endswith("\n\nPart 3 of 3, the last.")
    texts = [part.split("\n\n", 1)[1].rpartition("\n\n")[0] for part in parts]
    assert "\n\n".join(texts) == text
    assert pages.reads == 1


async def test_a_limited_length_has_no_further_parts() -> None:
    result = await desk(page("Owls hunt at night. " * 2000))[0].call(
        "scrape_page", {"url": URL, "max_length": 1000}
    )

    assert result.structured
    assert "nextCursor" not in result.structured
    assert (result.structured["truncated"], result.structured["contentLength"]) == (True, 999)


async def test_a_token_budget_cuts_and_a_cursor_goes_on() -> None:
    tools, pages = desk(page("\n\n".join(f"Paragraph {n} on owls." for n in range(500))))
    asked = {"url": URL, "max_tokens": 1000}

    first = await tools.call("scrape_page", asked)
    assert first.structured
    second = await tools.call("scrape_page", {**asked, "cursor": first.structured["nextCursor"]})
    assert second.structured

    assert len(json.dumps(first.structured)) <= 4000
    assert first.structured["content"].startswith("Paragraph 0 on owls.")
    assert second.structured["content"].startswith("Paragraph")
    assert pages.reads == 1


async def test_a_session_that_cannot_be_linked_is_said_not_to_be() -> None:
    result = await desk()[0].call("scrape_page", {"url": URL, "sessionId": "s1"})

    assert result.meta["session"]["sessionId"] == "s1"


async def test_a_failure_is_one_sentence_and_a_block() -> None:
    class Walls(Pages):
        async def read(self, url: Url, seconds: float) -> Reading:
            raise BlockedError("Blocked: no owls.", details={"attempts": []})

    tools = CallHarness((scrape_page,), services=services(reader=Walls(page())))
    result = await tools.call("scrape_page", {"url": URL})

    assert result.is_error
    assert result.problem
    assert result.problem.message == "Blocked: no owls."
    assert result.problem.block["kind"] == "blocked"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({}, "url: is required"),
        ({"url": URL, "mode": "tidy"}, "mode:"),
        ({"url": URL, "max_length": 0}, "max_length:"),
        ({"url": "ftp://x.org/passwd"}, "URL rejected for ftp://x.org/passwd"),
        ({"url": "a.txt", "data": "!"}, "data: must be base64"),
    ],
)
async def test_wrong_arguments_are_named(arguments: dict[str, object], words: str) -> None:
    result = await desk()[0].call("scrape_page", arguments)

    assert result.problem
    assert words in result.problem.message
    assert result.problem.block["kind"] == "validation"


def test_it_costs_little_to_list() -> None:
    size = len(json.dumps(scrape_page.definition(), separators=(",", ":")))

    assert size / 4 <= 525


def test_the_schema_names_every_field_that_may_come() -> None:
    properties = scrape_page.definition()["outputSchema"]["properties"]

    assert set(properties) == set(ScrapePageOut.model_fields)


async def test_files_are_off_unless_the_operator_allows_folders() -> None:
    result = await desk()[0].call("scrape_page", {"url": "file:///etc/passwd"})

    assert result.problem
    assert result.problem.message == "Files are not read here: ALLOWED_FILE_ROOTS is not set."


async def test_a_file_below_an_allowed_folder_is_read_and_not_cached(tmp_path: Path) -> None:
    file = tmp_path / "owls.md"
    file.write_text("# Owls\n\n- They hunt.\n")
    built = services()
    built.local_files = replace(built.local_files, roots=(tmp_path,))
    calls = CallHarness((scrape_page,), services=built)

    first = await calls.call("scrape_page", {"url": f"file://{file}"})
    file.write_text("# Owls\n\n- They sleep.\n")
    second = await calls.call("scrape_page", {"url": f"file://{file}"})
    raw = await calls.call("scrape_page", {"url": f"file://{file}", "mode": "raw"})
    preview = await calls.call("scrape_page", {"url": f"file://{file}", "mode": "preview"})

    bodies = [each.structured or {} for each in (first, second, raw, preview)]
    assert [body["content"] for body in bodies] == [
        "# Owls\n\n- They hunt.",
        "# Owls\n\n- They sleep.",
        "# Owls\n\n- They sleep.\n",
        "# Owls\n\n- They sleep.",
    ]
    assert bodies[0]["url"] == f"file://{file}"


async def test_a_file_can_be_sent_with_the_call() -> None:
    calls = CallHarness((scrape_page,), services=services())
    data = base64.b64encode(b"# Owls").decode()

    result = await calls.call("scrape_page", {"url": "owls.md", "data": data})

    assert (result.structured or {})["content"] == "# Owls"

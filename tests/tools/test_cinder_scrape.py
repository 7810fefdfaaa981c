"""`cinder_scrape`: seed 002's contract, as a client sees it."""

import json
from typing import Any

import pytest

from tests.support import CallHarness, override, services
from webquarry.content.text.token_count import json_size
from webquarry.errors import NotFoundError
from webquarry.models.page import PageMetadata, StructuredData
from webquarry.models.reading import RawResponse, Reading, ReadMode
from webquarry.net.url import Url
from webquarry.reading.page_cache import PageCache
from webquarry.reading.service import ReadingDependencies, ReadingService
from webquarry.storage.memory_store import MemoryStore
from webquarry.tools.cinder_scrape import cinder_scrape

pytestmark = pytest.mark.anyio

URL = "https://owls.test/1"
MARKDOWN = "# Owls\n\nThey hunt at night.\n\n![Owl](https://owls.test/owl.png)"


def page(**more: Any) -> Reading:
    about = PageMetadata(
        title="Owls",
        authors=("Ada Owl", "Bo Barn"),
        description="All about owls",
        keywords=("owls", "birds"),
        published="2026-01",
    )
    told: dict[str, Any] = {
        "url": URL, "final_url": URL, "markdown": MARKDOWN, "kind": "html", "tier": "stealth",
        "metadata": about, "structured": StructuredData(openGraph={"og:image": "/cover.png"}),
        "status": 203, "word_count": 5,
    }  # fmt: skip
    return Reading.model_validate(told | more)


class Shelf:
    """Reads one page, and remembers what was asked."""

    def __init__(self, reading: Reading) -> None:
        self.reading = reading
        self.reads = 0

    async def read(self, url: Url, seconds: float) -> Reading:
        self.reads += 1
        return self.reading

    async def read_raw(self, url: Url, seconds: float, max_bytes: int) -> RawResponse:
        raise AssertionError("nobody asked for bytes")


def desk(reading: Reading | None = None) -> tuple[CallHarness, Shelf]:
    shelf = Shelf(reading or page())
    return CallHarness((cinder_scrape,), services=services(reader=shelf)), shelf


async def scraped(arguments: dict[str, Any], reading: Reading | None = None) -> dict[str, Any]:
    result = await desk(reading)[0].call("cinder_scrape", {"url": URL, **arguments})
    assert result.structured, result
    return result.structured


async def test_a_page_has_the_shape_of_the_contract() -> None:
    found = await scraped({})

    took = found.pop("loadTime")
    assert isinstance(took, int)
    assert took >= 0
    assert found == {
        "url": URL,
        "title": "Owls",
        "content": MARKDOWN,
        "metadata": {
            "description": "All about owls",
            "keywords": ["owls", "birds"],
            "images": ["https://owls.test/cover.png", "https://owls.test/owl.png"],
            "author": "Ada Owl, Bo Barn",
            "publishDate": "2026-01",
            "structuredData": {"declared": True, "openGraph": {"og:image": "/cover.png"}},
        },
        "statusCode": 203,
    }


async def test_the_payload_of_the_contract_is_accepted() -> None:
    payload = {"mode": "smart", "includeMetadata": True, "returnFormat": "markdown"}

    assert (await scraped(payload))["content"] == MARKDOWN


async def test_metadata_can_be_left_out() -> None:
    found = await scraped({"includeMetadata": False})

    assert "metadata" not in found
    assert found["title"] == "Owls"


async def test_a_page_that_says_nothing_of_itself_has_no_empty_fields() -> None:
    bare = page(metadata=PageMetadata(), structured=StructuredData(), markdown="Owls.")

    found = await scraped({}, bare)

    assert found["metadata"] == {}
    assert "title" not in found


async def test_html_is_the_main_content_and_text_where_there_is_none() -> None:
    pretty = await scraped({"returnFormat": "html"}, page(html="<h1>Owls</h1>"))
    document = await scraped({"returnFormat": "html"}, page(kind="pdf", markdown="a < b"))

    assert pretty["content"] == "<h1>Owls</h1>"
    assert document["content"] == "<pre>a &lt; b</pre>"


async def test_json_is_the_page_as_data() -> None:
    found = await scraped({"returnFormat": "json"})

    assert json.loads(found["content"]) == {
        "url": URL,
        "title": "Owls",
        "description": "All about owls",
        "authors": ["Ada Owl", "Bo Barn"],
        "published": "2026-01",
        "keywords": ["owls", "birds"],
        "wordCount": 5,
        "sections": [
            {
                "heading": "Owls",
                "level": 1,
                "text": "They hunt at night.\n\n![Owl](https://owls.test/owl.png)",
            }
        ],
        "images": ["https://owls.test/owl.png"],
        "openGraph": {"og:image": "/cover.png"},
    }


@pytest.mark.parametrize("mode", ["smart", "static", "dynamic"])
@pytest.mark.parametrize("returned", ["markdown", "html"])
async def test_a_page_is_read_in_the_manner_asked_for_and_remembered_apart(
    mode: Any, returned: str
) -> None:
    shelves = {
        ReadMode(strategy=way, keep_html=html): Shelf(
            page(markdown=f"{way} {html}", html=f"{way} {html}")
        )
        for way in ("smart", "static", "dynamic")
        for html in (False, True)
    }
    store = MemoryStore()
    reading = ReadingService(
        Shelf(page()), PageCache(store), dependencies=ReadingDependencies(readers=shelves)
    )
    tools = CallHarness((cinder_scrape,), services=_with(reading))

    for wanted in shelves:
        other = "html" if wanted.keep_html else "markdown"
        asked = {"url": URL, "mode": wanted.strategy, "returnFormat": other}
        await tools.call("cinder_scrape", asked)
    again = await tools.call("cinder_scrape", {"url": URL, "mode": mode, "returnFormat": returned})

    assert again.structured
    assert again.structured["content"] == f"{mode} {returned == 'html'}"
    assert again.meta["cached"] is True
    assert {shelf.reads for shelf in shelves.values()} == {1}


def _with(reading: ReadingService) -> Any:

    return override(services(), reading=reading)


async def test_what_was_tried_is_told_beside_the_result() -> None:
    tools, _ = desk(page(final_url="https://owls.test/2"))

    result = await tools.call("cinder_scrape", {"url": URL})

    assert result.meta == {"finalUrl": "https://owls.test/2"}


async def test_a_token_budget_cuts_the_content_and_a_cursor_goes_on() -> None:
    text = "\n\n".join(f"Paragraph {n} on owls." for n in range(500))
    tools, _ = desk(page(markdown=text))
    asked = {"url": URL, "max_tokens": 1000}

    first = (await tools.call("cinder_scrape", asked)).structured
    assert first
    rest = await tools.call("cinder_scrape", {**asked, "cursor": first["nextCursor"]})

    assert len(json.dumps(first)) <= 4000
    assert rest.structured
    assert text.startswith(first["content"] + rest.structured["content"])


async def test_a_page_that_is_not_there_is_an_error_that_says_so() -> None:
    class Nothing(Shelf):
        async def read(self, url: Url, seconds: float) -> Reading:
            raise NotFoundError(f"Not found: {url.href}")

    tools = CallHarness((cinder_scrape,), services=services(reader=Nothing(page())))
    result = await tools.call("cinder_scrape", {"url": URL})

    assert result.problem
    assert result.problem.block["kind"] == "not_found"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({}, "url: is required"),
        ({"url": ""}, "url: "),
        ({"url": "owls"}, "URL rejected for owls: it is not a complete URL"),
        ({"url": "file:///etc/passwd"}, "URL rejected for file:///etc/passwd"),
        ({"url": URL, "mode": "quick"}, "mode: "),
        ({"url": URL, "returnFormat": "xml"}, "returnFormat: "),
        ({"url": URL, "includeMetadata": "often"}, "includeMetadata: must be true or false"),
        ({"url": URL, "returnformat": "html"}, "did you mean returnFormat?"),
    ],
)
async def test_wrong_arguments_are_named(arguments: dict[str, Any], words: str) -> None:
    result = await desk()[0].call("cinder_scrape", arguments)

    assert result.problem
    assert words in result.problem.message
    assert result.problem.block["kind"] == "validation"


def test_arguments_and_defaults_are_those_of_the_contract() -> None:
    listed = cinder_scrape.definition()
    properties = listed["inputSchema"]["properties"]

    assert {name: schema.get("default") for name, schema in properties.items()} == {
        "url": None, "mode": "smart", "includeMetadata": True, "returnFormat": "markdown",
        "fresh": False, "max_tokens": None, "cursor": None,
    }  # fmt: skip
    assert properties["mode"]["enum"] == ["smart", "static", "dynamic"]
    assert properties["returnFormat"]["enum"] == ["markdown", "html", "json"]
    assert listed["inputSchema"]["required"] == ["url"]
    assert set(listed["outputSchema"]["properties"]) == {
        "url", "title", "content", "metadata", "statusCode", "loadTime", "nextCursor"
    }  # fmt: skip


async def test_a_long_page_comes_in_parts_unless_asked_for_more() -> None:
    text = "".join(f"Paragraph {number} is about owls.\n\n" for number in range(30_000)).strip()
    harness, _ = desk(page(markdown=text))
    parts: list[str] = []
    further: dict[str, str] = {}
    while not parts or further:
        result = await harness.call("cinder_scrape", {"url": URL} | further)
        assert result.structured
        assert json_size(result.structured) <= 50_000
        parts.append(result.structured["content"])
        cursor = result.structured.get("nextCursor")
        further = {"cursor": cursor} if cursor else {}

    assert len(text) > 870_000
    assert "".join(parts) == text
    whole = await harness.call("cinder_scrape", {"url": URL, "max_tokens": 1_000_000})
    assert whole.structured
    assert whole.structured["content"] == text


async def test_metadata_leave_room_for_the_content() -> None:
    many = {f"og:{number}": "x" * 100 for number in range(1000)}
    harness, _ = desk(page(structured=StructuredData(openGraph=many)))

    result = await harness.call("cinder_scrape", {"url": URL})

    assert result.structured
    assert result.structured["content"] == MARKDOWN
    assert result.structured["metadata"]["author"] == "Ada Owl, Bo Barn"
    assert "structuredData" not in result.structured["metadata"]
    assert "returnFormat json" in result.meta["omitted"]["metadata.structuredData"]

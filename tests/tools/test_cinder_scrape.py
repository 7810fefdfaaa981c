"""`cinder_scrape`: seed 002's contract, as a client sees it."""

import base64
import hashlib
import json
from typing import Any

import pytest

from tests.support import CallHarness, override, services
from webquarry.content.text.token_count import json_size
from webquarry.crawl.visit_options import VisitOptions
from webquarry.errors import BrowserError, NotFoundError, WebquarryError
from webquarry.models.page import PageMetadata, StructuredData
from webquarry.models.reading import RawResponse, Reading, ReadMode
from webquarry.models.result import ImageBlock
from webquarry.net.url import Url
from webquarry.reading.browser.rendered_response import RenderedResponse
from webquarry.reading.browser.screenshots import Screenshot, ScreenshotOptions
from webquarry.reading.page_cache import PageCache
from webquarry.reading.service import ReadingDependencies, ReadingService
from webquarry.services.cinder.cinder_screenshots import PageScreenshots
from webquarry.storage.artifacts import Artifacts
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
        "formats": None, "fullPage": False, "fresh": False, "steps": None, "max_tokens": None,
        "cursor": None,
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


SOURCE = (
    "<title>Owls</title><main><h1>Owls</h1><p>They hunt at night.</p><a href='/2'>2</a>"
    "<img src='owl.png'><p>Price: 12.50 EUR</p></main>"
)


async def test_several_formats_are_returned_at_once_each_in_its_own_field() -> None:
    asked = {"formats": ["markdown", "html", "rawHtml", "text", "links", "images"]}
    found = await scraped(
        {**asked, "includeMetadata": False}, page(source=SOURCE, html="<h1>Owls</h1>")
    )

    assert found.pop("loadTime") >= 0
    assert found == {
        "url": URL,
        "title": "Owls",
        "content": "",
        "statusCode": 203,
        "markdown": MARKDOWN,
        "html": "<h1>Owls</h1>",
        "rawHtml": SOURCE,
        "text": "Owls They hunt at night. 2 Price: 12.50 EUR",
        "links": ["https://owls.test/2"],
        "images": ["https://owls.test/owl.png"],
    }


async def test_with_formats_a_return_format_is_used_only_if_it_was_asked_for() -> None:
    found = await scraped({"formats": ["links"], "returnFormat": "markdown"})

    assert (found["content"], found["links"]) == (MARKDOWN, [])


async def test_json_has_the_data_of_a_schema() -> None:
    schema = {"type": "object", "properties": {"price": {"type": "number"}}}
    found = await scraped({"formats": ["json"], "schema": schema}, page(source=SOURCE))
    plain = await scraped({"formats": ["json"]}, page(source=SOURCE))

    assert found["json"] == {
        "data": {"price": 12.5},
        "sources": {"/price": {"quote": "Price: 12.50 EUR", "method": "label"}},
    }
    assert plain["json"]["keywords"] == ["owls", "birds"]


async def test_long_formats_are_read_with_a_cursor() -> None:
    source = SOURCE + "<p>Owls.</p>" * 800
    tools, _ = desk(page(source=source))
    asked = {"url": URL, "formats": ["markdown", "rawHtml"], "max_tokens": 1000}
    pieces: list[dict[str, Any]] = []
    while not pieces or "nextCursor" in pieces[-1]:
        cursor = {"cursor": pieces[-1]["nextCursor"]} if pieces else {}
        body = (await tools.call("cinder_scrape", asked | cursor)).structured
        assert body
        assert json_size(body) <= 4000
        pieces.append(body)

    assert "".join(piece["markdown"] for piece in pieces) == MARKDOWN
    assert "".join(piece["rawHtml"] for piece in pieces) == source


async def test_data_that_leaves_no_room_is_named_and_left_out() -> None:
    long = page(markdown="\n\n".join(f"## Part {n}\n\nOwls." for n in range(500)), source=SOURCE)
    result = await desk(long)[0].call(
        "cinder_scrape", {"url": URL, "formats": ["json"], "max_tokens": 1000}
    )

    assert result.structured
    assert "json" not in result.structured
    assert "ask with a larger max_tokens" in result.meta["omitted"]["json"]


class Camera:
    """Takes one screenshot, or fails."""

    def __init__(self, image: Screenshot | WebquarryError) -> None:
        self.image = image
        self.options: list[ScreenshotOptions] = []

    async def render(self, url: str, seconds: float, options: VisitOptions) -> RenderedResponse:
        assert options.screenshot
        self.options.append(options.screenshot)
        if isinstance(self.image, WebquarryError):
            raise self.image
        return RenderedResponse(url=url, status=200, content=b"<p>", screenshot=self.image)


def _photographed(image: Screenshot | WebquarryError) -> tuple[CallHarness, Camera]:
    camera = Camera(image)
    artifacts = Artifacts(MemoryStore())
    taker = PageScreenshots(renderer=camera, artifacts=artifacts)
    found = override(services(reader=Shelf(page())), screenshots=taker, artifacts=artifacts)
    return CallHarness((cinder_scrape,), services=found), camera


async def test_a_screenshot_is_stored_and_shown_to_the_model() -> None:
    tools, camera = _photographed(
        Screenshot(content=b"img", image_type="webp", width=9, height=8, truncated=True)
    )
    asked = {"url": URL, "formats": ["screenshot"], "fullPage": True, "imageType": "webp"}

    result = await tools.call("cinder_scrape", asked)

    assert camera.options == [ScreenshotOptions(full_page=True, image_type="webp")]
    assert result.structured
    shot = result.structured["screenshot"]
    digest = hashlib.sha256(b"img").hexdigest()
    assert shot == {
        "mimeType": "image/webp", "width": 9, "height": 8, "bytes": 3, "truncated": True,
        "url": f"/v1/artifacts/{digest}", "resource": f"research://artifact/{digest}",
    }  # fmt: skip
    images = [block for block in result.content if isinstance(block, ImageBlock)]
    assert images == [ImageBlock(data=base64.b64encode(b"img").decode(), mimeType="image/webp")]


async def test_a_large_screenshot_is_linked_only() -> None:
    tools, _ = _photographed(Screenshot(content=b"img", image_type="png", width=9, height=9000))

    result = await tools.call("cinder_scrape", {"url": URL, "formats": ["screenshot"]})

    assert not any(isinstance(block, ImageBlock) for block in result.content)
    assert result.structured
    assert result.structured["screenshot"]["height"] == 9000


async def test_without_a_screenshot_the_other_formats_are_returned_and_the_reason() -> None:
    tools, _ = _photographed(BrowserError("no Chromium found"))

    both = await tools.call("cinder_scrape", {"url": URL, "formats": ["markdown", "screenshot"]})
    alone = await tools.call("cinder_scrape", {"url": URL, "formats": ["screenshot"]})

    assert both.structured
    assert both.structured["markdown"] == MARKDOWN
    assert both.meta["omitted"] == {"screenshot": "no Chromium found"}
    assert alone.problem
    assert alone.problem.message == "no Chromium found"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"formats": ["summary"]}, "formats: summary needs a language model; set LLM_MODEL"),
        ({"formats": ["markdown"], "schema": {"type": "object"}}, "schema: is for the format json"),
        ({"formats": ["pdf"]}, "formats"),
    ],
)
async def test_formats_that_cannot_be_made_are_refused(
    arguments: dict[str, Any], words: str
) -> None:
    result = await desk()[0].call("cinder_scrape", {"url": URL, **arguments})

    assert result.problem
    assert words in result.problem.message

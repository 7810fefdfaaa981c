"""`cinder_extract`: seed 002's contract, as a client sees it."""

import json
from typing import Any

import jsonschema
import pytest

from tests.support import CallHarness, override, services
from webquarry.content.fields.json_schema import nullable, resolve_schema
from webquarry.content.html.read_html import read_html
from webquarry.errors import NotFoundError, PayloadError
from webquarry.models.caller import Caller
from webquarry.models.reading import RawResponse, Reading, ReadMode
from webquarry.net.url import Url
from webquarry.parsing.parsers import Parsers
from webquarry.reading.page_cache import PageCache
from webquarry.reading.service import ReadingDependencies, ReadingService
from webquarry.services.extraction.service import ExtractionService
from webquarry.services.llm.llm_port import LlmAnswer, LlmTask, LlmUsage
from webquarry.storage.memory_store import MemoryStore
from webquarry.tools.cinder_extract import cinder_extract

pytestmark = pytest.mark.anyio

URL = "https://shop.test/mug"
HTML = """<html><head><title>Mug</title></head><body><main><h1>Alpine Mug</h1>
<p class="price">$49.90</p><p>It keeps tea hot for six hours.</p>
<table><tr><th>Brand</th><td>Nordkamm</td></tr><tr><th>Capacity</th><td>450 ml</td></tr></table>
<p>Weight: light as a feather</p><p>4.6 out of 5 stars (128 reviews)</p></main></body></html>"""
SCHEMA = {
    "type": "object",
    "required": ["name", "price"],
    "properties": {
        "name": {"type": "string"},
        "price": {"type": "number", "minimum": 0},
        "brand": {"type": "string"},
        "weight": {"type": "number"},
        "color": {"type": "string"},
    },
}


class Shelf:
    """Reads one page."""

    async def read(self, url: Url, seconds: float) -> Reading:
        if "none" in url.href:
            raise NotFoundError(f"Not found: {url.href}")
        read = read_html(HTML, url=url.href)
        return Reading(
            url=url.href, final_url=url.href, markdown=read.markdown, kind="html",
            metadata=read.metadata, source=HTML,
        )  # fmt: skip

    async def read_raw(self, url: Url, seconds: float, max_bytes: int) -> RawResponse:
        raise AssertionError("nobody asked for bytes")


class Oracle:
    """A language model that says one thing."""

    def __init__(self, data: Any, quotes: dict[str, str] | None = None) -> None:
        told = [{"path": path, "quote": quote} for path, quote in (quotes or {}).items()]
        self.said = {"data": data, "quotes": told}
        self.tasks: list[LlmTask] = []

    async def answer(self, task: LlmTask, caller: Caller) -> LlmAnswer:
        self.tasks.append(task)
        return LlmAnswer(self.said, LlmUsage(tokens_in=100, tokens_out=10, cost_usd=0.002))


class Mute:
    """A language model that is out of order."""

    async def answer(self, task: LlmTask, caller: Caller) -> LlmAnswer:
        raise PayloadError("no valid answer", provider="llm")


def desk(model: Any = None, parsers: Parsers | None = None) -> CallHarness:
    extraction = ExtractionService(model, parsers=parsers)
    found = override(services(reader=Shelf()), extraction=extraction)
    return CallHarness((cinder_extract,), services=found)


async def extracted(arguments: dict[str, Any], model: Any = None) -> dict[str, Any]:
    asked = {"urls": [URL], "prompt": "the product", **arguments}
    parsers = Parsers()
    result = await desk(model, parsers).call("cinder_extract", asked)
    await parsers.aclose()
    assert result.structured, result
    return result.structured["results"][0]


async def test_every_value_has_its_quote_and_what_is_missing_its_reason() -> None:
    assert await extracted({"schema": SCHEMA}) == {
        "url": URL,
        "data": {
            "name": "Alpine Mug", "price": 49.9, "brand": "Nordkamm", "weight": None, "color": None,
        },
        "sources": {
            "/name": {"quote": "Alpine Mug", "method": "heading"},
            "/price": {"quote": "$49.90", "method": "element"},
            "/brand": {"quote": "Brand: Nordkamm", "method": "table"},
        },
        "missing": {
            "/weight": "found 'light as a feather', which is not clearly one number",
            "/color": "not found on the page",
        },
    }  # fmt: skip


async def test_the_data_agree_with_the_schema_once_it_allows_null() -> None:
    found = await extracted({"schema": SCHEMA})

    jsonschema.validate(found["data"], nullable(resolve_schema(SCHEMA)))


async def test_without_a_schema_the_prompt_names_the_fields() -> None:
    found = await extracted({"prompt": "Extract product name, price, and customer rating"})

    assert found["data"] == {"productName": "Alpine Mug", "price": 49.9, "customerRating": 4.6}


async def test_a_prompt_that_names_nothing_gets_what_the_page_states_about_itself() -> None:
    found = await extracted({"prompt": "Get all the information on this page please"})

    assert found == {
        "url": URL,
        "data": [],
        "missing": {"": "the page has no structured data"},
        "note": "Name the fields, or give a schema.",
    }


async def test_selectors_take_exactly_what_they_point_at() -> None:
    fields = {
        "volume": {"type": "number", "x-selector": "tr:nth-child(2) td"},
        "stars": {"type": "string", "x-selector": "//main/p[last()]/text()"},
        "cells": {"type": "array", "items": {"type": "string"}, "x-selector": "th"},
        "nothing": {"type": "string", "x-selector": ".price-old"},
    }

    found = await extracted({"schema": {"type": "object", "properties": fields}})

    assert found["data"] == {
        "volume": 450, "stars": "4.6 out of 5 stars (128 reviews)",
        "cells": ["Brand", "Capacity"], "nothing": None,
    }  # fmt: skip
    assert found["sources"]["/volume"] == {"quote": "450 ml", "method": "selector"}
    assert found["missing"] == {"/nothing": "'.price-old' matches nothing"}


async def test_one_page_that_cannot_be_read_does_not_take_the_others_with_it() -> None:
    asked = {"urls": ["https://shop.test/none", URL], "prompt": "name"}
    result = await desk().call("cinder_extract", asked)

    assert result.structured
    first, second = result.structured["results"]
    assert first == {
        "url": "https://shop.test/none",
        "error": {
            "kind": "not_found", "reason": "Not found: https://shop.test/none",
            "retryable": False, "suggestedAction": "inform_user",
        },
    }  # fmt: skip
    assert second["data"] == {"name": "Alpine Mug"}


async def test_a_model_fills_in_what_the_page_bears_out_and_nothing_else() -> None:
    oracle = Oracle(
        {"name": "Alpine Mug", "price": 12, "brand": "Acme", "weight": 3, "color": "Azure"},
        {
            "/price": "$49.90",  # says something else
            "/brand": "made by Acme",  # is not on the page
            "/weight": "It keeps tea hot for six hours.",
            "/color": "It keeps tea hot for six hours.",
        },
    )

    found = await extracted({"schema": SCHEMA}, oracle)

    assert found["data"] == {
        "name": "Alpine Mug", "price": 49.9, "brand": "Nordkamm", "weight": None, "color": None,
    }  # fmt: skip
    assert found["sources"]["/name"] == {"quote": "Alpine Mug", "method": "llm"}
    assert found["missing"] == {
        "/weight": "the model's quote does not say so",
        "/color": "the model's quote does not say so",
    }


async def test_a_value_that_the_model_infers_is_kept_on_request_and_marked() -> None:
    oracle = Oracle(
        {"name": "Alpine Mug", "price": 12, "brand": "Acme", "weight": 3, "color": "azure"},
        {"/brand": "made by Acme"},
    )

    found = await extracted({"schema": SCHEMA, "ungrounded": True}, oracle)

    # a value that the page states is never replaced by an inferred one
    assert found["data"] == {
        "name": "Alpine Mug", "price": 49.9, "brand": "Nordkamm", "weight": 3, "color": "azure",
    }  # fmt: skip
    assert found["sources"] == {
        "/name": {"quote": "Alpine Mug", "method": "llm"},
        "/price": {"quote": "$49.90", "method": "element"},
        "/brand": {"quote": "Brand: Nordkamm", "method": "table"},
        "/weight": {"quote": "", "method": "llm", "ungrounded": True},
        "/color": {"quote": "", "method": "llm", "ungrounded": True},
    }
    assert "infer it from the page" in oracle.tasks[0].instructions


async def test_inferred_values_must_agree_with_the_schema() -> None:
    schema = {"type": "object", "properties": {"mood": {"type": "string", "enum": ["up", "down"]}}}

    found = await extracted({"schema": schema, "ungrounded": True}, Oracle({"mood": "sideways"}))

    assert found["data"] == {"mood": None}
    assert found["missing"]["/mood"].startswith("the model's value ")


async def test_without_a_model_nothing_can_be_inferred() -> None:
    result = await desk().call(
        "cinder_extract", {"urls": [URL], "prompt": "name", "ungrounded": True}
    )

    assert result.problem
    assert "ungrounded: only a language model can infer values; set LLM_MODEL" in (
        result.problem.message
    )


@pytest.mark.parametrize(
    "prompt", ["Summarise what customers think", "Please classify the mood", "Why is it cheap?"]
)
async def test_a_prompt_that_needs_a_model_says_so_before_any_page_is_read(prompt: str) -> None:
    found = override(services(reader=NoOne()), extraction=ExtractionService())
    tools = CallHarness((cinder_extract,), services=found)

    result = await tools.call("cinder_extract", {"urls": [URL], "prompt": prompt})

    assert result.problem
    assert "needs a language model: set LLM_MODEL" in result.problem.message
    assert "or give a schema" in result.problem.message
    assert result.problem.block["kind"] == "config"


async def test_a_prompt_whose_fields_the_page_lacks_says_how_it_was_read() -> None:
    found = await extracted({"prompt": "customer happiness"})

    assert found["data"] == {"customerHappiness": None}
    assert found["note"].startswith("No language model is configured (LLM_MODEL), so the prompt ")
    assert "customerHappiness" in found["note"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"urls": [URL], "crawlId": "x"}, "give urls or crawlId, one of them"),
        ({}, "give urls or crawlId, one of them"),
        ({"urls": [URL], "offset": 3}, "offset: is for crawlId only"),
    ],
)
async def test_pages_come_from_one_place(arguments: dict[str, Any], message: str) -> None:
    result = await desk().call("cinder_extract", {"prompt": "name", **arguments})

    assert result.problem
    assert message in result.problem.message


async def test_a_model_reads_the_cleaned_page_and_what_it_took_is_told() -> None:
    oracle = Oracle({"hours": "six hours"}, {"/hours": "keeps tea hot for six hours"})
    schema = {"type": "object", "properties": {"hours": {"type": "string"}}}
    asked = {"urls": [URL], "prompt": "how long", "schema": schema}

    result = await desk(oracle).call("cinder_extract", asked)

    assert result.structured
    assert result.structured["results"][0]["data"] == {"hours": "six hours"}
    assert result.meta["llm"] == {"inputTokens": 100, "outputTokens": 10, "costUsd": 0.002}
    assert "<h1>" not in oracle.tasks[0].text
    assert "Alpine Mug" in oracle.tasks[0].text


async def test_a_model_that_fails_leaves_the_rules_and_says_so() -> None:
    found = await extracted({"schema": SCHEMA}, Mute())

    assert found["data"]["price"] == 49.9
    assert found["note"] == "Without the language model: no valid answer"


@pytest.mark.parametrize("mode", ["smart", "static", "dynamic"])
async def test_pages_are_read_whole_and_in_the_mode_that_was_asked_for(mode: Any) -> None:
    readers = {ReadMode(strategy=way, keep_source=True): Shelf() for way in (mode,)}
    reading = ReadingService(
        NoOne(), PageCache(MemoryStore()), dependencies=ReadingDependencies(readers=readers)
    )
    found = override(services(), reading=reading)
    tools = CallHarness((cinder_extract,), services=found)

    result = await tools.call("cinder_extract", {"urls": [URL], "prompt": "price", "mode": mode})

    assert result.structured
    assert result.structured["results"][0]["data"] == {"price": 49.9}


class NoOne(Shelf):
    """Must not be asked."""

    async def read(self, url: Url, seconds: float) -> Reading:
        raise AssertionError("read in another manner")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"urls": []}, "urls: "),
        ({"prompt": ""}, "prompt: "),
        ({"mode": "quick"}, "mode: "),
        ({"schema": {"type": "string"}}, "schema: must describe an object or an array"),
        ({"schema": {"type": "object", "not": {}}}, "schema: not is not supported"),
        ({"schema": {"properties": {"a": {"type": "date"}}}}, "schema.a: type must be one of"),
        (
            {"schema": {"properties": {"a": {"$ref": "#/x"}}}},
            "schema.a: '#/x' is not in the schema",
        ),
        ({"schema": {"properties": {"a": {"pattern": "(?=a)"}}}}, "schema.a: the pattern"),
        ({"schema": {"properties": {"a": {"x-selector": "p["}}}}, "x-selector: 'p[' is not CSS"),
        ({"schema": {"properties": {"a": {"x-selector": "//p["}}}}, "is not XPath"),
        ({"schema": {"properties": {"a": {"x-selector": "//p[//a]"}}}}, "once for each element"),
        ({"schema": {"properties": {"a": {"minLength": "x"}}}}, "schema.a: minLength must be"),
        ({"schema": {"properties": {"a": {"type": {}}}}}, "schema.a: type must be one of"),
        ({"shema": {}}, "did you mean schema?"),
    ],
)
async def test_wrong_arguments_are_named(arguments: dict[str, Any], words: str) -> None:
    asked = {"urls": [URL], "prompt": "name", **arguments}
    result = await desk().call("cinder_extract", asked)

    assert result.problem
    assert words in result.problem.message
    assert result.problem.block["kind"] == "validation"


async def test_a_token_budget_cuts_the_results_and_a_cursor_goes_on() -> None:
    urls = [f"{URL}/{number}" for number in range(12)]
    asked = {"urls": urls, "prompt": "name", "max_tokens": 200}
    tools = desk()

    first = (await tools.call("cinder_extract", asked)).structured
    assert first
    rest = await tools.call("cinder_extract", {**asked, "cursor": first["nextCursor"]})

    assert len(json.dumps(first)) <= 800
    assert rest.structured
    assert rest.structured["results"][0]["url"] == urls[len(first["results"])]


def test_arguments_and_defaults_are_those_of_the_contract() -> None:
    listed = cinder_extract.definition()
    properties = listed["inputSchema"]["properties"]

    assert {name: schema.get("default") for name, schema in properties.items()} == {
        "urls": None, "prompt": None, "schema": None, "mode": "smart", "max_tokens": None,
        "cursor": None, "crawlId": None, "offset": 0, "ungrounded": False,
    }  # fmt: skip
    assert properties["mode"]["enum"] == ["smart", "static", "dynamic"]
    assert listed["inputSchema"]["required"] == ["prompt"]
    assert len(json.dumps(listed, separators=(",", ":"))) <= 350 * 4

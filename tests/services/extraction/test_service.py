"""Extracted values say whether the page shows them or only declares them."""

import pytest

from webquarry.content.html.read_html import read_html
from webquarry.models.caller import Caller
from webquarry.models.extraction import FieldSource
from webquarry.services.extraction.service import (
    ExtractionService,
    LlmUsageTotal,
    extraction_request,
)

pytestmark = pytest.mark.anyio

URL = "https://shop.test/mug"
HTML = """<html><head><title>Mug</title><script type="application/ld+json">
{"@type": "Product", "name": "Alpine Mug", "sku": "A-17"}</script></head><body><main>
<h1>Alpine Mug</h1><p>It keeps tea hot for six hours, on every mountain and in every office.</p>
<table><tr><th>Brand</th><td>Nordkamm</td></tr></table></main></body></html>"""
SCHEMA = {
    "type": "object",
    "properties": {"sku": {"type": "string"}, "brand": {"type": "string"}},
}


async def test_a_value_from_json_ld_is_marked_as_declared() -> None:
    reading = read_html(HTML, url=URL).model_copy(update={"source": HTML})
    request = extraction_request("the product", SCHEMA)

    page = await ExtractionService().extract(URL, reading, request, Caller(), LlmUsageTotal())

    assert page.sources is not None
    assert {name: (source.method, source.declared) for name, source in page.sources.items()} == {
        "/sku": ("json-ld", True),
        "/brand": ("table", None),
    }


async def test_structured_data_without_fields_is_marked_as_declared() -> None:
    reading = read_html(HTML, url=URL).model_copy(update={"source": HTML})
    request = extraction_request("everything", None)

    page = await ExtractionService().extract(URL, reading, request, Caller(), LlmUsageTotal())

    assert page.sources == {
        "/0": FieldSource(quote="3 properties", method="json-ld", declared=True)
    }

"""The OpenAPI document of the REST interface."""

import json
from typing import Any

import pytest

from tests.server.rest_client import rest_client
from tests.services.cinder.fakes import Crawls
from tests.support import override, services

pytestmark = pytest.mark.anyio


async def described() -> dict[str, Any]:
    async with rest_client(override(services(), crawling=Crawls())) as client:
        return (await client.get("/v1/openapi.json")).json()


async def test_every_operation_is_listed_once() -> None:
    document = await described()

    assert document["openapi"] == "3.1.0"
    found = {
        (method, path): operation["operationId"]
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    }
    assert found == {
        ("post", "/v1/scrape"): "scrape",
        ("post", "/v1/parse"): "parse",
        ("post", "/v1/search"): "search",
        ("post", "/v1/map"): "map",
        ("post", "/v1/crawl"): "startCrawl",
        ("get", "/v1/crawl"): "listCrawls",
        ("get", "/v1/crawl/{id}"): "getCrawl",
        ("get", "/v1/crawl/{id}/errors"): "listCrawlErrors",
        ("post", "/v1/batch/scrape"): "startBatch",
        ("get", "/v1/batch/scrape/{id}"): "getBatch",
        ("delete", "/v1/batch/scrape/{id}"): "cancelBatch",
        ("get", "/v1/batch/scrape/{id}/errors"): "listBatchErrors",
        ("get", "/v1/batch/scrape/{id}/events"): "watchBatch",
        ("get", "/v1/artifacts/{id}"): "getArtifact",
        ("get", "/v1/batch/scrape/{id}/export"): "exportBatch",
        ("get", "/v1/batch/scrape/{id}/screenshots/{number}"): "getBatchScreenshot",
        ("delete", "/v1/crawl/{id}"): "cancelCrawl",
        ("get", "/v1/crawl/{id}/events"): "watchCrawl",
        ("get", "/v1/crawl/{id}/export"): "exportCrawl",
        ("get", "/v1/crawl/{id}/screenshots/{number}"): "getCrawlScreenshot",
        ("post", "/v1/extract"): "extract",
        ("post", "/v1/check"): "startCheck",
        ("get", "/v1/check/{id}"): "getCheck",
        ("delete", "/v1/check/{id}"): "cancelCheck",
        ("get", "/v1/check/{id}/events"): "watchCheck",
        ("get", "/v1/check/{id}/report"): "exportCheck",
        ("get", "/v1/crawl/{id}/bundle"): "exportCrawlBundle",
        ("get", "/v1/batch/scrape/{id}/bundle"): "exportBatchBundle",
        ("get", "/v1/check/{id}/bundle"): "exportCheckBundle",
        ("get", "/v1/session/{id}/bundle"): "exportSessionBundle",
    }


async def test_schemas_include_bounds_and_required_fields() -> None:
    schemas = (await described())["components"]["schemas"]

    query = schemas["CinderSearchIn"]["properties"]["query"]
    assert (query["minLength"], query["maxLength"]) == (1, 500)
    row = schemas["CinderResult"]
    assert row["required"] == ["id", "title", "url", "domain", "summary", "relevance"]
    assert row["properties"]["relevance"] == {
        "maximum": 1, "minimum": 0, "title": "Relevance", "type": "number"
    }  # fmt: skip
    assert "idempotencyKey" not in schemas["CinderCrawlIn"]["properties"]


async def test_every_reference_resolves() -> None:
    document = await described()
    text = json.dumps(document)
    references = {part.split('"')[0] for part in text.split('"$ref": "')[1:]}

    for reference in references:
        found: Any = document
        for name in reference.removeprefix("#/").split("/"):
            found = found[name]
        assert found, reference


async def test_parameters_have_the_bounds_of_the_tool() -> None:
    document = await described()

    parameters = {p["name"]: p for p in document["paths"]["/v1/crawl/{id}"]["get"]["parameters"]}
    assert set(parameters) == {"id", "offset", "limit", "max_tokens", "cursor"}
    assert parameters["limit"]["schema"]["maximum"] == 100
    assert parameters["offset"]["schema"]["default"] == 0

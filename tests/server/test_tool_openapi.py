"""The tools as an OpenAPI tool server, as Open WebUI and n8n use it."""

import json
import re
from collections.abc import Iterator
from typing import Any, cast

import httpx2
import pytest

from tests.documentation.blocks import ROOT, blocks_in
from tests.server.compat.sample_web import PAGES, sample_web
from tests.server.http_server import http_server
from tests.server.loopback_site import settings_for
from webquarry.calls.registry import Registry
from webquarry.server.tool_openapi import tool_document
from webquarry.tools import load_tools

ADMIN = {"x-admin-key": "the-admin-key-of-this-test"}
ORIGIN = "https://chat.example.org"


class ToolServerClient:
    """Turns operations into tools and calls them, by the rules of Open WebUI.

    The document is at `<url>/openapi.json`; a path of it is appended to the same URL; the name of a
    tool is its operationId; references are looked up in the components only.
    """

    def __init__(self, http: httpx2.Client, url: str, key: str) -> None:
        self._http, self._url = http, url
        self._headers = {"Authorization": f"Bearer {key}", "Origin": ORIGIN}
        answer = http.get(f"{url}/openapi.json", headers=self._headers)
        assert answer.status_code == 200
        self.document = answer.json()

    def tools(self) -> dict[str, Any]:
        """Return name, description and parameters of every tool."""
        found: dict[str, Any] = {}
        for methods in self.document["paths"].values():
            for operation in methods.values():
                content = operation["requestBody"]["content"]["application/json"]
                found[operation["operationId"]] = {
                    "description": operation["description"],
                    "parameters": self._resolved(content["schema"]),
                }
        return found

    def call(self, name: str, arguments: dict[str, Any]) -> httpx2.Response:
        [path] = [
            path
            for path, methods in self.document["paths"].items()
            for operation in methods.values()
            if operation["operationId"] == name
        ]
        return self._http.post(f"{self._url}{path}", json=arguments, headers=self._headers)

    def _resolved(self, schema: Any) -> Any:
        if isinstance(schema, list):
            return [self._resolved(item) for item in cast("list[Any]", schema)]
        if not isinstance(schema, dict):
            return schema
        named = cast("dict[str, Any]", schema)
        if "$ref" in named:
            name = re.fullmatch(r"#/components/schemas/(\w+)", named["$ref"])
            assert name
            return self._resolved(self.document["components"]["schemas"][name[1]])
        return {key: self._resolved(value) for key, value in named.items()}


@pytest.fixture(scope="module")
def web() -> Iterator[str]:
    with sample_web() as address:
        yield address


@pytest.fixture(scope="module")
def http(web: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx2.Client]:
    settings = settings_for(web) | {
        "API_KEYS": "on",
        "ADMIN_API_KEY": ADMIN["x-admin-key"],
        "ALLOWED_ORIGINS": ORIGIN,
    }
    with http_server(tmp_path_factory.mktemp("tools"), settings=settings) as client:
        yield client


def key_of(http: httpx2.Client, *scopes: str) -> str:
    body = {"tenant_id": "acme", "user_id": "ann", "scopes": list(scopes)}
    return str(http.post("/admin/keys", json=body, headers=ADMIN).json()["key"])


def test_every_tool_is_an_operation_with_a_description_and_its_arguments(
    http: httpx2.Client,
) -> None:
    client = ToolServerClient(http, "/v1/tools", key_of(http))
    listed = http.get("/v1/tools", headers={"x-api-key": key_of(http)}).json()["tools"]

    tools = client.tools()

    assert set(tools) == {tool["name"] for tool in listed}
    for tool in listed:
        shown = tools[tool["name"]]
        assert shown["description"] == tool["description"]
        assert set(shown["parameters"]["properties"]) == set(tool["inputSchema"]["properties"])


def test_a_tool_is_called_as_open_webui_calls_it(http: httpx2.Client, web: str) -> None:
    client = ToolServerClient(http, "/v1/tools", key_of(http))

    found = client.call("web_search", {"query": "owls", "num_results": 1})
    page = client.call("scrape_page", {"url": f"{web}/barn"})
    wrong = client.call("web_search", {})

    assert found.json()["results"][0]["title"] == PAGES["/barn"].title
    assert page.json()["content"].startswith(f"# {PAGES['/barn'].title}")
    assert page.headers["access-control-allow-origin"] == ORIGIN
    assert (wrong.status_code, wrong.json()["detail"]) == (400, "web_search: query: is required")


def test_a_browser_may_ask_before_it_calls(http: httpx2.Client) -> None:
    headers = {"Origin": ORIGIN, "Access-Control-Request-Headers": "authorization,content-type"}

    answer = http.request("OPTIONS", "/v1/tools/web_search", headers=headers)

    assert answer.status_code == 204
    allowed = answer.headers["access-control-allow-headers"].lower()
    assert {"authorization", "content-type"} <= set(allowed.split(", "))


def test_a_key_sees_the_tools_of_its_scopes_only(http: httpx2.Client) -> None:
    client = ToolServerClient(http, "/v1/tools", key_of(http, "tool:scrape_page"))

    assert set(client.tools()) == {"scrape_page"}
    assert http.get("/v1/tools/openapi.json").status_code == 401


def test_definitions_of_a_schema_are_found_among_the_components() -> None:
    document = tool_document(Registry(load_tools()).definitions())
    text = json.dumps(document)

    references = set(re.findall(r'"\$ref": "([^"]+)"', text))
    names = {ref.removeprefix("#/components/schemas/") for ref in references}
    assert names <= set(document["components"]["schemas"])
    assert "$defs" not in text


def test_the_node_of_the_documentation_makes_a_request_that_works(http: httpx2.Client) -> None:
    [node] = [
        json.loads(block.text)["nodes"][0]
        for block in blocks_in(ROOT / "docs" / "compat.md")
        if block.language == "json" and '"nodes"' in block.text
    ]
    parameters = node["parameters"]
    path = parameters["url"].removeprefix("http://127.0.0.1:8642")
    headers = {"Authorization": f"Bearer {key_of(http)}"}

    answer = http.request(
        parameters["method"], path, content=parameters["jsonBody"].lstrip("="), headers=headers
    )

    assert node["type"] == "n8n-nodes-base.httpRequest"
    assert answer.json()["results"][0]["title"] == PAGES["/barn"].title

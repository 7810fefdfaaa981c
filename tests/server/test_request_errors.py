"""Every error of the HTTP server is a problem (RFC 9457), except for MCP clients."""

import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from tests.server.http_server import http_server
from webquarry.server.request_errors import error_handlers

PROBLEM = "application/problem+json"


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx2.Client]:
    settings = {"METRICS_TOKEN": "s" * 32, "HTTP_MAX_HEADER_BYTES": "4KiB"}
    settings |= {"MAX_REQUEST_BODY_BYTES": "2KiB", "ADMIN_API_KEY": "k" * 32}
    with http_server(tmp_path_factory.mktemp("errors"), settings=settings) as client:
        yield client


@pytest.mark.parametrize(
    ("request_line", "headers", "status", "kind", "detail"),
    [
        ("GET /v1/nothing", {}, 404, "not_found",
         "There is nothing at /v1/nothing. /v1/openapi.json lists the REST API."),
        ("GET /nothing", {}, 404, "not_found",
         "There is nothing at /nothing. /v1/openapi.json lists the REST API."),
        ("GET /assets/nothing.js", {}, 404, "not_found",
         "There is nothing at /assets/nothing.js. /v1/openapi.json lists the REST API."),
        ("POST /v1/tools/nothing", {}, 404, "not_found", "Unknown tool: nothing"),
        ("GET /v1/search", {}, 405, "validation",
         "/v1/search does not take GET; allowed: POST."),
        ("PUT /v1/crawl/x", {}, 405, "validation",
         "/v1/crawl/x does not take PUT; allowed: DELETE, GET, HEAD."),
        ("GET /v1/tools", {"host": "evil.example"}, 421, "config",
         "Host 'evil.example' is not allowed. Add it to ALLOWED_HOSTS."),
        ("GET /v1/tools", {"origin": "https://evil.example"}, 403, "config",
         "Origin 'https://evil.example' is not allowed. Add it to ALLOWED_ORIGINS."),
        ("GET /metrics", {}, 401, "auth_required",
         "Send METRICS_TOKEN as a bearer token, or the admin key as X-Admin-Key."),
    ],
)  # fmt: skip
def test_a_rejected_request_gets_a_problem(
    client: httpx2.Client,
    request_line: str,
    headers: dict[str, str],
    status: int,
    kind: str,
    detail: str,
) -> None:
    method, path = request_line.split()
    response = client.request(method, path, headers=headers)

    assert (response.status_code, response.headers["content-type"]) == (status, PROBLEM)
    body = response.json()
    assert (body["status"], body["kind"]) == (status, kind)
    assert body["detail"].startswith(detail)
    assert {"type", "title", "retryable", "suggestedAction"} <= body.keys()
    assert response.headers["x-content-type-options"] == "nosniff"
    assert response.headers["x-request-id"]
    assert ("allow" in response.headers) == (status == 405)


def test_a_page_from_elsewhere_cannot_read_its_rejection(client: httpx2.Client) -> None:
    response = client.get("/v1/tools", headers={"origin": "https://evil.example"})

    assert "access-control-allow-origin" not in response.headers


def test_a_405_lists_the_methods(client: httpx2.Client) -> None:
    assert client.put("/v1/crawl/x").headers["allow"] == "DELETE, GET, HEAD"


def test_a_body_that_is_too_large_or_no_json_gets_a_problem(client: httpx2.Client) -> None:
    large = client.post("/v1/tools/echo", content=b'{"message": "%s"}' % (b"x" * 3000))
    wrong = client.post("/v1/search", content=b"query=owls")

    assert [(r.status_code, r.headers["content-type"]) for r in (large, wrong)] == [
        (413, PROBLEM),
        (400, PROBLEM),
    ]


def _send_raw(client: httpx2.Client, data: bytes) -> tuple[str, str, bytes]:
    """Return the status line, the media type and the body of the response."""
    received = b""
    with socket.create_connection((client.base_url.host, client.base_url.port or 80)) as connection:
        connection.settimeout(20)
        connection.sendall(data)
        while part := connection.recv(65536):
            received += part
    head, _, body = received.partition(b"\r\n\r\n")
    status, *lines = head.decode().split("\r\n")
    headers = dict(line.lower().split(": ", 1) for line in lines)
    assert int(headers["content-length"]) == len(body)
    return status, headers["content-type"], body


def test_a_request_that_cannot_be_parsed_gets_a_problem(client: httpx2.Client) -> None:
    large = b"GET / HTTP/1.1\r\nHost: localhost\r\nX-A: " + b"a" * 9000 + b"\r\n\r\n"

    assert _send_raw(client, large) == (
        "HTTP/1.1 431 Request Header Fields Too Large",
        PROBLEM,
        b'{"type":"about:blank","title":"Request Header Fields Too Large","status":431,"detail":'
        b'"The URL and headers of the request are too large (HTTP_MAX_HEADER_BYTES).",'
        b'"kind":"validation","retryable":false,"suggestedAction":"inform_user"}',
    )
    status, kind, body = _send_raw(client, b"this is no HTTP\r\n\r\n")
    assert (status, kind) == ("HTTP/1.1 400 Bad Request", PROBLEM)
    assert b"This is not a valid HTTP request." in body


@pytest.mark.parametrize("headers", [{"host": "evil.example"}, {"origin": "https://evil.example"}])
def test_an_mcp_client_gets_a_json_rpc_error(
    client: httpx2.Client, headers: dict[str, str]
) -> None:
    response = client.post("/mcp", json={}, headers=headers)

    assert response.headers["content-type"] == "application/json"
    body = response.json()
    assert (body["jsonrpc"], body["id"], body["error"]["code"]) == ("2.0", None, -32000)
    assert "is not allowed. Add it to" in body["error"]["message"]


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("path", "media_type"), [("/v1/broken", PROBLEM), ("/mcp", "application/json")]
)
async def test_an_unexpected_error_says_nothing_about_itself(path: str, media_type: str) -> None:
    async def broken(_: Request) -> Response:
        raise RuntimeError("a secret")

    app = Starlette(routes=[Route(path, broken)], exception_handlers=dict(error_handlers()))
    sent: list[Any] = []

    async def receive() -> Any:
        return {"type": "http.request"}

    async def send(message: Any) -> None:
        sent.append(message)

    scope: Any = {"type": "http", "method": "GET", "path": path, "headers": [], "query_string": b"",
                  "state": {"request_id": "r1"}}  # fmt: skip
    with pytest.raises(RuntimeError):  # for the log
        await app(scope, receive, send)

    headers = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
    assert (sent[0]["status"], headers["content-type"]) == (500, media_type)
    assert (headers["x-request-id"], headers["x-content-type-options"]) == ("r1", "nosniff")
    assert b"secret" not in sent[1]["body"]
    assert b"request r1" in sent[1]["body"]


def test_status_polling_does_not_count_against_the_limit_of_costly_work(tmp_path: Path) -> None:
    settings = {"RATE_LIMIT_PER_TENANT": "3", "DAILY_QUOTA_PER_TENANT": "100"}
    with http_server(tmp_path, settings=settings) as client:
        polled = {client.get("/v1/crawl/AAAAAAAAAAAAAAAAAAAAAA").status_code for _ in range(200)}
        worked = [
            client.post("/v1/tools/echo", json={"message": "x"}).status_code for _ in range(7)
        ]
        still = client.get("/v1/crawl/AAAAAAAAAAAAAAAAAAAAAA").status_code

    assert (polled, still) == ({404}, 404)
    assert worked[:3] == [200, 200, 200]
    assert 429 in worked  # at most three per minute, and two minutes at most


def test_reads_still_count_against_the_limit_of_the_whole_server(tmp_path: Path) -> None:
    settings = {"RATE_LIMIT_GLOBAL": "1"}
    with http_server(tmp_path, settings=settings) as client:
        path = "/v1/crawl/AAAAAAAAAAAAAAAAAAAAAA"
        statuses = {client.get(path).status_code for _ in range(200)}

    assert 429 in statuses

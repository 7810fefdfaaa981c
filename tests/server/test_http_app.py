"""The HTTP server as a process: both MCP protocol versions, REST, health."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest

from tests.server.http_server import http_server, messages
from tests.server.processes import CLIENT, ENVELOPE, environment

JSON_AND_STREAM = {"accept": "application/json, text/event-stream"}
ECHO = {"name": "echo", "arguments": {"message": "hi"}}
ECHOED = {
    "content": [{"type": "text", "text": "echoed: hi"}],
    "structuredContent": {"echoed": "hi"},
}


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx2.Client]:
    with http_server(tmp_path_factory.mktemp("http")) as client:
        yield client


def post(client: httpx2.Client, message: dict[str, Any], path: str = "/mcp", **headers: str) -> Any:
    body = {"jsonrpc": "2.0", **message}
    return client.post(path, json=body, headers=JSON_AND_STREAM | headers)


def open_session(client: httpx2.Client, path: str = "/mcp") -> str:
    params = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": CLIENT}
    answer = post(client, {"id": 1, "method": "initialize", "params": params}, path)
    assert messages(answer)[0]["result"]["serverInfo"]["name"] == "webquarry"
    session = answer.headers["mcp-session-id"]
    done = {"method": "notifications/initialized"}
    assert post(client, done, path, **{"mcp-session-id": session}).status_code == 202
    return session


@pytest.mark.parametrize("path", ["/mcp", "/mcp/"])
def test_a_handshake_client_can_call_a_tool_at_both_endpoints(
    client: httpx2.Client, path: str
) -> None:
    session = open_session(client, path)

    answer = post(
        client,
        {"id": 2, "method": "tools/call", "params": ECHO},
        path,
        **{"mcp-session-id": session},
    )

    assert answer.status_code == 200
    assert messages(answer) == [{"jsonrpc": "2.0", "id": 2, "result": ECHOED}]


def test_a_stateless_client_calls_a_tool_without_a_handshake(client: httpx2.Client) -> None:
    message = {"id": 2, "method": "tools/call", "params": {**ECHO, "_meta": ENVELOPE}}
    headers = {
        "mcp-protocol-version": "2026-07-28",
        "mcp-method": "tools/call",
        "mcp-name": "echo",
    }

    answer = post(client, message, **headers)

    assert answer.status_code == 200, answer.text
    result = answer.json()["result"]
    assert {k: result[k] for k in ECHOED} == ECHOED
    assert "mcp-session-id" not in answer.headers


def test_a_client_can_end_its_session(client: httpx2.Client) -> None:
    header = {"mcp-session-id": open_session(client)}

    assert client.delete("/mcp", headers=header).status_code == 200
    assert post(client, {"id": 2, "method": "ping"}, **header).status_code == 404


def test_a_foreign_host_or_origin_is_rejected_everywhere(client: httpx2.Client) -> None:
    for path in ("/mcp", "/v1/tools", "/health/live", "/"):
        assert client.get(path, headers={"host": "evil.example"}).status_code == 421
        for origin in ("https://evil.example", "http://127.0.0.1:8642.evil.example"):
            assert client.get(path, headers={"origin": origin}).status_code == 403


def test_a_local_page_may_call_and_read_the_session_id(client: httpx2.Client) -> None:
    preflight = client.options(
        "/mcp",
        headers={"origin": "http://localhost:6274", "access-control-request-method": "POST"},
    )

    assert preflight.status_code == 204
    assert preflight.headers["access-control-allow-origin"] == "http://localhost:6274"
    assert "Mcp-Session-Id" in preflight.headers["access-control-expose-headers"]


def test_a_too_large_body_is_rejected(tmp_path: Path) -> None:
    with http_server(tmp_path, settings={"MAX_REQUEST_BODY_BYTES": "2KiB"}) as client:
        message = {"id": 1, "method": "ping", "params": {"x": "x" * 4000}}

        assert post(client, message).status_code == 413
        assert client.post("/v1/tools/echo", json={"message": "x" * 4000}).status_code == 413


def test_tools_can_be_listed_and_called_over_rest(client: httpx2.Client) -> None:
    listed = client.get("/v1/tools").json()["tools"]
    called = client.post("/v1/tools/echo", json={"message": "hi"})

    assert "echo" in [tool["name"] for tool in listed]
    assert (called.status_code, called.json()) == (200, {"echoed": "hi"})


@pytest.mark.parametrize(
    ("path", "body", "status", "kind", "message"),
    [
        ("echo", b"{}", 400, "validation", "echo: message: is required"),
        ("echo", b"{broken", 400, "validation", "The body must be one JSON object of arguments."),
        ("echo", b"[1]", 400, "validation", "echo: arguments must be an object of named values"),
        ("echo", b"\xff\xfe", 400, "validation", "The body must be one JSON object of arguments."),
        ("nope", b"{}", 404, "not_found", "Unknown tool: nope"),
    ],
)
def test_rest_errors_have_a_status_and_a_reason(
    client: httpx2.Client, path: str, body: bytes, status: int, kind: str, message: str
) -> None:
    answer = client.post(f"/v1/tools/{path}", content=body)

    error = answer.json()
    assert answer.headers["content-type"] == "application/problem+json"
    assert (answer.status_code, error["kind"], error["detail"]) == (status, kind, message)


def test_a_rate_limit_says_when_to_retry(tmp_path: Path) -> None:
    with http_server(tmp_path, settings={"DAILY_QUOTA_PER_TENANT": "2"}) as client:
        answers = [client.post("/v1/tools/echo", json={"message": "hi"}) for _ in range(3)]

    assert [a.status_code for a in answers] == [200, 200, 429]
    assert int(answers[2].headers["retry-after"]) > 0


def test_a_request_id_is_kept_or_created(client: httpx2.Client) -> None:
    kept = client.get("/health/live", headers={"x-request-id": "abc-1"})
    made = client.get("/health/live")

    assert kept.headers["x-request-id"] == "abc-1"
    assert len(made.headers["x-request-id"]) == 32


def test_health_and_metrics_respond(client: httpx2.Client) -> None:
    client.post("/v1/tools/echo", json={"message": "hi"})

    assert client.get("/health/live").text == "ok"
    assert client.get("/health/ready").json() == {"status": "healthy"}
    assert 'mcp_tool_calls_total{tool="echo"}' in client.get("/metrics").text


def test_the_console_runs_only_its_own_scripts(client: httpx2.Client) -> None:
    page = client.get("/")

    assert '<script type="module" src="/assets/home.js">' in page.text
    assert "script-src 'self'" in page.headers["content-security-policy"]
    assert client.get("/assets/shell.js").headers["content-type"].startswith("text/javascript")
    assert client.get("/assets/../http.py").status_code == 404
    assert client.get("/assets/secret").status_code == 404


def test_a_second_server_cannot_use_the_same_port(tmp_path: Path) -> None:
    with http_server(tmp_path) as client:
        port = str(client.base_url.port)
        command = [sys.executable, "-m", "webquarry", "serve", "--http", "--port", port]
        second = subprocess.run(
            command, capture_output=True, timeout=30, env=environment(tmp_path), check=False
        )

    assert second.returncode == 2
    assert f"port {port} is in use on 127.0.0.1. Choose another" in second.stderr.decode()

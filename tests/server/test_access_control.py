"""The HTTP server with authentication: tokens, keys, scopes, sessions, limits."""

import subprocess
import sys
import time
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
import pytest

from tests.auth.issuer import AUDIENCE, Issuer, new_signer, running_issuer
from tests.server.http_server import http_server, messages
from tests.server.processes import CLIENT, environment

SIGNER = new_signer("k1")
STREAM = {"accept": "application/json, text/event-stream"}
HELLO = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": CLIENT}


@dataclass(frozen=True)
class ProtectedServer:
    client: httpx2.Client
    issuer: Issuer
    key: str  # API key of tenant globex, valid for echo only

    def token(self, **claims: Any) -> dict[str, str]:
        text = SIGNER.sign(self.issuer.claims(time.time(), **claims))
        return {"authorization": f"Bearer {text}"}

    def request(self, method: str, params: Any = None, **headers: str) -> httpx2.Response:
        body: dict[str, Any] = {"jsonrpc": "2.0", "id": 1, "method": method}
        body["params"] = {} if params is None else params
        return self.client.post("/mcp", json=body, headers=STREAM | headers)

    def tools(self, **headers: str) -> set[str]:
        return {
            tool["name"] for tool in self.client.get("/v1/tools", headers=headers).json()["tools"]
        }


def make_key(home: Path, *arguments: str) -> str:
    command = [sys.executable, "-m", "webquarry", "keys", "create", *arguments]
    completed = subprocess.run(
        command, capture_output=True, text=True, cwd=home, env=environment(home), check=True
    )
    return completed.stdout.strip()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ProtectedServer]:
    home = tmp_path_factory.mktemp("access")
    key = make_key(home, "--tenant", "globex", "--user", "carol", "--scope", "tool:echo")
    with running_issuer() as issuer:
        issuer.keys = [SIGNER.published()]
        settings = {
            "OAUTH_ISSUER_URL": issuer.url,
            "OAUTH_AUDIENCE": AUDIENCE,
            "API_KEYS": "on",
            "REQUIRED_SCOPES": "quarry",
            "PUBLIC_URL": "https://research.example.org",
        }
        with http_server(home, settings=settings) as client:
            yield ProtectedServer(client, issuer, key)


@pytest.mark.parametrize("path", ["/mcp", "/v1/tools", "/v1/tools/echo", "/nothing"])
def test_requests_without_credentials_are_rejected_with_the_resource_metadata_url(
    server: ProtectedServer, path: str
) -> None:
    response = server.client.post(path, json={})

    assert response.status_code == 401
    assert response.headers["www-authenticate"] == (
        'Bearer realm="webquarry", resource_metadata='
        '"https://research.example.org/.well-known/oauth-protected-resource/mcp"'
    )


def test_health_needs_no_credentials_but_metrics_do(server: ProtectedServer) -> None:
    assert server.client.get("/health/live").text == "ok"
    assert server.client.get("/health/ready").json() == {"status": "healthy"}
    assert server.client.get("/metrics").status_code == 401
    assert (
        server.client.get("/admin/data").status_code == 404
    )  # without ADMIN_API_KEY there are no admin endpoints


@pytest.mark.parametrize("suffix", ["", "/mcp"])
def test_the_protected_resource_metadata_is_served(server: ProtectedServer, suffix: str) -> None:
    response = server.client.get(f"/.well-known/oauth-protected-resource{suffix}")

    metadata = response.json()
    assert metadata["resource"] == "https://research.example.org/mcp"
    assert metadata["authorization_servers"] == [server.issuer.url]
    assert {"quarry", "research", "tool:*", "toolset:starter", "tool:echo"} <= set(
        metadata["scopes_supported"]
    )


def test_a_valid_token_is_accepted(server: ProtectedServer) -> None:
    response = server.client.post(
        "/v1/tools/echo", json={"message": "hi"}, headers=server.token(scope="quarry")
    )

    assert (response.status_code, response.json()) == (200, {"echoed": "hi"})


def test_an_invalid_token_is_rejected_with_a_reason(server: ProtectedServer) -> None:
    response = server.request("tools/list", **server.token(aud="https://other.example"))

    assert response.status_code == 401
    assert 'error="invalid_token"' in response.headers["www-authenticate"]
    assert response.json()["error"]["message"] == (
        "The access token is refused: it is for another audience."
    )


def test_a_token_without_the_required_scope_is_forbidden(server: ProtectedServer) -> None:
    response = server.client.get("/v1/tools", headers=server.token(scope="openid"))

    assert response.status_code == 403
    assert 'error="insufficient_scope", scope="quarry"' in response.headers["www-authenticate"]


@pytest.mark.parametrize(
    "headers",
    [
        {"authorization": "Basic YTpi"},
        {"authorization": "Bearer"},
        {"authorization": "Bearer x", "x-api-key": "y"},
        {"x-api-key": "wq_0000000000000000_" + "A" * 43},
    ],
)
def test_malformed_or_unknown_credentials_are_rejected(
    server: ProtectedServer, headers: dict[str, str]
) -> None:
    assert server.client.get("/v1/tools", headers=headers).status_code == 401


@pytest.mark.parametrize("header", ["authorization", "x-api-key"])
def test_an_api_key_is_accepted_for_its_scopes(server: ProtectedServer, header: str) -> None:
    headers_of_key = {header: f"Bearer {server.key}" if header == "authorization" else server.key}

    allowed = server.client.post("/v1/tools/echo", json={"message": "hi"}, headers=headers_of_key)
    other = server.client.post("/v1/tools/web_search", json={"query": "hi"}, headers=headers_of_key)

    assert (allowed.status_code, other.status_code) == (200, 403)
    assert server.tools(**headers_of_key) == {"echo"}


def test_scopes_determine_the_listed_tools(server: ProtectedServer) -> None:
    everything = server.tools(**server.token(scope="quarry"))

    assert server.tools(**server.token(scope="quarry tool:*")) == everything
    assert server.tools(**server.token(scope="quarry research")) == everything
    assert server.tools(**server.token(scope="quarry toolset:starter")) == {"echo"}
    assert server.tools(**server.token(scope="quarry tool:echo tool:scrape_page")) == {
        "echo", "scrape_page",
    }  # fmt: skip


def test_scopes_are_enforced_over_mcp_too(server: ProtectedServer) -> None:
    token = server.token(scope="quarry tool:echo")
    opened = server.request("initialize", HELLO, **token)
    session = token | {"mcp-session-id": opened.headers["mcp-session-id"]}

    listed = messages(server.request("tools/list", **session))[0]["result"]
    call = {"name": "web_search", "arguments": {"query": "x"}}
    refused = messages(server.request("tools/call", call, **session))[0]["result"]

    assert [tool["name"] for tool in listed["tools"]] == ["echo"]
    assert refused["isError"] is True
    assert "your token lacks a scope for this tool" in refused["content"][0]["text"]


def test_a_session_can_be_used_only_by_its_owner(server: ProtectedServer) -> None:
    opened = server.request("initialize", HELLO, **server.token(scope="quarry"))
    session = {"mcp-session-id": opened.headers["mcp-session-id"]}

    own = server.request("ping", **session, **server.token(scope="quarry"))
    forwarded = [
        server.request("ping", **session, **server.token(scope="quarry", **claims)).status_code
        for claims in ({"sub": "bob"}, {"tenant_id": "globex"})
    ]

    assert own.status_code == 200
    assert forwarded == [404, 404]


def test_identity_headers_and_arguments_are_ignored(server: ProtectedServer) -> None:
    headers = server.token(scope="quarry") | {"x-tenant-id": "globex", "x-user-id": "carol"}

    response = server.client.post(
        "/v1/tools/echo?tenant_id=globex", json={"message": "x"}, headers=headers
    )

    assert response.status_code == 200


@contextmanager
def limited(home: Path, **settings: str) -> Generator[httpx2.Client]:
    """Start a server with limits; wait if the one-minute window is about to end."""
    with http_server(home, settings=settings) as client:
        left = 60 - time.time() % 60
        if left < 5:
            time.sleep(left)
        yield client


def test_limits_are_reported_in_headers(tmp_path: Path) -> None:
    with limited(tmp_path, RATE_LIMIT_PER_TENANT="2", DAILY_QUOTA_PER_TENANT="50") as client:
        responses = [client.get("/v1/tools") for _ in range(3)]
        health = [client.get("/health/live").status_code for _ in range(5)]

    assert [a.status_code for a in responses] == [200, 200, 429]
    assert responses[0].headers["ratelimit-policy"] == (
        '"RATE_LIMIT_PER_TENANT";q=2;w=60, "DAILY_QUOTA_PER_TENANT";q=50;w=86400'
    )
    assert responses[0].headers["ratelimit"].startswith('"RATE_LIMIT_PER_TENANT";r=1;t=')
    remaining = [a.headers["ratelimit-remaining"] for a in responses]
    assert (remaining, responses[0].headers["ratelimit-limit"]) == (["1", "0", "0"], "2")
    assert 0 < int(responses[2].headers["retry-after"]) <= 60
    assert health == [200] * 5


def test_the_limit_per_ip_address_applies_before_authentication(tmp_path: Path) -> None:
    settings = {"RATE_LIMIT_PER_IP": "2", "API_KEYS": "on", "TRUST_PROXY": "on"}
    with limited(tmp_path, **settings) as client:
        direct = [client.get("/v1/tools").status_code for _ in range(3)]
        forwarded_for = {"x-forwarded-for": "203.0.113.9, 192.0.2.7"}
        forwarded = [client.get("/v1/tools", headers=forwarded_for).status_code for _ in range(3)]

    assert (direct, forwarded) == ([401, 401, 429], [401, 401, 429])


def test_the_daily_quota_survives_a_restart(tmp_path: Path) -> None:
    with limited(tmp_path, DAILY_QUOTA_PER_TENANT="3") as client:
        first = [client.get("/v1/tools").status_code for _ in range(2)]
    with limited(tmp_path, DAILY_QUOTA_PER_TENANT="3") as client:
        second = [client.get("/v1/tools").status_code for _ in range(2)]

    assert (first, second) == ([200, 200], [200, 429])


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"WEBQUARRY_HOST": "0.0.0.0"}, "ALLOW_UNAUTHENTICATED=on"),  # noqa: S104
        ({"CORS_STRICT": "off"}, "ALLOWED_ORIGINS"),
        ({"OAUTH_ISSUER_URL": "https://a.example"}, "OAUTH_AUDIENCE"),
        ({"OAUTH_AUDIENCE": "x"}, "OAUTH_ISSUER_URL"),
        ({"ADMIN_API_KEY": "short"}, "ADMIN_API_KEY"),
        ({"ADMIN_API_KEY_PREV": "p" * 20}, "ADMIN_API_KEY"),
    ],
)
def test_incomplete_security_settings_stop_the_start(
    tmp_path: Path, settings: dict[str, str], message: str
) -> None:
    command = [sys.executable, "-m", "webquarry", "serve", "--http", "--port", "0"]
    completed = subprocess.run(
        command, capture_output=True, text=True, timeout=30,
        env=environment(tmp_path, **settings), check=False,
    )  # fmt: skip

    assert (completed.returncode, message in completed.stderr) == (2, True)


def test_a_server_without_authentication_logs_a_warning(tmp_path: Path) -> None:
    settings = {"WEBQUARRY_HOST": "0.0.0.0", "ALLOW_UNAUTHENTICATED": "on"}  # noqa: S104
    with limited(tmp_path, **settings) as client:
        assert client.get("/health/live").status_code == 200

    assert "IS OPEN TO EVERYONE" in (tmp_path / "stderr").read_text()

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
class House:
    client: httpx2.Client
    issuer: Issuer
    key: str  # an API key of globex, for echo only

    def token(self, **claims: Any) -> dict[str, str]:
        text = SIGNER.sign(self.issuer.claims(time.time(), **claims))
        return {"authorization": f"Bearer {text}"}

    def ask(self, method: str, params: Any = None, **headers: str) -> httpx2.Response:
        asked: dict[str, Any] = {} if params is None else params
        body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": asked}
        return self.client.post("/mcp", json=body, headers=STREAM | headers)

    def tools(self, **headers: str) -> set[str]:
        return {
            tool["name"] for tool in self.client.get("/v1/tools", headers=headers).json()["tools"]
        }


def make_key(home: Path, *arguments: str) -> str:
    command = [sys.executable, "-m", "webquarry", "keys", "create", *arguments]
    made = subprocess.run(
        command, capture_output=True, text=True, cwd=home, env=environment(home), check=True
    )
    return made.stdout.strip()


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    home = tmp_path_factory.mktemp("access")
    key = make_key(home, "--tenant", "globex", "--user", "carol", "--scope", "tool:echo")
    with running_issuer() as issuer:
        issuer.keys = [SIGNER.published()]
        settings = {
            "OAUTH_ISSUER_URL": issuer.address,
            "OAUTH_AUDIENCE": AUDIENCE,
            "API_KEYS": "on",
            "REQUIRED_SCOPES": "quarry",
            "PUBLIC_URL": "https://research.example.org",
        }
        with http_server(home, settings=settings) as client:
            yield House(client, issuer, key)


@pytest.mark.parametrize("path", ["/mcp", "/v1/tools", "/v1/tools/echo", "/nothing"])
def test_without_a_credential_everything_is_refused_and_says_where_to_get_one(
    house: House, path: str
) -> None:
    answer = house.client.post(path, json={})

    assert answer.status_code == 401
    assert answer.headers["www-authenticate"] == (
        'Bearer realm="webquarry", resource_metadata='
        '"https://research.example.org/.well-known/oauth-protected-resource/mcp"'
    )


def test_health_is_open_and_metrics_are_not(house: House) -> None:
    assert house.client.get("/health/live").text == "ok"
    assert house.client.get("/health/ready").json() == {"status": "healthy"}
    assert house.client.get("/metrics").status_code == 401
    assert house.client.get("/admin/data").status_code == 404  # no key is set, so there is none


@pytest.mark.parametrize("suffix", ["", "/mcp"])
def test_the_protected_resource_describes_itself(house: House, suffix: str) -> None:
    answer = house.client.get(f"/.well-known/oauth-protected-resource{suffix}")

    said = answer.json()
    assert said["resource"] == "https://research.example.org/mcp"
    assert said["authorization_servers"] == [house.issuer.address]
    assert {"quarry", "research", "tool:*", "toolset:starter", "tool:echo"} <= set(
        said["scopes_supported"]
    )


def test_a_token_lets_its_owner_in(house: House) -> None:
    answer = house.client.post(
        "/v1/tools/echo", json={"message": "hi"}, headers=house.token(scope="quarry")
    )

    assert (answer.status_code, answer.json()) == (200, {"echoed": "hi"})


def test_a_bad_token_is_refused_with_a_reason(house: House) -> None:
    answer = house.ask("tools/list", **house.token(aud="https://other.example"))

    assert answer.status_code == 401
    assert 'error="invalid_token"' in answer.headers["www-authenticate"]
    assert answer.json()["error"]["message"] == (
        "The access token is refused: it is for another audience."
    )


def test_a_token_without_the_required_scope_is_forbidden(house: House) -> None:
    answer = house.client.get("/v1/tools", headers=house.token(scope="openid"))

    assert answer.status_code == 403
    assert 'error="insufficient_scope", scope="quarry"' in answer.headers["www-authenticate"]


@pytest.mark.parametrize(
    "headers",
    [
        {"authorization": "Basic YTpi"},
        {"authorization": "Bearer"},
        {"authorization": "Bearer x", "x-api-key": "y"},
        {"x-api-key": "wq_0000000000000000_" + "A" * 43},
    ],
)
def test_other_credentials_are_refused(house: House, headers: dict[str, str]) -> None:
    assert house.client.get("/v1/tools", headers=headers).status_code == 401


@pytest.mark.parametrize("header", ["authorization", "x-api-key"])
def test_an_api_key_lets_its_owner_use_what_it_is_for(house: House, header: str) -> None:
    given = {header: f"Bearer {house.key}" if header == "authorization" else house.key}

    allowed = house.client.post("/v1/tools/echo", json={"message": "hi"}, headers=given)
    other = house.client.post("/v1/tools/web_search", json={"query": "hi"}, headers=given)

    assert (allowed.status_code, other.status_code) == (200, 403)
    assert house.tools(**given) == {"echo"}


def test_scopes_choose_what_is_listed(house: House) -> None:
    everything = house.tools(**house.token(scope="quarry"))

    assert house.tools(**house.token(scope="quarry tool:*")) == everything
    assert house.tools(**house.token(scope="quarry research")) == everything
    assert house.tools(**house.token(scope="quarry toolset:starter")) == {"echo"}
    assert house.tools(**house.token(scope="quarry tool:echo tool:scrape_page")) == {
        "echo", "scrape_page",
    }  # fmt: skip


def test_scopes_hold_over_mcp_too(house: House) -> None:
    token = house.token(scope="quarry tool:echo")
    opened = house.ask("initialize", HELLO, **token)
    session = token | {"mcp-session-id": opened.headers["mcp-session-id"]}

    listed = messages(house.ask("tools/list", **session))[0]["result"]
    call = {"name": "web_search", "arguments": {"query": "x"}}
    refused = messages(house.ask("tools/call", call, **session))[0]["result"]

    assert [tool["name"] for tool in listed["tools"]] == ["echo"]
    assert refused["isError"] is True
    assert "your token lacks a scope for this tool" in refused["content"][0]["text"]


def test_a_session_belongs_to_whoever_opened_it(house: House) -> None:
    opened = house.ask("initialize", HELLO, **house.token(scope="quarry"))
    session = {"mcp-session-id": opened.headers["mcp-session-id"]}

    own = house.ask("ping", **session, **house.token(scope="quarry"))
    others = [
        house.ask("ping", **session, **house.token(scope="quarry", **claims)).status_code
        for claims in ({"sub": "bob"}, {"tenant_id": "globex"})
    ]

    assert own.status_code == 200
    assert others == [404, 404]


def test_a_name_in_a_header_or_argument_changes_nobody_s_identity(house: House) -> None:
    headers = house.token(scope="quarry") | {"x-tenant-id": "globex", "x-user-id": "carol"}

    answer = house.client.post(
        "/v1/tools/echo?tenant_id=globex", json={"message": "x"}, headers=headers
    )

    assert answer.status_code == 200


@contextmanager
def limited(home: Path, **settings: str) -> Generator[httpx2.Client]:
    """Start a server with limits, not so late in a minute that the next one begins meanwhile."""
    with http_server(home, settings=settings) as client:
        left = 60 - time.time() % 60
        if left < 5:
            time.sleep(left)
        yield client


def test_limits_are_told_in_headers(tmp_path: Path) -> None:
    with limited(tmp_path, RATE_LIMIT_PER_TENANT="2", DAILY_QUOTA_PER_TENANT="50") as client:
        answers = [client.get("/v1/tools") for _ in range(3)]
        health = [client.get("/health/live").status_code for _ in range(5)]

    assert [a.status_code for a in answers] == [200, 200, 429]
    assert answers[0].headers["ratelimit-policy"] == (
        '"RATE_LIMIT_PER_TENANT";q=2;w=60, "DAILY_QUOTA_PER_TENANT";q=50;w=86400'
    )
    assert answers[0].headers["ratelimit"].startswith('"RATE_LIMIT_PER_TENANT";r=1;t=')
    told = [a.headers["ratelimit-remaining"] for a in answers]
    assert (told, answers[0].headers["ratelimit-limit"]) == (["1", "0", "0"], "2")
    assert 0 < int(answers[2].headers["retry-after"]) <= 60
    assert health == [200] * 5


def test_an_address_is_limited_before_anybody_is_asked_for_a_token(tmp_path: Path) -> None:
    settings = {"RATE_LIMIT_PER_IP": "2", "API_KEYS": "on", "TRUST_PROXY": "on"}
    with limited(tmp_path, **settings) as client:
        mine = [client.get("/v1/tools").status_code for _ in range(3)]
        forged = {"x-forwarded-for": "203.0.113.9, 192.0.2.7"}
        others = [client.get("/v1/tools", headers=forged).status_code for _ in range(3)]

    assert (mine, others) == ([401, 401, 429], [401, 401, 429])


def test_the_daily_quota_outlives_a_restart(tmp_path: Path) -> None:
    with limited(tmp_path, DAILY_QUOTA_PER_TENANT="3") as client:
        first = [client.get("/v1/tools").status_code for _ in range(2)]
    with limited(tmp_path, DAILY_QUOTA_PER_TENANT="3") as client:
        second = [client.get("/v1/tools").status_code for _ in range(2)]

    assert (first, second) == ([200, 200], [200, 429])


@pytest.mark.parametrize(
    ("settings", "complaint"),
    [
        ({"WEBQUARRY_HOST": "0.0.0.0"}, "ALLOW_UNAUTHENTICATED=on"),  # noqa: S104
        ({"CORS_STRICT": "off"}, "ALLOWED_ORIGINS"),
        ({"OAUTH_ISSUER_URL": "https://a.example"}, "OAUTH_AUDIENCE"),
        ({"OAUTH_AUDIENCE": "x"}, "OAUTH_ISSUER_URL"),
        ({"ADMIN_API_KEY": "short"}, "ADMIN_API_KEY"),
        ({"ADMIN_API_KEY_PREV": "p" * 20}, "ADMIN_API_KEY"),
    ],
)
def test_half_a_protection_is_an_error_at_the_start(
    tmp_path: Path, settings: dict[str, str], complaint: str
) -> None:
    command = [sys.executable, "-m", "webquarry", "serve", "--http", "--port", "0"]
    ended = subprocess.run(
        command, capture_output=True, text=True, timeout=30,
        env=environment(tmp_path, **settings), check=False,
    )  # fmt: skip

    assert (ended.returncode, complaint in ended.stderr) == (2, True)


def test_a_server_open_to_everyone_says_so_loudly(tmp_path: Path) -> None:
    settings = {"WEBQUARRY_HOST": "0.0.0.0", "ALLOW_UNAUTHENTICATED": "on"}  # noqa: S104
    with limited(tmp_path, **settings) as client:
        assert client.get("/health/live").status_code == 200

    assert "IS OPEN TO EVERYONE" in (tmp_path / "stderr").read_text()

"""The admin endpoints over HTTP."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
import pytest

from tests.server.http_server import http_server

KEY, OLD = "the-current-admin-key", "the-previous-admin-key"
ADMIN = {"x-admin-key": KEY}
ALICE = {"tenant_id": "acme", "user_id": "alice"}


@dataclass(frozen=True)
class AdminServer:
    client: httpx2.Client
    audit_log: Path

    def events(self, kind: str) -> list[dict[str, Any]]:
        lines = self.audit_log.read_text(encoding="utf-8").splitlines()
        return [event for line in lines if (event := json.loads(line))["event_type"] == kind]

    def last(self, kind: str) -> dict[str, Any]:
        """Return user, success and details of the latest event of a kind."""
        event = self.events(kind)[-1]
        names = ("tenant_id", "user_id", "success", "metadata", "error_code")
        return {name: event[name] for name in names if name in event}

    def key_of(self, user: str, **options: Any) -> dict[str, str]:
        body = {"tenant_id": "acme", "user_id": user, **options}
        created = self.client.post("/admin/keys", json=body, headers=ADMIN)
        assert created.status_code == 201
        return {"x-api-key": created.json()["key"]}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AdminServer]:
    home = tmp_path_factory.mktemp("admin")
    settings = {
        "ADMIN_API_KEY": KEY,
        "ADMIN_API_KEY_PREV": OLD,
        "API_KEYS": "on",
        "AUDIT_OUTPUT_PATH": str(home / "audit.jsonl"),
        "AUDIT_BUFFER_SIZE": "0",  # write each event before the response
        "METRICS_TOKEN": "the-metrics-token-1",
    }
    with http_server(home, settings=settings) as client:
        yield AdminServer(client, home / "audit.jsonl")


ENDPOINTS = [
    ("DELETE", "/admin/cache"),
    ("DELETE", "/admin/sessions"),
    ("GET", "/admin/analytics"),
    ("GET", "/admin/data"),
    ("DELETE", "/admin/data"),
    ("POST", "/admin/consent"),
    ("GET", "/admin/consent"),
    ("POST", "/admin/workspace/members"),
    ("DELETE", "/admin/workspace/members"),
    ("GET", "/admin/workspace/members"),
    ("GET", "/admin/keys"),
    ("POST", "/admin/keys"),
    ("DELETE", "/admin/keys"),
]


@pytest.mark.parametrize(("method", "path"), ENDPOINTS)
@pytest.mark.parametrize("given", [{}, {"x-admin-key": KEY[:-1]}, {"authorization": KEY}])
def test_requests_without_the_admin_key_are_rejected_and_audited(
    server: AdminServer, method: str, path: str, given: dict[str, str]
) -> None:
    response = server.client.request(method, path, headers=given, params=ALICE)

    assert response.status_code == 401
    assert server.last("auth.failure")["error_code"] == "admin_key_invalid"


def test_the_previous_admin_key_is_accepted_and_its_use_is_audited(server: AdminServer) -> None:
    response = server.client.get("/admin/keys", headers={"x-admin-key": OLD})

    assert response.status_code == 200
    assert server.last("auth.admin_key_prev_used")["success"] is True


def test_an_api_key_is_created_used_listed_and_revoked(server: AdminServer) -> None:
    key = server.key_of("kim", scopes=["tool:echo"], note="ci", expires_in=3600)
    used = server.client.post("/v1/tools/echo", json={"message": "hi"}, headers=key)
    listed = server.client.get("/admin/keys", headers=ADMIN).json()["keys"]
    [mine] = [entry for entry in listed if entry["user"] == "kim"]
    revoked = server.client.delete("/admin/keys", params={"id": mine["id"]}, headers=ADMIN)
    refused = server.client.post("/v1/tools/echo", json={"message": "hi"}, headers=key)
    again = server.client.delete("/admin/keys", params={"id": mine["id"]}, headers=ADMIN)

    assert (used.status_code, revoked.status_code) == (200, 200)
    assert (refused.status_code, again.status_code) == (401, 404)
    assert (mine["scopes"], mine["note"]) == (["tool:echo"], "ci")
    assert "digest" not in mine
    assert key["x-api-key"] not in server.audit_log.read_text()
    assert server.events("key.create")[-1]["user_id"] == "kim"
    assert server.events("key.revoke")[-1]["success"] is False


def test_consent_is_recorded_read_and_withdrawn(server: AdminServer) -> None:
    asked = {**ALICE, "purpose": "memory"}
    before = server.client.get("/admin/consent", params=asked, headers=ADMIN)
    body = {**asked, "granted": True, "terms_version": "2026-01"}
    granted = server.client.post("/admin/consent", json=body, headers=ADMIN)
    read = server.client.get("/admin/consent", params=asked, headers=ADMIN)
    server.client.post("/admin/consent", json={**body, "granted": False}, headers=ADMIN)
    after = server.client.get("/admin/consent", params=asked, headers=ADMIN)

    assert before.status_code == 404
    assert granted.json() == read.json()
    assert {k: v for k, v in read.json().items() if k != "decidedAt"} == {
        "tenantId": "acme", "userId": "alice", "purpose": "memory", "granted": True,
        "termsVersion": "2026-01", "decidedFrom": "127.0.0.1",
    }  # fmt: skip
    assert after.json()["granted"] is False
    said = {"purpose": "memory", "terms_version": "2026-01"}
    for kind in ("consent.grant", "consent.withdraw"):
        assert server.last(kind) == {**ALICE, "success": True, "metadata": said}


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", "/admin/consent", {**ALICE, "purpose": "spying", "granted": True}),
        ("POST", "/admin/consent", {**ALICE, "purpose": "memory"}),
        ("POST", "/admin/consent", {"tenant_id": "a", "user_id": "anonymous",
                                    "purpose": "memory", "granted": True}),
        ("POST", "/admin/keys", {"user_id": "x", "scopes": ["root"]}),
        ("POST", "/admin/keys", {"user_id": "x", "expires_in": -1}),
        ("POST", "/admin/keys", {"user_id": "x", "admin": True}),
        ("POST", "/admin/workspace/members", {**ALICE, "workspace_id": ""}),
        ("POST", "/admin/workspace/members", []),
        ("GET", "/admin/data", None),
        ("DELETE", "/admin/data", None),
        ("GET", "/admin/analytics", None),
    ],
)  # fmt: skip
def test_invalid_requests_are_rejected_with_a_reason(
    server: AdminServer, method: str, path: str, body: Any
) -> None:
    response = server.client.request(method, path, json=body, headers=ADMIN)

    assert response.status_code == 400
    assert response.json()["error"]["message"]


def test_members_are_added_listed_and_removed(server: AdminServer) -> None:
    member = {**ALICE, "workspace_id": "w1"}
    server.client.post("/admin/workspace/members", json=member, headers=ADMIN)
    wanted = {"workspace_id": "w1"}
    listed = server.client.get("/admin/workspace/members", params=wanted, headers=ADMIN)
    gone = [
        server.client.request("DELETE", "/admin/workspace/members", json=member, headers=ADMIN)
        for _ in range(2)
    ]

    assert listed.json() == {"members": [member]}
    assert [response.json()["removed"] for response in gone] == [True, False]
    for kind in ("workspace.member.add", "workspace.member.remove"):
        assert server.last(kind) == {**ALICE, "success": True, "metadata": wanted}


def test_the_usage_of_a_tenant_is_counted(server: AdminServer) -> None:
    key = server.key_of("una")
    before = server.client.get("/admin/analytics", params=ALICE, headers=ADMIN).json()
    server.client.post("/v1/tools/echo", json={"message": "hi"}, headers=key)
    server.client.post("/v1/tools/echo", json={}, headers=key)
    after = server.client.get("/admin/analytics", params=ALICE, headers=ADMIN).json()

    assert after["totalCalls"] - before["totalCalls"] == 2
    assert after["errorCalls"] - before["errorCalls"] == 1


def test_a_person_s_data_is_exported_and_erased(server: AdminServer) -> None:
    person = {"tenant_id": "acme", "user_id": "erin"}
    key = server.key_of("erin")
    body = {**person, "purpose": "memory", "granted": True}
    server.client.post("/admin/consent", json=body, headers=ADMIN)

    found = server.client.get("/admin/data", params=person, headers=ADMIN).json()
    erased = server.client.delete("/admin/data", params=person, headers=ADMIN).json()
    after = server.client.get("/admin/data", params=person, headers=ADMIN).json()

    assert {"apikey", "consent"} <= set(found["data"])
    assert erased["erased"] == {kind: len(found["data"][kind]) for kind in found["data"]}
    assert after["data"] == {}
    assert server.client.get("/v1/tools", headers=key).status_code == 401
    assert server.last("data.erasure") == {
        **person, "success": True, "metadata": erased["erased"],
    }  # fmt: skip
    assert server.last("data.export")["success"] is True


def test_caches_and_sessions_can_be_cleared(server: AdminServer) -> None:
    for path, kind in (("cache", "admin.cache_flush"), ("sessions", "admin.sessions_flush")):
        response = server.client.delete(f"/admin/{path}", headers=ADMIN)

        assert (response.status_code, list(response.json())) == (200, ["deleted"])
        assert server.last(kind)["success"] is True


def test_metrics_require_their_token_or_the_admin_key(server: AdminServer) -> None:
    tokens = ("Bearer wrong", "Bearer the-metrics-token-1")
    given: list[dict[str, str]] = [{}, *({"authorization": t} for t in tokens), ADMIN]
    statuses = [server.client.get("/metrics", headers=h).status_code for h in given]

    assert statuses == [401, 401, 200, 200]

"""The admin endpoints as an operator's program meets them."""

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
class Office:
    client: httpx2.Client
    trail: Path

    def events(self, kind: str) -> list[dict[str, Any]]:
        lines = self.trail.read_text(encoding="utf-8").splitlines()
        return [event for line in lines if (event := json.loads(line))["event_type"] == kind]

    def last(self, kind: str) -> dict[str, Any]:
        """Return what the latest event of a kind says about who and whether it worked."""
        event = self.events(kind)[-1]
        names = ("tenant_id", "user_id", "success", "metadata", "error_code")
        return {name: event[name] for name in names if name in event}

    def key_of(self, user: str, **wish: Any) -> dict[str, str]:
        body = {"tenant_id": "acme", "user_id": user, **wish}
        made = self.client.post("/admin/keys", json=body, headers=ADMIN)
        assert made.status_code == 201
        return {"x-api-key": made.json()["key"]}


@pytest.fixture(scope="module")
def office(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Office]:
    home = tmp_path_factory.mktemp("admin")
    settings = {
        "ADMIN_API_KEY": KEY,
        "ADMIN_API_KEY_PREV": OLD,
        "API_KEYS": "on",
        "AUDIT_OUTPUT_PATH": str(home / "audit.jsonl"),
        "AUDIT_BUFFER_SIZE": "0",  # an answer comes after its event is written
        "METRICS_TOKEN": "the-metrics-token-1",
    }
    with http_server(home, settings=settings) as client:
        yield Office(client, home / "audit.jsonl")


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
def test_without_the_key_nothing_is_done_and_the_try_is_written_down(
    office: Office, method: str, path: str, given: dict[str, str]
) -> None:
    answer = office.client.request(method, path, headers=given, params=ALICE)

    assert answer.status_code == 401
    assert office.last("auth.failure")["error_code"] == "admin_key_invalid"


def test_the_previous_key_still_works_and_its_use_is_written_down(office: Office) -> None:
    answer = office.client.get("/admin/keys", headers={"x-admin-key": OLD})

    assert answer.status_code == 200
    assert office.last("auth.admin_key_prev_used")["success"] is True


def test_a_key_is_made_used_listed_and_revoked(office: Office) -> None:
    key = office.key_of("kim", scopes=["tool:echo"], note="ci", expires_in=3600)
    used = office.client.post("/v1/tools/echo", json={"message": "hi"}, headers=key)
    listed = office.client.get("/admin/keys", headers=ADMIN).json()["keys"]
    [mine] = [entry for entry in listed if entry["user"] == "kim"]
    revoked = office.client.delete("/admin/keys", params={"id": mine["id"]}, headers=ADMIN)
    refused = office.client.post("/v1/tools/echo", json={"message": "hi"}, headers=key)
    again = office.client.delete("/admin/keys", params={"id": mine["id"]}, headers=ADMIN)

    assert (used.status_code, revoked.status_code) == (200, 200)
    assert (refused.status_code, again.status_code) == (401, 404)
    assert (mine["scopes"], mine["note"]) == (["tool:echo"], "ci")
    assert "digest" not in mine
    assert key["x-api-key"] not in office.trail.read_text()
    assert office.events("key.create")[-1]["user_id"] == "kim"
    assert office.events("key.revoke")[-1]["success"] is False


def test_consent_is_recorded_read_and_withdrawn(office: Office) -> None:
    asked = {**ALICE, "purpose": "memory"}
    before = office.client.get("/admin/consent", params=asked, headers=ADMIN)
    body = {**asked, "granted": True, "terms_version": "2026-01"}
    granted = office.client.post("/admin/consent", json=body, headers=ADMIN)
    read = office.client.get("/admin/consent", params=asked, headers=ADMIN)
    office.client.post("/admin/consent", json={**body, "granted": False}, headers=ADMIN)
    after = office.client.get("/admin/consent", params=asked, headers=ADMIN)

    assert before.status_code == 404
    assert granted.json() == read.json()
    assert {k: v for k, v in read.json().items() if k != "decidedAt"} == {
        "tenantId": "acme", "userId": "alice", "purpose": "memory", "granted": True,
        "termsVersion": "2026-01", "decidedFrom": "127.0.0.1",
    }  # fmt: skip
    assert after.json()["granted"] is False
    said = {"purpose": "memory", "terms_version": "2026-01"}
    for kind in ("consent.grant", "consent.withdraw"):
        assert office.last(kind) == {**ALICE, "success": True, "metadata": said}


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
def test_a_mistake_gets_a_reason(office: Office, method: str, path: str, body: Any) -> None:
    answer = office.client.request(method, path, json=body, headers=ADMIN)

    assert answer.status_code == 400
    assert answer.json()["error"]["message"]


def test_members_are_added_listed_and_removed(office: Office) -> None:
    member = {**ALICE, "workspace_id": "w1"}
    office.client.post("/admin/workspace/members", json=member, headers=ADMIN)
    wanted = {"workspace_id": "w1"}
    listed = office.client.get("/admin/workspace/members", params=wanted, headers=ADMIN)
    gone = [
        office.client.request("DELETE", "/admin/workspace/members", json=member, headers=ADMIN)
        for _ in range(2)
    ]

    assert listed.json() == {"members": [member]}
    assert [answer.json()["removed"] for answer in gone] == [True, False]
    for kind in ("workspace.member.add", "workspace.member.remove"):
        assert office.last(kind) == {**ALICE, "success": True, "metadata": wanted}


def test_a_tenant_s_use_is_counted(office: Office) -> None:
    key = office.key_of("una")
    before = office.client.get("/admin/analytics", params=ALICE, headers=ADMIN).json()
    office.client.post("/v1/tools/echo", json={"message": "hi"}, headers=key)
    office.client.post("/v1/tools/echo", json={}, headers=key)
    after = office.client.get("/admin/analytics", params=ALICE, headers=ADMIN).json()

    assert after["totalCalls"] - before["totalCalls"] == 2
    assert after["errorCalls"] - before["errorCalls"] == 1


def test_a_person_s_data_is_exported_and_erased(office: Office) -> None:
    person = {"tenant_id": "acme", "user_id": "erin"}
    key = office.key_of("erin")
    body = {**person, "purpose": "memory", "granted": True}
    office.client.post("/admin/consent", json=body, headers=ADMIN)

    found = office.client.get("/admin/data", params=person, headers=ADMIN).json()
    erased = office.client.delete("/admin/data", params=person, headers=ADMIN).json()
    after = office.client.get("/admin/data", params=person, headers=ADMIN).json()

    assert {"apikey", "consent"} <= set(found["data"])
    assert erased["erased"] == {kind: len(found["data"][kind]) for kind in found["data"]}
    assert after["data"] == {}
    assert office.client.get("/v1/tools", headers=key).status_code == 401
    assert office.last("data.erasure") == {
        **person, "success": True, "metadata": erased["erased"],
    }  # fmt: skip
    assert office.last("data.export")["success"] is True


def test_caches_and_sessions_can_be_emptied(office: Office) -> None:
    for path, kind in (("cache", "admin.cache_flush"), ("sessions", "admin.sessions_flush")):
        answer = office.client.delete(f"/admin/{path}", headers=ADMIN)

        assert (answer.status_code, list(answer.json())) == (200, ["deleted"])
        assert office.last(kind)["success"] is True


def test_metrics_want_their_token_or_the_admin_key(office: Office) -> None:
    tokens = ("Bearer wrong", "Bearer the-metrics-token-1")
    given: list[dict[str, str]] = [{}, *({"authorization": t} for t in tokens), ADMIN]
    statuses = [office.client.get("/metrics", headers=h).status_code for h in given]

    assert statuses == [401, 401, 200, 200]

"""The data endpoints of the console and who may read them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import httpx2
import pytest

from tests.server.console_fake_web import FakeWeb, fake_web, settings_of
from tests.server.http_server import http_server
from tests.server.test_access_control import make_key
from webquarry.server.console.console_pages import PAGES

ADMIN = "an-admin-key-of-some-length"


@dataclass(frozen=True)
class ConsoleServer:
    client: httpx2.Client
    web: FakeWeb
    alice: dict[str, str]
    bob: dict[str, str]  # may use echo only

    def get(self, path: str, **headers: str) -> Any:
        return self.client.get(f"/v1/console/{path}", headers=headers)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ConsoleServer]:
    home = tmp_path_factory.mktemp("guarded")
    alice = make_key(home, "--tenant", "acme", "--user", "alice", "--scope", "tool:*")
    bob = make_key(home, "--tenant", "globex", "--user", "bob", "--scope", "tool:echo")
    with fake_web() as web:
        settings = settings_of(web) | {"API_KEYS": "on", "ADMIN_API_KEY": ADMIN}
        with http_server(home, settings=settings) as client:
            yield ConsoleServer(client, web, {"x-api-key": alice}, {"x-api-key": bob})


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_console_pages_need_no_credentials_and_contain_no_data(
    server: ConsoleServer, page: Any
) -> None:
    response = server.client.get(page.path)

    assert response.status_code == 200
    assert not re.search(r"<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=", response.text)
    assert not re.search(r'\s(src|href|action)="(?![/#](?!/))', response.text)
    assert response.headers["content-security-policy"] == (
        "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; "
        "img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
        "require-trusted-types-for 'script'; trusted-types 'none'"
    )


@pytest.mark.parametrize(
    "path",
    ["overview", "tools", "resource?uri=stats://tools", "artifacts", "crawls", "crawls/x/failures",
     "settings", "home", "providers"],
)  # fmt: skip
def test_console_data_requires_credentials(server: ConsoleServer, path: str) -> None:
    assert server.get(path).status_code == 401


def test_a_caller_sees_only_their_tools_and_calls(server: ConsoleServer) -> None:
    arguments = {"message": "hi"}
    assert (
        server.client.post("/v1/tools/echo", json=arguments, headers=server.bob).status_code == 200
    )

    overview = server.get("overview", **server.bob).json()
    others = server.get("overview", **server.alice).json()
    tools = server.get("tools", **server.bob).json()["tools"]

    assert overview["caller"] == {"tenant": "globex", "user": "bob", "proved": True}
    assert [(call["tool"], call["outcome"]) for call in overview["calls"]] == [("echo", "ok")]
    assert others["calls"] == []
    assert [(tool["name"], tool["toolset"]) for tool in tools] == [("echo", "starter")]
    assert overview["offered"]["tools"] == 1


def test_crawls_are_shown_only_to_their_owner_with_the_crawl_scope(server: ConsoleServer) -> None:
    arguments = {"url": f"{server.web.url}/p/0", "maxPages": 1}
    started = server.client.post("/v1/crawl", json=arguments, headers=server.alice).json()

    [crawl] = server.get("crawls", **server.alice).json()["crawls"]
    foreign = server.get(f"crawls/{started['crawlId']}/failures", **server.bob)
    unknown = server.get("crawls/nothing-of-hers-here/failures", **server.alice)

    assert (crawl["crawlId"], crawl["url"]) == (started["crawlId"], arguments["url"])
    assert server.get(f"crawls/{started['crawlId']}/failures", **server.alice).status_code == 200
    assert server.get("crawls", **server.bob).status_code == 404
    assert (foreign.status_code, unknown.status_code) == (404, 404)


def test_artifacts_and_sessions_are_visible_only_to_their_owner(server: ConsoleServer) -> None:
    step = {"searchStep": "x" * 4000, "nextStepNeeded": True, "researchGoal": "owls"}
    session: dict[str, str] = {}
    for n in range(1, 9):
        arguments = step | session | {"stepNumber": n}
        response = server.client.post(
            "/v1/tools/sequential_search", json=arguments, headers=server.alice
        )
        session = {"sessionId": response.json()["sessionId"]}
    linked = server.client.post("/v1/tools/research_export", json=session, headers=server.alice)
    uri = linked.json()["resource"]

    artifacts = server.get("artifacts", **server.alice).json()["artifacts"]
    stored, report = sorted(artifacts, key=lambda each: each["uri"] != uri)
    full = server.get(f"resource?uri={uri}", **server.alice)

    assert (stored["uri"], stored["bytes"], stored["mimeType"]) == (
        uri,
        len(full.content),
        "application/json",
    )
    assert report["mimeType"] == "text/markdown"  # the report itself is linked, too
    # the browser must not render the content as a page of the console
    assert full.headers["content-type"] == "application/octet-stream"
    assert full.headers["content-disposition"] == "attachment"
    assert server.get("artifacts", **server.bob).json() == {"artifacts": []}
    assert server.get(f"resource?uri={uri}", **server.bob).status_code == 404
    own = f"resource?uri=research://session/{session['sessionId']}"
    assert server.get(own, **server.alice).json()["researchGoal"] == "owls"
    assert server.get(own, **server.bob).status_code == 404


def test_settings_require_the_admin_key(server: ConsoleServer) -> None:
    refused = server.get("settings", **server.alice)
    shown = server.get("settings", **server.alice, **{"x-admin-key": ADMIN})

    assert refused.status_code == 403
    assert (refused.json()["kind"], refused.json()["code"]) == ("auth_required", "admin_key")
    values = {row["name"]: row["value"] for row in shown.json()["settings"]}
    assert values["BRAVE_API_KEY"] == "set (…9876)"
    assert ADMIN not in shown.text


def test_a_resource_must_be_named_and_exist(server: ConsoleServer) -> None:
    unnamed = server.get("resource", **server.alice)
    unknown = server.get("resource?uri=stats://nothing", **server.alice)

    assert (unnamed.status_code, unnamed.json()["kind"]) == (400, "validation")
    assert (unknown.status_code, unknown.json()["kind"]) == (404, "not_found")


def test_unchanged_assets_are_not_sent_again(server: ConsoleServer) -> None:
    first = server.client.get("/assets/console.css")
    again = server.client.get(
        "/assets/console.css", headers={"if-none-match": first.headers["etag"]}
    )

    assert (first.status_code, again.status_code, again.content) == (200, 304, b"")
    for hidden in ("shell.html", "__init__.py", "..%2Fhttp.py"):
        assert server.client.get(f"/assets/{hidden}").status_code in (401, 404)


def test_only_the_console_gets_the_argument_descriptions_for_people(server: ConsoleServer) -> None:
    def argument(path: str) -> str:
        tools = server.client.get(path, headers=server.alice).json()["tools"]
        [tool] = [tool for tool in tools if tool["name"] == "web_search"]
        return tool["inputSchema"]["properties"]["fuse"]["description"]

    assert argument("/v1/tools") == "Ask all providers, merge."
    assert argument("/v1/console/tools") == (
        "Query every configured provider and merge the results."
    )

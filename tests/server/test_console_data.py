"""What the console hands out, and to whom."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import httpx2
import pytest

from tests.server.console_world import World, settings_of, small_world
from tests.server.http_server import http_server
from tests.server.test_access_control import make_key
from webquarry.server.console.console_pages import PAGES

ADMIN = "an-admin-key-of-some-length"


@dataclass(frozen=True)
class House:
    client: httpx2.Client
    world: World
    alice: dict[str, str]
    bob: dict[str, str]  # may use echo only

    def see(self, path: str, **headers: str) -> Any:
        return self.client.get(f"/v1/console/{path}", headers=headers)


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    home = tmp_path_factory.mktemp("guarded")
    alice = make_key(home, "--tenant", "acme", "--user", "alice", "--scope", "tool:*")
    bob = make_key(home, "--tenant", "globex", "--user", "bob", "--scope", "tool:echo")
    with small_world() as world:
        settings = settings_of(world) | {"API_KEYS": "on", "ADMIN_API_KEY": ADMIN}
        with http_server(home, settings=settings) as client:
            yield House(client, world, {"x-api-key": alice}, {"x-api-key": bob})


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_pages_are_open_but_hold_nothing_of_anybody(house: House, page: Any) -> None:
    answer = house.client.get(page.path)

    assert answer.status_code == 200
    assert not re.search(r"<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=", answer.text)
    assert not re.search(r'\s(src|href|action)="(?![/#](?!/))', answer.text)
    assert answer.headers["content-security-policy"] == (
        "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; "
        "img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
        "require-trusted-types-for 'script'; trusted-types 'none'"
    )


@pytest.mark.parametrize(
    "path",
    ["overview", "tools", "resource?uri=stats://tools", "artifacts", "crawls", "crawls/x/failures",
     "settings"],
)  # fmt: skip
def test_data_is_for_those_who_say_who_they_are(house: House, path: str) -> None:
    assert house.see(path).status_code == 401


def test_everybody_sees_the_tools_and_calls_of_their_own(house: House) -> None:
    said = {"message": "hi"}
    assert house.client.post("/v1/tools/echo", json=said, headers=house.bob).status_code == 200

    seen = house.see("overview", **house.bob).json()
    others = house.see("overview", **house.alice).json()
    tools = house.see("tools", **house.bob).json()["tools"]

    assert seen["caller"] == {"tenant": "globex", "user": "bob", "proved": True}
    assert [(call["tool"], call["outcome"]) for call in seen["calls"]] == [("echo", "ok")]
    assert others["calls"] == []
    assert [(tool["name"], tool["toolset"]) for tool in tools] == [("echo", "starter")]
    assert seen["offered"]["tools"] == 1


def test_crawls_are_shown_to_whoever_may_crawl_and_only_their_own(house: House) -> None:
    asked = {"url": f"{house.world.address}/p/0", "maxPages": 1}
    begun = house.client.post("/v1/crawl", json=asked, headers=house.alice).json()

    [crawl] = house.see("crawls", **house.alice).json()["crawls"]
    foreign = house.see(f"crawls/{begun['crawlId']}/failures", **house.bob)
    unknown = house.see("crawls/nothing-of-hers-here/failures", **house.alice)

    assert (crawl["crawlId"], crawl["url"]) == (begun["crawlId"], asked["url"])
    assert house.see(f"crawls/{begun['crawlId']}/failures", **house.alice).status_code == 200
    assert house.see("crawls", **house.bob).status_code == 404
    assert (foreign.status_code, unknown.status_code) == (404, 404)


def test_artifacts_and_sessions_stay_with_their_owner(house: House) -> None:
    step = {"searchStep": "x" * 4000, "nextStepNeeded": True, "researchGoal": "owls"}
    session: dict[str, str] = {}
    for n in range(1, 9):
        asked = step | session | {"stepNumber": n}
        answer = house.client.post("/v1/tools/sequential_search", json=asked, headers=house.alice)
        session = {"sessionId": answer.json()["sessionId"]}
    linked = house.client.post("/v1/tools/research_export", json=session, headers=house.alice)
    uri = linked.json()["resource"]

    [kept] = house.see("artifacts", **house.alice).json()["artifacts"]
    whole = house.see(f"resource?uri={uri}", **house.alice)

    assert (kept["uri"], kept["bytes"], kept["mimeType"]) == (
        uri,
        len(whole.content),
        "application/json",
    )
    # whatever is in it, the browser must not take it for one of our pages
    assert whole.headers["content-type"] == "application/octet-stream"
    assert whole.headers["content-disposition"] == "attachment"
    assert house.see("artifacts", **house.bob).json() == {"artifacts": []}
    assert house.see(f"resource?uri={uri}", **house.bob).status_code == 404
    own = f"resource?uri=research://session/{session['sessionId']}"
    assert house.see(own, **house.alice).json()["researchGoal"] == "owls"
    assert house.see(own, **house.bob).status_code == 404


def test_settings_are_for_whoever_runs_the_server(house: House) -> None:
    refused = house.see("settings", **house.alice)
    shown = house.see("settings", **house.alice, **{"x-admin-key": ADMIN})

    assert refused.status_code == 403
    assert (refused.json()["kind"], refused.json()["code"]) == ("auth_required", "admin_key")
    values = {row["name"]: row["value"] for row in shown.json()["settings"]}
    assert values["BRAVE_API_KEY"] == "set (…9876)"
    assert ADMIN not in shown.text


def test_a_resource_must_be_named_and_exist(house: House) -> None:
    unnamed = house.see("resource", **house.alice)
    unknown = house.see("resource?uri=stats://nothing", **house.alice)

    assert (unnamed.status_code, unnamed.json()["kind"]) == (400, "validation")
    assert (unknown.status_code, unknown.json()["kind"]) == (404, "not_found")


def test_assets_are_sent_again_only_when_they_changed(house: House) -> None:
    first = house.client.get("/assets/console.css")
    again = house.client.get(
        "/assets/console.css", headers={"if-none-match": first.headers["etag"]}
    )

    assert (first.status_code, again.status_code, again.content) == (200, 304, b"")
    for hidden in ("shell.html", "__init__.py", "..%2Fhttp.py"):
        assert house.client.get(f"/assets/{hidden}").status_code in (401, 404)

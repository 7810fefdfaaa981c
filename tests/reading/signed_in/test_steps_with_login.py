"""Steps, screenshots, headers and cookies: what only one caller sees stays with that caller."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.net.servers import ReceivedRequest, serve
from tests.reading.browsing.sample_apps import PRIVATE_TITLE, sample_apps
from tests.reading.chromium import needs_chromium
from tests.reading.signed_in.test_isolation import (
    ADA,
    BOB,
    COOKIE,
    call,
    files_with,
    kept_pages,
    open_captured,
    sign_in,
)
from tests.support import text_of
from webquarry.app import App
from webquarry.models.caller import Caller
from webquarry.models.result import Result
from webquarry.models.session import ToolFindings
from webquarry.services.sessions.session_state import SessionState

pytestmark = pytest.mark.anyio

TYPED = "hunter2"
SIGN_IN = [
    {"do": "fill", "label": "Name", "value": "ada"},
    {"do": "fill", "label": "Password", "value": TYPED},
    {"do": "click", "role": "button", "name": "Enter"},
    {"do": "wait", "text": PRIVATE_TITLE},
]
SHOT = [{"do": "screenshot"}, {"do": "extract", "value": "html"}]


def body_of(result: Result) -> dict[str, Any]:
    assert result.structured, text_of(result)
    return result.structured


@needs_chromium
@pytest.mark.parametrize("tool", ["scrape_page", "cinder_scrape"])
async def test_steps_use_the_login_of_their_caller(tmp_path: Path, tool: str) -> None:
    async with serve(sample_apps) as site, open_captured(tmp_path) as app:
        await sign_in(app, ADA)
        url = site.url("/private")
        own = body_of(await call(app, tool, ADA, url=url, steps=SHOT))
        other = await call(app, tool, BOB, url=url, steps=SHOT)
        stolen = [
            await call(app, "scrape_page", BOB, url=f"research://artifacts/{_id(step)}")
            for step in own["steps"]
        ]
        kept = await kept_pages(app, site.url(""))
        artifacts = app.services.artifacts
        found = [await artifacts.read(_id(s), tenant="t", owner="ada") for s in own["steps"]]
        with pytest.raises(Exception, match="expired or never existed"):
            await artifacts.read(_id(own["steps"][0]), tenant="t", owner="bob")

    assert PRIVATE_TITLE in own["content"]
    assert PRIVATE_TITLE not in other.model_dump_json()
    assert [each.is_error for each in stolen] == [True, True]
    assert [each.mime for each in found] == ["image/png", "text/html; charset=utf-8"]
    assert PRIVATE_TITLE.encode() in found[1].chunk
    assert kept == []
    assert files_with(tmp_path, PRIVATE_TITLE) == []


def _id(step: dict[str, Any]) -> str:
    return str(step["file"]["url"]).rpartition("/")[2]


@needs_chromium
async def test_a_screenshot_shows_what_its_caller_sees(tmp_path: Path) -> None:
    async with serve(sample_apps) as site, open_captured(tmp_path) as app:
        await sign_in(app, ADA)
        formats = ["screenshot"]
        url = site.url("/private")
        own = body_of(await call(app, "cinder_scrape", ADA, url=url, formats=formats))
        asked = {request.target for request in site.requests}
        other = await call(app, "cinder_scrape", BOB, url=url, formats=formats)
        kept = await kept_pages(app, url)

    assert own["screenshot"]["width"] == 1366
    assert "/login" not in asked
    assert other.is_error
    assert kept == []


async def decrypted(app: App) -> str:
    """Return everything in the store, as the server itself reads it."""
    store = app.services.store
    values = [entry.value async for key in store.scan("") if (entry := await store.get(key))]
    return b"\n".join(values).decode("utf-8", "replace")


@needs_chromium
async def test_what_is_typed_is_in_no_log_session_or_file(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    caplog.set_level("DEBUG")
    recorded: list[ToolFindings] = []
    async with serve(sample_apps) as site, open_captured(tmp_path) as app:
        sessions = app.services.sessions
        record = sessions.record

        async def note(caller: Caller, ident: str, findings: ToolFindings) -> SessionState:
            recorded.append(findings)
            return await record(caller, ident, findings)

        monkeypatch.setattr(sessions, "record", note)
        started = await call(
            app, "sequential_search", ADA, searchStep="start", stepNumber=1,
            totalStepsEstimate=2, nextStepNeeded=True, researchGoal="owls",
        )  # fmt: skip
        session = body_of(started)["sessionId"]
        url = site.url("/login")
        page = body_of(
            await call(app, "scrape_page", ADA, url=url, steps=SIGN_IN, sessionId=session)
        )
        shown = await call(app, "get_research_session", ADA, sessionId=session)
        export = await call(app, "research_export", ADA, sessionId=session)
        await app.services.capturing.flush()
        stored = await decrypted(app)

    assert PRIVATE_TITLE in page["content"]
    assert [step["ok"] for step in page["steps"]] == [True] * 4
    written = caplog.text + shown.model_dump_json() + export.model_dump_json() + json.dumps(page)
    assert TYPED not in written
    assert TYPED not in stored
    assert [findings.arguments for findings in recorded] == [
        {
            "url": url,
            "steps": [
                "fill label 'Name'", "fill label 'Password'", "click button 'Enter'",
                f"wait text {PRIVATE_TITLE!r}",
            ],
        }
    ]  # fmt: skip
    assert files_with(tmp_path, TYPED) == []


async def test_a_session_records_only_the_url_of_a_page_that_was_read_with_a_login(
    tmp_path: Path,
) -> None:
    async with (
        serve(sample_apps) as site,
        open_captured(tmp_path, CHROME_PATH="disabled") as app,
    ):
        await sign_in(app, ADA)
        started = await call(
            app, "sequential_search", ADA, searchStep="start", stepNumber=1,
            totalStepsEstimate=2, nextStepNeeded=True, researchGoal="owls",
        )  # fmt: skip
        session = body_of(started)["sessionId"]
        url = site.url("/private")
        await call(app, "scrape_page", ADA, url=url, sessionId=session)
        shown = (await call(app, "get_research_session", ADA, sessionId=session)).model_dump_json()

    assert url in shown
    assert PRIVATE_TITLE not in shown
    assert '"Private"' not in shown


@pytest.mark.parametrize("tool", ["scrape_page", "cinder_scrape"])
async def test_cookies_of_a_call_are_treated_like_a_login(tmp_path: Path, tool: str) -> None:
    async with (
        serve(sample_apps) as site,
        open_captured(tmp_path, CHROME_PATH="disabled") as app,
    ):
        url = site.url("/private")
        cookies = {"session": COOKIE}
        own = body_of(await call(app, tool, ADA, url=url, cookies=cookies))
        again = await call(app, tool, BOB, url=url)
        kept = await kept_pages(app, url)

    assert PRIVATE_TITLE in own["content"]
    assert PRIVATE_TITLE not in again.model_dump_json()
    assert kept == []
    assert files_with(tmp_path, COOKIE) == []
    assert files_with(tmp_path, PRIVATE_TITLE) == []


@needs_chromium
async def test_headers_and_cookies_of_a_call_go_to_their_host_only(tmp_path: Path) -> None:
    received: list[tuple[str, bool, bool]] = []

    async def record(request: ReceivedRequest) -> None:
        headers = request.headers
        host = headers.get("host", "").partition(":")[0]
        if request.target in {"/", "/part"}:
            own = "x-token" in headers
            received.append((host + request.target, own, "owl=1" in headers.get("cookie", "")))
        port = headers.get("host", "").rpartition(":")[2]
        text = "<p>Owls hunt at night.</p>" * 9
        html = f"<title>x</title>{text}<iframe src=http://localhost:{port}/part></iframe>"
        await request.respond(200, html.encode(), content_type="text/html")

    async with serve(record) as site, open_captured(tmp_path) as app:
        page = await call(
            app, "cinder_scrape", ADA, url=site.url(), mode="dynamic",
            headers={"X-Token": "s3cr3t"}, cookies={"owl": "1"},
        )  # fmt: skip
        stepped = await call(
            app, "scrape_page", ADA, url=site.url(), steps=[{"do": "wait", "value": 10}],
            headers={"X-Token": "s3cr3t"}, cookies={"owl": "1"},
        )  # fmt: skip

    assert (page.is_error, stepped.is_error) == (False, False)
    assert set(received) == {("127.0.0.1/", True, True), ("localhost/part", False, False)}
    assert "Read with your headers and your cookies" in stepped.model_dump_json()


@pytest.mark.parametrize("tool", ["scrape_page", "cinder_scrape"])
@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"headers": {"Cookie": "a=b"}}, "the header Cookie cannot be set; use cookies"),
        ({"headers": {"X": "a\r\nb"}}, "control characters"),
        ({"cookies": {"a": "b c"}}, "the value of the cookie a must be ASCII"),
        ({"steps": [{"do": "jump"}]}, "steps.0.do: must be"),
        ({"steps": [{"do": "click"}]}, "click needs selector, role, label or text"),
        ({"steps": [{"do": "fill", "label": "x", "text": "y"}]}, "give one of label and text"),
        ({"steps": [{"do": "click", "name": "Go"}]}, "name needs role"),
        ({"steps": [{"do": "press"}]}, "press needs a value"),
        ({"steps": [{"do": "wait", "value": "soon"}]}, "wait: value is milliseconds, at most"),
        ({"steps": [{"do": "scroll", "value": "left"}]}, "scroll: value is auto, top"),
        ({"steps": [{"do": "wait", "value": 1}] * 51}, "at most 50"),
        ({"steps": "{"}, "must be a list of steps"),
        ({"steps": [{"do": "javascript", "value": "1"}]}, "ALLOW_PAGE_SCRIPTS"),
    ],
)
async def test_wrong_arguments_are_named(
    tmp_path: Path, tool: str, arguments: dict[str, Any], words: str
) -> None:
    async with open_captured(tmp_path, CHROME_PATH="disabled") as app:
        result = await call(app, tool, ADA, url="http://127.0.0.1:9/", **arguments)

    assert result.problem
    assert words in result.problem.message
    assert result.problem.block["kind"] == "validation"

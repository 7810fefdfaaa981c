"""`browse_page`: what a client sees."""

from pathlib import Path
from typing import Any

import pytest

from tests.net.servers import serve
from tests.reading.browsing.open_pages import open_browsing
from tests.reading.browsing.sample_apps import sample_apps
from tests.reading.chromium import needs_chromium
from tests.support import ALICE, CallHarness, override, services, text_of
from webquarry.reading.browsing.browsing_service import BrowsingService
from webquarry.tools.browse_page import browse_page

pytestmark = [pytest.mark.anyio, needs_chromium]


def desk(service: BrowsingService) -> CallHarness:
    return CallHarness((browse_page,), services=override(services(), browsing=service))


async def call(harness: CallHarness, **arguments: Any) -> dict[str, Any]:
    result = await harness.call("browse_page", arguments)
    assert result.structured, text_of(result)
    return result.structured


async def test_a_page_is_opened_operated_and_closed(tmp_path: Path) -> None:
    async with serve(sample_apps) as site, open_browsing(tmp_path) as service:
        harness = desk(service)
        opened = await call(harness, url=site.url("/login"))
        session = opened["session"]
        typed = await call(
            harness, session=session, actions=[{"do": "type", "id": "e2", "value": "ada"}]
        )
        closed = await harness.call(
            "browse_page", {"session": session, "actions": [{"do": "close"}]}
        )

    snapshot = (
        'heading 1 "Sign in"\n[e2] textbox "Name"\n[e3] textbox "Password"\n[e4] button "Enter"'
    )
    assert opened == {
        "session": session,
        "url": site.url("/login"),
        "title": "Sign in",
        "status": 200,
        "snapshot": snapshot,
        "done": 0,
        "trust": "untrusted-external-content",
    }
    assert typed["snapshot"].endswith('~ [e2] textbox "Name" = "ada"')
    assert text_of(closed) == f"Session {session} is closed."


async def test_the_text_starts_with_the_session_and_says_what_failed(tmp_path: Path) -> None:
    async with serve(sample_apps) as site, open_browsing(tmp_path) as service:
        actions = [{"do": "click", "id": "e99"}]
        result = await desk(service).call(
            "browse_page", {"url": site.url("/login"), "actions": actions}
        )

    assert result.structured
    lines = text_of(result).splitlines()
    assert lines[0] == f"Session {result.structured['session']}: {site.url('/login')}"
    assert lines[2].startswith("FAILED: action 1 (click e99): e99 is not on the page")
    assert result.structured["partial"] is True


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "url: give a url to open, or the session of an earlier result"),
        ({"session": "unknown"}, "there is no browser session 'unknown'"),
        ({"url": "http://10.0.0.5/"}, "10.0.0.5"),
        ({"url": "https://owls.test/", "actions": [{"do": "click"}]}, "needs the id"),
        ({"url": "https://owls.test/", "actions": [{"do": "press"}]}, "press needs a value"),
        (
            {"url": "https://owls.test/", "actions": [{"do": "script", "value": "1"}]},
            "BROWSE_SCRIPTS=on",
        ),
    ],
)
async def test_wrong_arguments_are_explained_before_a_browser_starts(
    arguments: dict[str, Any], message: str, tmp_path: Path
) -> None:
    async with open_browsing(tmp_path, private=False) as service:
        result = await desk(service).call("browse_page", arguments)

    assert result.is_error
    assert message in text_of(result)


async def test_a_page_that_cannot_be_opened_leaves_no_session(tmp_path: Path) -> None:
    async with serve(sample_apps) as site:
        gone = site.url()
    async with open_browsing(tmp_path) as service:
        harness = desk(service)
        result = await harness.call("browse_page", {"url": gone})
        left = [session.reason for session in service.sessions.of(ALICE)]

    assert result.is_error
    assert "refused the connection" in text_of(result)
    assert all(left)

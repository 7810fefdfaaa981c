"""The console's page for documents in Chromium: upload, progress, result, cancel and resume."""

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.conformance.node import installed
from tests.server.console_browser import watched
from tests.server.console_fake_web import OWL_DOI, FakeWeb, fake_web, settings_of
from tests.server.http_server import http_server
from tests.server.test_console import AXE, violations

CHROMIUM = shutil.which("chromium")
pytestmark = pytest.mark.skipif(
    CHROMIUM is None, reason="Chromium is not installed (apt install chromium)"
)


@pytest.fixture(scope="module")
def world() -> Iterator[FakeWeb]:
    with fake_web() as world:
        yield world


@pytest.fixture(scope="module")
def client(world: FakeWeb, tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx2.Client]:
    settings = settings_of(world) | {"MAX_UPLOAD_BYTES": "20KB"}
    with http_server(tmp_path_factory.mktemp("checks"), settings=settings) as client:
        yield client


@pytest.fixture(scope="module")
def base(client: httpx2.Client) -> str:
    return str(client.base_url).rstrip("/")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


def report(world: FakeWeb, path: str = "p") -> str:
    """Return a report with a true and a false claim, a retracted work and a dead link."""
    return f"""# Owls

The barn with number 7919 has 1 owls and 1 voles ([a page]({world.url}/{path}/1)).
The barn with number 7919 has 4 owls and 1 voles ([a page]({world.url}/{path}/1)).
Owls hear well in barns <b>at night</b> [1]. A paper says so too, at great length [2].

## References

[1] Strix, A. (2021). Owls hear well. Journal of Owls. https://doi.org/{OWL_DOI}
[2] Nemo, N. (2020). A paper that never was. Journal of Nothing. {world.url}/gone/page
"""


def drop(page: Page, name: str, text: str) -> None:
    """Drop a file on the form."""
    dropped = page.evaluate_handle(
        "([name, text]) => { const all = new DataTransfer();"
        " all.items.add(new File([text], name)); return all; }",
        [name, text],
    )
    page.dispatch_event("#start", "drop", {"dataTransfer": dropped})


def submit(page: Page) -> None:
    page.get_by_role("button", name="Check document").click()


def test_a_dropped_document_is_checked_and_its_result_sorted_filtered_and_saved(
    browser: Browser, base: str, world: FakeWeb
) -> None:
    with watched(browser, base, accept_downloads=True) as seen:
        page = seen.open("/console/check")
        drop(page, "owls.md", report(world))
        expect(page.locator("#file-note")).to_contain_text("owls.md (")
        submit(page)

        expect(page.locator("#check h2")).to_have_text("owls.md")
        kinds = page.locator("#findings .badge")
        expect(kinds).to_have_text(["contradicted", "retracted", "dead link"])
        expect(page.locator("#findings")).to_contain_text("4 owls")
        rows = page.locator("#claims tbody tr:visible")
        expect(rows.first).to_contain_text("contradicted")
        page.get_by_label("Class").select_option("supported")
        expect(rows).to_have_count(1)
        link = rows.first.get_by_role("link", name="Show in the source")
        assert "#:~:text=" in (link.get_attribute("href") or "")
        page.get_by_label("Class").select_option("")
        page.get_by_label("Filter").fill("7919 contradicted")
        expect(rows).to_have_count(1)
        page.get_by_label("Filter").fill("")
        page.get_by_role("button", name="Class").press("Enter")
        page.get_by_role("button", name="Class").press("Enter")
        expect(page.get_by_role("columnheader", name="Class")).to_have_attribute(
            "aria-sort", "descending"
        )
        expect(rows.first).to_contain_text("supported")
        assert saved(page, "Data (JSON)")["summary"]["findings"] == 3
        assert b"4 owls" in download(page, "Copy with notes")
        row = page.locator("#list tbody tr").first
        expect(row).to_contain_text(re.compile("owls.md.*completed.*3", re.DOTALL))


def saved(page: Page, name: str) -> dict[str, dict[str, int]]:
    return json.loads(download(page, name))


def download(page: Page, name: str) -> bytes:
    with page.expect_download() as waiting:
        page.get_by_role("button", name=name).click()
    return Path(waiting.value.path()).read_bytes()


def test_a_running_check_is_watched_cancelled_and_resumed(
    browser: Browser, base: str, world: FakeWeb
) -> None:
    with watched(browser, base) as seen:
        page = seen.open("/console/check")
        page.get_by_label("Or its text").fill(report(world, "slow"))
        submit(page)
        state = page.locator("#check .badge").first
        expect(state).to_have_text("running")
        expect(page.get_by_role("progressbar")).to_be_visible()
        page.get_by_role("button", name="Cancel check").click()
        expect(state).to_have_text("cancelled")
        expect(page.locator("#check")).to_contain_text("Incomplete:")

        world.release_slow_pages.set()
        page.reload()
        page.get_by_role("button", name="Go on").click()

        expect(page.locator("#check .badge").first).to_have_text("completed")
        expect(page.locator("#findings .badge").first).to_have_text("contradicted")
        expect(page.get_by_role("button", name="Go on")).to_be_hidden()


def test_what_cannot_be_checked_is_said_at_the_form(browser: Browser, base: str) -> None:
    with watched(browser, base) as seen:
        page = seen.open("/console/check")
        problem = page.locator("#start-problem")
        submit(page)
        expect(problem).to_contain_text("Give one document: a file, a URL or a text.")
        drop(page, "large.md", "x" * 30_000)
        expect(page.locator("#file-note")).to_contain_text(
            "large.md is too large (maximum: 19.5 KiB"
        )


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_a_result_has_no_accessibility_problem_and_fits_the_screen(
    browser: Browser, base: str, world: FakeWeb, width: int, theme: str
) -> None:
    script = installed(*AXE).read_text()
    screen = {"width": width, "height": 844}
    options = {"viewport": screen, "color_scheme": theme, "bypass_csp": True}
    with watched(browser, base, **options) as seen:
        page = seen.open("/console/check")
        page.get_by_label("Or its text").fill(f"Seen on {theme} {width}.\n\n{report(world)}")
        submit(page)
        expect(page.locator("#findings .badge").first).to_have_text("contradicted")
        page.get_by_text("References (").click()

        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert violations(page, script) == []


def test_an_upload_above_its_own_limit_is_refused_with_413(client: httpx2.Client) -> None:
    large = client.post("/v1/check", files={"file": ("a.md", b"x" * 30_000)})
    huge = client.post("/v1/check", files={"file": ("a.md", b"x" * 200_000)})

    for response in (large, huge):
        problem = response.json()
        assert response.status_code == 413
        assert "The document is larger than MAX_UPLOAD_BYTES=20000" in problem["detail"]


def test_a_check_is_watched_as_server_sent_events(client: httpx2.Client, world: FakeWeb) -> None:
    text = "Watched.\n\n" + report(world)
    started = client.post("/v1/check", json={"text": text, "name": "a.md"})
    path = started.headers["location"]

    events = client.get(f"{path}/events").text.split("\n\n")
    last = json.loads(events[-2].split("data: ")[1])

    assert "event: completed" in events[-2]
    assert (last["document"], last["findings"], last["canResume"]) == ("a.md", 3, False)
    assert client.get(f"/v1/check/{'0' * 20}/events").status_code == 404


def test_a_cited_page_is_requested_once(client: httpx2.Client, world: FakeWeb) -> None:
    text = f"Barns have owls ([one]({world.url}/p/21)), and so do [barns]({world.url}/p/22).\n"
    started = client.post("/v1/check", json={"text": text, "name": "once.md"})
    client.get(f"{started.headers['location']}/events")

    assert (world.requests["/p/21"], world.requests["/p/22"]) == (1, 1)

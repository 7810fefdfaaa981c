"""The column of a language model in Chromium: in the console, and in the report it saves."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest
from anyio.from_thread import start_blocking_portal
from playwright.sync_api import Page, expect, sync_playwright

from bench.hallucinating_llm import serve_llm
from tests.server.console_browser import watched
from tests.server.console_fake_web import FakeWeb, fake_web, settings_of
from tests.server.http_server import http_server
from tests.services.checking.judging_model import JudgingModel

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
    with start_blocking_portal() as portal:  # noqa: SIM117
        with portal.wrap_async_context_manager(serve_llm(JudgingModel())) as url:
            model = {"LLM_MODEL": "judge", "LLM_BASE_URL": url}
            folder = tmp_path_factory.mktemp("verdicts")
            with http_server(folder, settings=settings_of(world) | model) as client:
                yield client


def _report(world: FakeWeb) -> str:
    page = f"([a page]({world.url}/p/1))"
    return f"""# Owls

The barn with number 7919 has 1 owls and 1 voles {page}.
The barn with number 7919 has 4 owls and 1 voles {page}.
"""


def test_verdicts_stand_beside_the_classes(
    world: FakeWeb, client: httpx2.Client, tmp_path: Path
) -> None:
    base = str(client.base_url).rstrip("/")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        with watched(browser, base, accept_downloads=True) as seen:
            page = seen.open("/console/check")
            page.get_by_label("Or its text").fill(_report(world))
            page.get_by_role("button", name="Check document").click()

            expect(page.locator("#check")).to_contain_text(
                "Language model: 1 verdict; 1 dropped because their quotes are not in the source"
            )
            _expect_column(page)
            with page.expect_download() as waiting:
                page.get_by_role("button", name="Report (HTML)").click()
            saved = tmp_path / "report.html"
            waiting.value.save_as(saved)
        with watched(browser, tmp_path.as_uri()) as seen:
            seen.page.goto(saved.as_uri())
            _expect_column(seen.page)
            expect(seen.page.locator("p").first).to_contain_text("Language model: 1 verdict;")
        browser.close()


def _expect_column(page: Page) -> None:
    """The first claim has a verdict with its quotation, the second none."""
    rows = page.locator("#claims tbody tr")
    expect(rows).to_have_count(2)
    header = page.get_by_role("columnheader", name="Model").first
    header.get_by_role("button").click()
    quoted = rows.first.locator("blockquote", has_text="Barn owls hunt voles")
    expect(rows.first).to_contain_text("1 owls")
    expect(rows.first).to_contain_text("supported")
    expect(quoted).to_be_visible()
    expect(rows.nth(1)).to_contain_text("contradicted")
    expect(rows.nth(1).locator("blockquote")).to_have_count(1)  # of the source alone

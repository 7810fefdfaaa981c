"""Small web applications in a real browser: each is operated by steps, then read."""

import asyncio
from collections.abc import Generator
from urllib.parse import parse_qs, quote, urlsplit

import pytest

from tests.crawl.site import Reply, running_site
from tests.reading.browser.steps.browser_thread import BrowserThread, browser_thread
from tests.reading.browser.steps.page_apps import APPS, FRAMES, PageApp
from tests.reading.chromium import needs_chromium
from webquarry.models.reading import Reading
from webquarry.reading.browser.context_options import ContextOptions
from webquarry.reading.browser.rendered_response import RenderedResponse

pytestmark = needs_chromium

Visited = tuple[Reading, RenderedResponse]


def site(path: str, headers: dict[str, str]) -> Reply:
    """Serve the applications, their frames and their data."""
    parts = urlsplit(path)
    query = parse_qs(parts.query)
    if parts.path == "/app":
        body = APPS[query["name"][0]].html
    elif parts.path == "/echo":
        body = f"<title>Echo</title><p>You asked for {query['q'][0]}</p>"
    elif parts.path in FRAMES:
        body = FRAMES[parts.path]
    else:
        return Reply(status=404)
    return Reply(f"<!doctype html><meta charset=utf-8>{body}".encode())


@pytest.fixture(scope="module")
def visited() -> Generator[dict[str, Visited]]:
    """Every application after its steps; several at a time, in one browser."""
    with running_site(site, latency=0.02) as running, browser_thread() as browser:
        yield browser.run(_visit_all(browser, running.url))


async def _visit_all(browser: BrowserThread, base: str) -> dict[str, Visited]:
    async def visit(name: str, app: PageApp) -> Visited:
        url = f"{base}/app?name={quote(name)}"
        return await browser.tier.read_with_steps(url, 120, ContextOptions(steps=app.steps))

    pages = await asyncio.gather(*(visit(name, app) for name, app in APPS.items()))
    return dict(zip(APPS, pages, strict=True))


@pytest.mark.parametrize("name", APPS)
def test_the_steps_lead_to_the_text(visited: dict[str, Visited], name: str) -> None:
    app, (reading, rendered) = APPS[name], visited[name]
    text = " ".join(reading.markdown.split())

    assert [(result.ok, result.note) for result in rendered.steps.results if not result.ok] == []
    assert len(rendered.steps.results) == len(app.steps)
    assert [words for words in app.shows if words not in text] == []
    assert [words for words in app.hides if words in text] == []
    assert rendered.consent == app.consent
    notes = "; ".join(result.note for result in rendered.steps.results)
    assert [words for words in app.notes if words not in notes] == []


def test_there_are_more_than_thirty_applications() -> None:
    assert len(APPS) > 30

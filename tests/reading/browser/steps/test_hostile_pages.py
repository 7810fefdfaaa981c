"""No step on a hostile page reaches a host that the guard refuses."""

import asyncio
from typing import get_args

import pytest

from bench.hostile_steps import HOSTILE_PAGES, hostile_page
from tests.net.servers import Handler, ReceivedRequest, Site, serve
from tests.reading.chromium import needs_chromium, resolve_to_loopback
from webquarry.models.page_steps import PageStep, StepKind
from webquarry.net.guard.resolver import Resolver
from webquarry.net.guard.server import Guard
from webquarry.net.policy import Policy
from webquarry.reading.browser.browser import Browser
from webquarry.reading.browser.chromium import BrowserOptions
from webquarry.reading.browser.context_options import ContextOptions
from webquarry.reading.browser.playwright_errors import playwright_errors
from webquarry.reading.documents.document_reader import DocumentReader
from webquarry.reading.response_reader import ResponseReader
from webquarry.reading.tiers.browser_tier import BrowserTier
from webquarry.reading.tiers.read_errors import UnreadableError

pytestmark = [pytest.mark.anyio, needs_chromium]

PUBLIC = "public.example"
KINDS: set[StepKind] = {kind for page in HOSTILE_PAGES.values() for kind in page.kinds}


def hostile(inside: Site) -> Handler:
    """Serve the page of each kind of step, and what it needs."""
    target = inside.url("/secret")

    async def respond(request: ReceivedRequest) -> None:
        name = request.target.partition("?")[0].removeprefix("/")
        if name == "moved":
            await request.respond(302, location=target)
        elif name == "worker.js":
            script = f"fetch('{target}', {{mode: 'no-cors'}}); importScripts('{target}')"
            await request.respond(200, script.encode(), content_type="text/javascript")
        elif name in HOSTILE_PAGES:
            html = hostile_page(name, target).html.encode()
            await request.respond(200, html, content_type="text/html")
        else:
            await request.respond(404)

    return respond


async def run_all(policy: Policy, site: Site, inside: Site) -> dict[str, str]:
    """Run the steps of every page; return what became of each."""
    async with Guard(Resolver(policy, lookup=resolve_to_loopback)) as guard:
        browser, documents = Browser(guard, BrowserOptions(pages=4)), DocumentReader()
        tier = BrowserTier(
            browser=browser, guard=guard, responses=ResponseReader(documents), allow_scripts=True
        )

        async def run(name: str) -> str:
            steps = hostile_page(name, inside.url("/secret")).steps
            return await _outcome(tier, site.url(f"/{name}", host=PUBLIC), steps)

        try:
            return dict(
                zip(HOSTILE_PAGES, await asyncio.gather(*map(run, HOSTILE_PAGES)), strict=True)
            )
        finally:
            await browser.close()
            await documents.aclose()


async def _outcome(tier: BrowserTier, url: str, steps: tuple[PageStep, ...]) -> str:
    try:
        rendered = await tier.render(url, 120, ContextOptions(steps=steps))
    except (UnreadableError, *playwright_errors()) as error:
        return f"failed: {error}"
    return f"{rendered.url} {rendered.text} {rendered.steps.failure}"


async def secret(request: ReceivedRequest) -> None:
    await request.respond(200, b"<title>x</title>the secret inside", content_type="text/html")


def test_every_kind_of_step_is_tried() -> None:
    assert set(get_args(StepKind)) == KINDS


async def test_no_step_reaches_what_the_guard_refuses() -> None:
    policy = Policy(allow_private=True, allowed_domains=(PUBLIC,))
    async with serve(secret) as inside, serve(hostile(inside)) as site:
        outcomes = await run_all(policy, site, inside)

    assert inside.targets == []
    visited = {target.removeprefix("/") for target in site.targets}
    assert visited >= set(HOSTILE_PAGES)
    assert [name for name, outcome in outcomes.items() if "the secret inside" in outcome] == []


async def test_the_same_steps_reach_a_host_that_is_allowed() -> None:
    async with serve(secret) as inside, serve(hostile(inside)) as site:
        outcomes = await run_all(Policy(allow_private=True), site, inside)

    assert len(inside.targets) >= len(HOSTILE_PAGES) // 2
    assert "the secret inside" in outcomes["click-link"]

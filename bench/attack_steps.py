"""Runs steps on hostile pages in the lab: each kind of step, against each target inside.

A part of `bench.attack_browser`, which counts the hits.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import replace

from bench.hostile_pages import INTERNAL_TARGETS, batches
from bench.hostile_steps import HOSTILE_PAGES, HostilePage, hostile_page
from webquarry.net.guard.server import Guard
from webquarry.reading.browser.browser import Browser
from webquarry.reading.browser.chromium import BrowserOptions
from webquarry.reading.browser.context_options import ContextOptions
from webquarry.reading.documents.document_reader import DocumentReader
from webquarry.reading.response_reader import ResponseReader
from webquarry.reading.tiers.browser_tier import BrowserTier

_SECONDS = 40.0
_CONCURRENCY = 4


def step_pages() -> Mapping[str, HostilePage]:
    """Return a page for each kind of step and target, by path."""
    pages: dict[str, HostilePage] = {}
    for name in HOSTILE_PAGES:
        for index, target in enumerate(INTERNAL_TARGETS):
            page = hostile_page(name, target % f"step-{name}-{index}")
            moved = target % f"step-moved-{index}"
            pages[f"/step/{name}/{index}"] = replace(page, html=page.html.replace("/moved", moved))
    return pages


async def run_steps(guard: Guard, base: str) -> int:
    """Run the steps of every page; return on how many pages a step was run."""
    browser = Browser(guard, BrowserOptions(pages=_CONCURRENCY))
    documents = DocumentReader()
    tier = BrowserTier(
        browser=browser, guard=guard, responses=ResponseReader(documents), allow_scripts=True
    )
    pages, acted = step_pages(), 0
    try:
        for batch in batches(dict.fromkeys(pages, ""), _CONCURRENCY):
            acted += sum(
                await asyncio.gather(*(_run(tier, base, path, pages[path]) for path in batch))
            )
    finally:
        await browser.close()
        await documents.aclose()
    return acted


async def _run(tier: BrowserTier, base: str, path: str, page: HostilePage) -> bool:
    options = ContextOptions(steps=page.steps)
    try:
        rendered = await tier.render(f"{base}{path}", _SECONDS, options)
    # a page that is led to a refused URL fails with any browser error
    except Exception as error:  # noqa: BLE001
        # it was left for the refused URL, by a step or by itself
        return "refused" in str(error) or "interrupted" in str(error)
    return bool(rendered.steps.results)

"""Operates hostile pages in browser sessions in the lab: each control, against each target inside.

A part of `bench.attack_browser`, which counts the hits.
"""

import re
import tempfile
from collections.abc import Mapping
from pathlib import Path

from bench.hostile_controls import CONTROLS
from bench.hostile_pages import INTERNAL_TARGETS
from webquarry.errors import BrowserError, WebquarryError
from webquarry.models.browsing import PageAction
from webquarry.models.caller import Caller
from webquarry.net.fetch import Fetcher
from webquarry.net.guard.server import Guard
from webquarry.reading.browser.browser import Browser
from webquarry.reading.browser.chromium import BrowserOptions
from webquarry.reading.browsing.browsing_service import BrowseRequest, BrowsingService
from webquarry.reading.browsing.browsing_session import BrowsingSession
from webquarry.reading.browsing.browsing_sessions import BrowsingLimits, BrowsingSessions
from webquarry.reading.browsing.page_downloads import PageDownloads
from webquarry.reading.documents.document_reader import DocumentReader
from webquarry.reading.response_reader import ResponseReader

_MAX_SNAPSHOTS = 10
_FIRST_ID = re.compile(r"\[(e\d+)\]")
_CLICK_ALL = "document.querySelectorAll('a,button').forEach(each => each.click()); 1"


def control_pages() -> Mapping[str, str]:
    """Return a page for each control and target, by path."""
    return {
        f"/control/{kind}/{index}": "<title>control</title><body>"
        + control.format(
            target % f"control-{kind}-{index}",
            (target % f"control-{kind}-{index}").replace("http", "ws", 1),
        ).replace("/moved", target % f"moved-{index}")
        for kind, control in CONTROLS.items()
        for index, target in enumerate(INTERNAL_TARGETS)
    }


async def operate(guard: Guard, base: str) -> int:
    """Click the control of every page; return how many pages could be operated."""
    with tempfile.TemporaryDirectory() as name:
        folder, documents, fetcher = Path(name), DocumentReader(), Fetcher(guard)
        responses = ResponseReader(documents)
        sessions = BrowsingSessions(
            Browser(guard, BrowserOptions(pages=2, downloads=folder)),
            BrowsingLimits(sessions=2),
            lambda where: PageDownloads(responses, fetcher, 2**20, where),
            folder,
        )
        service = BrowsingService(sessions, guard, responses, allows_scripts=True)
        try:
            return await _operate_all(service, base)
        finally:
            await sessions.close()
            fetcher.close()
            await documents.aclose()


async def _operate_all(service: BrowsingService, base: str) -> int:
    operated = 0
    session = await service.open(Caller(user="attacker"))
    for path in control_pages():
        try:
            # with the mouse, and by a script
            click = PageAction(do="click", id=await _control_id(service, session, f"{base}{path}"))
            await service.browse(session, BrowseRequest(actions=(click,)))
            await service.browse(session, BrowseRequest(), f"{base}{path}")
            script = PageAction(do="script", value=_CLICK_ALL)
            await service.browse(session, BrowseRequest(actions=(script,)))
            operated += 1
        except WebquarryError as error:
            print(f"  {path}: {str(error)[:100]}")
            if session.reason:
                session = await service.open(Caller(user="attacker"))
    return operated


async def _control_id(service: BrowsingService, session: BrowsingSession, url: str) -> str:
    """Open a page and return the id of its control; a busy machine may draw it late."""
    for _ in range(_MAX_SNAPSHOTS):
        page = await service.browse(session, BrowseRequest(), url)
        if found := _FIRST_ID.search(page.snapshot):
            return found[1]
    raise BrowserError(f"No control was drawn on {url}.")

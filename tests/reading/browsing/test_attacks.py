"""What is done on hostile pages reaches no host that the guard refuses."""

from pathlib import Path

import pytest

from bench.hostile_controls import CONTROLS
from tests.net.servers import Handler, ReceivedRequest, Site, serve
from tests.reading.browsing.open_pages import Pages, open_browsing
from tests.reading.chromium import needs_chromium
from webquarry.errors import WebquarryError
from webquarry.models.browsing import PageAction
from webquarry.net.policy import Policy

pytestmark = [pytest.mark.anyio, needs_chromium]

PUBLIC = "public.example"


def hostile(inside: Site) -> Handler:
    """Serve the page of each control, and what it needs."""
    target = inside.url("/secret")

    async def respond(request: ReceivedRequest) -> None:
        path = request.target.partition("?")[0]
        control = CONTROLS.get(path.removeprefix("/"))
        if path == "/moved":
            await request.respond(302, location=target)
        elif path == "/worker.js":
            script = f"fetch('{target}', {{mode: 'no-cors'}}); importScripts('{target}')"
            await request.respond(200, script.encode(), content_type="text/javascript")
        elif control:
            html = control.format(target, target.replace("http", "ws", 1))
            await request.respond(200, f"<body>{html}".encode(), content_type="text/html")
        else:
            await request.respond(404)

    return respond


async def operate(pages: Pages, url: str) -> str:
    """Click the control of a page; return what became of it."""
    try:
        opened = await pages.go(url)
        ident = next(line for line in opened.snapshot.splitlines() if line.startswith("[e"))
        click = PageAction(do="click", id=ident[1:].partition("]")[0])
        page = await pages.do(click)
    except WebquarryError as error:
        return str(error)
    return page.failed or f"{page.url} {page.events} {page.downloads}"


async def test_no_action_reaches_what_the_guard_refuses(tmp_path: Path) -> None:
    async def secret(request: ReceivedRequest) -> None:
        await request.respond(200, b"the secret inside", content_type="text/html")

    policy = Policy(allow_private=True, allowed_domains=(PUBLIC,))
    async with (
        serve(secret) as inside,
        serve(hostile(inside)) as site,
        open_browsing(tmp_path, policy=policy, scripts=True) as service,
    ):
        pages = await Pages.opened(service)
        results = [await operate(pages, site.url(f"/{name}", host=PUBLIC)) for name in CONTROLS]
        with pytest.raises(WebquarryError):
            await pages.go(inside.url())
        await pages.go(site.url("/link", host=PUBLIC))
        scripted = await pages.do(
            PageAction(do="script", value=f"location = '{inside.url('/secret')}'; 1")
        )
        await pages.do(PageAction(do="wait", value="200"))

    assert inside.targets == []
    assert len({target for target in site.targets if target[1:] in CONTROLS}) == len(CONTROLS)
    assert [result for result in results if "the secret inside" in result] == []
    assert "the secret inside" not in scripted.snapshot


async def test_the_same_controls_reach_a_host_that_is_allowed(tmp_path: Path) -> None:
    async def open_page(request: ReceivedRequest) -> None:
        await request.respond(200, b"open to all", content_type="text/html")

    async with (
        serve(open_page) as inside,
        serve(hostile(inside)) as site,
        open_browsing(tmp_path) as service,
    ):
        pages = await Pages.opened(service)
        for name in ("link", "post-form", "window-open", "redirect"):
            await operate(pages, site.url(f"/{name}", host=PUBLIC))

    assert len(inside.targets) >= 4

"""Views of results, in a host page with the npm packages of the extension, in Chromium."""

import base64
import hashlib
import os
import re
import shutil
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp import Client
from mcp.client import advertise
from playwright.sync_api import Browser, FrameLocator, Page, Route, expect, sync_playwright

from tests.conformance.node import installed
from tests.conformance.node import run as run_node
from tests.server.console_browser import TIMEOUT
from tests.server.console_fake_web import NO_DOI, OWL_DOI, FakeWeb, fake_web, settings_of
from tests.server.http_server import http_server
from tests.server.raw_mcp_client import raw_client
from tests.support import ALICE, CallHarness
from webquarry.errors import NotFoundError
from webquarry.resources.resource import ResourceRegistry
from webquarry.server.app_views import EXTENSION, MIME, VIEWS, read_view
from webquarry.server.mcp_server import ServerOffer, build_server
from webquarry.tools import TOOLS
from webquarry.tools.audit_bibliography import audit_bibliography
from webquarry.tools.format_bibliography import format_bibliography

HERE = Path(__file__).parent / "views_host"
CHROMIUM = shutil.which("chromium")
needs_chromium = pytest.mark.skipif(
    CHROMIUM is None, reason="Chromium is not installed (apt install chromium)"
)
EXT_APPS = ("@modelcontextprotocol/ext-apps", "2.0.4", "dist/src/app-bridge.js")
ESBUILD = ("esbuild", "0.28.2", "bin/esbuild")
# what the specification requires of a host for a view that declares no domains
SANDBOX_POLICY = (
    "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data:; media-src 'self' data:; connect-src 'none'"
)
HOST_PAGE = (
    "<!DOCTYPE html><title>Host</title><iframe width=900 height=200 title=view></iframe>"
    "<script type=module src=/host.js></script>"
)
SHOWS: dict[str, dict[str, Any]] = {EXTENSION: {"mimeTypes": [MIME]}}
BIB = f"""
@article{{retracted, title = {{Owls hear well}}, author = {{Strix, Ada}}, doi = {{{OWL_DOI}}}}}
@article{{invented, title = {{A paper that never was}}, author = {{Nemo, N.}}, doi = {{{NO_DOI}}}}}
"""
DOCUMENTS = sorted(set(VIEWS.values()))


def html(view: str) -> str:
    return str(read_view(f"ui://webquarry/{view}").body)


def server() -> Any:
    harness = CallHarness((audit_bibliography, format_bibliography))
    offer = ServerOffer(
        path=harness.path, services=harness.services, resources=ResourceRegistry(())
    )
    return build_server(offer, lambda _: ALICE)


@pytest.mark.parametrize("view", DOCUMENTS)
def test_a_view_allows_its_own_script_and_style_and_nothing_else(view: str) -> None:
    document = html(view)
    [policy] = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]*)"', document)
    parts = re.findall(r"<(script|style)[^>]*>(.*?)</\1>", document, re.DOTALL)
    digests = {
        tag: base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        for tag, text in parts
    }

    assert [tag for tag, _ in parts] == ["style", "script"]
    assert policy == (
        "default-src 'none'; base-uri 'none'; form-action 'none'; "
        f"style-src 'sha256-{digests['style']}'; script-src 'sha256-{digests['script']}'"
    )
    assert re.findall(r'\b(?:src|href)="', document) == []
    assert len(document.encode()) < 24_000


def test_an_unknown_view_is_not_found() -> None:
    with pytest.raises(NotFoundError, match="Resource not found: ui://webquarry/secret"):
        read_view("ui://webquarry/secret")


def test_every_tool_with_a_view_exists() -> None:
    assert VIEWS.keys() <= {tool.name for tool in TOOLS}


@pytest.mark.anyio
async def test_only_clients_that_show_views_are_told_of_them() -> None:
    async with raw_client(server(), SHOWS) as client:
        told = await client.request("tools/list")
        read = await client.request("resources/read", uri="ui://webquarry/audit")
    async with raw_client(server(), {EXTENSION: {"mimeTypes": ["text/plain"]}}) as client:
        untold = await client.request("tools/list")

    meta = {each["name"]: each.get("_meta") for each in told["tools"]}
    uri = "ui://webquarry/audit"
    assert meta == {
        "audit_bibliography": {"ui": {"resourceUri": uri}},
        "format_bibliography": None,
    }
    assert (told["cacheScope"], untold["cacheScope"]) == ("private", "public")
    assert [each.get("_meta") for each in untold["tools"]] == [None, None]
    [content] = read["contents"]
    assert (content["mimeType"], content["_meta"]) == (MIME, {"ui": {"prefersBorder": True}})


@pytest.mark.anyio
async def test_clients_with_a_handshake_are_told_of_views_too() -> None:
    async with Client(
        server(), mode="legacy", extensions=[advertise(EXTENSION, SHOWS[EXTENSION])]
    ) as client:
        listed = await client.list_tools()

    assert [each.meta for each in listed.tools] == [
        {"ui": {"resourceUri": "ui://webquarry/audit"}},
        None,
    ]


@pytest.fixture(scope="module")
def world() -> Iterator[FakeWeb]:
    with fake_web() as world:
        yield world


@pytest.fixture(scope="module")
def web_server(world: FakeWeb, tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx2.Client]:
    with http_server(tmp_path_factory.mktemp("views"), settings=settings_of(world)) as client:
        yield client


@pytest.fixture(scope="module")
def host_script(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the script of the host page, bundled with the npm packages."""
    bridge = installed(*EXT_APPS)
    modules = bridge.parents[4]
    home = tmp_path_factory.mktemp("bundle")
    entry = home / "host.js"
    text = (HERE / "host.js").read_text()
    client = modules / "@modelcontextprotocol/client/dist/index.mjs"
    text = text.replace("@modelcontextprotocol/ext-apps/app-bridge", str(bridge))
    entry.write_text(text.replace('"@modelcontextprotocol/client"', f'"{client}"'))
    target = home / "bundle.js"
    arguments = (str(entry), "--bundle", "--format=esm", f"--outfile={target}", "--log-level=error")
    done = run_node(installed(*ESBUILD), arguments, home=home)
    assert target.exists(), done.stderr
    return target.read_text()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


def forward(route: Route, server: httpx2.Client) -> None:
    """Send a request of the host page to the server."""
    request = route.request
    skipped = {"host", "origin", "referer", "content-length"}
    headers = {name: each for name, each in request.headers.items() if name not in skipped}
    if request.method == "GET":  # a stream of notifications, which would never end here
        route.fulfill(status=405)
        return
    got = server.request(request.method, "/mcp", content=request.post_data_buffer, headers=headers)
    route.fulfill(status=got.status_code, headers=dict(got.headers), body=got.content)


@contextmanager
def host(browser: Browser, script: str, server: httpx2.Client) -> Generator[Page]:
    """Open the host page; only its own files and the MCP server can be requested."""
    errors: list[str] = []
    context = browser.new_context(viewport={"width": 940, "height": 700})
    page = context.new_page()
    page.set_default_timeout(TIMEOUT)
    files = {
        "http://host.test/": ("text/html", HOST_PAGE),
        "http://host.test/host.js": ("text/javascript", script),
        "http://sandbox.test/sandbox.html": ("text/html", (HERE / "sandbox.html").read_text()),
    }

    def answer(route: Route) -> None:
        url = route.request.url
        if url == "http://host.test/mcp":
            forward(route, server)
        elif url in files:
            kind, text = files[url]
            policy = {"content-security-policy": SANDBOX_POLICY} if "sandbox" in url else {}
            route.fulfill(body=text, headers={"content-type": kind, **policy})
        else:
            errors.append(f"request to {url}")
            route.abort()

    page.route("**/*", answer)
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda m: errors.append(m.text) if m.type == "error" else None)
    page.goto("http://host.test/")
    page.wait_for_function("window.loaded")
    try:
        yield page
    finally:
        context.close()
    # the host page tolerates that there is no stream of notifications
    assert [each for each in errors if "405" not in each] == []


def show(page: Page, tool: str, arguments: dict[str, Any], theme: str = "light") -> FrameLocator:
    """Call a tool in the host and return the view of its result."""
    opened = page.evaluate(
        "([tool, values, theme]) => window.showTool(tool, values, theme)", [tool, arguments, theme]
    )
    assert opened == {"uri": f"ui://webquarry/{VIEWS[tool]}", "mime": MIME}
    if folder := os.environ.get("VIEW_PICTURES"):  # to look at
        page.wait_for_timeout(1500)
        page.screenshot(path=Path(folder) / f"{tool}-{theme}.png")
    return page.frame_locator("iframe").frame_locator("iframe")


@needs_chromium
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_an_audit_is_a_table_that_can_be_filtered(
    browser: Browser, host_script: str, web_server: httpx2.Client, theme: str
) -> None:
    with host(browser, host_script, web_server) as page:
        view = show(page, "audit_bibliography", {"bibliography": BIB}, theme)
        expect(view.locator("tbody tr")).to_have_count(2)
        expect(view.locator("tbody tr").first).to_contain_text("retracted")

        view.get_by_role("button", name="not found").click()

        expect(view.locator("tbody tr")).to_have_count(1)
        expect(view.locator("tbody tr")).to_contain_text("A paper that never was")
        expect(view.locator("html")).to_have_attribute("data-theme", theme)


@needs_chromium
def test_the_view_of_a_large_result_reads_the_whole(
    browser: Browser, host_script: str, web_server: httpx2.Client
) -> None:
    entry = {"title": "A paper that never was " * 12, "doi": NO_DOI}
    with host(browser, host_script, web_server) as page:
        view = show(page, "audit_bibliography", {"entries": [entry] * 60})

        expect(view.locator("h1")).to_have_text("60 references checked")
        expect(view.locator("tbody tr")).to_have_count(60)


@needs_chromium
def test_links_are_opened_by_the_host(
    browser: Browser, host_script: str, web_server: httpx2.Client
) -> None:
    with host(browser, host_script, web_server) as page:
        view = show(page, "audit_bibliography", {"bibliography": BIB})
        view.get_by_role("link", name=OWL_DOI, exact=True).click()
        page.wait_for_function("window.opened.length")

        assert page.evaluate("window.opened") == [f"https://doi.org/{OWL_DOI}"]


@needs_chromium
def test_a_crawl_is_followed_to_its_end(
    browser: Browser, host_script: str, web_server: httpx2.Client, world: FakeWeb
) -> None:
    with host(browser, host_script, web_server) as page:
        view = show(page, "cinder_crawl", {"url": f"{world.url}/p/0", "maxPages": 8})

        expect(view.locator(".badge").first).to_have_text("completed")
        expect(view.locator("tbody tr")).to_have_count(8)
        expect(view.get_by_role("button", name="Cancel")).to_have_count(0)


@needs_chromium
def test_a_crawl_can_be_cancelled_in_its_view(
    browser: Browser, host_script: str, web_server: httpx2.Client, world: FakeWeb
) -> None:
    with host(browser, host_script, web_server) as page:
        view = show(page, "cinder_crawl", {"url": f"{world.url}/slow/0", "maxPages": 9})
        view.get_by_role("button", name="Cancel").click()

        expect(view.locator(".badge").first).to_have_text("cancelled")


@needs_chromium
def test_a_citation_graph_a_chart_and_a_page_are_drawn(
    browser: Browser, host_script: str, web_server: httpx2.Client, world: FakeWeb
) -> None:
    with host(browser, host_script, web_server) as page:
        view = show(page, "citation_graph", {"paper": OWL_DOI})
        expect(view.locator("svg.graph a")).to_have_count(12)

    with host(browser, host_script, web_server) as page:
        series = {"series_id": "OWL.POP", "num_results": 12, "provider": "worldbank"}
        view = show(page, "econ_search", series)
        expect(view.locator("svg.chart circle")).to_have_count(12)

    with host(browser, host_script, web_server) as page:
        view = show(page, "scrape_page", {"url": f"{world.url}/p/1"})
        expect(view.locator("h1")).to_have_text("Ears set askew")
        expect(view.locator(".page")).to_contain_text("Barn owls hunt voles")
        expect(view.locator(".page table")).to_contain_text("Church")


@needs_chromium
def test_an_error_is_shown_as_text(
    browser: Browser, host_script: str, web_server: httpx2.Client
) -> None:
    with host(browser, host_script, web_server) as page:
        view = show(page, "citation_graph", {"paper": "", "provider": "<b>none</b>"})

        expect(view.locator(".note.bad")).to_be_visible()
        expect(view.locator(".note.bad b")).to_have_count(0)


@needs_chromium
def test_the_frame_is_as_high_as_the_view(
    browser: Browser, host_script: str, web_server: httpx2.Client
) -> None:
    with host(browser, host_script, web_server) as page:
        view = show(page, "audit_bibliography", {"bibliography": BIB})
        expect(view.locator("tbody tr")).to_have_count(2)
        page.wait_for_function("document.querySelector('iframe').height !== '200'")
        height = view.locator("main").evaluate("(each) => each.getBoundingClientRect().height")

        page.wait_for_function(
            "(high) => Math.abs(document.querySelector('iframe').height - high) < 3", arg=height
        )

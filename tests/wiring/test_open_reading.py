"""Reading as a user has it: from settings to `scrape_page`, with real pages on loopback."""

from pathlib import Path
from typing import Any

import pytest
from mcp import Client

from tests.net.servers import ReceivedRequest, pages, serve
from tests.reading.chromium import descendants, needs_chromium
from tests.reading.documents.samples import lines, pdf, together
from tests.reading.loopback_tier import PROSE
from webquarry.app import open_app
from webquarry.models.result import Result
from webquarry.server.mcp_server import build_server
from webquarry.settings.load import load
from webquarry.wiring.declared_settings import declared_variables

pytestmark = pytest.mark.anyio

SCRIPTED = b"""<title>App</title><div id=root></div><script>
document.getElementById('root').innerHTML = '<p>%s</p>'
</script>""" % (b"Owls hunt at night and sleep by day. " * 5)


async def scrape(home: Path, arguments: dict[str, Any], **settings: str) -> Result:
    """Call the tool in an application of its own."""
    environ = {"ALLOW_PRIVATE_IPS": "true", "WEBQUARRY_DATA_DIR": str(home), **settings}
    loaded = load(environ=environ, directory=home, flags={}, declared=declared_variables())
    async with open_app(loaded, "library") as app:
        return await app.path.call("scrape_page", arguments, app.owner, request_id="r1")


async def test_a_page_is_read_and_remembered_over_a_restart(tmp_path: Path) -> None:
    async with serve(pages({"/a": PROSE})) as site:
        first = await scrape(tmp_path, {"url": site.url("/a")})
        again = await scrape(tmp_path, {"url": site.url("/a")})

    assert first.structured
    assert first.structured["extractedBy"] == "stealth"
    assert first.structured == again.structured
    assert again.meta["cached"] is True
    assert site.targets == ["/a"]


async def test_meta_names_the_pages_and_parts_of_a_document(tmp_path: Path) -> None:
    title = lines("First Part", size=20, top=780)
    cells = {72: ("Name", "Ada", "Bob", "Cleo"), 222: ("Weight", "61", "72", "83")}
    table = [lines(*column, left=left, top=700) for left, column in cells.items()]
    figure = lines("Figure 1: Owls at night, counted by ear", top=700)
    sections = together(lines("Second Part", size=20, top=780), figure)
    body = pdf(together(title, lines("Words below it.", top=700)), together(*table), sections)

    async def handle(asked: ReceivedRequest) -> None:
        await asked.respond(200, body, content_type="application/pdf")

    async with serve(handle) as site:
        result = await scrape(tmp_path, {"url": site.url("/report.pdf")})
        again = await scrape(tmp_path, {"url": site.url("/report.pdf")})

    assert result.structured
    content = result.structured["content"]
    assert result.meta["document"] == {
        "pageCount": 3,
        "pages": [[1, 0], [2, content.index("| Name")], [3, content.index("# Second Part")]],
        "outline": [
            {"level": 1, "title": "First Part", "anchor": "#page=1"},
            {"level": 1, "title": "Second Part", "anchor": "#page=3"},
        ],
        "figures": [{"anchor": "#page=3", "caption": "Figure 1: Owls at night, counted by ear"}],
        "uncertain": [
            {"anchor": "#page=2", "reason": "a table without rules: gaps show the columns"}
        ],
    }
    assert again.meta["document"] == result.meta["document"]


async def test_meta_of_a_page_names_no_document(tmp_path: Path) -> None:
    async with serve(pages({"/a": PROSE})) as site:
        result = await scrape(tmp_path, {"url": site.url("/a")})

    assert "document" not in result.meta


@needs_chromium
async def test_a_page_that_needs_its_script_is_read_in_the_browser(tmp_path: Path) -> None:
    before = descendants()
    async with serve(pages({"/app": SCRIPTED})) as site:
        result = await scrape(tmp_path, {"url": site.url("/app")})

    assert result.structured
    assert result.structured["extractedBy"] == "browser"
    assert "Owls hunt at night" in result.structured["content"]
    assert result.meta["attempts"][-1]["tier"] == "stealth"
    assert descendants().keys() <= before.keys()


async def test_without_a_browser_it_says_so(tmp_path: Path) -> None:
    async with serve(pages({"/app": SCRIPTED})) as site:
        result = await scrape(tmp_path, {"url": site.url("/app")}, CHROME_PATH="disabled")

    assert result.problem
    assert result.problem.block["kind"] == "browser_unavailable"
    assert "CHROME_PATH=disabled" in result.problem.block["attempts"][-1]["outcome"]


async def test_private_addresses_are_refused_by_default(tmp_path: Path) -> None:
    async with serve(pages({"/a": PROSE})) as site:
        result = await scrape(tmp_path, {"url": site.url("/a")}, ALLOW_PRIVATE_IPS="false")

    assert result.problem
    assert result.problem.block["kind"] == "validation"
    assert result.problem.message.startswith(f"URL rejected for {site.url('/a')}:")
    assert site.requests == []


async def test_limits_and_robots_follow_the_settings(tmp_path: Path) -> None:
    async def handle(asked: ReceivedRequest) -> None:
        rules = b"User-agent: *\nDisallow: /no"
        body = rules if asked.target == "/robots.txt" else PROSE * 50
        await asked.respond(200, body, content_type="text/html")

    wanted = {"RESPECT_ROBOTS": "true", "MAX_HTML_BYTES": "2KiB"}
    async with serve(handle) as site:
        refused = await scrape(tmp_path, {"url": site.url("/no")}, **wanted)
        read = await scrape(tmp_path, {"url": site.url("/yes")}, **wanted)

    assert refused.problem
    assert "robots.txt" in refused.problem.message
    assert read.structured
    assert read.structured["truncated"] is True
    assert read.structured["contentLength"] <= 2048


async def test_exa_is_asked_last_and_only_with_a_key(tmp_path: Path) -> None:
    copy = b'{"results": [{"url": "u", "text": "%s"}], "statuses": [{"source": "cached"}]}'

    async def handle(asked: ReceivedRequest) -> None:
        if asked.target == "/contents":
            await asked.respond(200, copy % (b"Owls. " * 30), content_type="application/json")
        else:
            await asked.respond(403)

    async with serve(handle) as site:
        wanted = {"CHROME_PATH": "disabled", "EXA_BASE_URL": site.url("")}
        without = await scrape(tmp_path, {"url": site.url("/a")}, **wanted)
        paid = await scrape(tmp_path, {"url": site.url("/b")}, EXA_API_KEY="k", **wanted)

    assert without.problem
    assert without.problem.block["kind"] == "blocked"
    assert paid.structured
    assert paid.structured["extractedBy"] == "exa:cached"
    assert site.targets == ["/a", "/a", "/b", "/b", "/contents"]


async def test_a_client_is_told_which_way_of_reading_is_tried(tmp_path: Path) -> None:
    told: list[tuple[float, float | None, str | None]] = []

    async def note(progress: float, total: float | None, message: str | None) -> None:
        told.append((progress, total, message))

    environ = {"ALLOW_PRIVATE_IPS": "true", "CHROME_PATH": "disabled"}
    loaded = load(environ=environ | {"WEBQUARRY_DATA_DIR": str(tmp_path)}, directory=tmp_path)
    async with (
        serve(pages({"/app": SCRIPTED})) as site,
        open_app(loaded, "library") as app,
        Client(build_server(app.offer, lambda _: app.owner)) as client,
    ):
        arguments = {"url": site.url("/app")}
        await client.call_tool("scrape_page", arguments, progress_callback=note)

    assert told == [(0, 3, "reading by stealth"), (2, 3, "reading by browser")]

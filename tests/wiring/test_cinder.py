"""The manners of `cinder_scrape` as a user has them: which tiers read a real page on loopback."""

from pathlib import Path
from typing import Any

import pytest

from tests.net.servers import ReceivedRequest, pages, serve
from tests.reading.chromium import needs_chromium
from webquarry.app import open_app
from webquarry.models.result import Result
from webquarry.settings.load import load
from webquarry.wiring.declared_settings import declared_variables

pytestmark = pytest.mark.anyio
TEXT = b"Owls hunt at night and sleep by day. " * 5
PLAIN = b"<title>Owls</title><article><h1>Owls</h1><p>%s</p></article>" % TEXT
SCRIPTED = (
    b"""<title>App</title><div id=root></div><script>
document.getElementById('root').innerHTML = '<article><h1>Owls</h1><p>%s</p></article>'
</script>"""
    % TEXT
)


async def scrape(home: Path, url: str, **arguments: Any) -> Result:
    environ = {"ALLOW_PRIVATE_IPS": "true", "WEBQUARRY_DATA_DIR": str(home), "TOOLSETS": "cinder"}
    if arguments.pop("blind", False):
        environ["CHROME_PATH"] = "disabled"
    loaded = load(environ=environ, directory=home, flags={}, declared=declared_variables())
    async with open_app(loaded, "library") as app:
        return await app.path.call(
            "cinder_scrape",
            {"url": url, **arguments},
            app.owner,
            request_id="r1",
        )


async def test_static_reads_what_was_sent_and_runs_nothing(tmp_path: Path) -> None:
    async with serve(pages({"/plain": PLAIN, "/app": SCRIPTED})) as site:
        plain = await scrape(tmp_path, site.url("/plain"), mode="static")
        app = await scrape(tmp_path, site.url("/app"), mode="static")

    assert plain.structured
    assert "Owls hunt at night" in plain.structured["content"]
    assert app.problem
    assert app.problem.block["kind"] == "content_empty"
    assert "browser" not in {attempt["tier"] for attempt in app.problem.block["attempts"]}


@needs_chromium
@pytest.mark.parametrize("mode", ["smart", "dynamic"])
async def test_smart_and_dynamic_run_a_page_that_needs_it(tmp_path: Path, mode: str) -> None:
    async with serve(pages({"/app": SCRIPTED})) as site:
        text = await scrape(tmp_path, site.url("/app"), mode=mode)
        html = await scrape(tmp_path, site.url("/app"), mode=mode, returnFormat="html")

    assert text.structured
    assert "Owls hunt at night" in text.structured["content"]
    assert html.structured
    assert "<h1>Owls</h1>" in html.structured["content"]
    tried = {attempt["tier"] for attempt in text.meta.get("attempts", ())}
    assert tried == ({"markdown", "stealth"} if mode == "smart" else set())


async def test_dynamic_without_a_browser_is_no_quiet_static(tmp_path: Path) -> None:
    async with serve(pages({"/plain": PLAIN})) as site:
        result = await scrape(tmp_path, site.url("/plain"), mode="dynamic", blind=True)

    assert result.problem
    assert result.problem.block["kind"] == "browser_unavailable"
    assert site.targets == []


@pytest.mark.parametrize("wanted", ["markdown", "html"])
async def test_html_is_asked_for_where_a_site_has_markdown_too(tmp_path: Path, wanted: str) -> None:
    async def either(asked: ReceivedRequest) -> None:
        if "text/markdown" in (asked.headers.get("accept") or ""):
            await asked.respond(200, b"# Owls\n\n" + TEXT, content_type="text/markdown")
        else:
            await asked.respond(200, PLAIN, content_type="text/html")

    async with serve(either) as site:
        result = await scrape(tmp_path, site.url("/a"), mode="static", returnFormat=wanted)

    assert result.structured
    start = "# Owls" if wanted == "markdown" else "<article><h1>Owls</h1>"
    assert result.structured["content"].startswith(start)

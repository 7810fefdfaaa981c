"""The browser tier with a real Chromium, and what pages cannot reach from it."""

import pytest

from tests.net.servers import ReceivedRequest, pages, serve
from tests.reading.chromium import needs_chromium, open_browser
from webquarry.reading.tiers.read_errors import UnreadableError

pytestmark = [pytest.mark.anyio, needs_chromium]

PROSE = "<p>Owls hunt at night and sleep by day, in forests, barns and old towers.</p>" * 2
FETCHES = b"""<title>App</title><div id=root>Loading</div><script>
fetch('/data').then(r => r.text()).then(t => document.getElementById('root').innerHTML = t)
</script>"""
SHADOW = b"""<title>Parts</title><bird-card></bird-card><script>
customElements.define('bird-card', class extends HTMLElement {
  connectedCallback() {
    this.attachShadow({mode: 'open'}).innerHTML =
      '<main><h1>Owls</h1><p>Inside a component, owls hunt at night and sleep by day.</p></main>';
  }
})</script>"""
MOVES_ON = b"<title>1</title><script>location.href = '/second'</script>"
INTRUSIVE = b"""<title>Owls</title><script>
alert('a'); confirm('b'); prompt('c'); window.open('/popup');
</script>""" + PROSE.encode()
HEAVY = b"""<title>Owls</title><style>@font-face { font-family: f; src: url(/font.woff2) }
body { font-family: f; background: url(/back.png) }</style>
<img src=/owl.jpg><video src=/owl.mp4 autoplay></video><audio src=/owl.mp3></audio>""" + (
    PROSE.encode()
)


async def test_content_fetched_by_scripts_is_read() -> None:
    async def handle(asked: ReceivedRequest) -> None:
        body = PROSE.encode() if asked.target == "/data" else FETCHES
        await asked.respond(200, body, content_type="text/html")

    async with serve(handle) as site, open_browser() as (_, tier):
        reading = await tier.read(site.url("/app"), 60)

    assert "Owls hunt at night" in reading.markdown
    assert (reading.url, reading.final_url, reading.tier, reading.kind, reading.complete) == (
        site.url("/app"),
        site.url("/app"),
        "browser",
        "html",
        True,
    )


async def test_text_inside_components_is_read() -> None:
    async with serve(pages({"/": SHADOW})) as site, open_browser() as (_, tier):
        reading = await tier.read(site.url(), 60)

    assert "Inside a component, owls hunt at night" in reading.markdown


async def test_script_navigation_is_followed() -> None:
    answers = {"/": MOVES_ON, "/second": PROSE.encode()}
    async with serve(pages(answers)) as site, open_browser() as (_, tier):
        reading = await tier.read(site.url(), 60)

    assert reading.final_url == site.url("/second")
    assert "Owls hunt at night" in reading.markdown


async def test_the_error_page_of_chromium_is_not_content() -> None:
    leaves = (
        b"<title>1</title>"
        + PROSE.encode()
        + (b"<script>setTimeout(() => { location.href = 'http://169.254.169.254/' })</script>")
    )
    async with serve(pages({"/": leaves})) as site, open_browser() as (_, tier):
        with pytest.raises(UnreadableError, match="a URL that was refused") as raised:
            await tier.read(site.url(), 60)

    assert raised.value.kind == "network"


async def test_dialogs_and_popups_do_not_block_rendering() -> None:
    answers = {"/": INTRUSIVE, "/popup": b"popup"}
    async with serve(pages(answers)) as site, open_browser() as (_, tier):
        reading = await tier.read(site.url(), 60)

    assert "Owls hunt at night" in reading.markdown


async def test_images_fonts_and_videos_are_not_fetched() -> None:
    async with serve(pages({"/": HEAVY})) as site, open_browser() as (_, tier):
        await tier.read(site.url(), 60)

    assert set(site.targets) <= {"/", "/favicon.ico"}


async def test_it_looks_like_a_normal_browser() -> None:
    script = b"<p id=a></p><script>a.textContent = [navigator.webdriver, navigator.userAgent]"
    async with serve(pages({"/": script + b"</script>"})) as site, open_browser() as (_, tier):
        rendered = await tier.render(site.url(), 60)

    agent = site.requests[0].headers["user-agent"]
    assert "Chrome/" in agent
    assert "Headless" not in agent
    assert "Headless" not in site.requests[0].headers["sec-ch-ua"]
    assert f"false,{agent}" in rendered.text


@pytest.mark.parametrize(
    ("status", "kind", "final"),
    [(404, "not_found", True), (401, "auth_required", True), (403, "blocked", False)],
)
async def test_a_refused_page_has_the_right_error_kind(
    status: int, kind: str, *, final: bool
) -> None:
    async def handle(asked: ReceivedRequest) -> None:
        await asked.respond(status, PROSE.encode(), content_type="text/html")

    async with serve(handle) as site, open_browser() as (_, tier):
        with pytest.raises(UnreadableError) as caught:
            await tier.read(site.url(), 60)

    failure = caught.value
    assert (failure.kind, failure.reason, failure.final) == (kind, f"HTTP {status}", final)


async def test_an_internal_address_is_refused_before_the_browser_starts() -> None:
    async with serve(pages({"/": b"secret"})) as site:
        async with open_browser(private=False) as (browser, tier):
            with pytest.raises(UnreadableError) as caught:
                await tier.read(site.url(), 60)

            assert (caught.value.kind, caught.value.final) == ("validation", True)
            assert browser.launches == 0
        assert site.requests == []


async def test_a_host_with_an_internal_address_is_refused_by_the_guard() -> None:
    async with open_browser(private=False) as (browser, tier):
        with pytest.raises(UnreadableError) as caught:
            await tier.read("http://inside.example/", 60)

    assert (caught.value.kind, caught.value.final) == ("validation", True)
    assert caught.value.reason.startswith("URL rejected for http://inside.example/:")
    assert browser.launches == 1


async def test_a_download_is_not_a_page() -> None:
    async def handle(asked: ReceivedRequest) -> None:
        await asked.respond(200, b"PK\x03\x04", content_type="application/zip")

    async with serve(handle) as site, open_browser() as (_, tier):
        with pytest.raises(UnreadableError) as caught:
            await tier.read(site.url("/a.zip"), 60)

    assert caught.value.kind == "content_empty"
    assert "a file (application/zip), which a browser does not show" in str(caught.value)


async def test_an_endless_page_is_cut_at_the_size_limit() -> None:
    grows = b"<p id=a>x</p><script>a.textContent = 'owl '.repeat(3e6)</script>"
    async with serve(pages({"/": grows})) as site, open_browser() as (_, tier):
        rendered = await tier.render(site.url(), 60)

    assert rendered.truncated
    assert len(rendered.text) == tier.max_chars

"""What a page shows in a real browser, and what it cannot reach from there."""

import pytest

from tests.net.servers import Asked, pages, serve
from tests.reading.chromes import browsing, needs_chromium
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


async def test_what_a_script_fetches_is_read() -> None:
    async def handle(asked: Asked) -> None:
        body = PROSE.encode() if asked.target == "/data" else FETCHES
        await asked.answer(200, body, content_type="text/html")

    async with serve(handle) as site, browsing() as (_, tier):
        reading = await tier.read(site.url("/app"), 60)

    assert "Owls hunt at night" in reading.markdown
    assert (reading.url, reading.address, reading.tier, reading.kind, reading.complete) == (
        site.url("/app"),
        site.url("/app"),
        "browser",
        "html",
        True,
    )


async def test_text_inside_components_is_read() -> None:
    async with serve(pages({"/": SHADOW})) as site, browsing() as (_, tier):
        reading = await tier.read(site.url(), 60)

    assert "Inside a component, owls hunt at night" in reading.markdown


async def test_a_page_that_moves_on_is_followed() -> None:
    answers = {"/": MOVES_ON, "/second": PROSE.encode()}
    async with serve(pages(answers)) as site, browsing() as (_, tier):
        reading = await tier.read(site.url(), 60)

    assert reading.address == site.url("/second")
    assert "Owls hunt at night" in reading.markdown


async def test_dialogs_and_popups_do_not_stop_it() -> None:
    answers = {"/": INTRUSIVE, "/popup": b"popup"}
    async with serve(pages(answers)) as site, browsing() as (_, tier):
        reading = await tier.read(site.url(), 60)

    assert "Owls hunt at night" in reading.markdown


async def test_pictures_fonts_and_films_are_not_fetched() -> None:
    async with serve(pages({"/": HEAVY})) as site, browsing() as (_, tier):
        await tier.read(site.url(), 60)

    assert set(site.targets) <= {"/", "/favicon.ico"}


async def test_it_looks_like_a_browser_with_a_window() -> None:
    script = b"<p id=a></p><script>a.textContent = [navigator.webdriver, navigator.userAgent]"
    async with serve(pages({"/": script + b"</script>"})) as site, browsing() as (_, tier):
        rendered = await tier.render(site.url(), 60)

    agent = site.asked[0].headers["user-agent"]
    assert "Chrome/" in agent
    assert "Headless" not in agent
    assert "Headless" not in site.asked[0].headers["sec-ch-ua"]
    assert f"false,{agent}" in rendered.html


@pytest.mark.parametrize(
    ("status", "kind", "final"),
    [(404, "not_found", True), (401, "auth_required", True), (403, "blocked", False)],
)
async def test_a_refused_page_says_how(status: int, kind: str, *, final: bool) -> None:
    async def handle(asked: Asked) -> None:
        await asked.answer(status, PROSE.encode(), content_type="text/html")

    async with serve(handle) as site, browsing() as (_, tier):
        with pytest.raises(UnreadableError) as caught:
            await tier.read(site.url(), 60)

    miss = caught.value
    assert (miss.kind, miss.words, miss.final) == (kind, f"HTTP {status}", final)


async def test_a_page_inside_our_network_is_refused_before_the_browser_starts() -> None:
    async with serve(pages({"/": b"secret"})) as site:
        async with browsing(private=False) as (browser, tier):
            with pytest.raises(UnreadableError) as caught:
                await tier.read(site.url(), 60)

            assert (caught.value.kind, caught.value.final) == ("validation", True)
            assert browser.launches == 0
        assert site.asked == []


async def test_a_name_that_leads_inside_is_refused_by_the_guard() -> None:
    async with browsing(private=False) as (browser, tier):
        with pytest.raises(UnreadableError) as caught:
            await tier.read("http://inside.example/", 60)

    assert (caught.value.kind, caught.value.final) == ("validation", True)
    assert caught.value.words.startswith("URL rejected for http://inside.example/:")
    assert browser.launches == 1


async def test_a_download_is_not_a_page() -> None:
    async def handle(asked: Asked) -> None:
        await asked.answer(200, b"PK\x03\x04", content_type="application/zip")

    async with serve(handle) as site, browsing() as (_, tier):
        with pytest.raises(UnreadableError) as caught:
            await tier.read(site.url("/a.zip"), 60)

    assert caught.value.kind == "network"


async def test_an_endless_page_is_cut_at_the_cap() -> None:
    grows = b"<p id=a>x</p><script>a.textContent = 'owl '.repeat(3e6)</script>"
    async with serve(pages({"/": grows})) as site, browsing() as (_, tier):
        rendered = await tier.render(site.url(), 60)

    assert rendered.cut
    assert len(rendered.html) == tier.page_bytes

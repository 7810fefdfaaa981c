"""The web console in Chromium, against a server and a fake web."""

import re
import shutil
import zipfile
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import httpx2
import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.conformance.node import installed
from tests.server.console_browser import watched
from tests.server.console_fake_web import NO_DOI, OWL_DOI, FakeWeb, fake_web, settings_of
from tests.server.console_fake_web import PAGES as SITE
from tests.server.http_server import http_server
from webquarry.server.console.console_pages import PAGES

CHROMIUM = shutil.which("chromium")
AXE = ("axe-core", "4.14.0", "axe.min.js")
WIDTHS = {"wide": 1280, "narrow": 390}
BIB = f"""
@article{{retracted, title = {{Owls hear well}}, author = {{Strix, Ada}}, doi = {{{OWL_DOI}}}}}
@article{{invented, title = {{A paper that never was}}, author = {{Nemo, N.}}, doi = {{{NO_DOI}}}}}
"""

pytestmark = pytest.mark.skipif(
    CHROMIUM is None, reason="Chromium is not installed (apt install chromium)"
)


@pytest.fixture(scope="module")
def world() -> Iterator[FakeWeb]:
    with fake_web() as world:
        yield world


@pytest.fixture(scope="module")
def client(world: FakeWeb, tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx2.Client]:
    with http_server(tmp_path_factory.mktemp("console"), settings=settings_of(world)) as client:
        step = {"searchStep": "Find reviews", "stepNumber": 1, "nextStepNeeded": True}
        goal = {"researchGoal": "How do owls <b>hunt</b>?"}
        session = client.post("/v1/tools/sequential_search", json=step | goal).json()["sessionId"]
        asked = {"query": "owls", "sessionId": session}
        assert client.post("/v1/tools/web_search", json=asked).status_code == 200
        assert client.post("/v1/tools/echo", json={}).status_code == 400
        yield client


@pytest.fixture(scope="module")
def base(client: httpx2.Client) -> str:
    return str(client.base_url).rstrip("/")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


def run(page: Page) -> None:
    page.get_by_role("button", name="Run", exact=True).click()
    page.locator("#result .result").wait_for()


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", WIDTHS.values(), ids=WIDTHS)
def test_every_page_loads_without_errors_third_party_requests_or_horizontal_scrolling(
    browser: Browser, base: str, width: int, theme: str
) -> None:
    screen = {"width": width, "height": 844}
    with watched(browser, base, viewport=screen, color_scheme=theme) as seen:
        for each in PAGES:
            page = seen.open(each.path)

            expect(page.get_by_role("heading", level=1)).to_have_text(each.title)
            assert "".join(page.get_by_role("alert").all_text_contents()) == "", each.name
            assert page.evaluate("document.documentElement.scrollWidth") <= width, each.name


def test_the_home_page_searches_reads_and_checks_from_one_box(
    browser: Browser, base: str, world: FakeWeb
) -> None:
    with watched(browser, base) as seen:
        page = seen.open("/")
        box = page.get_by_label("Search, or paste a URL")
        expect(page.locator("#health")).to_contain_text("Storage and search providers work.")
        expect(page.locator("#sessions")).to_contain_text("How do owls <b>hunt</b>?")
        expect(page.locator("svg.chart .bar").first).to_be_visible()

        box.fill("barn owls")
        box.press("Enter")
        expect(page.locator("#result .item").first).to_contain_text("Silent flight of barn owls")
        box.fill(f"{world.url}/p/1")
        box.press("Enter")
        expect(page.locator(".reader")).to_contain_text("find them by hearing alone")
        expect(page.get_by_text("Cite this page")).to_be_visible()
        box.fill(f"https://doi.org/{OWL_DOI}")
        box.press("Enter")
        verdict = page.locator("#result .note.bad").first
        expect(verdict).to_contain_text("Retracted on 2023-05-01")
        assert page.locator("#result .note.good").count() == 0


def test_a_call_is_copied_for_a_terminal_for_python_and_for_mcp(
    browser: Browser, base: str
) -> None:
    with watched(browser, base) as seen:
        page = seen.open("/")
        texts = page.evaluate(
            "import('/assets/snippets.js').then(({SNIPPETS}) => Object.values(SNIPPETS)"
            ".map((text) => text('echo', {message: \"it's\", loud: true})))"
        )

    assert texts == [
        f"curl -s {base}/v1/tools/echo -H 'Content-Type: application/json' "
        """-d '{"message":"it'\\''s","loud":true}'""",
        "from webquarry import WebquarrySync\n\nwith WebquarrySync() as wq:\n"
        """    print(wq.call("echo", **{"message": "it's", "loud": True}))""",
        '{\n  "jsonrpc": "2.0",\n  "id": 1,\n  "method": "tools/call",\n  "params": {\n'
        '    "name": "echo",\n    "arguments": {\n      "message": "it\'s",\n      "loud": true\n'
        "    }\n  }\n}",
    ]


def test_providers_lenses_and_countries_are_chosen_from_menus(browser: Browser, base: str) -> None:
    with watched(browser, base) as seen:
        page = seen.open("/console/playground?tool=web_search&query=owls&country=de")

        expect(page.get_by_label("country")).to_have_value("de")
        assert "Germany (de)" in page.get_by_label("country").inner_text()
        assert "brave" in page.get_by_label("provider").inner_text().split()
        assert "academic" in page.get_by_label("lens").inner_text().split()


def test_a_key_is_tested_and_saved_only_if_the_provider_accepts_it(
    browser: Browser, base: str
) -> None:
    with watched(browser, base) as seen:
        page = seen.open("/console/providers")
        page.get_by_label("Search providers").fill("fred")
        page.get_by_role("button", name="Add a key for fred").click()
        page.get_by_label("Value").fill("a-key-for-fred")
        page.get_by_role("button", name="Test and save").click()

        expect(page.locator("#providers .note")).to_contain_text("FRED_API_KEY is saved in")
        expect(page.locator("#providers .note")).to_contain_text("could not be tested")


def test_an_unknown_address_is_a_page_for_people_and_a_problem_for_programs(
    browser: Browser, base: str, client: httpx2.Client
) -> None:
    with watched(browser, base) as seen:
        seen.page.goto(f"{base}/nothing/here")
        expect(seen.page.get_by_role("heading", level=1)).to_have_text("Page not found")
        expect(seen.page.get_by_role("link", name="home page")).to_have_attribute("href", "/")
        seen.errors.clear()  # Chromium reports the status 404 as an error of the page

    assert client.get("/nothing/here").json()["kind"] == "not_found"


def test_the_activity_page_shows_calls_and_errors(browser: Browser, base: str) -> None:
    with watched(browser, base) as seen:
        page = seen.open("/console/activity")

        expect(page.locator("#cards")).to_contain_text("healthy")
        expect(page.locator("#calls")).to_contain_text("web_search")
        expect(page.locator("#errors")).to_contain_text("message: is required")


def test_a_tool_is_found_and_run(browser: Browser, base: str, world: FakeWeb) -> None:
    with watched(browser, base) as seen:
        page = seen.open("/console/playground")
        page.keyboard.press("/")
        page.keyboard.type("web_search")
        page.get_by_role("link", name="web_search", exact=True).click()
        page.get_by_label("query").fill("barn owls")
        page.get_by_label("query").press("Control+Enter")

        first = page.locator(".item").first
        expect(first.get_by_role("link", name="Silent flight of barn owls")).to_have_attribute(
            "href", f"{world.url}/p/0"
        )
        expect(first).to_contain_text("find them by hearing alone")


def test_tool_output_is_never_rendered_as_html(browser: Browser, base: str) -> None:
    hostile = "<img src=x onerror=alert(1)> [go](javascript:alert(2)) **bold**\n\n<script>x"
    with watched(browser, base) as seen:
        page = seen.open(f"/console/playground?tool=echo&message={quote(hostile)}")
        page.get_by_label("message").evaluate("(field, text) => { field.value = text; }", hostile)
        run(page)

        expect(page.locator("#result")).to_contain_text("<img src=x onerror=alert(1)>")
        assert page.locator("#result :is(img, script, a)").count() == 0


def test_a_validation_error_is_shown_at_its_field(browser: Browser, base: str) -> None:
    with watched(browser, base) as seen:
        page = seen.open(f"/console/playground?tool=web_search&query={'x' * 600}")
        with page.expect_response("**/v1/tools/web_search") as answered:
            page.get_by_role("button", name="Run", exact=True).click()

        assert answered.value.status == 400
        expect(page.get_by_role("alert")).to_contain_text("must have at most 500")
        expect(page.get_by_label("query")).to_have_attribute("aria-invalid", "true")
        seen.errors.clear()  # Chromium reports every refused request as an error of the page


def test_a_page_is_shown_with_its_citation_and_the_removed_hidden_text(
    browser: Browser, base: str, world: FakeWeb
) -> None:
    with watched(browser, base) as seen:
        page = seen.open(f"/console/playground?tool=scrape_page&url={world.url}/p/1")
        run(page)
        page.get_by_text("Cite this page").click()

        expect(page.locator(".reader")).to_contain_text("find them by hearing alone")
        expect(page.locator(".reader")).not_to_contain_text("praise the vole")
        expect(page.locator("summary").get_by_text("Removed hidden text")).to_be_visible()
        expect(page.locator(".cite-line").first).to_contain_text("Ears set askew")


def test_a_citation_graph_and_a_time_series_are_drawn(browser: Browser, base: str) -> None:
    with watched(browser, base) as seen:
        page = seen.open(f"/console/playground?tool=citation_graph&paper={OWL_DOI}&direction=both")
        run(page)
        assert page.locator("svg.graph a").count() == 12
        expect(page.locator("svg.graph")).to_contain_text("Strix 2017")

        page = seen.open(
            "/console/playground?tool=econ_search&series_id=OWL.POP&num_results=12"
            "&provider=worldbank"
        )
        run(page)
        assert page.locator("svg.chart circle").count() == 12


def test_a_session_is_shown_as_a_timeline_and_can_be_saved(browser: Browser, base: str) -> None:
    with watched(browser, base, accept_downloads=True) as seen:
        page = seen.open("/console/sessions")

        expect(page.locator("#session h2")).to_have_text("How do owls <b>hunt</b>?")
        expect(page.locator(".timeline")).to_contain_text("Find reviews")
        expect(page.locator(".timeline")).to_contain_text("web_search")
        with page.expect_download() as saved:
            page.get_by_role("button", name="BibTeX").click()
        assert saved.value.suggested_filename == "references.bib"
        assert "@" in Path(saved.value.path()).read_text()


def test_an_evidence_bundle_is_saved_from_a_session(
    browser: Browser, base: str, world: FakeWeb, client: httpx2.Client
) -> None:
    step = {"searchStep": "Read.", "stepNumber": 1, "nextStepNeeded": True,
            "researchGoal": "Evidence", "capture": True}  # fmt: skip
    session = client.post("/v1/tools/sequential_search", json=step).json()["sessionId"]
    reading = {"url": f"{world.url}/p/1", "sessionId": session}
    assert client.post("/v1/tools/scrape_page", json=reading).status_code == 200
    assert client.get(f"/v1/session/{session}/bundle").status_code == 200
    with watched(browser, base, accept_downloads=True) as seen:
        page = seen.open(f"/console/sessions?id={session}")
        with page.expect_download() as saved:
            page.get_by_role("button", name="Evidence bundle").click()

        assert saved.value.suggested_filename == "evidence.wacz"
        assert zipfile.is_zipfile(saved.value.path())


def test_a_crawl_is_started_watched_and_cancelled(
    browser: Browser, base: str, world: FakeWeb
) -> None:
    with watched(browser, base) as seen:
        page = seen.open("/console/crawls")
        page.get_by_label("Start URL").fill(f"{world.url}/slow/0")
        page.get_by_role("button", name="Start crawl").click()

        numbers = page.get_by_label("Statistics")
        expect(numbers).to_contain_text("1pages read")  # the others wait for the gate
        expect(numbers).to_contain_text(f"{SITE}URLs found")
        page.get_by_role("button", name="Cancel crawl").click()

        expect(page.locator("#crawl .badge", has_text="cancelled").first).to_be_visible()
        expect(page.get_by_role("button", name="Cancel crawl")).to_be_hidden()
        expect(page.locator("#list")).to_contain_text("cancelled")
    world.release_slow_pages.set()


def test_a_crawl_that_ends_shows_its_pages_tree_and_errors(
    browser: Browser, base: str, client: httpx2.Client, world: FakeWeb
) -> None:
    begun = client.post("/v1/crawl", json={"url": f"{world.url}/p/0", "maxPages": 30}).json()
    with watched(browser, base) as seen:
        page = seen.open(f"/console/crawls?id={begun['crawlId']}")

        expect(page.locator("#crawl .badge", has_text="completed").first).to_be_visible()
        page.get_by_text("Site tree").click()
        expect(page.locator(".tree").first).to_contain_text("Silent flight of barn owls")
        errors = page.get_by_role("region", name="Errors")  # open because there are some
        expect(errors).to_contain_text("/p/12")
        expect(errors).to_contain_text("The server responded with HTTP 404 (Not Found).")
        page.get_by_text("Skipped URLs").click()
        expect(page.get_by_role("region", name="Skipped")).to_contain_text(
            "maximum number of pages"
        )


def test_a_dropped_bibliography_is_audited(browser: Browser, base: str, tmp_path: Path) -> None:
    file = tmp_path / "owls.bib"
    file.write_text(BIB)
    with watched(browser, base) as seen:
        page = seen.open("/console/audit")
        dropped = page.evaluate_handle(
            "text => { const all = new DataTransfer();"
            " all.items.add(new File([text], 'owls.bib')); return all; }",
            BIB,
        )
        page.dispatch_event("#audit", "drop", {"dataTransfer": dropped})
        expect(page.locator("#file-note")).to_contain_text("Loaded owls.bib")
        page.get_by_role("button", name="Check references").click()

        entries = page.locator(".audit .item")
        expect(entries.nth(0)).to_contain_text("retracted")
        expect(entries.nth(0)).to_contain_text("10.1000/notice")
        expect(entries.nth(1)).to_contain_text("A paper that never was")
        page.get_by_role("button", name=re.compile("^retracted", re.IGNORECASE)).click()
        expect(entries).to_have_count(1)


def test_the_pool_is_shown_with_its_response_times(
    browser: Browser, base: str, client: httpx2.Client
) -> None:
    asked = {"query": "owls", "provider": "searxng"}
    assert client.post("/v1/tools/web_search", json=asked).status_code == 200
    with watched(browser, base) as seen:
        page = seen.open("/console/searxng")

        row = page.get_by_role("row").filter(has_text="/searxng")
        expect(row).to_contain_text("available")
        expect(row.get_by_role("cell").nth(4)).to_have_text(re.compile(r"^[\d,]+ ms$"))


def test_settings_show_no_secret(browser: Browser, base: str) -> None:
    with watched(browser, base) as seen:
        page = seen.open("/console/settings")
        page.get_by_label("Search settings").fill("brave_api")

        expect(page.locator("#settings")).to_contain_text("BRAVE_API_KEY")
        expect(page.locator("#settings")).to_contain_text("set (…9876)")
        assert "a-long-secret-key" not in page.content()


def test_a_large_result_is_shown_completely_and_stored_as_an_artifact(
    browser: Browser, base: str, client: httpx2.Client
) -> None:
    session = client.get("/v1/console/resource?uri=stats://sessions").json()["sessions"][0]
    for n in range(8):
        step = {"searchStep": "x" * 4000, "stepNumber": n + 2, "nextStepNeeded": True}
        asked = step | {"sessionId": session["sessionId"]}
        assert client.post("/v1/tools/sequential_search", json=asked).status_code == 200
    with watched(browser, base) as seen:
        asked = f"tool=research_export&sessionId={session['sessionId']}&format=json"
        page = seen.open(f"/console/playground?{asked}")
        run(page)
        # whichever session is the latest: other tests of this server start some, too
        expect(page.locator("#result pre").first).to_contain_text("xxxx")

        page = seen.open("/console/artifacts")
        page.get_by_role("button", name=re.compile("^Show")).first.click()

        expect(page.locator("#artifact pre")).to_contain_text("xxxx")


def test_keyboard_shortcuts_navigate_and_the_theme_is_remembered(
    browser: Browser, base: str
) -> None:
    with watched(browser, base, color_scheme="light") as seen:
        page = seen.open("/")
        page.keyboard.press("g")
        page.keyboard.press("s")
        expect(page.get_by_role("heading", level=1)).to_have_text("Sessions")
        expect(page.locator("#theme")).to_have_text("Auto")
        page.keyboard.press("t")
        page.keyboard.press("t")
        page.reload()

        expect(page.locator("html")).to_have_attribute("data-theme", "dark")
        expect(page.locator("#theme")).to_have_text("Dark")
        page.keyboard.press("?")
        expect(page.get_by_role("dialog", name="Keyboard shortcuts")).to_be_visible()
        page.keyboard.press("Escape")
        expect(page.get_by_role("dialog", name="Keyboard shortcuts")).to_be_hidden()


def test_durations_are_shown_in_their_two_largest_units(browser: Browser, base: str) -> None:
    with watched(browser, base) as seen:
        texts = seen.open("/").evaluate(
            "import('/assets/dom.js').then(dom => [0, 59, 300, 20522, 90000].map(dom.duration))"
        )

    assert texts == ["0 s", "59 s", "5 min", "5 h 42 min", "1 d 1 h"]


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", WIDTHS.values(), ids=WIDTHS)
def test_axe_finds_no_accessibility_problem(
    browser: Browser, base: str, world: FakeWeb, width: int, theme: str
) -> None:
    script = installed(*AXE).read_text()
    results = [
        "web_search&query=owls",
        f"scrape_page&url={world.url}/p/1",
        f"citation_graph&paper={OWL_DOI}",
        "econ_search&series_id=OWL.POP&num_results=12&provider=worldbank",
    ]
    found: list[str] = []
    # axe is brought into the page, which the policy would not allow
    screen = {"width": width, "height": 844}
    options = {"viewport": screen, "color_scheme": theme, "bypass_csp": True}
    with watched(browser, base, **options) as seen:
        for path in [each.path for each in PAGES]:
            page = seen.open(path)
            found += violations(page, script)
        for asked in results:
            page = seen.open(f"/console/playground?tool={asked}")
            run(page)
            found += violations(page, script)
    assert "\n".join(found) == ""


def violations(page: Page, script: str) -> list[str]:
    """Return all violations, of best practices too."""
    page.evaluate(script)
    report = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    return [
        f"{page.url}: {each['id']}: {each['nodes'][0]['html'][:200]}"
        for each in report["violations"]
    ]

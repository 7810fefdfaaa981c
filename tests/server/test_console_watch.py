"""The console's page for monitors in Chromium: create, see the diff, mute noise, pause, delete."""

import re
import shutil
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import httpx2
import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.conformance.node import installed
from tests.server.console_browser import watched
from tests.server.http_server import http_server
from tests.server.test_console import AXE, violations

CHROMIUM = shutil.which("chromium")
pytestmark = pytest.mark.skipif(
    CHROMIUM is None, reason="Chromium is not installed (apt install chromium)"
)
_TEXT = (
    "The mill is made by hand in a small workshop near the river. Its body lasts for decades, and "
    "every part of it can be replaced at home. It comes with a warranty of {years} years."
)


class Shop:
    """A web page whose price, text and offer a test changes."""

    def __init__(self) -> None:
        self.price = "20,00"
        self.years = "five"
        self.offer = "free tea"
        self.views = 100

    def page(self) -> str:
        """Return the page as it is now; its counter differs on each visit."""
        self.views += 17
        return (
            f"<html lang=en><title>Coffee mill</title><main><h1>Coffee mill</h1>"
            f"<p>{_TEXT.format(years=self.years)}</p><p>Price: {self.price} €</p>"
            f"<p>Special offer: {self.offer}</p><p>{self.views} views</p></main></html>"
        )


@pytest.fixture(scope="module")
def shop() -> Iterator[tuple[Shop, str]]:
    shop = Shop()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            found = self.path.startswith("/mill")
            body = shop.page().encode() if found else b""
            self.send_response(200 if found else 404)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name is given
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield shop, f"http://127.0.0.1:{server.server_port}/mill"
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx2.Client]:
    settings = {"ALLOW_PRIVATE_IPS": "true", "CHROME_PATH": "disabled", "TOOLSETS": "all"}
    with http_server(tmp_path_factory.mktemp("watch"), settings=settings) as client:
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


def create(page: Page, url: str, name: str) -> None:
    """Create a monitor and wait until its first version is stored."""
    page.get_by_label("URL to watch").fill(url)
    page.get_by_text("More options").click()
    page.get_by_label("Name", exact=True).fill(name)
    page.get_by_role("button", name="Create monitor").click()
    expect(page.locator("#monitor h2").first).to_have_text(name)
    # the first check runs by itself; this one waits for it, or is it
    run(page, re.compile("No change|first version"))


def run(page: Page, outcome: "str | re.Pattern[str]") -> None:
    """Check the page now, and wait for the outcome."""
    page.get_by_role("button", name="Run now").click()
    expect(page.locator("#monitor [role=status]").first).to_contain_text(outcome)


def test_a_changed_page_is_shown_with_the_words_that_differ(
    browser: Browser, base: str, shop: tuple[Shop, str]
) -> None:
    world, url = shop
    with watched(browser, base) as seen:
        page = seen.open("/console/watch")
        create(page, url, "Price of the mill")
        world.price = "18,00"
        run(page, "The page changed.")

        change = page.locator("#history .panel").first.locator("> ol > .change")
        expect(change.locator(".badge")).to_have_text(["price", "changed"])
        expect(change.locator("del")).to_have_text("20,00")
        expect(change.locator("ins")).to_have_text("18,00")
        expect(change).to_contain_text("20 EUR → 18 EUR (-10.0 %)")
        link = change.get_by_role("link", name="Show on the page")
        assert "#:~:text=" in (link.get_attribute("href") or "")


def test_a_place_is_muted_and_unmuted(browser: Browser, base: str, shop: tuple[Shop, str]) -> None:
    world, url = shop
    muted = re.compile("Special offer")
    with watched(browser, base) as seen:
        page = seen.open("/console/watch")
        create(page, url, "Offers")
        world.offer = "free milk"
        run(page, "The page changed.")
        page.get_by_role("button", name="Mute this place").first.click()
        expect(page.locator("#monitor [role=status]").first).to_contain_text("ignored from now on")
        world.offer = "free cups"
        run(page, "No change.")
        places = page.get_by_role("table", name="Muted places")
        expect(places).to_contain_text(muted)
        places.get_by_role("row").nth(1).get_by_role("button", name="Unmute").click()
        expect(page.locator("#monitor [role=status]").first).to_contain_text("reported again")
        world.offer = "free spoons"
        run(page, "The page changed.")
        expect(page.locator("#history .change ins").first).to_have_text("spoons")


def test_a_monitor_is_paused_and_deleted(
    browser: Browser, base: str, shop: tuple[Shop, str]
) -> None:
    with watched(browser, base) as seen:
        page = seen.open("/console/watch")
        create(page, shop[1], "For a moment")
        page.get_by_role("button", name="Pause").click()
        expect(page.get_by_role("button", name="Resume")).to_be_visible()
        row = page.locator("#list tbody tr").first
        expect(row).to_contain_text(re.compile("For a moment.*paused", re.DOTALL))
        page.on("dialog", lambda dialog: dialog.accept())
        page.get_by_role("button", name="Delete").click()
        expect(page.locator("#monitor")).to_be_hidden()
        expect(page.locator("#list")).not_to_contain_text("For a moment")


def test_a_wrong_condition_is_explained_at_the_form(
    browser: Browser, base: str, shop: tuple[Shop, str]
) -> None:
    with watched(browser, base) as seen:
        page = seen.open("/console/watch")
        page.get_by_label("URL to watch").fill(shop[1])
        page.get_by_label("Only if a number changes so").fill("cheap")
        page.get_by_role("button", name="Create monitor").click()

        expect(page.locator("#start-problem")).to_contain_text("Examples: price < 20")
        seen.errors.clear()  # the browser reports the response with status 400


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_diff_is_readable_on_a_phone_and_accessible(
    browser: Browser, base: str, shop: tuple[Shop, str], theme: str
) -> None:
    world, url = shop
    # axe is brought into the page, which the policy would not allow
    screen = {"width": 390, "height": 844}
    with watched(browser, base, viewport=screen, color_scheme=theme, bypass_csp=True) as seen:
        page = seen.open("/console/watch")
        create(page, url, f"Mill {theme}")
        world.years = "two" if world.years != "two" else "nine"
        run(page, "The page changed.")

        expect(page.locator("#history .change ins").first).to_have_text(re.compile("two|nine"))
        page.locator("summary", has_text="ignored").first.click()
        width = page.evaluate("document.documentElement.scrollWidth")
        assert width <= 390
        assert violations(page, installed(*AXE).read_text()) == []

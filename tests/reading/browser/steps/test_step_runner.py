"""Single steps on a real page: what they bring, and what they say when they fail."""

from collections.abc import Generator
from itertools import count
from typing import Any

import pytest

from tests.crawl.site import Reply, Site, running_site
from tests.reading.browser.steps.browser_thread import BrowserThread, browser_thread
from tests.reading.browser.steps.page_apps import do
from tests.reading.chromium import needs_chromium
from webquarry.models.page_steps import PageStep
from webquarry.reading.browser.png_slices import png_size
from webquarry.reading.browser.steps.step_runner import StepRunner, StepsRun

pytestmark = needs_chromium

PAGE = """<!doctype html><meta charset=utf-8><title>Owls</title><h1>Owls</h1>
<p id=intro>They hunt at night.</p><button onclick="n.textContent='clicked'">Show</button>
<button>Hide</button><button disabled>Later</button><p id=n>nothing</p>
<button style="display:none">Secret</button>
<select aria-label=Country><option>Norway<option value=pe>Peru</select>
<div style="position:relative"><button>Below</button>
<div style="position:absolute;inset:0;background:#fff">cover</div></div>
<div id=chart style="width:300px;height:120px;background:red"></div>
<a href="http://10.0.0.5/inside">Inside</a>"""
ANSWERS: dict[str, bytes] = {
    "/": PAGE.encode(),
    "/more": b"<title>More</title><p>There are more owls.</p>",
}


def site(path: str, headers: dict[str, str]) -> Reply:
    body = ANSWERS.get(path)
    return Reply(body) if body else Reply(status=404)


class OpenPage:
    """Runs steps on a page of its own."""

    def __init__(self, browser: BrowserThread, running: Site) -> None:
        self._browser = browser
        self._url = f"{running.url}/"

    def run(self, *steps: PageStep, seconds: float = 0, scripts: bool = False) -> StepsRun:
        """Run the steps; time goes by with each look at the clock, unless `seconds` are left."""
        clock = count(600, -3)

        def left() -> float:
            return seconds or float(next(clock))

        async def work(context: Any) -> StepsRun:
            page = await context.new_page()
            await page.goto(self._url)

            async def settle() -> None:
                await page.wait_for_load_state()

            return await StepRunner(page, settle, left, allow_scripts=scripts).run(steps)

        return self._browser.run(self._browser.tier.browser.run(work, 120))


@pytest.fixture(scope="module")
def opened() -> Generator[OpenPage]:
    with running_site(site) as running, browser_thread() as browser:
        yield OpenPage(browser, running)


@pytest.mark.parametrize(
    ("step", "reason"),
    [
        (
            do("click", role="button", name="Open"),
            "nothing on the page matches button 'Open'; there is 'Show', 'Hide', 'Later', 'Below'",
        ),
        (do("click", selector="p["), "selector 'p[' is not a valid CSS selector"),
        (do("click", text="Secret"), "text 'Secret' is on the page, but not shown"),
        (
            do("click", text="Hide", index=3),
            "text 'Hide' is 1 times on the page, so that there is no index 3",
        ),
        (do("click", role="button", name="Below"), "another element covers it"),
        (do("click", role="button", name="Later"), "the element is not enabled"),
        (do("fill", selector="#intro", value="x"), "not an <input>"),
        (
            do("select", label="Country", value="Chile"),
            "there is no option 'Chile'; there is Norway, Peru",
        ),
        (do("select", text="Show", value="x"), "text 'Show' is no select element"),
        (do("press", value="Entr"), 'Unknown key: "Entr"'),
    ],
    ids=lambda value: value.in_words() if isinstance(value, PageStep) else "",
)
def test_a_step_that_fails_says_why(opened: OpenPage, step: PageStep, reason: str) -> None:
    run = opened.run(step)

    assert run.failed is not None
    assert reason in run.failed.note
    assert run.failure.startswith(f"step 1 ({step.in_words()}): ")


def test_the_steps_end_at_the_one_that_fails(opened: OpenPage) -> None:
    run = opened.run(do("click", text="Show"), do("click", text="None"), do("click", text="Hide"))

    assert [(result.number, result.ok) for result in run.results] == [(1, True), (2, False)]


def test_an_optional_step_may_fail(opened: OpenPage) -> None:
    run = opened.run(do("click", text="None", optional=True), do("click", text="Show"))

    assert [result.ok for result in run.results] == [False, True]
    assert run.failed is None


def test_a_step_without_time_left_is_reported(opened: OpenPage) -> None:
    run = opened.run(do("wait", value=60_000), seconds=0.3)

    assert run.failure == "step 1 (wait): there was no time left for it"


def test_a_link_that_the_guard_refuses_fails_and_the_page_stays(opened: OpenPage) -> None:
    run = opened.run(do("click", role="link", name="Inside"), do("extract", selector="#intro"))

    assert run.failed is not None
    assert run.failed.number == 1


def test_what_steps_produce_is_returned(opened: OpenPage) -> None:
    run = opened.run(
        do("extract", selector="#intro"),
        do("extract", value="html"),
        do("screenshot", selector="#chart"),
        do("screenshot"),
        do("pdf"),
        do("javascript", value="[document.title, 1 + 1]"),
        scripts=True,
    )
    element, whole, chart, window, pdf, script = (result.product for result in run.results)

    assert run.failed is None
    assert element is not None
    assert "They hunt at night." in element.html
    assert whole is not None
    assert (whole.media_type, b"<h1>Owls</h1>" in whole.file) == ("text/html; charset=utf-8", True)
    assert chart is not None
    assert png_size(chart.file) == (300, 120)
    assert window is not None
    assert png_size(window.file) == (1366, 768)
    assert pdf is not None
    assert (pdf.media_type, pdf.file[:5]) == ("application/pdf", b"%PDF-")
    assert script is not None
    assert script.value == '["Owls", 2]'


def test_scripts_of_callers_are_refused_unless_they_are_allowed(opened: OpenPage) -> None:
    refused = opened.run(do("javascript", value="1"))
    failed = opened.run(do("javascript", value="nothing.at.all"), scripts=True)

    assert "does not allow scripts: ALLOW_PAGE_SCRIPTS" in refused.failure
    assert "the script failed: " in failed.failure
    assert "nothing is not defined" in failed.failure

"""The HTML report in Chromium, opened as a file: sorted, filtered, printed."""

import io
import shutil
from collections.abc import Iterator
from pathlib import Path

import pypdfium2
import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.conformance.node import installed
from tests.server.console_browser import watched
from tests.server.test_console import AXE, violations
from webquarry.models.document_check import (
    CheckedClaim,
    CheckedReference,
    CheckProgress,
    DocumentCheck,
    DocumentPlace,
    Finding,
    ModelUse,
    ModelVerdict,
    SourceVerdict,
)
from webquarry.models.trust import ClaimClass
from webquarry.services.checking.reports.check_page import check_html

CHROMIUM = shutil.which("chromium")
pytestmark = pytest.mark.skipif(
    CHROMIUM is None, reason="Chromium is not installed (apt install chromium)"
)
_CLASSES: tuple[ClaimClass, ...] = ("supported", "contradicted", "partly", "could_not_check")
_TEXTS = ("Owls hear well.", "Owls fledged 5.2 young.", "Voles live in grass.", "Bats fly.")
_ROWS = 60  # enough for a table of several printed pages


def _claim(number: int) -> CheckedClaim:
    claim_class = _CLASSES[number % 4]
    verdict = SourceVerdict(
        reference="r1",
        claimClass=claim_class,
        reason="The source has <3.2> young." if claim_class == "contradicted" else None,
        quote="They <b>fledged</b> 3.2 young.",
        url=f"https://owls.test/{number}",
        model=ModelVerdict(verdict="supported", quote=f"Words {number}") if number == 1 else None,
    )
    return CheckedClaim(
        number=number + 1,
        claim=f"{_TEXTS[number % 4]} Sentence n{number + 1} ends.",
        place=DocumentPlace(line=2 * number + 1, start=0, end=27),
        claimClass=claim_class,
        reason=verdict.reason,
        sources=(verdict,),
    )


def _check() -> DocumentCheck:
    claims = tuple(map(_claim, range(_ROWS)))
    finding = Finding(
        kind="contradicted", message="<i>Why</i>", text="<script>alert(1)</script>",
        place=claims[1].place, claim=2,
    )  # fmt: skip
    holt = CheckedReference(
        id="r1", label="1", text="Holt 2021", place=claims[0].place, citedBy=_ROWS, checked=True,
        flags=("unchecked",), reason="No response.",
    )  # fmt: skip
    return DocumentCheck(
        checkId="c1",
        status="completed",
        document="a.md",
        format="markdown",
        complete=True,
        summary={"claims": _ROWS, "references": 1, "contradicted": 1, "uncheckedReferences": 1},
        findings=(finding,),
        claims=claims,
        references=(holt,),
        progress=CheckProgress(),
        modelUse=ModelUse(verdicts=1, tokens=100),
        notes=("The hosts of 3 links were not found.",),
        checkedAt="2026-01-01T00:00:00Z",
    )


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def base(tmp_path: Path) -> str:
    (tmp_path / "report.html").write_text(check_html(_check()), "utf-8")
    return tmp_path.as_uri()


def _opened(page: Page, base: str) -> Page:
    page.goto(f"{base}/report.html")
    return page


def test_rows_are_sorted_by_each_column_up_and_down(browser: Browser, base: str) -> None:
    with watched(browser, base) as seen:
        page = _opened(seen.page, base)
        rows = page.locator("#claims tbody tr")
        expect(rows).to_have_count(_ROWS)
        expect(rows.first).to_contain_text("contradicted")  # the worst first

        location = page.get_by_role("columnheader", name="Location")
        location.get_by_role("button").click()
        expect(location).to_have_attribute("aria-sort", "ascending")
        assert _cells(page, 2)[:3] == ["line 1", "line 3", "line 5"]  # as numbers, not as text
        location.get_by_role("button").press("Enter")
        expect(location).to_have_attribute("aria-sort", "descending")
        assert _cells(page, 2)[:2] == ["line 119", "line 117"]

        page.get_by_role("button", name="Class").click()
        expect(location).not_to_have_attribute("aria-sort", "descending")
        assert _cells(page, 4)[:: _ROWS // 4] == [
            "contradicted", "could not check", "partly supported", "supported",
        ]  # fmt: skip
        page.get_by_role("button", name="Model", exact=True).click()  # rows without one are last
        expect(rows.first).to_contain_text("Words 1")


def _cells(page: Page, column: int) -> list[str]:
    return page.locator(f"#claims tbody td:nth-child({column})").all_text_contents()


def test_rows_are_filtered_by_words_and_class(browser: Browser, base: str) -> None:
    with watched(browser, base) as seen:
        page = _opened(seen.page, base)
        shown = page.locator("#claims tbody tr:visible")
        count = page.locator("#shown")
        expect(count).to_have_text(f"{_ROWS} of {_ROWS} rows")

        page.get_by_label("Class").select_option("partly")
        expect(shown).to_have_count(_ROWS // 4)
        page.get_by_label("Filter").fill("VOLES  sentence n59")
        expect(shown).to_have_count(1)
        expect(count).to_have_text(f"1 of {_ROWS} rows")
        page.get_by_label("Filter").fill("no such words")
        expect(shown).to_have_count(0)
        page.get_by_label("Filter").press("Enter")  # no form is sent
        page.get_by_label("Filter").fill("")
        page.get_by_label("Class").select_option("")
        expect(shown).to_have_count(_ROWS)


def test_a_printed_report_has_every_row_and_no_form(browser: Browser, base: str) -> None:
    with watched(browser, base) as seen:
        page = _opened(seen.page, base)
        page.emulate_media(media="print")
        expect(page.get_by_label("Filter")).to_be_hidden()
        printed = pypdfium2.PdfDocument(io.BytesIO(page.pdf(prefer_css_page_size=True)))
        texts = [printed[at].get_textpage().get_text_range() for at in range(len(printed))]

    assert len(texts) > 1
    # the text of a printed page has spaces within words, too
    pages = ["".join(text.split()) for text in texts]
    assert [n for n in range(1, _ROWS + 1) if f"Sentencen{n}ends." not in "".join(pages)] == []
    tables = [page for page in pages if "Sentence" in page]
    assert len(tables) > 1
    assert all("Location" in page for page in tables)  # each page has the head of the table


def test_text_of_the_document_is_no_markup_and_links_lead_out(browser: Browser, base: str) -> None:
    with watched(browser, base) as seen:
        page = _opened(seen.page, base)
        expect(page.locator("blockquote").first).to_have_text("<script>alert(1)</script>")
        expect(page.get_by_text("The hosts of 3 links were not found.")).to_be_visible()
        expect(page.locator("p").first).to_contain_text("1 of 1 reference could not be checked.")
        link = page.locator("#claims").get_by_role("link", name="source").first
        expect(link).to_have_attribute("rel", "noopener noreferrer nofollow")
        assert page.evaluate("document.querySelectorAll('script').length") == 1


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_the_report_has_no_accessibility_problem(
    browser: Browser, base: str, width: int, theme: str
) -> None:
    script = installed(*AXE).read_text()
    screen = {"width": width, "height": 844}
    options = {"viewport": screen, "color_scheme": theme, "bypass_csp": True}
    with watched(browser, base, **options) as seen:
        page = _opened(seen.page, base)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert violations(page, script) == []

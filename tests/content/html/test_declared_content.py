"""Content that a page declares in its data, but does not show."""

import json

import pytest

from webquarry.content.html.read_html import read_html
from webquarry.reading.page_output import scraped_page

URL = "https://owls.test/1"
NOTE = "The content is data embedded in the page (JSON-LD or script data), not text seen on it."
TEXT = "\n\n".join(f"Owl number {n} was seen by nobody at the old barn." for n in range(20))
JSON_LD = json.dumps({"@type": "NewsArticle", "headline": "Owls", "articleBody": TEXT})
HYDRATION = json.dumps({"props": {"article": {"body": f"<p>{TEXT}</p>"}}})
SHOWN = "".join(f"<p>{paragraph}</p>" for paragraph in TEXT.split("\n\n"))


@pytest.mark.parametrize(
    "script",
    [
        f'<script type="application/ld+json">{JSON_LD}</script>',
        f'<script id="__NEXT_DATA__" type="application/json">{HYDRATION}</script>',
    ],
)
def test_content_from_data_of_the_page_is_marked_as_declared(script: str) -> None:
    page = scraped_page(read_html(f"<body><div></div>{script}</body>", url=URL), 50_000, 0)

    assert "Owl number 3" in page.content
    assert (page.extractionQuality, page.notes) == ("declared", (NOTE,))


def test_content_that_is_shown_is_not_marked() -> None:
    html = f'<body>{SHOWN}<script type="application/ld+json">{JSON_LD}</script></body>'

    page = scraped_page(read_html(html, url=URL), 50_000, 0)

    assert (page.extractionQuality, page.notes) == ("complete", None)


def test_structured_data_is_marked_as_declared() -> None:
    html = f'<head><meta property="og:title" content="Owls"></head><body>{SHOWN}</body>'

    page = scraped_page(read_html(html, url=URL), 50_000, 0)

    assert page.structuredData == {"declared": True, "openGraph": {"og:title": "Owls"}}

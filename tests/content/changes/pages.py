"""Versions of pages for tests."""

from webquarry.models.changes import PageVersion

URL = "https://shop.example/mill"
DAY = 86_400.0
MONDAY = 20_776 * DAY  # a moment to count from


def page(markdown: str, *, title: str = "", at: float = 0.0) -> PageVersion:
    """Return a version of a page."""
    return PageVersion(url=URL, title=title, markdown=markdown, at=at)

"""Pages of the local index, and searches in it."""

from dataclasses import dataclass

MAX_TEXT_CHARS = 200_000  # of one page
PAGES = "SELECT url, title, body, published, read_at FROM pages"
TERM_ROWS = "SELECT id, title, body FROM pages"  # what its terms come from


@dataclass(frozen=True, kw_only=True)
class IndexedPage:
    """A page in the index: its URL and its text."""

    url: str
    title: str
    text: str
    published: str | None = None  # RFC 3339 in UTC
    read_at: float | None = None  # seconds since 1970; None: when it is added


OwnedPage = tuple[IndexedPage, str, str]  # with its tenant and owner


@dataclass(frozen=True, kw_only=True)
class FoundPage:
    """A page that matches a query, and the part of its text that matches best."""

    page: IndexedPage
    snippet: str


@dataclass(frozen=True, kw_only=True)
class IndexQuery:
    """A search in one person's pages."""

    words: str
    exact: str | None = None  # a phrase
    excluded: tuple[str, ...] = ()  # words or phrases
    max_results: int = 10


def page_of(row: tuple[str, str, str, str | None, float]) -> IndexedPage:
    """Return the page of a row of `PAGES`."""
    url, title, body, published, read_at = row
    return IndexedPage(url=url, title=title, text=body, published=published, read_at=read_at)

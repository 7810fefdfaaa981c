"""The outcomes of a visit: a page, a document, a redirect, or why there is none."""

from dataclasses import dataclass

from webquarry.net.url import Url
from webquarry.reading.browser.screenshots import Screenshot


@dataclass(frozen=True, slots=True, kw_only=True)
class VisitedPage:
    """A page: its content, and the compressed bytes to store."""

    url: Url
    status: int
    content: bytes
    stored_body: bytes
    encoding: str  # of `stored_body`
    content_type: str
    etag: str = ""
    last_modified: str = ""
    # kind of a document that was read: the content is its Markdown, the title is its own
    document: str = ""
    title: str = ""
    size: int = 0  # of the document in bytes
    screenshot: Screenshot | None = None
    step_failed: str = ""  # why not all steps were done
    screenshot_over_limit: bool = False  # left out, as the crawl has stored enough of them


@dataclass(frozen=True, slots=True, kw_only=True)
class VisitedDocument:
    """A document that is still to be read."""

    url: Url
    status: int
    content: bytes
    content_type: str
    etag: str = ""
    last_modified: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Redirected:
    """A redirect."""

    target: Url
    permanent: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class NotModified:
    """The page has not changed since the previous crawl."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VisitFailed:
    """No page, and why; a temporary failure is retried."""

    outcome: str
    temporary: bool = False
    host_pause: float = 0.0  # seconds from Retry-After


@dataclass(frozen=True, slots=True, kw_only=True)
class Postponed:
    """The host may not be requested yet."""


Visit = VisitedPage | VisitedDocument | Redirected | NotModified | VisitFailed

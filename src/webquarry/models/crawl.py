"""Crawls: requests, progress, pages and failures."""

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import Field

from webquarry.models.model import Model
from webquarry.models.page_formats import Format, FormatContent, ImageType
from webquarry.models.page_options import PageOptions
from webquarry.models.page_steps import PageStep
from webquarry.models.webhook import Webhook

JobKind = Literal["crawl", "batch"]
State = Literal["queued", "running", "completed", "failed", "cancelled"]
StopReason = Literal["frontier_exhausted", "page_limit", "saturated", "cancelled"]
Origin = Literal["start", "sitemap", "link"]

MAX_QUERY = 500  # characters
FINISHED: frozenset[State] = frozenset({"completed", "failed", "cancelled"})


class CrawlRequest(Model):
    """A crawl as requested."""

    url: str = Field(description="Where to start.")
    query: str | None = Field(
        default=None,
        min_length=1,
        max_length=MAX_QUERY,
        description="Read promising pages first; stop when further pages add nothing.",
    )
    max_depth: int = Field(default=2, ge=1, le=100, description="1 reads the start page only.")
    max_pages: int = Field(default=100, ge=1, description="Pages to bring at most.")
    include: tuple[str, ...] = Field(
        default=(), description="Follow only URLs that match one of these."
    )
    exclude: tuple[str, ...] = Field(
        default=(), description="Never follow URLs that match one of these."
    )
    include_paths: tuple[str, ...] = Field(
        default=(), description="Follow only URLs whose path matches one of these globs."
    )
    exclude_paths: tuple[str, ...] = Field(
        default=(), description="Never follow URLs whose path matches one of these globs."
    )
    keep_parameters: tuple[str, ...] | None = Field(
        default=None, description="Query parameters to keep; null: all."
    )
    strip_parameters: tuple[str, ...] = Field(default=(), description="Query parameters to remove.")
    same_domain: bool = Field(default=True, description="Stay on the domain of the start page.")
    subdomains: bool = Field(default=False, description="Its other subdomains belong to it.")
    render: bool = Field(default=False, description="Show every page in a browser first.")
    delay: float | None = Field(
        default=None,
        ge=0,
        le=60,
        description="Seconds between two requests to a host; null: CRAWL_DELAY.",
    )
    concurrency: int | None = Field(
        default=None, ge=1, description="Pages fetched at a time; null: CRAWL_CONCURRENCY."
    )
    sitemap: bool = Field(default=False, description="Start from the site's sitemaps as well.")
    sitemap_only: bool = Field(
        default=False, description="Read the URLs of the sitemaps and follow no links."
    )
    documents: bool = Field(
        default=True, description="Read PDF and Office files like pages; false: skip them."
    )
    max_document_bytes: int | None = Field(
        default=None, ge=1, description="Larger documents are skipped; null: MAX_DOCUMENT_BYTES."
    )
    page_options: PageOptions = Field(default=PageOptions(), description="How pages are requested.")
    formats: tuple[Format, ...] = Field(
        default=("markdown",), description="What `pages` holds unless told."
    )
    json_schema: dict[str, Any] | None = Field(
        default=None, description="JSON Schema of the format json; null: what the page declares."
    )
    full_page: bool = Field(default=False, description="Screenshots show the entire page.")
    image_type: ImageType = Field(default="png", description="File format of screenshots.")
    steps: tuple[PageStep, ...] = Field(
        default=(), description="Done in the browser on every page before it is read."
    )
    webhook: str | Webhook | None = Field(
        default=None, description="Is notified when the crawl has ended, or of chosen events."
    )
    index: bool = Field(default=True, description="Make the pages searchable in the local index.")
    client_options: dict[str, Any] | None = Field(
        default=None, description="What the client of another API asked for, in its words."
    )
    capture: bool = Field(
        default=False, description="Keep requests and responses for an evidence bundle."
    )
    urls_digest: str | None = Field(
        default=None, description="SHA-256 of the URLs of a batch, which are stored one by one."
    )

    @property
    def is_private(self) -> bool:
        """Whether pages are requested with the caller's own headers or cookies."""
        return bool(self.page_options.own_headers)

    @property
    def may_be_indexed(self) -> bool:
        """Whether the pages are public, and wanted in the local index."""
        return self.index and not self.is_private

    @property
    def renders(self) -> bool:
        """Whether pages are read in the browser; screenshots and steps need it."""
        return self.render or "screenshot" in self.formats or bool(self.steps)


class CrawlProgress(Model):
    """The progress of a crawl; no number ever decreases."""

    pagesFound: int = Field(
        default=0, description="Distinct addresses found that the crawl may read."
    )
    pagesCrawled: int = Field(default=0, description="Pages read and stored.")
    rate: float = Field(default=0.0, description="Pages a second since the crawl began.")
    depth: int = Field(default=0, description="Deepest level reached; the start page is 1.")
    errors: int = Field(
        default=0, description="Addresses that gave no page: HTTP errors, no answer."
    )
    skipped: Mapping[str, int] = Field(
        default_factory=dict[str, int],
        description="Addresses left out, by reason: robots, excluded, out_of_scope, trap, "
        "duplicate, redirect, content_type, too_large, too_deep, page_limit, saturated, refused.",
    )
    percent: float = Field(
        default=0.0, description="0-100: read URLs, of those that are known; 100 at the end."
    )


class CrawlJob(Model):
    """A crawl and its state. Times are unix seconds."""

    id: str
    kind: JobKind = Field(
        default="crawl", description="A crawl follows links; a batch reads listed URLs."
    )
    tenant: str
    user: str
    state: State
    request: CrawlRequest
    progress: CrawlProgress = CrawlProgress()
    created: float
    started: float | None = None
    finished: float | None = None
    expires: float = Field(description="When the crawl and its pages are deleted.")
    error: str | None = None
    moved_to: str | None = Field(
        default=None,
        description="The URL on another host that the start page redirects to: the crawl "
        "continued there.",
    )
    stop_reason: StopReason | None = Field(default=None, description="Why a crawl has ended.")

    @property
    def ended(self) -> bool:
        """Whether the crawl has finished, failed or been cancelled."""
        return self.state in FINISHED


class CrawledPage(Model):
    """One page of a crawl."""

    url: str
    final_url: str  # after redirects in a browser; HTTP redirects are separate URLs
    status: int
    title: str
    depth: int
    media_type: str
    content: Mapping[Format, FormatContent] = Field(
        description="By format as asked for; links and images are tuples of URLs."
    )
    links: int = Field(description="How many links it has.")
    bytes: int = Field(description="Length of the page as it was read.")
    words: int
    fetched_at: float
    hash: str = Field(description="SHA-256 of its text.")
    changed: bool | None = Field(
        default=None,
        description="Whether its text differs from the crawl before; null: none before.",
    )
    near_duplicate_of: str | None = None
    truncated: bool = False
    step_failed: str | None = Field(
        default=None, description="Why not all steps were done; the page is as it was then."
    )
    index: int | None = Field(default=None, description="In a batch: position in the list.")


class CrawlFailure(Model):
    """A URL that returned no page."""

    url: str
    reason: str = Field(description="Like http_404, timeout, robots, trap, duplicate.")
    message: str = Field(default="", description="The reason in words.")
    depth: int
    attempts: int | None = Field(default=None, description="Requests made; null: it was skipped.")
    at: float | None = Field(default=None, description="When it was decided.")
    index: int | None = Field(default=None, description="In a batch: position in the list.")


class InvalidUrl(Model):
    """An entry of a batch's list that is not a URL."""

    index: int = Field(description="Position in the list, from 0.")
    url: str
    reason: str


class MappedUrl(Model):
    """A URL of a site and how it was found."""

    url: str
    found: tuple[Origin, ...]
    title: str = ""  # the text of the link
    last_modified: str | None = None  # from the sitemap

"""Crawls of the Cinder tools."""

from typing import Any

from pydantic import Field

from webquarry.models.crawl import InvalidUrl, JobKind, State, StopReason
from webquarry.models.model import Filled, Model


class CrawlStarted(Model):
    """A crawl that was started."""

    crawlId: str
    url: str
    status: State
    pagesFound: int
    pagesCrawled: int
    createdAt: str
    error: str | None = None


class CinderPageRow(Model):
    """One crawled page."""

    url: str
    title: Filled[str] = None
    statusCode: int
    contentLength: int | None = None
    content: Filled[dict[str, Any]] = Field(
        default=None, description="By format, if the crawl was asked for formats"
    )
    index: int | None = Field(default=None, description="In a batch: position in the list")
    finalUrl: str | None = Field(default=None, description="Where redirects led, if elsewhere")
    stepFailed: str | None = Field(
        default=None, description="Why not all steps were done; the page is as it was then"
    )
    partial: bool | None = Field(
        default=None, description="Its content is too long for one result: see nextCursor"
    )

    @property
    def markdown(self) -> str:
        """The text of the page, if the crawl was asked for Markdown."""
        return str((self.content or {}).get("markdown", ""))


class BatchStarted(Model):
    """A batch that was started."""

    crawlId: str
    status: State
    pagesFound: int = Field(description="URLs to read: each listed URL once")
    pagesCrawled: int
    createdAt: str
    invalidURLs: Filled[tuple[InvalidUrl, ...]] = Field(
        default=None, description="Entries that are no URLs, with ignoreInvalidURLs"
    )
    error: str | None = None


class FailureRow(Model):
    """A URL without a page, and why."""

    url: str
    reason: str = Field(description="A code like http_404, timeout, robots")
    message: str = Field(description="The reason in words")
    attempts: int | None = None
    at: str | None = None
    index: int | None = Field(default=None, description="In a batch: position in the list")


class CrawlFailures(Model):
    """The URLs of a crawl without a page."""

    crawlId: str
    failures: tuple[FailureRow, ...]
    nextOffset: int | None = None
    nextCursor: str | None = None


class CrawlRow(Model):
    """One crawl or batch in a list."""

    crawlId: str
    kind: JobKind
    url: str = Field(description="The start page, or the first URL of a batch")
    status: State
    pagesFound: int
    pagesCrawled: int
    progress: float = Field(description="0-100")
    errors: Filled[int] = None
    createdAt: str
    completedAt: str | None = None
    error: str | None = None


class CrawlList(Model):
    """Crawls and batches, the newest first."""

    crawls: tuple[CrawlRow, ...]
    nextOffset: int | None = None
    nextCursor: str | None = None


class CrawlStatus(Model):
    """The progress of a crawl, and a batch of its pages."""

    crawlId: str
    status: State
    pagesFound: int
    pagesCrawled: int
    progress: float = Field(description="0-100")
    pages: tuple[CinderPageRow, ...] | None = None
    nextOffset: int | None = None
    completedAt: str | None = None
    error: str | None = None
    errors: Filled[int] = Field(default=None, description="Addresses that gave no page")
    skipped: Filled[dict[str, int]] = Field(default=None, description="Addresses, by reason")
    failures: Filled[tuple[FailureRow, ...]] = Field(
        default=None, description="The first addresses that gave no page, with reasons"
    )
    movedTo: Filled[str] = Field(
        default=None, description="Where the start page redirects to: another host"
    )
    stopReason: Filled[StopReason] = Field(default=None, description="Why it ended")


class MapRow(Model):
    """One URL of a site."""

    url: str
    title: Filled[str] = None
    lastModified: str | None = None


class CinderSiteMap(Model):
    """The URLs of a site."""

    url: str
    urls: tuple[MapRow, ...]
    hasMore: bool

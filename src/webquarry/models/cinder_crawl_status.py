"""Crawls of the Cinder tools."""

from typing import Any

from pydantic import Field

from webquarry.models.crawl import State
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

"""The requests of Tavily's API."""

from datetime import date
from typing import Annotated, Literal

from pydantic import Field

from webquarry.server.compat.vendor_body import VendorBody

Depth = Literal["basic", "advanced", "fast", "ultra-fast"]
Period = Literal["day", "week", "month", "year", "d", "w", "m", "y"]
TextForm = Literal["markdown", "text"]
DAYS = {"d": 1, "w": 7, "m": 31, "y": 366}
Names = Annotated[tuple[str, ...], Field(max_length=50)]
Chunks = Annotated[int, Field(ge=1, le=5)]


class TavilySearchBody(VendorBody):
    """`POST /search`."""

    query: Annotated[str, Field(min_length=1, max_length=500)]
    api_key: str | None = None
    search_depth: Depth = "basic"
    topic: Literal["general", "news", "finance"] = "general"
    time_range: Period | None = None
    days: Annotated[int, Field(ge=1, le=36_500)] | None = None
    start_date: date | None = None
    end_date: date | None = None
    max_results: Annotated[int, Field(ge=0, le=20)] = 5
    chunks_per_source: Chunks = 3
    include_domains: Names | None = None
    exclude_domains: Names | None = None
    include_domains_mode: Literal["restrict", "prefer"] = "restrict"
    include_answer: bool | Literal["basic", "advanced"] = False
    include_raw_content: bool | TextForm = False
    include_images: bool = False
    include_image_descriptions: bool = False
    include_favicon: bool = False
    include_usage: bool = False
    auto_parameters: bool = False
    exact_match: bool = False
    country: str | None = None
    language: str | None = None
    filter_by_language: bool | None = None
    max_age_hours: Annotated[int, Field(ge=0)] | None = None
    fetch_timeout: Annotated[float, Field(gt=0, le=120)] | None = None
    cache_fallback: bool | None = None
    timeout: float | None = None
    safe_search: bool | None = None


class TavilyExtractBody(VendorBody):
    """`POST /extract`."""

    urls: (
        Annotated[str, Field(min_length=1)]
        | Annotated[tuple[str, ...], Field(min_length=1, max_length=20)]
    )
    api_key: str | None = None
    query: Annotated[str, Field(max_length=500)] | None = None
    chunks_per_source: Chunks = 3
    extract_depth: Literal["basic", "advanced"] = "basic"
    format: TextForm = "markdown"
    include_images: bool = False
    include_favicon: bool = False
    include_usage: bool = False
    timeout: Annotated[float, Field(ge=1, le=120)] | None = None

    @property
    def listed(self) -> tuple[str, ...]:
        """The URLs, also if there is only one."""
        return (self.urls,) if isinstance(self.urls, str) else self.urls


class TavilySiteBody(VendorBody):
    """`POST /map`, and what `POST /crawl` shares with it."""

    url: Annotated[str, Field(min_length=1, max_length=8192)]
    api_key: str | None = None
    instructions: Annotated[str, Field(max_length=500)] | None = None
    max_depth: Annotated[int, Field(ge=1, le=10)] = 1
    max_breadth: Annotated[int, Field(ge=1, le=500)] = 20
    limit: Annotated[int, Field(ge=1, le=5000)] = 50
    select_paths: Names | None = None
    select_domains: Names | None = None
    exclude_paths: Names | None = None
    exclude_domains: Names | None = None
    allow_external: bool = False
    include_usage: bool = False
    include_images: bool = False
    timeout: Annotated[float, Field(ge=1, le=150)] = 150


class TavilyCrawlBody(TavilySiteBody):
    """`POST /crawl`."""

    extract_depth: Literal["basic", "advanced"] = "basic"
    format: TextForm = "markdown"
    include_favicon: bool = False
    chunks_per_source: Chunks = 3

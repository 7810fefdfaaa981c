"""The requests of Exa's API."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from webquarry.server.compat.vendor_body import VendorBody

Count = Annotated[int, Field(ge=1, le=100)]
Sites = Annotated[tuple[str, ...], Field(max_length=50)]
Phrases = Annotated[
    tuple[Annotated[str, Field(min_length=1, max_length=200)], ...], Field(max_length=5)
]
QueryOption = Annotated[str, Field(min_length=1, max_length=2000)]


class _Options(BaseModel):
    """A part of a request; fields that it does not have are reported."""

    model_config = ConfigDict(frozen=True, extra="allow", defer_build=True)


class ExaTextOptions(_Options):
    """What text of a page is returned."""

    maxCharacters: Annotated[int, Field(ge=1, le=5_000_000)] | None = None


class ExaHighlightOptions(_Options):
    """Which passages of a page are returned."""

    query: QueryOption | None = None
    numSentences: Annotated[int, Field(ge=1, le=20)] = 3
    highlightsPerUrl: Annotated[int, Field(ge=1, le=20)] = 3
    maxCharacters: Annotated[int, Field(ge=1, le=1_000_000)] | None = None


class ExaSummaryOptions(_Options):
    """What a summary of a page is about."""

    query: QueryOption | None = None
    schema_: dict[str, Any] | None = Field(default=None, alias="schema")


class ExaExtras(_Options):
    """How many links and images of a page are returned."""

    links: Annotated[int, Field(ge=0, le=1000)] = 0
    imageLinks: Annotated[int, Field(ge=0, le=1000)] = 0


class ExaContentsBody(VendorBody):
    """What is returned of pages, and how they are read."""

    text: bool | ExaTextOptions | None = None
    highlights: bool | ExaHighlightOptions | None = None
    summary: bool | ExaSummaryOptions | None = None
    livecrawl: Literal["always", "fallback", "never", "auto", "preferred"] | None = None
    livecrawlTimeout: Annotated[int, Field(ge=1, le=120_000)] | None = None
    maxAgeHours: Annotated[int, Field(ge=-1)] | None = None
    snapshotAsOf: str | None = None
    filterEmptyResults: bool = False
    subpages: Annotated[int, Field(ge=0, le=10)] = 0
    subpageTarget: str | Annotated[tuple[str, ...], Field(max_length=20)] | None = None
    extras: ExaExtras | None = None
    context: Any = None
    metadata: Any = None

    @property
    def reads(self) -> bool:
        """Whether pages must be read."""
        return bool(self.text or self.highlights or self.summary or self.subpages or self.extras)


class ExaPagesBody(ExaContentsBody):
    """`POST /contents`."""

    urls: Annotated[tuple[str, ...], Field(max_length=100)] | None = None
    ids: Annotated[tuple[str, ...], Field(max_length=100)] | None = None
    flags: Any = None
    userIdentifier: Any = None


class _ExaFilters(VendorBody):
    """The filters that searches share."""

    numResults: Count = 10
    includeDomains: Sites | None = None
    excludeDomains: Sites | None = None
    includeText: Phrases | None = None
    excludeText: Phrases | None = None
    startPublishedDate: str | None = None
    endPublishedDate: str | None = None
    startCrawlDate: str | None = None
    endCrawlDate: str | None = None
    category: str | None = None
    contents: ExaContentsBody | Literal[False] | None = None
    flags: Any = None


class ExaSearchBody(_ExaFilters):
    """`POST /search`."""

    query: Annotated[str, Field(min_length=1, max_length=500)]
    type: Literal[
        "auto", "neural", "keyword", "hybrid", "fast", "instant", "lite", "deep", "deep-lite",
        "deep-reasoning",
    ] = "auto"  # fmt: skip
    useAutoprompt: bool | None = None
    moderation: bool | None = None
    userLocation: Any = None
    userIdentifier: Any = None
    additionalQueries: Any = None
    systemPrompt: Any = None
    outputSchema: dict[str, Any] | None = None
    objective: Any = None
    stream: bool = False


class ExaSimilarBody(_ExaFilters):
    """`POST /findSimilar`."""

    url: Annotated[str, Field(min_length=1, max_length=8192)]
    excludeSourceDomain: bool = False


class ExaAnswerBody(VendorBody):
    """`POST /answer`."""

    query: Annotated[str, Field(min_length=1, max_length=500)]
    stream: bool = False
    text: bool = False
    model: str | None = None
    systemPrompt: str | None = None
    outputSchema: dict[str, Any] | None = None
    userLocation: Any = None
    userIdentifier: Any = None

"""Pages and search results of the Cinder tools."""

from typing import Annotated, Any, Literal

from pydantic import Field, StringConstraints

from webquarry.models.model import Filled, Model
from webquarry.models.reading import ReadStrategy
from webquarry.models.short_schemas import ShortSchema

SearchMode = Literal["fast", "balanced", "deep"]
ReturnFormat = Literal["markdown", "html", "json"]
ScrapeMode = ReadStrategy

# the bounds are checked but not in the schema: they cost tokens and rarely help
Link = Annotated[
    str,
    Field(min_length=1, max_length=8192, json_schema_extra={"format": "uri"}),
    ShortSchema(type="string"),
]
Query = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=500),
    ShortSchema(type="string"),
]


class PageDetails(Model):
    """Metadata of a page."""

    description: Filled[str] = None
    keywords: Filled[tuple[str, ...]] = None
    images: Filled[tuple[str, ...]] = None
    author: Filled[str] = None
    publishDate: Filled[str] = None
    structuredData: Filled[dict[str, Any]] = Field(
        default=None, description="jsonLd, openGraph and citation, verbatim"
    )


class CinderPage(Model):
    """One page as read."""

    url: str
    title: Filled[str] = None
    content: str
    metadata: PageDetails | None = None
    statusCode: int
    loadTime: int = Field(description="ms")
    # the formats that were asked for
    markdown: str | None = None
    html: str | None = None
    rawHtml: str | None = None
    text: str | None = None
    links: tuple[str, ...] | None = None
    images: tuple[str, ...] | None = None
    json_: dict[str, Any] | None = Field(default=None, alias="json")
    summary: str | None = None
    screenshot: dict[str, Any] | None = None


class CinderResult(Model):
    """One search result."""

    id: str
    title: str
    url: str
    domain: str
    summary: str
    relevance: float = Field(ge=0, le=1)
    publishedDate: str | None = None


class ReadFailure(Model):
    """Why a result could not be read."""

    kind: str
    reason: str
    retryable: bool
    suggestedAction: str


class CinderSource(CinderResult):
    """A search result with its page, or with the reason why it could not be read."""

    content: str | None = None
    metadata: PageDetails | None = None
    statusCode: int | None = None
    loadTime: int | None = None
    error: ReadFailure | None = None

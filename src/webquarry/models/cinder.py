"""Pages and results in the spelling of the Cinder contract."""

from typing import Annotated, Any, Literal

from pydantic import Field

from webquarry.models.brief import Brief
from webquarry.models.model import Model
from webquarry.models.reading import Way

SearchMode = Literal["fast", "balanced", "deep"]
ReturnFormat = Literal["markdown", "html", "json"]
ScrapeMode = Way

# the bounds are checked but not told to models: they cost tokens and hardly ever tell anything
Link = Annotated[
    str,
    Field(min_length=1, max_length=8192, json_schema_extra={"format": "uri"}),
    Brief(type="string", format="uri"),
]
Query = Annotated[str, Field(min_length=1, max_length=500), Brief(type="string")]


class PageDetails(Model):
    """What a page says about itself, as far as it does."""

    description: str | None = None
    keywords: tuple[str, ...] | None = None
    images: tuple[str, ...] | None = None
    author: str | None = None
    publishDate: str | None = None
    structuredData: dict[str, Any] | None = Field(
        default=None, description="jsonLd, openGraph and citation, verbatim"
    )


class CinderPage(Model):
    """One page as read."""

    url: str
    title: str | None = None
    content: str
    metadata: PageDetails | None = None
    statusCode: int
    loadTime: int = Field(description="ms")


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
    """A search result with its page, or with the reason why there is none."""

    content: str | None = None
    metadata: PageDetails | None = None
    statusCode: int | None = None
    loadTime: int | None = None
    error: ReadFailure | None = None

"""Search queries and results."""

from typing import Literal

from webquarry.models.caller import Caller
from webquarry.models.model import Filled, Model

TimeRange = Literal["hour", "day", "week", "month", "year"]
Safe = Literal["off", "medium", "high"]
ImageSize = Literal["huge", "icon", "large", "medium", "small", "xlarge", "xxlarge"]
ImageType = Literal["clipart", "face", "lineart", "stock", "photo", "animated"]
ColorType = Literal["color", "gray", "mono", "trans"]
DominantColor = Literal[
    "black",
    "blue",
    "brown",
    "gray",
    "green",
    "orange",
    "pink",
    "purple",
    "red",
    "teal",
    "white",
    "yellow",
]
FileType = Literal["jpg", "gif", "png", "bmp", "svg", "webp"]
DEFAULT_SAFE: Safe = "medium"
Units = Literal["metric", "imperial"]


class Query(Model):
    """The common fields of all searches. A filter that is None is not applied."""

    text: str
    count: int = 10
    safe: Safe | None = None
    language: str | None = None  # ISO 639-1, lower case; or zh-hant or pt-br
    country: str | None = None  # ISO 3166-1 alpha-2, lower case
    asker: Caller | None = None  # only for the local index


class WebQuery(Query):
    """A web search."""

    time_range: TimeRange | None = None
    sites: tuple[str, ...] = ()  # a host or host/path each; results come from any of them
    exact_terms: str | None = None
    exclude_terms: str | None = None
    engine: str | None = None  # id of a custom search engine (Google's cx)
    goggle: str | None = None  # URL of a Brave goggle
    page: int = 1  # of `count` results each; only for providers with paging


class NewsQuery(Query):
    """A news search."""

    time_range: TimeRange | None = "week"
    sort_by: Literal["relevance", "date"] = "relevance"
    sites: tuple[str, ...] = ()


class ImageQuery(Query):
    """An image search."""

    size: ImageSize | None = None
    type: ImageType | None = None
    color_type: ColorType | None = None
    dominant_color: DominantColor | None = None
    file_type: FileType | None = None


class PlaceQuery(Model):
    """A search for places, near a point when there is one."""

    text: str
    count: int = 5
    near: str | None = None
    latitude: float | None = None
    longitude: float | None = None
    country: str | None = None
    units: Units | None = None


class WebResult(Model):
    """One link."""

    title: str
    url: str
    snippet: str = ""
    published: str | None = None  # RFC 3339 in UTC


class NewsResult(Model):
    """One article."""

    title: str
    url: str
    source: str = ""  # the publisher, or the host
    publishedAt: str | None = None  # RFC 3339 in UTC
    snippet: str = ""


class ImageResult(Model):
    """One image."""

    title: str
    link: str  # the image itself
    thumbnailLink: Filled[str] = None
    displayLink: str = ""
    contextLink: str | None = None  # the page it is on
    width: int | None = None
    height: int | None = None
    fileSize: Filled[str] = None


class Place(Model):
    """One physical place."""

    id: str  # ephemeral: never stored beyond the result
    name: str
    address: str = ""
    lat: float | None = None
    lon: float | None = None
    phone: str | None = None
    website: str | None = None
    categories: tuple[str, ...] = ()
    rating: float | None = None
    ratingCount: int | None = None
    hours: tuple[str, ...] = ()
    description: str | None = None
    source: str = ""

"""Short output schemas of the search tools: only the names of the fields."""

from typing import Annotated, Any

from pydantic import WithJsonSchema

from webquarry.models.search import ImageResult, NewsResult, Place
from webquarry.models.zero_results import ZeroResultHints


def rows_schema(*names: str) -> WithJsonSchema:
    """Describe a list of objects by their fields, optional ones with a question mark."""
    schema: dict[str, Any] = {"type": "array", "items": {"type": "object"}}
    return WithJsonSchema(schema | {"description": " ".join(names)})


# self-explanatory, and rarely present
Hints = Annotated[ZeroResultHints, WithJsonSchema({"type": "object"})]
UnhonouredFilters = Annotated[list[str], WithJsonSchema({"type": "array"})]
Articles = Annotated[
    list[NewsResult], rows_schema("title", "url", "source", "publishedAt?", "snippet")
]
Images = Annotated[
    list[ImageResult],
    rows_schema(
        "title", "link", "thumbnailLink?", "displayLink", "contextLink?", "width?", "height?",
        "fileSize?",
    ),
]  # fmt: skip
Places = Annotated[
    list[Place],
    rows_schema(
        "id", "name", "address", "lat?", "lon?", "phone?", "website?", "categories", "rating?",
        "ratingCount?", "hours", "description?", "source",
    ),
]  # fmt: skip

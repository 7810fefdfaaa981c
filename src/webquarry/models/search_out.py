"""How the results of search tools are listed: by the names of their fields, which say enough."""

from typing import Annotated, Any

from pydantic import WithJsonSchema

from webquarry.models.search import ImageResult, NewsResult, Place
from webquarry.models.zero_results import ZeroResultHints


def rows(*names: str) -> WithJsonSchema:
    """List objects by their fields, the optional ones with a question mark."""
    schema: dict[str, Any] = {"type": "array", "items": {"type": "object"}}
    return WithJsonSchema(schema | {"description": " ".join(names)})


# these two explain themselves when they come, which is rarely
Hints = Annotated[ZeroResultHints, WithJsonSchema({"type": "object"})]
Missed = Annotated[list[str], WithJsonSchema({"type": "array"})]
Articles = Annotated[list[NewsResult], rows("title", "url", "source", "publishedAt?", "snippet")]
Images = Annotated[
    list[ImageResult],
    rows("title", "link", "thumbnailLink?", "displayLink", "contextLink?", "width?", "height?",
         "fileSize?"),
]  # fmt: skip
Places = Annotated[
    list[Place],
    rows("id", "name", "address", "lat?", "lon?", "phone?", "website?", "categories", "rating?",
         "ratingCount?", "hours", "description?", "source"),
]  # fmt: skip

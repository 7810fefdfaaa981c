"""The formats that the content of a page can be returned in."""

from typing import Any, Literal

Format = Literal[
    "markdown", "html", "rawHtml", "text", "links", "images", "json", "summary", "screenshot"
]
# text; URLs; data, a screenshot or {"error": …}
FormatContent = str | tuple[str, ...] | dict[str, Any]
ImageType = Literal["png", "webp"]
Device = Literal["desktop", "wide", "tablet", "phone"]  # a window and its pixels

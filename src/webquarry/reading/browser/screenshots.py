"""Screenshots of pages in the browser: what is visible at first, or the entire page."""

import base64
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from webquarry.models.page_formats import ImageType
from webquarry.net.client.response import FetchedResponse
from webquarry.reading.browser.isolated_world import IsolatedWorld

if TYPE_CHECKING:
    from playwright.async_api import Page

_MAX_PIXELS = 16_000  # in width and height: Chromium draws 16,384, WebP has 16,383
_MAX_BYTES = 20 * 2**20
_WEBP_QUALITY = 85
_IMAGE_SECONDS = 8.0  # for images of the page


@dataclass(frozen=True, kw_only=True)
class ScreenshotOptions:
    """What a screenshot shows, and its file format."""

    full_page: bool = False  # False: what fits into the window
    image_type: ImageType = "png"


@dataclass(frozen=True, kw_only=True)
class Screenshot:
    """An image of a page."""

    content: bytes
    image_type: ImageType
    width: int
    height: int
    truncated: bool = False  # the page is longer than the image, although it was to be complete

    @property
    def media_type(self) -> str:
        """The media type of the image."""
        return f"image/{self.image_type}"


@dataclass(frozen=True, kw_only=True)
class RenderedResponse(FetchedResponse):
    """A page after its scripts have run."""

    screenshot: Screenshot | None = None


async def take_screenshot(
    page: "Page", options: ScreenshotOptions, seconds: float = _IMAGE_SECONDS
) -> Screenshot:
    """Return an image of the page as it is now; of a page that is too long, its first part.

    Images of the page are waited for, up to `seconds`.
    """
    world = await IsolatedWorld.of(page)
    wait = {"scroll": options.full_page, "milliseconds": min(seconds, _IMAGE_SECONDS) * 1000}
    await world.call(_show_images(), wait)
    metrics = await world.session.send("Page.getLayoutMetrics")
    view, whole = metrics["cssVisualViewport"], metrics["cssContentSize"]
    window = (int(view["clientWidth"]), int(view["clientHeight"]))
    if not options.full_page:
        return await _capture(world.session, options, window)
    size = (max(window[0], int(whole["width"])), max(window[1], int(whole["height"])))
    fitting = (min(size[0], _MAX_PIXELS), min(size[1], _MAX_PIXELS))
    image = await _capture(world.session, options, fitting)
    if len(image.content) > _MAX_BYTES:
        image = await _capture(world.session, options, window)
        return replace(image, truncated=True)
    return replace(image, truncated=fitting != size)


async def _capture(session: Any, options: ScreenshotOptions, size: tuple[int, int]) -> Screenshot:
    width, height = size
    arguments: dict[str, Any] = {
        "format": options.image_type,
        "clip": {"x": 0, "y": 0, "width": width, "height": height, "scale": 1},
        "captureBeyondViewport": options.full_page,
    }
    if options.image_type == "webp":
        arguments["quality"] = _WEBP_QUALITY
    reply = await session.send("Page.captureScreenshot", arguments)
    content = base64.b64decode(reply["data"])
    return Screenshot(content=content, image_type=options.image_type, width=width, height=height)


@cache
def _show_images() -> str:
    """Return the script that loads the images of a page, and resolves when they are shown."""
    return files("webquarry.reading.browser").joinpath("show_images.js").read_text("utf-8")

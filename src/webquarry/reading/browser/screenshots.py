"""Screenshots of pages in the browser: the window, one element, or the entire page."""

import asyncio
import base64
import io
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from webquarry.errors import BrowserError
from webquarry.models.page_formats import ImageType
from webquarry.models.page_steps import StepTarget
from webquarry.reading.browser.isolated_world import IsolatedWorld
from webquarry.reading.browser.page_scripts import page_script
from webquarry.reading.browser.png_slices import joined_png, png_size
from webquarry.reading.browser.steps.targets import StepError, find

if TYPE_CHECKING:
    from playwright.async_api import Page

_MAX_PIXELS = 16_000  # in width and height: Chromium draws 16,384, WebP has 16,383
_SLICE_PIXELS = 8_000  # of a page that is longer
_WHOLE = 8  # so many CSS pixels are whole ones of every device
_MAX_JOINED_PIXELS = 100_000
_MAX_BYTES = 20 * 2**20
_WEBP_QUALITY = 85
_IMAGE_SECONDS = 8.0  # for images of the page
_ELEMENT_SECONDS = 5.0


@dataclass(frozen=True, kw_only=True)
class ScreenshotOptions:
    """What a screenshot shows, and its file format."""

    full_page: bool = False  # False: what fits into the window
    image_type: ImageType = "png"
    element: StepTarget | None = None  # only this one


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


@dataclass(frozen=True)
class _Area:
    """A part of a page in CSS pixels; `scale` is the number of pixels of the image for one."""

    x: float
    y: float
    width: float
    height: float
    scale: float


async def take_screenshot(
    page: "Page", options: ScreenshotOptions, seconds: float = _IMAGE_SECONDS
) -> Screenshot:
    """Return an image of the page as it is now; of a page that is too long, its first part.

    Images of the page are waited for, up to `seconds`. `BrowserError` if there is no such element.
    """
    world = await IsolatedWorld.of(page)
    scrolls = options.full_page or options.element is not None  # images that load when seen
    wait = {"scroll": scrolls, "milliseconds": min(seconds, _IMAGE_SECONDS) * 1000}
    await world.call(page_script("show_images"), wait)
    metrics = await world.session.send("Page.getLayoutMetrics")
    view, whole = metrics["cssVisualViewport"], metrics["cssContentSize"]
    # the protocol draws one pixel for one of CSS, whatever the device has
    scale = float(await world.call("() => devicePixelRatio", None)) * view["scale"]
    if options.element:
        area = await _element_area(page, options.element, scale)
        return await _capture(world.session, options, area, beyond=True)
    window = _Area(0, 0, int(view["clientWidth"]), int(view["clientHeight"]), scale)
    if not options.full_page:
        return await _capture(world.session, options, window)
    size = _Area(0, 0, max(window.width, int(whole["width"])),
                 max(window.height, int(whole["height"])), scale)  # fmt: skip
    image = await _entire_page(world.session, options, size)
    if len(image.content) > _MAX_BYTES:
        image = await _capture(world.session, options, window)
        return replace(image, truncated=True)
    return image


async def _entire_page(session: Any, options: ScreenshotOptions, size: _Area) -> Screenshot:
    """Return the page in one image; a long one is drawn in slices, if its format allows it."""
    scale = size.scale
    width, longest = min(size.width, _MAX_PIXELS / scale), _MAX_PIXELS / scale
    is_cut = width < size.width
    if size.height <= longest or options.image_type != "png":
        area = _Area(0, 0, width, min(size.height, longest), scale)
        image = await _capture(session, options, area, beyond=True)
        return replace(image, truncated=is_cut or area.height < size.height)
    height = min(size.height, _MAX_JOINED_PIXELS / scale)
    step = int(_SLICE_PIXELS / scale) // _WHOLE * _WHOLE
    slices: list[bytes] = []
    for top in range(0, int(height), step):
        area = _Area(0, top, width, min(step, height - top), scale)
        slices.append((await _capture(session, options, area, beyond=True)).content)
    content = await asyncio.to_thread(joined_png, slices)
    width_in_pixels, height_in_pixels = png_size(content)
    return Screenshot(
        content=content,
        image_type="png",
        width=width_in_pixels,
        height=height_in_pixels,
        truncated=is_cut or height < size.height,
    )


async def _element_area(page: "Page", target: StepTarget, scale: float) -> _Area:
    """Return where an element is on the page."""
    ends = asyncio.get_running_loop().time() + _ELEMENT_SECONDS
    try:
        found = await find(page, target, lambda: ends - asyncio.get_running_loop().time())
    except StepError as error:
        raise BrowserError(str(error)) from error
    box = await found.locator.bounding_box()
    if box is None or box["width"] < 1 or box["height"] < 1:
        raise BrowserError(f"{target.describe()} has no size")
    scrolled: list[float] = await page.evaluate("() => [scrollX, scrollY]")
    height = min(box["height"], _SLICE_PIXELS / scale)
    return _Area(box["x"] + scrolled[0], box["y"] + scrolled[1], box["width"], height, scale)


async def _capture(
    session: Any, options: ScreenshotOptions, area: _Area, *, beyond: bool = False
) -> Screenshot:
    """Return one part of the page; `beyond` what the window shows."""
    arguments: dict[str, Any] = {
        "format": options.image_type,
        "clip": {
            "x": area.x, "y": area.y, "width": area.width, "height": area.height,
            "scale": area.scale,
        },
        "captureBeyondViewport": beyond,
    }  # fmt: skip
    if options.image_type == "webp":
        arguments["quality"] = _WEBP_QUALITY
    reply = await session.send("Page.captureScreenshot", arguments)
    content = base64.b64decode(reply["data"])
    width, height = _pixels(content)
    return Screenshot(content=content, image_type=options.image_type, width=width, height=height)


def _pixels(content: bytes) -> tuple[int, int]:
    """Return the size of an image: a device may have several pixels for one of CSS."""
    # imported here: most pages have no screenshot
    from PIL import Image

    with Image.open(io.BytesIO(content)) as image:
        return image.size

"""Screenshots, of pages that a real browser shows."""

import io
from typing import Any

import pytest
from PIL import Image

from tests.crawl.site import Reply, running_site
from tests.reading.chromium import needs_chromium, open_browser
from webquarry.models.page_formats import Device
from webquarry.models.page_steps import StepTarget
from webquarry.reading.browser.chromium import BrowserOptions
from webquarry.reading.browser.context_options import ContextOptions
from webquarry.reading.browser.screenshots import Screenshot, ScreenshotOptions

pytestmark = [pytest.mark.anyio, needs_chromium]

_RED, _BLUE = (255, 0, 0), (0, 0, 255)


def _red_image() -> bytes:
    target = io.BytesIO()
    Image.new("RGB", (200, 100), _RED).save(target, "png")
    return target.getvalue()


def site(path: str, headers: dict[str, str]) -> Reply:
    """Serve a page of 3000 pixels with an image at its top and one at its end."""
    if path.startswith("/image"):
        return Reply(_red_image(), headers=(("content-type", "image/png"),))
    if path == "/file.pdf":
        return Reply(b"%PDF-1.4 x", headers=(("content-type", "application/pdf"),))
    if path == "/colours":
        return Reply(
            b"<!doctype html><style>html{background:#fff}@media (prefers-color-scheme:dark)"
            b"{html{background:#000}}</style><p style='margin-top:99px'>Owls hunt at night."
        )
    height = 40_000 if path == "/endless" else 2_800
    end = "<div style='height:100px;background:red'></div>" if path == "/endless" else ""
    return Reply(
        f"""<!doctype html><meta name=viewport content='width=device-width'>
        <body style='margin:0;background:rgb(0,0,255)'>
        <img src=/image1 style='display:block'><div style='height:{height}px'></div>
        <img src=/image2 loading=lazy width=200 height=100 style='display:block'>{end}""".encode()
    )


async def _shot(
    path: str, *, device: Device = "desktop", dark: bool = False, **options: Any
) -> Screenshot:
    with running_site(site) as running:
        async with open_browser(BrowserOptions(no_sandbox="true")) as (_, tier):
            shown = ScreenshotOptions(**options)
            chosen = ContextOptions(screenshot=shown, device=device, dark=dark)
            rendered = await tier.render(f"{running.url}{path}", 30, chosen)
    assert rendered.screenshot is not None
    return rendered.screenshot


def _pixel(image: Screenshot, x: int, y: int) -> object:
    return Image.open(io.BytesIO(image.content)).convert("RGB").getpixel((x, y))


async def test_a_screenshot_shows_the_window_with_its_images() -> None:
    image = await _shot("/")

    opened = Image.open(io.BytesIO(image.content))
    assert (opened.format, opened.size) == ("PNG", (1366, 768))
    assert (image.width, image.height, image.truncated) == (1366, 768, False)
    assert (_pixel(image, 100, 50), _pixel(image, 100, 700)) == (_RED, _BLUE)


async def test_the_entire_page_includes_images_that_load_late() -> None:
    image = await _shot("/", full_page=True)

    assert (image.width, image.height, image.truncated) == (1366, 3000, False)
    assert Image.open(io.BytesIO(image.content)).size == (1366, 3000)
    assert (_pixel(image, 100, 50), _pixel(image, 100, 2950)) == (_RED, _RED)


async def test_a_page_that_is_too_long_is_cut_and_marked() -> None:
    image = await _shot("/endless", full_page=True, image_type="webp")

    assert (image.media_type, image.height, image.truncated) == ("image/webp", 16_000, True)
    assert Image.open(io.BytesIO(image.content)).format == "WEBP"


async def test_a_long_page_is_drawn_in_slices_and_joined() -> None:
    image = await _shot("/endless", full_page=True)

    height = 40_300  # the images and the end are 100 pixels high each
    assert (image.width, image.height, image.truncated) == (1366, height, False)
    rows = (50, 7_999, 8_000, 16_001, 39_000, 40_250)
    assert [_pixel(image, 100, y) for y in rows] == [_RED, *[_BLUE] * 4, _RED]


async def test_a_phone_has_several_pixels_for_one_of_css() -> None:
    window = await _shot("/", device="phone")
    whole = await _shot("/", full_page=True, device="phone")

    assert (window.width, window.height) == (1082, 2402)
    assert (whole.width, whole.height, whole.truncated) == (1082, 7_875, False)
    assert [_pixel(whole, 100, y) for y in (130, 3_000, 7_700)] == [_RED, _BLUE, _RED]


async def test_one_element_is_shown_alone() -> None:
    image = await _shot("/", element=StepTarget(selector="img", index=1))

    assert (image.width, image.height) == (200, 100)
    assert _pixel(image, 100, 50) == _RED


async def test_a_page_is_shown_in_dark_colours() -> None:
    light, dark = await _shot("/colours"), await _shot("/colours", dark=True)

    assert (_pixel(light, 9, 9), _pixel(dark, 9, 9)) == ((255, 255, 255), (0, 0, 0))


async def test_a_document_is_told_from_a_page_and_has_no_screenshot() -> None:
    with running_site(site) as running:
        async with open_browser(BrowserOptions(no_sandbox="true")) as (_, tier):
            chosen = ContextOptions(screenshot=ScreenshotOptions())
            rendered = await tier.render(f"{running.url}/file.pdf", 30, chosen)

    assert rendered.headers.media_type == "application/pdf"
    assert (rendered.content, rendered.screenshot) == (b"", None)

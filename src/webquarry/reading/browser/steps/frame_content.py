"""The content of frames in which a step was done: it belongs to the page that is read."""

from collections.abc import Collection
from typing import TYPE_CHECKING

from webquarry.reading.browser.page_scripts import page_script
from webquarry.reading.browser.playwright_errors import playwright_errors

if TYPE_CHECKING:
    from playwright.async_api import Frame

_BODY = "</body>"


async def with_frames(html: str, frames: "Collection[Frame]", max_chars: int) -> str:
    """Return the HTML of a page with the content of the frames at its end."""
    parts = [await _content(frame, max_chars) for frame in frames]
    if not any(parts):
        return html
    before, body, after = html.rpartition(_BODY)
    return f"{before}{''.join(parts)}{body}{after}" if body else html + "".join(parts)


async def _content(frame: "Frame", max_chars: int) -> str:
    try:
        script = f"max => ({page_script('copy_document')})(document.body, max, true)"
        return str(await frame.evaluate(script, max_chars))
    except playwright_errors():  # a step has removed the frame
        return ""

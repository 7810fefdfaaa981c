"""Screenshots of single pages: stored for their owner, and shown to models if they are small."""

import base64
from contextlib import nullcontext
from dataclasses import dataclass, replace
from typing import Any

from webquarry.crawl.visit import PageRenderer
from webquarry.crawl.visit_options import VisitOptions
from webquarry.errors import BrowserError
from webquarry.models.caller import Caller
from webquarry.models.page_formats import Device
from webquarry.models.page_steps import PageStep
from webquarry.models.result import ImageBlock
from webquarry.net.url import parse
from webquarry.observe.active_recorder import capturing_with
from webquarry.reading.browser.screenshots import Screenshot, ScreenshotOptions
from webquarry.reading.documents.document_errors import DocumentError
from webquarry.reading.read_port import ChecksRobots
from webquarry.reading.signed_in.page_access import PageAccess
from webquarry.storage.artifacts import Artifacts

_MAX_SHOWN_BYTES = 2**20
_MAX_SHOWN_PIXELS = 8_000  # in width and height: models accept no larger images


@dataclass(frozen=True, kw_only=True)
class PageScreenshots:
    """Takes screenshots in the browser."""

    renderer: PageRenderer
    artifacts: Artifacts
    robots: ChecksRobots | None = None
    seconds: float = 40.0

    async def take(
        self,
        url: str,
        options: ScreenshotOptions,
        *,
        device: Device = "desktop",
        dark: bool = False,
        steps: tuple[PageStep, ...] = (),
        access: PageAccess | None = None,
    ) -> Screenshot:
        """Return a screenshot; a `WebquarryError` says why there is none.

        With `access`, it shows the page as its caller sees it.
        """
        target = parse(url)
        if self.robots:
            await self.robots.check(target)
        visit = VisitOptions(screenshot=options, device=device, dark=dark, steps=steps)
        if access:
            visit = replace(visit, page=access.own, storage_state=access.storage_state)
        with capturing_with(None) if access else nullcontext():
            rendered = await self.renderer.render(target.href, self.seconds, visit)
        if rendered.steps.failed:
            raise BrowserError(f"No screenshot of {url}: {rendered.steps.failure}.")
        if rendered.screenshot:
            return rendered.screenshot
        if rendered.content:
            reason = rendered.screenshot_problem or "the browser could not take it"
            raise BrowserError(f"No screenshot of {url}: {reason}.")
        raise DocumentError(
            f"{url} is a file ({rendered.headers.media_type}): it has no screenshot"
        )

    async def store(self, image: Screenshot, caller: Caller) -> dict[str, Any]:
        """Store an image for its owner; return what is known of it and where it is."""
        artifact = await self.artifacts.put(
            image.content, mime=image.media_type, tenant=caller.tenant, owner=caller.user
        )
        return {
            "mimeType": image.media_type,
            "width": image.width,
            "height": image.height,
            "bytes": len(image.content),
            **({"truncated": True} if image.truncated else {}),
            "url": f"/v1/artifacts/{artifact.id}",
            "resource": artifact.uri,
        }


def image_block(image: Screenshot) -> ImageBlock | None:
    """Return an image as a model sees it; None if it is too large for that."""
    if len(image.content) > _MAX_SHOWN_BYTES or max(image.width, image.height) > _MAX_SHOWN_PIXELS:
        return None
    return ImageBlock(data=base64.b64encode(image.content).decode(), mimeType=image.media_type)

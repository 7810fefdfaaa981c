"""What is stored about a page of a crawl besides its body."""

import json
from typing import Any

from pydantic_core import to_json

from webquarry.content.html.quick_parse import QuickParse
from webquarry.crawl.store.crawl_values import SCREENSHOT, ClaimedUrl
from webquarry.crawl.visit_results import VisitedPage
from webquarry.reading.browser.screenshots import Screenshot


def page_meta(claim: ClaimedUrl, visited: VisitedPage, parsed: QuickParse) -> dict[str, Any]:
    """Return what is stored about a page besides its body."""
    return {
        "url": claim.url,
        "final_url": visited.url.href,
        "status": visited.status,
        "title": parsed.title[:1000],
        "depth": claim.depth,
        "type": visited.content_type,
        "encoding": visited.encoding,
        "links": len(parsed.links),
        "bytes": visited.size or len(visited.content),
        **({"document": visited.document} if visited.document else {}),
        **({"screenshot": _screenshot_meta(visited.screenshot)} if visited.screenshot else {}),
        **({"step_failed": visited.step_failed} if visited.step_failed else {}),
        **({"screenshot_over_limit": True} if visited.screenshot_over_limit else {}),
    }


def page_files(visited: VisitedPage) -> tuple[tuple[str, bytes], ...]:
    """Return what is stored of a page besides its body, by name."""
    image = visited.screenshot
    return ((SCREENSHOT, image.content),) if image else ()


def _screenshot_meta(image: Screenshot) -> dict[str, Any]:
    return {
        "type": image.media_type,
        "width": image.width,
        "height": image.height,
        "bytes": len(image.content),
        "truncated": image.truncated,
    }


def encode_meta(meta: dict[str, Any]) -> bytes:
    """Return what is stored about a page as JSON."""
    try:
        return to_json(meta)
    except ValueError:  # lone surrogates cannot be encoded as UTF-8
        return json.dumps(meta).encode()

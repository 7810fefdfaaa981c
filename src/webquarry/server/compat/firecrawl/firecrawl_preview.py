"""`POST /crawl/params-preview`: what a prompt means for a crawl."""

from typing import Annotated

from pydantic import Field
from starlette.requests import Request
from starlette.responses import Response

from webquarry.models.cinder import Link
from webquarry.models.model import Model
from webquarry.server.compat.firecrawl.crawl_prompt import crawl_hints
from webquarry.server.compat.firecrawl.firecrawl_errors import parsed
from webquarry.server.compat.firecrawl.firecrawl_options import target_url
from webquarry.server.compat.vendor_context import Handle, VendorContext
from webquarry.server.problem_details import SafeJson

_WARNING = "Only numbers, paths and a few words of the prompt are understood."


class FirecrawlPreview(Model):
    """The body of a preview."""

    url: Link
    prompt: Annotated[str, Field(min_length=1, max_length=10_000)]
    origin: str | None = None


def preview_handler(context: VendorContext) -> Handle:
    """Return the handler of a preview."""

    async def preview(request: Request) -> Response:
        context.identify(request)
        options: FirecrawlPreview = parsed(FirecrawlPreview, await context.body(request))
        data = {"url": target_url(options.url), **crawl_hints(options.prompt)}
        return SafeJson({"success": True, "data": data, "warning": _WARNING})

    return context.handler(preview)

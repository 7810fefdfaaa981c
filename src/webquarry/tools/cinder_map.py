"""The `cinder_map` tool: the URLs of a site, without reading them."""

from typing import Annotated

from pydantic import Field

from webquarry.calls.paging import Cursor
from webquarry.calls.tool import Call, ToolOptions, tool
from webquarry.models.cinder import Link
from webquarry.models.cinder_crawl_status import CinderSiteMap, MapRow
from webquarry.models.model import Model
from webquarry.models.short_schemas import ShortSchema, field_names_schema


class CinderMapIn(Model):
    """Arguments of `cinder_map`."""

    url: Link = Field(description="Of a site.")
    limit: Annotated[int, Field(ge=1, le=5000), ShortSchema(type="integer")] = Field(
        default=200, description="At most."
    )
    search: Annotated[str, Field(max_length=200), ShortSchema(type="string")] | None = Field(
        default=None, description="Words in them."
    )
    cursor: Cursor = None


class CinderMapOut(CinderSiteMap):
    """Result of `cinder_map`."""


_SCHEMA = field_names_schema(CinderMapOut, urls="url title? lastModified?")


@tool("crawl", ToolOptions(output_schema=_SCHEMA))
async def cinder_map(args: CinderMapIn, call: Call) -> CinderMapOut:
    """List a site's URLs without reading them."""
    crawling = call.services.crawling
    urls = await crawling.map(args.url, call.caller, limit=args.limit + 1, search=args.search or "")
    rows = tuple(
        MapRow(url=one.url, title=one.title, lastModified=one.last_modified)
        for one in urls[: args.limit]
    )
    return CinderMapOut(url=args.url, urls=rows, hasMore=len(urls) > args.limit)

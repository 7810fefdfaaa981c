"""The `image_search` tool: images and the pages they are on."""

from pydantic import Field

from webquarry.calls.paging import Budgeted, Paged
from webquarry.calls.search_meta import asked_for, report_search, search_meta
from webquarry.calls.tool import CacheRule, Call, ToolOptions, tool
from webquarry.calls.tool_schema import names_schema
from webquarry.models.model import Filled
from webquarry.models.search import (
    DEFAULT_SAFE,
    ColorType,
    DominantColor,
    FileType,
    ImageQuery,
    ImageSize,
    ImageType,
    Safe,
)
from webquarry.models.search_args import Country, Language, QueryText, clamped
from webquarry.models.search_out import Hints, Images, UnhonouredFilters
from webquarry.models.zero_results import TRUST, zero_result_hints
from webquarry.services.provider_queries import RoutingTrace

_MAX_RESULTS, _DEFAULT_RESULTS = 200, 5
_FILTERS = ("size", "type", "color_type", "dominant_color", "file_type", "country", "language")


class ImageSearchIn(Budgeted):
    """Arguments of `image_search`."""

    query: QueryText = Field(description="What to look for.")
    num_results: int = Field(default=_DEFAULT_RESULTS, description="1-200.")
    size: ImageSize | None = Field(default=None, description="Rough size.")
    type: ImageType | None = Field(default=None, description="Kind of picture.")
    color_type: ColorType | None = Field(default=None, description="Colours.")
    dominant_color: DominantColor | None = Field(default=None, description="Main colour.")
    file_type: FileType | None = Field(default=None, description="Format.")
    safe: Safe | None = Field(default=None, description="SafeSearch; default medium.")
    country: Country | None = Field(default=None, description="ISO 3166-1.")
    language: Language | None = Field(default=None, description="ISO 639-1.")
    provider: str | None = Field(default=None, description="Use only this one.")


class ImageSearchOut(Paged):
    """Result of `image_search`."""

    images: Images
    query: str
    resultCount: int
    hints: Hints | None = None
    unhonoured: Filled[UnhonouredFilters] = None
    trust: str


@tool(
    "web",
    ToolOptions(
        cache=CacheRule(seconds=1800, cacheable=lambda body: bool(body["images"])),
        cuttable=("images",),
        output_schema=names_schema("images", "hints", "unhonoured", "nextCursor"),
        after_call=search_meta(max_results=_MAX_RESULTS, routed="images"),
    ),
)
async def image_search(args: ImageSearchIn, call: Call) -> ImageSearchOut:
    """Find images, with the page each is on."""
    searching = call.services.searching
    filters = args.model_dump(exclude={"query", "num_results", "provider", "max_tokens", "cursor"})
    count = clamped(args.num_results, _MAX_RESULTS, _DEFAULT_RESULTS)
    filters["safe"] = args.safe or DEFAULT_SAFE
    query = ImageQuery(text=args.query, count=count, **filters)
    trace = RoutingTrace()
    found = await searching.images.search(query, only=args.provider, trace=trace)
    routed = searching.images.is_routed and not args.provider
    report_search(call, found, trace if routed else None)
    hints = None
    if not found.items:
        applied = [n for n in _FILTERS if getattr(args, n) and n not in found.unhonoured]
        hints = zero_result_hints(applied, list(searching.images.alternatives(*trace.attempted)))
    return ImageSearchOut(
        images=found.items,
        query=args.query,
        resultCount=len(found.items),
        hints=hints,
        unhonoured=asked_for(found.unhonoured, args),
        trust=TRUST,
    )

"""The `cinder_scrape` tool: one page in the formats and by the means the caller chooses."""

import asyncio
import time
from typing import Annotated, Any, get_args

from pydantic import Field

from webquarry.calls.page_text import page_text
from webquarry.calls.paging import DEFAULT_TOKENS, Budgeted, Paged
from webquarry.calls.result_cache import freshness
from webquarry.calls.result_text import result_text
from webquarry.calls.tool import Call, ToolOptions, tool
from webquarry.calls.tool_schema import Json
from webquarry.content.text.token_count import BYTES_PER_TOKEN, json_size
from webquarry.errors import BadInputError, WebquarryError
from webquarry.models.cinder import CinderPage, Link, ReturnFormat, ScrapeMode
from webquarry.models.job_arguments import FORMAT_NAMES, Formats
from webquarry.models.page_formats import Device, Format, ImageType
from webquarry.models.page_length import MAX_LENGTH
from webquarry.models.page_options import (
    COOKIES_HELP,
    HEADERS_HELP,
    CookieFields,
    HeaderFields,
    PageOptions,
)
from webquarry.models.page_steps import (
    STEPS_HELP,
    PageStep,
    PageSteps,
    StepOutcome,
    StepTarget,
)
from webquarry.models.result import Result
from webquarry.models.short_schemas import FullSchemaOnly, JsonSchemaArgument, field_names_schema
from webquarry.reading.browser.screenshots import Screenshot, ScreenshotOptions
from webquarry.reading.page_cache import PAGE_SECONDS
from webquarry.reading.page_output import reading_meta
from webquarry.reading.service import ReadResult
from webquarry.reading.signed_in.page_access import PageAccess
from webquarry.services.cinder.cinder_formats import FormatRequest, PageFormats
from webquarry.services.cinder.cinder_pages import cinder_page, milliseconds_since, read_mode_of
from webquarry.services.cinder.cinder_screenshots import image_block
from webquarry.services.step_reading import SteppedPage, StepRequest


class CinderScrapeIn(Budgeted):
    """Arguments of `cinder_scrape`."""

    url: Annotated[Link, Field(description="http(s).")]
    mode: ScrapeMode = Field(
        default="smart",
        description="static: fast; dynamic: runs JavaScript.",
    )
    includeMetadata: bool = Field(default=True, description="Author, images …")
    returnFormat: ReturnFormat = Field(default="markdown", description="json: structured.")
    formats: Formats = Field(default=None, description=f"Or: {FORMAT_NAMES}")
    schema_: Annotated[JsonSchemaArgument | None, FullSchemaOnly()] = Field(
        default=None, alias="schema", description="JSON Schema of the format json."
    )
    fullPage: bool = Field(default=False, description="In the screenshot.")
    imageType: Annotated[ImageType, FullSchemaOnly()] = Field(
        default="png", description="File format of the screenshot."
    )
    fresh: bool = Field(default=False, description="No cache.")
    steps: PageSteps | None = Field(default=None, description=STEPS_HELP)
    headers: Annotated[HeaderFields | None, FullSchemaOnly()] = Field(
        default=None, description=HEADERS_HELP
    )
    cookies: Annotated[CookieFields | None, FullSchemaOnly()] = Field(
        default=None, description=COOKIES_HELP
    )
    element: Annotated[StepTarget | None, FullSchemaOnly()] = Field(
        default=None, description="What the screenshot shows, instead of the window."
    )
    device: Annotated[Device, FullSchemaOnly()] = Field(
        default="desktop", description="Window of the screenshot, and of the page with steps."
    )
    dark: Annotated[bool, FullSchemaOnly()] = Field(
        default=False, description="In dark colours, if the page has them."
    )

    @property
    def returned(self) -> ReturnFormat | None:
        """The format of `content`; with `formats`, only one that was asked for itself."""
        asked = self.formats is None or "returnFormat" in self.model_fields_set
        return self.returnFormat if asked else None


class CinderScrapeOut(CinderPage, Paged):
    """Result of `cinder_scrape`."""

    steps: tuple[StepOutcome, ...] | None = None
    partial: bool | None = None  # a step failed
    notes: tuple[str, ...] | None = None


_FIELDS: dict[Format, str] = {"json": "json_"}  # where a field has another name
_FORMAT_FIELDS: list[str] = ["json_" if name == "json" else name for name in get_args(Format)]
_SCHEMA = field_names_schema(
    CinderScrapeOut,
    unnamed=[*_FORMAT_FIELDS, "steps", "partial", "notes"],
    metadata="description keywords images author publishDate structuredData",
    loadTime="ms",
)


_FORMATS = ("markdown", "html", "rawHtml", "text", "links", "images")


def _text(body: Json) -> str:
    """Return the content of a page, then its other formats."""
    others = result_text({name: body[name] for name in _FORMATS if body.get(name)})
    return "\n\n".join(filter(None, (page_text(body), others)))


@tool(
    "cinder",
    ToolOptions(
        cuttable=("content", *_FORMATS),
        default_tokens=DEFAULT_TOKENS,
        text=_text,
        output_schema=_SCHEMA,
    ),
)
async def cinder_scrape(
    args: CinderScrapeIn, call: Call
) -> CinderScrapeOut | tuple[CinderScrapeOut, Result]:
    """Get the full content of a known URL."""
    started = time.perf_counter()
    formats = tuple(dict.fromkeys(args.formats or ()))
    services = call.services
    services.page_derivation.check(formats, args.schema_)
    page_read = await _read_page(args, call)
    result, taken = page_read.result, page_read.screenshot
    page = cinder_page(
        args.url,
        result,
        args.returned,
        milliseconds_since(started),
        details=args.includeMetadata,
    )
    request = FormatRequest(formats=formats, schema=args.schema_)
    contents = PageFormats(services.parsers, services.page_derivation)
    made = await contents.contents(result, request, call.caller)
    update: dict[str, Any] = {_FIELDS.get(name, name): value for name, value in made.items()}
    if taken:
        update["screenshot"] = await services.screenshots.store(taken, call.caller)
    page = page.model_copy(update=update)
    page = _within_budget(page, args.max_tokens or DEFAULT_TOKENS, call)
    out = CinderScrapeOut.model_construct(**dict(page), **_step_report(page_read))
    block = image_block(taken) if taken else None
    blocks = (*((block,) if block else ()), *page_read.images)
    return (out, Result(content=blocks)) if blocks else out


async def _read_page(args: CinderScrapeIn, call: Call) -> SteppedPage:
    """Read the page after its steps; without steps, take its screenshot at the same time."""
    own = PageOptions(headers=args.headers or {}, cookies=args.cookies or {})
    access = await call.services.signed_in.access(args.url, call.caller, own)
    call.is_personal = access is not None
    if args.steps:
        return await _read_with_steps(args, args.steps, access, call)
    image = asyncio.ensure_future(_screenshot(args, access, call))
    try:
        result = await _read(args, access, call)
        return SteppedPage(result=result, screenshot=await image)
    finally:
        image.cancel()


async def _read_with_steps(
    args: CinderScrapeIn, steps: tuple[PageStep, ...], access: PageAccess | None, call: Call
) -> SteppedPage:
    if args.mode == "static":
        raise BadInputError("steps: mode static is without a browser; use smart or dynamic")
    formats = args.formats or ()
    mode = read_mode_of(args.mode, args.returned, formats)
    request = StepRequest(
        steps=steps,
        keep_html=mode.keep_html,
        keep_source=mode.keep_source,
        screenshot=_screenshot_options(args) if "screenshot" in formats else None,
        device=args.device,
        dark=args.dark,
        access=access,
    )
    stepped = await call.services.page_steps.read(args.url, request, MAX_LENGTH, call.caller)
    if request.screenshot and stepped.screenshot is None:
        _omit(call, "screenshot", "the browser could not take it")
    if stepped.result.reading:
        call.meta.update(reading_meta(stepped.result.reading))
    return stepped


def _step_report(page: SteppedPage) -> dict[str, Any]:
    """Return what became of the steps, as fields of the result."""
    if not page.outcomes:
        return {}
    reading = page.result.reading
    return {
        "steps": page.outcomes,
        "notes": (reading.notes if reading else ()) or None,
        "partial": True if reading and not reading.complete else None,
    }


async def _read(args: CinderScrapeIn, access: PageAccess | None, call: Call) -> ReadResult:
    mode = read_mode_of(args.mode, args.returned, args.formats or ())
    mode = mode.model_copy(update={"fresh": args.fresh})
    services = call.services
    if access:
        result = await services.signed_in.scrape(access, "full", MAX_LENGTH, mode)
    else:
        result = await services.reading.scrape(
            args.url, "full", MAX_LENGTH, call.caller, read_mode=mode
        )
    if result.age is not None:
        call.meta.update(freshness(result.age, PAGE_SECONDS, cached=True))
    if result.reading:
        call.meta.update(reading_meta(result.reading))
    return result


async def _screenshot(
    args: CinderScrapeIn, access: PageAccess | None, call: Call
) -> Screenshot | None:
    """Return a screenshot; if there is none, say why beside the other formats."""
    if "screenshot" not in (args.formats or ()):
        return None
    try:
        return await call.services.screenshots.take(
            args.url,
            _screenshot_options(args),
            device=args.device,
            dark=args.dark,
            access=access,
        )
    except WebquarryError as error:
        if args.formats == ("screenshot",):
            raise
        _omit(call, "screenshot", str(error))
        return None


def _screenshot_options(args: CinderScrapeIn) -> ScreenshotOptions:
    return ScreenshotOptions(
        full_page=args.fullPage, image_type=args.imageType, element=args.element
    )


def _within_budget(page: CinderPage, max_tokens: int, call: Call) -> CinderPage:
    """Return the page without data that would leave no room for its content."""
    room = max_tokens * BYTES_PER_TOKEN // 2
    update: dict[str, Any] = {}
    details = page.metadata
    if details and json_size(details.model_dump(mode="json")) > room:
        size = json_size(details.structuredData)
        hint = "ask with a larger max_tokens, or with returnFormat json"
        _omit(call, "metadata.structuredData", f"{size} bytes; {hint}")
        update["metadata"] = details.model_copy(update={"structuredData": None})
    if page.json_ and json_size(page.json_) > room:
        hint = "ask with a larger max_tokens, or with returnFormat json instead of formats"
        _omit(call, "json", f"{json_size(page.json_)} bytes; {hint}")
        update["json_"] = None
    return page.model_copy(update=update)


def _omit(call: Call, name: str, reason: str) -> None:
    call.meta["omitted"] = call.meta.get("omitted", {}) | {name: reason}

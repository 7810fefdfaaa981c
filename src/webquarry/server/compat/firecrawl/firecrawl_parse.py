"""`POST /parse`: an uploaded document."""

import base64
import json
from typing import Any, cast

from starlette.requests import Request
from starlette.responses import Response

from webquarry.content.html.format_conversion import text_formats
from webquarry.content.html.selected_elements import selected_page
from webquarry.errors import BadInputError
from webquarry.models.caller import Caller
from webquarry.models.page import PageMetadata
from webquarry.models.page_formats import Format
from webquarry.models.reading import Reading
from webquarry.parsing.task import ParseTask
from webquarry.reading.documents.document_type import sniff
from webquarry.server.compat.firecrawl.firecrawl_errors import parsed, refuse
from webquarry.server.compat.firecrawl.firecrawl_extraction import missing_fields
from webquarry.server.compat.firecrawl.firecrawl_formats import WantedFormats
from webquarry.server.compat.firecrawl.firecrawl_options import FirecrawlPageOptions
from webquarry.server.compat.firecrawl.firecrawl_pages import PageParts, document
from webquarry.server.compat.vendor_context import Handle, VendorContext
from webquarry.server.problem_details import SafeJson
from webquarry.server.rest_bodies import is_upload, read_upload

Json = dict[str, Any]
_TOOL = "cinder_scrape"  # whoever may use it may have documents read
_PLAIN = ("markdown", "html", "rawHtml", "links", "images")
_REASON = "is for pages on the web, not for uploaded files"
_PAGES_ONLY = (
    "screenshot",
    "branding",
    "changeTracking",
    "headers",
    "mobile",
    "waitFor",
    "actions",
)
# format, kind, extensions, media types
_FORMATS = (
    ("pdf", "document", (".pdf",), ("application/pdf",)),
    (
        "docx",
        "document",
        (".docx",),
        ("application/vnd.openxmlformats-officedocument.wordprocessingml.document",),
    ),
    (
        "pptx",
        "document",
        (".pptx",),
        ("application/vnd.openxmlformats-officedocument.presentationml.presentation",),
    ),
    (
        "xlsx",
        "document",
        (".xlsx",),
        ("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",),
    ),
    ("xls", "document", (".xls",), ("application/vnd.ms-excel",)),
    ("odt", "document", (".odt",), ("application/vnd.oasis.opendocument.text",)),
    ("ods", "document", (".ods",), ("application/vnd.oasis.opendocument.spreadsheet",)),
    ("rtf", "document", (".rtf",), ("application/rtf", "text/rtf")),
    ("epub", "document", (".epub",), ("application/epub+zip",)),
    ("csv", "document", (".csv",), ("text/csv",)),
    ("html", "document", (".html", ".htm"), ("text/html",)),
    ("markdown", "document", (".md",), ("text/markdown",)),
    ("text", "document", (".txt",), ("text/plain",)),
)


def parse_formats_handler(context: VendorContext) -> Handle:
    """Return the handler of the list of formats that are read."""

    async def formats(request: Request) -> Response:
        context.identify(request)
        rows: list[Json] = [
            {
                "format": name,
                "kind": kind,
                "extensions": list(extensions),
                "mimeTypes": list(types),
                "available": True,
            }
            for name, kind, extensions, types in _FORMATS
        ]
        return SafeJson({"success": True, "data": {"formats": rows}})

    return context.handler(formats)


def parse_handler(context: VendorContext) -> Handle:
    """Return the handler of an upload."""

    async def parse(request: Request) -> Response:
        caller = await context.admit(request, _TOOL)
        if not is_upload(request):
            raise BadInputError("The body must be multipart/form-data with a file.")
        form = await read_upload(request, context.max_body)
        if "data" not in form:
            raise BadInputError("file: is missing")
        options: FirecrawlPageOptions = parsed(FirecrawlPageOptions, _options(form))
        wanted = options.wanted()
        asked = options.model_dump(include={*_PAGES_ONLY}) | dict.fromkeys(wanted.options, True)
        refuse(dict.fromkeys(_PAGES_ONLY, _REASON), asked)
        data = base64.b64decode(form["data"])
        page = await _Upload(context, options, wanted, caller).page(data, form["name"])
        page.warnings[:0] = options.warnings()
        made = await document(page, options, wanted, context.offer.services.parsers)
        return SafeJson({"success": True, "data": made})

    return context.handler(parse)


def _options(form: Json) -> Json:
    try:
        options: Any = json.loads(form.get("options") or "{}")
    except (ValueError, RecursionError) as error:
        raise BadInputError("options: must be JSON") from error
    if not isinstance(options, dict):
        raise BadInputError("options: must be a JSON object")
    return cast("Json", options)


class _Upload:
    """Reads one uploaded file."""

    def __init__(
        self,
        context: VendorContext,
        options: FirecrawlPageOptions,
        wanted: WantedFormats,
        caller: Caller,
    ) -> None:
        self._services = context.offer.services
        self._options = options
        self._wanted = wanted
        self._caller = caller

    async def page(self, data: bytes, name: str) -> PageParts:
        """Return the file in the formats that were asked for."""
        if sniff(data, None, name) is None:
            return await self._html(data, name)
        read = await self._services.documents.read(data, content_type=None, url=name)
        names: list[Format] = [name for name in self._wanted.plain if name in _PLAIN]
        title = read.title or ""
        made = text_formats(read.markdown, url="", title=title, formats=names)
        reading = Reading(
            url=name,
            final_url=name,
            markdown=read.markdown,
            kind="document",
            metadata=PageMetadata(title=title),
        )
        page = PageParts(url=name, title=title, content={**made})
        await self._add_derived(page, reading)
        return page

    async def _html(self, data: bytes, name: str) -> PageParts:
        task = ParseTask(selected_page, subject=name)
        chosen = await self._services.parsers.run(
            task,
            data,
            url="",
            content_type="text/html",
            main=self._options.onlyMainContent is not False,
        )
        content: Json = {"markdown": chosen.markdown, "html": chosen.html}
        page = PageParts(url=name, content=content | {"rawHtml": data.decode("utf-8", "replace")})
        reading = Reading(url=name, final_url=name, markdown=chosen.markdown, kind="html")
        await self._add_derived(page, reading)
        return page

    async def _add_derived(self, page: PageParts, reading: Reading) -> None:
        derivation = self._services.page_derivation
        if "json" in self._wanted:
            schema = self._wanted.schema
            if schema is None:
                raise BadInputError("formats.json: an uploaded file needs a schema")
            derivation.check(("json",), schema)
            made = await derivation.derive("json", reading, schema, self._caller)
            row = cast("Json", made.content)
            page.content["json"] = row.get("data")
            page.warnings += missing_fields(row)
        if "summary" in self._wanted:
            derivation.check(("summary",), None)
            made = await derivation.derive("summary", reading, None, self._caller)
            page.content["summary"] = made.content

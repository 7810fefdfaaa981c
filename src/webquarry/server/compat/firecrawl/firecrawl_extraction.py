"""The format json: data of a page by a schema or a prompt."""

from typing import Any

from starlette.requests import Request

from webquarry.errors import BadInputError
from webquarry.server.compat.firecrawl.firecrawl_formats import WantedFormats
from webquarry.server.compat.vendor_context import VendorContext

Json = dict[str, Any]
EXTRACT = "cinder_extract"
ALL_FIELDS = "all fields of the schema"
_MAX_NAMED = 10  # fields in a warning


async def extracted_data(
    context: VendorContext, request: Request, url: str, wanted: WantedFormats
) -> tuple[Any, list[str]]:
    """Return the data of a page that is in the cache, and what is missing."""
    arguments: Json = {
        "urls": [url],
        "prompt": wanted.prompt or ALL_FIELDS,
        "max_tokens": 1_000_000,
    }
    if wanted.schema is not None:
        arguments["schema"] = wanted.schema
    body = await context.call(request, EXTRACT, arguments)
    row = body["results"][0]
    return row.get("data"), missing_fields(row)


def missing_fields(row: Json) -> list[str]:
    """Say which fields of a page have no data, and why."""
    found = [f"json: {row['note'].rstrip('.')}"] if row.get("note") else []
    if error := row.get("error"):
        found.append(f"json: {error['reason']}")
    missing: dict[str, str] = row.get("missing") or {}
    if missing:
        names = ", ".join(list(missing)[:_MAX_NAMED])
        found.append(f"json: not found on the page: {names}")
    return found


def job_schema(context: VendorContext, wanted: WantedFormats) -> tuple[Json | None, list[str]]:
    """Return the schema for the pages of a job, and what is not honoured."""
    if "json" not in wanted:
        return None, []
    if wanted.schema is not None:
        ignored = "json.prompt: in crawls and batches, the schema alone chooses the data"
        return wanted.schema, [ignored] if wanted.prompt else []
    extraction = context.offer.services.extraction.request(wanted.prompt, None, ungrounded=False)
    if extraction.schema is None:
        raise BadInputError("formats.json: in crawls and batches, give a schema")
    return extraction.schema, []

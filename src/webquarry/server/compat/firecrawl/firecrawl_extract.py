"""`POST /extract`: data of several pages as one object, made in a job."""

from datetime import UTC, datetime
from typing import Annotated, Any
from urllib.parse import urljoin

from pydantic import Field
from starlette.requests import Request
from starlette.responses import Response

from webquarry.errors import BadInputError
from webquarry.models.call_task import CallTask
from webquarry.models.model import Model
from webquarry.server.call_tasks import CallTasks
from webquarry.server.compat.firecrawl.firecrawl_errors import parsed, refuse
from webquarry.server.compat.firecrawl.firecrawl_extraction import ALL_FIELDS, EXTRACT
from webquarry.server.compat.firecrawl.firecrawl_options import (
    REFUSED,
    FirecrawlPageOptions,
    target_url,
)
from webquarry.server.compat.firecrawl.merged_data import merged, sources_of
from webquarry.server.compat.vendor_context import Handle, VendorContext
from webquarry.server.problem_details import SafeJson
from webquarry.server.task_run import TaskCall

Json = dict[str, Any]
MAX_URLS = 20
_FOUND_PAGES = 5  # that a search brings
_MAX_QUERY = 500
_MAPPED = 2000  # URLs of a site, among which those below a path are
_STATES = {None: "processing", "completed": "completed", "failed": "failed"}
_REFUSED = REFUSED | {
    "allowExternalLinks": "links are not followed; name the pages, or crawl the site first",
    "agent": "pages are read, not operated; leave agent out",
    "scrapeOptions": "only waitFor is honoured here; scrape the pages with these options instead",
}
Prompt = Annotated[str, Field(max_length=3000)]


class FirecrawlExtract(Model):
    """The body of an extraction."""

    urls: Annotated[tuple[str, ...], Field(max_length=MAX_URLS)] | None = None
    prompt: Prompt | None = None
    schema_: dict[str, Any] | None = Field(default=None, alias="schema")
    systemPrompt: Annotated[str, Field(max_length=900)] | None = None
    enableWebSearch: bool | None = None
    showSources: bool | None = None
    ignoreInvalidURLs: bool | None = None
    scrapeOptions: FirecrawlPageOptions | None = None
    origin: str | None = None
    integration: str | None = None
    allowExternalLinks: bool | None = None
    agent: dict[str, Any] | None = None
    threatProtection: dict[str, Any] | None = None
    zeroDataRetention: bool | None = None

    def refused(self) -> Json:
        """Return what must be refused."""
        names = ("allowExternalLinks", "agent", "threatProtection", "zeroDataRetention")
        given = {name: getattr(self, name) for name in names}
        options = self.scrapeOptions
        special = options is not None and (options.selects or options.is_special or options.actions)
        return given | {"scrapeOptions": special}


def start_extract_handler(context: VendorContext) -> Handle:
    """Return the handler that starts an extraction."""

    async def start(request: Request) -> Response:
        options: FirecrawlExtract = parsed(FirecrawlExtract, await context.body(request))
        refuse(_REFUSED, options.refused())
        if not options.prompt and options.schema_ is None:
            raise BadInputError("prompt: give a prompt or a schema")
        urls = await _pages(context, request, options.urls or (), options)
        prompt = " ".join(filter(None, (options.systemPrompt, options.prompt))) or ALL_FIELDS
        task = await start_task(context, request, urls, prompt, options.schema_)
        return SafeJson({"success": True, "id": task.id, "urlTrace": []})

    return context.handler(start)


def extract_status_handler(context: VendorContext) -> Handle:
    """Return the handler of the state of an extraction or a run."""

    async def status(request: Request) -> Response:
        task = await tasks_of(context).get(request.path_params["id"], context.identify(request))
        return SafeJson(task_state(task))

    return context.handler(status)


def cancel_extract_handler(context: VendorContext) -> Handle:
    """Return the handler that stops an extraction or a run."""

    async def cancel(request: Request) -> Response:
        await tasks_of(context).cancel(request.path_params["id"], context.identify(request))
        return SafeJson({"success": True})

    return context.handler(cancel)


def tasks_of(context: VendorContext) -> CallTasks:
    """Return the tasks of this server."""
    tasks = context.offer.tasks
    if tasks is None:
        raise BadInputError("extract: this server runs no jobs")
    return tasks


async def start_task(
    context: VendorContext,
    request: Request,
    urls: list[str],
    prompt: str,
    schema: Json | None,
    origin: Json | None = None,
) -> CallTask:
    """Start an extraction as a task; `origin` is stored with it."""
    arguments: Json = {"urls": urls[:MAX_URLS], "prompt": prompt, "max_tokens": 1_000_000}
    if schema is not None:
        arguments["schema"] = schema
    call = TaskCall(EXTRACT, arguments, request.state.request_id)
    return await tasks_of(context).start(call, context.identify(request), context.path, origin)


async def _pages(
    context: VendorContext, request: Request, given: tuple[str, ...], options: FirecrawlExtract
) -> list[str]:
    """Return the pages to read: those listed, those below `/*`, and those of a search."""
    urls: list[str] = []
    for entry in given:
        url = target_url(entry)
        urls += await _below(context, request, url[:-1]) if url.endswith("/*") else [url]
    if options.enableWebSearch or not given:
        if not options.prompt:
            raise BadInputError("prompt: is searched for, as no page is named")
        urls += await found_urls(context, request, options.prompt)
    return list(dict.fromkeys(urls))


async def _below(context: VendorContext, request: Request, url: str) -> list[str]:
    site = urljoin(url, "/")
    body = await context.call(request, "cinder_map", {"url": site, "limit": _MAPPED})
    below = [row["url"] for row in body["urls"] if row["url"].startswith(url)]
    return below[:MAX_URLS] or [url]


async def found_urls(context: VendorContext, request: Request, prompt: str) -> list[str]:
    """Return the pages that a search for the prompt finds."""
    arguments = {"query": prompt[:_MAX_QUERY], "numResults": _FOUND_PAGES}
    body = await context.call(request, "cinder_search", arguments)
    urls: list[str] = [row["url"] for row in body["results"]]
    if not urls:
        raise BadInputError("prompt: the search found no page; name pages in urls")
    return urls


def task_state(task: CallTask) -> Json:
    """Return a job in Firecrawl's words."""
    expires = datetime.fromtimestamp(task.created + task.ttl, UTC).isoformat()
    found: Json = {
        "success": True,
        "id": task.id,
        "status": _STATES.get(task.outcome, "cancelled"),
        "expiresAt": expires.replace("+00:00", "Z"),
        "creditsUsed": 0,
        "tokensUsed": 0,
    }
    result = task.result or {}
    if task.outcome == "failed" or result.get("isError"):
        return found | {"success": False, "status": "failed", "error": _error(task, result)}
    if task.outcome != "completed":
        return found
    rows: list[Json] = result["structuredContent"]["results"]
    warnings = [f"{row['url']}: {row['error']['reason']}" for row in rows if row.get("error")]
    return (
        found
        | {"data": merged([row.get("data") for row in rows]), "sources": sources_of(rows)}
        | ({"warning": " ".join(warnings)} if warnings else {})
    )


def _error(task: CallTask, result: Json) -> str:
    texts = [block["text"] for block in result.get("content", ()) if block["type"] == "text"]
    return str(texts[0]).partition("\n\n{")[0] if texts else task.message

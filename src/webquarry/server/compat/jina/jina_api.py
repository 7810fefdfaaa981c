"""Jina Reader's API: a page at `/r/<url>`, a search at `/s/<query>`."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl, unquote

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute, Route

from webquarry.content.text.token_count import compact_json
from webquarry.errors import BadInputError, NotFoundError
from webquarry.server.compat.jina.jina_options import read_options
from webquarry.server.compat.jina.jina_pages import BudgetError, JinaPages, page_text
from webquarry.server.compat.jina.jina_search import results_text, search
from webquarry.server.compat.vendor_api import VendorApi, VendorError
from webquarry.server.compat.vendor_context import MOUNT, VendorContext
from webquarry.server.compat.vendor_pages import raise_problem
from webquarry.server.problem_details import SafeJson, problem_of
from webquarry.server.rest_bodies import is_upload, read_body, read_upload

Json = dict[str, Any]

_READ, _SEARCH = "/r/", "/s/"
_EVENTS = "text/event-stream"
_NAMES = {
    400: ("ParamValidationError", 40001),
    401: ("AuthenticationRequiredError", 40103),
    403: ("OperationNotAllowedError", 40303),
    404: ("ResourceNotFoundError", 40402),
    405: ("RPCMethodNotFoundError", 40501),
    409: ("BudgetExceededError", 40904),
    422: ("AssertionFailureError", 42206),
    424: ("DownstreamServiceFailureError", 42401),
    429: ("RateLimitTriggeredError", 42903),
}


@dataclass(frozen=True)
class _JinaRoutes:
    """The handlers."""

    context: VendorContext

    def listed(self) -> list[BaseRoute]:
        methods = ["GET", "POST"]
        read = self.context.handler(self._read)
        find = self.context.handler(self._search)
        return [
            Route("/r", read, methods=methods),
            Route("/r/{rest:path}", read, methods=methods),
            Route("/s", find, methods=methods),
            Route("/s/{rest:path}", find, methods=methods),
            # of a host name that is only for this API
            Route("/{rest:path}", self.context.handler(self._read_at_root), methods=methods),
        ]

    async def _read_at_root(self, request: Request) -> Response:
        rest: str = request.path_params["rest"]
        if request.method == "GET" and not rest.startswith(("http:/", "https:/")):
            raise NotFoundError("There is nothing here: use /r/<url> or /s/<query>.")
        return await self._read(request)

    async def _read(self, request: Request) -> Response:
        options = read_options(request, await self._body(request))
        url = options.body.url or _url_of(request)
        if not url:
            raise BadInputError("url: is required, as in /r/https://example.com/")
        pages = JinaPages(self.context, request, options)
        (page,) = await pages.read([url])
        if page.problem:
            raise_problem(page.problem)
        try:
            data = await pages.data(page)
        except BudgetError as error:
            return problem_of(error, status=409)
        return _page_response(request, data)

    async def _search(self, request: Request) -> Response:
        options = read_options(request, await self._body(request))
        query = options.body.q or unquote(_rest(request, _SEARCH)).strip("/")
        if not query:
            raise BadInputError("q: is required, as in /s/barn%20owls")
        rows, warnings = await search(self.context, request, options, query)
        return _rows_response(request, rows, warnings)

    async def _body(self, request: Request) -> Json:
        """Return the options in the body of a POST, as JSON or as a form."""
        if request.method != "POST":
            return {}
        max_body = self.context.settings.server.max_request_body_bytes
        if is_upload(request):
            return await read_upload(request, max_body)
        if "urlencoded" in request.headers.get("content-type", ""):
            sent = await read_body(request, max_body)
            return dict(parse_qsl(sent.decode("utf-8", "replace")))
        return await self.context.body(request)


def _page_response(request: Request, data: Json) -> Response:
    tokens = data["usage"]["tokens"]
    if _wants_events(request):
        body = f"event: data\ndata: {compact_json(data)}\n\n"
        return Response(body.encode("utf-8", "replace"), media_type=_EVENTS)
    if _wants_json(request):
        return SafeJson(_envelope(data, tokens))
    # as text in any form: a page of someone else is never shown as one of this server
    return PlainTextResponse(page_text(data).encode("utf-8", "replace"))


def _rows_response(request: Request, rows: list[Json], warnings: list[str]) -> Response:
    tokens = sum(row["usage"]["tokens"] for row in rows)
    if _wants_events(request):
        body = f"event: data\ndata: {compact_json(rows)}\n\n"
        return Response(body.encode("utf-8", "replace"), media_type=_EVENTS)
    if _wants_json(request):
        envelope = _envelope(rows, tokens)
        meta = envelope["meta"] | ({"warnings": warnings} if warnings else {})
        return SafeJson(envelope | {"meta": meta})
    return PlainTextResponse(results_text(rows, warnings).encode("utf-8", "replace"))


def _envelope(data: Any, tokens: int) -> Json:
    return {"code": 200, "status": 20000, "data": data, "meta": {"usage": {"tokens": tokens}}}


def _wants_json(request: Request) -> bool:
    accept = request.headers.get("accept", "")
    return "text/plain" not in accept and ("application/json" in accept or "text/json" in accept)


def _wants_events(request: Request) -> bool:
    accept = request.headers.get("accept", "")
    return "text/plain" not in accept and _EVENTS in accept


def _rest(request: Request, marker: str) -> str:
    """Return what follows the marker in the path, as the client sent it."""
    sent = request.scope.get("raw_path")
    path = sent.decode("latin-1") if sent else request.url.path
    path = path.removeprefix(request.scope.get(MOUNT, ""))
    return path.removeprefix(marker) if path.startswith(marker) else path.strip("/")


def _url_of(request: Request) -> str:
    """Return the URL in the path, with the query that belongs to it."""
    url = _rest(request, _READ)
    if url in ("", "r"):
        return request.query_params.get("url", "")
    if not url.startswith(("http:", "https:")):
        url = unquote(url)  # a client encoded it whole
    scheme, colon, rest = url.partition(":")
    if colon and scheme in ("http", "https"):
        url = f"{scheme}://{rest.lstrip('/')}"  # proxies join slashes
    else:
        url = f"https://{url}"
    return f"{url}?{request.url.query}" if request.url.query else url


def _error(problem: Mapping[str, Any]) -> VendorError:
    status: int = problem["status"]
    name, code = _NAMES.get(status, ("InternalServerError", status * 100))
    message = problem["detail"]
    body = {
        "data": None,
        "code": status,
        "name": name,
        "status": code,
        "message": message,
        "readableMessage": f"{name}: {message}",
    }
    return VendorError(status, body)


def _routes(context: VendorContext) -> list[BaseRoute]:
    return _JinaRoutes(context).listed()


JINA = VendorApi(name="jina", routes=_routes, error=_error, root_paths=("/r/", "/s/"))

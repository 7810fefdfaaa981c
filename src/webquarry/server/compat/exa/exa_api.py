"""Exa's API: search, contents, similar pages and answers."""

import re
import time
from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, NoReturn, cast

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import BaseRoute, Route

from webquarry.content.text.token_count import compact_json
from webquarry.errors import BadInputError, NotFoundError
from webquarry.server.compat.exa.exa_bodies import (
    ExaAnswerBody,
    ExaContentsBody,
    ExaPagesBody,
    ExaSearchBody,
    ExaSimilarBody,
)
from webquarry.server.compat.exa.exa_contents import ExaContents, status_row, warning
from webquarry.server.compat.exa.exa_search import ExaFound, ExaSearch, add_texts, answer
from webquarry.server.compat.vendor_api import VendorApi, VendorError
from webquarry.server.compat.vendor_body import VendorBody, given_fields, parse_body, unknown_fields
from webquarry.server.compat.vendor_context import Handle, VendorContext
from webquarry.server.compat.vendor_pages import VendorPageReader
from webquarry.server.problem_details import SafeJson

Json = dict[str, Any]

_EVENTS = "text/event-stream"
_METHODS = ["GET", "POST", "PATCH", "DELETE"]
_PIECE = re.compile(r"\S+\s*|\s+")
_PIECES_AT_A_TIME = 8  # words
_FREE = {"total": 0.0}  # nothing is charged
_TAGS = {400: "INVALID_REQUEST_BODY", 401: "INVALID_API_KEY", 403: "ACCESS_DENIED",
         404: "NOT_FOUND", 413: "INVALID_REQUEST_BODY", 429: "RATE_LIMIT_EXCEEDED"}  # fmt: skip
_OUTPUT_TEXT = 'outputSchema: only {"type": "text"} is possible here; for data use /v1/extract.'
_REFUSED = {
    "/research/v1": "Research tasks are not available here; use /answer, or the MCP tools of this "
    "server.",
    "/websets/v0": "Websets are not available here; use /search, or a crawl with /v1/crawl.",
    "/monitors": "Search monitors are not available here.",
    "/agent": "Exa's agent is not available here; use the MCP tools of this server.",
}


@dataclass(frozen=True)
class _ExaRoutes:
    """The handlers."""

    context: VendorContext

    def listed(self) -> list[BaseRoute]:
        handlers: dict[str, Handle] = {
            "/search": self._search,
            "/contents": self._contents,
            "/findSimilar": self._similar,
            "/answer": self._answer,
        }
        routes = [self._route(path, handle, ["POST"]) for path, handle in handlers.items()]
        for path, reason in _REFUSED.items():
            refuse = partial(_refused, reason)
            routes += [
                self._route(each, refuse, _METHODS) for each in (path, f"{path}/{{rest:path}}")
            ]
        return [*routes]

    def _route(self, path: str, handle: Handle, methods: list[str]) -> Route:
        return Route(path, self.context.handler(handle), methods=methods)

    async def _search(self, request: Request) -> Response:
        started = time.perf_counter()
        raw = await self.context.body(request)
        body = parse_body(ExaSearchBody, raw)
        if body.outputSchema is not None and body.outputSchema.get("type") != "text":
            raise BadInputError(_OUTPUT_TEXT)
        found = await ExaSearch(self.context, request).search(body)
        response = _found(found, ExaSearchBody, raw, started, request)
        response["resolvedSearchType"] = response["searchType"] = "keyword"
        if body.outputSchema is not None:
            response["output"] = await self._output(request, body.query)
        return SafeJson(response)

    async def _output(self, request: Request, query: str) -> Json:
        text, citations, _ = await answer(self.context, request, query)
        sources = [{"url": row["url"], "title": row["title"] or ""} for row in citations]
        grounding = {"field": "content", "citations": sources, "confidence": "medium"}
        return {"content": text, "grounding": [grounding]}

    async def _similar(self, request: Request) -> Response:
        started = time.perf_counter()
        raw = await self.context.body(request)
        body = parse_body(ExaSimilarBody, raw)
        found = await ExaSearch(self.context, request).similar(body)
        return SafeJson(_found(found, ExaSimilarBody, raw, started, request))

    async def _contents(self, request: Request) -> Response:
        started = time.perf_counter()
        raw = await self.context.body(request)
        body = parse_body(ExaPagesBody, raw)
        urls = list(dict.fromkeys(body.urls or body.ids or ()))
        if not urls:
            raise BadInputError("urls: is required: a list of URLs, or ids of results")
        contents = ExaContents(self.context, request, body)
        pages = await VendorPageReader(self.context, request).read(urls, contents.wish)
        results = [await contents.result(page) for page in pages if page.problem is None]
        found = ExaFound(results, contents.warnings())
        response = _found(found, ExaPagesBody, raw, started, request)
        return SafeJson(response | {"statuses": [status_row(page) for page in pages]})

    async def _answer(self, request: Request) -> Response:
        raw = await self.context.body(request)
        body = parse_body(ExaAnswerBody, raw)
        if body.outputSchema is not None:
            raise BadInputError("outputSchema: answers are text here; for data use /v1/extract")
        text, citations, note = await answer(self.context, request, body.query)
        if body.text:
            await add_texts(self.context, request, citations)
        warnings = [
            warning(f"/{name}", f"{name} has no effect on this server.")
            for name in (
                *given_fields(body, ("model", "systemPrompt", "userLocation", "userIdentifier")),
                *unknown_fields(ExaAnswerBody, raw),
            )
        ]
        if note:
            warnings.append(warning("/query", note, "NOTE"))
        if body.stream:
            return StreamingResponse(_events(text, citations), media_type=_EVENTS)
        response: Json = {
            "requestId": request.state.request_id,
            "answer": text,
            "citations": citations,
            "costDollars": _FREE,
        }
        return SafeJson(response | ({"warnings": warnings} if warnings else {}))


async def _refused(reason: str, _: Request) -> NoReturn:
    raise NotFoundError(reason)


def _found(
    found: ExaFound, model: type[VendorBody], raw: Json, started: float, request: Request
) -> Json:
    response: Json = {
        "requestId": request.state.request_id,
        "results": found.results,
        "costDollars": _FREE,
        "searchTime": round((time.perf_counter() - started) * 1000, 1),
    }
    warnings = [*_unknown(model, raw), *found.warnings]
    return response | ({"warnings": warnings} if warnings else {})


def _unknown(model: type[VendorBody], raw: Json) -> list[Json]:
    """Return a warning for each field that is unknown, also of `contents`."""
    paths = [f"/{name}" for name in unknown_fields(model, raw)]
    contents = raw.get("contents")
    if isinstance(contents, dict):
        sent = cast("Json", contents)
        paths += [f"/contents/{name}" for name in unknown_fields(ExaContentsBody, sent)]
    return [warning(path, f"{path[1:]} is unknown: it had no effect.") for path in paths]


async def _events(text: str, citations: list[Json]) -> AsyncGenerator[bytes]:
    """Yield an answer in pieces, then its sources and the cost."""
    pieces = _PIECE.findall(text)
    for start in range(0, len(pieces), _PIECES_AT_A_TIME):
        piece = "".join(pieces[start : start + _PIECES_AT_A_TIME])
        yield _event({"choices": [{"index": 0, "delta": {"role": "assistant", "content": piece}}]})
    yield _event({"citations": citations})
    yield _event({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}],
                  "costDollars": _FREE})  # fmt: skip
    yield b"data: [DONE]\n\n"


def _event(data: Json) -> bytes:
    return f"data: {compact_json(data)}\n\n".encode("utf-8", "replace")


def _error(problem: Mapping[str, Any]) -> VendorError:
    status = problem["status"]
    body = {"error": problem["detail"], "tag": _TAGS.get(status, "INTERNAL_ERROR")}
    return VendorError(status, body)


def _routes(context: VendorContext) -> list[BaseRoute]:
    return _ExaRoutes(context).listed()


EXA = VendorApi(
    name="exa",
    routes=_routes,
    error=_error,
    root_paths=("/search", "/contents", "/findSimilar", "/answer", *_REFUSED),
)

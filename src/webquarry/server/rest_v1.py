"""The REST interface `/v1`: the same tools, limits and errors as MCP, in the manners of HTTP."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, cast, get_args

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from webquarry.calls.call_path import CallPath
from webquarry.calls.registry import choose
from webquarry.calls.tool import no_progress
from webquarry.errors import BadInputError, WebquarryError
from webquarry.models.caller import Caller
from webquarry.models.crawl import Format
from webquarry.models.result import Result
from webquarry.server.mcp_server import ServerOffer
from webquarry.server.openapi import document
from webquarry.server.problem_details import SafeJson, problem, problem_of
from webquarry.server.rest_bodies import BodyTooLargeError, answer, arguments_of
from webquarry.server.rest_operations import (
    OPERATIONS,
    Method,
    Operation,
    offered_operations,
)
from webquarry.server.rest_streams import event_stream, line_stream
from webquarry.services.cinder.cinder_crawls import changes, exported, needed
from webquarry.tools import TOOLS

Identify = Callable[[Request], Caller]
Handle = Callable[[Request], Awaitable[Response]]
_FORMATS: tuple[Format, ...] = get_args(Format)


def routes(
    offer: ServerOffer, identify: Identify, *, toolsets: Sequence[str], max_body: int
) -> list[Route]:
    """Return the routes of the operations, and of their description."""
    operations = offered_operations(toolsets)
    wanted = {operation.tool for operation in operations}
    tools = [tool for tool in TOOLS if tool.name in wanted]
    registry = choose(tools, [*{tool.toolset for tool in tools}], offer.services)
    desk = _Desk(offer, offer.path.over(registry), identify, max_body, tuple(operations))
    return [
        Route("/v1/openapi.json", desk.describe, methods=["GET"], name="openapi"),
        *(_route(path, desk) for path in dict.fromkeys(o.path for o in OPERATIONS)),
    ]


def _route(path: str, desk: "_Desk") -> Route:
    """Return one route per address, or a wrong method would not be told all the right ones."""
    handlers = {o.method: desk.handler(o) for o in OPERATIONS if o.path == path}

    async def handle(request: Request) -> Response:
        wanted = "GET" if request.method == "HEAD" else request.method
        return await handlers[cast("Method", wanted)](request)

    return Route(path, handle, methods=list(handlers))


@dataclass(frozen=True)
class _Desk:
    """Answers requests."""

    offer: ServerOffer
    path: CallPath
    identify: Identify
    max_body: int
    operations: tuple[Operation, ...]

    @cached_property
    def document(self) -> dict[str, Any]:
        return document(self.path.registry, self.operations)

    async def describe(self, _: Request) -> Response:
        return SafeJson(self.document)

    def handler(self, operation: Operation) -> Handle:
        """Return what answers an operation; one that is not on offer says why."""
        if operation not in self.operations:
            return partial(_absent, operation)
        kinds = {"result": self._result, "events": self._events, "lines": self._lines}
        return partial(self._guarded, partial(kinds[operation.answers], operation))

    async def _guarded(self, handle: Handle, request: Request) -> Response:
        try:
            return await handle(request)
        except BodyTooLargeError as error:
            return problem_of(error, status=413)
        except WebquarryError as error:
            return problem_of(error)

    async def _result(self, operation: Operation, request: Request) -> Response:
        arguments = await self._arguments(operation, request)
        result = await self._call(operation, arguments, request)
        if operation.status != 202 or result.structured is None:
            return answer(result)
        ended = result.structured["status"] not in {"queued", "running"}
        where = f"{request.url.path}/{result.structured['crawlId']}"
        return answer(result, 200 if ended else 202, headers={"Location": where})

    async def _arguments(self, operation: Operation, request: Request) -> Any:
        if operation.method == "POST":
            arguments = await arguments_of(request, self.max_body)
            if operation.idempotent_by_key and isinstance(arguments, dict):
                return _with_key(arguments, request)
            return arguments
        _refuse_unknown(request, operation.query)
        named = {name: request.query_params[name] for name in request.query_params}
        ending = {"cancel": True} if operation.method == "DELETE" else {}
        return named | request.path_params | ending

    async def _events(self, operation: Operation, request: Request) -> Response:
        _refuse_unknown(request, ())
        if refusal := await self._refusal(operation, request):
            return refusal
        crawling = needed(self.offer.services.crawling)
        return event_stream(changes(crawling, request.path_params["id"], self.identify(request)))

    async def _lines(self, operation: Operation, request: Request) -> Response:
        _refuse_unknown(request, ("formats",))
        formats = _formats(request.query_params.getlist("formats"))
        if refusal := await self._refusal(operation, request):
            return refusal
        crawling, caller = needed(self.offer.services.crawling), self.identify(request)
        job = await crawling.job(request.path_params["id"], caller)
        return line_stream(exported(crawling, job, caller, formats), f"crawl-{job.id}")

    async def _refusal(self, operation: Operation, request: Request) -> Response | None:
        """Return why the caller does not get this crawl, by the path of every other call."""
        asked = {"id": request.path_params["id"], "limit": 1}
        result = await self._call(operation, asked, request)
        return answer(result) if result.is_error else None

    async def _call(self, operation: Operation, arguments: Any, request: Request) -> Result:
        return await self.path.call(
            operation.tool,
            arguments,
            self.identify(request),
            request_id=request.state.request_id,
            report=no_progress,
        )


async def _absent(operation: Operation, _: Request) -> Response:
    sentence = f"{operation.name} is not offered here; its toolset is not among TOOLSETS."
    return problem(sentence, _advice("not_found"))


def _advice(kind: str) -> dict[str, Any]:
    return {"kind": kind, "retryable": False, "suggestedAction": "inform_user"}


def _with_key(arguments: Any, request: Request) -> Any:
    keys = request.headers.getlist("idempotency-key")
    if len(keys) > 1:
        raise BadInputError("Idempotency-Key: send one, not several.")
    return arguments | ({"idempotencyKey": keys[0]} if keys else {})


def _refuse_unknown(request: Request, known: Sequence[str]) -> None:
    names = request.query_params
    if odd := sorted(names.keys() - set(known)):
        told = f"it takes {', '.join(known)}" if known else "it takes none"
        raise BadInputError(f"{odd[0]}: no such parameter, {told}", details={"fields": odd})


def _formats(given: Sequence[str]) -> tuple[Format, ...]:
    words = [word.strip() for text in given for word in text.split(",")]
    found: list[Format] = [name for name in _FORMATS if words.count(name)]
    if odd := [word for word in words if word not in _FORMATS]:
        raise BadInputError(
            f"formats: {odd[0]!r} is none of {', '.join(_FORMATS)}", details={"fields": ["formats"]}
        )
    return tuple(found)

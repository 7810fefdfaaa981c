"""The REST API `/v1`: the same tools, limits and errors as MCP."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, NamedTuple, cast

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from webquarry.calls.call_path import CallPath
from webquarry.calls.registry import choose
from webquarry.errors import BadInputError, NotFoundError, WebquarryError
from webquarry.models.caller import Caller
from webquarry.models.result import Result
from webquarry.server.mcp_server import ServerOffer
from webquarry.server.openapi import document
from webquarry.server.problem_details import SafeJson, problem, problem_of
from webquarry.server.rest_bodies import (
    BodyTooLargeError,
    is_upload,
    read_arguments,
    read_upload,
    report_file,
    tool_response,
)
from webquarry.server.rest_bundles import bundle_file, bundle_subject
from webquarry.server.rest_operation import Method, Operation
from webquarry.server.rest_operations import (
    CHECK,
    OPERATIONS,
    offered_operations,
)
from webquarry.server.rest_streams import check_events, crawl_events, event_stream, file_stream
from webquarry.services.checking.reports.check_files import check_form
from webquarry.services.exports.export_streams import export_form, export_stream, page_formats
from webquarry.tools import TOOLS

_MAX_NUMBER = 1_000_000_000

Identify = Callable[[Request], Caller]
Handle = Callable[[Request], Awaitable[Response]]


class BodyLimits(NamedTuple):
    """The largest bodies of requests, in bytes."""

    body: int
    upload: int  # of a form with a document


def routes(
    offer: ServerOffer, identify: Identify, *, toolsets: Sequence[str], limits: BodyLimits
) -> list[Route]:
    """Return the routes of the operations and of the OpenAPI document."""
    operations = offered_operations(toolsets)
    tool_names = {operation.tool for operation in operations}
    tools = [tool for tool in TOOLS if tool.name in tool_names]
    registry = choose(tools, [*{tool.toolset for tool in tools}], offer.services)
    api = _RestApi(offer, offer.path.over(registry), identify, limits, tuple(operations))
    return [
        Route("/v1/openapi.json", api.describe, methods=["GET"], name="openapi"),
        *(_route(path, api) for path in dict.fromkeys(o.path for o in OPERATIONS)),
    ]


def _route(path: str, api: "_RestApi") -> Route:
    """Return one route for all methods of a path, so that a 405 lists them all."""
    handlers = {o.method: api.handler(o) for o in OPERATIONS if o.path == path}

    async def handle(request: Request) -> Response:
        method = "GET" if request.method == "HEAD" else request.method
        return await handlers[cast("Method", method)](request)

    return Route(path, handle, methods=list(handlers))


@dataclass(frozen=True)
class _RestApi:
    """Handles the requests."""

    offer: ServerOffer
    path: CallPath
    identify: Identify
    limits: BodyLimits
    operations: tuple[Operation, ...]

    @cached_property
    def document(self) -> dict[str, Any]:
        return document(self.path.registry, self.operations)

    async def describe(self, _: Request) -> Response:
        return SafeJson(self.document)

    def handler(self, operation: Operation) -> Handle:
        """Return the handler of an operation; for an unavailable one, an error."""
        if operation not in self.operations:
            return partial(_unavailable, operation)
        kinds = {
            "result": self._result,
            "events": self._events,
            "file": self._file,
            "image": self._screenshot,
            "artifact": self._artifact,
            "report": self._report,
            "bundle": self._bundle,
        }
        return partial(self._guarded, partial(kinds[operation.response_kind], operation))

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
            return tool_response(result)
        ended = result.structured["status"] not in {"queued", "running"}
        location = f"{request.url.path}/{result.structured[operation.id_field]}"
        return tool_response(result, 200 if ended else 202, headers={"Location": location})

    async def _arguments(self, operation: Operation, request: Request) -> Any:
        if operation.method == "POST" and operation.body is not None:
            arguments = await read_arguments(request, self.limits.body)
            return _with_path(arguments, operation, request)
        if operation.method == "POST":
            if operation.takes_upload and is_upload(request):
                arguments = await read_upload(request, self.limits.upload)
                arguments = _named(arguments, operation)
            else:
                arguments = await read_arguments(request, self.limits.body)
            if operation.fixed_arguments and isinstance(arguments, dict):
                return dict(operation.fixed_arguments) | cast("dict[str, Any]", arguments)
            if operation.idempotent_by_key and isinstance(arguments, dict):
                return _with_key(arguments, request)
            return arguments
        _reject_unknown(request, operation.query)
        named = {name: request.query_params[name] for name in request.query_params}
        cancel = {"cancel": True} if operation.cancels else {}
        return named | dict(operation.fixed_arguments) | request.path_params | cancel

    async def _events(self, operation: Operation, request: Request) -> Response:
        _reject_unknown(request, ())
        job_id, caller = request.path_params["id"], self.identify(request)
        if operation.tool == CHECK:
            if error := await self._access_error(operation, request, wait=False):
                return error
            return event_stream(check_events(self.offer.services.document_checks, job_id, caller))
        if error := await self._access_error(operation, request):
            return error
        return event_stream(crawl_events(self.offer.services.crawling, job_id, caller))

    async def _file(self, operation: Operation, request: Request) -> Response:
        _reject_unknown(request, ("as", "formats"))
        form = export_form(request.query_params.get("as", "jsonl"))
        formats = page_formats(request.query_params.getlist("formats"))
        if error := await self._access_error(operation, request):
            return error
        crawling, caller = self.offer.services.crawling, self.identify(request)
        job = await crawling.job(request.path_params["id"], caller)
        return file_stream(export_stream(crawling, job, caller, form, formats))

    async def _screenshot(self, operation: Operation, request: Request) -> Response:
        _reject_unknown(request, ())
        number = request.path_params["number"]
        if not (number.isascii() and number.isdecimal() and 0 < int(number[:10]) < _MAX_NUMBER):
            raise BadInputError("number: must be the number of a page, from 1")
        if error := await self._access_error(operation, request):
            return error
        job_id = request.path_params["id"]
        pages = self.offer.services.crawling.stored_pages
        image = await pages.screenshot(job_id, int(number))
        if image is None:
            raise NotFoundError(f"page {number} of {job_id} has no screenshot")
        return Response(image.content, media_type=image.media_type)

    async def _artifact(self, operation: Operation, request: Request) -> Response:
        _reject_unknown(request, ())
        caller = self.identify(request)
        found = await self.offer.services.artifacts.read(
            request.path_params["id"], tenant=caller.tenant, owner=caller.user
        )
        return Response(found.chunk, media_type=found.mime)

    async def _report(self, operation: Operation, request: Request) -> Response:
        _reject_unknown(request, ("as",))
        form = check_form(request.query_params.get("as", "html"))
        if error := await self._access_error(operation, request, wait=False):
            return error
        checks, caller = self.offer.services.document_checks, self.identify(request)
        job = await checks.get(request.path_params["id"], caller)
        return report_file(job, await checks.file(job, form, self.offer.services.parsers))

    async def _bundle(self, operation: Operation, request: Request) -> Response:
        _reject_unknown(request, ())
        subject, subject_id, arguments = bundle_subject(operation, request.path_params)
        result = await self._call(operation, arguments, request)
        if result.is_error:
            return tool_response(result)
        bundles, caller = self.offer.services.bundles, self.identify(request)
        return await bundle_file(bundles, subject, subject_id, caller)

    async def _access_error(
        self, operation: Operation, request: Request, **others: bool
    ) -> Response | None:
        """Return the error if the caller may not read this job, checked by a normal call."""
        arguments = {"id": request.path_params["id"], **(others or {"limit": 1})}
        result = await self._call(operation, arguments, request)
        return tool_response(result) if result.is_error else None

    async def _call(self, operation: Operation, arguments: Any, request: Request) -> Result:
        return await self.path.call(
            operation.tool,
            arguments,
            self.identify(request),
            request_id=request.state.request_id,
        )


async def _unavailable(operation: Operation, _: Request) -> Response:
    message = f"{operation.name} is not available: its toolset is not in TOOLSETS."
    return problem(message, _advice("not_found"))


def _named(arguments: dict[str, Any], operation: Operation) -> dict[str, Any]:
    """Return the arguments with the name of the file where the tool takes it."""
    if operation.file_name_field == "name":
        return arguments
    if "data" not in arguments:
        raise BadInputError("file: is missing; send the document in the field `file`")
    if not arguments["data"]:
        raise BadInputError(f"file: {arguments['name']} is empty")
    return arguments | {operation.file_name_field: arguments.pop("name")}


def _with_path(arguments: Any, operation: Operation, request: Request) -> dict[str, Any]:
    """Return the arguments of an operation on one thing, which its path names."""
    if not isinstance(arguments, dict):
        raise BadInputError("The body must be one JSON object of arguments.")
    given = cast("dict[str, Any]", arguments)
    if unknown := sorted(given.keys() - set(operation.body or ())):
        allowed = ", ".join(operation.body or ()) or "none is allowed"
        raise BadInputError(
            f"{unknown[0]}: no such argument; {allowed}", details={"fields": unknown}
        )
    return given | dict(operation.fixed_arguments) | request.path_params


def _advice(kind: str) -> dict[str, Any]:
    return {"kind": kind, "retryable": False, "suggestedAction": "inform_user"}


def _with_key(arguments: Any, request: Request) -> Any:
    keys = request.headers.getlist("idempotency-key")
    if len(keys) > 1:
        raise BadInputError("Idempotency-Key: send only one.")
    return arguments | ({"idempotencyKey": keys[0]} if keys else {})


def _reject_unknown(request: Request, known: Sequence[str]) -> None:
    names = request.query_params
    if unknown := sorted(names.keys() - set(known)):
        allowed = f"allowed: {', '.join(known)}" if known else "none is allowed"
        raise BadInputError(
            f"{unknown[0]}: no such parameter; {allowed}", details={"fields": unknown}
        )

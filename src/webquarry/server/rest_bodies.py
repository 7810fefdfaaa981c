"""Reads the arguments of a REST request and builds the response from a tool result."""

import base64
import json
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from typing import Any

from starlette.datastructures import FormData
from starlette.formparsers import MultiPartException, MultiPartParser
from starlette.requests import Request
from starlette.responses import Response

from webquarry.errors import BadInputError
from webquarry.models.result import Result
from webquarry.server.problem_details import SafeJson, problem
from webquarry.services.checking.check_store import CheckJob
from webquarry.services.checking.reports.check_files import CheckFile

_FORM_BYTES = 2**16  # of a form besides its file


class BodyTooLargeError(BadInputError):
    """The body is larger than this server accepts."""


async def read_arguments(request: Request, max_body: int) -> Any:
    """Return the body as JSON; an empty body means no arguments."""
    body = await _read_body(request, max_body, "MAX_REQUEST_BODY_BYTES", max_body)
    try:
        arguments: Any = json.loads(body or b"{}")
        json.dumps(arguments, ensure_ascii=False).encode()  # rejects lone surrogates
    except (ValueError, RecursionError) as exc:
        raise BadInputError("The body must be one JSON object of arguments.") from exc
    return arguments


def is_upload(request: Request) -> bool:
    """Tell whether a request has a file as a form sends it."""
    return request.headers.get("content-type", "").lower().startswith("multipart/form-data")


async def read_upload(request: Request, max_file: int) -> dict[str, Any]:
    """Return the file of a form in base64, its name, and the other fields."""
    body = await _read_body(request, max_file + _FORM_BYTES, "MAX_UPLOAD_BYTES", max_file)

    async def stream() -> AsyncGenerator[bytes]:
        yield body

    try:
        form = await MultiPartParser(request.headers, stream(), max_files=1).parse()
    except (MultiPartException, KeyError) as exc:
        raise BadInputError(f"The form cannot be read: {exc}") from exc
    arguments: dict[str, Any] = {}
    async with _closing(form):
        for name, value in form.multi_items():
            if isinstance(value, str):
                arguments[name] = value
            elif name == "file":
                if (value.size or 0) > max_file:
                    raise _too_large("MAX_UPLOAD_BYTES", max_file)
                arguments["data"] = base64.b64encode(await value.read()).decode()
                arguments["name"] = value.filename or "document"
            else:
                raise BadInputError(f"{name}: the file must be in the field `file`.")
    return arguments


@asynccontextmanager
async def _closing(form: FormData) -> AsyncGenerator[None]:
    try:
        yield
    finally:
        await form.close()


async def read_body(request: Request, max_body: int) -> bytes:
    """Return the body; `BodyTooLargeError` if it is larger than this server accepts."""
    return await _read_body(request, max_body, "MAX_REQUEST_BODY_BYTES", max_body)


async def _read_body(request: Request, max_body: int, setting: str, limit: int) -> bytes:
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > max_body:
            raise _too_large(setting, limit)
    return bytes(body)


def _too_large(setting: str, limit: int) -> BodyTooLargeError:
    what = "document" if setting == "MAX_UPLOAD_BYTES" else "body"
    return BodyTooLargeError(f"The {what} is larger than {setting}={limit}.")


def report_file(job: CheckJob, file: CheckFile) -> Response:
    """Return a report to download; a page opens in no window of this site."""
    headers = {
        "Content-Disposition": f'attachment; filename="check-{job.id[:8]}.{file.ending}"',
        "X-Content-Type-Options": "nosniff",
    }
    return Response(file.content, media_type=file.media_type, headers=headers)


def tool_response(
    result: Result, status: int = 200, *, headers: Mapping[str, str] | None = None
) -> Response:
    """Return the structured result as the body; other results in the format of MCP."""
    if result.problem is not None:
        return problem(result.problem.message, result.problem.block)
    if result.is_error:  # the tool built its own error text
        text = "\n".join(b.text for b in result.content if b.type == "text")
        return problem(text, {"kind": "upstream_unavailable"})
    if result.structured is None:
        return SafeJson(result.wire())
    body = result.structured | ({"_meta": result.meta} if result.meta else {})
    return SafeJson(body, status, dict(headers or {}))

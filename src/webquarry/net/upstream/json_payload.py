"""Decodes the JSON of an upstream into a model, or raises `PayloadError` with the reason."""

import codecs
from functools import cache, partial
from typing import Any, TypeVar

from pydantic import TypeAdapter, ValidationError

from webquarry.errors import PayloadError
from webquarry.models.model import first_problem
from webquarry.net.client.response import FetchedResponse
from webquarry.parsing.cpu_alarm import CpuLimitError, run_limited

T = TypeVar("T")
_SECONDS = 0.25  # of CPU time
_SECONDS_PER_BYTE = 0.2 / 2**20
_SNIFFED_BYTES = 64


def decode_json(model: type[T], response: FetchedResponse, *, provider: str) -> T:
    """Return the response as `model`, which may also be a type like `tuple[_Row, ...]`."""
    content = json_content(response, provider)
    # parsing JSON takes time in proportion to its length; validators of a model may take more
    seconds = _SECONDS + len(content) * _SECONDS_PER_BYTE
    try:
        return run_limited(partial(_adapter(model).validate_json, content), seconds)
    except ValidationError as error:
        raise unexpected(provider, first_problem(error)) from error
    except CpuLimitError as error:
        raise unexpected(provider, "it needs more work to read than is allowed") from error


def json_content(response: FetchedResponse, provider: str) -> bytes:
    """Return the content as UTF-8; raise `PayloadError` for a web page or nothing."""
    content = _utf8(response, provider)
    start = content[:_SNIFFED_BYTES].lstrip() or content.lstrip()
    if start[:1] == b"<":
        raise unexpected(provider, "a web page or XML instead of JSON")
    if not start:
        raise unexpected(provider, "the response is empty")
    return content


@cache
def _adapter(model: Any) -> TypeAdapter[Any]:
    return TypeAdapter(model)


def _utf8(response: FetchedResponse, provider: str) -> bytes:
    """Return the content as UTF-8, whatever its charset."""
    content = response.content.removeprefix(codecs.BOM_UTF8)
    if content.isascii():  # the usual case, and cheap to check
        return content
    charset = response.headers.parameter("content-type", "charset").lower()
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        charset = "utf-16"
    try:
        content.decode()
    except UnicodeDecodeError:
        try:
            return content.decode(charset or "utf-8").encode()
        except (LookupError, UnicodeError) as error:
            raise unexpected(provider, "it is not valid in its charset") from error
    return content


def unexpected(provider: str, reason: str) -> PayloadError:
    """Return the error for a response that cannot be read."""
    return PayloadError(
        f"Unexpected response ({provider}): {reason}. Try a different provider.", provider=provider
    )

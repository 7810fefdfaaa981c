"""Decodes the JSON of an upstream into a model, or raises `PayloadError` with the reason."""

import codecs
from functools import cache
from typing import Any, TypeVar

from pydantic import TypeAdapter, ValidationError

from webquarry.errors import PayloadError
from webquarry.net.client.response import FetchedResponse

T = TypeVar("T")


def decode_json(model: type[T], response: FetchedResponse, *, provider: str) -> T:
    """Return the response as `model`, which may also be a type like `tuple[_Row, ...]`."""
    content = _utf8(response, provider)
    if content.lstrip()[:1] == b"<":
        raise _unexpected(provider, "a web page or XML instead of JSON")
    if not content.strip():
        raise _unexpected(provider, "the response is empty")
    try:
        return _adapter(model).validate_json(content)
    except ValidationError as error:
        raise _unexpected(provider, _first_problem(error)) from error


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
            raise _unexpected(provider, "it is not valid in its charset") from error
    return content


def _first_problem(error: ValidationError) -> str:
    # without the value, which may be a secret
    first = error.errors(include_url=False, include_input=False, include_context=False)[0]
    field = ".".join(str(part) for part in first["loc"])
    return f"{field}: {first['msg']}" if field else first["msg"]


def _unexpected(provider: str, reason: str) -> PayloadError:
    return PayloadError(
        f"Unexpected response ({provider}): {reason}. Try a different provider.", provider=provider
    )

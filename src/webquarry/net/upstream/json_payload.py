"""Reads the JSON of an upstream into a model, or says what is wrong with it."""

import codecs
from functools import cache
from typing import Any, TypeVar

from pydantic import TypeAdapter, ValidationError

from webquarry.errors import PayloadError
from webquarry.net.upstream.http_port import Response

T = TypeVar("T")


def decode(model: type[T], response: Response, *, provider: str) -> T:
    """Return the answer as `model`, which may also be a type like `tuple[_Row, ...]`."""
    content = _utf8(response, provider)
    if content.lstrip()[:1] == b"<":
        raise _wrong(provider, "a web page or XML came instead of JSON")
    if not content.strip():
        raise _wrong(provider, "the answer is empty")
    try:
        return _adapter(model).validate_json(content)
    except ValidationError as error:
        raise _wrong(provider, _first_wrong(error)) from error


@cache
def _adapter(model: Any) -> TypeAdapter[Any]:
    return TypeAdapter(model)


def _utf8(response: Response, provider: str) -> bytes:
    """Return the content as UTF-8, which JSON should have been."""
    content = response.content.removeprefix(codecs.BOM_UTF8)
    if content.isascii():  # most is, and that is seen at once
        return content
    declared = response.headers.parameter("content-type", "charset").lower()
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        declared = "utf-16"
    try:
        content.decode()
    except UnicodeDecodeError:
        try:
            return content.decode(declared or "utf-8").encode()
        except (LookupError, UnicodeError) as error:
            raise _wrong(provider, "its charset is not what it says") from error
    return content


def _first_wrong(error: ValidationError) -> str:
    # the value itself stays out: it may be anything, also a secret
    first = error.errors(include_url=False, include_input=False, include_context=False)[0]
    place = ".".join(str(part) for part in first["loc"])
    return f"{place}: {first['msg']}" if place else first["msg"]


def _wrong(provider: str, what: str) -> PayloadError:
    return PayloadError(
        f"Unexpected answer ({provider}): {what}. Try a different provider.", provider=provider
    )

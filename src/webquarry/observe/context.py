"""What the current call is, for log lines and audit events written on its behalf."""

import os
import re
from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar

request_id: ContextVar[str] = ContextVar("request_id", default="")
tool: ContextVar[str] = ContextVar("tool", default="")
# tenant and user of a caller who proved who they are
person: ContextVar[tuple[str, str] | None] = ContextVar("person", default=None)

_LONGEST = 200
# an id comes from a header: it must not be able to start a new line of a log
_UNSAFE = re.compile(r"[^\x21-\x7e]")


def new_request_id() -> str:
    """Return an id for a request that brought none."""
    return os.urandom(16).hex()


def clean_request_id(given: str) -> str:
    """Return an id a client sent, without what could harm a log; a new one if nothing is left."""
    return _UNSAFE.sub("", given)[:_LONGEST] or new_request_id()


@contextmanager
def bind_call(given: str | None = None, tool_name: str = "") -> Generator[str]:
    """Name the request and its tool for everything logged inside; yields the id in use."""
    chosen = clean_request_id(given or "")
    tokens = request_id.set(chosen), tool.set(tool_name)
    try:
        yield chosen
    finally:
        request_id.reset(tokens[0])
        tool.reset(tokens[1])


@contextmanager
def bind_person(tenant: str, user: str) -> Generator[None]:
    """Name the person for whom everything inside is done."""
    token = person.set((tenant, user))
    try:
        yield
    finally:
        person.reset(token)

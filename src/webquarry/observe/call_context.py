"""What the current call is, for log lines and audit events written on its behalf."""

import os
import re
from contextvars import ContextVar, Token
from typing import Generic, TypeVar

T = TypeVar("T")

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


class CallContext(Generic[T]):
    """A block inside which a variable has this value; every call enters several of these.

    A class, because entering and leaving a generator costs three times as much.
    """

    __slots__ = ("_token", "_value", "_variable")

    def __init__(self, variable: ContextVar[T], value: T) -> None:
        self._variable = variable
        self._value = value

    def __enter__(self) -> T:
        self._token: Token[T] = self._variable.set(self._value)
        return self._value

    def __exit__(self, *_: object) -> None:
        self._variable.reset(self._token)


class ActiveCall:
    """A block inside which a request has this id, and its tool this name."""

    __slots__ = ("_chosen", "_tokens", "_tool")

    def __init__(self, chosen: str, tool_name: str) -> None:
        self._chosen = chosen
        self._tool = tool_name

    def __enter__(self) -> str:
        self._tokens = request_id.set(self._chosen), tool.set(self._tool)
        return self._chosen

    def __exit__(self, *_: object) -> None:
        request_id.reset(self._tokens[0])
        tool.reset(self._tokens[1])


def bind_call(given: str | None = None, tool_name: str = "") -> ActiveCall:
    """Name the request and its tool for everything logged inside; gives the id in use."""
    return ActiveCall(clean_request_id(given or ""), tool_name)


def bind_person(tenant: str, user: str) -> CallContext[tuple[str, str] | None]:
    """Name the person for whom everything inside is done."""
    return CallContext(person, (tenant, user))

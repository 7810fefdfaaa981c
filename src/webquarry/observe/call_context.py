"""The current call: its request id and tool for log lines, its provider calls, its record."""

import os
import re
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar, Token
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from webquarry.models.caller import Caller

    # most calls query no provider
    from webquarry.models.session import ProviderCall

request_id: ContextVar[str] = ContextVar("request_id", default="")
tool: ContextVar[str] = ContextVar("tool", default="")
caller: ContextVar["Caller | None"] = ContextVar("caller", default=None)
provider_calls: ContextVar["list[ProviderCall] | None"] = ContextVar("provider_calls", default=None)

_MAX_ID_LENGTH = 200
# request ids come from a header: control characters could start a new log line
_UNSAFE_IN_ID = re.compile(r"[^\x21-\x7e]")


@dataclass(frozen=True)
class CallRecord:
    """What is recorded about a finished call."""

    tool: str
    caller: "Caller"
    request_id: str
    seconds: float
    query: str | None  # of a tool that takes a query
    outcome: str  # ok, cancelled, or the kind of the error
    message: str = ""
    cached: bool = False
    routing: Mapping[str, Any] | None = None
    spent: Mapping[str, Any] | None = None  # the provider that was paid, and how much
    subject: str = ""  # what the call was about: its query, URL or reference
    verdict: Mapping[str, Any] | None = None  # of a check


def new_request_id() -> str:
    """Return an id for a request without one."""
    return os.urandom(16).hex()


def clean_request_id(given: str) -> str:
    """Return the id that a client sent, safe for logs; a new one if nothing is left of it."""
    return _UNSAFE_IN_ID.sub("", given)[:_MAX_ID_LENGTH] or new_request_id()


@dataclass(slots=True)
class ActiveCall:
    """A block that belongs to one call.

    A class, because a generator costs three times as much for each call.
    """

    call_id: str  # clean
    tool_name: str = ""
    provider_calls: "list[ProviderCall] | None" = None  # `log_provider_call` adds to it
    caller: "Caller | None" = None
    _tokens: tuple[
        Token[str], Token[str], "Token[list[ProviderCall] | None]", "Token[Caller | None]"
    ] = field(init=False)

    def __enter__(self) -> None:
        self._tokens = (
            request_id.set(self.call_id),
            tool.set(self.tool_name),
            provider_calls.set(self.provider_calls),
            caller.set(self.caller),
        )

    def __exit__(self, *_: object) -> None:
        request_id.reset(self._tokens[0])
        tool.reset(self._tokens[1])
        provider_calls.reset(self._tokens[2])
        caller.reset(self._tokens[3])


def log_provider_call(call: "ProviderCall") -> None:
    """Add a query to a provider to the list of the current call, if there is one."""
    collected = provider_calls.get()
    if collected is not None:
        collected.append(call)


@contextmanager
def collect_provider_calls(calls: "list[ProviderCall]") -> Generator[None]:
    """Add the provider calls inside the block to this list instead of that of the call."""
    token = provider_calls.set(calls)
    try:
        yield
    finally:
        provider_calls.reset(token)

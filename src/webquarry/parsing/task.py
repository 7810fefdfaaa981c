"""A function that parses foreign content, and the call of it in the worker process."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar, get_type_hints

from pydantic import TypeAdapter
from pydantic_core import PydanticSerializationError

from webquarry.errors import ParseLimitError, WebquarryError

P = ParamSpec("P")
T = TypeVar("T")
# libxml2 takes time quadratic in the attributes of one tag: 0.15 s for so many bytes of them
INLINE_BYTES = 131_072
WORKER_ONLY = -1  # for `inline_bytes`


@dataclass(frozen=True, slots=True)
class ParseTask(Generic[P, T]):
    """A function of a module, the content it parses, and its limits.

    Its arguments and result can be written as JSON; its annotations say how they are read back.
    """

    function: Callable[Concatenate[bytes, P], T]
    subject: str  # for errors: "The page https://…"
    inline_bytes: int = INLINE_BYTES  # longer content is parsed by a worker process only
    seconds: float = 3.0  # of CPU time in a worker process
    error: type[WebquarryError] = ParseLimitError

    @property
    def name(self) -> str:
        """The function for the worker process."""
        return f"{self.function.__module__}:{self.function.__qualname__}"

    def read_result(self, reply: bytes) -> T:
        """Return a result that a worker sent; raise `ValueError` for an invalid one."""
        return _adapters(self.function)["return"].validate_json(reply)


def call_for_reply(content: bytes, *, function: str, arguments: dict[str, Any]) -> bytes:
    """Call a function in the worker process and return its result as JSON."""
    module, _, name = function.partition(":")
    found = getattr(import_module(module), name)
    adapters = _adapters(found)
    given = {key: adapters[key].validate_python(value) for key, value in arguments.items()}
    result = found(content, **given)
    try:
        return adapters["return"].dump_json(result)
    except PydanticSerializationError:  # lone surrogates cannot be encoded as UTF-8
        plain = adapters["return"].dump_python(result, mode="json")
        return json.dumps(plain, ensure_ascii=False).encode("utf-8", "replace")


@cache
def _adapters(function: Callable[..., Any]) -> dict[str, TypeAdapter[Any]]:
    hints = get_type_hints(function)
    return {name: TypeAdapter[Any](hint) for name, hint in hints.items()}

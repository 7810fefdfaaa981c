"""Functions that the tests run as parse tasks."""

import os
import signal
from collections.abc import Callable
from typing import Any

from pydantic import BaseModel

from webquarry.errors import BadInputError


class Counted(BaseModel):
    """The result of `count`."""

    size: int
    process: int
    name: str = ""


def count(content: bytes, *, name: str = "") -> Counted:
    """Return the size of the content and the process that counted it."""
    return Counted(size=len(content), process=os.getpid(), name=name)


def endless(content: bytes) -> Counted:
    """Never return, unless the content asks for a signal."""
    if content.startswith(b"kill"):
        os.kill(os.getpid(), signal.SIGKILL)
    while True:
        pass


def fail(content: bytes) -> Counted:
    """Raise the error that the content names."""
    raise _ERRORS[content.decode()]()


def pair(content: bytes, *, at: tuple[int, Counted]) -> tuple[str, Counted]:
    """Return text with a character that UTF-8 cannot encode, and the argument."""
    return content.decode("utf-8", "surrogateescape"), at[1]


def deep(_content: bytes) -> Counted:
    """Recurse for ever."""
    return deep(_content)


_ERRORS: dict[str, Callable[[], Any]] = {
    "input": lambda: BadInputError("the content is bad"),
    "memory": MemoryError,
    "bug": lambda: ZeroDivisionError("oops"),
}

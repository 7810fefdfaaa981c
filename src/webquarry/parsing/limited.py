"""Parses foreign content in this process, without a worker process to continue."""

from collections.abc import Callable
from typing import TypeVar

from webquarry.errors import ParseLimitError, WebquarryError
from webquarry.parsing.cpu_alarm import CpuLimitError, run_limited

_SECONDS = 0.1
_T = TypeVar("_T")


def parse_limited(
    work: Callable[[], _T],
    subject: str,
    *,
    seconds: float = _SECONDS,
    error: type[WebquarryError] = ParseLimitError,
) -> _T:
    """Return the result of the work; raise the error if it takes too much CPU time.

    For content that is short, or that a worker process has parsed before: `subject` is "The page
    https://…" in "The page https://… needs more work to read than is allowed".
    """
    try:
        return run_limited(work, seconds)
    except CpuLimitError as exceeded:
        raise error(
            f"{subject} needs more work to read than is allowed ({seconds:g} seconds of CPU time)"
        ) from exceeded

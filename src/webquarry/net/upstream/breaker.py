"""Leaves a failing upstream alone for a while."""

# written here because purgatory reads the wall clock, needs Redis and takes 13 MB to import

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Literal

from webquarry.errors import NetworkError, RateLimitError, WebquarryError
from webquarry.net.upstream.status_errors import UnavailableError

State = Literal["closed", "open", "half_open"]
# a header may ask for days, but conditions change
LONGEST_PAUSE = 3600.0


@dataclass(frozen=True)
class Health:
    """The state of one upstream, for diagnostics and routing."""

    state: State
    failures: int
    retry_after: float  # seconds until it is asked again; 0 unless open


class PausedError(Exception):
    """The upstream is not being asked now."""

    def __init__(self, seconds: float, *, limited: bool) -> None:
        super().__init__(f"paused for {seconds:g} s")
        self.seconds = seconds
        self.limited = limited  # by a rate limit rather than by failures


class Breaker:
    """Opens after failures in a row or at a rate limit; then one request tries whether it works."""

    def __init__(self, *, failures: int, pause: float, now: Callable[[], float]) -> None:
        self._most = failures
        self._pause = pause
        self._now = now
        self._failures = 0
        self._until: float | None = None  # None while closed
        self._limited = False
        self._trying = False

    @property
    def health(self) -> Health:
        """The present state."""
        if self._until is None:
            return Health("closed", self._failures, 0.0)
        left = max(0.0, self._until - self._now())
        return Health("open" if left else "half_open", self._failures, left)

    @asynccontextmanager
    async def guard(self) -> AsyncGenerator[None]:
        """Refuse with `PausedError`, or run the block and learn from how it ends."""
        trial = self._admit()
        try:
            yield
        except WebquarryError as error:
            self._judge(error, trial=trial)
            raise
        else:
            self._well(trial=trial)
        finally:
            # also when the caller went away: the next request tries again
            if trial:
                self._trying = False

    def limit(self, seconds: float) -> None:
        """Stay away for so long: the upstream said so inside an answer that looked well."""
        self._open(min(seconds, LONGEST_PAUSE), limited=True)

    def _admit(self) -> bool:
        if self._until is None:
            return False
        left = self._until - self._now()
        if left > 0 or self._trying:
            raise PausedError(max(left, 1.0), limited=self._limited)
        self._trying = True
        return True

    def _judge(self, error: WebquarryError, *, trial: bool) -> None:
        if isinstance(error, RateLimitError):
            self._open(min(error.retry_after or self._pause, LONGEST_PAUSE), limited=True)
        elif isinstance(error, NetworkError | UnavailableError):
            self._failures += 1
            if trial or self._failures >= self._most:
                self._open(self._pause, limited=False)
        else:
            self._well(trial=trial)  # it did answer

    def _open(self, seconds: float, *, limited: bool) -> None:
        self._until = self._now() + seconds
        self._limited = limited

    def _well(self, *, trial: bool) -> None:
        # a request sent before the breaker opened proves nothing
        if trial or self._until is None:
            self._until = None
            self._failures = 0

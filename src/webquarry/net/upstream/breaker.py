"""Circuit breaker: stops requests to an upstream that keeps failing, for a while."""

# not purgatory, which reads the wall clock, needs Redis and takes 13 MB to import

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Literal

from webquarry.errors import NetworkError, RateLimitError, WebquarryError
from webquarry.net.upstream.status_errors import UnavailableError

State = Literal["closed", "open", "half_open"]
# Retry-After may be days, but conditions change sooner
MAX_PAUSE = 3600.0


@dataclass(frozen=True)
class UpstreamHealth:
    """The state of one upstream, for diagnostics and routing."""

    state: State
    failures: int
    retry_after: float  # seconds until the next request; 0 unless open


class CircuitOpenError(Exception):
    """The circuit breaker is open: no request was sent."""

    def __init__(self, seconds: float, *, limited: bool) -> None:
        super().__init__(f"paused for {seconds:g} s")
        self.seconds = seconds
        self.limited = limited  # by a rate limit rather than by failures


class Breaker:
    """Opens after consecutive failures or a rate limit; later one trial request may close it."""

    def __init__(self, *, failures: int, pause: float, now: Callable[[], float]) -> None:
        self._max_failures = failures
        self._pause = pause
        self._now = now
        self._failures = 0
        self._open_until: float | None = None  # None while closed
        self._limited = False
        self._trial_running = False

    @property
    def health(self) -> UpstreamHealth:
        """The present state."""
        if self._open_until is None:
            return UpstreamHealth("closed", self._failures, 0.0)
        left = max(0.0, self._open_until - self._now())
        return UpstreamHealth("open" if left else "half_open", self._failures, left)

    @asynccontextmanager
    async def guard(self) -> AsyncGenerator[None]:
        """Raise `CircuitOpenError`, or run the block and record its outcome."""
        trial = self._admit()
        try:
            yield
        except WebquarryError as error:
            self._record_error(error, trial=trial)
            raise
        else:
            self._record_success(trial=trial)
        finally:
            # also when cancelled, so that the next request becomes the trial
            if trial:
                self._trial_running = False

    def open_for_rate_limit(self, seconds: float) -> None:
        """Open because of a rate limit that was reported in the body of a success."""
        self._open(min(seconds, MAX_PAUSE), limited=True)

    def _admit(self) -> bool:
        """Return whether this request is a trial; raise while the breaker is open."""
        if self._open_until is None:
            return False
        left = self._open_until - self._now()
        if left > 0 or self._trial_running:
            raise CircuitOpenError(max(left, 1.0), limited=self._limited)
        self._trial_running = True
        return True

    def _record_error(self, error: WebquarryError, *, trial: bool) -> None:
        if isinstance(error, RateLimitError):
            self._open(min(error.retry_after or self._pause, MAX_PAUSE), limited=True)
        elif isinstance(error, NetworkError | UnavailableError):
            self._failures += 1
            if trial or self._failures >= self._max_failures:
                self._open(self._pause, limited=False)
        else:
            self._record_success(trial=trial)  # the upstream did respond

    def _open(self, seconds: float, *, limited: bool) -> None:
        self._open_until = self._now() + seconds
        self._limited = limited

    def _record_success(self, *, trial: bool) -> None:
        # ignore requests that were sent before the breaker opened
        if trial or self._open_until is None:
            self._open_until = None
            self._failures = 0

"""One upstream API: its address, pace, patience and the words for its failures.

Adapters get an `UpstreamApi` from `Upstreams` and see answers only; everything else is raised.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from webquarry.errors import (
    BlockedError,
    NetworkError,
    PayloadError,
    ProviderError,
    WebquarryError,
)
from webquarry.net.clock import Clock
from webquarry.net.upstream import json_payload, status_errors
from webquarry.net.upstream.breaker import Breaker, Health, PausedError
from webquarry.net.upstream.http_port import MOST_BYTES, Http, Params, Request, Response
from webquarry.net.upstream.rate_limiter import LimitsRate, RateLimiter
from webquarry.observe.trace import span

T = TypeVar("T")

_FIRST_BACKOFF = 0.25
_REPEATABLE = frozenset({"GET", "HEAD"})


@dataclass(frozen=True, kw_only=True)
class ApiLimits:
    """What one upstream is asked and given."""

    timeout: float = 10.0  # seconds of one try
    deadline: float = 20.0  # seconds of all tries together
    tries: int = 3
    per_second: float = 0.0  # requests; 0 = as many as come
    burst: int = 1
    max_bytes: int = MOST_BYTES
    failures: int = 5  # in a row, until the upstream is left alone
    pause: float = 60.0  # seconds it is left alone


class UpstreamApi:
    """The door to one upstream. Every error names it."""

    def __init__(
        self,
        http: Http,
        *,
        name: str,
        base_url: str,
        limits: ApiLimits | None = None,
        clock: Clock | None = None,
        pace: LimitsRate | None = None,
    ) -> None:
        self.name = name
        self.base_url = base_url.rstrip("/")
        self._http = http
        self._limits = limits or ApiLimits()
        self._clock = clock or Clock()
        self._breaker = Breaker(
            failures=self._limits.failures, pause=self._limits.pause, now=self._clock.now
        )
        self._pace = pace or RateLimiter(
            self._limits.per_second, burst=self._limits.burst, clock=self._clock
        )

    @property
    def health(self) -> Health:
        """Whether this upstream is being asked."""
        return self._breaker.health

    async def get(
        self,
        path: str = "",
        *,
        params: Params | None = None,
        headers: Mapping[str, str] | None = None,
        expect: Collection[int] = (),
    ) -> Response:
        """GET below the base URL; statuses in `expect` are returned instead of raised."""
        request = Request(url=self._url(path), params=params or {}, headers=headers or {})
        return await self.send(request, expect=expect)

    async def post(
        self,
        path: str = "",
        *,
        json: Any = None,
        params: Params | None = None,
        headers: Mapping[str, str] | None = None,
        expect: Collection[int] = (),
    ) -> Response:
        """POST JSON below the base URL, once; statuses in `expect` are returned, not raised."""
        request = Request(
            method="POST",
            url=self._url(path),
            params=params or {},
            headers=headers or {},
            json=json,
        )
        return await self.send(request, expect=expect)

    async def submit(
        self,
        path: str = "",
        *,
        form: Params,
        headers: Mapping[str, str] | None = None,
        expect: Collection[int] = (),
    ) -> Response:
        """POST a form below the base URL, once; statuses in `expect` are returned, not raised."""
        request = Request(method="POST", url=self._url(path), headers=headers or {}, form=form)
        return await self.send(request, expect=expect)

    async def send(
        self, request: Request, *, expect: Collection[int] = (), limits: ApiLimits | None = None
    ) -> Response:
        """Send any request; `limits` of its own change how long it may take and how often."""
        with span("upstream", provider=self.name, method=request.method):
            try:
                async with self._breaker.guard():
                    return await self._tries(request, expect, limits or self._limits)
            except PausedError as error:
                raise self._paused(error) from error

    def limited(self, seconds: float | None = None) -> ProviderError:
        """Return the error for a limit told inside an answer, and leave the upstream alone."""
        error = status_errors.rate_limited(self.name, seconds)
        self._breaker.limit(error.retry_after or self._limits.pause)
        return error

    def decode(self, model: type[T], response: Response) -> T:
        """Return the JSON of an answer as `model`."""
        return json_payload.decode(model, response, provider=self.name)

    def _url(self, path: str) -> str:
        return f"{self.base_url}/{path.lstrip('/')}" if path else self.base_url

    async def _tries(
        self, request: Request, expect: Collection[int], limits: ApiLimits
    ) -> Response:
        ends = self._clock.now() + limits.deadline
        tries = limits.tries if request.method in _REPEATABLE else 1
        timed = replace(request, timeout=limits.timeout, max_bytes=limits.max_bytes)
        for number in range(1, tries + 1):
            try:
                return await self._once(timed, expect, ends)
            except (NetworkError, status_errors.UnavailableError) as error:
                wait = self._backoff(number, error)
                if number == tries or self._clock.now() + wait >= ends:
                    raise
                await self._clock.sleep(wait)
        raise AssertionError("the last try returns or raises")

    async def _once(self, request: Request, expect: Collection[int], ends: float) -> Response:
        left = ends - self._clock.now()
        if self._pace.wait >= left:
            raise status_errors.rate_limited(self.name, self._pace.wait)
        await self._pace.turn()
        left = ends - self._clock.now()
        try:
            response = await self._http.send(replace(request, timeout=min(request.timeout, left)))
        except (NetworkError, PayloadError, BlockedError) as error:
            raise self._named(error) from error
        if response.status < 300 or response.status in expect:
            return response
        raise status_errors.error_of(self.name, response, self._clock.today())

    def _backoff(self, number: int, error: ProviderError) -> float:
        if isinstance(error, status_errors.UnavailableError) and error.retry_after:
            return error.retry_after
        return _FIRST_BACKOFF * 2 ** (number - 1) * (0.5 + self._clock.chance())

    def _named(self, error: WebquarryError) -> WebquarryError:
        """Return an error of the transport with the provider in it."""
        if isinstance(error, NetworkError):
            return NetworkError(
                f"Network error ({self.name}): {error}. Retry, or try a different provider.",
                provider=self.name,
                details=error.details,
            )
        return PayloadError(
            f"Unexpected answer ({self.name}): {error}. Try a different provider.",
            provider=self.name,
        )

    def _paused(self, error: PausedError) -> ProviderError:
        if error.limited:
            return status_errors.rate_limited(self.name, error.seconds)
        return ProviderError(
            f"Paused ({self.name}) after repeated failures. "
            f"Retry in {error.seconds:.0f} seconds, or try a different provider.",
            provider=self.name,
            retry_after=error.seconds,
            details={"detail": "circuit_open"},
        )

"""One upstream API: base URL, rate limit, retries, deadline, circuit breaker, error messages.

Adapters get an `UpstreamApi` from `Upstreams`. It returns responses and raises everything else.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

from webquarry.errors import (
    BlockedError,
    NetworkError,
    PayloadError,
    ProviderError,
)
from webquarry.net.client.response import FetchedResponse
from webquarry.net.clock import Clock
from webquarry.net.upstream import json_payload, status_errors
from webquarry.net.upstream.breaker import Breaker, CircuitOpenError, UpstreamHealth
from webquarry.net.upstream.http_port import MAX_RESPONSE_BYTES, ApiRequest, Http, Params
from webquarry.net.upstream.rate_limiter import LimitsRate, RateLimiter
from webquarry.observe.trace import span

if TYPE_CHECKING:
    from webquarry.parsing.parsers import Parsers

P = ParamSpec("P")
T = TypeVar("T")

_FIRST_BACKOFF = 0.25
_IDEMPOTENT = frozenset({"GET", "HEAD"})
_PARSE_SECONDS = 8.0  # of CPU time, for a large table


@dataclass(frozen=True, kw_only=True)
class ApiLimits:
    """Timeouts, retries, rate limit and size limit of one upstream."""

    timeout: float = 10.0  # seconds of one try
    deadline: float = 20.0  # seconds of all tries together
    tries: int = 3
    per_second: float = 0.0  # requests; 0 = unlimited
    burst: int = 1
    max_bytes: int = MAX_RESPONSE_BYTES
    failures: int = 5  # in a row, until the circuit breaker opens
    pause: float = 60.0  # seconds it stays open


class UpstreamApi:
    """Client of one upstream API. Every error names it."""

    def __init__(
        self,
        http: Http,
        *,
        name: str,
        base_url: str,
        limits: ApiLimits | None = None,
        clock: Clock | None = None,
        rate_limiter: LimitsRate | None = None,
    ) -> None:
        self.name = name
        self.base_url = base_url.rstrip("/")
        self._http = http
        self._limits = limits or ApiLimits()
        self.key_advice: Callable[[str], str] | None = None  # by the name of the upstream
        self.parsers: Callable[[], Parsers] = new_parsers
        self._clock = clock or Clock()
        self._breaker = Breaker(
            failures=self._limits.failures, pause=self._limits.pause, now=self._clock.monotonic
        )
        self._rate_limiter = rate_limiter or RateLimiter(
            self._limits.per_second, burst=self._limits.burst, clock=self._clock
        )

    @property
    def health(self) -> UpstreamHealth:
        """The state of the circuit breaker."""
        return self._breaker.health

    async def get(
        self,
        path: str = "",
        *,
        params: Params | None = None,
        headers: Mapping[str, str] | None = None,
        expect: Collection[int] = (),
    ) -> FetchedResponse:
        """GET below the base URL; statuses in `expect` are returned, not raised."""
        request = ApiRequest(url=self._url(path), params=params or {}, headers=headers or {})
        return await self.send(request, expect=expect)

    async def post(
        self,
        path: str = "",
        *,
        json: Any = None,
        form: Params | None = None,
        params: Params | None = None,
        headers: Mapping[str, str] | None = None,
        expect: Collection[int] = (),
    ) -> FetchedResponse:
        """POST JSON or a form, once; statuses in `expect` are returned, not raised."""
        request = ApiRequest(
            method="POST",
            url=self._url(path),
            params=params or {},
            headers=headers or {},
            json=json,
            form=form,
        )
        return await self.send(request, expect=expect)

    async def send(
        self, request: ApiRequest, *, expect: Collection[int] = (), limits: ApiLimits | None = None
    ) -> FetchedResponse:
        """Send any request; `limits` replaces those of the upstream."""
        with span("upstream", provider=self.name, method=request.method):
            try:
                async with self._breaker.guard():
                    return await self._send_with_retries(request, expect, limits or self._limits)
            except CircuitOpenError as error:
                raise self._paused_error(error) from error

    def rate_limited(self, seconds: float | None = None) -> ProviderError:
        """Return the error for a rate limit reported in a body, and pause the upstream."""
        error = status_errors.rate_limited(self.name, seconds)
        self._breaker.open_for_rate_limit(error.retry_after or self._limits.pause)
        return error

    def decode(self, model: type[T], response: FetchedResponse) -> T:
        """Return the JSON of a response as `model`."""
        return json_payload.decode_json(model, response, provider=self.name)

    async def parse(
        self,
        function: Callable[Concatenate[bytes, P], T],
        response: FetchedResponse,
        *args: P.args,
        **arguments: P.kwargs,
    ) -> T:
        """Return what a function of a module reads from JSON that may be long.

        A worker process runs it, unless the response is short.
        """
        content = json_payload.json_content(response, self.name)
        return await self._parse(function, content, *args, **arguments)

    async def parse_page(
        self,
        function: Callable[Concatenate[bytes, P], T],
        response: FetchedResponse,
        *args: P.args,
        **arguments: P.kwargs,
    ) -> T:
        """Return what a function of a module reads from a web page, which it gets as UTF-8."""
        content = response.text.encode("utf-8", "replace")
        return await self._parse(function, content, *args, **arguments)

    async def _parse(
        self,
        function: Callable[Concatenate[bytes, P], T],
        content: bytes,
        *args: P.args,
        **arguments: P.kwargs,
    ) -> T:
        # imported here because most calls parse short responses
        from webquarry.parsing.task import ParseTask

        task = ParseTask(
            function,
            f"The response of {self.name}",
            seconds=_PARSE_SECONDS,
            error=PayloadError,
        )
        try:
            return await self.parsers().run(task, content, *args, **arguments)
        except PayloadError as error:
            raise json_payload.unexpected(self.name, f"{error}".rstrip(".")) from error

    def _url(self, path: str) -> str:
        return f"{self.base_url}/{path.lstrip('/')}" if path else self.base_url

    async def _send_with_retries(
        self, request: ApiRequest, expect: Collection[int], limits: ApiLimits
    ) -> FetchedResponse:
        start = self._clock.monotonic()
        deadline = start + limits.deadline
        tries = limits.tries if request.method in _IDEMPOTENT else 1
        request = replace(request, timeout=limits.timeout, max_bytes=limits.max_bytes)
        for attempt in range(1, tries + 1):
            try:
                return await self._send_once(request, expect, deadline)
            except (NetworkError, status_errors.UnavailableError) as error:
                wait = self._backoff(attempt, error)
                if attempt == tries or self._clock.monotonic() + wait >= deadline:
                    if not isinstance(error, NetworkError):
                        raise
                    seconds = self._clock.monotonic() - start
                    raise self._unreachable(error, attempt, seconds) from error
                await self._clock.sleep(wait)
        raise AssertionError("the last try returns or raises")

    async def _send_once(
        self, request: ApiRequest, expect: Collection[int], deadline: float
    ) -> FetchedResponse:
        left = deadline - self._clock.monotonic()
        if self._rate_limiter.wait >= left:
            raise status_errors.rate_limited(self.name, self._rate_limiter.wait)
        await self._rate_limiter.acquire()
        left = deadline - self._clock.monotonic()
        try:
            response = await self._http.send(replace(request, timeout=min(request.timeout, left)))
        except (PayloadError, BlockedError) as error:
            raise json_payload.unexpected(self.name, str(error)) from error
        if response.status < 300 or response.status in expect:
            return response
        advice = self.key_advice(self.name) if self.key_advice else ""
        raise status_errors.error_for_status(self.name, response, self._clock.time(), advice)

    def _backoff(self, attempt: int, error: ProviderError) -> float:
        if isinstance(error, status_errors.UnavailableError) and error.retry_after:
            return error.retry_after
        return _FIRST_BACKOFF * 2 ** (attempt - 1) * (0.5 + self._clock.random())

    def _unreachable(self, error: NetworkError, tries: int, seconds: float) -> NetworkError:
        """Return the error of the last try with the name of the upstream and the whole time."""
        reason = str(error)
        if isinstance(error.__cause__, TimeoutError):
            reason = f"no response within {seconds:.3g} seconds"
        if tries > 1:
            reason = f"{reason} ({tries} tries)"
        return NetworkError(
            f"Could not reach {self.name}: {reason}. Retry, or try a different provider.",
            provider=self.name,
            details=error.details,
        )

    def _paused_error(self, error: CircuitOpenError) -> ProviderError:
        if error.limited:
            return status_errors.rate_limited(self.name, error.seconds)
        return ProviderError(
            f"Paused ({self.name}) after repeated failures. "
            f"Retry in {error.seconds:.0f} seconds, or try a different provider.",
            provider=self.name,
            retry_after=error.seconds,
            details={"detail": "circuit_open"},
        )


def new_parsers() -> "Parsers":
    """Return parsers of their own, for programs without shared ones."""
    from webquarry.parsing.parsers import Parsers

    return Parsers()

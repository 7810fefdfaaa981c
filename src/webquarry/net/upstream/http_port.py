"""The HTTP port of all upstream APIs: one request, one response of any status.

`WreqHttp` is for hosts that the operator chose. Pages of any other host go through `Fetcher`.
"""

import asyncio
import json as jsonlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol
from urllib.parse import quote_plus

from webquarry.errors import BlockedError, NetworkError
from webquarry.net.client.request import HttpRequest, redirect_method, redirect_target
from webquarry.net.client.response import FetchedResponse
from webquarry.net.client.wreq_client import ClientOptions, HttpClient
from webquarry.net.guard.server import Guard
from webquarry.net.url import Url, parse
from webquarry.version import __version__

Scalar = str | int | float | bool
Params = Mapping[str, Scalar | Sequence[Scalar] | None]

USER_AGENT = f"webquarry/{__version__}"
MAX_RESPONSE_BYTES = 5 * 2**20
_MAX_REDIRECTS = 5
_UNRESERVED = re.compile(r"[A-Za-z0-9_.~ -]*")  # needs no percent-encoding in a query
_SAFE_FOR_OTHER_HOSTS = frozenset({"accept", "accept-language", "user-agent"})


@dataclass(frozen=True, kw_only=True)
class ApiRequest:
    """One request to an API. At most one of `body`, `json` and `form` is sent."""

    method: str = "GET"
    url: str
    params: Params = field(default_factory=dict[str, Scalar])
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    body: bytes | None = None
    json: Any = None
    form: Params | None = None
    timeout: float = 15.0
    max_bytes: int = MAX_RESPONSE_BYTES

    @property
    def full_url(self) -> str:
        """The URL with its query parameters."""
        query = encode_query(self.params)
        separator = "&" if "?" in self.url else "?"
        return f"{self.url}{separator}{query}" if query else self.url

    @property
    def payload(self) -> tuple[bytes | None, str]:
        """The bytes to send and their content type."""
        if self.json is not None:
            text = jsonlib.dumps(self.json, ensure_ascii=False, separators=(",", ":"))
            return text.encode(), "application/json"
        if self.form is not None:
            return encode_query(self.form).encode(), "application/x-www-form-urlencoded"
        return self.body, ""


class Http(Protocol):
    """Sends one request."""

    async def send(self, request: ApiRequest) -> FetchedResponse:
        """Return the response, whatever its status; raise `NetworkError` if there is none."""
        ...


def encode_query(params: Params) -> str:
    """Return parameters as a query string: None is left out, a list repeats the name."""
    pairs: list[str] = []
    for name, given in params.items():
        if given is None:
            continue
        values = (given,) if isinstance(given, (str, int, float)) else given
        pairs += [f"{_quote(name)}={_quote(value)}" for value in values]
    return "&".join(pairs)


def _quote(value: Scalar) -> str:
    text = str(value).lower() if isinstance(value, bool) else str(value)
    # nearly always true, and much cheaper than quote_plus
    return text.replace(" ", "+") if _UNRESERVED.fullmatch(text) else quote_plus(text)


class WreqHttp:
    """`Http` with our own user agent and without cookies.

    A redirect to another origin goes through the guard, because its author is not the operator;
    without a guard it is refused.
    """

    def __init__(self, options: ClientOptions | None = None, *, guard: Guard | None = None) -> None:
        self._client = HttpClient(replace(options or ClientOptions(), user_agent=USER_AGENT))
        self._guard = guard

    async def send(self, request: ApiRequest) -> FetchedResponse:
        try:
            async with asyncio.timeout(request.timeout):
                return await self._follow(_http_request(request), request.max_bytes)
        except TimeoutError as error:
            raise NetworkError(f"no response within {request.timeout:.3g} seconds") from error

    def close(self) -> None:
        """Close all connections."""
        self._client.close()

    async def _follow(self, request: HttpRequest, max_bytes: int) -> FetchedResponse:
        """Send a request and follow its redirects."""
        response = await self._send_once(request, max_bytes)
        if not 300 <= response.status < 400:  # nearly always; saves parsing the URL
            return response
        start = current = parse(request.url)
        for _ in range(_MAX_REDIRECTS):
            target = redirect_target(response.status, response.headers, current)
            if target is None:
                return response
            request = _redirected(request, response.status, target)
            if not _is_same_origin(start, target):
                request = await self._through_guard(request, target)
            response = await self._send_once(request, max_bytes)
            current = target
        if redirect_target(response.status, response.headers, current) is None:
            return response
        raise NetworkError(f"more than {_MAX_REDIRECTS} redirects")

    async def _send_once(self, request: HttpRequest, max_bytes: int) -> FetchedResponse:
        try:
            async with self._client.send(request) as stream:
                return await stream.read_all(max_bytes)
        except NetworkError as error:
            refusal = self._guard.refusal(parse(request.url)) if self._guard else None
            if request.proxy and refusal:
                raise refusal.to_error(request.url) from error
            raise

    async def _through_guard(self, request: HttpRequest, target: Url) -> HttpRequest:
        if self._guard is None:
            raise BlockedError(f"it redirects to another host, {target.host}")
        # API keys must not follow a redirect to another host
        headers = {
            name: value
            for name, value in request.headers.items()
            if name.lower() in _SAFE_FOR_OTHER_HOSTS
        }
        return replace(request, headers=headers, proxy=await self._guard.start())


def _http_request(request: ApiRequest) -> HttpRequest:
    body, content_type = request.payload
    headers = dict(request.headers)
    if content_type and "content-type" not in {name.lower() for name in headers}:
        headers["Content-Type"] = content_type
    return HttpRequest(
        method=request.method,
        url=request.full_url,
        headers=headers,
        body=body,
        timeout=request.timeout,
    )


def _redirected(request: HttpRequest, status: int, target: Url) -> HttpRequest:
    method = redirect_method(status, request.method)
    body = request.body if method == request.method else None
    return replace(request, method=method, url=target.href, body=body, proxy="")


def _is_same_origin(start: Url, target: Url) -> bool:
    """Return whether both have the same origin, an upgrade to https included."""
    upgraded = start.host == target.host and start.port == 80 and target.port == 443
    return upgraded or start.origin == target.origin

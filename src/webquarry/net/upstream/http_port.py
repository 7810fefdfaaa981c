"""The HTTP port of everything upstream: one request, one answer, whatever its status.

`WreqHttp` is for addresses the operator chose. Pages that anyone may name go through `Fetcher`.
"""

import asyncio
import json as jsonlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol
from urllib.parse import quote_plus

from webquarry.errors import BlockedError, NetworkError, PayloadError
from webquarry.net.client import redirects
from webquarry.net.client.headers import Headers
from webquarry.net.client.outgoing import OutgoingRequest
from webquarry.net.client.response import ResponseBody, ResponseStream
from webquarry.net.client.wreq_client import ClientOptions, HttpClient
from webquarry.net.guard.server import Guard
from webquarry.net.url import Url, parse
from webquarry.version import __version__

Scalar = str | int | float | bool
Params = Mapping[str, Scalar | Sequence[Scalar] | None]

USER_AGENT = f"webquarry/{__version__}"
MOST_BYTES = 5 * 2**20
_MOST_REDIRECTS = 5
_PLAIN = re.compile(r"[A-Za-z0-9_.~ -]*")  # what needs no percent sign in a query
_SAFE_ELSEWHERE = frozenset({"accept", "accept-language", "user-agent"})


@dataclass(frozen=True, kw_only=True)
class Request:
    """One HTTP request. At most one of `body`, `json` and `form` is sent."""

    method: str = "GET"
    url: str
    params: Params = field(default_factory=dict[str, Scalar])
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    body: bytes | None = None
    json: Any = None
    form: Params | None = None
    timeout: float = 15.0
    max_bytes: int = MOST_BYTES

    @property
    def target(self) -> str:
        """Return the URL with the parameters in it."""
        query = encode(self.params)
        joint = "&" if "?" in self.url else "?"
        return f"{self.url}{joint}{query}" if query else self.url

    @property
    def payload(self) -> tuple[bytes | None, str]:
        """Return the bytes to send and their content type."""
        if self.json is not None:
            text = jsonlib.dumps(self.json, ensure_ascii=False, separators=(",", ":"))
            return text.encode(), "application/json"
        if self.form is not None:
            return encode(self.form).encode(), "application/x-www-form-urlencoded"
        return self.body, ""


@dataclass(frozen=True, kw_only=True)
class Response:
    """One answer, decompressed and read to its end."""

    status: int
    headers: Headers = field(default_factory=Headers)
    content: bytes = b""
    url: str = ""  # after redirects

    @property
    def text(self) -> str:
        """Return the content as text; what its charset cannot express becomes U+FFFD."""
        charset = self.headers.parameter("content-type", "charset") or "utf-8"
        try:
            return self.content.decode(charset, "replace")
        except LookupError:
            return self.content.decode("utf-8", "replace")


class Http(Protocol):
    """Sends one request."""

    async def send(self, request: Request) -> Response:
        """Return the answer, whatever its status; raise `NetworkError` when there is none."""
        ...


def encode(params: Params) -> str:
    """Return parameters as a query: None is left out, a list repeats the name."""
    pairs: list[str] = []
    for name, given in params.items():
        if isinstance(given, str):  # nearly always
            pairs.append(f"{_quoted(name)}={_quoted(given)}")
        elif given is not None:
            pairs += [f"{_quoted(name)}={_quoted(_plain(value))}" for value in _each(given)]
    return "&".join(pairs)


def _quoted(text: str) -> str:
    if _PLAIN.fullmatch(text):  # nearly always
        return text.replace(" ", "+")
    return quote_plus(text)


def _each(given: Scalar | Sequence[Scalar]) -> Sequence[Scalar]:
    return (given,) if isinstance(given, (str, int, float)) else given


def _plain(value: Scalar) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


class WreqHttp:
    """`Http` over wreq, under our own name and without cookies.

    A redirect to another place goes through the guard, because whoever wrote it is not the
    operator; without a guard it is refused.
    """

    def __init__(self, wiring: ClientOptions | None = None, *, guard: Guard | None = None) -> None:
        self._engine = HttpClient(replace(wiring or ClientOptions(), user_agent=USER_AGENT))
        self._guard = guard

    async def send(self, request: Request) -> Response:
        try:
            async with asyncio.timeout(request.timeout):
                return await self._follow(request)
        except TimeoutError as error:
            raise NetworkError(f"no answer within {request.timeout:g} seconds") from error

    def close(self) -> None:
        """Close all connections."""
        self._engine.close()

    async def _follow(self, request: Request) -> Response:
        sending = _first(request)
        response = await self._once(sending, request.max_bytes)
        if not 300 <= response.status < 400:  # nearly always
            return response
        home = here = parse(sending.url)
        for _ in range(_MOST_REDIRECTS):
            there = redirects.target(response.status, response.headers, here)
            if there is None:
                return response
            sending = _next(sending, response.status, there)
            if not _same_place(home, there):
                sending = await self._abroad(sending, there)
            response = await self._once(sending, request.max_bytes)
            here = there
        if redirects.target(response.status, response.headers, here) is None:
            return response
        raise NetworkError(f"more than {_MOST_REDIRECTS} redirects")

    async def _once(self, sending: OutgoingRequest, most: int) -> Response:
        try:
            async with self._engine.send(sending) as answer:
                content = await _content(answer, most)
        except NetworkError as error:
            refusal = self._guard.refusal(parse(sending.url)) if self._guard else None
            if sending.through and refusal:
                raise refusal.error(sending.url) from error
            raise
        return Response(
            status=answer.status, headers=answer.headers, content=content, url=sending.url
        )

    async def _abroad(self, sending: OutgoingRequest, there: Url) -> OutgoingRequest:
        if self._guard is None:
            raise BlockedError(f"it redirects to another host, {there.host}")
        # keys must not follow a redirect out of the house
        kept = {
            name: value
            for name, value in sending.headers.items()
            if name.lower() in _SAFE_ELSEWHERE
        }
        return replace(sending, headers=kept, through=await self._guard.start())


async def _content(answer: ResponseStream, most: int) -> bytes:
    if "content-encoding" in answer.headers:
        return _whole(await answer.read(most), most)
    content = await answer.wire(most)  # as it came is as it is, and costs less
    return _whole(ResponseBody(b"", "cap") if content is None else ResponseBody(content), most)


def _whole(body: ResponseBody, most: int) -> bytes:
    if body.ending == "cap":
        raise PayloadError(f"the answer is larger than {most} bytes")
    if body.ending == "cut":
        raise NetworkError("the answer broke off")
    return body.content


def _first(request: Request) -> OutgoingRequest:
    body, kind = request.payload
    headers = dict(request.headers)
    if kind and "content-type" not in {name.lower() for name in headers}:
        headers["Content-Type"] = kind
    return OutgoingRequest(
        method=request.method,
        url=request.target,
        headers=headers,
        body=body,
        timeout=request.timeout,
    )


def _next(sending: OutgoingRequest, status: int, there: Url) -> OutgoingRequest:
    method = redirects.method_after(status, sending.method)
    body = sending.body if method == sending.method else None
    return replace(sending, method=method, url=there.href, body=body, through="")


def _same_place(home: Url, there: Url) -> bool:
    upgraded = home.host == there.host and home.port == 80 and there.port == 443
    return upgraded or home.origin == there.origin

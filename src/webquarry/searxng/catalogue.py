"""A list of public instances in the format of searx.space (https://searx.space/data/instances.json)."""

import asyncio
from collections.abc import Iterable
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from webquarry.errors import NotFoundError, PayloadError, WebquarryError
from webquarry.net.clock import Clock
from webquarry.net.guard.refusals import RefusedError
from webquarry.net.policy import Policy
from webquarry.net.upstream import status_errors
from webquarry.net.upstream.http_port import Http, Request, Response
from webquarry.net.upstream.json_payload import decode
from webquarry.net.url import parse
from webquarry.searxng.instance import GRADES, Instance

SEARX_SPACE = "https://searx.space/data/instances.json"
_NAME = "SEARXNG_CATALOGUE"
_MOST_BYTES = 32 * 2**20
_SCALE = (*GRADES[1:], "C", "D", "E", "F")
# only what the software itself ships: changed or foreign scripts may do anything to a query
_UNTOUCHED = frozenset({"V", "F", "C", ""})


class Catalogue:
    """Where instances are listed: an address, or a file."""

    def __init__(self, source: str, http: Http, clock: Clock) -> None:
        self.source = source
        self._http = http
        self._clock = clock

    async def load(self) -> tuple[Instance, ...]:
        """Return the instances worth asking; an error of ours when the list cannot be had."""
        response = await self._fetched() if "://" in self.source else await self._read()
        listed = await asyncio.to_thread(decode, _Listing, response, provider=_NAME)
        return tuple(_worth_asking(listed))

    async def _fetched(self) -> Response:
        request = Request(url=self.source, timeout=20.0, max_bytes=_MOST_BYTES)
        response = await self._http.send(request)
        if response.status >= 300:
            raise status_errors.error_of(_NAME, response, self._clock.today())
        return response

    async def _read(self) -> Response:
        path = Path(self.source)
        try:
            content = await asyncio.to_thread(path.read_bytes)
        except OSError as error:
            raise NotFoundError(f"{_NAME}: {path} cannot be read: {error.strerror}.") from error
        if len(content) > _MOST_BYTES:
            raise PayloadError(f"{_NAME}: {path} is larger than {_MOST_BYTES} bytes.")
        return Response(status=200, content=content)


class _Wire(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore", defer_build=True)


class _Http(_Wire):
    status_code: int | None = None
    error: str | None = None
    grade: str | None = None


class _Graded(_Wire):
    grade: str | None = None


class _Span(_Wire):
    median: float | None = None
    mean: float | None = None


class _Timed(_Wire):
    success_percentage: float | None = None
    all: _Span | None = None


class _Timing(_Wire):
    search: _Timed | None = None


class _Uptime(_Wire):
    day: float | None = Field(default=None, alias="uptimeDay")
    week: float | None = Field(default=None, alias="uptimeWeek")
    month: float | None = Field(default=None, alias="uptimeMonth")
    year: float | None = Field(default=None, alias="uptimeYear")

    @property
    def percent(self) -> float | None:
        """The longest period that says something about the present."""
        told = (self.month, self.week, self.day, self.year)
        return next((share for share in told if share is not None), None)


class _Listed(_Wire):
    network_type: str | None = None
    generator: str | None = None
    analytics: bool | None = None
    error: str | None = None
    http: _Http | None = None
    tls: _Graded | None = None
    html: _Graded | None = None
    timing: _Timing | None = None
    uptime: _Uptime | None = None

    @property
    def usable(self) -> bool:
        """Whether it answers, to everybody, without tracking and with untouched scripts."""
        http = self.http or _Http()
        search = (self.timing or _Timing()).search or _Timed()
        return (
            self.network_type in (None, "normal")
            and self.generator in (None, "searxng", "searx")
            and not self.analytics
            and not self.error
            and not http.error
            and http.status_code in (None, 200)
            and ((self.html or _Graded()).grade or "") in _UNTOUCHED
            and search.success_percentage != 0
        )

    @property
    def grade(self) -> str:
        """The worse of the grades of its encryption and of its headers."""
        told = [g.grade for g in (self.http, self.tls) if g and g.grade]
        # "A-" is an A, "B+" is a B
        plain = [g if g == "A+" else g[0].upper() for g in told]
        known = [g for g in plain if g in _SCALE]
        return max(known, key=_SCALE.index) if len(known) == len(plain) and known else ""

    @property
    def milliseconds(self) -> int | None:
        """How long a search takes there."""
        span = ((self.timing or _Timing()).search or _Timed()).all or _Span()
        seconds = span.median if span.median is not None else span.mean
        return None if seconds is None else round(1000 * seconds)


class _Listing(_Wire):
    instances: dict[str, _Listed]


def _worth_asking(listing: _Listing) -> Iterable[Instance]:
    for address, listed in listing.instances.items():
        url = _public_address(address)
        if url and listed.usable and listed.grade in GRADES:
            yield Instance(
                url=url,
                grade=listed.grade,
                uptime=listed.uptime.percent if listed.uptime else None,
                response_time=listed.milliseconds,
            )


def _public_address(text: str) -> str:
    """Return an encrypted address outside our own network; empty for any other."""
    try:
        url = parse(text)
        Policy().check(url)
    except (WebquarryError, RefusedError):
        return ""
    return url.href.rstrip("/") if url.scheme == "https" else ""

"""A list of public instances in the format of searx.space (https://searx.space/data/instances.json)."""

import asyncio
from collections.abc import Iterable
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from webquarry.errors import NotFoundError, PayloadError, WebquarryError
from webquarry.net.client.response import FetchedResponse
from webquarry.net.clock import Clock
from webquarry.net.guard.refusals import RefusedError
from webquarry.net.policy import Policy
from webquarry.net.upstream import status_errors
from webquarry.net.upstream.http_port import ApiRequest, Http
from webquarry.net.upstream.json_payload import decode_json
from webquarry.net.url import parse
from webquarry.searxng.instance import GRADES, Instance

SEARX_SPACE = "https://searx.space/data/instances.json"
_NAME = "SEARXNG_CATALOGUE"
_FALLBACK = Path(__file__).with_name("fallback_instances.json")
_FALLBACK_GRADE = "B"  # nobody has graded them lately, so any other instance goes first
_MAX_BYTES = 32 * 2**20
_ALL_GRADES = (*GRADES[1:], "C", "D", "E", "F")
# only scripts that the software ships: modified ones may do anything with a query
_UNMODIFIED = frozenset({"V", "F", "C", ""})


class Catalogue:
    """A list of instances: a URL or a file."""

    def __init__(self, source: str, http: Http, clock: Clock) -> None:
        self.source = source
        self._http = http
        self._clock = clock

    @property
    def fallback(self) -> tuple[Instance, ...]:
        """The instances to use while the list of searx.space cannot be read.

        Empty for any other list: who chose one did not choose these instances.
        """
        if self.source != SEARX_SPACE:
            return ()
        listed = _FallbackFile.model_validate_json(_FALLBACK.read_bytes())
        return tuple(Instance(url=url, grade=_FALLBACK_GRADE) for url in listed.instances)

    async def load(self) -> tuple[Instance, ...]:
        """Return the usable instances; `WebquarryError` if the list cannot be read."""
        response = await self._fetch() if "://" in self.source else await self._read_file()
        listed = await asyncio.to_thread(decode_json, _CatalogueFile, response, provider=_NAME)
        return tuple(_usable_instances(listed))

    async def _fetch(self) -> FetchedResponse:
        request = ApiRequest(url=self.source, timeout=20.0, max_bytes=_MAX_BYTES)
        response = await self._http.send(request)
        if response.status >= 300:
            raise status_errors.error_for_status(_NAME, response, self._clock.time())
        return response

    async def _read_file(self) -> FetchedResponse:
        path = Path(self.source)
        try:
            content = await asyncio.to_thread(path.read_bytes)
        except OSError as error:
            raise NotFoundError(f"{_NAME}: cannot read {path}: {error.strerror}.") from error
        if len(content) > _MAX_BYTES:
            raise PayloadError(f"{_NAME}: {path} is larger than {_MAX_BYTES} bytes.")
        return FetchedResponse(status=200, content=content)


class _Wire(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore", defer_build=True)


class _HttpCheck(_Wire):
    status_code: int | None = None
    error: str | None = None
    grade: str | None = None


class _GradedCheck(_Wire):
    grade: str | None = None


class _Seconds(_Wire):
    median: float | None = None
    mean: float | None = None


class _SearchTiming(_Wire):
    success_percentage: float | None = None
    all: _Seconds | None = None


class _Timing(_Wire):
    search: _SearchTiming | None = None


class _Uptime(_Wire):
    day: float | None = Field(default=None, alias="uptimeDay")
    week: float | None = Field(default=None, alias="uptimeWeek")
    month: float | None = Field(default=None, alias="uptimeMonth")
    year: float | None = Field(default=None, alias="uptimeYear")

    @property
    def percent(self) -> float | None:
        """The uptime of the month, or of the best other period that is known."""
        periods = (self.month, self.week, self.day, self.year)
        return next((percent for percent in periods if percent is not None), None)


class _ListedInstance(_Wire):
    network_type: str | None = None
    generator: str | None = None
    analytics: bool | None = None
    error: str | None = None
    http: _HttpCheck | None = None
    tls: _GradedCheck | None = None
    html: _GradedCheck | None = None
    timing: _Timing | None = None
    uptime: _Uptime | None = None

    @property
    def usable(self) -> bool:
        """Whether it responds, is public, does not track and has unmodified scripts."""
        http = self.http or _HttpCheck()
        search = (self.timing or _Timing()).search or _SearchTiming()
        return (
            self.network_type in (None, "normal")
            and self.generator in (None, "searxng", "searx")
            and not self.analytics
            and not self.error
            and not http.error
            and http.status_code in (None, 200)
            and ((self.html or _GradedCheck()).grade or "") in _UNMODIFIED
            and search.success_percentage != 0
        )

    @property
    def grade(self) -> str:
        """The worse of its TLS grade and its HTTP header grade."""
        reported = [check.grade for check in (self.http, self.tls) if check and check.grade]
        # "A-" counts as A, "B+" as B
        grades = [grade if grade == "A+" else grade[0].upper() for grade in reported]
        if not grades or any(grade not in _ALL_GRADES for grade in grades):
            return ""
        return max(grades, key=_ALL_GRADES.index)

    @property
    def milliseconds(self) -> int | None:
        """How long a search takes."""
        timing = ((self.timing or _Timing()).search or _SearchTiming()).all or _Seconds()
        seconds = timing.median if timing.median is not None else timing.mean
        return None if seconds is None else round(1000 * seconds)


class _CatalogueFile(_Wire):
    instances: dict[str, _ListedInstance]


class _FallbackFile(_Wire):
    instances: tuple[str, ...]


def _usable_instances(catalogue: _CatalogueFile) -> Iterable[Instance]:
    for text, listed in catalogue.instances.items():
        url = _public_url(text)
        if url and listed.usable and listed.grade in GRADES:
            yield Instance(
                url=url,
                grade=listed.grade,
                uptime=listed.uptime.percent if listed.uptime else None,
                response_time=listed.milliseconds,
            )


def _public_url(text: str) -> str:
    """Return an https URL outside private networks; empty for any other."""
    try:
        url = parse(text)
        Policy().check(url)
    except (WebquarryError, RefusedError):
        return ""
    return url.href.rstrip("/") if url.scheme == "https" else ""

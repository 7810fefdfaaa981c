"""Save Page Now of the Internet Archive, which takes a fresh copy of a page."""

import re
from typing import ClassVar
from urllib.parse import quote

from webquarry.models.links import ArchiveResult, Snapshot
from webquarry.net.upstream.api import ApiLimits
from webquarry.net.upstream.http_port import Response
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.net.url import segment
from webquarry.providers.provider import Keys, ProviderInfo, Wire
from webquarry.providers.wayback import Wayback, moment_of
from webquarry.settings.variable import Variable

_ACCESS, _SECRET = "IA_ACCESS_KEY", "IA_SECRET_KEY"  # their names
_HOST = "https://web.archive.org"
_COPY = re.compile(r"/web/(\d{14})(?:[a-z]{2}_)?/(\S+)")
_JOB = re.compile(r"spn2-[0-9a-f]{40}")
_SAVED = (200, 201, 202)


class SavePageNow:
    """Takes copies; without keys too, but then it is moody."""

    about: ClassVar = ProviderInfo(
        name="savepagenow",
        docs="https://archive.org/account/s3.php",
        base_url=_HOST,
        variables=(
            Variable(_ACCESS, "Access key of archive.org, for reliable captures.", secret=True),
            Variable(_SECRET, "Secret key that belongs to it.", secret=True),
        ),
    )

    def __init__(self, upstreams: Upstreams, keys: Keys) -> None:
        # who sends the archive elsewhere means all of it
        archive = upstreams.api(Wayback.about.name, Wayback.about.base_url).base_url
        host = _HOST if archive == Wayback.about.base_url else archive
        # a capture takes as long as the page, and asking twice would take two
        limits = ApiLimits(timeout=20, deadline=25, tries=1)
        self._api = upstreams.api(self.about.name, host, limits)
        access, secret = keys.get(_ACCESS), keys.get(_SECRET)
        self._login = {"Authorization": f"LOW {access}:{secret}"} if access and secret else {}

    async def save(self, url: str) -> ArchiveResult:
        headers = {"Accept": "application/json", **self._login}
        if self._login:
            response = await self._api.submit("save", form={"url": url}, headers=headers)
        else:
            response = await self._api.get(f"save/{quote(url, safe=':/?&=%#+,;@!~')}")
        return self._capture(response)

    async def progress(self, job: str) -> ArchiveResult:
        response = await self._api.get(
            f"save/status/{segment(job)}", headers={"Accept": "application/json", **self._login}
        )
        told = self._api.decode(_Status, response)
        if told.status == "success" and told.timestamp and told.original_url:
            return ArchiveResult(
                state="archived", snapshot=_snapshot(told.timestamp, told.original_url)
            )
        if told.status == "pending":
            return ArchiveResult(state="pending", job=job)
        return ArchiveResult(state="failed", reason=told.message or told.status_ext or "it failed")

    def _capture(self, response: Response) -> ArchiveResult:
        """Return what came of a request, told in one of three ways."""
        status = response.status
        for text in (response.headers.get("content-location", ""), response.url):
            if found := _COPY.search(text):
                return ArchiveResult(
                    state="archived", snapshot=_snapshot(*found.groups()), status=status
                )
        text = response.text
        if text.lstrip().startswith("{"):
            told = self._api.decode(_Job, response)
            if told.job_id:
                return ArchiveResult(state="pending", job=told.job_id, status=status)
            return ArchiveResult(
                state="failed", status=status, reason=told.message or "it was refused"
            )
        job = _JOB.search(text)
        if job and status in _SAVED:
            return ArchiveResult(state="pending", job=job[0], status=status)
        return ArchiveResult(state="failed", status=status, reason="the answer names no capture")


def _snapshot(stamp: str, url: str) -> Snapshot:
    return Snapshot(url=f"{_HOST}/web/{stamp}/{url}", takenAt=moment_of(stamp))


class _Job(Wire):
    job_id: str | None = None
    message: str | None = None


class _Status(Wire):
    status: str
    timestamp: str | None = None
    original_url: str | None = None
    message: str | None = None
    status_ext: str | None = None

"""Save Page Now of the Internet Archive: captures a page."""

import re
from typing import ClassVar
from urllib.parse import quote

from webquarry.models.links import ArchiveResult, Snapshot
from webquarry.net.client.response import FetchedResponse
from webquarry.net.upstream.api import ApiLimits
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.net.url import path_segment
from webquarry.providers.provider import Keys, ProviderInfo, Wire
from webquarry.providers.wayback import Wayback, rfc3339_of
from webquarry.settings.variable import Variable

_ACCESS, _SECRET = "IA_ACCESS_KEY", "IA_SECRET_KEY"  # the names of the settings
_HOST = "https://web.archive.org"
_SNAPSHOT = re.compile(r"/web/(\d{14})(?:[a-z]{2}_)?/(\S+)")
_JOB = re.compile(r"spn2-[0-9a-f]{40}")
_ACCEPTED = (200, 201, 202)


class SavePageNow:
    """Captures pages; without keys it is unreliable."""

    about: ClassVar = ProviderInfo(
        name="savepagenow",
        docs="https://archive.org/account/s3.php",
        base_url=_HOST,
        variables=(
            Variable(_ACCESS, "Access key for archive.org, for reliable captures.", secret=True),
            Variable(_SECRET, "Secret key for that access key.", secret=True),
        ),
    )

    def __init__(self, upstreams: Upstreams, keys: Keys) -> None:
        # a configured base URL of the archive applies to captures as well
        archive = upstreams.api(Wayback.about.name, Wayback.about.base_url).base_url
        host = _HOST if archive == Wayback.about.base_url else archive
        # a retry would capture the page twice
        limits = ApiLimits(timeout=20, deadline=25, tries=1)
        self._api = upstreams.api(self.about.name, host, limits)
        access, secret = keys.get(_ACCESS), keys.get(_SECRET)
        self._login = {"Authorization": f"LOW {access}:{secret}"} if access and secret else {}

    async def save(self, url: str) -> ArchiveResult:
        headers = {"Accept": "application/json", **self._login}
        if self._login:
            response = await self._api.post("save", form={"url": url}, headers=headers)
        else:
            response = await self._api.get(f"save/{quote(url, safe=':/?&=%#+,;@!~')}")
        return self._capture(response)

    async def progress(self, job: str) -> ArchiveResult:
        response = await self._api.get(
            f"save/status/{path_segment(job)}",
            headers={"Accept": "application/json", **self._login},
        )
        status = self._api.decode(_Status, response)
        if status.status == "success" and status.timestamp and status.original_url:
            return ArchiveResult(
                state="archived", snapshot=_snapshot(status.timestamp, status.original_url)
            )
        if status.status == "pending":
            return ArchiveResult(state="pending", job=job)
        return ArchiveResult(
            state="failed", reason=status.message or status.status_ext or "it failed"
        )

    def _capture(self, response: FetchedResponse) -> ArchiveResult:
        """Return the result of a request, which is reported in one of three forms."""
        status = response.status
        for text in (response.headers.get("content-location", ""), response.url):
            if found := _SNAPSHOT.search(text):
                return ArchiveResult(
                    state="archived", snapshot=_snapshot(*found.groups()), status=status
                )
        text = response.text
        if text.lstrip().startswith("{"):
            accepted = self._api.decode(_Job, response)
            if accepted.job_id:
                return ArchiveResult(state="pending", job=accepted.job_id, status=status)
            return ArchiveResult(
                state="failed", status=status, reason=accepted.message or "it was refused"
            )
        job = _JOB.search(text)
        if job and status in _ACCEPTED:
            return ArchiveResult(state="pending", job=job[0], status=status)
        return ArchiveResult(state="failed", status=status, reason="the response names no capture")


def _snapshot(stamp: str, url: str) -> Snapshot:
    return Snapshot(url=f"{_HOST}/web/{stamp}/{url}", takenAt=rfc3339_of(stamp))


class _Job(Wire):
    job_id: str | None = None
    message: str | None = None


class _Status(Wire):
    status: str
    timestamp: str | None = None
    original_url: str | None = None
    message: str | None = None
    status_ext: str | None = None

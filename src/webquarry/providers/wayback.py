"""The Wayback Machine of the Internet Archive (https://archive.org/help/wayback_api.php)."""

from typing import ClassVar

from webquarry.errors import PayloadError
from webquarry.models.links import Snapshot
from webquarry.net.upstream.api import ApiLimits
from webquarry.net.upstream.status_errors import RequestRefusedError
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.providers.provider import Keys, ProviderInfo, Wire

_TIMESTAMP_DIGITS = 14  # YYYYMMDDhhmmss


class Wayback:
    """Finds archived copies of pages, except copies of error pages."""

    about: ClassVar = ProviderInfo(
        name="wayback",
        docs="https://archive.org/help/wayback_api.php",
        base_url="https://archive.org",
    )

    def __init__(self, upstreams: Upstreams, keys: Keys) -> None:
        del keys
        self._api = upstreams.api(
            self.about.name, self.about.base_url, ApiLimits(per_second=5, burst=5)
        )

    async def snapshot(self, url: str, near: str | None = None) -> Snapshot | None:
        params = {"url": url, "timestamp": near.replace("-", "") if near else None}
        response = await self._api.get("wayback/available", params=params, expect=(403,))
        if response.status == 403:  # no matter of a key: the archive needs none
            excluded = "blocked site" in response.text.lower()
            reason = "the site is excluded from it" if excluded else "HTTP 403"
            raise RequestRefusedError(
                f"The archive shows no copies of {url}: {reason}.", provider=self.about.name
            )
        found = self._api.decode(_Available, response).archived_snapshots.closest
        if found is None or not found.available or not found.shows_page:
            return None
        if not found.url:
            raise PayloadError("The archive lists a copy without its URL.", provider="wayback")
        return Snapshot(url=_secure(found.url), takenAt=rfc3339_of(found.timestamp))


class _Closest(Wire):
    available: bool = False
    url: str | None = None
    timestamp: str = ""
    status: str | None = None

    @property
    def shows_page(self) -> bool:
        """Whether the copy shows the page and not an error."""
        return self.status is None or self.status.startswith("2")


class _Snapshots(Wire):
    closest: _Closest | None = None


class _Available(Wire):
    archived_snapshots: _Snapshots


def _secure(url: str) -> str:
    return f"https://{url.removeprefix('http://')}" if url.startswith("http://") else url


def rfc3339_of(stamp: str) -> str:
    """Return a timestamp of the archive in RFC 3339."""
    if len(stamp) != _TIMESTAMP_DIGITS or not stamp.isdecimal():
        raise PayloadError(f"The archive dates a copy {stamp!r}.", provider="wayback")
    day = f"{stamp[:4]}-{stamp[4:6]}-{stamp[6:8]}"
    return f"{day}T{stamp[8:10]}:{stamp[10:12]}:{stamp[12:14]}Z"

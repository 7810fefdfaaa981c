"""Gets time stamps for bundles from the authority that the operator chose."""

from dataclasses import dataclass

from webquarry.errors import PayloadError
from webquarry.net.upstream.api import UpstreamApi
from webquarry.net.upstream.http_port import ApiRequest
from webquarry.observe.active_recorder import capturing_with
from webquarry.webarchive.time_stamp import StampRequest

NAME = "timestamp"
_QUERY, _REPLY = "application/timestamp-query", "application/timestamp-reply"


@dataclass(frozen=True)
class TimeStamping:
    """Asks one authority."""

    api: UpstreamApi

    @property
    def url(self) -> str:
        """The URL of the authority."""
        return self.api.base_url

    async def stamp(self, data: bytes) -> bytes:
        """Return the response of the authority; raise if it is no time stamp of the bytes."""
        request = StampRequest(data)
        with capturing_with(None):  # no source of anything
            response = await self.api.send(
                ApiRequest(
                    method="POST",
                    url=self.api.base_url,
                    headers={"content-type": _QUERY, "accept": _REPLY},
                    body=request.content,
                )
            )
        if reason := request.refusal(response.content):
            raise PayloadError(
                f"{self.url} returned no time stamp: {reason}. Unset TIMESTAMP_URL to write "
                "bundles without one.",
                provider=NAME,
            )
        return response.content

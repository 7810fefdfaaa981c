"""Sends requests to publicly listed instances through the guard."""

from webquarry.errors import PayloadError
from webquarry.net.client.response import FetchedResponse
from webquarry.net.fetch import Fetcher, FetchRequest
from webquarry.net.upstream.http_port import ApiRequest


class GuardedHttp:
    """`Http` that connects to public IP addresses only, whatever the host name resolves to."""

    def __init__(self, fetcher: Fetcher) -> None:
        self._fetcher = fetcher

    async def send(self, request: ApiRequest) -> FetchedResponse:
        fetched = await self._fetcher.fetch(
            FetchRequest(
                url=request.full_url,
                headers=request.headers,
                timeout=request.timeout,
                own_user_agent=True,
                max_page_bytes=request.max_bytes,
                max_document_bytes=request.max_bytes,
            )
        )
        if fetched.truncated:
            raise PayloadError(f"the response is larger than {request.max_bytes} bytes")
        return fetched

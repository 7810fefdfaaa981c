"""Requests to addresses that somebody else listed go through the guard."""

from webquarry.errors import PayloadError
from webquarry.net.fetch import Fetcher, FetchRequest
from webquarry.net.upstream.http_port import Request, Response


class GuardedHttp:
    """`Http` that reaches public addresses only, whatever their names resolve to."""

    def __init__(self, fetcher: Fetcher) -> None:
        self._fetcher = fetcher

    async def send(self, request: Request) -> Response:
        fetched = await self._fetcher.fetch(
            FetchRequest(
                url=request.target,
                headers=request.headers,
                timeout=request.timeout,
                plain=True,
                page_bytes=request.max_bytes,
                document_bytes=request.max_bytes,
            )
        )
        if fetched.truncated:
            raise PayloadError(f"the answer is larger than {request.max_bytes} bytes")
        return Response(
            status=fetched.status,
            headers=fetched.headers,
            content=fetched.content,
            url=fetched.url,
        )

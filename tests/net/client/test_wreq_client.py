"""The two HTTP clients: wreq, and HTTP/1.1 on the event loop."""

import pytest

from tests.net.servers import ReceivedRequest, serve
from webquarry.net.client.cleartext import Http1Pool
from webquarry.net.client.request import HttpRequest
from webquarry.net.client.wreq_client import ClientOptions, HttpClient

pytestmark = pytest.mark.anyio


def _nothing(_: Http1Pool, __: HttpRequest) -> None:
    return None


@pytest.mark.parametrize(
    "options", [ClientOptions(emulate_chrome=True), ClientOptions(user_agent="owls/1")]
)
@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Accept": "text/markdown"},
        {"If-None-Match": "x", "accept-language": "de", "ACCEPT": "a"},
    ],
)
async def test_both_clients_send_the_same_request(
    options: ClientOptions, headers: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def answer(request: ReceivedRequest) -> None:
        data.append((request.method, request.target, list(request.headers.items())))
        await request.respond(200, b"hi")

    data: list[tuple[str, str, list[tuple[str, str]]]] = []
    async with serve(answer) as site:
        request = HttpRequest(url=site.url("/a?b=c"), headers=headers, timeout=5)
        for way in ("cleartext", "wreq"):
            if way == "wreq":
                monkeypatch.setattr(Http1Pool, "encode", _nothing)
            client = HttpClient(options)
            async with client.send(request) as found:
                assert (await found.read(100)).content == b"hi"
            client.close()

    assert data[0] == data[1]

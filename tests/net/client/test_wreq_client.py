"""The two ways a request can leave: through wreq, and on the event loop itself."""

import pytest

from tests.net.servers import Asked, serve
from webquarry.net.client.cleartext import Http1Pool
from webquarry.net.client.outgoing import OutgoingRequest
from webquarry.net.client.wreq_client import ClientOptions, HttpClient

pytestmark = pytest.mark.anyio


def _nothing(_: Http1Pool, __: OutgoingRequest) -> None:
    return None


@pytest.mark.parametrize(
    "wiring", [ClientOptions(emulate=True), ClientOptions(user_agent="owls/1")]
)
@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Accept": "text/markdown"},
        {"If-None-Match": "x", "accept-language": "de", "ACCEPT": "a"},
    ],
)
async def test_nobody_can_tell_the_two_ways_apart(
    wiring: ClientOptions, headers: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def answer(asked: Asked) -> None:
        said.append((asked.method, asked.target, list(asked.headers.items())))
        await asked.answer(200, b"hi")

    said: list[tuple[str, str, list[tuple[str, str]]]] = []
    async with serve(answer) as site:
        sending = OutgoingRequest(url=site.url("/a?b=c"), headers=headers, timeout=5)
        for way in ("cleartext", "wreq"):
            if way == "wreq":
                monkeypatch.setattr(Http1Pool, "spoken", _nothing)
            engine = HttpClient(wiring)
            async with engine.send(sending) as found:
                assert (await found.read(100)).content == b"hi"
            engine.close()

    assert said[0] == said[1]

"""The replay that provider tests rely on is strict."""

from typing import Any

import pytest

from tests.replay import Replay
from webquarry.errors import NetworkError
from webquarry.net.upstream.http_port import ApiRequest

pytestmark = pytest.mark.anyio

URL = "https://a.test/x?q=1"


def exchange(**more: Any) -> dict[str, Any]:
    return {"origin": "handwritten", "request": {"url": URL}, "status": 200, "body": {}} | more


async def test_an_exchange_is_played_once() -> None:
    replay = Replay([exchange(body={"a": 1})])
    request = ApiRequest(url="https://a.test/x", params={"q": 1})

    response = await replay.send(request)
    assert (response.content, response.url) == (b'{"a": 1}', URL)
    replay.finish()
    with pytest.raises(AssertionError, match="not recorded"):
        await replay.send(request)


def test_an_unplayed_exchange_fails() -> None:
    with pytest.raises(AssertionError, match="never requested"):
        Replay([exchange()]).finish()


@pytest.mark.parametrize(
    "request_sent",
    [
        ApiRequest(url="https://a.test/x?q=2"),
        ApiRequest(url=URL, method="POST"),
        ApiRequest(url=URL, json={"a": 1}),
        ApiRequest(url=URL, body=b"x"),
        ApiRequest(url=URL, form={"a": "b"}),
    ],
)
async def test_a_request_that_differs_fails(request_sent: ApiRequest) -> None:
    with pytest.raises(AssertionError, match="not recorded"):
        await Replay([exchange()]).send(request_sent)


async def test_recorded_headers_must_be_sent() -> None:
    recorded = {"url": URL, "headers": {"X-Key": "k"}}

    await Replay([exchange(request=recorded)]).send(ApiRequest(url=URL, headers={"x-key": "k"}))
    with pytest.raises(AssertionError, match="not recorded"):
        await Replay([exchange(request=recorded)]).send(ApiRequest(url=URL))


async def test_text_bytes_and_failures_are_played() -> None:
    replay = Replay(
        [
            exchange(text="<p>ü</p>", headers={"content-type": "text/html"}),
            exchange(base64="AP8="),
            {"origin": "handwritten", "request": {"url": URL}, "fails": "timed out"},
        ]
    )
    request = ApiRequest(url=URL)

    assert (await replay.send(request)).text == "<p>ü</p>"
    assert (await replay.send(request)).content == b"\x00\xff"
    with pytest.raises(NetworkError, match="timed out"):
        await replay.send(request)


@pytest.mark.parametrize("wrong", [{"origin": ""}, {"bdoy": {}}, {"request": {"url": "", "x": 1}}])
def test_an_invalid_recording_fails(wrong: dict[str, Any]) -> None:
    with pytest.raises(AssertionError):
        Replay([exchange(**wrong)])

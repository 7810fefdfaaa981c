"""The Exa tier: a copy of a page from a paid API."""

from typing import Any

import pytest

from tests.replay import FakeClock, Replay
from webquarry.models.page import PageMetadata
from webquarry.models.reading import Reading
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.reading.tiers.exa_tier import ExaTier
from webquarry.reading.tiers.read_errors import UnreadableError

pytestmark = pytest.mark.anyio

URL = "https://walled.example/owls"
TEXT = "Owls hunt at night. " * 10


def answer(**more: Any) -> dict[str, Any]:
    asked = {
        "method": "POST",
        "url": "https://api.exa.ai/contents",
        "headers": {"x-api-key": "k3y"},
        "json": {"urls": [URL], "text": {"maxCharacters": 1_000_000}},
    }
    return {"origin": "handwritten after docs.exa.ai", "request": asked, "status": 200, **more}


async def read(exchange: dict[str, Any]) -> Reading:
    replay = Replay([exchange])
    tier = ExaTier(Upstreams(replay, clock=FakeClock().clock()), "k3y")
    try:
        return await tier.read(URL, 30)
    finally:
        replay.finish()


@pytest.mark.parametrize(
    ("statuses", "tier"),
    [
        ([{"id": URL, "status": "success", "source": "cached"}], "exa:cached"),
        ([{"id": URL, "status": "success", "source": "crawled"}], "exa:crawled"),
        (None, "exa:crawled"),
    ],
)
async def test_the_copy_is_read_and_labelled_with_its_source(statuses: Any, tier: str) -> None:
    page = {"url": URL, "title": "Owls", "author": "Ada", "text": TEXT,
            "publishedDate": "2024-05-03T00:00:00.000Z"}  # fmt: skip

    reading = await read(answer(body={"results": [page], "statuses": statuses}))

    assert reading == Reading(
        url=URL,
        final_url=URL,
        markdown=TEXT.strip(),
        kind="markdown",
        tier=tier,
        metadata=PageMetadata(title="Owls", authors=("Ada",), published="2024-05-03"),
    )


@pytest.mark.parametrize("results", [[], [{"url": URL}], [{"url": URL, "text": "Too short."}]])
async def test_a_missing_copy_has_the_kind_content_empty(results: list[Any]) -> None:
    with pytest.raises(UnreadableError) as caught:
        await read(answer(body={"results": results}))

    assert (caught.value.kind, caught.value.reason) == ("content_empty", "has no copy of it")


@pytest.mark.parametrize(
    "more",
    [
        {"status": 401, "body": {"error": "invalid api key"}},
        {"status": 429, "text": ""},
        {"status": 500, "text": ""},
        {"text": "<html>"},
        {"body": []},
    ],
)
async def test_failures_of_exa_are_not_failures_of_the_page(more: dict[str, Any]) -> None:
    with pytest.raises(UnreadableError) as caught:
        await read(answer(**more))

    assert caught.value.kind == "network"
    assert "k3y" not in caught.value.reason

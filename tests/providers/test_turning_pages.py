"""Providers that turn pages are asked for the next one as each of them numbers pages."""

from typing import Any

import pytest

from tests.replay import FakeClock, Replay
from webquarry.models.search import WebQuery
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.providers.brave import Brave
from webquarry.providers.google import Google
from webquarry.providers.searchapi import SearchApi
from webquarry.providers.serper import Serper

pytestmark = pytest.mark.anyio
CASES: dict[Any, tuple[dict[str, str], dict[str, Any], dict[str, Any]]] = {
    Brave: (
        {"BRAVE_API_KEY": "k"},
        {"url": "https://api.search.brave.com/res/v1/web/search?q=owls&count=20&offset=2"
                "&result_filter=web&text_decorations=false"},
        {"query": {}},
    ),
    Google: (
        {"GOOGLE_CUSTOM_SEARCH_API_KEY": "k", "GOOGLE_CUSTOM_SEARCH_ID": "e"},
        {"url": "https://www.googleapis.com/customsearch/v1?key=k&cx=e&q=owls&num=10&start=21"},
        {"queries": {}},
    ),
    SearchApi: (
        {"SEARCHAPI_API_KEY": "k"},
        {"url": "https://www.searchapi.io/api/v1/search?engine=google&q=owls&num=20&page=3"},
        {"organic_results": []},
    ),
    Serper: (
        {"SERPER_API_KEY": "k"},
        {"method": "POST", "url": "https://google.serper.dev/search",
         "json": {"q": "owls", "num": 20, "page": 3}},
        {"organic": [], "searchParameters": {}},
    ),
}  # fmt: skip


@pytest.mark.parametrize("kind", CASES, ids=lambda kind: kind.about.name)
async def test_the_third_page_is_asked_for(kind: Any) -> None:
    keys, request, body = CASES[kind]
    replay = Replay([{"origin": "handwritten", "request": request, "status": 200, "body": body}])
    provider = kind(Upstreams(replay, clock=FakeClock().clock()), keys)

    found = await provider.search_web(
        WebQuery(text="owls", count=min(20, kind.web_support.max_results), page=3)
    )

    replay.finish()
    assert found == []
    assert kind.web_support.max_pages == 10

"""Traditional Chinese and Brazilian Portuguese reach each provider in its own notation."""

from typing import Any

import pytest

from tests.replay import FakeClock, Replay
from webquarry.models.search import WebQuery
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.providers.bluesky import Bluesky
from webquarry.providers.brave import Brave
from webquarry.providers.google import Google
from webquarry.providers.searchapi import SearchApi
from webquarry.providers.serper import Serper
from webquarry.services.searching.provider_search import plan_filters

pytestmark = pytest.mark.anyio
KEYS = {
    "BRAVE_API_KEY": "k", "GOOGLE_CUSTOM_SEARCH_API_KEY": "k", "GOOGLE_CUSTOM_SEARCH_ID": "e",
    "SEARCHAPI_API_KEY": "k", "SERPER_API_KEY": "k",
}  # fmt: skip
BODIES: dict[Any, dict[str, Any]] = {
    Brave: {"query": {}}, Google: {"queries": {}}, SearchApi: {"organic_results": []},
    Serper: {"organic": [], "searchParameters": {}},
}  # fmt: skip
BRAVE = "https://api.search.brave.com/res/v1/web/search?q=owls&count=10"
MORE = "&result_filter=web&text_decorations=false"
GOOGLE = "https://www.googleapis.com/customsearch/v1?key=k&cx=e&q=owls&num=10"
SEARCHAPI = "https://www.searchapi.io/api/v1/search?engine=google&q=owls"
SERPER = {"method": "POST", "url": "https://google.serper.dev/search"}


@pytest.mark.parametrize(
    ("kind", "language", "request_sent"),
    [
        (Brave, "zh", {"url": f"{BRAVE}&search_lang=zh-hans{MORE}"}),
        (Brave, "zh-hant", {"url": f"{BRAVE}&search_lang=zh-hant{MORE}"}),
        (Brave, "pt-br", {"url": f"{BRAVE}&search_lang=pt-br{MORE}"}),
        (Google, "zh-hant", {"url": f"{GOOGLE}&lr=lang_zh-TW"}),
        (Google, "pt-br", {"url": f"{GOOGLE}&lr=lang_pt"}),
        (SearchApi, "zh", {"url": f"{SEARCHAPI}&hl=zh-cn&lr=lang_zh-CN&num=10"}),
        (SearchApi, "zh-hant", {"url": f"{SEARCHAPI}&hl=zh-tw&lr=lang_zh-TW&num=10"}),
        (SearchApi, "pt-br", {"url": f"{SEARCHAPI}&hl=pt-br&lr=lang_pt&num=10"}),
        (Serper, "zh-hant", SERPER | {"json": {"q": "owls", "num": 10, "hl": "zh-tw"}}),
        (Serper, "pt-br", SERPER | {"json": {"q": "owls", "num": 10, "hl": "pt-br"}}),
    ],
)
async def test_the_language_is_sent_in_the_notation_of_the_provider(
    kind: Any, language: str, request_sent: dict[str, Any]
) -> None:
    exchange = {"origin": "handwritten", "request": request_sent, "status": 200}
    replay = Replay([exchange | {"body": BODIES[kind]}])
    searcher = kind(Upstreams(replay, clock=FakeClock().clock()), KEYS)

    await searcher.search_web(WebQuery(text="owls", count=10, language=language))

    replay.finish()


@pytest.mark.parametrize(
    ("kind", "language", "unsupported"),
    [(Google, "zh-hant", ()), (Google, "pt-br", ("language",)), (SearchApi, "pt-br", ("language",)),
     (Bluesky, "zh-hant", ("language",)), (Brave, "pt-br", ())],
)  # fmt: skip
def test_a_language_that_can_only_be_approximated_is_named(
    kind: Any, language: str, unsupported: tuple[str, ...]
) -> None:
    plan = plan_filters(kind.web_support, WebQuery(text="owls", language=language))

    assert plan.unsupported == unsupported
    assert plan.requests[0].language == language

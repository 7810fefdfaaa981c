"""A language model is used when one is configured, and only then."""

from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest

from tests.replay import Replay
from webquarry.errors import SettingsError
from webquarry.models.caller import Caller
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.services.llm.llm_port import LlmTask
from webquarry.settings.groups.llm import LlmSettings
from webquarry.settings.load import Settings, load
from webquarry.storage.memory_store import MemoryStore
from webquarry.wiring.build_language_model import build_language_model
from webquarry.wiring.container import Services
from webquarry.wiring.open_storage import StorageKeys

TASK = LlmTask(instructions="Do it.", text="page", schema={"type": "object"})
WHO = Caller(tenant="acme", user="alice")
NOTHING: dict[str, Any] = {}
TOOL_USE = {"content": [{"type": "tool_use", "input": NOTHING}]}
CHAT = {"choices": [{"message": {"content": "{}"}}]}


def test_without_a_name_there_is_no_model() -> None:
    settings = Settings(llm=LlmSettings(api_key="k"))
    services = Services(settings, StorageKeys(b"k" * 32, None), AsyncExitStack())

    assert services.language_model is None


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("wanted", "url", "body"),
    [
        ({"provider": "openai"}, "https://api.openai.com/v1/chat/completions", CHAT),
        ({"base_url": "http://box:11434/v1"}, "http://box:11434/v1/chat/completions", CHAT),
        (
            {"provider": "anthropic"},
            "https://api.anthropic.com/v1/messages",
            TOOL_USE,
        ),
    ],
)
async def test_a_model_is_asked_where_the_settings_say(wanted: Any, url: str, body: Any) -> None:
    asked: list[str] = []

    class Listening(Replay):
        async def send(self, request: Any) -> Any:
            asked.append(request.url)
            self.unplayed[0]["request"]["json"] = request.json
            return await super().send(request)

    exchange = {"origin": "handwritten", "request": {"method": "POST", "url": url}, "body": body}
    upstreams = Upstreams(Listening([{**exchange, "status": 200}]))
    model = build_language_model(LlmSettings(model="m", **wanted), MemoryStore(), upstreams)

    assert (await model.answer(TASK, WHO)).data == {}
    assert asked == [url]


def test_a_budget_in_money_needs_a_price(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="LLM_DAILY_USD needs LLM_PRICE_INPUT"):
        load(environ={"LLM_DAILY_USD": "5"}, directory=tmp_path)

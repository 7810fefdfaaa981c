"""The port to language models: wire formats, second tries, counting and budgets."""

from typing import Any

import pytest

from tests.replay import Replay
from webquarry.errors import (
    AccessError,
    NetworkError,
    PayloadError,
    ProviderError,
    RateLimitError,
)
from webquarry.models.caller import Caller
from webquarry.net.clock import Clock
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.services.llm.language_model import LanguageModel, LlmBudget
from webquarry.services.llm.llm_apis import AnthropicChatApi, OpenAiChatApi
from webquarry.services.llm.llm_port import ChatApi, LlmAnswer, LlmTask, LlmUsage
from webquarry.storage.memory_store import MemoryStore

pytestmark = pytest.mark.anyio

SCHEMA = {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}
TASK = LlmTask(instructions="Do it.", text="the page", schema=SCHEMA)
ALICE = Caller(tenant="acme", user="alice")
BOB = Caller(tenant="other", user="bob")
SYSTEM = (
    "Do it.\n\nAnswer with JSON only, of this schema:\n"
    '{"type":"object","properties":{"a":{"type":"integer"}},"required":["a"]}'
)
OPENAI = "https://llm.test/v1/chat/completions"
ANTHROPIC = "https://llm.test/v1/messages"
MESSAGES = [{"role": "system", "content": SYSTEM}, {"role": "user", "content": "the page"}]
SHAPE = {"type": "json_schema", "json_schema": {"name": "answer", "schema": SCHEMA}}
PLAIN: dict[str, Any] = {"model": "m1", "temperature": 0, "messages": MESSAGES}
ASKED = {**PLAIN, "response_format": SHAPE}


def said(text: str | None, tokens: tuple[int, int] = (1000, 100)) -> dict[str, Any]:
    usage = {"prompt_tokens": tokens[0], "completion_tokens": tokens[1]}
    return {"choices": [{"message": {"content": text}}], "usage": usage}


def exchange(asked: dict[str, Any], **answer: Any) -> dict[str, Any]:
    request = {
        "method": "POST", "url": OPENAI, "json": asked, "headers": {"Authorization": "Bearer k"},
    }  # fmt: skip
    return {"origin": "handwritten", "request": request, "status": 200, **answer}


def openai(*exchanges: dict[str, Any]) -> tuple[ChatApi, Replay]:
    replay = Replay(list(exchanges))
    api = Upstreams(replay).api("llm", "https://llm.test/v1")
    return OpenAiChatApi(api, model="m1", key="k"), replay


async def test_an_answer_is_asked_for_by_its_schema_and_counted() -> None:
    wire, replay = openai(exchange(ASKED, body=said('{"a": 5}')))
    model = LanguageModel(wire, MemoryStore(), LlmBudget(price_in=2, price_out=10))

    answer = await model.answer(TASK, ALICE)

    assert answer == LlmAnswer({"a": 5}, LlmUsage(tokens_in=1000, tokens_out=100, cost_usd=0.003))
    replay.finish()


async def test_an_answer_that_is_no_json_is_asked_for_again() -> None:
    again = (
        "That was not what was asked: it contains no JSON object. Answer again, with the JSON only."
    )
    talk = [
        *MESSAGES,
        {"role": "assistant", "content": "Five!"},
        {"role": "user", "content": again},
    ]
    wire, replay = openai(
        exchange(ASKED, body=said("Five!")),
        exchange({**ASKED, "messages": talk}, body=said('Here: ```json\n{"a": 5}\n```')),
    )

    answer = await LanguageModel(wire, MemoryStore()).answer(TASK, ALICE)

    assert answer == LlmAnswer({"a": 5}, LlmUsage(tokens_in=2000, tokens_out=200))
    replay.finish()


async def test_a_model_that_never_answers_properly_is_an_error() -> None:
    wire, _ = openai(exchange(ASKED, body=said("{}")))
    model = LanguageModel(wire, MemoryStore(), LlmBudget(tries=1))

    with pytest.raises(PayloadError, match="no valid answer in 1 tries: a is missing"):
        await model.answer(TASK, ALICE)


async def test_a_service_without_schemas_is_asked_without() -> None:
    wire, replay = openai(
        exchange(ASKED, status=400, body={"error": {"message": "unknown response_format"}}),
        exchange(PLAIN, body=said('{"a": 5}')),
        exchange(PLAIN, body=said('{"a": 6}')),
    )
    model = LanguageModel(wire, MemoryStore())

    assert (await model.answer(TASK, ALICE)).data == {"a": 5}
    assert (await model.answer(TASK, ALICE)).data == {"a": 6}
    replay.finish()


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        ({"status": 401, "body": {}}, AccessError),
        ({"status": 429, "headers": {"retry-after": "7"}, "body": {}}, RateLimitError),
        ({"status": 503, "body": {}}, ProviderError),
        ({"body": {"choices": []}}, PayloadError),
        ({"body": said(None)}, PayloadError),
        ({"body": {"odd": 1}}, PayloadError),
        ({"text": "<html>"}, PayloadError),
        ({"fails": "timed out"}, NetworkError),
    ],
)
async def test_failures_are_errors_of_ours_without_the_key(answer: Any, error: Any) -> None:
    told = exchange(ASKED, **answer)
    if "fails" in answer:
        del told["status"]
    wire, _ = openai(told)

    with pytest.raises(error) as caught:
        await LanguageModel(wire, MemoryStore()).answer(TASK, ALICE)
    assert "Bearer" not in str(caught.value)


async def test_anthropic_answers_through_a_tool() -> None:
    asked = {
        "model": "m1", "max_tokens": 8192, "temperature": 0, "system": SYSTEM,
        "messages": [{"role": "user", "content": "the page"}],
        "tools": [{"name": "answer", "description": "Give the answer.", "input_schema": SCHEMA}],
        "tool_choice": {"type": "tool", "name": "answer"},
    }  # fmt: skip
    body = {
        "content": [{"type": "tool_use", "name": "answer", "input": {"a": 5}}],
        "usage": {"input_tokens": 20, "output_tokens": 4},
    }
    headers = {"x-api-key": "k", "anthropic-version": "2023-06-01"}
    request = {"method": "POST", "url": ANTHROPIC, "json": asked, "headers": headers}
    replay = Replay([{"origin": "handwritten", "request": request, "status": 200, "body": body}])
    api = Upstreams(replay).api("llm", "https://llm.test")

    wire = AnthropicChatApi(api, model="m1", key="k")
    answer = await LanguageModel(wire, MemoryStore()).answer(TASK, ALICE)

    assert answer == LlmAnswer({"a": 5}, LlmUsage(tokens_in=20, tokens_out=4))
    replay.finish()


@pytest.mark.parametrize(
    ("terms", "setting"),
    [
        (LlmBudget(daily_tokens=1100), "LLM_DAILY_TOKENS=1100"),
        (LlmBudget(daily_usd=0.003, price_in=2, price_out=10), "LLM_DAILY_USD=0.003"),
    ],
)
async def test_a_tenant_that_has_used_up_its_budget_waits_for_tomorrow(
    terms: LlmBudget, setting: str
) -> None:
    wire, replay = openai(*[exchange(ASKED, body=said('{"a": 5}'))] * 3)
    day = [1_800_000_000.0]
    model = LanguageModel(wire, MemoryStore(), terms, Clock(time=lambda: day[0]))
    await model.answer(TASK, ALICE)

    with pytest.raises(RateLimitError, match=setting) as caught:
        await model.answer(TASK, ALICE)
    assert caught.value.retry_after == 86_400 - 1_800_000_000 % 86_400
    await model.answer(TASK, BOB)  # another tenant
    day[0] += 86_400
    await model.answer(TASK, ALICE)
    replay.finish()


async def test_a_service_that_does_not_count_is_counted_by_us() -> None:
    wire, _ = openai(exchange(ASKED, body={"choices": [{"message": {"content": '{"a": 5}'}}]}))

    answer = await LanguageModel(wire, MemoryStore()).answer(TASK, ALICE)

    assert answer.usage.tokens_in == len(SYSTEM + "the page") // 4
    assert answer.usage.tokens_out == 2

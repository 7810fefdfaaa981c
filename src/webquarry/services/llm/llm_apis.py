"""Chat APIs: OpenAI-compatible services (Ollama, LM Studio, vLLM …) and Anthropic."""

import json
from typing import Any

from webquarry.errors import PayloadError
from webquarry.net.upstream.api import UpstreamApi
from webquarry.providers.provider import Wire
from webquarry.services.llm.llm_port import ChatMessage, LlmReply

_MAX_TOKENS = 8192  # of one reply
_TOOL = "answer"


class OpenAiChatApi:
    """The API of `/chat/completions`."""

    def __init__(self, api: UpstreamApi, *, model: str, key: str) -> None:
        self._api = api
        self._model = model
        self._headers = {"Authorization": f"Bearer {key}"} if key else {}
        self._supports_schemas = True  # until the service rejects one

    async def complete(
        self, instructions: str, turns: tuple[ChatMessage, ...], schema: dict[str, Any]
    ) -> LlmReply:
        body: dict[str, Any] = {
            "model": self._model,
            "temperature": 0,
            "messages": [
                {"role": "system", "content": instructions},
                *({"role": turn.role, "content": turn.text} for turn in turns),
            ],
        }
        response_format = {"type": "json_schema", "json_schema": {"name": _TOOL, "schema": schema}}
        if self._supports_schemas:
            response = await self._post(
                {**body, "response_format": response_format}, expect=(400, 422)
            )
            if response.status < 300:
                return self._reply(self._api.decode(_Chat, response))
            self._supports_schemas = (
                False  # an older service; the instructions contain the schema as well
            )
        return self._reply(self._api.decode(_Chat, await self._post(body)))

    async def _post(self, body: dict[str, Any], expect: tuple[int, ...] = ()) -> Any:
        return await self._api.post(
            "chat/completions", json=body, headers=self._headers, expect=expect
        )

    def _reply(self, chat: "_Chat") -> LlmReply:
        text = next((choice.message.content for choice in chat.choices), None)
        if text is None:
            raise PayloadError(f"No message ({self._api.name}).", provider=self._api.name)
        usage = chat.usage or _ChatUsage()
        return LlmReply(text, usage.prompt_tokens or 0, usage.completion_tokens or 0)


class AnthropicChatApi:
    """The API of `/v1/messages`; the reply is the input of a forced tool call."""

    def __init__(self, api: UpstreamApi, *, model: str, key: str) -> None:
        self._api = api
        self._model = model
        self._headers = {"x-api-key": key, "anthropic-version": "2023-06-01"}

    async def complete(
        self, instructions: str, turns: tuple[ChatMessage, ...], schema: dict[str, Any]
    ) -> LlmReply:
        body: dict[str, Any] = {
            "model": self._model,
            "max_tokens": _MAX_TOKENS,
            "temperature": 0,
            "system": instructions,
            "messages": [{"role": turn.role, "content": turn.text} for turn in turns],
            "tools": [{"name": _TOOL, "description": "Give the answer.", "input_schema": schema}],
            "tool_choice": {"type": "tool", "name": _TOOL},
        }
        response = await self._api.post("v1/messages", json=body, headers=self._headers)
        message = self._api.decode(_Message, response)
        tool_input = next((part.input for part in message.content if part.type == "tool_use"), None)
        text = "".join(part.text or "" for part in message.content)
        usage = message.usage or _MessageUsage()
        if tool_input is not None:
            text = json.dumps(tool_input, ensure_ascii=False)
        return LlmReply(text, usage.input_tokens or 0, usage.output_tokens or 0)


class _ChatMessage(Wire):
    content: str | None = None


class _Choice(Wire):
    message: _ChatMessage


class _ChatUsage(Wire):
    prompt_tokens: int | None = None
    completion_tokens: int | None = None


class _Chat(Wire):
    choices: tuple[_Choice, ...]
    usage: _ChatUsage | None = None


class _Part(Wire):
    type: str
    text: str | None = None
    input: Any = None


class _MessageUsage(Wire):
    input_tokens: int | None = None
    output_tokens: int | None = None


class _Message(Wire):
    content: tuple[_Part, ...]
    usage: _MessageUsage | None = None

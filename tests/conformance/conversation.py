"""The client behind a call, for the features that the product itself has no use for.

Our call path hides the client from tools on purpose: sampling, roots and logging are deprecated,
and no tool of ours asks the person anything. The conformance scenarios want them all the same.
"""

from collections.abc import Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

import mcp_types as types
from mcp.server.context import CallNext, ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.request_state import RequestStateBoundary, RequestStateSecurity
from mcp.shared.exceptions import MCPError
from mcp.shared.message import ServerMessageMetadata

from tests.conformance.samples import ASKING_PROMPT
from webquarry.models.result import Result

Context = ServerRequestContext[Any, Any]
Asks = Mapping[str, types.InputRequest]
Schema = dict[str, Any]


@dataclass
class Conversation:
    """One tool call as the protocol sees it, and what to answer instead of the tool's result."""

    context: Context
    params: types.CallToolRequestParams
    instead: types.InputRequiredResult | MCPError | None = None

    @property
    def state(self) -> str | None:
        return self.params.request_state

    @property
    def can_sample(self) -> bool:
        declared = self.context.session.client_capabilities
        return declared is not None and declared.sampling is not None

    @property
    def can_elicit(self) -> bool:
        declared = self.context.session.client_capabilities
        return declared is not None and declared.elicitation is not None

    def has(self, *answers: str) -> bool:
        given = self.params.input_responses or {}
        return all(answer in given for answer in answers)

    def ask(self, *asks: Asks, state: str | None = None) -> Result:
        """Answer with questions; the client calls again with its answers."""
        wanted = {name: ask for each in asks for name, ask in each.items()}
        self.instead = types.InputRequiredResult(input_requests=wanted, request_state=state)
        return Result()

    def refuse(self, code: int, message: str, data: Any) -> Result:
        """Answer with a protocol error."""
        self.instead = MCPError(code, message, data)
        return Result()

    async def log(self, text: str) -> None:
        note = types.LoggingMessageNotification(
            params=types.LoggingMessageNotificationParams(level="info", data=text)
        )
        await self.context.session.send_notification(note, self.context.request_id)

    async def sample(self, prompt: str) -> types.CreateMessageResult:
        return await self.context.session.send_request(
            sampling(prompt, 100),
            types.CreateMessageResult,
            metadata=ServerMessageMetadata(related_request_id=self.context.request_id),
        )

    async def elicit(self, message: str, schema: Schema) -> types.ElicitResult:
        return await self.context.session.elicit_form(message, schema, self.context.request_id)


CONVERSATION: ContextVar[Conversation] = ContextVar("conversation")


def sampling(prompt: str, most: int) -> types.CreateMessageRequest:
    content = types.TextContent(text=prompt)
    message = types.SamplingMessage(role="user", content=content)
    return types.CreateMessageRequest(
        params=types.CreateMessageRequestParams(messages=[message], max_tokens=most)
    )


def question(message: str, field: str, kind: str = "string") -> types.ElicitRequest:
    schema: Schema = {"type": "object", "properties": {field: {"type": kind}}, "required": [field]}
    return types.ElicitRequest(
        params=types.ElicitRequestFormParams(message=message, requested_schema=schema)
    )


def open_to_client(server: Server[Any]) -> None:
    """Let tools and one prompt of `server` talk back to the client, and accept log levels."""
    _wrap_tools(server)
    _wrap_prompts(server)
    server.add_request_handler("logging/setLevel", types.SetLevelRequestParams, _acknowledge)
    server.middleware.append(
        RequestStateBoundary(RequestStateSecurity.ephemeral(), default_audience=server.name)
    )


def _wrap_tools(server: Server[Any]) -> None:
    entry = server.get_request_handler("tools/call")
    assert entry is not None

    async def call(context: Context, params: types.CallToolRequestParams) -> Any:
        conversation = Conversation(context, params)
        token = CONVERSATION.set(conversation)
        try:
            result = await entry.handler(context, params)
        finally:
            CONVERSATION.reset(token)
        if isinstance(conversation.instead, MCPError):
            raise conversation.instead
        return conversation.instead or result

    server.add_request_handler("tools/call", types.CallToolRequestParams, call)
    server.middleware.insert(0, _converse)


async def _converse(ctx: Context, call_next: CallNext) -> Any:
    """Let a plain call talk back too, which is answered before any handler is asked."""
    if ctx.method != "tools/call":
        return await call_next(ctx)
    params = types.CallToolRequestParams.model_validate(ctx.params)
    token = CONVERSATION.set(Conversation(ctx, params))
    try:
        return await call_next(ctx)
    finally:
        CONVERSATION.reset(token)


def _wrap_prompts(server: Server[Any]) -> None:
    entry = server.get_request_handler("prompts/get")
    assert entry is not None

    async def get(context: Context, params: types.GetPromptRequestParams) -> Any:
        answered = "user_context" in (params.input_responses or {})
        if params.name == ASKING_PROMPT and not answered:
            ask = question("What context should the prompt use?", "context")
            return types.InputRequiredResult(input_requests={"user_context": ask})
        return await entry.handler(context, params)

    server.add_request_handler("prompts/get", types.GetPromptRequestParams, get)


async def _acknowledge(_: Context, __: types.SetLevelRequestParams) -> types.EmptyResult:
    return types.EmptyResult()

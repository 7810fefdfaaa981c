"""Gives the conformance tools access to the client: sampling, elicitation, roots and logging.

The call path does not expose the client to tools: sampling, roots and logging are deprecated, and
no product tool uses elicitation. The conformance scenarios require all of them.
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

from tests.conformance.samples import INPUT_REQUIRED_PROMPT
from webquarry.models.result import Result

Context = ServerRequestContext[Any, Any]
InputRequests = Mapping[str, types.InputRequest]
Schema = dict[str, Any]


@dataclass
class ClientAccess:
    """The client of one tool call, and the response to send instead of the tool's result."""

    context: Context
    params: types.CallToolRequestParams
    replacement: types.InputRequiredResult | MCPError | None = None

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

    def has_responses(self, *names: str) -> bool:
        responses = self.params.input_responses or {}
        return all(name in responses for name in names)

    def request_input(self, *requests: InputRequests, state: str | None = None) -> Result:
        """Return an input-required result; the client repeats the call with the responses."""
        input_requests = {name: each for request in requests for name, each in request.items()}
        self.replacement = types.InputRequiredResult(
            input_requests=input_requests, request_state=state
        )
        return Result()

    def reject(self, code: int, message: str, data: Any) -> Result:
        """Respond with a protocol error."""
        self.replacement = MCPError(code, message, data)
        return Result()

    async def log(self, text: str) -> None:
        notification = types.LoggingMessageNotification(
            params=types.LoggingMessageNotificationParams(level="info", data=text)
        )
        await self.context.session.send_notification(notification, self.context.request_id)

    async def sample(self, prompt: str) -> types.CreateMessageResult:
        return await self.context.session.send_request(
            sampling(prompt, 100),
            types.CreateMessageResult,
            metadata=ServerMessageMetadata(related_request_id=self.context.request_id),
        )

    async def elicit(self, message: str, schema: Schema) -> types.ElicitResult:
        return await self.context.session.elicit_form(message, schema, self.context.request_id)


CLIENT: ContextVar[ClientAccess] = ContextVar("client")


def sampling(prompt: str, max_tokens: int) -> types.CreateMessageRequest:
    content = types.TextContent(text=prompt)
    message = types.SamplingMessage(role="user", content=content)
    return types.CreateMessageRequest(
        params=types.CreateMessageRequestParams(messages=[message], max_tokens=max_tokens)
    )


def elicitation(message: str, field: str, kind: str = "string") -> types.ElicitRequest:
    schema: Schema = {"type": "object", "properties": {field: {"type": kind}}, "required": [field]}
    return types.ElicitRequest(
        params=types.ElicitRequestFormParams(message=message, requested_schema=schema)
    )


def give_client_access(server: Server[Any]) -> None:
    """Give tools and one prompt of `server` access to the client, and accept log levels."""
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
        client = ClientAccess(context, params)
        token = CLIENT.set(client)
        try:
            result = await entry.handler(context, params)
        finally:
            CLIENT.reset(token)
        if isinstance(client.replacement, MCPError):
            raise client.replacement
        return client.replacement or result

    server.add_request_handler("tools/call", types.CallToolRequestParams, call)
    server.middleware.insert(0, _set_client)


async def _set_client(ctx: Context, call_next: CallNext) -> Any:
    """Set the client for calls that a middleware handles before the request handler."""
    if ctx.method != "tools/call":
        return await call_next(ctx)
    params = types.CallToolRequestParams.model_validate(ctx.params)
    token = CLIENT.set(ClientAccess(ctx, params))
    try:
        return await call_next(ctx)
    finally:
        CLIENT.reset(token)


def _wrap_prompts(server: Server[Any]) -> None:
    entry = server.get_request_handler("prompts/get")
    assert entry is not None

    async def get(context: Context, params: types.GetPromptRequestParams) -> Any:
        has_context = "user_context" in (params.input_responses or {})
        if params.name == INPUT_REQUIRED_PROMPT and not has_context:
            request = elicitation("What context should the prompt use?", "context")
            return types.InputRequiredResult(input_requests={"user_context": request})
        return await entry.handler(context, params)

    server.add_request_handler("prompts/get", types.GetPromptRequestParams, get)


async def _acknowledge(_: Context, __: types.SetLevelRequestParams) -> types.EmptyResult:
    return types.EmptyResult()

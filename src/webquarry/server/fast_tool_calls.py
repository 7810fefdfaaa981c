"""Handles plain `tools/call` requests without the SDK's validation.

The SDK validates every request against the schema of its protocol revision and again as a model,
and the result in the same way. A plain call needs neither: the tool validates its arguments, and
our own code built the result. Any other request takes the SDK's normal path.
"""

from collections.abc import Awaitable, Callable
from typing import Any, cast

from mcp.server.context import CallNext, ServerRequestContext
from mcp_types.methods import serialize_server_result
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS

Context = ServerRequestContext[Any, Any]
CallsTool = Callable[[Context, str, dict[str, Any] | None], Awaitable[dict[str, Any]]]

_METHOD = "tools/call"
_PLAIN_PARAMS = frozenset(("name", "arguments"))
_VERSIONS = frozenset(HANDSHAKE_PROTOCOL_VERSIONS)
_TEXT_BLOCK = frozenset(("type", "text"))


class FastToolCalls:
    """Middleware that handles plain calls itself."""

    def __init__(self, call: CallsTool) -> None:
        """Call tools with `call`, which returns a `CallToolResult` as JSON-ready data."""
        self._call = call

    async def __call__(self, ctx: Context, call_next: CallNext) -> Any:
        params = ctx.params
        if ctx.method != _METHOD or not params or not _is_plain(ctx):
            return await call_next(ctx)
        name, arguments = params.get("name"), params.get("arguments")
        if type(name) is not str or not (arguments is None or type(arguments) is dict):
            return await call_next(ctx)
        checked = cast("dict[str, Any] | None", arguments)
        return _serialized(await self._call(ctx, name, checked), ctx.protocol_version)


def _is_plain(ctx: Context) -> bool:
    """Return whether a call has only a name and arguments and its session is initialized."""
    plain_params = ctx.params is not None and _PLAIN_PARAMS.issuperset(ctx.params)
    initialized = ctx.session.client_params is not None and ctx.request_id is not None
    return plain_params and initialized and ctx.protocol_version in _VERSIONS


def _serialized(result: dict[str, Any], version: str) -> dict[str, Any]:
    """Return the result for this protocol revision; text blocks are the same in all of them."""
    if all(_TEXT_BLOCK.issuperset(block) for block in result["content"]):
        return result
    return serialize_server_result(_METHOD, version, result)

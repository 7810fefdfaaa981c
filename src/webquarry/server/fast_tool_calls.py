"""Plain calls of tools, past what the SDK would check twice.

Before a handler the SDK validates a request against the schema of its protocol revision and then
once more as a model, and after it the result in the same way. Of a plain call there is nothing to
find: its arguments are the tool's to check, and its result is ours. Whatever is unusual about
either goes the SDK's own way.
"""

from collections.abc import Awaitable, Callable
from typing import Any, cast

from mcp.server.context import CallNext, ServerRequestContext
from mcp_types.methods import serialize_server_result
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS

Context = ServerRequestContext[Any, Any]
Calls = Callable[[Context, str, dict[str, Any] | None], Awaitable[dict[str, Any]]]

_METHOD = "tools/call"
_KNOWN = frozenset(("name", "arguments"))
_VERSIONS = frozenset(HANDSHAKE_PROTOCOL_VERSIONS)
_TEXT = frozenset(("type", "text"))


class FastToolCalls:
    """Middleware that answers plain calls itself."""

    def __init__(self, call: Calls) -> None:
        """Call tools by `call`, which returns a `CallToolResult` as JSON-ready data."""
        self._call = call

    async def __call__(self, ctx: Context, call_next: CallNext) -> Any:
        params = ctx.params
        if ctx.method != _METHOD or not params or not _is_plain(ctx):
            return await call_next(ctx)
        name, arguments = params.get("name"), params.get("arguments")
        if type(name) is not str or not (arguments is None or type(arguments) is dict):
            return await call_next(ctx)
        given = cast("dict[str, Any] | None", arguments)
        return _sieved(await self._call(ctx, name, given), ctx.protocol_version)


def _is_plain(ctx: Context) -> bool:
    """Tell a request that nothing but the handshake has to come before."""
    known = ctx.params is not None and _KNOWN.issuperset(ctx.params)
    open_for_calls = ctx.session.client_params is not None and ctx.request_id is not None
    return known and open_for_calls and ctx.protocol_version in _VERSIONS


def _sieved(result: dict[str, Any], version: str) -> dict[str, Any]:
    """Return the result as these revisions know it; text needs no check."""
    if all(_TEXT.issuperset(block) for block in result["content"]):
        return result
    return serialize_server_result(_METHOD, version, result)

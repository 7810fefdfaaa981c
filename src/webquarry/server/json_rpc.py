"""Lines of JSON-RPC: what they say, and the answers to those that say nothing."""

from contextlib import suppress

import mcp_types as types
from pydantic import ValidationError


def message_in(line: bytes) -> types.JSONRPCMessage:
    """Return the message; a request, as nearly all are, is not tried as anything else."""
    if b'"method"' in line and b'"result"' not in line and b'"error"' not in line:
        with suppress(ValidationError):
            return types.JSONRPCRequest.model_validate_json(line, by_name=False)
    return types.jsonrpc_message_adapter.validate_json(line, by_name=False)


def is_stateless(request: types.JSONRPCRequest) -> bool:
    """Tell whether a request speaks for itself, as those of 2026-07-28 do."""
    meta = (request.params or {}).get("_meta")
    named = isinstance(meta, dict) and types.PROTOCOL_VERSION_META_KEY in meta
    return named and request.method != "initialize"


def wrong_era(request: int | str) -> types.JSONRPCError:
    """Return the SDK's answer to a request of the era that the connection did not open with."""
    told = (
        "this connection serves the handshake protocol era; "
        "requests carrying the 2026-07-28 envelope are not accepted on it"
    )
    error = types.ErrorData(code=types.INVALID_REQUEST, message=told)
    return types.JSONRPCError(jsonrpc="2.0", id=request, error=error)


def refusal(error: ValidationError) -> bytes:
    """Return the answer to a line that is no message."""
    malformed = any(problem["type"] == "json_invalid" for problem in error.errors())
    code, text = (-32700, "Parse error") if malformed else (-32600, "Invalid Request")
    return b'{"jsonrpc":"2.0","id":null,"error":{"code":%d,"message":"%s"}}' % (
        code,
        text.encode(),
    )

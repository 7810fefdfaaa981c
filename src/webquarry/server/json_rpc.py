"""Parses JSON-RPC messages and builds the errors for those that are invalid."""

from contextlib import suppress

import mcp_types as types
from pydantic import ValidationError


def parse_message(line: bytes) -> types.JSONRPCMessage:
    """Return the message in a line. Most are requests, so that type is tried first."""
    if b'"method"' in line and b'"result"' not in line and b'"error"' not in line:
        with suppress(ValidationError):
            return types.JSONRPCRequest.model_validate_json(line, by_name=False)
    return types.jsonrpc_message_adapter.validate_json(line, by_name=False)


def is_stateless(request: types.JSONRPCRequest) -> bool:
    """Return whether a request carries its protocol version, as since revision 2026-07-28."""
    meta = (request.params or {}).get("_meta")
    named = isinstance(meta, dict) and types.PROTOCOL_VERSION_META_KEY in meta
    return named and request.method != "initialize"


def wrong_era_error(request: int | str) -> types.JSONRPCError:
    """Return the SDK's error for a stateless request on a connection opened by a handshake."""
    text = (
        "this connection serves the handshake protocol era; "
        "requests carrying the 2026-07-28 envelope are not accepted on it"
    )
    error = types.ErrorData(code=types.INVALID_REQUEST, message=text)
    return types.JSONRPCError(jsonrpc="2.0", id=request, error=error)


def parse_error(error: ValidationError) -> bytes:
    """Return the error response for a line that is not a valid message."""
    malformed = any(problem["type"] == "json_invalid" for problem in error.errors())
    code, text = (-32700, "Parse error") if malformed else (-32600, "Invalid Request")
    return b'{"jsonrpc":"2.0","id":null,"error":{"code":%d,"message":"%s"}}' % (
        code,
        text.encode(),
    )

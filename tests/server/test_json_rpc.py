"""Our JSON-RPC parser accepts and rejects the same lines as the SDK."""

import json

import mcp_types as types
import pytest
from pydantic import ValidationError

from webquarry.server.json_rpc import parse_message

LINES: list[dict[str, object]] = [
    {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "echo"}},
    {"jsonrpc": "2.0", "id": "a", "method": "ping"},
    {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"arguments": {"result": 1}}},
    {"jsonrpc": "2.0", "method": "notifications/initialized"},
    {"jsonrpc": "2.0", "method": "notifications/progress", "params": {"id": 3}},
    {"jsonrpc": "2.0", "id": 3, "result": {"method": "x"}},
    {"jsonrpc": "2.0", "id": 3, "error": {"code": 1, "message": "no"}},
    {"jsonrpc": "2.0", "id": 3, "method": "x", "result": {}},
    {"jsonrpc": "2.0", "id": 3, "method": "x", "extra": True},
]


@pytest.mark.parametrize("said", LINES)
def test_a_line_is_parsed_like_the_sdk_parses_it(said: dict[str, object]) -> None:
    line = json.dumps(said).encode()

    assert parse_message(line) == types.jsonrpc_message_adapter.validate_json(line, by_name=False)


@pytest.mark.parametrize(
    "line",
    [b"{", b"[]", b'{"id": 1}', b'{"jsonrpc":"2.0","id":null,"method":3}', b'{"method": "x"}'],
)
def test_an_invalid_line_is_rejected_like_the_sdk_rejects_it(line: bytes) -> None:
    with pytest.raises(ValidationError) as ours:
        parse_message(line)
    with pytest.raises(ValidationError) as theirs:
        types.jsonrpc_message_adapter.validate_json(line, by_name=False)

    assert ours.value.errors() == theirs.value.errors()

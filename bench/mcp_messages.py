"""The MCP messages of both protocol versions, as a client sends them."""

from dataclasses import dataclass
from typing import Any

from bench.process import HANDSHAKE_VERSION, INITIALIZE, INITIALIZED, Message, request

STATELESS_VERSION = "2026-07-28"
ENVELOPE: Message = {
    "io.modelcontextprotocol/protocolVersion": STATELESS_VERSION,
    "io.modelcontextprotocol/clientInfo": {"name": "bench", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": {},
}
ECHO: Message = {"name": "echo", "arguments": {"message": "hello world"}}


@dataclass(frozen=True)
class Protocol:
    """How clients of one protocol version open a connection and call a tool."""

    version: str
    opening: tuple[Message, ...]
    meta: Message | None = None  # sent with each request when there is no handshake

    def echo(self, number: int) -> Message:
        params: dict[str, Any] = dict(ECHO)
        if self.meta is not None:
            params["_meta"] = self.meta
        return request(number, "tools/call", params)

    def headers(self, message: Message) -> tuple[str, ...]:
        """Return the routing headers of a message over HTTP."""
        if message["method"] == "initialize":
            return ()
        lines = (f"Mcp-Protocol-Version: {self.version}",)
        if self.meta is None:
            return lines
        name = message.get("params", {}).get("name")
        lines = (*lines, f"Mcp-Method: {message['method']}")
        return (*lines, f"Mcp-Name: {name}") if name else lines


HANDSHAKE = Protocol(HANDSHAKE_VERSION, (INITIALIZE, INITIALIZED))
STATELESS = Protocol(
    STATELESS_VERSION, (request(1, "server/discover", {"_meta": ENVELOPE}),), meta=ENVELOPE
)
PROTOCOL_VERSIONS = (HANDSHAKE, STATELESS)

"""A client that sends raw messages of revision 2026-07-28, with chosen extensions."""

import asyncio
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import count
from typing import Any

import mcp_types as types
from anyio import create_memory_object_stream
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.server.lowlevel import Server
from mcp.shared.message import SessionMessage

VERSION = "2026-07-28"
Json = dict[str, Any]


@dataclass
class RawClient:
    """One connection to a server in this process."""

    sends: MemoryObjectSendStream[SessionMessage | Exception]
    receives: MemoryObjectReceiveStream[SessionMessage]
    extensions: Mapping[str, Json]
    ids: "count[int]" = field(default_factory=lambda: count(1))

    async def request(self, method: str, **params: Any) -> Json:
        """Return the result of a request, or its error."""
        meta = {
            "io.modelcontextprotocol/protocolVersion": VERSION,
            "io.modelcontextprotocol/clientInfo": {"name": "raw", "version": "1"},
            "io.modelcontextprotocol/clientCapabilities": {"extensions": dict(self.extensions)},
        }
        request_id = next(self.ids)
        message: Json = {"jsonrpc": "2.0", "id": request_id, "method": method}
        message["params"] = params | {"_meta": meta}
        parsed = types.jsonrpc_message_adapter.validate_python(message)
        await self.sends.send(SessionMessage(parsed))
        while True:
            response = (await self.receives.receive()).message
            if isinstance(response, types.JSONRPCError) and response.id == request_id:
                return {"error": response.error.model_dump(exclude_none=True)}
            if isinstance(response, types.JSONRPCResponse) and response.id == request_id:
                return {k: v for k, v in response.result.items() if k != "_meta"}


@asynccontextmanager
async def raw_client(
    server: Server[Any], extensions: Mapping[str, Json]
) -> AsyncGenerator[RawClient]:
    """Connect to a server."""
    sends, reads = create_memory_object_stream[SessionMessage | Exception](10)
    writes, receives = create_memory_object_stream[SessionMessage](10)
    running = asyncio.create_task(server.run(reads, writes, server.create_initialization_options()))
    try:
        yield RawClient(sends, receives, extensions)
    finally:
        sends.close()
        await running
        receives.close()

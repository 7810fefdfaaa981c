"""Relays bytes between two connections, with back-pressure."""

import asyncio
from typing import cast

_HIGH_WATER = 256 * 2**10


class RelayEnd(asyncio.Protocol):
    """One end of a relay. Received bytes are sent by its peer."""

    def __init__(self) -> None:
        self.transport: asyncio.Transport | None = None
        self.peer: RelayEnd | None = None
        self.ended = False  # received EOF
        self.last_active = 0.0
        self._buffered = b""  # received before there was a peer

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast("asyncio.Transport", transport)
        self.transport.set_write_buffer_limits(high=_HIGH_WATER)

    def data_received(self, data: bytes) -> None:
        self.last_active = asyncio.get_running_loop().time()
        if self.peer is None or self.peer.transport is None:
            self._buffered += data
        else:
            self.peer.transport.write(data)

    def eof_received(self) -> bool:
        self.ended = True
        out = self.peer.transport if self.peer else None
        # once both sides have sent EOF the connection can be closed
        if self.peer is None or self.peer.ended or out is None or not out.can_write_eof():
            return False
        if not out.is_closing():
            out.write_eof()
        return True  # half-closed: the other direction may continue

    def connection_lost(self, exc: Exception | None) -> None:
        if self.peer and self.peer.transport and not self.peer.transport.is_closing():
            self.peer.transport.close()  # after its buffered data is written

    def pause_writing(self) -> None:
        if self.peer and self.peer.transport:
            self.peer.transport.pause_reading()

    def resume_writing(self) -> None:
        if self.peer and self.peer.transport:
            self.peer.transport.resume_reading()

    def join(self, peer: "RelayEnd") -> None:
        """Become the other end of `peer`, and send what both have buffered."""
        self.peer, peer.peer = peer, self
        self.last_active = peer.last_active = asyncio.get_running_loop().time()
        self.flush()
        peer.flush()

    def flush(self) -> None:
        """Send the buffered bytes to the peer."""
        buffered, self._buffered = self._buffered, b""
        if buffered:
            self.data_received(buffered)

    def buffer(self, data: bytes) -> None:
        """Store bytes until there is a peer."""
        self._buffered += data

    def abort(self) -> None:
        """Abort both connections at once."""
        for end in (self, self.peer):
            if end and end.transport:
                end.transport.abort()

"""Two connections joined, with back-pressure and an end."""

import asyncio
from typing import cast

_HIGH_WATER = 256 * 2**10


class End(asyncio.Protocol):
    """One end of a pipe. What arrives here leaves at its peer."""

    def __init__(self) -> None:
        self.transport: asyncio.Transport | None = None
        self.peer: End | None = None
        self.ended = False  # nothing more will arrive here
        self.last_seen = 0.0
        self._waiting = b""  # arrived before there was a peer

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast("asyncio.Transport", transport)
        self.transport.set_write_buffer_limits(high=_HIGH_WATER)

    def data_received(self, data: bytes) -> None:
        self.last_seen = asyncio.get_running_loop().time()
        if self.peer is None or self.peer.transport is None:
            self._waiting += data
        else:
            self.peer.transport.write(data)

    def eof_received(self) -> bool:
        self.ended = True
        out = self.peer.transport if self.peer else None
        # once both sides have ended there is nothing left to wait for
        if self.peer is None or self.peer.ended or out is None or not out.can_write_eof():
            return False
        if not out.is_closing():
            out.write_eof()
        return True  # the other direction may go on

    def connection_lost(self, exc: Exception | None) -> None:
        if self.peer and self.peer.transport and not self.peer.transport.is_closing():
            self.peer.transport.close()  # after what is still to be written

    def pause_writing(self) -> None:
        if self.peer and self.peer.transport:
            self.peer.transport.pause_reading()

    def resume_writing(self) -> None:
        if self.peer and self.peer.transport:
            self.peer.transport.resume_reading()

    def join(self, peer: "End") -> None:
        """Become the other end of `peer`, and pass on what was waiting on either side."""
        self.peer, peer.peer = peer, self
        self.last_seen = peer.last_seen = asyncio.get_running_loop().time()
        self.release()
        peer.release()

    def release(self) -> None:
        """Pass on what was held."""
        waiting, self._waiting = self._waiting, b""
        if waiting:
            self.data_received(waiting)

    def hold(self, data: bytes) -> None:
        """Keep what arrived early until the pipe is joined."""
        self._waiting += data

    def abort(self) -> None:
        """Cut both ends off at once."""
        for end in (self, self.peer):
            if end and end.transport:
                end.transport.abort()

"""An event loop whose time jumps to the next timer, so that tests with timeouts take no time."""

import asyncio
import selectors
from typing import Any

from webquarry.net.clock import Clock


class _JumpingSelector(selectors.DefaultSelector):
    """Waits for nothing: the time that it should wait is over at once."""

    def __init__(self) -> None:
        super().__init__()
        self.elapsed = 0.0

    def select(self, timeout: float | None = None) -> Any:
        # without a timer only another thread can wake the loop
        ready = super().select(None if timeout is None else 0)
        if not ready and timeout is not None and timeout > 0:
            self.elapsed += timeout
        return ready


class VirtualTimeLoop(asyncio.SelectorEventLoop):
    """An event loop on virtual time."""

    def __init__(self) -> None:
        self._jumping = _JumpingSelector()
        super().__init__(self._jumping)

    def time(self) -> float:
        return self._jumping.elapsed


def virtual_clock(start: float = 1_700_000_000.0) -> Clock:
    """Return the clock of the running loop; chance is always 0.5."""
    loop = asyncio.get_running_loop()
    return Clock(
        monotonic=loop.time,
        time=lambda: start + loop.time(),
        sleep=asyncio.sleep,
        random=lambda: 0.5,
    )

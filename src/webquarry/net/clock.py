"""Time and chance, passed in so that tests need neither."""

import random
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import anyio


@dataclass(frozen=True, kw_only=True)
class Clock:
    """What waits and measures. The default is the real thing."""

    now: Callable[[], float] = time.monotonic
    today: Callable[[], float] = time.time  # seconds since 1970, to read dates in headers
    sleep: Callable[[float], Awaitable[None]] = anyio.sleep
    chance: Callable[[], float] = random.random  # at least 0, below 1

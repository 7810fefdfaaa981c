"""Time and randomness as a parameter, so that tests are deterministic."""

import random
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import anyio


@dataclass(frozen=True, kw_only=True)
class Clock:
    """The functions for time, waiting and randomness. The defaults are the real ones."""

    monotonic: Callable[[], float] = time.monotonic  # seconds, for durations
    time: Callable[[], float] = time.time  # seconds since 1970, for dates in headers and results
    sleep: Callable[[float], Awaitable[None]] = anyio.sleep
    random: Callable[[], float] = random.random  # at least 0, below 1

"""Checks monitors for a simulated week; kills itself in the middle of a check if told to.

Arguments: the directory, how long the week is, and after how many checks to die (0: never).
"""

import asyncio
import os
import signal
import sys
from pathlib import Path
from typing import TextIO

from tests.services.watching.monitor_setup import (
    START,
    HandClock,
    ScriptedObserver,
    Watch,
    sqlite_watch,
)
from webquarry.models.changes import FieldState, FieldsVersion, Version
from webquarry.models.monitor import Monitor
from webquarry.services.watching.observing import EarlierVersion, Observation

CLOCK, CHECKS, TOLD = "clock", "checks", "told"
STEP = 30.0  # seconds that a restart takes


class DyingObserver(ScriptedObserver):
    """Notes each check in a file, and kills the process in one of them."""

    def __init__(self, directory: Path, clock: HandClock, deadly: int) -> None:
        super().__init__(clock=clock)
        self._checks = (directory / CHECKS).open("a")
        self._deadly = deadly
        self._count = 0

    async def observe(self, monitor: Monitor, earlier: EarlierVersion) -> Observation:
        self._checks.write(f"{monitor.id} {monitor.slot}\n")
        self._checks.flush()
        self._count += 1
        if self._count == self._deadly:
            await asyncio.sleep(0)  # others of the batch have begun, too
            os.kill(os.getpid(), signal.SIGKILL)
        await asyncio.sleep(0)
        if monitor.runs % 4:
            return Observation(version=None)
        value = FieldState(value=monitor.runs, quote=str(monitor.runs))
        version: Version = FieldsVersion(url="https://shop.test/", values={"/price": value})
        return Observation(version=version)


async def run(directory: Path, seconds: float, deadly: int) -> None:
    stored = directory / CLOCK
    clock = HandClock(float(stored.read_text()) + STEP if stored.exists() else START)
    watch = sqlite_watch(directory, clock, DyingObserver(directory, clock, deadly))
    with (directory / TOLD).open("a") as told:
        while True:
            stored.write_text(str(clock.now))
            following = await watch.scheduler.work_due()
            await _send(watch, told)
            if following is None or following >= START + seconds:
                break
            clock.now = max(clock.now, following)
    await watch.store.close()


async def _send(watch: Watch, told: TextIO) -> None:
    for delivery in await watch.send():
        told.write(f"{delivery.monitor_id} {delivery.id}\n")
        told.flush()


if __name__ == "__main__":
    asyncio.run(run(Path(sys.argv[1]), float(sys.argv[2]), int(sys.argv[3])))

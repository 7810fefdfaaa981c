"""What a step of a research session costs, early and late: disk, CPU and the answer's size."""

import argparse
import asyncio
import statistics
import sys
import tempfile
import time
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

from webquarry.models.caller import Caller
from webquarry.models.session import ResearchStep, StepTaken
from webquarry.services.sessions.service import Sessions
from webquarry.storage.cipher import Keyring
from webquarry.storage.sqlite import SqliteStore

EARLY, LATE = 10, 200
TARGET = 1.2
CALLER = Caller(tenant="bench", user="bench")


@dataclass(frozen=True)
class Cost:
    """Of one step."""

    written: int  # bytes handed to the operating system
    cpu_us: float


def main() -> None:
    """Print the cost of step 10 and step 200; exit 1 when the late one costs too much more."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sessions", type=int, default=40)
    costs = asyncio.run(_measure(parser.parse_args().sessions))
    early, late = (_typical(costs, number) for number in (EARLY, LATE))
    sys.stdout.write(
        f"            step {EARLY:>4}   step {LATE:>4}   ratio\n"
        f"bytes    {early.written:>11} {late.written:>11} {late.written / early.written:>7.2f}\n"
        f"CPU (us) {early.cpu_us:>11.0f} {late.cpu_us:>11.0f} {late.cpu_us / early.cpu_us:>7.2f}\n"
    )
    if late.written > TARGET * early.written or late.cpu_us > TARGET * early.cpu_us:
        sys.exit(f"step {LATE} costs more than {TARGET} times step {EARLY}")


async def _measure(count: int) -> dict[int, list[Cost]]:
    costs: dict[int, list[Cost]] = defaultdict(list)
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "data" / "store.sqlite3"
        for _ in range(count):
            store = SqliteStore(path, Keyring(bytes(32)))
            await _session(Sessions(store), costs)
            await store.close()
    return costs


async def _session(sessions: Sessions, costs: dict[int, list[Cost]]) -> None:
    session = await sessions.start(CALLER, "Owls", _step(1))
    for number in range(2, LATE + 1):
        written, cpu = _written(), time.process_time()
        await sessions.take_step(CALLER, session.id, _step(number))
        spent = 1e6 * (time.process_time() - cpu)
        costs[number].append(Cost(_written() - written, spent))


def _typical(costs: dict[int, list[Cost]], number: int) -> Cost:
    """Return the middle over all sessions of the step and its neighbours before."""
    near = [cost for at in range(number - 4, number + 1) for cost in costs[at]]
    # the middle, because now and then a step pays for a checkpoint of the database
    return Cost(
        int(statistics.median(cost.written for cost in near)),
        statistics.median(cost.cpu_us for cost in near),
    )


def _written() -> int:
    told = Path("/proc/self/io").read_text(encoding="ascii")
    return next(int(line.split()[1]) for line in told.splitlines() if line.startswith("wchar"))


def _step(number: int) -> StepTaken:
    told = ResearchStep(
        stepNumber=number,
        description=f"Step {number:04d}: " + "what was looked for and where. " * 8,
        reasoning="Because the step before left this open. " * 4,
        confidence="medium",
        timestamp="2026-01-01T00:00:00.000Z",
    )
    return StepTaken(step=told, more=True)


if __name__ == "__main__":
    main()

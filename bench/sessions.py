"""CPU and bytes written by a `sequential_search` call, early and late in a session."""

import argparse
import asyncio
import statistics
import sys
import tempfile
import time
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

from webquarry.app import App, open_app
from webquarry.models.session import ResearchSource, ToolFindings
from webquarry.serving import read_settings

EARLY, LATE = 10, 200
TARGET = 1.2


@dataclass(frozen=True)
class Cost:
    """Cost of one step."""

    written: int  # bytes passed to write(2)
    cpu_us: float


def main() -> None:
    """Print the cost of steps 10 and 200; exit 1 when the late step costs too much more."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sessions", type=int, default=20)
    costs = asyncio.run(_measure(parser.parse_args().sessions))
    early, late = (_median_cost(costs, number) for number in (EARLY, LATE))
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
        flags = {"WEBQUARRY_DATA_DIR": directory, "TOOLSETS": "research"}
        async with open_app(read_settings(flags), "library") as app:
            for _ in range(count):
                await _session(app, costs)
    return costs


async def _session(app: App, costs: dict[int, list[Cost]]) -> None:
    """Record every step as a client does, with sources recorded between the steps."""
    session_id = None
    for number in range(1, LATE + 1):
        written, cpu = _bytes_written(), time.process_time()
        result = await app.offer.path.call(
            "sequential_search",
            _step(number, session_id),
            app.owner,
            request_id="bench",
        )
        spent = 1e6 * (time.process_time() - cpu)
        costs[number].append(Cost(_bytes_written() - written, spent))
        session_id = (result.structured or {})["sessionId"]
        await app.offer.services.sessions.record(app.owner, session_id, _findings(number))


def _median_cost(costs: dict[int, list[Cost]], number: int) -> Cost:
    """Return the median over all sessions of the step and the four before it."""
    samples = [cost for index in range(number - 4, number + 1) for cost in costs[index]]
    # the median, because some steps include a checkpoint of the database
    return Cost(
        int(statistics.median(cost.written for cost in samples)),
        statistics.median(cost.cpu_us for cost in samples),
    )


def _bytes_written() -> int:
    counters = Path("/proc/self/io").read_text(encoding="ascii")
    return next(int(line.split()[1]) for line in counters.splitlines() if line.startswith("wchar"))


def _step(number: int, session_id: str | None) -> dict[str, object]:
    step: dict[str, object] = {
        "searchStep": f"Step {number:04d}: " + "what was looked for and where. " * 8,
        "reasoning": "Because the step before left this open. " * 4,
        "confidence": "medium",
        "stepNumber": number,
        "nextStepNeeded": True,
    }
    return step | ({"sessionId": session_id} if session_id else {"researchGoal": "Owls"})


def _findings(number: int) -> ToolFindings:
    source = ResearchSource(url=f"https://owls.example/{number}", title=f"Page {number} on owls")
    return ToolFindings(at="2026-01-01T00:00:00.000Z", tool="scrape_page", sources=(source,))


if __name__ == "__main__":
    main()

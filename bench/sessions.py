"""What a whole `sequential_search` call costs, early and late in a session: disk and CPU."""

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
from webquarry.calls.tool import no_progress
from webquarry.models.session import ResearchSource, ToolFindings
from webquarry.serving import read_settings

EARLY, LATE = 10, 200
TARGET = 1.2


@dataclass(frozen=True)
class Cost:
    """Of one step."""

    written: int  # bytes handed to the operating system
    cpu_us: float


def main() -> None:
    """Print the cost of step 10 and step 200; exit 1 when the late one costs too much more."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sessions", type=int, default=20)
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
        flags = {"WEBQUARRY_DATA_DIR": directory, "TOOLSETS": "research"}
        async with open_app(read_settings(flags), "library") as app:
            for _ in range(count):
                await _session(app, costs)
    return costs


async def _session(app: App, costs: dict[int, list[Cost]]) -> None:
    """Take every step as a client does; between them sources are found, as in real research."""
    session_id = None
    for number in range(1, LATE + 1):
        written, cpu = _written(), time.process_time()
        result = await app.offer.path.call(
            "sequential_search",
            _step(number, session_id),
            app.owner,
            request_id="bench",
            report=no_progress,
        )
        spent = 1e6 * (time.process_time() - cpu)
        costs[number].append(Cost(_written() - written, spent))
        session_id = (result.structured or {})["sessionId"]
        await app.offer.services.sessions.record(app.owner, session_id, _findings(number))


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

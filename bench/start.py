"""Start-up time, CPU and memory of the server, compared with the Go reference."""

import argparse
import shlex
import statistics
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.mcp_messages import ECHO
from bench.peer import installed_peer
from bench.process import (
    INITIALIZE,
    INITIALIZED,
    WEBQUARRY,
    Message,
    Process,
    Usage,
    request,
)
from bench.read import SETTINGS, serve_pages

RATIO_TARGET = 0.6
FIRST_CALL_TARGET_MS = 1200.0
FIRST_CALL_CPU_TARGET_MS = 350.0
RSS_TARGET_MB = 90.0


@dataclass(frozen=True)
class Start:
    """One start of one server. The peer has no echo tool, so no first call."""

    initialize: Usage
    listing: Usage
    first_call: Usage | None = None


def main() -> None:
    options = _options()
    ours = tuple(shlex.split(options.ours))
    peer = installed_peer()
    peer_starts: list[Start] = []
    our_starts: list[Start] = []
    first_calls: dict[str, list[float]] = {}
    with serve_pages() as port:
        tools = {
            "web_search": {"query": "owls", "provider": "local"},
            "scrape_page": {"url": f"http://127.0.0.1:{port}/5000/1"},
        }
        for number in range(options.rounds + 1):
            peer_round = [_start(peer)] if peer else []
            our_round = _start(ours, ECHO)
            others = {
                tool: _start(ours, {"name": tool, "arguments": arguments})
                for tool, arguments in tools.items()
            }
            if number:  # the first round only warms up the disk cache
                peer_starts += peer_round
                our_starts.append(our_round)
                for tool, start in others.items():
                    used = start.first_call.cpu_ms if start.first_call else 0.0
                    first_calls.setdefault(tool, []).append(used)
    _report(our_starts, peer_starts)
    for tool, values in first_calls.items():
        _print_bounded(f"first {tool}, CPU ms", values, FIRST_CALL_CPU_TARGET_MS)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument(
        "--ours",
        default=shlex.join((str(WEBQUARRY), "serve", "--stdio", "--toolsets", "all")),
        help="the command that starts our server",
    )
    return parser.parse_args()


def _start(command: Sequence[str], call: Message | None = None) -> Start:
    with (
        tempfile.TemporaryDirectory(prefix="bench-start-") as home,
        Process(command, Path(home), SETTINGS) as server,
    ):
        initialize = server.call_and_measure(INITIALIZE)
        server.send(INITIALIZED)
        listing = server.call_and_measure(request(2, "tools/list"))
        if call is None:
            return Start(initialize, listing)
        first_call = server.call_and_measure(request(3, "tools/call", call))
        return Start(initialize, listing, first_call)


Metric = Callable[[Start], float]
COMPARED_METRICS: tuple[tuple[str, Metric], ...] = (
    ("initialize, wall ms", lambda start: start.initialize.wall_ms),
    ("initialize, CPU ms", lambda start: start.initialize.cpu_ms),
    ("tools/list, wall ms", lambda start: start.listing.wall_ms),
    ("tools/list, CPU ms", lambda start: start.listing.cpu_ms),
)
REPORTED_METRICS: tuple[tuple[str, Metric], ...] = (
    ("tools/list, RSS MB", lambda start: start.listing.rss_mb),
)


def _report(ours: list[Start], peer: list[Start]) -> None:
    print(f"{len(ours)} rounds, interleaved, medians (minimum)\n")
    print(f"{'from process start to':<24}{'peer':>16}{'ours':>16}{'ratio':>8}  target")
    for name, metric in (*COMPARED_METRICS, *REPORTED_METRICS):
        our_values = [metric(start) for start in ours]
        peer_values = [metric(start) for start in peer]
        ratio = _ratio(name, our_values, peer_values)
        print(f"{name:<24}{_cell(peer_values)}{_cell(our_values)}{ratio}")
    calls = [start.first_call for start in ours if start.first_call]
    _print_bounded("first echo, wall ms", [call.wall_ms for call in calls], FIRST_CALL_TARGET_MS)
    _print_bounded("first echo, CPU ms", [call.cpu_ms for call in calls], FIRST_CALL_CPU_TARGET_MS)
    _print_bounded("RSS after echo, MB", [call.rss_mb for call in calls], RSS_TARGET_MB)


def _cell(values: Sequence[float]) -> str:
    if not values:
        return f"{'-':>16}"
    return f"{statistics.median(values):>9.1f} ({min(values):.1f})".rjust(16)


def _ratio(name: str, our_values: Sequence[float], peer_values: Sequence[float]) -> str:
    if not peer_values:
        return ""
    ratio = statistics.median(our_values) / statistics.median(peer_values)
    if name not in dict(COMPARED_METRICS):
        return f"{ratio:8.2f}"
    return f"{ratio:8.2f}  {_verdict(ratio, RATIO_TARGET)}"


def _print_bounded(name: str, values: Sequence[float], target: float | None) -> None:
    verdict = "" if target is None else _verdict(statistics.median(values), target)
    print(f"{name:<24}{'-':>16}{_cell(values)}{'':>8}  {verdict}")


def _verdict(value: float, target: float) -> str:
    return f"<= {target:g} " + ("PASS" if value <= target else "MISS")


if __name__ == "__main__":
    main()

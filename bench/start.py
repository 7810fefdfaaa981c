"""How soon and how cheaply the server answers after its start, beside the Go reference."""

import argparse
import shlex
import statistics
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.peer import installed_peer
from bench.process import (
    INITIALIZE,
    INITIALIZED,
    WEBQUARRY,
    Moment,
    Process,
    request,
)
from bench.wire import ECHO

RATIO_TARGET = 0.6
FIRST_CALL_TARGET_MS = 1200.0
RSS_TARGET_MB = 90.0


@dataclass(frozen=True)
class Start:
    """One start of one server; the peer has no echo, so no first call."""

    initialize: Moment
    listing: Moment
    first_call: Moment | None = None


def main() -> None:
    options = _options()
    ours = tuple(shlex.split(options.ours))
    peer = installed_peer()
    peer_starts: list[Start] = []
    our_starts: list[Start] = []
    for number in range(options.rounds + 1):
        round_of_peer = [_start(peer, echo=False)] if peer else []
        round_of_ours = _start(ours, echo=True)
        if number:  # the first round only warms the disk cache
            peer_starts += round_of_peer
            our_starts.append(round_of_ours)
    _report(our_starts, peer_starts)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument(
        "--ours",
        default=shlex.join((str(WEBQUARRY), "serve", "--stdio", "--toolsets", "all")),
        help="the command that starts our server",
    )
    return parser.parse_args()


def _start(command: Sequence[str], *, echo: bool) -> Start:
    with (
        tempfile.TemporaryDirectory(prefix="bench-start-") as home,
        Process(command, Path(home)) as server,
    ):
        initialize = server.until(INITIALIZE)
        server.send(INITIALIZED)
        listing = server.until(request(2, "tools/list"))
        if not echo:
            return Start(initialize, listing)
        first_call = server.until(request(3, "tools/call", ECHO))
        return Start(initialize, listing, first_call)


Figure = Callable[[Start], float]
COMPARED: tuple[tuple[str, Figure], ...] = (
    ("initialize, wall ms", lambda start: start.initialize.wall_ms),
    ("initialize, CPU ms", lambda start: start.initialize.cpu_ms),
    ("tools/list, wall ms", lambda start: start.listing.wall_ms),
    ("tools/list, CPU ms", lambda start: start.listing.cpu_ms),
)
REPORTED: tuple[tuple[str, Figure], ...] = (
    ("tools/list, RSS MB", lambda start: start.listing.rss_mb),
)


def _report(ours: list[Start], peer: list[Start]) -> None:
    print(f"{len(ours)} rounds, interleaved, medians (minimum)\n")
    print(f"{'from process start to':<24}{'peer':>16}{'ours':>16}{'ratio':>8}  target")
    for name, figure in (*COMPARED, *REPORTED):
        mine = [figure(start) for start in ours]
        theirs = [figure(start) for start in peer]
        print(f"{name:<24}{_cell(theirs)}{_cell(mine)}{_ratio(name, mine, theirs)}")
    calls = [start.first_call for start in ours if start.first_call]
    _bounded("first echo, wall ms", [call.wall_ms for call in calls], FIRST_CALL_TARGET_MS)
    _bounded("first echo, CPU ms", [call.cpu_ms for call in calls], None)
    _bounded("RSS after it, MB", [call.rss_mb for call in calls], RSS_TARGET_MB)


def _cell(values: Sequence[float]) -> str:
    if not values:
        return f"{'-':>16}"
    return f"{statistics.median(values):>9.1f} ({min(values):.1f})".rjust(16)


def _ratio(name: str, mine: Sequence[float], theirs: Sequence[float]) -> str:
    if not theirs:
        return ""
    ratio = statistics.median(mine) / statistics.median(theirs)
    if name not in dict(COMPARED):
        return f"{ratio:8.2f}"
    return f"{ratio:8.2f}  {_verdict(ratio, RATIO_TARGET)}"


def _bounded(name: str, values: Sequence[float], target: float | None) -> None:
    verdict = "" if target is None else _verdict(statistics.median(values), target)
    print(f"{name:<24}{'-':>16}{_cell(values)}{'':>8}  {verdict}")


def _verdict(value: float, target: float) -> str:
    return f"<= {target:g} " + ("PASS" if value <= target else "short of it")


if __name__ == "__main__":
    main()

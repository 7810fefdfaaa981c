"""Cost and throughput of `echo` over stdio and HTTP, in both protocol versions."""

import argparse
import asyncio
import shlex
import socket
import statistics
import tempfile
import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.load import Client, until_listening
from bench.mcp_messages import PROTOCOL_VERSIONS, Protocol
from bench.process import WEBQUARRY, Process

STDIO_TARGET_MS = 1.1
RATE_TARGET = 350.0
UNLIMITED = {
    "RATE_LIMIT_PER_TENANT": "0",
    "RATE_LIMIT_GLOBAL": "0",
    "DAILY_QUOTA_PER_TENANT": "0",
}


@dataclass(frozen=True)
class Sample:
    """One series of calls."""

    cpu_ms: float  # server CPU per call
    latencies_ms: Sequence[float]
    per_second: float


def main() -> None:
    options = _options()
    series: dict[str, list[Sample]] = defaultdict(list)
    for _ in range(options.rounds):
        for protocol in PROTOCOL_VERSIONS:
            series[f"stdio {protocol.version}"].append(_stdio(protocol, options))
        for name, sample in asyncio.run(_http(options)):
            series[name].append(sample)
    _report(series, options)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--calls", type=int, default=1000, help="calls per series")
    parser.add_argument("--clients", type=int, default=50)
    parser.add_argument("--stdio", default=f"{WEBQUARRY} serve --stdio --toolsets starter")
    parser.add_argument(
        "--http", default=f"{WEBQUARRY} serve --http --port {{port}} --toolsets starter"
    )
    return parser.parse_args()


def _stdio(protocol: Protocol, options: argparse.Namespace) -> Sample:
    with (
        tempfile.TemporaryDirectory(prefix="bench-call-") as home,
        Process(shlex.split(options.stdio), Path(home), UNLIMITED) as server,
    ):
        for message in protocol.opening:
            if "id" in message:
                server.call(message)
            else:
                server.send(message)
        warm_up = max(options.calls // 5, 1)
        for number in range(2, warm_up + 2):
            server.call(protocol.echo(number))
        latencies: list[float] = []
        cpu, started = server.cpu_ms(), time.perf_counter()
        for number in range(warm_up + 2, warm_up + 2 + options.calls):
            before = time.perf_counter()
            server.call(protocol.echo(number))
            latencies.append((time.perf_counter() - before) * 1e3)
        elapsed = time.perf_counter() - started
        return Sample((server.cpu_ms() - cpu) / options.calls, latencies, options.calls / elapsed)


async def _http(options: argparse.Namespace) -> list[tuple[str, Sample]]:
    port = _free_port()
    samples: list[tuple[str, Sample]] = []
    with (
        tempfile.TemporaryDirectory(prefix="bench-call-") as home,
        Process(shlex.split(options.http.format(port=port)), Path(home), UNLIMITED) as server,
    ):
        await until_listening(port)
        for protocol in PROTOCOL_VERSIONS:
            single = [Client(protocol, port)]
            samples.append((f"http {protocol.version}", await _load(server, single, options.calls)))
            concurrent = [Client(protocol, port) for _ in range(options.clients)]
            name = f"http {protocol.version}, {options.clients} clients"
            samples.append((name, await _load(server, concurrent, options.calls * 4)))
    return samples


async def _load(server: Process, clients: Sequence[Client], calls: int) -> Sample:
    """Spread `calls` calls over the clients, after a warm-up of a fifth as many."""
    calls_per_client = max(calls // len(clients), 1)
    await asyncio.gather(*(client.connect() for client in clients))
    await asyncio.gather(*(client.echo(max(calls_per_client // 5, 1)) for client in clients))
    for client in clients:
        client.latencies_ms.clear()
    cpu, started = server.cpu_ms(), time.perf_counter()
    await asyncio.gather(*(client.echo(calls_per_client) for client in clients))
    elapsed = time.perf_counter() - started
    cost = (server.cpu_ms() - cpu) / (calls_per_client * len(clients))
    await asyncio.gather(*(client.close() for client in clients))
    latencies = [latency for client in clients for latency in client.latencies_ms]
    return Sample(cost, latencies, len(latencies) / elapsed)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def _report(series: dict[str, list[Sample]], options: argparse.Namespace) -> None:
    print(f"echo, {options.calls} calls, medians of {options.rounds} rounds\n")
    print(f"{'transport':<30}{'CPU ms/call':>12}{'p50 ms':>9}{'p99 ms':>9}{'calls/s':>9}  target")
    for name, samples in series.items():
        cpu = statistics.median(sample.cpu_ms for sample in samples)
        p50 = statistics.median(_percentile(sample, 50) for sample in samples)
        p99 = statistics.median(_percentile(sample, 99) for sample in samples)
        rate = statistics.median(sample.per_second for sample in samples)
        verdict = _verdict(name, cpu, rate)
        print(f"{name:<30}{cpu:>12.3f}{p50:>9.2f}{p99:>9.2f}{rate:>9.0f}  {verdict}")


def _percentile(sample: Sample, percent: int) -> float:
    ordered = sorted(sample.latencies_ms)
    return ordered[min(len(ordered) * percent // 100, len(ordered) - 1)]


def _verdict(name: str, cpu: float, rate: float) -> str:
    if name.startswith("stdio"):
        return f"<= {STDIO_TARGET_MS} ms " + ("PASS" if cpu <= STDIO_TARGET_MS else "MISS")
    if "clients" in name:
        return f">= {RATE_TARGET:.0f}/s " + ("PASS" if rate >= RATE_TARGET else "MISS")
    return ""


if __name__ == "__main__":
    main()

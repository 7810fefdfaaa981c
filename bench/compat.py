"""CPU of the server for one page: through a drop-in API, and through /v1."""

import argparse
import asyncio
import json
import socket
import statistics
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path

import httpx2

from bench.load import until_listening
from bench.process import WEBQUARRY, Process
from tests.server.loopback_site import loopback_site, settings_for

TARGET = 1.1
UNLIMITED = {
    "RATE_LIMIT_PER_TENANT": "0",
    "RATE_LIMIT_PER_IP": "0",
    "RATE_LIMIT_GLOBAL": "0",
    "DAILY_QUOTA_PER_TENANT": "0",
}
OWN, COMPAT = "/v1/scrape", "/compat/firecrawl/v2/scrape"


def main() -> None:
    options = _options()
    with loopback_site() as site, tempfile.TemporaryDirectory() as home:
        port = _free_port()
        command = [str(WEBQUARRY), "serve", "--http", "--port", str(port)]
        with Process(command, Path(home), settings_for(site) | UNLIMITED) as server:
            asyncio.run(until_listening(port))
            samples = _samples(server, f"http://127.0.0.1:{port}", site, options)
    own, compat = statistics.median(samples[OWN]), statistics.median(samples[COMPAT])
    print(f"{OWN:28} {own:.3f} ms of CPU per page")
    print(f"{COMPAT:28} {compat:.3f} ms of CPU per page")
    print(f"{compat / own:.2f} times; the target is at most {TARGET}")
    sys.exit(compat / own > TARGET)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--calls", type=int, default=100, help="calls per round")
    parser.add_argument("--fresh", action="store_true", help="read the page again for each call")
    return parser.parse_args()


def _samples(
    server: Process, base: str, site: str, options: argparse.Namespace
) -> dict[str, list[float]]:
    """Return the CPU per call of each round; the two take turns."""
    bodies = {
        OWN: {"url": f"{site}/p/1", "formats": ["markdown"], "fresh": options.fresh},
        COMPAT: {"url": f"{site}/p/1", "formats": ["markdown"]}
        | ({"maxAge": 0} if options.fresh else {}),
    }
    samples: dict[str, list[float]] = defaultdict(list)
    with httpx2.Client(base_url=base, timeout=30) as client:
        for _ in range(options.rounds + 1):
            for path, body in bodies.items():
                before = server.usage().cpu_ms
                for _ in range(options.calls):
                    client.post(path, content=json.dumps(body)).raise_for_status()
                time.sleep(0.2)  # what is written behind
                samples[path].append((server.usage().cpu_ms - before) / options.calls)
    return {path: values[1:] for path, values in samples.items()}  # the first warms up


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


if __name__ == "__main__":
    main()

"""Attacks the network layer (SSRF, DNS rebinding, decompression bombs) in an isolated lab.

Needs root, for a network namespace with hostile DNS and web servers, and with internal IP addresses
that must never be reached. Exits with 1 if one of them is reached or a limit does not hold.
"""

import argparse
import asyncio
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Awaitable, Iterable
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

from webquarry.errors import BlockedError, NetworkError, WebquarryError
from webquarry.net.client.response import FetchedResponse
from webquarry.net.fetch import Fetcher, FetchRequest
from webquarry.net.guard.resolver import Resolver
from webquarry.net.guard.server import Guard, GuardLimits
from webquarry.net.policy import Policy

LAB = Path("../shared/bench/net")
MAX_RSS_MB = 250.0
DEADLINE = 3.0
PAGE_CAP = 8 * 2**20
# seconds: the lab builds each bomb anew, which takes minutes on a busy machine
LAB_TIMEOUT = 1800.0
CONCURRENCY = 8
NAMES = (
    "priv.test", "meta.test", "ten.test", "cgnat.test", "mixed.test", "mapped6.test", "nat64.test",
    "ula.test", "sixto4.test",
)  # fmt: skip
INSIDE = (
    "http://127.0.0.1/", "http://127.0.0.1:8080/", "http://127.0.0.1:6379/", "http://[::1]/",
    "https://127.0.0.1/", "http://169.254.169.254/latest/meta-data/", "http://10.0.0.5/",
    "http://100.64.0.5/", "http://[fd00::5]/", "http://[::ffff:127.0.0.1]/", "http://0x7f.1/",
    "http://2130706433/", "http://localhost/", "//127.0.0.1/", "http://user@127.0.0.1/",
    "http:\\\\127.0.0.1\\", "http://127.0.0.1\\@pub.test/", "file:///etc/passwd",
    "gopher://127.0.0.1:6379/_x", "javascript:alert(1)", "http://localhost.:80/",
    *(f"http://{name}/" for name in NAMES),
)  # fmt: skip
PUBLIC = (
    "http://pub.test/", "https://pub.test/", "https://www.pub.test/", "http://six.test/",
    "http://pub.test/redir?to=https://cdn.pub.test/x", "http://93.184.216.34/",
)  # fmt: skip
# destinations that a browser, or a page in it, may request from the guard
DESTINATIONS = (
    ("127.0.0.1", 80), ("::1", 80), ("::ffff:127.0.0.1", 80), ("localhost", 80), ("0x7f.1", 80),
    ("2130706433", 80), ("0", 80), ("127.1", 80), ("169.254.169.254", 80), ("10.0.0.5", 443),
    ("fd00::5", 80), ("100.64.0.5", 80), ("priv.test", 80), ("mixed.test", 443),
    ("127.0.0.1", 6379), ("pub.test", 6379), ("pub.test", 25), ("127.0.0.1\n", 80),
    ("[::1]", 80), ("a@127.0.0.1", 80), ("127.0.0.1/", 80), ("127.0.0.1#", 80),
    ("127.0.0.1:80", 80), ("LOCALHOST", 80), ("%6cocalhost", 80),
)  # fmt: skip


@dataclass
class Score:
    """The result of one round."""

    name: str
    tried: int = 0
    failures: int = 0
    note: str = ""

    def fail(self, note: str) -> None:
        """Count one failure."""
        self.failures += 1
        self.note = note


class Lab:
    """The servers of the lab and the requests they received."""

    def __init__(self, run: Path) -> None:
        self.certificate = run / "srv.pem"
        self._control = run / "lab.sock"

    async def send(self, command: str) -> dict[str, Any]:
        """Send a command; return the requests since the last reset."""
        reader, writer = await asyncio.open_unix_connection(self._control)
        writer.write(command.encode() + b"\n")
        await writer.drain()
        state = json.loads(await reader.read())
        writer.close()
        await writer.wait_closed()
        return state


@dataclass(frozen=True)
class Bench:
    """The objects that all rounds use."""

    lab: Lab
    guard: Guard
    fetcher: Fetcher
    must_refuse: tuple[str, ...]


async def _outcome(fetch: Awaitable[FetchedResponse]) -> FetchedResponse | WebquarryError:
    try:
        return await fetch
    except WebquarryError as error:
        return error


async def _refused(bench: Bench, urls: Iterable[str], score: Score) -> None:
    for url in urls:
        score.tried += 1
        outcome = await _outcome(bench.fetcher.fetch(FetchRequest(url=url, timeout=5)))
        if isinstance(outcome, FetchedResponse):
            score.fail(f"{url} gave {outcome.status} at {outcome.url}")


async def must_refuse(bench: Bench) -> Score:
    score = Score("URLs that must be refused")
    await _refused(bench, bench.must_refuse, score)
    if (await bench.lab.send("state"))["pub"]:
        score.fail("a request reached a public server")
    return score


async def forbidden_names(bench: Bench) -> Score:
    score = Score("names of forbidden IP addresses")
    await _refused(bench, (f"{s}://{name}/" for name in NAMES for s in ("http", "https")), score)
    return score


async def rebinding(bench: Bench) -> Score:
    # the first DNS response is public, later ones are not: the checked address must be used
    score = Score("rebinding names")
    for number in range(50):
        url = f"http://rb-{number}.rebind.test/"
        fetches = [
            bench.fetcher.fetch(FetchRequest(url=url, timeout=5)) for _ in range(1 + number % 4)
        ]
        for outcome in await asyncio.gather(*map(_outcome, fetches)):
            score.tried += 1
            if isinstance(outcome, FetchedResponse) and b"PUBLIC" not in outcome.content:
                score.fail(f"{url} gave {outcome.content[:20]!r}")
    return score


async def rebinding_often(bench: Bench) -> Score:
    # requested often enough for a direct client without the guard
    score = Score("rebinding names, direct clients")
    for number in range(20):
        url = f"http://rb-often-{number}.rebind.test/"
        for _ in range(6):
            score.tried += 1
            outcome = await _outcome(bench.fetcher.fetch(FetchRequest(url=url, timeout=5)))
            if isinstance(outcome, FetchedResponse) and b"PUBLIC" not in outcome.content:
                score.fail(f"{url} gave {outcome.content[:20]!r}")
    return score


async def redirects(bench: Bench) -> Score:
    score = Score("redirects to internal addresses")
    once = [f"http://pub.test/redir?to={quote(url, safe='')}" for url in INSIDE]
    twice = [f"https://cdn.pub.test/redir?to={quote(url, safe='')}" for url in once]
    thrice = [f"http://six.test/redir?to={quote(url, safe='')}" for url in twice]
    await _refused(bench, (*once, *twice, *thrice), score)
    return score


async def other_domains(bench: Bench) -> Score:
    score = Score("redirects out of ALLOWED_DOMAINS")
    async with AsyncExitStack() as stack:
        policy = Policy(allowed_domains=("pub.test",))
        guard = await stack.enter_async_context(Guard(Resolver(policy)))
        fetcher = Fetcher(guard, ca_file=bench.lab.certificate, direct=True)
        stack.callback(fetcher.close)
        for url in ("http://six.test/", "http://notpub.test/", "http://pub.test.rebind.test/"):
            score.tried += 2
            for requested in (url, f"http://pub.test/redir?to={quote(url, safe='')}"):
                outcome = await _outcome(fetcher.fetch(FetchRequest(url=requested, timeout=5)))
                if not isinstance(outcome, BlockedError):
                    score.fail(f"{requested}: {outcome}")
    return score


async def socks(bench: Bench) -> Score:
    score = Score("SOCKS5 requests to the guard")
    port = int((await bench.guard.start()).rpartition(":")[2])
    names = [
        bytes((5, 1, 0, 3, len(host))) + host.encode() + number.to_bytes(2, "big")
        for host, number in DESTINATIONS
    ]
    raw = [
        b"\x05\x01\x00\x01\x7f\x00\x00\x01\x00\x50",
        b"\x05\x01\x00\x04" + bytes(15) + b"\x01\x00\x50",
        b"\x05\x02\x00\x01\x7f\x00\x00\x01\x00\x50",  # BIND
        b"\x05\x03\x00\x01\x7f\x00\x00\x01\x00\x50",  # UDP
        b"\x04\x01\x00\x50\x7f\x00\x00\x01\x00",
        b"GET http://127.0.0.1/ HTTP/1.1\r\n\r\n",
    ]
    for request in (*names, *raw):
        score.tried += 1
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"\x05\x01\x00" + request)
        reply = (await asyncio.wait_for(reader.read(), 30))[2:]
        writer.close()
        if reply[1:2] == b"\x00":
            score.fail(f"{request!r} was connected")
    return score


async def public(bench: Bench) -> Score:
    score = Score("public pages are fetched")
    for url in PUBLIC:
        score.tried += 1
        outcome = await _outcome(bench.fetcher.fetch(FetchRequest(url=url, timeout=5)))
        if not (isinstance(outcome, FetchedResponse) and b"PUBLIC" in outcome.content):
            score.fail(f"{url}: {outcome}")
    return score


async def floods(bench: Bench) -> Score:
    """Endless bodies and bombs, many at once: cut at the size limit; refused if compressed twice.

    No time limit is checked.
    """
    score = Score("floods cut at the size limit")
    limits = GuardLimits(idle=LAB_TIMEOUT, lifetime=LAB_TIMEOUT)
    async with Guard(Resolver(bench.guard.policy), limits=limits) as guard:
        fetcher = Fetcher(guard, ca_file=bench.lab.certificate, direct=True)
        for path in ("endless", "bomb/gz", "bomb/gzgz"):
            # by IP address: the lab cannot respond to DNS while it builds a bomb
            url = f"http://93.184.216.34/{path}"
            request = FetchRequest(url=url, timeout=LAB_TIMEOUT)
            fetches = [fetcher.fetch(request) for _ in range(CONCURRENCY)]
            for outcome in await asyncio.gather(*map(_outcome, fetches)):
                score.tried += 1
                if not (_is_refused_encoding(outcome) if path == "bomb/gzgz" else _is_cut(outcome)):
                    score.fail(f"{url}: {outcome}"[:200])
        fetcher.close()
    return score


def _is_cut(outcome: FetchedResponse | WebquarryError) -> bool:
    return (
        isinstance(outcome, FetchedResponse)
        and len(outcome.content) == PAGE_CAP
        and outcome.truncated
    )


def _is_refused_encoding(outcome: FetchedResponse | WebquarryError) -> bool:
    return isinstance(outcome, NetworkError) and "compressed more than once" in str(outcome)


async def drips(bench: Bench) -> Score:
    """Responses of one byte at a time: cut at the deadline; what came of a body is marked so."""
    score = Score("drips cut at the deadline")
    for path in ("drip", "hdrdrip", "hdrbig"):
        started = time.monotonic()
        url = f"http://pub.test/{path}"
        fetches = [
            bench.fetcher.fetch(FetchRequest(url=url, timeout=DEADLINE)) for _ in range(CONCURRENCY)
        ]
        for outcome in await asyncio.gather(*map(_outcome, fetches)):
            score.tried += 1
            if isinstance(outcome, FetchedResponse) and outcome.ending != "broken":
                score.fail(f"{url} gave {outcome.status}, {outcome.ending}")
        if time.monotonic() - started > DEADLINE + 1:
            score.fail(f"{url} took {time.monotonic() - started:.1f} s")
    return score


async def detects_hits(lab: Lab) -> bool:
    """Return whether the lab detects a request to an internal address."""
    async with Guard(Resolver(Policy(allow_private=True))) as guard:
        fetcher = Fetcher(guard, ca_file=lab.certificate)
        await fetcher.fetch(FetchRequest(url="http://priv.test/", timeout=5))
        fetcher.close()
    return bool((await lab.send("state"))["hits"])


ROUNDS = (
    must_refuse, forbidden_names, rebinding, rebinding_often, redirects, other_domains, socks,
    public, drips, floods,
)  # fmt: skip


async def attack(lab: Lab, must: tuple[str, ...]) -> int:
    failed = 0
    if not await detects_hits(lab):
        print("the lab detects no requests, so it proves nothing")
        return 1
    async with Guard(Resolver(Policy())) as guard:
        fetcher = Fetcher(guard, ca_file=lab.certificate, direct=True)
        bench = Bench(lab, guard, fetcher, must)
        print(f"{'round':42} {'tried':>6} {'failed':>6} {'inside':>7}")
        for round_of in ROUNDS:
            await lab.send("reset")
            score = await round_of(bench)
            hits = (await lab.send("state"))["hits"]
            failed += score.failures + len(hits)
            print(f"{score.name:42} {score.tried:6} {score.failures:6} {len(hits):7}  {score.note}")
        bench.fetcher.close()
    peak = _peak_rss_mb()
    print(f"peak RSS {peak:.0f} MB (limit {MAX_RSS_MB:.0f})")
    return int(failed > 0 or peak > MAX_RSS_MB)


def _peak_rss_mb() -> float:
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(status.split("VmHWM:")[1].split()[0]) / 1024


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lab", type=Path, default=LAB, help="directory of the lab")
    options = parser.parse_args()
    listed = options.lab / "ssrf-must-refuse.json"
    if run := os.environ.get("LAB_RUN"):
        must = tuple(url for _, url in json.loads(listed.read_text(encoding="utf-8")))
        return asyncio.run(attack(Lab(Path(run)), must))
    for problem, ok in (
        ("it needs root", os.geteuid() == 0),
        (f"there is no lab in {options.lab}", listed.exists()),
        ("it needs unshare, ip and openssl", all(map(shutil.which, ("unshare", "ip", "openssl")))),
    ):
        if not ok:
            print(f"skipped: {problem}")
            return 0
    script = str(options.lab / "lab.sh")
    command = (script, sys.executable, "-m", "bench.attack", "--lab", str(options.lab))
    environment = os.environ | {"LAB_PY": sys.executable}
    return subprocess.run(command, env=environment, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())

"""Attacks the network layer in a laboratory of its own.

Needs root, for a network namespace with hostile DNS and web servers and with addresses that must
never be reached. Exits with 1 when one of them was, or when a limit did not hold.
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

from webquarry.errors import BlockedError, WebquarryError
from webquarry.net.fetch import FetchedResponse, Fetcher, FetchRequest
from webquarry.net.guard.resolver import Resolver
from webquarry.net.guard.server import Guard, GuardLimits
from webquarry.net.policy import Policy

LAB = Path("../shared/bench/net")
MOST_RSS_MB = 250.0
DEADLINE = 3.0
PAGE_CAP = 8 * 2**20
# for the laboratory, which builds every bomb anew, one after the other: on a busy machine that
# takes minutes, and would be measured instead of the caps
PATIENCE = 1800.0
AT_ONCE = 8
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
# what a browser, or a page in it, may ask the guard for
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
    """What happened in one round."""

    name: str
    tried: int = 0
    wrong: int = 0
    note: str = ""

    def fault(self, note: str) -> None:
        """Count one thing that should not have happened."""
        self.wrong += 1
        self.note = note


class Lab:
    """The servers of the laboratory, and what they saw."""

    def __init__(self, run: Path) -> None:
        self.certificate = run / "srv.pem"
        self._control = run / "lab.sock"

    async def ask(self, command: str) -> dict[str, Any]:
        """Return what was hit since the last reset."""
        reader, writer = await asyncio.open_unix_connection(self._control)
        writer.write(command.encode() + b"\n")
        await writer.drain()
        said = json.loads(await reader.read())
        writer.close()
        await writer.wait_closed()
        return said


@dataclass(frozen=True)
class Bench:
    """What the rounds use."""

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
        found = await _outcome(bench.fetcher.fetch(FetchRequest(url=url, timeout=5)))
        if isinstance(found, FetchedResponse):
            score.fault(f"{url} gave {found.status} at {found.url}")


async def must_refuse(bench: Bench) -> Score:
    score = Score("URLs that must be refused")
    await _refused(bench, bench.must_refuse, score)
    if (await bench.lab.ask("state"))["pub"]:
        score.fault("something was sent to a public server")
    return score


async def forbidden_names(bench: Bench) -> Score:
    score = Score("names of forbidden addresses")
    await _refused(bench, (f"{s}://{name}/" for name in NAMES for s in ("http", "https")), score)
    return score


async def rebinding(bench: Bench) -> Score:
    # the first answer is public and later ones are not: the checked one must be the one used
    score = Score("rebinding names")
    for number in range(50):
        url = f"http://rb-{number}.rebind.test/"
        asked = [
            bench.fetcher.fetch(FetchRequest(url=url, timeout=5)) for _ in range(1 + number % 4)
        ]
        for found in await asyncio.gather(*map(_outcome, asked)):
            score.tried += 1
            if isinstance(found, FetchedResponse) and b"PUBLIC" not in found.content:
                score.fault(f"{url} gave {found.content[:20]!r}")
    return score


async def rebinding_often(bench: Bench) -> Score:
    # asked often enough to be reached without the guard
    score = Score("rebinding names asked often")
    for number in range(20):
        url = f"http://rb-often-{number}.rebind.test/"
        for _ in range(6):
            score.tried += 1
            found = await _outcome(bench.fetcher.fetch(FetchRequest(url=url, timeout=5)))
            if isinstance(found, FetchedResponse) and b"PUBLIC" not in found.content:
                score.fault(f"{url} gave {found.content[:20]!r}")
    return score


async def redirects(bench: Bench) -> Score:
    score = Score("redirects to the inside")
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
            for asked in (url, f"http://pub.test/redir?to={quote(url, safe='')}"):
                found = await _outcome(fetcher.fetch(FetchRequest(url=asked, timeout=5)))
                if not isinstance(found, BlockedError):
                    score.fault(f"{asked}: {found}")
    return score


async def socks(bench: Bench) -> Score:
    score = Score("the guard itself, as a browser sees it")
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
            score.fault(f"{request!r} was connected")
    return score


async def public(bench: Bench) -> Score:
    score = Score("public pages still come")
    for url in PUBLIC:
        score.tried += 1
        found = await _outcome(bench.fetcher.fetch(FetchRequest(url=url, timeout=5)))
        if not (isinstance(found, FetchedResponse) and b"PUBLIC" in found.content):
            score.fault(f"{url}: {found}")
    return score


async def floods(bench: Bench) -> Score:
    """Bodies without end and bombs: cut at the cap, many at once. Judged by bytes, not by time."""
    score = Score("floods cut at the cap")
    patient = GuardLimits(idle=PATIENCE, lifetime=PATIENCE)
    async with Guard(Resolver(bench.guard.policy), limits=patient) as guard:
        fetcher = Fetcher(guard, ca_file=bench.lab.certificate, direct=True)
        for path in ("endless", "bomb/gz", "bomb/gzgz"):
            # by address, as the laboratory cannot answer DNS while it builds a bomb
            url = f"http://93.184.216.34/{path}"
            asked = [fetcher.fetch(FetchRequest(url=url, timeout=PATIENCE)) for _ in range(AT_ONCE)]
            for found in await asyncio.gather(*map(_outcome, asked)):
                score.tried += 1
                if not _capped(found):
                    score.fault(f"{url}: {found}"[:200])
        fetcher.close()
    return score


def _capped(found: FetchedResponse | WebquarryError) -> bool:
    return isinstance(found, FetchedResponse) and len(found.content) == PAGE_CAP and found.truncated


async def drips(bench: Bench) -> Score:
    """Answers a byte at a time: cut at the deadline."""
    score = Score("drips cut at the deadline")
    for path in ("drip", "hdrdrip", "hdrbig"):
        began = time.monotonic()
        url = f"http://pub.test/{path}"
        asked = [
            bench.fetcher.fetch(FetchRequest(url=url, timeout=DEADLINE)) for _ in range(AT_ONCE)
        ]
        for found in await asyncio.gather(*map(_outcome, asked)):
            score.tried += 1
            if isinstance(found, FetchedResponse):
                score.fault(f"{url} gave {found.status}")
        if time.monotonic() - began > DEADLINE + 1:
            score.fault(f"{url} took {time.monotonic() - began:.1f} s")
    return score


async def laboratory(lab: Lab) -> bool:
    """Return whether the laboratory notices what reaches the inside."""
    async with Guard(Resolver(Policy(allow_private=True))) as guard:
        fetcher = Fetcher(guard, ca_file=lab.certificate)
        await fetcher.fetch(FetchRequest(url="http://priv.test/", timeout=5))
        fetcher.close()
    return bool((await lab.ask("state"))["hits"])


ROUNDS = (
    must_refuse, forbidden_names, rebinding, rebinding_often, redirects, other_domains, socks,
    public, drips, floods,
)  # fmt: skip


async def attack(lab: Lab, must: tuple[str, ...]) -> int:
    failed = 0
    if not await laboratory(lab):
        print("the laboratory sees nothing, so it proves nothing")
        return 1
    async with Guard(Resolver(Policy())) as guard:
        fetcher = Fetcher(guard, ca_file=lab.certificate, direct=True)
        bench = Bench(lab, guard, fetcher, must)
        print(f"{'round':42} {'tried':>6} {'wrong':>6} {'inside':>7}")
        for round_of in ROUNDS:
            await lab.ask("reset")
            score = await round_of(bench)
            hits = (await lab.ask("state"))["hits"]
            failed += score.wrong + len(hits)
            print(f"{score.name:42} {score.tried:6} {score.wrong:6} {len(hits):7}  {score.note}")
        bench.fetcher.close()
    peak = _peak_rss_mb()
    print(f"peak RSS {peak:.0f} MB (limit {MOST_RSS_MB:.0f})")
    return int(failed > 0 or peak > MOST_RSS_MB)


def _peak_rss_mb() -> float:
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(status.split("VmHWM:")[1].split()[0]) / 1024


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lab", type=Path, default=LAB, help="directory of the laboratory")
    options = parser.parse_args()
    listed = options.lab / "ssrf-must-refuse.json"
    if run := os.environ.get("LAB_RUN"):
        must = tuple(url for _, url in json.loads(listed.read_text(encoding="utf-8")))
        return asyncio.run(attack(Lab(Path(run)), must))
    for missing, found in (
        ("it needs root", os.geteuid() == 0),
        (f"there is no laboratory in {options.lab}", listed.exists()),
        ("it needs unshare, ip and openssl", all(map(shutil.which, ("unshare", "ip", "openssl")))),
    ):
        if not found:
            print(f"skipped: {missing}")
            return 0
    script = str(options.lab / "lab.sh")
    command = (script, sys.executable, "-m", "bench.attack", "--lab", str(options.lab))
    environment = os.environ | {"LAB_PY": sys.executable}
    return subprocess.run(command, env=environment, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())

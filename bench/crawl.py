"""Our crawls beside Scrapy (JOBDIR), Crawlee (SQL) and Crawl4AI's HTTP strategy, on a local site.

usage: python -m bench.crawl [--pages N] [--scale] [--markdown] [--only NAME,NAME] [--parts DIR]
The site generator and the peers' programs are in ../shared/bench/crawl; each peer has a virtual
environment of its own under .cache. CPU and memory are those the system charged to the process.
"""

import argparse
import collections
import compileall
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from dataclasses import dataclass, replace
from pathlib import Path

ROOT = Path(__file__).parents[1]
CACHE = ROOT / ".cache" / "bench-crawl"
PEERS = {
    "scrapy": ("scrapy", "selectolax", "ada-url", "trafilatura", "lxml_html_clean"),
    "crawlee": ("crawlee[all]", "selectolax", "ada-url"),
    "crawl4ai": ("crawl4ai", "selectolax", "ada-url"),
}


@dataclass(frozen=True)
class Bill:
    """What a run cost and brought."""

    name: str
    pages: int
    wall: float
    cpu: float
    rss: int
    note: str = ""

    @property
    def per_cpu(self) -> float:
        return max(self.pages, 0.001) / max(self.cpu, 0.001)

    def line(self) -> str:
        return (
            f"{self.name:26s} {self.pages:6d} pages {self.wall:7.1f} s {self.cpu:7.1f} CPU s "
            f"{self.per_cpu:7.1f} pages/CPU s {self.rss:5d} MB  {self.note}"
        )


class Site:
    """The generated site behind nginx."""

    def __init__(self, parts: Path, pages: int) -> None:
        self.parts = parts
        self.pages = pages
        self.directory = CACHE / f"site-{pages}"
        self.port = 0
        self._nginx: subprocess.Popen[bytes] | None = None

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self.port}"

    def __enter__(self) -> "Site":
        nginx = shutil.which("nginx") or "/usr/sbin/nginx"
        if not Path(nginx).exists():
            sys.exit("nginx is not installed: apt-get install nginx-light")
        manifest = self.directory / "manifest.json"
        if manifest.exists():
            self.port = int(json.loads(manifest.read_text())["host"].rpartition(":")[2])
        else:
            self._generate()
        CACHE.parent.chmod(0o755)
        log = self.directory / "run" / "access.log"
        log.write_text("")
        self._nginx = subprocess.Popen([nginx, "-c", str(self.directory / "nginx.conf")])
        time.sleep(1)
        return self

    def __exit__(self, *_: object) -> None:
        if self._nginx:
            self._nginx.send_signal(signal.SIGQUIT)
            self._nginx.wait()

    def _generate(self) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        print(f"generating a site of {self.pages} pages …")
        command = [sys.executable, str(self.parts / "gen_site.py"), "--out", str(self.directory)]
        command += ["--sections", "1", "--per-section", str(self.pages), "--port", str(self.port)]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)

    def asked(self) -> collections.Counter[str]:
        """Return how often each path was answered with a page, and start a new log."""
        time.sleep(0.8)  # nginx writes twice a second
        log = self.directory / "run" / "access.log"
        found: collections.Counter[str] = collections.Counter()
        for line in log.read_text().splitlines():
            _, status, path, *_ = line.split(" ")
            if status == "200":
                found[path] += 1
        with log.open("w"):
            pass
        if self._nginx:
            self._nginx.send_signal(signal.SIGUSR1)
        return found

    def wanted(self) -> dict[str, str]:
        manifest = json.loads((self.directory / "manifest.json").read_text())
        return manifest["sections"]["a"]["pages"]


def measured(name: str, command: list[str], site: Site) -> tuple[Bill, str]:
    """Run a program to its end and return its bill and what it printed."""
    work = CACHE / f"work-{name}"
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    out = work / "out.jsonl"
    environ = os.environ | {
        "SITE_HOST": site.host, "SECTION": "a", "OUT": str(out), "CONC": "16", "WORK": str(work),
        "PYTHONPATH": os.pathsep.join(map(str, (site.parts, ROOT / "src", ROOT))),
        "PYTHONDONTWRITEBYTECODE": "1",
    }  # fmt: skip
    site.asked()
    began = time.monotonic()
    with (work / "log").open("w") as log:
        process = subprocess.Popen(
            [part.replace("WORK", str(work)) for part in command],
            env=environ, cwd=work, stdout=log, stderr=subprocess.STDOUT,
        )  # fmt: skip
        _, status, usage = os.wait4(process.pid, 0)
    wall = time.monotonic() - began
    asked, wanted = site.asked(), site.wanted()
    twice = sum(count - 1 for path, count in asked.items() if path in wanted)
    missed = len(wanted.keys() - asked.keys())
    note = f"missed {missed}, read twice {twice}" + (f", exit {status}" if status else "")
    bill = Bill(
        name,
        len(wanted.keys() & asked.keys()),
        wall,
        usage.ru_utime + usage.ru_stime,
        usage.ru_maxrss // 1024,
        note,
    )
    return bill, (work / "log").read_text()


def ours(site: Site, *options: str) -> Bill:
    name = "-".join(("webquarry", *options))
    command = [sys.executable, "-m", "bench.crawl_ours", site.host, "100000", "WORK", *options]
    bill, printed = measured(name, command, site)
    report = json.loads(printed.splitlines()[-1])
    note = (
        f"{bill.note}; stored {report['pagesCrawled']}, canonical doubles "
        f"{report['skipped'].get('canonical', 0)}, first page {report['first']:.2f} s"
    )
    return replace(bill, note=note)


def peer(name: str, program: list[str], venv: str, site: Site) -> Bill | None:
    python = installed(venv)
    if python is None:
        return None
    bill, _ = measured(name, [str(python), *program], site)
    return bill


def installed(name: str) -> Path | None:
    """Return the interpreter of a peer's environment, made if it is missing."""
    place = ROOT / ".cache" / f"bench-{name}"
    python = place / "bin" / "python"
    ready, packages = place / ".ready", "\n".join(PEERS[name])
    if not ready.exists() or ready.read_text() != packages:
        print(f"installing {name} …")
        subprocess.run([sys.executable, "-m", "venv", str(place)], check=True)
        command = [str(python), "-m", "pip", "install", "-q", "--disable-pip-version-check"]
        if subprocess.run([*command, *PEERS[name]], check=False).returncode:
            print(f"{name} cannot be installed here and is left out")
            return None
        ready.write_text(packages)
    return python


def compare(site: Site, wanted: argparse.Namespace) -> list[Bill | None]:
    parts = site.parts
    runs = {
        "webquarry": lambda: ours(site),
        "webquarry-index": lambda: ours(site, "index"),
        "scrapy": lambda: peer(
            "scrapy", [str(parts / "scrapy_crawl.py"), "jobdir"], "scrapy", site
        ),
        "crawlee": lambda: peer(
            "crawlee", [str(parts / "crawlee_crawl.py"), "http", "sql", "impit"], "crawlee", site
        ),
        # once more, as machines have faster and slower minutes
        "webquarry again": lambda: replace(ours(site), name="webquarry again"),
        "crawl4ai": lambda: peer("crawl4ai", [str(parts / "crawl4ai_crawl.py")], "crawl4ai", site),
    }
    if wanted.markdown:
        runs |= {
            "webquarry-markdown": lambda: ours(site, "markdown"),
            "scrapy-trafilatura": lambda: peer(
                "scrapy-trafilatura", [str(ROOT / "bench/peers/scrapy_markdown.py")], "scrapy", site
            ),
        }
    chosen = wanted.only.split(",") if wanted.only else list(runs)
    bills: list[Bill | None] = []
    for name in chosen:
        bill = runs[name]()
        if bill:
            print(bill.line(), flush=True)
        bills.append(bill)
    return bills


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=5000)
    parser.add_argument("--scale", action="store_true", help="also ten times as many pages")
    parser.add_argument("--markdown", action="store_true", help="also with Markdown of every page")
    parser.add_argument("--only", default="")
    parser.add_argument("--parts", type=Path, default=ROOT.parent / "shared/bench/crawl")
    wanted = parser.parse_args()
    compileall.compile_dir(ROOT / "src", quiet=2)  # as the peers are, being installed
    with Site(wanted.parts, wanted.pages) as site:
        bills = {bill.name: bill for bill in compare(site, wanted) if bill and bill.pages}
    mine = [bill for bill in bills.values() if bill.name in {"webquarry", "webquarry again"}]
    for other in ("scrapy", "crawlee", "crawl4ai"):
        if mine and other in bills:
            rate = sum(bill.pages for bill in mine) / sum(bill.cpu for bill in mine)
            print(f"webquarry / {other}: {rate / bills[other].per_cpu:.1f}x pages/CPU s")
    whole = bills.get("webquarry-markdown")
    for other in ("scrapy-trafilatura", "crawl4ai"):
        if whole and other in bills:
            print(f"with Markdown / {other}: {whole.per_cpu / bills[other].per_cpu:.1f}x")
    if wanted.scale:
        print(f"cost of a page, ten times as many pages: {scaled(wanted):.2f}x")


def scaled(wanted: argparse.Namespace) -> float:
    """Return how much more a page costs where there are ten times as many.

    The small site is crawled before and after the large one, as machines have faster and slower
    minutes.
    """
    bills: list[Bill] = []
    for pages in (wanted.pages, 10 * wanted.pages, wanted.pages):
        os.sync()  # what others left to write is not our cost
        with Site(wanted.parts, pages) as site:
            bills.append(ours(site))
        print(bills[-1].line(), flush=True)
    before, large, after = (bill.cpu / bill.pages for bill in bills)
    return 2 * large / (before + after)


if __name__ == "__main__":
    main()

"""Webquarry's crawler compared with Scrapy (JOBDIR), Crawlee (SQL) and Crawl4AI (HTTP).

usage: python -m bench.crawl [--pages N] [--scale] [--markdown] [--only NAME,NAME] [--parts DIR]
The crawled site is local. Its generator and the peers' programs are in ../shared/bench/crawl; each
peer has its own virtual environment under .cache. CPU and memory come from wait4(2).
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
class RunUsage:
    """Pages and resource usage of one run."""

    name: str
    pages: int
    wall: float
    cpu: float
    rss: int
    note: str = ""

    @property
    def per_cpu(self) -> float:
        return max(self.pages, 0.001) / max(self.cpu, 0.001)

    def summary(self) -> str:
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

    def served_paths(self) -> collections.Counter[str]:
        """Return how often each path was served with status 200, and truncate the log."""
        time.sleep(0.8)  # nginx flushes its log twice a second
        log = self.directory / "run" / "access.log"
        counts: collections.Counter[str] = collections.Counter()
        for line in log.read_text().splitlines():
            _, status, path, *_ = line.split(" ")
            if status == "200":
                counts[path] += 1
        with log.open("w"):
            pass
        if self._nginx:
            self._nginx.send_signal(signal.SIGUSR1)
        return counts

    def expected_pages(self) -> dict[str, str]:
        manifest = json.loads((self.directory / "manifest.json").read_text())
        return manifest["sections"]["a"]["pages"]


def run_and_measure(name: str, command: list[str], site: Site) -> tuple[RunUsage, str]:
    """Run a program to its end and return its usage and output."""
    work = CACHE / f"work-{name}"
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    out = work / "out.jsonl"
    environ = os.environ | {
        "SITE_HOST": site.host, "SECTION": "a", "OUT": str(out), "CONC": "16", "WORK": str(work),
        "PYTHONPATH": os.pathsep.join(map(str, (site.parts, ROOT / "src", ROOT))),
        "PYTHONDONTWRITEBYTECODE": "1",
    }  # fmt: skip
    site.served_paths()
    started = time.monotonic()
    with (work / "log").open("w") as log:
        process = subprocess.Popen(
            [part.replace("WORK", str(work)) for part in command],
            env=environ, cwd=work, stdout=log, stderr=subprocess.STDOUT,
        )  # fmt: skip
        _, status, resources = os.wait4(process.pid, 0)
    wall = time.monotonic() - started
    served, expected = site.served_paths(), site.expected_pages()
    repeated = sum(count - 1 for path, count in served.items() if path in expected)
    missed = len(expected.keys() - served.keys())
    note = f"missed {missed}, repeated {repeated}" + (f", exit {status}" if status else "")
    usage = RunUsage(
        name,
        len(expected.keys() & served.keys()),
        wall,
        resources.ru_utime + resources.ru_stime,
        resources.ru_maxrss // 1024,
        note,
    )
    return usage, (work / "log").read_text()


def ours(site: Site, *options: str) -> RunUsage:
    name = "-".join(("webquarry", *options))
    command = [sys.executable, "-m", "bench.crawl_ours", site.host, "100000", "WORK", *options]
    usage, printed = run_and_measure(name, command, site)
    report = json.loads(printed.splitlines()[-1])
    note = (
        f"{usage.note}; stored {report['pagesCrawled']}, canonical duplicates "
        f"{report['skipped'].get('canonical', 0)}, first page {report['first']:.2f} s"
    )
    return replace(usage, note=note)


def peer(name: str, program: list[str], venv: str, site: Site) -> RunUsage | None:
    python = peer_python(venv)
    if python is None:
        return None
    usage, _ = run_and_measure(name, [str(python), *program], site)
    return usage


def peer_python(name: str) -> Path | None:
    """Return the interpreter of a peer's virtual environment, created if it is missing."""
    environment = ROOT / ".cache" / f"bench-{name}"
    python = environment / "bin" / "python"
    ready, packages = environment / ".ready", "\n".join(PEERS[name])
    if not ready.exists() or ready.read_text() != packages:
        print(f"installing {name} …")
        subprocess.run([sys.executable, "-m", "venv", str(environment)], check=True)
        command = [str(python), "-m", "pip", "install", "-q", "--disable-pip-version-check"]
        if subprocess.run([*command, *PEERS[name]], check=False).returncode:
            print(f"{name} cannot be installed and is skipped")
            return None
        ready.write_text(packages)
    return python


def compare(site: Site, options: argparse.Namespace) -> list[RunUsage]:
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
        # measured twice, because the speed of the machine varies over time
        "webquarry again": lambda: replace(ours(site), name="webquarry again"),
        "crawl4ai": lambda: peer("crawl4ai", [str(parts / "crawl4ai_crawl.py")], "crawl4ai", site),
    }
    if options.markdown:
        runs |= {
            "webquarry-markdown": lambda: ours(site, "markdown"),
            "scrapy-trafilatura": lambda: peer(
                "scrapy-trafilatura", [str(ROOT / "bench/peers/scrapy_markdown.py")], "scrapy", site
            ),
        }
    names = options.only.split(",") if options.only else list(runs)
    finished: list[RunUsage] = []
    for name in names:
        usage = runs[name]()
        if usage:
            print(usage.summary(), flush=True)
            finished.append(usage)
    return finished


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=5000)
    parser.add_argument("--scale", action="store_true", help="also crawl ten times as many pages")
    parser.add_argument(
        "--markdown", action="store_true", help="also convert every page to Markdown"
    )
    parser.add_argument("--only", default="", help="comma-separated names of runs")
    parser.add_argument("--parts", type=Path, default=ROOT.parent / "shared/bench/crawl")
    options = parser.parse_args()
    compileall.compile_dir(ROOT / "src", quiet=2)  # the installed peers are compiled too
    with Site(options.parts, options.pages) as site:
        runs = {run.name: run for run in compare(site, options) if run.pages}
    our_runs = [runs[name] for name in ("webquarry", "webquarry again") if name in runs]
    for other in ("scrapy", "crawlee", "crawl4ai"):
        if our_runs and other in runs:
            rate = sum(run.pages for run in our_runs) / sum(run.cpu for run in our_runs)
            print(f"webquarry / {other}: {rate / runs[other].per_cpu:.1f}x pages/CPU s")
    with_markdown = runs.get("webquarry-markdown")
    for other in ("scrapy-trafilatura", "crawl4ai"):
        if with_markdown and other in runs:
            print(f"with Markdown / {other}: {with_markdown.per_cpu / runs[other].per_cpu:.1f}x")
    if options.scale:
        print(f"CPU per page, ten times as many pages: {cpu_ratio_at_scale(options):.2f}x")


def cpu_ratio_at_scale(options: argparse.Namespace) -> float:
    """Return the CPU per page of a site ten times as large, relative to the small site.

    The small site is crawled before and after the large one, because the speed of the machine
    varies over time.
    """
    runs: list[RunUsage] = []
    for pages in (options.pages, 10 * options.pages, options.pages):
        os.sync()  # flush what other programs left to write
        with Site(options.parts, pages) as site:
            runs.append(ours(site))
        print(runs[-1].summary(), flush=True)
    before, large, after = (run.cpu / run.pages for run in runs)
    return 2 * large / (before + after)


if __name__ == "__main__":
    main()

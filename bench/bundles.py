"""What evidence costs: CPU of capturing, the size of a bundle, and the memory of an export.

usage: python -m bench.bundles [--pages N] [--rounds N] [--corpus DIR] [--parts DIR]
The crawled site is local (see bench.crawl); the pages of bundles are real ones from a corpus.
Exits with 1 if capturing costs more than 15 % CPU per crawled page, if a bundle of 30 pages is
larger than 1.3 times its payloads compressed with zstd one by one, or if the export of 5,000
exchanges needs more than 200 MB.
"""

import argparse
import asyncio
import compileall
import gzip
import json
import resource
import subprocess
import sys
import tempfile
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path
from statistics import median

from bench.crawl import ROOT, RunUsage, Site, ours
from webquarry.models.exchange import Exchange
from webquarry.services.bundles.bundle_plan import BundleContents, plan_bundle
from webquarry.services.bundles.bundle_writing import BundleWriter
from webquarry.settings.load import load
from webquarry.storage.exchange_store import CaptureGroup
from webquarry.storage.zstd_library import zstd_library
from webquarry.webarchive.signing import SigningKey
from webquarry.wiring.container import Services
from webquarry.wiring.open_storage import storage_keys

MAX_CPU, MAX_SIZE, MAX_RSS = 1.15, 1.3, 200
SESSION_PAGES, EXPORTED = 30, 5000
EXCERPT = 1000  # characters of each text, to see what whole texts cost
ZSTD_LEVEL = 1  # of the store
GROUP = CaptureGroup("default", "bench", "crawl.bench")
START = 1_700_000_000.0


def measure_capturing(parts: Path, pages: int, rounds: int) -> bool:
    """Crawl with and without captures in turn; return whether the goal is met."""
    runs: dict[str, list[RunUsage]] = {"off": [], "on": []}
    with Site(parts, pages) as site:
        for _ in range(rounds):
            for name, listed in runs.items():
                run = ours(site, "capture") if name == "on" else ours(site)
                listed.append(replace(run, name=f"capture {name}"))
                print(listed[-1].summary(), flush=True)
    off, on = (median(run.cpu / max(run.pages, 1) for run in runs[name]) for name in runs)
    print(f"capturing: {off * 1000:.2f} -> {on * 1000:.2f} CPU ms a page, {on / off - 1:+.1%}")
    return on <= off * MAX_CPU


def real_pages(corpus: Path) -> list[bytes]:
    """Return the pages of a corpus."""
    files = sorted(corpus.glob("**/html/*.gz"))
    return [gzip.decompress(file.read_bytes()) for file in files]


def exchange(number: int, body: bytes) -> Exchange:
    """Return a captured page."""
    return Exchange(
        url=f"https://example.org/{number}",
        at=START + number,
        headers=(("Content-Type", "text/html; charset=utf-8"), ("Server", "nginx")),
        body=body,
    )


def open_services(data: Path, stack: AsyncExitStack) -> Services:
    settings = load(
        environ={"WEBQUARRY_DATA_DIR": str(data)}, directory=data, flags={}, declared=()
    )
    return Services(settings, storage_keys(settings), stack)


async def fill(data: Path, corpus: Path, count: int) -> None:
    """Store exchanges; pages that repeat differ in one comment, so none is a revisit."""
    pages = real_pages(corpus)
    async with AsyncExitStack() as stack:
        exchanges = open_services(data, stack).capturing.exchanges
        for number in range(count):
            body = pages[number % len(pages)]
            if number >= len(pages):
                body += f"<!-- {number} -->".encode()
            await exchanges.save(GROUP, [exchange(number, body)])


async def export(data: Path, max_text: int | None) -> None:
    """Write a bundle of everything stored; print its size and the memory used."""
    async with AsyncExitStack() as stack:
        services = open_services(data, stack)
        exchanges = services.capturing.exchanges
        contents = BundleContents(subject="crawl", id="bench", title="Bench", group=GROUP)
        plan = await plan_bundle(contents, exchanges)
        writer = BundleWriter(
            plan=plan, exchanges=exchanges, parsers=services.parsers,
            key=SigningKey.from_seed(bytes(32)), now=START,
        )  # fmt: skip
        if max_text is not None:
            writer.max_text = max_text
        with tempfile.TemporaryFile() as file:
            await writer.write(file, "wacz")
            size = file.tell()
    rss = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(json.dumps({"exchanges": len(plan.keys), "bytes": size, "rss": rss}))


def run_part(*arguments: str) -> dict[str, int]:
    """Run a part of this program in a separate process, and return what it prints."""
    command = [sys.executable, "-m", "bench.bundles", *arguments]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, cwd=ROOT)
    return json.loads(done.stdout or b"{}")


def measure_size(corpus: Path) -> bool:
    """Compare the size of a small bundle with its payloads; return whether the goal is met."""
    pages = real_pages(corpus)[:SESSION_PAGES]
    payloads = sum(len(zstd_library().compress(page, ZSTD_LEVEL)) for page in pages)
    with tempfile.TemporaryDirectory() as data:
        run_part("--fill", data, "--count", str(len(pages)), "--corpus", str(corpus))
        full = run_part("--export", data)["bytes"]
        excerpt = run_part("--export", data, "--excerpt")["bytes"]
    print(
        f"bundle of {len(pages)} pages: {full:,} bytes, {full / payloads:.2f} x zstd "
        f"({payloads:,} bytes); with excerpts of the texts {excerpt / payloads:.2f} x"
    )
    return full <= payloads * MAX_SIZE


def measure_memory(corpus: Path) -> bool:
    """Export many exchanges; return whether the goal is met."""
    with tempfile.TemporaryDirectory() as data:
        run_part("--fill", data, "--count", str(EXPORTED), "--corpus", str(corpus))
        report = run_part("--export", data)
    print(f"export of {report['exchanges']:,} exchanges: {report['bytes']:,} bytes, "
          f"{report['rss']} MB at most")  # fmt: skip
    return report["exchanges"] == EXPORTED and report["rss"] <= MAX_RSS


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=500)
    parser.add_argument("--rounds", type=int, default=3)
    shared = ROOT.parent / "shared/bench"
    parser.add_argument("--parts", type=Path, default=shared / "crawl")
    parser.add_argument("--corpus", type=Path, default=shared / "extract/corpora/trafilatura")
    parser.add_argument("--only", choices=("capturing", "size", "memory"))
    parser.add_argument("--fill", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--export", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--count", type=int, default=0, help=argparse.SUPPRESS)
    parser.add_argument("--excerpt", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.fill:
        asyncio.run(fill(options.fill, options.corpus, options.count))
        return
    if options.export:
        asyncio.run(export(options.export, EXCERPT if options.excerpt else None))
        return
    compileall.compile_dir(ROOT / "src", quiet=2)
    parts = {
        "size": lambda: measure_size(options.corpus),
        "memory": lambda: measure_memory(options.corpus),
        "capturing": lambda: measure_capturing(options.parts, options.pages, options.rounds),
    }
    met = [measure() for name, measure in parts.items() if options.only in {None, name}]
    sys.exit(0 if all(met) else 1)


if __name__ == "__main__":
    main()

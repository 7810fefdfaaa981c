"""CPU per page of a batch, compared with a crawl of the same 5,000 pages.

The crawl runs before and after the batch, because the speed of the machine varies over time.
Exits with 1 if a page of the batch costs more than 1.2 times as much as one of the crawl, or if
the batch missed or repeated a page.
"""

import argparse
import compileall
import sys
from pathlib import Path

from bench.crawl import CACHE, ROOT, RunUsage, Site, ours, run_and_measure

MAX_RATIO = 1.2


def batch(site: Site, urls: Path) -> RunUsage:
    """Read the listed URLs in a separate process."""
    command = [sys.executable, "-m", "bench.crawl_ours", site.host, "100000", "WORK"]
    usage, _ = run_and_measure("webquarry-batch", [*command, f"batch={urls}"], site)
    return usage


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=5000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--parts", type=Path, default=ROOT.parent / "shared/bench/crawl")
    options = parser.parse_args()
    compileall.compile_dir(ROOT / "src", quiet=2)
    crawls: list[RunUsage] = []
    batches: list[RunUsage] = []
    with Site(options.parts, options.pages) as site:
        urls = CACHE / f"urls-{options.pages}.txt"
        urls.write_text("\n".join(f"http://{site.host}{path}" for path in site.expected_pages()))
        for _ in range(options.rounds):
            crawls.append(ours(site))
            print(crawls[-1].summary(), flush=True)
            batches.append(batch(site, urls))
            print(batches[-1].summary(), flush=True)
        crawls.append(ours(site))
        print(crawls[-1].summary(), flush=True)
    ratio = _cpu_per_page(batches) / _cpu_per_page(crawls)
    print(f"CPU per page, batch / crawl: {ratio:.2f}x (at most {MAX_RATIO}x)")
    if ratio > MAX_RATIO or any("missed 0, repeated 0" not in run.note for run in batches):
        sys.exit(1)


def _cpu_per_page(runs: list[RunUsage]) -> float:
    return sum(run.cpu for run in runs) / sum(run.pages for run in runs)


if __name__ == "__main__":
    main()

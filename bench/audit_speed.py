"""Times `audit_bibliography` of 200 references with registries on loopback, at their real pace."""

import argparse
import asyncio
import importlib
import json
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from webquarry import Webquarry

_GOAL = 15.0  # seconds for 200 references
_COUNT = 200


def main() -> None:
    options = _options()
    sys.path.insert(0, str(options.evidence))
    registries: Any = importlib.import_module("registries")
    lines = (options.evidence / "data" / "works.jsonl").read_text("utf-8").splitlines()
    works = [json.loads(line) for line in lines]
    with_doi = [work for work in works if work["doi"]][:_COUNT]
    mixed = works[:_COUNT]
    with registries.serving("varied") as settings:
        seconds = {
            name: asyncio.run(_audit(chosen, settings))
            for name, chosen in (("with a DOI", with_doi), ("mixed", mixed))
        }
    for name, (elapsed, unchecked) in seconds.items():
        print(f"{_COUNT} references, {name}: {elapsed:.1f} s, {unchecked} not checked in time")
    sys.exit(seconds["with a DOI"][0] > _GOAL)


async def _audit(works: list[dict[str, Any]], settings: dict[str, str]) -> tuple[float, int]:
    entries = [
        {
            "title": work["title"],
            "author": "; ".join(" ".join(filter(None, name)) for name in work["authors"]),
            "date": str(work["year"]),
            "doi": work["doi"],
        }
        for work in works
    ]
    with tempfile.TemporaryDirectory(prefix="audit-speed-") as home:
        async with Webquarry(WEBQUARRY_DATA_DIR=home, LOG_LEVEL="error", **settings) as wq:
            started = time.monotonic()
            found = await wq.call("audit_bibliography", entries=entries)
    late = sum(entry.get("reason") == "Not checked: out of time." for entry in found["entries"])
    return time.monotonic() - started, late


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    default = Path("../shared/bench/evidence")
    parser.add_argument("evidence", type=Path, nargs="?", default=default)
    return parser.parse_args()


if __name__ == "__main__":
    main()

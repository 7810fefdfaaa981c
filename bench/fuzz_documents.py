"""Sends changed documents of every kind to the worker processes: each is read or refused.

A finding is an error that is not of the one tree, a reader that fails, or a worker that dies. The
limits of CPU time and memory may end a worker; that is counted and is no finding.
"""

import argparse
import hashlib
import sys
from collections import Counter
from pathlib import Path
from random import Random

import anyio

from bench.fuzz.mutation import mutated_document
from bench.fuzz.runner import FINDINGS, SEEDS
from webquarry.errors import WebquarryError
from webquarry.reading.documents.document_errors import ReaderCrashError
from webquarry.reading.documents.document_reader import DocumentReader
from webquarry.reading.documents.document_workers import WorkerLimits

_TYPES = {"csv": "text/csv", "json": "application/json", "xml": "application/rss+xml"}
_LIMITS = ("CPU time", "more memory", "took longer")
_SECONDS = 20.0


def main() -> None:
    """Print what became of the documents; fail if there are findings."""
    sys.exit(anyio.run(_run, _options()))


async def _run(options: argparse.Namespace) -> bool:
    documents = DocumentReader(timeout=_SECONDS, limits=WorkerLimits(count=1))
    paths = sorted((SEEDS / "document").iterdir())
    others = [path.read_bytes() for path in paths]
    outcomes: Counter[str] = Counter()
    for number in range(options.start, options.start + options.count):
        path = paths[number % len(paths)]
        random = Random(f"document {number}")  # noqa: S311 - reproducible
        data = mutated_document(path.read_bytes(), random, others)
        outcome = await _outcome(documents, data, path)
        outcomes[outcome] += 1
        if outcome.startswith("finding"):
            print(f"{_keep(data, path)}: {outcome}", flush=True)
    alive = await documents.read(b"Owls.", content_type="text/plain", url="x")
    await documents.aclose()
    for outcome, count in outcomes.most_common():
        print(f"{count:6} {outcome}")
    findings = sum(count for name, count in outcomes.items() if name.startswith("finding"))
    print(f"{options.count} documents, {findings} findings; afterwards read: {alive.markdown}")
    return findings > 0


async def _outcome(documents: DocumentReader, data: bytes, path: Path) -> str:
    media_type = _TYPES.get(path.suffix[1:])
    try:
        await documents.read(data, content_type=media_type, url=path.name)
    except ReaderCrashError as error:
        reached = next((limit for limit in _LIMITS if limit in str(error)), "")
        return f"limit: {reached}" if reached else f"finding: {error}"
    except WebquarryError as error:
        return f"refused: {type(error).__name__}"
    # everything else is a defect
    except Exception as error:  # noqa: BLE001
        return f"finding: {error!r}"
    return "read"


def _keep(data: bytes, path: Path) -> Path:
    folder = FINDINGS / "document"
    folder.mkdir(parents=True, exist_ok=True)
    kept = folder / f"{hashlib.sha256(data).hexdigest()[:16]}{path.suffix}"
    kept.write_bytes(data)
    return kept


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=2_000)
    parser.add_argument("--start", type=int, default=0, help="number of the first document")
    return parser.parse_args()


if __name__ == "__main__":
    main()

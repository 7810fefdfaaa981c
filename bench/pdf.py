"""Scores tables and facts of PDFs beside the peers that are installed, with CPU seconds."""

import argparse
import json
import resource
import subprocess
import sys
import tempfile
from collections import Counter
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

_READER = Path(__file__).with_name("pdf_reading.py")
_PEERS = ("pymupdf4llm", "markitdown", "pdfplumber")
_TABLE_GOAL, _FACT_GOAL = 0.92, 36


class _Result(NamedTuple):
    """What one reader made of the files, and what it cost."""

    texts: dict[str, str]
    cpu: float


def main() -> None:
    """Print one line for each reader; fail below the goals."""
    options = _options()
    sys.path.insert(0, str(options.folder))
    tables, facts = options.folder / "data" / "icdar", options.folder / "data" / "olmocr"
    good = True
    print(
        f"{'reader':<14}{'precision':>10}{'recall':>8}{'F1':>8}{'CPU s':>8}{'facts':>8}{'CPU s':>8}"
    )
    for name in ("webquarry", *_PEERS):
        python = sys.executable if name == "webquarry" else options.peers
        read_tables, read_facts = (
            _read(python, name, folder, options.folder) for folder in (tables, facts)
        )
        if read_tables is None or read_facts is None:
            print(f"{name:<14}not installed in {python}")
            continue
        precision, recall, f1 = _table_score(tables, read_tables.texts)
        right, total = _fact_score(facts, read_facts.texts)
        print(
            f"{name:<14}{precision:>10.3f}{recall:>8.3f}{f1:>8.3f}{read_tables.cpu:>8.1f}"
            f"{right:>5}/{total}{read_facts.cpu:>8.1f}", flush=True,
        )  # fmt: skip
        if name == "webquarry":
            good = f1 >= _TABLE_GOAL and right >= _FACT_GOAL
    sys.exit(not good)


def _read(python: str, name: str, folder: Path, scorers: Path) -> _Result | None:
    """Return the Markdown of the PDFs in a folder; None where the reader is not installed."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with tempfile.TemporaryDirectory(prefix="pdf-") as home:
        output = Path(home, "texts.json")
        # an interpreter that the caller chose
        done = subprocess.run(
            [python, str(_READER), name, str(folder), str(scorers), str(output)],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False,
        )  # fmt: skip
        if done.returncode or not output.exists():
            return None
        texts: dict[str, str] = json.loads(output.read_text("utf-8"))
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return _Result(texts, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def _table_score(folder: Path, texts: dict[str, str]) -> tuple[float, float, float]:
    scorer: Any = import_module("tables")
    grids: Any = import_module("grids")
    hit = said = true = 0
    for pdf in sorted(folder.glob("*.pdf")):
        expected = _relations(scorer, scorer.truth(pdf))
        found = _relations(scorer, grids.grids(texts.get(pdf.name, "")))
        hit += (expected & found).total()
        said, true = said + found.total(), true + expected.total()
    return hit / max(1, said), hit / max(1, true), 2 * hit / max(1, said + true)


def _relations(scorer: Any, tables: list[Any]) -> Counter[Any]:
    found: Counter[Any] = Counter()
    for table in tables:
        found.update(scorer.relations(table))
    return found


def _fact_score(folder: Path, texts: dict[str, str]) -> tuple[int, int]:
    scorer: Any = import_module("facts")
    lines = (folder / "facts.jsonl").read_text("utf-8").splitlines()
    tests = [test for line in lines if (test := json.loads(line))["type"] in scorer.KINDS]
    passed = [
        test for test in tests
        if texts.get(test["pdf"], "").strip() and scorer.passes(test, texts[test["pdf"]])
    ]  # fmt: skip
    return len(passed), len(tests)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?", default=Path("../shared/bench/pdf"))
    parser.add_argument("--peers", default=sys.executable, help="Python that has the peers")
    options = parser.parse_args()
    options.folder = options.folder.resolve()
    return options


if __name__ == "__main__":
    main()

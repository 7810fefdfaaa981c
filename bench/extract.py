"""Scores our page extractor and its peers on annotated pages, in one run.

python -m bench.extract ../shared/bench/extract            every page
python -m bench.extract ../shared/bench/extract --sample 0.2

The directory holds the corpora with their own scorers, score.py and fidelity.py. Our model was
trained on these pages: the numbers of `make train-extractor` on sites it had not seen are the ones
to compare with the peers'.
"""

import argparse
import importlib
import json
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from webquarry.content.html.read_html import to_markdown

Extractor = Callable[[str], str | None]

TARGETS = {"scrapinghub": 0.970, "trafilatura": 0.935, "wcxb": 0.880}
CPU_RATIO = 0.8  # of trafilatura's time
FIDELITY = 0.92
OURS = "webquarry"
YARDSTICK = "trafilatura"


@dataclass
class Tally:
    """What one extractor did on one corpus."""

    rows: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    milliseconds: list[float] = field(default_factory=list[float])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("directory", type=Path, help="where score.py and corpora/ are")
    parser.add_argument("--sample", type=float, default=1.0, help="share of the pages to take")
    parser.add_argument("--no-peers", action="store_true", help="score ours and trafilatura only")
    options = parser.parse_args()
    sys.path.insert(0, str(options.directory.resolve()))
    scorer = importlib.import_module("score")
    extractors = _extractors(with_all=not options.no_peers)
    reached = True
    for name, target in TARGETS.items():
        corpus = options.directory / "corpora" / name
        reached &= _score_corpus(scorer, corpus, extractors, target, options.sample)
    reached &= _fidelity(scorer, options.directory / "corpora" / "wcxb", options.sample)
    sys.exit(0 if reached else 1)


def _extractors(*, with_all: bool) -> dict[str, Extractor]:
    trafilatura: Any = importlib.import_module("trafilatura")

    found: dict[str, Extractor] = {OURS: to_markdown, YARDSTICK: trafilatura.extract}
    if with_all:
        found |= {name: make for name, make in (_resiliparse(), _readability()) if make}
    return found


def _resiliparse() -> tuple[str, Extractor | None]:
    try:
        module: Any = importlib.import_module("resiliparse.extract.html2text")
    except ImportError:
        return "resiliparse", None
    return "resiliparse", lambda html: module.extract_plain_text(html, main_content=True)


def _readability() -> tuple[str, Extractor | None]:
    try:
        module: Any = importlib.import_module("readability")
    except ImportError:
        return "readability", None
    reader: Any = importlib.import_module("lxml.html")

    def extract(html: str) -> str:
        summary = module.Document(html).summary()
        return str(reader.fromstring(summary).text_content()) if summary.strip() else ""

    return "readability", extract


def _score_corpus(
    scorer: Any, corpus: Path, extractors: dict[str, Extractor], target: float, sample: float
) -> bool:
    metric = json.loads((corpus / "corpus.json").read_text("utf-8"))["metric"]
    tallies = {name: Tally() for name in extractors}
    for number, page in enumerate(scorer.load_pages(corpus, "all", None, sample)):
        html = scorer.decode(scorer.read_html(corpus, page))
        for name, extract in extractors.items():
            if number == 0:
                _timed(extract, html)  # the first call loads models and tables
            text, spent = _timed(extract, html)
            seen = scorer.plain(text) if name == OURS else text
            row = scorer.METRICS[metric](page, seen) | {"type": page["type"]}
            tallies[name].rows.append(row)
            tallies[name].milliseconds.append(spent)
    print(f"\n{corpus.name}: {len(tallies[OURS].rows)} pages, {metric}")
    for name, tally in tallies.items():
        _print_row(scorer, metric, name, tally)
    _print_kinds(scorer, metric, tallies[OURS])
    return _verdict(scorer, metric, tallies, target)


def _timed(extract: Extractor, html: str) -> tuple[str, float]:
    start = time.process_time()
    try:
        text = extract(html) or ""
    # a peer that crashes on a page has read nothing of it, and the others go on
    except Exception as error:  # noqa: BLE001
        print(f"  {type(error).__name__}: {error}", file=sys.stderr)
        text = ""
    return text, (time.process_time() - start) * 1000


def _print_row(scorer: Any, metric: str, name: str, tally: Tally) -> None:
    total = scorer.summarise(metric, tally.rows)
    low, high = scorer.interval(metric, tally.rows)
    print(
        f"  {name:<12} F1 {total['f1']:.4f} [{low:.3f}, {high:.3f}]  P {total['precision']:.3f}"
        f"  R {total['recall']:.3f}  CPU {statistics.mean(tally.milliseconds):6.1f} ms"
        f"  median {statistics.median(tally.milliseconds):6.1f}"
    )


def _print_kinds(scorer: Any, metric: str, tally: Tally) -> None:
    kinds = sorted({row["type"] for row in tally.rows})
    if len(kinds) > 1:
        by_kind = {kind: [row for row in tally.rows if row["type"] == kind] for kind in kinds}
        parts = [f"{k} {scorer.summarise(metric, rows)['f1']:.3f}" for k, rows in by_kind.items()]
        print(f"  ours by kind: {', '.join(parts)}")


def _verdict(scorer: Any, metric: str, tallies: dict[str, Tally], target: float) -> bool:
    ours = tallies[OURS]
    f1 = scorer.summarise(metric, ours.rows)["f1"]
    ratio = sum(ours.milliseconds) / max(1e-9, sum(tallies[YARDSTICK].milliseconds))
    return all(
        (
            _judged(f"F1 {f1:.4f}, target {target}", passed=f1 >= target),
            _judged(
                f"CPU {ratio:.2f} x trafilatura, target {CPU_RATIO}", passed=ratio <= CPU_RATIO
            ),
        )
    )


def _fidelity(scorer: Any, corpus: Path, sample: float) -> bool:
    """Measure which headings, items, links, code blocks and rows survive as Markdown."""
    judge: Any = importlib.import_module("fidelity")
    wanted: dict[str, int] = {}
    found: dict[str, int] = {}
    for page in scorer.load_pages(corpus, "all", None, sample):
        html = scorer.decode(scorer.read_html(corpus, page))
        want = judge.wanted(html, page["gold"])
        for kind, elements in want.items():
            wanted[kind] = wanted.get(kind, 0) + len(elements)
        for kind, hits in judge.found(want, to_markdown(html)).items():
            found[kind] = found.get(kind, 0) + hits
    shares = {kind: found.get(kind, 0) / count for kind, count in wanted.items() if count}
    mean = statistics.mean(shares.values())
    print(
        "\nMarkdown fidelity:", ", ".join(f"{kind} {value:.3f}" for kind, value in shares.items())
    )
    return _judged(f"mean {mean:.3f}, target {FIDELITY}", passed=mean >= FIDELITY)


def _judged(what: str, *, passed: bool) -> bool:
    print(f"  {'PASS ' if passed else 'SHORT'} {what}")
    return passed


if __name__ == "__main__":
    main()

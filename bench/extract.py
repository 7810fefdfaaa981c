"""Scores our main-content extractor and other extractors on annotated pages, in one run.

python -m bench.extract ../shared/bench/extract            every page
python -m bench.extract ../shared/bench/extract --sample 0.2

The directory holds the corpora with their own scorers, score.py and fidelity.py. Our model was
trained on these pages. To compare with the peers, use the numbers that `make train-extractor`
prints for sites the model had not seen.
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
BASELINE = "trafilatura"


@dataclass
class CorpusScores:
    """Scores and CPU time of one extractor on one corpus."""

    rows: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    milliseconds: list[float] = field(default_factory=list[float])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("directory", type=Path, help="directory with score.py and corpora/")
    parser.add_argument("--sample", type=float, default=1.0, help="share of the pages to score")
    parser.add_argument(
        "--no-peers", action="store_true", help="score only webquarry and trafilatura"
    )
    options = parser.parse_args()
    sys.path.insert(0, str(options.directory.resolve()))
    scorer = importlib.import_module("score")
    extractors = _extractors(with_peers=not options.no_peers)
    passed = True
    for name, target in TARGETS.items():
        corpus = options.directory / "corpora" / name
        passed &= _score_corpus(scorer, corpus, extractors, target, options.sample)
    passed &= _fidelity(scorer, options.directory / "corpora" / "wcxb", options.sample)
    sys.exit(0 if passed else 1)


def _extractors(*, with_peers: bool) -> dict[str, Extractor]:
    trafilatura: Any = importlib.import_module("trafilatura")

    extractors: dict[str, Extractor] = {OURS: to_markdown, BASELINE: trafilatura.extract}
    if with_peers:
        peers = (_resiliparse(), _readability())
        extractors |= {name: extract for name, extract in peers if extract}
    return extractors


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
    lxml_html: Any = importlib.import_module("lxml.html")

    def extract(html: str) -> str:
        summary = module.Document(html).summary()
        return str(lxml_html.fromstring(summary).text_content()) if summary.strip() else ""

    return "readability", extract


def _score_corpus(
    scorer: Any, corpus: Path, extractors: dict[str, Extractor], target: float, sample: float
) -> bool:
    metric = json.loads((corpus / "corpus.json").read_text("utf-8"))["metric"]
    scores_by_name = {name: CorpusScores() for name in extractors}
    for number, page in enumerate(scorer.load_pages(corpus, "all", None, sample)):
        html = scorer.decode(scorer.read_html(corpus, page))
        for name, extract in extractors.items():
            if number == 0:
                _extract_timed(extract, html)  # the first call loads models and tables
            text, milliseconds = _extract_timed(extract, html)
            plain = scorer.plain(text) if name == OURS else text
            row = scorer.METRICS[metric](page, plain) | {"type": page["type"]}
            scores_by_name[name].rows.append(row)
            scores_by_name[name].milliseconds.append(milliseconds)
    print(f"\n{corpus.name}: {len(scores_by_name[OURS].rows)} pages, {metric}")
    for name, scores in scores_by_name.items():
        _print_row(scorer, metric, name, scores)
    _print_kinds(scorer, metric, scores_by_name[OURS])
    return _verdict(scorer, metric, scores_by_name, target)


def _extract_timed(extract: Extractor, html: str) -> tuple[str, float]:
    start = time.process_time()
    try:
        text = extract(html) or ""
    # a peer that crashes on a page scores nothing for it; the others continue
    except Exception as error:  # noqa: BLE001
        print(f"  {type(error).__name__}: {error}", file=sys.stderr)
        text = ""
    return text, (time.process_time() - start) * 1000


def _print_row(scorer: Any, metric: str, name: str, scores: CorpusScores) -> None:
    total = scorer.summarise(metric, scores.rows)
    low, high = scorer.interval(metric, scores.rows)
    print(
        f"  {name:<12} F1 {total['f1']:.4f} [{low:.3f}, {high:.3f}]  P {total['precision']:.3f}"
        f"  R {total['recall']:.3f}  CPU {statistics.mean(scores.milliseconds):6.1f} ms"
        f"  median {statistics.median(scores.milliseconds):6.1f}"
    )


def _print_kinds(scorer: Any, metric: str, scores: CorpusScores) -> None:
    kinds = sorted({row["type"] for row in scores.rows})
    if len(kinds) > 1:
        by_kind = {kind: [row for row in scores.rows if row["type"] == kind] for kind in kinds}
        parts = [f"{k} {scorer.summarise(metric, rows)['f1']:.3f}" for k, rows in by_kind.items()]
        print(f"  ours by kind: {', '.join(parts)}")


def _verdict(
    scorer: Any, metric: str, scores_by_name: dict[str, CorpusScores], target: float
) -> bool:
    ours = scores_by_name[OURS]
    f1 = scorer.summarise(metric, ours.rows)["f1"]
    ratio = sum(ours.milliseconds) / max(1e-9, sum(scores_by_name[BASELINE].milliseconds))
    return all(
        (
            _print_verdict(f"F1 {f1:.4f}, target {target}", passed=f1 >= target),
            _print_verdict(
                f"CPU {ratio:.2f} x trafilatura, target {CPU_RATIO}", passed=ratio <= CPU_RATIO
            ),
        )
    )


def _fidelity(scorer: Any, corpus: Path, sample: float) -> bool:
    """Score how many headings, list items, links, code blocks and rows the Markdown preserves."""
    fidelity: Any = importlib.import_module("fidelity")
    expected: dict[str, int] = {}
    preserved: dict[str, int] = {}
    for page in scorer.load_pages(corpus, "all", None, sample):
        html = scorer.decode(scorer.read_html(corpus, page))
        elements_by_kind = fidelity.wanted(html, page["gold"])
        for kind, elements in elements_by_kind.items():
            expected[kind] = expected.get(kind, 0) + len(elements)
        for kind, hits in fidelity.found(elements_by_kind, to_markdown(html)).items():
            preserved[kind] = preserved.get(kind, 0) + hits
    shares = {kind: preserved.get(kind, 0) / count for kind, count in expected.items() if count}
    mean = statistics.mean(shares.values())
    print(
        "\nMarkdown fidelity:", ", ".join(f"{kind} {value:.3f}" for kind, value in shares.items())
    )
    return _print_verdict(f"mean {mean:.3f}, target {FIDELITY}", passed=mean >= FIDELITY)


def _print_verdict(what: str, *, passed: bool) -> bool:
    print(f"  {'PASS' if passed else 'MISS'} {what}")
    return passed


if __name__ == "__main__":
    main()

"""Scores how references are taken apart: entries that citeproc-js writes of known works."""

import argparse
import sys
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path

from bench.manuscript.csl_works import WORKS, Half, csl_works
from bench.manuscript.field_score import FieldResult, score_fields
from bench.trust.csl_processor import has_processor, processed
from webquarry.content.citations.reference_fields import reference_fields

STYLES = {
    "apa": "apa",
    "mla": "modern-language-association",
    "chicago author-date": "chicago-author-date",
    "chicago notes": "chicago-notes-bibliography",
    "vancouver": "nlm-citation-sequence",
    "ieee": "ieee",
    "nature": "nature",
    "harvard": "harvard-cite-them-right",
}
_NOTES = "chicago-notes"  # the footnotes themselves, beside the eight styles of lists
_GOAL = 0.97


def main() -> None:
    options = _options()
    if not has_processor(options.folder) or not WORKS.exists():
        print("skipped: node, citeproc-js (scripts/csl_suite.sh gets it) or the works are missing")
        return
    halves: tuple[Half, ...] = ("dev", "test") if options.half == "both" else (options.half,)
    shares = {half: show_half(half, options) for half in halves}
    sys.exit(shares.get("test", 1.0) < _GOAL)


def show_half(half: Half, options: argparse.Namespace) -> float:
    """Print the share of right fields by style and by field; return that of the eight styles."""
    works = csl_works(half, options.seed)
    results: list[FieldResult] = []
    for name, style in STYLES.items():
        found = style_results(works, style, options)
        print(f"  {half:<5}{name:<21}{_share(found):.3f} of {len(found)} fields")
        results += found
    notes = style_results(works, _NOTES, options)
    print(f"  {half:<5}{'(footnotes)':<21}{_share(notes):.3f} of {len(notes)} fields, not counted")
    print(f"{half}: {_share(results):.3f} of {len(results)} fields of {8 * len(works)} entries")
    by_field: defaultdict[str, list[FieldResult]] = defaultdict(list)
    for result in results:
        by_field[result.field].append(result)
    print("  " + ", ".join(f"{name} {_share(each):.3f}" for name, each in by_field.items()))
    return _share(results)


def style_results(
    works: Sequence[dict[str, object]], style: str, options: argparse.Namespace
) -> list[FieldResult]:
    """Return the fields of all works, written in one style."""
    written = processed(works, style, options.folder, notes=style == _NOTES)
    results: list[FieldResult] = []
    for work in works:
        text = written[str(work["id"])]
        found = list(score_fields(work, text, reference_fields(text)))
        results += found
        wrong = [result for result in found if not result.right]
        if wrong and options.verbose:
            print(f"{text}")
            for each in wrong:
                print(f"      {each.field}: {each.expected!r} read as {each.found!r}")
    return results


def _share(results: Sequence[FieldResult]) -> float:
    counts = Counter(result.right for result in results)
    return counts[True] / max(1, len(results))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?", default=Path(".cache/csl"))
    parser.add_argument("--half", choices=("dev", "test", "both"), default="both")
    parser.add_argument("--seed", type=int, default=24, help="other works of the same half")
    parser.add_argument("--verbose", action="store_true", help="print every wrong field")
    return parser.parse_args()


if __name__ == "__main__":
    main()

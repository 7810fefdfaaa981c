"""Scores bibliographies on the CSL test-suite and beside citeproc-js, entry by entry. Offline.

The suite and citeproc-js are downloaded by `scripts/csl_suite.sh`; without them parts are skipped.
"""

import argparse
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Any

from bench.trust.csl_cases import Case, suite_cases, suite_references
from bench.trust.csl_processor import has_processor, processed
from bench.trust.csl_records import generated_references
from webquarry.content.citations.export import (
    KeyedReference,
    Reference,
    csl_items,
    published_parts,
    with_keys,
)
from webquarry.services.bibliography import bibliography, check_style
from webquarry.services.csl_styles import csl_input, format_items

_DAY = date(2026, 11, 18)
# our own writers of APA and MLA, and styles that the CSL processor writes
_STYLES = {"apa": "apa", "mla": "modern-language-association"} | {
    name: check_style(name) for name in ("chicago", "harvard", "ieee", "vancouver")
}
_FLOOR = 0.95  # of the entries of APA and MLA
_ACCESS = re.compile(r"Retrieved \w+ \d+, \d{4}, from | Accessed \d+ \w+\.? \d{4}\.")
# styles take an article without a volume for unpublished; our references have no volumes
_UNPUBLISHED = re.compile(r", ahead of print| \[Preprint\]")
_APOSTROPHES = str.maketrans("\u2018\u2019\u201c\u201d", "''\"\"")


def main() -> None:
    options = _options()
    cases = options.folder / "cases"
    references = generated_references()
    if cases.is_dir():
        show_cases(suite_cases(cases), verbose=options.verbose)
        references += suite_references(cases)
    else:
        print(f"CSL test-suite: skipped, no cases in {cases} (scripts/csl_suite.sh gets them)")
    if not has_processor(options.folder):
        print("Entries beside citeproc-js: skipped, node or citeproc-js is not installed")
        return
    keyed = with_keys(references)
    print(f"\nEntries as citeproc-js writes them, of {len(keyed)} references")
    shares = [show_style(name, keyed, options) for name in _STYLES]
    sys.exit(min(shares[:2]) < _FLOOR)


def show_cases(cases: Sequence[Case], *, verbose: bool) -> None:
    """Print how many cases of the test-suite pass, fail and do not apply."""
    print(f"CSL test-suite: {len(cases)} cases")
    for reason, count in Counter(case.not_applicable for case in cases).most_common():
        if reason:
            print(f"  {count:4}  not applicable: {reason}")
    applicable = [case for case in cases if not case.not_applicable]
    results = {case.name: _entries(case) for case in applicable}
    failed = [case for case in applicable if results[case.name] != case.expected]
    print(f"  {len(applicable) - len(failed):4}  passed\n  {len(failed):4}  failed")
    kinds = Counter(case.name.partition("_")[0] for case in failed)
    print(f"        failed by kind: {dict(kinds.most_common())}")
    if verbose:
        for case in failed:
            print(f"    {case.name}\n      {case.expected}\n      {results[case.name]}")


def _entries(case: Case) -> tuple[str, ...]:
    with tempfile.NamedTemporaryFile("w", suffix=".csl", encoding="utf-8") as style:
        style.write(case.style)
        style.flush()
        try:
            entries = format_items([csl_input(item) for item in case.items], style.name, None)
        # the processor raises errors of every kind on cases that it does not support
        except Exception as error:  # noqa: BLE001
            return (f"{type(error).__name__}: {error}",)
    return tuple(" ".join(entry.split()) for entry in entries)


def show_style(name: str, references: Sequence[KeyedReference], options: Any) -> float:
    """Print how many entries of a style agree, and what makes others differ; return the share."""
    expected = _processed(_STYLES[name], references, options.folder)
    counts: Counter[str] = Counter()
    for key, reference in references:
        ours = _entry(reference, name)
        difference = _difference(reference, name, ours, expected[key])
        counts[difference] += 1
        if options.verbose and difference == "different":
            print(f"    {expected[key]}\n    {ours}\n")
    agreeing = 1 - counts["different"] / len(references)
    print(f"  {name:<10}{agreeing:.3f}  {dict(counts.most_common())}", flush=True)
    return agreeing


def _entry(reference: Reference, style: str) -> str:
    return bibliography([reference], check_style(style), _DAY)[0]


def _difference(reference: Reference, style: str, ours: str, theirs: str) -> str:
    """Return `equal`, `different` or the convention that makes the entries differ.

    We name the day of access also for dated pages, keep the capitals of a source, because its
    language is unknown, and keep day and month, because a DOI does not prove a journal article.
    """
    if ours == theirs:
        return "equal"
    ours, theirs = _without_access(ours), _without_access(theirs)
    if ours == theirs:
        return "access, apostrophes"
    if ours.casefold() == theirs.casefold():
        return "capitals"
    parts = published_parts(reference)
    for length in range(1, len(parts)):
        published = "-".join(f"{part:02d}" for part in parts[:length])
        shorter = _entry(reference._replace(published=published), style)
        if _without_access(shorter).casefold() == theirs.casefold():
            return "day of publication"
    return "different"


def _without_access(entry: str) -> str:
    return _UNPUBLISHED.sub("", _ACCESS.sub("", entry)).translate(_APOSTROPHES)


def _processed(style: str, references: Sequence[KeyedReference], folder: Path) -> dict[str, str]:
    """Return the entries of citeproc-js with the official style."""
    accessed = {"accessed": {"date-parts": [[_DAY.year, _DAY.month, _DAY.day]]}}
    items = [item if "DOI" in item else item | accessed for item in csl_items(references)]
    return processed(items, style, folder)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?", default=Path(".cache/csl"))
    parser.add_argument("--verbose", action="store_true", help="print every difference")
    return parser.parse_args()


if __name__ == "__main__":
    main()

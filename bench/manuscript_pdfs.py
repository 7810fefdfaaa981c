"""Scores how markers are linked to entries in 40 generated papers, read from PDF files."""

import argparse
import asyncio
import re
import sys
from pathlib import Path
from random import Random
from typing import Any

from bench.manuscript.csl_works import WORKS, csl_works
from bench.manuscript.field_score import key
from bench.manuscript.papers import Paper, make_paper
from bench.trust.csl_processor import has_processor, processed
from webquarry.content.manuscript.manuscript_model import Manuscript, ManuscriptSource
from webquarry.parsing.parsers import Parsers
from webquarry.reading.documents.document_reader import DocumentReader
from webquarry.reading.manuscript_reader import ManuscriptReader

_STYLES = {
    "numbered": ("ieee", "nlm-citation-sequence"),
    "author-year": ("apa", "chicago-author-date"),
}
_LATIN = re.compile(r"[^\x20-\x7e\xa0-\xff\u2013\u2014\u2018\u2019\u201c\u201d]")
_GOAL = 0.95


async def main() -> None:
    options = _options()
    if not has_processor(options.folder) or not WORKS.exists():
        print("skipped: node, citeproc-js (scripts/csl_suite.sh gets it) or the works are missing")
        return
    documents, parsers = DocumentReader(), Parsers()
    reader = ManuscriptReader(documents, parsers)
    right = total = extra = 0
    for seed in range(40 if options.half == "test" else 8):
        kind = ("numbered", "author-year")[seed % 2]
        style = _STYLES[kind][seed // 2 % 2]
        works = _plain_works(options.half, seed)
        written = processed(works, style, options.folder)
        texts = [re.sub(r"^(?:\[1\]|1\.) ", "", written[work["id"]]) for work in works]
        # test data, no secret
        paper = make_paper(works, texts, kind, Random(seed))  # noqa: S311
        found = await reader.read_manuscript(ManuscriptSource(paper.pdf, f"paper-{seed}.pdf"))
        good, more = score(
            paper, found, [key(work["title"]) for work in works], verbose=options.verbose
        )
        print(
            f"  paper {seed:2} {kind:<12}{style:<22}"
            f"{good} of {len(paper.citations)} linked, {more} more"
        )
        right, total, extra = right + good, total + len(paper.citations), extra + more
    await documents.aclose()
    await parsers.aclose()
    print(f"{options.half}: {right / total:.3f} of {total} markers linked; {extra} that are none")
    sys.exit(options.half == "test" and right / total < _GOAL)


def score(paper: Paper, found: Manuscript, titles: list[str], *, verbose: bool) -> tuple[int, int]:
    """Return how many markers have exactly their works, and how many found ones are not there."""
    entries = {entry.id: key(entry.text) for entry in found.references}
    linked = [
        (key(marker.text), {entries[entry] for entry in marker.entries}) for marker in found.markers
        if marker.kind in ("numbered", "author-year")
    ]  # fmt: skip
    good = 0
    for citation in paper.citations:
        expected = [titles[work] for work in citation.works]
        match = next((pair for pair in linked if pair[0] == key(citation.text)), None)
        is_right = match is not None and len(match[1]) == len(expected) and all(
            any(title in text and len(text) < 1200 for text in match[1]) for title in expected
        )  # fmt: skip
        good += is_right
        if match is not None:
            linked.remove(match)
        if verbose and not is_right:
            print(f"    {citation.text}: {match}")
    return good, len(linked)


def _plain_works(half: str, seed: int) -> list[dict[str, Any]]:
    """Return 20 works whose names and titles the standard fonts of PDF can write."""
    works = csl_works("dev" if half == "dev" else "test", 100 + seed)
    plain = [work for work in works if not _LATIN.search(str(work))]
    return sorted(plain, key=lambda work: str(work["author"]))[:20]


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?", default=Path(".cache/csl"))
    parser.add_argument("--half", choices=("dev", "test"), default="test")
    parser.add_argument("--verbose", action="store_true", help="print every wrong marker")
    return parser.parse_args()


if __name__ == "__main__":
    asyncio.run(main())

"""Scores `check_document` from end to end: claims of WiCE, altered references of HALLMARK."""

import argparse
import asyncio
import gzip
import importlib
import json
import sys
import tempfile
from pathlib import Path
from random import Random
from typing import Any

from webquarry import Webquarry

_BATCH = 50
_PRECISION, _RECALL = 0.75, 0.6  # of "supported"
_F1, _ALARMS = 0.95, 0.05
_WHOLE: dict[str, Any] = {"max_tokens": 900_000}  # the whole result at once
_FLAGGED = {"not_found", "mismatch", "fabricated"}

Row = dict[str, Any]


def main() -> None:
    options = _options()
    sys.path.insert(0, str(options.evidence))
    registries: Any = importlib.import_module("registries")
    wice: Any = importlib.import_module("wice")
    hallmark: Any = importlib.import_module("hallmark")
    packed = (options.evidence / "data" / "wice_dev.jsonl.gz").read_bytes()
    claims = _sample(gzip.decompress(packed).decode(), options.sample)
    listed = (options.evidence / "data" / "hallmark_dev.jsonl").read_text("utf-8")
    entries = _sample(listed, options.sample)
    with registries.serving("varied") as settings:
        with wice.pages(claims) as base:
            classes = asyncio.run(_classes(claims, base, settings))
        flags = asyncio.run(_flags(entries, hallmark.bibtex, settings))
    good = _report_claims(claims, classes)
    sys.exit(not (_report_references(entries, flags) and good))


def _sample(text: str, size: int | None) -> list[Row]:
    rows = [json.loads(line) for line in text.splitlines()]
    # a fixed choice, no secret
    return Random(1).sample(rows, size) if size and size < len(rows) else rows  # noqa: S311


async def _classes(rows: list[Row], base: str, settings: dict[str, str]) -> list[str]:
    """Return the class of each claim, cited in documents with a link to its page."""
    found: dict[str, str] = {}
    urls = [f"{base}/{number}.txt" for number in range(len(rows))]
    for start in range(0, len(rows), _BATCH):
        some = range(start, min(start + _BATCH, len(rows)))
        text = "# Claims\n\n" + "\n\n".join(
            f"{' '.join(rows[at]['claim'].split()).rstrip('.')} ([source]({urls[at]}))."
            for at in some
        )
        body = await _check({"document.md": text}, settings)
        for claim in body["claims"]:
            found |= {each["reference"]: each["claimClass"] for each in claim["sources"]}
    return [found.get(url, "no answer") for url in urls]


async def _flags(rows: list[Row], bibtex: Any, settings: dict[str, str]) -> list[set[str]]:
    """Return the flags of each reference, cited in LaTeX documents with a bibliography."""
    found: list[set[str]] = []
    for start in range(0, len(rows), _BATCH):
        some: list[Row] = [
            row | {"bibtex_key": f"work{at}"} for at, row in enumerate(rows[start : start + _BATCH])
        ]
        cited = "\n\n".join(f"A work is cited here \\cite{{work{at}}}." for at in range(len(some)))
        tex = f"\\begin{{document}}\n{cited}\n\\bibliography{{refs}}\n\\end{{document}}\n"
        files = {"document.tex": tex, "refs.bib": "\n".join(map(bibtex, some))}
        body = await _check(files, settings, max_sources=0)
        by_title: dict[str, set[str]] = {
            _key(each.get("title", each["text"])): set(each["flags"]) for each in body["references"]
        }
        titles: list[str] = [row["fields"].get("title", "") for row in some]
        found += [by_title.get(_key(title), set[str]()) for title in titles]
    return found


def _key(title: str) -> str:
    return "".join(filter(str.isalnum, title.lower()))


async def _check(files: dict[str, str], settings: dict[str, str], **options: Any) -> Row:
    with tempfile.TemporaryDirectory(prefix="check-evidence-") as home:
        for name, text in files.items():
            (Path(home) / name).write_text(text, "utf-8")
        document = Path(home) / next(iter(files))
        others = {"ALLOWED_FILE_ROOTS": home, "ALLOW_PRIVATE_IPS": "true", "LOG_LEVEL": "error"}
        async with Webquarry(WEBQUARRY_DATA_DIR=f"{home}/data", **others, **settings) as wq:
            body = await wq.call("check_document", path=str(document), **_WHOLE, **options)
            while body["status"] == "running":
                body = await wq.call("check_document", id=body["checkId"], **_WHOLE)
            return body


def _report_claims(rows: list[Row], classes: list[str]) -> bool:
    said = [each == "supported" for each in classes]
    right = [row["label"] == "supported" for row in rows]
    hits = sum(a and b for a, b in zip(said, right, strict=True))
    precision, recall = hits / max(1, sum(said)), hits / max(1, sum(right))
    missing = classes.count("no answer")
    print(f"WiCE: {len(rows)} claims, supported: precision {precision:.3f}, recall {recall:.3f}; "
          f"{missing} without an answer")  # fmt: skip
    return precision >= _PRECISION and recall >= _RECALL


def _report_references(rows: list[Row], flags: list[set[str]]) -> bool:
    made_up = [row["label"] == "HALLUCINATED" for row in rows]
    said = [bool(each & _FLAGGED) for each in flags]
    pairs = list(zip(made_up, said, strict=True))
    hits, alarms = pairs.count((True, True)), pairs.count((False, True))
    f1 = 2 * hits / max(1, sum(made_up) + sum(said))
    rate = alarms / max(1, made_up.count(False))
    print(f"HALLMARK: {len(rows)} references, F1 {f1:.3f}, false alarms {rate:.3f}")
    return f1 >= _F1 and rate <= _ALARMS


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    default = Path("../shared/bench/evidence")
    parser.add_argument("evidence", type=Path, nargs="?", default=default)
    parser.add_argument("--sample", type=int, help="only so many of each, always the same")
    return parser.parse_args()


if __name__ == "__main__":
    main()

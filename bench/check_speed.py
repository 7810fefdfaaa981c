"""Times `check_document` on a 40-page PDF with 120 references; everything else is on loopback."""

import argparse
import asyncio
import importlib
import io
import json
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from reportlab.lib.styles import getSampleStyleSheet
from reportlab.platypus import Paragraph, SimpleDocTemplate, Spacer

from webquarry import Webquarry

_GOAL = 60.0  # seconds
_REFERENCES, _SENTENCES = 120, 640
_FILLER = "The study describes the sample, the instruments and the limits of the method. " * 3


def main() -> None:
    options = _options()
    sys.path.insert(0, str(options.evidence))
    registries: Any = importlib.import_module("registries")
    wice: Any = importlib.import_module("wice")
    lines = (options.evidence / "data" / "works.jsonl").read_text("utf-8").splitlines()
    works = [work for work in map(json.loads, lines) if work["doi"]][:_REFERENCES]
    rows = [{"evidence": _sentences(number)} for number in range(_REFERENCES)]
    with registries.serving("varied") as settings, wice.pages(rows) as base:
        paper = _paper(works, base)
        seconds, cpu, done = asyncio.run(_check(paper, settings))
    found = done["summary"]
    print(f"{len(paper):,} bytes, {done['progress']}")
    print(f"{found['supported']} of {found['claims']} claims found in their sources")
    print(f"{seconds:.1f} s, {cpu:.1f} s of CPU time in this process; goal {_GOAL:.0f} s")
    sys.exit(seconds > _GOAL or not done["complete"])


def _sentences(number: int) -> list[str]:
    return [
        f"The count of site {number} in the year {1900 + at} was {number * 31 + at} pairs."
        for at in range(80)
    ]


def _paper(works: list[dict[str, Any]], base: str) -> bytes:
    """Return a paper whose sentences cite the works in turn; each work has a page on loopback."""
    style = getSampleStyleSheet()["BodyText"]
    parts: list[Any] = []
    for at in range(_SENTENCES):
        number = at % len(works)
        year = at // len(works)
        claim = (
            f"The count of site {number} in the year {1900 + year} was {number * 31 + year} pairs"
        )
        parts += [Paragraph(f"{_FILLER}{claim} [{number + 1}]. {_FILLER}", style), Spacer(1, 4)]
    parts.append(Paragraph("References", getSampleStyleSheet()["Heading1"]))
    parts += [
        Paragraph(
            f"[{number}] {_entry(work)} https://doi.org/{work['doi']} {base}/{number - 1}.txt",
            style,
        )
        for number, work in enumerate(works, 1)
    ]
    written = io.BytesIO()
    SimpleDocTemplate(written).build(parts)
    return written.getvalue()


def _entry(work: dict[str, Any]) -> str:
    names = ", ".join(" ".join(filter(None, name)) for name in work["authors"][:3])
    names += ", et al" if len(work["authors"]) > 3 else ""
    return f"{names}. “{work['title']}.” {work['venue']}, {work['year']}."


async def _check(paper: bytes, settings: dict[str, str]) -> tuple[float, float, dict[str, Any]]:
    with tempfile.TemporaryDirectory(prefix="check-speed-") as home:
        path = Path(home) / "paper.pdf"
        path.write_bytes(paper)
        others = {"ALLOWED_FILE_ROOTS": home, "ALLOW_PRIVATE_IPS": "true", "LOG_LEVEL": "error"}
        async with Webquarry(WEBQUARRY_DATA_DIR=f"{home}/data", **others, **settings) as wq:
            started, began = time.monotonic(), time.process_time()
            done = await wq.call("check_document", path=str(path))
            while done["status"] == "running":
                done = await wq.call("check_document", id=done["checkId"])
            return time.monotonic() - started, time.process_time() - began, done


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    default = Path("../shared/bench/evidence")
    parser.add_argument("evidence", type=Path, nargs="?", default=default)
    return parser.parse_args()


if __name__ == "__main__":
    main()

"""Scores text recognition on rendered pages: 30 of Debian's manuals, in several languages.

Each page is painted, saved as a JPEG in a PDF without text, and read in the sandboxed worker. The
text of the page itself, read by the same layout code, is what it is compared with.
"""

import argparse
import io
import re
import resource
import sys
import unicodedata
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import anyio
from rapidfuzz.distance import Levenshtein

from bench.pdf_words import download
from webquarry.content.markdown.parse import visible_text
from webquarry.reading.documents.document_options import DocumentOptions
from webquarry.reading.documents.document_reader import DocumentReader
from webquarry.reading.documents.ocr.recognizer_choice import installed_recognizers

# language: package, and how many pages of it
_MANUALS = {
    "en": ("maint-guide", 6), "de": ("maint-guide-de", 6), "fr": ("maint-guide-fr", 6),
    "es": ("maint-guide-es", 6), "ja": ("maint-guide-ja", 3), "zh-CN": ("maint-guide-zh-cn", 3),
}  # fmt: skip
_FIRST, _STEP = 8, 5  # pages; before them is the table of contents
_DPI, _QUALITY = 200, 80
_GOAL = 0.03
_CJK_SPACE = re.compile("(?<=[\u2e80-\u9fff\uff00-\uffef]) | (?=[\u2e80-\u9fff\uff00-\uffef])")


class _Score(NamedTuple):
    letters: int = 0
    errors: int = 0
    pages: int = 0


def main() -> None:
    """Print the share of wrong characters by language; fail above the goal."""
    sys.exit(anyio.run(_run, _options()))


async def _run(options: argparse.Namespace) -> bool:
    recognizers = installed_recognizers(options.recognizer)
    if not recognizers:
        print("no text recognition is installed: pip install 'webquarry[ocr]'")
        return True
    documents = DocumentReader(timeout=600, recognizers=recognizers)
    total = _Score()
    before = _cpu()
    for language, (package, pages) in _MANUALS.items():
        score = await _manual(documents, _pdf_of(options.cache, package), language, pages)
        total = _Score(*(a + b for a, b in zip(total, score, strict=True)))
        print(f"{language:<6} {score.pages} pages, {score.letters:,} characters: "
              f"{score.errors / score.letters:.2%} wrong", flush=True)  # fmt: skip
    await documents.aclose()
    rate = total.errors / total.letters
    seconds = (_cpu() - before) / total.pages
    print(f"all    {total.pages} pages: {rate:.2%} wrong, {seconds:.1f} s of CPU per page")
    return rate > _GOAL


async def _manual(documents: DocumentReader, data: bytes, language: str, pages: int) -> _Score:
    score = _Score()
    for number in range(_FIRST, _FIRST + _STEP * pages, _STEP):
        options = DocumentOptions(str(number))
        printed = await documents.read(data, content_type=None, url="printed.pdf", options=options)
        scan = _scan_of(data, number)
        found = await documents.read(
            scan, content_type=None, url="scan.pdf", options=DocumentOptions(language=language)
        )
        expected, text = _plain(printed.markdown), _plain(found.markdown)
        errors = Levenshtein.distance(expected, text)
        score = _Score(score.letters + len(expected), score.errors + errors, score.pages + 1)
    return score


def _scan_of(data: bytes, number: int) -> bytes:
    """Return a PDF with nothing but an image of a page."""
    library: Any = import_module("pypdfium2")
    with library.PdfDocument(data) as document:
        image = document[number - 1].render(scale=_DPI / 72).to_pil().convert("L")
    target = io.BytesIO()
    image.save(target, "PDF", resolution=_DPI, quality=_QUALITY)
    return target.getvalue()


def _plain(markdown: str) -> str:
    text = unicodedata.normalize("NFKC", visible_text(markdown))
    text = " ".join(text.replace("\u2010", "-").replace("\u2013", "-").split())
    return _CJK_SPACE.sub("", text)


def _pdf_of(cache: Path, package: str) -> bytes:
    folder = cache / package
    if not folder.exists():
        download(package, folder)
    return next(folder.glob("*.pdf")).read_bytes()


def _cpu() -> float:
    """Return the CPU time of this process and of the workers that have ended."""
    parts = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(part.ru_utime + part.ru_stime for part in parts)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cache", type=Path, default=Path(".cache/pdf"))
    parser.add_argument("--recognizer", default="auto", choices=("auto", "rapidocr", "tesseract"))
    return parser.parse_args()


if __name__ == "__main__":
    main()

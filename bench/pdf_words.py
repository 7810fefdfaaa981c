"""Compares the words of 60 PDFs from Debian packages with those of pdftotext.

pdftotext reads a table column by column in its own order, and row by row in that of the file
(`-raw`). "In order" compares with its own order, "in either" with the better one for each file.
"""

import argparse
import gzip
import re
import shutil
import subprocess
import tarfile
import time
import unicodedata
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from hashlib import sha256
from io import BytesIO
from pathlib import Path

from webquarry.reading.documents.draft import DocumentTask, UnreadableDocument
from webquarry.reading.documents.formats import read_document

# manuals, papers, slides and cards; two and three columns; Chinese, Japanese, Korean and Arabic
_PACKAGES = {
    "debian-refcard": 10, "texlive-lang-arabic": 8, "texlive-lang-chinese": 8,
    "texlive-lang-japanese": 8, "texlive-humanities-doc": 7, "texlive-science-doc": 12,
    "r-doc-pdf": 3, "bash-doc": 2, "gnuplot-doc": 1, "maint-guide": 1,
}  # fmt: skip
_SIZES = range(8_000, 6_000_000)  # bytes
_MAX_PAGES = 30  # of a file
_CJK = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
_WORD = re.compile(f"[{_CJK}]|[^\\W_{_CJK}]+")
_MARKS = re.compile("[\u200b-\u200f\u202a-\u202e\u2066-\u2069\u00ad]")
_HYPHEN = re.compile(r"(?<=\w)[-\u2010](?:\n\s*)?(?=\w)")
_NUMBER = re.compile(r"\d+|\b[ivxlc]{1,7}\b", re.IGNORECASE)
_EDGE, _REPEATED = 3, 3  # lines of a page, pages


def main() -> None:
    """Print the share of words found, in order, and the CPU time per page."""
    options = _options()
    total: Counter[str] = Counter()
    cpu = 0.0
    for path in _files(options.cache):
        data = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
        expected = _pdftotext(data)
        started = time.process_time()
        try:
            text = read_document(
                DocumentTask("pdf", data, "application/pdf", pages=((1, _MAX_PAGES),))
            ).markdown
        except UnreadableDocument as error:
            print(f"  {path.name} {error}")
            total["unreadable"] += 1
            continue
        cpu += time.process_time() - started
        words = _words(text)
        found = _score(_words(_without_heads(expected)), words)
        in_file_order = _score(_words(_without_heads(_pdftotext(data, "-raw"))), words)
        found["either"] = max(found["order"], min(in_file_order["order"], found["found"]))
        total.update(found, files=1, pages=expected.count("\f"))
        if options.verbose:
            print(f"  {_shares(found)} {path.name}")
    print(
        f"{total['files']} files, {total['pages']} pages: {_shares(total)}, "
        f"{1000 * cpu / max(1, total['pages']):.1f} ms of CPU per page, "
        f"{total['unreadable']} without text"
    )


def _files(cache: Path) -> Iterator[Path]:
    """Yield the chosen PDFs; packages that are not in the cache are downloaded."""
    for package, count in _PACKAGES.items():
        folder = cache / package
        if not folder.exists():
            download(package, folder)
        files = [path for path in folder.iterdir() if path.stat().st_size in _SIZES]
        yield from sorted(files, key=lambda path: sha256(path.name.encode()).digest())[:count]


def download(package: str, folder: Path) -> None:
    """Keep the PDFs of a package, each name once."""
    folder.mkdir(parents=True)
    tools = {name: shutil.which(name) for name in ("apt-get", "dpkg-deb")}
    # names of packages from the list above
    subprocess.run(
        [tools["apt-get"] or "apt-get", "download", "-q", package], cwd=folder, check=True
    )
    archive = next(folder.glob("*.deb"))
    content = subprocess.run(
        [tools["dpkg-deb"] or "dpkg-deb", "--fsys-tarfile", archive],
        capture_output=True,
        check=True,
    ).stdout
    archive.unlink()
    with tarfile.open(fileobj=BytesIO(content)) as files:
        for member in files:
            name = Path(member.name).name
            if member.isfile() and name.endswith((".pdf", ".pdf.gz")):
                stream = files.extractfile(member)
                (folder / name).write_bytes(stream.read() if stream else b"")


def _pdftotext(data: bytes, *options: str) -> str:
    # a program of the system
    done = subprocess.run(
        [shutil.which("pdftotext") or "pdftotext", "-l", str(_MAX_PAGES), *options, "-", "-"],
        input=data, capture_output=True, check=True,
    )  # fmt: skip
    return done.stdout.decode("utf-8", "replace")


def _without_heads(text: str) -> str:
    """Leave out page numbers, and lines repeated at the edges of pages."""
    pages = [[line for line in page.split("\n") if line.strip()] for page in text.split("\f")]
    repeated = Counter(
        key for page in pages for key in set(map(_key, page[:_EDGE] + page[-_EDGE:]))
    )
    return "\n".join(
        line for page in pages for at, line in enumerate(page)
        if _EDGE <= at < len(page) - _EDGE
        or not (repeated[_key(line)] >= _REPEATED or _key(line).strip("-\u2013 ") == "#")
    )  # fmt: skip


def _key(line: str) -> str:
    return _NUMBER.sub("#", line.strip())


def _words(text: str) -> list[str]:
    plain = _MARKS.sub("", unicodedata.normalize("NFKC", text))
    return _WORD.findall(_HYPHEN.sub("", plain).casefold())


def _score(expected: Sequence[str], found: Sequence[str]) -> Counter[str]:
    """Count the words that were found, and the longest part of them in the same order."""
    places: defaultdict[str, list[int]] = defaultdict(list)
    for at, word in enumerate(found):
        places[word].append(at)
    ends: list[int] = []
    for word in expected:
        for at in reversed(places.get(word, [])):
            length = bisect_left(ends, at)
            ends[length : length + 1] = [at]
    same = (Counter(expected) & Counter(found)).total()
    return Counter(words=len(expected), found=same, order=len(ends))


def _shares(counts: Counter[str]) -> str:
    words = counts["found"] / max(1, counts["words"])
    order, either = (counts[name] / max(1, counts["found"]) for name in ("order", "either"))
    return f"words {words:.4f}, in order {order:.4f}, in either {either:.4f}"


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cache", type=Path, default=Path(".cache/pdf"))
    parser.add_argument("--verbose", action="store_true", help="print every file")
    return parser.parse_args()


if __name__ == "__main__":
    main()

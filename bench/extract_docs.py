"""Scores extractors on pages of HTML manuals from Debian packages, in one run.

The truth of a page is the element that its documentation generator puts the content in, without
permalinks and navigation. Scored are the words (F1), and the shares of terms (`dt`), headings and
links to other pages that are kept. A heading has to be a line of its own.
"""

import argparse
import gzip
import importlib
import re
import shutil
import statistics
import subprocess
import sys
import tarfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import unquote, urljoin

from webquarry.content.html.charset import decode_page
from webquarry.content.html.read_html import to_markdown
from webquarry.content.markdown.parse import visible_text
from webquarry.content.text.word_list import words

# none of these has types
_lxml_html: Any = importlib.import_module("lxml.html")

TARGETS = {"F1": 0.985, "dt": 0.98, "first heading": 0.98, "links": 0.97}
OURS = "webquarry"
BASE = "https://manual.example/"
_PAGES = 25  # of a manual
_SIZES = range(3_000, 600_000)  # bytes of a page
_MIN_WORDS = 40  # of a page
_WORD = re.compile(r"\w+")
_LINK = re.compile(
    r"(?<!!)\[((?:\\.|!\[[^\]]*\]\([^)]*\)|[^\[\]\\]|\[[^\[\]]*\])*+)\]"
    r"\(<?([^()\s<>]*(?:\([^()\s]*\)[^()\s<>]*)*)>?\)"
)
_UNREAD = "//script|//style|//template|//svg|//button|//noscript|//select"
_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_BLOCKS = (*words("p div li td th tr dt dd pre br table section details summary"), *_HEADINGS)


class Manual(NamedTuple):
    """A manual in a Debian package, and where its pages have their content."""

    name: str
    package: str
    content: str  # XPath
    furniture: str = "//*[contains(@class, 'headerlink')]"  # XPath of what is not content
    files: str = "."  # pattern of the path of a page


_ROLE_MAIN = "//*[@role='main']"
_BODY = "//body"
_NAVIGATION = "//*[contains(@class, 'nav') or @class='footer' or @id='footer']"
MANUALS = (
    Manual("python", "python3.11-doc", _ROLE_MAIN),
    Manual("sympy", "python-sympy-doc", _ROLE_MAIN),
    Manual("scipy", "python-scipy-doc", _ROLE_MAIN,
           "//*[contains(@class, 'headerlink') or contains(@class, 'prev-next')]"),
    Manual("django", "python-django-doc", "//*[@id='yui-main']"),
    Manual("ghc", "ghc-doc", _ROLE_MAIN, files="users_guide/"),
    Manual("haskell", "ghc-doc", "//*[@id='content']", "//*[@class='selflink']", "libraries/"),
    Manual("mkdocs", "mkdocs-doc", _ROLE_MAIN),
    Manual("java", "openjdk-17-doc", _ROLE_MAIN, "//nav"),
    Manual("rust", "rust-doc", "//*[@id='main-content']", "//*[@class='anchor']", "html/std/"),
    Manual("git", "git-doc", _BODY, "//*[@id='footer' or @id='toc']"),
    Manual("postgresql", "postgresql-doc-15", _BODY, _NAVIGATION),
    Manual("glib", "libglib2.0-doc", _BODY, _NAVIGATION),
    Manual("gtk", "libgtk-4-doc", "//*[@id='main']", "//nav"),
    Manual("eigen", "libeigen3-doc", "//*[@class='header']|//*[@class='contents']",
           "//*[@class='summary' or @class='lineno' or @class='ttc']", "(?<!_source)\\.html"),
    Manual("qt", "qtbase5-doc-html", "//*[contains(@class, 'mainContent')]",
           "//*[@class='sidebar']"),
    Manual("octave", "octave-doc", _BODY, "//*[@class='header']"),
    Manual("node", "nodejs-doc", "//*[@id='apicontent']", "//*[@class='mark']"),
    Manual("apache", "apache2-doc", "//*[@id='page-content']", "//*[@id='quickview']", "/en/"),
    Manual("erlang", "erlang-doc", "//*[@id='content']"),
)  # fmt: skip


@dataclass(frozen=True)
class Truth:
    """What a page has: words, terms, headings and links, the texts as words."""

    words: list[str]
    terms: list[str]
    headings: list[str]
    links: list[tuple[str, str]]


@dataclass(frozen=True)
class Extracted:
    """What an extractor returned: its lines, and its links."""

    lines: list[str]
    links: set[tuple[str, str]]


@dataclass
class Scores:
    """The scores of one extractor on one manual."""

    f1: list[float] = field(default_factory=list[float])
    kept: Counter[str] = field(default_factory=Counter[str])
    wanted: Counter[str] = field(default_factory=Counter[str])
    milliseconds: list[float] = field(default_factory=list[float])

    def add(self, other: "Scores") -> None:
        self.f1 += other.f1
        self.kept += other.kept
        self.wanted += other.wanted
        self.milliseconds += other.milliseconds

    def shares(self) -> dict[str, float]:
        """Return every share; 1 where there is nothing to keep."""
        kinds = ("dt", "first heading", "headings", "links")
        shares = {kind: self.kept[kind] / (self.wanted[kind] or 1) for kind in kinds}
        return {"F1": statistics.mean(self.f1 or [0]), **shares}


def main() -> None:
    options = _options()
    totals: dict[str, Scores] = {}
    chosen = [m for m in MANUALS if not options.only or m.name in options.only.split(",")]
    for manual in chosen:
        by_extractor = _score_manual(manual, options)
        for name, scores in by_extractor.items():
            print(f"{manual.name:<11} {name:<12} {_line(scores)}", flush=True)
            totals.setdefault(name, Scores()).add(scores)
    for name, scores in totals.items():
        print(f"{'all':<11} {name:<12} {_line(scores)}")
    shares = totals[OURS].shares()
    missed = [f"{name} {shares[name]:.3f}" for name in TARGETS if shares[name] < TARGETS[name]]
    print(f"MISS {', '.join(missed)}" if missed else "PASS")
    sys.exit(1 if missed else 0)


def _score_manual(manual: Manual, options: argparse.Namespace) -> dict[str, Scores]:
    extractors = {OURS: _ours}
    if not options.no_peers:
        extractors |= {"trafilatura": _trafilatura, "readability": _readability}
    by_extractor = {name: Scores() for name in extractors}
    for path, html, truth in _pages(manual, options.cache):
        for name, extract in extractors.items():
            scores = _score(html, BASE + path, truth, extract)
            by_extractor[name].add(scores)
            if options.verbose:
                print(f"  {name:<12} {_line(scores)} {path}")
    return by_extractor


def _line(scores: Scores) -> str:
    shares = "  ".join(f"{name} {share:.3f}" for name, share in scores.shares().items())
    milliseconds = statistics.mean(scores.milliseconds or [0])
    return f"{len(scores.f1):>3} pages  {shares}  CPU {milliseconds:.1f} ms"


def _pages(manual: Manual, cache: Path) -> Iterator[tuple[str, str, Truth]]:
    """Yield path, HTML and truth of pages of a manual, chosen by the hash of their path."""
    folder = cache / manual.package
    if not folder.exists():
        _download(manual.package, folder)
    count: int = 0
    files = [path for path in folder.rglob("*.html") if re.search(manual.files, str(path))]
    for file in sorted(files, key=lambda path: sha256(path.name.encode()).digest()):
        if file.stat().st_size not in _SIZES:
            continue
        path = str(file.relative_to(folder))
        html = decode_page(file.read_bytes())
        truth = _truth(html, BASE + path, manual)
        if len(truth.words) >= _MIN_WORDS:
            yield path, html, truth
            count += 1
        if count == _PAGES:
            return


def _download(package: str, folder: Path) -> None:
    """Keep the HTML files of a package."""
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
            if member.isfile() and member.name.endswith((".html", ".html.gz")):
                stream = files.extractfile(member)
                data = stream.read() if stream else b""
                file = folder / member.name.removeprefix("./").removesuffix(".gz")
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(gzip.decompress(data) if member.name.endswith(".gz") else data)


def _truth(html: str, url: str, manual: Manual) -> Truth:
    root: Any = _lxml_html.document_fromstring(html.encode(), parser=_parser())
    for element in root.xpath(f"{_UNREAD}|{manual.furniture}"):
        if element.getparent() is not None:
            element.drop_tree()
    for image in root.xpath("//img[contains(@class, 'math')]"):
        image.tail = f" {image.get('alt', '')} {image.tail or ''}"
    contents = root.xpath(manual.content)
    _separate_blocks(root)
    texts = [_words(content) for content in contents]
    parts = [(part, _words(part)) for content in contents for part in content.iter()
             if isinstance(part.tag, str)]  # fmt: skip
    links = [
        (" ".join(text), urljoin(url, part.get("href")))
        for part, text in parts
        if part.tag == "a" and text and not part.get("href", "#").startswith(("#", "javascript:"))
    ]
    return Truth(
        [word for text in texts for word in text],
        [" ".join(text) for part, text in parts if part.tag == "dt" and text],
        [" ".join(text) for part, text in parts if part.tag in _HEADINGS and text],
        links,
    )


def _parser() -> Any:
    return _lxml_html.HTMLParser(encoding="utf-8", remove_comments=True, huge_tree=True)


def _separate_blocks(root: Any) -> None:
    """Put line breaks around blocks, so that their words stay apart."""
    for part in root.iter(*_BLOCKS):
        part.tail = f"\n{part.tail or ''}"
        part.text = f"\n{part.text or ''}"


def _words(element: Any) -> list[str]:
    return _WORD.findall(element.text_content().lower().replace("_", " "))


def _plain_words(text: str) -> str:
    return " ".join(_WORD.findall(text.lower().replace("_", " ")))


def _score(html: str, url: str, truth: Truth, extract: Callable[[str, str], Any]) -> Scores:
    started = time.process_time()
    result = extract(html, url)
    milliseconds = 1000 * (time.process_time() - started)
    found: Extracted = _of_html(result, url) if extract is _readability else _of_markdown(result)
    text = " ".join(found.lines)
    scores = Scores([_f1(truth.words, text.split())], milliseconds=[milliseconds])
    flat, lines = f" {text} ", set(found.lines)
    _count(scores, "dt", [f" {term} " in flat for term in truth.terms])
    _count(scores, "headings", [heading in lines for heading in truth.headings])
    _count(scores, "links", [link in found.links for link in _comparable(truth.links)])
    _count(scores, "first heading", [heading in lines for heading in truth.headings[:1]])
    return scores


def _count(scores: Scores, kind: str, kept: list[bool]) -> None:
    scores.kept[kind] += sum(kept)
    scores.wanted[kind] += len(kept)


def _f1(expected: list[str], found: list[str]) -> float:
    same = (Counter(expected) & Counter(found)).total()
    return 2 * same / max(1, len(expected) + len(found))


def _comparable(links: list[tuple[str, str]]) -> list[tuple[str, str]]:
    return [(text, unquote(url)) for text, url in links]


def _ours(html: str, url: str) -> str:
    return to_markdown(html, url)


def _trafilatura(html: str, url: str) -> str:
    module: Any = importlib.import_module("trafilatura")
    options = {"include_links": True, "include_formatting": True}
    return str(module.extract(html, url=url, output_format="markdown", **options) or "")


def _readability(html: str, url: str) -> str:
    del url
    module: Any = importlib.import_module("readability.readability")
    try:
        return str(module.Document(html).summary())
    except module.Unparseable:
        return ""


def _of_markdown(markdown: str) -> Extracted:
    links = [(_plain_words(visible_text(text)), url) for text, url in _LINK.findall(markdown)]
    lines = visible_text(markdown).replace("$", " ").split("\n")
    return Extracted([_plain_words(line) for line in lines], set(_comparable(links)))


def _of_html(html: str, url: str) -> Extracted:
    if not html.strip():
        return Extracted([], set())
    root: Any = _lxml_html.document_fromstring(html.encode(), parser=_parser())
    links = [(" ".join(_words(a)), urljoin(url, a.get("href"))) for a in root.xpath("//a[@href]")]
    _separate_blocks(root)
    lines = root.text_content().split("\n")
    return Extracted([_plain_words(line) for line in lines], set(_comparable(links)))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cache", type=Path, default=Path(".cache/manuals"))
    parser.add_argument("--only", help="manuals, separated by commas")
    parser.add_argument("--no-peers", action="store_true", help="score only webquarry")
    parser.add_argument("--verbose", action="store_true", help="print every page")
    return parser.parse_args()


if __name__ == "__main__":
    main()

"""Pages of Debian's documentation packages: two versions of one manual, and edited pages.

The versions are those of neighbouring releases. What changed between them is read from the HTML by
a rule of its own: the blocks of text that only one version has.
"""

import os
import random
import re
import shutil
import subprocess
import tarfile
from collections import Counter
from collections.abc import Iterator
from html import unescape
from importlib import import_module
from io import BytesIO
from pathlib import Path
from typing import Any

from bench.change_pairs.pair import ChangePair, ExpectedChange, letters

# lxml.html has no complete types
_document: Any = import_module("lxml.html").document_fromstring
RELEASES = (("clang-14-doc", "clang-15-doc"), ("clang-15-doc", "clang-16-doc"))
MANUALS = ("debian-policy", "developers-reference", "python-flask-doc", "python-click-doc")
_SIZES = range(6_000, 200_000)
_MAX_BLOCKS = 30  # that differ
_MIN_LETTERS = 3
_BLOCK = "self::p or self::li or self::dt or self::dd or self::tr or self::pre or " \
         "self::h1 or self::h2 or self::h3 or self::h4"  # fmt: skip


def released_pairs(cache: Path, count: int) -> list[ChangePair]:
    """Return pages of two releases of a manual that differ a little, the same on each run."""
    found: list[ChangePair] = []
    for old, new in RELEASES:
        before, after = package_pages(cache, old), package_pages(cache, new)
        pairs = (
            _released(f"{new}/{name}", before[name], after[name])
            for name in sorted(before.keys() & after.keys(), key=_order)
        )
        found += [pair for pair in pairs if pair][: count // len(RELEASES)]
    return found


def edited_pairs(cache: Path, seeds: range) -> list[ChangePair]:
    """Return pages of manuals with a few edits each."""
    pages = {
        f"{package}/{name}": page
        for package in MANUALS
        for name, page in package_pages(cache, package).items()
        if len(_sentences(page)) > 20
    }
    names = sorted(pages, key=_order)
    return [_edited(names[seed % len(names)], pages, seed) for seed in seeds]


def package_pages(cache: Path, package: str) -> dict[str, str]:
    """Return the HTML pages of a Debian package by their path below its directory."""
    folder = cache / package
    if not folder.exists():
        _download(package, folder)
    pages = {str(path.relative_to(folder)): path for path in sorted(folder.rglob("*.html"))}
    return {
        name: path.read_text("utf-8", "replace")
        for name, path in pages.items()
        if path.stat().st_size in _SIZES and "genindex" not in name and "search" not in name
    }


def _download(package: str, folder: Path) -> None:
    work = folder.with_suffix(".part")
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    apt, dpkg = (shutil.which(name) or name for name in ("apt-get", "dpkg-deb"))
    # names of packages from the lists above
    subprocess.run([apt, "download", "-q", package], cwd=work, check=True)
    archive = next(work.glob("*.deb"))
    content = subprocess.run(
        [dpkg, "--fsys-tarfile", archive], capture_output=True, check=True
    ).stdout
    archive.unlink()
    with tarfile.open(fileobj=BytesIO(content)) as files:
        for member in files:
            _, marker, path = member.name.partition("/html/")
            path = path if marker else os.path.basename(member.name)  # noqa: PTH119 - not a path here
            stream = files.extractfile(member) if member.isfile() else None
            if stream and path.endswith(".html") and ".." not in path:
                target = work / path
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(stream.read())
    work.rename(folder)


def _order(name: str) -> int:
    """Return a number that orders names as if at random, the same each time."""
    return random.Random(name).randrange(1 << 30)  # noqa: S311 - a sample, not a secret


def _released(name: str, before: str, after: str) -> ChangePair | None:
    old, new = list(_blocks(before)), list(_blocks(after))
    gone, came = _only_in(old, new), _only_in(new, old)
    if not gone + came or len(gone + came) > _MAX_BLOCKS:
        return None
    expected = [ExpectedChange(text, "") for text in gone]
    expected += [ExpectedChange("", text) for text in came]
    links = _links(before), _links(after)
    expected += [
        ExpectedChange(url, links[1][text], kind="link")
        for text, url in links[0].items()
        if text in links[1] and links[1][text] != url
    ]
    titles = [" ".join(unescape(page.partition("<title>")[2].partition("</title>")[0]).split())
              for page in (before, after)]  # fmt: skip
    if titles[0] != titles[1]:
        expected.append(ExpectedChange(*titles, kind="optional"))
    return ChangePair(name, (), before, after, tuple(expected), days=180)


def _only_in(blocks: list[str], others: list[str]) -> list[str]:
    """Return the blocks that the other list has fewer times; signs do not count."""
    left = Counter(map(letters, others))
    found: list[str] = []
    for block in blocks:
        left[letters(block)] -= 1
        if left[letters(block)] < 0:
            found.append(block)
    return found


def _main(page: str) -> Any:
    root = _document(page)
    found = root.xpath("//*[@role='main'] | //main | //div[@class='body']")
    main = found[0] if found else root
    for link in main.xpath(".//a[contains(@class, 'headerlink')]"):
        link.drop_tree()
    return main


def _links(page: str) -> dict[str, str]:
    """Return the links to other sites by their text."""
    found = _main(page).xpath(".//a[starts-with(@href, 'http')]")
    return {" ".join(link.text_content().split()): link.get("href") for link in found}


def _blocks(page: str) -> Iterator[str]:
    """Yield the texts of the innermost blocks of the main part of a page."""
    for element in _main(page).xpath(f".//*[{_BLOCK}]"):
        is_row = element.tag == "tr"
        if element.xpath("ancestor::tr" if not is_row else ".//tr"):
            continue
        if not is_row and element.xpath(f".//*[{_BLOCK}]"):
            continue
        lines = element.text_content().split("\n") if element.tag == "pre" else [
            element.text_content()
        ]  # fmt: skip
        texts = (" ".join(line.split()) for line in lines)
        yield from (text for text in texts if len(letters(text)) >= _MIN_LETTERS)


_SENTENCE = re.compile(r"<p>([A-Z][^<>&\"]{40,300}?[a-z]\.)(?=\s[A-Z]|</p>)")


def _sentences(page: str) -> list[str]:
    """Return sentences at the start of paragraphs, without markup, that occur once."""
    found = _SENTENCE.findall(page)
    return [text for text in found if page.count(text) == 1 and len(text.split()) > 6]


def _edited(name: str, pages: dict[str, str], seed: int) -> ChangePair:
    draw = random.Random(seed)  # noqa: S311 - a sample, not a secret
    before = pages[name]
    others = _sentences(pages[sorted(pages)[(seed * 7 + 3) % len(pages)]])
    page, expected = before, list[ExpectedChange]()
    texts = draw.sample(_sentences(before), k=draw.randint(1, 4))
    for text in texts:
        edit = draw.choice((_replace_word, _add_sentence, _remove_sentence))
        new = edit(text, others, draw)
        old_text, new_text = " ".join(text.split()), " ".join(new.split())
        if new == text or letters_in(new, before):
            continue
        page = page.replace(text, new, 1)
        expected.append(_expected(old_text, new_text))
    stamp = '<p class="footer">Last updated on {}. {} views</p></body>'
    versions = (
        each.replace("</body>", stamp.format(day, views))
        for each, day, views in (
            (before, "Nov 17, 2026", draw.randint(100, 900)),
            (page, "Nov 18, 2026", draw.randint(1000, 9000)),
        )
    )
    old, changed = versions
    return ChangePair(f"{name} edit {seed}", (), old, changed, tuple(expected))


def letters_in(text: str, page: str) -> bool:
    """Tell whether the page has the new text already, elsewhere."""
    return bool(text) and text in page


def _expected(old: str, new: str) -> ExpectedChange:
    if new.startswith(old) and new != old:
        return ExpectedChange("", new[len(old) :].strip())
    return ExpectedChange(old, new)


def _replace_word(text: str, others: list[str], draw: random.Random) -> str:
    words = text.split(" ")
    at = draw.randrange(1, len(words) - 1)
    pool = [word for other in others for word in other.split() if word.isalpha() and len(word) > 3]
    words[at] = draw.choice(pool or ["different"])
    return " ".join(words)


def _add_sentence(text: str, others: list[str], draw: random.Random) -> str:
    return f"{text} {draw.choice(others)}" if others else text


def _remove_sentence(_text: str, _others: list[str], _draw: random.Random) -> str:
    return ""

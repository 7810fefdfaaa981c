"""The files llms.txt and llms-full.txt of a site (llmstxt.org)."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile
from urllib.parse import unquote, urlsplit

from webquarry.content.markdown.parse import markdown_blocks, visible_text
from webquarry.content.text.snippets import shorten_snippet

_MAX_DESCRIPTION, _MAX_SUMMARY = 160, 300  # characters
_MIN_PROSE = 40  # characters: a shorter block is a byline or a date
_MIN_SECTION = 2  # pages: a folder with fewer gets no heading
_NOT_PROSE = re.compile(r"\s*(?:\||[-*+] |\d{1,9}[.)] |!\[|\[\^)")
_SENTENCE_END = re.compile(r"[.!?…](?:\W|$)|[。\uff01\uff1f]")  # a list of facts has none
_FIRST_SECTION = "Pages"


@dataclass(frozen=True)
class ListedPage:
    """A page as a list shows it."""

    link: str  # as written in the list
    url: str
    title: str
    description: str = ""


def llms_txt(title: str, summary: str, pages: Sequence[ListedPage]) -> str:
    """Return a list of the pages by folder, below the title and the summary of their site."""
    parts = [f"# {_one_line(title)}"]
    if summary:
        parts.append(f"> {_one_line(summary)}")
    for heading, members in _sections(pages):
        parts.append(f"## {heading}")
        parts.append("\n".join(map(_line, members)))
    return "\n\n".join(parts) + "\n"


def full_text_part(page: ListedPage, markdown: str) -> str:
    """Return one page of llms-full.txt."""
    title = _one_line(page.title) or _one_line(page.url)
    return f"# {title}\n\nSource: {page.url}\n\n{markdown.strip()}\n\n"


def describe(markdown: str, max_chars: int = _MAX_DESCRIPTION) -> str:
    """Return the first prose of a page, shortened; '' if it has none."""
    for block in markdown_blocks(markdown[:20_000]):
        if block.is_heading or block.is_code or _NOT_PROSE.match(block.text):
            continue
        text = " ".join(visible_text(block.text).split())
        if len(text) >= _MIN_PROSE and _SENTENCE_END.search(text):
            return shorten_snippet(text, max_chars)
    return ""


def summarize(markdown: str) -> str:
    """Return the first prose of the start page of a site."""
    return describe(markdown, _MAX_SUMMARY)


def _sections(pages: Sequence[ListedPage]) -> Iterator[tuple[str, list[ListedPage]]]:
    folders = [_folders(page.url) for page in pages]
    level = len(_common_start(folders))
    by_folder: dict[str, list[ListedPage]] = {}
    for page, names in zip(pages, folders, strict=True):
        by_folder.setdefault("/".join(names[level : level + 1]), []).append(page)
    first = [
        page
        for name, members in by_folder.items()
        for page in members
        if not name or len(members) < _MIN_SECTION
    ]
    if first:
        yield _FIRST_SECTION, first
    for name, members in by_folder.items():
        if name and len(members) >= _MIN_SECTION:
            yield _heading(name), members


def _folders(url: str) -> tuple[str, ...]:
    """Return host and folders of a URL."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return ()
    return (parts.netloc, *filter(None, parts.path.rpartition("/")[0].split("/")))


def _common_start(rows: Iterable[tuple[str, ...]]) -> tuple[str, ...]:
    first, *others = list(rows) or [()]
    common = first
    for row in others:
        pairs = takewhile(lambda pair: pair[0] == pair[1], zip(common, row, strict=False))
        common = tuple(name for name, _ in pairs)
    return common


def _heading(name: str) -> str:
    words = re.sub(r"[-_]+", " ", unquote(name, errors="replace"))
    text = _one_line(words)
    return text[:1].upper() + text[1:]


def _line(page: ListedPage) -> str:
    label = re.sub(r"([\\\[\]])", r"\\\1", _one_line(page.title) or _one_line(page.url))
    line = f"- [{label}]({page.link})"
    return f"{line}: {_one_line(page.description)}" if page.description else line


def _one_line(text: str) -> str:
    return " ".join(text.split())

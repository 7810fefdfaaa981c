"""A page of a brand: its metadata, and its visible lines with the headings above them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from html import escape
from urllib.parse import urljoin

from lxml import etree

from webquarry.content.html.dom import (
    HEADINGS,
    NON_TEXT_TAGS,
    Element,
    base_url,
    body_of,
    is_block_tag,
    parse_html,
    tag_of,
)
from webquarry.content.text.word_list import word_set

_INLINE = word_set("span code label small strong b em i kbd samp a")
_BOUNDARY = "\x00"  # keeps `<span>Ocean</span><span>#0af</span>` apart, but not `<b>O</b>cean`
_SKIPPED_TAGS = NON_TEXT_TAGS | {"", "nav", "footer", "pre"}
# sections about misuse show what the brand is not
_MISUSE = re.compile(
    r"\b(don[\u2019']?ts?|do not|never|avoid|misuse|incorrect|unacceptable|wrong|previous|former"
    r"|deprecated|retired|legacy|old)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class BrandLine:
    """A line of text, the block element that has it, and the headings above it."""

    text: str
    element: Element
    headings: tuple[str, ...]
    is_heading: bool = False

    @property
    def nearest_heading(self) -> str:
        """The heading directly above, or ""."""
        return self.headings[-1] if self.headings else ""

    def is_under(self, words: re.Pattern[str]) -> bool:
        """Tell whether any heading above matches."""
        return any(map(words.search, self.headings))


class BrandPage:
    """A parsed page; `lines` removes hidden elements from it."""

    def __init__(self, html: str, url: str) -> None:
        root = parse_html(html)
        self.url = url
        self.root: Element = etree.Element("html") if root is None else root
        self.base = base_url(self.root, url)
        self.styles = tuple(style.text or "" for style in self.root.iter("style"))
        title = self.root.findtext("head/title") or ""
        self.title = " ".join(title.split())

    def meta(self, *names: str) -> str | None:
        """Return the first content of a <meta> element, in the order of these names."""
        contents: dict[str, str] = {}
        for meta in self.root.iter("meta"):
            name = (meta.get("property") or meta.get("name", "")).strip().lower()
            contents[name] = contents.get(name) or " ".join(meta.get("content", "").split())
        return next(filter(None, map(contents.get, names)), None)

    def links(self, rel: str) -> Iterator[tuple[str, Element]]:
        """Yield the <link> elements with this relation, and their URLs."""
        for link in self.root.iter("link"):
            url = self.absolute_url(link.get("href"))
            if url and rel in link.get("rel", "").lower().split():
                yield url, link

    def link_url(self, rel: str) -> str | None:
        """Return the URL of the first <link> with this relation."""
        return next((url for url, _ in self.links(rel)), None)

    def absolute_url(self, reference: str | None) -> str | None:
        """Return an absolute http(s) URL, or None."""
        try:
            joined = urljoin(self.base, (reference or "").strip())
        except ValueError:
            return None
        return joined if reference and joined.startswith(("http://", "https://")) else None

    @cached_property
    def lines(self) -> list[BrandLine]:
        """Return the visible lines of the page, without its navigation and footer."""
        # imported here: the CSS parser takes long to import
        from webquarry.content.visibility.hidden_text import remove_hidden

        remove_hidden(self.root)
        return list(_LineWalker().lines(body_of(self.root)))


def is_misuse(line: BrandLine) -> bool:
    """Tell whether the line shows a misuse or an outdated version."""
    return bool(_MISUSE.search(line.text)) or line.is_under(_MISUSE)


def markdown_to_html(markdown: str, title: str) -> str:
    """Return the headings, list items and lines of a Markdown text as simple HTML."""
    lines = [_line_to_html(line) for line in markdown.splitlines() if line.strip()]
    return "\n".join([f"<title>{escape(title)}</title>", *lines])


def _line_to_html(line: str) -> str:
    if heading := re.match(r"(#{1,6})\s+(.+)", line):
        return f"<h{len(heading[1])}>{escape(heading[2])}</h{len(heading[1])}>"
    if item := re.match(r"\s*[-*+]\s+(.+)", line):
        return f"<li>{escape(item[1])}</li>"
    return f"<p>{escape(line.strip(' |*_'))}</p>"


class _LineWalker:
    """Collects the text of inline elements until a block begins or ends."""

    def __init__(self) -> None:
        self._texts: list[str] = []
        self._headings: list[tuple[int, str]] = []
        self._open_blocks: list[Element] = []

    def lines(self, body: Element) -> Iterator[BrandLine]:
        """Yield the lines of the body."""
        self._open_blocks = [body]
        walk = etree.iterwalk(body, events=("start", "end"))
        for event, element in walk:
            tag = tag_of(element)
            if event == "end":
                if tag not in _SKIPPED_TAGS:
                    yield from self._leave(tag)
                if element is not body:
                    self._texts.append(element.tail or "")
            elif tag in _SKIPPED_TAGS:
                walk.skip_subtree()
            else:
                yield from self._enter(element, tag)
        yield from self._flush(body)

    def _enter(self, element: Element, tag: str) -> Iterator[BrandLine]:
        if is_block_tag(tag):
            yield from self._flush(self._open_blocks[-1])
            self._open_blocks.append(element)
        elif tag == "br":
            yield from self._flush(self._open_blocks[-1])
        elif tag in _INLINE:
            self._texts.append(_BOUNDARY)
        self._texts.append(element.text or "")

    def _leave(self, tag: str) -> Iterator[BrandLine]:
        if is_block_tag(tag) and len(self._open_blocks) > 1:
            yield from self._flush(self._open_blocks.pop())
        elif tag in _INLINE:
            self._texts.append(_BOUNDARY)

    def _flush(self, element: Element) -> Iterator[BrandLine]:
        text = _without_boundaries("".join(self._texts))
        self._texts.clear()
        if not text:
            return
        level = _heading_level(element)
        if level:
            text = text.rstrip(" #\u00b6\u00a7\U0001f517") or text  # permalink marks
            while self._headings and self._headings[-1][0] >= level:
                self._headings.pop()
        headings = tuple(heading for _, heading in self._headings)
        if level:
            self._headings.append((level, text))
        yield BrandLine(text, element, headings, is_heading=bool(level))


def _without_boundaries(text: str) -> str:
    # a boundary between two lower-case letters is inside a word; two in a row are a gap
    text = re.sub(r"(?<=[a-z])\x00+(?=[a-z])|^\x00+|(?<!\x00)\x00+$", "", text)
    text = re.sub(r"\x00\x00+", " ", text).replace("\x00", "")
    return " ".join(re.sub(r"(?<=[^\s(])(?=#[0-9A-Fa-f]{6}\b)", " ", text).split())


def _heading_level(element: Element) -> int:
    tag = tag_of(element)
    if tag in HEADINGS:
        return int(tag[1])
    if element.get("role", "").lower() == "heading":
        level = element.get("aria-level", "")
        return int(level) if re.fullmatch(r"\d", level) else 2
    return 0

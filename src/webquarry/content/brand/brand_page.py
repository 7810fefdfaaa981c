"""A page as the readers of brands see it: lines in order, each with the headings above it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from html import escape
from urllib.parse import urljoin

from lxml import etree

from webquarry.content.html.dom import (
    HEADINGS,
    SILENT,
    Element,
    body_of,
    is_block,
    name_of,
    parse_html,
)
from webquarry.content.main_content.extract import base_of
from webquarry.content.visibility.hidden_text import remove_hidden

_APART = frozenset(("span", "code", "label", "small", "strong", "b", "em", "i", "kbd", "samp", "a"))
_AROUND = frozenset(("nav", "footer"))
# a rule about what not to do shows exactly what the brand is not
_MISUSE = re.compile(
    r"\b(don[\u2019']?ts?|do not|never|avoid|misuse|incorrect|unacceptable|wrong|previous|former"
    r"|deprecated|retired|legacy|old)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class BrandLine:
    """Words that stand together, the element that holds them, and the headings above them."""

    text: str
    holder: Element
    above: tuple[str, ...]
    is_heading: bool = False

    @property
    def nearest(self) -> str:
        """The heading right above, or nothing."""
        return self.above[-1] if self.above else ""

    def under(self, words: re.Pattern[str]) -> bool:
        """Tell whether any heading above speaks of this."""
        return any(map(words.search, self.above))


class BrandPage:
    """One page, parsed once; what a visitor cannot see is gone."""

    def __init__(self, html: str, url: str) -> None:
        root = parse_html(html)
        self.url = url
        self.root: Element = etree.Element("html") if root is None else root
        self.base = base_of(self.root, url)
        self.styles = tuple(style.text or "" for style in self.root.iter("style"))
        title = self.root.findtext("head/title") or ""
        self.title = " ".join(title.split())

    def metas(self, *names: str) -> Iterator[str]:
        """Yield the contents of the metas of these names, by name."""
        for name in names:
            for meta in self.root.iter("meta"):
                if (meta.get("property") or meta.get("name") or "").strip().lower() == name:
                    text = " ".join((meta.get("content") or "").split())
                    if text:
                        yield text

    def meta(self, *names: str) -> str | None:
        """Return the first content there is."""
        return next(self.metas(*names), None)

    def links(self, rel: str) -> Iterator[Element]:
        """Yield the <link> elements of this relation."""
        for link in self.root.iter("link"):
            if rel in (link.get("rel") or "").lower().split() and link.get("href"):
                yield link

    def absolute(self, reference: str | None) -> str | None:
        """Return an http(s) address, or None."""
        try:
            joined = urljoin(self.base, (reference or "").strip())
        except ValueError:
            return None
        return joined if reference and joined.startswith(("http://", "https://")) else None

    @cached_property
    def lines(self) -> list[BrandLine]:
        """Return the visible lines of the page, without its navigation and footer."""
        remove_hidden(self.root)
        return list(_Walk().lines(body_of(self.root)))


def is_misuse(line: BrandLine) -> bool:
    """Tell whether the line shows what must not be done, or is no longer done."""
    return bool(_MISUSE.search(line.text)) or line.under(_MISUSE)


def as_page(markdown: str, title: str) -> str:
    """Return the Markdown of a document as simple HTML: its headings, items and lines."""
    parts = [f"<title>{escape(title)}</title>"]
    for line in markdown.splitlines():
        heading = re.match(r"(#{1,6})\s+(.+)", line)
        item = re.match(r"\s*[-*+]\s+(.+)", line)
        if heading:
            parts.append(f"<h{len(heading[1])}>{escape(heading[2])}</h{len(heading[1])}>")
        elif item:
            parts.append(f"<li>{escape(item[1])}</li>")
        elif line.strip():
            parts.append(f"<p>{escape(line.strip(' |*_'))}</p>")
    return "\n".join(parts)


class _Walk:
    """Collects text until a block begins or ends."""

    def __init__(self) -> None:
        self._words: list[str] = []
        self._headings: list[tuple[int, str]] = []

    def lines(self, body: Element) -> Iterator[BrandLine]:
        open_blocks: list[Element] = [body]
        skipping: Element | None = None
        for event, part in etree.iterwalk(body, events=("start", "end")):
            tag = name_of(part)
            if skipping is None and event == "start":
                if _is_skipped(part, tag):
                    skipping = part
                    continue
                yield from self._enter(part, tag, open_blocks)
            elif event == "end":
                if skipping is None:
                    yield from self._leave(part, tag, open_blocks)
                if skipping is part:
                    skipping = None
                if skipping is None and part is not body:
                    self._words.append(part.tail or "")
        yield from self._flush(body)

    def _enter(self, part: Element, tag: str, open_blocks: list[Element]) -> Iterator[BrandLine]:
        if is_block(tag):
            yield from self._flush(open_blocks[-1])
            open_blocks.append(part)
        elif tag == "br":
            yield from self._flush(open_blocks[-1])
        elif tag in _APART:
            self._part()
        self._words.append(part.text or "")

    def _leave(self, part: Element, tag: str, open_blocks: list[Element]) -> Iterator[BrandLine]:
        if is_block(tag) and len(open_blocks) > 1:
            yield from self._flush(open_blocks.pop())
        elif tag in _APART:
            self._part()

    def _part(self) -> None:
        """Keep `<span>Ocean</span><span>#0af</span>` apart, but not `<b>O</b>cean`."""
        self._words.append("\x00")

    def _flush(self, holder: Element) -> Iterator[BrandLine]:
        text = _joined("".join(self._words))
        self._words.clear()
        if not text:
            return
        level = _level(holder)
        if level:
            text = text.rstrip(" #\u00b6\u00a7\U0001f517") or text  # marks that link to the heading
            while self._headings and self._headings[-1][0] >= level:
                self._headings.pop()
        above = tuple(heading for _, heading in self._headings)
        if level:
            self._headings.append((level, text))
        yield BrandLine(text, holder, above, is_heading=bool(level))


def _joined(text: str) -> str:
    # a mark between two letters is inside a word; anywhere else it is a gap
    text = re.sub(r"(?<=[a-z])\x00+(?=[a-z])|^\x00+|\x00+$", "", text)
    text = re.sub(r"\x00\x00+", " ", text).replace("\x00", "")
    return " ".join(re.sub(r"(?<=[^\s(])(?=#[0-9A-Fa-f]{6}\b)", " ", text).split())


def _level(element: Element) -> int:
    tag = name_of(element)
    if tag in HEADINGS:
        return int(tag[1])
    if (element.get("role") or "").lower() == "heading":
        level = element.get("aria-level") or ""
        return int(level) if level.isdecimal() and len(level) == 1 else 2
    return 0


def _is_skipped(element: Element, tag: str) -> bool:
    return not tag or tag in SILENT or tag in _AROUND or tag == "pre"

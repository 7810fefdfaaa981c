"""Inline Markdown: emphasis, links, images, code spans and formulas."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from urllib.parse import urljoin

from webquarry.content.html.dom import (
    MAX_DEPTH,
    NON_TEXT_TAGS,
    Element,
    children_of,
    tag_of,
    text_of,
    text_parts,
)
from webquarry.content.html.images import page_image
from webquarry.content.markdown.code_blocks import code_span
from webquarry.content.markdown.escaping import escape
from webquarry.content.markdown.formulas import FORMULA_TAGS, tex_formula
from webquarry.content.text.whitespace import collapse_whitespace

LINE_BREAK = "\x01"  # stands for a line break; parsed text has no control characters
_AROUND_BREAK = re.compile(r"(?:(?<! ) ++)?\x01 *")
_NUMBERS = re.compile(r"[\d\s,\u2013\u2212-]{1,60}")
_ANCHOR_LABELS = frozenset(("", "¶", "#", "§", "🔗", "link", "permalink", "anchor", "↩", "↑", "^"))
_PERMALINK_LABELS = frozenset(("¶", "#", "§", "🔗"))
_EMPHASIS = {
    "strong": "**",
    "b": "**",
    "em": "*",
    "i": "*",
    "del": "~~",
    "s": "~~",
    "strike": "~~",
}
_CODE_TAGS = frozenset(("code", "kbd", "samp", "tt"))
_UNSAFE_SCHEMES = ("javascript:", "data:", "vbscript:", "about:", "blob:")
_MAX_URL = 2000
_URL_ESCAPED = re.compile(r"[\s()<>\x01]")
# most links of a page: nothing to escape and no dot segments
_ROOT_RELATIVE = re.compile(
    r"(?:/[\w~%=&+,:@!$*'-][\w.~%=&+,:@!$*'-]*+)++/?(?:\?[^#\s()<>\x01]++)?(?:#[^\s()<>\x01]++)?"
)


@dataclass(slots=True)
class InlineWriter:
    """Writes elements inside a line, with the base URL and the footnotes of the page."""

    base: str = ""
    footnotes: dict[str, str] = field(default_factory=dict[str, str])  # id -> label
    _level: int = 0
    _in_heading: bool = False
    _origin: str = field(init=False)  # "" if the base is no http or https URL

    def __post_init__(self) -> None:
        is_web = self.base.startswith(("https://", "http://"))
        self._origin = "/".join(self.base.split("/", 3)[:3]) if is_web else ""

    def absolute_url(self, href: str) -> str:
        """Return the absolute URL of a link, "" for scripts and invalid ones."""
        if self._origin and len(href) <= _MAX_URL and _ROOT_RELATIVE.fullmatch(href):
            return self._origin + href
        target = href.strip().replace("\n", "").replace("\t", "")
        if not target or target[:11].lower().startswith(_UNSAFE_SCHEMES) or len(target) > _MAX_URL:
            return ""
        if not target.startswith(("https://", "http://")) and self.base:
            target = self._joined(target)
        return _URL_ESCAPED.sub(_percent_encoded, target) if _URL_ESCAPED.search(target) else target

    def _joined(self, target: str) -> str:
        try:
            return urljoin(self.base, target)
        except ValueError:
            return ""

    def write_line(self, element: Element) -> str:
        """Return everything inside the element as one line of Markdown."""
        return collapse_with_breaks(self.write_children(element)).replace(LINE_BREAK, " ")

    def write_heading(self, element: Element) -> str:
        """Return the text of a heading, without its links to itself and their signs."""
        self._in_heading = True
        text = self.write_line(element)
        self._in_heading = False
        return text.removesuffix("¶").rstrip()

    def is_self_link(self, href: str) -> bool:
        """Tell whether a link in a heading leads to the heading."""
        return self._in_heading and href.startswith("#")

    def write_children(self, element: Element) -> str:
        """Return the content of an element, without markup of its own."""
        if self._level > MAX_DEPTH:
            return escape(text_of(element))
        text, children = element.text, children_of(element)
        if not children:
            return escape(text) if text else ""
        self._level += 1
        parts = [escape(text)] if text else []
        for child in children:
            parts.append(self.write_element(child))
            tail = child.tail
            if tail:
                parts.append(escape(tail))
        self._level -= 1
        return "".join(parts)

    def write_element(self, element: Element) -> str:
        """Return one element inside a line."""
        tag = element.tag
        if tag in FORMULA_TAGS:
            formula = tex_formula(element)
            if formula is not None:
                return formula
        writer = _WRITERS.get(tag)
        if writer:
            return writer(self, element)
        if tag in NON_TEXT_TAGS:
            return _write_checkbox(element) if tag == "input" else ""
        return self.write_children(element) if tag_of(element) else ""


def collapse_with_breaks(text: str) -> str:
    """Return the text with collapsed white space, also around line breaks."""
    flat = collapse_whitespace(text)
    if LINE_BREAK not in flat:
        return flat
    return _AROUND_BREAK.sub(LINE_BREAK, flat).strip(" " + LINE_BREAK)


def emphasized(text: str, marker: str) -> str:
    """Put emphasis markers around each line, inside of its leading and trailing spaces."""
    if LINE_BREAK not in text:
        return _emphasized_line(text, marker)
    return LINE_BREAK.join(_emphasized_line(line, marker) for line in text.split(LINE_BREAK))


def _percent_encoded(match: re.Match[str]) -> str:
    return f"%{ord(match[0]):02X}"


def _emphasized_line(line: str, marker: str) -> str:
    core = line.strip()
    if not core:
        return line
    if len(core) == len(line) and core[0] != marker[0]:
        return f"{marker}{core}{marker}"
    if core.startswith(marker) and core.endswith(marker) and len(core) > 2 * len(marker):
        return line  # already emphasized: <b><strong>
    before, after = line[: len(line) - len(line.lstrip())], line[len(line.rstrip()) :]
    return f"{before}{marker}{core}{marker}{after}"


def _write_emphasis(writer: InlineWriter, element: Element) -> str:
    return emphasized(writer.write_children(element), _EMPHASIS[element.tag])


def _write_link(writer: InlineWriter, element: Element) -> str:
    href, text = element.get("href"), writer.write_children(element)
    label = collapse_with_breaks(text)
    if href is None:
        return text
    if href.startswith("#"):
        footnote = writer.footnotes.get(href[1:])
        if footnote:
            return f"[^{footnote}]"
        if label.lower() in _ANCHOR_LABELS:
            return ""
    if "#" in href and label in _PERMALINK_LABELS:
        return ""
    url = writer.absolute_url(href)
    if not label or not url or writer.is_self_link(href):
        return text
    before = " " if text[:1].isspace() else ""
    after = " " if text[-1:].isspace() else ""
    return f"{before}[{_link_label(label)}]({url}){after}"


def _link_label(text: str) -> str:
    """Return the text on one line; unbalanced brackets, which would end the label, are escaped."""
    label = text.replace(LINE_BREAK, " ")
    if "![" not in label and label.count("[") != label.count("]"):
        label = label.replace("[", "\\[").replace("]", "\\]")
    return label


def _write_image(writer: InlineWriter, element: Element) -> str:
    image = page_image(element)
    if image is None:
        return ""
    url = writer.absolute_url(image.url)
    alt = image.alt.replace("[", "(").replace("]", ")")
    return f"![{escape(alt)}]({url})" if url else ""


def _write_code(writer: InlineWriter, element: Element) -> str:
    """Write a code span; links inside divide it, because Markdown has none in code."""
    links = [link for link in element.iter("a") if link.get("href")]
    if not links:
        return code_span("".join(text_parts(element)))
    return "".join(_code_around_links(writer, element))


def _code_around_links(writer: InlineWriter, element: Element) -> Iterator[str]:
    pending = [element.text or ""]
    for child in children_of(element):
        if not tag_of(child):
            pending.append(child.tail or "")
            continue
        if next(child.iter("a"), None) is None:
            pending.append("".join(text_parts(child)))
        else:
            yield _spaced_code("".join(pending))
            pending = []
            yield from _linked_code(writer, child)
        pending.append(child.tail or "")
    yield _spaced_code("".join(pending))


def _linked_code(writer: InlineWriter, element: Element) -> Iterator[str]:
    if element.tag != "a":
        yield from _code_around_links(writer, element)
        return
    label = code_span("".join(text_parts(element)))
    url = writer.absolute_url(element.get("href", ""))
    yield (
        f"[{label}]({url})"
        if label and url and not writer.is_self_link(element.get("href", ""))
        else label
    )


def _spaced_code(text: str) -> str:
    """Return a code span with the spaces around the code outside of it."""
    if not text or text.isspace():
        return " " if text else ""
    before = " " if text[0].isspace() else ""
    after = " " if text[-1].isspace() else ""
    return f"{before}{code_span(text)}{after}"


def _write_sub_or_sup(writer: InlineWriter, element: Element) -> str:
    """Keep short ASCII texts and numbers as HTML; a footnote mark is written as such."""
    text = writer.write_children(element)
    core = text.strip()
    is_short = 0 < len(core) <= 10 and core.isascii()
    if core.startswith("[") or not (is_short or _NUMBERS.fullmatch(core)):
        return text
    return f"<{element.tag}>{core}</{element.tag}>"


def _write_quotation(writer: InlineWriter, element: Element) -> str:
    return f"“{writer.write_children(element).strip()}”"


def _write_ruby(writer: InlineWriter, element: Element) -> str:
    """Write a word, and its reading behind it: between its parts, it would not be found."""
    word, readings = [escape(element.text or "")], list[str]()
    for part in children_of(element):
        if part.tag in ("rt", "rtc"):
            readings.append(writer.write_children(part).strip())
        elif part.tag != "rp":
            word.append(writer.write_element(part))
        tail = part.tail or ""
        word.append("" if tail.isspace() else escape(tail))
    separator = " " if any(reading[-1:].isascii() for reading in readings) else ""
    reading = separator.join(filter(None, readings))
    text = collapse_whitespace("".join(word))
    return f"{text}({reading})" if reading else text


def _write_checkbox(element: Element) -> str:
    parent = element.getparent()
    while parent is not None and parent.tag in ("label", "p", "span"):
        parent = parent.getparent()
    if element.get("type") != "checkbox" or parent is None or parent.tag != "li":
        return ""
    return "[x] " if element.get("checked") is not None else "[ ] "


_WRITERS: dict[str, Callable[[InlineWriter, Element], str]] = {
    **dict.fromkeys(_EMPHASIS, _write_emphasis),
    "a": _write_link,
    "img": _write_image,
    "br": lambda _writer, _element: LINE_BREAK,
    "sub": _write_sub_or_sup,
    "sup": _write_sub_or_sup,
    "q": _write_quotation,
    "ruby": _write_ruby,
    **dict.fromkeys(_CODE_TAGS, _write_code),
}
# inline elements that have no formula and, in most cases, no elements inside
PLAIN_INLINE_TAGS = frozenset(_WRITERS).difference(FORMULA_TAGS)

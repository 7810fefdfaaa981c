"""Text inside a line as Markdown: emphasis, links, images, code and formulas."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from urllib.parse import urljoin

from webquarry.content.html.dom import (
    MAX_DEPTH,
    SILENT,
    Element,
    children_of,
    name_of,
    text_of,
    texts,
)
from webquarry.content.html.images import picture
from webquarry.content.markdown.formulas import FORMULA_TAGS, formula_in
from webquarry.content.text.whitespace import flattened

BREAK = "\x01"  # a line break inside a paragraph; parsing leaves no control characters
_AROUND_BREAK = re.compile(r" *\x01 *")
_SPECIAL = re.compile(r"\\(?=[!-/:-@\[-`{-~])|[*`]|(?<!\w)_|_(?!\w)|<(?=[A-Za-z/!?])|~(?=~)")
_ANCHOR_SIGNS = frozenset(("", "¶", "#", "§", "🔗", "link", "permalink", "anchor", "↩", "↑", "^"))
_MARKS = {
    "strong": "**",
    "b": "**",
    "em": "*",
    "i": "*",
    "del": "~~",
    "s": "~~",
    "strike": "~~",
}
_CODE = frozenset(("code", "kbd", "samp", "tt"))
_NO_TARGET = ("javascript:", "data:", "vbscript:", "about:", "blob:")
_MAX_URL = 2000
_QUOTED = re.compile(r"[\s()<>\x01]")
_FROM_ROOT = re.compile(r"(?:/[\w~%=&+,:@!$*'()-][\w.~%=&+,:@!$*'()-]*)+/?(?:\?[^#]+)?(?:#.+)?")


@dataclass(slots=True)
class InlineWriter:
    """What the inline writer needs to know of the page."""

    base: str = ""
    notes: dict[str, str] = field(default_factory=dict[str, str])  # id of a footnote -> its label
    _level: int = 0

    def absolute(self, href: str) -> str:
        """Return the address a link on the page leads to, or nothing for scripts and nonsense."""
        target = href.strip().replace("\n", "").replace("\t", "")
        if not target or target[:11].lower().startswith(_NO_TARGET) or len(target) > _MAX_URL:
            return ""
        if not target.startswith(("https://", "http://")) and self.base:
            target = self._joined(target)
        return _QUOTED.sub(_percent, target) if _QUOTED.search(target) else target

    def _joined(self, target: str) -> str:
        if _FROM_ROOT.fullmatch(target) and self.base.startswith(("https://", "http://")):
            end = self.base.find("/", 8)
            return (self.base if end < 0 else self.base[:end]) + target  # what most links are
        try:
            return urljoin(self.base, target)
        except ValueError:
            return ""

    def line(self, element: Element) -> str:
        """Return everything inside the element as one line of Markdown."""
        return tidy(self.inside(element)).replace(BREAK, " ")

    def inside(self, element: Element) -> str:
        """Return the content of an element, without marks of its own."""
        if self._level > MAX_DEPTH:
            return escape(text_of(element))
        text, children = element.text, children_of(element)
        if not children:
            return escape(text) if text else ""
        self._level += 1
        parts = [escape(text)] if text else []
        for child in children:
            parts.append(self.piece(child))
            tail = child.tail
            if tail:
                parts.append(escape(tail))
        self._level -= 1
        return "".join(parts)

    def piece(self, element: Element) -> str:
        """Return one element inside a line."""
        tag = element.tag
        mark = _MARKS.get(tag)
        if mark:
            return marked(self.inside(element), mark)
        if tag in FORMULA_TAGS:
            formula = formula_in(element)
            if formula is not None:
                return formula
        writer = _WRITERS.get(tag)
        if writer:
            return writer(self, element)
        if tag in SILENT:
            return _checkbox(element) if tag == "input" else ""
        return self.inside(element) if name_of(element) else ""


def escape(text: str) -> str:
    """Return the text with a backslash before what Markdown would take as markup."""
    # most text has none of these signs, and looking for one is far cheaper than the pattern
    if "*" in text or "_" in text or "<" in text or "`" in text or "\\" in text or "~" in text:
        return _SPECIAL.sub(r"\\\g<0>", text)
    return text


def tidy(text: str) -> str:
    """Collapse white space around and between the words of a run."""
    flat = flattened(text)
    return _AROUND_BREAK.sub(BREAK, flat).strip(" " + BREAK) if BREAK in flat else flat


def marked(text: str, mark: str) -> str:
    """Put emphasis around the words, not around the spaces beside them."""
    if BREAK not in text:
        return _mark_line(text, mark)
    return BREAK.join(_mark_line(line, mark) for line in text.split(BREAK))


def _percent(match: re.Match[str]) -> str:
    return f"%{ord(match[0]):02X}"


def code_span(text: str) -> str:
    """Return inline code in a fence longer than any backticks inside it."""
    flat = " ".join(text.split())
    if not flat:
        return ""
    longest = max((len(run) for run in re.findall("`+", flat)), default=0)
    fence = "`" * (longest + 1)
    pad = " " if flat[0] == "`" or flat[-1] == "`" else ""
    return f"{fence}{pad}{flat}{pad}{fence}"


def _mark_line(line: str, mark: str) -> str:
    core = line.strip()
    if not core:
        return line
    if len(core) == len(line) and core[0] != mark[0]:
        return f"{mark}{core}{mark}"
    if core.startswith(mark) and core.endswith(mark) and len(core) > 2 * len(mark):
        return line  # <b><strong>: once is enough
    before, after = line[: len(line) - len(line.lstrip())], line[len(line.rstrip()) :]
    return f"{before}{mark}{core}{mark}{after}"


def _link(scribe: InlineWriter, element: Element) -> str:
    href, text = element.get("href"), scribe.inside(element)
    core = tidy(text)
    if href is None:
        return text
    if href.startswith("#"):
        note = scribe.notes.get(href[1:])
        if note:
            return f"[^{note}]"
        if core.lower() in _ANCHOR_SIGNS:
            return ""
    target = scribe.absolute(href)
    if not core or not target:
        return text
    label = core.replace(BREAK, " ")
    if "![" not in label and label.count("[") != label.count("]"):
        label = label.replace("[", "\\[").replace("]", "\\]")
    before = " " if text[:1].isspace() else ""
    after = " " if text[-1:].isspace() else ""
    return f"{before}[{label}]({target}){after}"


def _image(scribe: InlineWriter, element: Element) -> str:
    found = picture(element)
    if found is None:
        return ""
    target = scribe.absolute(found.address)
    alt = found.words.replace("[", "(").replace("]", ")")
    return f"![{escape(alt)}]({target})" if target else ""


def _code(scribe: InlineWriter, element: Element) -> str:
    del scribe
    return code_span("".join(texts(element)))


def _script_height(scribe: InlineWriter, element: Element) -> str:
    """Write sub and sup: a footnote mark stays one, a short index keeps its height."""
    text = scribe.inside(element)
    core = text.strip()
    if not core or core.startswith("[") or len(core) > 10 or not core.isascii():
        return text
    return f"<{element.tag}>{core}</{element.tag}>"


def _quote(scribe: InlineWriter, element: Element) -> str:
    return f"“{scribe.inside(element).strip()}”"


def _reading(scribe: InlineWriter, element: Element) -> str:
    text = scribe.inside(element).strip()
    return f"({text})" if text else ""


def _checkbox(element: Element) -> str:
    parent = element.getparent()
    while parent is not None and parent.tag in ("label", "p", "span"):
        parent = parent.getparent()
    if element.get("type") != "checkbox" or parent is None or parent.tag != "li":
        return ""
    return "[x] " if element.get("checked") is not None else "[ ] "


_WRITERS: dict[str, Callable[[InlineWriter, Element], str]] = {
    "a": _link,
    "img": _image,
    "br": lambda _scribe, _element: BREAK,
    "wbr": lambda _scribe, _element: "",
    "sub": _script_height,
    "sup": _script_height,
    "q": _quote,
    "rt": _reading,
    "rp": lambda _scribe, _element: "",
    **dict.fromkeys(_CODE, _code),
}

"""JATS, the XML of journal articles, as HTML (https://jats.nlm.nih.gov/archiving)."""

from collections.abc import Callable
from typing import cast

from webquarry.content.html.dom import Element, children_of, drop_tree, text_of

_XLINK_HREF = "{http://www.w3.org/1999/xlink}href"
_TEX_START, _TEX_END = r"\begin{document}", r"\end{document}"
# JATS to HTML; tables have the tags of HTML already
_TAGS = {
    "sec": "section", "ack": "section", "app": "section", "boxed-text": "aside",
    "italic": "em", "bold": "strong", "monospace": "code", "underline": "span",
    "list-item": "li", "disp-quote": "blockquote", "verse-group": "blockquote",
    "verse-line": "p", "attrib": "p", "def-list": "dl", "def-item": "div", "term": "dt",
    "def": "dd", "preformat": "pre", "break": "br", "fig": "figure", "table-wrap": "figure",
    "fn": "p", "statement": "div", "fig-group": "div", "table-wrap-group": "div",
    "table-wrap-foot": "div", "supplementary-material": "div", "glossary": "section",
    "notes": "section", "speech": "div", "array": "div", "fn-group": "div",
}  # fmt: skip
_DROPPED = frozenset(
    (
        "graphic",
        "inline-graphic",
        "media",
        "object-id",
        "sec-meta",
        "processing-meta",
        "permissions",
    )
)
_KEPT = frozenset(
    ("p", "sub", "sup", "table", "thead", "tbody", "tfoot", "tr", "th", "td", "col", "colgroup",
     "code", "hr", "ruby", "rb", "rt", "rp")
)  # fmt: skip


def local_name(element: Element) -> str:
    """Return the name of an element without its namespace; "" for a comment."""
    return element.tag.rpartition("}")[2] if isinstance(cast("object", element.tag), str) else ""


def first_text(element: Element | None, path: str) -> str:
    """Return the text of the first element at a path; "" if there is none."""
    found = None if element is None else element.find(path)
    return "" if found is None else text_of(found)


def to_html(element: Element) -> None:
    """Turn everything inside an element into HTML, in place."""
    for child in children_of(element):
        _convert(child, local_name(child))


def _convert(element: Element, name: str) -> None:
    converter = _CONVERTERS.get(name)
    if not name or name in _DROPPED:
        drop_tree(element)
    elif converter:
        converter(element)
    else:
        to_html(element)
        element.tag = name if name in _KEPT else _TAGS.get(name, "span")


def _title(element: Element) -> None:
    """Make a heading of a section's title; other titles, of lists and captions, are bold."""
    parent = element.getparent()
    to_html(element)
    is_heading = parent is not None and local_name(parent) in ("section", "sec", "app", "ack")
    element.tag = "h2" if is_heading else "strong"


def _citation(element: Element) -> None:
    """Link a citation to its reference; one that names several works to the first."""
    to_html(element)
    target = (element.get("rid") or "").split()
    is_link = element.get("ref-type") in ("bibr", "fn", "table-fn") and target
    if is_link:
        element.set("href", f"#{target[0]}")
    element.tag = "a" if is_link else "span"


def _outward_link(element: Element) -> None:
    to_html(element)
    href = element.get(_XLINK_HREF) or text_of(element)
    if href.startswith(("http://", "https://")):
        element.set("href", href)
    element.tag = "a"


def _list(element: Element) -> None:
    to_html(element)
    is_ordered = element.get("list-type") in ("order", "alpha-lower", "alpha-upper", "roman-lower")
    element.tag = "ol" if is_ordered else "ul"


def _formula(element: Element) -> None:
    """Write the TeX of a formula; without one, its text."""
    tex = next((each for each in element.iter() if local_name(each) == "tex-math"), None)
    label = next((each for each in children_of(element) if local_name(each) == "label"), None)
    number = f" {text_of(label)}" if label is not None else ""
    if label is not None:
        drop_tree(label)
    is_display = local_name(element) == "disp-formula"
    source = tex_source(tex) if tex is not None else ""
    mark = "$$" if is_display else "$"
    shown = f"{mark}{source}{mark}" if source else _one_rendering(element)
    tail = element.tail
    element.clear()
    element.tail = tail
    element.text = f"{shown}{number}"
    element.tag = "p" if is_display else "span"
    if source:  # a formula is not to be escaped
        _as_formula(element, source, number, is_display=is_display)


def _as_formula(element: Element, source: str, number: str, *, is_display: bool) -> None:
    math = element.makeelement("math", {"alttext": source})
    if is_display:
        math.set("display", "block")
    element.text, math.tail = None, number
    element.append(math)


def tex_source(element: Element) -> str:
    """Return the formula in a TeX document that publishers wrap around each formula."""
    text = "".join(map(str, element.itertext()))
    _, start, body = text.partition(_TEX_START)
    core = (body.partition(_TEX_END)[0] if start else text).strip()
    return " ".join(core.strip("$").split())


def _one_rendering(element: Element) -> str:
    """Return the text of a formula; of alternatives, that of the first with text."""
    alternatives = next((e for e in element.iter() if local_name(e) == "alternatives"), None)
    candidates = [element] if alternatives is None else children_of(alternatives)
    texts = [text_of(candidate) for candidate in candidates]
    return next(filter(None, texts), "")


def _float(element: Element) -> None:
    """Make a figure whose caption begins with its label."""
    label = next((each for each in children_of(element) if local_name(each) == "label"), None)
    caption = next((each for each in children_of(element) if local_name(each) == "caption"), None)
    if caption is None:
        caption = element.makeelement("caption", {})
        element.insert(0, caption)
    to_html(element)
    caption.tag = "figcaption"
    if label is not None:
        text = text_of(label).rstrip(".:")
        drop_tree(label)
        strong = element.makeelement("strong", {})
        strong.text, strong.tail = f"{text}.", f" {caption.text or ''}"
        caption.text = None
        caption.insert(0, strong)
    element.tag = "figure"


def _label(element: Element) -> None:
    """Keep the numbers of list items and footnotes, not those of sections."""
    parent = element.getparent()
    if parent is None or local_name(parent) in ("section", "sec", "app"):
        drop_tree(element)
        return
    element.tag, element.tail = "span", f" {element.tail or ''}"


def _alternatives(element: Element) -> None:
    """Keep a table among several renderings of one thing, else the first that has text."""
    children = children_of(element)
    tables = [each for each in children if local_name(each) == "table"]
    chosen = next(iter(tables), next((each for each in children if text_of(each)), None))
    for each in children:
        if each is not chosen:
            drop_tree(each)
    to_html(element)
    element.tag = "div" if tables else "span"


_CONVERTERS: dict[str, Callable[[Element], None]] = {
    "title": _title,
    "xref": _citation,
    "ext-link": _outward_link,
    "uri": _outward_link,
    "list": _list,
    "disp-formula": _formula,
    "inline-formula": _formula,
    "fig": _float,
    "table-wrap": _float,
    "label": _label,
    "alternatives": _alternatives,
}

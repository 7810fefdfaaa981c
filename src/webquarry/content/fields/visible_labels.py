"""Reads facts from visible text: labels with values, lists below headings, elements by class."""

import re
from collections.abc import Iterator, Sequence
from itertools import chain, islice, takewhile

from webquarry.content.fields.facts import PageFact, PageView, shorten_quote
from webquarry.content.fields.field_names import field_key, key_variants
from webquarry.content.fields.value_parser import PRICE
from webquarry.content.html.dom import HEADINGS, Element, is_block_tag, tag_of, text_of
from webquarry.content.markdown.html_tables import table_rows
from webquarry.content.text.word_list import word_set

_MAX_LABEL_CHARS = 40
_MAX_LINE_CHARS = 600
_LABEL_AND_VALUE = re.compile(r"^\s*+([^:\uff1a\n]{2,40}?)\s*+[:\uff1a]\s++(\S.*)$", re.DOTALL)
_BYLINE = re.compile(
    r"^(?:by|von|par)\s+([A-ZÀ-Ý][^|·•,\d]{3,60}?)(?:\s*[|·•,]|\s+on\s|$)", re.DOTALL
)
_TEXT_TAGS = frozenset(("p", "li", "div", "span", "td", "dd", "address", "small", "em", "h5", "h6"))
_LABEL_TAGS = word_set("strong b span em label dt h3 h4 h5 h6 div th p i small")
_NOT_VALUE_TAGS = frozenset(("", "dd", "td", "ul", "ol", "table"))
_SKIPPED_TAGS = word_set("body html script style form input nav del s")
_ATTRIBUTES = ("datetime", "href", "value", "src", "content")
_FORMER_PRICE_WORDS = word_set(
    "old was list rrp original strike before previous regular crossed compare"
)
_UNRELATED_WORDS = word_set(
    "related similar recommended recommendation also sponsored comment footer nav sidebar"
)
_NAME_ATTRIBUTES = ("class", "id", "data-testid", "data-field", "data-qa")
_PRICE_ONLY = re.compile(rf"(?:[^\W\d]+:?\s){{0,2}}(?:{PRICE.pattern})(?:\s[^\W\d]+){{0,2}}")
MAX_FACTS = 4000


def add_visible_facts(view: PageView, top: Element) -> None:
    """Add the facts of this part of the page to the view."""
    unrelated = unrelated_elements(top) if view.is_page else frozenset[Element]()
    for element in islice(top.iter(), 20 * MAX_FACTS + 1):
        tag = tag_of(element)
        if not tag or element in unrelated:
            continue
        for fact in _facts_of(element, tag):
            view.add(fact)


def unrelated_elements(top: Element) -> frozenset[Element]:
    """Return the elements of navigation, footer, comments and related content."""
    found: set[Element] = set()
    for element in top.iter("*"):
        if element not in found and _is_unrelated(element, tag_of(element)):
            found.update(element.iter())
    return frozenset(found)


def _is_unrelated(element: Element, tag: str) -> bool:
    names = field_key(f"{element.get('class', '')} {element.get('id', '')}")
    is_labelled = not _UNRELATED_WORDS.isdisjoint(names.split())
    return tag in ("nav", "footer") or (is_labelled and tag != "body")


def _facts_of(element: Element, tag: str) -> Iterator[PageFact]:
    if tag == "dt":
        yield from _definition_facts(element)
    elif tag == "table":
        yield from _table_facts(element)
    elif tag in HEADINGS and tag != "h1":
        yield from _heading_facts(element)
    if tag in _TEXT_TAGS:
        yield from _label_facts(element)
        if _PRICE_ONLY.fullmatch(text := text_of(element)):
            yield PageFact("price alone", (text,), "pattern", text)
    if len(element) == 2:
        yield from _pair_facts(element)
    yield from _class_facts(element, tag)


def _fact(label: str, values: list[str], method: str, attribute: str = "") -> Iterator[PageFact]:
    texts = tuple(filter(None, values))
    label = label.strip().rstrip(":\uff1a").strip()
    if texts and 1 < len(label) <= _MAX_LABEL_CHARS:
        quote = shorten_quote(f"{label}: {'; '.join(texts)}")
        yield PageFact(field_key(label), texts, method, quote, attribute)


def attribute_of(element: Element) -> str:
    """Return the machine-readable attribute of the only <time>, <a>, <data> … in an element."""
    inner = list(islice(element.iter("time", "a", "data", "meter", "img", "meta"), 2))
    return next(filter(None, map(inner[0].get, _ATTRIBUTES)), "") if len(inner) == 1 else ""


def _definition_facts(term: Element) -> Iterator[PageFact]:
    values: list[str] = []
    attribute = ""
    for definition in takewhile(lambda sibling: tag_of(sibling) == "dd", term.itersiblings("*")):
        values += list_items(definition) or [text_of(definition)]
        attribute = attribute or attribute_of(definition)
    attribute = attribute if len(values) == 1 else ""
    yield from _fact(text_of(term), values, "definition list", attribute)


def list_items(element: Element) -> list[str]:
    """Return the items of the list that an element is or contains."""
    inside = element if tag_of(element) in ("ul", "ol") else element.find(".//ul")
    inside = element.find(".//ol") if inside is None else inside
    if inside is None:
        return []
    return [text for item in inside.iterchildren("li") if (text := text_of(item))]


def _table_facts(table: Element) -> Iterator[PageFact]:
    rows = [row for row in table_rows(table) if row[0].tag != "caption"]
    if not rows:
        return
    has_header = len(rows[0]) > 1 and all(cell.tag == "th" for cell in rows[0])
    if has_header and len(rows) == 2:
        for label, cell in zip(rows[0], rows[1], strict=False):
            yield from _fact(text_of(label), [text_of(cell)], "table", attribute_of(cell))
    if not has_header or len(rows[0]) == 2:
        yield from chain.from_iterable(map(_row_fact, rows))


def _row_fact(row: Sequence[Element]) -> Iterator[PageFact]:
    if len(row) == 2 and row[1].tag == "td":
        values = list_items(row[1]) or [text_of(row[1])]
        yield from _fact(text_of(row[0]), values, "table", attribute_of(row[1]))


def _heading_facts(heading: Element) -> Iterator[PageFact]:
    """Yield the list or the paragraphs below a heading."""
    following = heading.getnext()
    parent = heading.getparent()
    if following is None and parent is not None and len(parent) == 1:
        following = parent.getnext()
    if following is not None and tag_of(following):
        yield from _fact(text_of(heading), _texts_below(following), "heading")


def _texts_below(following: Element) -> list[str]:
    tag = tag_of(following)
    items = list_items(following) if tag in ("ul", "ol", "div", "section") else []
    if tag == "div" and not items:
        items = [*filter(None, map(text_of, following.iterchildren("p", "div")))]
    if items or tag not in ("p", "div", "address", "blockquote", "span"):
        return items
    siblings = takewhile(lambda sibling: tag_of(sibling) == "p", following.itersiblings())
    return [text_of(following), *map(text_of, siblings)]


def _label_facts(element: Element) -> Iterator[PageFact]:
    """Yield `Label: value` for each line of the element."""
    if any(is_block_tag(tag_of(child)) for child in element):
        return
    for line, attribute in _lines(element):
        if len(line) > _MAX_LINE_CHARS:
            continue
        if match := _LABEL_AND_VALUE.match(line):
            yield from _fact(match[1], [match[2].strip()], "label", attribute)
        elif byline := _BYLINE.match(line):
            yield PageFact("by", (byline[1].strip(),), "label", shorten_quote(line))
    yield from _bold_label_fact(element)


def _bold_label_fact(element: Element) -> Iterator[PageFact]:
    """Yield the fact of `<b>Label</b> value`."""
    first = next(iter(element), None)
    if first is None or tag_of(first) not in ("strong", "b") or (element.text or "").strip():
        return
    label, text = text_of(first), text_of(element)
    value = text[len(label) :].strip()
    if ":" not in text[: len(label) + 2] and "\n" not in value and len(value) < 120:
        yield from _fact(label, [value], "label", attribute_of(element))


def _lines(element: Element) -> Iterator[tuple[str, str]]:
    """Yield the text of each line, and the first attribute of its elements."""
    line, attribute = element.text or "", ""
    for child in element:
        if tag_of(child) == "br":
            yield " ".join(line.split()), attribute
            line, attribute = "", ""
        elif tag_of(child):
            line += f" {text_of(child)}"
            attribute = attribute or attribute_of(child)
        line += child.tail or ""
    yield " ".join(line.split()), attribute


def _pair_facts(element: Element) -> Iterator[PageFact]:
    """Yield the fact of two sibling elements, the first of which is a label."""
    label, value = element[0], element[1]
    if tag_of(label) not in _LABEL_TAGS or tag_of(value) in _NOT_VALUE_TAGS:
        return
    if any(map(str.strip, filter(None, (element.text, label.tail, value.tail)))):
        return
    name, text = text_of(label), text_of(value)
    if 1 < len(name) <= _MAX_LABEL_CHARS and 0 < len(text) < 200 and name[-1] not in ".!?":
        yield from _fact(name, [text], "label", attribute_of(value))


def _class_facts(element: Element, tag: str) -> Iterator[PageFact]:
    """Yield the text of an element by its class, id and test id."""
    names = " ".join(element.get(name, "") for name in _NAME_ATTRIBUTES).split()
    if not names or tag in _SKIPPED_TAGS:
        return
    text = text_of(element)
    parts = list_items(element) if tag in ("ul", "ol") else _child_texts(element)
    values = tuple(parts) or (text or element.get("src") or element.get("content", ""),)
    if sum(map(len, values)) > 4000:
        return
    quote, attribute = shorten_quote(text or values[0]), attribute_of(element)
    for name in dict.fromkeys(names):
        key = field_key(name.replace("__", "-").replace("--", "-"))
        if _FORMER_PRICE_WORDS.isdisjoint(key.split()):
            for variant in key_variants(key):
                yield PageFact(variant, values, "element", quote, attribute)


def _child_texts(element: Element) -> list[str]:
    """Return the texts of the children of an element without text of its own."""
    own_texts = filter(None, [element.text, *(child.tail for child in element)])
    if len(element) < 2 or any(map(str.strip, own_texts)):
        return []
    return [*filter(None, map(text_of, element))]

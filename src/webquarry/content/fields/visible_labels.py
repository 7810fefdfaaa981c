"""What a person sees on a page: labels with values, lists under headings, parts by their names."""

import re
from collections.abc import Iterator

from webquarry.content.fields.facts import PageFact, PageView, shortened
from webquarry.content.fields.field_names import bare_keys, key_of
from webquarry.content.fields.value_parser import PRICE
from webquarry.content.html.dom import HEADINGS, Element, is_block, name_of, text_of
from webquarry.content.markdown.html_tables import rows_of
from webquarry.content.text.word_list import words

_LABEL = 40
_LONG = 600
_COLON = re.compile(r"^\s*([^:\uff1a\n]{2,40}?)\s*[:\uff1a]\s+(\S.*)$", re.DOTALL)
_BY = re.compile(r"^(?:by|von|par)\s+([A-ZÀ-Ý][^|·•,\d]{3,60}?)(?:\s*[|·•,]|\s+on\s|$)", re.DOTALL)
_LEAVES = frozenset(("p", "li", "div", "span", "td", "dd", "address", "small", "em", "h5", "h6"))
_MARKED = frozenset(
    (
        "strong",
        "b",
        "span",
        "em",
        "label",
        "dt",
        "h3",
        "h4",
        "h5",
        "h6",
        "div",
        "th",
        "p",
        "i",
        "small",
    )
)
_OLD = frozenset(words("old was list rrp original strike before previous regular crossed compare"))
_ELSEWHERE = frozenset(
    words("related similar recommended recommendation also sponsored comment footer nav sidebar")
)
_NAMED_BY = ("class", "id", "data-testid", "data-field", "data-qa")
_PRICED = re.compile(rf"(?:[^\W\d]+:?\s){{0,2}}(?:{PRICE.pattern})(?:\s[^\W\d]+){{0,2}}")
MAX_FACTS = 4000


def see(view: PageView, top: Element) -> None:
    """Add to the view what can be seen in this part of the page."""
    aside = asides_of(top) if view.whole else frozenset[Element]()
    for count, element in enumerate(top.iter()):
        tag = name_of(element)
        if not tag or count > 20 * MAX_FACTS or element in aside:
            continue
        for fact in _told_by(element, tag):
            view.add(fact)


def asides_of(top: Element) -> frozenset[Element]:
    """Return the elements of the parts that are about other things than the page."""
    found: set[Element] = set()
    for element in top.iter():
        tag = name_of(element)
        if tag and element not in found and (tag in ("nav", "footer") or _is_aside(element)):
            found.update(element.iter())
    return frozenset(found)


def _is_aside(element: Element) -> bool:
    named = key_of(f"{element.get('class') or ''} {element.get('id') or ''}")
    return bool(named) and bool(_ELSEWHERE & set(named.split())) and name_of(element) != "body"


def _told_by(element: Element, tag: str) -> Iterator[PageFact]:
    if tag == "dt":
        yield from _defined(element)
    elif tag == "table":
        yield from _tabled(element)
    elif tag in HEADINGS and tag != "h1":
        yield from _headed(element)
    if tag in _LEAVES:
        yield from _labelled(element)
        if _PRICED.fullmatch(text := text_of(element)):
            yield PageFact("price alone", (text,), "pattern", text)
    if len(element) == 2:
        yield from _paired(element)
    yield from _called(element, tag)


def _fact(label: str, values: list[str], method: str, exact: str = "") -> Iterator[PageFact]:
    values = [value for value in values if value]
    label = label.strip().rstrip(":\uff1a").strip()
    if values and 1 < len(label) <= _LABEL:
        quote = shortened(f"{label}: {'; '.join(values)}")
        yield PageFact(key_of(label), tuple(values), method, quote, exact)


def exact_of(element: Element) -> str:
    """Return what the attributes of an element, or of the only one in it, say more precisely."""
    inner = [
        e for e in element.iter() if name_of(e) in ("time", "a", "data", "meter", "img", "meta")
    ]
    if len(inner) != 1:
        return ""
    one = inner[0]
    return (
        one.get("datetime")
        or one.get("href")
        or one.get("value")
        or one.get("src")
        or one.get("content")
        or ""
    )


def _defined(term: Element) -> Iterator[PageFact]:
    values: list[str] = []
    exact = ""
    following = term.getnext()
    while following is not None and name_of(following) in ("dd", ""):
        if name_of(following):
            values += listed_in(following) or [text_of(following)]
            exact = exact or exact_of(following)
        following = following.getnext()
    yield from _fact(text_of(term), values, "definition list", exact if len(values) == 1 else "")


def listed_in(element: Element) -> list[str]:
    """Return the items of the list an element is or holds."""
    inside = element if name_of(element) in ("ul", "ol") else element.find(".//ul")
    inside = element.find(".//ol") if inside is None else inside
    if inside is None:
        return []
    return [text_of(item) for item in inside if name_of(item) == "li" and text_of(item)]


def _tabled(table: Element) -> Iterator[PageFact]:
    rows = [row for row in rows_of(table) if row[0].tag != "caption"]
    if not rows:
        return
    heads = all(cell.tag == "th" for cell in rows[0]) and len(rows[0]) > 1
    if heads and len(rows) == 2:
        for head, cell in zip(rows[0], rows[1], strict=False):
            yield from _fact(text_of(head), [text_of(cell)], "table", exact_of(cell))
    for row in rows:
        if len(row) == 2 and row[1].tag == "td" and not (heads and len(rows[0]) != 2):
            value = listed_in(row[1]) or [text_of(row[1])]
            yield from _fact(text_of(row[0]), value, "table", exact_of(row[1]))


def _headed(heading: Element) -> Iterator[PageFact]:
    """Read the list or the paragraph below a heading."""
    following = heading.getnext()
    if following is None and (above := heading.getparent()) is not None and len(above) == 1:
        following = above.getnext()
    if following is None or not name_of(following):
        return
    items = listed_in(following) if name_of(following) in ("ul", "ol", "div", "section") else []
    if name_of(following) == "div" and not items:
        items = [
            text_of(part) for part in following if name_of(part) in ("p", "div") and text_of(part)
        ]
    if not items and name_of(following) in ("p", "div", "address", "blockquote", "span"):
        items = [text_of(following)]
        following = following.getnext()
        while following is not None and name_of(following) == "p":  # all of it, or none
            items.append(text_of(following))
            following = following.getnext()
    yield from _fact(text_of(heading), items, "heading")


def _labelled(element: Element) -> Iterator[PageFact]:
    """Read `Label: value`, one for each line of the element."""
    if any(is_block(name_of(child)) for child in element):
        return
    for line, exact in _lines(element):
        if len(line) > _LONG:
            continue
        if found := _COLON.match(line):
            yield from _fact(found[1], [found[2].strip()], "label", exact)
        elif by := _BY.match(line):
            yield PageFact("by", (by[1].strip(),), "label", shortened(line))
    first = element[0] if len(element) else None
    if first is not None and name_of(first) in ("strong", "b") and not (element.text or "").strip():
        value = text_of(element)[len(text_of(first)) :].strip()
        if (
            ":" not in text_of(element)[: len(text_of(first)) + 2]
            and "\n" not in value
            and len(value) < 120
        ):
            yield from _fact(text_of(first), [value], "label", exact_of(element))


def _lines(element: Element) -> Iterator[tuple[str, str]]:
    line, exact = element.text or "", ""
    for child in element:
        if name_of(child) == "br":
            yield " ".join(line.split()), exact
            line, exact = "", ""
        elif name_of(child):
            line += text_of(child) if not line.strip() else f" {text_of(child)}"
            exact = exact or exact_of(child)
        line += child.tail or ""
    yield " ".join(line.split()), exact


def _paired(element: Element) -> Iterator[PageFact]:
    """Read two neighbours, the first of which names the second."""
    label, value = element[0], element[1]
    if (
        name_of(label) not in _MARKED
        or not name_of(value)
        or name_of(value) in ("dd", "td", "ul", "ol", "table")
    ):
        return
    if (element.text or "").strip() or (label.tail or "").strip() or (value.tail or "").strip():
        return
    first, second = text_of(label), text_of(value)
    if (
        1 < len(first) <= _LABEL
        and second
        and len(second) < 200
        and not first.endswith((".", "!", "?"))
    ):
        yield from _fact(first, [second], "label", exact_of(value))


def _called(element: Element, tag: str) -> Iterator[PageFact]:
    """Read an element by the name its author gave it."""
    names = [element.get(name) or "" for name in _NAMED_BY]
    if not any(names) or tag in (
        "body",
        "html",
        "script",
        "style",
        "form",
        "input",
        "nav",
        "del",
        "s",
    ):
        return
    text = text_of(element)
    items = listed_in(element) if tag in ("ul", "ol") else _parts(element)
    shown = items or ([text] if text else [element.get("src") or element.get("content") or ""])
    if sum(map(len, shown)) > 4000:
        return
    for name in dict.fromkeys(word for value in names for word in value.split()):
        key = key_of(name.replace("__", "-").replace("--", "-"))
        if _OLD & set(key.split()):
            continue
        for bare in bare_keys(key):
            yield PageFact(
                bare, tuple(shown), "element", shortened(text or shown[0]), exact_of(element)
            )


def _parts(element: Element) -> list[str]:
    """Return the texts of an element that only holds others together."""
    loose = [element.text, *(child.tail for child in element)]
    if len(element) < 2 or any((piece or "").strip() for piece in loose):
        return []
    return [text for text in map(text_of, element) if text]

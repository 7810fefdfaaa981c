"""Finds lists of records on a page: structured items, table rows and cards."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from webquarry.content.fields.facts import PageFact, PageView, StructuredDataItem, shorten_quote
from webquarry.content.fields.field_names import field_key
from webquarry.content.fields.field_spec import FieldSpec
from webquarry.content.fields.structured_data import (
    matching_properties,
    structured_items,
    values_at,
)
from webquarry.content.fields.visible_labels import (
    add_visible_facts,
    attribute_of,
    unrelated_elements,
)
from webquarry.content.html.dom import HEADINGS, Element, element_counter, tag_of, text_of
from webquarry.content.html.json_ld import as_list, as_node, types_of
from webquarry.content.markdown.html_tables import table_rows
from webquarry.content.text.word_list import word_set

_MAX_RECORDS = 300
_MAX_CARD_ELEMENTS = 300  # a larger element is a section of the page
_NOT_CARD_PARENTS = frozenset(("", "tr", "table", "tbody", "thead", "head"))
_size = element_counter(".//*")
_PAGE_TYPES = word_set("BreadcrumbList WebSite WebPage Organization ListItem ItemList")


@dataclass(frozen=True)
class RecordList:
    """Similar records, each as a view of its own."""

    views: list[Callable[[], PageView]]  # built lazily, because most pages have many lists
    method: str
    is_named: bool = False  # the page uses the name of the field for the list


def record_lists(
    field: FieldSpec, view: PageView, items: list[StructuredDataItem]
) -> Iterator[RecordList]:
    """Yield every list on the page that may be the one of the field."""
    for item in view.items:
        yield from _property_lists(field, item, view)
    yield from _items_by_type(view, items)
    if view.element is not None:
        for table in view.element.iter("table"):
            yield from _table_records(table, view, field)
        yield from _cards(view.element, view)


def _property_lists(
    field: FieldSpec, item: StructuredDataItem, view: PageView
) -> Iterator[RecordList]:
    """Yield the properties of an item that hold lists of nodes."""
    node = item.node
    lists = [as_list(value) for key in field.keys for _, value in matching_properties(node, key)]
    for values in [*lists, *(values_at(node, path.split(".")[0]) for path in field.paths)]:
        nodes = [as_node(value) for value in values if isinstance(value, dict)]
        if nodes:
            views = [partial(_item_view, inner, item.method, view) for inner in nodes]
            yield RecordList(views, item.method, is_named=True)


def _item_view(node: dict[str, object], method: str, view: PageView) -> PageView:
    return PageView(url=view.url, items=(StructuredDataItem(node, method),), is_page=False)


def _items_by_type(view: PageView, items: list[StructuredDataItem]) -> Iterator[RecordList]:
    groups: defaultdict[tuple[str, str], list[StructuredDataItem]] = defaultdict(list)
    for item in items if view.is_page else ():
        for kind in types_of(item.node):
            if kind not in _PAGE_TYPES:
                groups[item.method, kind].append(item)
    for (method, _), group in groups.items():
        if len(group) > 1:
            records = group[:_MAX_RECORDS]
            yield RecordList([partial(_item_view, r.node, method, view) for r in records], method)


def _table_records(table: Element, view: PageView, field: FieldSpec) -> Iterator[RecordList]:
    rows = [row for row in table_rows(table) if row[0].tag != "caption"]
    if len(rows) < 2 or len(rows[0]) < 2:
        return
    keys = [field_key(text_of(cell)) for cell in rows[0]]
    if sum(map(bool, keys)) < 2 or (rows[0][0].tag == "td" and len(rows) < 3):
        return
    # rows of another length are totals or subheadings
    records = [row for row in rows[1 : _MAX_RECORDS + 1] if len(row) == len(keys)]
    views = [partial(_row_view, row, keys, view.url) for row in records]
    yield RecordList([*views], "table", _is_titled(table, field))


def _row_view(row: Sequence[Element], keys: list[str], url: str) -> PageView:
    view = PageView(url=url, is_page=False)
    quote = shorten_quote(" | ".join(text_of(cell) for cell in row))
    for key, cell in zip(keys, row, strict=True):
        view.add(PageFact(key, (text_of(cell),), "table", quote, attribute_of(cell)))
    return view


def _is_titled(table: Element, field: FieldSpec) -> bool:
    """Tell whether the caption, or the heading before the table, names the list."""
    caption = table.find("caption")
    before = table.getprevious()
    title = text_of(caption) if caption is not None else ""
    if before is not None and tag_of(before) in HEADINGS:
        title = f"{title} {text_of(before)}"
    words = set(field_key(title).split())
    return any(set(key.split()) <= words for key in field.keys if key)


def _cards(root: Element, view: PageView) -> Iterator[RecordList]:
    """Yield groups of similar siblings of a suitable size."""
    unrelated = unrelated_elements(root) if view.is_page else frozenset[Element]()
    for parent in root.iter():
        if len(parent) < 2 or tag_of(parent) in _NOT_CARD_PARENTS or parent in unrelated:
            continue
        for cards in _similar_children(parent):
            if len(cards) > 1 and all(0 < _size(card) <= _MAX_CARD_ELEMENTS for card in cards):
                yield RecordList([partial(card_view, card, view) for card in cards], "element")


def _similar_children(parent: Element) -> list[list[Element]]:
    """Return the children grouped by tag and first class."""
    groups: defaultdict[tuple[str, str], list[Element]] = defaultdict(list)
    for child in parent.iterchildren("*"):
        groups[tag_of(child), child.get("class", "").split(" ")[0]].append(child)
    return [group[:_MAX_RECORDS] for group in groups.values()]


def card_view(card: Element, view: PageView) -> PageView:
    """Return the view of one card."""
    first_link = next(iter(card.iter("a")), None)
    heading = next((e for e in card.iter() if tag_of(e) in HEADINGS), first_link)
    inner = PageView(
        url=view.url,
        text=text_of(card),
        heading="" if heading is None else text_of(heading),
        items=tuple(structured_items(card)) if card.get("itemscope") is None else (),
        element=card,
        source=card,
        is_page=False,
    )
    add_visible_facts(inner, card)
    if first_link is not None:
        text = text_of(first_link)
        inner.add(PageFact("url", (text,), "element", text, first_link.get("href", "")))
    return inner

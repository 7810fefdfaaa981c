"""Finds things of one kind that a page lists: rows of a table, cards, statements."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from webquarry.content.fields.facts import PageFact, PageView, Statements, shortened
from webquarry.content.fields.field_names import key_of
from webquarry.content.fields.field_spec import FieldSpec
from webquarry.content.fields.structured_data import alike, found_at, statements_of
from webquarry.content.fields.visible_labels import asides_of, exact_of, see
from webquarry.content.html.dom import HEADINGS, Element, counter, name_of, text_of
from webquarry.content.html.json_ld import as_list, as_node, types_of
from webquarry.content.markdown.html_tables import rows_of
from webquarry.content.text.word_list import words

_MOST = 300
_MOST_PARTS = 300  # elements of a card; more is a part of the page
_NO_CARDS = frozenset(("", "tr", "table", "tbody", "thead", "head"))
_size = counter(".//*")
_ABOUT_PAGE = frozenset(words("BreadcrumbList WebSite WebPage Organization ListItem ItemList"))


@dataclass(frozen=True)
class Listing:
    """Some things that look alike, each as a view of its own."""

    views: list[Callable[[], PageView]]  # made when they are looked at: most pages have many lists
    method: str
    named: bool = False  # the page calls them by the name of the field


def listings(field: FieldSpec, view: PageView, told: list[Statements]) -> Iterator[Listing]:
    """Yield everything on the page that may be the list that is asked for."""
    for one in view.statements:
        ways = [as_list(value) for key in field.keys for _, value in alike(one.node, key)]
        ways += [found_at(one.node, path.split(".")[0]) for c in field.concepts for path in c.paths]
        for found in ways:
            nodes = [as_node(item) for item in found if isinstance(item, dict)]
            if nodes:
                views = [partial(_of_node, node, one.method, view) for node in nodes]
                yield Listing(views, one.method, named=True)
    yield from _alike_things(view, told)
    if view.element is not None:
        for table in view.element.iter("table"):
            yield from _rows(table, view, field)
        yield from _cards(view.element, view)


def _of_node(node: dict[str, object], method: str, view: PageView) -> PageView:
    return PageView(url=view.url, statements=(Statements(node, method),), whole=False)


def _alike_things(view: PageView, told: list[Statements]) -> Iterator[Listing]:
    by_kind: dict[tuple[str, str], list[Statements]] = {}
    for one in told:
        for kind in types_of(one.node):
            if kind not in _ABOUT_PAGE:
                by_kind.setdefault((one.method, kind), []).append(one)
    for (method, _), things in by_kind.items():
        if view.whole and len(things) > 1:
            yield Listing(
                [partial(_of_node, one.node, method, view) for one in things[:_MOST]], method
            )


def _rows(table: Element, view: PageView, field: FieldSpec) -> Iterator[Listing]:
    rows = [row for row in rows_of(table) if row[0].tag != "caption"]
    if len(rows) < 2 or len(rows[0]) < 2:
        return
    heads = [key_of(text_of(cell)) for cell in rows[0]]
    if sum(map(bool, heads)) < 2 or (rows[0][0].tag == "td" and len(rows) < 3):
        return
    views: list[Callable[[], PageView]] = []
    for row in rows[1 : _MOST + 1]:
        if len(row) != len(heads):  # a total, a heading between rows: nothing says what is what
            continue
        cells = PageView(url=view.url, whole=False)
        quote = shortened(" | ".join(text_of(cell) for cell in row))
        for head, cell in zip(heads, row, strict=True):
            cells.add(PageFact(head, (text_of(cell),), "table", quote, exact_of(cell)))
        views.append(partial(_itself, cells))
    yield Listing(views, "table", _titled(table, field))


def _itself(view: PageView) -> PageView:
    return view


def _titled(table: Element, field: FieldSpec) -> bool:
    """Tell whether the caption, or the heading before the table, names the list."""
    caption = table.find("caption")
    before = table.getprevious()
    said = text_of(caption) if caption is not None else ""
    if before is not None and name_of(before) in HEADINGS:
        said = f"{said} {text_of(before)}"
    words = set(key_of(said).split())
    return any(set(key.split()) <= words for key in field.keys if key)


def _cards(top: Element, view: PageView) -> Iterator[Listing]:
    aside = asides_of(top) if view.whole else frozenset[Element]()
    for parent in top.iter():
        if len(parent) < 2 or name_of(parent) in _NO_CARDS or parent in aside:
            continue
        groups: dict[tuple[str, str], list[Element]] = {}
        for child in parent:
            named = (child.get("class") or "").split(" ")[0] if name_of(child) else ""
            groups.setdefault((name_of(child), named), []).append(child)
        for (tag, _), group in groups.items():
            fits = all(0 < _size(one) <= _MOST_PARTS for one in group[:_MOST])
            if tag and len(group) > 1 and fits:
                yield Listing([partial(card_view, one, view) for one in group[:_MOST]], "element")


def card_view(top: Element, view: PageView) -> PageView:
    """Return what one card says."""
    headings = [e for e in top.iter() if name_of(e) in HEADINGS]
    heading = headings[0] if headings else next(iter(top.iter("a")), None)
    card = PageView(
        url=view.url,
        text=text_of(top),
        heading="" if heading is None else text_of(heading),
        statements=tuple(statements_of(top)) if top.get("itemscope") is None else (),
        element=top,
        source=top,
        whole=False,
    )
    see(card, top)
    for link in top.iter("a"):
        card.add(
            PageFact("url", (text_of(link),), "element", text_of(link), link.get("href") or "")
        )
        break
    return card

"""Reads the fields of a schema from one page."""

from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

from webquarry.content.fields.facts import PageFact, PageView, Statements, shortened
from webquarry.content.fields.field_names import key_of
from webquarry.content.fields.field_spec import FieldSpec, wanted
from webquarry.content.fields.fill import FilledSchema, SchemaFiller
from webquarry.content.fields.structured_data import is_thing, main_of, statements_of
from webquarry.content.fields.visible_labels import see
from webquarry.content.html.dom import Element, body_of, name_of, parse_html, text_of
from webquarry.content.visibility.hidden_text import remove_hidden
from webquarry.models.page import PageMetadata

_MOST_STATEMENTS = 20
_NOT_READ = ("script", "style", "template", "noscript", "del", "s", "strike")  # or no longer true


def fill_from_html(
    html: str,
    schema: dict[str, Any],
    *,
    url: str,
    hints: str = "",
    about: PageMetadata | None = None,
) -> FilledSchema:
    """Return the schema filled from a page; `hints` says in words what is looked for."""
    sent, root = parse_html(html), parse_html(html)
    if sent is None or root is None:
        return SchemaFiller([]).fill(schema, PageView(url=url))
    told = statements_of(sent)
    remove_hidden(root)
    body = body_of(root)
    for element in list(body.iter(*_NOT_READ)):
        _empty(element)
    view = PageView(
        url=url, text=_readable(body), heading=_heading(body), element=body, source=sent
    )
    fields = [field for _, field in _leaves(schema)]
    paths = [_ways(field) for field in fields]
    named = f"{hints} {schema.get('title') or ''} {schema.get('description') or ''}"
    view.statements = tuple(main_of(told, paths, named, view.heading))
    _head(view, sent)
    see(view, body)
    _links(view, body)
    if about is not None:
        _known(view, about)
    return SchemaFiller(told).fill(schema, view)


def fill_from_text(markdown: str, schema: dict[str, Any], *, url: str) -> FilledSchema:
    """Return the schema filled from a text without markup of its own, such as that of a PDF."""
    view = PageView(url=url, text=markdown)
    for line in markdown.splitlines():
        cells = [cell.strip(" *`_") for cell in line.strip().strip("|").split("|")]
        label, colon, value = line.strip(" -*#>").replace("**", "").partition(":")
        if line.strip().startswith("|") and len(cells) == 2:
            label, colon, value = cells[0], ":", cells[1]
        if colon and 1 < len(label) <= 40 and value.strip() and not value.startswith("//"):
            view.add(PageFact(key_of(label), (value.strip(),), "label", shortened(line)))
        if not view.heading and line.startswith("# "):
            view.heading = line[2:].strip()
    return SchemaFiller([]).fill(schema, view)


def _empty(element: Element) -> None:
    tail = element.tail
    element.clear()
    element.tail = tail


def _readable(body: Element) -> str:
    return " ".join(
        part
        for element in body.iter()
        if name_of(element) and name_of(element) not in ("nav", "footer")
        for part in [(element.text or "").strip(), *((c.tail or "").strip() for c in element)]
        if part
    )


def _heading(body: Element) -> str:
    found = list(dict.fromkeys(text_of(heading) for heading in body.iter("h1")))
    found = [text for text in found if text]
    return found[0] if len(found) == 1 else ""


def _head(view: PageView, root: Element) -> None:
    for meta in root.iter("meta"):
        name = (meta.get("property") or meta.get("name") or "").lower()
        content = " ".join((meta.get("content") or "").split())
        if name and content:
            view.add(PageFact(f"meta {name}", (content,), "meta", shortened(f"{name}: {content}")))


def _links(view: PageView, body: Element) -> None:
    for link in body.iter("a"):
        href = link.get("href") or ""
        if href.lower().startswith("tel:"):
            view.add(PageFact("link tel", (text_of(link),), "pattern", text_of(link) or href, href))
        if href.lower().startswith("mailto:"):
            view.text += f" {href[7:].partition('?')[0]} "
    for time in body.iter("time"):
        told = time.get("datetime") or text_of(time)
        view.add(PageFact("time", (text_of(time),), "pattern", text_of(time) or told, told))


def _known(view: PageView, about: PageMetadata) -> None:
    """Add what the reader of the page found out by its own means."""
    told = {"author": ", ".join(about.authors), "article:published_time": about.published}
    told |= {"article:modified_time": about.modified, "og:site_name": about.site}
    if about.site in (urlsplit(view.url).hostname or ""):  # only a name for want of another
        told["og:site_name"] = ""
    if not view.heading and about.title:
        view.heading = about.title
    for name, value in told.items():
        if value and f"meta {name}" not in view.facts:
            view.add(PageFact(f"meta {name}", (value,), "byline", value))


def _leaves(schema: dict[str, Any], name: str = "") -> Iterator[tuple[str, FieldSpec]]:
    if schema["type"] == "object":
        for inner, below in schema["properties"].items():
            yield from _leaves(below, inner)
    else:
        yield name, wanted(name, schema, "")


def _ways(field: FieldSpec) -> tuple[str, ...]:
    return tuple(path for concept in field.concepts for path in concept.paths)


def own_statements(html: str) -> list[Statements]:
    """Return what the page states for machines about things, without what only frames it."""
    root = parse_html(html)
    told = [] if root is None else statements_of(root)
    return [one for one in told if is_thing(one.node)][:_MOST_STATEMENTS]

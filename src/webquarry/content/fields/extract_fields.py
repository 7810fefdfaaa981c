"""Fills a schema from the HTML or the text of a page."""

from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

from webquarry.content.fields.facts import PageFact, PageView, StructuredDataItem, shorten_quote
from webquarry.content.fields.field_names import field_key
from webquarry.content.fields.field_spec import FieldSpec, field_spec
from webquarry.content.fields.fill import FilledSchema, SchemaFiller
from webquarry.content.fields.structured_data import is_content_item, main_items, structured_items
from webquarry.content.fields.visible_labels import add_visible_facts
from webquarry.content.html.dom import Element, body_of, parse_html, text_of
from webquarry.models.page import PageMetadata

_MAX_ITEMS = 20
# struck-out text is no longer valid
_SKIPPED_TAGS = ("script", "style", "template", "noscript", "del", "s", "strike")


def fill_from_html(
    html: str,
    schema: dict[str, Any],
    *,
    url: str,
    hints: str = "",
    about: PageMetadata | None = None,
) -> FilledSchema:
    """Return the schema filled from a page; `hints` describes the data in words."""
    # imported here: the CSS parser takes long to import
    from webquarry.content.visibility.hidden_text import remove_hidden

    original, root = parse_html(html), parse_html(html)
    if original is None or root is None:
        return SchemaFiller([]).fill(schema, PageView(url=url))
    items = structured_items(original)
    remove_hidden(root)
    body = body_of(root)
    for element in list(body.iter(*_SKIPPED_TAGS)):
        _clear(element)
    heading = _main_heading(body)
    view = PageView(
        url=url, text=_visible_text(body), heading=heading, element=body, source=original
    )
    words = f"{hints} {schema.get('title') or ''} {schema.get('description') or ''}"
    paths = [field.paths for field in _leaves(schema)]
    view.items = tuple(main_items(items, paths, words, heading))
    _add_metas(view, original)
    add_visible_facts(view, body)
    _add_links_and_times(view, body)
    if about is not None:
        _add_metadata(view, about)
    return SchemaFiller(items).fill(schema, view)


def fill_from_text(markdown: str, schema: dict[str, Any], *, url: str) -> FilledSchema:
    """Return the schema filled from a text without HTML, such as that of a PDF."""
    lines = markdown.splitlines()
    headings = (line[2:].strip() for line in lines if line.startswith("# "))
    view = PageView(url=url, text=markdown, heading=next(filter(None, headings), ""))
    for line in lines:
        label, value = _label_and_value(line)
        if 1 < len(label) <= 40 and value.strip() and not value.startswith("//"):
            view.add(PageFact(field_key(label), (value.strip(),), "label", shorten_quote(line)))
    return SchemaFiller([]).fill(schema, view)


def _label_and_value(line: str) -> tuple[str, str]:
    """Return the parts of `Label: value` or of a table row with two cells."""
    if line.strip().startswith("|"):
        cells = [cell.strip(" *`_") for cell in line.strip().strip("|").split("|")]
        if len(cells) == 2:
            return cells[0], cells[1]
    label, _, value = line.strip(" -*#>").replace("**", "").partition(":")
    return label, value


def _clear(element: Element) -> None:
    tail = element.tail
    element.clear()
    element.tail = tail


def _visible_text(body: Element) -> str:
    elements = (element for element in body.iter("*") if element.tag not in ("nav", "footer"))
    texts = (text for e in elements for text in (e.text, *(child.tail for child in e)) if text)
    return " ".join(filter(None, map(str.strip, texts)))


def _main_heading(body: Element) -> str:
    """Return the text of the only <h1>, or "" if there are several."""
    texts = {text_of(heading) for heading in body.iter("h1")} - {""}
    return texts.pop() if len(texts) == 1 else ""


def _add_metas(view: PageView, root: Element) -> None:
    for meta in root.iter("meta"):
        name = (meta.get("property") or meta.get("name", "")).lower()
        content = " ".join(meta.get("content", "").split())
        if name:
            quote = shorten_quote(f"{name}: {content}")
            view.add(PageFact(f"meta {name}", (content,), "meta", quote))


def _add_links_and_times(view: PageView, body: Element) -> None:
    for link in body.iter("a"):
        href = link.get("href", "")
        if href.lower().startswith("tel:"):
            view.add(PageFact("link tel", (text_of(link),), "pattern", text_of(link) or href, href))
        if href.lower().startswith("mailto:"):
            view.text += f" {href[7:].partition('?')[0]} "
    for time in body.iter("time"):
        moment = time.get("datetime") or text_of(time)
        view.add(PageFact("time", (text_of(time),), "pattern", text_of(time) or moment, moment))


def _add_metadata(view: PageView, about: PageMetadata) -> None:
    """Add the metadata that reading the page found, where the page has no such <meta>."""
    # a site name that is only part of the host was derived from it
    is_host_name = about.site in (urlsplit(view.url).hostname or "")
    metas = {
        "author": ", ".join(about.authors),
        "article:published_time": about.published,
        "article:modified_time": about.modified,
        "og:site_name": "" if is_host_name else about.site,
    }
    view.heading = view.heading or about.title
    for name, value in metas.items():
        if value and f"meta {name}" not in view.facts:
            view.add(PageFact(f"meta {name}", (value,), "byline", value))


def _leaves(schema: dict[str, Any], name: str = "") -> Iterator[FieldSpec]:
    if schema["type"] == "object":
        for inner_name, inner in schema["properties"].items():
            yield from _leaves(inner, inner_name)
    else:
        yield field_spec(name, schema, "")


def content_items(html: str) -> list[StructuredDataItem]:
    """Return the structured data about the content of a page, without that about the site."""
    root = parse_html(html)
    items = [] if root is None else structured_items(root)
    return [item for item in items if is_content_item(item.node)][:_MAX_ITEMS]

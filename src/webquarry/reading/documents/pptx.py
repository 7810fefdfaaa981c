"""Presentations: slides in their order, with tables and notes."""

from collections.abc import Iterable
from dataclasses import dataclass

from webquarry.content.html.dom import Element
from webquarry.reading.documents.docx.equations import tex_of
from webquarry.reading.documents.draft import DocumentDraft, DocumentTask, UnreadableDocument
from webquarry.reading.documents.markup import (
    ListBuilder,
    add_formula,
    add_heading,
    add_text,
    is_blank,
    new_element,
    to_markdown,
)
from webquarry.reading.documents.ooxml import (
    Relation,
    main_part,
    read_properties,
    related_part,
    relations,
)
from webquarry.reading.documents.page_selection import selected_indexes
from webquarry.reading.documents.slide_backgrounds import SlideBackgrounds, SlideTemplates
from webquarry.reading.documents.slide_frames import SlideSize, slide_size
from webquarry.reading.documents.slide_visibility import remove_hidden
from webquarry.reading.documents.zip_archive import Archive, attribute, child, local_name, text

_TITLES = frozenset(("title", "ctrTitle"))
_SKIPPED_PLACEHOLDERS = frozenset(("sldNum", "dt", "ftr", "hdr", "sldImg"))
_WITHOUT_BULLETS = frozenset(("subTitle", *_TITLES))
_MAX_DEPTH = 30


@dataclass(frozen=True, slots=True)
class _Deck:
    archive: Archive
    draft: DocumentDraft
    size: SlideSize | None
    templates: SlideTemplates


def read_pptx(task: DocumentTask) -> DocumentDraft:
    """Return one section per slide."""
    draft = DocumentDraft("pptx")
    archive = Archive(task.data)
    read_properties(archive, draft)
    main = main_part(archive, "ppt/presentation.xml")
    links = relations(archive, main)
    presentation = archive.tree(main)
    listed = child(presentation, "sldIdLst")
    ids = [_relation_id(entry) for entry in (listed if listed is not None else ())]
    names = [links[id_].target for id_ in ids if id_ in links]
    draft.page_count = len(names)
    if not names:
        raise UnreadableDocument("has no slides")
    indexes = selected_indexes(task, len(names), draft, "slide")
    deck = _Deck(archive, draft, slide_size(presentation), SlideTemplates(archive))
    draft.set_markdown(_slide(deck, names[index], index + 1) for index in indexes)
    if not draft.markdown:
        raise UnreadableDocument("has no text on its slides")
    return draft


def _relation_id(entry: Element) -> str:
    """Return the r:id; the entry also has an id without namespace."""
    found = (value for name, value in entry.attrib.items() if str(name).endswith("}id"))
    return str(next(found, ""))


def _slide(deck: _Deck, name: str, number: int) -> str:
    archive, draft = deck.archive, deck.draft
    tree = archive.optional_tree(name)
    if tree is None:
        draft.warnings.append(f"slide {number} is missing or damaged")
        return ""
    if attribute(tree, "show") == "0":
        draft.warnings.append(f"slide {number} is hidden and was left out")
        return ""
    links = relations(archive, name)
    root = new_element("div")
    shapes = child(tree, "cSld", "spTree")
    if shapes is not None:
        layout = related_part(links, "slideLayout")
        backgrounds = SlideBackgrounds(tree, layout, deck.templates)
        draft.warn_of_hidden(remove_hidden(shapes, number, deck.size, backgrounds))
    title = _title(shapes)
    add_text(add_heading(root, 2), f"Slide {number}: {title}" if title else f"Slide {number}")
    draft.outline.append((1, title or f"Slide {number}"))
    if number == 1 and not draft.title:
        draft.title = title
    _shapes(shapes, root, links, 0)
    notes = related_part(links, "notesSlide")
    if notes:
        _notes(archive, notes, root)
    return to_markdown(root)


def _notes(archive: Archive, name: str, root: Element) -> None:
    tree = archive.optional_tree(name)
    holder = new_element("blockquote")
    shapes = child(tree, "cSld", "spTree")
    for shape in shapes if shapes is not None else ():
        if _placeholder(shape) == "body":
            _paragraphs(child(shape, "txBody"), holder, relations(archive, name), listed=False)
    if not is_blank(holder):
        first = new_element("p")
        new_element("strong", first).text = "Notes:"
        holder.insert(0, first)
        root.append(holder)


def _title(shapes: Element | None) -> str:
    for shape in shapes if shapes is not None else ():
        if _placeholder(shape) in _TITLES:
            return " ".join(" ".join(map(str, shape.itertext())).split())
    return ""


def _placeholder(shape: Element) -> str:
    """Return the kind of placeholder a shape is; empty for other shapes."""
    for part in shape:
        if local_name(part).startswith("nv"):
            holder = child(part, "nvPr", "ph")
            return "" if holder is None else attribute(holder, "type") or "body"
    return ""


def _shapes(shapes: Iterable[Element] | None, root: Element, links: dict[str, Relation],
            depth: int) -> None:  # fmt: skip
    for shape in shapes if shapes is not None else ():
        name = local_name(shape)
        if name == "sp":
            _body(shape, root, links)
        elif name == "grpSp" and depth < _MAX_DEPTH:
            _shapes(list(shape), root, links, depth + 1)
        elif name == "graphicFrame":
            _frame(shape, root, links)
        elif name == "pic":
            _picture(shape, root)
        elif name == "AlternateContent" and depth < _MAX_DEPTH:
            _shapes(list(next(iter(shape), ())), root, links, depth + 1)


def _picture(shape: Element, root: Element) -> None:
    properties = child(shape, "nvPicPr", "cNvPr")
    descr = "" if properties is None else " ".join(attribute(properties, "descr").split())
    if descr:
        add_text(new_element("p", root), f"[Image: {descr}]")


def _body(shape: Element, root: Element, links: dict[str, Relation]) -> None:
    kind = _placeholder(shape)
    if kind in _TITLES | _SKIPPED_PLACEHOLDERS:
        return
    listed = bool(kind) and kind not in _WITHOUT_BULLETS
    _paragraphs(child(shape, "txBody"), root, links, listed=listed)


def _paragraphs(body: Element | None, root: Element, links: dict[str, Relation], *,
                listed: bool) -> None:  # fmt: skip
    """Write the paragraphs; those of a content placeholder have bullets by default."""
    lists = ListBuilder(root)
    for part in body if body is not None else ():
        if local_name(part) != "p" or not text(part):
            continue
        layout = child(part, "pPr")
        level = int(attribute(layout, "lvl")) if layout is not None and _has_level(layout) else 0
        numbered = child(layout, "buAutoNum") is not None
        bullet = numbered or child(layout, "buChar") is not None
        if bullet or (listed and child(layout, "buNone") is None):
            _inline(part, lists.add_item(level, ordered=numbered), links)
        else:
            lists.close()
            _inline(part, new_element("p", root), links)


def _has_level(layout: Element) -> bool:
    level = attribute(layout, "lvl")
    return level.isdecimal() and len(level) == 1


def _inline(paragraph: Element, element: Element, links: dict[str, Relation]) -> None:
    for part in paragraph:
        name = local_name(part)
        if name == "br":
            new_element("br", element)
        elif name in ("m", "AlternateContent"):
            _formulas(part, element)
        elif name in ("r", "fld"):
            run_text = child(part, "t")
            target = _styled(child(part, "rPr"), element, links)
            add_text(target, "" if run_text is None else run_text.text or "")


def _styled(font: Element | None, parent: Element, links: dict[str, Relation]) -> Element:
    """Return the element for the text of a run, inside its link and emphasis."""
    if font is None:
        return parent
    click = child(font, "hlinkClick")
    link = None if click is None else links.get(attribute(click, "id"))
    if link is not None and link.external:
        parent = new_element("a", parent, href=link.target)
    for name, tag in (("b", "strong"), ("i", "em")):
        if attribute(font, name) in ("1", "true"):
            parent = new_element(tag, parent)
    return parent


def _formulas(part: Element, element: Element) -> None:
    """Write the formulas of the first rendering."""
    rendering = next(iter(part), None) if local_name(part) == "AlternateContent" else part
    for node in rendering.iter() if rendering is not None else ():
        if local_name(node) == "oMath":
            add_formula(element, tex_of(node))


def _frame(shape: Element, root: Element, links: dict[str, Relation]) -> None:
    table = child(shape, "graphic", "graphicData", "tbl")
    if table is None:
        return
    new_table = new_element("table", root)
    for number, row in enumerate(part for part in table if local_name(part) == "tr"):
        line = new_element("tr", new_table)
        for cell in row:
            if local_name(cell) != "tc" or "1" in (
                attribute(cell, "hMerge"),
                attribute(cell, "vMerge"),
            ):
                continue
            element = new_element("td" if number else "th", line)
            for source, name in (("gridSpan", "colspan"), ("rowSpan", "rowspan")):
                if attribute(cell, source).isdecimal():
                    element.set(name, attribute(cell, source))
            _paragraphs(child(cell, "txBody"), element, links, listed=False)

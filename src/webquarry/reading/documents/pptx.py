"""Presentations: slides in the order they are shown, with their tables and notes."""

from collections.abc import Iterable

from webquarry.content.html.dom import Element
from webquarry.reading.documents.docx.equations import tex_of
from webquarry.reading.documents.draft import DocumentTask, Draft, Unreadable
from webquarry.reading.documents.markup import Lists, formula, heading, is_blank, new, say, written
from webquarry.reading.documents.ooxml import Relation, main_part, properties, related, relations
from webquarry.reading.documents.page_selection import selected
from webquarry.reading.documents.zip_archive import Archive, attribute, child, local, text

_TITLES = frozenset(("title", "ctrTitle"))
_FURNITURE = frozenset(("sldNum", "dt", "ftr", "hdr", "sldImg"))
_UNLISTED = frozenset(("subTitle", *_TITLES))
_DEEPEST = 30


def read_pptx(task: DocumentTask) -> Draft:
    """Return one section per slide."""
    draft = Draft("pptx")
    archive = Archive(task.data)
    properties(archive, draft)
    main = main_part(archive, "ppt/presentation.xml")
    links = relations(archive, main)
    listed = child(archive.tree(main), "sldIdLst")
    ids = [_relation_id(entry) for entry in (listed if listed is not None else ())]
    names = [links[found].target for found in ids if found in links]
    draft.page_count = len(names)
    if not names:
        raise Unreadable("has no slides")
    wanted = selected(task, len(names), draft, "slide")
    draft.write(_slide(archive, names[place], place + 1, draft) for place in wanted)
    if not draft.markdown:
        raise Unreadable("has no text on its slides")
    return draft


def _relation_id(entry: Element) -> str:
    """Return the r:id, which stands beside an id without namespace."""
    found = (value for name, value in entry.attrib.items() if str(name).endswith("}id"))
    return str(next(found, ""))


def _slide(archive: Archive, name: str, number: int, draft: Draft) -> str:
    tree = archive.maybe(name)
    if tree is None:
        draft.warnings.append(f"slide {number} is missing or damaged")
        return ""
    if attribute(tree, "show") == "0":
        draft.warnings.append(f"slide {number} is hidden and was left out")
        return ""
    links = relations(archive, name)
    root = new("div")
    shapes = child(tree, "cSld", "spTree")
    title = _title(shapes)
    say(heading(root, 2), f"Slide {number}: {title}" if title else f"Slide {number}")
    draft.outline.append((1, title or f"Slide {number}"))
    if number == 1 and not draft.title:
        draft.title = title
    _shapes(shapes, root, links, 0)
    notes = related(links, "notesSlide")
    if notes:
        _notes(archive, notes, root)
    return written(root)


def _notes(archive: Archive, name: str, root: Element) -> None:
    tree = archive.maybe(name)
    holder = new("blockquote")
    shapes = child(tree, "cSld", "spTree")
    for shape in shapes if shapes is not None else ():
        if _place(shape) == "body":
            _paragraphs(child(shape, "txBody"), holder, relations(archive, name), listed=False)
    if not is_blank(holder):
        first = new("p")
        new("strong", first).text = "Notes:"
        holder.insert(0, first)
        root.append(holder)


def _title(shapes: Element | None) -> str:
    for shape in shapes if shapes is not None else ():
        if _place(shape) in _TITLES:
            return " ".join(" ".join(map(str, shape.itertext())).split())
    return ""


def _place(shape: Element) -> str:
    """Return the kind of placeholder a shape is; nothing for a free one."""
    for part in shape:
        if local(part).startswith("nv"):
            holder = child(part, "nvPr", "ph")
            return "" if holder is None else attribute(holder, "type") or "body"
    return ""


def _shapes(shapes: Iterable[Element] | None, root: Element, links: dict[str, Relation],
            depth: int) -> None:  # fmt: skip
    for shape in shapes if shapes is not None else ():
        name = local(shape)
        if name == "sp" and _place(shape) not in _TITLES | _FURNITURE and not _is_hidden(shape):
            _body(shape, root, links)
        elif name == "grpSp" and depth < _DEEPEST:
            _shapes(list(shape), root, links, depth + 1)
        elif name == "graphicFrame":
            _frame(shape, root, links)
        elif name == "pic" and not _is_hidden(shape):
            _picture(shape, root)
        elif name == "AlternateContent" and depth < _DEEPEST:
            _shapes(list(next(iter(shape), ())), root, links, depth + 1)


def _is_hidden(shape: Element) -> bool:
    for part in shape:
        if local(part).startswith("nv"):
            drawn = child(part, "cNvPr")
            return drawn is not None and attribute(drawn, "hidden") in ("1", "true")
    return False


def _picture(shape: Element, root: Element) -> None:
    drawn = child(shape, "nvPicPr", "cNvPr")
    words = "" if drawn is None else " ".join(attribute(drawn, "descr").split())
    if words:
        say(new("p", root), f"[Image: {words}]")


def _body(shape: Element, root: Element, links: dict[str, Relation]) -> None:
    place = _place(shape)
    _paragraphs(child(shape, "txBody"), root, links, listed=bool(place) and place not in _UNLISTED)


def _paragraphs(body: Element | None, root: Element, links: dict[str, Relation], *,
                listed: bool) -> None:  # fmt: skip
    """Write the paragraphs; in a content placeholder they are bullets unless they say not."""
    lists = Lists(root)
    for part in body if body is not None else ():
        if local(part) != "p" or not text(part):
            continue
        layout = child(part, "pPr")
        level = int(attribute(layout, "lvl")) if layout is not None and _digit(layout) else 0
        numbered = child(layout, "buAutoNum") is not None
        bullet = numbered or child(layout, "buChar") is not None
        if bullet or (listed and child(layout, "buNone") is None):
            _inline(part, lists.item(level, ordered=numbered), links)
        else:
            lists.close()
            _inline(part, new("p", root), links)


def _digit(layout: Element) -> bool:
    said = attribute(layout, "lvl")
    return said.isdecimal() and len(said) == 1


def _inline(paragraph: Element, home: Element, links: dict[str, Relation]) -> None:
    for part in paragraph:
        name = local(part)
        if name == "br":
            new("br", home)
        elif name in ("m", "AlternateContent"):
            _formulas(part, home)
        elif name in ("r", "fld"):
            font = child(part, "rPr")
            target = (
                links.get(attribute(clicked, "id"))
                if (clicked := child(font, "hlinkClick")) is not None
                else None
            )
            inside = home
            if target is not None and target.external:
                inside = new("a", home, href=target.target)
            for mark, tag in (("b", "strong"), ("i", "em")):
                if font is not None and attribute(font, mark) in ("1", "true"):
                    inside = new(tag, inside)
            said = child(part, "t")
            say(inside, "" if said is None else said.text or "")


def _formulas(part: Element, home: Element) -> None:
    """Write the formulas in the first of the renderings that are offered."""
    offered = next(iter(part), None) if local(part) == "AlternateContent" else part
    for found in offered.iter() if offered is not None else ():
        if local(found) == "oMath":
            formula(home, tex_of(found))


def _frame(shape: Element, root: Element, links: dict[str, Relation]) -> None:
    table = child(shape, "graphic", "graphicData", "tbl")
    if table is None:
        return
    made = new("table", root)
    for place, row in enumerate(part for part in table if local(part) == "tr"):
        line = new("tr", made)
        for cell in row:
            if local(cell) != "tc" or "1" in (attribute(cell, "hMerge"), attribute(cell, "vMerge")):
                continue
            home = new("td" if place else "th", line)
            for said, attr in (("gridSpan", "colspan"), ("rowSpan", "rowspan")):
                if attribute(cell, said).isdecimal():
                    home.set(attr, attribute(cell, said))
            _paragraphs(child(cell, "txBody"), home, links, listed=False)

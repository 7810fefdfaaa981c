"""Text inside a Word paragraph: emphasis, links, fields, notes and formulas; no hidden text."""

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from webquarry.content.html.dom import Element
from webquarry.reading.documents.docx.equations import tex_of
from webquarry.reading.documents.docx.hidden_runs import hidden_reason_of, is_hidden_shape
from webquarry.reading.documents.docx.styles import WordStyle, toggle, val
from webquarry.reading.documents.markup import Footnotes, add_formula, add_text, new_element
from webquarry.reading.documents.ooxml import Relation
from webquarry.reading.documents.zip_archive import all_text, attribute, child, local_name

_HYPERLINK = re.compile(r'HYPERLINK\s+(?:\\\w\s+)*"([^"]+)"')
_PLAIN = WordStyle()
_RAISED = {"superscript": "sup", "subscript": "sub"}
_SHIFT = re.compile(r"(-?)(?:[4-9]|\d{2,5})")  # half points from the line
_SHIFTED = {"": "sup", "-": "sub"}
_MAX_DEPTH = 60


@dataclass(slots=True)
class RunWriter:
    """Writes the runs of one part; collects hidden text and text boxes."""

    styles: dict[str, WordStyle]
    relations: dict[str, Relation]
    notes: Footnotes
    paragraph: WordStyle = _PLAIN  # style of the current paragraph
    prefix: str = ""  # distinguishes the notes of different parts
    hidden: Counter[str] = field(default_factory=Counter[str])
    text_boxes: list[Element] = field(default_factory=list[Element])
    # URLs of open fields; None while the code of a field is read
    fields: list[str | None] = field(default_factory=list[str | None])
    field_code: str = ""

    def write(self, source: Element, target: Element, depth: int = 0) -> None:
        """Write the content of a paragraph into an HTML element."""
        if depth > _MAX_DEPTH:
            add_text(target, all_text(source))
            return
        for part in source:
            writer = _WRITERS.get(local_name(part))
            if writer:
                writer(self, part, target, depth)

    @property
    def in_field_code(self) -> bool:
        """Whether the text is the code of a field, not its result."""
        return None in self.fields


def _run(runs: RunWriter, run: Element, target: Element, depth: int) -> None:
    font = child(run, "rPr")
    style = runs.styles.get(val(child(font, "rStyle")), _PLAIN)
    hidden_reason = hidden_reason_of(run, font, style, runs.paragraph)
    element: Element = target
    link = next((url for url in reversed(runs.fields) if url), None)
    if not hidden_reason and not runs.in_field_code:
        element = new_element("a", element, href=link) if link else element
        for tag in _emphasis_tags(font, style):
            element = new_element(tag, element)
    for part in run:
        name = local_name(part)
        if hidden_reason and name in ("t", "sym", "drawing", "pict"):
            runs.hidden[hidden_reason] += 1
        elif name in _FIELDS or not (hidden_reason or runs.in_field_code):
            writer = _IN_RUN.get(name)
            if writer:
                writer(runs, part, element, depth)


def _emphasis_tags(font: Element | None, style: WordStyle) -> list[str]:
    tags: list[str] = []
    if style.code:
        return ["code"]
    bold, italic = toggle(font, "b"), toggle(font, "i")
    if style.bold if bold is None else bold:
        tags.append("strong")
    if style.italic if italic is None else italic:
        tags.append("em")
    if toggle(font, "strike") or toggle(font, "dstrike"):
        tags.append("del")
    raised = _RAISED.get(val(child(font, "vertAlign")) or style.raised) or _shifted(font)
    return [*tags, raised] if raised else tags


def _shifted(font: Element | None) -> str:
    """Return the tag of text that stands above or below the line, as LibreOffice writes it."""
    shift = _SHIFT.fullmatch(val(child(font, "position")))
    return _SHIFTED[shift[1]] if shift else ""


def _text(runs: RunWriter, part: Element, target: Element, depth: int) -> None:
    del runs, depth
    add_text(target, part.text or "")


def _symbol(runs: RunWriter, part: Element, target: Element, depth: int) -> None:
    del runs, depth
    code = attribute(part, "char")
    if re.fullmatch(r"[0-9A-Fa-f]{4}", code) and not code.upper().startswith("F0"):
        add_text(target, chr(int(code, 16)))


def _break(runs: RunWriter, part: Element, target: Element, depth: int) -> None:
    del runs, depth
    if attribute(part, "type") in ("", "textWrapping"):
        new_element("br", target)


def _note(runs: RunWriter, part: Element, target: Element, depth: int) -> None:
    del depth
    runs.notes.add_reference(
        target, f"{local_name(part).removesuffix('Reference')}:{attribute(part, 'id')}"
    )


def _drawing(runs: RunWriter, part: Element, target: Element, depth: int) -> None:
    del depth
    if is_hidden_shape(part):
        runs.hidden["hidden text"] += 1
        return
    for shape in part.iter():
        name = local_name(shape)
        if name == "docPr" and attribute(shape, "descr").strip():
            add_text(target, f"[Image: {' '.join(attribute(shape, 'descr').split())}]")
        elif name == "txbxContent":
            runs.text_boxes.append(shape)
            break


def _field(runs: RunWriter, part: Element, target: Element, depth: int) -> None:
    del target, depth
    kind = attribute(part, "fldCharType")
    if kind == "begin":
        runs.fields.append(None)
        runs.field_code = ""
    elif kind == "separate" and runs.fields:
        runs.fields[-1] = _link_url(runs.field_code)
    elif kind == "end" and runs.fields:
        runs.fields.pop()


def _field_code(runs: RunWriter, part: Element, target: Element, depth: int) -> None:
    del target, depth
    runs.field_code += part.text or ""


def _link_url(code: str) -> str:
    match = _HYPERLINK.search(code)
    return match[1] if match else ""


def _simple_field(runs: RunWriter, part: Element, target: Element, depth: int) -> None:
    link = _link_url(attribute(part, "instr"))
    runs.write(part, new_element("a", target, href=link) if link else target, depth + 1)


def _hyperlink(runs: RunWriter, part: Element, target: Element, depth: int) -> None:
    relation = runs.relations.get(attribute(part, "id"))
    anchor = attribute(part, "anchor")
    if relation is not None and relation.external:
        href = relation.target + (f"#{anchor}" if anchor and "#" not in relation.target else "")
        target = new_element("a", target, href=href)
    runs.write(part, target, depth + 1)


def _children(runs: RunWriter, part: Element, target: Element, depth: int) -> None:
    runs.write(part, target, depth + 1)


def _structured_tag(runs: RunWriter, part: Element, target: Element, depth: int) -> None:
    content = child(part, "sdtContent")
    if content is not None:
        runs.write(content, target, depth + 1)


def _alternate_content(runs: RunWriter, part: Element, target: Element, depth: int) -> None:
    """Write the first of several renderings of the same content."""
    choice = next(iter(part), None)
    if choice is None:
        return
    _run(runs, choice, target, depth + 1)


def _formula(runs: RunWriter, part: Element, target: Element, depth: int) -> None:
    del runs, depth
    add_formula(target, tex_of(part))


def _display_formula(runs: RunWriter, part: Element, target: Element, depth: int) -> None:
    del runs, depth
    for entry in part:
        if local_name(entry) == "oMath":
            add_formula(target, tex_of(entry), display=True)


_PartWriter = Callable[[RunWriter, Element, Element, int], None]
_FIELDS = frozenset(("fldChar", "instrText"))
_IN_RUN: dict[str, _PartWriter] = {
    "t": _text,
    "tab": lambda _runs, _part, target, _depth: add_text(target, " "),
    "br": _break,
    "cr": _break,
    "noBreakHyphen": lambda _runs, _part, target, _depth: add_text(target, "-"),
    "sym": _symbol,
    "footnoteReference": _note,
    "endnoteReference": _note,
    "drawing": _drawing,
    "pict": _drawing,
    "object": _drawing,
    "AlternateContent": _alternate_content,
    "fldChar": _field,
    "instrText": _field_code,
}
_WRITERS: dict[str, _PartWriter] = {
    "r": _run,
    "hyperlink": _hyperlink,
    "fldSimple": _simple_field,
    "sdt": _structured_tag,
    "ins": _children,
    "moveTo": _children,
    "smartTag": _children,
    "customXml": _children,
    "dir": _children,
    "bdo": _children,
    "oMath": _formula,
    "oMathPara": _display_formula,
    "AlternateContent": _alternate_content,
}

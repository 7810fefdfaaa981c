"""Text inside a Word paragraph: emphasis, links, fields, notes, formulas; nothing unseen."""

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from webquarry.content.html.dom import Element
from webquarry.reading.documents.docx.equations import tex_of
from webquarry.reading.documents.docx.styles import Style, number, switch, value
from webquarry.reading.documents.markup import Footnotes, formula, new, say
from webquarry.reading.documents.ooxml import Relation
from webquarry.reading.documents.zip_archive import all_text, attribute, child, local

_HYPERLINK = re.compile(r'HYPERLINK\s+(?:\\\w\s+)*"([^"]+)"')
_TINY = 4  # half points
_PLAIN = Style()
_DEEPEST = 60


@dataclass(slots=True)
class Inline:
    """What the runs of one part need to know, and what they leave behind."""

    styles: dict[str, Style]
    links: dict[str, Relation]
    notes: Footnotes
    prefix: str = ""  # keeps the notes of different parts apart
    hidden: Counter[str] = field(default_factory=Counter[str])
    boxes: list[Element] = field(default_factory=list[Element])
    fields: list[str | None] = field(default_factory=list[str | None])  # None: still its code
    code: str = ""

    def write(self, source: Element, target: Element, depth: int = 0) -> None:
        """Put the content of a paragraph into an HTML element."""
        if depth > _DEEPEST:
            say(target, all_text(source))
            return
        for part in source:
            writer = _WRITERS.get(local(part))
            if writer:
                writer(self, part, target, depth)

    @property
    def in_code(self) -> bool:
        """Whether the text belongs to the code of a field, not to its result."""
        return None in self.fields


def _run(inline: Inline, run: Element, target: Element, depth: int) -> None:
    font = child(run, "rPr")
    style = inline.styles.get(value(child(font, "rStyle")), _PLAIN)
    unseen = _unseen(run, font, style)
    home: Element = target
    link = next((url for url in reversed(inline.fields) if url), None)
    if not unseen and not inline.in_code:
        home = new("a", home, href=link) if link else home
        for tag in _marks(font, style):
            home = new(tag, home)
    for part in run:
        name = local(part)
        if unseen and name in ("t", "sym", "drawing", "pict"):
            inline.hidden[unseen] += 1
        elif name in _FIELDS or not (unseen or inline.in_code):
            writer = _IN_RUN.get(name)
            if writer:
                writer(inline, part, home, depth)


def _marks(font: Element | None, style: Style) -> list[str]:
    marks: list[str] = []
    if style.code:
        return ["code"]
    bold, italic = switch(font, "b"), switch(font, "i")
    if style.bold if bold is None else bold:
        marks.append("strong")
    if style.italic if italic is None else italic:
        marks.append("em")
    if switch(font, "strike") or switch(font, "dstrike"):
        marks.append("del")
    height = {"superscript": "sup", "subscript": "sub"}.get(value(child(font, "vertAlign")))
    return [*marks, height] if height else marks


def _unseen(run: Element, font: Element | None, style: Style) -> str:
    """Return why a person would not see the run, or nothing."""
    hidden = switch(font, "vanish")
    if style.hidden if hidden is None else hidden:
        return "hidden text"
    size = value(child(font, "sz"))
    if size and 0 < number(size, 99) <= _TINY:
        return "tiny text"
    if value(child(font, "color")).upper() == "FFFFFF" and not _is_shaded(run, font):
        return "white text"
    return ""


def _is_shaded(run: Element, font: Element | None) -> bool:
    """Whether something may lie behind the run that is not white."""
    if child(font, "highlight") is not None or child(font, "shd") is not None:
        return True
    for above in run.iterancestors():
        name = local(above)
        held = child(above, f"{name}Pr", "shd") if name in ("p", "tc", "tbl") else None
        if held is not None or name in ("txbxContent", "tbl"):
            return True  # table styles and boxes shade what they hold
    return False


def _text(inline: Inline, part: Element, target: Element, depth: int) -> None:
    del inline, depth
    say(target, part.text or "")


def _symbol(inline: Inline, part: Element, target: Element, depth: int) -> None:
    del inline, depth
    code = attribute(part, "char")
    if re.fullmatch(r"[0-9A-Fa-f]{4}", code) and not code.upper().startswith("F0"):
        say(target, chr(int(code, 16)))


def _break(inline: Inline, part: Element, target: Element, depth: int) -> None:
    del inline, depth
    if attribute(part, "type") in ("", "textWrapping"):
        new("br", target)


def _note(inline: Inline, part: Element, target: Element, depth: int) -> None:
    del depth
    inline.notes.mark(target, f"{local(part).removesuffix('Reference')}:{attribute(part, 'id')}")


def _drawing(inline: Inline, part: Element, target: Element, depth: int) -> None:
    del depth
    for shape in part.iter():
        name = local(shape)
        if name == "docPr" and attribute(shape, "descr").strip():
            say(target, f"[Image: {' '.join(attribute(shape, 'descr').split())}]")
        elif name == "txbxContent":
            inline.boxes.append(shape)
            break


def _field(inline: Inline, part: Element, target: Element, depth: int) -> None:
    del target, depth
    kind = attribute(part, "fldCharType")
    if kind == "begin":
        inline.fields.append(None)
        inline.code = ""
    elif kind == "separate" and inline.fields:
        inline.fields[-1] = _linked(inline.code)
    elif kind == "end" and inline.fields:
        inline.fields.pop()


def _field_code(inline: Inline, part: Element, target: Element, depth: int) -> None:
    del target, depth
    inline.code += part.text or ""


def _linked(code: str) -> str:
    match = _HYPERLINK.search(code)
    return match[1] if match else ""


def _simple_field(inline: Inline, part: Element, target: Element, depth: int) -> None:
    link = _linked(attribute(part, "instr"))
    inline.write(part, new("a", target, href=link) if link else target, depth + 1)


def _hyperlink(inline: Inline, part: Element, target: Element, depth: int) -> None:
    relation = inline.links.get(attribute(part, "id"))
    anchor = attribute(part, "anchor")
    if relation is not None and relation.external:
        href = relation.target + (f"#{anchor}" if anchor and "#" not in relation.target else "")
        target = new("a", target, href=href)
    inline.write(part, target, depth + 1)


def _inside(inline: Inline, part: Element, target: Element, depth: int) -> None:
    inline.write(part, target, depth + 1)


def _content(inline: Inline, part: Element, target: Element, depth: int) -> None:
    held = child(part, "sdtContent")
    if held is not None:
        inline.write(held, target, depth + 1)


def _alternative(inline: Inline, part: Element, target: Element, depth: int) -> None:
    """Take the first of several renderings of the same thing."""
    choice = next(iter(part), None)
    if choice is None:
        return
    _run(inline, choice, target, depth + 1)


def _formula(inline: Inline, part: Element, target: Element, depth: int) -> None:
    del inline, depth
    formula(target, tex_of(part))


def _display(inline: Inline, part: Element, target: Element, depth: int) -> None:
    del inline, depth
    for entry in part:
        if local(entry) == "oMath":
            formula(target, tex_of(entry), display=True)


_Writer = Callable[[Inline, Element, Element, int], None]
_FIELDS = frozenset(("fldChar", "instrText"))
_IN_RUN: dict[str, _Writer] = {
    "t": _text,
    "tab": lambda _i, _p, target, _d: say(target, " "),
    "br": _break,
    "cr": _break,
    "noBreakHyphen": lambda _i, _p, target, _d: say(target, "-"),
    "sym": _symbol,
    "footnoteReference": _note,
    "endnoteReference": _note,
    "drawing": _drawing,
    "pict": _drawing,
    "object": _drawing,
    "AlternateContent": _alternative,
    "fldChar": _field,
    "instrText": _field_code,
}
_WRITERS: dict[str, _Writer] = {
    "r": _run,
    "hyperlink": _hyperlink,
    "fldSimple": _simple_field,
    "sdt": _content,
    "ins": _inside,
    "moveTo": _inside,
    "smartTag": _inside,
    "customXml": _inside,
    "dir": _inside,
    "bdo": _inside,
    "oMath": _formula,
    "oMathPara": _display,
    "AlternateContent": _alternative,
}

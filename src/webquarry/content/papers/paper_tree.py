"""A paper as a tree of HTML sections: its sections as Markdown, its figures and its tables."""

import re
from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass, field

from webquarry.content.html.dom import Element, children_of, drop_tree, text_of
from webquarry.content.markdown.writer import write_markdown
from webquarry.models.paper_text import PaperFigure, PaperReference, PaperSection

MAX_SECTIONS = 1_000
MAX_LEVEL = 6
_MARKER = re.compile(r"\]\(#([^()\s]{1,200})\)")
_LABEL = re.compile(
    r"((?:Extended Data |Supplementary )?(?:Fig(?:ure|\.)?|Table|Scheme|Box|Algorithm)"
    r"\s*[\w.-]{1,12})"
    r"[.:|]?\s*",
    re.IGNORECASE,
)


@dataclass(slots=True)
class PaperParts:
    """The parts of a paper while its tree is read."""

    sections: list[PaperSection] = field(default_factory=list[PaperSection])
    figures: list[PaperFigure] = field(default_factory=list[PaperFigure])
    tables: list[PaperFigure] = field(default_factory=list[PaperFigure])
    truncated: bool = False

    def add_section(self, element: Element, title: str, level: int) -> None:
        """Add a section, and after it those inside it."""
        if len(self.sections) >= MAX_SECTIONS:
            self.truncated = True
            return
        inner = [child for child in children_of(element) if child.tag == "section"]
        for child in inner:
            drop_tree(child)
        self._take_floats(element, title)
        text = write_markdown(element)  # without a base, so that links within the paper stay
        if text or title:
            anchor = element.get("id", "")
            self.sections.append(PaperSection(title=title, level=level, text=text, anchor=anchor))
        for child in inner:
            self.add_section(child, take_title(child), min(level + 1, MAX_LEVEL))

    def _take_floats(self, element: Element, section: str) -> None:
        """List figures and tables; in the text, the caption and the cells of each stay."""
        for figure in list(element.iter("figure")):
            caption = figure.find("figcaption")
            words = "" if caption is None else _spaced_text(caption)
            label, rest = split_label(words)
            table = figure.find(".//table")
            if table is None:
                self.figures.append(PaperFigure(label=label, caption=rest, section=section))
                continue
            cells = write_markdown(_tables_of(figure))
            self.tables.append(PaperFigure(label=label, caption=rest, section=section, table=cells))


def _tables_of(figure: Element) -> Element:
    """Return a copy of the figure's tables, without its caption."""
    copy = deepcopy(figure)
    for caption in list(copy.iter("figcaption")):
        drop_tree(caption)
    return copy


def _spaced_text(caption: Element) -> str:
    """Return the text of a caption; its paragraphs are words apart."""
    parts = [caption.text or ""]
    for child in children_of(caption):
        after = " " if child.tag in ("strong", "p") else ""
        parts += [text_of(child), after, child.tail or ""]
    return " ".join("".join(parts).split())


def split_label(caption: str) -> tuple[str, str]:
    """Return "Figure 2" and the rest of a caption."""
    match = _LABEL.match(caption)
    return (match[1].rstrip(".:"), caption[match.end() :]) if match else ("", caption)


def take_title(section: Element) -> str:
    """Return the heading of a section, and remove it."""
    for child in children_of(section):
        if child.tag in ("h1", "h2", "h3", "h4", "h5", "h6"):
            title = text_of(child)
            drop_tree(child)
            return title
    return ""


def with_citing_sections(
    references: list[PaperReference], sections: list[PaperSection]
) -> tuple[tuple[PaperReference, ...], int]:
    """Return the references with the sections that cite them, and the number of citations."""
    known = {reference.id for reference in references}
    cited: dict[str, list[str]] = {}
    markers = 0
    for section in sections:
        for target in _MARKER.findall(section.text):
            if target in known:
                markers += 1
                titles = cited.setdefault(target, [])
                if section.title not in titles:
                    titles.append(section.title)
    return _with_titles(references, cited), markers


def _with_titles(
    references: list[PaperReference], cited: Mapping[str, list[str]]
) -> tuple[PaperReference, ...]:
    return tuple(
        each.model_copy(update={"citedIn": tuple(filter(None, cited.get(each.id, ())))})
        for each in references
    )

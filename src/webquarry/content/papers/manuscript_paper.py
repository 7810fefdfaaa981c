"""A paper of which only a PDF or a web page is open, from its text."""

from collections import defaultdict
from collections.abc import Sequence

from webquarry.content.manuscript.manuscript_model import (
    CitationMarker,
    Manuscript,
    ManuscriptSection,
    ReferenceEntry,
)
from webquarry.content.papers.paper_tree import split_label
from webquarry.models.paper_text import PaperFigure, PaperReference, PaperSection, PaperText

_LINKED = frozenset(("numbered", "author-year", "superscript", "footnote", "latex"))
_REFERENCE_TITLES = frozenset(
    ("references", "bibliography", "literature cited", "works cited", "reference list")
)
_MAX_CAPTION = 2_000


def paper_of_manuscript(manuscript: Manuscript) -> PaperText:
    """Return the paper; citations become links to the entries of its reference list."""
    sections = tuple(_sections(manuscript))
    figures, tables = _captions(sections)
    markers = [marker for marker in manuscript.markers if marker.kind in _LINKED]
    return PaperText(
        title=manuscript.title,
        sections=sections,
        figures=figures,
        tables=tables,
        references=tuple(_references(manuscript)),
        markers=len(markers),
        unlinked=sum(1 for marker in markers if not marker.entries),
        notes=manuscript.warnings,
    )


def _sections(manuscript: Manuscript) -> list[PaperSection]:
    first = manuscript.sections[0].span.start if manuscript.sections else len(manuscript.text)
    found = [_section(manuscript, "", 1, 0, first)]
    for each in manuscript.sections:
        if each.title.strip(" .:").lower().lstrip("0123456789. ") in _REFERENCE_TITLES:
            continue
        start = _after_heading(manuscript.text, each)
        found.append(_section(manuscript, each.title, each.level, start, each.span.end))
    return [section for section in found if section.title or section.text]


def _after_heading(text: str, section: ManuscriptSection) -> int:
    end = text.find("\n", section.span.start, section.span.end)
    return section.span.end if end < 0 else end


def _section(manuscript: Manuscript, title: str, level: int, start: int, end: int) -> PaperSection:
    text = _linked(manuscript, start, end).strip("\n")
    return PaperSection(title=title, level=level, text=text, page=manuscript.page_of(start))


def _linked(manuscript: Manuscript, start: int, end: int) -> str:
    """Return a part of the text with its citations as links."""
    labels = {entry.id: entry.label for entry in manuscript.references}
    parts: list[str] = []
    position = start
    for marker in manuscript.markers:
        inside = start <= marker.span.start and marker.span.end <= end
        if not inside or marker.span.start < position or not _is_linkable(marker):
            continue
        parts += (manuscript.text[position : marker.span.start], _links(marker, labels))
        position = marker.span.end
    return "".join((*parts, manuscript.text[position:end]))


def _is_linkable(marker: CitationMarker) -> bool:
    return marker.kind in _LINKED and bool(marker.entries) and "](" not in marker.text


def _links(marker: CitationMarker, labels: dict[str, str]) -> str:
    """Return a marker with a link for each of its works, or one link if they cannot be told."""
    bare = marker.text.strip("[]()")
    if marker.kind == "numbered" and all(labels.get(entry) for entry in marker.entries):
        return f"[{', '.join(f'[{labels[e]}](#{e})' for e in marker.entries)}]"
    works = [part.strip() for part in bare.split(";")]
    if len(works) == len(marker.entries) > 1:
        pairs = zip(works, marker.entries, strict=True)
        return f"({'; '.join(f'[{work}](#{entry})' for work, entry in pairs)})"
    before, _, after = marker.text.partition(bare) if bare else (marker.text, "", "")
    return f"{before}[{bare or marker.text}](#{marker.entries[0]}){after}"


def _references(manuscript: Manuscript) -> list[PaperReference]:
    cited: defaultdict[str, list[str]] = defaultdict(list)
    for marker in manuscript.markers:
        title = _title_at(manuscript, marker.span.start)
        for entry in marker.entries:
            if title and title not in cited[entry]:
                cited[entry].append(title)
    works = [entry for entry in manuscript.references if entry.kind != "note"]
    return [_reference(entry, cited[entry.id]) for entry in works]


def _title_at(manuscript: Manuscript, place: int) -> str:
    inside = (each for each in manuscript.sections if each.span.start <= place < each.span.end)
    return next((each.title for each in inside), "")


def _reference(entry: ReferenceEntry, cited: Sequence[str]) -> PaperReference:
    doi = entry.doi
    return PaperReference(
        id=entry.id,
        label=entry.label,
        text=" ".join(entry.text.split()),
        title=entry.title,
        year=entry.year,
        doi=doi,
        url=f"https://doi.org/{doi}" if doi else entry.url,
        citedIn=tuple(cited),
    )


def _captions(
    sections: Sequence[PaperSection],
) -> tuple[tuple[PaperFigure, ...], tuple[PaperFigure, ...]]:
    """Return the captions that stand as paragraphs: a label, then words."""
    figures: dict[str, PaperFigure] = {}
    tables: dict[str, PaperFigure] = {}
    for section in sections:
        for paragraph in section.text.split("\n\n"):
            bare = paragraph.strip("*_# \n")
            label, rest = split_label(bare)
            if not label or bare[len(label) :][:1] not in (".", ":", "|"):
                continue
            caption = " ".join(rest.strip("*_").split())[:_MAX_CAPTION]
            found = PaperFigure(
                label=label, caption=caption, section=section.title, page=section.page
            )
            (tables if label.lower().startswith("table") else figures).setdefault(label, found)
    return tuple(figures.values()), tuple(tables.values())

"""The `paper_fulltext` tool: the open full text of a paper by section."""

import re
from collections.abc import Iterable

from pydantic import Field

from webquarry.calls.paging import DEFAULT_TOKENS, Budgeted, Paged
from webquarry.calls.paper_as_text import paper_text
from webquarry.calls.tool import Call, ToolOptions, tool
from webquarry.calls.tool_schema import names_schema
from webquarry.content.papers.paper_passages import PaperPassage, best_passages
from webquarry.errors import NotFoundError
from webquarry.models.model import Filled, Model
from webquarry.models.paper_text import (
    OpenPlace,
    PaperFigure,
    PaperFormat,
    PaperFullText,
    PaperReference,
    PaperSection,
    PaperText,
)
from webquarry.models.retraction import RetractionStatus
from webquarry.models.zero_results import TRUST
from webquarry.parsing.task import ParseTask

_MAX_PASSAGES = 6
_NUMBER = re.compile(r"^(?:section\s+)?[\divxlc]{1,6}(?:\.\d{1,3})*[.)]?\s+", re.IGNORECASE)
_REFERENCES = "references"


class PaperFulltextIn(Budgeted):
    """Arguments of `paper_fulltext`."""

    paper: str = Field(
        min_length=3, max_length=2000, description="DOI, arXiv id, PMID, PMCID, URL or title."
    )
    section: str | None = Field(
        default=None, max_length=300, description="Only this section, by heading."
    )
    query: str | None = Field(
        default=None, max_length=1000, description="Only the best passages for this."
    )


class OutlinedSection(Model):
    """A heading and how much text is under it."""

    title: str
    level: int
    words: int
    page: Filled[int] = None


class PaperFulltextOut(Paged):
    """Result of `paper_fulltext`."""

    title: str
    available: bool
    url: str | None = None
    doi: str | None = None
    ids: dict[str, str] | None = None
    authors: Filled[list[str]] = None
    journal: Filled[str] = None
    published: Filled[str] = None
    format: PaperFormat | None = None
    source: Filled[str] = None
    licence: Filled[str] = None
    version: Filled[str] = None
    retractionStatus: RetractionStatus | None = None
    notes: Filled[list[str]] = None
    where: Filled[list[OpenPlace]] = None
    abstract: Filled[str] = None
    sections: Filled[list[OutlinedSection]] = None
    passages: Filled[list[PaperPassage]] = None
    content: Filled[str] = None
    figures: Filled[list[PaperFigure]] = None
    tables: Filled[list[PaperFigure]] = None
    references: Filled[list[PaperReference]] = None
    trust: str = TRUST


_FIELDS = (
    "title", "available", "url", "licence", "version", "where", "notes", "sections", "passages",
    "content", "figures", "tables", "nextCursor",
)  # fmt: skip


@tool(
    "scholar",
    ToolOptions(
        title="Full text of a paper",
        timeout=115,
        cuttable=("passages", "content", "references", "tables", "figures", "sections"),
        default_tokens=DEFAULT_TOKENS,
        text=paper_text,
        output_schema=names_schema(*_FIELDS, references="id label text doi? citedIn"),
    ),
)
async def paper_fulltext(args: PaperFulltextIn, call: Call) -> PaperFulltextOut:
    """Read a scholarly paper by section: best open full text with figures, tables, references.

    Says licence and version, or where a paper is that is not open.
    """
    found = await call.services.paper_texts.read(args.paper, call.caller)
    if not found.available:
        return _result(found, found.paper)
    paper = _chosen(found.paper, args.section) if args.section else found.paper
    if not args.query:
        return _result(found, paper, content=_markdown(paper.sections))
    task = ParseTask(best_passages, subject=found.url)
    content = paper.model_dump_json().encode("utf-8", "replace")
    passages = await call.services.parsers.run(
        task, content, query=args.query, url=found.url, count=_MAX_PASSAGES
    )
    notes = () if passages else (f"No passage has words of {args.query!r}.",)
    named = {each.section for each in passages}
    shown = paper.model_copy(update={"notes": (*paper.notes, *notes)})
    return _result(found, _cited_in(shown, named), passages=passages)


def _cited_in(paper: PaperText, titles: set[str]) -> PaperText:
    """Return the paper with only the references, figures and tables of some sections."""
    return paper.model_copy(
        update={
            "references": tuple(r for r in paper.references if titles & {*r.citedIn}),
            "figures": tuple(each for each in paper.figures if each.section in titles),
            "tables": tuple(each for each in paper.tables if each.section in titles),
        }
    )


def _chosen(paper: PaperText, wanted: str) -> PaperText:
    """Return a section with its subsections; "references" is the list alone."""
    key = _key(wanted)
    if key == _REFERENCES:
        return paper.model_copy(update={"sections": (), "figures": (), "tables": ()})
    titles = [_key(section.title) for section in paper.sections]
    at = _closest(titles, key)
    if at is None:
        known = ", ".join(repr(each.title) for each in paper.sections if each.title)
        raise NotFoundError(
            f"section: the paper has none that is called {wanted!r}. Its sections: {known[:1500]}."
        )
    sections = [paper.sections[at]]
    for following in paper.sections[at + 1 :]:
        if following.level <= sections[0].level:
            break
        sections.append(following)
    chosen = paper.model_copy(update={"sections": tuple(sections)})
    return _cited_in(chosen, {section.title for section in sections})


def _closest(titles: list[str], key: str) -> int | None:
    """Return the title that is the key, or begins with it, or has it inside."""
    ranked = [(0 if title == key else 1 if title.startswith(key) else 2, n)
              for n, title in enumerate(titles) if key in title]  # fmt: skip
    return min(ranked)[1] if ranked else None


def _key(title: str) -> str:
    return " ".join(_NUMBER.sub("", title.strip()).casefold().split()).strip(" .:")


def _markdown(sections: Iterable[PaperSection]) -> str:
    parts: list[str] = []
    for section in sections:
        if section.title:
            parts.append(f"{'#' * min(section.level + 1, 6)} {section.title}")
        if section.text:
            parts.append(section.text)
    return "\n\n".join(parts)


def _result(
    found: PaperFullText,
    paper: PaperText,
    *,
    content: str = "",
    passages: list[PaperPassage] | None = None,
) -> PaperFulltextOut:
    ids = found.ids.model_dump(include={"arxiv", "pmid", "pmcid"}, exclude_none=True)
    return PaperFulltextOut(
        title=paper.title,
        available=found.available,
        url=found.url or None,
        doi=found.ids.doi,
        ids=ids or None,
        authors=list(paper.authors),
        journal=paper.journal,
        published=paper.published,
        format=found.format,
        source=found.source,
        licence=paper.licence,
        version=paper.version,
        retractionStatus=found.retraction,
        notes=list(_notes(paper)),
        where=list(found.where),
        abstract=None if found.available else found.abstract,
        sections=[_outlined(section) for section in found.paper.sections],
        passages=passages,
        content=content,
        figures=list(paper.figures),
        tables=list(paper.tables),
        references=list(paper.references),
    )


def _notes(paper: PaperText) -> Iterable[str]:
    yield from paper.notes
    if paper.unlinked:
        yield (
            f"{paper.unlinked} of {paper.markers} citations could not be linked to the "
            "reference list."
        )


def _outlined(section: PaperSection) -> OutlinedSection:
    words = len(section.text.split())
    return OutlinedSection(title=section.title, level=section.level, words=words, page=section.page)

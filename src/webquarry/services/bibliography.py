"""Bibliographies: APA, MLA, CSL styles, BibTeX, RIS and CSL-JSON."""

from collections.abc import Iterable, Sequence
from datetime import date
from difflib import get_close_matches

from pydantic import TypeAdapter

from webquarry.content.citations.export import (
    KeyedReference,
    Reference,
    bibtex,
    csl_json,
    ris,
    with_keys,
)
from webquarry.content.citations.page_citation import apa_list, cite_mla
from webquarry.errors import BadInputError
from webquarry.parsing.parsers import Parsers
from webquarry.parsing.task import ParseTask
from webquarry.services.csl_styles import csl_bibliography
from webquarry.services.installed_styles import has_all_styles, style_names

BUILT_IN_STYLES = ("apa", "mla", "bibtex", "ris", "csl-json")
# common names of CSL styles
_ALIASES = {
    "chicago": "chicago-author-date",
    "harvard": "harvard-cite-them-right",
    "vancouver": "nlm-citation-sequence",
    "ama": "american-medical-association",
    "acs": "american-chemical-society",
    "acm": "association-for-computing-machinery",
}
_REFERENCES = TypeAdapter(list[Reference])
_FORMAT_SECONDS = 30.0  # for 1000 sources in a CSL style


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
    if style == "apa":
        return "\n\n".join(apa_list([each.reference for each in references], accessed))
    if style == "mla":
        return "\n\n".join(sorted(cite_mla(each.reference, accessed) for each in references))
    return "\n\n".join(csl_bibliography(references, style, accessed))


def check_style(style: str) -> str:
    """Return the canonical name of a style; an unknown one is a BadInputError."""
    name = style.strip().lower()
    if name in BUILT_IN_STYLES:
        return name
    name = _ALIASES.get(name, name)
    if name in style_names():
        return name
    similar = get_close_matches(name, style_names(), n=3)
    suggestion = f" (or did you mean {', '.join(similar)}?)" if similar else ""
    raise BadInputError(f"style: unknown style {style!r}; choose from {_choices()}{suggestion}")


def _choices() -> str:
    """Return which styles there are, and how to get the others."""
    common = f"{', '.join([*BUILT_IN_STYLES, *_ALIASES])}, ieee"
    if has_all_styles():
        return f"{common} or any CSL style by its name"
    installed = ", ".join(sorted(style_names() - {*BUILT_IN_STYLES, "ieee"}))
    return (
        f"{common}, {installed}. For all other CSL styles, install the extra `styles`: "
        "pip install 'webquarry[styles]'"
    )

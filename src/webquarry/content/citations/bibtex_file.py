"""Parses BibTeX files; an entry whose braces do not match is read line by line."""

import logging
import re
from collections.abc import Iterator, Mapping
from functools import cache
from html import unescape
from importlib import import_module
from typing import Any

from webquarry.content.citations.bib_entry import (
    BadEntry,
    BibEntry,
    WorkKind,
    arxiv_number,
    noted_doi,
    noted_pmid,
    url_in,
)

_BRACES = re.compile(r"[{}]")
_ENTITY = re.compile(r"&(?:amp|apos|quot|lt|gt|#\d{2,5});")
# in LaTeX they would separate columns and start a comment
_LITERAL = re.compile(r"(?<!\\)[&%#]")
_COMMAND = re.compile(r"\\(?:url|href|path|nolinkurl|texttt)\s*\{")
_AUTHOR_SEPARATOR = re.compile(r"(?<!\s)\s+and\s+", re.IGNORECASE)
_FIELD_LINE = re.compile(r"^\s*+([\w-]++)\s*+=\s*+[{\"]?(.*)$")
_ENTRY_LINE = re.compile(r"^\s*+@(\w++)\s*+[{(]\s*+[^,\s]*+\s*+,\s*$")
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_VENUES = ("journal", "journaltitle", "booktitle")
_URL_FIELDS = frozenset({"url", "doi", "howpublished", "note", "eprint", "ee", "link", "file"})
_KINDS: dict[str, WorkKind] = {
    "article": "article", "inproceedings": "proceedings", "conference": "proceedings",
    "book": "book", "inbook": "book", "incollection": "book", "booklet": "book",
    "phdthesis": "thesis", "mastersthesis": "thesis", "thesis": "thesis",
    "techreport": "report", "report": "report", "manual": "report",
    "online": "webpage", "electronic": "webpage", "www": "webpage",
}  # fmt: skip


def read_bibtex_entries(text: str) -> tuple[list[BibEntry], list[BadEntry]]:
    """Return the entries, and those that could not be parsed."""
    entrypoint: Any = import_module("bibtexparser.entrypoint")
    # malformed entries are reported in the result, not in the log
    logging.getLogger("bibtexparser").setLevel(logging.CRITICAL)
    library: Any = entrypoint.parse_string(text)
    entries = [_parsed(block.start_line + 1, block) for block in library.entries]
    bad: list[BadEntry] = []
    for block in library.failed_blocks:
        line = block.start_line + 1
        repeated: Any = getattr(block, "ignore_error_block", None)
        recovered = _recovered(str(block.raw or ""))
        # a repeated @string has no fields
        if type(block).__name__.startswith("Duplicate") and hasattr(repeated, "fields_dict"):
            entries.append(_parsed(line, repeated))
        elif recovered is not None:
            entries.append(_entry(line, *recovered))
        else:
            problem = " ".join(str(block.error).split())[:200]
            bad.append(BadEntry(line, problem or "its braces or quotes do not match"))
    return sorted(entries), sorted(bad)


def _parsed(line: int, block: Any) -> BibEntry:
    fields = {name: str(field.value) for name, field in block.fields_dict.items()}
    return _entry(line, str(block.entry_type), fields)


def _recovered(raw: str) -> tuple[str, dict[str, str]] | None:
    """Return type and fields of an entry that has one field on each line; None for another."""
    lines = [line for line in raw.strip().splitlines() if line.strip()]
    start = _ENTRY_LINE.match(lines[0]) if lines else None
    if start is None or lines[-1].strip() not in ("}", ")"):
        return None
    found = [_FIELD_LINE.match(line) for line in lines[1:-1]]
    if not found or not all(found):
        return None
    return start[1], {match[1]: _without_end(match[2]) for match in found if match}


def _without_end(value: str) -> str:
    """Return the value of a field without its closing brace or quotation mark and the comma."""
    bare = value.rstrip().removesuffix(",").rstrip()
    return bare[:-1] if bare.endswith(("}", '"')) else bare


def _entry(line: int, kind: str, raw: Mapping[str, str]) -> BibEntry:
    fields = dict(_decoded(raw))
    notes = [fields.get(name, "") for name in ("howpublished", "note")]
    venue = next(filter(None, (fields.get(name, "") for name in _VENUES)), "")
    archive = fields.get("archiveprefix") or fields.get("eprinttype", "")
    authors = _AUTHOR_SEPARATOR.split(fields.get("author", ""))
    return BibEntry(
        line=line,
        title=fields.get("title", ""),
        authors=tuple(filter(str.strip, authors)),
        date=fields.get("date") or _date(fields),
        venue=venue,
        pages=re.sub(r"[-\u2013]+", "-", fields.get("pages", "")),
        doi=noted_doi(fields.get("doi", ""), *notes),
        url=fields.get("url") or url_in(*notes, fields.get("ee", "")),
        kind=_KINDS.get(kind.lower(), ""),
        volume=fields.get("volume", ""),
        arxiv=arxiv_number(fields.get("eprint", ""), archive, venue, *notes),
        pmid=noted_pmid(fields.get("pmid", ""), *notes),
        isbn=fields.get("isbn", ""),
    )


def _decoded(raw: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield the fields as plain text; a URL is not LaTeX text."""
    for name, value in raw.items():
        if name.lower() in _URL_FIELDS:
            plain = _COMMAND.sub(" {", value).replace("\\", "")
        else:
            plain = text_of_latex(value)
        yield name.lower(), " ".join(_BRACES.sub(" " if "://" in plain else "", plain).split())


def text_of_latex(value: str) -> str:
    """Return LaTeX as plain text; what cannot be read stays as it is."""
    literal = _ENTITY.sub(lambda entity: unescape(entity[0]), value)
    walker: Any = import_module("pylatexenc.latexwalker")
    try:
        return str(_decoder().latex_to_text(_LITERAL.sub(r"\\\g<0>", literal)))
    except (walker.LatexWalkerError, ValueError, LookupError, RecursionError):
        return literal  # readable as it is


@cache
def _decoder() -> Any:
    latex: Any = import_module("pylatexenc.latex2text")  # imported here because it is slow to load
    return latex.LatexNodes2Text(math_mode="verbatim")


def _date(fields: Mapping[str, str]) -> str:
    year, month = fields.get("year", ""), fields.get("month", "").strip().lower()[:3]
    number = f"{_MONTHS.index(month) + 1:02d}" if month in _MONTHS else ""
    return "-".join(filter(None, (year, number)))
